//! Algebraic notation of this game in chess programs: `Pa3`, `Bxc5`, `N@c3`, squares as in [`fen`](super::fen).
//!
//! There are two dialects, which [`parse_san`] reads as [`to_san`] writes them:
//!
//! | | Fairy-Stockfish, pychess | Cute Chess |
//! | --- | --- | --- |
//! | dragon, horse | `D`, `H` | `+R`, `+B` |
//! | tokin, promoted knight and silver | `G`, as a gold | `+P`, `+N`, `+S` |
//! | promotion | `=D`, `=H`, `=G` | `+` |
//! | promotion declined | nothing | nothing; `=` is read |
//! | check, mate | `+`, `#` | nothing |
//!
//! The file of the origin follows the piece if another piece of the same name may legally make the same move; the rank,
//! if the file is not sufficient. A `+` at the end means check in one dialect and promotion in the other: try both for
//! texts of unknown origin.

use super::super::{Move, PieceKind, Position, Square};
use super::fen::{move_text, parse_move, parse_square, square_name};
use super::{ParseNotationError, moved_kind, only_fitting};
use PieceKind::*;

/// A dialect of algebraic notation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SanStyle {
    /// Fairy-Stockfish, its Python binding pyffish, and pychess: `Rd5=D`.
    Fairy,
    /// Cute Chess: `Rd5+`.
    CuteChess,
}

impl SanStyle {
    /// The letters of a kind.
    const fn name(self, kind: PieceKind) -> &'static str {
        match (kind, self) {
            (Pawn, _) => "P",
            (Knight, _) => "N",
            (Silver, _) => "S",
            (Gold, _) | (Tokin | PromotedKnight | PromotedSilver, SanStyle::Fairy) => "G",
            (Bishop, _) => "B",
            (Rook, _) => "R",
            (King, _) => "K",
            (Horse, SanStyle::Fairy) => "H",
            (Dragon, SanStyle::Fairy) => "D",
            (Tokin, SanStyle::CuteChess) => "+P",
            (PromotedKnight, SanStyle::CuteChess) => "+N",
            (PromotedSilver, SanStyle::CuteChess) => "+S",
            (Horse, SanStyle::CuteChess) => "+B",
            (Dragon, SanStyle::CuteChess) => "+R",
        }
    }

    /// Whether a piece makes a move ambiguous: it has the same name and may legally move to the same square. In
    /// Fairy-Stockfish it must also promote there if and only if the move does.
    fn is_rival(self, position: &Position, mv: Move, from: Square) -> bool {
        let may = |promotes| position.is_legal(Move::board(from, mv.to(), promotes));
        match self {
            SanStyle::Fairy => may(mv.promotes()),
            SanStyle::CuteChess => may(false) || may(true),
        }
    }

    /// The part of the origin that must be written.
    fn origin(self, position: &Position, mv: Move, from: Square) -> String {
        let name = self.name(moved_kind(position, mv));
        let mut same_file = false;
        let mut same_rank = false;
        let mut has_rival = false;
        for square in position.by_color(position.side_to_move()) {
            let same_name = position.piece_at(square).is_some_and(|piece| self.name(piece.kind()) == name);
            if square == from || square == mv.to() || !same_name || !self.is_rival(position, mv, square) {
                continue;
            }
            has_rival = true;
            same_file |= square.column() == from.column();
            same_rank |= square.row() == from.row();
        }
        let text = square_name(from);
        let (file, rank) = (text[..1].to_owned(), text[1..].to_owned());
        match (has_rival, same_file, same_rank) {
            (false, _, _) => String::new(),
            (true, false, _) => file,
            (true, true, false) => rank,
            (true, true, true) => text,
        }
    }
}

/// Writes a legal move.
///
/// ```
/// use judkins::shogi::Position;
/// use judkins::shogi::notation::san::{SanStyle, to_san};
/// let (position, mv) = (Position::startpos(), "1f1b+".parse().unwrap());
/// assert_eq!(to_san(&position, mv, SanStyle::Fairy), "Rxf5=D+");
/// assert_eq!(to_san(&position, mv, SanStyle::CuteChess), "Rxf5+");
/// ```
///
/// # Panics
/// If the move starts from an empty square.
pub fn to_san(position: &Position, mv: Move, style: SanStyle) -> String {
    let kind = moved_kind(position, mv);
    let mut text = match mv.from() {
        None => move_text(mv),
        Some(from) => {
            let capture = if position.is_capture(mv) { "x" } else { "" };
            let (name, origin) = (style.name(kind), style.origin(position, mv, from));
            format!("{name}{origin}{capture}{}", square_name(mv.to()))
        }
    };
    match (style, kind.promoted().filter(|_| mv.promotes())) {
        (SanStyle::CuteChess, Some(_)) => text.push('+'),
        (SanStyle::Fairy, Some(promoted)) => text.extend(["=", style.name(promoted)]),
        (_, None) => {}
    }
    if style == SanStyle::Fairy {
        let after = position.after(mv);
        match (after.in_check(), after.has_legal_move()) {
            (true, true) => text.push('+'),
            (true, false) => text.push('#'),
            _ => {}
        }
    }
    text
}

/// Reads a legal move. Superfluous origins and unmarked captures are accepted, and so is the coordinate notation of
/// chess programs, `a2a3` or `e1d2+`. A check mark must be correct.
///
/// ```
/// use judkins::shogi::Position;
/// use judkins::shogi::notation::san::{SanStyle, parse_san};
/// let position = Position::startpos();
/// assert_eq!(parse_san(&position, "Rxf5=D+", SanStyle::Fairy), Ok("1f1b+".parse().unwrap()));
/// assert_eq!(parse_san(&position, "Rxf5+", SanStyle::CuteChess), Ok("1f1b+".parse().unwrap()));
/// ```
///
/// # Errors
/// [`ParseNotationError`] if the text is not a move, or matches no legal move or several.
pub fn parse_san(position: &Position, text: &str, style: SanStyle) -> Result<Move, ParseNotationError> {
    if let Some(mv) = parse_move(text).filter(|&mv| !mv.is_drop() && position.is_legal(mv)) {
        return Ok(mv);
    }
    let not_a_move = || ParseNotationError::NotAMove(text.to_owned(), "algebraic");
    let written = Written::parse(text, style).ok_or_else(not_a_move)?;
    only_fitting(position, text, |mv| written.fits(position, mv))
}

/// The content of a move text before a position interprets it.
struct Written<'a> {
    style: SanStyle,
    name: &'a str,
    is_drop: bool,
    is_capture: bool,
    file: Option<char>,
    rank: Option<char>,
    to: Square,
    /// The promoted piece's letters; empty if only a `+` marks the promotion.
    promoted: Option<&'a str>,
    is_check: bool,
}

impl<'a> Written<'a> {
    fn parse(text: &'a str, style: SanStyle) -> Option<Written<'a>> {
        let mut rest = text;
        let mut is_check = false;
        let mut promoted = None;
        if let Some(before) = rest.strip_suffix('#') {
            (rest, is_check) = (before, true);
        }
        match style {
            SanStyle::Fairy => {
                if let Some(before) = rest.strip_suffix('+').filter(|_| !is_check) {
                    (rest, is_check) = (before, true);
                }
                if let Some((before, name)) = rest.rsplit_once('=') {
                    (rest, promoted) = (before, Some(name).filter(|name| !name.is_empty()));
                }
            }
            SanStyle::CuteChess => match (rest.strip_suffix('+'), rest.strip_suffix('=')) {
                (Some(before), _) => (rest, promoted) = (before, Some("")),
                (_, Some(before)) => rest = before,
                _ => {}
            },
        }
        let to = parse_square(rest.get(rest.len().checked_sub(2)?..)?)?;
        let piece = &rest[..rest.len() - 2];
        let letters = if piece.starts_with('+') { 2 } else { usize::from(piece.starts_with(char::is_uppercase)) };
        // A move without a letter is a pawn move, as in chess.
        let (name, piece) = (piece.get(..letters)?, piece.get(letters..)?);
        let name = if name.is_empty() { "P" } else { name };
        let is_known = PieceKind::ALL.into_iter().any(|kind| style.name(kind) == name);
        let (is_drop, is_capture) = (matches!(piece, "@" | "*"), piece.ends_with('x'));
        let mut origin = if is_drop { "" } else { piece.strip_suffix(['x', '-']).unwrap_or(piece) }.chars().peekable();
        let file = origin.next_if(|file| ('a'..='f').contains(file));
        let rank = origin.next_if(|rank| ('1'..='6').contains(rank));
        let sensible = is_known && origin.next().is_none() && !(is_drop && promoted.is_some());
        sensible.then_some(Written { style, name, is_drop, is_capture, file, rank, to, promoted, is_check })
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        let kind = moved_kind(position, mv);
        if mv.to() != self.to || mv.is_drop() != self.is_drop || self.style.name(kind) != self.name {
            return false;
        }
        let promotion = match self.promoted {
            None => !mv.promotes(),
            Some("") => mv.promotes(),
            Some(name) => mv.promotes() && kind.promoted().is_some_and(|kind| self.style.name(kind) == name),
        };
        let origin = mv.from().map(square_name).unwrap_or_default();
        promotion
            && self.file.is_none_or(|file| origin.starts_with(file))
            && self.rank.is_none_or(|rank| origin.ends_with(rank))
            && (!self.is_capture || position.is_capture(mv))
            && (!self.is_check || position.after(mv).in_check())
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use std::collections::HashSet;

    const PROMOTED: &str = "k5/6/1+P+N+S+B+R/6/6/K4G b - 1";
    const TOWER: &str = "5k/6/2G3/1+P1+N2/6/K4G b - 1";
    const SILVER: &str = "5k/1p4/2S3/6/6/K5 b - 1";

    #[test]
    fn squares_alone_are_read_if_the_move_is_legal() {
        let read = |text| parse_san(&Position::startpos(), text, SanStyle::Fairy);
        assert_eq!(read("a2a3"), Ok("6e6d".parse().unwrap()));
        assert_eq!(read("a2a4"), Err(ParseNotationError::NoSuchMove("a2a4".to_owned())));
    }

    #[test]
    fn moves_are_written_as_each_program_does() {
        // The Fairy-Stockfish column is the output of pyffish.
        for (sfen, mv, fairy, cute) in [
            (PROMOTED, "1c1b", "Df5", "+Rf5"),
            (PROMOTED, "1c1a", "Df6#", "+Rf6"),
            (PROMOTED, "2c2b", "He5", "+Be5"),
            (PROMOTED, "5c6b", "Ga5+", "+Pa5"),
            (PROMOTED, "5c5b", "Gbb5#", "+Pb5"),
            (PROMOTED, "5c4b", "Gbc5", "+Pc5"),
            (PROMOTED, "4c4d", "Gc3", "+Nc3"),
            (PROMOTED, "1f1e", "Gf2", "Gf2"),
            (TOWER, "3d4d", "Gdc3", "+Nc3"),
            (TOWER, "3d3c", "Gdd4", "+Nd4"),
            ("5k/6/6/1G4/6/1G2K1 b - 1", "5d5e", "G3b2", "G3b2"),
            ("5k/6/6/1G4/6/1G2K1 b - 1", "5f5e", "G1b2", "G1b2"),
            (SILVER, "4c5b", "Sxb5", "Sxb5"),
            (SILVER, "4c5b+", "Sxb5=G", "Sxb5+"),
            ("5k/P5/6/6/6/K5 b - 1", "6b6a+", "Pa6=G", "Pa6+"),
            ("5k/6/6/6/2B3/K5 b B 1", "B*3c", "B@d4+", "B@d4"),
            ("5k/6/6/6/2B3/K5 b B 1", "4e1b+", "Bf5=H+", "Bf5+"),
            // Only one of the two silvers could promote there.
            ("6/2S3/6/2S3/6/K4k b - 1", "4b5c+", "Sb4=G", "S5b4+"),
            ("6/2S3/6/2S3/6/K4k b - 1", "4b5c", "S5b4", "S5b4"),
        ] {
            let position: Position = sfen.parse().unwrap();
            let mv: Move = mv.parse().unwrap();
            assert!(position.is_legal(mv), "{mv} in {sfen}");
            for (style, text) in [(SanStyle::Fairy, fairy), (SanStyle::CuteChess, cute)] {
                assert_eq!(to_san(&position, mv, style), text, "{mv} in {sfen}");
                assert_eq!(parse_san(&position, text, style), Ok(mv), "{text} in {sfen}");
            }
        }
    }

    #[test]
    fn more_than_needed_is_read_and_less_is_not() {
        let position: Position = SILVER.parse().unwrap();
        for (text, style, mv) in [
            ("Sc4xb5=G", SanStyle::Fairy, "4c5b+"),
            ("Sc4-d3", SanStyle::Fairy, "4c3d"),
            ("Sb5=", SanStyle::CuteChess, "4c5b"),
            ("Sb5", SanStyle::CuteChess, "4c5b"),
            ("c4b5+", SanStyle::CuteChess, "4c5b+"),
            ("c4b5+", SanStyle::Fairy, "4c5b+"),
        ] {
            assert_eq!(parse_san(&position, text, style), Ok(mv.parse().unwrap()), "{text}");
        }
        let start = Position::startpos();
        assert_eq!(parse_san(&start, "a3", SanStyle::Fairy), Ok("6e6d".parse().unwrap()));
        let refused = |style, text| parse_san(&position, text, style).unwrap_err();
        for text in ["", "S", "Sb", "Sb7", "Sg5", "+Sb5", "S@b5=G", "Sccb5", "銀b5", "Sb５"] {
            assert_eq!(refused(SanStyle::Fairy, text), ParseNotationError::NotAMove(text.to_owned(), "algebraic"));
        }
        for text in ["Db5", "+銀b5"] {
            assert_eq!(refused(SanStyle::CuteChess, text), ParseNotationError::NotAMove(text.to_owned(), "algebraic"));
        }
        for text in ["Sb5=H", "Sb5+", "Sxd3", "Sb3+", "Sab5", "S3b5", "S@b4"] {
            assert_eq!(refused(SanStyle::Fairy, text), ParseNotationError::NoSuchMove(text.to_owned()));
        }
        assert_eq!(refused(SanStyle::CuteChess, "b5"), ParseNotationError::NoSuchMove("b5".to_owned()));
        let golds: Position = "5k/6/6/1G4/6/1G2K1 b - 1".parse().unwrap();
        let ambiguous = parse_san(&golds, "Gb2", SanStyle::Fairy).unwrap_err();
        assert!(matches!(ambiguous, ParseNotationError::Ambiguous(..)), "{ambiguous}");
    }

    #[test]
    fn legal_moves_of_a_position_have_texts_of_their_own_that_are_read_back() {
        for (position, _) in samples::positions() {
            let moves = position.legal_moves();
            for style in [SanStyle::Fairy, SanStyle::CuteChess] {
                let texts: HashSet<String> = moves.iter().map(|&mv| to_san(&position, mv, style)).collect();
                assert_eq!(texts.len(), moves.len(), "{position}");
                for &mv in &moves {
                    let text = to_san(&position, mv, style);
                    assert_eq!(parse_san(&position, &text, style), Ok(mv), "{text} in {position}");
                }
            }
        }
    }
}
