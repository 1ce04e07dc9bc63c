//! The sums of the first layer, kept along the line that a search is looking at ("accumulators").
//!
//! A move only notes which inputs it changes. Sums are made when a position is evaluated, from those of the nearest
//! position before it that has some; many positions never are.

use bytemuck::Zeroable;

use super::simd::Row;
use super::{Inference, Perspective};
use crate::shogi::{BoardObserver, Color, Move, Piece, PieceKind, Position, Square};

/// What stands between a position and the one before it. Inputs are named as in [`Perspective::BLACK`], by their features.
#[derive(Clone, Copy, Default, Debug)]
struct Change {
    /// As many as are removed: one without a capture, two with one, none if it is a null move.
    added: [u16; 2],
    removed: [u16; 2],
    added_count: u8,
    removed_count: u8,
    /// Not 0 where Black's and White's king has gone to where that side's perspective is another.
    needs_refresh: [u8; 2],
    /// Black's and White's sums have been made.
    computed: [bool; 2],
}

impl Change {
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

    /// A king leaves a part of the board, or comes to one: twice the same is no crossing.
    #[inline]
    fn note_king(&mut self, piece: Piece, square: Square) {
        if piece.kind() == PieceKind::King {
            self.needs_refresh[piece.color().index()] ^= Perspective::with_king(piece.color(), square).code();
        }
    }
}

impl BoardObserver for Change {
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

/// How many pairs of inputs are changed one by one before it is cheaper to begin anew with the 14 that are on.
const MOST_PAIRS: u8 = 10;

/// Accumulators for both sides, by ply.
///
/// What belongs to a ply is what was played last at the ply before, so positions must be played, and evaluated, in the
/// order of a tree walk.
pub struct Accumulators {
    changes: Box<[Change]>,
    sums: Box<[[Row; 2]]>,
}

impl Accumulators {
    /// For lines of up to so many plies. [`Accumulators::begin`] comes first.
    pub fn new(plies: usize) -> Accumulators {
        Accumulators {
            changes: vec![Change::default(); plies + 1].into(),
            sums: vec![[Row::zeroed(); 2]; plies + 1].into(),
        }
    }

    /// How long lines may be.
    pub fn plies(&self) -> usize {
        self.changes.len() - 1
    }

    /// Begins with a position at ply 0: nothing that was made before holds.
    pub fn begin(&mut self, inference: &Inference, position: &Position) {
        for color in Color::ALL {
            let active = Perspective::of(position, color).active(position);
            inference.refresh(&active, &mut self.sums[0][color.index()]);
        }
        self.changes[0] = Change { computed: [true; 2], ..Change::default() };
    }

    /// The position after a legal move in the position at a ply.
    #[inline]
    #[must_use]
    pub fn play(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let mut change = Change::default();
        let mut child = position.clone();
        child.play_observed(mv, &mut change);
        debug_assert_eq!(change.added_count, change.removed_count);
        self.changes[ply + 1] = change;
        child
    }

    /// Takes note of a null move in the position at a ply.
    #[inline]
    pub fn play_null(&mut self, ply: usize) {
        self.changes[ply + 1] = Change::default();
    }

    /// The score of the position at a ply in centipawns, from the point of view of the side to move.
    #[inline]
    pub fn evaluate(&mut self, inference: &Inference, position: &Position, ply: usize) -> i32 {
        Color::ALL.into_iter().for_each(|color| self.bring_up(inference, position, color, ply));
        let us = position.side_to_move();
        let sums = &self.sums[ply];
        let score = inference.score([&sums[us.index()], &sums[(!us).index()]], position);
        debug_assert_eq!(score, inference.evaluate(position), "what was played does not lead to {position}");
        score
    }

    /// Makes one side's sums at a ply.
    #[inline]
    fn bring_up(&mut self, inference: &Inference, position: &Position, color: Color, ply: usize) {
        let side = color.index();
        let mut base = ply;
        let mut pairs = 0;
        loop {
            let change = &self.changes[base];
            if change.computed[side] {
                break;
            }
            pairs += change.added_count;
            if change.needs_refresh[side] != 0 || pairs > MOST_PAIRS {
                let active = Perspective::of(position, color).active(position);
                inference.refresh(&active, &mut self.sums[ply][side]);
                self.changes[ply].computed[side] = true;
                return;
            }
            base -= 1;
        }
        let perspective = Perspective::of(position, color);
        // What lies between is kept as well: other lines go on from there.
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
