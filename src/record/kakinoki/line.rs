//! Classifies the lines of KIF and KI2 files: comments, board rows, header fields, moves, variations and others.

use super::digits::{digit, number, numeral};
use super::part::{MADE, begins_with_part, is_mark, parts};
use crate::shogi::{BOARD_SIZE, Color, Square};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::record) enum LineKind<'a> {
    Blank,
    /// `# …`, for programs.
    Program(&'a str),
    /// `* …`, for people; without the asterisk.
    Comment(&'a str),
    /// `& …`, with the sign.
    Bookmark(&'a str),
    /// A row of the board, after its first `|`.
    Row(&'a str),
    /// The frame of the board, or the digits of its files: 6 or 9.
    Frame(Option<usize>),
    /// `後手番`
    Side(Color),
    /// `手数＝12 ▲６二角成 まで`: the number of the moves before, and the destination of the last one.
    Played {
        count: Option<u32>,
        last: Option<Square>,
    },
    /// `手数----指手---------消費時間--`
    TableHead,
    /// Moves or an ending; of KIF with a number before them.
    Moves {
        has_number: bool,
    },
    /// `変化：3手`
    Variation(Option<usize>),
    /// `まで12手で先手の勝ち`
    Made(&'a str),
    /// `先手：名前`
    Header {
        key: &'a str,
        value: &'a str,
    },
    Other(&'a str),
}

/// Splits a line into a key and the text after its colon.
fn split_key(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(['：', ':'])?;
    let key = key.trim();
    (!key.is_empty() && !key.contains(char::is_whitespace)).then(|| (key, value.trim()))
}

/// The kind of a line, determined by its beginning.
pub(in crate::record) fn line_kind(line: &str) -> LineKind<'_> {
    let text = line.trim();
    let Some(first) = text.chars().next() else { return LineKind::Blank };
    // A comment keeps its spaces.
    if let Some(comment) = line.trim_start().strip_prefix(['*', '＊']) {
        return LineKind::Comment(comment);
    }
    match first {
        '#' | '＃' => return LineKind::Program(text),
        '&' => return LineKind::Bookmark(text),
        '|' | '｜' => return LineKind::Row(&text[first.len_utf8()..]),
        // A move in CSA format begins like a frame.
        '+' if text.len() > 1 && text.chars().all(|c| matches!(c, '+' | '-' | ' ')) => return LineKind::Frame(None),
        _ if is_mark(first) => return LineKind::Moves { has_number: false },
        _ if text.starts_with(MADE) => return LineKind::Made(text),
        _ => {}
    }
    if let Some(rest) = text.strip_prefix("変化").filter(|rest| rest.starts_with(['：', ':'])) {
        let rest = rest.trim_start_matches(['：', ':']).trim();
        return LineKind::Variation(number(rest.strip_suffix('手').unwrap_or(rest)));
    }
    if let Some(rest) = text.strip_prefix("手数").and_then(|rest| rest.strip_prefix(['＝', '='])) {
        let end = rest.find(|c| digit(c).is_none()).unwrap_or(rest.len());
        let played = number(&rest[..end]).and_then(|number| u32::try_from(number).ok());
        // The last move follows it.
        let after = rest[end..].trim_start();
        let is_known =
            after.is_empty() || after.starts_with(is_mark) && (after.ends_with(MADE) || parts(after).len() == 1);
        return if is_known && (played.is_some() || rest.is_empty()) {
            LineKind::Played { count: played, last: destination(after.trim_start_matches(is_mark).trim_start()) }
        } else {
            LineKind::Other(text)
        };
    }
    if is_table_head(text) {
        return LineKind::TableHead;
    }
    match text {
        "先手番" | "下手番" => return LineKind::Side(Color::Black),
        "後手番" | "上手番" => return LineKind::Side(Color::White),
        // Some programs note in the header that they showed the board from White's side.
        "盤面回転" => return LineKind::Program(text),
        _ => {}
    }
    if let Some(files) = files_above(text) {
        return LineKind::Frame(Some(files));
    }
    match begins_with_part(text) {
        Some(has_number) => return LineKind::Moves { has_number },
        // A number begins a move; before the full-width colon of a header it belongs to a key.
        None if digit(first).is_some() && !text.split_once('：').is_some_and(|(key, _)| is_word(key)) => {
            return LineKind::Other(text);
        }
        None => {}
    }
    match split_key(text) {
        Some((key, value)) => LineKind::Header { key: usual_key(key), value },
        None => LineKind::Other(text),
    }
}

/// The usual spelling of a key: people write 持ち駒 where programs write 持駒.
fn usual_key(key: &str) -> &str {
    match key {
        "先手の持ち駒" => "先手の持駒",
        "後手の持ち駒" => "後手の持駒",
        "下手の持ち駒" => "下手の持駒",
        "上手の持ち駒" => "上手の持駒",
        _ => key,
    }
}

/// The square of this game at the beginning of a move.
fn destination(text: &str) -> Option<Square> {
    let mut numerals = text.chars().map(numeral);
    let (column, row) = (BOARD_SIZE.checked_sub(numerals.next()??)?, numerals.next()??.checked_sub(1)?);
    (column < BOARD_SIZE && row < BOARD_SIZE).then(|| Square::at(column, row))
}

/// Whether a text has no spaces and no brackets, which follow the moves of numbered lines.
fn is_word(text: &str) -> bool {
    text.chars().all(|c| !c.is_whitespace() && !"()（）[]".contains(c))
}

/// `手数----指手---------消費時間--`, with any number of dashes.
fn is_table_head(text: &str) -> bool {
    let words: String = text.chars().filter(|c| !c.is_whitespace() && !"-－―─‐ー=＝".contains(*c)).collect();
    let Some(rest) = words.strip_prefix("手数").filter(|_| words.len() < text.len()) else { return false };
    ["", "指手", "指し手"]
        .iter()
        .any(|moves| rest.strip_prefix(moves).is_some_and(|rest| ["", "消費時間", "消費", "時間"].contains(&rest)))
}

/// The number of files above a board: 6, or 9 for another game.
fn files_above(text: &str) -> Option<usize> {
    let is_file = |word: &str| word.chars().count() == 1 && number(word).is_some();
    let files =
        text.split_whitespace().take(10).map(is_file).try_fold(0, |files, is_file| is_file.then_some(files + 1));
    files.filter(|files| matches!(files, 6 | 9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_known_by_their_beginnings() {
        use LineKind::*;
        for (line, kind) in [
            ("", Blank),
            ("　", Blank),
            ("# ---- KIF ----", Program("# ---- KIF ----")),
            ("* two  ", Comment(" two  ")),
            ("  *indented", Comment("indented")),
            ("&しおり", Bookmark("&しおり")),
            ("|v飛v角|一", Row("v飛v角|一")),
            ("+------+", Frame(None)),
            ("+ x - y +", Other("+ x - y +")),
            ("+7776FU", Other("+7776FU")),
            ("  ６ ５ ４ ３ ２ １", Frame(Some(6))),
            ("  9 8 7 6 5 4 3 2 1", Frame(Some(9))),
            ("1 2", Moves { has_number: true }),
            ("後手番", Side(Color::White)),
            ("手数＝12  ▲６二角成  まで", Played { count: Some(12), last: "6b".parse().ok() }),
            ("手数＝7 △ 15歩", Played { count: Some(7), last: "1e".parse().ok() }),
            ("手数＝7 △同　歩 まで", Played { count: Some(7), last: None }),
            ("手数＝", Played { count: None, last: None }),
            ("手数＝abc", Other("手数＝abc")),
            ("手数＝3 abc", Other("手数＝3 abc")),
            ("手数----指手---------消費時間--", TableHead),
            ("手数----指手--", TableHead),
            ("手数---- x", Other("手数---- x")),
            ("   1 ６四歩(65)", Moves { has_number: true }),
            ("12 同　歩(65)", Moves { has_number: true }),
            ("1 64歩(65)", Moves { has_number: true }),
            ("1６四歩(65)", Moves { has_number: true }),
            ("1.６四歩(65)", Moves { has_number: true }),
            ("99999999999999999999 投了", Moves { has_number: true }),
            ("3投了", Moves { has_number: true }),
            ("3 降参", Moves { has_number: true }),
            ("▲６四歩 △１三歩", Moves { has_number: false }),
            ("６四歩 １三歩", Moves { has_number: false }),
            ("同　銀", Moves { has_number: false }),
            ("投了", Moves { has_number: false }),
            ("投了図", Other("投了図")),
            ("△投了", Moves { has_number: false }),
            ("変化：3手", Variation(Some(3))),
            ("変化：１２手", Variation(Some(12))),
            ("変化：", Variation(None)),
            ("まで3手で先手の勝ち", Made("まで3手で先手の勝ち")),
            ("先手：名前", Header { key: "先手", value: "名前" }),
            ("Key: a:b", Header { key: "Key", value: "a:b" }),
            ("12 monkeys", Other("12 monkeys")),
            ("1. P-6d", Other("1. P-6d")),
            ("two words: x", Other("two words: x")),
        ] {
            assert_eq!(line_kind(line), kind, "{line:?}");
        }
    }
}
