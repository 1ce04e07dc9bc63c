// The opening explorer: the book's and the user's moves.

import { afterPause, h } from "./dom.js";
import { cardHead } from "./controls.js";
import { percent, scoreText } from "./names.js";
import { listed, t } from "./i18n.js";

export function createExplorer({ state, on, session }) {
	const list = h("ul.explorer-rows.scroll");
	const empty = h("p.quiet.explorer-none", { t: "explorer.none", role: "status" });
	const element = h("section.card.explorer", cardHead("tab.explorer"), list, empty);
	let shown = [];
	let place;

	function ends({ games, black, white, draws }, key) {
		const bar = h(
			"span.ends",
			{ role: "img" },
			Object.entries({ black, draws, white })
				.filter(([, count]) => count > 0)
				.map(([name, count]) => {
					const share = count / (black + draws + white);
					const part = h(`span.ends-${name}`, { text: share > 0.15 ? percent(share) : "" });
					part.style.flexGrow = count;
					return part;
				}),
		);
		bar.ariaLabel = t("explorer.ends", { black, white, draws });
		return [h("span.quiet", { text: t(key, { count: games }) }), bar];
	}

	function row({ move, text, book, library, file }) {
		const known =
			book &&
			listed(
				[
					book.score && scoreText(book.score),
					book.depth && t("explorer.depth", { depth: book.depth }),
					t("explorer.plies", { plies: book.plies }),
				],
				" · ",
			);
		return h(
			"li",
			h(
				"button.explored.plain",
				{
					"data-move": move,
					click: () => {
						if (place === state.cursor && session.movable() && state.position.legal.includes(move)) session.play(move);
					},
				},
				h("b", session.textOf(text) ?? move),
				known && h("span.explored-book", { text: known }),
				library && h("span.explored-games", ends(library, "games.count")),
				file && h("span.explored-games", ends(file, "explorer.file")),
			),
		);
	}

	function draw() {
		const focused = list.matches(":focus-within");
		list.replaceChildren(...shown.map(row));
		if (focused) list.querySelector("button")?.focus();
		empty.hidden = shown.length > 0;
	}

	const look = afterPause(60, () => {
		const { cursor, position, connection } = state;
		if (!element.checkVisibility() || connection !== "open" || !position || position.provisional) return;
		session
			.ask("explore", { node: cursor })
			.then(({ moves }) => {
				if (cursor !== state.cursor) return;
				[shown, place] = [moves, cursor];
				draw();
			})
			.catch(() => {});
	});
	on("cursor position games game panel", look);
	on("settings", draw);
	return { element };
}
