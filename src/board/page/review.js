// The review of a game: how it went and where it turned.

import { h, setText, perFrame } from "./dom.js";
import { select } from "./controls.js";
import { notationOf } from "./settings.js";
import { percent } from "./names.js";
import { markElement } from "./tree.js";
import { playMove } from "./shogi.js";
import { isLesson, lessonsOf } from "./learn.js";
import { language, t } from "./i18n.js";

/** How thorough a review is, in nodes per move. */
const DEPTHS = { quick: 20_000, normal: 100_000, deep: 1_000_000 };
/** How a review's mark is written beside a move. */
export const SIGNS = { blunder: "??", mistake: "?", inaccuracy: "?!", only: "□", brilliant: "!!" };
const COLOURS = ["black", "white"];

export function createReview({ store: { state, set, on }, session, record, learn }) {
	const depth = select(Object.keys(DEPTHS).map((name) => [name, ""]), () => {}, { tip: "review.depth", class: "short" });
	depth.value = "normal";
	const start = h("button", { click: () => session.tell("review", { nodes: DEPTHS[depth.value] }) });
	const ask = h("div.row", start, depth);
	const bar = h("progress", { tip: "review.progress" });
	const left = h("span.quiet");
	const running = h("div.row", bar, left, h("button", { t: "review.stop", click: () => session.tell("stopReview") }));
	const element = h("div.review", ask, running);

	const table = h("table.review-table");
	const lessons = COLOURS.map((colour) => h("button", { click: () => learn.start(colour) }));
	const moves = h("ol");
	const found = h("section.card.found-card.scroll", table, h("div.row.learn-row", lessons), moves);

	const refresh = perFrame(() => {
		const { review, problem, edit } = state;
		const busy = review?.state === "running";
		element.hidden = session.playing() || problem || edit;
		ask.hidden = busy || record.size() < 3 || !state.hello?.features.includes("review");
		running.hidden = !busy;
		setText(start, t(review && !busy ? "review.again" : "review.start"));
		for (const option of depth.children) setText(option, t(`review.${option.value}`));
		if (busy) {
			bar.value = review.of ? review.done / review.of : 0;
			setText(left, t("review.left", { done: review.done, of: review.of, left: Math.max(1, Math.ceil(review.left)) }));
		} else if (review) showFound(review);
	});

	let shown = [];
	function showFound(review) {
		const now = [review, language(), notationOf(state.settings), state.header];
		if (now.every((value, index) => value === shown[index])) return;
		shown = now;
		const row = (name, read) => h("tr", h("th", { scope: "row", t: `review.${name}` }), COLOURS.map((colour) => h("td", { text: review.players ? read(review.players[colour][name]) : "–" })));
		table.replaceChildren(
			h("thead", h("tr", h("td"), COLOURS.map((colour) => h("th.ellipsis", { scope: "col", text: `${colour === "black" ? "▲" : "△"} ${state.header?.[colour] || t(colour)}` })))),
			h("tbody", row("accuracy", percent), row("loss", percent), ["inaccuracies", "mistakes", "blunders"].map((name) => row(name, String))));
		COLOURS.forEach((colour, index) => {
			const count = lessonsOf(review, record, colour).length;
			lessons[index].hidden = count === 0;
			setText(lessons[index], t("learn.start", { side: t(colour), count }));
		});
		moves.replaceChildren(...review.moves.filter((move) => move.mark || review.turning.includes(move.node)).map((move) => foundMove(move, review)));
	}

	function foundMove(move, review) {
		const node = record.get(move.node);
		const notation = notationOf(state.settings);
		const better = isLesson(move) && move.best && move.best !== node?.move && h("span.better", {
			text: t("review.better", { move: move.bestText?.[notation] ?? move.best }),
			pointerenter: () => {
				const before = record.positionAt(node.parent);
				set({ preview: { ...playMove(before, move.best), last: move.best } });
			},
			pointerleave: () => set({ preview: null }),
		});
		return h("li", h("button.found.plain", { click: () => session.goto(move.node) },
			h("span.ply", { text: move.ply }), h("span.san", { text: node?.text?.[notation] ?? "" }), move.mark && markElement(SIGNS[move.mark]),
			h("span.quiet", { text: `${percent(move.before.win)} → ${percent(move.after.win)}` }), better,
			move.missedMate && h("span.tag", { text: t("review.missed", { plies: move.missedMate }) }),
			review.turning.includes(move.node) && h("span.tag", { text: t("review.turning") })));
	}

	on("review settings game problem edit header tree:reset tree:node", refresh);
	return { element, found };
}
