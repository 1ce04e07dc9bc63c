// The games of a file. Only the rows in sight are elements, so ten thousand games scroll like ten.

import { aria, h, setText, perFrame } from "./dom.js";
import { t } from "./i18n.js";

const ROW_HEIGHT = 34;
const SPARE_ROWS = 6;

/** Both players; who has won stands out. */
export function playersOf({ black, white, result }) {
	const player = (name, won) => h(won ? "b" : "span", { text: name || "?" });
	return [player(black, result === "1-0"), " – ", player(white, result === "0-1")];
}

export const resultText = ({ result }) => (result === "1/2-1/2" ? "½–½" : (result?.replace("-", "–") ?? ""));

export const reasonText = ({ reason }) => t(`reason.${reason}`).replace(/^reason\..*/, "");

export function createGames({ state, on, session, replaceWith }) {
	const title = h("b.ellipsis");
	const live = h("span.tag", { t: "games.live" });
	const count = h("span.quiet");
	const filter = h("input.text", {
		type: "search",
		hint: "games.filter",
		tip: "games.filter",
		input: () => refresh(true),
	});
	const rows = h("div.game-rows");
	const view = h(
		"div.game-view.scroll",
		{ role: "listbox", tabindex: "0", tip: "games.title", scroll: () => drawSoon(), click, keydown },
		rows,
	);
	const element = h(
		"section.card.games-card",
		h("header.card-head", title, live, h("span.spacer"), count),
		filter,
		view,
	);

	let list = null;
	let drawn = new Map();
	let chosen = -1;

	function matching() {
		const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
		const { games } = state.games;
		return words.length === 0
			? games
			: games.filter((game) => {
					const text =
						`${game.index + 1} ${game.black} ${game.white} ${game.result} ${game.reason} ${game.date}`.toLowerCase();
					return words.every((word) => text.includes(word));
				});
	}

	function refresh(again) {
		const { games } = state;
		if (!games) return;
		if (again || !list || filter.value) list = matching();
		setText(title, games.name);
		live.hidden = !games.live;
		setText(count, filter.value ? `${list.length} / ${games.total}` : t("games.count", { count: games.total }));
		rows.style.height = `${list.length * ROW_HEIGHT}px`;
		draw();
	}

	function draw() {
		if (!list) return;
		const first = Math.max(0, Math.floor(view.scrollTop / ROW_HEIGHT) - SPARE_ROWS);
		const last = Math.min(list.length, Math.ceil((view.scrollTop + view.clientHeight) / ROW_HEIGHT) + SPARE_ROWS);
		const before = drawn;
		drawn = new Map();
		for (let index = first; index < last; index += 1) {
			const game = list[index];
			const shown = before.get(game) ?? rows.appendChild(row(game));
			before.delete(game);
			drawn.set(game, shown);
			shown.style.transform = `translateY(${index * ROW_HEIGHT}px)`;
			shown.classList.toggle("chosen", index === chosen);
			aria(shown, "selected", state.games.current === game.index);
		}
		for (const gone of before.values()) gone.remove();
	}

	function row(game) {
		return h(
			"div.game-row",
			{ role: "option", "data-index": game.index },
			h("span.quiet", { text: game.index + 1 }),
			h("span.ellipsis", playersOf(game)),
			h("span", { text: resultText(game) }),
			h("span.ellipsis", { text: reasonText(game) }),
			h("span.quiet", { text: game.plies }),
		);
	}

	function click(event) {
		const at = event.target.closest(".game-row");
		if (at) open(list.findIndex((game) => game.index === Number(at.dataset.index)));
	}

	function open(index) {
		if (!list[index]) return;
		replaceWith(() => {
			chosen = index;
			state.games.current = list[index].index;
			session.tell("openGame", { index: state.games.current });
			draw();
		});
	}

	function keydown(event) {
		const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
		if (event.key === "Enter") open(chosen);
		else if (!step) return;
		else {
			chosen = Math.min(list.length - 1, Math.max(0, chosen + step));
			const top = chosen * ROW_HEIGHT;
			view.scrollTop = Math.min(top, Math.max(view.scrollTop, top + ROW_HEIGHT - view.clientHeight));
			draw();
		}
		event.preventDefault();
		event.stopPropagation();
	}

	const drawSoon = perFrame(draw);
	const refreshSoon = perFrame(refresh);
	on("games settings", () => {
		list = null;
		rows.replaceChildren();
		drawn = new Map();
		refreshSoon();
	});
	on("games:added", refreshSoon);
	new ResizeObserver(drawSoon).observe(view);
	return { element };
}
