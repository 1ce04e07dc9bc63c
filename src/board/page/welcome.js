// The first visit: ways to begin, where the list of moves is empty.

import { h, perFrame } from "./dom.js";
import { button, iconButton } from "./controls.js";

export function createWelcome(app) {
	const { state, on, record, dialogs, change } = app;
	const dismiss = () => change({ welcomed: true });
	const element = h(
		"div.welcome",
		{ hidden: true },
		h("div.row", h("h3", { t: "welcome.title" }), h("span.spacer"), iconButton("close", "close", dismiss)),
		h(
			"div.row.buttons",
			button("welcome.learn", "book", learn, { class: "primary" }),
			button("welcome.play", "play", () => dialogs.newGame(null, 0)),
			button("open.title", "open", () => dialogs.open()),
		),
	);

	function learn() {
		dismiss();
		app.lessons.begin();
	}

	const refresh = perFrame(() => {
		if (!document.body.dataset.ready) return;
		const { settings, game, problem, edit, course, files } = state;
		const begun = game || problem || edit || course || files?.name || record.get(0)?.children.length > 0;
		if (begun && !settings.welcomed) dismiss();
		const gone = begun || settings.welcomed;
		if (gone && element.querySelector(":focus-visible")) app.boardView.focus();
		element.hidden = gone;
	});
	on("settings game problem edit course files position tree:reset tree:node", refresh);
	return { element, refresh };
}
