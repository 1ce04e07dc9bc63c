// Arrows over the board and the stands: best moves, threats, a hint.

import { s } from "./dom.js";
import { isDrop, source, target } from "./shogi.js";

/**
 * `show` takes arrows `{move, colour, kind, weight}` and circles `{square, kind, weight}`: `kind` is its look, `weight` from 0
 * to 1 its strength, `colour` whose hand a drop comes from.
 */
export function createArrows(area, board, handOf) {
	const layer = s("svg.arrows");
	area.append(layer);
	let arrows = [];

	function centre(element, { left, top }) {
		const box = element.getBoundingClientRect();
		return { x: box.left - left + box.width / 2, y: box.top - top + box.height / 2 };
	}

	function draw() {
		if (arrows.length === 0 && !layer.firstChild) return;
		const box = area.getBoundingClientRect();
		const unit = board.squares.getBoundingClientRect().width / 6;
		layer.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
		layer.replaceChildren(...arrows.map((each) => (each.square ? circle : arrow)(each, unit, box)));
	}

	function circle({ square, kind }, unit, box) {
		const { x, y } = centre(board.cellOf(square), box);
		return s(`circle.circle.arrow-${kind}`, { cx: x, cy: y, r: unit * 0.45, "stroke-width": unit * 0.07 });
	}

	function arrow({ move, colour, kind, weight }, unit, box) {
		const drop = isDrop(move);
		const start = centre(drop ? handOf(colour).slotOf(move[0]) : board.cellOf(source(move)), box);
		const to = centre(board.cellOf(target(move)), box);
		const [dx, dy] = [to.x - start.x, to.y - start.y];
		const end = Math.hypot(dx, dy) - unit * 0.08;
		const half = unit * (0.035 + 0.05 * weight);
		const neck = end - half * 5.4;
		const barb = neck - half * 0.6;
		const outline = `M${unit * 0.16} ${-half * 0.6}L${neck} ${-half}L${barb} ${-half * 2.8}L${end} 0L${barb} ${half * 2.8}L${neck} ${half}L${unit * 0.16} ${half * 0.6}Z`;
		return s(
			`g.arrow.arrow-${kind}`,
			{
				opacity: 0.42 + 0.48 * weight,
				transform: `translate(${start.x} ${start.y}) rotate(${(Math.atan2(dy, dx) * 180) / Math.PI})`,
			},
			s("path", { d: outline }),
			drop && s("circle", { r: unit * 0.13 }),
		);
	}

	new ResizeObserver(draw).observe(area);
	return {
		show: (next) => {
			arrows = next;
			draw();
		},
	};
}
