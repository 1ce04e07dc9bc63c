//! Static exchange evaluation (SEE): the gain of a series of captures on one square.
//!
//! A captured piece goes to the captor's hand, so a capture gains the piece on the board and the piece in hand. A drop
//! risks the dropped piece; drops are not considered otherwise. A piece that is pinned before the exchange captures
//! only along the line of the pin.
//!
//! Move ordering and delta pruning use the piece values too. They were once fitted to games together with the
//! hand-written evaluation and now belong to the search: refitting that evaluation does not change them. `tried.md` has
//! the result of values derived from the network.

use crate::shogi::attacks::line;
use crate::shogi::{Bitboard, Color, Move, PieceKind, Position, Square};
use PieceKind::*;

/// The order in which pieces capture: the least valuable first.
const CHEAPEST_FIRST: [PieceKind; PieceKind::COUNT] =
    [Pawn, Tokin, Knight, PromotedKnight, Silver, PromotedSilver, Gold, Bishop, Rook, Horse, Dragon, King];

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

/// The value of capturing this piece, in centipawns: one side loses it, the other has it in hand. A king outweighs
/// everything else, so it never takes part in an exchange that it would lose.
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

/// The value of a move's capture and of its promotion, in centipawns.
#[inline]
pub fn immediate_gain(position: &Position, mv: Move) -> i32 {
    let captured = position.piece_at(mv.to()).map_or(0, |piece| exchange_value(piece.kind()));
    let promoting = mv.from().filter(|_| mv.promotes()).and_then(|from| position.piece_at(from));
    captured + promoting.map_or(0, |piece| promotion_gain(piece.kind()))
}

/// Whether the exchange that a legal move begins gains at least `threshold` centipawns.
pub fn see_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    let to = mv.to();
    let kind = match (mv.from().and_then(|from| position.piece_at(from)), mv.dropped()) {
        (Some(piece), _) => mv.kind_after(piece.kind()),
        (None, Some(kind)) => kind,
        (None, None) => return false,
    };
    // The balance that the side to capture next must overcome, less the threshold.
    let swap = immediate_gain(position, mv) - threshold;
    if swap < 0 {
        return false;
    }
    let mut swap = exchange_value(kind) - swap;
    if swap <= 0 {
        return true;
    }

    let mut occupied = position.occupied() | to.into();
    if let Some(from) = mv.from() {
        occupied = occupied.without(from.into());
    }
    let mut side = position.side_to_move();
    let mut attackers = position.attackers_to(to, occupied);
    // Sliders behind other attackers (x-rays), which join in when those are gone. They are rare.
    let hidden = position.aligned_sliders(to).without(attackers) & occupied;
    // Whether the mover reaches the threshold if the exchange ends here.
    let mut reached = true;
    let mut their_pinned = None;
    loop {
        side = !side;
        attackers &= occupied;
        let mut own = attackers & position.by_color(side);
        if own.any() {
            let pinned = if side == position.side_to_move() {
                position.pinned()
            } else {
                *their_pinned.get_or_insert_with(|| position.blockers(side, position.occupied()))
            };
            own = without_pinned(position, side, own, pinned, to);
        }
        let Some((kind, from)) = cheapest(position, own) else { break };
        reached = !reached;
        if kind == King {
            // A king cannot capture a defended piece.
            return reached != (attackers & position.by_color(!side)).any();
        }
        swap = exchange_value(kind) - swap;
        if swap < i32::from(reached) {
            break;
        }
        occupied = occupied.without(from.into());
        if hidden.any() {
            attackers |= uncovered(position, to, occupied);
        }
    }
    reached
}

/// The pieces of one side that may capture on a square, of those that attack it.
#[inline]
fn without_pinned(position: &Position, side: Color, own: Bitboard, pinned: Bitboard, to: Square) -> Bitboard {
    let Some(king) = position.find_king(side) else { return own };
    let stays = |&from: &Square| !line(king, from).has(to);
    (own & pinned).into_iter().filter(stays).fold(own, |own, from| own.without(from.into()))
}

fn cheapest(position: &Position, own: Bitboard) -> Option<(PieceKind, Square)> {
    if own.is_empty() {
        return None;
    }
    CHEAPEST_FIRST.into_iter().find_map(|kind| Some((kind, (own & position.by_kind(kind)).first()?)))
}

/// The sliders that attack the square with this occupancy.
fn uncovered(position: &Position, to: Square, occupied: Bitboard) -> Bitboard {
    use crate::shogi::attacks::{bishop_attacks, rook_attacks};
    (rook_attacks(to, occupied) & position.rook_movers()) | (bishop_attacks(to, occupied) & position.bishop_movers())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::seq::IndexedRandom;
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn exchanges_come_to_what_a_person_would_count() {
        let swing = exchange_value;
        for (sfen, mv, expected) in [
            // The pawn is undefended.
            ("5k/6/6/p5/R5/K5 b - 1", "6e6d", swing(Pawn)),
            // The rook behind the pawn recaptures.
            ("r4k/6/6/p5/R5/K5 b - 1", "6e6d", swing(Pawn) - swing(Rook)),
            // Recapturing would lose the rook for a silver.
            ("r4k/6/6/p5/S5/RK4 b - 1", "6e6d", swing(Pawn)),
            // A drop on an attacked square risks the whole piece.
            ("r4k/6/6/6/6/1K4 b G 1", "G*6c", -swing(Gold)),
            ("r4k/6/6/6/6/1K4 b G 1", "G*5c", 0),
            // Promotion counts at once.
            ("5k/6/P5/6/6/K5 b - 1", "6c6b+", board_value(Tokin) - board_value(Pawn)),
            // The king recaptures an undefended piece, but not a defended one.
            ("5k/4g1/4S1/6/6/K5 b - 1", "2c2b", swing(Gold) - swing(Silver)),
            ("5k/4g1/4S1/3N2/6/K5 b - 1", "2c2b", swing(Gold)),
            // A pinned silver cannot recapture, except along the line of the pin.
            ("4k1/4s1/3p2/3SR1/6/K5 b - 1", "3d3c", swing(Pawn)),
            ("4k1/4s1/6/3SR1/6/K5 b G 1", "G*2c", swing(Silver) - swing(Gold)),
        ] {
            let position: Position = sfen.parse().unwrap();
            let mv = mv.parse().unwrap();
            assert!(position.is_legal(mv), "{sfen} {mv}");
            assert!(see_at_least(&position, mv, expected), "{sfen} {mv} is worth {expected}");
            assert!(!see_at_least(&position, mv, expected + 1), "{sfen} {mv} is worth no more than {expected}");
        }
        assert_eq!(swing(Tokin), board_value(Tokin) + hand_value(Pawn));
    }

    /// The gain of the side to move by the best exchange on a square where a piece of this kind stands, the least
    /// valuable piece capturing first; 0 if it does not capture. Attackers are computed again after each capture.
    fn gain(position: &Position, to: Square, side: Color, occupied: Bitboard, kind: PieceKind) -> i32 {
        let attackers = position.attackers_to(to, occupied) & occupied;
        let pinned = position.blockers(side, position.occupied());
        let king = position.find_king(side);
        let free = |&from: &Square| !pinned.has(from) || king.is_none_or(|king| line(king, from).has(to));
        let own = (attackers & position.by_color(side)).into_iter().filter(free).map(Bitboard::from);
        let Some((next, from)) = cheapest(position, own.fold(Bitboard::EMPTY, |own, from| own | from)) else {
            return 0;
        };
        if next == King && (attackers & position.by_color(!side)).any() {
            return 0;
        }
        let rest = occupied.without(from.into());
        (exchange_value(kind) - gain(position, to, !side, rest, next)).max(0)
    }

    #[test]
    fn exchanges_come_to_what_minimax_says() {
        let mut chance = Xoshiro256PlusPlus::seed_from_u64(7);
        let (mut exchanges, mut hidden) = (0, 0);
        for _ in 0..300 {
            let mut position = Position::startpos();
            for _ in 0..80 {
                let moves = position.legal_moves();
                for &mv in &moves {
                    let kind = position.after(mv).piece_at(mv.to()).unwrap().kind();
                    let occupied =
                        mv.from().map_or(position.occupied(), |from| position.occupied().without(from.into()));
                    let occupied = occupied | mv.to().into();
                    let reply = gain(&position, mv.to(), !position.side_to_move(), occupied, kind);
                    let expected = immediate_gain(&position, mv) - reply;
                    assert!(see_at_least(&position, mv, expected), "{mv} is worth {expected} in {position}");
                    assert!(!see_at_least(&position, mv, expected + 1), "{mv} is worth {expected} in {position}");
                    exchanges += u32::from(reply > 0);
                    hidden += u32::from(position.aligned_sliders(mv.to()).any());
                }
                let Some(&mv) = moves.choose(&mut chance) else { break };
                position.play(mv);
            }
        }
        assert!(exchanges > 10_000 && hidden > 10_000, "{exchanges} exchanges, {hidden} with sliders");
    }
}
