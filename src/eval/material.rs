use crate::shogi::{Hand, PieceKind};

/// On the board, in centipawns.
#[rustfmt::skip]
const ON_BOARD: [i32; PieceKind::COUNT] = [
    // P    N    S    G    B    R  K   +P   +N   +S   +B   +R
     64, 169, 247, 296, 335, 391, 0, 292, 300, 336, 571, 650,
];

/// In hand, the first and the second of a kind, in centipawns: a piece that can come down anywhere is worth more than
/// most on the board.
const IN_HAND: [[i32; 2]; PieceKind::DROPPABLE.len()] =
    [[126, 87], [178, 102], [255, 221], [313, 263], [362, 334], [445, 501]];

/// The worth of a piece on the board in centipawns. The king has none.
#[inline]
pub const fn board_value(kind: PieceKind) -> i32 {
    ON_BOARD[kind.index()]
}

/// The worth of a piece in hand, the first of its kind, in centipawns.
///
/// # Panics
/// If the kind cannot be held in hand.
#[inline]
pub fn hand_value(kind: PieceKind) -> i32 {
    IN_HAND[kind.index()][0]
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
            table[index] = ON_BOARD[index] + IN_HAND[kind.unpromoted().index()][0];
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
        let [first, second] = IN_HAND[index];
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
