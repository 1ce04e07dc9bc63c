// How the page looks, and which keys it knows.

import { h } from "./dom.js";
import { field, segments, toggle } from "./controls.js";
import { openDialog } from "./dialogs.js";
import { PIECE_SETS, pieceSvg } from "./pieces.js";
import { coordinatesOf, notationOf } from "./settings.js";
import { playSound } from "./sound.js";

export function openPreferences({ state, change }) {
	const choice = (name, values, get = () => state.settings[name]) =>
		segments(
			`prefs.${name}`,
			values.map((value) => [value, { t: value === "usi" ? "USI" : `prefs.${value}` }]),
			get,
			(value) => change({ [name]: value }),
		);
	const flag = (name) => toggle(`prefs.${name}`, (checked) => change({ [name]: checked }), state.settings[name]);
	const sets = PIECE_SETS.map((name) => [
		name,
		{ class: "piece-set", "data-set": name },
		[["K", "+R", "N"].map((piece) => pieceSvg(piece, name)), h("span", { t: `pieces.${name}` })],
	]);
	const pieces = segments(
		"prefs.pieces",
		sets,
		() => state.settings.pieces,
		(name) => change({ pieces: name }),
		"div.piece-sets",
	);
	openDialog({
		title: "prefs.title",
		body: [
			pieces,
			choice("coordinates", ["ja", "western", "none"], () => coordinatesOf(state.settings)),
			choice("notation", ["ja", "western", "usi"], () => notationOf(state.settings)),
			choice("theme", ["auto", "light", "dark"]),
			choice("board", ["wood", "walnut", "green", "blue"]),
			field(
				"prefs.volume",
				h("input", {
					type: "range",
					min: 0,
					max: 100,
					step: 10,
					value: state.settings.volume,
					change: ({ target }) => {
						change({ volume: Number(target.value) });
						playSound("move", state.settings.volume);
					},
				}),
			),
			flag("arrows"),
			flag("evalBar"),
		],
	});
}

/** Keys in groups, by the keys of their texts. */
const KEYS = {
	"tab.moves": { "keys.walk": "← →", "keys.ends": "Home End", "keys.siblings": "↑ ↓", "keys.flip": "F" },
	"board.section": {
		"app.skip": "B",
		"keys.square": "← ↑ → ↓",
		"keys.pick": "Enter",
		"keys.hand": "R B G S N P",
		"keys.promotion": "+ =",
		"keys.draw": "D",
		"keys.cancel": "Esc",
		"typed.label": "M",
	},
	"tab.engine": {
		"keys.analyse": "A",
		"analysis.lines": "1 … 9 0",
		"keys.best": "Space",
		"keys.threats": "X",
		"prefs.arrows": "V",
		"play.hint": "H",
	},
	"bar.main": {
		"bar.new": "N",
		"bar.open": "O",
		"library.title": "L",
		"bar.edit": "E",
		"bar.share": "S",
		"notes.comment": "C",
		"keys.delete": "Del",
		"keys.undo": "Ctrl Z",
		"keys.title": "?",
	},
};

export function openKeys() {
	openDialog({
		title: "keys.title",
		wide: true,
		body: [
			h("p", { t: "keys.rules" }),
			h(
				"div.two-columns",
				Object.entries(KEYS).map(([title, rows]) =>
					h(
						"section",
						h("h3", { t: title }),
						h(
							"dl.keys",
							Object.entries(rows).map(([name, keys]) => [
								h(
									"dt",
									keys.split(" ").map((key) => h("kbd", { text: key })),
								),
								h("dd", { t: name }),
							]),
						),
					),
				),
			),
		],
	});
}
