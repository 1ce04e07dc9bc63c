// The connection to the program. It comes back by itself.

import { createRequests, LOST } from "./requests.js";

/** Links to this page open as long as the program runs. */
export const linksLast = false;
/** The address for other devices in the network: `{url, svg}`, empty without one. */
export const phone = () => fetch("phone").then((answer) => answer.json());

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4000;
/** The status with which a program rejects a page without token and cookie. */
const FORBIDDEN = 403;

/**
 * `onMessage` gets each message; `onState` hears `connecting`, `open`, `lost`, and `refused` by a program that was started
 * anew, with another token. The result's `send` sends a request, and returns a promise of its answer.
 */
export function connect({ onMessage, onState }) {
	let socket = null;
	let pause = FIRST_PAUSE_MS;
	let timer = 0;
	let wasOpen = false;
	const requests = createRequests(onMessage);

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
		socket.addEventListener("message", (event) => requests.receive(JSON.parse(event.data)));
		const own = socket;
		socket.addEventListener("close", () => {
			if (wasOpen) onState("lost");
			wasOpen = false;
			isRefused().then((refused) => socket === own && onState(refused ? "refused" : "lost"));
			requests.drop();
			timer = setTimeout(open, pause);
			pause = Math.min(pause * 1.6, LONGEST_PAUSE_MS);
		});
	}

	/** Whether the program refuses this page, which a socket does not tell. */
	const isRefused = () =>
		fetch(`/${location.search}`, { method: "HEAD" }).then(
			({ status }) => status === FORBIDDEN,
			() => false,
		);

	function send(type, fields) {
		if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(LOST);
		return requests.send((text) => socket.send(text), type, fields);
	}

	// Reconnect at once when the page is visible again.
	document.addEventListener("visibilitychange", () => {
		if (!document.hidden && socket.readyState === WebSocket.CLOSED) open();
	});
	onState("connecting");
	open();
	return { send };
}
