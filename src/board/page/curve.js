// Black's chance to win after each move. Two engines have a curve each: one would zigzag.

import { h, s, perFrame, setText } from "./dom.js";
import { arrowStep } from "./controls.js";
import { percent, playerName, scoreText, scoreWords } from "./names.js";
import { markClass } from "./marks.js";
import { COLOURS, other } from "./shogi.js";
import { t } from "./i18n.js";

export function createCurve({ state, on, session, record }) {
	const area = s("path.curve-area");
	const lines = Object.fromEntries(COLOURS.map((colour) => [colour, s(`path.curve-line.curve-${colour}`)]));
	const here = s("path.curve-here");
	// Elements stay round when stretched.
	const dots = h("div");
	const tip = h("div.curve-tip", { hidden: true });
	const element = h(
		"div.curve",
		{
			role: "slider",
			tabindex: "0",
			tip: "curve.label",
			"aria-valuemin": 0,
			pointermove: point,
			pointerleave: () => (tip.hidden = true),
			click: (event) => go(indexAt(event)),
			keydown,
		},
		s(
			"svg.curve-picture",
			{ viewBox: "0 0 100 100", preserveAspectRatio: "none" },
			area,
			s("path.curve-middle", { d: "M0 50H100" }),
			Object.values(lines),
			here,
		),
		dots,
		tip,
	);
	const key = h("p.row.curve-key.quiet");
	let nodes = [0];

	/** In percent, as all in the picture: it is stretched to its place. */
	const xOf = (index) => (index / Math.max(1, nodes.length - 1)) * 100;

	function draw() {
		nodes = record.lineThrough(state.cursor);
		const scores = nodes.map((id) => session.knownScore(id) ?? session.scoreOf(id));
		// Whose score it is: a review scores all moves; a result is nobody's.
		const [first, second] =
			state.reviewed.size > 0
				? []
				: [1, 0].map((parity) => nodes.some((id, index) => index % 2 === parity && record.get(id)?.eval));
		const isSplit = first && second;
		const moverAt = (index) => other(record.positionAt(nodes[index]).side);
		const points = { black: [], white: [] };
		const shown = [];
		nodes.forEach((id, index) => {
			const score = scores[index];
			if (!score) return;
			const y = (1 - score.win) * 100;
			const whose = !isSplit ? ["black"] : score.end ? COLOURS : [moverAt(index)];
			for (const colour of whose) points[colour].push(`${xOf(index)} ${y}`);
			const [sign] = session.marksOf(id);
			if (!sign) return;
			const dot = h(`span.dot.${markClass(sign)}`);
			dot.style.left = `${xOf(index)}%`;
			dot.style.top = `${y}%`;
			shown.push(dot);
		});
		for (const colour of COLOURS) lines[colour].setAttribute("d", pathOf(points[colour]));
		area.setAttribute(
			"d",
			isSplit || !pathOf(points.black) ? "" : `${pathOf(points.black)}V100H${points.black[0].split(" ")[0]}Z`,
		);
		element.hidden = !pathOf(points.black) && !pathOf(points.white);
		key.hidden = !isSplit;
		key.replaceChildren(
			...COLOURS.map((colour) => h(`span.ellipsis.curve-${colour}`, { text: playerName(state.header, colour) })),
		);
		dots.replaceChildren(...shown);
		drawHere();
	}

	const pathOf = (points) => (points.length < 2 ? "" : `M${points.join("L")}`);

	function drawHere() {
		const index = nodes.indexOf(state.cursor);
		here.setAttribute("d", `M${xOf(index)} 0V100`);
		element.ariaValueMax = nodes.length - 1;
		element.ariaValueNow = index;
		element.ariaValueText = t("curve.at", { ply: index, score: scoreWords(session.scoreOf(state.cursor)) });
	}

	function indexAt(event) {
		const box = element.getBoundingClientRect();
		return Math.min(
			nodes.length - 1,
			Math.max(0, Math.round(((event.clientX - box.left) / box.width) * (nodes.length - 1))),
		);
	}

	function point(event) {
		const index = indexAt(event);
		const node = record.get(nodes[index]);
		const score = session.scoreOf(nodes[index]);
		const parts = [index, session.textOf(node?.text) ?? t("curve.start")];
		if (score && !score.end) parts.push(scoreText(score), percent(score.win));
		setText(tip, parts.join("  "));
		tip.hidden = false;
		const half = tip.offsetWidth / 2;
		tip.style.left = `${Math.min(Math.max((xOf(index) / 100) * element.clientWidth, half), element.clientWidth - half)}px`;
	}

	const go = (index) => session.goto(nodes[index]);

	function keydown(event) {
		go(nodes.indexOf(state.cursor) + (arrowStep(event) || NaN));
	}

	on("tree:reset tree:node tree:removed tree:order analyses review settings header", perFrame(draw));
	on(
		"cursor",
		perFrame(() => (nodes.includes(state.cursor) ? drawHere() : draw())),
	);
	return { element: h("div", element, key) };
}
