// The score of a series of games between two engines.

import { h, setText, perFrame } from "./dom.js";
import { button } from "./controls.js";
import { percent } from "./names.js";
import { downloadGames } from "./share.js";
import { t } from "./i18n.js";

export function createSeries({ store: { state, on }, session }) {
	const status = h("p.status", { role: "status" });
	const rows = h("tbody");
	const strength = h("p.status-more");
	const exports = ["pgn", "kif"].map((format) =>
		button(format.toUpperCase(), "download", () => downloadGames(session, state.series.kept, format), {
			"aria-description": t("series.export"),
		}),
	);
	const element = h(
		"section.card.said",
		{ hidden: true, tip: "series.title" },
		status,
		h(
			"table.review-table",
			h(
				"thead",
				h(
					"tr",
					h("td"),
					h("th", { t: "series.points" }),
					["+", "=", "−"].map((text) => h("th", { text })),
				),
			),
			rows,
		),
		strength,
		h("div.row.buttons", exports),
	);

	const refresh = perFrame(() => {
		const { series } = state;
		element.hidden = !series || state.edit || state.problem;
		if (!series) return;
		const { names, wins, draws, losses, games, estimate, los, kept, running } = series;
		const played = wins + draws + losses;
		setText(status, t(running ? "series.on" : "series.over", { number: played + 1, played, games }));
		rows.replaceChildren(
			...[
				[names[0], wins, draws, losses],
				[names[1], losses, draws, wins],
			].map(([name, won, drawn, lost]) =>
				h(
					"tr",
					h("th", { text: name }),
					[won + drawn / 2, won, drawn, lost].map((text) => h("td", { text })),
				),
			),
		);
		setText(
			strength,
			estimate ? `${estimate} · ${t("series.los", { name: names[0], los: percent(los) })}` : t("series.soon"),
		);
		for (const each of exports) each.disabled = kept.length === 0;
	});
	on("series edit problem settings", refresh);
	return { element };
}
