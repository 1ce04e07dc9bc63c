use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::TimeControl;
use super::time_control::parse_time;

/// The language that the runner speaks with an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// The Universal Shogi Interface.
    #[default]
    Usi,
    /// The Universal Chess Interface, with variants.
    Uci,
}

/// An engine of a match: how it is started, set up and limited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// What it is called in results; unique in a match.
    pub name: String,
    /// The program.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it is started; none: where the runner runs.
    pub directory: Option<PathBuf>,
    /// Its language.
    pub dialect: Dialect,
    /// Options with their values, in the order in which they are set. Buttons have an empty value.
    pub options: Vec<(String, String)>,
    /// Lines sent after the options, as they are.
    pub init: Vec<String>,
    /// How long it may think.
    pub control: TimeControl,
    /// How much later than allowed a move may come without losing.
    pub margin: Duration,
    /// How long to wait where no clock runs: for the answers to `usi` and `isready`, and for a move under `nodes=` or
    /// `depth=`.
    pub patience: Duration,
    /// Where its standard error goes; none: nowhere.
    pub stderr: Option<PathBuf>,
}

/// Why a text describes no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no such key.
    #[error(
        "'{0}' is no key of an engine: there are cmd, args, arg, dir, name, proto, option.NAME, init, tc, byoyomi, \
         movetime, nodes, depth, margin, patience, stderr"
    )]
    UnknownKey(String),
    /// A key's value cannot be read.
    #[error("{key}: {message}")]
    BadValue {
        /// The key.
        key: String,
        /// What is wrong.
        message: String,
    },
    /// There is no `cmd`.
    #[error("an engine needs cmd=PROGRAM")]
    NoCommand,
    /// A clock and a time for each move.
    #[error("{0}: movetime cannot go with tc or byoyomi")]
    TwoClocks(String),
    /// Nothing says how long it may think.
    #[error("{0}: a limit is missing: tc, byoyomi, movetime, nodes or depth")]
    NoLimit(String),
    /// UCI has no byoyomi.
    #[error("{0}: UCI has no byoyomi; use tc or movetime")]
    UciByoyomi(String),
}

const DEFAULT_MARGIN: Duration = Duration::from_millis(50);
const DEFAULT_PATIENCE: Duration = Duration::from_secs(60);

const KEYS: [&str; 15] = [
    "cmd", "args", "arg", "dir", "name", "proto", "init", "tc", "byoyomi", "movetime", "nodes", "depth", "margin",
    "patience", "stderr",
];

impl EngineSpec {
    /// Reads an engine from texts of the form `key=value,key=value`. What `each` says holds where they do not say it.
    ///
    /// A comma begins a new pair only where a key and `=` follow it, so values may contain commas.
    ///
    /// # Errors
    /// [`SpecError`], naming the key.
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
        // What an engine says of its limits, or of its arguments, stands in place of all that is common, not beside it.
        let is_own = |key: &str| own.iter().any(|(other, _)| group(other) == group(key));
        let common = each.iter().flat_map(|text| pairs(text)).filter(|(key, _)| !is_own(key));
        for (key, value) in common.chain(own.iter().copied()) {
            let bad = |message: String| SpecError::BadValue { key: key.to_owned(), message };
            spec.set(key, value).map_err(|error| error.map_or(SpecError::UnknownKey(key.to_owned()), bad))?;
        }
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
        if !spec.control.is_limited() {
            return Err(SpecError::NoLimit(spec.name));
        }
        if spec.dialect == Dialect::Uci && !byoyomi.is_zero() {
            return Err(SpecError::UciByoyomi(spec.name));
        }
        Ok(spec)
    }

    /// Takes a pair. The error is what is wrong with the value, or none if there is no such key.
    fn set(&mut self, key: &str, value: &str) -> Result<(), Option<String>> {
        let number = |what: &str| format!("'{value}' is no {what}");
        // A key that was mistyped would vanish into the value before it.
        if !matches!(key, "args" | "arg" | "init")
            && let Some(unknown) = value.split(',').skip(1).find_map(|part| Some(part.split_once('=')?.0))
        {
            return Err(Some(format!("'{unknown}' is no key, and {key} no place for '{unknown}='")));
        }
        let time = |unit| parse_time(value, unit).map_err(Some);
        if let Some(name) = key.strip_prefix("option.") {
            self.options.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
            self.options.push((name.to_owned(), value.to_owned()));
            return Ok(());
        }
        match key {
            "cmd" => self.command = value.to_owned(),
            "args" => {
                self.arguments
                    .extend(shlex::split(value).ok_or_else(|| format!("a quote in '{value}' is not closed"))?);
            }
            "arg" => self.arguments.push(value.to_owned()),
            "dir" => self.directory = Some(PathBuf::from(value)),
            "name" if value.contains(char::is_control) => return Err(Some(number("name"))),
            "name" => self.name = value.to_owned(),
            "proto" => {
                self.dialect = match value {
                    "usi" => Dialect::Usi,
                    "uci" => Dialect::Uci,
                    _ => return Err(Some(format!("'{value}' is neither usi nor uci"))),
                }
            }
            "init" => self.init.push(value.to_owned()),
            "tc" => {
                let (main, increment) = value.split_once('+').unwrap_or((value, "0"));
                self.control.main = Some(parse_time(main, "s").map_err(Some)?);
                self.control.increment = parse_time(increment, "s").map_err(Some)?;
            }
            "byoyomi" => self.control.byoyomi = time("ms")?,
            "movetime" => self.control.movetime = Some(time("ms")?),
            "nodes" => self.control.nodes = Some(value.parse().map_err(|_| number("number of positions"))?),
            "depth" => self.control.depth = Some(value.parse().map_err(|_| number("number of plies"))?),
            "margin" => self.margin = time("ms")?,
            "patience" => self.patience = time("s")?,
            "stderr" => self.stderr = Some(PathBuf::from(value)),
            _ => return Err(None),
        }
        Ok(())
    }
}

/// Keys that say the same thing in different ways; options are apart from each other.
fn group(key: &str) -> &str {
    match key {
        "tc" | "byoyomi" | "movetime" | "nodes" | "depth" => "limit",
        "args" | "arg" => "arguments",
        key => key,
    }
}

/// The command as a shell would take it.
impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.command)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
    }
}

/// The pairs of a text. What is no pair comes back as a key without a value, to be refused as one.
fn pairs(text: &str) -> Vec<(&str, &str)> {
    let is_key =
        |text: &str| text.split_once('=').is_some_and(|(key, _)| key.starts_with("option.") || KEYS.contains(&key));
    let mut starts = vec![0];
    starts.extend(text.match_indices(',').map(|(comma, _)| comma + 1).filter(|start| is_key(&text[*start..])));
    let ends = starts.iter().skip(1).map(|start| start - 1).chain([text.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| text[start..end].split_once('=').unwrap_or((&text[start..end], "")))
        .collect()
}

#[cfg(test)]
mod tests {
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
        assert_eq!(spec.to_string(), "./judkins --config a b.toml --tune");
    }

    #[test]
    fn what_is_said_for_each_holds_where_an_engine_says_nothing() {
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
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, error) in [
            ("name=x,nodes=1", "an engine needs cmd=PROGRAM"),
            ("cmd=x", "x: a limit is missing: tc, byoyomi, movetime, nodes or depth"),
            ("cmd=x,tc=1,movetime=5", "x: movetime cannot go with tc or byoyomi"),
            ("cmd=x,nodes=abc", "nodes: 'abc' is no number of positions"),
            ("cmd=x,movetime=0.5", "movetime: '0.5' counts milliseconds; for seconds write 0.5s"),
            ("cmd=x,tc=abc", "tc: 'abc' is no time"),
            ("cmd=x,proto=cecp,nodes=1", "proto: 'cecp' is neither usi nor uci"),
            ("cmd=x,proto=uci,byoyomi=100", "x: UCI has no byoyomi; use tc or movetime"),
            (
                "cmd=x,nodes=1,name=a,optoin.Level=3",
                "name: 'optoin.Level' is no key, and name no place for 'optoin.Level='",
            ),
            ("cmd=x,nodes=1,name=a\nb", "name: 'a\nb' is no name"),
            ("cmd=x,args='a,nodes=1", "args: a quote in ''a' is not closed"),
        ] {
            assert_eq!(parse(text, "").unwrap_err().to_string(), error, "{text}");
        }
        assert!(matches!(parse("path=x,nodes=1", ""), Err(SpecError::UnknownKey(key)) if key == "path"));
        assert!(matches!(parse("judkins", ""), Err(SpecError::UnknownKey(key)) if key == "judkins"));
    }
}
