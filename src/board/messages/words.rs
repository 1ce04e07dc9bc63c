//! What the server says to people, in the languages of the page.

use serde::{Deserialize, Serialize};

use crate::record::{Problem, ReadError};
use crate::shogi::notation::japanese;
use crate::shogi::{Color, EndReason, GameResult, Handicap, InvalidPosition, PieceKind, PointCount};

/// A text in English and Japanese.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Words {
    pub en: String,
    pub ja: String,
}

impl Words {
    /// The same thing said twice.
    pub fn new(en: impl Into<String>, ja: impl Into<String>) -> Words {
        Words { en: en.into(), ja: ja.into() }
    }

    /// A text that is as it is in both languages: what an engine or a file says.
    pub fn verbatim(text: impl Into<String>) -> Words {
        let en = text.into();
        Words { ja: en.clone(), en }
    }
}

/// A colour in Japanese.
fn color_ja(color: Color) -> &'static str {
    match color {
        Color::Black => "先手",
        Color::White => "後手",
    }
}

/// A kind of piece in Japanese.
fn kind_ja(kind: PieceKind) -> String {
    match kind {
        PieceKind::King => "玉".to_owned(),
        kind => kind.kanji(Color::Black).to_string(),
    }
}

/// Why a game ended.
pub fn reason(reason: EndReason) -> Words {
    let en = match reason {
        EndReason::Sennichite => "fourfold repetition",
        EndReason::Time => "time is up",
        reason => reason.names()[0],
    };
    Words::new(en, reason.names()[1])
}

/// The end of a game: `Black wins: checkmate`.
pub fn end(winner: Option<Color>, why: Option<&Words>) -> Words {
    let (en, ja) = match winner {
        Some(winner) => (format!("{winner} wins"), format!("{}の勝ち", color_ja(winner))),
        None => ("No contest".to_owned(), "引き分け".to_owned()),
    };
    match why {
        Some(why) => Words::new(format!("{en}: {}", why.en), format!("{ja}（{}）", why.ja)),
        None => Words::new(en, ja),
    }
}

/// The end of a game by the rules, with the points or the illegal move.
pub fn result(result: &GameResult) -> Words {
    let mut why = reason(result.reason);
    if let Some(PointCount { points: [black, white] }) = result.points {
        why.en += &format!(", {black} points to {white}");
        why.ja += &format!("、{black}点対{white}点");
    }
    end(result.winner, Some(&why))
}

/// What is wrong with a record, and where. The details are in English in both languages.
pub fn problem(problem: &Problem) -> Words {
    let Problem { line, column, message } = problem;
    Words::new(problem.to_string(), format!("{line}行{column}桁目に誤りがあります（{message}）"))
}

/// Why a text is not read at all.
pub fn unreadable(error: &ReadError) -> Words {
    let ja = match error {
        ReadError::UnknownFormat => {
            "形式が分かりません。KIF・KI2・PGN・USI・SFENか、自己対局の記録を指定してください。".to_owned()
        }
        ReadError::Io(error) => format!("読み取りに失敗しました（{error}）"),
    };
    Words::new(error.to_string(), ja)
}

/// Why a position cannot be played.
pub fn invalid(problem: &InvalidPosition) -> Words {
    let ja = match *problem {
        InvalidPosition::NoKing(color) => format!("{}の玉がありません。", color_ja(color)),
        InvalidPosition::SecondKing(color, square) => {
            format!("{}の玉が{}にもあります。", color_ja(color), japanese::square(square))
        }
        InvalidPosition::TooMany(kind, count) => format!("{}が{count}枚あります。2枚までです。", kind_ja(kind)),
        InvalidPosition::Nifu(color, file) => format!("{}の歩が{file}筋に2枚あります（二歩）。", color_ja(color)),
        InvalidPosition::DeadPiece(color, kind, square) => {
            format!("{}の{}の{}は動けません。", japanese::square(square), color_ja(color), kind_ja(kind))
        }
        InvalidPosition::OpponentInCheck(color, ..) => {
            format!("手番でない{}の玉に王手がかかっています。", color_ja(color))
        }
    };
    let mut en = format!("{problem}.");
    if let Some(first) = en.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Words::new(en, ja)
}

/// The name of a handicap.
pub fn handicap(handicap: Handicap) -> Words {
    match handicap {
        Handicap::Bishop => Words::new("Bishop", "角落ち"),
        Handicap::Rook => Words::new("Rook", "飛車落ち"),
        Handicap::TwoPieces => Words::new("Two pieces", "二枚落ち"),
    }
}
