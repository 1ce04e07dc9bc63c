// The board's Worker: the state in WebAssembly, its storage, and the engines' Workers. Of the Workers of all tabs, the one
// that holds the lock runs the board; when its tab is closed, another one goes on with what is stored.

import { LIBRARY_VERSION, STORES, createLibrary, result, write } from "./library-store.js";
import { compile, pageHost, run, take } from "./worker.js";

const STORE = "state";
const channel = new BroadcastChannel("judkins-board");

// The page hears of an error, which ends the board.
navigator.locks.request("judkins-board", start).catch(reportError);

async function start() {
	// The tab whose Worker ran the board, if there was one, is gone.
	channel.postMessage({ ended: true });
	const file = (name) => fetch(new URL(name, import.meta.url));
	let network;
	/** Loads the network once, and again after a failure. */
	const loadNetwork = () => {
		network ??= pageHost()
			.read("judkins.net")
			.then((response) => response.arrayBuffer());
		network.catch(() => {
			network = undefined;
		});
		return network;
	};
	loadNetwork();
	const [module, storage] = await Promise.all([compile(file("judkins.wasm")), openStorage()]);
	const engines = new Map();
	const clients = new Set();
	let timer = 0;
	let replayNames;
	let filesSent;

	const tell = ({ type, ...event }) => take(JSON.stringify({ [type]: event }));

	const carryOut = {
		send({ client, text }) {
			channel.postMessage({ to: client, text });
		},
		start({ process }) {
			const worker = new Worker(new URL("judkins.js", import.meta.url), { type: "module" });
			const failed = (error) => {
				worker.terminate();
				engines.delete(process);
				// A damaged network may be the cause: load it again.
				network = undefined;
				tell({ type: "failed", process, error });
			};
			worker.addEventListener("message", ({ data }) =>
				String(data)
					.split("\n")
					.forEach((text) => tell({ type: "line", process, text })),
			);
			worker.addEventListener("error", (event) => {
				// An unhandled error of an inner Worker ends the board too.
				event.preventDefault();
				// A script that cannot be loaded has no message.
				failed(event.message ?? "judkins.js cannot be loaded");
			});
			const ready = loadNetwork().then((network) => worker.postMessage({ module, network }));
			ready.catch((error) => failed(String(error)));
			engines.set(process, (line) => ready.then(() => worker.postMessage(line)));
		},
		line({ process, text }) {
			engines.get(process)?.(text);
		},
		end({ process }) {
			engines.get(process)?.("quit");
			engines.delete(process);
		},
		store({ session }) {
			// It has what was read of the earlier studies.
			storage.put({ session, earlier: undefined }).catch((error) => tell({ type: "notStored", error: String(error) }));
		},
		storeGames({ games }) {
			storage.put({ games: games ?? undefined }).catch((error) => tell({ type: "notStored", error: String(error) }));
		},
		library({ number, task }) {
			library(task).then(
				({ type, ...answer }) => {
					if (task.type === "save") channel.postMessage({ keep: true });
					tell({ type: "library", number, answer: { [type]: answer } });
				},
				(error) => tell({ type: "library", number, error: String(error) }),
			);
		},
		replayFiles({ names }) {
			replayNames = names;
		},
		// A failure is told when the next text is stored.
		setAside({ name }) {
			storage.put({ [`${name}-${Date.now()}`]: storage.stored[name] }).catch(() => {});
		},
		timer({ milliseconds }) {
			clearTimeout(timer);
			timer = setTimeout(() => tell({ type: "timer" }), milliseconds);
		},
	};

	const library = createLibrary(storage.database);
	tell({ type: "begin", ...storage.stored, error: storage.error });
	// A review that was interrupted begins again. Like every request for one it waits for the network.
	const interrupted = /"reviewing":(\d+)/.exec(storage.stored.session);
	if (interrupted) {
		const text = JSON.stringify({ id: 0, type: "review", nodes: Number(interrupted[1]), resumes: true });
		tell({ type: "request", client: 0, text });
	}
	/** Sends the page's files to the state, once. Without them it refuses to export a game as a page. */
	function sendReplayFiles() {
		const text = async (name) => {
			const response = await file(name);
			if (!response.ok) throw new Error(`${name}: ${response.status}`);
			return [name, await response.text()];
		};
		filesSent ??= Promise.all(replayNames.map(text)).then(
			(files) => tell({ type: "replayFiles", files: Object.fromEntries(files) }),
			() => {
				filesSent = undefined;
			},
		);
		return filesSent;
	}

	channel.addEventListener("message", async ({ data: { client, ...event } }) => {
		if (client === undefined) return;
		if (event.text?.includes('"format":"html"')) await sendReplayFiles();
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
	const post = (line) => {
		const { type, ...reply } = JSON.parse(line);
		carryOut[type](reply);
	};
	const refuse = (line) => {
		// It may be damaged: load it again.
		network = undefined;
		const { client, text } = JSON.parse(line).request;
		const { id } = JSON.parse(text);
		const error = { type: "error", id, code: "no-page", text: { key: "error.no-page" } };
		channel.postMessage({ to: client, text: JSON.stringify(error) });
	};
	await run({ ...pageHost(), post }, "board_run", { module, load: loadNetwork, refuse }, (line) =>
		line.includes('\\"type\\":\\"review\\"'),
	);
}

/** What is stored; where storing is denied, nothing is stored, and `error` says why. `database` opens what the library needs. */
async function openStorage() {
	let opened;
	/** The database; after the browser has closed it, it is opened again. */
	const database = async () => {
		opened ??= openDatabase(() => {
			opened = undefined;
		});
		return opened;
	};
	try {
		const store = (await database()).transaction(STORE).objectStore(STORE);
		const names = ["session", "games", "earlier"];
		const texts = await Promise.all(names.map((name) => result(store.get(name))));
		const stored = Object.fromEntries(names.map((name, index) => [name, texts[index]]));
		return { database, stored, put: (texts) => put(database, texts) };
	} catch (error) {
		return { database: () => Promise.reject(error), stored: {}, error: String(error), put: () => Promise.resolve() };
	}
}

async function openDatabase(closed) {
	// The version before had no library.
	const opening = indexedDB.open("judkins", 1 + LIBRARY_VERSION);
	opening.onupgradeneeded = ({ oldVersion }) => {
		if (oldVersion < 1) opening.result.createObjectStore(STORE);
		if (oldVersion < 2) for (const name of STORES) opening.result.createObjectStore(name, { keyPath: "id" });
	};
	try {
		const database = await result(opening);
		database.onclose = closed;
		return database;
	} catch (error) {
		closed();
		throw error;
	}
}

/** All of the texts, or none. */
async function put(database, texts) {
	await write(await database(), [STORE], (store) => {
		for (const [name, text] of Object.entries(texts)) text === undefined ? store.delete(name) : store.put(text, name);
	});
}
