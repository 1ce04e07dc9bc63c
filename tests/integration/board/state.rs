//! The board's state without a server: pages, engines and jobs beside it in one thread, and a clock that the test
//! moves.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant, UNIX_EPOCH};

use judkins::board::messages::text::Text;
use judkins::board::server::{Library, Storage, open};
use judkins::board::state::io::{
    ClientId, Input, Job, JobId, Limit, Line, Now, Order, Output, ProcessId, Report, Search, SearchInfo,
};
use judkins::board::state::kept::LibraryTask;
use judkins::board::state::{EngineSetup, State};
use judkins::engine::{OptionKind, OptionTable};
use judkins::protocol::usi::Go;
use judkins::protocol::{Dialect, EngineDecision};
use judkins::record::Date;
use judkins::search::{Limits, Pool, Root, Settings};
use judkins::shogi::Game;
use tempfile::TempDir;

use super::page::{Connection, Page};

/// The low bits of the numbers of kept games.
pub const TAG: u64 = 77;

/// The number of boards that were started.
static STARTED: AtomicU64 = AtomicU64::new(0);

/// The duration of each input, and of an engine's move.
const TICK: Duration = Duration::from_millis(1);
const THINKING: Duration = Duration::from_millis(100);

/// A folder with what a board has stored in it.
pub struct Folder {
    folder: TempDir,
    /// It stays over the ends of boards: a process that another test starts would hold its lock for a moment.
    storage: Storage,
}

impl From<TempDir> for Folder {
    fn from(folder: TempDir) -> Folder {
        let storage = Storage::new(Some(&folder.path().join("judkins")), |error| panic!("{error}"));
        let storage = storage.expect("there is a thread");
        Folder { folder, storage }
    }
}

impl Folder {
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// A board in a separate folder. Its engines and its clock advance while a page waits.
pub struct Board {
    running: Rc<RefCell<Option<Running>>>,
    pub folder: TempDir,
}

impl Board {
    pub fn start() -> Board {
        Board::in_folder(tempfile::tempdir().expect("there is room"), &[])
    }

    /// The board, and a page of it.
    pub fn with_page(self) -> (Board, Page) {
        let page = self.page();
        (self, page)
    }

    /// A board that is started with a file of this name and content.
    pub fn of_file(name: &str, content: impl AsRef<[u8]>) -> Board {
        let folder = tempfile::tempdir().expect("there is room");
        std::fs::write(folder.path().join(name), content).expect("it can be written");
        Board::in_folder(folder, &[name])
    }

    /// A board that keeps its study in this folder, with the file of this name in it, if one is named.
    pub fn in_folder(folder: impl Into<Folder>, file: &[&str]) -> Board {
        Board::with_engines(folder, file, &["judkins"])
    }

    /// The same with engines of these names.
    pub fn with_engines(folder: impl Into<Folder>, file: &[&str], engines: &[&str]) -> Board {
        let Folder { folder, mut storage } = folder.into();
        let opened = file.first().map(|name| open(&folder.path().join(name)).expect("it is a game"));
        let setup = |name: &&str| EngineSetup {
            name: (*name).to_owned(),
            is_named: false,
            dialect: Dialect::Usi,
            options: Vec::new(),
        };
        let engines = engines.iter().map(setup).collect();
        let date = Date::new(2024, 5, 1).expect("it is a day");
        // A board starts a second after the one before: games are numbered by their milliseconds.
        let before = 1_000 * STARTED.fetch_add(1, Ordering::Relaxed);
        let millis = UNIX_EPOCH.elapsed().expect("it is later").as_millis() as u64 + before;
        let now = Now { instant: Instant::now(), date, millis };
        let library = Library::open(&folder.path().join("judkins"));
        let (state, outputs) = State::new(opened, engines, storage.restore(), TAG, now);
        let mut running = Running {
            state,
            storage,
            library,
            now,
            last_client: 0,
            outboxes: BTreeMap::new(),
            work: VecDeque::new(),
            limits: Vec::new(),
            processes: Vec::new(),
            options: Vec::new(),
            is_full: false,
        };
        running.carry_out(outputs);
        Board { running: Rc::new(RefCell::new(Some(running))), folder }
    }

    pub fn page(&self) -> Page {
        let client = self.with(|running| {
            running.last_client += 1;
            running.outboxes.insert(running.last_client, VecDeque::new());
            running.handle(Input::Joined(running.last_client));
            running.last_client
        });
        Page::new(Client { running: Rc::clone(&self.running), client })
    }

    /// The limits of the searches for a move so far.
    pub fn limits(&self) -> Vec<Go> {
        self.with(|running| running.limits.clone())
    }

    /// The options that engines were told to set while they ran.
    pub fn options(&self) -> Vec<(String, String)> {
        self.with(|running| running.options.clone())
    }

    /// The number of engines that were started so far.
    pub fn processes(&self) -> usize {
        self.with(|running| running.processes.len())
    }

    /// Ends the engine that was started last.
    pub fn fail(&self) {
        self.with(|running| {
            let process = *running.processes.last().expect("one was started");
            running.report(process, Report::Failed(Text::verbatim("it is gone")));
        });
    }

    /// Does all work that waits, without a page.
    pub fn work(&self) {
        self.with(|running| {
            while !running.work.is_empty() {
                running.go_on();
            }
        });
    }

    /// Lets the state look at its clock.
    pub fn tick(&self) {
        self.with(|running| running.handle(Input::Timer));
    }

    /// Stores nothing more, or everything again.
    pub fn fill_disk(&self, is_full: bool) {
        self.with(|running| running.is_full = is_full);
    }

    pub fn advance(&self, time: Duration) {
        self.with(|running| running.now.instant += time);
    }

    /// Ends it without a warning; the folder stays.
    pub fn kill(self) -> Folder {
        let running = self.running.take().expect("it was not killed");
        Folder { folder: self.folder, storage: running.storage }
    }

    fn with<T>(&self, run: impl FnOnce(&mut Running) -> T) -> T {
        run(self.running.borrow_mut().as_mut().expect("it was not killed"))
    }
}

struct Client {
    running: Rc<RefCell<Option<Running>>>,
    client: ClientId,
}

impl Connection for Client {
    fn say(&mut self, text: &str) {
        let input = Input::Request { client: self.client, text: text.to_owned() };
        self.running.borrow_mut().as_mut().expect("the board runs").handle(input);
    }

    fn hear(&mut self) -> Option<String> {
        let mut running = self.running.borrow_mut();
        let running = running.as_mut().expect("the board runs");
        let message = running.outboxes.get_mut(&self.client).expect("it has joined").pop_front();
        if message.is_none() {
            running.go_on();
        }
        message
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(running) = self.running.borrow_mut().as_mut().filter(|_| !std::thread::panicking()) {
            running.outboxes.remove(&self.client);
            running.handle(Input::Left(self.client));
        }
    }
}

/// Work beside the state.
enum Work {
    Start(ProcessId),
    Search(ProcessId, Box<Search>),
    Stop(ProcessId),
    Job(JobId, Job, AtomicBool),
    Library(u64, LibraryTask),
}

struct Running {
    state: State,
    storage: Storage,
    library: Result<Library, String>,
    now: Now,
    last_client: ClientId,
    outboxes: BTreeMap<ClientId, VecDeque<String>>,
    /// The work to do once a page waits.
    work: VecDeque<Work>,
    limits: Vec<Go>,
    /// The processes that were started, and the options that they were told to set since.
    processes: Vec<ProcessId>,
    options: Vec<(String, String)>,
    is_full: bool,
}

impl Running {
    fn handle(&mut self, input: Input) {
        self.now.instant += TICK;
        let outputs = self.state.handle(input, self.now);
        self.carry_out(outputs);
    }

    fn carry_out(&mut self, outputs: Vec<Output>) {
        let mut failed = Vec::new();
        for output in outputs {
            match output {
                Output::Send { client, text } => self.outboxes.entry(client).or_default().push_back(text),
                Output::Broadcast(text) => self.outboxes.values_mut().for_each(|outbox| outbox.push_back(text.clone())),
                Output::StartEngine { process, .. } => {
                    self.processes.push(process);
                    self.work.push_back(Work::Start(process));
                }
                Output::Order { process, order } => match order {
                    Order::Search(search) => {
                        self.drop_search(process);
                        self.work.push_back(Work::Search(process, search));
                    }
                    Order::Stop => {
                        self.drop_search(process);
                        self.work.push_back(Work::Stop(process));
                    }
                    Order::Set { name, value } => self.options.push((name, value)),
                    Order::GameOver(_) => {}
                },
                Output::EndEngine(process) => self.drop_search(process),
                Output::StartJob { job, kind } => self.work.push_back(Work::Job(job, kind, AtomicBool::new(false))),
                Output::StopJob(job) => self.work.iter_mut().for_each(|work| match work {
                    Work::Job(id, _, stop) if *id == job => *stop.get_mut() = true,
                    _ => {}
                }),
                Output::Follow(path) => panic!("{} is for the server to follow", path.display()),
                Output::Store(_) | Output::StoreGames(_) if self.is_full => {
                    failed.push(Input::NotStored("the disk is full".to_owned()));
                }
                Output::Store(session) => self.storage.store(&session).expect("it is stored"),
                Output::StoreGames(games) => self.storage.store_games(games.as_deref()).expect("they are stored"),
                Output::Library { number, task } => self.work.push_back(Work::Library(number, task)),
                Output::WriteFile { path, bytes, found } => {
                    if let Err(why) = self.storage.write_file(&path, bytes, found.as_deref()) {
                        failed.push(Input::FileNotWritten { path, why });
                    }
                }
            }
        }
        failed.into_iter().for_each(|input| self.handle(input));
    }

    fn drop_search(&mut self, process: ProcessId) {
        self.work.retain(|work| !matches!(work, Work::Search(id, _) if *id == process));
    }

    /// Does the next piece of work, or without one moves the clock to what the state waits for.
    fn go_on(&mut self) {
        match self.work.pop_front() {
            Some(Work::Start(process)) => {
                let (name, author) = ("judkins".to_owned(), "the tests".to_owned());
                self.report(process, Report::Ready { name, author, options: options() });
            }
            Some(Work::Search(process, search)) => self.search(process, *search),
            Some(Work::Stop(process)) => self.report(process, Report::Thinking(false)),
            Some(Work::Library(number, task)) => {
                let library = self.library.as_mut().map_err(|why| why.clone());
                let answer = library.and_then(|library| library.run(task));
                self.handle(Input::Library { number, answer });
            }
            Some(Work::Job(job, kind, stop)) => self.handle(Input::JobDone { job, result: kind.run(&stop, &|_| {}) }),
            None => {
                let deadline = self.state.deadline().expect("nothing like this can come any more");
                self.now.instant = self.now.instant.max(deadline);
                self.handle(Input::Timer);
            }
        }
    }

    fn report(&mut self, process: ProcessId, report: Report) {
        self.handle(Input::Engine { process, report });
    }

    /// Searches a little, and reports all at once.
    fn search(&mut self, process: ProcessId, search: Search) {
        let mut game = Game::new(search.start);
        search.moves.into_iter().for_each(|mv| game.play(mv).expect("the state orders legal moves"));
        let mut limits = Limits { depth: Some(4), ..Limits::default() };
        if let Limit::Move { go, .. } = &search.limit {
            limits.depth = go.depth.map(|depth| depth as usize).or(limits.depth);
            self.limits.push(go.clone());
        }
        let settings = Settings { multipv: search.lines as usize, pv_interval: Duration::ZERO, ..Settings::default() };
        let mut search_info = SearchInfo::default();
        let pool = Pool::new(1, 1).expect("there is memory");
        let outcome = pool.search(&Root::of(&game), &limits, &settings, None, &AtomicBool::new(false), &mut |report| {
            let index = report.multipv.unwrap_or(1) - 1;
            search_info.lines.resize(search_info.lines.len().max(index + 1), None);
            let depth = Some(report.depth as u32);
            search_info.lines[index] =
                Some(Line { score: report.score, bound: report.bound, depth, moves: report.pv.clone() });
            (search_info.depth, search_info.nodes) = (depth, Some(report.nodes));
        });
        self.now.instant += THINKING;
        self.report(process, Report::Thinking(true));
        let search_id = search.id;
        if let Limit::Infinite = search.limit {
            return self.report(process, Report::Found { search_id, search_info });
        }
        let decision = outcome.best.map_or(EngineDecision::Resign, EngineDecision::Move);
        self.report(process, Report::Decided { search_id, decision, elapsed: THINKING, search_info });
        self.report(process, Report::Thinking(false));
    }
}

/// The program's own options, as far as they are files, numbers or choices.
fn options() -> Vec<(String, OptionKind)> {
    let mut listed = OptionTable::new(None, false).expect("no file is read").list();
    listed.retain(|option| {
        matches!(option.kind, OptionKind::Spin { .. } | OptionKind::Filename { .. } | OptionKind::Combo { .. })
    });
    listed.into_iter().map(|option| (option.name.to_owned(), option.kind)).collect()
}
