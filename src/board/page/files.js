// Records in and out, and what stands at their head.

import { h, setText } from "./dom.js";
import { icon } from "./icons.js";
import { button, field, radioGroup, toggle } from "./controls.js";
import { openDialog, submitButton } from "./dialogs.js";
import { COLOURS, toSfen } from "./shogi.js";
import { coordinatesOf } from "./settings.js";
import { captionOf, diagramPng, diagramSvg, download, gameLink, positionLink, saveText } from "./share.js";
import { linksLast, phone } from "./socket.js";
import { t } from "./i18n.js";

/** Messages have at most 8 MiB, and base64 adds a third. */
const LARGEST_FILE = 6_000_000;

/** Messengers cut longer links. */
const LONGEST_LINK = 2000;

/** A file in base64, in parts that are messages. */
export async function readParts(file) {
	const parts = [];
	for (let start = 0; start === 0 || start < file.size; start += LARGEST_FILE) {
		const reader = new FileReader();
		reader.readAsDataURL(file.slice(start, start + LARGEST_FILE));
		await new Promise((done, fail) => Object.assign(reader, { onload: done, onerror: fail }));
		parts.push(reader.result.slice(reader.result.indexOf(",") + 1));
	}
	return parts;
}

function sendFile({ emit, session, replaceWith }, file, type, fields) {
	if (file.size > LARGEST_FILE) return emit("notice", t("open.large"));
	return readParts(file).then(
		([data]) => replaceWith(() => session.tell(type, { name: file.name, data, ...fields })),
		() => emit("notice", t("open.unreadable")),
	);
}

export function chooseFile(app, type, fields) {
	const input = h("input", {
		type: "file",
		change: () => input.files[0] && sendFile(app, input.files[0], type, fields),
	});
	input.click();
}

export function acceptDrops(app) {
	const veil = h("div.drop-veil", { hidden: true }, h("p", { t: "open.drop" }));
	document.body.append(veil);
	addEventListener("dragover", (event) => {
		if (!event.dataTransfer.types.includes("Files")) return;
		event.preventDefault();
		veil.hidden = false;
	});
	addEventListener("dragleave", (event) => (veil.hidden ||= !event.relatedTarget));
	addEventListener("drop", (event) => {
		veil.hidden = true;
		const file = event.dataTransfer?.files[0];
		if (!file) return;
		event.preventDefault();
		document.querySelectorAll("dialog").forEach((dialog) => dialog.close());
		sendFile(app, file, "open");
	});
}

/** `pasted` is what the field holds at first. */
export function openOpen(app, pasted = "") {
	const { on, session, replaceWith } = app;
	const text = h("textarea.text.mono", { rows: 7, spellcheck: "false", value: pasted });
	const instead = (action) => () => {
		dialog.close();
		action();
	};
	const dialog = openDialog({
		title: "open.title",
		body: [
			h(
				"button.drop-zone",
				{ click: instead(() => chooseFile(app, "open")) },
				icon("open"),
				h("span", { t: "open.choose" }),
				h("span.quiet", { t: "open.formats" }),
			),
			field("open.paste", text),
			h(
				"div.row",
				h("button", { t: "open.library", click: instead(app.dialogs.library) }),
				h("button", { t: "replace.last", click: instead(app.putBack) }),
			),
		],
		actions: submitButton("open.read"),
		onSubmit() {
			const value = text.value.trim();
			const link = /^https?:\S+(#(sfen|game)=\S+)$/.exec(value)?.[1];
			if (link) {
				dialog.close();
				location.hash = link;
			} else if (value) replaceWith(read);
			else text.focus();
		},
		onClose: () => stop(),
	});
	// Unreadable text and other games leave it open.
	const stop = on("tree:reset", () => sent && dialog.close());
	text.focus();

	let sent = "";
	function read() {
		if (text.value === sent) return;
		sent = text.value;
		session.ask("paste", { text: sent }).catch((error) => {
			sent = "";
			session.complain(error);
		});
	}
}

export function openShare(app) {
	const { state, session, record, change } = app;
	const { hello, settings, position } = state;
	const looks = () => ({
		...settings,
		coordinates: coordinatesOf(settings),
		caption: captionOf({ ...state, position }, record),
	});
	let format = null;
	let all = false;
	const text = h("textarea.text.mono", { rows: 9, readonly: true, tip: "tab.moves" });
	const status = h("p.quiet", { role: "status" });
	const left = h("p.quiet", { t: "share.left", hidden: true });
	const chapters = toggle("share.all", (checked) => {
		all = wholePage.disabled = checked;
		load(format);
	});
	const wholePage = button("share.page", "play", savePage);
	chapters.hidden = !(state.games?.games.length > 1);
	const copy = async (content) => {
		const copied = await navigator.clipboard?.writeText(await content).then(
			() => true,
			() => false,
		);
		if (!copied) {
			text.value = await content;
			text.select();
		}
		setText(status, t(copied ? "share.copied" : "share.nocopy"));
	};
	const formats = radioGroup(
		"div.segments.wrap",
		"share.format",
		hello.formats.map(({ id, label }) => [id, { "data-format": id, text: label }]),
		() => format,
		load,
	);
	const sfen = h("input.text.mono", { readonly: true, value: toSfen(position), focus: () => sfen.select() });

	// The address of a program on this machine is useless to others.
	const site = h("input.text", {
		type: "url",
		value: settings.site,
		placeholder: "https://",
		input: () => {
			change({ site: site.value.trim() });
			showLinks();
		},
	});
	const page = () =>
		linksLast ? location.origin + location.pathname : /^https?:\/\/./.test(site.value) && site.value.split("#")[0];
	const links = [
		button("share.game", "share", () => copy(linkToGame()).catch(session.complain)),
		button("share.link", "share", () => copy(positionLink(page(), sfen.value))),
	];
	const showLinks = () => links.forEach((each) => (each.disabled = !page()));
	showLinks();

	const nearby = h(
		"details.more",
		{ hidden: true, toggle: () => nearby.scrollIntoView({ block: "nearest" }) },
		h("summary", { t: "share.phone" }),
	);
	phone().then(
		(found) => {
			nearby.hidden = !found;
			nearby.append(
				...(found?.url
					? [
							h("img.code", { src: `data:image/svg+xml,${encodeURIComponent(found.svg)}`, alt: found.url }),
							h("p.mono", { text: found.url }),
							h("p", { t: "share.phoneOpen" }),
						]
					: [h("p", { t: "share.phoneHow" })]),
			);
		},
		() => {},
	);

	openDialog({
		title: "share.title",
		wide: true,
		body: [
			h("h3", { t: "tab.moves" }),
			formats,
			chapters,
			text,
			left,
			h(
				"div.row",
				button("share.copy", "copy", () => copy(text.value)),
				button("share.download", "download", save),
				wholePage,
				links[0],
				h("span.spacer"),
				status,
			),
			h("p.quiet", { t: "share.pageNote" }),
			field("share.position", sfen),
			h(
				"div.row",
				button("share.sfen", "copy", () => copy(sfen.value)),
				links[1],
				button("share.text", "moves", () =>
					copy(session.ask("export", { format: "board" }).then((board) => board.text)).catch(session.complain),
				),
				button("SVG", "download", () => download("position.svg", diagramSvg(position, looks()))),
				button("PNG", "download", async () => download("position.png", await diagramPng(position, looks()))),
			),
			!linksLast && field("share.site", site, h("p.quiet", { t: "share.siteNote" })),
			nearby,
		],
	});
	load(t("share.first"));

	function load(id) {
		format = id;
		left.hidden = id !== "usi";
		formats.refresh();
		session.tell("export", { format, all }, (answer) => {
			if (format === id) text.value = answer.text;
		});
	}

	/** With all annotations, unless it gets too long. */
	async function linkToGame() {
		const link = async (id) => gameLink(page(), (await session.ask("export", { format: id })).text);
		const whole = await link("pgn");
		return whole.length < LONGEST_LINK ? whole : link("brief");
	}

	function savePage() {
		session.tell("export", { format: "html" }, ({ name, text: file }) =>
			download(name, new Blob([file], { type: "text/html" })),
		);
	}

	function save() {
		session.tell("save", { format, all }, saveText);
	}
}

export function openHeader({ state, on, record, session }) {
	if (!state.header) return;
	const header = { ...state.header };
	let isSent = false;
	const dialog = openDialog({
		title: "header.title",
		body: h(
			"div.two-columns",
			[...COLOURS, "event", "site", "round", "date", "timeControl"].map((key) =>
				field(
					key,
					h("input.text", {
						maxlength: 200,
						value: header[key],
						input: ({ target }) => (header[key] = target.value.trim() || null),
					}),
				),
			),
		),
		actions: submitButton("header.keep"),
		onSubmit: () => {
			isSent = true;
			session.tell("header", { header });
		},
		onClose: () => stop(),
	});
	const study = record.study();
	// A rejected value leaves the dialog open; another game closes it.
	const stop = on("header", () => {
		if (isSent || record.study() !== study) dialog.close();
	});
}
