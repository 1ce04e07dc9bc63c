// Draws koma, the five-sided pieces, in five sets.

import { h, s } from "./dom.js";
import { colourOf, isPromoted, kindOf, stepsOf, typeOf } from "./shogi.js";

/** A cell is 100 wide and 109 high, in the units of all drawings. */
export const CELL = { width: 100, height: 109 };
export const PIECE_SETS = ["kanji", "kanji2", "guide", "western", "pictures"];

const KANJI_FONTS = "'Noto Serif CJK JP', 'Hiragino Mincho ProN', 'Yu Mincho', serif";
const LETTER_FONTS = "Georgia, 'Times New Roman', serif";
export const PLAIN_FONTS = "system-ui, 'Hiragino Sans', 'Noto Sans CJK JP', sans-serif";

export const PALETTE = ["K", "R", "B", "G", "S", "N", "P", "+R", "+B", "+S", "+N", "+P"];
const ONE = "玉飛角金銀桂歩竜馬全圭と";
const TWO = "玉将 飛車 角行 金将 銀将 桂馬 歩兵 龍王 龍馬 成銀 成桂 と金".split(" ");
/** Pictures without kanji or letters: crown, tower, mitre, coin, ring, horse, man. */
const PICTURES = {
	K: "M35 72 31 52 42 60 50 44 58 60 69 52 65 72ZM35 75H65V79H35Z",
	R: "M36 46H42V51H47V46H53V51H58V46H64V56H60V70H65V78H35V70H40V56H36Z",
	B: "M50 43Q63 55 62 65 61 71 57 73H62V78H38V73H43Q39 71 38 65 37 55 50 43ZM48 53V58H44V62H48V70H52V62H56V58H52V53Z",
	G: "M50 46A16 16 0 1 1 49.9 46ZM50 52 53 59 60 59.5 54.5 64 56.5 71 50 67 43.5 71 45.5 64 40 59.5 47 59Z",
	S: "M50 46A16 16 0 1 1 49.9 46ZM50 52A10 10 0 1 0 50.1 52Z",
	N: "M38 78Q39 67 49 60L40 63 36 58 46 48 47 43 52 47Q64 52 63 78Z",
	P: "M50 46A7.5 7.5 0 0 1 54.5 59.5Q57 68 63 71V78H37V71Q43 68 45.5 59.5A7.5 7.5 0 0 1 50 46Z",
};
/** The more a piece is worth, the larger it is. */
const SIZE = { K: 1, R: 0.97, B: 0.97, G: 0.94, S: 0.94, N: 0.91, P: 0.86 };

const OUTLINE =
	"M50 7Q52 7 54 8L76 18.5Q79 20 79.8 23L90 97Q90.4 101 86.5 101H13.5Q9.6 101 10 97L20.2 23Q21 20 24 18.5L46 8Q48 7 50 7Z";
const FOOT =
	"M11.3 89.5L10 97Q9.6 101 13.5 101H86.5Q90.4 101 90 97L88.7 89.5Q88.9 96.5 85.5 96.5H14.5Q11.1 96.5 11.3 89.5Z";
const RIDGE = "M24 19.5L47 8.6Q50 7.3 53 8.6L76 19.5";

/** A drawing needs these once. */
export function pieceDefinitions() {
	return s(
		"defs",
		gradient("koma", 0.25, 1, "#fbe9c2", "#f4d9a3", "#e8c384"),
		gradient("koma-foot", 0, 1, "#c99a55", "#a9773a"),
	);
}

/** Colours at even steps from the upper left corner to a point. */
export const gradient = (id, x2, y2, ...colours) =>
	s(
		"linearGradient",
		{ id, x2, y2 },
		colours.map((colour, index) => s("stop", { offset: index / (colours.length - 1), "stop-color": colour })),
	);

const pen = h("canvas").getContext("2d");
pen.font = `99px ${KANJI_FONTS}`;
/** Kanji are square. The box in place of a missing one is not. */
const HAS_KANJI = pen.measureText("飛").width > 90;

/** A piece's kanji. White, the higher player, has 王; Black has 玉. */
const signIn = (signs, piece) => signs[PALETTE.indexOf(typeOf(piece))].replace("玉", piece === "k" ? "王" : "玉");

/** The piece's name in one kanji, as a text diagram writes it. */
const kanjiOf = (piece) => signIn(ONE, piece);

const cache = new Map();

/** A piece of SFEN as an SVG group; `flipped` is White's view. */
export function drawPiece(piece, set, flipped) {
	const key = `${piece} ${set} ${flipped}`;
	if (!cache.has(key)) cache.set(key, draw(piece, set, (colourOf(piece) === "white") !== flipped));
	return cache.get(key).cloneNode(true);
}

export const pieceSvg = (piece, set, flipped = false, props = {}) =>
	s("svg", { viewBox: `0 0 ${CELL.width} ${CELL.height}`, ...props }, drawPiece(piece, set, flipped));

function draw(piece, set, turned) {
	const size = SIZE[kindOf(piece)];
	const placed = (x, y) => ({
		transform: `translate(${x} ${y}) ${turned ? "rotate(180)" : ""} scale(${size}) translate(-50 -54.5)`,
	});
	const shape = s(
		"g",
		placed(50, 54.5),
		s("path", { d: OUTLINE, fill: "url(#koma)", stroke: "#8a6229", "stroke-opacity": 0.55, "stroke-width": 0.9 }),
		s("path", { d: FOOT, fill: "url(#koma-foot)", opacity: turned ? 0.45 : 0.75 }),
		s("path", {
			d: RIDGE,
			fill: "none",
			stroke: "#fff",
			"stroke-opacity": turned ? 0.25 : 0.7,
			"stroke-width": 1.4,
			"stroke-linecap": "round",
		}),
	);
	const ink = isPromoted(piece) ? "#b3261e" : "#211a12";
	const sign = SIGNS[HAS_KANJI || set === "pictures" ? set : "western"](piece, ink, turned, size);
	shape.append(...sign.fixed);
	// The light always comes from above: the shadow is not turned.
	const shadow = s("g", placed(51, 57.5), s("path", { d: OUTLINE, fill: "#3a2408", opacity: 0.28 }));
	return s("g", shadow, shape, ...(sign.upright ?? []));
}

/** Centred text. Its fonts are named in exported drawings too. */
export const lettering = (content, x, y, size, fill, more) =>
	s("text", {
		x,
		y,
		"font-size": size,
		fill,
		"text-anchor": "middle",
		"font-family": KANJI_FONTS,
		"font-weight": 600,
		text: content,
		...more,
	});

const SIGNS = {
	kanji: (piece, ink) => ({ fixed: [lettering(kanjiOf(piece), 50, 78, 56, ink)] }),
	kanji2: (piece, ink) => {
		const [upper, lower] = signIn(TWO, piece);
		const wide = (content, y) => lettering(content, 0, 0, 35, ink, { transform: `translate(50 ${y}) scale(1.2 1)` });
		return { fixed: [wide(upper, 53), wide(lower, 89)] };
	},
	guide: (piece, ink) => ({ fixed: [lettering(kanjiOf(piece), 50, 74, 40, ink), ...hints(piece, ink)] }),
	western: (piece, ink, turned, size) => {
		// The letter stays upright on a turned piece: it is there to be read.
		const letter = lettering(kindOf(piece), 50, turned ? 62.5 : 73.5, 38 * size, ink, {
			"font-family": LETTER_FONTS,
			"font-weight": 700,
		});
		return { fixed: hints(piece, ink), upright: [letter] };
	},
	pictures: (piece, ink, turned, size) => {
		const picture = s("path", {
			d: PICTURES[kindOf(piece)],
			fill: ink,
			"fill-rule": "evenodd",
			transform: `translate(50 ${turned ? 49 : 60}) scale(${size}) translate(-50 -61)`,
		});
		return { fixed: hints(piece, ink), upright: [picture] };
	},
};

/** Signs of how a piece moves: a dot is a step or jump, an arrow a whole line. */
function hints(piece, fill) {
	const { step = [], slide = [] } = stepsOf(piece);
	// The knight's squares lie beyond the piece: it is shown inside.
	const place = (x, y) =>
		y === 2 ? [50 + 13 * x, 20] : [50 + x * (y > 0 ? 24 : 28.5), 60 - y * (x !== 0 ? 28 : y > 0 ? 40 : 31)];
	const dot = ([cx, cy]) => s("circle", { cx, cy, r: 3.3, fill });
	const arrow = ([x, y]) =>
		s("path", {
			d: "M0 -7 5 4.5 0 1.5 -5 4.5Z",
			fill,
			transform: `translate(${place(x, y)}) rotate(${(Math.atan2(x, y) * 180) / Math.PI})`,
		});
	return [...step.map(([x, y]) => dot(place(x, y))), ...slide.map(arrow)];
}
