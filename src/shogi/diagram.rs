//! Diagrams of positions in text.

use super::notation::japanese::NUMERALS;
use super::{BOARD_SIZE, Color, Hand, Piece, Position, Square};

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
    let files = match pieces {
        Pieces::Kanji => " ６ ５ ４ ３ ２ １",
        Pieces::Letters => "  6  5  4  3  2  1",
    };
    let [black, white] = Color::ALL.map(|color| {
        let sign = if pieces == Pieces::Kanji { format!("{} ", color.sign()) } else { String::new() };
        format!("{sign}{color} holds {}", hand(position.hand(color), pieces, " ", "nothing"))
    });
    let (side, number) = (position.side_to_move(), position.move_number());
    let check = if position.in_check() { ", in check" } else { "" };
    let board = board(position, pieces);
    format!("{white}\n{files}\n{board}{black}\n{side} to play move {number}{check}\n")
}

/// The rows of the board in their frame. Each line ends with a line break.
pub(crate) fn board(position: &Position, pieces: Pieces) -> String {
    let (edge, between) = match pieces {
        Pieces::Kanji => ("+------------------+\n", ""),
        Pieces::Letters => ("+--+--+--+--+--+--+\n", "|"),
    };
    let mut text = edge.to_owned();
    for (row, kanji_rank) in NUMERALS.into_iter().take(BOARD_SIZE).enumerate() {
        let squares = (0..BOARD_SIZE).map(|column| square(position.piece_at(Square::at(column, row)), pieces));
        let squares: Vec<String> = squares.collect();
        let rank = if pieces == Pieces::Kanji { kanji_rank } else { Square::at(0, row).rank() };
        text += &format!("|{}|{rank}\n", squares.join(between));
    }
    text + edge
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

/// The pieces of a hand with `between` between them, or `none`.
pub(crate) fn hand(hand: Hand, pieces: Pieces, between: &str, none: &str) -> String {
    if hand.is_empty() {
        return none.to_owned();
    }
    let held = hand.iter().rev().map(|(kind, count)| match (pieces, count) {
        // Kings are never in hand, so the colour does not matter.
        (Pieces::Kanji, 1) => kind.kanji(Color::Black).to_string(),
        (Pieces::Kanji, _) => format!("{}{}", kind.kanji(Color::Black), NUMERALS[count as usize - 1]),
        (Pieces::Letters, 1) => kind.letter().to_string(),
        (Pieces::Letters, _) => format!("{count}{}", kind.letter()),
    });
    held.collect::<Vec<String>>().join(between)
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
