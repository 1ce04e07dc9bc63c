// Asks for a new game.

import { aria, h, setText } from "./dom.js";
import { field, segments, select } from "./controls.js";
import { openDialog, submitButton } from "./dialogs.js";
import { COLOURS, other } from "./shogi.js";
import { localize, t } from "./i18n.js";

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
};
/** Minutes, seconds of byoyomi, seconds added for each move. */
const CLOCKS = { none: null, fast: [3, 0, 2], calm: [10, 30, 0] };

/** `sfen` is a position to play from; `level` is proposed if given. */
export function openNewGame(app, sfen, level) {
	const {
		store: { state },
		session,
	} = app;
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
			values.map((value) => [value, `new.${name}.${value}`]),
			() => wish[name],
			(value) => {
				wish[name] = value;
				refresh();
			},
		);
	const opponent = choose("opponent", ["engine", "friend", "watch"]);
	const colour = choose("colour", ["black", "white", "random"]);
	const clock = choose("clock", ["none", "fast", "calm", "own"]);
	const engine = field(
		"new.engine",
		select(
			[...engines.values()].map(({ id, name }) => [id, name]),
			(value) => {
				wish.engine = Number(value);
			},
		),
	);
	const slider = h("input", {
		type: "range",
		min: 0,
		max: hello.levels,
		value: wish.level,
		input: () => {
			wish.level = Number(slider.value);
			refresh();
		},
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
		(value) => {
			start = value;
			refresh();
		},
	);
	const handicapNote = h("p.quiet", { t: "new.handicap" });
	const clockNote = h("p.quiet");
	clock.append(clockNote);
	const amount = (name) =>
		field(
			`new.${name}`,
			h("input.text.number", {
				type: "number",
				min: 0,
				max: 600,
				step: "any",
				value: wish[name],
				input: ({ target }) => {
					wish[name] = Math.min(600, Math.max(0, target.valueAsNumber || 0));
				},
			}),
		);
	const ownClock = h("div.row", ["main", "byoyomi", "increment"].map(amount));
	const impasse = select(
		hello.impasseRules.map((rule) => [rule, t(`impasse.${rule}`)]),
		(value) => {
			wish.impasseRule = value;
		},
	);
	const own = field(
		"new.name",
		h("input.text", {
			maxlength: 60,
			value: wish.name,
			hint: "you",
			input: ({ target }) => {
				wish.name = target.value;
			},
		}),
	);

	const dialog = openDialog({
		title: "bar.new",
		body: [
			opponent,
			engine,
			levels,
			colour,
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
		levels.hidden = wish.opponent === "friend";
		own.hidden = colour.hidden = wish.opponent !== "engine";
		engine.hidden = wish.opponent === "friend" || engines.size < 2;
		ownClock.hidden = wish.clock !== "own";
		clockNote.hidden = !ownClock.hidden;
		setText(clockNote, t(`new.clock.${wish.clock}.note`));
		setText(levelNumber, wish.level);
		const elo = engines.get(wish.engine)?.elos?.[wish.level];
		setText(
			levelWords,
			[elo && t("level.elo", { elo }), t(`level.${Math.floor((wish.level / hello.levels) * 10)}`)]
				.filter(Boolean)
				.join(" · "),
		);
		for (const [index, side] of COLOURS.entries())
			setText(colour.querySelectorAll("button")[index], t(`new.colour.${side}`, {}, isHandicap()));
		aria(slider, "valuetext", `${wish.level}, ${levelWords.textContent}`);
		handicapNote.hidden = !start || start === "position";
	}

	function isHandicap() {
		return hello.handicaps.some(({ id }) => id === start);
	}

	function go() {
		const computer = (engine) => ({ kind: "engine", name: engines.get(engine)?.name ?? "", engine, level: wish.level });
		const human = (name) => ({ kind: "human", name });
		const mine = wish.colour === "random" ? (Math.random() < 0.5 ? "black" : "white") : wish.colour;
		// To be watched, the engine chosen plays the next one, if there are more.
		const players = {
			engine: { [mine]: human(wish.name.trim() || t("you")), [other(mine)]: computer(wish.engine) },
			friend: { black: human(t("black", {}, isHandicap())), white: human(t("white", {}, isHandicap())) },
			watch: { black: computer(wish.engine), white: computer(ids[(ids.indexOf(wish.engine) + 1) % ids.length]) },
		}[wish.opponent];
		const times = wish.clock === "own" ? [wish.main, wish.byoyomi, wish.increment] : CLOCKS[wish.clock];
		if (start !== "position") wish.handicap = start;
		const game = {
			...(start === "position" ? { sfen } : start ? { handicap: start } : {}),
			...players,
			clock: times && { main: times[0] * 60, byoyomi: times[1], increment: times[2] },
			impasseRule: wish.impasseRule,
		};
		app.replaceWith(() => {
			app.change({ newGame: wish });
			if (wish.opponent === "engine") app.sitAs(mine);
			session.tell("new", game);
			const byKey = dialog.element.querySelector(":focus-visible");
			dialog.close();
			if (byKey) app.boardView.focus();
		});
	}
}
