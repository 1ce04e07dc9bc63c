// Quiet words, questions that can wait, and what is read aloud.

import { h } from "./dom.js";
import { iconButton } from "./controls.js";
import { listed, localize, t } from "./i18n.js";
import { moveWords, plannedWords } from "./names.js";

const NOTICE_MS = 6000;
/** How long what is gone can be put back. */
const OFFER_MS = 12_000;

export function createNotices({ state, on, record }) {
	const refused = h("div.notice.refusal", { hidden: true });
	const element = h("div.notices", { role: "status" }, refused);
	const voice = h("div.voice", { role: "log", "aria-live": "assertive" });

	const shown = new Map();

	/** Shows a notice in place of the last one of its kind; `content` gets what closes it. */
	function show(kind, ms, content, className = kind) {
		const close = () => notice.remove();
		const notice = h("div.notice", { class: className }, content(close), iconButton("close", "close", close));
		shown.get(kind)?.remove();
		shown.set(kind, notice);
		// An open dialog covers the page, so what is said then is said in it.
		(document.querySelector("dialog:last-of-type") ?? document.body).append(element);
		element.append(notice);
		if (ms) setTimeout(close, ms);
	}

	const say = (text, className = "") => show(className, NOTICE_MS, () => h("span", { text: localize(text) }));

	const offers = new Map();

	/** Offers an action, for some time or, if it `stays`, until it is answered. */
	function ask(offer) {
		const { words, yes = "replace.undo", action, stays, stacks } = offer;
		// The offer that is still shown comes back after this one.
		if (stacks && shown.get(words)?.isConnected) offer.earlier = offers.get(words);
		offers.set(words, offer);
		const accept = (close) => {
			close();
			action();
			if (offer.earlier) ask(offer.earlier);
		};
		show(
			words,
			!stays && OFFER_MS,
			(close) => [h("span", { t: words }), h("button.primary", { t: yes, click: () => accept(close) })],
			"question",
		);
	}

	on("trouble", (text) => say(text ?? t("trouble.lost"), "trouble"));
	on("question", ask);
	// Another study has no such move.
	on("tree:reset", () => shown.get("notes.deleted")?.remove());
	on("notice", (text) => say(text));

	on("refused", () => {
		refused.hidden = !state.refused;
		// A new element is read aloud even with the same words.
		refused.replaceChildren(h("span", { text: localize(state.refused?.text) }));
	});

	let said = "";
	on("position", () => {
		const { position } = state;
		if (!position || position.provisional || !document.body.dataset.ready) return;
		const key = `${position.cursor} ${position.result?.reason}`;
		if (key === said) return;
		said = key;
		const node = record.get(position.cursor);
		const words = listed([
			node?.move && moveWords(node.move, record.positionAt(node.parent)),
			position.check.length > 0 && !position.result && t("say.check"),
			localize(position.result?.text),
		]);
		if (words) voice.textContent = words;
	});
	on("hint", () => {
		if (state.hint) voice.textContent = moveWords(state.hint.move, state.position);
	});
	on("planned", () => {
		if (state.planned) voice.textContent = plannedWords(state);
	});
	on("game", () => {
		if (state.game?.result && !state.position?.result) voice.textContent = localize(state.game.result.text);
	});

	return { element, voice };
}
