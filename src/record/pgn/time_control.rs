//! Converts KIF's time controls to PGN.

use crate::record::date::half_width;

/// `各6時間30分` is `23400`, `10分+5秒` is `600+5`: seconds, and seconds per move. None if PGN has no form for it, as for
/// byoyomi.
pub(super) fn in_seconds(text: &str) -> Option<String> {
    let text: String = half_width(text).chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.strip_prefix("各").unwrap_or(&text);
    let text = ["切れ負け", "(切れ負け)"].into_iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    match text.split_once('+') {
        Some((main, increment)) => Some(format!("{}+{}", seconds(main)?, seconds(increment)?)),
        None => Some(seconds(text)?.to_string()),
    }
}

fn seconds(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut total = 0u64;
    for (unit, length) in [("時間", 3600), ("分", 60), ("秒", 1)] {
        if let Some((number, after)) = rest.split_once(unit) {
            let number: u64 = number.parse().ok()?;
            total = total.checked_add(number.checked_mul(length)?)?;
            rest = after;
        }
    }
    (rest.is_empty() && !text.is_empty()).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_pgn_can_say_is_said() {
        for (text, expected) in [
            ("各6時間", Some("21600")),
            ("6時間30分", Some("23400")),
            ("各　１０分", Some("600")),
            ("15分切れ負け", Some("900")),
            ("10分（切れ負け）", Some("600")),
            ("10分+5秒", Some("600+5")),
            ("0分＋30秒", Some("0+30")),
            ("30分 秒読み60秒", None),
            ("10", None),
            ("10+0.1", None),
            ("nodes=300", None),
            ("分", None),
            ("", None),
            ("99999999999999999999時間", None),
            ("9999999999999999999時間", None),
        ] {
            assert_eq!(in_seconds(text).as_deref(), expected, "{text}");
        }
    }
}
