//! Properties of every position, tested on the positions of random games and on random setups.
//!
//! Each property compares a fast result (updated incrementally, or computed set-wise) with a slow one that must equal
//! it.

use std::sync::LazyLock;

use judkins::shogi::{
    BoardObserver, CheckSquares, Color, Hand, Move, Piece, PieceKind, Position, Setup, Square, Stage,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::common::STARTS;

/// The longest random game, in plies. Longer than most, so that hands fill and kings wander.
const MAX_PLIES: usize = 80;

/// Every move that can be written at all.
static EVERY_MOVE: LazyLock<Vec<Move>> = LazyLock::new(|| (0..=u16::MAX).filter_map(Move::from_bits).collect());

/// The stages that together are all moves.
const PARTS: [Stage; 4] = [Stage::Captures, Stage::Promotions, Stage::Quiets, Stage::Drops];

/// A game of random moves, which ends where there is no legal move.
#[derive(Clone, Debug)]
struct Playout {
    start: Position,
    moves: Vec<Move>,
}

impl Playout {
    /// Each number picks a move: one of the list of legal moves, taken round and round.
    fn new(start: Position, choices: &[u16]) -> Playout {
        let mut moves = Vec::new();
        let mut position = start.clone();
        for &choice in choices {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[usize::from(choice) % legal.len()];
            position.play(mv);
            moves.push(mv);
        }
        Playout { start, moves }
    }

    fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start.clone()];
        for &mv in &self.moves {
            positions.push(positions[positions.len() - 1].after(mv));
        }
        positions
    }
}

/// Where one piece of the game is, as numbers: its square (in hand, if that is taken or off the board), whose it is,
/// and whether it is promoted.
type Scatter = (usize, bool, bool);

/// Throws the kings and every piece of the game onto the board and into the hands.
fn scatter(kings: [usize; 2], pieces: &[Scatter], side_to_move: Color) -> Setup {
    let mut setup = Setup { board: [None; Square::COUNT], hands: [Hand::EMPTY; 2], side_to_move, move_number: 1 };
    for (king, color) in kings.into_iter().zip(Color::ALL) {
        setup.board[king] = Some(Piece::new(color, PieceKind::King));
    }
    for (&(square, black, promoted), index) in pieces.iter().zip(0..) {
        let kind = PieceKind::DROPPABLE[index / 2];
        let color = if black { Color::Black } else { Color::White };
        match setup.board.get_mut(square) {
            Some(free @ None) => {
                let kind = kind.promoted().filter(|_| promoted).unwrap_or(kind);
                *free = Some(Piece::new(color, kind));
            }
            _ => setup.hands[color.index()].add(kind),
        }
    }
    setup
}

/// Positions that games hardly ever come to: kings in the open, pieces that uncover checks, all at once.
fn scattered() -> impl Strategy<Value = Position> {
    let square = 0..Square::COUNT;
    let pieces = prop::collection::vec((0..2 * Square::COUNT, any::<bool>(), any::<bool>()), 12);
    ([square.clone(), square], pieces).prop_filter_map("must be valid", |(kings, pieces)| {
        // With one king in check it is that side's move; with both there is no such position.
        let valid = |side| Position::try_from(&scatter(kings, &pieces, side)).ok();
        Color::ALL.into_iter().find_map(valid)
    })
}

/// A game from the start position, from a position of the suite, or from a random setup.
fn playouts() -> impl Strategy<Value = Playout> {
    let starts = prop_oneof![Just(Position::startpos()), select(STARTS.as_slice()), scattered()];
    let choices = prop::collection::vec(any::<u16>(), 0..=MAX_PLIES);
    (starts, choices).prop_map(|(start, choices)| Playout::new(start, &choices))
}

/// The last position of a random game, or a random setup.
fn positions() -> impl Strategy<Value = Position> {
    let last = |playout: Playout| playout.start.after_line(&playout.moves);
    prop_oneof![playouts().prop_map(last), scattered()]
}

/// The moves in an order of their own; fails if one is there twice.
fn sorted(moves: impl IntoIterator<Item = Move>) -> Result<Vec<Move>, TestCaseError> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_unstable_by_key(|mv| mv.bits());
    prop_assert!(moves.windows(2).all(|pair| pair[0] != pair[1]), "a move is there twice: {:?}", moves);
    Ok(moves)
}

fn reread(position: &Position) -> Position {
    position.to_string().parse().expect("a position's own SFEN is valid")
}

/// Board and hands, as an observer sees them change.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Mirror {
    board: [Option<Piece>; Square::COUNT],
    hands: [Hand; 2],
}

impl Mirror {
    fn of(position: &Position) -> Mirror {
        let Setup { board, hands, .. } = Setup::from(position);
        Mirror { board, hands }
    }
}

impl BoardObserver for Mirror {
    fn piece_added(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.board[square.index()].replace(piece), None, "{piece} is put on an occupied {square}");
    }

    fn piece_removed(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.board[square.index()].take(), Some(piece), "what leaves {square} did not stand there");
    }

    fn hand_changed(&mut self, color: Color, kind: PieceKind, from: u32, to: u32) {
        let hand = &mut self.hands[color.index()];
        assert_eq!(hand.count(kind), from, "{color}'s {kind}s before the change");
        match (from, to) {
            (from, to) if to == from + 1 => hand.add(kind),
            (from, to) if from == to + 1 => hand.remove(kind),
            _ => panic!("{color}'s {kind}s go from {from} to {to} at once"),
        }
    }
}

proptest! {
    // A failure prints its position as SFEN, so there is nothing to persist.
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn incremental_state_equals_a_fresh_computation(playout in playouts()) {
        for position in playout.positions() {
            let fresh = reread(&position);
            prop_assert_eq!(position.key(), position.computed_key(), "{}", position);
            prop_assert_eq!(position.key(), fresh.key(), "{}", position);
            prop_assert_eq!(position.checkers(), fresh.checkers(), "{}", position);
            prop_assert_eq!(position.pinned(), fresh.pinned(), "{}", position);
            for color in Color::ALL {
                prop_assert_eq!(position.king(color), fresh.king(color), "{}", position);
                prop_assert_eq!(position.by_color(color), fresh.by_color(color), "{}", position);
            }
            for kind in PieceKind::ALL {
                prop_assert_eq!(position.by_kind(kind), fresh.by_kind(kind), "{} {}", position, kind);
            }
        }
    }

    #[test]
    fn a_null_move_only_passes_the_turn(position in positions()) {
        prop_assume!(!position.in_check());
        let mut passed = position.clone();
        passed.play_null();
        prop_assert_eq!(passed.side_to_move(), !position.side_to_move());
        prop_assert_eq!(passed.key(), passed.computed_key());
        prop_assert_ne!(passed.key(), position.key());
        prop_assert_eq!(Mirror::of(&passed), Mirror::of(&position));
    }

    #[test]
    fn a_position_survives_its_sfen(position in positions()) {
        let again = reread(&position);
        prop_assert_eq!(&again, &position);
        prop_assert_eq!(again.key(), position.key());
        prop_assert_eq!(again.move_number(), position.move_number());
        prop_assert_eq!(again.to_string(), position.to_string());
        prop_assert_eq!(Setup::from(&again), Setup::from(&position));
    }

    #[test]
    fn captures_promotions_quiets_and_drops_are_all_moves_each_once(position in positions()) {
        // A move in two of the stages would be there twice.
        let parts = sorted(PARTS.into_iter().flat_map(|stage| position.moves(stage)))?;
        prop_assert_eq!(parts, sorted(position.legal_moves())?);
        for mv in position.legal_moves() {
            let stage = match (position.is_capture(mv), mv.promotes(), mv.is_drop()) {
                (true, _, _) => Stage::Captures,
                (_, true, _) => Stage::Promotions,
                (_, _, true) => Stage::Drops,
                _ => Stage::Quiets,
            };
            prop_assert!(position.moves(stage).contains(&mv), "{} is not among the {:?}", mv, stage);
        }
    }

    #[test]
    fn gives_check_predicts_the_next_position(position in positions()) {
        let squares = CheckSquares::new(&position);
        for mv in position.legal_moves() {
            prop_assert_eq!(position.gives_check(mv, &squares), position.after(mv).in_check(), "{}", mv);
        }
        let checks = position.legal_moves().into_iter().filter(|&mv| position.gives_check(mv, &squares));
        prop_assert_eq!(sorted(position.moves(Stage::Checks))?, sorted(checks)?);
    }

    #[test]
    fn evasions_are_all_moves_in_check_and_none_otherwise(playout in playouts()) {
        for position in playout.positions() {
            let expected = if position.in_check() { sorted(position.legal_moves())? } else { Vec::new() };
            prop_assert_eq!(sorted(position.moves(Stage::Evasions))?, expected, "{}", position);
        }
    }

    #[test]
    fn a_move_is_legal_if_and_only_if_it_is_generated(position in positions()) {
        let legal = EVERY_MOVE.iter().copied().filter(|&mv| position.is_legal(mv));
        prop_assert_eq!(sorted(position.legal_moves())?, sorted(legal)?);
    }

    #[test]
    fn counting_moves_is_generating_them(playout in playouts()) {
        for position in playout.positions() {
            let count = position.legal_moves().len();
            prop_assert_eq!(position.count_legal_moves() as usize, count, "{}", position);
            prop_assert_eq!(position.has_legal_move(), count > 0, "{}", position);
        }
    }

    #[test]
    fn a_legal_move_leads_to_a_valid_position(position in positions()) {
        let us = position.side_to_move();
        for mv in position.legal_moves() {
            let after = position.after(mv);
            let attackers = after.attackers_to(after.king(us), after.occupied()) & after.by_color(!us);
            prop_assert!(attackers.is_empty(), "{} leaves the king to be taken", mv);
            // The setup's own checks: piece counts, nifu, dead squares, kings.
            let validated = Position::try_from(&Setup::from(&after));
            prop_assert_eq!(validated.as_ref(), Ok(&after), "{}", mv);
            prop_assert_eq!((after.side_to_move(), after.move_number()), (!us, position.move_number() + 1));
        }
    }

    #[test]
    fn an_observer_hears_of_every_change(playout in playouts()) {
        let mut position = playout.start.clone();
        let mut mirror = Mirror::of(&position);
        for &mv in &playout.moves {
            let unobserved = position.after(mv);
            position.play_observed(mv, &mut mirror);
            prop_assert_eq!(&mirror, &Mirror::of(&position), "after {}", mv);
            prop_assert_eq!(&position, &unobserved, "after {}", mv);
        }
    }

    #[test]
    fn an_illegal_move_is_refused_and_changes_nothing(position in positions()) {
        let mut refusing = position.clone();
        for &mv in EVERY_MOVE.iter().filter(|&&mv| !position.is_legal(mv)) {
            prop_assert!(refusing.try_play(mv).is_err(), "{} is not legal", mv);
        }
        prop_assert_eq!(&refusing, &position);
        prop_assert_eq!(refusing.to_string(), position.to_string());
        prop_assert_eq!(refusing.key(), position.key());
        prop_assert_eq!(refusing.checkers(), position.checkers());
        prop_assert_eq!(refusing.pinned(), position.pinned());
    }
}
