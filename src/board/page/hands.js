// The pieces in hand, on a stand beside the board.

import { h, setClasses, setText } from "./dom.js";
import { drawPiece, pieceSvg } from "./pieces.js";
import { HAND_KINDS, makePiece } from "./shogi.js";
import { pieceName } from "./names.js";
import { t } from "./i18n.js";

export function createHand(place) {
	const slots = Object.fromEntries(
		HAND_KINDS.map((kind) => {
			const drawing = pieceSvg(kind, "kanji");
			const count = h("span.hand-count", { "aria-hidden": "true" });
			return [kind, { drawing, count, element: h("button.hand-piece", { "data-hand": kind }, drawing, count) }];
		}),
	);
	const list = h("div.hand-pieces", { role: "group" }, Object.values(slots));
	const element = h(`div.hand.hand-${place}`, list);
	let looks = "";

	function show({ colour, hand, pieces, selected, active, all }) {
		const newLooks = `${colour} ${pieces}`;
		// White is above, unless the board is flipped.
		const flipped = (place === "top") === (colour === "black");
		element.dataset.color = colour;
		list.ariaLabel = t(`hand.${colour}`);
		for (const kind of HAND_KINDS) {
			const { drawing, count, element: slot } = slots[kind];
			const held = hand[kind] ?? 0;
			if (looks !== newLooks) drawing.replaceChildren(drawPiece(makePiece(kind, colour), pieces, flipped));
			setText(count, held > 1 ? held : "");
			slot.dataset.color = colour;
			slot.hidden = held === 0 && !all;
			slot.ariaDisabled = !active;
			setClasses(slot, { none: held === 0, selected: selected === kind });
			slot.ariaPressed = selected === kind;
			slot.ariaLabel = t("hand.piece", { piece: pieceName(kind), count: held });
		}
		looks = newLooks;
	}

	return { element, show, slotOf: (kind) => slots[kind].element };
}
