use super::Format;
use super::kakinoki::{LineKind, is_known_key, line_kind};
use crate::shogi::Handicap;
use crate::shogi::position_text::begins_moves;

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
        if is_object(line) {
            return Some(Format::Match);
        }
        // A page in HTML has lines that read like comments.
        if line.starts_with("<!") {
            return None;
        }
        if is_position(line) {
            return Some(Format::Usi);
        }
        let kind = line_kind(line);
        // Kakinoki's moves may have a dot after their number, too.
        if is_tag(line) || (is_movetext(line) && !matches!(kind, LineKind::Moves { .. })) {
            return Some(Format::Pgn);
        }
        match kind {
            LineKind::Moves { has_number } => return Some(format_of(has_number)),
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

/// `{"name": …`, or `{}`.
fn is_object(line: &str) -> bool {
    let Some(inside) = line.strip_prefix('{').map(str::trim_start) else { return false };
    let after_name = inside.strip_prefix('"').and_then(|rest| rest.split_once('"')).map(|(_, rest)| rest.trim_start());
    inside.starts_with('}') || after_name.is_some_and(|rest| rest.starts_with(':'))
}

/// Whether a text begins like a game in JKF, which is JSON, but no line of a match.
pub(super) fn is_jkf(beginning: &str) -> bool {
    let text: String = beginning.chars().filter(|c| !c.is_whitespace()).take(12).collect();
    ["{\"header\":{", "{\"initial\":{", "{\"moves\":[{"].iter().any(|begin| text.starts_with(begin))
}

/// Whether a text begins like a book in the common format of shogi programs, whose lines are read as positions and moves.
pub(super) fn is_book(beginning: &str) -> bool {
    beginning.trim_start().starts_with("#YANEURAOU-DB")
}

/// `[Name "value"]`.
fn is_tag(line: &str) -> bool {
    let name = line.strip_prefix('[').and_then(|rest| rest.split_once('"')).map(|(name, _)| name.trim());
    name.is_some_and(|name| !name.is_empty() && !name.contains(char::is_whitespace))
}

/// `1. …`, or a comment before the first move.
fn is_movetext(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    (number.len() < line.len() && number.starts_with('.')) || line.starts_with('{')
}

/// Whether a line begins like a game in USI.
fn is_position(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let is_board = || {
        let letter = |c: char| c.is_ascii_digit() || "/+".contains(c) || "PNSGBRKL".contains(c.to_ascii_uppercase());
        first.bytes().filter(|&byte| byte == b'/').count() >= 4 && first.chars().all(letter)
    };
    matches!(first, "startpos" | "sfen" | "position")
        || first.parse::<Handicap>().is_ok()
        || begins_moves(first)
        || is_board()
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
