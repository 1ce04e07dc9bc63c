// The chapters of the study or the games of a file. Only visible rows are elements.

import { h, setText, perFrame } from "./dom.js";
import { button, field, iconButton } from "./controls.js";
import { askName, openDialog } from "./dialogs.js";
import { chooseFile } from "./files.js";
import { toSfen } from "./shogi.js";
import { t } from "./i18n.js";

const ROW_HEIGHT = 34;
const SPARE_ROWS = 6;

export function playersOf({ black, white, result }) {
	const player = (name, won) => h(won ? "b" : "span", { text: name || "?" });
	return [player(black, result === "1-0"), " – ", player(white, result === "0-1")];
}

export const resultText = ({ result }) => (result === "1/2-1/2" ? "½–½" : (result?.replace("-", "–") ?? ""));

export const reasonText = ({ reason }) => t(`reason.${reason}`).replace(/^reason\..*/, "");

export function createGames(app) {
	const { state, emit, on, session, replaceWith } = app;
	const title = h("b.ellipsis");
	const live = h("span.tag", { t: "games.live" });
	const count = h("span.quiet");
	const filter = h("input.text", {
		type: "search",
		hint: "games.filter",
		tip: "games.filter",
		input: () => refresh((isStale = true)),
	});
	const rows = h("div.game-rows");
	const view = h(
		"div.game-view.scroll",
		{ role: "listbox", tabindex: "0", tip: "tab.games", scroll: () => drawSoon(), click, keydown },
		rows,
	);
	const rename = iconButton("library.rename", "edit", askTitle);
	const up = iconButton("games.up", "up", () => move(-1));
	const down = iconButton("games.down", "down", () => move(1));
	const remove = iconButton("library.delete", "bin", deleteChosen);
	const element = h(
		"section.card.games-card",
		h("header.card-head", title, live, h("span.spacer"), count),
		h("div.row.tight.chapters", button("games.add", "plus", askAdd), h("span.spacer"), rename, up, down, remove),
		filter,
		view,
	);

	let list = null;
	let drawn = new Map();
	let chosen = -1;
	let isStale = false;
	const picked = () => list?.[chosen];
	/** The number of a game in the whole list, or -1. */
	const numberOf = (wanted) => state.games?.games.findIndex(({ id }) => id === wanted) ?? -1;

	function matching() {
		const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
		const { games } = state.games;
		return words.length === 0
			? games
			: games.filter(({ id, ...game }, index) => {
					const text = [index + 1, ...Object.values(game)].join(" ").toLowerCase();
					return words.every((word) => text.includes(word));
				});
	}

	function refresh() {
		const { games, chapter } = state;
		for (const each of [view, filter, rename, up, down, remove]) each.hidden = !games;
		if (!games) list = null;
		else if (isStale || !list || filter.value) {
			isStale = false;
			const kept = picked()?.id;
			list = matching();
			const numberIn = (wanted) => list.findIndex(({ id }) => id === wanted);
			chosen = numberIn(kept);
			if (chosen < 0) chosen = numberIn(chapter);
		}
		setText(title, games?.name || t("tab.games"));
		live.hidden = !games?.live;
		const total = games?.games.length;
		setText(count, !games ? "" : filter.value ? `${list.length} / ${total}` : t("games.count", { count: total }));
		rows.style.height = `${(list?.length ?? 0) * ROW_HEIGHT}px`;
		draw();
	}

	function draw() {
		const { chapter, games } = state;
		const first = Math.max(0, Math.floor(view.scrollTop / ROW_HEIGHT) - SPARE_ROWS);
		const last = Math.min(list?.length ?? 0, Math.ceil((view.scrollTop + view.clientHeight) / ROW_HEIGHT) + SPARE_ROWS);
		const before = drawn;
		drawn = new Map();
		for (let index = first; index < last; index += 1) {
			const game = list[index];
			const shown = before.get(game) ?? rows.appendChild(row(game));
			before.delete(game);
			drawn.set(game, shown);
			shown.style.transform = `translateY(${index * ROW_HEIGHT}px)`;
			shown.classList.toggle("chosen", index === chosen);
			shown.ariaSelected = chapter === game.id;
		}
		for (const gone of before.values()) gone.remove();
		const number = numberOf(picked()?.id);
		view.setAttribute("aria-activedescendant", picked() ? `game-${picked().id}` : "");
		rename.disabled = !picked();
		up.disabled = !(number > 0);
		down.disabled = !picked() || number === games.games.length - 1;
		remove.disabled = !picked() || games.games.length < 2;
	}

	function row(game) {
		const { id, title, black, white, plies } = game;
		const number = numberOf(id) + 1;
		const known = black !== "?" || white !== "?";
		return h(
			"div.game-row",
			{ role: "option", id: `game-${id}`, "data-game": id },
			h("span.quiet", { text: number }),
			h(
				"span.ellipsis",
				title && (known ? `${title} · ` : title),
				known ? playersOf(game) : !title && t("games.untitled", { number }),
			),
			h("span", { text: resultText(game).replace("*", "") }),
			h("span.ellipsis", { text: reasonText(game) }),
			h("span.quiet", { text: plies }),
		);
	}

	function click(event) {
		const at = event.target.closest(".game-row");
		if (at) open(list.findIndex(({ id }) => id === Number(at.dataset.game)));
	}

	function open(index) {
		if (!list?.[index]) return;
		replaceWith(() => {
			chosen = index;
			draw();
			session.tell("openGame", { game: picked().id });
		});
	}

	function askAdd() {
		const isChapter = numberOf(state.chapter) >= 0;
		// The title of a chapter is its event.
		const event = (!isChapter && state.header?.event) || "";
		const title = h("input.text", { maxlength: 200, value: event });
		const addChapter = (fields) => {
			dialog.close();
			const isOffered = !fields.here && title.value === event;
			replaceWith(() => session.tell("addChapter", { title: isOffered ? "" : title.value, ...fields }));
		};
		const choice = (key, name, fields) => button(key, name, () => addChapter(fields));
		const dialog = openDialog({
			title: "games.add",
			body: [
				field("library.name", title),
				h(
					"div.row",
					!isChapter && choice("games.here", "moves", { here: true }),
					choice("games.position", "edit", { sfen: toSfen(state.position) }),
					choice("games.start", "plus", {}),
					button("library.import", "open", () => {
						dialog.close();
						chooseFile(app, "open", { add: true });
					}),
				),
			],
			onSubmit: () => addChapter({ here: !isChapter }),
		});
		title.focus();
	}

	function askTitle() {
		const { id, title } = picked() ?? {};
		if (id)
			askName(title, (title, close) => {
				close();
				session.tell("renameChapter", { game: id, title });
			});
	}

	function move(step) {
		const to = numberOf(picked()?.id) + step;
		if (to >= 0 && to < state.games.games.length) session.tell("moveChapter", { game: picked().id, to });
	}

	/** Only a chapter that is on the board replaces what is there. */
	function deleteChosen() {
		if (remove.disabled) return;
		const game = picked().id;
		const perform = game === state.chapter ? replaceWith : (action) => action();
		perform(() => {
			session.tell("deleteChapter", { game });
			const action = () => perform(() => session.tell("restoreChapter", { game }));
			emit("question", { words: "games.deleted", action, stacks: true });
		});
	}

	function reveal() {
		const top = chosen * ROW_HEIGHT;
		view.scrollTop = Math.min(top, Math.max(view.scrollTop, top + ROW_HEIGHT - view.clientHeight));
		draw();
	}

	const KEYS = { Enter: () => open(chosen), Delete: deleteChosen, F2: askTitle };

	function keydown(event) {
		const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }[event.key];
		if (KEYS[event.key]) KEYS[event.key]();
		else if (!step) return;
		else if (event.altKey) move(step);
		else {
			chosen = Math.min(list.length - 1, Math.max(0, chosen + step));
			reveal();
		}
		event.preventDefault();
		event.stopPropagation();
	}

	const drawSoon = perFrame(draw);
	const refreshSoon = perFrame(refresh);
	on("games settings", () => {
		isStale = true;
		rows.replaceChildren();
		drawn = new Map();
		refreshSoon();
	});
	on("games:added", refreshSoon);
	on("chapter", () => {
		chosen = list?.findIndex(({ id }) => id === state.chapter) ?? -1;
		reveal();
	});
	on("panel", reveal);
	new ResizeObserver(drawSoon).observe(view);
	return { element };
}
