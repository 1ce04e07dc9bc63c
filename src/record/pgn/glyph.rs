//! Glyphs (NAGs): PGN's numbers for the signs of annotators.

use crate::record::Mark;

/// A glyph in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Glyph {
    pub nag: u8,
    /// The sign applies to either player: its number is the one after White's move.
    pub of_mover: bool,
}

/// The signs with numbers, besides the [marks](Mark). If one sign is a prefix of another, the longer one comes first.
const SIGNS: [(&str, u8); 22] = [
    ("=/∞", 44),
    ("+/=", 14),
    ("=/+", 15),
    ("+/-", 16),
    ("-/+", 17),
    ("+=", 14),
    ("=+", 15),
    ("+-", 18),
    ("-+", 19),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
    ("⌓", 142),
    ("∆", 140),
    ("Δ", 140),
    ("∇", 141),
    ("RR", 145),
    ("N", 146),
];

/// The same for signs that refer to the player who has moved.
const OF_MOVER: [(&str, u8); 7] = [("⨀", 23), ("⟳", 32), ("↑", 36), ("→", 40), ("⯹", 44), ("⇆", 132), ("⊕", 138)];

/// The number of a glyph for the other player.
pub(super) fn turned(nag: u8) -> u8 {
    // In this range White's number is even, and Black's follows it.
    if (14..140).contains(&nag) { nag ^ 1 } else { nag }
}

/// Whether a character occurs in signs and never in a move.
pub(super) fn is_sign(c: char) -> bool {
    let mut signs = SIGNS.iter().chain(&OF_MOVER).map(|(sign, _)| *sign);
    matches!(c, '!' | '?') || !c.is_ascii() && (matches!(c, '−' | '–') || signs.any(|sign| sign.contains(c)))
}

/// The signs of a text; none if it contains anything else.
pub(super) fn read(text: &str) -> Option<Vec<Glyph>> {
    let text = text.replace(['−', '–'], "-");
    let mut rest = text.as_str();
    let mut glyphs = Vec::new();
    while !rest.is_empty() {
        let marks = rest.len() - rest.trim_start_matches(['!', '?']).len();
        let (length, nag, of_mover) = if marks > 0 {
            (marks, Mark::from_sign(&rest[..marks])?.nag(), false)
        } else {
            let fits = |&&(sign, _): &&(&str, u8)| rest.starts_with(sign);
            let found = SIGNS.iter().find(fits).map(|sign| (sign, false));
            let ((sign, nag), of_mover) = found.or_else(|| OF_MOVER.iter().find(fits).map(|sign| (sign, true)))?;
            (sign.len(), *nag, of_mover)
        };
        glyphs.push(Glyph { nag, of_mover });
        rest = &rest[length..];
    }
    (!glyphs.is_empty()).then_some(glyphs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_have_the_numbers_of_the_standard() {
        let nags = |text| read(text).map(|glyphs| glyphs.iter().map(|glyph| glyph.nag).collect::<Vec<_>>());
        for (text, expected) in [
            ("±", Some(vec![16])),
            ("∓", Some(vec![17])),
            ("=", Some(vec![10])),
            ("+-", Some(vec![18])),
            ("−+", Some(vec![19])),
            ("+/=", Some(vec![14])),
            ("+=", Some(vec![14])),
            ("=/∞", Some(vec![44])),
            ("!±", Some(vec![1, 16])),
            ("□∞", Some(vec![7, 13])),
            ("N", Some(vec![146])),
            ("!!!", None),
            ("x", None),
            ("±x", None),
            ("", None),
        ] {
            assert_eq!(nags(text), expected, "{text}");
        }
        assert!(read("→").unwrap()[0].of_mover);
        assert_eq!([14, 15, 139, 13, 140].map(turned), [15, 14, 138, 13, 140]);
    }
}
