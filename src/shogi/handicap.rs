//! Handicap games: the pieces that White gives, and the start positions.

use strum::{Display, EnumString};

use super::{Color, Hand, PieceKind, Position};

/// A handicap: the pieces that White, the stronger player, starts without. White moves first, and the pieces are in no
/// hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, EnumString)]
#[strum(serialize_all = "kebab-case", ascii_case_insensitive, parse_err_ty = UnknownHandicap, parse_err_fn = UnknownHandicap::new)]
pub enum Handicap {
    /// Without the bishop.
    Bishop,
    /// Without the rook.
    Rook,
    /// Without rook and bishop.
    TwoPieces,
}

/// The error for a text that names no handicap.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown handicap '{0}'; the handicaps are bishop, rook and two-pieces")]
pub struct UnknownHandicap(String);

impl UnknownHandicap {
    fn new(name: &str) -> UnknownHandicap {
        UnknownHandicap(name.to_owned())
    }
}

impl Handicap {
    /// Every handicap, the smallest first.
    pub const ALL: [Handicap; 3] = [Handicap::Bishop, Handicap::Rook, Handicap::TwoPieces];

    /// The start position in SFEN.
    pub const fn sfen(self) -> &'static str {
        match self {
            Handicap::Bishop => "r1nsgk/5p/6/6/P5/KGSNBR w - 1",
            Handicap::Rook => "1bnsgk/5p/6/6/P5/KGSNBR w - 1",
            Handicap::TwoPieces => "2nsgk/5p/6/6/P5/KGSNBR w - 1",
        }
    }

    /// The position in which a game with this handicap starts.
    pub fn position(self) -> Position {
        self.sfen().parse().expect("a handicap's start position is valid")
    }

    /// The pieces that White lacks.
    pub const fn given(self) -> &'static [PieceKind] {
        match self {
            Handicap::Bishop => &[PieceKind::Bishop],
            Handicap::Rook => &[PieceKind::Rook],
            Handicap::TwoPieces => &[PieceKind::Rook, PieceKind::Bishop],
        }
    }

    /// The handicap of a position's game: exactly its pieces are missing from the board and both hands.
    pub fn of(position: &Position) -> Option<Handicap> {
        let missing = PieceKind::DROPPABLE.map(|kind| {
            let on_board =
                position.by_kind(kind) | kind.promoted().map_or_else(Default::default, |kind| position.by_kind(kind));
            let in_hand: u32 = Color::ALL.into_iter().map(|color| position.hand(color).count(kind)).sum();
            2 - on_board.count() - in_hand
        });
        Handicap::ALL.into_iter().find(|handicap| {
            let given: Hand = handicap.given().iter().copied().collect();
            PieceKind::DROPPABLE.map(|kind| given.count(kind)) == missing
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handicap_is_known_by_its_name_and_by_its_position() {
        for handicap in Handicap::ALL {
            assert_eq!(handicap.to_string().parse(), Ok(handicap));
            assert_eq!(Handicap::of(&handicap.position()), Some(handicap));
        }
        assert_eq!(Handicap::of(&Position::startpos()), None);
        assert!("queen".parse::<Handicap>().is_err());
    }

    #[test]
    fn captured_and_promoted_pieces_are_not_missing() {
        let position: Position = "+R1nsgk/5p/6/6/6/KGSN2 w RBp 9".parse().unwrap();
        assert_eq!(Handicap::of(&position), Some(Handicap::Bishop));
    }
}
