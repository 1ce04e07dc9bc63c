//! Detects the format of a file from the lines at its beginning.

use super::Format;
use super::kakinoki::{LineKind, is_known_key, line_kind};

/// The format of a file with this beginning, determined by the first conclusive line.
pub(super) fn recognise(beginning: &str) -> Option<Format> {
    if is_jkf(beginning) || is_book(beginning) {
        return None;
    }
    let mut lines = beginning.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty());
    loop {
        let line = lines.next()?;
        // Both begin comments in several formats.
        if line.starts_with(['#', '%']) {
            continue;
        }
        // A page in HTML has lines that read like comments.
        if line.starts_with("<!") {
            return None;
        }
        let kind = line_kind(line);
        // Kakinoki's moves may have a dot after their number, as PGN's have.
        if let LineKind::Moves { has_number } = kind {
            return Some(format_of(has_number));
        }
        if let Some(format) = Format::begun_by(line) {
            return Some(format);
        }
        match kind {
            LineKind::Other(_) | LineKind::Blank => {}
            LineKind::Header { key, .. } if !is_known_key(key) => {}
            _ => {
                // Both of Kakinoki's formats have the same headers; the first move distinguishes them.
                let has_number = lines.map(line_kind).find_map(|kind| match kind {
                    LineKind::Moves { has_number } => Some(has_number),
                    _ => None,
                });
                return Some(format_of(has_number.unwrap_or(true)));
            }
        }
    }
}

/// The Kakinoki format of a move line.
fn format_of(has_number: bool) -> Format {
    if has_number { Format::Kif } else { Format::Ki2 }
}

/// Whether a text begins like a game in JKF, which is JSON, but no line of a match.
pub(super) fn is_jkf(beginning: &str) -> bool {
    let text: String = beginning.chars().filter(|c| !c.is_whitespace()).take(12).collect();
    ["{\"header\":{", "{\"initial\":{", "{\"moves\":[{"].iter().any(|begin| text.starts_with(begin))
}

/// Whether a text begins like a book in the common format of shogi programs, whose lines are read as positions and
/// moves.
pub(super) fn is_book(beginning: &str) -> bool {
    beginning.trim_start().starts_with("#YANEURAOU-DB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_known_by_their_first_lines() {
        for (text, format) in [
            ("startpos", Some(Format::Usi)),
            ("# 1. a - b 1-0 checkmate\nstartpos moves 6e6d", Some(Format::Usi)),
            ("position startpos", Some(Format::Usi)),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", Some(Format::Usi)),
            ("bishop", Some(Format::Usi)),
            ("{\"game\":1}", Some(Format::Match)),
            ("#YANEURAOU-DB2016 1.00\nsfen 5k/6/6/6/6/K5 b - 1", None),
            ("\n#YANEURAOU-DB2016 1.00\nsfen 5k/6/6/6/6/K5 b - 1", None),
            ("\n\n[Event \"x\"]", Some(Format::Pgn)),
            ("1. P-6d P-1c", Some(Format::Pgn)),
            ("{nice} 1. P-6d", Some(Format::Pgn)),
            ("{\"nice\" - she} 1. P-6d", Some(Format::Pgn)),
            ("# ---- KIF ----\n手合割：平手", Some(Format::Kif)),
            ("先手：a\n後手：b\n▲６四歩", Some(Format::Ki2)),
            ("▲６四歩 △１三歩", Some(Format::Ki2)),
            ("   1 ６四歩(65)   ( 0:00/00:00:00)", Some(Format::Kif)),
            ("1６四歩(65)\n", Some(Format::Kif)),
            ("1.６四歩(65)\n", Some(Format::Kif)),
            ("1. ６四歩(65)\n", Some(Format::Kif)),
            ("６四歩　１三歩", Some(Format::Ki2)),
            ("先手：a\n変化：3手\n６四歩　１三歩", Some(Format::Ki2)),
            ("1... K-1b", Some(Format::Pgn)),
            ("後手の持駒：なし\n  ６ ５ ４ ３ ２ １\n", Some(Format::Kif)),
            ("", None),
            ("<!doctype html>\n<p>1. P-6d P-1c\n", None),
            ("{\"header\":{\"先手\":\"a\"},\"moves\":[{}]}", None),
            ("{\n  \"header\": {},\n  \"moves\": [{}]\n}", None),
            ("{\"initial\":{\"preset\":\"HIRATE\"}}", None),
            ("{\"moves\": [{\"comments\": []}]}", None),
            ("{\"moves\": [\"6e6d\"]}", Some(Format::Match)),
            ("hello", None),
            ("hello: world", None),
            ("# only\n# comments", None),
            ("{", Some(Format::Pgn)),
        ] {
            assert_eq!(recognise(text), format, "{text}");
        }
    }
}
