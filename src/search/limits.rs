use std::time::Duration;

use super::params::ParamValues;
use crate::eval::Evaluation;
use crate::shogi::{ImpasseRule, Move};

/// The limits of a search. The first that is reached ends it; without any it runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The clocks of the game.
    pub clocks: Option<Clocks>,
    /// A fixed time.
    pub movetime: Option<Duration>,
    /// The depth, in plies.
    pub depth: Option<usize>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Nodes after which no further iteration begins; the first is always completed.
    pub soft_nodes: Option<u64>,
    /// The root moves to search; all if there are none.
    pub searchmoves: Vec<Move>,
    /// The answer is for a stop alone: a proven score does not end the search. The [`Engine`](crate::engine::Engine)
    /// holds its answer back until then.
    pub infinite: bool,
    /// Ponder: time counts from the ponder hit, before which the [`Engine`](crate::engine::Engine) does not answer.
    pub ponder: bool,
}

/// The clocks of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// Black's and White's remaining main time.
    pub time: [Duration; 2],
    /// Their increments for each move.
    pub increment: [Duration; 2],
    /// The byoyomi of both.
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
    /// Best lines to find (MultiPV).
    pub multipv: usize,
    /// The delay between engine and clock, taken off every time limit. Up to the default it takes a twentieth of a fixed
    /// time at most.
    pub network_delay: Duration,
    /// The least time to use, where the clock allows.
    pub minimum_thinking_time: Duration,
    /// The share of the usual time to use, in percent.
    pub slow_mover: u32,
    /// The least time between two reports; zero reports every iteration.
    pub pv_interval: Duration,
    /// The search's parameters. Only a [`Pool`](super::Pool) with exposed parameters reads them.
    pub params: ParamValues,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            evaluation: Evaluation::default(),
            impasse_rule: ImpasseRule::default(),
            impasse_plies: crate::shogi::DEFAULT_IMPASSE_PLIES,
            draw_value: [0; 2],
            max_moves_to_draw: 0,
            multipv: 1,
            network_delay: Duration::from_millis(10),
            minimum_thinking_time: Duration::ZERO,
            slow_mover: 100,
            pv_interval: Duration::ZERO,
            params: ParamValues::default(),
        }
    }
}
