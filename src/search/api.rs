//! The search as callers see it: the [`Root`] and [`Limits`] of a search, the [`Settings`] in force, the [`Report`]s
//! that it sends and its [`SearchOutcome`].

use std::time::Duration;

use super::params::Params;
use crate::eval::Evaluation;
use crate::score::{Bound, Score};
use crate::shogi::{Game, GameHistory, ImpasseRule, Move, Position};

/// The root of a search: a position and the game history that led to it.
#[derive(Clone, Debug)]
pub struct Root {
    /// The position.
    pub position: Position,
    /// The history, with the position as its last entry.
    pub history: GameHistory,
}

impl Root {
    /// Creates a root without a history.
    pub fn new(position: Position) -> Root {
        Root { history: GameHistory::new(&position), position }
    }

    /// Creates the root of a search in the current position of a game.
    pub fn of(game: &Game) -> Root {
        Root { position: game.position().clone(), history: game.history().clone() }
    }
}

/// The limits of a search. The first that is reached ends it; without any it runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The clocks of the game.
    pub clocks: Option<Clocks>,
    /// A fixed time.
    pub movetime: Option<Duration>,
    /// The depth, in plies.
    pub depth: Option<usize>,
    /// The number of nodes.
    pub nodes: Option<u64>,
    /// The number of nodes after which no further iteration begins. The first iteration is always completed.
    pub soft_nodes: Option<u64>,
    /// The root moves to search; empty for all legal moves.
    pub searchmoves: Vec<Move>,
    /// Wait for a stop: a proven score does not end the search. The [`Engine`](crate::engine::Engine) withholds its
    /// answer until the stop.
    pub infinite: bool,
    /// Ponder: time counts from the ponder hit. The [`Engine`](crate::engine::Engine) does not answer before it.
    pub ponder: bool,
}

/// The clocks of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// Black's and White's remaining main time.
    pub time: [Duration; 2],
    /// Black's and White's increment per move.
    pub increment: [Duration; 2],
    /// The byoyomi of both players.
    pub byoyomi: Duration,
    /// Moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

/// The settings of a search besides its limits: the rules in force, and the options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The evaluation. The table must be cleared when it changes.
    pub evaluation: Evaluation,
    /// The impasse rule in force.
    pub impasse_rule: ImpasseRule,
    /// Quiet plies before points are counted, under [`ImpasseRule::Points12`].
    pub impasse_plies: u32,
    /// The value of a draw to Black and to White in centipawns, for the side to move at the root.
    pub draw_value: [i32; 2],
    /// The game is drawn after this many moves; 0 is no limit.
    pub max_moves_to_draw: u32,
    /// The number of best lines to find (MultiPV), at least 1.
    pub multipv: usize,
    /// The delay between engine and clock, subtracted from every time limit. The default delay, or a shorter one, takes
    /// at most a fiftieth of a fixed time, and a quarter of the time on a clock.
    pub network_delay: Duration,
    /// The minimum time to use, if the clock allows it.
    pub minimum_thinking_time: Duration,
    /// The share of the usual time to use, in percent.
    pub slow_mover: u32,
    /// The minimum time between two reports; zero reports every iteration.
    pub pv_interval: Duration,
    /// The search's parameters.
    pub params: Params,
}

/// The default of [`Settings::network_delay`].
pub(super) const NETWORK_DELAY: Duration = Duration::from_millis(10);

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            evaluation: Evaluation::default(),
            impasse_rule: ImpasseRule::default(),
            impasse_plies: crate::shogi::DEFAULT_IMPASSE_PLIES,
            draw_value: [0; 2],
            max_moves_to_draw: 0,
            multipv: 1,
            network_delay: NETWORK_DELAY,
            minimum_thinking_time: Duration::ZERO,
            slow_mover: 100,
            pv_interval: Duration::ZERO,
            params: Params::default(),
        }
    }
}

/// A line that a search has found so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The depth of the iteration, in plies.
    pub depth: usize,
    /// The greatest ply reached.
    pub seldepth: usize,
    /// The index among the best lines, from 1; none unless several lines were requested.
    pub multipv: Option<usize>,
    /// The score from the point of view of the side to move.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The nodes of all threads.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// The share of the hash table that this search has filled, in permille.
    pub hashfull: u32,
    /// The principal variation.
    pub pv: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOutcome {
    /// The best move; none if no legal move was allowed.
    pub best: Option<Move>,
    /// The reply to ponder on.
    pub ponder: Option<Move>,
    /// The score in centipawns for the side to move; decided games as in [`super::score`]. Meaningless if
    /// [lines](SearchOutcome::lines) is empty, because nothing was searched.
    pub score: i32,
    /// The score of the last completed iteration; none if the first was not completed. A stopped iteration may leave
    /// better moves unsearched, and then [score](SearchOutcome::score) is too low.
    pub completed_score: Option<i32>,
    /// The depth of the last completed iteration, in plies.
    pub depth: usize,
    /// The nodes of all threads.
    pub nodes: u64,
    /// The first moves of the best lines, in order.
    pub lines: Vec<ScoredMove>,
}

/// A move with its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// The score from the point of view of the side to move.
    pub score: Score,
}
