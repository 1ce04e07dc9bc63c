//! A review as it is stored with its game.

use serde::{Deserialize, Serialize};

use super::MoveReview;
use super::course::Course;
use crate::record::{NodeId, Record};
use crate::shogi::ImpasseRule;

/// A review as it is stored. Fields that follow from the moves are skipped, and have defaults after reading.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedReview {
    /// Whether every move has been reviewed.
    pub complete: bool,
    moves: Vec<MoveReview>,
}

impl SavedReview {
    /// The reviewed moves of a game, for storing.
    pub fn of(moves: &[MoveReview], complete: bool) -> SavedReview {
        SavedReview { complete, moves: moves.to_vec() }
    }

    /// The reviewed moves, as far as the record has them: another line may have become the main line since. The rule is
    /// in force if the record names none.
    pub fn moves(&self, record: &Record, impasse_rule: ImpasseRule) -> Vec<MoveReview> {
        let mut here = NodeId::ROOT;
        let reviewed = self.moves.iter().map_while(|saved| {
            here = record.child(here, saved.mv)?;
            Some(here)
        });
        let mut nodes: Vec<NodeId> = reviewed.collect();
        let count = nodes.len();
        nodes.extend(record.line_from(here));
        let course = Course::along(record, nodes, impasse_rule);
        let restored = self.moves.iter().take(count).enumerate().map(|(index, saved)| {
            let position = &course.positions[index];
            MoveReview {
                ply: index + 1,
                node: course.nodes[index],
                position: position.clone(),
                end: course.end(index + 1),
                // A file may hold anything.
                best: position.legal_prefix(saved.best.iter().copied()),
                missed_mate: saved
                    .missed_mate
                    .as_ref()
                    .map(|mate| position.legal_prefix(mate.iter().copied()))
                    .filter(|mate| !mate.is_empty()),
                missed_declaration: course.may_declare(index),
                ..saved.clone()
            }
        });
        restored.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::review::{Budget, Reviewer};
    use crate::shogi::Position;

    #[test]
    fn a_review_is_restored_with_its_game() {
        let mut record = Record::new(Position::startpos());
        let moves = ["1f1b+", "1a1b", "6e6d", "R*1f", "2f1e"];
        moves.iter().fold(NodeId::ROOT, |at, mv| record.play(at, mv.parse().unwrap()).unwrap());
        let reviewer = Reviewer { budget: Budget::Nodes(1_000), threads: 1, ..Reviewer::default() };
        let review = reviewer.review(&record, &AtomicBool::new(false), &|_| {}).unwrap();
        let text = serde_json::to_string(&SavedReview::of(&review.moves, review.complete)).unwrap();
        let saved: SavedReview = serde_json::from_str(&text).unwrap();
        let differs = |one: &MoveReview, other: &MoveReview| {
            let loss = one.loss.unwrap_or(0.0) - other.loss.unwrap_or(0.0);
            loss.abs() > 1e-9 || MoveReview { loss: None, ..one.clone() } != MoveReview { loss: None, ..other.clone() }
        };
        let restored = saved.moves(&record, ImpasseRule::default());
        assert_eq!((saved.complete, restored.len()), (true, moves.len()));
        assert!(!restored.iter().zip(&review.moves).any(|(one, other)| differs(one, other)), "{restored:?}");

        // A variation has become the main line since.
        let first = record.main_line().next().unwrap();
        let variation = record.play(first, "2a1b".parse().unwrap()).unwrap();
        record.make_main(variation).unwrap();
        assert_eq!(saved.moves(&record, ImpasseRule::default()), restored);

        // Of another game, the common moves are restored; lines that are not legal are cut.
        let mut other = Record::new(Position::startpos());
        let others = ["1f1b+", "1a1b", "5f5e"];
        others.iter().fold(NodeId::ROOT, |at, mv| other.play(at, mv.parse().unwrap()).unwrap());
        assert_eq!(saved.moves(&other, ImpasseRule::default()).len(), 2);
        let text = text.replacen("\"best\":[", "\"best\":[\"1a1b\",", 1);
        let bad: SavedReview = serde_json::from_str(&text).unwrap();
        assert!(bad.moves(&record, ImpasseRule::default())[0].best.is_empty());
    }
}
