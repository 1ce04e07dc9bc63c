// Moves that are typed, in any notation that the program reads.

import { h } from "./dom.js";

export function createTyped({ state, on, next, session, boardView }) {
	const text = h("input.text", {
		tip: "typed.label",
		hint: "typed.hint",
		maxlength: 40,
		autocomplete: "off",
		autocapitalize: "off",
		spellcheck: "false",
		enterkeyhint: "go",
		keydown: ({ key }) => key === "Escape" && text.blur(),
	});
	const element = h("form.typed", { submit: read }, text);

	async function read(event) {
		event.preventDefault();
		const typed = text.value.trim();
		if (!typed) return;
		if (session.obstacle()) return boardView.refuse();
		while (state.position.provisional) await next("position");
		const { cursor } = state;
		await session.tell("readMove", { node: cursor, text: typed }, ({ move }) => {
			if (state.cursor === cursor && boardView.playTyped(move) && text.value.trim() === typed) text.value = "";
		});
		// The next move takes the place of a refused one.
		text.select();
	}

	on("tree:reset", () => text.matches(":focus") || (text.value = ""));
	on("edit", () => (element.hidden = Boolean(state.edit)));
	return { element, focus: () => text.focus() };
}
