// The page's data, and the listeners to its changes.

/**
 * `set` calls each listener of a changed key once, before it returns: a move is shown in the task of its click. `emit` calls
 * the listeners of an event, such as a changed node.
 */
export function createStore(initial) {
	const state = { ...initial };
	const listeners = new Map();

	function on(names, listener) {
		const sets = names.split(" ").map((name) => listeners.get(name) ?? listeners.set(name, new Set()).get(name));
		for (const each of sets) each.add(listener);
		return () => sets.forEach((each) => each.delete(listener));
	}

	function set(patch) {
		const called = new Set();
		for (const [key, value] of Object.entries(patch)) {
			if (Object.is(state[key], value)) continue;
			state[key] = value;
			for (const listener of listeners.get(key) ?? []) called.add(listener);
		}
		for (const listener of called) listener(state);
	}

	function emit(name, detail) {
		for (const listener of listeners.get(name) ?? []) listener(detail);
	}

	const next = (name) =>
		new Promise((done) => {
			const stop = on(name, () => done(stop()));
		});

	return { state, set, on, emit, next };
}
