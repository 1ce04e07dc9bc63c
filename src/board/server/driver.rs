//! Drives an engine's process from a separate thread: orders in, reports out.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::arena::{EngineSpec, Failure, Fault, Player, Rules};
use crate::board::messages::text::Text;
use crate::board::state::io::{Limit, Order, Report, Search, SearchInfo, UPDATE_INTERVAL};
use crate::board::state::level::{book_option, level_options};
use crate::protocol::Reply;
use crate::work::ThreadError;

/// The interval at which a thinking engine's driver checks for new orders.
const ORDER_INTERVAL: Duration = Duration::from_millis(20);

/// The interval at which the output of an idle engine is read.
const IDLE_INTERVAL: Duration = Duration::from_millis(200);

/// The time for an engine to stop thinking.
const STOP_PATIENCE: Duration = Duration::from_secs(5);

/// The number of lines per second beyond which an engine floods its output.
const MAX_LINES_A_SECOND: u32 = 20_000;

/// The handle of a driven engine. Dropping it lets the engine exit.
#[derive(Debug)]
pub struct Driver {
    orders: Sender<Order>,
    thread: JoinHandle<()>,
}

impl Driver {
    /// Starts an engine. `level` makes it weaker, if possible; `stop` kills it. Without a thread for it, the
    /// error is a text for [`Report::Failed`].
    pub fn start(
        spec: Arc<EngineSpec>,
        level: Option<u32>,
        rules: Rules,
        stop: Arc<AtomicBool>,
        tell: impl Fn(Report) + Send + 'static,
    ) -> Result<Driver, Text> {
        let (orders, taken) = channel();
        // The engine is killed when this thread ends, and not before.
        let thread = thread::Builder::new().spawn(move || {
            let mut work = Work { spec, orders: taken, waiting: VecDeque::new(), stop, tell, is_over: false };
            match work.run(level, &rules) {
                Ok(()) | Err(Failure::Stopped) => {}
                Err(failure) => (work.tell)(Report::Failed(failure_text(&failure))),
            }
        });
        let thread = thread.map_err(|error| failure_text(&Failure::Spawn(ThreadError::from(error).to_string())))?;
        Ok(Driver { orders, thread })
    }

    /// Gives an order. An order after the engine's end is lost; [`Report::Failed`] has reported the end.
    pub fn order(&self, order: Order) {
        let _ = self.orders.send(order);
    }

    /// Waits for the engine's end. The caller must have set `stop` before.
    pub fn join(self) {
        drop(self.orders);
        let _ = self.thread.join();
    }
}

struct Work<T> {
    spec: Arc<EngineSpec>,
    orders: Receiver<Order>,
    /// Orders that arrived during a search.
    waiting: VecDeque<Order>,
    stop: Arc<AtomicBool>,
    tell: T,
    /// The channel of orders is closed.
    is_over: bool,
}

impl<T: Fn(Report)> Work<T> {
    fn run(&mut self, level: Option<u32>, rules: &Rules) -> Result<(), Failure> {
        let mut player = Player::start(&self.spec, &self.stop)?;
        player.new_game(rules, &self.stop)?;
        // An analysing engine has no level.
        if let Some(level) = level {
            let book = book_option(player.options(), &self.spec.options);
            for (name, value) in level_options(player.options(), level).into_iter().chain(book) {
                player.set_option(&name, &value);
            }
        }
        (self.tell)(Report::Ready {
            name: player.identity.clone(),
            author: player.author.clone(),
            options: player.options().to_vec(),
        });
        let mut lines = 1;
        loop {
            let order = match self.waiting.pop_front() {
                Some(order) => order,
                None if self.is_over => break,
                None => match self.orders.recv_timeout(IDLE_INTERVAL) {
                    Ok(order) => order,
                    Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) => {
                        self.look_after(&mut player)?;
                        continue;
                    }
                },
            };
            match order {
                Order::Search(search) => {
                    self.look_after(&mut player)?;
                    if search.lines != lines {
                        lines = search.lines;
                        set_lines(&player, lines);
                    }
                    (self.tell)(Report::Thinking(true));
                    self.search(&mut player, &search)?;
                    (self.tell)(Report::Thinking(false));
                }
                Order::Stop => {}
                Order::Set { name, value } => player.set_option(&name, &value),
                Order::GameOver(word) => player.game_over(word),
            }
        }
        player.quit();
        Ok(())
    }

    /// Reads the output of an idle engine, to notice its end and unrequested moves.
    fn look_after(&self, player: &mut Player) -> Result<(), Failure> {
        let mut flow = Flow::new();
        while let Some((text, _)) = player.next(Instant::now(), &self.stop)? {
            flow.take()?;
            if let Reply::BestMove(word) = Reply::parse(&text) {
                return Err(Fault::UnaskedMove(word).into());
            }
        }
        Ok(())
    }

    /// Takes the orders that have arrived. Returns whether the search must stop.
    fn is_interrupted(&mut self) -> bool {
        loop {
            match self.orders.try_recv() {
                Ok(order) => {
                    // A newer search replaces waiting ones.
                    if matches!(order, Order::Search(_) | Order::Stop) {
                        self.waiting.retain(|order| !matches!(order, Order::Search(_) | Order::Stop));
                    }
                    self.waiting.push_back(order);
                }
                Err(TryRecvError::Disconnected) => {
                    self.is_over = true;
                    return true;
                }
                Err(TryRecvError::Empty) => return !self.waiting.is_empty(),
            }
        }
    }

    fn search(&mut self, player: &mut Player, search: &Search) -> Result<(), Failure> {
        let end = search.start.after_line(&search.moves);
        let (go, allowed) = match &search.limit {
            Limit::Infinite => ("go infinite".to_owned(), None),
            Limit::Move { go, allowed } => (self.spec.dialect.go_line(go), Some(allowed.unwrap_or(self.spec.patience))),
        };
        player.send(format!("{}\n{go}\n", self.spec.dialect.position_line(&search.start, &search.moves)));
        let begin = Instant::now();
        let mut search_info = SearchInfo::default();
        let (mut told, mut is_news) = (begin, false);
        let mut stopped: Option<Instant> = None;
        let mut interrupted = false;
        let mut flow = Flow::new();
        loop {
            if !interrupted && self.is_interrupted() {
                interrupted = true;
                player.send("stop\n".to_owned());
                stopped = Some(Instant::now());
            }
            if let Some((text, at)) = player.next(Instant::now() + ORDER_INTERVAL, &self.stop)? {
                flow.take()?;
                match Reply::parse(&text) {
                    Reply::Info(info) => is_news |= search_info.add(info, &end, self.spec.dialect),
                    Reply::BestMove(_) if interrupted => return Ok(()),
                    Reply::BestMove(word) => {
                        if is_news {
                            (self.tell)(Report::Found { search_id: search.id, search_info: search_info.clone() });
                        }
                        if allowed.is_some() {
                            let decision = self.spec.dialect.decision(&word).ok_or(Fault::UnreadableMove(word))?;
                            let elapsed = at.saturating_duration_since(begin);
                            (self.tell)(Report::Decided { search_id: search.id, decision, elapsed, search_info });
                        }
                        return Ok(());
                    }
                    _ => {}
                }
            }
            if is_news && told.elapsed() >= UPDATE_INTERVAL {
                (self.tell)(Report::Found { search_id: search.id, search_info: search_info.clone() });
                (told, is_news) = (Instant::now(), false);
            }
            match (stopped, allowed) {
                (Some(since), _) if since.elapsed() > STOP_PATIENCE => return Err(Fault::Hung(STOP_PATIENCE).into()),
                (None, Some(allowed)) if begin.elapsed() > allowed + self.spec.margin + STOP_PATIENCE => {
                    player.send("stop\n".to_owned());
                    stopped = Some(Instant::now());
                }
                _ => {}
            }
        }
    }
}

/// Requests this number of best lines, if the engine supports several.
fn set_lines(player: &Player, lines: u32) {
    let named = |wanted: &&str| player.options().iter().any(|(name, _)| name.eq_ignore_ascii_case(wanted));
    if let Some(name) = ["USI_MultiPV", "MultiPV"].iter().find(|name| named(name)) {
        player.set_option(name, &lines.to_string());
    }
}

/// The reason why an engine is no longer running.
fn failure_text(failure: &Failure) -> Text {
    let millis = |time: &Duration| time.as_nanos().div_ceil(1_000_000) as u64;
    match failure {
        Failure::Spawn(error) => Text::new("engine.noProcess").with("error", error.as_str()),
        Failure::Stopped => Text::verbatim(""),
        Failure::Fault(fault) => match fault {
            Fault::NoStart { question, patience } => {
                Text::new("engine.noStart").with("question", *question).with("seconds", patience.as_secs())
            }
            Fault::Crashed(how) => Text::new("engine.crashed").with("how", how.as_str()),
            Fault::ClosedOutput => Text::new("engine.closedOutput"),
            Fault::Hung(time) => Text::new("engine.hung").with("time", millis(time)),
            Fault::OutOfTime { used, allowed } => {
                Text::new("engine.outOfTime").with("used", millis(used)).with("allowed", millis(allowed))
            }
            Fault::Flooded => Text::new("engine.flooded"),
            Fault::UnreadableMove(word) => Text::new("engine.unreadableMove").with("word", word.as_str()),
            Fault::UnaskedMove(word) => Text::new("engine.unaskedMove").with("word", word.as_str()),
        },
    }
}

/// Counts the lines that an engine writes per second.
struct Flow {
    second: Instant,
    lines: u32,
}

impl Flow {
    fn new() -> Flow {
        Flow { second: Instant::now(), lines: 0 }
    }

    fn take(&mut self) -> Result<(), Fault> {
        self.lines += 1;
        if self.lines < MAX_LINES_A_SECOND {
            return Ok(());
        }
        let is_flood = self.second.elapsed() < Duration::from_secs(1);
        *self = Flow::new();
        if is_flood { Err(Fault::Flooded) } else { Ok(()) }
    }
}
