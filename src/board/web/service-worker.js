// Keeps the whole site, so that it opens without a network. A new version is fetched as a whole before it takes over.

const VERSION = "@VERSION@";
const FILES = [/* @FILES@ */];

// Sites at other paths of the same origin have caches of their own.
const PREFIX = `judkins-${registration.scope}-`;
const CACHE = PREFIX + VERSION;

addEventListener("install", (event) => {
	// Not from the browser's own cache: files of two versions must not mix.
	const requests = FILES.map((file) => new Request(file, { cache: "reload" }));
	event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

addEventListener("activate", (event) => {
	const isOld = (name) => name.startsWith(PREFIX) && name !== CACHE;
	event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name)))));
});

addEventListener("fetch", (event) => {
	if (event.request.method !== "GET") return;
	const answer = async () =>
		(await (await caches.open(CACHE)).match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
	event.respondWith(answer());
});
