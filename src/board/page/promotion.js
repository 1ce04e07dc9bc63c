// Asks at the square whether a piece promotes: two koma to choose from.

import { h } from "./dom.js";
import { pieceSvg } from "./pieces.js";
import { isDouble } from "./input.js";
import { pieceName } from "./names.js";
import { t } from "./i18n.js";

/**
 * The answer is null when the question was put away or `signal` ended it. `piece` lands on `square` and looks as `set`
 * and `flipped` say. `move` is the event that put it there, whose click is no answer.
 */
export function askPromotion(board, square, piece, set, flipped, move, signal) {
	return new Promise((resolve) => {
		const choice = (promoted) => {
			const shown = promoted ? `+${piece}` : piece;
			const label = t(promoted ? "promotion.yes" : "promotion.no", { piece: pieceName(shown) });
			return h(
				"button",
				{ "aria-label": label, click: (event) => answer(event, promoted) },
				pieceSvg(shown, set, flipped),
			);
		};
		const [yes, no] = [true, false].map(choice);
		const box = h("div.promotion", { role: "dialog", "aria-modal": "true", "aria-label": t("promotion.ask") }, yes, no);
		const veil = h(
			"div.promotion-veil",
			{
				pointerdown: (event) => {
					press = isDouble(move, event) ? null : event;
					event.stopPropagation();
				},
				click: (event) => {
					if (event.target === veil) answer(event, null);
				},
				keydown,
				keyup,
			},
			box,
		);
		const before = document.activeElement;
		// The press that moved the piece ends over this box.
		let press = null;
		let keyed = false;
		board.squares.append(veil);
		const cell = board.cellOf(square);
		box.style.left = `clamp(0%, ${cell.style.left} - 8.3333%, 66.6667%)`;
		box.style.top = cell.style.top;
		yes.focus({ preventScroll: true });
		signal.addEventListener("abort", () => done(null));

		function answer(event, promoted) {
			// Assistive technology clicks without a press; a mouse's clicks are counted.
			if (event.detail === 0 || (press && (press.pointerType === "touch" || event.detail === 1))) done(promoted);
		}

		function keyup(event) {
			if (!keyed) event.preventDefault();
		}

		function keydown(event) {
			event.stopPropagation();
			if (event.repeat) return event.preventDefault();
			keyed = true;
			if (event.key === "Escape") done(null);
			else if (event.key === "+") done(true);
			else if (event.key === "=" || event.key === "-") done(false);
			else if (event.key.startsWith("Arrow") || event.key === "Tab") {
				event.preventDefault();
				(document.activeElement === yes ? no : yes).focus();
			}
		}

		function done(promoted) {
			veil.remove();
			before?.focus?.({ preventScroll: true });
			resolve(promoted);
		}
	});
}
