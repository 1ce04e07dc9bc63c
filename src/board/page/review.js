// The review of a game.

import { h, setLabel, setText, perFrame } from "./dom.js";
import { select } from "./controls.js";
import { notationOf } from "./settings.js";
import { percent, playerName } from "./names.js";
import { SIGNS, legend, markElement } from "./marks.js";
import { COLOURS, playMove } from "./shogi.js";
import { isLesson, lessonsOf } from "./learn.js";
import { language, localize, t } from "./i18n.js";

/** Nodes per move. */
const DEPTHS = { quick: 20_000, normal: 100_000, deep: 1_000_000 };
/** Moves shown of a better line. */
const LINE_LENGTH = 7;

export function createReview({ state, set, on, session, record, learn }) {
	const depth = select(
		Object.keys(DEPTHS).map((name) => [name]),
		() => {},
		{ tip: "review.depth", class: "short" },
	);
	depth.value = "normal";
	const start = h("button", { t: "review.start", click: () => session.tell("review", { nodes: DEPTHS[depth.value] }) });
	const ask = h("div.row", start, depth);
	const bar = h("progress", { tip: "tab.review" });
	const left = h("span.quiet");
	const running = h("div.row", bar, left, h("button", { t: "review.stop", click: () => session.tell("stopReview") }));
	const element = h("div.row.review", ask, running);

	const table = h("table.review-table");
	const moves = h("ol");
	const signs = h("p.quiet");
	const found = h("section.card.found-card.scroll", table, signs, moves);

	const refresh = perFrame(() => {
		const { review, problem, edit } = state;
		const busy = review?.state === "running";
		element.hidden = session.playing() || problem || edit;
		ask.hidden = busy || !state.hello;
		running.hidden = !busy;
		for (const option of depth.children) setLabel(option, `review.${option.value}`);
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
		const row = (key, cell) =>
			h(
				"tr",
				h("th", { scope: "row", t: key }),
				COLOURS.map((colour) => h("td", cell(colour))),
			);
		const figure = (name, write, key = `review.${name}`) =>
			row(key, (colour) => review.players?.[colour] && write(review.players[colour][name]));
		table.replaceChildren(
			h(
				"thead",
				h(
					"tr",
					h("td"),
					COLOURS.map((colour) => h("th.ellipsis", { scope: "col", text: playerName(state.header, colour) })),
				),
			),
			h(
				"tbody",
				figure("accuracy", percent),
				figure("loss", percent),
				Object.entries({ "?!": "inaccuracies", "?": "mistakes", "??": "blunders" }).map(([sign, name]) =>
					figure(name, String, `mark.${sign}`),
				),
				learn && row("learn.title", lessons),
			),
		);
		signs.replaceChildren(...legend());
		// A row under the pointer goes: it cannot hide its preview.
		if (moves.matches(":hover, :focus-within")) set({ preview: null });
		moves.replaceChildren(
			...review.moves
				.filter((move) => move.mark || move.missedMate || move.end || review.turning.includes(move.node))
				.map((move) => foundMove(move, review)),
		);
	}

	function lessons(colour) {
		const count = lessonsOf(state.review, record, colour).length;
		return (
			count > 0 &&
			h("button.learn-start", {
				title: t("learn.start", { side: t(colour), count }),
				text: t("learn.count", { count }),
				click: () => learn.start(colour),
			})
		);
	}

	function foundMove(move, review) {
		const node = record.get(move.node);
		return h(
			"li.found-move",
			{ "data-node": move.node },
			h(
				"button.found.plain",
				{ click: () => session.goto(move.node) },
				h("span.ply", { text: move.ply }),
				h("span.san", { text: session.textOf(node?.text) }),
				move.mark && markElement(SIGNS[move.mark]),
				h("span.quiet", { text: `▲ ${percent(move.before.win)} → ${percent(move.after.win)}` }),
				move.missedMate && h("span.tag", { text: t("review.missed", { plies: move.missedMate }) }),
				review.turning.includes(move.node) && h("span.tag", { text: t("review.turning") }),
				move.end && h("span.tag", { text: localize(move.end.text) }),
			),
			(isLesson(move) || move.missedMate) && move.best && move.best !== node?.move && betterLine(move, node),
		);
	}

	function betterLine(move, node) {
		const { line } = move;
		const show = () => set({ preview: playMove(record.positionAt(node.parent), move.best) });
		const hide = () => set({ preview: null });
		function playIn() {
			scrollTo(0, 0);
			session.goto(node.parent);
			session.playLine(line.moves.slice(0, LINE_LENGTH));
		}
		return h(
			"button.better.plain",
			{ title: t("review.play"), click: playIn, pointerenter: show, pointerleave: hide, focus: show, blur: hide },
			t("review.better", { moves: session.textOf(line.text).slice(0, LINE_LENGTH).join(" ") }),
		);
	}

	on("cursor", () => {
		for (const each of moves.children) each.classList.toggle("current", Number(each.dataset.node) === state.cursor);
	});
	on("review settings game problem edit header tree:reset tree:node", refresh);
	return { element, found };
}
