// The players' bars with their clocks, and the evaluation bar beside the board.

import { h, setClasses, setText } from "./dom.js";
import { clockText, percent, scoreWords, signOf } from "./names.js";
import { t } from "./i18n.js";

/** How often a running clock is shown. */
const TICK_MS = 100;
/** Below this a clock warns and shows tenths. */
export const LOW_MS = 10_000;

/** `colourAt(place)` says who sits at the `top` and at the `bottom`. */
export function createPlayerBars({ state, session }, colourAt) {
	function createPlate(place) {
		const parts = {
			mark: h("span.plate-mark", { "aria-hidden": "true" }),
			name: h("span.plate-name.ellipsis"),
			note: h("span.plate-note"),
			clock: h("span.clock", { role: "timer" }),
		};
		return { ...parts, element: h(`div.plate.plate-${place}`, Object.values(parts)) };
	}
	const bars = { top: createPlate("top"), bottom: createPlate("bottom") };
	const black = h("div.eval-black");
	const bar = h("div.eval", { role: "meter", tip: "eval.label", "aria-valuemin": 0, "aria-valuemax": 100 }, black);

	function refresh(view) {
		const { header } = state;
		const game = session.gameHere();
		// Show the result at the last move only.
		const over = view.result;
		for (const [place, { mark, name, note, element }] of Object.entries(bars)) {
			const colour = colourAt(place);
			const player = game?.[colour];
			const thinking =
				game && !game.result && game.waiting === "engine" && game.toMove === colour && !session.failure(player);
			const winner = over?.winner === colour;
			setText(mark, signOf(colour));
			setText(name, header?.[colour] || player?.name || t(colour));
			const toMove = view.side === colour && !over;
			setText(note, winner ? t("plate.won") : thinking ? t("engine.thinking") : toMove ? t("plate.toMove") : "");
			setClasses(element, { "to-move": toMove, thinking, winner });
		}
		tick();
		refreshBar();
	}

	let ticking = 0;
	let now;
	function tick() {
		clearTimeout(ticking);
		const open = state.connection === "open";
		if (open) now = performance.now();
		const game = session.gameHere();
		for (const [place, { clock }] of Object.entries(bars)) {
			const colour = colourAt(place);
			const left = game?.clocks?.[colour];
			clock.hidden = !left;
			if (!left) continue;
			const running = game.running === colour;
			const gone = running ? now - game.received : 0;
			const byoyomi = left.main <= gone && left.byoyomi > 0;
			const rest = Math.max(0, left.main + (byoyomi ? left.byoyomi : 0) - gone);
			setText(clock, clockText(rest));
			clock.ariaLabel = t("clock.label", { side: t(colour), time: clock.textContent });
			const low = rest < LOW_MS;
			setClasses(clock, { running, byoyomi, low });
			if (running && open) ticking = setTimeout(tick, TICK_MS);
		}
	}

	function refreshBar() {
		const hidden = (session.playing() && !session.watched()) || state.learn || state.edit || state.problem;
		const score = hidden ? null : session.scoreOf(state.cursor);
		bar.hidden = !state.settings.evalBar;
		setClasses(bar, { unknown: !score, flipped: state.settings.flipped });
		if (!score) return (bar.ariaValueText = "–");
		black.style.transform = `scaleY(${score.win})`;
		bar.ariaValueNow = Math.round(score.win * 100);
		bar.ariaValueText = t("eval.words", { score: scoreWords(score), win: percent(score.win) });
	}

	return { ...bars, bar, refresh };
}
