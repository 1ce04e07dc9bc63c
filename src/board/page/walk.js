// Walks through the moves by buttons, keys, and the wheel over the board.

import { h, perFrame } from "./dom.js";
import { iconButton } from "./controls.js";

/** How far the wheel turns for a move, in pixels: a notch is more. */
const WHEEL_STEP = 40;
const LINE_HEIGHT = 20;

export function createWalk({ state, on, session, record, toggle }) {
	const beside = (count) => {
		const line = record.lineThrough(state.cursor);
		return line[line.indexOf(state.cursor) + count];
	};
	const step = (count) => () => session.goto(beside(count));
	const sibling = (count) => () => {
		const siblings = record.siblingsOf(state.cursor);
		session.goto(siblings[siblings.indexOf(state.cursor) + count]);
	};
	const ways = {
		first: () => session.goto(0),
		previous: step(-1),
		next: step(1),
		last: () => session.goto(record.lineThrough(state.cursor).at(-1)),
	};
	const keys = {
		Home: ways.first,
		ArrowLeft: ways.previous,
		ArrowRight: ways.next,
		End: ways.last,
		ArrowUp: sibling(-1),
		ArrowDown: sibling(1),
	};

	const buttons = Object.fromEntries(
		Object.entries(ways).map(([name, way]) => [name, iconButton(`nav.${name}`, name, way)]),
	);
	const element = h(
		"nav.walk",
		{ tip: "nav.label" },
		Object.values(buttons),
		iconButton("nav.flip", "flip", () => toggle("flipped")),
	);
	on(
		"cursor edit tree:node tree:removed tree:order tree:reset",
		perFrame(() => {
			const atEnd = record.lineThrough(state.cursor).at(-1) === state.cursor;
			buttons.first.disabled = buttons.previous.disabled = state.edit || state.cursor === 0;
			buttons.next.disabled = buttons.last.disabled = state.edit || atEnd;
		}),
	);

	let turned = 0;
	function turn(event) {
		if (event.ctrlKey || state.edit || !event.deltaY) return;
		const way = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_HEIGHT : 1);
		const next = beside(Math.sign(way));
		// At the ends the page scrolls.
		if (next === undefined) return;
		event.preventDefault();
		turned = Math.sign(turned) === Math.sign(way) ? turned + way : way;
		if (Math.abs(turned) < WHEEL_STEP) return;
		turned = 0;
		session.goto(next);
	}

	return { element, keys, turn };
}
