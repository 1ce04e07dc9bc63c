//! Times on the command line.

use std::time::Duration;

/// The longest time, some 30 years: it can be multiplied and added to an instant.
const MOST: Duration = Duration::from_secs(1_000_000_000);

/// A number of seconds above 0, as clap reads it. More than 10^9 count as 10^9.
///
/// # Errors
/// What is expected, to stand after the option's name.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.map(|time: Duration| time.min(MOST))
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "a time is a number of seconds above 0".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_above_nothing() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!(seconds("1e19"), Ok(MOST));
        for text in ["0", "-1", "nan", "inf", "1e99", "1e-99", "", "one"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
