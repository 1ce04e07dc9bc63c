// The tree of moves as the server sends it, and the positions in it.

import { splitComment } from "./drawing.js";
import { parseSfen, playMove } from "./shogi.js";

/** The store hears `tree:reset`, `tree:node`, `tree:removed` and `tree:order`. */
export function createRecord(store) {
	let nodes = new Map();
	let positions = new Map();
	let study;

	const get = (id) => nodes.get(id);

	/** Words and drawings have places of their own here. */
	const taken = (node) => ({ ...node, ...splitComment(node.comment) });

	function reset(message) {
		nodes = new Map(message.nodes.map((node) => [node.id, taken(node)]));
		positions = new Map([[0, parseSfen(message.start)]]);
		study = message.study;
		store.emit("tree:reset");
	}

	function put(changed) {
		const node = taken(changed);
		nodes.set(node.id, node);
		// A new node may come before its parent's new children.
		const parent = get(node.parent);
		if (parent && !parent.children.includes(node.id)) parent.children.push(node.id);
		store.emit("tree:node", node);
	}

	function remove(message) {
		for (const id of message.nodes) {
			const node = get(id);
			if (!node) continue;
			const parent = get(node.parent);
			if (parent) parent.children = parent.children.filter((child) => child !== id);
			store.emit("tree:removed", node);
			nodes.delete(id);
			positions.delete(id);
		}
	}

	function order({ parent, children }) {
		const node = get(parent);
		if (!node) return;
		node.children = children;
		store.emit("tree:order", node);
	}

	/** The position at a node, worked out from the nearest one that is known. */
	function positionAt(id) {
		const path = [];
		let at = id;
		for (; !positions.has(at); at = get(at).parent) {
			if (!get(at)) return positions.get(0);
			path.unshift(at);
		}
		for (const next of path) {
			positions.set(next, playMove(positions.get(at), get(next).move));
			at = next;
		}
		return positions.get(id);
	}

	const childByMove = (id, move) => get(id)?.children.find((child) => get(child)?.move === move);

	function pathTo(id) {
		const path = [];
		for (let node = get(id); node; node = get(node.parent)) path.unshift(node);
		return path;
	}

	const movesTo = (id) =>
		pathTo(id)
			.slice(1)
			.map((node) => node.move);

	/** The node to which moves lead; undefined if they are not there. */
	const nodeAfter = (moves) => moves.reduce(childByMove, 0);

	/** The ids from the start to `id`, then by first moves to the end. */
	function lineThrough(id) {
		const line = pathTo(id);
		for (let node = get(id); (node = get(node?.children[0]));) line.push(node);
		return line.map((node) => node.id);
	}

	const siblingsOf = (id) => get(get(id)?.parent)?.children ?? [];

	/** Whether each move on the way to a node comes first among its siblings. */
	const isMainLine = (id) => pathTo(id).every((node) => node.id === 0 || siblingsOf(node.id)[0] === node.id);

	return {
		get,
		reset,
		put,
		remove,
		order,
		positionAt,
		childByMove,
		movesTo,
		nodeAfter,
		lineThrough,
		siblingsOf,
		isMainLine,
		study: () => study,
		size: () => nodes.size,
	};
}
