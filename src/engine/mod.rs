//! The engine: game, options, transposition table, threads, mate solver and book behind one type, [`Engine`].
//!
//! It is independent of protocols. A front end converts text to [`Limits`], and [`Event`]s to text.

pub mod bench;
mod book;
mod configuration;
mod error;
mod mates;
mod options;
mod resources;
mod running;
mod skill;
mod thinking;

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

pub use error::EngineError;
pub use options::{
    Effect, EvaluationKind, Listed, ListedOption, OptionError, OptionKind, OptionTable, Options, Variant,
};
pub use running::{Event, Verdict};
pub use skill::Skill;

// The types of its signatures.
pub use crate::mate::Progress;
pub use crate::search::{Clocks, Limits, Report};

use crate::book::Book;
use crate::eval::nnue::Inference;
use crate::search::Pool;
use crate::search::score::MAX_PLY;
use crate::shogi::{Game, IllegalMove, ImpasseRule, Move, Position};
use mates::SharedSolver;
use running::Running;

/// An engine that plays one game at a time.
///
/// ```
/// use judkins::engine::{Engine, Event, OptionTable, Verdict};
/// use judkins::search::Limits;
///
/// let mut engine = Engine::new(OptionTable::new(None, false)?)?;
/// let limits = Limits { depth: Some(3), ..Limits::default() };
/// engine.go(&limits, |event| {
///     if let Event::Done(Verdict::Move { best, .. }) = event {
///         println!("{best}");
///     }
/// })?;
/// engine.wait();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    table: OptionTable,
    options: Options,
    /// The book of `BookFile`, or the built-in one. None if the file cannot be read.
    book: Option<Book>,
    /// The network of `EvalFile`; none for the built-in one.
    network: Option<Arc<Inference>>,
    /// None after a position was rejected: a move for the previous position would be worse than none.
    game: Option<Game>,
    /// None until the first search or [`Engine::prepare`].
    pool: Option<Arc<Pool>>,
    /// None until the first query.
    solver: Option<SharedSolver>,
    running: Option<Running>,
    /// Whether to answer with a move in place of a resignation or a declaration.
    moves_only: bool,
    /// The last search, for which the scores in the tables hold.
    searched: Searched,
    /// The seed of a weaker player's choices in this game.
    seed: u64,
}

impl Engine {
    /// An engine with default options. It starts no threads and allocates no table: see [`Engine::prepare`].
    ///
    /// # Errors
    /// [`EngineError`] if a default names an unusable file.
    pub fn new(table: OptionTable) -> Result<Engine, EngineError> {
        let mut engine = Engine {
            options: table.defaults().clone(),
            table,
            book: None,
            network: None,
            game: Some(Game::new(Position::startpos())),
            pool: None,
            solver: None,
            running: None,
            moves_only: false,
            searched: Searched::default(),
            seed: random_seed(),
        };
        for effect in [Effect::Book, Effect::Network] {
            engine.apply(effect).map_err(|error| match engine.table.error_of(effect, &error) {
                Some(error) => error.into(),
                None => error,
            })?;
        }
        Ok(engine)
    }

    /// Makes every answer a move if there is a legal one: from now on the engine neither resigns nor declares.
    pub fn answer_with_moves_only(&mut self) {
        self.moves_only = true;
    }

    /// The game under the rules that the options set. None after a position was rejected.
    pub fn game(&self) -> Option<Game> {
        let (rule, plies) = (self.options.impasse_rule, self.options.impasse_plies);
        self.game.clone().map(|game| game.with_impasse(rule, plies))
    }

    /// Begins a new game: ends a running search, and clears the tables and the histories.
    pub fn new_game(&mut self) {
        self.finish();
        self.forget();
        self.game = Some(Game::new(Position::startpos()));
        self.seed = random_seed();
    }

    /// Sets the game: a start position and the moves played. Stops a running search first.
    ///
    /// # Errors
    /// [`IllegalMove`]. The engine has no position then, as after [`Engine::refuse_position`].
    pub fn set_position(&mut self, start: Position, moves: &[Move]) -> Result<(), IllegalMove> {
        self.finish();
        self.game = None;
        let mut game = Game::new(start);
        moves.iter().try_for_each(|&mv| game.play(mv))?;
        self.game = Some(game);
        Ok(())
    }

    /// Drops the game, because the next position could not be read. Searches are answered by [`Verdict::Resign`] until
    /// the next position. Stops a running search first.
    pub fn refuse_position(&mut self) {
        self.finish();
        self.game = None;
    }
}

/// The conditions of a search on which its scores depend.
#[derive(Clone, Copy, Default)]
struct Searched {
    /// The impasse rule and the move limit.
    rules: (ImpasseRule, u32),
    move_number: u32,
    impasse_plies: u32,
}

impl Searched {
    /// Whether the scores of this search hold for the next one. The keys of the tables contain neither move numbers nor
    /// the counts of impasse rules: seen from an earlier position, an end of the game that was stored may be far away.
    fn holds_for(&self, next: &Searched) -> bool {
        let (rule, limit) = self.rules;
        let has_count = rule.depends_on_history() && (self.impasse_plies > 0 || !rule.counts_quiet_plies());
        let is_near_limit = limit > 0 && self.move_number.saturating_add(MAX_PLY as u32) > limit;
        let is_earlier = (next.move_number, next.impasse_plies) < (self.move_number, self.impasse_plies);
        self.rules == next.rules && !(is_earlier && (has_count || is_near_limit))
    }
}

/// A seed that differs from game to game. The standard library seeds the keys of its hash tables from the system.
fn random_seed() -> u64 {
    RandomState::new().hash_one(())
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.finish();
    }
}
