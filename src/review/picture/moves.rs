//! The table of all moves.

use super::facts::{self, japanese, outcome};
use super::markup::{prose, put, text};
use super::shapes::{self, Shape};
use crate::record::{NodeId, Record};
use crate::review::words::PLAYED_ON;
use crate::review::{MoveMark, MoveReview, Review, chance_words, mark_words};
use crate::shogi::Move;
use crate::shogi::diagram::Pieces;
use crate::shogi::notation::western::{Style, to_western};

/// The moves of a better line that are shown.
const SHOWN: usize = 5;
/// A loss from which the better move is named, marked or not.
const NAMED: f64 = 0.02;

/// Writes the table.
pub fn write(out: &mut String, record: &Record, review: &Review, pieces: Pieces) {
    out.push_str(r#"<section class="moves-section"><h2>All moves</h2>"#);
    if let Some(comment) = facts::comment(record, NodeId::ROOT) {
        put!(out, r#"<p class="comment">{}</p>"#, text(comment));
    }
    out.push_str(r#"<table><thead><tr><th scope="col" class="n">no.</th><th scope="col" colspan="2">move</th>"#);
    out.push_str(r#"<th scope="col" class="c">the player's chance to win</th><th scope="col">what it was</th>"#);
    out.push_str(r#"<th scope="col">better was</th></tr></thead><tbody>"#);
    let mut previous = None;
    for (index, mv) in review.moves.iter().enumerate() {
        row(out, record, mv, (previous, pieces), review.turning_points.contains(&index));
        previous = Some(mv.mv);
    }
    put!(out, "</tbody></table><p class=\"end\">{}.</p></section>", text(&outcome(record, review)));
}

fn row(out: &mut String, record: &Record, mv: &MoveReview, (previous, pieces): (Option<Move>, Pieces), turned: bool) {
    let class = mv.mark.map_or("", |mark| shapes::class(Shape::Mark(mark)));
    put!(out, r#"<tr id="move-{0}" class="{class}"><td class="n">{0}</td>"#, mv.ply);
    put!(
        out,
        r#"<th scope="row" class="w">{}{}</th><td class="j jp" lang="ja">{}</td><td class="c">"#,
        mv.color.sign(),
        text(&to_western(&mv.position, mv.mv, Style::Hodges)),
        japanese(pieces, &mv.position, mv.mv, previous)
    );
    chance(out, mv);
    out.push_str(r#"</td><td class="m">"#);
    verdict(out, mv, turned);
    out.push_str(r#"</td><td class="b">"#);
    let better = better(mv);
    if !better.is_empty() {
        put!(out, r#"<span class="better-line">{}</span>"#, prose(&better));
    }
    if let Some(comment) = facts::comment(record, mv.node) {
        put!(out, r#"<p class="comment">{}</p>"#, text(comment));
    }
    out.push_str("</td></tr>");
}

/// The chance before and after the move, as a bar and in percent.
fn chance(out: &mut String, mv: &MoveReview) {
    let (Some(before), Some(after)) = (mv.chance_before(), mv.chance_after()) else {
        out.push_str(r#"<span class="percent">not reviewed</span>"#);
        return;
    };
    chance_bar(out, mv);
    let [before, after] = [before, after].map(chance_words);
    if before == after {
        put!(out, r#"<span class="percent">{after}</span>"#);
    } else {
        put!(out, r#"<span class="percent">{} → {after}</span>"#, before.trim_end_matches(" %"));
    }
}

/// A bar of the player's chance after the move, with what the move lost hatched at its end.
pub fn chance_bar(out: &mut String, mv: &MoveReview) {
    let (Some(before), Some(after)) = (mv.chance_before(), mv.chance_after()) else { return };
    put!(
        out,
        r#"<span class="bar {}" aria-hidden="true"><i style="width:{:.1}%"></i><b style="width:{:.1}%"></b></span>"#,
        facts::class(mv.color),
        100.0 * after,
        100.0 * (before - after).max(0.0)
    );
}

fn verdict(out: &mut String, mv: &MoveReview, turned: bool) {
    if let Some(mark) = mv.mark {
        put!(out, r#"<span class="verdict">"#);
        shapes::inline(out, Shape::Mark(mark));
        put!(out, "{}</span>", mark_words(mark));
    }
    if mv.missed_mate.is_some() {
        out.push_str(r#"<span class="verdict">"#);
        shapes::inline(out, Shape::MissedMate);
        out.push_str("missed mate</span>");
    }
    if let Some(end) = &mv.end {
        let went_on = if end.played_on { PLAYED_ON } else { "" };
        put!(out, r#"<span class="verdict">{}{went_on}</span>"#, end.result.reason);
    }
    if turned {
        put!(out, r##"<a class="see" href="#turn-{}">see the board</a>"##, mv.ply);
    }
}

/// The better line, if the move lost something.
fn better(mv: &MoveReview) -> String {
    let line = |moves: &[Move], shown: usize| facts::line(&mv.position, &moves[..moves.len().min(shown)]);
    let mut words = match (&mv.missed_mate, mv.mark) {
        (Some(mate), _) => format!("mate in {}: {}", mate.len(), line(mate, mate.len())),
        _ if mv.is_best() => String::new(),
        (None, Some(MoveMark::Blunder | MoveMark::Mistake | MoveMark::Inaccuracy)) => line(&mv.best, SHOWN),
        _ if mv.loss.is_some_and(|loss| loss >= NAMED) => line(&mv.best, 1),
        _ => String::new(),
    };
    if mv.missed_declaration {
        let comma = if words.is_empty() { "" } else { "; " };
        words = format!("{words}{comma}a win could have been declared");
    }
    words
}
