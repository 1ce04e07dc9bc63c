//! A USI engine in a Worker: orders in, lines out, reports back. The server drives a process from a thread that blocks;
//! nothing blocks here.

use std::collections::VecDeque;
use std::time::Instant;

use crate::board::state::io::{Limit, Order, Report, Search, SearchInfo, UPDATE_INTERVAL};
use crate::board::state::level::{book_option, level_options};
use crate::protocol::usi::OptionKind;
use crate::protocol::{Dialect, Reply};
use crate::record::Impasse;
use crate::shogi::Position;

/// A driven engine.
#[derive(Debug)]
pub struct Client {
    /// Options to set at the start.
    settings: Vec<(String, String)>,
    level: Option<u32>,
    name: String,
    author: String,
    options: Vec<(String, OptionKind)>,
    is_ready: bool,
    /// Orders waiting for the start or for the end of a search.
    waiting: VecDeque<Order>,
    search: Option<Running>,
    /// The current number of best lines of the engine.
    lines: u32,
}

#[derive(Debug)]
struct Running {
    id: u64,
    end: Position,
    is_for_move: bool,
    /// It was told to stop, and its result is discarded.
    is_dropped: bool,
    begin: Instant,
    info: SearchInfo,
    /// The time of the last update.
    told: Instant,
    is_news: bool,
}

/// An effect of a line or an order, carried out by the shell.
#[derive(Debug)]
pub enum Effect {
    /// Post this line to the engine.
    Line(String),
    Report(Report),
}

impl Client {
    /// An engine that has just been started, and the first line for it.
    pub fn new(settings: Vec<(String, String)>, level: Option<u32>, impasse: Option<Impasse>) -> (Client, Effect) {
        let rules = impasse.map(|Impasse { rule, plies }| {
            [("ImpasseRule".to_owned(), rule.to_string()), ("ImpassePlies".to_owned(), plies.to_string())]
        });
        let client = Client {
            // The rule of the game goes before the engine's options.
            settings: settings.into_iter().chain(rules.into_iter().flatten()).collect(),
            level,
            name: String::new(),
            author: String::new(),
            options: Vec::new(),
            is_ready: false,
            waiting: VecDeque::new(),
            search: None,
            lines: 1,
        };
        (client, Effect::Line("usi".to_owned()))
    }

    /// Handles a line of the engine.
    pub fn line(&mut self, text: &str, now: Instant) -> Vec<Effect> {
        let mut effects = Vec::new();
        match Reply::parse(text) {
            Reply::Name(name) => self.name = name,
            Reply::Author(author) => self.author = author,
            Reply::Option { name, kind } => self.options.push((name, kind)),
            Reply::Introduced => self.prepare(&mut effects),
            Reply::Ready if !self.is_ready => {
                self.is_ready = true;
                effects.push(Effect::Report(Report::Ready {
                    name: self.name.clone(),
                    author: self.author.clone(),
                    options: self.options.clone(),
                }));
                self.go_on(now, &mut effects);
            }
            Reply::Info(info) => {
                if let Some(search) = &mut self.search {
                    search.is_news |= search.info.add(info, &search.end, Dialect::Usi);
                }
                effects.extend(self.update(now));
            }
            Reply::BestMove(word) => self.end_search(&word, now, &mut effects),
            Reply::Ready | Reply::Other => {}
        }
        effects
    }

    /// Sets the options and prepares the engine.
    fn prepare(&mut self, effects: &mut Vec<Effect>) {
        let mut settings = std::mem::take(&mut self.settings);
        if let Some(level) = self.level {
            let book = book_option(&self.options, &settings);
            settings.extend(level_options(&self.options, level).into_iter().chain(book));
        }
        effects.extend(settings.iter().map(|(name, value)| set_option(name, value)));
        effects.extend(["isready", "usinewgame"].map(|line| Effect::Line(line.to_owned())));
    }

    /// Takes an order. During a search it waits, and the search is told to stop.
    pub fn order(&mut self, order: Order, now: Instant) -> Vec<Effect> {
        let mut effects = Vec::new();
        // A newer search replaces waiting ones.
        if matches!(order, Order::Search(_) | Order::Stop) {
            self.waiting.retain(|order| !matches!(order, Order::Search(_) | Order::Stop));
        }
        self.waiting.push_back(order);
        match &mut self.search {
            Some(search) if !search.is_dropped => {
                search.is_dropped = true;
                effects.push(Effect::Line("stop".to_owned()));
            }
            Some(_) => {}
            None => self.go_on(now, &mut effects),
        }
        effects
    }

    /// Carries out waiting orders until a search begins.
    fn go_on(&mut self, now: Instant, effects: &mut Vec<Effect>) {
        while self.is_ready && self.search.is_none() {
            let Some(order) = self.waiting.pop_front() else { return };
            match order {
                Order::Search(search) => self.begin(*search, now, effects),
                Order::Stop => {}
                Order::Set { name, value } => effects.push(set_option(&name, &value)),
                Order::GameOver(word) => effects.push(Effect::Line(format!("gameover {word}"))),
            }
        }
    }

    fn begin(&mut self, search: Search, now: Instant, effects: &mut Vec<Effect>) {
        let Search { id, start, moves, limit, lines } = search;
        if lines != self.lines {
            self.lines = lines;
            effects.push(set_option("USI_MultiPV", &lines.to_string()));
        }
        let (go, is_for_move) = match limit {
            Limit::Infinite => ("go infinite".to_owned(), false),
            Limit::Move { go, .. } => (Dialect::Usi.go_line(&go), true),
        };
        effects.push(Effect::Line(Dialect::Usi.position_line(&start, &moves)));
        effects.push(Effect::Line(go));
        effects.push(Effect::Report(Report::Thinking(true)));
        let end = start.after_line(&moves);
        let (info, is_dropped, is_news) = (SearchInfo::default(), false, false);
        self.search = Some(Running { id, end, is_for_move, is_dropped, begin: now, info, told: now, is_news });
    }

    fn end_search(&mut self, word: &str, now: Instant, effects: &mut Vec<Effect>) {
        let Some(search) = self.search.take() else { return };
        let Running { id: search_id, is_for_move, is_dropped, begin, info, is_news, .. } = search;
        if !is_dropped {
            if is_news {
                effects.push(Effect::Report(Report::Found { search_id, search_info: info.clone() }));
            }
            if let Some(decision) = Dialect::Usi.decision(word).filter(|_| is_for_move) {
                let elapsed = now.saturating_duration_since(begin);
                effects.push(Effect::Report(Report::Decided { search_id, decision, elapsed, search_info: info }));
            }
        }
        effects.push(Effect::Report(Report::Thinking(false)));
        self.go_on(now, effects);
    }

    /// When [`Client::update`] is due.
    pub fn deadline(&self) -> Option<Instant> {
        let search = self.search.as_ref().filter(|search| search.is_news && !search.is_dropped)?;
        Some(search.told + UPDATE_INTERVAL)
    }

    /// Reports the current results if an update is due.
    pub fn update(&mut self, now: Instant) -> Option<Effect> {
        self.deadline().filter(|&deadline| deadline <= now)?;
        let search = self.search.as_mut()?;
        (search.told, search.is_news) = (now, false);
        Some(Effect::Report(Report::Found { search_id: search.id, search_info: search.info.clone() }))
    }
}

fn set_option(name: &str, value: &str) -> Effect {
    Effect::Line(if value.is_empty() {
        format!("setoption name {name}")
    } else {
        format!("setoption name {name} value {value}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::EngineDecision;
    use crate::protocol::usi::Go;
    use crate::shogi::ImpasseRule;

    fn text(effects: &[Effect]) -> Vec<String> {
        let text = |effect: &Effect| match effect {
            Effect::Line(line) => line.clone(),
            Effect::Report(Report::Decided { search_id, decision: EngineDecision::Move(mv), .. }) => {
                format!("{search_id}: {mv}")
            }
            Effect::Report(Report::Found { search_id, search_info }) => format!("{search_id}: {:?}", search_info.depth),
            Effect::Report(report) => format!("{report:?}"),
        };
        effects.iter().map(text).collect()
    }

    fn search(id: u64, limit: Limit, lines: u32) -> Order {
        Order::Search(Box::new(Search { id, start: Position::startpos(), moves: Vec::new(), limit, lines }))
    }

    #[test]
    fn an_engine_is_set_up_and_searches_after_searches_that_were_stopped() {
        let now = Instant::now();
        let later = now + UPDATE_INTERVAL;
        let (mut client, first) = Client::new(vec![("USI_Hash".into(), "8".into())], Some(3), None);
        assert_eq!(text(&[first]), ["usi"]);
        assert!(client.order(search(1, Limit::Infinite, 1), now).is_empty(), "it waits for the start");
        client.line("option name SkillLevel type spin default 20 min 0 max 20", now);
        let set = ["setoption name USI_Hash value 8", "setoption name SkillLevel value 3", "isready", "usinewgame"];
        assert_eq!(text(&client.line("usiok", now)), set);
        let begun = text(&client.line("readyok", now));
        assert_eq!(begun[1..], ["position startpos", "go infinite", "Thinking(true)"]);
        // The rule of the game goes before the engine's options.
        let rule = |rule: &str| ("ImpasseRule".to_owned(), rule.to_owned());
        let impasse = Impasse { rule: ImpasseRule::Points12, plies: 24 };
        let (mut other, _) = Client::new(vec![rule("Try")], None, Some(impasse));
        let set = text(&other.line("usiok", now));
        let last = set.iter().rev().find(|line| line.contains("ImpasseRule "));
        assert_eq!(last.map(String::as_str), Some("setoption name ImpasseRule value Points12"));
        // There are at most ten updates per second, and the last one comes when it is due.
        assert!(client.line("info depth 3 score cp 5 nodes 9 pv 6e6d", now).is_empty());
        assert_eq!(client.deadline(), Some(later));
        assert_eq!(text(&client.line("info depth 4 score cp 5 nodes 99 pv 6e6d", later)), ["1: Some(4)"]);
        assert_eq!(client.deadline(), None);
        // If two searches are ordered meanwhile, the second one runs.
        let go = || Limit::Move { go: Go { nodes: Some(100), ..Go::default() }, allowed: None };
        assert_eq!(text(&client.order(search(2, Limit::Infinite, 1), later)), ["stop"]);
        assert!(client.order(search(3, go(), 2), later).is_empty());
        let begun = text(&client.line("bestmove 6e6d", later));
        let lines = ["setoption name USI_MultiPV value 2", "position startpos", "go nodes 100", "Thinking(true)"];
        assert_eq!((begun[0].as_str(), &begun[1..]), ("Thinking(false)", &lines.map(str::to_owned)[..]));
        assert_eq!(text(&client.line("bestmove 6e6d", later)), ["3: 6e6d", "Thinking(false)"]);
    }
}
