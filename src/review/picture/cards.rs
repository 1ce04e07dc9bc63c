//! A card for each player: accuracy, mean loss, and how many moves of each kind.

use super::facts::{self, name};
use super::markup::{put, text};
use super::shapes::{self, COUNTED, Shape};
use crate::counted::inflected;
use crate::record::Record;
use crate::review::{PlayerSummary, Review};
use crate::shogi::{Color, GameScore};

/// Writes both cards.
pub fn write(out: &mut String, record: &Record, review: &Review) {
    out.push_str(r#"<section class="cards" aria-label="The players">"#);
    for color in Color::ALL {
        card(out, record, review, color);
    }
    out.push_str("</section>");
}

fn card(out: &mut String, record: &Record, review: &Review, color: Color) {
    let summary = &review.players[color.index()];
    put!(out, r#"<article class="card {}"><header>"#, facts::class(color));
    put!(out, "<h2>{} <bdi>{}</bdi></h2>", color.sign(), text(&name(record, color)));
    let result = match facts::ending(record, review).0 {
        Some(GameScore::Draw) => "drew",
        Some(score) if score.winner() == Some(color) => "won",
        Some(_) => "lost",
        None => "",
    };
    put!(out, r#"<p class="chip">{color}{}{result}</p></header>"#, if result.is_empty() { "" } else { " · " });
    figures(out, summary);
    out.push_str(r#"<ul class="counts">"#);
    for (mark, noun) in COUNTED {
        counted(out, Shape::Mark(mark), facts::marked(review, color, mark), noun);
    }
    counted(out, Shape::MissedMate, summary.missed_mates, "missed mate");
    out.push_str("</ul></article>");
}

fn figures(out: &mut String, summary: &PlayerSummary) {
    let PlayerSummary { moves, loss, accuracy, best, .. } = *summary;
    if moves == 0 {
        out.push_str(r#"<p class="figures">No move was reviewed.</p>"#);
        return;
    }
    put!(out, r#"<dl class="figures"><div class="large"><dt>accuracy</dt><dd>{accuracy:.0} %</dd></div>"#);
    put!(out, "<div><dt>lost by a move<br/>on average</dt><dd>{:.1} %</dd></div>", 100.0 * loss);
    put!(out, "<div><dt>moves were<br/>the best</dt><dd>{best} of {moves}</dd></div></dl>");
}

fn counted(out: &mut String, shape: Shape, number: usize, noun: &str) {
    put!(out, r#"<li{}>"#, if number == 0 { r#" class="none""# } else { "" });
    shapes::inline(out, shape);
    put!(out, "<b>{number}</b> {}</li>", inflected(number, noun));
}
