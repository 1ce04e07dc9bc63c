// The engines' options, as each engine declares them.

import { h, setText } from "./dom.js";
import { select } from "./controls.js";
import { openDialog } from "./dialogs.js";
import { language, listed, localize, t } from "./i18n.js";

export function openEngines({ state, on, session }) {
	const { engines } = state;
	const sections = new Map([...engines.values()].map((engine) => [engine.id, section(engine)]));
	openDialog({
		title: "engines.title",
		wide: true,
		body: [...sections.values()],
		onClose: () => stop(),
	});
	const stop = on("engines", refresh);
	refresh();

	function refresh() {
		for (const engine of state.engines.values()) {
			const old = sections.get(engine.id);
			// Its options are known once it has started.
			if (old && old.count !== engine.options.length) {
				sections.set(engine.id, section(engine));
				old.element.replaceWith(sections.get(engine.id).element);
			}
			sections.get(engine.id)?.refresh(engine);
		}
	}

	function set(engine, name, value) {
		session.ask("option", { engine, name, value }).catch((error) => {
			session.complain(error);
			refresh();
		});
	}

	function section({ id, name, options }) {
		const about = h("p.quiet");
		const trouble = h("p.trouble-words");
		const rows = new Map(options.map((option) => [option.name, row(id, option)]));
		const element = h(
			"section.engine-options",
			h(
				"div.row",
				h("div", h("h3", { text: name }), about),
				h("span.spacer"),
				h("button", { t: "engines.restart", click: () => session.tell("restart", { engine: id }) }),
			),
			trouble,
			h("div.two-columns", [...rows.values()]),
			h("button.link", { t: "engines.reset", click: () => resetAll(id) }),
		);
		return {
			element,
			count: options.length,
			refresh(engine) {
				setText(about, listed([engine.author, engine.protocol?.toUpperCase(), t(`engine.${engine.state}`)], " · "));
				setText(trouble, localize(engine.problem));
				for (const option of engine.options) rows.get(option.name)?.refresh(option);
			},
		};
	}

	function resetAll(id) {
		for (const { name, kind, locked, value, default: usual } of state.engines.get(id).options) {
			if (kind !== "button" && !locked && value !== usual) set(id, name, usual);
		}
	}

	function row(engine, option) {
		const control = (CONTROLS[option.kind] ?? CONTROLS.string)(option, (value) => set(engine, option.name, value));
		control.id = `option-${engine}-${option.name.replace(/\W/g, "-")}`;
		control.disabled = option.locked;
		if (option.locked) control.title = t("engines.locked");
		const range = option.kind === "spin" && h("span.quiet", { text: `${bound(option.min)} – ${bound(option.max)}` });
		const about = option.about && h("p.quiet", { id: `about-${control.id}`, lang: "en", text: option.about });
		if (about) control.setAttribute("aria-describedby", about.id);
		const element = h(
			"div.option",
			h("label", { for: control.id, text: option.name }),
			h("div", control, range),
			about,
		);
		return {
			element,
			refresh({ kind, value, default: usual }) {
				element.classList.toggle("changed", kind !== "button" && value !== usual);
				if (kind === "check") control.checked = value === "true";
				else if (kind !== "button" && document.activeElement !== control) control.value = value;
			},
		};
	}
}

const bound = (value) =>
	Math.abs(value) < 1e9 ? value.toLocaleString(language()) : value.toExponential(0).replace("e+", " × 10^");

/** A control for each kind of option; `send` takes the new value. */
const CONTROLS = {
	check: (_, send) => h("input", { type: "checkbox", change: ({ target }) => send(String(target.checked)) }),
	spin: ({ min, max }, send) =>
		h("input.text.number", { type: "number", min, max, change: ({ target }) => send(target.value) }),
	combo: ({ choices }, send) =>
		select(
			choices.map((choice) => [choice, choice]),
			send,
		),
	button: (_, send) => h("button", { t: "engines.press", click: () => send("") }),
	string: (_, send) => h("input.text", { change: ({ target }) => send(target.value) }),
};
