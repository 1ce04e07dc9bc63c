//! `engine.toml`: the defaults of options and parameters.
//!
//! The file at the root of the project is built into the program, so that every option has a default. Another file
//! overrides it key by key. The keys are not checked here: the engine looks them up, and reports the line of an unknown
//! one. Relative paths in a file are taken from its folder.

use std::iter;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::atomic_file;

/// The text of the defaults that are built in.
pub const BUILT_IN: &str = include_str!("../engine.toml");

/// The name of a file beside the executable that overrides the defaults.
pub const FILE_NAME: &str = "engine.toml";

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name of the option or parameter.
    pub name: String,
    /// The value, written as `setoption` has it.
    pub value: String,
    /// The number of the line, from 1.
    pub line: usize,
}

/// The contents of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The name of the file, for errors.
    pub origin: String,
    /// The folder from which its relative paths are taken; empty for the working folder.
    pub folder: PathBuf,
    /// The entries of the table `[options]`, from top to bottom.
    pub options: Vec<Entry>,
    /// The entries of the table `[parameters]`, from top to bottom.
    pub parameters: Vec<Entry>,
}

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    Unreadable { path: PathBuf, error: std::io::Error },
    /// The file is not TOML.
    #[error("{origin}: {message}")]
    Syntax {
        origin: String,
        /// The parser's message, with the line.
        message: String,
    },
    /// A table or key is unknown, or its value is not accepted.
    #[error("{origin}, line {line}: {message}")]
    Entry {
        origin: String,
        /// The number of the line, from 1.
        line: usize,
        message: String,
    },
}

/// The explanation of an option in the built-in file, under its name in USI or UCI: the comment above it, without its
/// backquotes.
pub fn explanation(option: &str) -> Option<String> {
    let bare = |name: &str| name.trim_start_matches("USI_").trim_start_matches("UCI_").to_owned();
    let mut comment = Vec::new();
    for line in BUILT_IN.lines() {
        if let Some(text) = line.strip_prefix('#') {
            comment.push(text.trim());
        } else if line.is_empty() {
            comment.clear();
        } else if line.split_once(" = ").is_some_and(|(key, _)| bare(key) == bare(option)) {
            return Some(comment.join(" ").replace('`', "")).filter(|text| !text.is_empty());
        }
    }
    None
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
    /// [`ConfigError`] if it cannot be read, is not TOML, or has a table besides `[options]` and `[parameters]`.
    pub fn read(path: &Path) -> Result<Config, ConfigError> {
        let unreadable = |error| ConfigError::Unreadable { path: path.to_owned(), error };
        let text = atomic_file::read_to_string(path).map_err(unreadable)?;
        let folder = std::path::absolute(path).map_err(unreadable)?.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Config { folder, ..Config::parse(&path.display().to_string(), &text)? })
    }

    /// Reads a text. Errors name it by `origin`.
    ///
    /// # Errors
    /// [`ConfigError`] as from [`Config::read`].
    pub fn parse(origin: &str, text: &str) -> Result<Config, ConfigError> {
        let table = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
            origin: origin.to_owned(),
            message: error.to_string().trim_end().to_owned(),
        })?;
        let mut config = Config { origin: origin.to_owned(), ..Config::default() };
        let begins: Vec<usize> = iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect();
        let line_of = |offset: usize| begins.partition_point(|&begin| begin <= offset);
        for (name, section) in table.get_ref() {
            let line = line_of(name.span().start);
            let target = match name.get_ref().as_ref() {
                "options" => &mut config.options,
                "parameters" => &mut config.parameters,
                other => {
                    let message = format!("unknown table [{other}]; the tables are [options] and [parameters]");
                    return Err(config.error_at(line, message));
                }
            };
            let DeValue::Table(entries) = section.get_ref() else {
                return Err(config.error_at(line, format!("{} is not a table: write [{0}]", name.get_ref())));
            };
            for (key, value) in entries {
                let (name, line) = (key.get_ref().to_string(), line_of(key.span().start));
                let Some(value) = plain(value) else {
                    let message = format!("{name} is neither a whole number, a line of text, true nor false");
                    return Err(config.error_at(line, message));
                };
                target.push(Entry { name, value, line });
            }
        }
        // The parser sorts keys by name, but the first line with an error is the one to name.
        config.options.sort_by_key(|entry| entry.line);
        config.parameters.sort_by_key(|entry| entry.line);
        Ok(config)
    }

    pub fn error_at(&self, line: usize, message: String) -> ConfigError {
        ConfigError::Entry { origin: self.origin.clone(), line, message }
    }
}

/// The value as `setoption` writes it. None for an array, a table, a float or a date.
fn plain(value: &Spanned<DeValue<'_>>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) if !text.contains(char::is_control) => Some(text.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok().map(|n| n.to_string()),
        DeValue::Boolean(value) => Some(value.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

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
            (
                "[options]\nThreads = [1]\n",
                "f, line 2: Threads is neither a whole number, a line of text, true nor false",
            ),
            (
                "[options]\nBookFile = \"a\\nb\"\n",
                "f, line 2: BookFile is neither a whole number, a line of text, true nor false",
            ),
            ("\n[optoins]\n", "f, line 2: unknown table [optoins]; the tables are [options] and [parameters]"),
            ("options = 3\n", "f, line 1: options is not a table: write [options]"),
        ] {
            assert_eq!(Config::parse("f", text).unwrap_err().to_string(), expected);
        }
        assert!(Config::parse("f", "[options]\nThreads 4\n").unwrap_err().to_string().contains("line 2"));
    }

    #[test]
    fn a_file_of_two_hundred_thousand_keys_is_read_in_no_time() {
        const COUNT: usize = 200_000;
        let keys: String = (0..COUNT).map(|number| format!("Key{number} = 1\n")).collect();
        let begin = Instant::now();
        let config = Config::parse("f", &format!("[parameters]\n{keys}")).unwrap();
        assert!(begin.elapsed() < Duration::from_secs(8), "it took {:?}", begin.elapsed());
        let last = config.parameters.last().map(|entry| (entry.name.clone(), entry.line));
        assert_eq!(last, Some((format!("Key{}", COUNT - 1), COUNT + 1)));
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

    #[test]
    fn every_option_is_explained_by_the_comment_above_it() {
        for entry in Config::built_in().options {
            assert!(explanation(&entry.name).is_some_and(|text| text.ends_with('.')), "{}", entry.name);
        }
        assert_eq!(explanation("Threads").as_deref(), Some("Threads that search, up to 512."));
        assert_eq!(explanation("Hash"), explanation("USI_Hash"));
        assert_eq!(explanation("UCI_Elo"), explanation("UCI_LimitStrength"));
        assert_eq!(explanation("ClearHash"), None);
    }
}
