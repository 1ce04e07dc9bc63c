// Pieces, squares and scores in words, for reading and for reading aloud.

import { t, language } from "./i18n.js";
import { colourOf, kindOf, isPromoted, isDrop, source, target, squareIndex } from "./shogi.js";

const RANKS = "一二三四五六";

/** The name of a piece without its owner. */
export const pieceName = (piece) => t(`piece.${isPromoted(piece) ? "+" : ""}${kindOf(piece)}`);

/** A square as the language says it: `6d`, `６四` → `6四`. */
export const squareWord = (name) => (language() === "ja" ? `${name[0]}${RANKS["abcdef".indexOf(name[1])]}` : name);

export function squareLabel(name, piece, { target: isTarget, selected }) {
	const parts = [squareWord(name)];
	if (piece) parts.push(t(`owned.${colourOf(piece)}`, { piece: pieceName(piece) }));
	if (selected) parts.push(t("square.selected"));
	if (isTarget) parts.push(t("square.target"));
	return parts.join(language() === "ja" ? "、" : ", ");
}

export function handLabel(colour, kind, count) {
	if (!kind) return t(`hand.${colour}`);
	return t("hand.piece", { piece: pieceName(kind), count });
}

/** A move in words: "Black: pawn to 6d, promotes". `before` is the position that it is played in. */
export function moveWords(move, before) {
	const piece = isDrop(move) ? move[0] : before.board[squareIndex(source(move))];
	if (!piece) return move;
	const key = isDrop(move) ? "say.drop" : move.endsWith("+") ? "say.promotes" : before.board[squareIndex(target(move))] ? "say.takes" : "say.moves";
	return t(key, { side: t(before.side), piece: pieceName(piece), square: squareWord(target(move)) });
}

/** Winning chance of Black in whole percent. */
export const percent = (share) => `${Math.round(share * 100)}%`;

/** A score in pawns from Black's side, or the plies to mate. */
export function scoreText(score) {
	if (!score || score.end) return "–";
	const bound = score.bound === "lower" ? "≥" : score.bound === "upper" ? "≤" : "";
	if (score.mate !== undefined && score.mate !== null) return bound + t(`score.mate.${score.mate < 0 ? "white" : "black"}`, { plies: Math.abs(score.mate) });
	const pawns = Math.abs(score.cp) / 100;
	const sign = score.cp > 0 ? "+" : score.cp < 0 ? "−" : "";
	return `${bound}${sign}${pawns.toFixed(pawns < 10 ? 2 : 1)}`;
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
/** A count with a unit: 5.2K, 3.1M. */
export const countText = (count) => compact.format(count ?? 0);

/** A time on a clock, from milliseconds: 12:03, 1:02:03, and tenths below ten seconds. */
export function clockText(ms) {
	if (ms < 10_000) return `0:0${(Math.max(0, ms) / 1000).toFixed(1)}`;
	return new Date(Math.ceil(ms / 1000) * 1000).toISOString().slice(11, 19).replace(/^0(0:0?)?/, "");
}
