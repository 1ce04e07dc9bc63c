// The connection to the program. It comes back by itself.

/** Links to this page open as long as the program runs. */
export const linksLast = false;

const LOST = { code: "lost", text: null };
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4000;
/** What a program says that knows neither token nor cookie. */
const FORBIDDEN = 403;
/** A request that has heard of no error when so many came after it has been done. */
const FORGET_AFTER = 100;

/**
 * `onMessage` gets each message; `onState` hears `connecting`, `open`, `lost`, and `refused` by a program that was started
 * anew, with another token. The result's `send` numbers a request,
 * sends it, and returns a promise of the message that answers it by its number; an `error` rejects it.
 */
export function connect({ onMessage, onState }) {
	let socket = null;
	let pause = FIRST_PAUSE_MS;
	let timer = 0;
	let lastId = 0;
	let wasOpen = false;
	const waiting = new Map();

	function open() {
		clearTimeout(timer);
		const address = new URL(`ws${location.search}`, location.href);
		address.protocol = location.protocol.replace("http", "ws");
		socket = new WebSocket(address);
		socket.addEventListener("open", () => {
			pause = FIRST_PAUSE_MS;
			wasOpen = true;
			onState("open");
		});
		socket.addEventListener("message", (event) => receive(JSON.parse(event.data)));
		const own = socket;
		socket.addEventListener("close", () => {
			if (wasOpen) onState("lost");
			wasOpen = false;
			isRefused().then((refused) => { if (socket === own) onState(refused ? "refused" : "lost"); });
			// Most of these were done, so that no text says they were not.
			for (const request of waiting.values()) request.fail({ code: "lost" });
			waiting.clear();
			timer = setTimeout(open, pause);
			pause = Math.min(pause * 1.6, LONGEST_PAUSE_MS);
		});
	}

	/** Whether a program is there that does not let this page in. A socket does not tell. */
	const isRefused = () => fetch(`/${location.search}`, { method: "HEAD" }).then(({ status }) => status === FORBIDDEN, () => false);

	function receive(message) {
		const answers = ["error", "earlier", "exported", "edited", "hint", "learned"].includes(message.type);
		const request = answers && waiting.get(message.id);
		if (request) {
			waiting.delete(message.id);
			if (message.type === "error") request.fail(message);
			else request.done(message);
		}
		onMessage(message, Boolean(request));
	}

	function send(type, fields) {
		if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(LOST);
		lastId += 1;
		const id = lastId;
		socket.send(JSON.stringify({ type, id, ...fields }));
		waiting.delete(id - FORGET_AFTER);
		return new Promise((done, fail) => waiting.set(id, { done, fail }));
	}

	// A page that was asleep tries at once when it is looked at again.
	document.addEventListener("visibilitychange", () => {
		if (!document.hidden && socket.readyState === WebSocket.CLOSED) open();
	});
	onState("connecting");
	open();
	return { send };
}
