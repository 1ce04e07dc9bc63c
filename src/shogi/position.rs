//! `Position`: bitboards, hands, side to move and Zobrist key, with queries for attacks, checks and pins.

use std::sync::LazyLock;

use super::attacks::*;
use super::{Bitboard, Color, Hand, Piece, PieceKind, Square, zobrist};
use PieceKind::*;

/// The start position in SFEN.
pub const START_SFEN: &str = "rbnsgk/5p/6/6/P5/KGSNBR b - 1";

/// A position that can be played: it has at most the game's pieces, one king per side, and the opponent's king is not
/// in check. Only the attacker of a [mate problem](super::Setup::mate_problem) may lack a king.
///
/// Cheap to copy: a search plays a move on a copy and discards it. The data of earlier positions (repetition, impasse)
/// is separate, in [`GameHistory`](super::GameHistory).
///
/// ```
/// use judkins::shogi::{Color, Position};
/// let mut position: Position = "rbnsgk/5p/6/6/P5/KGSNBR b - 1".parse().unwrap();
/// position.play("6e6d".parse().unwrap());
/// assert_eq!(position.side_to_move(), Color::White);
/// assert_eq!(position.to_string(), "rbnsgk/5p/6/P5/6/KGSNBR w - 2");
/// ```
#[derive(Clone)]
pub struct Position {
    pub(super) colors: [Bitboard; 2],
    pub(super) kinds: [Bitboard; PieceKind::COUNT],
    pub(super) key: u64,
    /// The enemy pieces that give check to the side to move. Recomputed after every move, like `pinned`.
    pub(super) checkers: Bitboard,
    /// The pieces of the side to move that are pinned to their king.
    pub(super) pinned: Bitboard,
    pub(super) hands: [Hand; 2],
    pub(super) move_number: u32,
    pub(super) board: [Option<Piece>; Square::COUNT],
    /// The squares of the kings; [`None`] for an attacker without one.
    pub(super) kings: [Option<Square>; 2],
    pub(super) side: Color,
}

static START: LazyLock<Position> = LazyLock::new(|| START_SFEN.parse().expect("the start position is valid"));

impl Position {
    /// The start position of a game without handicap.
    pub fn startpos() -> Position {
        START.clone()
    }

    /// The key computed from scratch. [`Position::key`] must always equal it.
    pub fn computed_key(&self) -> u64 {
        let pieces = self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)));
        let board = pieces.fold(0, |key, (square, piece)| key ^ zobrist::piece(piece, square));
        board ^ self.hands_key() ^ if self.side == Color::White { zobrist::white_to_move() } else { 0 }
    }

    fn hands_key(&self) -> u64 {
        Color::ALL.into_iter().fold(0, |key, color| {
            self.hand(color).iter().fold(key, |key, (kind, count)| key ^ zobrist::hand(color, kind, count))
        })
    }

    /// The Zobrist key of the board and the side to move, without the hands.
    pub fn board_key(&self) -> u64 {
        self.key ^ self.hands_key()
    }

    /// The side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The number of the next move, counted in plies from 1.
    pub fn move_number(&self) -> u32 {
        self.move_number
    }

    /// The Zobrist key of board, hands and side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The squares of a player's pieces.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of both players' pieces of a kind.
    #[inline]
    pub fn by_kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The squares of a player's pieces of a kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.by_color(color) & self.by_kind(kind)
    }

    /// The squares of both players' golds and promoted pieces that move as golds.
    #[inline]
    pub fn gold_movers(&self) -> Bitboard {
        self.by_kind(Gold) | self.by_kind(Tokin) | self.by_kind(PromotedKnight) | self.by_kind(PromotedSilver)
    }

    /// The squares of both players' rooks and dragons.
    #[inline]
    pub fn rook_movers(&self) -> Bitboard {
        self.by_kind(Rook) | self.by_kind(Dragon)
    }

    /// The squares of both players' bishops and horses.
    #[inline]
    pub fn bishop_movers(&self) -> Bitboard {
        self.by_kind(Bishop) | self.by_kind(Horse)
    }

    /// The occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The square of a player's king.
    ///
    /// # Panics
    /// If the player has no king, which can only be the attacker of a [mate problem](super::Setup::mate_problem). Use
    /// [`Position::find_king`] where such a position may occur.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.find_king(color).expect("only the attacker of a mate problem has no king")
    }

    /// The square of a player's king, if he has one: only the attacker in some
    /// [mate problems](super::Setup::mate_problem) has none.
    #[inline]
    pub fn find_king(&self, color: Color) -> Option<Square> {
        self.kings[color.index()]
    }

    /// The player without a king: the attacker in some [mate problems](super::Setup::mate_problem).
    pub fn kingless(&self) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.find_king(color).is_none())
    }

    /// Whether a player's king stands in its promotion zone.
    #[inline]
    pub fn king_is_in_zone(&self, color: Color) -> bool {
        (self.pieces(color, King) & Bitboard::zone(color)).any()
    }

    /// A player's hand.
    #[inline]
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color.index()]
    }

    /// The enemy pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that are pinned to their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The pieces of both players that attack a square, given the occupied squares.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let [black, white] = self.colors;
        let steps = |color: Color| {
            // A piece attacks this square from the squares that an enemy piece of its kind would attack from here.
            (pawn_attacks(!color, square) & self.by_kind(Pawn))
                | (knight_attacks(!color, square) & self.by_kind(Knight))
                | (silver_attacks(!color, square) & self.by_kind(Silver))
                | (gold_attacks(!color, square) & self.gold_movers())
        };
        (black & steps(Color::Black))
            | (white & steps(Color::White))
            | (king_attacks(square) & (self.by_kind(King) | self.by_kind(Horse) | self.by_kind(Dragon)))
            | (rook_attacks(square, occupied) & self.rook_movers())
            | (bishop_attacks(square, occupied) & self.bishop_movers())
    }

    /// The squares that a player's pieces attack or defend, given the occupied squares.
    #[inline]
    pub fn attacked_by(&self, color: Color, occupied: Bitboard) -> Bitboard {
        let own = self.by_color(color);
        let mut attacked = self.find_king(color).map_or(Bitboard::EMPTY, king_attacks)
            | pawns_attack(color, own & self.by_kind(Pawn))
            | knights_attack(color, own & self.by_kind(Knight))
            | silvers_attack(color, own & self.by_kind(Silver))
            | golds_attack(color, own & self.gold_movers());
        for square in own & self.rook_movers() {
            attacked |= rook_attacks(square, occupied);
        }
        for square in own & self.bishop_movers() {
            attacked |= bishop_attacks(square, occupied);
        }
        for square in own & (self.by_kind(Horse) | self.by_kind(Dragon)) {
            attacked |= king_attacks(square);
        }
        attacked
    }

    /// The rooks, bishops, dragons and horses of both players that would attack a square along a line on an empty
    /// board.
    #[inline]
    pub fn aligned_sliders(&self, square: Square) -> Bitboard {
        (rook_lines(square) & self.rook_movers()) | (bishop_lines(square) & self.bishop_movers())
    }

    /// Those of [`Position::aligned_sliders`] that belong to `by`.
    #[inline]
    pub(super) fn snipers(&self, by: Color, square: Square) -> Bitboard {
        self.by_color(by) & self.aligned_sliders(square)
    }

    /// The pieces of either player that alone block a sliding piece's attack on the king of `color`.
    #[inline]
    pub fn blockers(&self, color: Color, occupied: Bitboard) -> Bitboard {
        let mut blockers = Bitboard::EMPTY;
        let Some(king) = self.find_king(color) else { return blockers };
        for sniper in self.snipers(!color, king) {
            let on_the_way = between(king, sniper) & occupied;
            if !on_the_way.many() {
                blockers |= on_the_way;
            }
        }
        blockers
    }

    /// Computes `checkers` and `pinned`.
    #[inline]
    pub(super) fn find_checks_and_pins(&mut self) {
        let (us, them) = (self.side, !self.side);
        let Some(king) = self.find_king(us) else {
            (self.checkers, self.pinned) = (Bitboard::EMPTY, Bitboard::EMPTY);
            return;
        };
        let occupied = self.occupied();
        let mut checkers = self.by_color(them)
            & ((pawn_attacks(us, king) & self.by_kind(Pawn))
                | (knight_attacks(us, king) & self.by_kind(Knight))
                | (silver_attacks(us, king) & self.by_kind(Silver))
                | (gold_attacks(us, king) & self.gold_movers())
                | (king_attacks(king) & (self.by_kind(Horse) | self.by_kind(Dragon))));
        let mut pinned = Bitboard::EMPTY;
        for sniper in self.snipers(them, king) {
            let on_the_way = between(king, sniper) & occupied;
            if on_the_way.is_empty() {
                checkers |= sniper.into();
            } else if !on_the_way.many() {
                pinned |= on_the_way;
            }
        }
        self.checkers = checkers;
        self.pinned = pinned & self.by_color(us);
    }
}

impl PartialEq for Position {
    /// The same board, hands and side to move, as repetition compares positions. Move numbers do not matter.
    fn eq(&self, other: &Position) -> bool {
        self.side == other.side && self.hands == other.hands && self.board == other.board
    }
}

impl Eq for Position {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_equal_if_board_hands_and_side_are() {
        let position = |sfen: &str| sfen.parse::<Position>().unwrap();
        let start = position("rbnsgk/5p/6/6/P5/KGSNBR b - 1");
        assert_eq!(start, position("rbnsgk/5p/6/6/P5/KGSNBR b - 7"));
        for other in [
            "rbnsgk/5p/6/6/P5/KGSNBR w - 1",
            "rbnsgk/5p/6/P5/6/KGSNBR b - 1",
            "rbnsgk/5p/6/6/P5/KGSN1R b B 1",
            "rbnsgk/5p/6/6/P5/KGSN1R b b 1",
        ] {
            assert_ne!(start, position(other));
        }
        assert_ne!(position("rbnsgk/5p/6/6/P5/KGSN1R b B 1"), position("rbnsgk/5p/6/6/P5/KGSN1R b b 1"));
        assert_eq!(format!("{start:?}"), format!("Position({start})"));
    }
}
