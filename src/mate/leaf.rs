//! What can be said of a position without searching it.

use super::search_result::{NO_LOOP, SearchResult, UNLIMITED};
use crate::shogi::attacks::between;
use crate::shogi::{Bitboard, CheckSquares, Color, Hand, Move, MoveSink, PieceKind, Position, Square, Stage};

/// Counts the defender's moves.
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

/// A position in which the defender, in check, is to move: a mate, or as many moves away from one as he has ways out.
/// Pieces dropped on the same square count as one.
pub(super) fn defender_to_move(position: &Position, limit: u16) -> SearchResult {
    let hand = position.hand(!position.side_to_move());
    let mut evasions = Evasions::default();
    position.generate(Stage::All, &mut evasions);
    let ways = evasions.on_board + evasions.interposed.count();
    if ways == 0 {
        return SearchResult::mate(proof_hand(position), 0, None);
    }
    if limit == 0 {
        // A way out on the board is there whatever the attacker holds.
        let most = if evasions.on_board > 0 { off_board(position) } else { hand };
        return SearchResult::no_mate(most, 0, None, NO_LOOP);
    }
    SearchResult::open(ways, 1, hand, limit)
}

/// A position in which the attacker is to move: without a check there is no mate.
pub(super) fn attacker_to_move(position: &Position, limit: u16) -> SearchResult {
    let mut checks = Checks::default();
    position.generate(Stage::Checks, &mut checks);
    if checks.0 == 0 {
        return SearchResult::no_mate(disproof_hand(position), UNLIMITED, None, NO_LOOP);
    }
    SearchResult::open(1, checks.0, position.hand(position.side_to_move()), limit)
}

/// What the attacker must have kept from the defender for a proof over all of the defender's moves to hold: every piece
/// of the kinds that the defender has none of, if he could interpose them.
pub(super) fn proof_hand(position: &Position) -> Hand {
    let defender = position.side_to_move();
    let distant = position.checkers().first().filter(|_| !position.checkers().many());
    let squares = distant.map_or(Bitboard::EMPTY, |checker| between(position.king(defender), checker));
    let (attacking, defending) = (position.hand(!defender), position.hand(defender));
    if squares.is_empty() {
        return Hand::EMPTY;
    }
    attacking
        .iter()
        .filter(|&(kind, _)| !defending.has(kind))
        .fold(Hand::EMPTY, |hand, (kind, count)| hand.with(kind, count))
}

/// Up to what hand a failure of all of the attacker's checks says something: a kind that he has none of was not tried,
/// unless there is nowhere to check with it.
pub(super) fn disproof_hand(position: &Position) -> Hand {
    let attacker = position.side_to_move();
    let (hand, all) = (position.hand(attacker), off_board(position));
    let checks = CheckSquares::new(position);
    let empty = !position.occupied();
    PieceKind::DROPPABLE.into_iter().fold(all, |most, kind| {
        let untried = !hand.has(kind) && (checks.direct(kind) & empty).any();
        if untried { most.with(kind, 0) } else { most }
    })
}

/// Everything that either player holds.
fn off_board(position: &Position) -> Hand {
    position.hand(Color::Black).plus(position.hand(Color::White))
}

/// Whether a line of moves is legal, each of the attacker's a check, and its end a mate.
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
