use super::marks::MoveMark;
use super::words::{chance_words, mark_words, score_words};
use super::{MoveReview, win_chance};
use crate::record::{Evaluation, NodeId, Record};
use crate::score::Bound;

/// The moves of a better line that become a variation.
const VARIATION: usize = 8;

/// Writes reviewed moves into their record: evaluations of all, in the place of those that stand there, and for those that are
/// marked a mark if they have none, a comment behind what stands there, and the better line as a variation. What an earlier
/// review said of a move gives way; its variations stay, since they may be anybody's. Moves that have been deleted since are passed over.
pub fn annotate(record: &mut Record, moves: &[MoveReview]) {
    for mv in moves {
        let Some(after) = mv.after.filter(|_| record.get(mv.node).is_some()) else { continue };
        withdraw(record, mv.node);
        let evaluation =
            Evaluation { score: Some(after), bound: Bound::Exact, depth: None, nodes: None, line: Vec::new() };
        // The node is there: nothing fails from here on.
        let _ = record.set_evaluation(mv.node, Some(evaluation));
        // A mark that somebody has set says more.
        if let Some(sign) = mv.mark.and_then(MoveMark::sign).filter(|_| record[mv.node].notes().mark.is_none()) {
            let _ = record.set_mark(mv.node, Some(sign));
        }
        if let Some(text) = comment(mv) {
            let old = &record[mv.node].notes().comment;
            // "Only move" is what people write too, so it is not withdrawn.
            if !old.lines().any(|line| line == text) {
                let text = if old.is_empty() { text } else { format!("{old}\n{text}") };
                let _ = record.set_comment(mv.node, &text);
            }
        }
        let bad = matches!(mv.mark, Some(MoveMark::Inaccuracy | MoveMark::Mistake | MoveMark::Blunder));
        if bad || mv.missed_mate.is_some() {
            let better = mv.missed_mate.as_ref().unwrap_or(&mv.best);
            add_variation(record, mv.node, better);
        }
    }
}

/// Takes back the comment of an earlier review, and the mark that came with it.
fn withdraw(record: &mut Record, node: NodeId) {
    let notes = record[node].notes();
    let (said, kept): (Vec<&str>, Vec<&str>) = notes.comment.lines().partition(|line| is_of_a_review(line));
    if said.is_empty() {
        return;
    }
    let mark = said.iter().find_map(|line| judgement(line)).and_then(MoveMark::sign);
    let unmarked = mark.is_some() && notes.mark == mark;
    let comment = kept.join("\n");
    let _ = record.set_comment(node, &comment);
    if unmarked {
        let _ = record.set_mark(node, None);
    }
}

/// Whether a line of a comment is one that [`comment`] makes of a judgement or a missed win.
fn is_of_a_review(line: &str) -> bool {
    line.split("; ").all(|part| {
        let mate = part.strip_prefix(MISSED_MATE).is_some_and(|plies| plies.parse::<u32>().is_ok());
        mate || part == MISSED_DECLARATION || judgement(part).is_some()
    })
}

/// The mark that a comment such as `mistake: 62 % to 31 % (-1.20)` explains.
fn judgement(text: &str) -> Option<MoveMark> {
    let (word, rest) = text.split_once(": ")?;
    let (was, rest) = rest.split_once(" % to ")?;
    let (is, _) = rest.split_once(" % (")?;
    let percent = |text: &str| text.parse::<u8>().is_ok_and(|percent| percent <= 100);
    [MoveMark::Inaccuracy, MoveMark::Mistake, MoveMark::Blunder]
        .into_iter()
        .find(|&mark| mark_words(mark) == word && percent(was) && percent(is))
}

const MISSED_MATE: &str = "missed a mate in ";
const MISSED_DECLARATION: &str = "could have declared a win";

/// What is said of a move, if anything is.
fn comment(mv: &MoveReview) -> Option<String> {
    let mut parts = Vec::new();
    if let (Some(mark), Some(before), Some(after)) = (mv.mark, mv.before, mv.after) {
        let [was, is] = [before, after].map(|score| chance_words(win_chance(score)));
        parts.push(match mark {
            MoveMark::Only | MoveMark::Brilliant => mark_words(mark).to_owned(),
            _ => format!("{}: {was} to {is} ({})", mark_words(mark), score_words(after)),
        });
    }
    if let Some(mate) = &mv.missed_mate {
        parts.push(format!("{MISSED_MATE}{}", mate.len()));
    }
    if mv.missed_declaration {
        parts.push(MISSED_DECLARATION.to_owned());
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn add_variation(record: &mut Record, node: NodeId, line: &[crate::shogi::Move]) {
    let Some(mut at) = record[node].parent() else { return };
    for &mv in line.iter().take(VARIATION) {
        let Ok(next) = record.play(at, mv) else { return };
        at = next;
    }
}
