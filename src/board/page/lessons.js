// Lessons: their list, and the task on the board. The program judges the moves.

import { h, setClasses, setText, perFrame } from "./dom.js";
import { button, iconButton } from "./controls.js";
import { icon } from "./icons.js";
import { language, listed, localize, t } from "./i18n.js";

/** How long a task without a closing text stays once it is done. */
const REST_MS = 1100;

/** A text of a file of lessons: in the page's language, or in its only one. */
const say = (words) => words?.[language()] ?? words ?? "";

export function createLessons({ state, set, on, session, boardView, sitAs, replaceWith }) {
	const all = () => state.hello?.lessons ?? [];
	const title = h("h2");
	const number = h("span.quiet");
	const words = h("p.status");
	const more = h("p.status-more");
	const said = h("div", { role: "status" }, words, more);
	const hint = button("play.hint", "hint", session.hint);
	const onward = button("lessons.next", "next", () => go(1), { class: "primary" });
	const toList = button("lessons.list", "moves", showList);
	const leave = iconButton("lessons.leave", "close", close);
	const list = h("ol.lesson-list.scroll");
	const steps = [
		iconButton("problem.previous", "previous", () => go(-1)),
		number,
		iconButton("problem.next", "next", () => go(1)),
	];
	const buttons = h("div.row.buttons", hint, onward, h("span.spacer"), toList);
	const element = h(
		"section.card.said.lesson-card",
		{ hidden: true, tip: "bar.lessons" },
		h("header.card-head", title, h("span.spacer"), steps, leave),
		said,
		buttons,
		list,
	);

	/** Every task in a row, as `{id, task, game, done}`. */
	const row = () =>
		all().flatMap(({ id, games, done }) => games.map((game, task) => ({ id, task, game, done: done.includes(task) })));

	/** `game` is the level of a task that is a game, and else null. */
	function open({ id, task, game: level }) {
		set({ course: false });
		if (level === null) return session.tell("lesson", { lesson: id, task });
		sitAs("black");
		const white = { kind: "engine", engine: 0, level };
		return session.tell("new", { black: { kind: "human", name: t("you") }, white });
	}

	/** To the task `step` places on, or to the list. */
	function go(step) {
		const tasks = row();
		const { id, task } = state.problem.lesson;
		const next = tasks[tasks.findIndex((each) => each.id === id && each.task === task) + step];
		if (next?.game === null) open(next);
		else showList();
	}

	const next = (tasks = row()) => tasks.find(({ done }) => !done) ?? tasks[0];
	const begin = (lesson) => {
		const task = next(row().filter(({ id }) => !lesson || id === lesson));
		if (task) replaceWith(() => open(task));
	};

	/** Whether the list was asked for: it comes into view, with the focus. */
	let starts = false;
	function showList() {
		starts = true;
		set({ course: true, edit: null });
		refresh();
	}
	const start = () => session.playing() || replaceWith(showList);

	function close() {
		set({ course: false });
		if (state.problem?.lesson) session.tell("problemLeave");
	}

	let timer = 0;
	on("problem", () => {
		clearTimeout(timer);
		const { problem } = state;
		if (problem && !problem.lesson) set({ course: false });
		else if (problem?.state === "solved" && !problem.lesson.done)
			timer = setTimeout(() => state.course || state.edit || go(1), REST_MS);
	});
	on("game", () => {
		if (session.playing()) set({ course: false });
	});

	let shown = "";
	function refreshList() {
		const key = JSON.stringify([language(), all()]);
		if (key === shown) return;
		shown = key;
		const first = next();
		list.replaceChildren(
			...all().map(({ id, title: name, tasks, done, games, opened }) => {
				const complete = done.length >= tasks;
				const item = h(
					"button",
					{ class: id === first?.id ? "primary" : "plain", "data-lesson": id, click: () => begin(id) },
					icon(complete ? "check" : games[0] === null ? "next" : "play"),
					h("span", { text: say(name) }),
					h("span.spacer"),
					h("span.lesson-count", { text: `${done.length} / ${tasks}` }),
				);
				if (complete) item.ariaLabel = listed([say(name), t("lessons.complete")]);
				const remove = () => session.tell("lessonRemove", { lesson: id });
				return h("li", item, opened && iconButton("library.delete", "bin", remove));
			}),
		);
	}

	const refresh = perFrame(() => {
		const focused = element.querySelector(":focus-visible");
		show();
		if (starts) element.scrollIntoView({ block: "nearest" });
		// Focus must not be lost.
		if (starts || (focused && !focused.checkVisibility()))
			(list.checkVisibility() ? list.querySelector(".primary") : boardView)?.focus();
		starts = false;
	});

	function show() {
		const { problem, course, edit } = state;
		const lesson = problem?.lesson;
		element.hidden = edit || !(course || lesson);
		if (element.hidden) return;
		const listing = course || !lesson;
		list.hidden = !listing;
		for (const each of [said, buttons, ...steps]) each.hidden = listing;
		setText(title, listing ? t("bar.lessons") : say(lesson.title));
		if (listing) refreshList();
		const done = !listing && problem.state === "solved";
		const wrong = listing || done ? "" : say(lesson.wrong) || localize(problem.text);
		setClasses(element, { good: done, bad: wrong && problem.text.key !== "lesson.goOn" });
		if (listing) return;
		setText(number, `${lesson.task + 1} / ${lesson.of}`);
		setText(words, done ? `✓ ${say(lesson.done) || t("lessons.right")}` : say(lesson.text));
		setText(more, done ? "" : wrong || say(lesson.hint));
		hint.hidden = done;
		onward.hidden = !done;
		if (done && lesson.done && document.activeElement.id === "board") onward.focus();
	}
	on("problem hello settings edit course", refresh);
	return { element, start, begin };
}
