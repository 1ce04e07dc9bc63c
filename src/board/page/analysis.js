// The engines' analyses. Pointing at a move of a line shows its position; a click plays the line.

import { h, setText, perFrame } from "./dom.js";
import { cardHead, iconButton, neighbour } from "./controls.js";
import { countText, percent, playerName, scoreText, scoreWords } from "./names.js";
import { COLOURS, playMoves } from "./shogi.js";
import { listed, localize, t } from "./i18n.js";

const MOST_LINES = 10;

export function createAnalysis(app) {
	const { state, set, on, session } = app;
	const fewer = iconButton("minus", "minus", () => setLines(state.settings.lines - 1), { class: "small" });
	const more = iconButton("plus", "plus", () => setLines(state.settings.lines + 1), { class: "small" });
	const count = h("output", { tip: "analysis.lines" });
	const threats = iconButton("analysis.threats", "threat", toggleThreats);
	const solve = iconButton("solve.start", "puzzle", () => session.tell("solve"));
	const arrows = iconButton("prefs.arrows", "arrow", () => app.toggle("arrows"));
	const list = h("div");
	const head = cardHead(
		"tab.engine",
		h("span.stepper", fewer, count, more),
		threats,
		arrows,
		solve,
		iconButton("engines.title", "settings", () => app.dialogs.engines()),
	);
	const element = h("section.card.analysis", { tip: "tab.engine" }, head, list);
	const panels = new Map();

	function toggleThreats() {
		set({ threats: !state.threats });
		session.tell("threats", { on: state.threats });
	}

	function setLines(wish) {
		const lines = Math.min(MOST_LINES, Math.max(1, wish));
		app.change({ lines });
		for (const { on: running, engine } of state.analyses.values())
			if (running) session.tell("analyse", { on: true, engine, lines });
	}

	/** Switches an engine, by default the first, ahead of the server's answer. */
	function toggle(id = [...state.engines.keys()][0]) {
		if (element.hidden || session.watched()) return;
		const before = state.analyses.get(id);
		const analysis = { engine: id, cursor: state.cursor, lines: [], ...before, on: !before?.on };
		const show = (shown) => set({ analyses: new Map(state.analyses).set(id, shown) });
		show(analysis);
		session.ask("analyse", { on: analysis.on, engine: id, lines: state.settings.lines }).catch((error) => {
			show(before ?? { ...analysis, on: false });
			session.complain(error);
		});
	}

	function createPanel(id) {
		const part = {
			name: h("div.engine-name.ellipsis"),
			facts: h("div.engine-facts.ellipsis"),
			score: h("div"),
			win: h("div.engine-win"),
			power: h("button.switch", { role: "switch", click: () => toggle(id) }),
			lines: h("ol.lines.scroll"),
			trouble: h("p.trouble-words"),
			rows: [],
		};
		part.broken = h(
			"div.broken",
			{ role: "alert" },
			part.trouble,
			h("button", { t: "engines.restart", click: () => session.tell("restart", { engine: id }) }),
		);
		part.element = h(
			"div.engine",
			h(
				"div.engine-head",
				part.power,
				h("div.engine-words", part.name, part.facts),
				h("div.engine-score", part.score, part.win),
			),
			part.broken,
			part.lines,
		);
		list.append(part.element);
		return part;
	}

	function refreshPanel(panel, engine, analysis) {
		const { position, cursor } = state;
		const running = Boolean(analysis?.on);
		const dead = engine.state === "dead";
		const isPlayer = COLOURS.includes(engine.id);
		const fresh = running && (isPlayer || (analysis.cursor === cursor && !position?.provisional));
		const best = fresh ? analysis.lines[0]?.score : null;
		setText(panel.name, engine.name);
		panel.power.ariaChecked = running;
		panel.power.ariaLabel = t("analysis.switch", { engine: engine.name });
		panel.power.disabled = dead;
		panel.power.hidden = isPlayer;
		panel.broken.hidden = !dead;
		setText(panel.trouble, dead ? localize(engine.problem) || t("engine.dead") : "");
		panel.element.classList.toggle("stale", running && !fresh);
		setText(panel.score, best ? scoreText(best) : "");
		setText(panel.win, best ? `▲ ${percent(best.win)}` : "");
		setText(
			panel.facts,
			!running
				? t(engine.state === "starting" ? "engine.starting" : "analysis.off")
				: !analysis.depth
					? t(position?.result ? "analysis.over" : "engine.thinking")
					: t("analysis.facts", {
							depth: listed([analysis.depth, analysis.seldepth], "/"),
							nodes: countText(analysis.nodes),
							nps: countText(analysis.nps),
						}),
		);
		const lines = running ? analysis.lines : [];
		// Remove the preview of a removed line.
		if (panel.rows.length > lines.length) set({ preview: null });
		while (panel.rows.length > lines.length) panel.rows.pop().element.remove();
		lines.forEach((line, index) => {
			const row = (panel.rows[index] ??= createRow(panel));
			writeRow(row, line, analysis.cursor);
			if (row.preview && row.preview === state.preview) row.show(row.at);
		});
	}

	function createRow(panel) {
		const row = { score: h("span.line-score"), moves: h("span.line-moves"), spans: [], show };
		/** The target of the last press: a line may change before its click. */
		let pressed = null;
		const indexOf = ({ target }) => row.spans.indexOf(target.closest(".line-move"));
		const movesTo = (index) => ({ cursor: row.cursor, moves: row.line.moves.slice(0, index + 1) });
		/** Previews the line up to a move; called again when the line changes. */
		function show(index) {
			const { cursor, moves } = movesTo(index);
			if (cursor !== state.cursor || moves.length === 0) return;
			row.at = index;
			row.preview = playMoves(state.position, moves);
			set({ preview: row.preview });
		}
		const point = (event) => show(indexOf(event));
		const hide = () => set({ preview: null });
		const at = (event) => movesTo(Math.max(0, indexOf(event)));
		function playIn({ cursor, moves }) {
			pressed = null;
			if (cursor !== state.cursor || session.playing()) return;
			hide();
			session.playLine(moves);
		}
		function keydown(event) {
			if (event.key === "Enter" || event.key === " ") {
				event.preventDefault();
				return playIn(at(event));
			}
			return neighbour(event, row.spans)?.focus();
		}
		row.element = h(
			"li.line",
			{
				pointerover: point,
				pointerleave: hide,
				focusin: point,
				focusout: hide,
				pointerdown: (event) => (pressed = at(event)),
				click: (event) => playIn(pressed ?? at(event)),
				keydown,
			},
			row.score,
			row.moves,
		);
		panel.lines.append(row.element);
		return row;
	}

	function writeRow(row, line, cursor) {
		row.line = line;
		row.cursor = cursor;
		setText(row.score, scoreText(line.score));
		row.score.classList.toggle("for-white", line.score.win < 0.5);
		row.score.title = `${scoreWords(line.score)} · ${t("analysis.win", { win: percent(line.score.win) })}`;
		const texts = session.textOf(line.text) ?? line.moves;
		while (row.spans.length > texts.length) {
			row.spans.pop().remove();
			row.moves.lastChild.remove();
		}
		texts.forEach((text, index) => {
			if (!row.spans[index]) {
				row.spans[index] = h("span.line-move", { role: "button", tabindex: index === 0 ? "0" : "-1" });
				row.moves.append(row.spans[index], " ");
			}
			setText(row.spans[index], text);
		});
	}

	const later = perFrame(() => {
		const { analyses, settings, thoughts, edit, learn, problem } = state;
		const watched = session.watched();
		element.hidden =
			!watched && (session.playing() || edit || learn || problem?.state === "playing" || problem?.lesson);
		setText(count, settings.lines);
		fewer.disabled = settings.lines <= 1;
		more.disabled = settings.lines >= MOST_LINES;
		solve.disabled = problem || state.solve?.state === "running";
		threats.ariaPressed = state.threats;
		arrows.ariaPressed = settings.arrows;
		list.classList.toggle("several", watched || [...analyses.values()].filter((each) => each.on).length > 1);
		head.hidden = watched;
		const players = COLOURS.map((id) => [id, { id, name: playerName(state.header, id) }]);
		const shown = new Map(watched ? players : state.engines);
		for (const [id, panel] of panels) panel.element.hidden = !shown.has(id);
		for (const [id, engine] of shown) {
			if (!panels.has(id)) panels.set(id, createPanel(id));
			refreshPanel(panels.get(id), engine, watched ? (thoughts[id] ?? { on: true, lines: [] }) : analyses.get(id));
		}
	});
	on("series thoughts engines analyses settings game header edit learn problem cursor position threats", later);
	return { element, toggle, setLines, toggleThreats };
}
