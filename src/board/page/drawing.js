// Arrows and circles drawn on the board. They stand in the move's comment as other programs write them:
// `[%csl G6e]` is a green circle, `[%cal R6e5d]` a red arrow.

const COMMAND = /\s*\[%c[as]l ([^\]]*)\]/g;
const SHAPES = /^[GRBY]([1-6][a-f]){1,2}(,[GRBY]([1-6][a-f]){1,2})*$/;
const LONG_PRESS_MS = 550;
/** How far a finger may tremble in that time, in pixels. */
const TREMBLE = 9;

/** A comment's words, and the shapes in it. */
export function splitComment(comment) {
	const shapes = [];
	const words = comment.replace(COMMAND, (command, list) => {
		if (!SHAPES.test(list)) return command;
		shapes.push(...list.split(","));
		return "";
	});
	return { comment: shapes.length > 0 ? words.trim() : comment, shapes };
}

export function joinComment(words, shapes) {
	const command = (name, length) => {
		const list = shapes.filter((shape) => shape.length === length);
		return list.length > 0 && `[%${name} ${list.join(",")}]`;
	};
	return [words, command("csl", 3), command("cal", 5)].filter(Boolean).join(" ");
}

export const drawn = (node) =>
	(node?.shapes ?? []).map((shape) => ({
		kind: `drawn-${shape[0]}`,
		weight: 0.8,
		...(shape.length === 3 ? { square: shape.slice(1) } : { move: shape.slice(1) }),
	}));

/**
 * The right button or a long press draws an arrow or a circle on `board`; the same again removes it. `show` gets the
 * unfinished shape; `key` draws by keyboard.
 */
export function createDrawing({ state, on, session, record }, board, show) {
	const { element, squareAt } = board;
	const may = () => !state.edit && !state.problem && !state.learn && !state.preview && record.get(state.cursor);
	let press = null;
	let start = null;

	const brush = ({ shiftKey, ctrlKey, altKey }) => (shiftKey || ctrlKey ? (altKey ? "Y" : "R") : altKey ? "B" : "G");
	const shapeOf = (from, to, event) => brush(event) + from + (to === from ? "" : to);

	function toggle(shape) {
		const node = record.get(state.cursor);
		const others = node.shapes.filter((each) => each.slice(1) !== shape.slice(1));
		const shapes = node.shapes.includes(shape) ? others : [...others, shape];
		const comment = joinComment(node.comment, shapes);
		session.tell("comment", { node: node.id, text: comment });
		record.put({ ...node, comment });
	}

	function begin(event) {
		const from = squareAt(event);
		if (!from || !may()) return;
		press = { id: event.pointerId, from };
		move(event);
	}

	function move(event) {
		if (press?.id !== event.pointerId) return;
		if (press.timer && Math.hypot(event.clientX - press.x, event.clientY - press.y) > TREMBLE) return end();
		if (!press.timer) show(drawn({ shapes: [shapeOf(press.from, squareAt(event) ?? press.from, event)] }));
	}

	function end() {
		clearTimeout(press?.timer);
		press = start = null;
		show([]);
	}

	on("cursor tree:reset", end);

	element.addEventListener("pointerdown", (event) => {
		if (press) return end();
		if (event.button === 2) return begin(event);
		if (event.pointerType !== "touch" || !may()) return;
		press = { id: event.pointerId, x: event.clientX, y: event.clientY };
		press.timer = setTimeout(() => {
			// Do not drag the piece.
			dispatchEvent(new PointerEvent("pointercancel", { pointerId: event.pointerId, pointerType: "mouse" }));
			begin(event);
		}, LONG_PRESS_MS);
	});
	addEventListener("pointermove", move);
	addEventListener("pointercancel", (event) => {
		if (press?.id === event.pointerId && event.isTrusted) end();
	});
	addEventListener("pointerup", (event) => {
		if (press?.id !== event.pointerId) return;
		const { from, timer } = press;
		const to = squareAt(event);
		end();
		if (!timer && to) toggle(shapeOf(from, to, event));
	});

	/** D begins and ends a shape at the cursor; Escape drops it. */
	function key(event, square) {
		if (event.key === "Escape" && start) {
			end();
			return true;
		}
		if (event.key.toLowerCase() !== "d" || !may()) return false;
		if (start) toggle(shapeOf(start, square, event));
		start = start ? null : square;
		show(start ? drawn({ shapes: [shapeOf(start, start, event)] }) : []);
		return true;
	}

	return { key };
}
