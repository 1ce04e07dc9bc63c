// Learning from the mistakes that a review found: each is put up again, to be played better.

import { h, setText } from "./dom.js";
import { icon } from "./icons.js";
import { notationOf } from "./settings.js";
import { percent, scoreText } from "./names.js";
import { language, t } from "./i18n.js";

/** Whether a reviewed move is worth another try. */
export const isLesson = ({ mark }) => ["blunder", "mistake", "inaccuracy"].includes(mark);

/** The moves of one side that are worth another try. */
export const lessonsOf = (review, record, colour) =>
	review.moves.filter((move) => isLesson(move) && record.get(move.node) && record.positionAt(record.get(move.node).parent).side === colour);

export function createLearn({ store: { state, set, on }, session, record, change }) {
	const count = h("span.quiet");
	const words = h("p", { "aria-live": "polite" });
	const next = h("button", { click: () => put(state.learn.index + 1) });
	const retry = h("button", { t: "problem.retry", click: () => session.showCursor() });
	const show = h("button", { t: "learn.show", click: showAnswer });
	const back = h("button", { t: "learn.return", click: () => session.goto(state.learn.parent) });
	const element = h("section.card.said", { hidden: true, tip: "learn.title" },
		h("header.card-head", icon("learn"), h("h2", { t: "learn.title" }), h("span.spacer"), count), words,
		h("div.row", next, retry, show, back, h("button.plain", { t: "learn.quit", click: stop })));

	function start(colour) {
		set({ learn: { list: lessonsOf(state.review, record, colour), colour } });
		change({ flipped: colour === "white" });
		put(0);
	}

	function put(index) {
		const move = state.learn.list[index];
		if (!move) return stop();
		const { parent } = record.get(move.node);
		set({ learn: { ...state.learn, index, node: move.node, parent }, tried: null, hint: null });
		return session.goto(parent);
	}

	function stop() {
		set({ learn: null, hint: null });
		session.showCursor();
	}

	function showAnswer() {
		session.showCursor();
		set({ hint: { node: state.learn.parent, move: state.learn.list[state.learn.index].best } });
	}

	on("learn tried hint cursor settings", () => {
		const { learn, tried, hint, cursor, settings } = state;
		element.hidden = learn?.index === undefined;
		if (element.hidden) return;
		const move = learn.list[learn.index];
		const text = (texts, fallback) => texts?.[notationOf(settings)] ?? fallback;
		const answer = tried?.answer;
		const away = cursor !== learn.parent;
		setText(count, `${learn.index + 1} / ${learn.list.length}`);
		setText(words, away ? t("learn.away")
			: answer ? answer.text?.[language()] ?? ""
			: tried ? t("learn.judging")
			: hint ? t("learn.answer", { move: text(move.bestText, move.best), score: scoreText(move.before) })
			: t("learn.ask", { side: t(learn.colour), move: text(record.get(learn.node)?.text, ""), loss: percent(move.loss) }));
		element.classList.toggle("good", Boolean(answer?.good));
		element.classList.toggle("bad", Boolean(answer && !answer.good));
		setText(next, t(learn.index + 1 < learn.list.length ? "learn.next" : "learn.done"));
		next.classList.toggle("primary", Boolean(answer?.good || hint));
		next.hidden = away;
		retry.hidden = away || !answer || answer.best;
		show.hidden = away || Boolean(hint || answer?.best);
		back.hidden = !away;
	});
	return { element, start };
}
