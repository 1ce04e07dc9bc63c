// Enough of the game to show a move before the server, which knows the rules, answers.

export const HAND_KINDS = ["R", "B", "G", "S", "N", "P"];
export const START = "rbnsgk/5p/6/6/P5/KGSNBR b - 1";
export const EMPTY_BOARD = "6/6/6/6/6/6 b - 1";

/** Index 0 is the top left square, 6a; 35 is the bottom right, 1f. */
export const squareName = (index) => `${6 - (index % 6)}${"abcdef"[Math.floor(index / 6)]}`;
export const squareIndex = (name) => "abcdef".indexOf(name[1]) * 6 + 6 - Number(name[0]);
export const SQUARES = Array.from({ length: 36 }, (_, index) => squareName(index));

export const COLOURS = ["black", "white"];
/** Where a square is seen on a board that may be turned. */
export const seenAt = (index, flipped) => {
	const seen = flipped ? 35 - index : index;
	return { column: seen % 6, row: Math.floor(seen / 6) };
};
export const other = (colour) => (colour === "black" ? "white" : "black");
/** Pieces are SFEN's: capitals are Black's, a promoted piece starts with `+`. */
export const colourOf = (piece) => (/[A-Z]/.test(piece) ? "black" : "white");
export const kindOf = (piece) => piece.replace("+", "").toUpperCase();
export const isPromoted = (piece) => piece[0] === "+";
export const typeOf = (piece) => piece.toUpperCase();
export const canPromote = (kind) => kind !== "K" && kind !== "G";
export const makePiece = (kind, colour, promoted = false) =>
	(promoted ? "+" : "") + (colour === "black" ? kind : kind.toLowerCase());

export const isDrop = (move) => move[1] === "*";
export const target = (move) => move.slice(2, 4);
/** Where a move starts: a square, or `P*` for a piece in hand. */
export const source = (move) => move.slice(0, 2);

export const heldIn = (hand) => HAND_KINDS.filter((kind) => hand[kind] > 0);
function addTo(hand, piece, count) {
	hand[kindOf(piece)] = (hand[kindOf(piece)] ?? 0) + count;
}

export const inRows = (squares) => [0, 6, 12, 18, 24, 30].map((start) => squares.slice(start, start + 6));

/** Reads an SFEN into `{board, hands, side, number}`; null if it is none. */
export function parseSfen(sfen) {
	const [rows, side = "b", hand = "-", number = "1"] = sfen.trim().split(/\s+/);
	const board = [];
	for (const token of rows.match(/\+?[RBSNP]|[KG]|\d/gi) ?? []) {
		if (/\d/.test(token)) board.push(...Array(Number(token)).fill(null));
		else board.push(token);
	}
	if (board.length !== 36 || !/^[bw]$/.test(side)) return null;
	const hands = { black: {}, white: {} };
	for (const [, count, letter] of hand.matchAll(/(\d*)([RBGSNP])/gi)) {
		addTo(hands[colourOf(letter)], letter, Number(count || 1));
	}
	return { board, hands, side: side === "b" ? "black" : "white", number: Number(number) || 1 };
}

const counted = (piece, count) => (count > 1 ? count : "") + piece;
export function toSfen({ board, hands, side, number = 1 }, write = counted) {
	const rows = inRows(board).map((row) =>
		row
			.map((piece) => piece ?? "1")
			.join("")
			.replace(/1+/g, (ones) => ones.length),
	);
	const held = COLOURS.flatMap((colour) =>
		heldIn(hands[colour]).map((kind) => write(makePiece(kind, colour), hands[colour][kind])),
	);
	return `${rows.join("/")} ${side === "black" ? "b" : "w"} ${held.join("") || "-"} ${number}`;
}

/** The position after a move, which is taken to be legal. */
export function playMove(position, move) {
	const board = position.board.slice();
	const hands = { black: { ...position.hands.black }, white: { ...position.hands.white } };
	const own = hands[position.side];
	const to = squareIndex(target(move));
	if (isDrop(move)) {
		own[move[0]] -= 1;
		board[to] = makePiece(move[0], position.side);
	} else {
		const from = squareIndex(source(move));
		if (board[to]) addTo(own, board[to], 1);
		board[to] = move.endsWith("+") ? `+${board[from]}` : board[from];
		board[from] = null;
	}
	return { board, hands, side: other(position.side), number: position.number + 1, last: move };
}

/** Whether a colour has the piece that a move starts with. */
export function hasPiece({ board, hands }, colour, move) {
	if (isDrop(move)) return hands[colour][move[0]] > 0;
	const piece = board[squareIndex(move)];
	return piece && colourOf(piece) === colour;
}

/** How pieces move, as [files to the right, ranks forward]: a `step` once, a `slide` until blocked. */
const lines = (text) => text.split(" ").map((line) => line.split(",").map(Number));
const ROOK = lines("0,1 0,-1 1,0 -1,0");
const BISHOP = lines("1,1 1,-1 -1,1 -1,-1");
const STEPS = {
	K: { step: [...ROOK, ...BISHOP] },
	R: { slide: ROOK },
	B: { slide: BISHOP },
	G: { step: [...ROOK, ...lines("1,1 -1,1")] },
	S: { step: [...BISHOP, ...lines("0,1")] },
	N: { step: lines("1,2 -1,2") },
	P: { step: lines("0,1") },
	"+R": { slide: ROOK, step: BISHOP },
	"+B": { slide: BISHOP, step: ROOK },
};
/** The other promoted pieces move as gold. */
export const stepsOf = (piece) => STEPS[typeOf(piece)] ?? STEPS.G;

/** Where a piece could go on an empty board; from a hand anywhere. */
export function reach({ board }, colour, from) {
	if (isDrop(from)) return SQUARES;
	const start = squareIndex(from);
	const { step = [], slide = [] } = stepsOf(board[start]);
	const forward = colour === "black" ? 1 : -1;
	const far = [1, 2, 3, 4, 5].flatMap((times) => slide.map(([x, y]) => [x * times, y * times]));
	return [...step, ...far]
		.map(([x, y]) => [(start % 6) + x * forward, Math.floor(start / 6) - y * forward])
		.filter((place) => place.every((each) => each >= 0 && each < 6))
		.map(([column, row]) => squareName(row * 6 + column));
}

/** The position after several moves, up to one whose piece is not there. */
export function playMoves(position, moves) {
	let result = position;
	for (const move of moves) {
		if (!hasPiece(result, result.side, move)) break;
		result = playMove(result, move);
	}
	return result;
}
