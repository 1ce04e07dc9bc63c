// Pieces, squares and scores in words, for reading and for reading aloud.

import { language, listed, squareWord, t } from "./i18n.js";
import { colourOf, isDrop, source, target, typeOf, squareIndex } from "./shogi.js";

export const signOf = (colour) => (colour === "black" ? "▲" : "△");

export const playerName = (header, colour) => `${signOf(colour)} ${header?.[colour] || t(colour)}`;

export const pieceName = (piece) => t(`piece.${typeOf(piece)}`);

export const ownedName = (piece) => t("owned", { side: t(colourOf(piece)), piece: pieceName(piece) });

export function squareLabel(name, piece, { target: isTarget, selected, goal }) {
	return listed([
		squareWord(name),
		piece && ownedName(piece),
		selected && t("square.selected"),
		isTarget && t("square.target"),
		goal && t("square.goal"),
	]);
}

/** A move in words: "Black: pawn from 6e to 6d". */
export function moveWords(move, before) {
	const from = isDrop(move) ? null : source(move);
	const piece = from ? before.board[squareIndex(from)] : move[0];
	if (!piece) return move;
	return listed([
		t(from ? "say.moves" : "say.drops", {
			side: t(before.side),
			piece: pieceName(piece),
			from: from && squareWord(from),
			square: squareWord(target(move)),
		}),
		before.board[squareIndex(target(move))] && t("say.takes"),
		move.endsWith("+") && t("say.promotes"),
	]);
}

export const plannedWords = ({ planned: { move, colour }, position }) =>
	t("play.planned", { move: moveWords(move, { ...position, side: colour }) });

export const percent = (share) => `${Math.round(share * 100)}%`;

/** A score from Black's side in the language's unit, or the length of a mate. */
export function scoreText(score) {
	if (!score || score.end) return "–";
	const bound = { lower: "≥", upper: "≤" }[score.bound] ?? "";
	const value = score.mate ?? score.cp;
	const sign = value > 0 ? "+" : value < 0 ? "−" : "";
	if (Number.isInteger(score.mate)) return bound + sign + t(`score.${mateKey(score)}`, { plies: Math.abs(score.mate) });
	const size = Math.abs(score.cp);
	const unit = Number(t("score.unit"));
	return bound + sign + (size / unit).toFixed(unit > 1 ? (size < 1000 ? 2 : 1) : 0);
}

/** Japanese counts a mate from the attacker's move: an odd number of plies. */
const mateKey = ({ mate }) => (mate % 2 ? "mate" : "mated");

/** A score in full: a mate with its moves and its plies. */
export function scoreWords(score) {
	if (!Number.isInteger(score?.mate)) return scoreText(score);
	return t(`score.${mateKey(score)}.words`, {
		side: t(score.mate < 0 ? "white" : "black"),
		plies: Math.abs(score.mate),
	});
}

export const countText = (count) =>
	(count ?? 0).toLocaleString(language(), { notation: "compact", maximumFractionDigits: 1 });

/** The time that a move took, from milliseconds: 0.4s, 12秒, 2:05. */
export const timeText = (ms) =>
	ms < 60_000 ? t("seconds", { seconds: ms < 10_000 ? tenths(ms) : Math.floor(ms / 1000) }) : clockText(ms);

/** Seconds with tenths, rounded down: no 10.0 below ten seconds. */
const tenths = (ms) => (Math.floor(Math.max(0, ms) / 100) / 10).toFixed(1);

/** A time on a clock: 12:03, 1:02:03, and tenths below ten seconds. */
export function clockText(ms) {
	if (ms < 10_000) return `0:0${tenths(ms)}`;
	return new Date(Math.ceil(ms / 1000) * 1000)
		.toISOString()
		.slice(11, 19)
		.replace(/^0(0:0?)?/, "");
}
