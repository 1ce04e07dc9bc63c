// The search for a mate on the board or in the editor.

import { h, setClasses, setText, perFrame } from "./dom.js";
import { button, cardHead, iconButton } from "./controls.js";
import { countText } from "./names.js";
import { toSfen } from "./shogi.js";
import { listed, t } from "./i18n.js";

const place = (sfen) => sfen.split(" ", 3).join(" ");

export function createSolve({ state, on, session }) {
	const words = h("p.status");
	const more = h("p.status-more");
	const line = h("p.solve-line");
	const stop = button("review.stop", "stop", () => session.tell("solveStop"));
	const playIn = button("review.play", "next", () => session.playLine(state.solve.moves));
	const keep = button("solve.keep", "puzzle", () => session.tell("solveKeep"));
	const close = iconButton("close", "close", () => session.tell("solveStop"));
	const buttons = h("div.row.buttons", stop, playIn, keep);
	const element = h(
		"section.card.said.solve",
		{ hidden: true, tip: "solve.title" },
		cardHead("solve.title", close),
		h("div", { role: "status" }, words, more),
		line,
		buttons,
	);

	const length = ({ plies, shortest }) =>
		t(shortest ? "solve.mate" : "solve.mateAtMost", { plies, moves: (plies + 1) / 2 });

	/** Other moves that mate or are undecided, by ply. */
	const others = ({ rivals }) =>
		Object.entries(Object.groupBy(rivals, ({ ply, plies }) => `${plies ? "solve.rivals" : "solve.open"} ${ply}`)).map(
			([group, same]) => {
				const [key, number] = group.split(" ");
				return t(key, { number, moves: listed(same.map(({ text }) => session.textOf(text))) });
			},
		);

	const refresh = perFrame(() => {
		const { solve, edit, position, problem } = state;
		const shown = edit ?? position;
		element.hidden =
			!solve ||
			problem ||
			!shown ||
			session.playing() ||
			(solve.state !== "running" && place(solve.sfen) !== place(toSfen(shown)));
		if (element.hidden) return;
		const running = solve.state === "running";
		const mate = solve.state === "mate";
		setText(words, mate ? length(solve) : t(`solve.${solve.state}`));
		const unique = { true: "solve.unique", false: "solve.cooked", null: "solve.undecided" }[solve.unique];
		setText(
			more,
			running
				? t("solve.nodes", { nodes: countText(solve.nodes) })
				: mate
					? [t(unique), ...others(solve)].join(" ")
					: "",
		);
		setText(line, mate ? (session.textOf(solve.text) ?? []).join(" ") : "");
		setClasses(element, { good: mate });
		stop.hidden = !running;
		close.hidden = running;
		keep.hidden = !mate;
		playIn.hidden = !mate || edit;
		buttons.hidden = !running && !mate;
	});
	on("solve edit position problem game settings", refresh);
	return { element };
}
