// Pictures, texts and links of positions; links of games.

import { h, s } from "./dom.js";
import { CELL, drawPiece, lettering, pieceDefinitions, PLAIN_FONTS } from "./pieces.js";
import { BOARD, cellOrigin, drawBoard } from "./wood.js";
import { listed, localize, t } from "./i18n.js";
import { signOf } from "./names.js";
import { COLOURS, heldIn, isDrop, makePiece, squareIndex, source, target } from "./shogi.js";

const HAND_WIDTH = 118;
const GAP = 14;
const EDGE = 10;
const CAPTION_HEIGHT = 44;
/** Pixels of a PNG per unit of the drawing: the first that makes it small enough. */
const PNG_SCALES = [1.5, 1.25, 1, 0.75];
const PNG_BYTES = 200_000;
/** Colours in place of gradients, which make a PNG six times as large. */
const FLAT = { wood: "#e2bd7d", koma: "#f4d9a3", "koma-foot": "#b98a4c" };

/** The players, the move's number, and the side to move or the result. */
export function captionOf({ header, position }, record) {
	const players =
		(header.black || header.white) && COLOURS.map((colour) => signOf(colour) + (header[colour] || "?")).join(" ");
	const { ply } = record.get(position.cursor) ?? {};
	return listed(
		[players, ply > 0 && t("share.move", { ply }), localize(position.result?.text) || t(`tomove.${position.side}`)],
		" · ",
	);
}

function diagram({ board, hands, last, side }, { pieces, coordinates, flipped, caption }) {
	const left = HAND_WIDTH + GAP;
	const width = BOARD.width + 2 * left + 2 * EDGE;
	const height = BOARD.height + 2 * EDGE + CAPTION_HEIGHT;
	const at = (x, y, ...content) => s("g", { transform: `translate(${x} ${y})` }, content);
	const cell = (index, content) => at(...cellOrigin(index, flipped), content);
	const squares = last ? [target(last), ...(isDrop(last) ? [] : [source(last)])] : [];
	const field = at(
		left,
		0,
		drawBoard(coordinates, flipped),
		squares.map((square) =>
			cell(squareIndex(square), s("rect", { width: CELL.width, height: CELL.height, fill: "#ba5c10", opacity: 0.26 })),
		),
		board.map((piece, index) => piece && cell(index, drawPiece(piece, pieces, flipped))),
	);
	const stands = COLOURS.map((colour) => {
		const below = (colour === "black") !== flipped;
		const kinds = heldIn(hands[colour]);
		const tall = Math.max(1, kinds.length) * CELL.height + 16;
		return at(
			below ? left + BOARD.width + GAP : 0,
			below ? BOARD.height - tall : 0,
			s("rect", {
				width: HAND_WIDTH,
				height: tall,
				rx: 9,
				fill: "#d9b06c",
				...(colour === side && { stroke: "#a5301d", "stroke-width": 5 }),
			}),
			kinds.map((kind, index) =>
				at(
					(HAND_WIDTH - CELL.width) / 2,
					8 + index * CELL.height,
					drawPiece(makePiece(kind, colour), pieces, flipped),
					hands[colour][kind] > 1 && [
						s("circle", { cx: 88, cy: 17, r: 15, fill: "#33291c" }),
						lettering(hands[colour][kind], 88, 24, 20, "#fff", { "font-family": PLAIN_FONTS }),
					],
				),
			),
		);
	});
	return s(
		"svg",
		{ xmlns: "http://www.w3.org/2000/svg", viewBox: `${-EDGE} ${-EDGE} ${width} ${height}`, width, height },
		pieceDefinitions(),
		s("rect", { x: -EDGE, y: -EDGE, width, height, fill: "#f4efe5" }),
		field,
		stands,
		lettering(caption, width / 2 - EDGE, BOARD.height + 37, 26, "#2a251f", {
			"font-family": PLAIN_FONTS,
			"font-weight": 400,
			...(caption.replace(/[^ -ÿ]/g, "aa").length > 60 && {
				textLength: width - 4 * EDGE,
				lengthAdjust: "spacingAndGlyphs",
			}),
		}),
	);
}

const svgText = (position, looks) => new XMLSerializer().serializeToString(diagram(position, looks));

/** The diagram as an SVG file; `looks` are `{pieces, coordinates, flipped, caption}`. */
export const diagramSvg = (position, looks) => new Blob([svgText(position, looks)], { type: "image/svg+xml" });

export async function diagramPng(position, looks) {
	const image = new Image();
	const text = svgText(position, looks).replace(/url\(#([\w-]+)\)/g, (_, id) => FLAT[id]);
	image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
	await image.decode();
	let picture = null;
	for (const scale of PNG_SCALES) {
		const canvas = h("canvas", { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
		canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
		picture = await new Promise((done) => canvas.toBlob(done));
		if (picture.size < PNG_BYTES) break;
	}
	return picture;
}

/** `page` is the address of a page that opens links. */
export const positionLink = (page, sfen) => `${page}#sfen=${sfen.replaceAll(" ", "_")}`;

export async function gameLink(page, text) {
	const bytes = await through(new CompressionStream("deflate"), new TextEncoder().encode(text));
	return `${page}#game=${btoa(String.fromCharCode(...bytes))
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replaceAll("=", "")}`;
}

/** The content of the page's address: an SFEN, or a game for `unpack`. */
export function linked() {
	// A plus would be a space.
	const link = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
	return { sfen: link.get("sfen")?.replaceAll("_", " "), game: link.get("game") };
}

/** The record of a link. Rejects a damaged one by its checksum. */
export async function unpack(game) {
	const bytes = Uint8Array.from(atob(game.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
	return new TextDecoder("utf-8", { fatal: true }).decode(await through(new DecompressionStream("deflate"), bytes));
}

const through = async (stream, bytes) =>
	new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

export const saveText = ({ name, text }) => download(name, new Blob([text], { type: "text/plain;charset=utf-8" }));

export function download(name, file) {
	const href = URL.createObjectURL(file);
	h("a", { href, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
