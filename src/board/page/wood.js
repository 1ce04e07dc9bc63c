// Draws the empty board, for the page and for exported pictures.

import { s } from "./dom.js";
import { CELL, PLAIN_FONTS, gradient, lettering } from "./pieces.js";
import { seenAt } from "./shogi.js";

/** Space around the squares, in the units of the drawing. */
const MARGIN = { left: 18, top: 34, right: 34, bottom: 18 };
const FIELD = { width: 6 * CELL.width, height: 6 * CELL.height };
export const BOARD = {
	width: MARGIN.left + FIELD.width + MARGIN.right,
	height: MARGIN.top + FIELD.height + MARGIN.bottom,
};

const COORDINATES = {
	ja: { files: "１２３４５６", ranks: "一二三四五六" },
	western: { files: "123456", ranks: "abcdef" },
};

/** A square's corner; `flipped` is White's view. */
export function cellOrigin(index, flipped) {
	const { column, row } = seenAt(index, flipped);
	return [MARGIN.left + column * CELL.width, MARGIN.top + row * CELL.height];
}

export function drawBoard(coordinates, flipped) {
	const { left, top, right } = MARGIN;
	const { width, height } = CELL;
	const board = s(
		"g",
		s("defs", gradient("wood", 1, 0.3, "#e8c78c", "#e2bd7d", "#d9b06c")),
		s("rect", { ...BOARD, rx: 9, fill: "url(#wood)" }),
		grain(),
		s("rect", {
			x: 0.75,
			y: 0.75,
			width: BOARD.width - 1.5,
			height: BOARD.height - 1.5,
			rx: 8.5,
			fill: "none",
			stroke: "#fff",
			"stroke-opacity": 0.28,
			"stroke-width": 1.5,
		}),
	);
	let lines = "";
	for (let line = 1; line < 6; line += 1) {
		lines += `M${left + line * width} ${top}v${FIELD.height}M${left} ${top + line * height}h${FIELD.width}`;
	}
	board.append(
		s("path", { d: lines, stroke: "#4b3210", "stroke-width": 1.3, "stroke-opacity": 0.85 }),
		s("rect", { x: left, y: top, ...FIELD, fill: "none", stroke: "#4b3210", "stroke-width": 2.6 }),
	);
	for (const x of [2, 4])
		for (const y of [2, 4])
			board.append(s("circle", { cx: left + x * width, cy: top + y * height, r: 4.2, fill: "#4b3210" }));
	const names = COORDINATES[coordinates];
	for (let line = 0; names && line < 6; line += 1) {
		const name = flipped ? 5 - line : line;
		const write = (x, y, content) =>
			lettering(content, x, y, 19, "#5a3f17", { "font-family": PLAIN_FONTS, "font-weight": 400 });
		board.append(
			write(left + (line + 0.5) * width, top - 10, names.files[5 - name]),
			write(BOARD.width - right / 2 + 1, top + (line + 0.5) * height + 7, names.ranks[name]),
		);
	}
	return board;
}

function grain() {
	let seed = 20;
	const random = () => {
		seed = (seed * 16807) % 2147483647;
		return seed / 2147483647;
	};
	const strands = s("g", { fill: "none", stroke: "#9a6a26" });
	for (let x = 6; x < BOARD.width; x += 7 + random() * 15) {
		const sway = () => (x + (random() - 0.5) * 13).toFixed(1);
		const third = BOARD.height / 3;
		strands.append(
			s("path", {
				d: `M${x.toFixed(1)} 1 C${sway()} ${third.toFixed(0)} ${sway()} ${(2 * third).toFixed(0)} ${sway()} ${BOARD.height - 1}`,
				"stroke-width": (0.5 + random() * 1.6).toFixed(2),
				"stroke-opacity": (0.05 + random() * 0.13).toFixed(3),
			}),
		);
	}
	return strands;
}
