use super::MoveReview;
use super::marks::MoveMark;
use super::words::{GAME_OVER, chance_words, end_words, mark_words, outcome_words, score_words};
use crate::record::{NodeId, Record};

/// The moves of a better line that become a variation.
const VARIATION: usize = 8;

/// Writes reviewed moves into their record: evaluations of all, in the place of those that stand there; a comment on the end
/// of the game; and for those that are marked a mark if they have none, a comment behind what stands there, and the better
/// line as a variation. What an earlier review has left gives way: its comments, the marks that they explain, and the
/// variations that it began, unless something was added to them. Moves that have been deleted since are passed over.
pub fn annotate(record: &mut Record, moves: &[MoveReview]) {
    for mv in moves {
        if mv.chance_after().is_none() || record.get(mv.node).is_none() {
            continue;
        }
        withdraw(record, mv.node);
        // The node is there: nothing fails from here on.
        let _ = record.set_evaluation(mv.node, mv.evaluation());
        // A mark that somebody has set says more.
        if let Some(sign) = mv.mark.and_then(MoveMark::sign).filter(|_| record[mv.node].notes().mark.is_none()) {
            let _ = record.set_mark(mv.node, Some(sign));
        }
        if let Some(text) = comment(mv) {
            let _ = record.add_comment(mv.node, &text);
        }
        let bad = matches!(mv.mark, Some(MoveMark::Inaccuracy | MoveMark::Mistake | MoveMark::Blunder));
        if bad || mv.missed_mate.is_some() {
            add_better_line(record, mv);
        }
    }
}

/// Takes back what an earlier review has left at a move.
fn withdraw(record: &mut Record, node: NodeId) {
    let mark = (record[node].notes().comment.lines())
        .filter(|line| is_of_a_review(line))
        .find_map(|line| line.split("; ").find_map(judgement))
        .and_then(MoveMark::sign);
    if mark.is_some() && record[node].notes().mark == mark {
        let _ = record.set_mark(node, None);
    }
    take_lines(record, node);
    let parent = record[node].parent().expect("a move was played somewhere");
    // The line that goes on is no variation, even if it was one when the review was made.
    let variations = record[parent].children().iter().skip(1).copied().filter(|&child| child != node);
    for first in variations.collect::<Vec<_>>() {
        withdraw_better_line(record, first);
    }
}

/// Takes back the moves that an earlier review has added to a variation, if nothing was added to them since.
fn withdraw_better_line(record: &mut Record, first: NodeId) {
    let mut waiting = vec![(first, 1)];
    while let Some((node, depth)) = waiting.pop() {
        if !record[node].notes().comment.lines().any(is_better_line) {
            if depth < VARIATION {
                waiting.extend(record[node].children().iter().map(|&child| (child, depth + 1)));
            }
            continue;
        }
        take_lines(record, node);
        let is_untouched = |node: NodeId| record[node].notes().is_empty() && record[node].children().len() <= 1;
        let line: Vec<NodeId> = record.line_from(node).take(VARIATION).collect();
        if depth + line.len() <= VARIATION && is_untouched(node) && line.into_iter().all(is_untouched) {
            let _ = record.delete(node);
        }
    }
}

/// Takes the lines of a review out of a comment.
fn take_lines(record: &mut Record, node: NodeId) {
    let comment = &record[node].notes().comment;
    if comment.lines().any(is_of_a_review) {
        let kept: Vec<&str> = comment.lines().filter(|line| !is_of_a_review(line)).collect();
        let kept = kept.join("\n");
        let _ = record.set_comment(node, &kept);
    }
}

/// Whether a line of a comment is one that a review writes.
fn is_of_a_review(line: &str) -> bool {
    is_better_line(line)
        || line.split("; ").all(|part| {
            let mate = part.strip_prefix(MISSED_MATE).is_some_and(|plies| plies.parse::<u32>().is_ok());
            mate || part == MISSED_DECLARATION || part.starts_with(GAME_OVER) || judgement(part).is_some()
        })
}

/// The mark that a comment such as `mistake: 62 % to 31 % (-1.20)` explains.
fn judgement(text: &str) -> Option<MoveMark> {
    let (word, rest) = text.split_once(": ")?;
    MoveMark::ALL.into_iter().find(|&mark| mark_words(mark) == word && are_chances(rest))
}

fn is_better_line(text: &str) -> bool {
    text.strip_prefix(BETTER_LINE).is_some_and(are_chances)
}

/// Whether a text is one or two chances to win with a score, as [`comment`] writes them.
fn are_chances(text: &str) -> bool {
    let Some((chances, _)) = text.split_once(" % (").filter(|_| text.ends_with(')')) else { return false };
    let percent = |text: &str| text.parse::<u8>().is_ok_and(|percent| percent <= 100);
    chances.split(" % to ").all(percent)
}

const MISSED_MATE: &str = "missed a mate in ";
const MISSED_DECLARATION: &str = "could have declared a win";
const BETTER_LINE: &str = "better line: ";

/// What is said of a move, if anything is.
fn comment(mv: &MoveReview) -> Option<String> {
    let mut parts = Vec::new();
    if let (Some(mark), Some(before), Some(after), Some(score)) =
        (mv.mark, mv.chance_before(), mv.chance_after(), outcome_words(mv))
    {
        let (word, was, is) = (mark_words(mark), chance_words(before), chance_words(after));
        parts.push(match mark {
            MoveMark::Only | MoveMark::Brilliant => format!("{word}: {is} ({score})"),
            _ => format!("{word}: {was} to {is} ({score})"),
        });
    }
    if let Some(mate) = &mv.missed_mate {
        parts.push(format!("{MISSED_MATE}{}", mate.len()));
    }
    if mv.missed_declaration {
        parts.push(MISSED_DECLARATION.to_owned());
    }
    if let Some(end) = &mv.end {
        parts.push(end_words(end));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Adds the better line as a variation. A comment at its first new move tells a later review whose it is.
fn add_better_line(record: &mut Record, mv: &MoveReview) {
    let Some(mut at) = record[mv.node].parent() else { return };
    let (line, score) = match &mv.missed_mate {
        Some(mate) => (mate, format!("100 % (mate in {})", mate.len())),
        None => match (mv.before, mv.chance_before()) {
            (Some(score), Some(chance)) => {
                (&mv.best, format!("{} ({})", chance_words(chance), score_words(score, mv.before_rule)))
            }
            _ => return,
        },
    };
    let mut is_told = false;
    for &mv in line.iter().take(VARIATION) {
        let is_new = record.child(at, mv).is_none();
        let Ok(next) = record.play(at, mv) else { return };
        if is_new && !is_told {
            let _ = record.add_comment(next, &format!("{BETTER_LINE}{score}"));
        }
        is_told |= is_new;
        at = next;
    }
}
