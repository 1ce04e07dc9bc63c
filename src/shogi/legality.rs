//! Legality of a single move, the rules for drops (nifu, uchifuzume), and detection of checking moves.

use super::attacks::*;
use super::setup::dead_squares;
use super::{Bitboard, Move, PieceKind, Position, Square};
use PieceKind::*;

/// The squares from which the side to move gives check. They are computed once for all moves of a position.
pub struct CheckSquares {
    /// By kind: the squares from which a piece checks the enemy king.
    direct: [Bitboard; PieceKind::COUNT],
    /// The own pieces that give a discovered check by leaving their line to the enemy king.
    discoverers: Bitboard,
    king: Option<Square>,
}

impl CheckSquares {
    /// The squares for the side to move; none if the opponent has no king.
    pub fn new(position: &Position) -> CheckSquares {
        let (them, none) = (!position.side, Bitboard::EMPTY);
        let Some(king) = position.find_king(them) else {
            return CheckSquares { direct: [none; PieceKind::COUNT], discoverers: none, king: None };
        };
        let occupied = position.occupied();
        let (pawn, knight) = (pawn_attacks(them, king), knight_attacks(them, king));
        let (silver, gold) = (silver_attacks(them, king), gold_attacks(them, king));
        let (bishop, rook) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
        let (horse, dragon) = (bishop | king_attacks(king), rook | king_attacks(king));
        let direct = [pawn, knight, silver, gold, bishop, rook, none, gold, gold, gold, horse, dragon];
        let discoverers = position.blockers(them, occupied) & position.by_color(position.side);
        CheckSquares { direct, discoverers, king: Some(king) }
    }

    /// The squares from which a piece of a kind checks.
    #[inline]
    pub fn direct(&self, kind: PieceKind) -> Bitboard {
        self.direct[kind.index()]
    }

    /// The squares to which a piece on `from` gives a discovered check.
    #[inline]
    pub(super) fn uncovered_from(&self, from: Square) -> Bitboard {
        match self.king {
            Some(king) if self.discoverers.has(from) => !line(king, from),
            _ => Bitboard::EMPTY,
        }
    }
}

impl Position {
    /// Whether a move is legal for the side to move.
    pub fn is_legal(&self, mv: Move) -> bool {
        match (mv.from(), mv.dropped()) {
            (Some(from), _) => self.is_legal_board_move(from, mv.to(), mv.promotes()),
            (None, Some(kind)) => self.drop_targets(kind).has(mv.to()),
            (None, None) => false,
        }
    }

    fn is_legal_board_move(&self, from: Square, to: Square, promotes: bool) -> bool {
        let us = self.side;
        let Some(piece) = self.piece_at(from).filter(|piece| piece.color() == us) else { return false };
        let kind = piece.kind();
        if self.by_color(us).has(to) || !attacks(kind, us, from, self.occupied()).has(to) {
            return false;
        }
        if promotes {
            let zone = Bitboard::zone(us);
            if kind.promoted().is_none() || !(zone.has(from) || zone.has(to)) {
                return false;
            }
        } else if dead_squares(us, kind).has(to) {
            return false;
        }
        if kind == King {
            let occupied = self.occupied().without(from.into());
            return (self.attackers_to(to, occupied) & self.by_color(!us)).is_empty();
        }
        let on_its_line = |king| !self.pinned.has(from) || line(king, from).has(to);
        self.evasion_mask().has(to) && self.find_king(us).is_none_or(on_its_line)
    }

    /// The squares to which a piece other than the king may move so that no checker remains; pins are ignored.
    #[inline]
    pub(super) fn evasion_mask(&self) -> Bitboard {
        match (self.checkers.first(), self.find_king(self.side)) {
            (Some(_), _) if self.checkers.many() => Bitboard::EMPTY,
            (Some(checker), Some(king)) => between(king, checker) | checker.into(),
            _ => Bitboard::ALL,
        }
    }

    /// The squares on which the side to move may drop a piece of a kind: none if it holds none.
    pub fn drop_targets(&self, kind: PieceKind) -> Bitboard {
        if kind.index() >= PieceKind::DROPPABLE.len() || !self.hand(self.side).has(kind) {
            return Bitboard::EMPTY;
        }
        self.drop_targets_within(kind, self.evasion_mask().without(self.occupied()))
    }

    /// The squares of `free` on which the rules allow a drop of this kind.
    #[inline]
    pub(super) fn drop_targets_within(&self, kind: PieceKind, free: Bitboard) -> Bitboard {
        let us = self.side;
        let targets = free.without(dead_squares(us, kind));
        if kind != Pawn {
            return targets;
        }
        // Nifu: two unpromoted pawns on a file.
        let targets = targets.without(self.pieces(us, Pawn).column_fill());
        // Uchifuzume: mate by a pawn drop. It can only be on the square in front of the king.
        let Some(king) = self.find_king(!us) else { return targets };
        let checking = targets & pawn_attacks(!us, king);
        match checking.first() {
            Some(square) if self.pawn_drop_mates(square, king) => targets.without(checking),
            _ => targets,
        }
    }

    /// Whether a pawn drop on `to`, in front of the enemy king on `king`, is mate.
    fn pawn_drop_mates(&self, to: Square, king: Square) -> bool {
        let (us, them) = (self.side, !self.side);
        let occupied = self.occupied() | to.into();
        // Include attacks through the king, so that it cannot retreat along a line.
        let covered = self.attacked_by(us, occupied.without(king.into()));
        if king_attacks(king).without(self.by_color(them) | covered).any() {
            return false;
        }
        // No piece can interpose: an unpinned piece must capture the pawn.
        let takers = (self.attackers_to(to, occupied) & self.by_color(them)).without(king.into());
        if takers.is_empty() {
            return true;
        }
        let pinned = self.blockers(them, occupied);
        !takers.into_iter().any(|taker| !pinned.has(taker) || line(king, taker).has(to))
    }

    /// Whether a legal move gives check.
    #[inline]
    pub fn gives_check(&self, mv: Move, squares: &CheckSquares) -> bool {
        let to = mv.to();
        match (mv.from(), mv.dropped()) {
            (Some(from), _) => {
                let Some(piece) = self.piece_at(from) else { return false };
                squares.direct(mv.kind_after(piece.kind())).has(to) || squares.uncovered_from(from).has(to)
            }
            (None, Some(kind)) => squares.direct(kind).has(to),
            (None, None) => false,
        }
    }

    /// Whether a move captures.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        !mv.is_drop() && self.occupied().has(mv.to())
    }
}
