// The board's Worker: the state in WebAssembly, its storage, and the engines' Workers. Of the Workers of all tabs, the one
// that holds the lock runs the board; when its tab is closed, another one goes on with what is stored.

import { createModule } from "./wasm.js";

const STORE = "state";
const channel = new BroadcastChannel("judkins-board");

navigator.locks.request("judkins-board", async () => {
	await run();
	await new Promise(() => {});
});

async function run() {
	const [module, storage] = await Promise.all([createModule(), openStorage()]);
	const engines = new Map();
	const clients = new Set();
	let timer = 0;

	const board = await module.start("board_run", (line) => carryOut(JSON.parse(line)));
	const tell = (event) => board.send(JSON.stringify(event));

	const carry = {
		send({ client, text }) { channel.postMessage({ to: client, text }); },
		start({ process }) {
			const engine = new Worker(new URL("judkins.js", import.meta.url), { type: "module" });
			engine.addEventListener("message", ({ data }) => String(data).split("\n").forEach((text) => tell({ type: "line", process, text })));
			engine.addEventListener("error", ({ message }) => {
				engines.delete(process);
				tell({ type: "failed", process, error: message });
			});
			engine.postMessage(module.shared);
			engines.set(process, engine);
		},
		line({ process, text }) { engines.get(process)?.postMessage(text); },
		end({ process }) {
			// It may still have to say how the game ended.
			engines.get(process)?.postMessage("quit");
			engines.delete(process);
		},
		store({ session, earlier }) {
			storage.put({ session, earlier }).then(
				() => { if (earlier) channel.postMessage({ keep: true }); },
				(error) => tell({ type: "notStored", error: String(error) }));
		},
		timer({ milliseconds }) {
			clearTimeout(timer);
			timer = setTimeout(() => tell({ type: "timer" }), milliseconds);
		},
	};

	function carryOut(reply) {
		carry[reply.type](reply);
	}

	tell({ type: "begin", ...storage.stored, date: new Date().toISOString().slice(0, 10) });
	if (storage.error) tell({ type: "notStored", error: storage.error });

	channel.addEventListener("message", ({ data: { client, ...event } }) => {
		if (client === undefined) return;
		if (event.type === "joined" && !clients.has(client)) {
			clients.add(client);
			navigator.locks.request(`judkins-page-${client}`, () => {
				clients.delete(client);
				tell({ type: "left", client });
			});
		}
		tell({ ...event, client });
	});
	channel.postMessage({ began: true });
}

/** The database; where it is denied, nothing is stored and `error` says why. */
async function openStorage() {
	try {
		const opening = indexedDB.open("judkins", 1);
		opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
		const database = await result(opening);
		const store = database.transaction(STORE).objectStore(STORE);
		const [session, earlier] = await Promise.all([result(store.get("session")), result(store.get("earlier"))]);
		return { stored: { session, earlier }, put: (texts) => put(database, texts) };
	} catch (error) {
		return { stored: {}, error: String(error), put: () => Promise.resolve() };
	}
}

const result = (request) => new Promise((done, fail) => {
	request.onsuccess = () => done(request.result);
	request.onerror = () => fail(request.error);
});

/** All of the texts, or none. */
function put(database, texts) {
	return new Promise((done, fail) => {
		const transaction = database.transaction(STORE, "readwrite");
		transaction.oncomplete = done;
		transaction.onabort = () => fail(transaction.error);
		for (const [name, text] of Object.entries(texts)) if (text !== null) transaction.objectStore(STORE).put(text, name);
	});
}
