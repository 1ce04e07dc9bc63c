//! Runs the state: one task owns it, passes inputs to it, and carries out its outputs in order.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{mpsc, oneshot};

use super::driver::Driver;
use super::follow::follow;
use super::library::{Library, PATIENCE, start_librarian};
use super::socket::{Event, Outbox};
use super::storage::Storage;
use super::worker::Worker;
use crate::arena::{EngineSpec, Rules, kill_all_engines};
use crate::board::messages::text::Text;
use crate::board::state::io::{ClientId, Input, Job, JobId, Output, ProcessId, Report};
use crate::board::state::kept::LibraryTask;
use crate::board::state::{EngineSetup, FileContent, State};
use crate::board::{now, random_tag};
use crate::record::Impasse;
use crate::work::ThreadError;

/// The minimum time between two progress reports of a job.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);

/// The state and the executors of its outputs.
pub struct Shell {
    state: State,
    clients: BTreeMap<ClientId, Outbox>,
    events: mpsc::Sender<Event>,
    /// Set when everything should end.
    stop: Arc<AtomicBool>,
    storage: Storage,
    librarian: Worker<(u64, LibraryTask)>,
    specs: Vec<EngineSpec>,
    drivers: HashMap<ProcessId, Driver>,
    jobs: HashMap<JobId, Arc<AtomicBool>>,
}

impl Shell {
    /// A shell whose state begins with the opened content, or with the content of this folder.
    pub fn new(
        opened: Option<FileContent>,
        specs: Vec<EngineSpec>,
        folder: Option<PathBuf>,
        events: mpsc::Sender<Event>,
    ) -> Result<Shell, ThreadError> {
        let not_saved = events.clone();
        let mut storage = Storage::new(folder.as_deref(), move |error| {
            let _ = not_saved.blocking_send(Event::Input(Input::Warning(error)));
        })?;
        let mut restored = storage.restore();
        let library = match &folder {
            Some(folder) => Library::open(folder),
            // The user has been told already.
            None => Err("there is no folder for it".to_owned()),
        };
        if let Some(why) = library.as_ref().err().filter(|_| folder.is_some()) {
            restored.warn("storage.library", "the library of games cannot be used", why);
        }
        let answers = events.clone();
        let librarian = start_librarian(library, move |number, answer| {
            // The channel is closed once the shell has ended.
            let _ = answers.blocking_send(Event::Input(Input::Library { number, answer }));
        })?;
        let setups = specs.iter().map(setup).collect();
        let (state, outputs) = State::new(opened, setups, restored, random_tag(), now());
        let mut shell = Shell {
            state,
            clients: BTreeMap::new(),
            events,
            stop: Arc::new(AtomicBool::new(false)),
            storage,
            librarian,
            specs,
            drivers: HashMap::new(),
            jobs: HashMap::new(),
        };
        shell.carry_out(outputs);
        Ok(shell)
    }

    /// Handles events in order until it is told to end.
    pub async fn run(mut self, mut arrived: mpsc::Receiver<Event>, mut ended: oneshot::Receiver<()>) {
        loop {
            let deadline = self.state.deadline();
            let sleep = async {
                match deadline {
                    Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                _ = &mut ended => break,
                event = arrived.recv() => match event {
                    Some(Event::Joined { client, outbox }) => {
                        self.clients.insert(client, outbox);
                        self.handle(Input::Joined(client));
                    }
                    Some(Event::Input(input)) => self.handle(input),
                    None => {}
                },
                () = sleep => self.handle(Input::Timer),
            }
        }
        // The library keeps what is on the board.
        for client in self.clients.keys().copied().collect::<Vec<_>>() {
            self.handle(Input::Left(client));
        }
        self.stop.store(true, Ordering::Relaxed);
        self.jobs.values().for_each(|stop| stop.store(true, Ordering::Relaxed));
        // The session forgets the games that the library has saved: the next start would save them again, over what
        // another board has changed meanwhile.
        while self.state.saves_games() {
            match tokio::time::timeout(PATIENCE, arrived.recv()).await {
                Ok(Some(Event::Input(input @ Input::Library { .. }))) => self.handle(input),
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => break,
            }
        }
        // Drivers that wait to report end when the channel closes.
        drop(arrived);
        self.drivers.into_values().for_each(Driver::join);
        kill_all_engines();
    }

    fn handle(&mut self, input: Input) {
        match &input {
            Input::Left(client) => drop(self.clients.remove(client)),
            Input::Engine { process, report: Report::Failed(_) } => drop(self.drivers.remove(process)),
            Input::JobDone { job, .. } => drop(self.jobs.remove(job)),
            _ => {}
        }
        let outputs = self.state.handle(input, now());
        self.carry_out(outputs);
    }

    fn carry_out(&mut self, outputs: Vec<Output>) {
        let mut failed = Vec::new();
        for output in outputs {
            match output {
                Output::Send { client, text } => self.send(client, text.into()),
                Output::Broadcast(text) => {
                    let text = Utf8Bytes::from(text);
                    // Drop a page that lags too far behind, which ends its connection.
                    self.clients.retain(|_, outbox| outbox.send(text.clone()));
                }
                Output::StartEngine { process, engine, settings, level, impasse } => {
                    let started = self.start_engine(process, engine, settings, level, impasse);
                    let report = |problem| Input::Engine { process, report: Report::Failed(problem) };
                    failed.extend(started.err().map(report));
                }
                Output::Order { process, order } => {
                    if let Some(driver) = self.drivers.get(&process) {
                        driver.order(order);
                    }
                }
                Output::EndEngine(process) => drop(self.drivers.remove(&process)),
                Output::StartJob { job, kind } => failed.extend(self.start_job(job, kind)),
                Output::StopJob(job) => {
                    if let Some(stop) = self.jobs.get(&job) {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                Output::Follow(path) => {
                    failed.extend(self.follow(path).err().map(|error| Input::Warning(error.to_string())));
                }
                Output::Store(session) => {
                    failed.extend(self.storage.store(&session).err().map(Input::NotStored));
                }
                Output::StoreGames(games) => {
                    failed.extend(self.storage.store_games(games.as_deref()).err().map(Input::NotStored));
                }
                Output::Library { number, task } => self.librarian.order((number, task)),
                Output::WriteFile { path, bytes, found } => {
                    if let Err(why) = self.storage.write_file(&path, bytes, found.as_deref()) {
                        failed.push(Input::FileNotWritten { path, why });
                    }
                }
            }
        }
        failed.into_iter().for_each(|input| self.handle(input));
    }

    fn send(&mut self, client: ClientId, text: Utf8Bytes) {
        if self.clients.get(&client).is_some_and(|outbox| !outbox.send(text)) {
            self.clients.remove(&client);
        }
    }

    /// Starts an engine's process. Its reports arrive as events.
    fn start_engine(
        &mut self,
        process: ProcessId,
        engine: usize,
        settings: Vec<(String, String)>,
        level: Option<u32>,
        impasse: Option<Impasse>,
    ) -> Result<(), Text> {
        let mut spec = self.specs[engine].clone();
        spec.options.retain(|(name, _)| !settings.iter().any(|(set, _)| set.eq_ignore_ascii_case(name)));
        spec.options.extend(settings);
        let rules = match impasse {
            Some(Impasse { rule, plies }) => {
                let rules = Rules { impasse_rule: rule, impasse_plies: plies, ..Rules::default() };
                // The rules of the game go before the engine's options.
                let stated = rules.engine_options();
                spec.options.retain(|(name, _)| !stated.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)));
                rules
            }
            None => Rules::default(),
        };
        let events = self.events.clone();
        let tell = move |report| {
            // The channel is closed once the shell has ended.
            let _ = events.blocking_send(Event::Input(Input::Engine { process, report }));
        };
        let driver = Driver::start(Arc::new(spec), level, rules, Arc::clone(&self.stop), tell)?;
        self.drivers.insert(process, driver);
        Ok(())
    }

    /// Starts a job. Without a thread for it, returns a warning, and the end of the job as if it were aborted at once.
    fn start_job(&mut self, job: JobId, kind: Job) -> Vec<Input> {
        let stop = Arc::clone(self.jobs.entry(job).or_default());
        let events = self.events.clone();
        // `spawn_blocking` would panic, or wait for a thread that never ends.
        let (give, given) = oneshot::channel::<Job>();
        let thread = thread::Builder::new().spawn(move || {
            let Ok(kind) = given.blocking_recv() else { return };
            let last_sent = Mutex::new(Instant::now());
            let result = kind.run(&stop, &|progress| {
                let mut last_sent = last_sent.lock().unwrap_or_else(PoisonError::into_inner);
                if last_sent.elapsed() >= PROGRESS_INTERVAL {
                    *last_sent = Instant::now();
                    // A full queue drops this report; a newer one follows.
                    let _ = events.try_send(Event::Input(Input::Progress { job, progress }));
                }
            });
            let _ = events.blocking_send(Event::Input(Input::JobDone { job, result }));
        });
        match thread {
            Ok(_) => {
                let _ = give.send(kind);
                Vec::new()
            }
            Err(error) => {
                let result = kind.run(&AtomicBool::new(true), &|_| {});
                vec![Input::Warning(ThreadError::from(error).to_string()), Input::JobDone { job, result }]
            }
        }
    }

    fn follow(&self, path: PathBuf) -> Result<(), ThreadError> {
        let (events, stop) = (self.events.clone(), Arc::clone(&self.stop));
        thread::Builder::new().spawn(move || {
            let tell = |followed| events.blocking_send(Event::Input(Input::Followed(followed))).is_ok();
            if let Err(error) = follow(&path, &stop, tell) {
                let text = format!("{} cannot be read: {error}", path.display());
                let _ = events.blocking_send(Event::Input(Input::Warning(text)));
            }
        })?;
        Ok(())
    }
}

/// An engine's description for the state.
fn setup(spec: &EngineSpec) -> EngineSetup {
    let program = std::path::Path::new(&spec.command).file_name().unwrap_or_default();
    EngineSetup {
        name: spec.name.clone(),
        is_named: program.to_string_lossy() != spec.name,
        dialect: spec.dialect,
        options: spec.options.clone(),
    }
}
