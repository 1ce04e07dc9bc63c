//! Numbers in digits of any width and in Japanese numerals.

use crate::shogi::notation::japanese::NUMERALS;

/// A number in half-width or full-width digits; none if it is invalid or too large.
pub(super) fn number(text: &str) -> Option<usize> {
    let digits = text.trim().chars().map(digit);
    let value = digits.clone().try_fold(0usize, |value, digit| value.checked_mul(10)?.checked_add(digit?))?;
    (digits.count() > 0).then_some(value)
}

pub(super) fn digit(c: char) -> Option<usize> {
    match c {
        '0'..='9' => Some(c as usize - '0' as usize),
        '０'..='９' => Some(c as usize - '０' as usize),
        _ => None,
    }
}

/// A digit, or a numeral up to ten.
pub(super) fn numeral(c: char) -> Option<usize> {
    digit(c).or_else(|| Some(NUMERALS.iter().position(|&numeral| numeral == c)? + 1))
}
