//! Parsing and writing of SFEN, the text form of positions.

use std::fmt;
use std::str::FromStr;

use super::{BOARD_SIZE, Color, Hand, InvalidPosition, Piece, PieceKind, Position, Setup, Square};

/// The reason why a text does not parse as an SFEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum ParseSfenError {
    #[error("the SFEN has no {0}")]
    Missing(&'static str),
    #[error("the board has {0} ranks, not 6")]
    RankCount(usize),
    #[error("rank {rank} has {squares} squares, not 6")]
    RankLength { rank: char, squares: usize },
    #[error("'{0}' is neither a piece nor a count of empty squares")]
    UnknownPiece(char),
    #[error("the '+' in rank {0} is not followed by a piece that promotes")]
    DanglingPlus(char),
    #[error("the side to move must be 'b' or 'w', not '{0}'")]
    UnknownSide(String),
    #[error("the hands must be '-' or letters of R B G S N P with counts of at most 2, not '{0}'")]
    BadHand(String),
    #[error("the move number must be a whole number below 2^32 (2^31 in FEN), not '{0}'")]
    BadMoveNumber(String),
    #[error("unexpected '{0}' after the end of the SFEN")]
    TrailingText(String),
}

/// The reason why a text is not the SFEN of a position: it does not parse, or cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SfenError {
    /// The text does not parse.
    #[error(transparent)]
    Parse(#[from] ParseSfenError),
    /// The position cannot be played.
    #[error(transparent)]
    Invalid(#[from] InvalidPosition),
}

fn parse_board(text: &str) -> Result<[Option<Piece>; Square::COUNT], ParseSfenError> {
    let ranks = text.split('/').count();
    if ranks != BOARD_SIZE {
        return Err(ParseSfenError::RankCount(ranks));
    }
    let mut board = [None; Square::COUNT];
    for (row, text) in text.split('/').enumerate() {
        let rank = Square::at(0, row).rank();
        let mut column = 0;
        let mut promoted = false;
        for c in text.chars() {
            if let Some(empty @ 1..=6) = c.to_digit(10) {
                if promoted {
                    return Err(ParseSfenError::DanglingPlus(rank));
                }
                column += empty as usize;
                continue;
            }
            if c == '+' {
                if promoted {
                    return Err(ParseSfenError::DanglingPlus(rank));
                }
                promoted = true;
                continue;
            }
            let mut kind = PieceKind::from_letter(c.to_ascii_uppercase()).ok_or(ParseSfenError::UnknownPiece(c))?;
            if promoted {
                kind = kind.promoted().ok_or(ParseSfenError::DanglingPlus(rank))?;
                promoted = false;
            }
            let color = if c.is_ascii_uppercase() { Color::Black } else { Color::White };
            if column < BOARD_SIZE {
                board[Square::at(column, row).index()] = Some(Piece::new(color, kind));
            }
            column += 1;
        }
        if promoted {
            return Err(ParseSfenError::DanglingPlus(rank));
        }
        if column != BOARD_SIZE {
            return Err(ParseSfenError::RankLength { rank, squares: column });
        }
    }
    Ok(board)
}

fn parse_hands(text: &str) -> Result<[Hand; 2], ParseSfenError> {
    let mut hands = [Hand::EMPTY; 2];
    if text == "-" {
        return Ok(hands);
    }
    let bad = || ParseSfenError::BadHand(text.to_owned());
    let mut count = None;
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            // A second digit, 0, or more pieces of a kind than the game has.
            if count.replace(digit).is_some() || !(1..=2).contains(&digit) {
                return Err(bad());
            }
            continue;
        }
        let kind = PieceKind::from_letter(c.to_ascii_uppercase()).filter(|&kind| kind != PieceKind::King);
        let kind = kind.ok_or_else(bad)?;
        let hand = &mut hands[usize::from(c.is_ascii_lowercase())];
        for _ in 0..count.take().unwrap_or(1) {
            if hand.count(kind) == Hand::CAPACITY {
                return Err(bad());
            }
            hand.add(kind);
        }
    }
    // A count without a letter, or an empty text.
    if count.is_some() || text.is_empty() { Err(bad()) } else { Ok(hands) }
}

impl FromStr for Setup {
    type Err = ParseSfenError;

    /// Parses an SFEN. A missing move number means 1.
    fn from_str(text: &str) -> Result<Setup, ParseSfenError> {
        let mut fields = text.split_ascii_whitespace();
        let board = parse_board(fields.next().ok_or(ParseSfenError::Missing("board"))?)?;
        let side_to_move = match fields.next().ok_or(ParseSfenError::Missing("side to move"))? {
            "b" => Color::Black,
            "w" => Color::White,
            other => return Err(ParseSfenError::UnknownSide(other.to_owned())),
        };
        let hands = parse_hands(fields.next().ok_or(ParseSfenError::Missing("hands"))?)?;
        let move_number = match fields.next() {
            None => 1,
            // Some programs count moves from 0.
            Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                number.parse::<u32>().map_err(|_| ParseSfenError::BadMoveNumber(number.to_owned()))?.max(1)
            }
            Some(number) => return Err(ParseSfenError::BadMoveNumber(number.to_owned())),
        };
        match fields.next() {
            Some(text) => Err(ParseSfenError::TrailingText(text.to_owned())),
            None => Ok(Setup { board, hands, side_to_move, move_number }),
        }
    }
}

impl FromStr for Position {
    type Err = SfenError;

    /// Parses the SFEN of a position that can be played.
    fn from_str(text: &str) -> Result<Position, SfenError> {
        Ok(Position::try_from(&text.parse::<Setup>()?)?)
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, squares) in self.board.chunks(BOARD_SIZE).enumerate() {
            if row > 0 {
                f.write_str("/")?;
            }
            // Empty squares side by side are counted.
            for group in squares.chunk_by(|a, b| a.is_none() && b.is_none()) {
                match group[0] {
                    Some(piece) => write!(f, "{piece}")?,
                    None => write!(f, "{}", group.len())?,
                }
            }
        }
        f.write_str(if self.side_to_move == Color::Black { " b " } else { " w " })?;
        if self.hands.iter().all(|hand| hand.is_empty()) {
            f.write_str("-")?;
        }
        for color in Color::ALL {
            for (kind, count) in self.hands[color.index()].iter().rev() {
                if count > 1 {
                    write!(f, "{count}")?;
                }
                write!(f, "{}", Piece::new(color, kind))?;
            }
        }
        write!(f, " {}", self.move_number)
    }
}

impl fmt::Display for Position {
    /// As SFEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Setup::from(self).fmt(f)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ParseSfenError::*;

    #[test]
    fn what_does_not_parse_says_why() {
        for (sfen, error) in [
            ("", Missing("board")),
            ("rbnsgk/5p/6/6/P5/KGSNBR", Missing("side to move")),
            ("rbnsgk/5p/6/6/P5/KGSNBR b", Missing("hands")),
            ("rbnsgk/5p/6/6/P5 b - 1", RankCount(5)),
            ("rbnsgk/5p/6/6/6/P5/KGSNBR b - 1", RankCount(7)),
            ("rbnsgk/5p/6/6/P5/KGSNBR/ b - 1", RankCount(7)),
            ("rbnsg/5p/6/6/P5/KGSNBR b - 1", RankLength { rank: 'a', squares: 5 }),
            ("rbnsgk/5p1/6/6/P5/KGSNBR b - 1", RankLength { rank: 'b', squares: 7 }),
            ("rbnsgk/5p/6/7/P5/KGSNBR b - 1", UnknownPiece('7')),
            ("rbnsgk/5p/60/6/P5/KGSNBR b - 1", UnknownPiece('0')),
            ("rbnsgk/5p/6/6/P5/KGSNBx b - 1", UnknownPiece('x')),
            ("rbnsgk/5p/6/6/P5/KGSNBL b - 1", UnknownPiece('L')),
            ("rbnsgk/5p/6/6/P5/+KGSNBR b - 1", DanglingPlus('f')),
            ("rbnsgk/5p/6/6/P5/K+GSNBR b - 1", DanglingPlus('f')),
            ("rbnsgk/5p/6/6/P+5/KGSNBR b - 1", DanglingPlus('e')),
            ("rbnsgk/5p/6/6/P5+/KGSNBR b - 1", DanglingPlus('e')),
            ("rbnsgk/5p/6/6/++P5/KGSNBR b - 1", DanglingPlus('e')),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - +1", BadMoveNumber("+1".into())),
            ("rbnsgk/5p/6/6/P5/KGSNBR x - 1", UnknownSide("x".into())),
            ("rbnsgk/5p/6/6/P5/KGSNBR b K 1", BadHand("K".into())),
            ("rbnsgk/5p/6/6/P5/KGSNBR b +P 1", BadHand("+P".into())),
            ("rbnsgk/5p/6/6/P5/KGSNBR b P2 1", BadHand("P2".into())),
            ("rbnsgk/5p/6/6/P5/KGSNBR b 0P 1", BadHand("0P".into())),
            ("rbnsgk/5p/6/6/P5/KGSNBR b 99P 1", BadHand("99P".into())),
            ("rbnsgk/5p/6/6/P5/KGSNBR b PPPP 1", BadHand("PPPP".into())),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - -1", BadMoveNumber("-1".into())),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 18446744073709551616", BadMoveNumber("18446744073709551616".into())),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1 x", TrailingText("x".into())),
        ] {
            assert_eq!(sfen.parse::<Setup>(), Err(error), "{sfen}");
        }
    }

    #[test]
    fn the_move_number_may_be_missing() {
        let setup: Setup = "rbnsgk/5p/6/6/P5/KGSNBR b -".parse().unwrap();
        assert_eq!(setup.to_string(), super::super::START_SFEN);
    }
}
