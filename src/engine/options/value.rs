//! The types of options: parsing their values, and listing their ranges.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use strum::VariantNames;

use super::OptionKind;

/// A type that an option can have.
pub(super) trait Value: Sized {
    /// The restriction of the accepted values: a range for numbers, nothing for other types.
    type Range: 'static;

    /// Reads a value from `setoption`. None if it is not accepted.
    fn parse(text: &str, range: &Self::Range) -> Option<Self>;

    /// The accepted values, completing the error "… takes".
    fn accepted(range: &Self::Range) -> String;

    /// The kind of the option, with this value as its default.
    fn kind(&self, range: &Self::Range) -> OptionKind;

    /// The value, if it is a path.
    fn path(&mut self) -> Option<&mut PathBuf> {
        None
    }
}

impl Value for bool {
    type Range = ();

    fn parse(text: &str, (): &()) -> Option<bool> {
        text.to_ascii_lowercase().parse().ok()
    }

    fn accepted((): &()) -> String {
        "true or false".to_owned()
    }

    fn kind(&self, (): &()) -> OptionKind {
        OptionKind::Check { default: *self }
    }
}

macro_rules! whole_numbers {
    ($($type:ty),+) => {$(
        impl Value for $type {
            type Range = RangeInclusive<$type>;

            fn parse(text: &str, range: &Self::Range) -> Option<$type> {
                text.parse().ok().filter(|number| range.contains(number))
            }

            fn accepted(range: &Self::Range) -> String {
                format!("a whole number from {} to {}", range.start(), range.end())
            }

            fn kind(&self, range: &Self::Range) -> OptionKind {
                // The declared ranges end at `i64::MAX`, the protocols' limit.
                let [default, min, max] =
                    [self, range.start(), range.end()].map(|&number| i64::try_from(number).unwrap_or(i64::MAX));
                OptionKind::Spin { default, min, max }
            }
        }
    )+};
}

whole_numbers!(i32, i64, u32, u64, usize);

/// Whole milliseconds, also in the range.
impl Value for Duration {
    type Range = RangeInclusive<u64>;

    fn parse(text: &str, range: &Self::Range) -> Option<Duration> {
        u64::parse(text, range).map(Duration::from_millis)
    }

    fn accepted(range: &Self::Range) -> String {
        u64::accepted(range)
    }

    fn kind(&self, range: &Self::Range) -> OptionKind {
        u64::try_from(self.as_millis()).unwrap_or(u64::MAX).kind(range)
    }
}

/// A file; the empty path means none.
impl Value for PathBuf {
    type Range = ();

    fn parse(text: &str, (): &()) -> Option<PathBuf> {
        Some(if text == "<empty>" { PathBuf::new() } else { PathBuf::from(text) })
    }

    fn accepted((): &()) -> String {
        "the path of a file".to_owned()
    }

    fn kind(&self, (): &()) -> OptionKind {
        OptionKind::Filename { default: self.display().to_string() }
    }

    fn path(&mut self) -> Option<&mut PathBuf> {
        Some(self)
    }
}

/// An enum whose variants are the words of a combo.
pub(super) trait Choice: Display + FromStr + VariantNames {}

impl<T: Choice> Value for T {
    type Range = ();

    fn parse(text: &str, (): &()) -> Option<T> {
        text.parse().ok()
    }

    fn accepted((): &()) -> String {
        format!("one of {}", T::VARIANTS.join(", "))
    }

    fn kind(&self, (): &()) -> OptionKind {
        let choices = T::VARIANTS.iter().map(|&word| word.to_owned()).collect();
        OptionKind::Combo { default: self.to_string(), choices }
    }
}
