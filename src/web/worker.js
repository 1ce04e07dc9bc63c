// Runs an instance of judkins.wasm in a Worker: the engine for judkins.js, or the board. Lines that come during work are
// taken in its pauses.
import { instantiate } from "./wasm.js";

/** Where the search cannot be interrupted, one without an end ends after so long. In milliseconds. */
const LONGEST_DEAF = 5000;

/** A `go` that ends by itself. */
const LIMIT = /^(?!.*\b(infinite|ponder)\b).*\b(\w*time|\winc|byoyomi|depth|nodes|mate|perft)\s+\d/;

/** The lines that have come. */
const lines = [];
let given;
let wake = () => {};

/** In a page: the Worker's own messages. A search lets them in by JavaScript Promise Integration. */
export function pageHost() {
	const { port1, port2 } = new MessageChannel();
	const turn = () =>
		new Promise((done) => {
			port1.onmessage = done;
			port2.postMessage(0);
		});
	const message = (milliseconds) =>
		new Promise((done) => {
			const timer = setTimeout(done, milliseconds);
			wake = () => {
				clearTimeout(timer);
				done();
			};
		});
	return {
		post: (line) => postMessage(line),
		end: () => close(),
		read: async (name) => {
			const response = await fetch(new URL(name, import.meta.url));
			if (!response.ok) {
				throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
			}
			return response;
		},
		pause:
			"Suspending" in WebAssembly
				? (milliseconds) => (milliseconds > 0 && lines.length === 0 ? message(milliseconds) : turn())
				: undefined,
	};
}

/** In Node: a Worker there can look for messages while it works. */
async function nodeHost() {
	const { parentPort, receiveMessageOnPort } = await import("node:worker_threads");
	const { readFile } = await import("node:fs/promises");
	const cell = new Int32Array(new SharedArrayBuffer(4));
	parentPort.on("message", take);
	return {
		post: (line) => parentPort.postMessage(line),
		// By itself, once what was posted has gone.
		end: () => parentPort.close(),
		read: async (name) => new Response(await readFile(new URL(name, import.meta.url))),
		pauseAtOnce(milliseconds) {
			if (milliseconds > 0 && lines.length === 0) {
				Atomics.wait(cell, 0, 0, Math.min(milliseconds, 5));
			}
			for (let received = receiveMessageOnPort(parentPort); received; received = receiveMessageOnPort(parentPort)) {
				take(received.message);
			}
		},
	};
}

/** Compiles a module, whatever type the server gives to such files. */
export async function compile(coming) {
	const response = await coming;
	return response.headers.get("content-type") === "application/wasm"
		? WebAssembly.compileStreaming(response)
		: WebAssembly.compile(await response.arrayBuffer());
}

/** Takes lines, or an object { module, network }. */
export function take(message) {
	if (typeof message === "string") {
		lines.push(...message.split("\n"));
	} else {
		given?.(message);
	}
	wake();
}

/** Starts the engine. `early` holds the messages that have come, and gets those to come in a page. */
export async function start(early) {
	const isPage = typeof addEventListener === "function";
	let settings;
	given = (message) => {
		settings = message;
	};
	early.splice(0).forEach(take);
	early.push = take;
	const host = isPage ? pageHost() : await nodeHost();
	const message = () =>
		new Promise((done) => {
			wake = done;
		});
	while (lines.length === 0 && !settings) {
		await message();
	}
	try {
		if (!host.pause && !host.pauseAtOnce) {
			host.post("info string this browser lacks WebAssembly.Suspending: 'stop' waits for the end of a search");
		}
		// The answer to the greeting needs no network.
		await run(host, "usi_run", settings, (line) => !/^\s*(usi|uci|setoption\b.*)?\s*$/.test(line));
		host.end();
	} catch (error) {
		host.post(`info string error: the engine has stopped working: ${error.message ?? error}`);
		if (!isPage) host.end();
		throw error;
	}
}

/** The network's file, as scripts/web.sh packed it. */
async function unpack(packed) {
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
	const planes = new Uint8Array(await new Response(stream).arrayBuffer());
	const [start, stride, buckets] = new Uint32Array(planes.buffer, 0, 3);
	const head = 12 + start;
	const weights = new Int16Array((planes.length - head) >> 1);
	for (let index = 0; index < weights.length; index++) {
		const word = planes[head + index] | (planes[head + weights.length + index] << 8);
		weights[index] = (word >> 1) ^ -(word & 1);
	}
	for (let index = 0; index < stride; index++) {
		let total = 0;
		for (let bucket = 1; bucket < buckets; bucket++) {
			const at = bucket * stride + index;
			total += weights[at - stride];
			weights[at] += Math.floor((2 * total + bucket) / (2 * bucket));
		}
	}
	const file = new Uint8Array(start + weights.byteLength);
	file.set(planes.subarray(12, head));
	file.set(new Uint8Array(weights.buffer), start);
	return file;
}

/**
 * Runs a function of the module with the lines that come, until it returns false. `needsNetwork` tells which lines must
 * wait for the network. `settings` may hold the module and the network, or `load`, which loads the network, and
 * `refuse`, which takes these lines if the network cannot be loaded.
 */
export async function run(host, name, settings, needsNetwork) {
	const module = await (settings?.module ?? compile(host.read("judkins.wasm")));
	let network;
	let fetched;
	const load = settings?.load ?? (async () => settings?.network ?? (await host.read("judkins.net")).arrayBuffer());
	/** Loads the network once, and again after a failure. */
	const fetchNetwork = () => {
		fetched ??= load().then(async (packed) => {
			network = await unpack(packed);
		});
		// A line that needs the network reports it.
		fetched.catch(() => {
			fetched = undefined;
		});
		return fetched;
	};
	fetchNetwork();
	const encoder = new TextEncoder();
	const ENCODINGS = ["shift_jis", "windows-1252"];
	let next;
	// A search without an end that began then, where it cannot be interrupted.
	let endless;
	const pause =
		host.pauseAtOnce ??
		(host.pause && new WebAssembly.Suspending(host.pause)) ??
		((milliseconds) => {
			if (endless && (milliseconds > 0 || performance.now() - endless > LONGEST_DEAF)) {
				lines.unshift("stop");
				endless = undefined;
			}
		});
	const waits = (line) => !network && needsNetwork(line);
	let loading;
	const refuseWaiting = () => {
		for (const line of lines.splice(0)) needsNetwork(line) ? settings.refuse(line) : lines.push(line);
	};
	const { exports } = await instantiate(module, (bytes) => ({
		next_line() {
			// The loop below loads the network. The board's other lines do not wait for it.
			const index = settings?.refuse ? lines.findIndex((line) => !waits(line)) : 0;
			if (index < 0 || lines.length === 0 || waits(lines[index])) {
				return -1;
			}
			const [line] = lines.splice(index, 1);
			if (/^\s*go\b/.test(line)) endless = LIMIT.test(line) ? undefined : performance.now();
			next = encoder.encode(line);
			return next.length;
		},
		take_line: (address) => bytes(address, next.length).set(next),
		decode_text(encoding, address, length) {
			const decoder = new TextDecoder(ENCODINGS[encoding], { ignoreBOM: true });
			next = encoder.encode(decoder.decode(bytes(address, length)));
			return next.length;
		},
		take_text: (address) => bytes(address, next.length).set(next),
		local_date() {
			const now = new Date();
			return (now.getFullYear() * 100 + now.getMonth() + 1) * 100 + now.getDate();
		},
		pause,
		post: (address, length) => {
			const text = new TextDecoder().decode(bytes(address, length));
			text.slice(0, -1).split("\n").forEach(host.post);
		},
		network_length: () => network.length,
		take_network: (address) => bytes(address, network.length).set(network),
	}));
	const work = host.pause ? WebAssembly.promising(exports[name]) : exports[name];
	do {
		while (settings?.refuse ? lines.every(waits) : lines.length === 0) {
			await new Promise((done) => {
				wake = done;
				serveWaiting();
			});
		}
		if (!settings?.refuse && lines.some(waits)) await fetchNetwork();
		serveWaiting();
	} while (await work());

	/** Loads the network for the board's lines that wait for it, and refuses them if that fails. */
	function serveWaiting() {
		if (loading || !settings?.refuse || !lines.some(waits)) return;
		loading = fetchNetwork()
			.catch(refuseWaiting)
			.then(() => {
				loading = undefined;
				wake();
			});
	}
}
