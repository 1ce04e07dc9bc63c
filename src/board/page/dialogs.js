// The frame of all dialogs: the browser's own element.

import { h } from "./dom.js";
import { field, iconButton } from "./controls.js";

/** `onSubmit` is for Enter and the button of type submit. */
export function openDialog({ title, wide, body, actions, onSubmit, onClose }) {
	const close = () => element.close();
	const element = h(
		wide ? "dialog.dialog.wide" : "dialog.dialog",
		{
			tip: title,
			// A press beside it must not lose what was typed.
			closedby: onSubmit ? "closerequest" : "any",
			close: () => {
				// Keep an announcement that outlives the dialog.
				const notices = element.querySelectorAll(".notices");
				element.remove();
				(document.querySelector("dialog:last-of-type") ?? document.body).append(...notices);
				onClose?.();
			},
		},
		h(
			"form",
			{
				novalidate: true,
				submit: (event) => {
					event.preventDefault();
					onSubmit?.();
				},
			},
			h("header.dialog-head", h("h2", { t: title }), iconButton("close", "close", close)),
			h("div.dialog-body.scroll", { tabindex: 0, autofocus: true }, body),
			actions && h("footer.dialog-foot", actions),
		),
	);
	document.body.append(element);
	element.showModal();
	return { element, close };
}

/** `onSubmit` gets the name, and what closes the dialog. */
export function askName(value, onSubmit) {
	const text = h("input.text", { maxlength: 200, value: value ?? "" });
	const { close } = openDialog({
		title: "library.rename",
		body: field("library.name", text),
		actions: submitButton("header.keep"),
		onSubmit: () => onSubmit(text.value, close),
	});
	text.select();
}

/** Asks before something is lost. The focus is on the way out. */
export function askBefore(title, ask, yes, no, action) {
	const out = h("button", { t: no, click: () => dialog.close() });
	const dialog = openDialog({
		title,
		body: h("p", { t: ask }),
		actions: [
			out,
			h("button.primary", {
				t: yes,
				click: () => {
					dialog.close();
					action();
				},
			}),
		],
	});
	out.focus();
}

export const submitButton = (key) => h("button.primary", { t: key, type: "submit" });
