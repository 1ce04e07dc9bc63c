//! The turning points of a game, each with a board before the move.

use super::board::{self, Shown};
use super::facts::{self, japanese};
use super::markup::{prose, put, text};
use super::moves::chance_bar;
use super::{arrows, shapes};
use crate::record::Record;
use crate::review::{MoveReview, Review, describe_turning_point, mark_words};
use crate::shogi::Move;
use crate::shogi::diagram::Pieces;
use crate::shogi::notation::western::{Style, to_western};

/// The moves of a better line that are shown.
const SHOWN: usize = 9;

/// Writes all turning points, if there are any.
pub fn write(out: &mut String, record: &Record, review: &Review, pieces: Pieces) {
    if review.turning_points.is_empty() {
        return;
    }
    out.push_str(r#"<section class="turns"><h2>Where the game turned</h2>"#);
    for &index in &review.turning_points {
        let previous = index.checked_sub(1).map(|index| review.moves[index].mv);
        turn(out, record, &review.moves[index], previous, pieces);
    }
    out.push_str("</section>");
}

fn turn(out: &mut String, record: &Record, mv: &MoveReview, previous: Option<Move>, pieces: Pieces) {
    let better = better_line(mv);
    let played = to_western(&mv.position, mv.mv, Style::Hodges);
    put!(out, r#"<article class="turn" id="turn-{}"><figure>"#, mv.ply);
    let shown = Shown { last: previous, played: Some(mv.mv), better: better.first().copied() };
    let label = format!("The board before move {}, {}{played}", mv.ply, mv.color.sign());
    board::draw(out, &mv.position, pieces, shown, &label);
    out.push_str(r#"</figure><div class="told">"#);
    let number = mv.ply;
    put!(out, r##"<p class="kicker"><a href="#move-{number}">Move {number}</a>"##);
    if let Some(mark) = mv.mark {
        out.push(' ');
        shapes::inline(out, shapes::Shape::Mark(mark));
        put!(out, "{}", mark_words(mark));
    }
    put!(
        out,
        r#"</p><h3>{}&#x2009;{} <span class="jp" lang="ja">{}</span></h3>"#,
        mv.color.sign(),
        text(&played),
        japanese(pieces, &mv.position, mv.mv, previous)
    );
    chance_bar(out, mv);
    // A number stays with its sign.
    let told = describe_turning_point(mv).replace(" %", "\u{a0}%");
    put!(out, r#"<p class="lead">{}</p>"#, prose(&told));
    if let Some(comment) = facts::comment(record, mv.node) {
        put!(out, r#"<p class="comment">{}</p>"#, text(comment));
    }
    key(out, mv, better, previous, pieces);
    out.push_str("</div></article>");
}

/// What the arrows mean, with the moves in both notations, and the better line.
fn key(out: &mut String, mv: &MoveReview, better: &[Move], previous: Option<Move>, pieces: Pieces) {
    out.push_str(r#"<dl class="key">"#);
    let first = better.first().map(|&best| (true, "better", best));
    for (is_better, word, played) in [Some((false, "played", mv.mv)), first].into_iter().flatten() {
        out.push_str("<div><dt>");
        arrows::inline(out, is_better);
        put!(
            out,
            r#" {word}</dt><dd>{} <span class="jp" lang="ja">{}</span></dd></div>"#,
            text(&to_western(&mv.position, played, Style::Hodges)),
            japanese(pieces, &mv.position, played, previous)
        );
    }
    let (word, start, line) = match (&mv.missed_mate, better) {
        (Some(_), _) => ("the mate", mv.position.clone(), better),
        (None, [first, rest @ ..]) => ("and then", mv.position.after(*first), rest),
        (None, []) => ("", mv.position.clone(), better),
    };
    if !line.is_empty() {
        let line = facts::line(&start, &line[..line.len().min(SHOWN)]);
        put!(out, r#"<div><dt>{word}</dt><dd class="moves">{}</dd></div>"#, prose(&line));
    }
    out.push_str("</dl>");
}

fn better_line(mv: &MoveReview) -> &[Move] {
    match &mv.missed_mate {
        Some(mate) => mate,
        None if mv.is_best() => &[],
        None => &mv.best,
    }
}
