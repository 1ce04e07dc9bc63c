// The mistakes that a review found are put up again, to be played better.

import { h, setClasses, setText } from "./dom.js";
import { cardHead } from "./controls.js";
import { percent, scoreWords } from "./names.js";
import { t } from "./i18n.js";

export const isLesson = ({ mark }) => ["blunder", "mistake", "inaccuracy"].includes(mark);

export const lessonsOf = (review, record, colour) =>
	review.moves.filter(
		(move) =>
			isLesson(move) && record.get(move.node) && record.positionAt(record.get(move.node).parent).side === colour,
	);

export function createLearn({ state, set, on, session, record, sitAs, boardView }) {
	const count = h("span.quiet");
	const words = h("p", { "aria-live": "polite" });
	const next = h("button", { t: "problem.next", click: () => put(state.learn.index + 1) });
	const retry = h("button", { t: "problem.retry", click: () => session.showCursor() });
	const show = h("button", { t: "problem.show", click: showAnswer });
	const back = h("button", { t: "play.return", click: () => session.goto(state.learn.parent) });
	const element = h(
		"section.card.said",
		{ hidden: true, tip: "learn.title" },
		cardHead("learn.title", count),
		words,
		h("div.row.buttons", retry, next, show, back, h("button.plain", { t: "problem.leave", click: stop })),
	);

	function start(colour) {
		set({ learn: { list: lessonsOf(state.review, record, colour), colour } });
		sitAs(colour, true);
		scrollTo(0, 0);
		put(0);
	}

	function put(index) {
		const move = state.learn.list[index];
		// Another tab may have deleted it.
		const parent = record.get(move.node)?.parent;
		if (parent === undefined) return stop();
		set({ learn: { ...state.learn, index, node: move.node, parent }, tried: null, hint: null });
		session.goto(parent);
	}

	function stop() {
		// Hidden buttons lose the focus.
		if (element.querySelector(":focus-visible")) boardView.focus();
		set({ learn: null, hint: null });
		session.showCursor();
	}

	function showAnswer() {
		session.showCursor();
		set({ hint: { node: state.learn.parent, move: state.learn.list[state.learn.index].best } });
	}

	on("learn tried hint cursor settings edit", () => {
		const { learn, tried, hint, cursor, edit } = state;
		element.hidden = edit || learn?.index === undefined;
		if (element.hidden) return;
		const move = learn.list[learn.index];
		const answer = tried?.answer;
		const away = cursor !== learn.parent;
		setText(count, `${learn.index + 1} / ${learn.list.length}`);
		setText(
			words,
			away
				? t("learn.away")
				: answer
					? t(`learn.${answer.best ? "best" : answer.good ? "good" : "bad"}`, { loss: percent(answer.loss) })
					: tried
						? t("learn.judging")
						: hint
							? t("learn.answer", { move: session.textOf(move.bestText), score: scoreWords(move.before) })
							: t("learn.ask", {
									side: t(learn.colour),
									move: session.textOf(record.get(learn.node)?.text),
									loss: percent(move.loss),
								}),
		);
		setClasses(element, { good: answer?.good, bad: answer && !answer.good });
		setClasses(next, { primary: answer?.good || hint });
		next.hidden = away || learn.index + 1 === learn.list.length;
		retry.hidden = away || !answer || answer.best;
		show.hidden = away || hint || answer?.best;
		back.hidden = !away;
	});
	return { element, start };
}
