//! The review as one picture: heading, curve, and each player's accuracy and marks, which are the legend too.

use super::curve::{Curve, Layout};
use super::facts::{self, name, outcome};
use super::markup::{put, text};
use super::shapes::{self, COUNTED, Shape};
use crate::counted::counted;
use crate::record::Record;
use crate::review::{PlayerSummary, Review};
use crate::shogi::Color;
use crate::text_width::{truncate, width};

const WIDTH: f64 = 960.0;
const MARGIN: f64 = 40.0;
/// Where the curve begins.
const HEADING: f64 = 122.0;
/// The room for each name in the title, in ems; what one leaves is the other's.
const TITLE: f64 = 12.0;
/// The width of a player's part.
const COLUMN: f64 = 416.0;
/// The height of the players' part.
const PLAYERS: f64 = 126.0;
/// The height of the note below.
const NOTE: f64 = 62.0;

/// Draws a review.
pub fn draw(record: &Record, review: &Review) -> String {
    let layout = Layout { width: WIDTH - 2.0 * MARGIN, plot: 270.0, font: 13.0, strips: true, linked: false };
    let curve = Curve::new(review, layout);
    let players = HEADING + curve.height() + 58.0;
    let height = players + PLAYERS + NOTE;
    let mut out = String::new();
    put!(&mut out, r#"<svg xmlns="http://www.w3.org/2000/svg" class="poster" role="img""#);
    put!(&mut out, r#" viewBox="0 0 {WIDTH} {height:.0}" width="{WIDTH}" height="{height:.0}">"#);
    let [black, white] = Color::ALL.map(|color| name(record, color));
    put!(&mut out, "<title>{} against {}: {}</title>", text(&black), text(&white), text(&outcome(record, review)));
    put!(&mut out, "<style>{}{}</style>", include_str!("curve.css"), include_str!("poster.css"));
    put!(&mut out, r#"<rect class="paper" width="{WIDTH}" height="{height:.0}"/>"#);
    heading(&mut out, record, review, [&black, &white]);
    put!(&mut out, r#"<g transform="translate({MARGIN} {HEADING})">"#);
    curve.draw(&mut out);
    out.push_str("</g>");
    let half = (WIDTH - 2.0 * MARGIN + 24.0) / 2.0;
    for (color, left) in [(Color::Black, MARGIN), (Color::White, MARGIN + half)] {
        player(&mut out, record, review, color, (left, players));
    }
    note(&mut out, review, height);
    out.push_str("</svg>\n");
    out
}

fn heading(out: &mut String, record: &Record, review: &Review, [black, white]: [&str; 2]) {
    // Even where the viewer's font is wider than any that was thought of, nothing leaves its place.
    put!(out, r#"<svg width="{}" height="{HEADING}">"#, WIDTH - MARGIN);
    put!(
        out,
        r#"<text class="title" x="{MARGIN}" y="52">▲ {} <tspan class="against">against</tspan> △ {}</text>"#,
        text(&truncate(black, TITLE.max(2.0 * TITLE - width(white)))),
        text(&truncate(white, TITLE.max(2.0 * TITLE - width(black))))
    );
    put!(
        out,
        r#"<text class="outcome" x="{MARGIN}" y="80">{}.</text>"#,
        text(&truncate(&outcome(record, review), 54.0))
    );
    let facts = facts::circumstances(record).join(" · ");
    put!(out, r#"<text class="fact" x="{MARGIN}" y="102">{}</text></svg>"#, text(&truncate(&facts, 66.0)));
}

fn player(out: &mut String, record: &Record, review: &Review, color: Color, (x, y): (f64, f64)) {
    let PlayerSummary { moves, loss, accuracy, missed_mates, .. } = review.players[color.index()];
    let side = facts::class(color);
    put!(out, r#"<path class="rule {side}" d="M{x} {:.1}h{COLUMN}"/>"#, y - 32.0);
    put!(
        out,
        r#"<svg x="{x}" y="{:.1}" width="{COLUMN}" height="40"><text class="player" y="28">{} {}</text></svg>"#,
        y - 28.0,
        color.sign(),
        text(&truncate(&name(record, color), 21.0))
    );
    let figures = match moves {
        0 => ["–".to_owned(), "no move was reviewed".to_owned()],
        _ => [format!("{accuracy:.0} %"), format!("accuracy · {:.1} % lost a move", 100.0 * loss)],
    };
    put!(
        out,
        r#"<text x="{x}" y="{:.1}"><tspan class="accuracy">{}</tspan><tspan class="fact" dx="12">{}</tspan></text>"#,
        y + 44.0,
        figures[0],
        figures[1]
    );
    let counts = COUNTED.map(|(mark, noun)| (Shape::Mark(mark), facts::marked(review, color, mark), noun));
    let missed = (Shape::MissedMate, missed_mates, "missed mate");
    for (index, (shape, number, noun)) in counts.into_iter().chain([missed]).enumerate() {
        let (x, y) = (x + 140.0 * (index % 3) as f64, y + 78.0 + 25.0 * (index / 3) as f64);
        let class = if number == 0 { "none" } else { "count" };
        put!(out, r#"<g class="{class}">"#);
        shapes::draw(out, shape, x + 8.0, y - 4.5, if shape == Shape::MissedMate { 4.4 } else { 5.6 });
        put!(out, r#"<text x="{:.1}" y="{y:.1}">{}</text></g>"#, x + 23.0, counted(number, noun));
    }
}

fn note(out: &mut String, review: &Review, height: f64) {
    let mut words = "The curve is Black's chance to win after each move, as the engine sees it. \
                     Labels name the moves at which the game turned."
        .to_owned();
    if !review.complete {
        words += " The review was not finished.";
    }
    put!(out, r#"<text class="note" x="{MARGIN}" y="{:.1}">{words}</text>"#, height - 30.0);
}
