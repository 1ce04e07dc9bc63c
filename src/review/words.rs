//! A review in words that need no knowledge of engines.

use super::marks::MoveMark;
use super::values::plies_to_rule;
use super::{End, MoveReview};
use crate::score::Score;
use crate::shogi::EndReason;
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

/// A score from a player's point of view, with the rule that decides it: `+1.25`, `mate in 5`, `win by declaration in 3`.
pub(super) fn score_words(score: Score, rule: Option<EndReason>) -> String {
    let (Some(plies), Score::Centipawns(value)) = (plies_to_rule(score), score) else { return score.to_string() };
    let kind = if value > 0 { "win" } else { "loss" };
    let rule = rule.map_or("rule".to_owned(), |rule| rule.to_string());
    let when = if plies == 0 { String::new() } else { format!(" in {plies}") };
    format!("{kind} by {rule}{when}")
}

/// The score after a move, or how the game ended with it: `-0.35`, `checkmate`. None where it was not reviewed.
pub fn outcome_words(mv: &MoveReview) -> Option<String> {
    let ended = mv.result().map(|result| result.reason.to_string());
    ended.or_else(|| mv.after.map(|score| score_words(score, mv.after_rule)))
}

/// An end of the game in words: `game over by checkmate: Black wins`.
pub fn end_words(end: &End) -> String {
    let result = &end.result;
    let winner = result.winner.map_or("no contest".to_owned(), |winner| format!("{winner} wins"));
    let went_on = if end.played_on { PLAYED_ON } else { "" };
    format!("{GAME_OVER}{}: {winner}{went_on}", result.explained())
}

/// The beginning and the end of what [`end_words`] says.
pub(super) const GAME_OVER: &str = "game over by ";
pub(super) const PLAYED_ON: &str = ", but play went on";

/// A chance to win in percent: `73 %`.
pub fn chance_words(chance: f64) -> String {
    format!("{:.0} %", 100.0 * chance)
}

/// A sentence or two on a move that turned the game: what it cost, and what was better.
pub fn describe_turning_point(mv: &MoveReview) -> String {
    let player = mv.color;
    let played = to_western(&mv.position, mv.mv, Style::Hodges);
    let (Some(before), Some(after)) = (mv.chance_before(), mv.chance_after()) else {
        return format!("Move {}, {played}.", mv.ply);
    };
    let [was, is] = [before, after].map(chance_words);
    let mut text =
        format!("Move {}, {}{played}: {player}'s chance to win fell from {was} to {is}.", mv.ply, player.sign());
    if let Some(mate) = &mv.missed_mate {
        text += &format!(" {player} had a mate in {}: {}.", mate.len(), line(mv, mate));
    } else if !mv.is_best() && !mv.best.is_empty() {
        text += &format!(" Better was {}.", line(mv, &mv.best[..mv.best.len().min(SHOWN)]));
    }
    if mv.missed_declaration {
        text += &format!(" {player} could have declared a win.");
    }
    match (mv.end, mv.after) {
        (Some(end), _) => {
            let words = end_words(&end);
            text += &format!(" {}{}.", words[..1].to_uppercase(), &words[1..]);
        }
        (None, Some(Score::Mate(plies @ ..=0))) => text += &format!(" Now {player} is mated in {}.", -plies),
        (None, Some(score)) if is_lost(score) => {
            text += &format!(" Now it is a {} for {player}.", score_words(score, mv.after_rule));
        }
        (None, _) => {}
    }
    text
}

/// Whether a rule other than mate decides the game against the player.
fn is_lost(score: Score) -> bool {
    plies_to_rule(score).is_some() && matches!(score, Score::Centipawns(..0))
}

fn line(mv: &MoveReview, moves: &[crate::shogi::Move]) -> String {
    movetext(&mv.position, moves, Style::Hodges)
}
