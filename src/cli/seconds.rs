//! Times on the command line.

use std::time::Duration;

/// A number of seconds above 0, as clap reads it.
///
/// # Errors
/// What is expected, to stand after the option's name.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| "a time is a number of seconds above 0".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_above_nothing() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        for text in ["0", "-1", "nan", "inf", "1e99", "1e-99", "", "one"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
