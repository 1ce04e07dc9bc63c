// Says why a piece cannot go somewhere.

import {
	SQUARES,
	attackersOf,
	attacksFrom,
	colourOf,
	hasPiece,
	isDrop,
	kindOf,
	makePiece,
	other,
	playMove,
	squareIndex,
} from "./shogi.js";
import { pieceName } from "./names.js";
import { listed, squareWord, t } from "./i18n.js";

/** Where a piece has a reason at each square, the first of these says why it cannot go anywhere. */
const ORDER = ["pinned", "unsafe", "pawnMate", "nifu"];
/** A reason as it is said of all squares. */
const ANYWHERE = { unsafe: "trapped", nifu: "noPawn" };

/**
 * `{text, squares}`: why the piece at `from`, a square or `P*` in the hand of `colour`, cannot go to the square `to`, or
 * anywhere if that is null; `squares` are those of the pieces that are the cause.
 */
export function refusal(position, from, colour, to) {
	const { board, side, legal, provisional } = position;
	const piece = isDrop(from) ? makePiece(from[0], colour) : board[squareIndex(from)];
	/** The pieces that would take the king are named, and marked with it; others are marked only. */
	function say(key, attackers = [], marks = []) {
		const named = attackers.map((square) =>
			t("refused.piece", { piece: pieceName(board[squareIndex(square)]), square: squareWord(square) }),
		);
		const text = t(`refused.${key}`, {
			piece: pieceName(piece),
			side: t(side),
			owner: t(colourOf(piece)),
			pieces: listed(named),
		});
		return { text, squares: [...attackers, ...marks, ...(attackers.length > 0 ? kingOf(board, side) : [])] };
	}
	if (colourOf(piece) !== side) return say("other");
	if (!hasPiece(position, side, from)) return say("none");
	if (legal.length === 0 && !provisional) return { text: t("analysis.over"), squares: [] };
	if (to) return say(...reasonAt(position, from, piece, to));
	const checkers = attackersOf(board, side);
	if (checkers.length > 0 && kindOf(piece) !== "K") return say("check", checkers);
	const goals = isDrop(from) ? SQUARES : attacksFrom(board, from);
	const reasons = goals.map((goal) => reasonAt(position, from, piece, goal));
	const key = ORDER.find((each) => reasons.some(([reason]) => reason === each));
	const causes = (index) => [
		...new Set(reasons.filter(([reason]) => reason === key).flatMap((reason) => reason[index] ?? [])),
	];
	return key ? say(ANYWHERE[key] ?? key, causes(1), causes(2)) : say("nowhere");
}

const kingOf = (board, colour) => SQUARES.filter((_, index) => board[index] === makePiece("K", colour));

/** `[key, attackers, marks]`: why a piece of the side to move cannot go to a square. */
function reasonAt(position, from, piece, to) {
	const { board, side } = position;
	const there = board[squareIndex(to)];
	if (isDrop(from)) {
		if (there) return ["occupied"];
		if (attacksFrom(board.with(squareIndex(to), piece), to).length === 0) return ["stuck"];
		const pawn = makePiece("P", side);
		const file = SQUARES.filter((square, index) => square[0] === to[0] && board[index] === pawn);
		if (piece === pawn && file.length > 0) return ["nifu", [], file];
	} else {
		if (there && colourOf(there) === side) return ["own"];
		if (!attacksFrom(board, from).includes(to)) {
			const alone = Array(36).fill(null).with(squareIndex(from), piece);
			return [attacksFrom(alone, from).includes(to) ? "blocked" : "move"];
		}
	}
	const attackers = attackersOf(playMove(position, from + to).board, side);
	const checkers = attackersOf(board, side);
	if (attackers.length === 0) return isDrop(from) ? ["pawnMate", [], kingOf(board, other(side))] : ["move"];
	if (kindOf(piece) === "K") return ["unsafe", attackers];
	return attackers.some((square) => checkers.includes(square)) ? ["check", attackers] : ["pinned", attackers];
}
