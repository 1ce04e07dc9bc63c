use crate::shogi::Color;

/// What a line of a KIF or KI2 file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::record) enum LineKind<'a> {
    Blank,
    /// `# …`, for programs.
    Program(&'a str),
    /// `* …`, for people; without the asterisk.
    Comment(&'a str),
    /// `& …`
    Bookmark,
    /// A row of the board, after its first `|`.
    Row(&'a str),
    /// The frame of the board, or the digits of so many files above it.
    Frame(Option<usize>),
    /// `後手番`
    Side(Color),
    /// `手数＝12 …`
    Played(Option<u32>),
    /// `手数----指手---------消費時間--`
    TableHead,
    /// A move of KIF: its number, and the byte at which what follows the number begins.
    Move {
        number: Option<usize>,
        at: usize,
    },
    /// Moves of KI2.
    Moves,
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

/// The marks before a move: Black's, then White's.
pub(super) const MARKS: [char; 6] = ['▲', '▼', '☗', '△', '▽', '☖'];

/// A number, its digits half or full in width; nothing if it is none or too large.
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

/// A key and what follows its colon.
fn split_key(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(['：', ':'])?;
    let key = key.trim();
    (!key.is_empty() && !key.contains(char::is_whitespace)).then(|| (key, value.trim()))
}

/// What a line is, by its beginning.
pub(in crate::record) fn line_kind(line: &str) -> LineKind<'_> {
    let text = line.trim();
    let Some(first) = text.chars().next() else { return LineKind::Blank };
    // A comment keeps its spaces.
    if let Some(comment) = line.strip_prefix(['*', '＊']) {
        return LineKind::Comment(comment);
    }
    match first {
        '#' | '＃' => return LineKind::Program(text),
        '&' => return LineKind::Bookmark,
        '|' | '｜' => return LineKind::Row(&text[first.len_utf8()..]),
        // A move of CSA begins so too.
        '+' if text.ends_with('+') && text.contains('-') => return LineKind::Frame(None),
        _ if MARKS.contains(&first) => return LineKind::Moves,
        _ if text.starts_with("まで") => return LineKind::Made(text),
        _ => {}
    }
    if let Some(rest) = text.strip_prefix("変化").filter(|rest| rest.starts_with(['：', ':'])) {
        let rest = rest.trim_start_matches(['：', ':']).trim();
        return LineKind::Variation(number(rest.strip_suffix('手').unwrap_or(rest)));
    }
    if let Some(rest) = text.strip_prefix("手数") {
        if let Some(rest) = rest.strip_prefix(['＝', '=']) {
            let end = rest.find(|c| digit(c).is_none()).unwrap_or(rest.len());
            return LineKind::Played(number(&rest[..end]).and_then(|number| u32::try_from(number).ok()));
        }
        if rest.starts_with('-') {
            return LineKind::TableHead;
        }
    }
    match text {
        "先手番" | "下手番" => return LineKind::Side(Color::Black),
        "後手番" | "上手番" => return LineKind::Side(Color::White),
        _ => {}
    }
    if digit(first).is_some() {
        return numbered(line, text);
    }
    match split_key(text) {
        Some((key, value)) => LineKind::Header { key, value },
        None => LineKind::Other(text),
    }
}

/// A line that begins with a digit: a move, or the files above a board.
fn numbered<'a>(line: &str, text: &'a str) -> LineKind<'a> {
    let files = text.chars().filter(|c| !c.is_whitespace());
    if files.clone().all(|c| digit(c).is_some()) && text.split_whitespace().all(|word| word.chars().count() == 1) {
        let files = files.count();
        if files > 1 {
            return LineKind::Frame(Some(files));
        }
    }
    let begin = line.len() - line.trim_start().len();
    let end = line[begin..].find(|c| digit(c).is_none()).map_or(line.len(), |length| begin + length);
    let rest = &line[end..];
    let at = end + rest.len() - rest.trim_start().len();
    let is_move = at > end && line[at..].starts_with(|c: char| !c.is_ascii() || c.is_ascii_digit());
    if is_move { LineKind::Move { number: number(&line[begin..end]), at } } else { LineKind::Other(text) }
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
            ("&しおり", Bookmark),
            ("|v飛v角|一", Row("v飛v角|一")),
            ("+------+", Frame(None)),
            ("+7776FU", Other("+7776FU")),
            ("  ６ ５ ４ ３ ２ １", Frame(Some(6))),
            ("  9 8 7 6 5 4 3 2 1", Frame(Some(9))),
            ("後手番", Side(Color::White)),
            ("手数＝12  ▲６二角成  まで", Played(Some(12))),
            ("手数＝", Played(None)),
            ("手数----指手---------消費時間--", TableHead),
            ("   1 ６四歩(65)", Move { number: Some(1), at: 5 }),
            ("12 同　歩(65)", Move { number: Some(12), at: 3 }),
            ("1 64歩(65)", Move { number: Some(1), at: 2 }),
            ("99999999999999999999 投了", Move { number: None, at: 21 }),
            ("▲６四歩 △１三歩", Moves),
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
