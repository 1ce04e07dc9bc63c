//! The text output of `judkins review`: moves in Western notation, with colours on a terminal.

use std::fmt::Write;

use judkins::counted::counted;
use judkins::record::Record;
use judkins::review::{
    MoveMark, MoveReview, PlayerSummary, Review, chance_words, describe_turning_point, end_words, mark_words,
    outcome_words,
};
use judkins::shogi::Color;
use judkins::shogi::diagram::{Pieces, draw};
use judkins::shogi::notation::western::{Style, movetext, to_western};

/// The number of moves of a better line shown in the table.
const SHOWN: usize = 3;

/// A review as a table of its moves, the players, and the turning points with boards.
pub fn text(record: &Record, review: &Review, pieces: Pieces, color: bool) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let [black, white] = Color::ALL.map(|color| record.header.player(color).map_or(color.to_string(), str::to_owned));
    let _ = writeln!(text, "▲ {black} against △ {white}\n");
    let scores: Vec<Option<String>> = review.moves.iter().map(outcome_words).collect();
    let width = scores.iter().flatten().map(String::len).max().unwrap_or_default().max(9);
    let _ = writeln!(
        text,
        "{:>4}  {:<9} {:>width$}  {:>7}  {:>5}  {:<11} better was",
        "", "move", "score", "chance", "lost", ""
    );
    for (mv, score) in review.moves.iter().zip(scores) {
        let _ = writeln!(text, "{}", row(mv, score.map(|score| format!("{score:>width$}")), color));
    }
    let _ = writeln!(text, "\nScores in pawns and chances to win are the player's, after the move.\n");
    for (color, name) in Color::ALL.into_iter().zip([black, white]) {
        let _ = writeln!(text, "{}", player(color, &name, &review.players[color.index()]));
    }
    if !review.turning_points.is_empty() {
        let _ = writeln!(text, "\nWhere the game turned:");
    }
    for &index in &review.turning_points {
        let mv = &review.moves[index];
        let _ = writeln!(text, "\n{}\n{}", describe_turning_point(mv), draw(&mv.position, pieces).trim_end());
    }
    text
}

fn row(mv: &MoveReview, score: Option<String>, color: bool) -> String {
    let side = mv.color().sign();
    let played = to_western(&mv.position, mv.mv, Style::Hodges);
    let (Some(score), Some(after), Some(loss)) = (score, mv.chance_after(), mv.loss) else {
        return format!("{:>4} {side}{played:<9} not reviewed", mv.ply);
    };
    let lost = if loss < 0.005 { String::new() } else { chance_words(loss) };
    let mark = mv.mark.map(mark_words).unwrap_or_default();
    let mark = if color { painted(mv.mark, &format!("{mark:<11}")) } else { format!("{mark:<11}") };
    let mut better = String::new();
    if let Some(mate) = &mv.missed_mate {
        better = format!("mate in {}: {}", mate.len(), movetext(&mv.position, mate, Style::Hodges));
    } else if matches!(mv.mark, Some(MoveMark::Inaccuracy | MoveMark::Mistake | MoveMark::Blunder)) {
        better = movetext(&mv.position, &mv.best[..mv.best.len().min(SHOWN)], Style::Hodges);
    }
    if mv.missed_declaration {
        better += " (could have declared a win)";
    }
    if let Some(end) = &mv.end {
        better += &format!(" ({})", end_words(end));
    }
    let row = format!(
        "{:>4} {side}{played:<9} {score}  {:>7}  {lost:>5}  {mark} {}",
        mv.ply,
        chance_words(after),
        better.trim_start()
    );
    row.trim_end().to_owned()
}

fn painted(mark: Option<MoveMark>, text: &str) -> String {
    let code = match mark {
        Some(MoveMark::Blunder) => "31;1",
        Some(MoveMark::Mistake) => "31",
        Some(MoveMark::Inaccuracy) => "33",
        Some(MoveMark::Brilliant) => "36;1",
        Some(MoveMark::Only) => "36",
        None => return text.to_owned(),
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

fn player(color: Color, name: &str, summary: &PlayerSummary) -> String {
    let side = color.sign();
    let PlayerSummary {
        accuracy,
        loss,
        best,
        moves,
        inaccuracies,
        mistakes,
        blunders,
        missed_mates,
        missed_declarations,
    } = *summary;
    if moves == 0 {
        return format!("{side} {name}: no moves");
    }
    let mut text = format!(
        "{side} {name}: accuracy {accuracy:.0} %, {:.1} % lost a move, {best} of {} the best, {}, {}, {}",
        100.0 * loss,
        counted(moves, "move"),
        counted(inaccuracies, "inaccuracy"),
        counted(mistakes, "mistake"),
        counted(blunders, "blunder"),
    );
    for (number, noun) in [(missed_mates, "missed mate"), (missed_declarations, "missed declaration")] {
        if number > 0 {
            text += &format!(", {}", counted(number, noun));
        }
    }
    text
}
