// The page's icons: strokes on a field of 24 by 24.

import { s } from "./dom.js";

const PATHS = {
	first: "M6 5v14M18 6l-8 6 8 6",
	previous: "M15 6l-8 6 8 6",
	next: "M9 6l8 6-8 6",
	last: "M18 5v14M6 6l8 6-8 6",
	flip: "M7 4v13M4 14l3 3 3-3M17 20V7M14 10l3-3 3 3",
	move: "M12 3v18M3 12h18M9.5 5.5 12 3l2.5 2.5M9.5 18.5 12 21l2.5-2.5M5.5 9.5 3 12l2.5 2.5M18.5 9.5 21 12l-2.5 2.5",
	plus: "M12 5v14M5 12h14",
	stop: "M7 7h10v10H7Z",
	minus: "M5 12h14",
	close: "M6 6l12 12M18 6L6 18",
	play: "M8 5.5l10 6.5-10 6.5Z",
	open: "M3 18V6h6l2 2.5h8V11M3 18l3-7h16l-3.5 7Z",
	library: "M5 4v16M9 4v16M13 4h3v16h-3ZM17 5l3-.6 2 15-3 .6",
	share: "M12 15V4M8 7.5L12 3.5l4 4M5 12v8h14v-8",
	edit: "M4 20l1-4L16.5 4.5l3 3L8 19ZM14 7l3 3",
	book: "M12 6.5C9 4.5 6 4.5 3 5.5v13c3-1 6-1 9 1 3-2 6-2 9-1v-13c-3-1-6-1-9 1Zm0 0v13",
	check: "M5 12.5l4.5 4.5L19 7",
	puzzle: "M12 3l7 4v10l-7 4-7-4V7ZM12 8v4.5M12 15.5v.5",
	settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.7a2.3 2.3 0 1 0 .01 0ZM9 14.7a2.3 2.3 0 1 0 .01 0Z",
	players:
		"M9 4.5a3.5 3.5 0 1 0 .01 0ZM2.5 20c0-4 2.5-6 6.5-6s6.5 2 6.5 6M16 4.8a3.5 3.5 0 0 1 0 6.4M18.5 14.5c2 .8 3 2.6 3 5.5",
	help: "M9.2 9a2.9 2.9 0 1 1 4 2.7c-.9.4-1.2 1-1.2 2.1M12 17v.4M12 3a9 9 0 1 0 .01 0Z",
	moon: "M19.5 14.5A8 8 0 1 1 9.5 4.5a6.5 6.5 0 0 0 10 10Z",
	back: "M9 7L4 12l5 5M4 12h10a5 5 0 0 1 5 5v1",
	hint: "M9 17.5h6M10 20.5h4M12 3.5a6 6 0 0 0-3.6 10.8c.6.5.9 1.2.9 2h5.4c0-.8.3-1.5.9-2A6 6 0 0 0 12 3.5Z",
	resign: "M6 21V4M6 4.5c4-2 7 2 12 0v8c-5 2-8-2-12 0",
	declare: "M5 9h4v6H5ZM9 9.5l8-4.5v14l-8-4.5M7 15l1.5 5",
	again: "M19 12a7 7 0 1 1-2.2-5M17 3v4.5h-4.5",
	arrow: "M6 18L18 6M9 6h9v9",
	up: "M12 19V6M7 10.5L12 5.5l5 5",
	down: "M12 5v13M7 13.5l5 5 5-5",
	top: "M12 20V9M7 13.5L12 8.5l5 5M5 4.5h14",
	bin: "M5 7h14M9.5 7V4.5h5V7M7 7l1 13h8l1-13",
	curve: "M3 18l5-6 4 3 4-8 5 4",
	moves: "M5 6.5h6M14 6.5h5M5 12h6M14 12h5M5 17.5h6",
	engine: "M7 7h10v10H7ZM10 3.5V7M14 3.5V7M10 17v3.5M14 17v3.5M3.5 10H7M3.5 14H7M17 10h3.5M17 14h3.5",
	menu: "M4 7h16M4 12h16M4 17h16",
	copy: "M9 9h10v11H9ZM15 9V4H5v11h4",
	download: "M12 4v11M8 11l4 4 4-4M5 20h14",
	eye: "M2.5 12C6 6.5 18 6.5 21.5 12 18 17.5 6 17.5 2.5 12ZM12 9.5a2.5 2.5 0 1 0 .01 0Z",
	threat: "M12 4l9 16H3ZM12 10v4.5M12 17v.4",
};

export function icon(name) {
	return s("svg.icon", { viewBox: "0 0 24 24" }, s("path", { d: PATHS[name] }));
}
