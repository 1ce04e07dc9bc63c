// The game being played.

import { h, setLabel, setText, perFrame } from "./dom.js";
import { icon } from "./icons.js";
import { button } from "./controls.js";
import { percent, plannedWords } from "./names.js";
import { saveText } from "./share.js";
import { COLOURS, other } from "./shogi.js";
import { localize, t } from "./i18n.js";

/** How long a button that ends the game waits for the second press. */
const SURE_WITHIN_MS = 3500;

const humansOf = (game) => COLOURS.filter((colour) => game[colour].kind === "human");

export function createPlay({ state, on, session, record, dialogs, sitAs }) {
	const tell = (type) => () => session.tell(type);
	const status = h("p.status");
	const reason = h("p.status-more");
	const back = button("play.return", "last", () => session.goto(state.game.node), { class: "primary" });
	const restart = button(
		"engines.restart",
		"again",
		() => session.tell("restart", { engine: state.game[state.game.toMove].engine }),
		{ class: "primary" },
	);
	const takeback = button("play.takeback", "back", tell("takeback"));
	const hint = button("play.hint", "hint", session.hint);
	const declare = confirm("play.declare", "declare", tell("declare"));
	const resign = confirm("play.resign", "resign", tell("resign"));
	const stop = confirm("play.stop", "stop", tell("endgame"));
	const duringGame = h("div.row.buttons", restart, takeback, hint, declare, resign, stop);
	const afterGame = h(
		"div.row.buttons",
		button("play.rematch", "again", rematch, { class: "primary" }),
		button("bar.new", "plus", () => dialogs.newGame()),
		button("play.analyse", "curve", tell("endgame")),
	);
	const suggested = h("button.link", { click: () => dialogs.newGame(null, state.game.suggestion?.level) });
	const score = h("div.status-more");
	const strength = h("div.status-more");
	const save = ({ currentTarget }) => {
		const format = currentTarget.textContent.toLowerCase();
		session.tell("exportKept", { games: state.series.kept, format }, saveText);
	};
	const exports = ["PGN", "KIF"].map((text) => h("button.link", { text, click: save }, icon("download")));
	const standing = h("div", score, strength);
	const element = h(
		"section.card.said",
		{ hidden: true, tip: "play.title" },
		h("div.status-row", status, back, suggested, exports),
		reason,
		standing,
		duringGame,
		afterGame,
	);

	function rematch() {
		const { game } = state;
		const [player, another] = humansOf(game);
		if (player && !another) sitAs(other(player));
		session.tell("rematch");
	}

	function confirm(key, name, action) {
		let timer = 0;
		const words = h("span", { t: key });
		const own = h("button", { click: press, blur: () => ask(false) }, icon(name), words);
		function ask(asking) {
			clearTimeout(timer);
			own.classList.toggle("confirm", asking);
			setLabel(words, asking ? "play.confirm" : key);
			if (asking) timer = setTimeout(ask, SURE_WITHIN_MS, false);
		}
		function press() {
			const again = own.classList.contains("confirm");
			ask(!again);
			if (again) action();
		}
		return own;
	}

	const refresh = perFrame(() => {
		const { position, cursor, series, edit, problem: puzzle, learn, planned } = state;
		const game = session.gameHere();
		element.hidden = !game && (!series || edit || puzzle || learn);
		for (const each of [standing, ...exports]) each.hidden = !series;
		if (series) refreshSeries(series);
		duringGame.hidden = afterGame.hidden = reason.hidden = back.hidden = suggested.hidden = true;
		if (!game) return;
		const over = Boolean(game.result) && !series?.running;
		const away = !game.result && cursor !== game.node && !position?.provisional;
		const humans = humansOf(game).length;
		const seat = game[game.toMove];
		const problem = !game.result && game.waiting === "engine" && session.failure(seat);
		if (!series || problem || away) setText(status, problem ? t("engine.dead") : words(game, away, humans));
		reason.hidden = false;
		setText(
			reason,
			game.result
				? game.result.winner && humans !== 1 && !series
					? ""
					: localize(game.result.text)
				: problem
					? localize(problem)
					: planned
						? plannedWords(state)
						: position?.repetition > 1
							? t("play.repetition", { count: position.repetition })
							: position?.impasse
								? t("play.impasse", position.impasse)
								: "",
		);
		duringGame.hidden = over;
		afterGame.hidden = !over;
		back.hidden = !away;
		restart.hidden = !problem || !state.engines.has(seat.engine);
		const locked = game.waiting !== "human" || away;
		hint.disabled = locked;
		// One has to have moved.
		takeback.disabled = record.get(game.node)?.ply < (game[other(game.toMove)].kind === "human" ? 1 : 2);
		takeback.hidden = hint.hidden = resign.hidden = humans === 0;
		stop.hidden = humans === 1;
		declare.hidden = !position?.mayDeclare || locked;
		suggested.hidden = !over || !game.suggestion;
		if (game.suggestion) setText(suggested, localize(game.suggestion.text));
	});

	function refreshSeries({ names, wins, draws, losses, games, estimate, los, kept, running }) {
		const played = wins + draws + losses;
		setText(status, t(running ? "series.on" : "series.over", { number: played + 1, played, games }));
		const points = (won) => won + draws / 2;
		setText(score, `${names[0]} ${points(wins)} : ${points(losses)} ${names[1]} (+${wins} =${draws} −${losses})`);
		setText(strength, estimate ? `${estimate} · ${t("series.los", { name: names[0], los: percent(los) })}` : "");
		for (const each of exports) each.disabled = kept.length === 0;
	}

	function words(game, away, humans) {
		if (game.result) {
			const { winner } = game.result;
			if (!winner) return t("play.draw");
			if (humans !== 1) return localize(game.result.text);
			return t(game[winner].kind === "human" ? "play.youwon" : "play.youlost");
		}
		if (away) return t("learn.away");
		if (game.waiting === "engine") return t("play.thinking", { name: game[game.toMove].name });
		return t(humans === 2 ? `tomove.${game.toMove}` : "play.yours");
	}

	on("game series position planned cursor edit problem learn settings engines tree:removed", refresh);
	return { element };
}
