//! `engine.toml`: the defaults of options and parameters.
//!
//! The file at the root of the project is built into the program, so every key has a default. Another file overrides it
//! key by key. What the keys mean is not known here: the engine looks each up in its tables, and names the line of one
//! that it does not know.

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The defaults that are built in.
pub const BUILT_IN: &str = include_str!("../engine.toml");

/// The name under which the file is looked for beside the executable.
pub const FILE_NAME: &str = "engine.toml";

/// A key with its value as an option takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub name: String,
    /// The value, written as in `setoption`.
    pub value: String,
    /// The line of the file, from 1.
    pub line: usize,
}

/// A file, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Where it came from, for errors.
    pub origin: String,
    /// The table `[options]`.
    pub options: Vec<Entry>,
    /// The table `[parameters]`.
    pub parameters: Vec<Entry>,
}

/// Why a file is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is not TOML.
    #[error("{origin}: {message}")]
    Syntax {
        /// The file.
        origin: String,
        /// What the parser says, with the line.
        message: String,
    },
    /// A line says something that is not known, or not allowed.
    #[error("{origin}, line {line}: {message}")]
    Entry {
        /// The file.
        origin: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

impl Config {
    /// The defaults that are built in.
    pub fn built_in() -> Config {
        Config::parse("built-in engine.toml", BUILT_IN)
            .expect("the built-in engine.toml is well formed: a test reads it")
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`ConfigError`] if it cannot be read or is not what it should be.
    pub fn read(path: &Path) -> Result<Config, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
        Config::parse(&path.display().to_string(), &text)
    }

    /// Reads a text; `origin` names it in errors.
    ///
    /// # Errors
    /// [`ConfigError`] if it is not what it should be.
    pub fn parse(origin: &str, text: &str) -> Result<Config, ConfigError> {
        let table = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
            origin: origin.to_owned(),
            message: error.to_string().trim_end().to_owned(),
        })?;
        let mut config = Config { origin: origin.to_owned(), ..Config::default() };
        let line_of = |offset: usize| text[..offset].matches('\n').count() + 1;
        for (name, section) in table.get_ref() {
            let target = match name.get_ref().as_ref() {
                "options" => &mut config.options,
                "parameters" => &mut config.parameters,
                other => return Err(config.error_at(line_of(name.span().start), format!("unknown table [{other}]"))),
            };
            let DeValue::Table(entries) = section.get_ref() else {
                let line = line_of(name.span().start);
                return Err(config.error_at(line, format!("{} is not a table", name.get_ref())));
            };
            for (key, value) in entries {
                let line = line_of(key.span().start);
                match plain(value) {
                    Some(value) => target.push(Entry { name: key.get_ref().to_string(), value, line }),
                    None => {
                        let message = format!("{} is neither a number, a text, true nor false", key.get_ref());
                        return Err(ConfigError::Entry { origin: origin.to_owned(), line, message });
                    }
                }
            }
        }
        // Tables come sorted by name; files are read top to bottom.
        config.options.sort_by_key(|entry| entry.line);
        config.parameters.sort_by_key(|entry| entry.line);
        Ok(config)
    }

    /// An error in a line of this file.
    pub fn error_at(&self, line: usize, message: String) -> ConfigError {
        ConfigError::Entry { origin: self.origin.clone(), line, message }
    }
}

/// The value as `setoption` would write it.
fn plain(value: &Spanned<DeValue<'_>>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok().map(|n| n.to_string()),
        DeValue::Boolean(value) => Some(value.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_know_their_lines() {
        let config =
            Config::parse("f", "[options]\n# a comment\nThreads = 4\nBookFile = \"a b\"\n[parameters]\nX = -1\n");
        let config = config.unwrap();
        let entry = |name: &str, value: &str, line| Entry { name: name.into(), value: value.into(), line };
        assert_eq!(config.options, [entry("Threads", "4", 3), entry("BookFile", "a b", 4)]);
        assert_eq!(config.parameters, [entry("X", "-1", 6)]);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, expected) in [
            ("[options]\nThreads = [1]\n", "f, line 2: Threads is neither a number, a text, true nor false"),
            ("\n[optoins]\n", "f, line 2: unknown table [optoins]"),
            ("options = 3\n", "f, line 1: options is not a table"),
        ] {
            assert_eq!(Config::parse("f", text).unwrap_err().to_string(), expected);
        }
        assert!(Config::parse("f", "[options]\nThreads 4\n").unwrap_err().to_string().contains("line 2"));
    }

    #[test]
    fn every_built_in_key_has_a_comment_before_it() {
        let mut explained = false;
        for line in BUILT_IN.lines() {
            match line {
                line if line.starts_with('#') => explained = true,
                "" => explained = false,
                line if line.starts_with('[') => {}
                // Two keys may share a comment: the second follows the first at once.
                line => assert!(explained, "{line}"),
            }
        }
    }
}
