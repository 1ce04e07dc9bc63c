//! A review that has ended.

use super::view;
use crate::board::messages::{ReviewLine, ReviewState, ReviewView, ReviewedMove, ReviewedPlayer, Sides};
use crate::record::{NodeId, Record};
use crate::review::{MoveReview, PlayerSummary, Review};
use crate::score::Bound;
use crate::shogi::Move;

/// A review that has ended; it stays with its study.
#[derive(Debug)]
pub struct Reviewed {
    pub view: ReviewView,
    pub moves: Vec<MoveReview>,
}

impl Reviewed {
    pub fn of(record: &Record, review: Review) -> Reviewed {
        let previous = |id: NodeId| record.get(record.get(id)?.parent()?)?.mv();
        let of = review.moves.len() as u64 + 1;
        let view = ReviewView {
            state: if review.complete { ReviewState::Done } else { ReviewState::Stopped },
            done: of,
            of,
            left: 0.0,
            moves: review.moves.iter().filter_map(|mv| reviewed_move(mv, previous(mv.node))).collect(),
            players: Some(Sides::of(|color| reviewed_player(&review.players[color.index()]))),
            turning: review.turning_points.iter().filter_map(|&at| Some(review.moves.get(at)?.node)).collect(),
        };
        Reviewed { view, moves: review.moves }
    }
}

fn reviewed_move(mv: &MoveReview, previous: Option<Move>) -> Option<ReviewedMove> {
    // A mate is better than the search's move, and players want to see it.
    let line = mv.missed_mate.as_ref().unwrap_or(&mv.best);
    let best = line.first().copied();
    let score = |score| view::score(score, Bound::Exact, mv.color);
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
