// Requests and the messages that answer them, over any connection.

/** After this number of later requests, one without an error counts as done. */
const FORGET_AFTER = 1e4;

/** `onMessage` gets each message, and whether a request has waited for it. */
export function createRequests(onMessage) {
	let lastId = 0;
	const waiting = new Map();

	/** Sends a numbered request. Returns a promise of its answer, which an `error` rejects. */
	function send(post, type, fields) {
		lastId += 1;
		const id = lastId;
		post(JSON.stringify({ type, id, ...fields }));
		waiting.delete(id - FORGET_AFTER);
		return new Promise((done, fail) => waiting.set(id, { done, fail }));
	}

	function receive(message) {
		const request = waiting.get(message.id);
		if (request) {
			waiting.delete(message.id);
			if (message.type === "error") request.fail(message);
			else request.done(message);
		}
		onMessage(message, Boolean(request));
	}

	/** The connection is lost. No text complains: most requests were done. */
	function drop() {
		for (const request of waiting.values()) request.fail({ code: "lost" });
		waiting.clear();
	}

	return { send, receive, drop };
}

/** How a request fails that cannot be sent. */
export const LOST = { code: "lost", text: null };
