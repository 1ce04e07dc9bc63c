//! The options by name, their defaults from `engine.toml`, and setting an option.

use std::collections::HashMap;
use std::fmt::Display;

use super::declaration::Declaration;
use super::{DECLARATIONS, Effect, Listed, OptionKind, Options};
use crate::config::{Config, ConfigError, Entry};
use crate::search::params::{ParamSpec, Params};

/// The reason why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("no option is called '{0}'")]
    Unknown(String),
    /// The option does not accept the value.
    #[error("{name} takes {accepted}, not '{value}'")]
    Value {
        /// The option.
        name: &'static str,
        /// The accepted values, in words.
        accepted: String,
        /// The given value.
        value: String,
    },
}

/// An option as protocols list it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedOption {
    /// The name, without spaces.
    pub name: &'static str,
    /// UCI's name, if it differs.
    pub uci_name: Option<&'static str>,
    /// The protocols that list it.
    pub listed: Listed,
    /// The words of a combo that only UCI lists.
    pub uci_choices: &'static [&'static str],
    /// The type, with default and range.
    pub kind: OptionKind,
}

/// The options, with their defaults.
pub struct OptionTable {
    defaults: Options,
    /// The user's configuration.
    config: Config,
    /// Whether search parameters are options too.
    exposed: bool,
}

impl OptionTable {
    /// Takes the defaults from the built-in `engine.toml`, overridden by the user's configuration, whose relative paths
    /// are relative to its folder. Search parameters are options too if `exposed` is set or if the configuration names
    /// one.
    ///
    /// # Errors
    /// [`ConfigError`] with the line of an unknown key or of a value out of range.
    pub fn new(config: Option<&Config>, exposed: bool) -> Result<OptionTable, ConfigError> {
        let mut defaults = Options::unset();
        for config in [Some(&Config::built_in()), config].into_iter().flatten() {
            for entry in &config.options {
                assign(&mut defaults, &entry.name, Some(&entry.value))
                    .map_err(|error| config.error_at(entry.line, error.to_string()))?;
                let path = find(&entry.name).ok().and_then(|declaration| (declaration.path)(&mut defaults));
                if let Some(path) = path.filter(|path| !path.as_os_str().is_empty()) {
                    *path = config.folder.join(&path);
                }
            }
        }
        if let Some(config) = config {
            for entry in &config.parameters {
                set_parameter(&mut defaults.params, &entry.name, Some(&entry.value))
                    .map_err(|error| config.error_at(entry.line, error.to_string()))?;
            }
            refuse_twice(config, &config.options, |name| find(name).ok().map(|declaration| declaration.name))?;
            refuse_twice(config, &config.parameters, |name| ParamSpec::find(name).map(|spec| spec.name))?;
        }
        let config = config.cloned().unwrap_or_default();
        Ok(OptionTable { defaults, exposed: exposed || !config.parameters.is_empty(), config })
    }

    /// Changes a default, unless the user's configuration sets it. Returns whether it was changed.
    ///
    /// # Errors
    /// [`OptionError`], as from [`OptionTable::set`].
    pub fn set_default(&mut self, name: &str, value: &str) -> Result<bool, OptionError> {
        let declaration = find(name)?;
        if self.config.options.iter().any(|entry| declaration.is_called(&entry.name)) {
            return Ok(false);
        }
        assign(&mut self.defaults, name, Some(value)).map(|_| true)
    }

    /// Converts an error of this effect with the defaults to an error of the configuration line that sets the option.
    /// [`None`] if no line does.
    pub fn error_of(&self, effect: Effect, error: impl Display) -> Option<ConfigError> {
        let sets_it = |entry: &&Entry| find(&entry.name).is_ok_and(|declaration| declaration.effect == effect);
        let entry = self.config.options.iter().rfind(sets_it)?;
        Some(self.config.error_at(entry.line, error.to_string()))
    }

    /// The values of the options before any is set.
    pub fn defaults(&self) -> &Options {
        &self.defaults
    }

    /// Every option, in the order in which they are listed.
    pub fn list(&self) -> Vec<ListedOption> {
        let listed = |declaration: &Declaration<Options>| ListedOption {
            name: declaration.name,
            uci_name: declaration.uci_name,
            listed: declaration.listed,
            uci_choices: declaration.uci_choices,
            kind: (declaration.kind)(&self.defaults),
        };
        let mut list: Vec<_> =
            DECLARATIONS.iter().filter(|declaration| declaration.is_available()).map(listed).collect();
        if self.exposed {
            list.extend(self.defaults.params.iter().map(|(spec, default)| ListedOption {
                name: spec.name,
                uci_name: None,
                listed: Listed::Everywhere,
                uci_choices: &[],
                kind: OptionKind::Spin { default: default.into(), min: spec.min.into(), max: spec.max.into() },
            }));
        }
        list
    }

    /// Sets an option. Returns the effect to carry out.
    ///
    /// # Errors
    /// [`OptionError`]; the option keeps its value.
    pub fn set(&self, options: &mut Options, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
        if find(name).is_ok_and(|declaration| !declaration.is_available()) {
            return Err(OptionError::Unknown(name.to_owned()));
        }
        match assign(options, name, value) {
            Err(OptionError::Unknown(_)) if self.exposed => {
                set_parameter(&mut options.params, name, value).map(|()| Effect::None)
            }
            result => result,
        }
    }
}

/// An error if two entries of a configuration set the same option under different names.
fn refuse_twice(
    config: &Config,
    entries: &[Entry],
    full_name: impl Fn(&str) -> Option<&'static str>,
) -> Result<(), ConfigError> {
    let mut earlier = HashMap::new();
    for entry in entries {
        if let Some(Entry { name, line, .. }) = earlier.insert(full_name(&entry.name), entry) {
            return Err(config.error_at(entry.line, format!("{} is set on line {line} already, as {name}", entry.name)));
        }
    }
    Ok(())
}

fn find(name: &str) -> Result<&'static Declaration<Options>, OptionError> {
    let declaration = DECLARATIONS.iter().find(|declaration| declaration.is_called(name));
    declaration.ok_or_else(|| OptionError::Unknown(name.to_owned()))
}

fn assign(options: &mut Options, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
    let declaration = find(name)?;
    let text = value.unwrap_or_default();
    match (declaration.assign)(options, text) {
        Ok(()) => Ok(declaration.effect),
        Err(accepted) => Err(OptionError::Value { name: declaration.name, accepted, value: text.to_owned() }),
    }
}

fn set_parameter(params: &mut Params, name: &str, value: Option<&str>) -> Result<(), OptionError> {
    let spec = ParamSpec::find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
    let text = value.unwrap_or_default();
    let is_set = text.parse().is_ok_and(|number| params.set(spec.name, number));
    is_set.then_some(()).ok_or_else(|| OptionError::Value {
        name: spec.name,
        accepted: format!("a whole number from {} to {}", spec.min, spec.max),
        value: text.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::params::PARAMETERS;
    use crate::shogi::ImpasseRule;

    fn table() -> OptionTable {
        OptionTable::new(None, false).unwrap()
    }

    #[test]
    fn every_option_but_buttons_has_a_default_in_the_file() {
        let keys: Vec<_> = Config::built_in().options.into_iter().map(|entry| entry.name).collect();
        for option in table().list() {
            let is_button = option.kind == OptionKind::Button;
            assert_eq!(keys.iter().any(|key| key == option.name), !is_button, "{}", option.name);
            assert!(!option.name.contains(' '));
        }
    }

    #[test]
    fn choices_for_uci_are_choices_of_their_option() {
        for option in table().list().iter().filter(|option| !option.uci_choices.is_empty()) {
            let OptionKind::Combo { choices, .. } = &option.kind else { panic!("{} is not a combo", option.name) };
            assert!(option.uci_choices.iter().all(|&choice| choices.iter().any(|word| word == choice)), "{option:?}");
        }
    }

    #[test]
    fn names_and_words_are_read_in_any_case() {
        let mut options = table().defaults().clone();
        for (name, value) in [("usi_hash", "128"), ("MULTIPV", "3"), ("impasserule", "TRY"), ("USI_ponder", "True")] {
            table().set(&mut options, name, Some(value)).unwrap();
        }
        assert_eq!(
            (options.hash, options.multipv, options.impasse_rule, options.ponder),
            (128, 3, ImpasseRule::Try, true)
        );
    }

    #[test]
    fn a_bad_value_changes_nothing_and_the_error_says_what_is_taken() {
        let before = table().defaults().clone();
        let mut options = before.clone();
        for (name, value, error) in [
            ("USI_Hash", Some("abc"), "USI_Hash takes a whole number from 1 to 33554432, not 'abc'"),
            ("USI_Hash", Some("-5"), "USI_Hash takes a whole number from 1 to 33554432, not '-5'"),
            ("Hash", Some(""), "USI_Hash takes a whole number from 1 to 33554432, not ''"),
            ("USI_Hash", None, "USI_Hash takes a whole number from 1 to 33554432, not ''"),
            ("Threads", Some("0"), "Threads takes a whole number from 1 to 512, not '0'"),
            (
                "Threads",
                Some("99999999999999999999"),
                "Threads takes a whole number from 1 to 512, not '99999999999999999999'",
            ),
            ("NetworkDelay", Some("-1"), "NetworkDelay takes a whole number from 0 to 10000, not '-1'"),
            ("DrawValueBlack", Some("x"), "DrawValueBlack takes a whole number from -20000 to 20000, not 'x'"),
            ("DrawValueWhite", Some("20001"), "DrawValueWhite takes a whole number from -20000 to 20000, not '20001'"),
            ("USI_Ponder", Some("yes"), "USI_Ponder takes true or false, not 'yes'"),
            ("Evaluation", Some("Magic"), "Evaluation takes one of Network, Handwritten, not 'Magic'"),
            ("NoSuchThing", Some("1"), "no option is called 'NoSuchThing'"),
            ("LmrBase", Some("1"), "no option is called 'LmrBase'"),
        ] {
            assert_eq!(table().set(&mut options, name, value).unwrap_err().to_string(), error);
        }
        assert_eq!(options, before);
    }

    #[test]
    fn parameters_are_options_only_where_they_are_exposed() {
        let exposed = OptionTable::new(None, true).unwrap();
        assert_eq!(exposed.list().len(), table().list().len() + PARAMETERS.len());
        let mut options = exposed.defaults().clone();
        assert!(exposed.set(&mut options, "lmrbase", Some("501")).is_ok());
        let error = exposed.set(&mut options, "lmrbase", Some("-1")).unwrap_err().to_string();
        assert_eq!(error, "LmrBase takes a whole number from 0 to 2048, not '-1'");
        let mut expected = Params::default();
        assert!(expected.set("LmrBase", 501));
        assert_eq!(options.params, expected);
        assert_eq!(exposed.defaults().params, Params::default());
    }

    #[test]
    fn a_configuration_exposes_the_parameters_that_it_names_with_its_defaults() {
        let config = Config::parse("my.toml", "[parameters]\nLmrBase = 501\n").unwrap();
        let table = OptionTable::new(Some(&config), false).unwrap();
        let list = table.list();
        let option = list.iter().find(|option| option.name == "LmrBase").unwrap();
        assert_eq!(option.kind, OptionKind::Spin { default: 501, min: 0, max: 2048 });
    }

    #[test]
    fn a_wrong_key_is_an_error_that_names_the_line() {
        for (text, error) in [
            ("[options]\nThreads = 2\nTreads = 3\n", "line 3: no option is called 'Treads'"),
            ("[options]\nthreads = 2\nThreads = 3\n", "line 3: Threads is set on line 2 already, as threads"),
            ("[options]\nUSI_Hash = 2\nHash = 3\n", "line 3: Hash is set on line 2 already, as USI_Hash"),
            ("[parameters]\nLmrBase = 501\nlmrbase = 502\n", "line 3: lmrbase is set on line 2 already, as LmrBase"),
        ] {
            let config = Config::parse("my.toml", text).unwrap();
            let refused = OptionTable::new(Some(&config), false).err().unwrap();
            assert_eq!(refused.to_string(), format!("my.toml, {error}"));
        }
    }

    #[test]
    fn a_default_can_be_changed_unless_a_configuration_has_set_it() {
        let config = Config::parse("engine.toml", "[options]\nImpassePlies = 30\nHash = 8\n").unwrap();
        for (config, changed, plies) in [(None, true, 0), (Some(&config), false, 30)] {
            let mut table = OptionTable::new(config, false).unwrap();
            assert_eq!(table.set_default("impasseplies", "0"), Ok(changed));
            assert_eq!(table.defaults().impasse_plies, plies);
            assert_eq!(table.set_default("USI_Hash", "16"), Ok(changed), "under its other name too");
        }
    }
}
