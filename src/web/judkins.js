// The engine's Worker: takes lines of USI or UCI as messages, and posts lines. A classic or a module Worker, also in Node.
// An object { module, network } as the first message saves fetching them.
{
	const early = [];
	// Messages that arrive before the modules are loaded must not be lost.
	const listen = globalThis.addEventListener;
	listen?.("message", ({ data }) => early?.push(data));
	import("./worker.js")
		.then(({ start }) => start(early))
		// A page hears of an error in a Worker, not of a rejection. Node hears of both, and has no `reportError`.
		.catch(globalThis.reportError);
}
