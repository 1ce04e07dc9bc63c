//! `Setup`: any arrangement of pieces, and its validation as a `Position` or a mate problem.

use super::{Bitboard, Color, Hand, Piece, PieceKind, Position, Square};

/// A position before validation by [`Position::try_from`]; it may be unplayable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square, in index order.
    pub board: [Option<Piece>; Square::COUNT],
    /// The hands of Black and White.
    pub hands: [Hand; 2],
    /// The side to move.
    pub side_to_move: Color,
    /// The number of the next move, counted in plies from 1.
    pub move_number: u32,
}

/// The reason why a [`Setup`] cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InvalidPosition {
    /// A player has no king.
    #[error("{0} has no king")]
    NoKing(Color),
    /// A player has more than one king; a second one stands on this square.
    #[error("{0} has a second king on {1}")]
    SecondKing(Color, Square),
    /// There are more pieces of a kind on the board and in the hands than the game has.
    #[error("there are {1} {0}s, but the game has 2")]
    TooMany(PieceKind, u32),
    /// Two unpromoted pawns of a player on one file.
    #[error("{0} has two pawns on file {1}")]
    Nifu(Color, usize),
    /// A pawn or knight on a square from which it can never move.
    #[error("{0}'s {1} on {2} could never move")]
    DeadPiece(Color, PieceKind, Square),
    /// The player who has just moved is in check: the square of his king, and the square of a checking piece.
    #[error("{0} is not to move, but the king on {1} is in check by the piece on {2}")]
    OpponentInCheck(Color, Square, Square),
}

/// The squares from which a piece of a kind can never move.
#[inline]
pub(super) fn dead_squares(color: Color, kind: PieceKind) -> Bitboard {
    match kind {
        PieceKind::Pawn => Bitboard::farthest_rows(color, 1),
        PieceKind::Knight => Bitboard::farthest_rows(color, 2),
        _ => Bitboard::EMPTY,
    }
}

impl Setup {
    /// Validates all but [`InvalidPosition::OpponentInCheck`], which needs bitboards. Returns the squares of the kings.
    fn validate(&self) -> Result<[Option<Square>; 2], InvalidPosition> {
        let mut kings = [None; 2];
        let mut counts = [0; PieceKind::COUNT];
        let mut pawn_files = [Bitboard::EMPTY; 2];
        for (square, piece) in Square::all().zip(self.board).filter_map(|(square, piece)| Some((square, piece?))) {
            let (color, kind) = (piece.color(), piece.kind());
            counts[kind.unpromoted().index()] += 1;
            if dead_squares(color, kind).has(square) {
                return Err(InvalidPosition::DeadPiece(color, kind, square));
            }
            if kind == PieceKind::King && kings[color.index()].replace(square).is_some() {
                return Err(InvalidPosition::SecondKing(color, square));
            }
            if kind == PieceKind::Pawn {
                if pawn_files[color.index()].has(square) {
                    return Err(InvalidPosition::Nifu(color, square.file()));
                }
                pawn_files[color.index()] |= Bitboard::column(square.column());
            }
        }
        for (kind, count) in self.hands.into_iter().flat_map(Hand::iter) {
            counts[kind.index()] += count;
        }
        for kind in PieceKind::DROPPABLE {
            if counts[kind.index()] > 2 {
                return Err(InvalidPosition::TooMany(kind, counts[kind.index()]));
            }
        }
        Ok(kings)
    }

    /// The position as a mate problem, in which the side to move, the attacker, may have no king: composers omit a king
    /// that does not matter. With both kings it equals the result of [`Position::try_from`].
    ///
    /// ```
    /// use judkins::shogi::Setup;
    /// let setup: Setup = "4k1/6/4G1/6/6/6 b G 1".parse().unwrap();
    /// assert_eq!(setup.mate_problem().unwrap().legal_moves().len(), 40);
    /// ```
    ///
    /// # Errors
    /// [`InvalidPosition`], as from [`Position::try_from`], except for the attacker's king.
    pub fn mate_problem(&self) -> Result<Position, InvalidPosition> {
        let kings = self.validate()?;
        let waiting = !self.side_to_move;
        let king = kings[waiting.index()].ok_or(InvalidPosition::NoKing(waiting))?;
        let position = Position::from_valid(self);
        let checkers = position.attackers_to(king, position.occupied()) & position.by_color(!waiting);
        match checkers.first() {
            Some(checker) => Err(InvalidPosition::OpponentInCheck(waiting, king, checker)),
            None => Ok(position),
        }
    }
}

impl Position {
    /// Builds a position from a setup that has been validated.
    fn from_valid(setup: &Setup) -> Position {
        let mut position = Position {
            colors: [Bitboard::EMPTY; 2],
            kinds: [Bitboard::EMPTY; PieceKind::COUNT],
            key: 0,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            hands: setup.hands,
            // Move numbers 0 and 1 both mean the first move.
            move_number: setup.move_number.max(1),
            board: setup.board,
            kings: [None; 2],
            side: setup.side_to_move,
        };
        for (square, piece) in Square::all().zip(setup.board).filter_map(|(square, piece)| Some((square, piece?))) {
            position.colors[piece.color().index()] |= square.into();
            position.kinds[piece.kind().index()] |= square.into();
            if piece.kind() == PieceKind::King {
                position.kings[piece.color().index()] = Some(square);
            }
        }
        position.key = position.computed_key();
        position.find_checks_and_pins();
        position
    }
}

impl TryFrom<&Setup> for Position {
    type Error = InvalidPosition;

    fn try_from(setup: &Setup) -> Result<Position, InvalidPosition> {
        let kings = setup.validate()?;
        match Color::ALL.into_iter().find(|color| kings[color.index()].is_none()) {
            Some(color) => Err(InvalidPosition::NoKing(color)),
            None => setup.mate_problem(),
        }
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let Position { board, hands, side: side_to_move, move_number, .. } = *position;
        Setup { board, hands, side_to_move, move_number }
    }
}

#[cfg(test)]
mod tests {
    use super::super::attacks::attacks;
    use super::super::{GameHistory, Stage};
    use super::*;

    #[test]
    fn dead_squares_are_those_without_a_move() {
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                for square in Square::all() {
                    let is_stuck = attacks(kind, color, square, Bitboard::EMPTY).is_empty();
                    assert_eq!(dead_squares(color, kind).has(square), is_stuck, "{kind} {square}");
                }
            }
        }
    }

    #[test]
    fn every_rule_of_validity_has_its_error() {
        use Color::*;
        use PieceKind::*;
        let at = |text: &str| text.parse::<Square>().unwrap();
        for (sfen, error) in [
            ("5k/6/6/6/6/6 b - 1", InvalidPosition::NoKing(Black)),
            ("6/6/6/6/6/K5 b - 1", InvalidPosition::NoKing(White)),
            ("6/6/6/6/6/6 b - 1", InvalidPosition::NoKing(Black)),
            ("5k/6/6/6/6/K3K1 b - 1", InvalidPosition::SecondKing(Black, at("2f"))),
            ("5k/6/6/6/6/K4R b R2r 1", InvalidPosition::TooMany(Rook, 4)),
            ("5k/6/6/2+p3/6/K5 b Pp 1", InvalidPosition::TooMany(Pawn, 3)),
            ("5k/6/6/P5/P5/K5 b - 1", InvalidPosition::Nifu(Black, 6)),
            ("5k/p5/6/p5/6/K5 b - 1", InvalidPosition::Nifu(White, 6)),
            ("P4k/6/6/6/6/K5 b - 1", InvalidPosition::DeadPiece(Black, Pawn, at("6a"))),
            ("5k/6/6/6/n5/K5 b - 1", InvalidPosition::DeadPiece(White, Knight, at("6e"))),
            ("5k/6/6/6/6/K4R b - 1", InvalidPosition::OpponentInCheck(White, at("1a"), at("1f"))),
            ("6/6/2k3/2K3/6/6 w - 1", InvalidPosition::OpponentInCheck(Black, at("4d"), at("4c"))),
        ] {
            let setup: Setup = sfen.parse().unwrap();
            assert_eq!(Position::try_from(&setup).unwrap_err(), error, "{sfen}");
        }
    }

    #[test]
    fn a_mate_problem_lacks_no_king_but_the_attackers() {
        for (sfen, missing) in [("6/6/6/6/6/6 b - 1", Color::White), ("6/6/6/6/6/6 w - 1", Color::Black)] {
            let setup: Setup = sfen.parse().unwrap();
            assert_eq!(setup.mate_problem().unwrap_err(), InvalidPosition::NoKing(missing));
        }
    }

    #[test]
    fn moves_are_numbered_from_one() {
        let setup = Setup { move_number: 0, ..Setup::from(&Position::startpos()) };
        assert_eq!(Position::try_from(&setup).unwrap().move_number(), 1);
    }

    /// For impasse rules, the missing king used to stand on 6a, in its zone.
    #[test]
    fn an_attacker_without_a_king_has_none_anywhere() {
        let setup: Setup = "6/6/6/6/6/4k1 b R 1".parse().unwrap();
        let position = setup.mate_problem().unwrap();
        assert_eq!((position.find_king(Color::Black), position.king_is_in_zone(Color::Black)), (None, false));
        assert_eq!(position.find_king(Color::White), Some("2f".parse().unwrap()));
        assert_eq!(GameHistory::new(&position).impasse_plies(), None);
        let waiting = position.after("R*2a".parse().unwrap());
        assert!(waiting.in_check() && waiting.moves(Stage::Checks).is_empty() && waiting.has_legal_move());
        assert!(waiting.blockers(Color::Black, waiting.occupied()).is_empty());
    }

    #[test]
    fn a_tokin_does_not_count_for_nifu() {
        let setup: Setup = "5k/6/6/P5/+P5/K5 b - 1".parse().unwrap();
        assert!(Position::try_from(&setup).is_ok());
    }
}
