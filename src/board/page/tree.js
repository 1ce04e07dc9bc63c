// The moves with their variations. Each message changes only the elements that it speaks of.

import { h, setText, perFrame } from "./dom.js";
import { notationOf } from "./settings.js";
import { scoreText } from "./names.js";
import { t } from "./i18n.js";

/** How a mark is said by colour. */
const MARK_CLASS = { "!!": "brilliant", "!": "good", "!?": "interesting", "?!": "inaccuracy", "?": "mistake", "??": "blunder", "□": "interesting" };
export const MARKS = ["!!", "!", "!?", "?!", "?", "??"];
export const markClass = (mark) => `mark-${MARK_CLASS[mark] ?? "other"}`;
export const markElement = (mark) => h("span.mark", { class: markClass(mark), text: mark });

export function createTree(app) {
	const { store: { state, on }, session, record } = app;
	const root = h("div.tree-root");
	const element = h("div.tree.scroll", { role: "tree", tabindex: "0", tip: "tree.label", click }, root);
	const empty = h("p.empty.quiet", { t: "tree.empty" });

	/** For each node: its move's element, its comment and the box of its siblings, if any. */
	let items = new Map();
	let current = null;

	// Building.

	function moveElement(node) {
		const text = h("span.san");
		const mark = h("span");
		const score = h("span.move-score");
		const move = h("span", { class: `move ${node.ply % 2 ? "odd" : "even"}`, role: "treeitem", id: `move-${node.id}`, "data-node": node.id, "data-ply": node.ply, "aria-selected": "false" }, h("span.ply", { text: node.ply }), text, mark, score);
		const item = { move, text, mark, score, comment: null, variations: null };
		items.set(node.id, item);
		write(item, node);
		return item;
	}

	function write(item, node) {
		setText(item.text, moveText(node));
		item.mark.replaceChildren(...node.marks.map(markElement));
		setText(item.score, node.end ? t("tree.end") : node.eval ? scoreText(node.eval) : "");
		if (node.comment && !item.comment) {
			item.comment = h("p.move-comment");
			item.move.after(item.comment);
		}
		if (item.comment) {
			setText(item.comment, node.comment);
			item.comment.hidden = !node.comment;
		}
	}

	const moveText = (node) => node.text?.[notationOf(state.settings)] ?? node.text?.western ?? node.move ?? "";

	/** The last element of a node's own: the next move of its line comes after it. */
	const tail = (item) => item.variations ?? item.comment ?? item.move;

	/** Puts a node, and what follows it, at the end of a line that ends with `after` inside `box`. */
	function appendLine(box, after, id) {
		let previous = after;
		for (let at = id; at !== undefined; ) {
			const node = record.get(at);
			if (!node) break;
			const item = moveElement(node);
			if (previous) previous.after(item.move);
			else box.prepend(item.move);
			if (item.comment) item.move.after(item.comment);
			const siblings = record.get(node.parent)?.children ?? [];
			if (siblings[0] === at) for (const sibling of siblings.slice(1)) appendVariation(at, sibling);
			previous = tail(item);
			at = node.children[0];
		}
	}

	/** Puts a variation below the first move among its siblings. */
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
		// Built apart from the document, so that a long game is laid out once.
		root.remove();
		const start = record.get(0);
		if (start?.children.length) appendLine(root, null, start.children[0]);
		element.replaceChildren(startComment, root, empty);
		empty.hidden = start?.children.length;
		writeStart();
		showCursor();
	}

	const startComment = h("p.move-comment");
	function writeStart() {
		const comment = record.get(0)?.comment ?? "";
		setText(startComment, comment);
		startComment.hidden = !comment;
	}

	/** Builds everything below a node again: its moves changed places. */
	function rebuildBelow(parent) {
		const own = items.get(parent.id);
		const box = own ? own.move.parentElement : root;
		const after = own ? tail(own) : null;
		for (let next; (next = after ? after.nextElementSibling : box.firstElementChild); next.remove()) {
			for (const gone of [next, ...next.querySelectorAll(".move")]) items.delete(Number(gone.dataset.node));
		}
		if (parent.children.length) appendLine(box, after, parent.children[0]);
		empty.hidden = record.get(0)?.children.length;
		current = null;
		showCursor();
	}

	// Changes.

	function nodeChanged({ node, before }) {
		if (node.id === 0) return writeStart();
		const item = items.get(node.id);
		if (item) {
			if (before) write(item, node);
			return;
		}
		const siblings = record.get(node.parent)?.children ?? [];
		if (siblings[0] !== node.id) return appendVariation(siblings[0], node.id);
		const parent = items.get(node.parent);
		if (node.parent !== 0 && !parent) return;
		appendLine(parent ? parent.move.parentElement : root, parent ? tail(parent) : null, node.id);
		empty.hidden = true;
	}

	function removed(node) {
		const parent = record.get(node.parent);
		if (parent && items.has(node.id)) rebuildBelow(parent);
	}

	// Where we are.

	function showCursor() {
		const select = (on) => {
			current?.move.classList.toggle("current", on);
			current?.move.setAttribute("aria-selected", on);
		};
		select(false);
		current = items.get(state.cursor);
		select(true);
		element.setAttribute("aria-activedescendant", current?.move.id ?? "");
		if (current) reveal();
		else element.scrollTop = 0;
	}

	/** Brings the current move into the panel's window without moving the page. */
	const reveal = perFrame(() => {
		if (!current) return;
		const box = element.getBoundingClientRect();
		const own = current.move.getBoundingClientRect();
		if (own.top < box.top || own.bottom > box.bottom) element.scrollTop += (own.top + own.bottom - box.top - box.bottom) / 2;
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
		for (const [id, item] of items) write(item, record.get(id));
	});
	on("tree:reset", rebuild);
	on("tree:node", nodeChanged);
	on("tree:removed", removed);
	on("tree:order", rebuildBelow);
	on("cursor", showCursor);
	return { element };
}
