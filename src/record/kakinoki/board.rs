//! The start position in KIF and KI2: handicap, board diagram and hands. Games on 9×9 are rejected.

use super::digits::numeral;
use crate::shogi::diagram::{self, Pieces};
use crate::shogi::{BOARD_SIZE, Color, Hand, Handicap, InvalidPosition, Piece, PieceKind, Position, Setup, Square};

/// The error for a game on 9×9.
pub(super) const NINE_BY_NINE: &str =
    "this is a game of shogi on 9×9; a game on 6×6 says 手合割：ジャドケンス将棋, or has a board of six rows";

/// The name of the game in the handicap field of a record.
const GAME: &str = "ジャドケンス将棋";

/// The start position in a header.
#[derive(Default)]
pub(super) struct Start {
    /// The value of `手合割`.
    pub handicap: Option<String>,
    rows: Vec<[Option<Piece>; BOARD_SIZE]>,
    hands: [Option<Hand>; 2],
    /// The side to move.
    pub side: Option<Color>,
    /// The number of moves made before.
    pub played: Option<u32>,
    /// The destination of the last of them.
    pub last: Option<Square>,
    /// Whether the players are called 下手 and 上手, as in a handicap game.
    pub is_unequal: bool,
}

impl Start {
    /// Reads a row of the board, without its first `|`.
    pub fn row(&mut self, text: &str) -> Result<(), String> {
        let mut row = [None; BOARD_SIZE];
        let mut squares = 0;
        let mut color = Color::Black;
        for c in text.split(['|', '｜']).next().unwrap_or_default().chars() {
            match c {
                ' ' | '\u{3000}' | '^' | '+' => continue,
                'v' | 'V' | 'ｖ' => {
                    color = Color::White;
                    continue;
                }
                _ => {}
            }
            let piece = match c {
                '・' | '･' | '．' | '.' | '·' => None,
                '香' | '杏' => return Err(NINE_BY_NINE.to_owned()),
                _ => {
                    let kind = PieceKind::from_kanji(c).ok_or_else(|| format!("'{c}' is not a piece of this game"))?;
                    Some(Piece::new(color, kind))
                }
            };
            if let Some(square) = row.get_mut(squares) {
                *square = piece;
            }
            squares += 1;
            color = Color::Black;
        }
        match squares {
            BOARD_SIZE if self.rows.len() < BOARD_SIZE => {
                self.rows.push(row);
                Ok(())
            }
            BOARD_SIZE => Err("the board has more than six rows".to_owned()),
            9 => Err(NINE_BY_NINE.to_owned()),
            _ => Err(format!("this row of the board has {squares} squares, not 6")),
        }
    }

    /// Reads a player's hand: `飛　歩二`, or `なし`.
    pub fn hand(&mut self, color: Color, text: &str) -> Result<(), String> {
        let mut hand = Hand::EMPTY;
        let mut chars = text.chars().filter(|c| !c.is_whitespace()).peekable();
        if text.trim() != "なし" {
            while let Some(c) = chars.next() {
                let kind = PieceKind::from_kanji(c).filter(|kind| PieceKind::DROPPABLE.contains(kind));
                let kind = kind.ok_or_else(|| format!("'{c}' is not a piece that this game has in hand"))?;
                let mut count = None;
                while let Some(next) = chars.peek().and_then(|&c| numeral(c)) {
                    count = Some(count.unwrap_or(0usize).saturating_mul(10).saturating_add(next));
                    chars.next();
                }
                for _ in 0..count.unwrap_or(1) {
                    if hand.count(kind) == 2 {
                        return Err(format!("there are no more than 2 {kind}s in the game"));
                    }
                    hand.add(kind);
                }
            }
        }
        self.hands[color.index()] = Some(hand);
        Ok(())
    }

    pub fn has_board(&self) -> bool {
        !self.rows.is_empty() || self.hands.iter().flatten().any(|hand| !hand.is_empty())
    }

    /// Whether all rows of the board have been read.
    pub fn is_board_whole(&self) -> bool {
        self.rows.len() == BOARD_SIZE
    }

    /// The handicap's name, if it has no meaning here and the board defines the position.
    pub fn foreign_handicap(&self) -> Option<&str> {
        let name = self.handicap.as_deref().filter(|_| !self.rows.is_empty())?;
        let is_known = ["", "平手", "その他"].contains(&bare_name(name).as_str()) || handicap_name(name).is_some();
        (!is_known).then_some(name)
    }

    /// The position, if the header defines one.
    pub fn position(&self) -> Result<Position, String> {
        let handicap = self.handicap.as_deref().unwrap_or_default();
        let named = handicap_name(handicap);
        let number = self.played.unwrap_or(0).saturating_add(1);
        if !self.has_board() {
            let start = match named {
                _ if !handicap.is_empty() && !handicap.contains(GAME) => {
                    let is_of_shogi = ["平手", "その他"].contains(&handicap) || handicap.ends_with("落ち");
                    let what = match is_of_shogi {
                        true => format!("手合割：{handicap} without a board"),
                        false => format!("the game '{handicap}' is unknown here, and there is no board"),
                    };
                    return Err(format!("{what}: {NINE_BY_NINE}"));
                }
                Some(handicap) => handicap.position(),
                None => {
                    let name = bare_name(handicap);
                    if !["", "平手"].contains(&name.as_str()) {
                        let known = Handicap::ALL.map(given).join("、");
                        return Err(format!("the handicap '{name}' is unknown; they are {known}"));
                    }
                    Position::startpos()
                }
            };
            let setup = Setup::from(&start);
            let side = self.side.unwrap_or(setup.side_to_move);
            return Position::try_from(&Setup { side_to_move: side, move_number: number, ..setup }).map_err(text);
        }
        if !self.is_board_whole() {
            return Err(format!("the board has {} rows, not 6", self.rows.len()));
        }
        let mut board = [None; Square::COUNT];
        board.iter_mut().zip(self.rows.iter().flatten()).for_each(|(square, piece)| *square = *piece);
        let hands = self.hands.map(Option::unwrap_or_default);
        // In a handicap game the player who gives pieces moves first, unless stated otherwise.
        let gives = named.is_some() || handicap.ends_with("落ち") || self.is_unequal;
        let side_to_move = self.side.unwrap_or(if gives { Color::White } else { Color::Black });
        Position::try_from(&Setup { board, hands, side_to_move, move_number: number }).map_err(text)
    }
}

fn text(error: InvalidPosition) -> String {
    error.to_string()
}

/// The handicap with this name.
fn handicap_name(text: &str) -> Option<Handicap> {
    Handicap::ALL.into_iter().find(|&handicap| bare_name(text) == given(handicap))
}

/// The name of a handicap without the game's name and without brackets.
fn bare_name(text: &str) -> String {
    text.replace(GAME, "").trim_matches(|c: char| c.is_whitespace() || "()（）".contains(c)).to_owned()
}

/// The Japanese name of a handicap.
fn given(handicap: Handicap) -> &'static str {
    match handicap {
        Handicap::Bishop => "角落ち",
        Handicap::Rook => "飛車落ち",
        Handicap::TwoPieces => "二枚落ち",
    }
}

/// The text after `手合割：`.
pub(super) fn handicap_text(handicap: Option<Handicap>) -> String {
    match handicap {
        Some(handicap) => format!("{GAME}　{}", given(handicap)),
        None => GAME.to_owned(),
    }
}

/// The lines of the board with the hands above and below, and these players' names.
pub(super) fn write(position: &Position, [black, white]: [&str; 2]) -> String {
    let board = diagram::board(position, Pieces::Kanji);
    let [black_hand, white_hand] =
        Color::ALL.map(|color| diagram::hand(position.hand(color), Pieces::Kanji, "　", "なし"));
    let mut text = format!("{white}の持駒：{white_hand}\n  ６ ５ ４ ３ ２ １\n{board}{black}の持駒：{black_hand}\n");
    if position.move_number() > 1 {
        text += &format!("手数＝{}\n", position.move_number() - 1);
    }
    if position.side_to_move() == Color::White {
        text += &format!("{white}番\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Position, String> {
        use super::super::line::{LineKind, line_kind};
        let mut start = Start::default();
        for line in text.lines() {
            match line_kind(line) {
                LineKind::Row(row) => start.row(row)?,
                LineKind::Side(side) => start.side = Some(side),
                LineKind::Played { count, .. } => start.played = count,
                LineKind::Header { key: "後手の持駒", value } => start.hand(Color::White, value)?,
                LineKind::Header { key: "先手の持駒", value } => start.hand(Color::Black, value)?,
                LineKind::Header { key: "手合割", value } => start.handicap = Some(value.to_owned()),
                _ => {}
            }
        }
        start.position()
    }

    #[test]
    fn boards_are_written_and_read_back() {
        for sfen in [
            "rbnsgk/5p/6/6/P5/KGSNBR b - 1",
            "r1nsgk/5p/6/6/P5/KGSNBR w - 1",
            "3+R1k/n5/6/3+b2/6/K1S3 w GN2Pr 7",
            "5k/6/1+P+N+S+B1/1+p+n+s2/6/K5 b 2R2Gb 12",
        ] {
            let position: Position = sfen.parse().unwrap();
            assert_eq!(read(&write(&position, ["先手", "後手"])).unwrap().to_string(), sfen);
        }
        let drawn = write(&"3+R1k/n5/6/3+b2/6/K1S3 w GN2Pr 7".parse().unwrap(), ["先手", "後手"]);
        let expected = "\
後手の持駒：飛
  ６ ５ ４ ３ ２ １
+------------------+
| ・ ・ ・ 竜 ・v王|一
|v桂 ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ ・ ・|三
| ・ ・ ・v馬 ・ ・|四
| ・ ・ ・ ・ ・ ・|五
| 玉 ・ 銀 ・ ・ ・|六
+------------------+
先手の持駒：金　桂　歩二
手数＝6
後手番
";
        assert_eq!(drawn, expected);
    }

    #[test]
    fn a_board_is_read_as_other_programs_write_it() {
        let text = "\
手合割：その他
後手の持駒：飛角 金2 歩２　
  6 5 4 3 2 1
+------------------+
| ・ ・ ・ 龍 ・v玉|一
|v桂 ・ ・ ・ ・ ・
| ・ ・ ・ ・ ・ ・|三
| ・ ・ ・v馬 ・ ・|四
| ・ ・ ・ ・ ・ ・|五
| 王 ・ 銀 ・ ・ ・|六
+------------------+
先手の持駒：
後手番
";
        // One rook on the board, one in hand; the same with bishops.
        assert_eq!(read(text).unwrap().to_string(), "3+R1k/n5/6/3+b2/6/K1S3 w rb2g2p 1");
    }

    #[test]
    fn handicaps_have_names() {
        for handicap in Handicap::ALL {
            let text = format!("手合割：{}\n", handicap_text(Some(handicap)));
            assert_eq!(read(&text).unwrap().to_string(), handicap.sfen());
        }
        assert_eq!(read("手合割：ジャドケンス将棋").unwrap(), Position::startpos());
        assert_eq!(read("").unwrap(), Position::startpos());
    }

    #[test]
    fn starts_of_other_games_are_refused() {
        let row = "| ・ ・ ・ ・ ・ ・|\n";
        for (text, error) in [
            ("手合割：平手", "手合割：平手 without a board: this is a game of shogi on 9×9"),
            ("手合割：角落ち", "手合割：角落ち without a board: this is a game of shogi on 9×9"),
            ("手合割：5五将棋", "the game '5五将棋' is unknown here"),
            ("|v香v桂v銀v金v玉v金v銀v桂v香|一", "this is a game of shogi on 9×9"),
            ("| ・ ・ ・ ・ ・ ・ ・ ・ ・|三", "this is a game of shogi on 9×9"),
            ("| ・ ・ ・ ・ ・|三", "this row of the board has 5 squares, not 6"),
            ("| ・ ・ ・ 象 ・ ・|三", "'象' is not a piece of this game"),
            (&row.repeat(7), "the board has more than six rows"),
            (&row.repeat(5), "the board has 5 rows, not 6"),
            (&row.repeat(6), "Black has no king"),
            ("先手の持駒：歩三", "there are no more than 2 pawns in the game"),
            ("先手の持駒：玉", "'玉' is not a piece that this game has in hand"),
            ("先手の持駒：歩", "the board has 0 rows, not 6"),
        ] {
            let refused = read(text).unwrap_err();
            assert!(refused.starts_with(error), "{text}: {refused}");
        }
    }
}
