// The ways to walk through the moves: buttons below the board, and keys.

import { h, perFrame } from "./dom.js";
import { iconButton } from "./controls.js";

export function createWalk({ store: { state, on }, session, record, toggle }) {
	const step = (count) => () => {
		const line = record.lineThrough(state.cursor);
		session.goto(line[line.indexOf(state.cursor) + count]);
	};
	const sibling = (count) => () => {
		const siblings = record.siblingsOf(state.cursor);
		session.goto(siblings[siblings.indexOf(state.cursor) + count]);
	};
	const ways = { first: () => session.goto(0), previous: step(-1), next: step(1), last: () => session.goto(record.lineThrough(state.cursor).at(-1)) };
	const keys = { Home: ways.first, ArrowLeft: ways.previous, ArrowRight: ways.next, End: ways.last, ArrowUp: sibling(-1), ArrowDown: sibling(1) };

	const buttons = Object.fromEntries(Object.entries(ways).map(([name, way]) => [name, iconButton(`nav.${name}`, name, way)]));
	const element = h("nav.walk", { tip: "nav.label" }, Object.values(buttons), iconButton("nav.flip", "flip", () => toggle("flipped")));
	on("cursor edit tree:node tree:removed tree:order tree:reset", perFrame(() => {
		const atEnd = record.lineThrough(state.cursor).at(-1) === state.cursor;
		buttons.first.disabled = buttons.previous.disabled = state.edit || state.cursor === 0;
		buttons.next.disabled = buttons.last.disabled = state.edit || atEnd;
	}));

	return { element, keys };
}
