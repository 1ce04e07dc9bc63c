//! Names of tags: PGN allows ASCII letters, digits and `_`, and reserves some names.
//!
//! A KIF key with a standard name in PGN gets that name: `戦型` is `Opening`. Any other name that cannot be used directly
//! gets the prefix `Kif`, and characters that are neither letters nor digits are written in UTF-16, between `_`: `備考`
//! is `Kif_50998003`, `先手ELO` is `Kif_5148624B_ELO`, and `Event`, which is reserved, is `KifEvent`. A name may occur
//! only once in PGN: the second one ends with `__2`.

/// KIF keys with standard names, except for the fields of a [`Header`](crate::record::Header).
const STANDARD: [(&str, &str); 2] = [("戦型", "Opening"), ("主催", "EventSponsor")];

/// Names with a meaning for the reader.
const TAKEN: [&str; 25] = [
    "Event",
    "Site",
    "Date",
    "Time",
    "Round",
    "White",
    "Black",
    "Result",
    "Variant",
    "FEN",
    "SFEN",
    "SetUp",
    "PlyCount",
    "EndDate",
    "EndTime",
    "TimeControl",
    "WhiteTimeControl",
    "BlackTimeControl",
    "Termination",
    "EndReason",
    "Detail",
    "ImpasseRule",
    "LastThought",
    "Notation",
    PREFIX,
];

const PREFIX: &str = "Kif";

/// The standard's maximum length of a name, in characters.
const LONGEST: usize = 255;

/// The separator of name and value if the name is too long: `[Kif "name：value"]`.
const COLON: char = '：';

/// Whether a name has a meaning for the reader.
pub(super) fn is_own(name: &str) -> bool {
    TAKEN.contains(&name)
}

/// The name and value of a tag in PGN, for the `nth` use of the name.
pub(super) fn write(name: &str, nth: usize, value: &str) -> (String, String) {
    let standard = STANDARD.iter().find(|(key, _)| *key == name).map(|(_, standard)| *standard);
    if let Some(plain) = standard.or_else(|| is_plain(name).then_some(name)).filter(|_| nth == 1) {
        return (plain.to_owned(), value.to_owned());
    }
    let ordinal = if nth > 1 { format!("__{nth}") } else { String::new() };
    let encoded = encode(name) + &ordinal;
    if encoded.len() <= LONGEST {
        return (encoded, value.to_owned());
    }
    (PREFIX.to_owned() + &ordinal, format!("{}{COLON}{value}", name.replace(COLON, ":")))
}

/// The name and value of a tag that [`write`] wrote.
pub(super) fn read(name: &str, value: &str) -> (String, String) {
    let standard = STANDARD.iter().find(|(_, standard)| *standard == name).map(|(key, _)| (*key).to_owned());
    match value.split_once(COLON).filter(|(long, _)| is_of_value(name) && !long.is_empty()) {
        Some((name, value)) => (name.to_owned(), value.to_owned()),
        None => (standard.or_else(|| decode(name)).unwrap_or_else(|| name.to_owned()), value.to_owned()),
    }
}

/// Whether a tag of this name may have its real name in its value.
fn is_of_value(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|rest| split_ordinal(rest).0.is_empty())
}

/// Whether a name can be used directly and is read back unchanged.
fn is_plain(name: &str) -> bool {
    let is_word = name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    // Some programs ignore the case of names.
    let mut taken = TAKEN.into_iter().chain(STANDARD.map(|(_, standard)| standard));
    name.len() <= LONGEST
        && is_word
        && !taken.any(|taken| taken.eq_ignore_ascii_case(name))
        && decode(name).is_none()
        && !is_of_value(name)
}

fn encode(name: &str) -> String {
    let mut text = PREFIX.to_owned();
    let mut is_coded = false;
    for c in name.chars() {
        if c.is_ascii_alphanumeric() == is_coded {
            text.push('_');
            is_coded = !is_coded;
        }
        if is_coded {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| text += &format!("{unit:04X}"));
        } else {
            text.push(c);
        }
    }
    text
}

/// The name that [`write`] encodes this way; none if there is none.
fn decode(text: &str) -> Option<String> {
    let (body, nth) = split_ordinal(text.strip_prefix(PREFIX)?);
    let mut name = String::new();
    for (index, part) in body.split('_').enumerate() {
        if index % 2 == 0 {
            name += part;
        } else {
            let units = part.as_bytes().chunks(4).map(|unit| u16::from_str_radix(str::from_utf8(unit).ok()?, 16).ok());
            name += &String::from_utf16(&units.collect::<Option<Vec<u16>>>()?).ok()?;
        }
    }
    (!name.is_empty() && write(&name, nth, "").0 == text).then_some(name)
}

/// Splits `__2` off a name.
fn split_ordinal(text: &str) -> (&str, usize) {
    let split = text.rsplit_once("__").and_then(|(before, number)| Some((before, number.parse().ok()?)));
    split.unwrap_or((text, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_pgn_does_not_allow_are_written_in_letters_and_digits() {
        for (name, written) in [
            ("備考", "Kif_50998003"),
            ("先手ELO", "Kif_5148624B_ELO"),
            ("ELO先手", "KifELO_5148624B"),
            ("戦型", "Opening"),
            ("Opening", "KifOpening"),
            ("X_1", "X_1"),
            ("Annotator", "Annotator"),
            ("_Event", "Kif_005F_Event"),
            ("event", "Kifevent"),
            ("Event", "KifEvent"),
            ("a-b", "Kifa_002D_b"),
            ("Kif", "KifKif"),
            ("KifFoo", "KifFoo"),
            ("KifEvent", "KifKifEvent"),
            ("Kif_50998003", "KifKif_005F_50998003"),
            ("𠮷", "Kif_D842DFB7"),
            ("1a", "1a"),
        ] {
            assert_eq!(write(name, 1, "x"), (written.to_owned(), "x".to_owned()));
        }
    }

    #[test]
    fn every_name_is_read_back_whatever_it_looks_like() {
        let long = "長".repeat(300);
        let names = [
            "備考",
            "戦型",
            "Opening",
            "X_1",
            "_",
            "__",
            "__2",
            "a__2",
            "Kif",
            "Kif__2",
            "KifEvent",
            "KifKifEvent",
            "Kif_5099",
            "Kif_50998003__2",
            "KifOpening",
            "FEN",
            "fen",
            "é",
            "a b",
            "\"",
            "]",
            "-",
            "備_考",
            "備 考2",
            "主催",
            &long,
        ];
        for name in names {
            for nth in [1, 2, 10] {
                let (written, value) = write(name, nth, "a：b");
                let word = written.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                assert!(word && written.as_bytes()[0] != b'_' && written.len() <= LONGEST, "{written}");
                assert_eq!(read(&written, &value), (name.to_owned(), "a：b".to_owned()), "{written}");
            }
        }
        // Names of other programs are unchanged, even with our prefix.
        for name in ["Kif", "KifFoo", "Kif_1", "Kif_zzzz", "Kif__x", "Kifu", "KifEvent__1", "KifEvent__02"] {
            assert_eq!(read(name, "x"), (name.to_owned(), "x".to_owned()));
        }
    }
}
