// The tree of moves as the server sends it, and the positions in it.

import { parseSfen, playMove, START } from "./shogi.js";

/** Makes an empty tree. The store hears `tree:reset`, `tree:node`, `tree:removed` and `tree:order`. */
export function createRecord(store) {
	let nodes = new Map();
	let positions = new Map();

	const get = (id) => nodes.get(id);

	function reset(study) {
		nodes = new Map(study.nodes.map((node) => [node.id, node]));
		positions = new Map([[0, parseSfen(study.start) ?? parseSfen(START)]]);
		store.emit("tree:reset");
	}

	function put(node) {
		nodes.set(node.id, node);
		// A new node may come before its parent's new list of children.
		const parent = nodes.get(node.parent);
		if (parent && !parent.children.includes(node.id)) parent.children.push(node.id);
		store.emit("tree:node", node);
	}

	function remove(ids) {
		for (const id of ids) {
			const node = nodes.get(id);
			if (!node) continue;
			const parent = nodes.get(node.parent);
			if (parent) parent.children = parent.children.filter((child) => child !== id);
			store.emit("tree:removed", node);
			nodes.delete(id);
			positions.delete(id);
		}
	}

	function order(parent, children) {
		const node = nodes.get(parent);
		if (!node) return;
		node.children = children;
		store.emit("tree:order", node);
	}

	/** The position at a node, worked out from the nearest one that is known. */
	function positionAt(id) {
		const path = [];
		let at = id;
		while (!positions.has(at)) {
			const node = nodes.get(at);
			if (!node) return positions.get(0);
			path.push(node);
			at = node.parent;
		}
		let position = positions.get(at);
		while (path.length > 0) {
			const node = path.pop();
			position = playMove(position, node.move);
			positions.set(node.id, position);
		}
		return position;
	}

	const childByMove = (id, move) => nodes.get(id)?.children.find((child) => nodes.get(child)?.move === move);

	/** The moves from the start to a node. */
	function movesTo(id) {
		const moves = [];
		for (let node = get(id); node?.move; node = get(node.parent)) moves.unshift(node.move);
		return moves;
	}

	/** The node to which moves lead; undefined if they are not there. */
	const nodeAfter = (moves) => moves.reduce(childByMove, 0);

	/** The nodes from the start to `id`, then on along the first moves to the end. */
	function lineThrough(id) {
		const line = [];
		for (let node = get(id); node; node = get(node.parent)) line.unshift(node.id);
		for (let node = get(id); (node = get(node?.children[0])); ) line.push(node.id);
		return line;
	}

	/** Whether each move on the way to a node comes first among its siblings. */
	function isMainLine(id) {
		for (let node = nodes.get(id); node && node.id !== 0; node = nodes.get(node.parent)) {
			if (nodes.get(node.parent)?.children[0] !== node.id) return false;
		}
		return true;
	}

	return { get, reset, put, remove, order, positionAt, childByMove, movesTo, nodeAfter, lineThrough, isMainLine, size: () => nodes.size };
}
