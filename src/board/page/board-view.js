// Decides what the board shows, and plays what is moved.

import { afterPause, h, perFrame } from "./dom.js";
import { createBoard } from "./board.js";
import { createHand } from "./hands.js";
import { createInput } from "./input.js";
import { createArrows } from "./arrows.js";
import { createDrawing, drawn } from "./drawing.js";
import { createPlayerBars } from "./player-bars.js";
import { askPromotion } from "./promotion.js";
import { SQUARES, hasPiece, other, reach, source, squareIndex, target, toSfen } from "./shogi.js";
import { coordinatesOf } from "./settings.js";
import { editRules } from "./editor.js";
import { squareWord, t } from "./i18n.js";

/** An alternative that costs more winning chance than this gets no arrow. */
const ARROW_WITHIN = 0.12;
/** How long the reason for a refused move is shown. */
const REFUSED_MS = 6000;

export function createBoardView(app) {
	const { state, set, on, next, session, record } = app;
	const flipped = () => state.settings.flipped;
	const colourAt = (place) => ((place === "bottom") === flipped() ? "white" : "black");
	const board = createBoard();
	const hands = { top: createHand("top"), bottom: createHand("bottom") };
	const playerBars = createPlayerBars(app, colourAt);
	const area = h("div.area", playerBars.top, hands.top, board, playerBars.bar, hands.bottom, playerBars.bottom);
	const element = h("section.board-view", { tip: "board.section" }, area);
	const arrows = createArrows(area, board, (colour) => hands[colourAt("top") === colour ? "top" : "bottom"]);

	/** Whether one can plan a move, to be played after the engine's if legal. */
	const isWaiting = () => session.obstacle() === "play.thinking" && !session.watched();
	const mover = () => (isWaiting() ? other(state.position.side) : state.position.side);
	const isOwn = (from) => hasPiece(state.position, mover(), from);
	const legalFrom = (from) => (session.movable() ? state.position.legal.filter((move) => source(move) === from) : []);
	// Until the legal moves are known, any own piece goes anywhere; `put` waits for them.
	const isEarly = () => session.movable() && state.position.provisional;
	let earlyAt = null; // Where a piece was picked up so.
	let beingDrawn = [];
	const drawing = createDrawing(app, board, (shapes) => {
		beingDrawn = shapes;
		later();
	});
	const playing = {
		key: drawing.key,
		handColour: mover,
		canPick: (from, colour) =>
			(!colour || colour === mover()) && (isEarly() || isWaiting() ? isOwn(from) : legalFrom(from).length > 0),
		// The planned move's piece takes it back.
		tap(square) {
			if (state.planned?.from !== square) return false;
			set({ planned: null });
			return true;
		},
		targets: (from) =>
			isWaiting()
				? reach(state.position, mover(), from)
				: isEarly()
					? SQUARES.filter((square) => !isOwn(square))
					: legalFrom(from).map(target),
		async put(from, _, square, event) {
			const { position, settings } = state;
			if (isWaiting())
				return set({ planned: { move: from + square, from, square, colour: mover(), number: position.number, event } });
			const before = toSfen(position);
			const isOther = () => state.edit || toSfen(state.position) !== before;
			while (state.position.provisional && !isOther()) await next("position");
			const moves = isOther() ? [] : legalFrom(from).filter((move) => target(move) === square);
			if (moves.length === 1) return play(moves[0], event.timeStamp);
			if (moves.length === 0) return isOther() || playing.refuse(from, position.side, square, true);
			const question = new AbortController();
			const inGame = session.playing();
			const stop = on("settings edit position game", () => {
				if (state.settings !== settings || isOther() || session.playing() !== inGame) question.abort();
			});
			const promoted = await askPromotion(
				board,
				square,
				position.board[squareIndex(from)],
				settings.pieces,
				flipped(),
				event,
				question.signal,
			);
			stop();
			if (promoted !== null)
				play(
					moves.find((move) => move.endsWith("+") === promoted),
					performance.now(),
				);
		},
		refuse(from, colour, square, isDrag, byKey) {
			const { position } = state;
			// A click on another of one's own pieces is to pick it up.
			const picks = !from || (!isDrag && square && isOwn(square));
			const what = picks ? { from: square, to: null } : { from, to: square };
			const isEmpty = what.from[1] !== "*" && !position.board[squareIndex(what.from)];
			// A pointer sees that.
			if (isEmpty && !byKey) return;
			refuse(
				isEmpty ? "refused.empty" : session.obstacle(),
				{ square: squareWord(what.from) },
				{ ...what, side: colour },
			);
		},
	};
	/** Shows why a move is refused: a text, or the program's reason. */
	async function refuse(key = session.obstacle(), values = {}, what = null) {
		while (!key && state.position.provisional) await next("position");
		const { position, game } = state;
		const sfen = toSfen(position);
		const refused = key
			? { text: t(key, { name: game?.[position.side].name, ...values }), squares: [] }
			: await session.tell("why", { node: position.cursor, ...what });
		if (!refused || toSfen(state.position) !== sfen) return;
		set({ refused: { ...refused, sfen } });
		forgetRefusal();
	}
	/** Plays a typed move, or says why not. Returns whether it was played. */
	function playTyped(move) {
		const { position } = state;
		const [from, square] = [source(move), target(move)];
		const isPlayed = session.movable() && position.legal.includes(move);
		if (isPlayed) play(move, performance.now());
		// Only the promotion is wrong.
		else if (legalFrom(from).some((legal) => target(legal) === square)) refuse("error.illegal-move", { move });
		else playing.refuse(from, position.side, square, true, true);
		return isPlayed;
	}
	function playPlanned() {
		const { planned, position } = state;
		if (!planned || (isWaiting() && position.number === planned.number)) return;
		if (session.movable() && position.provisional) return;
		set({ planned: null });
		const { from, square, number, event } = planned;
		const isNext = position?.number === number + 1 && !position.result;
		if (isNext && legalFrom(from).some((move) => target(move) === square)) playing.put(from, null, square, event);
	}
	board.element.addEventListener("contextmenu", () => set({ planned: null }));
	const forgetRefusal = afterPause(REFUSED_MS, () => set({ refused: null }));
	const editing = editRules(app);
	const rules = () => (state.edit ? editing : playing);
	const input = createInput({ board, hands: [hands.top, hands.bottom], rules, flipped, onChange: refresh });

	function play(move, since) {
		session.play(move);
		// From the click to the changed page.
		performance.measure("move", { start: since });
	}

	const shown = () => state.edit ?? state.preview ?? state.position;

	function refresh() {
		const view = shown();
		if (!view) return;
		const { settings, edit, preview, refused, problem, planned } = state;
		const chosen = input.state;
		if (chosen.selected && planned) return set({ planned: null });
		if (refused && (chosen.selected || edit || refused.sfen !== toSfen(state.position))) return set({ refused: null });
		// A piece that can no longer be moved is let go.
		const { selected, colour } = chosen;
		const over = selected && !input.busy() && !rules().canPick(selected, colour);
		if (over) chosen.selected = null;
		const ghost = Boolean(preview && !edit);
		board.element.dataset.sfen = toSfen(view);
		const fromHand = chosen.selected?.endsWith("*");
		board.show({
			board: view.board,
			last: edit ? null : view.last,
			check: edit || ghost ? [] : view.check,
			ghost,
			flipped: flipped(),
			pieces: settings.pieces,
			coordinates: coordinatesOf(settings),
			selected: fromHand ? null : chosen.selected,
			causes: refused?.squares ?? [],
			goals: (!edit && problem?.lesson?.marks) || [],
			targets: ghost || edit || isEarly() || !chosen.selected ? [] : playing.targets(chosen.selected),
			cursor: chosen.cursor,
		});
		for (const [place, hand] of Object.entries(hands)) {
			const colour = colourAt(place);
			hand.show({
				colour,
				hand: view.hands[colour],
				pieces: settings.pieces,
				all: Boolean(edit),
				active: Boolean(edit) || (!ghost && (session.movable() || isWaiting()) && mover() === colour),
				selected: fromHand && (chosen.colour ?? view.side) === colour ? chosen.selected[0] : null,
			});
		}
		later();
		if (over && earlyAt === toSfen(state.position)) playing.refuse(selected, colour, null);
		if (!input.busy()) earlyAt = chosen.selected && isEarly() ? toSfen(state.position) : null;
	}

	/** Work that can wait until the move is shown. */
	const later = perFrame(() => {
		if (!state.position) return;
		playerBars.refresh(shown());
		const shapes = state.edit || state.preview ? [] : drawn(record.get(state.cursor));
		arrows.show([
			...wantedArrows().filter(({ move, colour }) => hasPiece(state.position, colour, move)),
			...shapes,
			...beingDrawn,
		]);
	});

	function wantedArrows() {
		const { position, settings, edit, preview, hint, tried, cursor, learn, analyses, problem, planned } = state;
		if (edit || preview) return [];
		const wanted = [];
		// Later ones are above and thin: moves along one line are seen.
		const threats = (position.threats ?? []).map((move) => ({
			move,
			colour: other(position.side),
			kind: "threat",
			weight: 0.4,
		}));
		if (planned) wanted.push({ move: planned.move, colour: planned.colour, kind: "second", weight: 1 });
		if (hint?.node === cursor) wanted.push({ move: hint.move, colour: position.side, kind: "hint", weight: 1 });
		if (!settings.arrows || tried || learn || position.provisional || problem?.state === "playing" || session.playing())
			return [...wanted, ...threats];
		[...analyses.values()]
			.filter((each) => each.on && each.cursor === cursor)
			.forEach(({ lines }, index) => {
				for (const line of [...lines].reverse()) {
					const lost = Math.abs(lines[0].score.win - line.score.win);
					if (line.moves.length === 0 || lost > ARROW_WITHIN) continue;
					const weight = line === lines[0] ? 1 : 0.55 * (1 - lost / ARROW_WITHIN);
					wanted.push({ move: line.moves[0], colour: position.side, kind: index === 0 ? "best" : "second", weight });
				}
			});
		return [...wanted, ...threats];
	}

	on("position game problem edit learn connection", playPlanned);
	on("position preview edit settings connection problem game tried learn refused planned", refresh);
	on("analyses hint header tree:node", later);
	return {
		element,
		area,
		board: board.element,
		refuse,
		playTyped,
		drop: input.drop,
		focus: () => board.element.focus({ focusVisible: true }),
	};
}
