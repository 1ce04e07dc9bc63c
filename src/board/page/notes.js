// The comment, the marks and the variation of the move at the cursor.

import { h, afterPause } from "./dom.js";
import { iconButton } from "./controls.js";
import { joinComment } from "./drawing.js";
import { MARKS, markClass } from "./marks.js";

/** A comment is kept once its writer rests for so long. */
const KEEP_AFTER_MS = 600;

/** The comments that the previous page stored. */
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
		h(`button.mark-button.mark.plain.${markClass(mark)}`, {
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
	/** The node's study and moves: a restart renumbers nodes. */
	let place;
	let kept = "";
	/** Words stay with the move that they were begun at. */
	let writing = false;
	/** Comments that the program may lack, as `{study, moves, before, words}`. */
	const unsent = takeStored();

	const isKept = () => node === null || text.value === kept;
	const written = () => ({ ...place, before: kept, words: text.value });

	function keepNow() {
		if (isKept()) return;
		const comment = written();
		kept = text.value;
		keep(node, comment);
	}

	/** A board in the browser ends with the page, perhaps before the comment is stored. */
	function leave() {
		if (!isKept()) unsent.push(written());
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

	function keep(at, comment) {
		const own = record.get(at);
		if (!own || comment.words === own.comment) return;
		const joined = joinComment(comment.words, own.shapes);
		if (state.connection === "open") session.tell("comment", { node: at, text: joined });
		else unsent.push(comment);
		// Shown at once: fields that jump lose a click.
		record.put({ ...own, comment: joined });
	}

	/** Sends what belongs to this study, and was not changed meanwhile. */
	function sendUnsent() {
		for (const comment of unsent.splice(0)) {
			const at = comment.study === record.study() ? record.nodeAfter(comment.moves) : undefined;
			if (at === undefined) unsent.push(comment);
			else if (record.get(at).comment === comment.before) keep(at, comment);
		}
	}
	const keepSoon = afterPause(KEEP_AFTER_MS, (at) => at === node && keepNow());

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
			place = { study: record.study(), moves: record.movesTo(node) };
		}
		if (moved || (document.activeElement !== text && comment !== kept)) {
			kept = comment;
			text.value = comment;
		}
		element.hidden = state.problem || state.learn;
		marks.forEach((button, index) => {
			button.ariaPressed = Boolean(own?.marks.includes(MARKS[index]));
			button.disabled = !state.cursor;
		});
		promote.disabled = mainline.disabled = session.playing() || record.isMainLine(state.cursor);
		remove.disabled = session.playing() || !state.cursor;
	}

	addEventListener("pagehide", leave);
	on("tree:reset", () => {
		if (!isKept()) unsent.push(written());
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
