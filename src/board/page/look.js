// Applies the settings to the page, and changes them.

import { relabelAll } from "./dom.js";
import { setHandicap, setLanguage, t } from "./i18n.js";
import { languageOf, loadSettings, saveSettings } from "./settings.js";

/** `title` is the window's; without one it follows the language. */
export function createLook({ state, set, on, emit }, title) {
	function apply(settings) {
		const { documentElement: root } = document;
		setLanguage(languageOf(settings));
		root.lang = languageOf(settings);
		root.dataset.theme = settings.theme;
		root.dataset.board = settings.board;
		document.title = title ?? t("app.title");
	}

	function change(patch) {
		const settings = { ...state.settings, ...patch };
		const speaks = languageOf(state.settings);
		// Another tab may have changed others.
		saveSettings({ ...loadSettings(), ...patch });
		apply(settings);
		if (languageOf(settings) !== speaks) relabelAll();
		set({ settings });
	}

	const toggle = (name) => change({ [name]: !state.settings[name] });

	apply(state.settings);
	// Before listeners that name the sides.
	on("header", () => {
		if (!setHandicap(Boolean(state.header?.handicap))) return;
		relabelAll();
		emit("settings");
	});
	return { change, toggle };
}
