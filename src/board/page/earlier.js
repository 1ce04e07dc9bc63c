// Games and studies that others have replaced on the board.

import { h, setText } from "./dom.js";
import { playersOf, reasonText, resultText } from "./games.js";
import { t } from "./i18n.js";

/** The list for a dialog; hidden while there is nothing in it. */
export function earlierGames({ session, replaceWith }) {
	const rows = h("ol.earlier-rows.scroll");
	const gone = h("p.quiet");
	const element = h("section.earlier", { hidden: true }, h("h3", { t: "earlier.title" }), rows, gone);

	const row = (game) => h("li", h("button.earlier-game.plain", { "data-game": game.number, click: () => replaceWith(() => session.tell("openEarlier", { game: game.number })) },
		h("span.ellipsis", game.black || game.white ? playersOf(game) : game.name || t(game.plies ? "earlier.study" : "earlier.position")),
		h("span.earlier-result", game.playing ? t("earlier.playing") : resultText(game)),
		h("span.quiet", [game.date, game.plies > 0 && t("earlier.plies", { count: game.plies }), reasonText(game)].filter(Boolean).join(" · "))));

	session.ask("earlier").then(({ games, dropped }) => {
		rows.replaceChildren(...games.map(row));
		setText(gone, dropped ? t("earlier.dropped", { count: dropped }) : "");
		gone.hidden = !dropped;
		element.hidden = games.length === 0;
	}).catch(session.complain);
	return element;
}
