use std::time::Duration;

use crate::eval::Evaluation;
use crate::shogi::{ImpasseRule, Move};

/// How far a search may go. Whatever is set ends it, whichever comes first; with nothing set it goes on until stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The clocks of the game, if it is played with one.
    pub clocks: Option<Clocks>,
    /// Think for exactly this long.
    pub movetime: Option<Duration>,
    /// Plies.
    pub depth: Option<usize>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Positions visited after which no further iteration begins; the first is always finished.
    pub soft_nodes: Option<u64>,
    /// Consider only these moves at the root, if any are given.
    pub searchmoves: Vec<Move>,
    /// Do not end before being told, even when all is known.
    pub infinite: bool,
    /// The opponent's clock runs: time counts from the ponder hit.
    pub ponder: bool,
}

/// The clocks of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// Black's and White's remaining main time.
    pub time: [Duration; 2],
    /// What each gains with a move.
    pub increment: [Duration; 2],
    /// What each has for a move when the main time is used up.
    pub byoyomi: Duration,
    /// Moves to go until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

/// What shapes a search besides its limits: the rules in force and what the user has set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What positions are worth. The table remembers that: it must be cleared when another is to be used.
    pub evaluation: Evaluation,
    /// The impasse rule in force.
    pub impasse_rule: ImpasseRule,
    /// How many quiet plies come before points are counted.
    pub impasse_plies: u32,
    /// What a draw is worth to Black and to White in centipawns, when they are to move at the root.
    pub draw_value: [i32; 2],
    /// The game is drawn when this many moves have been played; 0 is no limit.
    pub max_moves_to_draw: u32,
    /// How many best lines to find.
    pub multipv: usize,
    /// Taken off every time limit, for what lies between the engine and the clock. Up to the default it takes a
    /// twentieth of a fixed time for a move at most.
    pub network_delay: Duration,
    /// At least this is used, where the clock allows.
    pub minimum_thinking_time: Duration,
    /// Percent: more spends the clock faster.
    pub slow_mover: u32,
    /// Lines are reported at most this often; zero is always.
    pub pv_interval: Duration,
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
        }
    }
}
