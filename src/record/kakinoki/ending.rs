//! The Japanese words for the end of a game, such as 投了 and 千日手, and their results and reasons.

use std::time::Duration;

use super::digits::digit;
use crate::record::Header;
use crate::record::notes::FormerEndWords;
use crate::shogi::{Color, EndReason, GameScore};
use EndReason::*;

/// The result and the reason of a game's end, as far as they are known.
pub(super) type Ending = (Option<GameScore>, Option<EndReason>);

/// The content of the last lines of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct End {
    pub ending: Ending,
    /// The word in place of a move.
    pub word: Option<&'static str>,
    /// The thinking time of the player to move.
    pub time: Option<Duration>,
}

/// The result that a word states for the player to move, or for the player whose mark precedes it.
#[derive(Clone, Copy)]
enum Stated {
    Won,
    Lost,
    Draw,
    Nothing,
}
use Stated::*;

/// The words in place of a move that end a game, and their meaning.
const WORDS: [(&[&str], Stated, Option<EndReason>); 18] = [
    (&["投了"], Lost, Some(Resignation)),
    (&["中断", "封じ手", "指し掛け", "指掛け", "打ち掛け", "打掛", "エラー"], Nothing, Some(Interrupted)),
    (&["千日手"], Draw, Some(Sennichite)),
    // The word does not tell who gave the checks.
    (&["連続王手の千日手", "連続王手千日手", "王手連続千日手"], Nothing, Some(PerpetualCheck)),
    (&["持将棋"], Draw, Some(Impasse)),
    (&["引き分け", "引分", "引分け"], Draw, None),
    (&["最大手数"], Draw, Some(MoveLimit)),
    (&["詰み", "詰"], Lost, Some(Checkmate)),
    (&["切れ負け", "時間切れ負け", "時間切れ"], Lost, Some(Time)),
    (&["切れ勝ち", "時間切れ勝ち"], Won, Some(Time)),
    (&["接続切れ"], Lost, Some(Crash)),
    (&["反則勝ち", "反則勝"], Won, Some(IllegalMove)),
    (&["反則負け", "反則負", "反則手"], Lost, Some(IllegalMove)),
    (&["入玉勝ち", "入玉宣言勝ち", "入玉宣言", "宣言勝ち", "勝ち宣言"], Won, Some(Declaration)),
    (&["トライ"], Lost, Some(Try)),
    // A solver's result.
    (&["不詰"], Nothing, None),
    (&["不戦勝", "不戦勝ち"], Won, None),
    (&["不戦敗", "不戦負け"], Lost, None),
];

fn words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().flat_map(|(words, ..)| words.iter().copied())
}

/// The meaning of a word in place of a move; `mover` is the player to move, or the player whose mark precedes the word.
pub(super) fn of_word(word: &str, mover: Color) -> Option<Ending> {
    let &(_, stated, reason) = WORDS.iter().find(|(words, ..)| words.contains(&word))?;
    let result = match stated {
        Won => Some(GameScore::from(Some(mover))),
        Lost => Some(GameScore::from(Some(!mover))),
        Draw => Some(GameScore::Draw),
        Nothing => None,
    };
    Some((result, reason))
}

/// The longest ending word at the beginning of a text.
pub(super) fn leading_word(text: &str) -> Option<&'static str> {
    words().filter(|word| text.starts_with(word)).max_by_key(|word| word.len())
}

/// The word to keep as a game's detail, if it says more than the result and the reason.
pub(super) fn telling(word: &str) -> Option<&'static str> {
    Some(match word {
        "封じ手" => "封じ手",
        "指し掛け" | "指掛け" | "打ち掛け" | "打掛" => "指し掛け",
        "不詰" => "不詰",
        "不戦勝" | "不戦勝ち" => "不戦勝",
        "不戦敗" | "不戦負け" => "不戦敗",
        "エラー" => "エラー",
        _ => return None,
    })
}

/// Whether the game may continue after this word.
pub(super) fn is_pause(word: &str) -> bool {
    matches!(of_word(word, Color::Black), Some((None, Some(Interrupted))))
}

/// The word for a game's end: its detail, if that is one, or else the closest word; none if nothing is known.
pub(super) fn word(header: &Header, mover: Color) -> Option<&'static str> {
    let ending = (header.result, header.reason);
    let detail = header.detail.as_deref().and_then(|detail| telling(detail).filter(|word| *word == detail));
    detail.filter(|word| of_word(word, mover) == Some(ending)).or_else(|| nearest(ending, mover))
}

/// The closest word for a game's end; none if nothing is known.
fn nearest((result, reason): Ending, mover: Color) -> Option<&'static str> {
    Some(match (result, reason) {
        (None, None) => return None,
        (None, Some(_)) => "中断",
        (Some(GameScore::Draw), Some(Sennichite)) => "千日手",
        (Some(GameScore::Draw), _) => "持将棋",
        (Some(won), Some(Declaration | Try | Impasse)) if won.winner() == Some(mover) => "入玉勝ち",
        (Some(won), _) if won.winner() == Some(mover) => "反則勝ち",
        (Some(_), Some(Checkmate | NoLegalMove)) => "詰み",
        (Some(_), Some(Time)) => "切れ負け",
        (Some(_), Some(PerpetualCheck)) => "反則負け",
        (Some(_), Some(fault)) if fault.is_fault() => "反則負け",
        (Some(_), _) => "投了",
    })
}

/// The line after the moves: `まで12手で先手の勝ち`.
pub(super) fn closing_line(word: &str, moves: usize, names: [&str; 2], mover: Color) -> String {
    let (us, them) = (names[mover.index()], names[(!mover).index()]);
    let how = match word {
        "投了" => format!("{them}の勝ち"),
        "切れ負け" => format!("時間切れにより{them}の勝ち"),
        "反則勝ち" | "反則負け" | "入玉勝ち" | "不戦勝" | "不戦敗" => format!("{us}の{word}"),
        other => other.to_owned(),
    };
    format!("まで{moves}手で{how}")
}

/// The winner named by `先手の勝ち`, even if another player is named before: `先手の投了により後手の勝ち`.
fn named_winner(text: &str) -> Option<Color> {
    let wins = |names: [&str; 2]| names.into_iter().any(|name| text.contains(&format!("{name}の勝ち")));
    match (wins(["先手", "下手"]), wins(["後手", "上手"])) {
        (true, false) => Some(Color::Black),
        (false, true) => Some(Color::White),
        _ => None,
    }
}

/// The reason of a win, from the words around the winner's name.
fn reason_of_win(text: &str) -> Option<EndReason> {
    let reasons = [
        ("千日手", Some(PerpetualCheck)),
        ("持将棋", Some(Impasse)),
        ("入玉", Some(Declaration)),
        ("宣言", Some(Declaration)),
        ("トライ", Some(Try)),
        ("切れ", Some(Time)),
        ("反則", Some(IllegalMove)),
        ("不戦", None),
        ("詰", Some(Checkmate)),
    ];
    reasons.into_iter().find(|(word, _)| text.contains(word)).map_or(Some(Resignation), |(_, reason)| reason)
}

/// The meaning of a line about the end, and the word in place of a move for it, if there is one.
pub(super) fn of_made(text: &str, mover: Color) -> Option<(Ending, Option<&'static str>)> {
    if let Some(winner) = named_winner(text) {
        return Some(((Some(GameScore::from(Some(winner))), reason_of_win(text)), None));
    }
    let names = |names: [&str; 2]| names.into_iter().any(|name| text.contains(name));
    let color = match (names(["先手", "下手"]), names(["後手", "上手"])) {
        (true, false) => Some(Color::Black),
        (false, true) => Some(Color::White),
        _ => None,
    };
    let word = words().filter(|word| text.contains(word)).max_by_key(|word| word.len());
    match (word, color) {
        // For these words the line does not name the player.
        (Some(word @ ("詰み" | "詰" | "トライ")), _) | (Some(word), None) => {
            of_word(word, mover).map(|ending| (ending, Some(word)))
        }
        (Some(word), Some(color)) => of_word(word, color).map(|ending| (ending, Some(word))),
        (None, Some(color)) if text.contains("勝") => {
            Some(((Some(GameScore::from(Some(color))), reason_of_win(text)), None))
        }
        (None, _) => None,
    }
}

/// Whether the line contains nothing that [`of_made`] does not understand.
pub(super) fn is_plain(text: &str) -> bool {
    const PHRASES: [&str; 24] = [
        "まで",
        "手で",
        "手",
        "先手",
        "後手",
        "下手",
        "上手",
        "により",
        "による",
        "よって",
        "に",
        "の",
        "で",
        "は",
        "が",
        "勝ち",
        "勝利",
        "勝",
        "負け",
        "宣言",
        "切れ",
        "反則",
        "入玉",
        "連続王手",
    ];
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let known = words().chain(PHRASES).filter(|phrase| rest.starts_with(phrase)).map(str::len).max();
        let is_between = c.is_whitespace() || digit(c).is_some() || "、。，．,.".contains(c);
        rest = match known.or(is_between.then(|| c.len_utf8())) {
            Some(length) => &rest[length..],
            None => return false,
        };
    }
    true
}

/// The name of a reason in a header; `不明` for a result without a known reason.
pub(super) fn reason_name(reason: Option<EndReason>) -> &'static str {
    reason.map_or("不明", |reason| reason.names()[1])
}

/// The end of a game that was continued: `▲勝ち（投了）`.
pub(super) const FORMER_END: FormerEndWords = FormerEndWords {
    results: ["▲勝ち", "△勝ち", "引き分け", "中断"],
    reason: |reason| reason.names()[1].to_owned(),
    signs: ["（", "）"],
};

pub(super) fn named_reason(name: &str) -> Option<Option<EndReason>> {
    let reasons = EndReason::ALL.iter().copied().map(Some).chain([None]);
    reasons.into_iter().find(|&reason| reason_name(reason) == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::FormerEnd;
    use crate::record::notes::RESULTS;

    fn results_and_reasons() -> impl Iterator<Item = Ending> {
        let reasons = EndReason::ALL.iter().copied().map(Some).chain([None]);
        reasons.flat_map(|reason| RESULTS.map(|result| (result, reason)))
    }

    #[test]
    fn every_ending_has_a_word_that_keeps_the_result_and_a_line_that_says_the_same() {
        for ((result, reason), mover) in results_and_reasons().flat_map(|end| Color::ALL.map(|mover| (end, mover))) {
            let header = Header { result, reason, ..Header::default() };
            let Some(word) = word(&header, mover) else { continue };
            let ending = of_word(word, mover).expect("every word is read");
            assert_eq!(ending.0, result, "{reason:?}");
            said_the_same(word, ending, mover);
        }
        for (word, mover) in words().flat_map(|word| Color::ALL.map(|mover| (word, mover))) {
            let ending = of_word(word, mover).expect("every word is read");
            assert_eq!(leading_word(&format!("{word}。")), Some(word));
            if let Some(telling) = telling(word) {
                let detail = Some(telling.to_owned());
                let header = Header { result: ending.0, reason: ending.1, detail, ..Header::default() };
                assert_eq!((super::word(&header, mover), of_word(telling, mover)), (Some(telling), Some(ending)));
                said_the_same(telling, ending, mover);
            }
        }
        for (result, reason) in results_and_reasons() {
            let end = FormerEnd { result, reason, detail: None };
            assert_eq!(FORMER_END.read(&FORMER_END.write(&end)), Some(end));
        }
        assert_eq!(FORMER_END.read("▲勝ち（歩）"), None);
        assert_eq!(named_reason("トライ"), Some(Some(Try)));
        assert_eq!(named_reason("x"), None);
    }

    fn said_the_same(word: &str, ending: Ending, mover: Color) {
        for names in [["先手", "後手"], ["下手", "上手"]] {
            let made = closing_line(word, 12, names, mover);
            assert_eq!(of_made(&made, mover).map(|(ending, _)| ending), Some(ending), "{made}");
            assert!(is_plain(&made), "{made}");
        }
    }

    #[test]
    fn other_programs_lines_are_understood() {
        let (black, white) = (Some(GameScore::Black), Some(GameScore::White));
        for (text, ending) in [
            ("まで111手で先手の勝ち", Some((black, Some(Resignation)))),
            ("まで、111手で先手の勝ち", Some((black, Some(Resignation)))),
            ("まで4手で詰み", Some((white, Some(Checkmate)))),
            ("まで5手で時間切れにより後手の勝ち", Some((white, Some(Time)))),
            ("まで5手で後手の反則負け", Some((black, Some(IllegalMove)))),
            ("まで5手で千日手", Some((Some(GameScore::Draw), Some(Sennichite)))),
            ("まで5手で中断", Some((None, Some(Interrupted)))),
            ("まで2手で不詰", Some((None, None))),
            ("まで4手でトライ", Some((white, Some(Try)))),
            ("まで", None),
            // The player named first has not won.
            ("まで2手で先手の時間切れにより後手の勝ち", Some((white, Some(Time)))),
            ("まで3手で後手の投了により先手の勝ち", Some((black, Some(Resignation)))),
            ("まで2手で先手の反則により後手の勝ち", Some((white, Some(IllegalMove)))),
            // A word for a draw is the reason only if a player has won.
            ("まで50手で連続王手の千日手により先手の勝ち", Some((black, Some(PerpetualCheck)))),
            ("まで99手で持将棋により上手の勝ち", Some((white, Some(Impasse)))),
            ("まで2手で先手の不戦勝", Some((black, None))),
            ("まで、後手投了", Some((black, Some(Resignation)))),
            ("まで12手で後手の投了", Some((black, Some(Resignation)))),
            ("まで13手で投了", Some((white, Some(Resignation)))),
            ("まで２手で封じ手", Some((None, Some(Interrupted)))),
            ("まで100手で最大手数により引き分け", Some((Some(GameScore::Draw), Some(MoveLimit)))),
        ] {
            assert_eq!(of_made(text, Color::Black).map(|(ending, _)| ending), ending, "{text}");
            assert!(is_plain(text), "{text}");
        }
        for text in ["まで3手で先手の勝ち hello", "まで3手で先手が笑った"] {
            assert!(!is_plain(text), "{text}");
        }
    }
}
