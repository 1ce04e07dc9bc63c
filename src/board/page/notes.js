// The comment, the marks and the variation of the move at the cursor.

import { aria, h, afterPause } from "./dom.js";
import { iconButton } from "./controls.js";
import { joinComment } from "./drawing.js";
import { MARKS, markClass } from "./marks.js";

/** A comment is kept once its writer rests for so long. */
const KEEP_AFTER_MS = 600;

/** Takes the comments that the previous page stored. */
function takeStored() {
	try {
		const stored = JSON.parse(sessionStorage.unsent ?? "[]");
		delete sessionStorage.unsent;
		return stored;
	} catch {
		return []; // Storage can be forbidden.
	}
}

export function createNotes({ state, on, emit, session, record }) {
	const text = h("textarea.comment", {
		rows: 1,
		hint: "notes.comment",
		tip: "notes.comment",
		input: () => {
			writing = true;
			keepSoon(node);
		},
		blur,
		keydown,
	});
	const marks = MARKS.map((mark) =>
		h("button.mark-button.mark.plain", {
			class: markClass(mark),
			text: mark,
			tip: `mark.${mark}`,
			click: () => toggle(mark),
		}),
	);
	const here = (type) => () => session.tell(type, { node: state.cursor });
	const promote = iconButton("notes.promote", "up", here("promote"));
	const mainline = iconButton("notes.mainline", "top", here("mainline"));
	const remove = iconButton("notes.delete", "bin", deleteHere);
	const element = h(
		"div.notes",
		h("div.row.tight", { role: "group", tip: "notes.marks" }, marks, h("span.spacer"), promote, mainline, remove),
		text,
	);

	let node = null;
	let kept = "";
	/** Words stay with the move that they were begun at. */
	let writing = false;
	/** Comments that the program may lack, by their moves: a new program numbers nodes anew. */
	const unsent = takeStored();

	function keepNow() {
		if (node === null || text.value === kept) return;
		kept = text.value;
		keep(node, kept);
	}

	/** A board in the browser ends with the page, perhaps before it has stored the comment. */
	function leave() {
		if (text.value !== kept) unsent.push({ moves: record.movesTo(node), words: text.value });
		keepNow();
		sessionStorage.unsent = JSON.stringify(unsent);
	}

	function blur() {
		writing = false;
		keepNow();
		refresh();
	}

	function keydown({ key, isComposing }) {
		if (key === "Escape" && !isComposing) text.blur();
	}

	function keep(at, words) {
		if (!record.get(at)) return;
		const comment = joinComment(words, record.get(at).shapes);
		if (comment === record.get(at).comment) return;
		if (state.connection === "open") session.tell("comment", { node: at, text: comment });
		else unsent.push({ moves: record.movesTo(at), words });
		// Shown at once: fields that jump lose a click.
		record.put({ ...record.get(at), comment });
	}

	function sendUnsent() {
		for (const { moves, words } of unsent.splice(0)) {
			const at = record.nodeAfter(moves);
			if (at !== undefined) keep(at, words);
		}
	}
	const keepSoon = afterPause(KEEP_AFTER_MS, (at) => {
		if (at === node) keepNow();
	});

	function toggle(mark) {
		const own = record.get(state.cursor);
		const others = own.marks.filter((each) => !MARKS.includes(each));
		session.tell("marks", { node: own.id, marks: own.marks.includes(mark) ? others : [mark, ...others] });
	}

	function deleteHere() {
		if (!state.cursor || element.hidden || session.playing()) return;
		here("delete")();
		emit("question", { words: "notes.deleted", action: () => session.tell("undelete") });
	}

	function refresh() {
		const own = record.get(state.cursor);
		const comment = own?.comment ?? "";
		const moved = !writing && state.cursor !== node;
		if (moved) {
			keepNow();
			node = state.cursor;
		}
		if (moved || (document.activeElement !== text && comment !== kept)) {
			kept = comment;
			text.value = comment;
		}
		element.hidden = state.problem || state.learn;
		marks.forEach((button, index) => {
			aria(button, "pressed", Boolean(own?.marks.includes(MARKS[index])));
			button.disabled = !state.cursor;
		});
		promote.disabled = mainline.disabled = session.playing() || record.isMainLine(state.cursor);
		remove.disabled = session.playing() || !state.cursor;
	}

	addEventListener("pagehide", leave);
	on("tree:reset", () => {
		sendUnsent();
		node = null;
		writing = false;
	});
	on("cursor game problem learn tree:reset tree:order", refresh);
	on("tree:node", (changed) => {
		if (changed.id === state.cursor) refresh();
	});
	return { element, deleteHere, focus: () => text.focus() };
}
