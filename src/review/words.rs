//! A review in words that need no knowledge of engines.

use super::marks::MoveMark;
use super::{MoveReview, win_chance};
use crate::score::Score;
use crate::shogi::Color;
use crate::shogi::notation::western::{Style, movetext, to_western};

/// The moves of a better line that are shown.
const SHOWN: usize = 5;

/// What people call a mark.
pub fn mark_words(mark: MoveMark) -> &'static str {
    match mark {
        MoveMark::Brilliant => "brilliant",
        MoveMark::Only => "only move",
        MoveMark::Inaccuracy => "inaccuracy",
        MoveMark::Mistake => "mistake",
        MoveMark::Blunder => "blunder",
    }
}

/// A score from a player's point of view: `+1.25`, `mate in 5`.
pub fn score_words(score: Score) -> String {
    match score {
        Score::Mate(0) => "mated".to_owned(),
        score => score.to_string(),
    }
}

/// A chance to win in percent: `73 %`.
pub fn chance_words(chance: f64) -> String {
    format!("{:.0} %", 100.0 * chance)
}

/// A sentence or two on a move that turned the game: what it cost, and what was better.
pub fn describe_turning_point(mv: &MoveReview) -> String {
    let player = mv.color;
    let played = to_western(&mv.position, mv.mv, Style::Hodges);
    let (Some(before), Some(after)) = (mv.before, mv.after) else { return format!("Move {}, {played}.", mv.ply) };
    let mark = if player == Color::Black { '▲' } else { '△' };
    let [was, is] = [before, after].map(|score| chance_words(win_chance(score)));
    let mut text = format!("Move {}, {mark}{played}: {player}'s chance to win fell from {was} to {is}.", mv.ply);
    if let Some(mate) = &mv.missed_mate {
        text += &format!(" {player} had a mate in {}: {}.", mate.len(), line(mv, mate));
    } else if !mv.is_best() && !mv.best.is_empty() {
        text += &format!(" Better was {}.", line(mv, &mv.best[..mv.best.len().min(SHOWN)]));
    }
    if let Score::Mate(plies @ ..=0) = after {
        text += &format!(" Now {player} is mated in {}.", -plies);
    }
    text
}

fn line(mv: &MoveReview, moves: &[crate::shogi::Move]) -> String {
    movetext(&mv.position, moves, Style::Hodges)
}
