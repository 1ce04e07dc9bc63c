// The bar at the top.

import { h, setClasses, setText } from "./dom.js";
import { button, iconButton } from "./controls.js";
import { pieceSvg } from "./pieces.js";
import { nextLanguage, t } from "./i18n.js";

export function createBar({ state, dialogs, change, session, boardView }) {
	const tool = (key, name, action) => button(key, name, action, { class: "tool plain" });
	const edit = tool("bar.edit", "edit", dialogs.edit);
	const problems = tool("bar.problems", "puzzle", dialogs.problems);
	const lessons = tool("bar.lessons", "book", dialogs.lessons);
	// In narrow windows, in place of the record's name.
	const header = tool("header.title", "players", dialogs.header);
	header.classList.add("narrow-only");
	const menu = h(
		"nav.menu",
		{ tip: "bar.main", click: () => open(false) },
		tool("bar.new", "play", () => dialogs.newGame()),
		tool("bar.open", "open", () => dialogs.open()),
		tool("open.fresh", "plus", dialogs.fresh),
		tool("library.title", "library", dialogs.library),
		edit,
		lessons,
		problems,
		tool("bar.share", "share", dialogs.share),
		header,
	);
	const menuButton = iconButton("bar.menu", "menu", () => open(!element.classList.contains("open")), {
		class: "narrow-only",
	});
	const name = h("button.record-name.plain.ellipsis", { click: dialogs.header });
	const languageSwitch = h("button.language.plain", {
		tip: "bar.language",
		t: "bar.next",
		click: () => change({ language: nextLanguage() }),
	});
	const theme = iconButton("bar.theme", "moon", () => {
		const dark =
			state.settings.theme === "dark" ||
			(state.settings.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
		change({ theme: dark ? "light" : "dark" });
	});
	const element = h(
		"header.bar",
		h("a.skip", {
			href: "#board",
			t: "app.skip",
			click: (event) => {
				event.preventDefault();
				boardView.focus();
			},
		}),
		h("h1.brand", pieceSvg("+P", "kanji"), "judkins"),
		menu,
		h("span.spacer"),
		name,
		languageSwitch,
		theme,
		iconButton("prefs.title", "settings", dialogs.prefs),
		iconButton("keys.title", "help", dialogs.keys),
		menuButton,
	);

	function open(wanted) {
		element.classList.toggle("open", wanted);
		menuButton.ariaExpanded = wanted;
	}
	document.addEventListener("pointerdown", (event) => {
		if (!element.contains(event.target)) open(false);
	});

	function refresh() {
		const { header: known, files, position, problem } = state;
		const players =
			known?.black || known?.white ? `${known.black || "?"} – ${known.white || "?"}` : known?.event || files?.name;
		setText(name, players ?? t("header.title"));
		name.title = t("header.title");
		name.hidden = !known || Boolean(problem);
		header.disabled = name.hidden;
		setClasses(name, { unsaved: files?.name && files.unsaved });
		edit.disabled = session.playing() || !position;
		problems.disabled = lessons.disabled = session.playing();
	}

	return { element, refresh };
}
