//! A review that has ended.

use super::view;
use crate::board::messages::{ReviewLine, ReviewState, ReviewView, ReviewedMove, ReviewedPlayer, Sides};
use crate::record::{NodeId, Record};
use crate::review::{MoveReview, PlayerSummary, SavedReview, turning_points};
use crate::score::Bound;
use crate::shogi::{ImpasseRule, Move};

/// A review that has ended; it stays with its study.
#[derive(Debug)]
pub struct Reviewed {
    pub view: ReviewView,
    pub moves: Vec<MoveReview>,
}

impl Reviewed {
    pub fn of(record: &Record, moves: Vec<MoveReview>, complete: bool) -> Reviewed {
        let previous = |id: NodeId| record.get(record.get(id)?.parent()?)?.mv();
        let of = moves.len() as u64 + 1;
        let view = ReviewView {
            state: if complete { ReviewState::Done } else { ReviewState::Stopped },
            done: of,
            of,
            left: 0.0,
            moves: moves.iter().filter_map(|mv| reviewed_move(mv, previous(mv.node))).collect(),
            players: Some(Sides::of(|color| reviewed_player(&PlayerSummary::of(&moves, color)))),
            turning: turning_points(&moves).into_iter().map(|at| moves[at].node).collect(),
        };
        Reviewed { view, moves }
    }

    /// The review as it is stored.
    pub fn saved(&self) -> SavedReview {
        SavedReview::of(&self.moves, self.view.state == ReviewState::Done)
    }

    /// The stored review of a record.
    pub fn restored(record: &Record, saved: &SavedReview) -> Reviewed {
        Reviewed::of(record, saved.moves(record, ImpasseRule::default()), saved.complete)
    }
}

fn reviewed_move(mv: &MoveReview, previous: Option<Move>) -> Option<ReviewedMove> {
    // A mate is better than the search's move, and players want to see it.
    let line = mv.missed_mate.as_ref().unwrap_or(&mv.best);
    let best = line.first().copied();
    let score = |score| view::score(score, Bound::Exact, mv.color());
    Some(ReviewedMove {
        node: mv.node,
        ply: mv.ply,
        before: score(mv.before?),
        after: match mv.result() {
            Some(result) => view::result_score(&result),
            None => score(mv.after?),
        },
        end: mv.result().as_ref().map(view::result),
        loss: mv.loss?,
        best,
        best_text: best.map(|best| view::move_text(&mv.position, best, previous)),
        line: ReviewLine { moves: line.clone(), text: view::line_text(&mv.position, line, previous) },
        mark: mv.mark,
        missed_mate: mv.missed_mate.as_ref().map(Vec::len),
    })
}

fn reviewed_player(summary: &PlayerSummary) -> Option<ReviewedPlayer> {
    (summary.moves > 0).then_some(ReviewedPlayer {
        accuracy: summary.accuracy / 100.0,
        loss: summary.loss,
        blunders: summary.blunders,
        mistakes: summary.mistakes,
        inaccuracies: summary.inaccuracies,
    })
}
