use std::time::Duration;

use super::Skill;
use crate::config::{Config, ConfigError};
use crate::eval::Evaluation;
use crate::protocol::usi::OptionKind;
use crate::search::{MAX_THREADS, Settings, params};
use crate::shogi::ImpasseRule;

/// What the options are set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// MiB.
    pub hash: i64,
    /// Threads that search.
    pub threads: i64,
    /// The program may ask to ponder.
    pub ponder: bool,
    /// Best lines to show.
    pub multipv: i64,
    /// The game played.
    pub variant: String,
    /// Play from the book.
    pub own_book: bool,
    /// The book's file.
    pub book_file: String,
    /// What positions are judged by.
    pub evaluation: String,
    /// The network's file; none for the one built in.
    pub eval_file: String,
    /// The impasse rule in force.
    pub impasse_rule: String,
    /// Plies before points are counted.
    pub impasse_plies: i64,
    /// Centipawns.
    pub draw_value_black: i64,
    /// Centipawns.
    pub draw_value_white: i64,
    /// Centipawns.
    pub resign_value: i64,
    /// Moves; 0 is no limit.
    pub max_moves_to_draw: i64,
    /// Milliseconds.
    pub network_delay: i64,
    /// Milliseconds.
    pub minimum_thinking_time: i64,
    /// Percent.
    pub slow_mover: i64,
    /// Milliseconds.
    pub pv_interval: i64,
    /// 0 to 20.
    pub skill_level: i64,
    /// Play as strong as `elo` says, not as `skill_level`.
    pub limit_strength: bool,
    /// On the scale of [`super::Skill`].
    pub elo: i64,
    /// Positions; 0 is no limit.
    pub nodes_limit: i64,
    /// Plies; 0 is no limit.
    pub depth_limit: i64,
    /// MiB for the mate solver.
    pub mate_hash: i64,
    /// Positions that the mate solver may look at before a move; 0: none.
    pub mate_nodes: i64,
    /// File for every line in and out.
    pub debug_log_file: String,
}

/// What has to be done when an option has been set. Everything else is looked up when a search starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    None,
    /// Forget what the hash table holds.
    ClearHash,
    /// Read the book.
    Book,
    /// Read the network.
    Network,
    /// Open the log.
    Log,
}

/// Where an option's value is kept, and what it may be.
enum Slot {
    Check(fn(&mut Options) -> &mut bool),
    Spin(fn(&mut Options) -> &mut i64, i64, i64),
    Combo(fn(&mut Options) -> &mut String, &'static [&'static str]),
    Filename(fn(&mut Options) -> &mut String),
    Button,
}

struct Spec {
    name: &'static str,
    slot: Slot,
    effect: Effect,
}

const fn spec(name: &'static str, slot: Slot) -> Spec {
    Spec { name, slot, effect: Effect::None }
}

const fn with_effect(name: &'static str, slot: Slot, effect: Effect) -> Spec {
    Spec { name, slot, effect }
}

/// A day in milliseconds: more than any delay that makes sense.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// The most that a score can be set to, in centipawns.
const MAX_SCORE: i64 = 99_999;

/// Every option, in the order in which they are listed. Defaults are in `engine.toml`.
static SPECS: &[Spec] = &[
    spec("USI_Hash", Slot::Spin(|o| &mut o.hash, 1, 1 << 25)),
    spec("Threads", Slot::Spin(|o| &mut o.threads, 1, MAX_THREADS as i64)),
    spec("USI_Ponder", Slot::Check(|o| &mut o.ponder)),
    spec("USI_MultiPV", Slot::Spin(|o| &mut o.multipv, 1, 500)),
    spec("USI_Variant", Slot::Combo(|o| &mut o.variant, &["judkins"])),
    spec("USI_OwnBook", Slot::Check(|o| &mut o.own_book)),
    with_effect("BookFile", Slot::Filename(|o| &mut o.book_file), Effect::Book),
    with_effect("Evaluation", Slot::Combo(|o| &mut o.evaluation, &["Network", "Handwritten"]), Effect::ClearHash),
    with_effect("EvalFile", Slot::Filename(|o| &mut o.eval_file), Effect::Network),
    spec("ImpasseRule", Slot::Combo(|o| &mut o.impasse_rule, ImpasseRule::NAMES)),
    spec("ImpassePlies", Slot::Spin(|o| &mut o.impasse_plies, 0, 1_000)),
    spec("DrawValueBlack", Slot::Spin(|o| &mut o.draw_value_black, -MAX_SCORE, MAX_SCORE)),
    spec("DrawValueWhite", Slot::Spin(|o| &mut o.draw_value_white, -MAX_SCORE, MAX_SCORE)),
    spec("ResignValue", Slot::Spin(|o| &mut o.resign_value, 0, MAX_SCORE)),
    spec("MaxMovesToDraw", Slot::Spin(|o| &mut o.max_moves_to_draw, 0, 100_000)),
    spec("NetworkDelay", Slot::Spin(|o| &mut o.network_delay, 0, 10_000)),
    spec("MinimumThinkingTime", Slot::Spin(|o| &mut o.minimum_thinking_time, 0, DAY)),
    spec("SlowMover", Slot::Spin(|o| &mut o.slow_mover, 1, 1_000)),
    spec("PvInterval", Slot::Spin(|o| &mut o.pv_interval, 0, DAY)),
    spec("SkillLevel", Slot::Spin(|o| &mut o.skill_level, 0, Skill::FULL_LEVEL)),
    spec("UCI_LimitStrength", Slot::Check(|o| &mut o.limit_strength)),
    spec("UCI_Elo", Slot::Spin(|o| &mut o.elo, Skill::LEAST_ELO, Skill::MOST_ELO)),
    spec("NodesLimit", Slot::Spin(|o| &mut o.nodes_limit, 0, i64::MAX)),
    spec("DepthLimit", Slot::Spin(|o| &mut o.depth_limit, 0, 127)),
    spec("MateHash", Slot::Spin(|o| &mut o.mate_hash, 1, 1 << 20)),
    spec("MateNodes", Slot::Spin(|o| &mut o.mate_nodes, 0, i64::MAX)),
    with_effect("DebugLogFile", Slot::Filename(|o| &mut o.debug_log_file), Effect::Log),
    with_effect("ClearHash", Slot::Button, Effect::ClearHash),
];

/// Other names under which an option is known, UCI's among them.
const ALIASES: &[(&str, &str)] = &[
    ("MultiPV", "USI_MultiPV"),
    ("Hash", "USI_Hash"),
    ("Ponder", "USI_Ponder"),
    ("UCI_Variant", "USI_Variant"),
    ("OwnBook", "USI_OwnBook"),
];

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("no option is called '{0}'")]
    Unknown(String),
    /// The value is not one that the option takes.
    #[error("{name} takes {takes}, not '{value}'")]
    Value {
        /// The option.
        name: String,
        /// What it takes.
        takes: String,
        /// What was given.
        value: String,
    },
    /// More than the machine has.
    #[error("{name} {wanted} is more than the {mebibytes} MiB of memory that this machine has")]
    Memory {
        /// The option.
        name: &'static str,
        /// What was asked for, in MiB.
        wanted: i64,
        /// What the machine has.
        mebibytes: u64,
    },
}

/// The options with their defaults.
pub struct OptionTable {
    defaults: Options,
    /// The options that a configuration of one's own sets.
    configured: Vec<String>,
    /// Whether search parameters are options too.
    exposed: bool,
}

impl OptionTable {
    /// Takes defaults from a configuration, on top of the built-in ones. Search parameters are options too if
    /// `exposed` or if the configuration names one.
    ///
    /// # Errors
    /// [`ConfigError`] naming the line of an unknown key or of a value out of range.
    pub fn new(config: Option<&Config>, exposed: bool) -> Result<OptionTable, ConfigError> {
        let mut defaults = Options::unset();
        for config in [Some(&Config::built_in()), config].into_iter().flatten() {
            for entry in &config.options {
                assign(&mut defaults, &entry.name, Some(&entry.value))
                    .map_err(|error| config.error_at(entry.line, error.to_string()))?;
            }
        }
        let mut names_parameters = false;
        for (config, entry) in config.into_iter().flat_map(|config| config.parameters.iter().map(move |e| (config, e)))
        {
            set_parameter(&entry.name, Some(&entry.value))
                .map_err(|error| config.error_at(entry.line, error.to_string()))?;
            names_parameters = true;
        }
        let configured = config.map(|config| config.options.iter().map(|entry| entry.name.clone()).collect());
        let configured = configured.unwrap_or_default();
        Ok(OptionTable { defaults, configured, exposed: exposed || names_parameters })
    }

    /// Changes a default, unless the configuration has set it. Says whether it was changed.
    ///
    /// # Errors
    /// [`OptionError`] as from [`OptionTable::set`].
    pub fn set_default(&mut self, name: &str, value: &str) -> Result<bool, OptionError> {
        if self.configured.iter().any(|configured| configured.eq_ignore_ascii_case(name)) {
            return Ok(false);
        }
        assign(&mut self.defaults, name, Some(value)).map(|_| true)
    }

    /// What the options are before anything is set.
    pub fn defaults(&self) -> &Options {
        &self.defaults
    }

    /// Whether search parameters are options too.
    pub fn exposes_parameters(&self) -> bool {
        self.exposed
    }

    /// Every option as a program is told of it.
    pub fn list(&self) -> Vec<(String, OptionKind)> {
        let mut defaults = self.defaults.clone();
        let mut list: Vec<_> = SPECS.iter().map(|spec| (spec.name.to_owned(), spec.slot.kind(&mut defaults))).collect();
        if self.exposed {
            list.extend(params::PARAMETERS.iter().map(|param| {
                let [default, min, max] = [param.default, param.min, param.max].map(i64::from);
                (param.name.to_owned(), OptionKind::Spin { default, min, max })
            }));
        }
        list
    }

    /// Sets an option; says what has to be done about it.
    ///
    /// # Errors
    /// [`OptionError`], and the option keeps its value.
    pub fn set(&self, options: &mut Options, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
        match assign(options, name, value) {
            Err(OptionError::Unknown(_)) if self.exposed => set_parameter(name, value).map(|()| Effect::None),
            result => result,
        }
    }
}

impl Slot {
    fn kind(&self, options: &mut Options) -> OptionKind {
        match *self {
            Slot::Check(field) => OptionKind::Check { default: *field(options) },
            Slot::Spin(field, min, max) => OptionKind::Spin { default: *field(options), min, max },
            Slot::Combo(field, choices) => OptionKind::Combo {
                default: field(options).clone(),
                choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
            },
            Slot::Filename(field) => OptionKind::Filename { default: field(options).clone() },
            Slot::Button => OptionKind::Button,
        }
    }
}

fn assign(options: &mut Options, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
    let name = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).map_or(name, |(_, name)| name);
    let spec = SPECS.iter().find(|spec| spec.name.eq_ignore_ascii_case(name));
    let spec = spec.ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
    let text = value.unwrap_or_default();
    let bad = |takes: String| OptionError::Value { name: spec.name.to_owned(), takes, value: text.to_owned() };
    match spec.slot {
        Slot::Check(field) => {
            *field(options) = match text.to_ascii_lowercase().as_str() {
                "true" => true,
                "false" => false,
                _ => return Err(bad("true or false".to_owned())),
            }
        }
        Slot::Spin(field, min, max) => {
            let number = text.parse().ok().filter(|number| (min..=max).contains(number));
            *field(options) = number.ok_or_else(|| bad(format!("a whole number from {min} to {max}")))?;
        }
        Slot::Combo(field, choices) => {
            let choice = choices.iter().find(|choice| choice.eq_ignore_ascii_case(text));
            *field(options) = (*choice.ok_or_else(|| bad(format!("one of {}", choices.join(", "))))?).to_owned();
        }
        Slot::Filename(field) => {
            *field(options) = if text == "<empty>" { String::new() } else { text.to_owned() };
        }
        Slot::Button => {}
    }
    Ok(spec.effect)
}

fn set_parameter(name: &str, value: Option<&str>) -> Result<(), OptionError> {
    let param = params::PARAMETERS.iter().find(|param| param.name.eq_ignore_ascii_case(name));
    let param = param.ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
    let text = value.unwrap_or_default();
    let done = text.parse().is_ok_and(|number| params::set(param.name, number));
    done.then_some(()).ok_or_else(|| OptionError::Value {
        name: param.name.to_owned(),
        takes: format!("a whole number from {} to {}", param.min, param.max),
        value: text.to_owned(),
    })
}

fn millis(value: i64) -> Duration {
    Duration::from_millis(u64::try_from(value).unwrap_or_default())
}

impl Options {
    /// Before `engine.toml` has been read.
    fn unset() -> Options {
        Options {
            hash: 0,
            threads: 0,
            ponder: false,
            multipv: 0,
            variant: String::new(),
            own_book: false,
            book_file: String::new(),
            evaluation: String::new(),
            eval_file: String::new(),
            impasse_rule: String::new(),
            impasse_plies: 0,
            draw_value_black: 0,
            draw_value_white: 0,
            resign_value: 0,
            max_moves_to_draw: 0,
            network_delay: 0,
            minimum_thinking_time: 0,
            slow_mover: 0,
            pv_interval: 0,
            skill_level: 0,
            limit_strength: false,
            elo: 0,
            nodes_limit: 0,
            depth_limit: 0,
            mate_hash: 0,
            mate_nodes: 0,
            debug_log_file: String::new(),
        }
    }

    /// The impasse rule in force.
    pub fn impasse_rule(&self) -> ImpasseRule {
        self.impasse_rule.parse().unwrap_or_default()
    }

    /// Whether positions are judged by the network.
    pub fn uses_network(&self) -> bool {
        self.evaluation == "Network"
    }

    /// What a search must know of the options, and how it judges positions.
    pub fn settings(&self, evaluation: Evaluation) -> Settings {
        Settings {
            evaluation,
            impasse_rule: self.impasse_rule(),
            impasse_plies: self.impasse_plies as u32,
            // Kept clear of the scores of decided games.
            draw_value: [self.draw_value_black, self.draw_value_white].map(|value| value.clamp(-20_000, 20_000) as i32),
            max_moves_to_draw: self.max_moves_to_draw as u32,
            multipv: self.multipv as usize,
            network_delay: millis(self.network_delay),
            minimum_thinking_time: millis(self.minimum_thinking_time),
            slow_mover: self.slow_mover as u32,
            pv_interval: millis(self.pv_interval),
        }
    }

    /// How strong the engine is to play; none: as strong as it can.
    pub fn skill(&self) -> Option<Skill> {
        if self.limit_strength { Skill::of_elo(self.elo) } else { Skill::of_level(self.skill_level) }
    }

    /// The positions a search may visit by `NodesLimit`.
    pub fn node_limit(&self) -> Option<u64> {
        u64::try_from(self.nodes_limit).ok().filter(|&limit| limit > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> OptionTable {
        OptionTable::new(None, false).unwrap()
    }

    #[test]
    fn every_option_but_buttons_has_a_default_in_the_file() {
        let keys: Vec<_> = Config::built_in().options.into_iter().map(|entry| entry.name).collect();
        for spec in SPECS {
            let is_button = matches!(spec.slot, Slot::Button);
            assert_eq!(keys.iter().any(|key| key == spec.name), !is_button, "{}", spec.name);
            assert!(!spec.name.contains(' '));
        }
    }

    #[test]
    fn names_and_words_are_read_in_any_case() {
        let mut options = table().defaults().clone();
        for (name, value) in [("usi_hash", "128"), ("MULTIPV", "3"), ("impasserule", "TRY"), ("USI_ponder", "True")] {
            table().set(&mut options, name, Some(value)).unwrap();
        }
        assert_eq!(
            (options.hash, options.multipv, options.impasse_rule(), options.ponder),
            (128, 3, ImpasseRule::Try, true)
        );
    }

    #[test]
    fn a_bad_value_changes_nothing() {
        let before = table().defaults().clone();
        let mut options = before.clone();
        for (name, value) in [
            ("USI_Hash", Some("abc")),
            ("USI_Hash", Some("-5")),
            ("USI_Hash", Some("")),
            ("USI_Hash", None),
            ("USI_Hash", Some("99999999999999999999")),
            ("Threads", Some("0")),
            ("Threads", Some("513")),
            ("USI_Ponder", Some("yes")),
            ("ImpasseRule", Some("Points13")),
            ("NoSuchThing", Some("1")),
            ("LmrBase", Some("1")),
        ] {
            assert!(table().set(&mut options, name, value).is_err(), "{name} {value:?}");
        }
        assert_eq!(options, before);
    }

    #[test]
    fn parameters_are_options_only_where_they_are_exposed() {
        let exposed = OptionTable::new(None, true).unwrap();
        assert_eq!(exposed.list().len(), table().list().len() + params::PARAMETERS.len());
        let mut options = exposed.defaults().clone();
        assert!(exposed.set(&mut options, "lmrbase", Some("501")).is_ok());
        assert!(exposed.set(&mut options, "lmrbase", Some("-1")).is_err());
        assert!(params::set("LmrBase", 500));
    }

    #[test]
    fn an_unknown_key_is_an_error_that_names_the_line() {
        let config = Config::parse("my.toml", "[options]\nThreads = 2\nTreads = 3\n").unwrap();
        let error = OptionTable::new(Some(&config), false).err().unwrap();
        assert_eq!(error.to_string(), "my.toml, line 3: no option is called 'Treads'");
    }

    #[test]
    fn a_level_or_an_elo_says_how_strong_to_play() {
        let mut options = table().defaults().clone();
        assert_eq!(options.skill(), None);
        options.skill_level = 7;
        assert_eq!(options.skill(), Skill::of_level(7));
        (options.limit_strength, options.elo) = (true, Skill::LEAST_ELO);
        assert_eq!(options.skill(), Skill::of_level(0));
        options.elo = Skill::MOST_ELO;
        assert_eq!(options.skill(), None);
    }

    #[test]
    fn a_default_can_be_changed_unless_a_configuration_has_set_it() {
        let config = Config::parse("engine.toml", "[options]\nImpassePlies = 30\n").unwrap();
        for (config, changed, plies) in [(None, true, 0), (Some(&config), false, 30)] {
            let mut table = OptionTable::new(config, false).unwrap();
            assert_eq!(table.set_default("impasseplies", "0"), Ok(changed));
            assert_eq!(table.defaults().impasse_plies, plies);
        }
    }
}
