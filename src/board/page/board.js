// The elements of the board: squares, and pieces that glide between them.

import { h, s, setClasses } from "./dom.js";
import { drawPiece, pieceSvg } from "./pieces.js";
import { BOARD, drawBoard } from "./wood.js";
import { SQUARES, colourOf, inRows, kindOf, seenAt, source, squareIndex, squareName, target } from "./shogi.js";
import { squareLabel } from "./names.js";

const percent = (squares) => `${((squares / 6) * 100).toFixed(4)}%`;

/**
 * `show` draws a view: `{board, flipped, pieces, coordinates, last, check, selected, targets, causes, goals, cursor, ghost}`. Only what
 * changed is touched.
 */
export function createBoard() {
	const wood = s("svg.board-wood", { viewBox: `0 0 ${BOARD.width} ${BOARD.height}` });
	const cells = SQUARES.map((name) => h("div.cell", { role: "gridcell", id: `square-${name}`, "data-square": name }));
	const rows = inRows(cells).map((row) => h("div", { role: "row" }, row));
	const pieceLayer = h("div.pieces", { "aria-hidden": "true" });
	const squares = h("div.squares", h("div.cells", { role: "presentation" }, rows), pieceLayer);
	const element = h("div.board", { id: "board", role: "grid", tabindex: "0", tip: "board.label" }, wood, squares);

	/** The piece elements by square index: `{piece, element}`. */
	let placed = new Map();
	let view = null;

	function show(next) {
		const before = view;
		view = next;
		const turned = before?.flipped !== next.flipped;
		if (turned || before.coordinates !== next.coordinates)
			wood.replaceChildren(drawBoard(next.coordinates, next.flipped));
		if (turned) cells.forEach(place);
		showPieces(next.board, turned || before.pieces !== next.pieces);
		showMarks(next);
	}

	function place(cell, index) {
		const { column, row } = seenAt(index, view.flipped);
		cell.style.left = percent(column);
		cell.style.top = percent(row);
	}

	/** Moves the elements of moved pieces, and makes or drops the others. */
	function showPieces(board, anew) {
		const gone = [];
		const come = [];
		for (let index = 0; index < 36; index += 1) {
			const before = placed.get(index)?.piece ?? null;
			if (before === board[index] && !(anew && before)) continue;
			if (before) gone.push(index);
			if (board[index]) come.push(index);
		}
		const next = new Map(placed);
		for (const index of gone) next.delete(index);
		for (const index of come) {
			const piece = board[index];
			const from = anew
				? -1
				: gone.findIndex((origin) => origin !== index && sameMan(placed.get(origin).piece, piece) && !board[origin]);
			if (from >= 0) {
				const [origin] = gone.splice(from, 1);
				const man = placed.get(origin);
				if (man.piece !== piece) man.element.replaceChildren(drawPiece(piece, view.pieces, view.flipped));
				next.set(index, { piece, element: man.element });
				glide(man.element, index);
			} else {
				const element = pieceSvg(piece, view.pieces, view.flipped, { class: "piece" });
				next.set(index, { piece, element });
				moveTo(element, index);
				pieceLayer.append(element);
			}
		}
		for (const index of gone) placed.get(index).element.remove();
		placed = next;
	}

	const sameMan = (one, two) => kindOf(one) === kindOf(two) && colourOf(one) === colourOf(two);

	/** The element passes above the others. */
	function glide(element, index) {
		element.classList.add("moving");
		element.addEventListener("transitionend", () => element.classList.remove("moving"), { once: true });
		moveTo(element, index);
	}

	function moveTo(element, index) {
		const { column, row } = seenAt(index, view.flipped);
		element.style.transform = `translate(${column * 100}%, ${row * 100}%)`;
	}

	function showMarks({ board, last, check, ghost, selected, targets = [], causes = [], goals = [], cursor }) {
		const lastSquares = last ? [source(last), target(last)] : [];
		cells.forEach((cell, index) => {
			const name = squareName(index);
			const looks = { selected: selected === name, target: targets.includes(name), goal: goals.includes(name) };
			setClasses(cell, {
				...looks,
				last: lastSquares.includes(name),
				check: check.includes(name),
				cause: causes.includes(name),
				taken: looks.target && board[index],
				cursor: cursor === name,
			});
			const label = squareLabel(name, board[index], looks);
			if (cell.ariaLabel !== label) cell.ariaLabel = label;
		});
		setClasses(element, { ghost });
		element.setAttribute("aria-activedescendant", cursor ? `square-${cursor}` : "");
	}

	/** The square under a pointer; null outside the board. */
	function squareAt({ clientX: x, clientY: y }) {
		const box = squares.getBoundingClientRect();
		const column = Math.floor(((x - box.left) / box.width) * 6);
		const row = Math.floor(((y - box.top) / box.height) * 6);
		if (column < 0 || column > 5 || row < 0 || row > 5) return null;
		const seen = row * 6 + column;
		return squareName(view.flipped ? 35 - seen : seen);
	}

	const cellOf = (name) => cells[squareIndex(name)];
	const pieceAt = (name) => placed.get(squareIndex(name))?.element ?? null;

	return { element, squares, show, squareAt, cellOf, pieceAt };
}
