// Asks for a new game.

import { h, setText } from "./dom.js";
import { field, segments, select, setChoices, toggle } from "./controls.js";
import { openDialog, submitButton } from "./dialogs.js";
import { COLOURS, other } from "./shogi.js";
import { t } from "./i18n.js";

const DEFAULTS = {
	opponent: "engine",
	engine: 0,
	level: 6,
	colour: "black",
	handicap: "",
	clock: "none",
	main: 10,
	byoyomi: 30,
	increment: 0,
	impasseRule: "Points12",
	name: "",
	sides: [],
	limit: "own",
	time: 1,
	nodes: 10000,
	depth: 8,
	games: 1,
	openings: true,
	resign: 0,
	resignFor: 3,
	draw: 0,
	drawFor: 8,
	drawFrom: 40,
	longest: 0,
};
const TIMES = ["main", "byoyomi", "increment"];
const LIMITS = { own: [], clock: TIMES, time: ["time"], nodes: ["nodes"], depth: ["depth"] };
/** Minutes, seconds of byoyomi, seconds added for each move. */
const CLOCKS = { none: null, fast: [3, 0, 2], calm: [10, 30, 0] };

/** `sfen` is a position to play from; `level` is proposed if given. */
export function openNewGame(app, sfen, level) {
	const { state, session } = app;
	const { hello, engines } = state;
	if (!hello) return;
	const wish = { ...DEFAULTS, ...state.settings.newGame };
	wish.level = level ?? wish.level;
	const ids = [...engines.keys()];
	if (!engines.has(wish.engine)) wish.engine = ids[0] ?? 0;
	let start = sfen ? "position" : wish.handicap;

	const choose = (name, values) =>
		segments(
			`new.${name}`,
			values.map((value) => [value, { t: `new.${name}.${value}` }]),
			() => wish[name],
			(value) => refresh(put(name)(value)),
		);
	const put = (name) => (value) => Object.assign(wish, { [name]: value });
	const opponent = choose("opponent", ["engine", "friend", "watch"]);
	const colour = choose("colour", ["black", "white", "random"]);
	const clock = choose("clock", ["none", "fast", "calm", "own"]);
	const engineNames = [...engines.values()].map(({ id, name }) => [id, name]);
	const engine = field(
		"new.engine",
		select(engineNames, (value) => refresh(put("engine")(Number(value)))),
	);
	const slider = h("input", {
		type: "range",
		min: 0,
		max: hello.levels,
		value: wish.level,
		input: () => refresh(put("level")(Number(slider.value))),
	});
	const levelNumber = h("output");
	const levelWords = h("p.quiet");
	const levels = field("new.level", slider, h("div.level-note", levelNumber, levelWords));
	const startSelect = select(
		[
			...(sfen ? [["position", t("new.position")]] : []),
			["", t("new.even")],
			...hello.handicaps.map(({ id }) => [id, t(`handicap.${id}`)]),
		],
		(value) => refresh((start = value)),
	);
	const handicapNote = h("p.quiet", { t: "new.handicap" });
	const clockNote = h("p.quiet");
	clock.append(clockNote);
	const amount = (name, of, id) => {
		const isTime = [...TIMES, "time"].includes(name);
		const max = isTime ? 600 : name === "games" ? 1000 : 1e9;
		const input = ({ target }) => {
			const value = Math.min(max, Math.max(0, target.valueAsNumber || 0));
			of[name] = isTime ? value : Math.round(value);
		};
		const props = { id, type: "number", min: 0, max, step: isTime ? "any" : 1, value: of[name], input };
		return field(`new.${name.replace(/.*For/, "for")}`, h("input.text.number", props));
	};
	const amounts = (...names) =>
		h(
			"div.row",
			names.map((name) => amount(name, wish, `field-${name}`)),
		);
	const ownClock = amounts(...TIMES);
	const impasse = select(
		hello.impasseRules.map((rule) => [rule, t(`impasse.${rule}`)]),
		put("impasseRule"),
	);
	const own = field(
		"new.name",
		h("input.text", {
			maxlength: 60,
			value: wish.name,
			hint: "you",
			input: ({ target }) => put("name")(target.value),
		}),
	);

	function createSide(colour, index) {
		const engine = ids[index] ?? ids[0];
		const side = { ...DEFAULTS, engine, ...wish.sides[index] };
		if (!engines.has(side.engine)) side.engine = engine;
		const pick = (name, choices) => {
			const change = (value) => {
				side[name] = isNaN(value) ? value : Number(value);
				refreshSide();
			};
			return field(`new.${name}`, select(choices, change, { id: `field-${colour}-${name}` }));
		};
		const parts = {
			engine: pick("engine", engineNames),
			level: pick("level", []),
			limit: pick(
				"limit",
				Object.keys(LIMITS).map((name) => [name, t(`new.${name}`)]),
			),
		};
		const limits = Object.values(LIMITS).flat();
		const fields = limits.map((name) => amount(name, side, `field-${colour}-${name}`));
		function refreshSide() {
			const words = (_, level) => [level, [level, ...elo({ ...side, level })].join(" · ")];
			setChoices(parts.level.lastChild, Array.from({ length: hello.levels + 1 }, words));
			for (const [name, part] of Object.entries(parts)) part.lastChild.value = side[name];
			fields.forEach((each, index) => (each.hidden = !LIMITS[side.limit].includes(limits[index])));
		}
		parts.engine.hidden = engines.size < 2;
		refreshSide();
		return {
			side,
			element: h("div", h("h3", { t: `new.colour.${colour}` }), Object.values(parts), h("div.row", fields)),
		};
	}
	const sides = COLOURS.map(createSide);
	const watch = h(
		"div.more",
		h("div.two-columns", sides),
		amounts("games"),
		h("div.field", toggle("new.openings", put("openings"), wish.openings)),
		h(
			"details.more.field",
			h("summary", { t: "new.early" }),
			h("p.quiet", { t: "new.early.note" }),
			amounts("resign", "resignFor"),
			amounts("draw", "drawFor", "drawFrom"),
			amounts("longest"),
		),
	);

	const dialog = openDialog({
		title: "bar.new",
		body: [
			opponent,
			engine,
			levels,
			colour,
			watch,
			field("new.start", startSelect, handicapNote),
			clock,
			ownClock,
			h("details.more", h("summary", { t: "new.more" }), own, field("new.impasse", impasse)),
		],
		actions: submitButton("new.go"),
		onSubmit: go,
	});
	engine.lastChild.value = wish.engine;
	impasse.value = wish.impasseRule;
	startSelect.value = start;
	refresh();
	dialog.element.querySelector("[type=submit]").focus();

	function refresh() {
		levels.hidden = own.hidden = colour.hidden = wish.opponent !== "engine";
		engine.hidden = levels.hidden || engines.size < 2;
		clock.hidden = wish.opponent === "watch";
		watch.hidden = !clock.hidden;
		ownClock.hidden = clock.hidden || wish.clock !== "own";
		clockNote.hidden = !ownClock.hidden;
		setText(clockNote, t(`new.clock.${wish.clock}.note`));
		setText(levelNumber, wish.level);
		const strength = t(`level.${Math.floor((wish.level / hello.levels) * 10)}`);
		setText(levelWords, [...elo(wish), strength].join(" · "));
		for (const [index, side] of COLOURS.entries())
			setText(colour.querySelectorAll("button")[index], t(`new.colour.${side}`, {}, isHandicap()));
		slider.ariaValueText = `${wish.level}, ${levelWords.textContent}`;
		handicapNote.hidden = !start || start === "position";
	}

	function elo({ engine, level }) {
		const known = state.engines.get(engine)?.elos?.[level];
		return known ? [t("level.elo", { elo: known })] : [];
	}

	function isHandicap() {
		return hello.handicaps.some(({ id }) => id === start);
	}

	function seat({ side: { engine, level, limit: kind, ...amounts } }) {
		const limit = LIMITS[kind].map((name) => [name, amounts[name] * (name === "main" ? 60 : 1)]);
		return {
			kind: "engine",
			engine,
			level,
			...(limit.some(([, value]) => value) && { limit: { kind, ...Object.fromEntries(limit) } }),
		};
	}

	function contest() {
		const { games, openings, resign, resignFor, draw, drawFor, drawFrom, longest } = wish;
		const adjudication = {
			resign: resign ? { score: resign, movecount: resignFor || 1, twosided: true } : null,
			draw: draw ? { score: draw, movecount: drawFor || 1, movenumber: drawFrom } : null,
			max_moves: longest || null,
		};
		return { games: games || 1, openings, adjudication, clock: null };
	}

	function go() {
		const [black, white] = sides.map(seat);
		wish.sides = sides.map(({ side }) => side);
		const computer = { kind: "engine", engine: wish.engine, level: wish.level };
		const human = (name) => ({ kind: "human", name });
		const mine = wish.colour === "random" ? (Math.random() < 0.5 ? "black" : "white") : wish.colour;
		const players = {
			engine: { [mine]: human(wish.name.trim() || t("you")), [other(mine)]: computer },
			friend: { black: human(t("black", {}, isHandicap())), white: human(t("white", {}, isHandicap())) },
			watch: { black, white },
		}[wish.opponent];
		const times = wish.clock === "own" ? [wish.main, wish.byoyomi, wish.increment] : CLOCKS[wish.clock];
		if (start !== "position") wish.handicap = start;
		const game = {
			...(start === "position" ? { sfen } : start ? { handicap: start } : {}),
			...players,
			clock: times?.some(Boolean) ? { main: times[0] * 60, byoyomi: times[1], increment: times[2] } : null,
			impasseRule: wish.impasseRule,
			...(wish.opponent === "watch" && contest()),
		};
		app.replaceWith(() => {
			app.change({ newGame: wish });
			app.sitAs(wish.opponent === "engine" ? mine : "black");
			session.tell("new", game);
			const byKey = dialog.element.querySelector(":focus-visible");
			dialog.close();
			if (byKey) app.boardView.focus();
		}, start === "position");
	}
}
