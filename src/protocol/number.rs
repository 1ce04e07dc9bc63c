//! Numeric limits in commands.

/// An integer; a fraction is truncated, and a number that is too large saturates. [`None`] for a negative number and
/// for other text, which are meaningless as limits.
pub(super) fn whole(text: &str) -> Option<u64> {
    let text = text.strip_prefix('+').unwrap_or(text);
    let (digits, fraction) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = !digits.is_empty() && are_digits(digits) && are_digits(fraction);
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

/// As [`whole`], but 0 is meaningless too.
pub(super) fn positive(text: &str) -> Option<u64> {
    whole(text).filter(|&number| number > 0)
}

/// As [`positive`], with 32 bits.
pub(super) fn positive_u32(text: &str) -> Option<u32> {
    positive(text).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_without_meaning_is_none() {
        for (text, number) in [
            ("0", Some(0)),
            ("007", Some(7)),
            ("+7", Some(7)),
            ("10000.5", Some(10_000)),
            ("8.0", Some(8)),
            ("8.", Some(8)),
            ("0.9", Some(0)),
            ("18446744073709551616.5", Some(u64::MAX)),
            ("-1", None),
            ("-0.5", None),
            ("1e3", None),
            ("10,000", None),
            ("1.2.3", None),
            ("1.x", None),
            (".5", None),
            (".", None),
            ("+", None),
            ("++1", None),
            ("", None),
            ("abc", None),
        ] {
            assert_eq!(whole(text), number, "{text}");
            assert_eq!(positive(text), number.filter(|&number| number > 0), "{text}");
        }
        assert_eq!(positive_u32("4294967296"), Some(u32::MAX));
    }
}
