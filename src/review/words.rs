//! A review in words for readers without knowledge of engines.

use super::marks::MoveMark;
use super::values::plies_to_rule;
use super::{End, MoveReview};
use crate::record::Format;
use crate::score::Score;
use crate::shogi::notation::western::{Style, movetext, to_western};
use crate::shogi::{EndReason, GameResult, PointCount};

/// The number of moves shown of a better line.
const SHOWN: usize = 5;

/// The language of a review's text in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Language {
    English,
    Japanese,
}

/// The language of a format's readers.
impl From<Format> for Language {
    fn from(format: Format) -> Language {
        if format.is_japanese() { Language::Japanese } else { Language::English }
    }
}

/// The Japanese name of a mark.
pub(super) fn japanese_mark(mark: MoveMark) -> &'static str {
    match mark {
        MoveMark::Brilliant => "絶妙手",
        MoveMark::Only => "この一手",
        MoveMark::Inaccuracy => "緩手",
        MoveMark::Mistake => "疑問手",
        MoveMark::Blunder => "悪手",
    }
}

/// As [`score_words`], in Japanese: `+125`, `5手詰`, `3手で入玉宣言の勝ち`.
pub(super) fn japanese_score(score: Score, rule: Option<EndReason>) -> String {
    match (score, plies_to_rule(score)) {
        (Score::Centipawns(value), Some(plies)) => {
            let won = if value > 0 { "勝ち" } else { "負け" };
            let rule = rule.map_or("規定", |rule| rule.names()[1]);
            let when = if plies == 0 { String::new() } else { format!("{plies}手で") };
            format!("{when}{rule}の{won}")
        }
        (Score::Centipawns(value), None) => format!("{value:+}"),
        (Score::Mate(0), _) => EndReason::Checkmate.names()[1].to_owned(),
        (Score::Mate(plies @ 1..), _) => format!("{plies}手詰"),
        (Score::Mate(plies), _) => format!("{}手で詰まされる", plies.unsigned_abs()),
    }
}

/// As [`outcome_words`], in Japanese.
pub(super) fn japanese_outcome(mv: &MoveReview) -> Option<String> {
    let ended = mv.result().map(|result| result.reason.names()[1].to_owned());
    ended.or_else(|| mv.after.map(|score| japanese_score(score, mv.after_rule)))
}

/// As [`end_words`], in Japanese; `names` are those of Black and White.
pub(super) fn japanese_end(end: &End, names: [&str; 2]) -> String {
    let GameResult { winner, reason, points, .. } = end.result;
    let points =
        points.map_or(String::new(), |PointCount { points: [black, white] }| format!("、{black}点対{white}点"));
    let winner =
        winner.map_or(JAPANESE_END.draw.to_owned(), |winner| format!("{}{}", names[winner.index()], JAPANESE_END.win));
    let went_on = if end.played_on { JAPANESE_END.went_on } else { "" };
    format!("{}{}{points}、{winner}{went_on}", JAPANESE_END.before, reason.names()[1])
}

/// The words around the reason and the winner in an end of the game.
#[derive(Clone, Copy)]
pub(super) struct EndWords {
    pub before: &'static str,
    /// The last words of a win.
    pub win: &'static str,
    /// The last words of a draw.
    pub draw: &'static str,
    /// These may follow.
    pub went_on: &'static str,
}

/// The words of [`japanese_end`].
pub(super) const JAPANESE_END: EndWords =
    EndWords { before: "終局：", win: "の勝ち", draw: "引き分け", went_on: "（その後も続行）" };

/// The English name of a mark.
pub fn mark_words(mark: MoveMark) -> &'static str {
    match mark {
        MoveMark::Brilliant => "brilliant",
        MoveMark::Only => "only move",
        MoveMark::Inaccuracy => "inaccuracy",
        MoveMark::Mistake => "mistake",
        MoveMark::Blunder => "blunder",
    }
}

/// A score from a player's point of view, with the rule that decides it: `+1.25`, `mate in 5`, `win by declaration in
/// 3`.
pub(super) fn score_words(score: Score, rule: Option<EndReason>) -> String {
    let (Some(plies), Score::Centipawns(value)) = (plies_to_rule(score), score) else { return score.to_string() };
    let kind = if value > 0 { "win" } else { "loss" };
    let rule = rule.map_or("rule".to_owned(), |rule| rule.to_string());
    let when = if plies == 0 { String::new() } else { format!(" in {plies}") };
    format!("{kind} by {rule}{when}")
}

/// The score after a move, or the game's result: `-0.35`, `checkmate`. None if the move was not reviewed.
pub fn outcome_words(mv: &MoveReview) -> Option<String> {
    let ended = mv.result().map(|result| result.reason.to_string());
    ended.or_else(|| mv.after.map(|score| score_words(score, mv.after_rule)))
}

/// An end of the game in words: `game over by checkmate: Black wins`.
pub fn end_words(end: &End) -> String {
    let result = &end.result;
    let winner = result.winner.map_or(END.draw.to_owned(), |winner| format!(": {winner}{}", END.win));
    let went_on = if end.played_on { END.went_on } else { "" };
    format!("{}{}{winner}{went_on}", END.before, result.explained())
}

/// The words of [`end_words`].
pub(super) const END: EndWords =
    EndWords { before: "game over by ", win: " wins", draw: ": no contest", went_on: ", but play went on" };

/// A winning chance in percent: `73 %`.
pub fn chance_words(chance: f64) -> String {
    format!("{:.0} %", 100.0 * chance)
}

/// A sentence or two about a turning point: its cost, and the better move.
pub fn describe_turning_point(mv: &MoveReview) -> String {
    let player = mv.color();
    let played = to_western(&mv.position, mv.mv, Style::Hodges);
    let (Some(before), Some(after)) = (mv.chance_before(), mv.chance_after()) else {
        return format!("Move {}, {played}.", mv.ply);
    };
    let [was, is] = [before, after].map(chance_words);
    let mut text =
        format!("Move {}, {}{played}: {player}'s chance to win fell from {was} to {is}.", mv.ply, player.sign());
    if let Some(mate) = &mv.missed_mate {
        text += &format!(" {player} had a {}-ply mate: {}.", mate.len(), line(mv, mate));
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
        (None, Some(Score::Mate(plies @ ..=0))) => text += &format!(" Now {player} is mated in {} plies.", -plies),
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
