// Keeps the whole site, so that it opens without a network. A new version is fetched as a whole before it takes over.

const VERSION = "@VERSION@";
const FILES = [/* @FILES@ */];

const CACHE = `judkins-${VERSION}`;

addEventListener("install", (event) => {
	// Not from the browser's own cache: files of two versions must not mix.
	const requests = FILES.map((file) => new Request(file, { cache: "reload" }));
	event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

addEventListener("activate", (event) => {
	const isOld = (name) => name.startsWith("judkins-") && name !== CACHE;
	event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name)))));
});

addEventListener("fetch", (event) => {
	if (event.request.method !== "GET") return;
	const answer = async () =>
		(await (await caches.open(CACHE)).match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
	event.respondWith(answer());
});
