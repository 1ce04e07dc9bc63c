//! The engine as a whole: game, options, table and threads behind one door.

pub mod bench;
mod book;
mod mates;
mod options;
mod running;
mod skill;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub use book::{Book, BookError, BookMove};
pub use options::{
    Effect, EvaluationKind, Listed, ListedOption, OptionError, OptionKind, OptionTable, Options, Variant,
};
pub use running::{Event, Verdict};
pub use skill::Skill;

use crate::eval::Evaluation;
use crate::eval::nnue::{Inference, Network, NetworkError};
use crate::mate::{OutOfMemory, Solver};
use crate::protocol::usi::{Go, MateLimit};
use crate::search::{Clocks, Limits, Pool, PoolError, Root, Settings};
use crate::shogi::{Game, IllegalMove, ImpasseDecision, Move, Position};
use mates::{MateQuestion, SharedSolver};
use running::{Running, Task};

/// Why the engine could not do what it was told.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// An option cannot be set like this.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// No threads or memory.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// No memory for the mate solver.
    #[error("MateHash: {0}")]
    Mate(#[from] OutOfMemory),
    /// The book cannot be used.
    #[error("BookFile '{}': {source}", file.display())]
    Book {
        /// The file.
        file: PathBuf,
        /// Why.
        source: BookError,
    },
    /// The log cannot be written.
    #[error("DebugLogFile '{}': {source}", file.display())]
    Log {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The network cannot be used.
    #[error("EvalFile '{}': {source}", file.display())]
    Network {
        /// The file.
        file: PathBuf,
        /// Why.
        source: NetworkError,
    },
}

/// An engine that plays one game at a time.
pub struct Engine {
    table: OptionTable,
    options: Options,
    book: Option<Book>,
    /// Read from a file; none if the one built in is used.
    network: Option<Arc<Inference>>,
    /// None after a position was refused: a move from the one before would be worse than none.
    game: Option<Game>,
    pool: Option<Arc<Pool>>,
    /// Made when it is first asked.
    solver: Option<SharedSolver>,
    running: Option<Running>,
    /// What the last search was started with: a ponder hit need not name every clock again.
    last_go: Go,
    /// Every answer is a move: who listens knows neither resignation nor declaration.
    moves_only: bool,
    /// What a weaker player's choices in this game depend on.
    chance: u64,
}

impl Engine {
    /// An engine with its options at their defaults. Nothing heavy happens before [`Engine::prepare`].
    ///
    /// # Errors
    /// [`EngineError`] if a default names a file that cannot be used.
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
            last_go: Go::default(),
            moves_only: false,
            chance: rand::random(),
        };
        for effect in [Effect::Book, Effect::Network, Effect::Log] {
            engine.apply(effect)?;
        }
        Ok(engine)
    }

    /// Changes an option's default, and the option with it, unless the configuration has set it.
    ///
    /// # Errors
    /// [`EngineError`] as from [`Engine::set_option`].
    pub fn set_default(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        if self.table.set_default(name, value)? { self.set_option(name, Some(value)) } else { Ok(()) }
    }

    /// Has every answer be a move where there is a legal one, not a resignation or a declaration.
    pub fn answer_with_moves_only(&mut self) {
        self.moves_only = true;
    }

    /// The options' declarations.
    pub fn option_table(&self) -> &OptionTable {
        &self.table
    }

    /// What the options are set to.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The game on the board, under the rules that are set; none after a position was refused.
    pub fn game(&self) -> Option<Game> {
        let (rule, plies) = (self.options.impasse_rule, self.options.impasse_plies);
        self.game.clone().map(|game| game.with_impasse(rule, plies))
    }

    /// Sets an option. A search that is under way is stopped first.
    ///
    /// # Errors
    /// [`EngineError`], and the option keeps its value.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), EngineError> {
        self.finish();
        let before = self.options.clone();
        let effect = self.table.set(&mut self.options, name, value)?;
        let done = self.check_memory(&before).and_then(|()| self.apply(effect));
        if done.is_err() {
            self.options = before;
        }
        done
    }

    /// Refuses a table that is larger than the machine's memory, which the system might promise all the same.
    fn check_memory(&self, before: &Options) -> Result<(), EngineError> {
        let tables =
            [("USI_Hash", self.options.hash, before.hash), ("MateHash", self.options.mate_hash, before.mate_hash)];
        let Some((name, wanted, _)) = tables.into_iter().find(|(_, now, before)| now > before) else { return Ok(()) };
        let memory = sysinfo::MemoryRefreshKind::nothing().with_ram();
        let system = sysinfo::System::new_with_specifics(sysinfo::RefreshKind::nothing().with_memory(memory));
        // Where the system does not say, the allocation itself has to tell.
        let mebibytes = system.map_or(0, |system| system.total_memory() >> 20);
        if mebibytes > 0 && wanted as u64 > mebibytes {
            return Err(OptionError::Memory { name, wanted, mebibytes }.into());
        }
        Ok(())
    }

    fn apply(&mut self, effect: Effect) -> Result<(), EngineError> {
        match effect {
            Effect::None => {}
            Effect::ClearHash => self.clear_table(),
            Effect::Book => {
                self.book = match some_file(&self.options.book_file) {
                    None => None,
                    Some(file) => {
                        Some(Book::read(file).map_err(|source| EngineError::Book { file: file.to_owned(), source })?)
                    }
                };
            }
            Effect::Network => {
                self.network = match some_file(&self.options.eval_file) {
                    None => None,
                    Some(file) => {
                        let read = Network::read(file);
                        let (network, _) =
                            read.map_err(|source| EngineError::Network { file: file.to_owned(), source })?;
                        Some(Arc::new(Inference::new(&network)))
                    }
                };
                // It remembers what the network before made of positions.
                self.clear_table();
            }
            Effect::Log => {
                let file = &self.options.debug_log_file;
                crate::frontend::logging::log_to(some_file(file))
                    .map_err(|source| EngineError::Log { file: file.clone(), source })?;
            }
        }
        Ok(())
    }

    fn clear_mates(&mut self) {
        if let Some(solver) = &self.solver {
            solver.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    fn clear_table(&mut self) {
        if let Some(pool) = self.pool.as_mut().and_then(Arc::get_mut) {
            pool.clear_table();
        }
        self.clear_mates();
    }

    /// The network in use, or that would be if the evaluation were the learned one.
    pub fn network(&self) -> Arc<Inference> {
        self.network.clone().unwrap_or_else(Inference::embedded)
    }

    /// What positions are judged by.
    pub fn evaluation(&self) -> Evaluation {
        match self.options.evaluation {
            EvaluationKind::Network => Evaluation::Network(self.network()),
            EvaluationKind::Handwritten => Evaluation::Handwritten,
        }
    }

    /// Does the heavy work: starts threads and allocates the table, as the options ask for.
    ///
    /// # Errors
    /// [`EngineError`] if the system does not give them; the options go back to what there is.
    pub fn prepare(&mut self) -> Result<(), EngineError> {
        self.finish();
        let (threads, hash) = (self.options.threads, self.options.hash);
        let exposed = self.table.exposes_parameters();
        let Some(pool) = self.pool.as_mut().and_then(Arc::get_mut) else {
            let wanted = Pool::new(threads, hash, exposed);
            let (pool, done) = match wanted {
                Ok(pool) => (pool, Ok(())),
                // What was asked for is not to be had: the defaults are better than nothing.
                Err(error) => {
                    let defaults = self.table.defaults();
                    (Pool::new(defaults.threads, defaults.hash, exposed)?, Err(error.into()))
                }
            };
            self.options.threads = pool.threads();
            self.options.hash = pool.hash();
            self.pool = Some(Arc::new(pool));
            return done;
        };
        let done = pool.set_threads(threads).and_then(|()| pool.set_hash(hash));
        self.options.threads = pool.threads();
        self.options.hash = pool.hash();
        Ok(done?)
    }

    /// Forgets the game and all that was learned from it.
    pub fn new_game(&mut self) {
        self.finish();
        if let Some(pool) = self.pool.as_mut().and_then(Arc::get_mut) {
            pool.clear();
        }
        self.clear_mates();
        self.game = Some(Game::new(Position::startpos()));
        self.chance = rand::random();
    }

    /// Takes up a game: all of it, or none if a move is not legal.
    ///
    /// # Errors
    /// [`IllegalMove`]; the engine has no position then.
    pub fn set_position(&mut self, start: Position, moves: &[Move]) -> Result<(), IllegalMove> {
        self.finish();
        self.game = None;
        let mut game = Game::new(start);
        moves.iter().try_for_each(|&mv| game.play(mv))?;
        self.game = Some(game);
        Ok(())
    }

    /// Gives up the position: what was meant by the last one cannot be known.
    pub fn refuse_position(&mut self) {
        self.finish();
        self.game = None;
    }

    /// Starts to think of a move. `tell` hears of what is found, last of all [`Event::Done`], from another thread.
    ///
    /// # Errors
    /// [`EngineError`] if there is nothing to think with; nothing is told then.
    pub fn go(&mut self, go: &Go, mut tell: impl FnMut(Event) + Send + 'static) -> Result<(), EngineError> {
        self.prepare_somehow(&mut tell)?;
        self.last_go = go.clone();
        let Some((root, pool)) = self.root().zip(self.pool.clone()) else {
            self.running = Some(Running::answer(Verdict::Resign, go.infinite, go.ponder, tell));
            return Ok(());
        };
        let mut limits = self.limits(go);
        limits.searchmoves.retain(|&mv| root.position.is_legal(mv));
        if limits.searchmoves.len() < go.searchmoves.len() {
            let all = if limits.searchmoves.is_empty() { "; every legal move is searched" } else { "" };
            tell(Event::Error(format!("searchmoves names moves that are not legal{all}")));
        }
        if let Some(verdict) = self.known_verdict(&root, &limits) {
            self.running = Some(Running::answer(verdict, go.infinite, go.ponder, tell));
            return Ok(());
        }
        let mut settings = self.options.settings(self.evaluation());
        let shown_lines = settings.multipv;
        // Whoever analyses wants to know, and not to win.
        let skill = self.options.skill().filter(|_| !go.infinite);
        if let Some(skill) = skill {
            limits.soft_nodes = Some(skill.nodes());
            settings.multipv = settings.multipv.max(skill.lines());
        }
        let resign_value = if self.moves_only { i32::MAX } else { self.options.resign_value };
        let chance = skill.map(|skill| (skill, self.chance ^ root.position.key()));
        let mate = self.mate_question(&limits, &settings, skill.is_some());
        let task = Task { pool, root, limits, settings, shown_lines, chance, resign_value, mate };
        self.running = Some(Running::search(task, tell));
        Ok(())
    }

    /// Starts to look for a mate. `tell` hears of it as from [`Engine::go`], with a mate's verdicts.
    ///
    /// # Errors
    /// [`EngineError`] if there is nothing to think with; nothing is told then.
    pub fn go_mate(&mut self, limit: MateLimit, tell: impl FnMut(Event) + Send + 'static) -> Result<(), EngineError> {
        self.finish();
        let Some(root) = self.root() else {
            self.running = Some(Running::answer(Verdict::MateUnknown, false, false, tell));
            return Ok(());
        };
        let delay = self.options.network_delay;
        let question = MateQuestion::of_the_user(self.solver()?, limit, delay);
        self.running = Some(Running::mate(question, root, tell));
        Ok(())
    }

    /// The mate solver, with the memory that is asked for.
    fn solver(&mut self) -> Result<SharedSolver, EngineError> {
        let mebibytes = self.options.mate_hash;
        if let Some(solver) = self.solver.clone().filter(|solver| mates::mebibytes(solver) == mebibytes) {
            return Ok(solver);
        }
        // The old one is let go first.
        self.solver = None;
        let solver = Arc::new(Mutex::new(Solver::new(mebibytes)?));
        self.solver = Some(Arc::clone(&solver));
        Ok(solver)
    }

    /// What the mate solver is asked before a search, if anything.
    fn mate_question(&mut self, limits: &Limits, settings: &Settings, weakened: bool) -> Option<MateQuestion> {
        let nodes = Some(self.options.mate_nodes).filter(|&nodes| nodes > 0)?;
        // Several lines or certain moves are asked for, or a shorter search than a proof takes.
        if weakened || settings.multipv > 1 || !limits.searchmoves.is_empty() || limits.depth.is_some() {
            return None;
        }
        let solver = self.solver().inspect_err(|error| tracing::warn!("no mate solver: {error}")).ok()?;
        Some(MateQuestion::before_a_move(solver, nodes, limits, settings))
    }

    /// Gets ready; threads and memory that the system does not give are told of, and done without.
    fn prepare_somehow(&mut self, tell: &mut impl FnMut(Event)) -> Result<(), EngineError> {
        match self.prepare() {
            Err(error) if self.pool.is_none() => Err(error),
            Err(error) => {
                tell(Event::Error(error.to_string()));
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    fn root(&self) -> Option<Root> {
        let game = self.game.as_ref()?;
        Some(Root { position: game.position().clone(), history: game.history().clone() })
    }

    /// What can be answered without thinking: a declaration, or a move from the book.
    fn known_verdict(&self, root: &Root, limits: &Limits) -> Option<Verdict> {
        let position = &root.position;
        let Options { impasse_rule, impasse_plies, .. } = self.options;
        let impasse = impasse_rule.decision(position, &root.history, impasse_plies);
        if !self.moves_only && impasse == Some(ImpasseDecision::MayDeclare) {
            return Some(Verdict::Win);
        }
        let book = self.book.as_ref().filter(|_| self.options.own_book && !limits.infinite)?;
        let known = book.probe(position)?;
        let allowed = limits.searchmoves.is_empty() || limits.searchmoves.contains(&known.mv);
        let ponder = known.reply.filter(|&reply| position.after(known.mv).is_legal(reply));
        allowed.then_some(Verdict::Move { best: known.mv, ponder })
    }

    /// What a `go` comes to under the options in force.
    fn limits(&self, go: &Go) -> Limits {
        Limits {
            clocks: clocks(go),
            movetime: go.movetime,
            depth: go.depth.map(|depth| depth as usize).into_iter().chain(self.options.max_depth()).min(),
            nodes: go.nodes.into_iter().chain(self.options.node_limit()).min(),
            soft_nodes: None,
            searchmoves: go.searchmoves.clone(),
            infinite: go.infinite,
            ponder: go.ponder,
        }
    }

    /// Tells a search to end and lets it give its answer, without waiting for it.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.stop();
        }
    }

    /// The expected move was played: a search that ponders goes on with its own clock.
    ///
    /// Clocks that `go` names replace those that the search was started with.
    pub fn ponderhit(&mut self, go: &Go) {
        let new = go.clone();
        let go = &mut self.last_go;
        for (old, new) in [
            (&mut go.btime, new.btime),
            (&mut go.wtime, new.wtime),
            (&mut go.binc, new.binc),
            (&mut go.winc, new.winc),
            (&mut go.byoyomi, new.byoyomi),
        ] {
            *old = new.or(*old);
        }
        go.movestogo = new.movestogo.or(go.movestogo);
        if let Some(running) = &self.running {
            running.ponderhit(clocks(go));
        }
    }

    /// Whether a search has yet to give its answer.
    pub fn is_searching(&self) -> bool {
        self.running.as_ref().is_some_and(|running| !running.is_finished())
    }

    /// Ends a search, if one is under way, and waits until it has given its answer.
    pub fn finish(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop();
            running.wait();
        }
    }

    /// Waits for the answer of a search without ending it.
    pub fn wait(&mut self) {
        if let Some(running) = self.running.take() {
            running.wait();
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.finish();
    }
}

/// The file that an option names, if it names one.
fn some_file(file: &Path) -> Option<&Path> {
    Some(file).filter(|file| !file.as_os_str().is_empty())
}

/// The clocks of a `go`, if it has any; those not named are at zero.
fn clocks(go: &Go) -> Option<Clocks> {
    let Go { btime, wtime, binc, winc, byoyomi, movestogo, .. } = *go;
    let any = [btime, wtime, binc, winc, byoyomi].iter().any(Option::is_some);
    let or_zero = |time: Option<Duration>| time.unwrap_or_default();
    any.then(|| Clocks {
        time: [btime, wtime].map(or_zero),
        increment: [binc, winc].map(or_zero),
        byoyomi: or_zero(byoyomi),
        moves_to_go: movestogo,
    })
}
