// The panels beside the board: most at once if wide, a tab for each if narrow.

import { h, setClasses } from "./dom.js";
import { button, checkOne } from "./controls.js";

const TABS = { moves: "moves", engine: "engine", review: "curve", games: "menu", explorer: "book" };

/** A record with fewer places has no curve, and nothing to review. */
const LEAST_REVIEWED = 3;

/**
 * `said` are the cards above the tabs; `parts` has the others by the names of their panels. They are children for `h`;
 * `parts.review` and `parts.curve` are elements.
 */
export function createPanels({ state, on, emit, session, record }, said, parts) {
	const tabs = Object.entries(TABS).map(([name, icon]) =>
		button(`tab.${name}`, icon, ({ detail }) => press(name, detail), {
			class: "plain",
			role: "tab",
			id: `tab-${name}`,
			"aria-controls": `panel-${name}`,
		}),
	);
	const tab = (name) => tabs[Object.keys(TABS).indexOf(name)];
	const bar = h("div.tabs", { role: "tablist", tip: "tab.bar" }, tabs);
	const panels = Object.entries(parts).map(([name, content]) =>
		h(
			"div.panel",
			{
				"data-panel": name,
				id: `panel-${name}`,
				...(TABS[name] && { role: "tabpanel", "aria-labelledby": `tab-${name}` }),
			},
			content,
		),
	);
	const element = h("div.panels", said, bar, panels);

	function show(name) {
		element.dataset.tab = name;
		checkOne(tabs, tab(name), "ariaSelected");
		emit("panel");
	}

	/** A click leaves the arrow keys to the moves. */
	function press(name, byPointer) {
		show(name);
		if (byPointer) tab(name).blur();
	}

	function refresh() {
		const { edit, problem, learn, review } = state;
		const playing = session.playing();
		const solving = problem?.state === "playing" || problem?.lesson;
		const busy = playing || problem || learn;
		const watched = session.watched();
		const secret = busy && !watched;
		const reviewed = review && review.state !== "running" && !busy;
		setClasses(element, {
			playing: playing && !watched,
			editing: edit,
			solving,
			lesson: problem?.lesson && !edit,
			watched,
			over: !playing && session.gameHere()?.result,
			tabbed: !problem && !learn && !watched,
		});
		tab("engine").hidden = (playing && !watched) || learn || solving;
		const short = record.size() < LEAST_REVIEWED;
		tab("games").hidden = tab("explorer").hidden = busy;
		tab("review").hidden = secret || short;
		// A wide window has the curve anyway.
		setClasses(tab("review"), { "narrow-only": !reviewed });
		parts.review.hidden = !reviewed;
		parts.curve.hidden = secret || edit || short;
		const chosen = tab(element.dataset.tab);
		const isGone = chosen.hidden || (chosen === tab("review") && getComputedStyle(chosen).display === "none");
		if (isGone) show("moves");
	}
	addEventListener("resize", refresh);

	let running = false;
	on("review", () => {
		if (running && state.review?.state === "done" && !document.querySelector("textarea:focus")) show("review");
		running = state.review?.state === "running";
	});

	let listed = null;
	const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
	on("games", () => {
		const isNew = state.games && state.games.name !== listed;
		if (isNew && (!isReload || document.body.dataset.ready)) show("games");
		listed = state.games?.name ?? null;
	});
	show("moves");
	return { element, show, refresh };
}
