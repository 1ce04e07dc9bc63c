//! Accumulators: the sums of the hidden layer, updated along the current line of the search.
//!
//! Updates are lazy. A move only records the features that it changes. When a position is evaluated, its sums are
//! computed from those of the last computed position before it, since many positions are never evaluated.

use bytemuck::Zeroable;

use super::{Inference, Perspective, Row};
use crate::shogi::{BoardObserver, Color, Move, Piece, PieceKind, Position, Square};

/// The difference between a position and the one before it, by features ([`Perspective::BLACK`] names them).
#[derive(Clone, Copy, Default, Debug)]
struct DirtyFeatures {
    /// As many features as in `removed`: two for a capture, one for another move, none for a null move.
    added: [u16; 2],
    removed: [u16; 2],
    added_count: u8,
    removed_count: u8,
    /// The codes of Black's and White's perspective before and after the move, XORed. Nonzero if the king changed its
    /// bucket or its half of the board.
    perspective_change: [u8; 2],
    /// Whether Black's and White's sums are computed.
    computed: [bool; 2],
}

impl DirtyFeatures {
    #[inline]
    fn add(&mut self, input: usize) {
        self.added[usize::from(self.added_count)] = input as u16;
        self.added_count += 1;
    }

    #[inline]
    fn remove(&mut self, input: usize) {
        self.removed[usize::from(self.removed_count)] = input as u16;
        self.removed_count += 1;
    }

    /// Records the square that a king leaves, and its destination.
    #[inline]
    fn note_king(&mut self, piece: Piece, square: Square) {
        if piece.kind() == PieceKind::King {
            self.perspective_change[piece.color().index()] ^= Perspective::with_king(piece.color(), square).code();
        }
    }

    /// Whether all inputs of a side's perspective change, so that its sums must be computed from scratch.
    #[inline]
    fn needs_refresh(&self, color: Color) -> bool {
        self.perspective_change[color.index()] != 0
    }
}

impl BoardObserver for DirtyFeatures {
    #[inline]
    fn piece_added(&mut self, piece: Piece, square: Square) {
        self.add(Perspective::BLACK.piece(piece, square));
        self.note_king(piece, square);
    }

    #[inline]
    fn piece_removed(&mut self, piece: Piece, square: Square) {
        self.remove(Perspective::BLACK.piece(piece, square));
        self.note_king(piece, square);
    }

    #[inline]
    fn hand_changed(&mut self, color: Color, kind: PieceKind, from: u32, to: u32) {
        if to > from {
            self.add(Perspective::BLACK.in_hand(color, kind, to));
        } else {
            self.remove(Perspective::BLACK.in_hand(color, kind, from));
        }
    }
}

/// The greatest number of added and removed inputs, in pairs, for which an update is cheaper than a refresh with 14
/// inputs.
const MAX_UPDATED_PAIRS: u8 = 10;

/// The accumulators of both perspectives, by ply.
///
/// They hold the line to the position played last. Positions must be played and evaluated in depth-first order.
pub struct Accumulators {
    changes: Box<[DirtyFeatures]>,
    sums: Box<[[Row; 2]]>,
}

impl Accumulators {
    /// Allocates lines of `plies` plies. Call [`Accumulators::begin`] first.
    pub fn new(plies: usize) -> Accumulators {
        Accumulators {
            changes: vec![DirtyFeatures::default(); plies + 1].into(),
            sums: vec![[Row::zeroed(); 2]; plies + 1].into(),
        }
    }

    /// The greatest length of a line, in plies.
    pub fn plies(&self) -> usize {
        self.changes.len() - 1
    }

    /// Starts a new line at a position, which gets ply 0.
    pub fn begin(&mut self, inference: &Inference, position: &Position) {
        for color in Color::ALL {
            let active = Perspective::of(position, color).active(position);
            inference.refresh(&active, &mut self.sums[0][color.index()]);
        }
        self.changes[0] = DirtyFeatures { computed: [true; 2], ..DirtyFeatures::default() };
    }

    /// Plays a legal move in the position at a ply, and returns the position after it.
    #[inline]
    #[must_use]
    pub fn play(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let mut change = DirtyFeatures::default();
        let mut child = position.clone();
        child.play_observed(mv, &mut change);
        debug_assert_eq!(change.added_count, change.removed_count);
        self.changes[ply + 1] = change;
        child
    }

    /// Records a null move in the position at a ply.
    #[inline]
    pub fn play_null(&mut self, ply: usize) {
        self.changes[ply + 1] = DirtyFeatures::default();
    }

    /// The score of the position at a ply in centipawns for the side to move.
    #[inline]
    pub fn evaluate(&mut self, inference: &Inference, position: &Position, ply: usize) -> i32 {
        Color::ALL.into_iter().for_each(|color| self.update(inference, position, color, ply));
        let us = position.side_to_move();
        let sums = &self.sums[ply];
        let score = inference.score([&sums[us.index()], &sums[(!us).index()]], position);
        debug_assert_eq!(score, inference.evaluate(position), "what was played does not lead to {position}");
        score
    }

    /// Computes the sums of one perspective at a ply: by updates from the last computed ply, or by a refresh.
    #[inline]
    fn update(&mut self, inference: &Inference, position: &Position, color: Color, ply: usize) {
        let side = color.index();
        let mut base = ply;
        let mut pairs = 0;
        loop {
            let change = &self.changes[base];
            if change.computed[side] {
                break;
            }
            pairs += change.added_count;
            if change.needs_refresh(color) || pairs > MAX_UPDATED_PAIRS {
                let active = Perspective::of(position, color).active(position);
                inference.refresh(&active, &mut self.sums[ply][side]);
                self.changes[ply].computed[side] = true;
                return;
            }
            base -= 1;
        }
        let perspective = Perspective::of(position, color);
        // Keep the sums of the plies in between: other moves can start from them.
        for ply in base + 1..=ply {
            let change = &mut self.changes[ply];
            let (before, rest) = self.sums.split_at_mut(ply);
            let (from, to) = (&before[ply - 1][side], &mut rest[0][side]);
            let row = |input: u16| &inference.input_weights[perspective.input(input)];
            let (added, removed) = (change.added, change.removed);
            match change.added_count {
                0 => *to = *from,
                1 => inference.kernel.step(from, to, [row(added[0])], [row(removed[0])]),
                _ => inference.kernel.step(from, to, added.map(row), removed.map(row)),
            }
            change.computed[side] = true;
        }
    }
}

#[cfg(test)]
#[path = "accumulator_tests.rs"]
mod tests;
