//! Diagrams of positions in text.

use std::fmt::Write;

use super::notation::japanese::NUMERALS;
use super::{BOARD_SIZE, Color, Hand, Piece, PieceKind, Position, Square};

/// The characters for pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pieces {
    /// Kanji, White's after a `v`, as in Japanese diagrams.
    Kanji,
    /// The letters of SFEN, White's in lower case.
    Letters,
}

/// Draws the board between the two hands. Each line ends with a line break.
///
/// With kanji a square is three columns wide in a terminal that draws a kanji in two columns.
///
/// ```
/// use judkins::shogi::{Position, diagram};
/// let drawn = diagram::draw(&Position::startpos(), diagram::Pieces::Letters);
/// assert!(drawn.contains("| K| G| S| N| B| R|f"));
/// ```
pub fn draw(position: &Position, pieces: Pieces) -> String {
    let mut text = String::new();
    let mut line = |content: std::fmt::Arguments| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{content}");
    };
    let (files, edge) = match pieces {
        Pieces::Kanji => (" ６ ５ ４ ３ ２ １", "+------------------+"),
        Pieces::Letters => ("  6  5  4  3  2  1", "+--+--+--+--+--+--+"),
    };
    line(format_args!("{}", hand_line(position, Color::White, pieces)));
    line(format_args!("{files}"));
    line(format_args!("{edge}"));
    for (row, kanji_rank) in NUMERALS.into_iter().take(BOARD_SIZE).enumerate() {
        let squares = (0..BOARD_SIZE).map(|column| square(position.piece_at(Square::at(column, row)), pieces));
        match pieces {
            Pieces::Kanji => line(format_args!("|{}|{}", squares.collect::<String>(), kanji_rank)),
            Pieces::Letters => {
                let squares: Vec<_> = squares.collect();
                line(format_args!("|{}|{}", squares.join("|"), Square::at(0, row).rank()));
            }
        }
    }
    line(format_args!("{edge}"));
    line(format_args!("{}", hand_line(position, Color::Black, pieces)));
    let (side, number) = (position.side_to_move(), position.move_number());
    let check = if position.in_check() { ", in check" } else { "" };
    line(format_args!("{side} to play move {number}{check}"));
    text
}

fn square(piece: Option<Piece>, pieces: Pieces) -> String {
    match (pieces, piece) {
        (Pieces::Kanji, None) => " ・".to_owned(),
        (Pieces::Kanji, Some(piece)) => {
            let mark = if piece.color() == Color::White { 'v' } else { ' ' };
            format!("{mark}{}", piece.kind().kanji(piece.color()))
        }
        (Pieces::Letters, None) => " .".to_owned(),
        (Pieces::Letters, Some(piece)) => format!("{:>2}", piece.to_string()),
    }
}

fn hand_line(position: &Position, color: Color, pieces: Pieces) -> String {
    match pieces {
        Pieces::Kanji => format!("{} {color} holds {}", color.sign(), hand(position.hand(color), kanji_count)),
        Pieces::Letters => format!("{color} holds {}", hand(position.hand(color), letter_count)),
    }
}

fn kanji_count(kind: PieceKind, count: u32) -> String {
    // Kings are never in hand, so the colour does not matter.
    let kanji = kind.kanji(Color::Black);
    if count > 1 { format!("{kanji}{}", NUMERALS[count as usize - 1]) } else { kanji.to_string() }
}

fn letter_count(kind: PieceKind, count: u32) -> String {
    if count > 1 { format!("{count}{}", kind.letter()) } else { kind.letter().to_string() }
}

fn hand(hand: Hand, write: fn(PieceKind, u32) -> String) -> String {
    if hand.is_empty() {
        return "nothing".to_owned();
    }
    hand.iter().rev().map(|(kind, count)| write(kind, count)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_drawn_in_kanji_and_in_letters() {
        let position: Position = "3+R1k/n5/6/3+b2/6/K1S3 w GN2Pr 7".parse().unwrap();
        let kanji = "\
△ White holds 飛
 ６ ５ ４ ３ ２ １
+------------------+
| ・ ・ ・ 竜 ・v王|一
|v桂 ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ ・ ・|三
| ・ ・ ・v馬 ・ ・|四
| ・ ・ ・ ・ ・ ・|五
| 玉 ・ 銀 ・ ・ ・|六
+------------------+
▲ Black holds 金 桂 歩二
White to play move 7, in check
";
        let letters = "\
White holds R
  6  5  4  3  2  1
+--+--+--+--+--+--+
| .| .| .|+R| .| k|a
| n| .| .| .| .| .|b
| .| .| .| .| .| .|c
| .| .| .|+b| .| .|d
| .| .| .| .| .| .|e
| K| .| S| .| .| .|f
+--+--+--+--+--+--+
Black holds G N 2P
White to play move 7, in check
";
        assert_eq!(draw(&position, Pieces::Kanji), kanji);
        assert_eq!(draw(&position, Pieces::Letters), letters);
    }
}
