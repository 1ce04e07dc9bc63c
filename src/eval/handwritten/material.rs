use super::fitted::WEIGHTS;
use crate::shogi::{Hand, PieceKind};

/// The worth of a piece on the board in centipawns. The king has none.
#[inline]
pub const fn board_value(kind: PieceKind) -> i32 {
    WEIGHTS.on_board[kind.index()]
}

/// The worth of a piece in hand, the first of its kind, in centipawns.
///
/// # Panics
/// If the kind cannot be held in hand.
#[inline]
pub const fn hand_value(kind: PieceKind) -> i32 {
    WEIGHTS.in_hand[kind.index()][0]
}

/// What changes when a piece on the board is taken, in centipawns: one side loses it, the other has it in hand.
#[inline]
pub fn exchange_value(kind: PieceKind) -> i32 {
    EXCHANGE[kind.index()]
}

static EXCHANGE: [i32; PieceKind::COUNT] = {
    let mut table = [KING_EXCHANGE; PieceKind::COUNT];
    let mut index = 0;
    while index < PieceKind::COUNT {
        let kind = PieceKind::ALL[index];
        if !matches!(kind, PieceKind::King) {
            table[index] = board_value(kind) + hand_value(kind.unpromoted());
        }
        index += 1;
    }
    table
};

/// More than everything else together, so that a king never takes part in an exchange that it would lose.
const KING_EXCHANGE: i32 = 20_000;

/// What holding so many of a kind is worth, in centipawns. A third never comes.
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

/// The worth of a whole hand in centipawns.
#[inline]
pub(super) fn in_hand(hand: Hand) -> i32 {
    PieceKind::DROPPABLE.into_iter().map(|kind| HELD[kind.index()][hand.count(kind) as usize]).sum()
}
