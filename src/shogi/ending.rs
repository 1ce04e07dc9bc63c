//! How games end: reasons and scores.

use std::fmt;

use strum::{FromRepr, IntoStaticStr, VariantArray};

use super::Color;

/// The reason why a game ended.
///
/// Files store the name in lower case with dashes, the names in [`EndReason::names`], or the discriminant. None of them
/// may change; add new reasons at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, FromRepr, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[repr(u8)]
pub enum EndReason {
    /// The loser is in check and has no legal move.
    Checkmate = 0,
    /// The loser is not in check and has no legal move.
    NoLegalMove = 1,
    /// The same position occurred for the fourth time.
    Sennichite = 2,
    /// The loser checked with every move up to the fourth occurrence.
    PerpetualCheck = 3,
    /// Impasse, decided by counting points.
    Impasse = 4,
    /// The winner made a correct declaration.
    Declaration = 5,
    /// The winner's king reached the opponent's start square.
    Try = 6,
    /// A search proved the end: a mate, or a win by another rule.
    Proven = 7,
    /// One side's advantage was decisive for long enough.
    AdjudicatedWin = 8,
    /// The game was too long.
    MoveLimit = 9,
    /// The loser made a wrong declaration.
    WrongDeclaration = 10,
    /// The loser resigned.
    Resignation = 11,
    /// The loser played a move that the rules forbid.
    IllegalMove = 12,
    /// The loser's move came too late.
    Time = 13,
    /// The loser, a program, did not answer at all.
    Hang = 14,
    /// The loser's process ended.
    Crash = 15,
    /// The loser, a program, did not introduce itself, or was not ready, in time.
    NoStart = 16,
    /// The loser, a program, closed its output.
    ClosedOutput = 17,
    /// The loser, a program, flooded its output.
    Flood = 18,
    /// The loser, a program, gave an answer that cannot be read.
    Nonsense = 19,
    /// The loser, a program, answered without being asked.
    UnaskedMove = 20,
    /// Both scores were close to zero for long enough.
    AdjudicatedDraw = 21,
    /// The game was broken off.
    #[default]
    Interrupted = 22,
}

impl EndReason {
    /// Every reason, in the order in which tables show them.
    pub const ALL: &[EndReason] = <EndReason as VariantArray>::VARIANTS;

    /// The reason's code in shards of training games, which [`EndReason::from_repr`] reads.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The names in English and in Japanese.
    pub const fn names(self) -> [&'static str; 2] {
        match self {
            EndReason::Checkmate => ["checkmate", "詰み"],
            EndReason::NoLegalMove => ["no legal move", "合法手なし"],
            EndReason::Sennichite => ["sennichite", "千日手"],
            EndReason::PerpetualCheck => ["perpetual check", "連続王手の千日手"],
            EndReason::Impasse => ["impasse", "持将棋"],
            EndReason::Declaration => ["declaration", "入玉宣言"],
            EndReason::Try => ["try", "トライ"],
            EndReason::Proven => ["proven by search", "探索による証明"],
            EndReason::AdjudicatedWin => ["adjudicated win", "勝ち判定"],
            EndReason::MoveLimit => ["move limit", "最大手数"],
            EndReason::WrongDeclaration => ["wrong declaration", "誤った入玉宣言"],
            EndReason::Resignation => ["resignation", "投了"],
            EndReason::IllegalMove => ["illegal move", "反則手"],
            EndReason::Time => ["time", "時間切れ"],
            EndReason::Hang => ["hang", "応答なし"],
            EndReason::Crash => ["crash", "異常終了"],
            EndReason::NoStart => ["no start", "起動失敗"],
            EndReason::ClosedOutput => ["closed output", "出力停止"],
            EndReason::Flood => ["flood", "出力過多"],
            EndReason::Nonsense => ["nonsense", "解釈不能な応答"],
            EndReason::UnaskedMove => ["unasked move", "手番外の応答"],
            EndReason::AdjudicatedDraw => ["adjudicated draw", "引き分け判定"],
            EndReason::Interrupted => ["interrupted", "中断"],
        }
    }

    /// Whether the loser is to blame as a program, not as a player.
    pub const fn is_fault(self) -> bool {
        matches!(
            self,
            EndReason::IllegalMove
                | EndReason::WrongDeclaration
                | EndReason::Time
                | EndReason::Hang
                | EndReason::Crash
                | EndReason::NoStart
                | EndReason::ClosedOutput
                | EndReason::Flood
                | EndReason::Nonsense
                | EndReason::UnaskedMove
        )
    }
}

impl fmt::Display for EndReason {
    /// The name in English: `no legal move`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.names()[0])
    }
}

/// The score of a game, Black's part first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GameScore {
    /// Black won.
    #[cfg_attr(feature = "serde", serde(rename = "1-0"))]
    Black,
    /// White won.
    #[cfg_attr(feature = "serde", serde(rename = "0-1"))]
    White,
    /// The game was drawn.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "1/2-1/2"))]
    Draw,
}

impl GameScore {
    /// The half points of a colour: 0, 1 or 2.
    pub const fn half_points(self, color: Color) -> u32 {
        match (self, color) {
            (GameScore::Draw, _) => 1,
            (GameScore::Black, Color::Black) | (GameScore::White, Color::White) => 2,
            _ => 0,
        }
    }

    /// The usual text: `1-0`, `0-1` or `1/2-1/2`.
    pub const fn text(self) -> &'static str {
        match self {
            GameScore::Black => "1-0",
            GameScore::White => "0-1",
            GameScore::Draw => "1/2-1/2",
        }
    }

    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameScore::Black => Some(Color::Black),
            GameScore::White => Some(Color::White),
            GameScore::Draw => None,
        }
    }
}

impl From<Option<Color>> for GameScore {
    /// The score of a finished game: a draw without a winner.
    fn from(winner: Option<Color>) -> GameScore {
        match winner {
            Some(Color::Black) => GameScore::Black,
            Some(Color::White) => GameScore::White,
            None => GameScore::Draw,
        }
    }
}

impl fmt::Display for GameScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_score_says_who_won_and_what_each_has() {
        for (score, text, half_points, winner) in [
            (GameScore::Black, "1-0", [2, 0], Some(Color::Black)),
            (GameScore::White, "0-1", [0, 2], Some(Color::White)),
            (GameScore::Draw, "1/2-1/2", [1, 1], None),
        ] {
            assert_eq!(score.to_string(), text);
            assert_eq!(serde_json::to_string(&score).unwrap(), format!("\"{text}\""));
            assert_eq!(Color::ALL.map(|color| score.half_points(color)), half_points);
            assert_eq!(score.winner(), winner);
            assert_eq!(GameScore::from(winner), score);
        }
    }

    #[test]
    fn reasons_keep_their_codes_and_names_in_files() {
        // Shards of training games store the positions of these names, records of matches the names themselves.
        let expected = "checkmate no-legal-move sennichite perpetual-check impasse declaration try proven adjudicated-win \
                        move-limit wrong-declaration resignation illegal-move time hang crash no-start closed-output flood \
                        nonsense unasked-move adjudicated-draw interrupted";
        let name = |reason: &EndReason| serde_json::to_string(&reason).unwrap().replace('"', "");
        assert_eq!(EndReason::ALL.iter().map(name).collect::<Vec<_>>().join(" "), expected);
        for (code, &reason) in (0..).zip(EndReason::ALL) {
            assert_eq!((reason.code(), EndReason::from_repr(code)), (code, Some(reason)));
            assert_eq!(serde_json::from_str::<EndReason>(&format!("\"{}\"", name(&reason))).unwrap(), reason);
        }
        for language in 0..2 {
            let names: HashSet<_> = EndReason::ALL.iter().map(|reason| reason.names()[language]).collect();
            assert_eq!(names.len(), EndReason::ALL.len(), "a name says which reason it is");
        }
    }
}
