//! An engine of the user: its description, settings and analysis.

use super::io::{ProcessId, SearchInfo};
use crate::board::messages::text::Text;
use crate::board::messages::{EngineInfo, EngineState, OptionView};
use crate::config::explanation;
use crate::protocol::Dialect;
use crate::protocol::usi::OptionKind;
use crate::record::NodeId;

/// An engine as the shell can start it.
#[derive(Clone, Debug)]
pub struct EngineSetup {
    pub name: String,
    /// Whether the user has given the name, which then goes before the engine's own.
    pub is_named: bool,
    pub dialect: Dialect,
    /// The options that it is started with.
    pub options: Vec<(String, String)>,
}

#[derive(Debug)]
pub struct Analysis {
    /// The number of best lines.
    pub lines: u32,
    /// The search under way; none where the game is over.
    pub search_id: Option<u64>,
    pub node: NodeId,
    pub search_info: SearchInfo,
}

#[derive(Debug)]
pub struct Engine {
    pub setup: EngineSetup,
    pub name: String,
    pub author: String,
    pub options: Vec<(String, OptionKind)>,
    /// Whether it is this program, whose options are explained.
    pub is_own: bool,
    /// The Elo of its levels, where it is known.
    pub elos: Option<Vec<u32>>,
    /// The options set by the page.
    pub settings: Vec<(String, String)>,
    pub state: EngineState,
    pub problem: Option<Text>,
    pub process: Option<ProcessId>,
    pub analysis: Option<Analysis>,
}

/// Words in the names of options that refer to files or programs.
const FILE_WORDS: [&str; 8] = ["file", "path", "dir", "folder", "log", "script", "command", "variant"];

/// Whether an option must not be set from the page: any option that takes text may name a file.
fn is_locked(name: &str, kind: &OptionKind) -> bool {
    let name = name.to_ascii_lowercase();
    matches!(kind, OptionKind::Filename { .. } | OptionKind::String { .. })
        || FILE_WORDS.iter().any(|word| name.contains(word))
}

impl Engine {
    /// An engine that does not run yet.
    pub fn new(setup: EngineSetup) -> Engine {
        Engine {
            name: setup.name.clone(),
            setup,
            author: String::new(),
            options: Vec::new(),
            is_own: false,
            elos: None,
            settings: Vec::new(),
            state: EngineState::Starting,
            problem: None,
            process: None,
            analysis: None,
        }
    }

    /// As the page shows it.
    pub fn info(&self, id: usize) -> EngineInfo {
        let settings = self.setup.options.iter().chain(&self.settings);
        let options = self.options.iter().map(|(name, kind)| {
            let set = settings.clone().rev().find(|(set, _)| set.eq_ignore_ascii_case(name));
            let about = if self.is_own { explanation(name) } else { None };
            OptionView { about, ..option_view(name, kind, set.map(|(_, value)| value.as_str())) }
        });
        EngineInfo {
            id,
            name: self.name.clone(),
            author: self.author.clone(),
            state: if self.problem.is_some() { EngineState::Dead } else { self.state },
            problem: self.problem.clone(),
            protocol: self.setup.dialect,
            options: options.collect(),
            elos: self.elos.clone(),
        }
    }

    /// The name and value of an option as they can be set.
    ///
    /// # Errors
    /// Why not.
    pub fn setting(&self, name: &str, value: &str) -> Result<(String, String), Text> {
        let Some((name, kind)) = self.options.iter().find(|(other, _)| other == name) else {
            return Err(Text::new("option.none"));
        };
        if is_locked(name, kind) {
            return Err(Text::new("option.locked").with("name", name.as_str()));
        }
        let fits = match kind {
            OptionKind::Check { .. } => matches!(value, "true" | "false"),
            OptionKind::Spin { min, max, .. } => value.parse::<i64>().is_ok_and(|value| (*min..=*max).contains(&value)),
            OptionKind::Combo { choices, .. } => choices.iter().any(|choice| choice == value),
            OptionKind::Button => value.is_empty(),
            OptionKind::String { .. } | OptionKind::Filename { .. } => false,
        };
        if fits {
            return Ok((name.clone(), value.to_owned()));
        }
        Err(Text::new("option.value").with("name", name.as_str()))
    }
}

fn option_view(name: &str, kind: &OptionKind, set: Option<&str>) -> OptionView {
    let (word, default) = match kind {
        OptionKind::Check { default } => ("check", default.to_string()),
        OptionKind::Spin { default, .. } => ("spin", default.to_string()),
        OptionKind::Combo { default, .. } => ("combo", default.clone()),
        OptionKind::Button => ("button", String::new()),
        OptionKind::String { default } | OptionKind::Filename { default } => ("string", default.clone()),
    };
    let (min, max) = match kind {
        OptionKind::Spin { min, max, .. } => (Some(*min), Some(*max)),
        _ => (None, None),
    };
    OptionView {
        name: name.to_owned(),
        kind: word,
        value: set.map_or_else(|| default.clone(), str::to_owned),
        default,
        min,
        max,
        choices: if let OptionKind::Combo { choices, .. } = kind { choices.clone() } else { Vec::new() },
        locked: is_locked(name, kind),
        about: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_may_name_files_are_locked() {
        let mut engine = Engine::new(EngineSetup {
            name: "engine".to_owned(),
            is_named: false,
            dialect: Dialect::Usi,
            options: Vec::new(),
        });
        let text = || OptionKind::String { default: String::new() };
        let spin = OptionKind::Spin { default: 1, min: 1, max: 8 };
        engine.options = vec![
            ("EvalFile".into(), OptionKind::Filename { default: String::new() }),
            ("Anything".into(), text()),
            ("WriteDebugLog".into(), OptionKind::Check { default: false }),
            ("BookFile".into(), OptionKind::Combo { default: "a".into(), choices: vec!["a".into(), "b".into()] }),
            ("Threads".into(), spin),
        ];
        for (name, value) in [
            ("EvalFile", "/etc/passwd"),
            ("Anything", "x"),
            ("WriteDebugLog", "true"),
            ("BookFile", "b"),
            ("Threads", "9"),
            ("Threads", "2\nsetoption name EvalFile value x"),
            ("threads", "2"),
            ("Nothing", "2"),
        ] {
            assert!(engine.setting(name, value).is_err(), "{name}={value}");
        }
        assert_eq!(engine.setting("Threads", "2"), Ok(("Threads".into(), "2".into())));
        let locked: Vec<bool> = engine.info(0).options.iter().map(|option| option.locked).collect();
        assert_eq!(locked, [true, true, true, true, false]);
    }
}
