//! The curve of a game: Black's chance to win after each move, with the marks of the moves.

use super::facts::{self};
use super::flags::{Flag, place};
use super::markup::{put, text};
use super::shapes::{self, Shape};
use crate::review::{MoveReview, Review, chance_words, mark_words};
use crate::shogi::Color;
use crate::shogi::notation::western::{Style, to_western};
use crate::text_width::width;

/// The height of a line of labels, as a multiple of the font size.
const LINE: f64 = 1.55;

/// Marks of games with more moves than this are smaller.
const CROWDED: usize = 150;

/// How a curve is drawn. Lengths are in user units.
#[derive(Clone, Copy)]
pub struct Layout {
    /// The width of the whole drawing.
    pub width: f64,
    /// The height of the plot.
    pub plot: f64,
    /// The size of its text.
    pub font: f64,
    /// Whether every move has a strip that tells what it is under the pointer.
    pub strips: bool,
    /// Whether strips are links to `#move-N`, and labels to `#turn-N`.
    pub linked: bool,
}

/// A curve, laid out.
pub struct Curve<'a> {
    review: &'a Review,
    layout: Layout,
    flags: Vec<Flag>,
    lanes: usize,
}

impl<'a> Curve<'a> {
    /// Lays out the curve of a game.
    pub fn new(review: &'a Review, layout: Layout) -> Curve<'a> {
        let mut curve = Curve { review, layout, flags: Vec::new(), lanes: 0 };
        let labels: Vec<(f64, f64)> = review
            .turning_points
            .iter()
            .map(|&index| (curve.x(index + 1), layout.font * (width(&label(&review.moves[index])) + 1.1)))
            .collect();
        curve.flags = place(&labels, curve.right());
        curve.lanes = curve.flags.iter().map(|flag| flag.lane + 1).max().unwrap_or(0);
        curve
    }

    /// The height of the drawing.
    pub fn height(&self) -> f64 {
        self.bottom() + 3.2 * self.layout.font
    }

    /// Draws the curve, its upper left corner at the origin.
    pub fn draw(&self, out: &mut String) {
        put!(out, r#"<g class="curve" font-size="{}">"#, self.layout.font);
        self.frame(out);
        for run in self.runs() {
            self.area(out, &run);
        }
        if self.layout.strips {
            self.strips(out);
        }
        self.poles(out);
        for run in self.runs() {
            self.line(out, &run);
        }
        self.marks(out);
        self.labels(out);
        out.push_str("</g>");
    }

    fn left(&self) -> f64 {
        4.6 * self.layout.font
    }

    fn right(&self) -> f64 {
        self.layout.width - 0.8 * self.layout.font
    }

    fn top(&self) -> f64 {
        (self.lanes as f64 + 0.6) * LINE * self.layout.font
    }

    fn bottom(&self) -> f64 {
        self.top() + self.layout.plot
    }

    /// The place after so many moves.
    fn x(&self, ply: usize) -> f64 {
        let moves = self.review.moves.len().max(1) as f64;
        self.left() + (self.right() - self.left()) * ply as f64 / moves
    }

    /// The place of Black's chance to win.
    fn y(&self, chance: f64) -> f64 {
        self.top() + self.layout.plot * (1.0 - chance)
    }

    /// The point after a move, unless it was not reviewed.
    fn point(&self, ply: usize) -> Option<(f64, f64)> {
        let chance = self.review.chances.get(ply).copied().flatten()?;
        Some((self.x(ply), self.y(chance)))
    }

    /// The points of the curve, in pieces without a gap.
    fn runs(&self) -> Vec<Vec<(f64, f64)>> {
        let points: Vec<Option<(f64, f64)>> = (0..=self.review.moves.len()).map(|ply| self.point(ply)).collect();
        points.split(Option::is_none).map(|run| run.iter().copied().flatten().collect()).collect()
    }

    fn frame(&self, out: &mut String) {
        let Layout { font, plot, .. } = self.layout;
        let (left, right, top, bottom) = (self.left(), self.right(), self.top(), self.bottom());
        put!(
            out,
            r#"<rect class="plot" x="{left:.1}" y="{top:.1}" width="{:.1}" height="{plot:.1}" rx="2"/>"#,
            right - left
        );
        for (chance, class, label) in [
            (1.0, "grid", "100 %"),
            (0.75, "grid", ""),
            (0.5, "even", "50 %"),
            (0.25, "grid", ""),
            (0.0, "grid", "0 %"),
        ] {
            let y = self.y(chance);
            put!(out, r#"<path class="{class}" d="M{left:.1} {y:.1}H{right:.1}"/>"#);
            put!(
                out,
                r#"<text class="tick" x="{:.1}" y="{:.1}" text-anchor="end">{label}</text>"#,
                left - 0.5 * font,
                y + 0.36 * font
            );
        }
        for ply in (0..=self.review.moves.len()).step_by(self.step()).filter(|&ply| ply > 0) {
            let x = self.x(ply);
            put!(out, r#"<path class="grid" d="M{x:.1} {bottom:.1}v{:.1}"/>"#, 0.35 * font);
            put!(
                out,
                r#"<text class="tick" x="{x:.1}" y="{:.1}" text-anchor="middle">{ply}</text>"#,
                bottom + 1.35 * font
            );
        }
        for (color, chance) in [(Color::Black, 0.75), (Color::White, 0.25)] {
            let (x, y) = (0.9 * font, self.y(chance));
            put!(out, r#"<text class="side {}" text-anchor="middle""#, facts::class(color));
            put!(out, r#" transform="translate({x:.1} {y:.1}) rotate(-90)">{} {color} ahead</text>"#, color.sign());
        }
        put!(
            out,
            r#"<text class="tick" x="{right:.1}" y="{:.1}" text-anchor="end">number of the move</text>"#,
            bottom + 2.7 * font
        );
    }

    /// The moves between two numbers below the plot.
    fn step(&self) -> usize {
        let room = (self.right() - self.left()) / (3.4 * self.layout.font);
        let least = (self.review.moves.len() as f64 / room).ceil() as usize;
        let steps = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500];
        steps.into_iter().find(|&step| step >= least).unwrap_or(least.next_multiple_of(1000))
    }

    /// The areas between a piece of the curve and the line of even chances, Black's and White's.
    fn area(&self, out: &mut String, run: &[(f64, f64)]) {
        let even = self.y(0.5);
        let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
        let points = with_crossings(run, even);
        for (class, side) in [("black", f64::min as fn(f64, f64) -> f64), ("white", f64::max)] {
            put!(out, r#"<path class="area {class}" d="M{:.1} {even:.1}"#, first.0);
            for &(x, y) in &points {
                put!(out, "L{x:.1} {:.1}", side(y, even));
            }
            put!(out, r#"L{:.1} {even:.1}Z"/>"#, last.0);
        }
    }

    fn line(&self, out: &mut String, run: &[(f64, f64)]) {
        if run.is_empty() {
            return;
        }
        out.push_str(r#"<path class="line" d=""#);
        for (index, (x, y)) in run.iter().enumerate() {
            put!(out, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' });
        }
        out.push_str(r#"h.01"/>"#);
    }

    /// The marks, bad moves over good ones.
    fn marks(&self, out: &mut String) {
        let crowded = if self.review.moves.len() > CROWDED { 0.75 } else { 1.0 };
        let radius = 0.42 * self.layout.font * crowded;
        let mut marked: Vec<_> = self.review.moves.iter().filter_map(|mv| Some((mv, self.point(mv.ply)?))).collect();
        marked.sort_by_key(|(mv, _)| mv.mark);
        for (mv, (x, y)) in marked {
            if mv.missed_mate.is_some() {
                shapes::draw(out, Shape::MissedMate, x, y, radius);
            }
            if let Some(mark) = mv.mark {
                shapes::draw(out, Shape::Mark(mark), x, y, radius);
            }
        }
    }

    fn flagged(&self) -> impl Iterator<Item = (&MoveReview, &Flag, f64)> {
        let moves = self.review.turning_points.iter().map(|&index| &self.review.moves[index]);
        let line = LINE * self.layout.font;
        moves.zip(&self.flags).map(move |(mv, flag)| (mv, flag, self.top() - (flag.lane as f64 + 1.3) * line))
    }

    fn poles(&self, out: &mut String) {
        for (mv, flag, y) in self.flagged() {
            let end = self.point(mv.ply).map_or(self.bottom(), |(_, y)| y);
            put!(out, r#"<path class="pole" d="M{:.1} {y:.1}V{end:.1}"/>"#, flag.x);
        }
    }

    fn labels(&self, out: &mut String) {
        let font = self.layout.font;
        for (mv, flag, y) in self.flagged() {
            let (x, anchor) =
                if flag.flipped { (flag.x - 0.45 * font, "end") } else { (flag.x + 0.45 * font, "start") };
            let words = label(mv);
            let (number, played) = words.split_once(' ').unwrap_or(("", &words));
            if self.layout.linked {
                put!(out, r##"<a href="#turn-{}">"##, mv.ply);
            }
            let y = y + 0.85 * font;
            put!(out, r#"<text class="flag" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">"#);
            put!(out, r#"<tspan class="number">{number}</tspan> {}</text>"#, text(played));
            if self.layout.linked {
                out.push_str("</a>");
            }
        }
    }

    /// Strips over the moves that say what was played.
    fn strips(&self, out: &mut String) {
        let half = (self.x(1) - self.x(0)) / 2.0;
        for mv in &self.review.moves {
            let x = self.x(mv.ply);
            if self.layout.linked {
                put!(out, r##"<a href="#move-{}" tabindex="-1">"##, mv.ply);
            }
            put!(
                out,
                r#"<rect class="strip" x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}"><title>{}</title></rect>"#,
                x - half,
                self.top(),
                half + half.min(self.right() - x).max(0.0),
                self.layout.plot,
                text(&self.told(mv))
            );
            if self.layout.linked {
                out.push_str("</a>");
            }
        }
    }

    /// A move in words: `12 △K-2b, mistake: Black 63 %`.
    fn told(&self, mv: &MoveReview) -> String {
        let mark = mv.mark.map_or(String::new(), |mark| format!(", {}", mark_words(mark)));
        let missed = if mv.missed_mate.is_some() { ", missed a mate" } else { "" };
        let declaration = if mv.missed_declaration { ", could have declared a win" } else { "" };
        let end = mv.end.map_or(String::new(), |end| format!(", {}", end.result.reason));
        let chance = match self.review.chances.get(mv.ply).copied().flatten() {
            Some(chance) => format!("Black {}", chance_words(chance)),
            None => "not reviewed".to_owned(),
        };
        format!("{}{mark}{missed}{declaration}{end}: {chance}", label(mv))
    }
}

/// A move's number, player and notation: `12 △K-2b`.
fn label(mv: &MoveReview) -> String {
    format!("{} {}{}", mv.ply, mv.color.sign(), to_western(&mv.position, mv.mv, Style::Hodges))
}

/// The points, with those added where the lines between them cross a height.
fn with_crossings(points: &[(f64, f64)], height: f64) -> Vec<(f64, f64)> {
    let mut all: Vec<(f64, f64)> = Vec::with_capacity(points.len());
    for &(x, y) in points {
        if let Some(&(last_x, last_y)) = all.last()
            && (last_y - height) * (y - height) < 0.0
        {
            all.push((last_x + (x - last_x) * (height - last_y) / (y - last_y), height));
        }
        all.push((x, y));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_meet_where_the_curve_crosses_the_middle() {
        let points = with_crossings(&[(0.0, 0.0), (10.0, 4.0), (20.0, 1.0)], 2.0);
        assert_eq!(points[1], (5.0, 2.0));
        assert_eq!(points.len(), 5);
        assert!((points[3].0 - (10.0 + 20.0 / 3.0)).abs() < 1e-9);
    }
}
