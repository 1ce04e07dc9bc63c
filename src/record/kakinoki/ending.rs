use crate::shogi::{Color, EndReason, GameScore};
use EndReason::*;

/// How a game ended: its result and the reason, as far as they are known.
pub(super) type Ending = (Option<GameScore>, Option<EndReason>);

/// What a word in the place of a move says of the game; `mover` is the player to move.
pub(super) fn of_word(word: &str, mover: Color) -> Option<Ending> {
    let (won, lost) = (Some(GameScore::from(Some(mover))), Some(GameScore::from(Some(!mover))));
    Some(match word {
        "投了" => (lost, Some(Resignation)),
        "中断" => (None, Some(Interrupted)),
        "千日手" => (Some(GameScore::Draw), Some(Sennichite)),
        "持将棋" => (Some(GameScore::Draw), Some(Impasse)),
        "引き分け" | "引分" | "引分け" => (Some(GameScore::Draw), None),
        "詰み" | "詰" => (lost, Some(Checkmate)),
        "切れ負け" | "時間切れ" => (lost, Some(Time)),
        "反則勝ち" => (won, Some(IllegalMove)),
        "反則負け" => (lost, Some(IllegalMove)),
        "入玉勝ち" | "入玉宣言" | "宣言勝ち" => (won, Some(Declaration)),
        "トライ" => (lost, Some(Try)),
        // What a solver says.
        "不詰" => (None, None),
        "不戦勝" | "不戦勝ち" => (won, None),
        "不戦敗" | "不戦負け" => (lost, None),
        _ => return None,
    })
}

/// The word that comes nearest to how a game ended; none if nothing is known.
pub(super) fn word((result, reason): Ending, mover: Color) -> Option<&'static str> {
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
pub(super) fn made_text(word: &str, moves: usize, names: [&str; 2], mover: Color) -> String {
    let (us, them) = (names[mover.index()], names[(!mover).index()]);
    let how = match word {
        "投了" => format!("{them}の勝ち"),
        "切れ負け" => format!("時間切れにより{them}の勝ち"),
        "反則勝ち" | "反則負け" | "入玉勝ち" => format!("{us}の{word}"),
        other => other.to_owned(),
    };
    format!("まで{moves}手で{how}")
}

/// Who wins by the words `先手の勝ち`, whoever else is named before them: `先手の投了により後手の勝ち`.
fn named_winner(text: &str) -> Option<Color> {
    let wins = |names: [&str; 2]| names.into_iter().any(|name| text.contains(&format!("{name}の勝ち")));
    match (wins(["先手", "下手"]), wins(["後手", "上手"])) {
        (true, false) => Some(Color::Black),
        (false, true) => Some(Color::White),
        _ => None,
    }
}

/// Why a game was won, by the words around the winner's name.
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

/// What such a line says.
pub(super) fn of_made(text: &str, mover: Color) -> Option<Ending> {
    if let Some(winner) = named_winner(text) {
        return Some((Some(GameScore::from(Some(winner))), reason_of_win(text)));
    }
    let color = if text.contains("先手の") || text.contains("下手の") {
        Some(Color::Black)
    } else if text.contains("後手の") || text.contains("上手の") {
        Some(Color::White)
    } else {
        None
    };
    // The longer word first, where one holds another.
    let named = [
        "不詰",
        "千日手",
        "持将棋",
        "中断",
        "反則勝ち",
        "反則負け",
        "入玉勝ち",
        "切れ負け",
        "引き分け",
        "引分",
        "トライ",
    ];
    let word = named.into_iter().find(|word| text.contains(word));
    match (word, color) {
        (Some(word @ ("反則勝ち" | "反則負け" | "入玉勝ち" | "切れ負け")), Some(color)) => {
            of_word(word, color)
        }
        (Some(word), _) => of_word(word, mover),
        (None, Some(color)) if text.contains("勝") => Some((Some(GameScore::from(Some(color))), reason_of_win(text))),
        (None, _) if text.contains('詰') => of_word("詰み", mover),
        _ => None,
    }
}

/// A reason's name in a header; `不明` where there is a result without a reason.
pub(super) fn reason_name(reason: Option<EndReason>) -> &'static str {
    reason.map_or("不明", |reason| reason.names()[1])
}

/// The reason with this name.
pub(super) fn named_reason(name: &str) -> Option<Option<EndReason>> {
    let reasons = EndReason::ALL.iter().copied().map(Some).chain([None]);
    reasons.into_iter().find(|&reason| reason_name(reason) == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_ending_has_a_word_that_keeps_the_result_and_a_line_that_says_the_same() {
        let scores = [None, Some(GameScore::Black), Some(GameScore::White), Some(GameScore::Draw)];
        let reasons = EndReason::ALL.iter().copied().map(Some).chain([None]);
        for (reason, score, mover) in reasons
            .flat_map(|reason| scores.into_iter().flat_map(move |score| Color::ALL.map(|mover| (reason, score, mover))))
        {
            let Some(word) = word((score, reason), mover) else { continue };
            let ending = of_word(word, mover).expect("every word is read");
            assert_eq!(ending.0, score, "{reason:?}");
            for names in [["先手", "後手"], ["下手", "上手"]] {
                let made = made_text(word, 12, names, mover);
                assert_eq!(of_made(&made, mover), Some(ending), "{made}");
            }
        }
        assert_eq!(named_reason("トライ"), Some(Some(Try)));
        assert_eq!(named_reason("x"), None);
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
            // Who is named first has not won.
            ("まで2手で先手の時間切れにより後手の勝ち", Some((white, Some(Time)))),
            ("まで3手で後手の投了により先手の勝ち", Some((black, Some(Resignation)))),
            ("まで2手で先手の反則により後手の勝ち", Some((white, Some(IllegalMove)))),
            // A draw's word is the reason only where somebody has won.
            ("まで50手で連続王手の千日手により先手の勝ち", Some((black, Some(PerpetualCheck)))),
            ("まで99手で持将棋により上手の勝ち", Some((white, Some(Impasse)))),
            ("まで2手で先手の不戦勝", Some((black, None))),
        ] {
            assert_eq!(of_made(text, Color::Black), ending, "{text}");
        }
    }
}
