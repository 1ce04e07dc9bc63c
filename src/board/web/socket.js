// The connection to the board's Worker, in place of the one to a program (`page/socket.js`). Pages of all tabs talk over one
// channel to the Worker that runs the board.

import { createRequests, LOST } from "./requests.js";

/** A board that does not answer for this long is reported. */
const SILENT_MS = 15_000;

/** Links to this page open wherever it is served. */
export const linksLast = true;
export const phone = async () => null;

/** As the other `connect`: `onState` hears `connecting`, `open`, and `lost` while another tab's Worker takes over. */
export function connect({ onMessage, onState }) {
	const client = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
	const channel = openChannel();
	const requests = createRequests(onMessage);
	let isOpen = false;
	let isBroken = false;
	let hasAsked = false;
	let isLocked = false;

	channel?.addEventListener("message", ({ data }) => {
		if (data.ended) isOpen && lose();
		else if (data.began) begin();
		else if (data.keep) askToKeep();
		else if (data.to === client || data.to === null) receive(JSON.parse(data.text));
	});

	/** The board runs, in this tab or in another one: it says all there is. */
	function begin() {
		if (isOpen) lose();
		join();
	}

	/** Asks once that the browser keeps what is stored: some browsers ask the user. */
	function askToKeep() {
		if (hasAsked || document.hidden) return;
		hasAsked = true;
		navigator.storage?.persist?.().catch(() => {});
	}

	/** The board notices by its lock that a page is gone, so a page joins once it has it. */
	function join() {
		if (isLocked) post({ type: "joined" });
	}

	function lose() {
		isOpen = false;
		onState("lost");
		requests.drop();
	}

	function fail() {
		isBroken = true;
		onState("broken");
	}

	const post = (message) => channel.postMessage({ client, ...message });

	function receive(message) {
		if (message.type === "hello" && !isOpen) {
			isOpen = true;
			onState("open");
			// The copy for use without a network is fetched last.
			navigator.serviceWorker?.register(new URL("../service-worker.js", import.meta.url)).catch(() => {});
		}
		requests.receive(message);
	}

	function send(type, fields) {
		if (!isOpen) return Promise.reject(LOST);
		return requests.send((text) => post({ type: "request", text }), type, fields);
	}

	function start() {
		const worker = new Worker(new URL("board-worker.js", import.meta.url), { type: "module" });
		worker.addEventListener("error", (event) => {
			console.error(event.message);
			fail();
		});
		// In Safari a Worker keeps its locks when its page goes. Elsewhere it still takes what the page has just sent.
		if ("GestureEvent" in window) addEventListener("pagehide", () => worker.terminate());
		navigator.locks.request(`judkins-page-${client}`, () => {
			isLocked = true;
			join();
			return new Promise(() => {});
		});
	}

	// A page that comes back from the browser's cache has lost its Worker's lock meanwhile.
	addEventListener("pageshow", ({ persisted }) => {
		if (persisted) location.reload();
	});
	onState("connecting");
	// Without https there are no locks.
	isSecureContext && channel ? start() : fail();
	// The network may be slow, or a frozen tab may hold the board's lock.
	setTimeout(() => isOpen || isBroken || onState("lost"), SILENT_MS);
	return { send };
}

/** None where the browser blocks site data. */
function openChannel() {
	try {
		return new BroadcastChannel("judkins-board");
	} catch {
		return null;
	}
}
