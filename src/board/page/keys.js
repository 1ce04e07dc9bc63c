// Keys that work wherever the focus is not in a field, and the wheel over the board.

/** How far the wheel turns for a move, in pixels: a notch is more. */
const WHEEL_STEP = 40;
const LINE_HEIGHT = 20;

/** Returns the ways to walk through the moves. */
export function listenToKeys(app) {
	const { store: { state }, session, record, analysis, notes, dialogs, boardView } = app;
	const { playing } = session;

	const beside = (step) => {
		const line = record.lineThrough(state.cursor);
		return line[line.indexOf(state.cursor) + step];
	};
	const walk = (step) => () => session.goto(beside(step));
	const sibling = (step) => () => {
		const siblings = record.siblingsOf(state.cursor);
		session.goto(siblings[siblings.indexOf(state.cursor) + step]);
	};
	const walks = { first: () => session.goto(0), previous: walk(-1), next: walk(1), last: () => session.goto(record.lineThrough(state.cursor).at(-1)) };

	function bestMove() {
		const [move] = session.bestLine()?.moves ?? [];
		if (move && session.movable()) session.play(move);
	}

	/** Also while a position is edited. */
	const always = { f: () => app.toggle("flipped"), b: boardView.focus, "?": dialogs.keys };
	const keys = {
		ArrowLeft: walks.previous, ArrowRight: walks.next, ArrowUp: sibling(-1), ArrowDown: sibling(1), Home: walks.first, End: walks.last,
		v: () => app.toggle("arrows"), n: () => dialogs.newGame(), o: () => dialogs.open(), s: dialogs.share, c: notes.focus, m: app.typed.focus, h: session.hint,
	};
	const idle = { a: () => analysis.toggle(), x: analysis.toggleThreats, e: dialogs.edit, Delete: notes.deleteHere, " ": bestMove };

	document.addEventListener("keydown", (event) => {
		const { target, key } = event;
		if (!document.body.dataset.ready || event.altKey || event.defaultPrevented) return;
		if (target.closest?.("input, textarea, select, dialog, .promotion-veil")) return;
		if (event.ctrlKey || event.metaKey) {
			if (key.toLowerCase() !== "z" || event.shiftKey || state.edit) return;
			event.preventDefault();
			return session.tell("undo");
		}
		// A focused button keeps its own keys.
		if ((key === " " || key === "Enter") && target.closest?.("button, summary, [role=button]")) return;
		const known = { ...always, ...(state.edit ? {} : keys), ...(state.edit || playing() ? {} : idle) };
		const action = known[key] ?? known[key.toLowerCase()] ?? (/^\d$/.test(key) && known.a && (() => analysis.setLines(Number(key) || 10)));
		if (!action) return;
		event.preventDefault();
		action();
	});

	document.addEventListener("paste", (event) => {
		if (!document.body.dataset.ready || event.target.closest?.("input, textarea, dialog")) return;
		const text = event.clipboardData?.getData("text/plain");
		// Shown first, since it takes the place of what is on the board.
		if (text?.trim()) dialogs.open(text);
	});

	let turned = 0;
	boardView.board.addEventListener("wheel", (event) => {
		if (event.ctrlKey || state.edit) return;
		const way = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_HEIGHT : 1);
		const next = beside(Math.sign(way));
		// At the ends the page scrolls.
		if (next === undefined) return;
		event.preventDefault();
		turned = Math.sign(turned) === Math.sign(way) ? turned + way : way;
		if (Math.abs(turned) < WHEEL_STEP) return;
		turned = 0;
		session.goto(next);
	}, { passive: false });

	return walks;
}
