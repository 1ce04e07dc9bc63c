//! The board in a Worker of the browser: passes lines of JSON to the state, and its outputs back to the page's script
//! (`board-worker.js`), which has the connections, the engines' Workers, the storage and the timer.

mod client;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::board::messages::text::Text;
use crate::board::state::io::{ClientId, Files, Input, Job, JobId, Output, ProcessId, REPLAY_PATHS, Report, name_of};
use crate::board::state::kept::{LibraryAnswer, LibraryTask};
use crate::board::state::{EngineSetup, Restored, State};
use crate::board::{now, random_tag};
use crate::protocol::Dialect;
use client::{Client, Effect};

/// The name of an event is its key and not a field, because serde would compile the parser of all fields twice.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
enum Event {
    /// The first line: the stored texts, or the reason why there are none.
    Begin {
        error: Option<String>,
        session: Option<String>,
        games: Option<String>,
        /// The earlier studies that older versions stored separately.
        earlier: Option<String>,
    },
    Joined {
        client: ClientId,
    },
    Left {
        client: ClientId,
    },
    Request {
        client: ClientId,
        text: String,
    },
    /// A line posted by an engine.
    Line {
        process: ProcessId,
        text: String,
    },
    /// An engine's Worker has ended.
    Failed {
        process: ProcessId,
        error: String,
    },
    NotStored {
        error: String,
    },
    /// The library's answer to a task, or an error.
    Library {
        number: u64,
        answer: Option<LibraryAnswer>,
        error: Option<String>,
    },
    /// The files of [`Reply::ReplayFiles`].
    ReplayFiles {
        files: Files,
    },
    Timer {},
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
enum Reply<'a> {
    /// A message to a page, or to every page.
    Send {
        client: Option<ClientId>,
        text: &'a str,
    },
    /// Start a Worker with the engine.
    Start {
        process: ProcessId,
    },
    /// Post a line to it.
    Line {
        process: ProcessId,
        text: &'a str,
    },
    End {
        process: ProcessId,
    },
    Store {
        session: &'a str,
    },
    /// Store the chapters, or that there are none.
    StoreGames {
        games: Option<&'a str>,
    },
    /// Give the library a task, which is answered by [`Event::Library`].
    Library {
        number: u64,
        task: &'a LibraryTask,
    },
    /// The names of the files to send as [`Event::ReplayFiles`] before a game is exported as a page.
    ReplayFiles {
        names: Vec<&'static str>,
    },
    /// Copy the text stored under this name to another name: it is unreadable and is going to be overwritten.
    SetAside {
        name: &'a str,
    },
    /// Send [`Event::Timer`] after this time, instead of any earlier timer.
    Timer {
        milliseconds: u128,
    },
}

/// The state and its engines.
pub struct Shell {
    state: State,
    clients: HashMap<ProcessId, Client>,
    jobs: HashMap<JobId, Arc<AtomicBool>>,
    /// Jobs for [`Shell::next_job`].
    waiting: Vec<(JobId, Job, Arc<AtomicBool>)>,
    post: fn(&str),
}

impl Shell {
    /// Begins with the first line. `post` sends lines to the script.
    ///
    /// # Errors
    /// The reason why the line is rejected.
    pub fn begin(line: &str, post: fn(&str)) -> Result<Shell, String> {
        let event = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let Event::Begin { error, session, games, earlier } = event else {
            return Err(format!("{event:?} comes first"));
        };
        let mut restored = Restored::default();
        if let Some(why) = error {
            restored.warn("storage.none", "the board is not kept for the next time", &why);
        }
        let mut damaged = Vec::new();
        restored.read([session, games, earlier].map(Ok), |number, why| {
            damaged.push(["session", "games", "earlier"][number]);
            why.to_owned()
        });
        let setup =
            EngineSetup { name: "judkins".to_owned(), is_named: true, dialect: Dialect::Usi, options: Vec::new() };
        let (state, outputs) = State::new(None, vec![setup], restored, random_tag(), now());
        let (clients, jobs) = (HashMap::new(), HashMap::new());
        let mut shell = Shell { state, clients, jobs, waiting: Vec::new(), post };
        shell.post(&Reply::ReplayFiles { names: REPLAY_PATHS.iter().map(|path| name_of(path)).collect() });
        damaged.into_iter().for_each(|name| shell.post(&Reply::SetAside { name }));
        shell.carry_out(outputs);
        shell.set_timer();
        Ok(shell)
    }

    /// Handles another line.
    ///
    /// # Errors
    /// The reason why it is rejected.
    pub fn take(&mut self, line: &str) -> Result<(), String> {
        let now = Instant::now();
        match serde_json::from_str(line).map_err(|error| error.to_string())? {
            Event::Begin { .. } => return Err("it has begun already".to_owned()),
            Event::Joined { client } => self.handle(Input::Joined(client)),
            Event::Left { client } => self.handle(Input::Left(client)),
            Event::Request { client, text } => self.handle(Input::Request { client, text }),
            Event::Line { process, text } => {
                let effects = self.clients.get_mut(&process).map(|client| client.line(&text, now));
                self.take_effects(process, effects.unwrap_or_default());
            }
            Event::Failed { process, error } => {
                self.clients.remove(&process);
                let report = Report::Failed(Text::verbatim(error));
                self.handle(Input::Engine { process, report });
            }
            Event::NotStored { error } => self.handle(Input::NotStored(error)),
            Event::Library { number, answer, error } => {
                let answer = answer.ok_or_else(|| error.unwrap_or_default());
                self.handle(Input::Library { number, answer });
            }
            Event::ReplayFiles { files } => self.handle(Input::ReplayFiles(files)),
            Event::Timer {} => {
                let due: Vec<_> =
                    self.clients.iter_mut().filter_map(|(&id, client)| Some((id, client.update(now)?))).collect();
                due.into_iter().for_each(|(process, effect)| self.take_effects(process, vec![effect]));
                self.handle(Input::Timer);
            }
        }
        self.set_timer();
        Ok(())
    }

    /// The next job and its stop flag. [`Shell::handle`] takes its progress and its result.
    pub fn next_job(&mut self) -> Option<(JobId, Job, Arc<AtomicBool>)> {
        (!self.waiting.is_empty()).then(|| self.waiting.remove(0))
    }

    pub fn handle(&mut self, input: Input) {
        if let Input::JobDone { job, .. } = &input {
            self.jobs.remove(job);
        }
        let outputs = self.state.handle(input, now());
        self.carry_out(outputs);
    }

    fn post(&self, reply: &Reply<'_>) {
        (self.post)(&serde_json::to_string(reply).expect("replies have string keys"));
    }

    fn carry_out(&mut self, outputs: Vec<Output>) {
        let mut session = None;
        for output in outputs {
            match output {
                Output::Send { client, text } => self.post(&Reply::Send { client: Some(client), text: &text }),
                Output::Broadcast(text) => self.post(&Reply::Send { client: None, text: &text }),
                Output::StartEngine { process, settings, level, impasse, .. } => {
                    let (client, first) = Client::new(settings, level, impasse);
                    self.clients.insert(process, client);
                    self.post(&Reply::Start { process });
                    self.take_effects(process, vec![first]);
                }
                Output::Order { process, order } => {
                    let effects = self.clients.get_mut(&process).map(|client| client.order(order, Instant::now()));
                    self.take_effects(process, effects.unwrap_or_default());
                }
                Output::EndEngine(process) => {
                    self.clients.remove(&process);
                    self.post(&Reply::End { process });
                }
                Output::StartJob { job, kind } => {
                    let stop = Arc::clone(self.jobs.entry(job).or_default());
                    self.waiting.push((job, kind, stop));
                }
                Output::StopJob(job) => {
                    if let Some(stop) = self.jobs.get(&job) {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                // Only the last one counts.
                Output::Store(text) => session = Some(text),
                Output::StoreGames(games) => self.post(&Reply::StoreGames { games: games.as_deref() }),
                Output::Library { number, task } => {
                    self.post(&Reply::Library { number, task: &task });
                }
                // A browser has no file names.
                Output::Follow(_) | Output::WriteFile { .. } => {}
            }
        }
        if let Some(session) = &session {
            self.post(&Reply::Store { session });
        }
    }

    fn take_effects(&mut self, process: ProcessId, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Line(text) => self.post(&Reply::Line { process, text: &text }),
                Effect::Report(report) => self.handle(Input::Engine { process, report }),
            }
        }
    }

    fn set_timer(&self) {
        let deadlines = self.clients.values().filter_map(Client::deadline).chain(self.state.deadline());
        if let Some(deadline) = deadlines.min() {
            let milliseconds = deadline.saturating_duration_since(Instant::now()).as_millis() + 1;
            self.post(&Reply::Timer { milliseconds });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use serde_json::{Value, json};

    use super::*;
    use crate::board::state::kept::{DAYS_DELETED, PAGE, VERSION};

    thread_local! {
        static POSTED: RefCell<Vec<Value>> = const { RefCell::new(Vec::new()) };
    }

    fn post(line: &str) {
        POSTED.with_borrow_mut(|posted| posted.push(serde_json::from_str(line).unwrap()));
    }

    /// The posted lines and the messages to pages that have a type.
    fn posted(kind: &str) -> Vec<Value> {
        let posted = POSTED.take();
        let text = |reply: &Value| reply["text"].as_str().and_then(|text| serde_json::from_str(text).ok());
        let messages: Vec<Value> = posted.iter().filter(|reply| reply["type"] == "send").filter_map(text).collect();
        posted.into_iter().chain(messages).filter(|message| message["type"] == kind).collect()
    }

    #[test]
    fn both_databases_are_of_one_version() {
        let store = include_str!("library-store.js");
        for (name, value) in
            [("LIBRARY_VERSION", u64::from(VERSION)), ("PAGE", PAGE as u64), ("DAYS_DELETED", DAYS_DELETED)]
        {
            assert!(store.contains(&format!("const {name} = {value};")), "{name} is {value}");
        }
    }

    #[test]
    fn a_page_plays_and_what_it_played_is_stored_and_comes_back() {
        let mut shell = Shell::begin(r#"{"begin":{}}"#, post).unwrap();
        assert_eq!(posted("start").len(), 1);
        shell.take(r#"{"joined":{"client":7}}"#).unwrap();
        assert_eq!(posted("ready").len(), 1);
        let play = json!({"type": "play", "id": 1, "node": 0, "move": "6e6d"}).to_string();
        shell.take(&json!({"request": {"client": 7, "text": play}}).to_string()).unwrap();
        let stored = posted("store").pop().unwrap();
        let begin = json!({"begin": {"session": stored["session"]}}).to_string();
        let mut shell = Shell::begin(&begin, post).unwrap();
        posted("start");
        shell.take(r#"{"joined":{"client":8}}"#).unwrap();
        assert_eq!(posted("study")[0]["nodes"][1]["move"], "6e6d");
        // Chapters are stored apart from it.
        let add = json!({"type": "addChapter", "id": 2, "title": "two"}).to_string();
        shell.take(&json!({"request": {"client": 8, "text": add}}).to_string()).unwrap();
        let all = POSTED.take();
        let last = |kind: &str| all.iter().rfind(|reply| reply["type"] == kind).unwrap();
        let stored = json!({"session": last("store")["session"], "games": last("storeGames")["games"]});
        let mut shell = Shell::begin(&json!({ "begin": stored }).to_string(), post).unwrap();
        shell.take(r#"{"joined":{"client":9}}"#).unwrap();
        assert_eq!(posted("games")[0]["games"]["games"][1]["title"], "two");
        // A lesson on the board goes on.
        let lesson = json!({"type": "lesson", "id": 3, "lesson": "mate"}).to_string();
        shell.take(&json!({"request": {"client": 9, "text": lesson}}).to_string()).unwrap();
        let session = posted("store").pop().unwrap()["session"].clone();
        let mut shell = Shell::begin(&json!({"begin": {"session": session}}).to_string(), post).unwrap();
        shell.take(r#"{"joined":{"client":9}}"#).unwrap();
        assert_eq!(posted("problem")[0]["problem"]["lesson"]["id"], "mate");
        // An unreadable text is not overwritten.
        let mut shell = Shell::begin(r#"{"begin":{"session":"{","games":"{"}}"#, post).unwrap();
        let aside = |name| json!({"type": "setAside", "name": name});
        assert_eq!(posted("setAside"), [aside("session"), aside("games")]);
        shell.take(r#"{"joined":{"client":9}}"#).unwrap();
        assert_eq!(posted("notice")[0]["text"]["key"], "storage.session");
    }
}
