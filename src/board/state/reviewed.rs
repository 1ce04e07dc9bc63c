//! A review that has ended.

use crate::board::messages::ReviewView;
use crate::review::MoveReview;

/// A review that has ended; it stays with its study.
#[derive(Debug)]
pub struct Reviewed {
    pub view: ReviewView,
    pub moves: Vec<MoveReview>,
}
