// The texts of the page, in the language that is chosen.

import table from "./texts.js";

/** The order of each key's texts. */
const LANGUAGES = { en: new Map(), ja: new Map() };
const NAMES = Object.keys(LANGUAGES);

let group = "";
let last = "";
let at = 0;
for (const line of table.trim().split("\n")) {
	const [, name, key, text] = /^(?:\[(.+)\]|([^:]+): (.*))$/.exec(line) ?? [];
	if (line[0] === "=") LANGUAGES[NAMES[++at]].set(last, line.slice(1));
	else if (name) group = `${name}.`;
	else LANGUAGES[NAMES[(at = 0)]].set((last = group + key), text);
}

let current = "en";
/** In handicap games Japanese names the sides by the giver, not by the first mover. */
let isHandicap = false;

/** The language of a tag like `ja-JP`. */
export const known = (tag) => NAMES.find((name) => name === String(tag).toLowerCase().split("-")[0]) ?? "en";

export function setLanguage(name) {
	current = known(name);
}

export const language = () => current;

export const nextLanguage = () => NAMES[(NAMES.indexOf(current) + 1) % NAMES.length];

/** The text of a key in a language, even before it is chosen. */
export const textIn = (name, key) => LANGUAGES[known(name)].get(key);

export function setHandicap(is) {
	const isNews = is !== isHandicap;
	isHandicap = is;
	return isNews;
}

/**
 * The text of a key with its values; the key itself if it has no text. A length in `plies` is also given in `moves`, and
 * in both as `length`.
 */
export function t(key, given = {}, handicap = isHandicap) {
	const texts = LANGUAGES[current];
	const values = "plies" in given ? { moves: Math.ceil(given.plies / 2), ...given } : given;
	let text = (texts.get(key) ?? key).replace("{length}", texts.get("length"));
	if (handicap)
		text = text.replaceAll(texts.get("black"), texts.get("lower")).replaceAll(texts.get("white"), texts.get("upper"));
	const forms = (whole, name, one, other) => (Number(values[name]) === 1 ? one : other);
	return text
		.replace(/\{(\w+)\|([^|]*)\|((?:\{\w+\}|[^{}])*)\}/g, forms)
		.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** What the program sent: a key with values, a square, a list of them, or words. */
export function localize(text) {
	if (Array.isArray(text)) return listed(text.map(localize));
	if (text?.square) return squareWord(text.square);
	if (!text?.key) return text ?? "";
	const said = Object.entries(text.args ?? {}).map(([name, value]) => [name, localize(value)]);
	return t(text.key, Object.fromEntries(said));
}

/** A square as the language says it: `6d`, `6四`. */
export const squareWord = (name) => name[0] + (t("ranks")["abcdef".indexOf(name[1])] ?? name[1]);

export const listed = (words, between = t("comma")) => words.filter(Boolean).join(between);
