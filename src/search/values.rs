//! Piece values of the search: for static exchange evaluation, the order of captures, and delta pruning.
//!
//! The values were fitted to games once, with the hand-written evaluation, and are the search's own since: a new fit of
//! that evaluation does not change them. `tried.md` says what values derived from the network gained.

use crate::shogi::PieceKind;
use PieceKind::*;

/// The value of a piece on the board in centipawns; that of the king is 0.
#[inline]
pub const fn board_value(kind: PieceKind) -> i32 {
    match kind {
        Pawn => 55,
        Knight => 166,
        Silver => 257,
        Gold => 310,
        Bishop => 368,
        Rook => 400,
        King => 0,
        Tokin => 301,
        PromotedKnight => 312,
        PromotedSilver => 326,
        Horse => 585,
        Dragon => 640,
    }
}

/// The value of a piece in hand in centipawns, by the kind that it has on the board.
#[inline]
pub const fn hand_value(kind: PieceKind) -> i32 {
    match kind.unpromoted() {
        Pawn => 138,
        Knight => 189,
        Silver => 292,
        Gold => 343,
        Bishop => 395,
        Rook => 471,
        _ => 0,
    }
}

/// What a capture of this piece is worth in centipawns: one side loses it, the other has it in hand. A king outweighs
/// everything else, so that it takes no part in an exchange that it would lose.
#[inline]
pub fn exchange_value(kind: PieceKind) -> i32 {
    EXCHANGE[kind.index()]
}

/// The gain of a promotion in centipawns; 0 for a kind that does not promote.
#[inline]
pub fn promotion_gain(kind: PieceKind) -> i32 {
    PROMOTION_GAIN[kind.index()]
}

const KING_EXCHANGE: i32 = 20_000;

static EXCHANGE: [i32; PieceKind::COUNT] = {
    let mut table = [KING_EXCHANGE; PieceKind::COUNT];
    let mut index = 0;
    while index < PieceKind::COUNT {
        let kind = PieceKind::ALL[index];
        if !matches!(kind, King) {
            table[index] = board_value(kind) + hand_value(kind);
        }
        index += 1;
    }
    table
};

static PROMOTION_GAIN: [i32; PieceKind::COUNT] = {
    let mut table = [0; PieceKind::COUNT];
    let mut index = 0;
    while index < PieceKind::COUNT {
        let kind = PieceKind::ALL[index];
        if let Some(promoted) = kind.promoted() {
            table[index] = board_value(promoted) - board_value(kind);
        }
        index += 1;
    }
    table
};
