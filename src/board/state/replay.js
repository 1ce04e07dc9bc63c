// Shows a game in a file of its own, without a program: the file has what the program would have said.

import { h, perFrame, s, setLabel, setText } from "./dom.js";
import { button, cardHead, iconButton } from "./controls.js";
import { listed, localize, nextLanguage, t } from "./i18n.js";
import { playerName } from "./names.js";
import { COLOURS, SQUARES, toSfen } from "./shogi.js";
import { coordinatesOf, loadSettings } from "./settings.js";
import { pieceDefinitions, pieceSvg } from "./pieces.js";
import { createStore } from "./store.js";
import { createRecord } from "./record.js";
import { createSession } from "./session.js";
import { createLook } from "./look.js";
import { createBoard } from "./board.js";
import { createArrows } from "./arrows.js";
import { drawn } from "./drawing.js";
import { createHand } from "./hands.js";
import { createPlayerBars } from "./player-bars.js";
import { createWalk } from "./walk.js";
import { createTree } from "./tree.js";
import { createCurve } from "./curve.js";
import { createReview } from "./review.js";
import { createNotices } from "./notices.js";
import { createSounds } from "./sound.js";
import { openPreferences } from "./preferences.js";
import { captionOf, diagramPng, download } from "./share.js";

const { messages, checks, records } = JSON.parse(document.getElementById("game").textContent);

const store = createStore({
	connection: "open",
	engines: new Map(),
	analyses: new Map(),
	reviewed: new Map(),
	cursor: 0,
	settings: loadSettings(),
});
const { state, on } = store;
const record = createRecord(store);
const session = createSession(store, record);
const app = { ...store, record, session, ...createLook(store, document.title) };

/** Answers as the program does, which a file has not. */
async function answer(type, { node }) {
	if (type !== "goto") return;
	const position = record.positionAt(node);
	const king = position.side === "black" ? "K" : "k";
	const check = checks.includes(node) ? [SQUARES[position.board.indexOf(king)]] : [];
	session.receive({
		type: "position",
		...position,
		last: record.get(node).move,
		cursor: node,
		check,
		legal: [],
		threats: null,
		result: record.get(node).end,
		repetition: 1,
	});
}
session.attach({ send: answer });

const colourAt = (place) => ((place === "bottom") === state.settings.flipped ? "white" : "black");
const board = createBoard();
setLabel(board.element, "board.section", "tip");
const hands = { top: createHand("top"), bottom: createHand("bottom") };
const playerBars = createPlayerBars(app, colourAt);
const walk = createWalk(app);
board.element.addEventListener("wheel", walk.turn, { passive: false });
const area = h("div.area", playerBars.top, hands.top, board, playerBars.bar, hands.bottom, playerBars.bottom, walk);
const arrows = createArrows(area, board);

function showPosition() {
	const { settings, preview } = state;
	const view = preview ?? state.position;
	if (!view) return;
	const { pieces, flipped } = settings;
	const ghost = Boolean(preview);
	board.element.dataset.sfen = toSfen(view);
	board.show({
		board: view.board,
		last: view.last,
		check: ghost ? [] : view.check,
		ghost,
		flipped,
		pieces,
		coordinates: coordinatesOf(settings),
	});
	for (const [place, hand] of Object.entries(hands)) {
		const colour = colourAt(place);
		hand.show({
			colour,
			hand: view.hands[colour],
			pieces,
			all: false,
			active: false,
			selected: null,
		});
	}
	playerBars.refresh(view);
	arrows.show(ghost ? [] : drawn(record.get(state.cursor)));
}
on("position preview settings", showPosition);

const players = h("span.ellipsis");
const result = h("p.status");
const facts = h("p.status-more");
const languageSwitch = h("button.language.plain", {
	tip: "bar.language",
	t: "bar.next",
	click: () => app.change({ language: nextLanguage() }),
});
const showHead = perFrame(() => {
	const { header } = state;
	setText(players, COLOURS.map((colour) => playerName(header, colour)).join("  "));
	const end = record.get(record.lineThrough(0).at(-1)).end;
	setText(result, end ? localize(end.text) : players.textContent);
	setText(
		facts,
		listed([
			header.event,
			header.round,
			header.site,
			header.date,
			header.timeControl,
			header.handicap && t(`handicap.${header.handicap}`),
		]),
	);
	facts.hidden = !facts.textContent;
});
on("header settings tree:reset", showHead);

const name = (extension) => `${document.title}.${extension}`;
const saves = [
	...records.map(([extension, text]) =>
		button(extension.toUpperCase(), "download", () =>
			download(name(extension), new Blob([text], { type: "text/plain;charset=utf-8" })),
		),
	),
	button("PNG", "download", async () =>
		download(
			name("png"),
			await diagramPng(state.position, {
				...state.settings,
				coordinates: coordinatesOf(state.settings),
				caption: captionOf(state, record),
			}),
		),
	),
];

const review = createReview({ ...app, learn: null });
const curve = h("section.card.curve-card", cardHead("curve.title"), createCurve(app));
const notices = createNotices(app);
createSounds(app);
const tree = createTree(app);
document.body.append(
	s("svg.definitions", { width: 0, height: 0 }, pieceDefinitions()),
	h(
		"header.bar",
		h("h1.brand", pieceSvg("+P", "kanji"), "judkins"),
		players,
		h("span.spacer"),
		languageSwitch,
		iconButton("prefs.title", "settings", () => openPreferences(app)),
	),
	h(
		"main.page",
		h("section.board-view", { tip: "board.section" }, area),
		h(
			"div.panels.replay",
			h("section.card.said", result, facts, h("div.row.buttons", saves)),
			h("section.card.moves", tree),
			curve,
			review.found,
		),
	),
	notices.element,
	notices.voice,
);

document.addEventListener("keydown", (event) => {
	const action = { ...walk.keys, f: () => app.toggle("flipped") }[event.key];
	if (
		!action ||
		event.ctrlKey ||
		event.metaKey ||
		event.altKey ||
		event.defaultPrevented ||
		event.target.closest("dialog")
	)
		return;
	event.preventDefault();
	action();
});

for (const message of messages) session.receive(message);
const isReviewed = Boolean(state.review);
review.found.hidden = !isReviewed;
curve.hidden = !isReviewed && !record.lineThrough(0).some((id) => record.get(id).eval);
answer("goto", { node: 0 });
// Behind the work that waits for the first frame.
requestAnimationFrame(() => {
	document.body.dataset.ready = "yes";
});
