// Mate problems.

import { h, setClasses, setText, perFrame } from "./dom.js";
import { button, cardHead, iconButton, select, setChoices } from "./controls.js";
import { chooseFile } from "./files.js";
import { language, localize, t } from "./i18n.js";

export function createProblem(app) {
	const { state, set, on, session, sitAs, replaceWith } = app;
	const next = (fields) => session.tell("problemNext", fields);
	const go = (step) => () => {
		const { set, number, of } = state.problem;
		next({ plies: set, number: ((number - 1 + step + of) % of) + 1 });
	};
	const length = select([], (plies) => next({ plies: Number(plies) }), { tip: "problem.length", class: "short" });
	const number = h("span.quiet");
	const words = h("p.status");
	const more = h("p.status-more");
	const retry = button("problem.retry", "again", go(0));
	const show = button("problem.show", "eye", () => session.tell("problemShow"));
	const onward = button("problem.next", "next", () => next({ plies: state.problem.set }));
	const remove = iconButton("problem.remove", "bin", () =>
		session.tell("problemDrop", { number: state.problem.number }),
	);
	const element = h(
		"section.card.said",
		{ hidden: true, tip: "problem.title" },
		cardHead(
			"problem.title",
			iconButton("problem.previous", "previous", go(-1)),
			number,
			iconButton("problem.next", "next", go(1)),
		),
		h("div", { role: "status" }, words, more),
		h("div.row.buttons", retry, show, onward),
		h(
			"div.row.buttons.foot",
			length,
			iconButton("problem.load", "open", () => chooseFile(app, "problemSet")),
			remove,
			h("span.spacer"),
			button("problem.leave", "close", () => session.tell("problemLeave")),
		),
	);

	const solver = ({ sfen }) => (sfen.split(" ")[1] === "w" ? "white" : "black");

	let shown = null;
	on("problem", () => {
		const { problem } = state;
		// Within a task the position changes.
		const { sfen, lesson } = problem ?? {};
		const now = lesson ? `${lesson.id} ${lesson.task}` : sfen;
		if (problem && now !== shown) sitAs(solver(problem), true);
		shown = now;
	});

	let listed = "";
	const refresh = perFrame(() => {
		const { problem, hello } = state;
		element.hidden = !problem || problem.lesson || state.edit;
		if (element.hidden) return;
		const lengths = JSON.stringify([language(), hello?.problems]);
		if (lengths !== listed) {
			listed = lengths;
			setChoices(
				length,
				hello.problems.map(({ plies, count, solved }) => [
					plies,
					t(plies ? "problem.plies" : "problem.own", { plies, count: solved ? `${solved} / ${count}` : count }),
				]),
			);
		}
		length.value = String(problem.set);
		remove.hidden = problem.set > 0;
		setText(number, `${problem.number} / ${problem.of}`);
		setText(words, t(`problem.${problem.state}`, { plies: problem.plies, side: t(solver(problem)) }));
		setText(more, problem.text.key === "problem.task" || !state.position?.last ? "" : localize(problem.text));
		const good = problem.state === "solved";
		const bad = problem.state === "failed";
		retry.hidden = good;
		show.hidden = good || problem.state === "shown";
		setClasses(element, { good, bad });
		setClasses(onward, { primary: show.hidden });
		setClasses(retry, { primary: bad });
	});

	/** Starts with the shortest length that is not all solved. */
	function start() {
		const lengths = (state.hello?.problems ?? []).filter(({ plies: length }) => length > 0);
		const plies = (lengths.find(({ solved = 0, count }) => solved < count) ?? lengths[0])?.plies;
		if (plies === undefined || session.playing()) return;
		replaceWith(() => (state.problem && !state.problem.lesson ? set({ edit: null }) : next({ plies })));
	}

	on("problem hello settings edit position", refresh);
	return { element, start };
}
