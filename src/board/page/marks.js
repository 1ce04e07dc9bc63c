// The signs beside moves, from brilliant to blunder.

import { h } from "./dom.js";

const CLASSES = { "!!": "brilliant", "!": "good", "!?": "interesting", "?!": "inaccuracy", "?": "mistake", "??": "blunder", "□": "interesting" };
export const MARKS = ["!!", "!", "!?", "?!", "?", "??"];
/** How a review's words for a move are written. */
export const SIGNS = { blunder: "??", mistake: "?", inaccuracy: "?!", only: "□", brilliant: "!!" };

export const markClass = (mark) => `mark-${CLASSES[mark] ?? "other"}`;
export const markElement = (mark) => h("span.mark", { class: markClass(mark), text: mark });
