// The signs beside moves.

import { h } from "./dom.js";
import { t } from "./i18n.js";

const CLASSES = {
	"!!": "brilliant",
	"!": "good",
	"!?": "interesting",
	"?!": "inaccuracy",
	"?": "mistake",
	"??": "blunder",
	"□": "interesting",
};
export const MARKS = ["!!", "!", "!?", "?!", "?", "??"];
export const SIGNS = { blunder: "??", mistake: "?", inaccuracy: "?!", only: "□", brilliant: "!!" };

export const markClass = (mark) => `mark-${CLASSES[mark] ?? "other"}`;
export const markElement = (mark) => h(`span.mark.${markClass(mark)}`, { text: mark, title: t(`mark.${mark}`) });
export const legend = () =>
	Object.values(SIGNS)
		.reverse()
		.flatMap((sign) => [h("span.whole", markElement(sign), ` ${t(`mark.${sign}`)}`), "  "]);
