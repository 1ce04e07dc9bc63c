//! Arrows of moves on a board: a broken one for the move that was played, a whole one for the better move.

use super::markup::put;

/// Half the width of an arrow's shaft.
const SHAFT: f64 = 2.6;
/// Half the width of its head, and its length.
const HEAD: (f64, f64) = (8.5, 15.0);
/// How far two arrows on the same way stand apart.
const APART: f64 = 7.0;

/// An arrow between the centres of two squares.
#[derive(Clone, Copy)]
pub struct Arrow {
    /// Where the piece comes from.
    pub from: (f64, f64),
    /// Where it goes.
    pub to: (f64, f64),
    /// Whether it is the better move, not the one that was played.
    pub better: bool,
}

/// Draws the arrows, side by side where they go the same way.
pub fn draw(out: &mut String, better: Option<Arrow>, played: Option<Arrow>) {
    let same = matches!((better, played), (Some(one), Some(other)) if one.from == other.from && one.to == other.to);
    for (arrow, side) in [(better, -0.5), (played, 0.5)] {
        if let Some(arrow) = arrow {
            draw_one(out, arrow, if same { side * APART } else { 0.0 });
        }
    }
}

/// Draws an arrow, moved sideways.
fn draw_one(out: &mut String, arrow: Arrow, aside: f64) {
    let ((x1, y1), (x2, y2)) = (arrow.from, arrow.to);
    let length = (x2 - x1).hypot(y2 - y1);
    let (along, across) = ((x2 - x1) / length, (y2 - y1) / length);
    let at = |far: f64, side: f64| {
        let side = side + aside;
        (x1 + along * far - across * side, y1 + across * far + along * side)
    };
    let class = if arrow.better { "better" } else { "played" };
    let tip = length - 3.0;
    let neck = tip - HEAD.1;
    put!(out, r#"<g class="arrow {class}">"#);
    let (start, end) = (at(12.0_f64.min(neck / 2.0), 0.0), at(neck + 1.0, 0.0));
    put!(
        out,
        r#"<path class="shaft" stroke-width="{}" d="M{:.1} {:.1}L{:.1} {:.1}"/>"#,
        2.0 * SHAFT,
        start.0,
        start.1,
        end.0,
        end.1
    );
    let [point, left, right] = [at(tip, 0.0), at(neck, -HEAD.0), at(neck, HEAD.0)];
    put!(
        out,
        r#"<path class="head" d="M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z"/></g>"#,
        point.0,
        point.1,
        left.0,
        left.1,
        right.0,
        right.1
    );
}

/// An arrow as a picture of its own, to stand in a line of text.
pub fn inline(out: &mut String, better: bool) {
    out.push_str(r#"<svg class="sign" viewBox="0 0 40 18" width="36" height="16" aria-hidden="true">"#);
    draw_one(out, Arrow { from: (-10.0, 9.0), to: (42.0, 9.0), better }, 0.0);
    out.push_str("</svg>");
}
