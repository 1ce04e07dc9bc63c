// Turns pointers and keys into moves, in play and in the editor.

import { squareIndex, squareName, HAND_KINDS } from "./shogi.js";

/** How far a press may tremble, in pixels. */
const DRAG_FROM = { mouse: 4, pen: 6, touch: 9 };
const DOUBLE_MS = 500;
/** How far the second press may be from the first, as a multiple of the tremble. */
const DOUBLE_REACH = 2;

export const isDouble = (first, second) =>
	second.timeStamp - first.timeStamp < DOUBLE_MS &&
	Math.hypot(second.clientX - first.clientX, second.clientY - first.clientY) <
		DOUBLE_REACH * (DRAG_FROM[second.pointerType] ?? DRAG_FROM.mouse);

/**
 * Listens on `board` and on the two `hands`. `rules()` has `canPick(source, colour)`, `targets(source, colour)`,
 * `put(source, colour, square, event)`, `handColour()` and, where they mean something, `tap(square)`,
 * `aside(source, colour, handColour)`, `turn(square)`, `key(event, square)` and, for what cannot be picked up or put there,
 * `refuse(source, colour, square, isDrag, byKey)`; a source is a square or, in hand, `P*`.
 */
export function createInput({ board, hands, rules, flipped, onChange }) {
	const state = { selected: null, colour: null, cursor: null };
	const { element, squareAt } = board;
	const listen = (name, listener) => element.addEventListener(name, listener);
	let press = null;
	let lastPut = null;
	let lastCursor = "3d";

	const targets = () => (state.selected ? rules().targets(state.selected, state.colour) : []);
	const isSelected = (source, colour) => state.selected === source && state.colour === colour;

	function select(source, colour) {
		if (isSelected(source, colour)) return;
		state.selected = source;
		state.colour = source ? colour : null;
		onChange();
	}

	const clear = () => select(null, null);

	function put(square, event) {
		const { selected, colour } = state;
		state.selected = null;
		lastPut = event;
		rules().put(selected, colour, square, event);
		onChange();
	}

	/** The square is no target, and its piece cannot be picked up. */
	function refuse(square, event, isDrag) {
		const { selected, colour } = state;
		clear();
		if (!lastPut || !isDouble(lastPut, event))
			rules().refuse?.(selected, colour, square, isDrag, event.type === "keydown");
	}

	listen("pointerdown", (event) => {
		if (event.button !== 0 || press) return;
		const square = squareAt(event);
		setCursor(null);
		if (!square) return clear();
		if (rules().tap?.(square)) return clear();
		if (state.selected !== square && targets().includes(square)) return put(square, event);
		if (!rules().canPick(square, null)) return refuse(square, event);
		startPress(event, square, null, board.pieceAt(square));
	});
	// A click does not focus the board: arrow keys walk through the moves.
	listen("mousedown", (event) => {
		event.preventDefault();
		if (!element.contains(document.activeElement)) document.activeElement?.blur();
	});
	for (const name of ["contextmenu", "dblclick"]) {
		listen(name, (event) => {
			event.preventDefault();
			const square = squareAt(event);
			if (square) rules().turn?.(square);
		});
	}

	for (const hand of hands) {
		hand.element.addEventListener("pointerdown", (event) => {
			const slot = event.target.closest(".hand-piece");
			if (!slot || event.button !== 0 || press) return;
			const { hand: kind, color: colour } = slot.dataset;
			const drop = `${kind}*`;
			if (rules().canPick(drop, colour)) startPress(event, drop, colour, slot.firstChild);
			else refuseDrop(drop, colour);
		});
		// Enter and Space on a stand's button; a pointer is done before its click arrives.
		hand.element.addEventListener("click", (event) => {
			const slot = event.target.closest(".hand-piece");
			if (!slot || event.detail !== 0) return;
			pickFromHand(slot.dataset.hand, slot.dataset.color);
			element.focus();
		});
	}

	function startPress(event, source, colour, drawing) {
		press = {
			id: event.pointerId,
			type: event.pointerType,
			x: event.clientX,
			y: event.clientY,
			source,
			colour,
			drawing,
			again: isSelected(source, colour),
		};
		select(source, colour);
	}

	addEventListener("pointermove", move);
	addEventListener("pointerup", release);
	addEventListener("pointercancel", cancel);

	function move(event) {
		if (event.pointerId !== press?.id) return;
		// Released outside the page.
		if (!event.buttons) return cancel(event);
		if (!press.float) {
			if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < (DRAG_FROM[press.type] ?? 4)) return;
			lift(press);
		}
		const { width, height } = press.size;
		const lifted = press.type === "touch" ? height * 0.75 : height / 2;
		press.float.style.transform = `translate(${event.clientX - width / 2}px, ${event.clientY - lifted}px)`;
		setOver(squareAt(event));
	}

	function setOver(square) {
		if (square === press.over) return;
		if (press.over) board.cellOf(press.over).classList.remove("over");
		if (targets().includes(square)) board.cellOf(square).classList.add("over");
		press.over = square;
	}

	/** A copy follows the pointer. */
	function lift(held) {
		const { width, height } = held.drawing.getBoundingClientRect();
		const float = held.drawing.cloneNode(true);
		float.removeAttribute("style");
		float.setAttribute("class", "piece-lifted");
		Object.assign(float.style, { width: `${width}px`, height: `${height}px` });
		document.body.append(float);
		held.drawing.classList.add("lifted");
		held.float = float;
		held.size = { width, height };
		document.body.classList.add("dragging");
	}

	function release(event) {
		if (event.pointerId !== press?.id) return;
		const { float, source, colour, again } = press;
		const square = squareAt(event);
		endPress();
		if (!float) return again ? clear() : onChange();
		if (square && square !== source && targets().includes(square)) return put(square, event);
		if (!square && rules().aside) {
			state.selected = null;
			const stand = document.elementFromPoint(event.clientX, event.clientY)?.closest(".hand");
			rules().aside(source, colour, stand?.dataset.color ?? null);
			return onChange();
		}
		if (square && square !== source) refuse(square, event, true);
		else if (square !== source) clear();
	}

	function cancel(event) {
		if (event.pointerId === press?.id) drop();
	}

	/** Puts a picked up piece back. */
	function drop() {
		if (press) endPress();
		clear();
	}

	function endPress() {
		setOver(null);
		press.float?.remove();
		press.drawing?.classList.remove("lifted");
		press = null;
		document.body.classList.remove("dragging");
	}

	function setCursor(square) {
		if (state.cursor === square) return;
		lastCursor = square ?? lastCursor;
		state.cursor = square;
		onChange();
	}

	listen("focus", () => {
		if (element.matches(":focus-visible") && !state.cursor) setCursor(lastCursor);
	});
	listen("blur", () => setCursor(null));

	const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

	listen("keydown", (event) => {
		if (event.target !== element || event.ctrlKey || event.metaKey || event.altKey) return;
		if (handleKey(event)) {
			event.preventDefault();
			event.stopPropagation();
		}
	});

	function handleKey(event) {
		const cursor = state.cursor ?? lastCursor;
		if (rules().key?.(event, cursor)) return true;
		if (STEPS[event.key]) {
			const [dx, dy] = STEPS[event.key].map((step) => (flipped() ? -step : step));
			const index = squareIndex(cursor);
			const column = Math.min(5, Math.max(0, (index % 6) + dx));
			const row = Math.min(5, Math.max(0, Math.floor(index / 6) + dy));
			setCursor(state.cursor ? squareName(row * 6 + column) : cursor);
			return true;
		}
		if (event.key === "Enter" || event.key === " ") {
			if (event.repeat) return true;
			if (rules().tap?.(cursor)) return true;
			if (state.selected === cursor) clear();
			else if (targets().includes(cursor)) put(cursor, event);
			else if (rules().canPick(cursor, null)) select(cursor, null);
			else refuse(cursor, event);
			return true;
		}
		const key = event.key.toUpperCase();
		if (event.key === "Escape" && state.selected) clear();
		// A hand without the piece keeps its key: N never opens a new game here.
		else if (HAND_KINDS.includes(key)) pickFromHand(key, rules().handColour());
		else return false;
		return true;
	}

	function refuseDrop(drop, colour) {
		clear();
		rules().refuse?.(drop, colour, null);
	}

	function pickFromHand(kind, colour) {
		const drop = `${kind}*`;
		if (!rules().canPick(drop, colour)) return refuseDrop(drop, colour);
		if (isSelected(drop, colour)) clear();
		else select(drop, colour);
		setCursor(state.cursor ?? lastCursor);
	}

	return { state, drop, busy: () => press !== null };
}
