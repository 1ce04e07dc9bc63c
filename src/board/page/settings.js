// The settings of this browser.

import { known, textIn } from "./i18n.js";

const KEY = "judkins-board";

const browserLanguage = () => known(navigator.language);

const DEFAULTS = {
	language: null, // null: as the browser asks
	theme: "auto", // auto, light, dark
	board: "wood", // wood, walnut, green, blue
	volume: 0, // of the sounds, to 100
	pieces: textIn(browserLanguage(), "piece.style"), // kanji, kanji2, guide, western, pictures
	coordinates: null, // ja, western, none; null: as the language
	notation: null, // ja, western, usi; null: as the language
	flipped: false,
	flippedBefore: null, // before the problem that is shown
	arrows: true,
	evalBar: true,
	lines: 3,
	welcomed: false, // the ways to begin were seen
	site: "", // a site with this board, for links
	newGame: null, // what the last new game was asked to be
};

export function loadSettings() {
	let kept = {};
	try {
		kept = JSON.parse(localStorage.getItem(KEY)) ?? {};
	} catch {
		// Storage can be forbidden or damaged.
	}
	return { ...DEFAULTS, ...kept };
}

export function saveSettings(settings) {
	try {
		localStorage.setItem(KEY, JSON.stringify(settings));
	} catch {
		// They hold for this visit then.
	}
}

export const languageOf = (settings) => settings.language ?? browserLanguage();
const styleOf = (settings) => textIn(languageOf(settings), "notation");
export const notationOf = (settings) => settings.notation ?? styleOf(settings);
export const coordinatesOf = (settings) => settings.coordinates ?? styleOf(settings);
