// Keys that work wherever the focus is not in a field.

/** Whether a dialog is open: the focus leaves it when its control is disabled. */
const isCovered = () => document.querySelector(":modal");

export function listenToKeys(app, walkKeys) {
	const { state, set, session, analysis, notes, dialogs, boardView } = app;
	const { playing } = session;

	function bestMove() {
		const [move] = session.bestLine()?.moves ?? [];
		if (move && session.movable()) session.play(move);
	}

	/** Also while a position is edited. */
	const always = { f: () => app.toggle("flipped"), b: boardView.focus, "?": dialogs.keys };
	const keys = {
		...walkKeys,
		v: () => app.toggle("arrows"),
		n: () => dialogs.newGame(),
		o: () => dialogs.open(),
		l: dialogs.library,
		s: dialogs.share,
		c: notes.focus,
		m: app.typed.focus,
		h: () => state.learn || session.hint(),
		Escape() {
			set({ planned: null });
			boardView.drop();
		},
	};
	const idle = {
		a: () => analysis.toggle(),
		x: analysis.toggleThreats,
		e: dialogs.edit,
		Delete: notes.deleteHere,
		" ": bestMove,
	};

	document.addEventListener("keydown", (event) => {
		const { target, key } = event;
		if (!document.body.dataset.ready || event.altKey || event.defaultPrevented) return;
		if (target.closest?.("input, textarea, select, .promotion-veil") || isCovered()) return;
		if (event.ctrlKey || event.metaKey) {
			if (key.toLowerCase() !== "z" || event.shiftKey || state.learn) return;
			event.preventDefault();
			if (!state.edit) return session.tell("undo");
			boardView.drop();
			return app.edits.undo();
		}
		// A focused button keeps its own keys.
		if ((key === " " || key === "Enter") && target.closest?.("button, summary, [role=button]")) return;
		const known = { ...always, ...(state.edit ? {} : keys), ...(state.edit || state.learn || playing() ? {} : idle) };
		const action =
			known[key] ??
			known[key.toLowerCase()] ??
			(/^\d$/.test(key) && known.a && (() => analysis.setLines(Number(key) || 10)));
		if (!action) return;
		event.preventDefault();
		action();
	});

	document.addEventListener("paste", (event) => {
		if (!document.body.dataset.ready || event.target.closest?.("input, textarea") || isCovered()) return;
		const text = event.clipboardData?.getData("text/plain");
		if (!text?.trim()) return;
		// The field gets the text from `open`.
		event.preventDefault();
		dialogs.open(text);
	});
}
