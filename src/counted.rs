//! Numbers with their nouns.

use std::fmt::Display;

/// A number with its noun: `1 ply`, `2 plies`, `0 mates`. The noun is given in the singular, and its plural is regular.
///
/// ```
/// use judkins::counted::counted;
/// assert_eq!(counted(1, "missed mate"), "1 missed mate");
/// assert_eq!(counted(0, "inaccuracy"), "0 inaccuracies");
/// ```
pub fn counted(number: impl Display, noun: &str) -> String {
    let number = number.to_string();
    format!("{number} {}", inflected(&number, noun))
}

/// The noun alone, in the form for this number.
pub fn inflected(number: impl Display, noun: &str) -> String {
    match noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u'])) {
        _ if number.to_string() == "1" => noun.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular_and_all_else_plural() {
        for (noun, plural) in [("mate", "mates"), ("ply", "plies"), ("entry", "entries"), ("day", "days")] {
            assert_eq!(counted(1, noun), format!("1 {noun}"));
            for number in [0, 2, 11, 21] {
                assert_eq!(counted(number, noun), format!("{number} {plural}"));
            }
        }
    }
}
