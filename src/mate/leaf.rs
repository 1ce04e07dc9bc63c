//! The initial proof numbers of a leaf: the number of its mover's moves.

use super::backup::{disproof_hand, off_board, proof_hand};
use super::search_result::{NO_LOOP, SearchResult, UNLIMITED};
use crate::shogi::{Bitboard, Move, MoveSink, PieceKind, Position, Square, Stage};

/// Counts the defender's moves on the board and the squares of his drops.
#[derive(Default)]
struct Evasions {
    on_board: u32,
    interposed: Bitboard,
}

impl MoveSink for Evasions {
    fn board_moves(&mut self, _: Square, plain: Bitboard, promoting: Bitboard) {
        self.on_board += (plain | promoting).count();
    }

    fn drops(&mut self, _: PieceKind, to: Bitboard) {
        self.interposed |= to;
    }
}

/// Counts the attacker's checks.
#[derive(Default)]
struct Checks(u32);

impl MoveSink for Checks {
    fn board_moves(&mut self, _: Square, plain: Bitboard, promoting: Bitboard) {
        self.0 += (plain | promoting).count();
    }

    fn drops(&mut self, _: PieceKind, to: Bitboard) {
        self.0 += to.count();
    }
}

/// Evaluates a leaf with the defender, in check, to move. Without a move it is mate; otherwise the proof number is the
/// number of his moves, with all drops on a square counted as one.
pub(super) fn defender_to_move(position: &Position, limit: u16) -> SearchResult {
    let hand = position.hand(!position.side_to_move());
    let mut evasions = Evasions::default();
    position.generate(Stage::All, &mut evasions);
    let count = evasions.on_board + evasions.interposed.count();
    if count == 0 {
        return SearchResult::mate(proof_hand(position), 0, None);
    }
    if limit == 0 {
        // The defender can move on the board regardless of the attacker's hand.
        let most = if evasions.on_board > 0 { off_board(position) } else { hand };
        return SearchResult::no_mate(most, 0, None, NO_LOOP);
    }
    SearchResult::open(count, 1, hand, limit)
}

/// Evaluates a leaf with the attacker to move. Without a check there is no mate; otherwise the disproof number is the
/// number of checks.
pub(super) fn attacker_to_move(position: &Position, limit: u16) -> SearchResult {
    let mut checks = Checks::default();
    position.generate(Stage::Checks, &mut checks);
    if checks.0 == 0 {
        return SearchResult::no_mate(disproof_hand(position), UNLIMITED, None, NO_LOOP);
    }
    SearchResult::open(1, checks.0, position.hand(position.side_to_move()), limit)
}

/// Whether a line is legal, each of the attacker's moves is a check, and its end is mate.
pub(super) fn replays_to_mate(position: &Position, line: &[Move]) -> bool {
    let mut position = position.clone();
    let attacker = position.side_to_move();
    for &mv in line {
        if position.try_play(mv).is_err() || (position.side_to_move() != attacker && !position.in_check()) {
            return false;
        }
    }
    position.side_to_move() != attacker && position.in_check() && !position.has_legal_move()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_mate_if_every_attack_is_a_check_and_the_last_one_mates() {
        for (sfen, line, mates) in [
            ("4k1/6/4P1/6/6/K5 b GS 1", "G*2b", true),
            ("4k1/6/4P1/6/6/K5 b GS 1", "", false),
            ("4k1/6/4P1/6/6/K5 b GS 1", "S*2b 2a1a", false),
            ("4k1/6/4P1/6/6/K5 b GS 1", "S*2b", false),
            ("4k1/6/4P1/6/6/K5 b GS 1", "R*2b", false),
            ("4k1/6/4P1/6/6/K5 b GS 1", "6f5f", false),
            // The gold mates, but the king move before it was not a check.
            ("4k1/6/4P1/6/6/K5 b GS 1", "6f5f 2a1a 5f6f 1a2a G*2b", false),
        ] {
            let line: Vec<Move> = line.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
            assert_eq!(replays_to_mate(&sfen.parse().unwrap(), &line), mates, "{line:?}");
        }
    }
}
