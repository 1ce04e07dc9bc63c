//! The result of a node that its children settle: the length of the mate, and the hand for which it holds.
//!
//! A proof holds for every attacker's hand that covers its proof hand, a disproof for every hand covered by its
//! disproof hand (Nagai 2002).

use super::children::{Children, NodeType};
use super::search_result::{NO_LOOP, SearchResult, UNLIMITED};
use crate::shogi::attacks::between;
use crate::shogi::{Bitboard, CheckSquares, Color, Hand, Move, PieceKind, Position};

/// A node at which a child is settled in favour of the mover.
pub(super) fn won_by_mover(position: &Position, children: &Children, node_type: NodeType, hand: Hand) -> SearchResult {
    if node_type == NodeType::Or {
        let proven = children.iter().filter(|child| child.result.is_proven());
        let child = proven.min_by_key(|child| child.result.length).expect("a child is proven");
        let least = hand_before(position, child.mv, child.result.hand);
        debug_assert!(hand.covers(least));
        return SearchResult::mate(least, longer(child.result.length), Some(child.mv));
    }
    let disproven = children.iter().filter(|child| child.result.is_disproven());
    let child =
        disproven.max_by_key(|child| (child.result.loop_start, child.result.length)).expect("a child is disproven");
    // A piece that the defender captures is on the board here. A piece that he drops is on the board in the child, and
    // the child's hand does not count it.
    let most = child.result.hand.smaller(off_board(position));
    debug_assert!(most.covers(hand));
    SearchResult::no_mate(most, longer(child.result.length), Some(child.mv), child.result.loop_start)
}

/// A node at which every child is settled against the mover.
pub(super) fn lost_by_mover(position: &Position, children: &Children, node_type: NodeType, hand: Hand) -> SearchResult {
    if node_type == NodeType::Or {
        let mut most = disproof_hand(position);
        let (mut length, mut loop_start) = (UNLIMITED, NO_LOOP);
        for child in children {
            most = most.smaller(hand_before(position, child.mv, child.result.hand));
            length = length.min(longer(child.result.length));
            loop_start = loop_start.min(child.result.loop_start);
        }
        debug_assert!(most.covers(hand));
        return SearchResult::no_mate(most, length, None, loop_start);
    }
    let mut least = proof_hand(position);
    let mut length = 0;
    for child in children {
        least = least.larger(child.result.hand);
        length = length.max(longer(child.result.length));
    }
    debug_assert!(hand.covers(least));
    // Store no move: which one resists longest depends on the defender's hand, and the entry serves other hands too.
    SearchResult::mate(least, length, None)
}

/// The minimal proof hand of an AND node: with fewer pieces in the attacker's hand, the defender could hold a kind that
/// he has none of now, and interpose it.
pub(super) fn proof_hand(position: &Position) -> Hand {
    let defender = position.side_to_move();
    let only_checker = position.checkers().first().filter(|_| !position.checkers().many());
    let squares = only_checker.map_or(Bitboard::EMPTY, |checker| between(position.king(defender), checker));
    let (attacking, defending) = (position.hand(!defender), position.hand(defender));
    if squares.is_empty() {
        return Hand::EMPTY;
    }
    attacking
        .iter()
        .filter(|&(kind, _)| !defending.has(kind))
        .fold(Hand::EMPTY, |hand, (kind, count)| hand.with(kind, count))
}

/// The maximal disproof hand of an OR node: it has no piece of a kind that the attacker lacks and could check with.
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

/// All pieces in both hands.
pub(super) fn off_board(position: &Position) -> Hand {
    position.hand(Color::Black).plus(position.hand(Color::White))
}

/// The attacker's hand before a move, given his hand after it.
fn hand_before(position: &Position, mv: Move, after: Hand) -> Hand {
    if let Some(kind) = mv.dropped() {
        return after.with(kind, after.count(kind) + 1);
    }
    match position.piece_at(mv.to()) {
        Some(captured) => {
            let kind = captured.kind().unpromoted();
            after.with(kind, after.count(kind).saturating_sub(1))
        }
        None => after,
    }
}

/// The length of a line that is one ply longer.
fn longer(length: u16) -> u16 {
    if length >= UNLIMITED - 1 { length } else { length + 1 }
}
