// Keeps the whole site, so that it opens without a network. A new version is fetched as a whole before it takes over.

const VERSION = "@VERSION@";
const FILES = [/* @FILES@ */];

// Sites at other paths of the same origin have caches of their own.
const PREFIX = `judkins-${registration.scope}-`;
const CACHE = PREFIX + VERSION;

addEventListener("install", (event) => event.waitUntil(install()));

/** Fails, and is tried again at a later visit, while the host still has files of another version. */
async function install() {
	// Not from the browser's own cache.
	const responses = await Promise.all(FILES.map((file) => fetch(file, { cache: "reload" })));
	const failed = responses.find((response) => !response.ok);
	if (failed) throw new Error(`${failed.url}: ${failed.status}`);
	const files = await Promise.all(responses.map((response) => response.clone().blob()));
	const digest = await crypto.subtle.digest("SHA-256", await new Blob(files).arrayBuffer());
	const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
	if (!hex.startsWith(VERSION)) throw new Error("The host has files of two versions.");
	const cache = await caches.open(CACHE);
	await Promise.all(FILES.map((file, index) => cache.put(file, responses[index])));
}

addEventListener("activate", (event) => {
	const isOld = (name) => name.startsWith(PREFIX) && name !== CACHE;
	event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name)))));
});

addEventListener("fetch", (event) => {
	if (event.request.method !== "GET") return;
	const url = event.request.url.replace(/\/index\.html(?=[?#]|$)/, "/");
	const answer = async () =>
		(await (await caches.open(CACHE)).match(url, { ignoreSearch: true })) ?? fetch(event.request);
	event.respondWith(answer());
});
