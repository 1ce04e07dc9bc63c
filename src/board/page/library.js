// The library: find, open, rename, delete and export games.

import { afterPause, h, setText } from "./dom.js";
import { arrowStep, button, iconButton, select, toggle } from "./controls.js";
import { askBefore, askName, openDialog } from "./dialogs.js";
import { readParts } from "./files.js";
import { playersOf, reasonText, resultText } from "./games.js";
import { saveText } from "./share.js";
import { listed, t } from "./i18n.js";

const PAGE = 100;

/** Names the sides as in an even game. */
const named = (key) => t(key, {}, false);
const nameOf = (game) =>
	game.black || game.white ? playersOf(game) : game.name || t(game.plies ? "library.study" : "library.position");

function factsOf(game) {
	const { black, white, name, event, date, plies, level, colour } = game;
	const own =
		colour && `${t("library.you", { side: named(colour) })}${level === null ? "" : ` · ${t("new.level")} ${level}`}`;
	return listed(
		[
			(black || white) && name,
			event,
			date?.replace("T", " "),
			plies > 0 && t("library.plies", { count: plies }),
			reasonText(game),
			own,
		],
		" · ",
	);
}

export function openLibrary(app) {
	const { emit, on, session, replaceWith } = app;
	const { tell } = session;
	const query = { words: "", result: null, here: false, deleted: false, order: "kept", ascending: false, first: 0 };
	const selected = new Set();
	let rows = [];
	let total = 0;
	let current = null;
	let asked = 0;

	const change = (patch) => {
		// Games that are not listed must not be deleted.
		if (!("first" in patch || "ascending" in patch)) selected.clear();
		Object.assign(query, { first: 0 }, patch);
		list.scrollTop = 0;
		return refresh();
	};

	const words = h("input.text", {
		type: "search",
		hint: "library.find",
		tip: "library.find",
		input: afterPause(150, () => change({ words: words.value })),
	});
	const result = select(
		[
			["", t("library.any")],
			["1-0", t("library.wins", { side: named("black") })],
			["0-1", t("library.wins", { side: named("white") })],
			["1/2-1/2", t("play.draw")],
			["*", t("library.open")],
		],
		(value) => change({ result: value || null }),
		{ tip: "library.result" },
	);
	const order = select(
		["kept", "date", "black", "white", "result", "plies"].map((name) => [name, named(`library.by.${name}`)]),
		(value) => change({ order: value, ascending: value === "black" || value === "white" }),
		{ tip: "library.order" },
	);
	const turn = iconButton("library.turn", "flip", () => change({ ascending: !query.ascending }));
	const here = toggle("library.here", (here) => change({ here }));
	const deleted = toggle("library.bin", (deleted) => change({ deleted }));
	const list = h("ul.kept-rows.scroll", { keydown: walk });
	const count = h("p.quiet", { role: "status" });
	const back = iconButton("library.back", "previous", () => change({ first: query.first - PAGE }));
	const on1 = iconButton("library.next", "next", () => change({ first: query.first + PAGE }));
	const all = button("library.all", "moves", selectAll);
	const rename = button("library.rename", "edit", renameChosen);
	const remove = button("library.delete", "bin", deleteSelected);
	const restore = button("replace.undo", "back", () => restoreGames([...selected]));
	const erase = button("library.erase", "bin", () =>
		askBefore("library.erase", "library.eraseAsk", "library.erase", "cancel", () =>
			tell("eraseKept", { games: [...selected] }, changed),
		),
	);
	const format = select(
		app.state.hello.formats.filter(({ id }) => ["kif", "pgn", "usi"].includes(id)).map(({ id, label }) => [id, label]),
		() => {},
		{ tip: "share.format", class: "short" },
	);
	const write = button("library.export", "download", () =>
		tell("exportKept", { games: [...selected], format: format.value }, saveText),
	);
	const files = h("input", { type: "file", multiple: true, hidden: true, change: importFiles });
	const add = button("library.import", "open", () => files.click());
	const dialog = openDialog({
		title: "library.title",
		wide: true,
		body: [
			words,
			h("div.kept-query", result, h("span.row.tight", order, turn), here, deleted),
			list,
			h("div.row", count, h("span.spacer"), all, back, on1),
		],
		actions: [add, files, h("span.spacer"), rename, restore, remove, erase, h("span.row.tight", format, write)],
		onClose: () => stop(),
	});
	dialog.element.classList.add("library");
	const stop = on("tree:reset", refresh);
	words.focus();
	refresh();

	async function refresh() {
		asked += 1;
		const mine = asked;
		const answer = await tell("library", query);
		if (!answer || mine !== asked) return;
		({ rows, total, current } = answer);
		// The page was deleted.
		if (rows.length === 0 && query.first > 0) return change({ first: total && total - 1 - ((total - 1) % PAGE) });
		const none = query.words || query.result || query.here || query.deleted ? "library.none" : "library.empty";
		list.replaceChildren(...(rows.length > 0 ? rows.map(row) : [h("li.quiet.kept-none", { t: none })]));
		refreshActions();
	}

	function refreshActions() {
		const last = Math.min(total, query.first + PAGE);
		const range =
			total > PAGE
				? t("library.range", { first: query.first + 1, last, count: total })
				: t("games.count", { count: total });
		setText(count, selected.size > 0 ? `${range} · ${t("library.selected", { count: selected.size })}` : range);
		back.hidden = on1.hidden = total <= PAGE;
		back.disabled = query.first === 0;
		on1.disabled = last >= total;
		setText(all.lastChild, t(selected.size > 0 ? "library.deselect" : "library.all"));
		all.disabled = total === 0;
		rename.disabled = selected.size !== 1 || !chosen();
		rename.hidden = remove.hidden = query.deleted;
		restore.hidden = erase.hidden = !query.deleted;
		restore.disabled = erase.disabled = remove.disabled = write.disabled = format.disabled = selected.size === 0;
		for (const box of list.querySelectorAll("input")) box.checked = selected.has(Number(box.value));
	}

	function row(game) {
		const choose = ({ target }) => {
			selected[target.checked ? "add" : "delete"](game.id);
			refreshActions();
		};
		const name = nameOf(game);
		const label = `${t("library.select")}: ${name}`;
		const box = h("input", { type: "checkbox", value: game.id, "aria-label": label, change: choose });
		return h(
			"li",
			h("label.kept-box", box),
			h(
				"button.kept-game.plain",
				{ "data-game": game.id, "aria-current": game.id === current ? "true" : null, click: () => open(game) },
				h("span.ellipsis", name),
				h("span.kept-result", game.playing ? t("library.playing") : resultText(game)),
				h("span.quiet", factsOf(game)),
			),
		);
	}

	function open({ id, colour }) {
		if (id === current) return dialog.close();
		return replaceWith(() => {
			dialog.close();
			tell("openKept", { game: id });
			if (colour) app.sitAs(colour);
		});
	}

	/** Arrow keys move the focus; Delete deletes the chosen games, or else the focused one. */
	function walk(event) {
		const games = [...list.querySelectorAll(".kept-game")];
		const index = games.indexOf(event.target.closest("li")?.querySelector(".kept-game"));
		if (event.key === "Delete" && index >= 0) {
			if (selected.size === 0) selected.add(rows[index].id);
			refreshActions();
			(query.deleted ? erase : remove).click();
		} else if (event.key.startsWith("Arrow")) games[index + arrowStep(event)]?.focus();
	}

	async function selectAll() {
		if (selected.size > 0) selected.clear();
		else await tell("libraryAll", query, ({ games }) => games.forEach((game) => selected.add(game)));
		refreshActions();
	}

	function deleteSelected() {
		const games = [...selected];
		tell("deleteKept", { games }, async () => {
			await changed();
			emit("question", { words: "library.deleted", action: () => restoreGames(games), stacks: true });
		});
	}

	const restoreGames = (games) => tell("restoreKept", { games }, changed);

	function changed() {
		selected.clear();
		words.focus();
		return refresh();
	}

	const chosen = () => rows.find(({ id }) => selected.has(id));

	function renameChosen() {
		const { id, name } = chosen();
		askName(name, (name, close) =>
			tell("renameKept", { game: id, name }, () => {
				close();
				return refresh();
			}),
		);
	}

	async function importFiles() {
		add.disabled = true;
		for (const file of files.files) {
			const parts = await readParts(file).catch(() => emit("notice", t("open.unreadable")));
			let answer;
			for (const [index, data] of (parts ?? []).entries()) {
				answer = await tell("import", { name: file.name, data, more: index + 1 < parts.length });
				if (!answer) break;
			}
			if (answer)
				emit("notice", {
					key: answer.problem ? "library.imported.part" : answer.known ? "library.imported.known" : "library.imported",
					args: { ...answer, problem: answer.problem ?? "" },
				});
		}
		files.value = "";
		add.disabled = false;
		words.focus();
		change({ words: (words.value = "") });
	}
}
