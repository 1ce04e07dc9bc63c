//! The page: heading, curve, players, turning points and moves.

use super::curve::{Curve, Layout};
use super::facts::{circumstances, name, outcome};
use super::markup::{put, text};
use super::{cards, moves, turning};
use crate::counted::counted;
use crate::record::Record;
use crate::review::{BLUNDER, INACCURACY, MISTAKE, Review, chance_words};
use crate::shogi::Color;
use crate::shogi::diagram::Pieces;

/// The curve on wide screens, and on phones.
const WIDE: Layout = Layout { width: 960.0, plot: 270.0, font: 13.0, strips: true, linked: true };
const NARROW: Layout = Layout { width: 360.0, plot: 200.0, font: 12.0, strips: false, linked: true };

/// Writes the page.
pub fn write(record: &Record, review: &Review, pieces: Pieces) -> String {
    let mut out = String::new();
    let [black, white] = Color::ALL.map(|color| name(record, color));
    // What the page may do is said in the page: it has styles of its own, and nothing is loaded.
    put!(
        &mut out,
        r#"<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>{} against {}: a review</title>
<style>{}{}{}</style></head><body>
"#,
        text(&black),
        text(&white),
        include_str!("curve.css"),
        include_str!("board.css"),
        include_str!("page.css")
    );
    heading(&mut out, record, review, [&black, &white]);
    out.push_str("<main>");
    curve(&mut out, review);
    cards::write(&mut out, record, review);
    turning::write(&mut out, record, review, pieces);
    moves::write(&mut out, record, review, pieces);
    out.push_str("</main>");
    footer(&mut out);
    out.push_str("</body></html>\n");
    out
}

fn heading(out: &mut String, record: &Record, review: &Review, [black, white]: [&str; 2]) {
    out.push_str(r#"<header class="top"><p class="kicker">Judkins shogi · a game reviewed</p>"#);
    put!(out, "<h1><span>▲ <bdi>{}</bdi></span> <i>against</i> ", text(black));
    put!(out, "<span>△ <bdi>{}</bdi></span></h1>", text(white));
    put!(out, r#"<p class="outcome">{}.</p>"#, text(&outcome(record, review)));
    let mut facts = circumstances(record);
    facts.push(counted(review.moves.len(), "move"));
    put!(out, r#"<p class="facts">{}</p>"#, text(&facts.join(" · ")));
    if !review.complete {
        out.push_str(r#"<p class="warning">The review was not finished: some moves have no evaluation.</p>"#);
    }
    out.push_str("</header>");
}

fn curve(out: &mut String, review: &Review) {
    out.push_str(r#"<figure class="chart">"#);
    for (class, layout) in [("wide", WIDE), ("narrow", NARROW)] {
        let curve = Curve::new(review, layout);
        put!(out, r#"<svg class="{class}" viewBox="0 0 {} {:.0}" role="group""#, layout.width, curve.height());
        out.push_str(r#" aria-label="Black's chance to win after each move">"#);
        curve.draw(out);
        out.push_str("</svg>");
    }
    out.push_str(
        "<figcaption>Black's chance to win after each move, as the engine sees it. The labels name the moves at which \
         the game turned; the signs are those of the counts below.</figcaption></figure>",
    );
}

fn footer(out: &mut String) {
    put!(
        out,
        "<footer><h2>How to read this</h2><p>The engine has looked at the position before and after every move. A \
         chance to win counts a draw as half a win. What a move lost is how far its player's chance fell: from {} it \
         is an inaccuracy, from {} a mistake, from {} a blunder. An only move is the only good one; a brilliant move \
         is one that also gives up material. A missed mate could have been forced by checks.</p>",
        chance_words(INACCURACY),
        chance_words(MISTAKE),
        chance_words(BLUNDER)
    );
    out.push_str(
        "<p>In Western notation a letter names the piece (K king, R rook, B bishop, G gold, S silver, N knight, P \
         pawn; + before it if it is promoted), - is a move, x a capture, * a drop, and the square follows; + at the \
         end is a promotion, = one that was declined. ▲ is Black, who sits below, △ White.</p>",
    );
    put!(out, r#"<p class="made">Reviewed with judkins {}.</p></footer>"#, env!("CARGO_PKG_VERSION"));
}
