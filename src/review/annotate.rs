use super::marks::MoveMark;
use super::words::{chance_words, mark_words, score_words};
use super::{MoveReview, Review, win_chance};
use crate::record::{Evaluation, NodeId, Record};
use crate::score::Bound;

/// The moves of a better line that become a variation.
const VARIATION: usize = 8;

/// Writes a review into its record: evaluations of all moves, in the place of those that stand there, and for those that are
/// marked a mark if they have none, a comment behind what stands there, and the better line as a variation.
pub fn annotate(record: &mut Record, review: &Review) {
    for mv in &review.moves {
        let Some(after) = mv.after else { continue };
        let evaluation =
            Evaluation { score: Some(after), bound: Bound::Exact, depth: None, nodes: None, line: Vec::new() };
        // The nodes are those of this record: a review names them.
        let _ = record.set_evaluation(mv.node, Some(evaluation));
        // A mark that somebody has set says more.
        if let Some(sign) = mv.mark.and_then(MoveMark::sign).filter(|_| record[mv.node].notes().mark.is_none()) {
            let _ = record.set_mark(mv.node, Some(sign));
        }
        if let Some(text) = comment(mv) {
            let old = record[mv.node].notes().comment.clone();
            let text = if old.is_empty() { text } else { format!("{old}\n{text}") };
            let _ = record.set_comment(mv.node, &text);
        }
        let bad = matches!(mv.mark, Some(MoveMark::Inaccuracy | MoveMark::Mistake | MoveMark::Blunder));
        if bad || mv.missed_mate.is_some() {
            let better = mv.missed_mate.as_ref().unwrap_or(&mv.best);
            add_variation(record, mv.node, better);
        }
    }
}

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
        parts.push(format!("missed a mate in {}", mate.len()));
    }
    if mv.missed_declaration {
        parts.push("could have declared a win".to_owned());
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
