//! What the engine can be asked for.

use std::time::Duration;

use super::Options;
use crate::search::{Clocks, Limits};
use crate::shogi::Move;

/// A request for a move. The first limit that is reached ends the search; without any it runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchRequest {
    /// Search on the opponent's time: no move is answered before the ponder hit.
    pub ponder: bool,
    /// Answer no move before the stop, even when the search has ended.
    pub infinite: bool,
    /// The clocks of the game.
    pub clocks: GameClocks,
    /// Search for exactly this long.
    pub movetime: Option<Duration>,
    /// The depth to search to, in plies.
    pub depth: Option<usize>,
    /// The number of positions to visit.
    pub nodes: Option<u64>,
    /// Consider only these moves, if there are any. Illegal ones are reported and left out.
    pub searchmoves: Vec<Move>,
}

/// The clocks of a game, as far as they are known. [`Color::index`](crate::shogi::Color::index) is the index of a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameClocks {
    /// The time left to each side, besides byoyomi.
    pub time: [Option<Duration>; 2],
    /// The increment of each side for each move.
    pub increment: [Option<Duration>; 2],
    /// The time for each move once the time of a side is used up.
    pub byoyomi: Option<Duration>,
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
}

/// A request to look for a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateRequest {
    /// Search for this long at most.
    Time(Duration),
    /// Search until a mate is proven or refuted, or until the search is stopped.
    Infinite,
}

impl SearchRequest {
    /// The limits of the search, with those that the options set.
    pub(super) fn limits(&self, options: &Options) -> Limits {
        Limits {
            clocks: self.clocks.for_search(),
            movetime: self.movetime,
            depth: self.depth.into_iter().chain(options.max_depth()).min(),
            nodes: self.nodes.into_iter().chain(options.node_limit()).min(),
            soft_nodes: None,
            searchmoves: self.searchmoves.clone(),
            infinite: self.infinite,
            ponder: self.ponder,
        }
    }
}

impl GameClocks {
    /// These clocks, with the newer values where they are known.
    pub(super) fn updated(self, newer: GameClocks) -> GameClocks {
        let later = |side: usize, old: [Option<Duration>; 2], new: [Option<Duration>; 2]| new[side].or(old[side]);
        GameClocks {
            time: [0, 1].map(|side| later(side, self.time, newer.time)),
            increment: [0, 1].map(|side| later(side, self.increment, newer.increment)),
            byoyomi: newer.byoyomi.or(self.byoyomi),
            moves_to_go: newer.moves_to_go.or(self.moves_to_go),
        }
    }

    /// The clocks of a search; none if no time is known. Times that are not known count as zero.
    pub(super) fn for_search(self) -> Option<Clocks> {
        let GameClocks { time, increment, byoyomi, moves_to_go } = self;
        let is_known = time.iter().chain(&increment).chain([&byoyomi]).any(Option::is_some);
        is_known.then(|| Clocks {
            time: time.map(Option::unwrap_or_default),
            increment: increment.map(Option::unwrap_or_default),
            byoyomi: byoyomi.unwrap_or_default(),
            moves_to_go,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::OptionTable;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_smaller_of_two_limits_counts() {
        let mut options = OptionTable::new(None, false).unwrap().defaults().clone();
        let request = SearchRequest { depth: Some(9), nodes: Some(500), ..SearchRequest::default() };
        let limits = |options: &Options| (request.limits(options).depth, request.limits(options).nodes);
        assert_eq!(limits(&options), (Some(9), Some(500)), "options of 0 are no limit");
        (options.depth_limit, options.nodes_limit) = (7, 1_000);
        assert_eq!(limits(&options), (Some(7), Some(500)));
    }

    #[test]
    fn unknown_clocks_are_zero_unless_all_are_unknown() {
        assert_eq!(GameClocks { moves_to_go: Some(5), ..GameClocks::default() }.for_search(), None);
        let clocks = GameClocks { time: [None, Some(SECOND)], ..GameClocks::default() };
        assert_eq!(clocks.for_search(), Some(Clocks { time: [Duration::ZERO, SECOND], ..Clocks::default() }));
    }

    #[test]
    fn newer_clocks_replace_only_what_they_name() {
        let old = GameClocks { time: [Some(SECOND); 2], byoyomi: Some(SECOND), ..GameClocks::default() };
        let new = GameClocks { time: [Some(2 * SECOND), None], moves_to_go: Some(3), ..GameClocks::default() };
        let expected =
            GameClocks { time: [Some(2 * SECOND), Some(SECOND)], byoyomi: Some(SECOND), moves_to_go: Some(3), ..new };
        assert_eq!(old.updated(new), expected);
    }
}
