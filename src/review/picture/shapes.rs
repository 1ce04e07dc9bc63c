//! The small shapes that mark moves; each kind is known by its shape as well as by its colour.

use crate::review::MoveMark;

use super::markup::put;

/// What a shape stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A mark of a move.
    Mark(MoveMark),
    /// A mate that was missed: a ring around whatever mark the move has.
    MissedMate,
}

/// The marks in the order in which they are counted, with what a move that has one is.
pub const COUNTED: [(MoveMark, &str); 5] = [
    (MoveMark::Blunder, "blunder"),
    (MoveMark::Mistake, "mistake"),
    (MoveMark::Inaccuracy, "inaccuracy"),
    (MoveMark::Only, "only move"),
    (MoveMark::Brilliant, "brilliant move"),
];

/// The class that gives the shape its colour.
pub fn class(shape: Shape) -> &'static str {
    match shape {
        Shape::Mark(MoveMark::Blunder) => "blunder",
        Shape::Mark(MoveMark::Mistake) => "mistake",
        Shape::Mark(MoveMark::Inaccuracy) => "inaccuracy",
        Shape::Mark(MoveMark::Only) => "only",
        Shape::Mark(MoveMark::Brilliant) => "brilliant",
        Shape::MissedMate => "missed",
    }
}

/// Draws the shape around a point; a radius of 6 is the usual size.
pub fn draw(out: &mut String, shape: Shape, x: f64, y: f64, radius: f64) {
    let class = class(shape);
    let corners: &[(f64, f64)] = match shape {
        Shape::Mark(MoveMark::Blunder) => &[(0.0, -1.1), (1.1, 0.0), (0.0, 1.1), (-1.1, 0.0)],
        Shape::Mark(MoveMark::Mistake) => &[(-1.0, -0.75), (1.0, -0.75), (0.0, 1.0)],
        Shape::Mark(MoveMark::Only) => &[(-0.75, -0.75), (0.75, -0.75), (0.75, 0.75), (-0.75, 0.75)],
        Shape::Mark(MoveMark::Brilliant) => &STAR,
        Shape::Mark(MoveMark::Inaccuracy) => {
            put!(out, r#"<circle class="mark {class}" cx="{x:.1}" cy="{y:.1}" r="{:.1}"/>"#, 0.72 * radius);
            return;
        }
        Shape::MissedMate => {
            put!(out, r#"<circle class="mark {class}" cx="{x:.1}" cy="{y:.1}" r="{:.1}"/>"#, 1.5 * radius);
            return;
        }
    };
    put!(out, r#"<path class="mark {class}" d=""#);
    for (index, (dx, dy)) in corners.iter().enumerate() {
        put!(out, "{}{:.1} {:.1}", if index == 0 { 'M' } else { 'L' }, x + dx * radius, y + dy * radius);
    }
    out.push_str(r#"Z"/>"#);
}

/// A star of five points.
const STAR: [(f64, f64); 10] = [
    (0.0, -1.2),
    (0.29, -0.4),
    (1.14, -0.37),
    (0.48, 0.15),
    (0.71, 0.97),
    (0.0, 0.5),
    (-0.71, 0.97),
    (-0.48, 0.15),
    (-1.14, -0.37),
    (-0.29, -0.4),
];

/// The shape as a picture of its own, to stand in a line of text.
pub fn inline(out: &mut String, shape: Shape) {
    out.push_str(r#"<svg class="sign" viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">"#);
    draw(out, shape, 10.0, 10.0, if shape == Shape::MissedMate { 5.2 } else { 6.6 });
    out.push_str("</svg>");
}
