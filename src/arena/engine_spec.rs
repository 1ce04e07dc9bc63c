//! The settings of an engine in a match, `EngineSpec`, parsed from `key=value` pairs like `cmd=…,proto=uci,tc=10+0.1`.

use std::collections::HashSet;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use crate::protocol::Dialect;
use crate::strength::FULL_LEVEL;
use crate::time_control::{TimeControl, parse_time};

/// An engine of a match: its command, options and limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The name in results; unique in a match.
    pub name: String,
    pub command: String,
    pub arguments: Vec<String>,
    /// Its working directory; none for the runner's.
    pub directory: Option<PathBuf>,
    pub dialect: Dialect,
    /// Options with their values, in the order in which they are sent. Buttons have an empty value.
    pub options: Vec<(String, String)>,
    /// Lines sent verbatim after the options.
    pub init: Vec<String>,
    pub control: TimeControl,
    /// The time by which a move may exceed its limit without losing; for a clock without byoyomi, the greatest debt.
    pub margin: Duration,
    /// The timeout where no clock runs: for the answers to `usi` and `isready`, and for a move under `nodes=` or
    /// `depth=`.
    pub patience: Duration,
    /// The file for its standard error; without one it is discarded.
    pub stderr: Option<PathBuf>,
}

/// The reason why the description of an engine is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no such key.
    #[error("unknown key '{0}' of an engine; the keys are {list}", list = Key::list())]
    UnknownKey(String),
    /// A space in place of a comma.
    #[error("a comma goes before {1}, not a space: {0},{1}=…")]
    Space(String, String),
    /// A key's value cannot be read.
    #[error("{key}: {message}")]
    BadValue { key: String, message: String },
    /// There is no `cmd`.
    #[error("an engine needs cmd=PROGRAM")]
    NoCommand,
    /// A clock and a fixed time per move.
    #[error("{0}: movetime or st cannot go with tc or byoyomi")]
    TwoClocks(String),
    /// A clock, or a fixed time per move, of zero.
    #[error("{0}: no time to move: tc, byoyomi, movetime or st must give some")]
    NoTime(String),
    /// No limit on the thinking time.
    #[error("{0}: a limit is missing: tc, byoyomi, movetime, st, nodes or depth; tc=inf is none")]
    NoLimit(String),
    #[error("{0}: UCI has no byoyomi; use tc or movetime")]
    UciByoyomi(String),
}

const DEFAULT_MARGIN: Duration = Duration::from_millis(50);
const DEFAULT_PATIENCE: Duration = Duration::from_secs(60);

/// Declares the keys of an engine, each with its name and the values it accepts.
macro_rules! keys {
    ($($key:ident = $name:literal, $takes:literal;)+) => {
        #[derive(Clone, Copy, PartialEq, Eq)]
        enum Key {
            $($key,)+
        }

        impl Key {
            const ALL: &[Key] = &[$(Key::$key),+];

            /// The name. For an option, the prefix of the option's own name.
            const fn name(self) -> &'static str {
                match self {
                    $(Key::$key => $name,)+
                }
            }

            const fn takes(self) -> &'static str {
                match self {
                    $(Key::$key => $takes,)+
                }
            }
        }
    };
}

keys! {
    Command = "cmd", "PROGRAM";
    Name = "name", "NAME";
    Arguments = "args", "\"ARGUMENTS\" (split as a shell does)";
    Argument = "arg", "ARGUMENT";
    Directory = "dir", "FOLDER (to run in; cmd is relative to the current folder)";
    Protocol = "proto", "usi|uci";
    Option = "option.", "VALUE";
    Init = "init", "LINE (sent after the options)";
    Stderr = "stderr", "FILE";
    Clock = "tc", "[MOVES/]SECONDS[+INCREMENT] (or MINUTES:SECONDS; inf for no clock)";
    Byoyomi = "byoyomi", "MS";
    MoveTime = "movetime", "MS (for each move)";
    MoveSeconds = "st", "SECONDS (for each move)";
    Nodes = "nodes", "N";
    Depth = "depth", "N";
    Margin = "margin", "MS (how late a move may come, and how far a clock may be overdrawn in all, 50)";
    Patience = "patience", "SECONDS (how long to wait where no clock runs, 60)";
}

impl Key {
    /// Parses the name of a key, with the option's name after `option.`.
    fn parse(name: &str) -> Option<(Key, &str)> {
        if let Some(option) = name.strip_prefix(Key::Option.name()) {
            return Some((Key::Option, option));
        }
        Key::ALL.iter().find(|key| key.name() == name).map(|&key| (key, ""))
    }

    fn shown(self) -> String {
        if self == Key::Option { "option.NAME".to_owned() } else { self.name().to_owned() }
    }

    fn list() -> String {
        Key::ALL.iter().map(|key| key.shown()).collect::<Vec<_>>().join(", ")
    }

    /// Keys of the same group replace each other: an engine's own limit replaces the common one.
    fn group(self) -> Key {
        match self {
            Key::Clock | Key::Byoyomi | Key::MoveTime | Key::MoveSeconds | Key::Nodes | Key::Depth => Key::Clock,
            Key::Arguments | Key::Argument => Key::Arguments,
            key => key,
        }
    }
}

impl EngineSpec {
    /// The keys of [`EngineSpec::parse`] with the values they accept, one line each, for help texts.
    pub fn keys_help() -> String {
        Key::ALL.iter().map(|key| format!("  {}={}\n", key.shown(), key.takes())).collect()
    }

    /// Reads an engine from texts of the form `key=value,key=value`. The keys in `each` are defaults.
    ///
    /// A comma begins a new pair only before a key and `=`, so values may contain commas.
    ///
    /// # Errors
    /// [`SpecError`], which names the key.
    pub fn parse(texts: &[String], each: &[String]) -> Result<EngineSpec, SpecError> {
        let mut spec = EngineSpec {
            name: String::new(),
            command: String::new(),
            arguments: Vec::new(),
            directory: None,
            dialect: Dialect::Usi,
            options: Vec::new(),
            init: Vec::new(),
            control: TimeControl::default(),
            margin: DEFAULT_MARGIN,
            patience: DEFAULT_PATIENCE,
            stderr: None,
        };
        let own: Vec<(&str, &str)> = texts.iter().flat_map(|text| pairs(text)).collect();
        // An engine's own limits, or its own arguments, replace all common ones of that group.
        let own_groups: HashSet<_> = own.iter().map(|(key, _)| group(key)).collect();
        let common = each.iter().flat_map(|text| pairs(text)).filter(|(key, _)| !own_groups.contains(&group(key)));
        for (key, value) in common.chain(own.iter().copied()) {
            spec.set(key, value)?;
        }
        keep_last(&mut spec.options);
        if spec.command.is_empty() {
            return Err(SpecError::NoCommand);
        }
        if spec.name.is_empty() {
            spec.name = PathBuf::from(&spec.command).file_name().unwrap_or_default().to_string_lossy().into_owned();
        }
        let TimeControl { byoyomi, movetime, .. } = spec.control;
        if movetime.is_some() && spec.control.has_clock() {
            return Err(SpecError::TwoClocks(spec.name));
        }
        if spec.control.is_empty() {
            return Err(SpecError::NoTime(spec.name));
        }
        if !spec.control.is_limited() {
            return Err(SpecError::NoLimit(spec.name));
        }
        if spec.dialect == Dialect::Uci && !byoyomi.is_zero() {
            return Err(SpecError::UciByoyomi(spec.name));
        }
        Ok(spec)
    }

    /// The number of threads that its options set, if they do.
    pub fn threads(&self) -> Option<usize> {
        let (_, value) = self.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"))?;
        value.parse().ok()
    }

    /// Whether it plays the same game again from the same opening, as far as its settings tell: its limit is not a
    /// time, one thread searches, and no option that is set makes it choose at random.
    pub fn repeats_games(&self) -> bool {
        let option = |part: &str| {
            let found = self.options.iter().rfind(|(name, _)| name.to_ascii_lowercase().contains(part));
            found.map(|(_, value)| value.as_str())
        };
        let is_on = |part| option(part).is_some_and(|value| value.eq_ignore_ascii_case("true"));
        // With a seed, or without a margin, this program's book always chooses the same move.
        let is_fixed = option("bookseed").is_some_and(|seed| seed != "0") || option("bookmargin") == Some("0");
        let is_weak =
            option("skill").and_then(|level| level.parse().ok()).is_some_and(|level: i64| level < FULL_LEVEL.into());
        let by_chance = is_on("ownbook") && !is_fixed || is_on("limitstrength") || is_weak;
        let has_time = self.control.has_clock() || self.control.movetime.is_some();
        !has_time && self.threads().is_none_or(|threads| threads == 1) && !by_chance
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SpecError> {
        let Some((key, option)) = Key::parse(name) else { return Err(SpecError::UnknownKey(name.to_owned())) };
        let bad = |message: String| SpecError::BadValue { key: name.to_owned(), message };
        if !matches!(key, Key::Arguments | Key::Argument | Key::Init) {
            // A mistyped key after a comma would silently become part of the preceding value.
            if let Some((unknown, _)) = value.split(',').skip(1).find_map(|part| part.split_once('=')) {
                return Err(SpecError::UnknownKey(unknown.to_owned()));
            }
            if let Some((before, next)) = key_after_space(value) {
                return Err(SpecError::Space(format!("{name}={before}"), next.to_owned()));
            }
        }
        let time = |text: &str, unit| parse_time(text, unit).map_err(bad);
        let number = |what: &str| bad(format!("'{value}' is not a number of {what}"));
        match key {
            Key::Command => self.command = value.to_owned(),
            Key::Name if value.contains(char::is_control) => {
                return Err(bad(format!("'{value}' has characters that cannot be printed")));
            }
            Key::Name => self.name = value.to_owned(),
            Key::Arguments => {
                let arguments = shlex::split(value);
                self.arguments.extend(arguments.ok_or_else(|| bad(format!("a quote in '{value}' is not closed")))?);
            }
            Key::Argument => self.arguments.push(value.to_owned()),
            Key::Directory => self.directory = Some(PathBuf::from(value)),
            Key::Protocol => {
                self.dialect = match value {
                    "usi" => Dialect::Usi,
                    "uci" => Dialect::Uci,
                    _ => return Err(bad(format!("'{value}' is neither usi nor uci"))),
                }
            }
            Key::Option => self.options.push((option.to_owned(), value.to_owned())),
            Key::Init => self.init.push(value.to_owned()),
            Key::Stderr => self.stderr = Some(PathBuf::from(value)),
            Key::Clock => self.control.set_clock(value).map_err(bad)?,
            Key::Byoyomi => {
                self.control.byoyomi = time(value, "ms")?;
                if self.control.byoyomi.is_zero() {
                    // Create a clock even if the time is zero.
                    self.control.main.get_or_insert_default();
                }
            }
            Key::MoveTime => self.control.movetime = Some(time(value, "ms")?),
            Key::MoveSeconds => self.control.movetime = Some(time(value, "s")?),
            Key::Nodes => self.control.nodes = Some(value.parse::<NonZero<_>>().map_err(|_| number("nodes"))?.get()),
            Key::Depth => self.control.depth = Some(value.parse::<NonZero<_>>().map_err(|_| number("plies"))?.get()),
            Key::Margin => self.margin = time(value, "ms")?,
            Key::Patience => self.patience = time(value, "s")?,
        }
        Ok(())
    }
}

/// The group of a key, with the name of an option; none for an unknown key.
fn group(name: &str) -> Option<(&'static str, &str)> {
    Key::parse(name).map(|(key, option)| (key.group().name(), option))
}

/// A key of an engine that follows a space in a value, and the text before it.
fn key_after_space(value: &str) -> Option<(&str, &str)> {
    value.match_indices(char::is_whitespace).find_map(|(at, space)| {
        let (key, _) = value[at + space.len()..].split_once('=')?;
        Key::parse(key).map(|_| (value[..at].trim_end(), key))
    })
}

/// Of options whose names differ only in case, keeps the last.
fn keep_last(options: &mut Vec<(String, String)>) {
    let mut later = HashSet::new();
    options.reverse();
    options.retain(|(name, _)| later.insert(name.to_ascii_lowercase()));
    options.reverse();
}

/// The pairs of a text. A part that is not a pair becomes a key without a value, which is rejected later.
fn pairs(text: &str) -> Vec<(&str, &str)> {
    let (mut parts, mut end, mut equals) = (Vec::new(), text.len(), None);
    // Iterate from the end, so that the next '=' is known at every comma.
    for (at, sign) in text.rmatch_indices([',', '=']) {
        if sign == "=" {
            equals = Some(at);
        } else if equals.is_some_and(|equals| Key::parse(&text[at + 1..equals]).is_some()) {
            parts.push(&text[at + 1..end]);
            end = at;
        }
    }
    parts.push(&text[..end]);
    parts.into_iter().rev().map(|part| part.split_once('=').unwrap_or((part, ""))).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn parse(own: &str, each: &str) -> Result<EngineSpec, SpecError> {
        let each: Vec<String> = if each.is_empty() { Vec::new() } else { vec![each.to_owned()] };
        EngineSpec::parse(&[own.to_owned()], &each)
    }

    #[test]
    fn an_engine_is_described_by_pairs() {
        let spec = parse(
            "cmd=./judkins,name=new,args=--config 'a b.toml',arg=--tune,dir=/tmp,option.Threads=2,option.Skill Level=3,\
             init=setoption name A value 1,2,tc=1:30+0.5,margin=10,patience=3,stderr=/tmp/log",
            "",
        )
        .unwrap();
        assert_eq!((spec.name.as_str(), spec.command.as_str()), ("new", "./judkins"));
        assert_eq!(spec.arguments, ["--config", "a b.toml", "--tune"]);
        assert_eq!(spec.directory, Some("/tmp".into()));
        let options = [("Threads", "2"), ("Skill Level", "3")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(spec.options, options);
        assert_eq!(spec.init, ["setoption name A value 1,2"]);
        assert_eq!(spec.control.to_string(), "tc=90+0.5");
        assert_eq!((spec.margin, spec.patience), (Duration::from_millis(10), Duration::from_secs(3)));
    }

    #[test]
    fn keys_for_each_engine_are_defaults() {
        let each = "tc=1+0.1,option.Threads=1,option.USI_Hash=16,margin=5";
        let spec = parse("cmd=/usr/games/x,option.threads=4", each).unwrap();
        assert_eq!((spec.name.as_str(), spec.control.to_string().as_str()), ("x", "tc=1+0.1"));
        let options: Vec<String> = spec.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(options, ["USI_Hash=16", "threads=4"]);
        assert_eq!(parse("cmd=x,nodes=500", each).unwrap().control.to_string(), "nodes=500");
        let each = "nodes=1,args=a b,init=one";
        assert_eq!(parse("cmd=x,arg=c,init=two", each).unwrap().arguments, ["c"]);
        assert_eq!(parse("cmd=x,arg=c,init=two", each).unwrap().init, ["two"]);
        assert_eq!(parse("cmd=x", each).unwrap().arguments, ["a", "b"]);
        let control = |own| parse(own, "tc=40/8+0.08").unwrap().control.to_string();
        assert_eq!(control("cmd=x,st=0.25"), "movetime=250");
        assert_eq!(control("cmd=x,tc=inf,depth=3"), "depth=3");
        assert_eq!(control("cmd=/my engines/x"), "tc=40/8+0.08");
        assert_eq!(control("cmd=x,tc=0+0.1"), "tc=0+0.1");
        assert_eq!(control("cmd=x,byoyomi=0,tc=1"), "tc=1");
    }

    #[test]
    fn only_fixed_nodes_or_depth_on_one_thread_repeat_games() {
        for (text, repeats) in [
            ("nodes=5", true),
            ("depth=5,option.Threads=1,option.USI_OwnBook=false", true),
            ("nodes=5,tc=10", false),
            ("movetime=5", false),
            ("byoyomi=5", false),
            ("nodes=5,option.threads=2", false),
            ("nodes=5,option.USI_OwnBook=true", false),
            ("depth=5,option.SkillLevel=3", false),
            ("depth=5,option.SkillLevel=20", true),
            ("nodes=5,option.UCI_LimitStrength=true,option.UCI_Elo=1200", false),
            ("nodes=5,option.BookDepth=0,option.BookMargin=0,option.UCI_Elo=1200", true),
            ("nodes=5,option.USI_OwnBook=true,option.BookSeed=7", true),
            ("nodes=5,option.USI_OwnBook=true,option.BookMargin=0", true),
        ] {
            assert_eq!(parse("cmd=x", text).unwrap().repeats_games(), repeats, "{text}");
        }
    }

    #[test]
    fn a_text_of_many_parts_is_read_in_no_time() {
        let begin = Instant::now();
        let command = format!("cmd=x,{},nodes=1", ",".repeat(1_000_000));
        assert_eq!(parse(&command, "").unwrap().command.len(), 1_000_002);
        let options: String = (0..60_000).map(|number| format!(",option.Level{number}=1")).collect();
        let spec = parse(&format!("cmd=x,nodes=1{options}{options}"), &options[1..]).unwrap();
        assert_eq!(spec.options.len(), 60_000);
        assert!(begin.elapsed() < Duration::from_secs(8), "it took {:?}", begin.elapsed());
    }

    #[test]
    fn errors_name_the_key() {
        for (text, error) in [
            ("name=x,nodes=1", "an engine needs cmd=PROGRAM"),
            ("cmd=x", "x: a limit is missing: tc, byoyomi, movetime, st, nodes or depth; tc=inf is none"),
            ("cmd=x,tc=inf", "x: a limit is missing: tc, byoyomi, movetime, st, nodes or depth; tc=inf is none"),
            ("cmd=x,tc=1,movetime=5", "x: movetime or st cannot go with tc or byoyomi"),
            ("cmd=x,tc=1,st=5", "x: movetime or st cannot go with tc or byoyomi"),
            ("cmd=x name=y,tc=1", "a comma goes before name, not a space: cmd=x,name=…"),
            ("cmd=x,tc=1  option.Hash=16", "a comma goes before option.Hash, not a space: tc=1,option.Hash=…"),
            ("cmd=x,nodes=abc", "nodes: 'abc' is not a number of nodes"),
            ("cmd=x,nodes=0", "nodes: '0' is not a number of nodes"),
            ("cmd=x,depth=0", "depth: '0' is not a number of plies"),
            ("cmd=x,movetime=0.5", "movetime: '0.5' counts milliseconds; for seconds write 0.5s"),
            ("cmd=x,tc=abc", "tc: 'abc' is not a time; write seconds, 1:30, 500ms, 2s, 1m or 1h"),
            ("cmd=x,proto=cecp,nodes=1", "proto: 'cecp' is neither usi nor uci"),
            ("cmd=x,proto=uci,byoyomi=100", "x: UCI has no byoyomi; use tc or movetime"),
            (
                "cmd=x,nodes=1,name=a,optoin.Level=3",
                "unknown key 'optoin.Level' of an engine; the keys are cmd, name, args, arg, dir, proto, option.NAME, init, \
                 stderr, tc, byoyomi, movetime, st, nodes, depth, margin, patience",
            ),
            ("cmd=x,nodes=1,name=a\nb", "name: 'a\nb' has characters that cannot be printed"),
            ("cmd=x,args='a,nodes=1", "args: a quote in ''a' is not closed"),
        ] {
            assert_eq!(parse(text, "").unwrap_err().to_string(), error, "{text}");
        }
        for control in ["tc=0:0", "tc=40/0+0,nodes=5", "byoyomi=0", "byoyomi=0.0005s", "movetime=0", "st=0.0009"] {
            assert_eq!(parse(&format!("cmd=x,{control}"), ""), Err(SpecError::NoTime("x".to_owned())), "{control}");
        }
        assert!(matches!(parse("path=x,nodes=1", ""), Err(SpecError::UnknownKey(key)) if key == "path"));
        assert!(matches!(parse("judkins", ""), Err(SpecError::UnknownKey(key)) if key == "judkins"));
    }
}
