//! The material term: values of pieces on the board, and of the first and second piece of a kind in hand.

use super::fitted::WEIGHTS;
use crate::shogi::{Hand, PieceKind};

/// The value of a piece on the board in centipawns; 0 for the king.
#[inline]
pub(super) const fn board_value(kind: PieceKind) -> i32 {
    WEIGHTS.on_board[kind.index()]
}

/// The value of a number of pieces of a kind in hand, in centipawns. Three pieces of a kind do not occur.
static HELD: [[i32; 1 + Hand::CAPACITY as usize]; PieceKind::DROPPABLE.len()] = {
    let mut table = [[0; 4]; PieceKind::DROPPABLE.len()];
    let mut index = 0;
    while index < table.len() {
        let [first, second] = WEIGHTS.in_hand[index];
        table[index] = [0, first, first + second, first + second];
        index += 1;
    }
    table
};

/// The value of a hand in centipawns.
#[inline]
pub(super) fn in_hand(hand: Hand) -> i32 {
    PieceKind::DROPPABLE.into_iter().map(|kind| HELD[kind.index()][hand.count(kind) as usize]).sum()
}
