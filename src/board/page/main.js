// Puts the page together.

import { h, s, perFrame } from "./dom.js";
import { cardHead } from "./controls.js";
import { createStore } from "./store.js";
import { createRecord } from "./record.js";
import { createSession } from "./session.js";
import { connect } from "./socket.js";
import { loadSettings } from "./settings.js";
import { createLook } from "./look.js";
import { t } from "./i18n.js";
import { pieceDefinitions } from "./pieces.js";
import { createBoardView } from "./board-view.js";
import { createTyped } from "./typed.js";
import { createTree } from "./tree.js";
import { createNotes } from "./notes.js";
import { createAnalysis } from "./analysis.js";
import { createCurve } from "./curve.js";
import { createLearn } from "./learn.js";
import { createReview } from "./review.js";
import { createPlay } from "./play.js";
import { createProblem } from "./problem.js";
import { createLessons } from "./lessons.js";
import { createSolve } from "./solve.js";
import { createWelcome } from "./welcome.js";
import { createGames } from "./games.js";
import { createExplorer } from "./explorer.js";
import { createEditor, createEdits } from "./editor.js";
import { createNotices } from "./notices.js";
import { createOutage } from "./outage.js";
import { createBar } from "./bar.js";
import { createPanels } from "./panels.js";
import { createSounds } from "./sound.js";
import { openNewGame } from "./newgame.js";
import { acceptDrops, openHeader, openOpen, openShare } from "./files.js";
import { openLibrary } from "./library.js";
import { openEngines } from "./engines.js";
import { openKeys, openPreferences } from "./preferences.js";
import { askBefore } from "./dialogs.js";
import { listenToKeys } from "./keys.js";
import { createWalk } from "./walk.js";
import { linked, unpack } from "./share.js";

const VERSION = 4;

const store = createStore({
	connection: "connecting",
	engines: new Map(),
	analyses: new Map(),
	reviewed: new Map(),
	cursor: 0,
	threats: false,
	settings: loadSettings(),
});
const { state, set, on, emit } = store;
const { change, toggle } = createLook(store);

const record = createRecord(store);
const session = createSession(store, record);
const app = { ...store, record, session, change, toggle, sitAs, replaceWith, edits: createEdits(store) };
app.dialogs = {
	newGame: (sfen, level) => openNewGame(app, sfen, level),
	open: (text) => openOpen(app, text),
	fresh: () => replaceWith(() => session.tell("study")),
	library: () => state.hello && openLibrary(app),
	share: () => state.hello && state.position && openShare(app),
	header: () => openHeader(app),
	engines: () => openEngines(app),
	prefs: () => openPreferences(app),
	keys: openKeys,
	problems: () => app.problem.start(),
	lessons: () => app.lessons.start(),
	edit: () => state.position && !state.edit && !session.playing() && app.edits.start(),
};

/** Puts this colour below; `forNow`: as long as a problem is shown. */
function sitAs(colour, forNow) {
	const { flipped, flippedBefore } = state.settings;
	change({ flipped: colour === "white", flippedBefore: forNow ? (flippedBefore ?? flipped) : null });
}
on("problem learn", () => {
	const flipped = state.settings.flippedBefore;
	if (!state.problem && !state.learn && flipped !== null) change({ flipped, flippedBefore: null });
});

/** Replaces the board's game; asks before one ends or a changed set-up is lost. */
function replaceWith(action, usesEdit) {
	const replace = () => {
		set({ replaces: true });
		action();
	};
	if (session.playing()) askBefore("replace.title", "replace.ask", "replace.yes", "replace.no", replace);
	else if (!usesEdit && app.edits.isChanged())
		askBefore("editor.title", "editor.lost", "problem.leave", "cancel", replace);
	else replace();
}

app.putBack = () => replaceWith(() => session.tell("putBack"));
app.boardView = createBoardView(app);
app.typed = createTyped(app);
app.problem = createProblem(app);
app.lessons = createLessons(app);
const welcome = createWelcome(app);
app.analysis = createAnalysis(app);
app.learn = createLearn(app);
const tree = createTree(app);
const notes = createNotes(app);
const review = createReview(app);
const notices = createNotices(app);
createSounds(app);
const bar = createBar(app);
const said = [createPlay(app), app.problem, app.lessons, app.learn, createSolve(app), createEditor(app)];
const panels = createPanels(app, said, {
	engine: app.analysis,
	moves: h("section.card.moves", welcome, tree, notes),
	games: createGames(app),
	explorer: createExplorer(app),
	curve: h("section.card.curve-card", cardHead("curve.title", review), createCurve(app)),
	review: review.found,
});
app.notes = {
	...notes,
	focus: () => {
		panels.show("moves");
		notes.focus();
	},
};

const walk = createWalk(app);
listenToKeys(app, walk.keys);
app.boardView.area.append(walk.element);
walk.element.append(app.typed.element);
app.boardView.board.addEventListener("wheel", walk.turn, { passive: false });

const refresh = perFrame(() => {
	bar.refresh();
	panels.refresh();
});
on("game series games review edit header files position problem learn settings", refresh);

document.body.append(
	s("svg.definitions", { width: 0, height: 0 }, pieceDefinitions()),
	bar.element,
	createOutage(store),
	h("main.page", app.boardView, panels),
	notices.element,
	notices.voice,
);
acceptDrops(app);

session.attach(
	connect({
		onMessage(message, answered) {
			if (message.type === "hello" && message.version !== VERSION) emit("trouble", t("trouble.version"));
			session.receive(message, answered);
			if (message.type === "ready" && !document.body.dataset.ready) greetSoon();
		},
		onState: (connection) => set({ connection }),
	}),
);

// An analysis that nobody sees pauses.
const tellVisibility = () => state.connection === "open" && session.tell("watch", { on: !document.hidden });
document.addEventListener("visibilitychange", tellVisibility);
on("connection", tellVisibility);

/** Shows the page, in the frame in which its parts show what is known. */
const greetSoon = perFrame(greet);

function greet() {
	document.body.dataset.ready = "yes";
	app.edits.resume();
	welcome.refresh();
	offerLink();
	addEventListener("hashchange", offerLink);
}

/** Opens a link's position or game on an empty board, and else offers it. */
function offerLink() {
	const { sfen, game } = linked();
	if (!sfen && !game) return;
	history.replaceState(history.state, "", location.pathname + location.search);
	const { files, problem, edit } = state;
	const isUsed = files.name || files.unsaved || state.game || problem || edit || record.get(0).children.length > 0;
	const offer = (words, action) =>
		isUsed ? emit("question", { words, yes: "link.open", action: () => replaceWith(action), stays: true }) : action();
	if (sfen) offer("link.ask", () => session.tell("study", { sfen }));
	else
		unpack(game).then(
			(text) => offer("link.askGame", () => session.tell("paste", { text })),
			() => emit("notice", t("link.damaged")),
		);
}

on("replaced", () => emit("question", { words: "replace.done", action: app.putBack }));
