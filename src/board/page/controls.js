// Buttons and fields as the whole page uses them.

import { h } from "./dom.js";
import { icon } from "./icons.js";

/** A button with an icon alone; `tip` is the key of its label. */
export const iconButton = (tip, name, click, props) =>
	h("button.icon-button.plain", { tip, click, ...props }, icon(name));

export const button = (key, name, click, props) => h("button", { click, ...props }, icon(name), h("span", { t: key }));

export const toggle = (key, change, checked) =>
	h(
		"label.toggle",
		h("input", { type: "checkbox", checked, change: ({ target }) => change(target.checked) }),
		h("span", { t: key }),
	);

export const cardHead = (title, ...right) => h("header.card-head", h("h2", { t: title }), h("span.spacer"), right);

/** A choice from a list; `choices` are `[value, text]`. */
export function select(choices, change, props) {
	const element = h("select.select", { change: () => change(element.value), ...props });
	setChoices(element, choices);
	return element;
}

export const setChoices = (element, choices) =>
	element.replaceChildren(...choices.map(([value, text]) => h("option", { value, text })));

export function field(key, control, ...more) {
	control.id ||= `field-${key.replace(/\W/g, "-")}`;
	return h("div.field", h("label.field-label", { for: control.id, t: key }), control, more);
}

/** Marks the chosen one of several buttons; arrow keys reach the others. */
export function checkOne(buttons, chosen, property = "ariaChecked") {
	for (const each of buttons) {
		const on = each === chosen;
		each[property] = on;
		each.tabIndex = on ? 0 : -1;
		each.onkeydown = (event) => {
			const next = neighbour(
				event,
				buttons.filter((one) => one.offsetParent),
			);
			if (!next) return;
			next.click();
			next.focus();
		};
	}
}

/** The step of an arrow key, whose default is prevented; 0 for other keys. */
export function arrowStep(event) {
	const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key] ?? 0;
	if (step) {
		event.preventDefault();
		event.stopPropagation();
	}
	return step;
}

/** The next of the elements in a ring that an arrow key goes to. */
export function neighbour(event, elements) {
	const step = arrowStep(event);
	return step ? elements.at((elements.indexOf(event.target) + step) % elements.length) : null;
}

/**
 * Buttons for choices, `[value, properties, content]`, in an element by `selector` with the label `tip`; `get` and `set`
 * read and change the choice. Returns `{element, refresh}`: call `refresh` after the choice has changed elsewhere.
 */
export function radioGroup(selector, tip, choices, get, set) {
	const click = (value) => () => {
		set(value);
		refresh();
	};
	const buttons = choices.map(([value, props, content]) =>
		h("button", { role: "radio", click: click(value), ...props }, content),
	);
	const refresh = () => checkOne(buttons, buttons[choices.findIndex(([value]) => value === get())]);
	refresh();
	return { element: h(selector, { role: "radiogroup", tip }, buttons), refresh };
}

/** A labelled `radioGroup`, by default one row. */
export const segments = (key, choices, get, set, selector = "div.segments") =>
	h("div.field", h("span.field-label", { t: key }), radioGroup(selector, key, choices, get, set));
