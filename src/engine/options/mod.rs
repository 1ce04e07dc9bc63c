//! The options. Each is declared once, in the list below; its default is in `engine.toml`. An option that the search
//! reads is also a field of [`Settings`], which [`Options::settings`] fills.

mod declaration;
mod table;
mod value;

use std::path::PathBuf;
use std::time::Duration;

use strum::{Display, EnumString, VariantNames};

use super::Skill;
use crate::eval::Evaluation;
pub use crate::option_kind::OptionKind;
use crate::search::params::Params;
use crate::search::{Limits, MAX_THREADS, Settings};
use crate::shogi::ImpasseRule;
use declaration::{Declaration, options};
pub use declaration::{Effect, Listed};
pub use table::{ListedOption, OptionError, OptionTable};
use value::{Choice, Value};

/// The longest accepted time: a day, in milliseconds.
const DAY: u64 = 24 * 60 * 60 * 1_000;

/// The largest addressable transposition table, in MiB.
const MAX_HASH: usize = if cfg!(target_pointer_width = "32") { 1 << 10 } else { 1 << 25 };

/// The same for the mate solver.
const MAX_MATE_HASH: usize = if cfg!(target_pointer_width = "32") { 1 << 10 } else { 1 << 20 };

/// The greatest accepted score, in centipawns.
const MAX_SCORE: i32 = 99_999;

/// Outside the scores of decided games.
const MAX_DRAW_VALUE: i32 = 20_000;

options! {
    /// The size of the transposition table, in MiB.
    "USI_Hash" => hash: usize in 1..=MAX_HASH, uci_name(Some("Hash")), listed(Listed::NotInCecp);
    /// The number of search threads.
    "Threads" => threads: usize in 1..=MAX_THREADS, listed(Listed::NotInCecp);
    /// Whether the program is going to ponder. The engine does not read it.
    "USI_Ponder" => ponder: bool, uci_name(Some("Ponder")), listed(Listed::NotInCecp);
    /// The number of best lines to show.
    "USI_MultiPV" => multipv: usize in 1..=500, uci_name(Some("MultiPV")), listed(Listed::NotInCecp);
    /// The game.
    "USI_Variant" => variant: Variant, uci_name(Some("UCI_Variant")), listed(Listed::NotInCecp);
    /// Whether to play from the book. Below full strength the engine does so in any case: for as many plies as its
    /// level, with half of its moves.
    "USI_OwnBook" => own_book: bool, uci_name(Some("OwnBook"));
    /// The book; empty for the built-in one.
    "BookFile" => book_file: PathBuf, effect(Effect::Book);
    /// The margin below the book's best move, in centipawns; 0 always plays the first choice. See
    /// [`choose`](crate::book::choose) for the probabilities of the moves.
    "BookMargin" => book_margin: i32 in 0..=1_000;
    /// The number of plies of a game that may be played from the book.
    "BookDepth" => book_depth: u32 in 0..=1_000;
    /// The seed for choosing among the moves of the book: the same seed plays the same move in the same position. 0: a
    /// new random seed for each game.
    "BookSeed" => book_seed: u64 in 0..=i64::MAX as u64;
    /// The evaluation.
    "Evaluation" => evaluation: EvaluationKind, effect(Effect::ClearHash);
    /// The network; empty for the built-in one.
    "EvalFile" => eval_file: PathBuf, effect(Effect::Network);
    /// The impasse rule in force.
    "ImpasseRule" => impasse_rule: ImpasseRule, uci_choices(&[ImpasseRule::CuteChess.name()]), effect(Effect::ClearHash);
    /// Quiet plies before points are counted, under `Points12`.
    "ImpassePlies" => impasse_plies: u32 in 0..=1_000, effect(Effect::ClearHash);
    /// The value of a draw for the engine as Black, in centipawns.
    "DrawValueBlack" => draw_value_black: i32 in -MAX_DRAW_VALUE..=MAX_DRAW_VALUE, effect(Effect::ClearHash);
    /// The value of a draw for the engine as White, in centipawns.
    "DrawValueWhite" => draw_value_white: i32 in -MAX_DRAW_VALUE..=MAX_DRAW_VALUE, effect(Effect::ClearHash);
    /// The engine resigns below minus this score, in centipawns.
    "ResignValue" => resign_value: i32 in 0..=MAX_SCORE;
    /// The game is drawn after this many moves; 0 is no limit.
    "MaxMovesToDraw" => max_moves_to_draw: u32 in 0..=100_000, effect(Effect::ClearHash);
    /// The delay subtracted from every time limit.
    "NetworkDelay" => network_delay: Duration in 0..=10_000;
    /// The minimum time to think, if the clock allows it.
    "MinimumThinkingTime" => minimum_thinking_time: Duration in 0..=DAY;
    /// The percentage of the usual share of the clock to spend on a move.
    "SlowMover" => slow_mover: u32 in 1..=1_000;
    /// The minimum time between two reports of a search.
    "PvInterval" => pv_interval: Duration in 0..=DAY;
    /// Strength, from 0 to [`Skill::FULL_LEVEL`].
    "SkillLevel" => skill_level: i64 in 0..=Skill::FULL_LEVEL;
    /// Whether `elo`, rather than `skill_level`, sets the strength.
    "UCI_LimitStrength" => limit_strength: bool, listed(Listed::OnlyInUci);
    /// Strength, on the scale of [`Skill::of_elo`].
    "UCI_Elo" => elo: i64 in Skill::LEAST_ELO..=Skill::MOST_ELO, listed(Listed::OnlyInUci);
    /// The maximum number of nodes for a move; 0 is no limit.
    "NodesLimit" => nodes_limit: u64 in 0..=i64::MAX as u64;
    /// The maximum depth in plies; 0 is no limit.
    "DepthLimit" => depth_limit: usize in 0..=127;
    /// The memory of the mate solver, in MiB.
    "MateHash" => mate_hash: usize in 1..=MAX_MATE_HASH;
    /// The maximum number of nodes of the mate solver before a move; 0 disables it.
    "MateNodes" => mate_nodes: u64 in 0..=i64::MAX as u64;
    /// The file for every line in and out; empty for none.
    "DebugLogFile" => debug_log_file: PathBuf, effect(Effect::Log);
    buttons:
    "ClearHash", effect(Effect::ClearHash);
}

/// The games that the engine can play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Display, EnumString, VariantNames)]
#[strum(ascii_case_insensitive, serialize_all = "lowercase")]
pub enum Variant {
    /// Judkins shogi.
    #[default]
    Judkins,
}

/// The available evaluations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Display, EnumString, VariantNames)]
#[strum(ascii_case_insensitive)]
pub enum EvaluationKind {
    /// The learned network.
    #[default]
    Network,
    /// The hand-written terms.
    Handwritten,
}

impl Choice for Variant {}
impl Choice for EvaluationKind {}
impl Choice for ImpasseRule {}

impl Options {
    /// The settings of a search with this evaluation.
    pub fn settings(&self, evaluation: Evaluation) -> Settings {
        Settings {
            evaluation,
            impasse_rule: self.impasse_rule,
            impasse_plies: self.impasse_plies,
            draw_value: [self.draw_value_black, self.draw_value_white],
            max_moves_to_draw: self.max_moves_to_draw,
            multipv: self.multipv,
            network_delay: self.network_delay,
            minimum_thinking_time: self.minimum_thinking_time,
            slow_mover: self.slow_mover,
            pv_interval: self.pv_interval,
            params: self.params.clone(),
        }
    }

    /// The strength to play at; none for full strength.
    pub fn skill(&self) -> Option<Skill> {
        if self.limit_strength { Skill::of_elo(self.elo) } else { Skill::of_level(self.skill_level) }
    }

    /// The limits of a search combined with those of the options.
    pub(super) fn limit(&self, limits: &Limits) -> Limits {
        let least = |limit: Option<u64>, option: u64| limit.into_iter().chain((option > 0).then_some(option)).min();
        Limits {
            depth: least(limits.depth.map(|plies| plies as u64), self.depth_limit as u64).map(|plies| plies as usize),
            nodes: least(limits.nodes, self.nodes_limit),
            ..limits.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_searches_with_the_defaults_of_the_file() {
        let table = OptionTable::new(None, false).unwrap();
        assert_eq!(table.defaults().settings(Evaluation::default()), Settings::default());
    }

    #[test]
    fn the_smaller_of_two_limits_counts() {
        let mut options = OptionTable::new(None, false).unwrap().defaults().clone();
        let limits = Limits { depth: Some(9), nodes: Some(500), ..Limits::default() };
        assert_eq!(options.limit(&limits), limits, "options of 0 are no limit");
        (options.depth_limit, options.nodes_limit) = (7, 1_000);
        assert_eq!(options.limit(&limits), Limits { depth: Some(7), ..limits });
    }

    #[test]
    fn the_strength_is_set_by_a_level_or_by_elo() {
        let mut options = OptionTable::new(None, false).unwrap().defaults().clone();
        assert_eq!(options.skill(), None);
        options.skill_level = 7;
        assert_eq!(options.skill(), Skill::of_level(7));
        (options.limit_strength, options.elo) = (true, Skill::LEAST_ELO);
        assert_eq!(options.skill(), Skill::of_level(0));
        options.elo = Skill::MOST_ELO;
        assert_eq!(options.skill(), None);
    }
}
