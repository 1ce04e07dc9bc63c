// Makes elements. The server's text becomes text nodes, never markup.

import { t } from "./i18n.js";

const PROPERTIES = new Set(["value", "checked", "disabled", "hidden"]);
/** The attributes with keys of texts that follow the language. */
const LABELS = { t: "data-t", tip: "data-tip", hint: "data-hint" };

/**
 * Makes an HTML element from `tag.class`, properties and children. A function listens to the event of its name; `text` is
 * the content; `t`, `tip` and `hint` are keys of texts for content, label and placeholder; others are attributes. A child
 * may also be an object with an `element`.
 */
export const h = build.bind(null, "http://www.w3.org/1999/xhtml");
/** Makes an element of a drawing, as `h` does. */
export const s = build.bind(null, "http://www.w3.org/2000/svg");

function build(namespace, selector, ...children) {
	const [tag, ...classes] = selector.split(".");
	const element = document.createElementNS(namespace, tag);
	element.classList.add(...classes);
	if (tag === "button") element.type = "button";
	// The element around a drawing has the label.
	if (tag === "svg") element.ariaHidden = true;
	const props = children[0]?.constructor === Object && !children[0].element ? children.shift() : {};
	for (const [name, value] of Object.entries(props)) {
		if (isNothing(value)) continue;
		if (typeof value === "function") element.addEventListener(name, value);
		else if (name === "text") element.textContent = value;
		else if (LABELS[name]) setLabel(element, value, name);
		else if (PROPERTIES.has(name)) element[name] = value;
		else if (name === "class") element.classList.add(...value.split(" ").filter(Boolean));
		else element.setAttribute(name, value === true ? "" : value);
	}
	const shown = children.flat(2).filter((child) => !isNothing(child));
	element.append(...shown.map((child) => child.element ?? child));
	return element;
}

const isNothing = (value) => (value ?? false) === false;

export function setLabel(element, key, kind = "t") {
	if (element.getAttribute(LABELS[kind]) === key) return;
	element.setAttribute(LABELS[kind], key);
	writeLabel(element, kind);
}

function writeLabel(element, kind) {
	const text = t(element.getAttribute(LABELS[kind]));
	if (kind === "t") element.textContent = text;
	else if (kind === "hint") element.placeholder = text;
	else {
		element.ariaLabel = text;
		if (element.tagName === "BUTTON") element.title = text;
	}
}

export function relabelAll() {
	for (const [kind, attribute] of Object.entries(LABELS)) {
		for (const element of document.querySelectorAll(`[${attribute}]`)) writeLabel(element, kind);
	}
}

export function setClasses(element, classes) {
	for (const [name, holds] of Object.entries(classes)) element.classList.toggle(name, Boolean(holds));
}

/** Setting the same text costs a layout. */
export function setText(element, text) {
	if (element.textContent !== String(text)) element.textContent = text;
}

/** Delays `work` to the next frame, once for several calls. */
export function perFrame(work) {
	let asked = false;
	return () => {
		if (asked) return;
		asked = true;
		requestAnimationFrame(() => {
			asked = false;
			work();
		});
	};
}

/** Calls `work` once the last call is `ms` milliseconds old. */
export function afterPause(ms, work) {
	let timer = 0;
	return (...args) => {
		clearTimeout(timer);
		timer = setTimeout(work, ms, ...args);
	};
}
