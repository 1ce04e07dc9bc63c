// The settings of this browser.

const KEY = "judkins-board";

const browserLanguage = () => (/^ja/i.test(navigator.language) ? "ja" : "en");

const DEFAULTS = {
	language: null, // null: as the browser asks
	theme: "auto", // auto, light, dark
	board: "wood", // wood, walnut, green, blue
	volume: 0, // of the sounds, to 100
	pieces: browserLanguage() === "ja" ? "kanji" : "guide", // kanji, kanji2, guide, western, pictures
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
const styleOf = (settings) => (languageOf(settings) === "ja" ? "ja" : "western");
export const notationOf = (settings) => settings.notation ?? styleOf(settings);
export const coordinatesOf = (settings) => settings.coordinates ?? styleOf(settings);
