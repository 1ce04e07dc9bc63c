// Says above the board that it has no program, and what to do.

import { h, setLabel } from "./dom.js";
import { t } from "./i18n.js";

/** A shorter loss is not shown. */
const LOST_AFTER_MS = 400;

export function createOutage({ state, on, emit }) {
	const what = h("b");
	const todo = h("span");
	const element = h("aside.outage", { hidden: true, role: "alert" }, what, " ", todo);

	let timer = 0;
	on("connection", () => {
		const { connection } = state;
		clearTimeout(timer);
		if (connection === "open") {
			if (!element.hidden) emit("notice", t("connection.back"));
			element.hidden = true;
			return;
		}
		timer = setTimeout(
			() => {
				setLabel(what, `connection.${connection}`);
				setLabel(todo, `connection.${connection}.do`);
				element.hidden = false;
			},
			element.hidden ? LOST_AFTER_MS : 0,
		);
	});

	return element;
}
