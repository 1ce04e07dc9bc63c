// The moves with their variations. A changed move changes its own elements; else all are rebuilt.

import { h, setText, perFrame } from "./dom.js";
import { notationOf } from "./settings.js";
import { markElement } from "./marks.js";
import { scoreText, timeText } from "./names.js";
import { listed, localize, t } from "./i18n.js";

export function createTree({ state, on, session, record }) {
	const root = h("div.tree-root");
	const element = h("div.tree.scroll", { role: "tree", tabindex: "0", tip: "tab.moves", click }, root);
	const empty = h("p.empty.quiet", { t: "tree.empty" });

	/** For each node: its move's element, its comment and the box of its siblings, if any. */
	let items = new Map();
	let current = null;

	function moveElement(node) {
		const text = h("span.san");
		const mark = h("span");
		const time = h("span.move-time");
		const score = h("span.move-score");
		const move = h(
			`span.move.${node.ply % 2 ? "odd" : "even"}`,
			{
				role: "treeitem",
				id: `move-${node.id}`,
				"data-node": node.id,
				"data-ply": node.ply,
				"aria-selected": "false",
			},
			h("span.ply", { text: node.ply }),
			text,
			mark,
			time,
			score,
		);
		const item = { move, text, mark, time, score };
		items.set(node.id, item);
		write(item, node);
		return item;
	}

	const said = (node) => listed([localize(node?.formerEnd), node?.comment], "\n");

	function write(item, node) {
		setText(item.text, moveText(node));
		writeMarks(item, node.id);
		setText(item.time, node.time === null ? "" : timeText(node.time));
		setText(item.score, node.end ? t("tree.end") : node.eval ? scoreText(node.eval) : "");
		if (said(node) && !item.comment) {
			item.comment = h("p.move-comment");
			item.move.after(item.comment);
		}
		if (item.comment) writeComment(item.comment, said(node));
	}

	function writeMarks({ mark }, id) {
		const marks = session.marksOf(id);
		if (mark.textContent !== marks.join("")) mark.replaceChildren(...marks.map(markElement));
	}

	const moveText = (node) => session.textOf(node.text) ?? node.move;

	/** The element that the next move of the line comes after. */
	const tail = (item) => item.variations ?? item.comment ?? item.move;

	/** Puts a node, and what follows it, behind `after`, or first in `box`. */
	function appendLine(box, after, id) {
		let previous = after;
		for (let node = record.get(id); node; node = record.get(node.children[0])) {
			const item = moveElement(node);
			if (previous) previous.after(item.move);
			else box.prepend(item.move);
			if (item.comment) item.move.after(item.comment);
			const [first, ...others] = record.siblingsOf(node.id);
			if (first === node.id) for (const sibling of others) appendVariation(first, sibling);
			previous = tail(item);
		}
	}

	function appendVariation(first, id) {
		const item = items.get(first);
		if (!item || !record.get(id)) return;
		if (!item.variations) {
			item.variations = h("div.variations", { role: "group" });
			(item.comment ?? item.move).after(item.variations);
		}
		const line = h("div.variation");
		item.variations.append(line);
		appendLine(line, null, id);
	}

	function rebuild() {
		items = new Map();
		current = null;
		root.replaceChildren();
		// Build outside the document: a long game is laid out once.
		root.remove();
		const start = record.get(0);
		if (start?.children.length) appendLine(root, null, start.children[0]);
		element.replaceChildren(startComment, root, empty);
		empty.hidden = start?.children.length;
		writeStart();
		showCursor();
	}

	const rebuildSoon = perFrame(rebuild);

	const startComment = h("p.move-comment");
	function writeStart() {
		writeComment(startComment, said(record.get(0)));
	}

	function writeComment(element, comment) {
		setText(element, comment);
		element.hidden = !comment;
	}

	function nodeChanged(node) {
		if (node.id === 0) return writeStart();
		const item = items.get(node.id);
		if (item) return write(item, node);
		const [first] = record.siblingsOf(node.id);
		if (first !== node.id) return appendVariation(first, node.id);
		const parent = items.get(node.parent);
		if (node.parent !== 0 && !parent) return;
		appendLine(parent ? parent.move.parentElement : root, parent ? tail(parent) : null, node.id);
		empty.hidden = true;
	}

	function showCursor() {
		const select = (on) => {
			current?.move.classList.toggle("current", on);
			if (current) current.move.ariaSelected = on;
		};
		select(false);
		current = items.get(state.cursor);
		select(true);
		element.setAttribute("aria-activedescendant", current?.move.id ?? "");
		if (current) reveal();
		else element.scrollTop = 0;
	}

	const reveal = perFrame(() => {
		if (!current) return;
		const box = element.getBoundingClientRect();
		const own = current.move.getBoundingClientRect();
		if (own.top < box.top || own.bottom > box.bottom)
			element.scrollTop += (own.top + own.bottom - box.top - box.bottom) / 2;
	});

	function click(event) {
		const move = event.target.closest(".move");
		if (move) session.goto(Number(move.dataset.node));
	}

	let notation = null;
	on("settings", () => {
		const key = `${notationOf(state.settings)} ${document.documentElement.lang}`;
		if (key === notation) return;
		notation = key;
		rebuild();
	});
	on("review", () => {
		for (const [id, item] of items) writeMarks(item, id);
	});
	new ResizeObserver(reveal).observe(element);
	on("tree:removed tree:order", rebuildSoon);
	on("tree:reset", rebuild);
	on("tree:node", nodeChanged);
	on("cursor", showCursor);
	return { element };
}
