//! Options that take several `key=value` pairs.

use std::str::FromStr;

use anyhow::{Result, anyhow, bail};

/// A pair of a key and its value, as clap reads it.
#[derive(Clone, Debug)]
pub struct KeyValue {
    key: String,
    value: String,
}

impl FromStr for KeyValue {
    type Err = String;

    fn from_str(text: &str) -> Result<KeyValue, String> {
        let pair = text.split_once('=').filter(|(_, value)| !value.contains('='));
        let (key, value) = pair.ok_or_else(|| format!("'{text}' is not a pair; write KEY=VALUE"))?;
        Ok(KeyValue { key: key.to_owned(), value: value.to_owned() })
    }
}

/// The pairs of an option. Each key may be taken once.
pub struct Pairs<'a> {
    option: &'static str,
    keys: &'static [&'static str],
    pairs: &'a [KeyValue],
}

impl<'a> Pairs<'a> {
    /// The pairs of `option`, which accepts these keys.
    ///
    /// # Errors
    /// If a key is unknown, or given twice.
    pub fn new(option: &'static str, keys: &'static [&'static str], pairs: &'a [KeyValue]) -> Result<Pairs<'a>> {
        for (index, KeyValue { key, .. }) in pairs.iter().enumerate() {
            if !keys.contains(&key.as_str()) {
                bail!("unknown key '{key}' in {option}; the keys are {}", keys.join(", "));
            }
            if pairs[..index].iter().any(|earlier| earlier.key == *key) {
                bail!("{option} has the key '{key}' twice; give it once");
            }
        }
        Ok(Pairs { option, keys, pairs })
    }

    /// The value of a key, if it is given; `takes` describes the accepted values.
    ///
    /// # Errors
    /// If the value cannot be read.
    pub fn get<T: FromStr>(&self, key: &'static str, takes: &str) -> Result<Option<T>> {
        debug_assert!(self.keys.contains(&key));
        let Some(KeyValue { value, .. }) = self.pairs.iter().find(|pair| pair.key == key) else { return Ok(None) };
        match value.parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => bail!("{}: {key} takes {takes}, not '{value}'", self.option),
        }
    }

    /// The value of a required key.
    ///
    /// # Errors
    /// If it is missing or cannot be read.
    pub fn need<T: FromStr>(&self, key: &'static str, takes: &str) -> Result<T> {
        self.get(key, takes)?.ok_or_else(|| anyhow!("{} needs {key}=, {takes}", self.option))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: &[&str] = &["movecount", "score"];

    fn error(texts: &[&str]) -> String {
        let pairs: Vec<KeyValue> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let pairs = Pairs::new("--draw", KEYS, &pairs);
        pairs.and_then(|pairs| pairs.need::<u32>("movecount", "a whole number")).unwrap_err().to_string()
    }

    #[test]
    fn errors_say_what_would_be_right() {
        assert_eq!("score:5".parse::<KeyValue>().unwrap_err(), "'score:5' is not a pair; write KEY=VALUE");
        assert_eq!(error(&["foo=1"]), "unknown key 'foo' in --draw; the keys are movecount, score");
        assert_eq!(error(&["score=1", "score=2"]), "--draw has the key 'score' twice; give it once");
        assert_eq!(error(&["score=1"]), "--draw needs movecount=, a whole number");
        assert_eq!(error(&["movecount=x"]), "--draw: movecount takes a whole number, not 'x'");
    }
}
