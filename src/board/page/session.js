// Messages to and from the server. A move is shown before the server confirms it.

import { SIGNS } from "./marks.js";
import { notationOf } from "./settings.js";
import { playMove } from "./shogi.js";

/** How long a confirmation is waited for. */
const CONFIRM_WITHIN_MS = 3000;

export function createSession({ state, set, emit, on, next }, record) {
	let socket = null;
	/** Actions shown ahead of the server, oldest first: `{node}` or `{node, move}`. */
	let ahead = [];
	/** Positions as the server described them, for the way back. */
	let known = new Map();
	let confirmed = null;
	let wasLost = false;

	const receivers = {
		hello: (message) => set({ hello: message, engines: new Map(message.engines.map((engine) => [engine.id, engine])) }),
		study(message) {
			const walked = wasLost && ahead.length > 0 && record.movesTo(ahead.at(-1).node);
			ahead = [];
			known = new Map();
			record.reset(message);
			const { header, files, start, cursor, chapter } = message;
			set({ header, files, start, chapter, hint: null, preview: null, learn: null, tried: null, thoughts: {} });
			// Edits outlive a lost connection, and what is opened in another tab.
			if (state.replaces) set({ edit: null, replaces: false });
			set({ cursor, position: local(cursor) });
			// A user who moved on stays there; a new server may renumber the nodes.
			if (walked) goto(record.nodeAfter(walked));
			wasLost = false;
		},
		node: ({ node }) => record.put(node),
		nodes: ({ nodes }) => nodes.forEach(record.put),
		removed: record.remove,
		order: record.order,
		header: ({ header }) => set({ header }),
		files: ({ name, unsaved }) => set({ files: { name, unsaved } }),
		position: receivePosition,
		game: ({ game }) =>
			set({ game: game && { ...game, received: performance.now() }, hint: game?.result ? null : state.hint }),
		series: ({ series }) => set({ series }),
		thought: ({ side, thought }) => set({ thoughts: { ...state.thoughts, [side]: thought } }),
		analysis: (message) => set({ analyses: new Map(state.analyses).set(message.engine, message) }),
		engine: ({ engine }) => set({ engines: new Map(state.engines).set(engine.id, engine) }),
		review: ({ review }) => set({ review, reviewed: new Map(review?.moves.map((move) => [move.node, move])) }),
		games: ({ games }) => set({ games }),
		gamesAdded({ games }) {
			if (!state.games) return;
			const known = state.games.games;
			for (const game of games) {
				const index = known.findLastIndex(({ id }) => id === game.id);
				known[index < 0 ? known.length : index] = game;
			}
			emit("games:added");
		},
		problem: ({ problem }) => set({ problem }),
		solve: ({ solve }) => set({ solve }),
		hint({ node, move }) {
			// The cursor may have moved meanwhile.
			if (node === state.cursor) set({ hint: { node, move } });
		},
		replaced: () => emit("replaced"),
		notice: ({ text }) => emit("notice", text),
	};

	/** `answered`: the request's sender gets it too. */
	function receive(message, answered) {
		if (message.type !== "error") receivers[message.type]?.(message);
		else if (!answered) emit("trouble", message.text);
	}

	function receivePosition(message) {
		message.number = record.positionAt(message.cursor).number;
		known.set(message.cursor, message);
		confirmed = message;
		const node = record.get(message.cursor);
		const index = ahead.findLastIndex((step) =>
			step.move ? node?.parent === step.node && node.move === step.move : step.node === message.cursor,
		);
		ahead = ahead.slice(index + 1).filter(({ at }) => performance.now() - at < CONFIRM_WITHIN_MS);
		if (ahead.length > 0 || (state.tried && message.cursor === state.cursor)) return;
		set({
			cursor: message.cursor,
			position: message,
			threats: message.showsThreats,
			...(message.cursor === state.cursor ? {} : { preview: null, tried: null }),
		});
	}

	/** A position worked out here, or the server's where known. */
	function local(id) {
		return known.has(id)
			? { ...known.get(id), threats: null }
			: provisional(record.positionAt(id), id, record.get(id)?.end);
	}

	const provisional = (position, cursor, result) => ({
		...position,
		cursor,
		result,
		legal: [],
		check: [],
		threats: null,
		mayDeclare: false,
		repetition: 1,
		provisional: true,
	});

	function takeBackShown(error) {
		ahead = [];
		if (confirmed) set({ cursor: confirmed.cursor, position: confirmed });
		complain(error);
	}

	/** Why a move in a lesson is wrong stands in the lesson. */
	const complain = ({ code, text }) => text !== undefined && code !== "wrong-move" && emit("trouble", text);

	const ask = (type, fields) => socket.send(type, fields);
	const tell = (type, fields, use) => ask(type, fields).then(use, complain);

	function goto(id) {
		// After a move that is shown ahead, the cursor still stands before it.
		if (!record.get(id) || (id === state.cursor && ahead.length === 0)) return;
		ahead.push({ node: id, at: performance.now() });
		set({ cursor: id, position: local(id), preview: null, hint: null, tried: null });
		// One can look around while the server is away.
		ask("goto", { node: id }).catch((error) => error.code !== "lost" && takeBackShown(error));
	}

	function play(move) {
		const { cursor, position, problem, learn } = state;
		const after = provisional(playMove(position, move), cursor);
		if (learn) return tryMove(move, after);
		ahead.push({ node: cursor, move, at: performance.now() });
		set({ cursor: record.childByMove(cursor, move) ?? cursor, position: after, preview: null, hint: null });
		return ask(problem ? "problemMove" : "play", { node: cursor, move }).catch(takeBackShown);
	}

	function tryMove(move, after) {
		const tried = { move, answer: null };
		set({ position: after, tried });
		// Late: another move is tried, or at another exercise.
		const isAwaited = () => state.tried === tried;
		return ask("learn", { node: state.learn.node, move })
			.then((answer) => isAwaited() && set({ tried: { move, answer } }))
			.catch((error) => {
				if (isAwaited()) showCursor();
				complain(error);
			});
	}

	/** Plays a line into the tree, each move once the one before has its node. */
	async function playLine(moves) {
		const left = [...moves];
		let at = state.cursor;
		while (left.length > 0 && record.childByMove(at, left[0]) !== undefined) at = record.childByMove(at, left.shift());
		goto(at);
		for (const move of left) {
			while (ahead.length > 0) await next("position");
			// The user may have gone elsewhere.
			if (state.cursor !== at || !state.position.legal.includes(move)) return;
			play(move);
			while (ahead.length > 0) await next("position");
			at = record.childByMove(at, move);
		}
	}

	const showCursor = () => set({ position: local(state.cursor), tried: null });

	const bestLine = () =>
		[...state.analyses.values()].find((each) => each.on && each.cursor === state.cursor && each.lines.length > 0)
			?.lines[0];

	/** The score by a running engine, or else what is known. */
	const scoreOf = (id) => (id === state.cursor && bestLine()?.score) || knownScore(id);

	/** The result, or else the score by the record or the review. */
	function knownScore(id) {
		const node = record.get(id);
		const score = node?.eval ?? state.reviewed.get(id)?.after ?? state.reviewed.get(node?.children[0])?.before;
		const winner = node?.end?.winner;
		return winner ? { win: winner === "black" ? 1 : 0, end: true } : score;
	}

	const textOf = (texts) => texts?.[notationOf(state.settings)];

	function marksOf(id) {
		const { marks = [] } = record.get(id) ?? {};
		const sign = SIGNS[state.reviewed.get(id)?.mark];
		return marks.length === 0 && sign ? [sign] : marks;
	}

	const playing = () => Boolean(state.game && (!state.game.result || state.series?.running));

	/** Whether engines play each other, and all of it may be seen. */
	const watched = () => playing() && ["black", "white"].every((colour) => gameHere()?.[colour].kind === "engine");

	/** The game on the board, unless its last move was deleted. */
	function gameHere() {
		const { game, problem, learn, edit } = state;
		return problem || learn || edit || (game?.result && !record.get(game.node)) ? null : game;
	}

	/** Why a seat's engine cannot play, if it cannot. */
	const failure = ({ engine, program }) =>
		state.engines.has(engine) ? state.engines.get(engine).problem : { key: "engine.missing", args: { program } };

	/** The key of the reason why no move can be made; null if one can. */
	function obstacle() {
		const { game, problem, cursor, position, connection, tried, learn } = state;
		if (connection !== "open" || !position) return "trouble.lost";
		if (learn && cursor !== learn.parent) return "learn.away";
		if (tried) return !tried.answer ? "learn.judging" : tried.answer.best ? "refused.over" : "refused.tried";
		if (learn) return null;
		if (problem?.state === "playing") return record.get(cursor)?.ply % 2 === 0 ? null : "refused.reply";
		if (problem) return problem.state === "solved" ? "refused.over" : "refused.tried";
		if (!playing()) return null;
		// A move's position comes before the message of its game.
		if (![cursor, record.get(cursor)?.parent].includes(game.node)) return "learn.away";
		const seat = game[position.side];
		return seat.kind === "human" ? null : failure(seat) ? "engine.dead" : "play.thinking";
	}

	const movable = () => !obstacle();

	on("connection", () => {
		if (state.connection === "open") set({ analyses: new Map() });
		wasLost ||= state.connection === "lost";
	});
	return {
		receive,
		goto,
		play,
		playLine,
		ask,
		tell,
		hint: () => tell("hint"),
		gameHere,
		failure,
		obstacle,
		movable,
		playing,
		watched,
		bestLine,
		scoreOf,
		knownScore,
		textOf,
		marksOf,
		showCursor,
		complain,
		attach: (connection) => (socket = connection),
	};
}
