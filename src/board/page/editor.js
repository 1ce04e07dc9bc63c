// Sets up a position. The server says what is wrong with it.

import { h, setText, afterPause } from "./dom.js";
import { icon } from "./icons.js";
import { iconButton, radioGroup, select, setChoices } from "./controls.js";
import { PALETTE, drawPiece, pieceSvg } from "./pieces.js";
import {
	COLOURS,
	EMPTY_BOARD,
	HAND_KINDS,
	SQUARES,
	START,
	canPromote,
	colourOf,
	isPromoted,
	kindOf,
	makePiece,
	other,
	parseSfen,
	squareIndex,
	toSfen,
} from "./shogi.js";
import { ownedName } from "./names.js";
import { language, localize, t } from "./i18n.js";

/** The server is asked about a position that has stood so long. */
const ASK_AFTER_MS = 120;
const ALL_OF_A_KIND = 2;

const editedSfen = (position, write) => toSfen({ ...position, number: 1 }, write);

/** The edits of the position; each puts a new value into the store. */
export function createEdits({ state, set }) {
	/** The position from before a reload. */
	const kept = history.state;
	/** The position before this event: moving a piece is one edit, but two changes. */
	let before;
	function change(patch) {
		if (!before) queueMicrotask(() => (before = null));
		before ??= state.edit;
		set({ edit: { ...state.edit, verdict: null, unread: undefined, undo: before, ...patch } });
	}
	function undo() {
		let { brush, undo: to } = state.edit;
		while (to?.undo && editedSfen(to) === editedSfen(state.edit)) to = to.undo;
		if (to) set({ edit: { ...to, brush } });
	}
	const at = (square) => state.edit.board[squareIndex(square)];
	const place = (square, piece) => change({ board: state.edit.board.with(squareIndex(square), piece) });
	function addToHand(colour, kind, count) {
		const { hands } = state.edit;
		const held = Math.min(ALL_OF_A_KIND, Math.max(0, (hands[colour][kind] ?? 0) + count));
		change({ hands: { ...hands, [colour]: { ...hands[colour], [kind]: held } } });
	}
	function load(sfen) {
		const position = parseSfen(sfen);
		if (position) change(position);
		return Boolean(position);
	}
	const start = () =>
		set({ preview: null, replaces: false, edit: { ...state.position, result: null, brush: "move", verdict: null } });
	const isChanged = () => state.edit && editedSfen(state.edit) !== editedSfen(state.position);
	function resume() {
		if (!kept) return;
		start();
		load(kept);
	}
	return { change, at, place, addToHand, load, start, isChanged, resume, undo };
}

/** A piece after the next press: promoted, then the other side's, then that one promoted. */
function turnOver(piece) {
	if (canPromote(kindOf(piece)) && !isPromoted(piece)) return `+${piece}`;
	return makePiece(kindOf(piece), other(colourOf(piece)));
}

export function editRules({ state, edits }) {
	const { at, place, addToHand } = edits;
	function takeFrom(source, colour) {
		if (source.endsWith("*")) {
			addToHand(colour, source[0], -1);
			return makePiece(source[0], colour);
		}
		const piece = at(source);
		place(source, null);
		return piece;
	}
	const turn = (square) => {
		if (at(square) && state.edit.brush === "move") place(square, turnOver(at(square)));
	};
	return {
		turn,
		handColour: () => state.edit.side,
		canPick: (source, colour) =>
			source.endsWith("*") ? state.edit.hands[colour]?.[source[0]] > 0 : Boolean(at(source)),
		targets: (source) => SQUARES.filter((name) => name !== source),
		put: (source, colour, square) => place(square, takeFrom(source, colour)),
		tap(square) {
			const { brush } = state.edit;
			if (brush === "move") return false;
			place(square, brush === "erase" || at(square) === brush ? null : brush);
			return true;
		},
		aside(source, colour, handColour) {
			const kind = kindOf(takeFrom(source, colour));
			if (handColour && kind !== "K") addToHand(handColour, kind, 1);
		},
		key(event, square) {
			const kind = event.key.toUpperCase();
			if (kind === "DELETE" || kind === "BACKSPACE") place(square, null);
			else if (kind === "+" || kind === "T") turn(square);
			else if (PALETTE.slice(0, 7).includes(kind)) place(square, makePiece(kind, event.shiftKey ? "white" : "black"));
			else return false;
			return true;
		},
	};
}

export function createEditor(app) {
	const { state, set, on, session, edits } = app;
	const { change } = edits;
	const position = () => editedSfen(state.edit);

	const brush = (name, content, props) =>
		h(
			"button.brush.plain",
			{ "data-brush": name, click: () => set({ edit: { ...state.edit, brush: name } }), ...props },
			content,
		);
	const pieceBrush = (piece) => brush(piece, pieceSvg(piece, "kanji"));
	const tools = [
		brush("move", icon("move"), { tip: "editor.move" }),
		brush("erase", icon("bin"), { tip: "editor.erase" }),
	];
	const palettes = COLOURS.map((colour) =>
		h(
			"div.brushes",
			{ role: "group", tip: colour },
			PALETTE.map((code) => pieceBrush(makePiece(kindOf(code), colour, isPromoted(code)))),
		),
	);
	const brushes = [...tools, ...palettes.flatMap((palette) => [...palette.children])];

	const counters = COLOURS.flatMap((colour) =>
		HAND_KINDS.map((kind) => {
			const step = (name, by) => iconButton(name, name, () => edits.addToHand(colour, kind, by), { class: "small" });
			const [picture, count] = [pieceSvg(kind, "kanji"), h("output")];
			return {
				colour,
				kind,
				picture,
				count,
				element: h("div.counter", { role: "group" }, picture, step("minus", -1), count, step("plus", 1)),
			};
		}),
	);
	const handEditors = COLOURS.map((colour) =>
		h(
			"div.hand-editor",
			h(
				"div.row",
				h("h3", { t: `hand.${colour}` }),
				h("button.link", { t: "editor.rest", click: () => takeRest(colour) }),
			),
			h(
				"div.counters",
				counters.filter((each) => each.colour === colour),
			),
		),
	);

	function takeRest(colour) {
		for (const kind of HAND_KINDS) {
			const { board, hands } = state.edit;
			const used =
				board.filter((piece) => piece && kindOf(piece) === kind).length +
				(hands.black[kind] ?? 0) +
				(hands.white[kind] ?? 0);
			if (used < ALL_OF_A_KIND) edits.addToHand(colour, kind, ALL_OF_A_KIND - used);
		}
	}

	const sides = radioGroup(
		"div.segments",
		"editor.side",
		COLOURS.map((side) => [side, { t: `tomove.${side}`, "data-side": side }]),
		() => state.edit?.side,
		(side) => change({ side }),
	);
	const starts = select(
		[],
		(sfen) => {
			edits.load(sfen);
			starts.value = "";
			starts.blur();
		},
		{ tip: "editor.starts" },
	);
	const problems = h("ul.problems", { "aria-live": "polite" });
	const note = h("p.quiet", { role: "status" });
	const sfen = h("input.text.mono", {
		spellcheck: "false",
		"aria-label": "SFEN",
		change: () => edits.load(sfen.value) || change({ unread: sfen.value }),
	});
	const done = h("button.primary", { t: "editor.done", click: finish });
	const playHere = h("button", { t: "editor.play", click: () => app.dialogs.newGame(position()) });
	const solve = h("button", { t: "solve.start", click: () => session.tell("solve", { sfen: position() }) });

	const element = h(
		"section.card.editor.scroll",
		{ hidden: true, tip: "editor.title" },
		// At the top, visible in every window.
		h(
			"header.editor-head",
			h(
				"div.row",
				h("h2", { t: "editor.title" }),
				h("span.spacer"),
				iconButton("keys.undo", "back", edits.undo),
				h("button", { t: "cancel", click: () => set({ edit: null }) }),
			),
			h("div.row", done, playHere, solve),
			problems,
			note,
		),
		h("p.quiet", { t: "editor.how" }),
		h("div.brushes.tools", tools),
		palettes,
		handEditors,
		sides,
		starts,
		sfen,
	);

	function finish() {
		const sfen = position();
		app.replaceWith(() => session.tell("setPosition", { sfen }), true);
	}

	const ask = afterPause(ASK_AFTER_MS, () => {
		const asked = state.edit;
		if (!asked || asked.verdict) return;
		// Letter by letter, so that three of a kind are too many: a count of 3 is no SFEN.
		const sfen = editedSfen(asked, (piece, count) => piece.repeat(Math.min(count, 4)));
		session.tell("edit", { sfen }, (verdict) => {
			if (state.edit === asked) set({ edit: { ...asked, verdict } });
		});
	});

	let looks = "";
	function refreshLooks({ pieces, flipped }) {
		setChoices(starts, [
			["", t("editor.starts")],
			[START, t("new.even")],
			[EMPTY_BOARD, t("editor.clear")],
			...state.hello.handicaps.map(({ sfen, id }) => [sfen, t(`handicap.${id}`)]),
		]);
		for (const each of brushes.slice(2)) {
			const piece = each.dataset.brush;
			each.ariaLabel = ownedName(piece);
			each.firstChild.replaceChildren(drawPiece(piece, pieces, flipped));
		}
		for (const { colour, kind, picture, element: counter } of counters) {
			picture.replaceChildren(drawPiece(kind, pieces, false));
			counter.ariaLabel = ownedName(makePiece(kind, colour));
		}
	}

	function refresh() {
		const { edit, settings } = state;
		if (edit && element.hidden) scrollTo(0, 0);
		element.hidden = !edit;
		const now = edit ? position() : null;
		if (state.hello && history.state !== now) history.replaceState(now, "");
		if (!edit) return;
		const look = `${settings.pieces} ${settings.flipped} ${language()}`;
		if (look !== looks) refreshLooks(settings);
		looks = look;
		for (const each of brushes) each.ariaPressed = edit.brush === each.dataset.brush;
		for (const { colour, kind, count } of counters) setText(count, edit.hands[colour][kind] ?? 0);
		sides.refresh();
		if (document.activeElement !== sfen) sfen.value = edit.unread ?? now;
		sfen.ariaInvalid = Boolean(edit.unread);
		const said = edit.unread ? [t("editor.unread")] : (edit.verdict?.problems ?? []).map(localize);
		problems.replaceChildren(...said.map((text) => h("li", { text })));
		solve.disabled = said.length > 0 || state.problem || session.playing();
		done.disabled = playHere.disabled = said.length > 0 || edit.verdict?.kingless;
		setText(note, t(edit.verdict?.kingless ? "editor.kingless" : "editor.accepts", { side: t(edit.side) }));
		if (!edit.verdict) ask();
	}

	on("edit settings problem game connection", refresh);
	return { element };
}
