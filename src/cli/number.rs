//! Numbers on the command line: clap's own parsers do not name the accepted values.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;
use std::time::Duration;

use clap::Command;

/// The longest time in seconds, some 30 years: it can be multiplied and added to an instant.
const MOST: f64 = 1e9;

/// Reads a number in this range, as a parser for clap. The error names the accepted numbers.
pub fn number<T: FromStr + PartialOrd + Display>(
    range: impl RangeBounds<T> + Clone,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
            let kind = if "0.5".parse::<T>().is_ok() { "a number" } else { "a whole number" };
            match (range.start_bound(), range.end_bound()) {
                (Bound::Included(least), Bound::Included(most)) => format!("it takes {kind} from {least} to {most}"),
                (Bound::Included(least), _) => format!("it takes {kind}, {least} at least"),
                (_, Bound::Included(most)) => format!("it takes {kind}, {most} at most"),
                _ => format!("it takes {kind}"),
            }
        })
    }
}

/// Reads a positive number of seconds, as a parser for clap.
///
/// # Errors
/// The expected values.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds <= MOST);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| format!("it takes a number of seconds above 0, {MOST} at most"))
}

/// Lets every option with a value accept a negative number, in order to reject it properly: clap takes it for another
/// option.
pub fn with_negative(command: Command) -> Command {
    let negative = |arg: clap::Arg| {
        let takes_value = !arg.is_positional() && arg.get_action().takes_values();
        arg.allow_negative_numbers(takes_value)
    };
    command.mut_args(negative).mut_subcommands(with_negative)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_above_nothing() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!(seconds("1e9"), Ok(Duration::from_secs(1_000_000_000)));
        for text in ["0", "-1", "nan", "inf", "1e30", "1e-99", "", "one"] {
            assert_eq!(seconds(text), Err("it takes a number of seconds above 0, 1000000000 at most".into()), "{text}");
        }
    }

    #[test]
    fn errors_say_which_numbers_are_taken() {
        assert_eq!((number::<u16>(1..=9)("9"), number::<f64>(0.0..)("1e3")), (Ok(9), Ok(1000.0)));
        for text in ["0", "10", "-1", "1.5", "1e30", "x", ""] {
            assert_eq!(number::<u16>(1..=9)(text), Err("it takes a whole number from 1 to 9".into()), "{text}");
        }
        assert_eq!(number::<u64>(1..)("0"), Err("it takes a whole number, 1 at least".into()));
        assert_eq!(number::<u32>(..=7)("8"), Err("it takes a whole number, 7 at most".into()));
        assert_eq!(number::<f64>(0.0..=1.0)("nan"), Err("it takes a number from 0 to 1".into()));
    }
}
