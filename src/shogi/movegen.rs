//! Generator of legal moves on bitboards, by stage: captures, promotions, quiet moves, drops, checks or evasions.

use super::attacks::*;
use super::setup::dead_squares;
use super::{Bitboard, CheckSquares, Color, Move, MoveList, PieceKind, Position, Square};
use PieceKind::*;

/// A subset of the legal moves.
///
/// [`Captures`](Stage::Captures), [`Promotions`](Stage::Promotions), [`Quiets`](Stage::Quiets) and
/// [`Drops`](Stage::Drops) are disjoint; their union is [`All`](Stage::All).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// All legal moves.
    All,
    /// Captures and promotions.
    Noisy,
    /// Captures, with promotion or without.
    Captures,
    /// Promotions that do not capture.
    Promotions,
    /// Board moves that neither capture nor promote.
    Quiets,
    /// Drops.
    Drops,
    /// All moves that give check.
    Checks,
    /// All moves if the side to move is in check, otherwise none.
    Evasions,
}

/// Receives generated moves, grouped by piece.
pub trait MoveSink {
    /// The moves of the piece on `from`: to the squares of `plain` without promotion, to those of `promoting` with
    /// promotion.
    fn board_moves(&mut self, from: Square, plain: Bitboard, promoting: Bitboard);
    /// The drops of a kind on the squares of a set.
    fn drops(&mut self, kind: PieceKind, to: Bitboard);
}

impl MoveSink for MoveList {
    #[inline]
    fn board_moves(&mut self, from: Square, plain: Bitboard, promoting: Bitboard) {
        for to in promoting {
            self.push(Move::board(from, to, true));
        }
        for to in plain {
            self.push(Move::board(from, to, false));
        }
    }

    #[inline]
    fn drops(&mut self, kind: PieceKind, to: Bitboard) {
        for to in to {
            self.push(Move::drop(kind, to));
        }
    }
}

/// Counts moves without listing them.
struct Counter(u32);

impl MoveSink for Counter {
    #[inline]
    fn board_moves(&mut self, _: Square, plain: Bitboard, promoting: Bitboard) {
        self.0 += plain.count() + promoting.count();
    }

    #[inline]
    fn drops(&mut self, _: PieceKind, to: Bitboard) {
        self.0 += to.count();
    }
}

/// The destinations that a stage allows, and its checks.
struct Filter {
    plain: Bitboard,
    promoting: Bitboard,
    dropping: Bitboard,
    checks: Option<CheckSquares>,
}

impl Filter {
    #[inline]
    fn new(position: &Position, stage: Stage) -> Filter {
        let enemies = position.by_color(!position.side);
        let empty = !position.occupied();
        let none = Bitboard::EMPTY;
        let (plain, promoting, dropping) = match stage {
            Stage::Evasions if !position.in_check() => (none, none, none),
            Stage::All | Stage::Evasions | Stage::Checks => (enemies | empty, enemies | empty, empty),
            Stage::Noisy => (enemies, enemies | empty, none),
            Stage::Captures => (enemies, enemies, none),
            Stage::Promotions => (none, empty, none),
            Stage::Quiets => (empty, none, none),
            Stage::Drops => (none, none, empty),
        };
        let checks = (stage == Stage::Checks).then(|| CheckSquares::new(position));
        Filter { plain, promoting, dropping, checks }
    }
}

impl Position {
    /// All legal moves, in no particular order.
    pub fn legal_moves(&self) -> MoveList {
        self.moves(Stage::All)
    }

    /// The legal moves of a stage.
    #[inline]
    pub fn moves(&self, stage: Stage) -> MoveList {
        let mut list = MoveList::new();
        self.generate(stage, &mut list);
        list
    }

    /// The count of legal moves.
    #[inline]
    pub fn count_legal_moves(&self) -> u32 {
        let mut counter = Counter(0);
        self.generate(Stage::All, &mut counter);
        counter.0
    }

    /// Whether there is a legal move. Without one the side to move loses, in check or not.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() != 0
    }

    /// Generates the legal moves of a stage into `sink`.
    #[inline]
    pub fn generate<S: MoveSink>(&self, stage: Stage, sink: &mut S) {
        // Two copies of the generator, so that the colour is a constant in each.
        match self.side {
            Color::Black => self.generate_for(Color::Black, stage, sink),
            Color::White => self.generate_for(Color::White, stage, sink),
        }
    }

    #[inline(always)]
    fn generate_for<S: MoveSink>(&self, us: Color, stage: Stage, sink: &mut S) {
        let filter = Filter::new(self, stage);
        self.generate_king(us, &filter, sink);
        if self.checkers.many() {
            return;
        }
        let evading = self.evasion_mask();
        if (filter.plain | filter.promoting).any() {
            self.generate_pieces(us, evading, &filter, sink);
        }
        let free = filter.dropping & evading;
        if free.any() {
            for kind in PieceKind::DROPPABLE {
                if self.hands[us.index()].has(kind) {
                    let targets = self.drop_targets_within(kind, free);
                    sink.drops(kind, filter.checks.as_ref().map_or(targets, |checks| targets & checks.direct(kind)));
                }
            }
        }
    }

    #[inline(always)]
    fn generate_king<S: MoveSink>(&self, us: Color, filter: &Filter, sink: &mut S) {
        let Some(king) = self.find_king(us) else { return };
        let mut targets = king_attacks(king) & filter.plain;
        if let Some(checks) = &filter.checks {
            targets &= checks.uncovered_from(king);
        }
        if targets.any() {
            // Attacks go through the square that the king leaves.
            let covered = self.attacked_by(!us, self.occupied().without(king.into()));
            sink.board_moves(king, targets.without(covered), Bitboard::EMPTY);
        }
    }

    #[inline(always)]
    fn generate_pieces<S: MoveSink>(&self, us: Color, evading: Bitboard, filter: &Filter, sink: &mut S) {
        let own = self.by_color(us);
        let occupied = self.occupied();
        let king = self.find_king(us);
        let zone = Bitboard::zone(us);
        let mut emit = |from: Square, kind: PieceKind, reached: Bitboard| {
            let mut reached = reached & evading;
            if let Some(king) = king.filter(|_| self.pinned.has(from)) {
                reached &= line(king, from);
            }
            let mut plain = reached.without(dead_squares(us, kind)) & filter.plain;
            let mut promoting = match kind.promoted() {
                Some(_) if zone.has(from) => reached & filter.promoting,
                Some(_) => reached & filter.promoting & zone,
                None => Bitboard::EMPTY,
            };
            if let Some(checks) = &filter.checks {
                let uncovered = checks.uncovered_from(from);
                plain &= checks.direct(kind) | uncovered;
                promoting &= kind.promoted().map_or(Bitboard::EMPTY, |kind| checks.direct(kind)) | uncovered;
            }
            sink.board_moves(from, plain, promoting);
        };
        for from in own & self.by_kind(Pawn) {
            emit(from, Pawn, pawn_attacks(us, from));
        }
        for from in own & self.by_kind(Knight) {
            emit(from, Knight, knight_attacks(us, from));
        }
        for from in own & self.by_kind(Silver) {
            emit(from, Silver, silver_attacks(us, from));
        }
        // Pieces that move like a gold do not promote, and check from the same squares.
        for from in own & self.gold_movers() {
            emit(from, Gold, gold_attacks(us, from));
        }
        for from in own & self.by_kind(Bishop) {
            emit(from, Bishop, bishop_attacks(from, occupied));
        }
        for from in own & self.by_kind(Rook) {
            emit(from, Rook, rook_attacks(from, occupied));
        }
        for from in own & self.by_kind(Horse) {
            emit(from, Horse, bishop_attacks(from, occupied) | king_attacks(from));
        }
        for from in own & self.by_kind(Dragon) {
            emit(from, Dragon, rook_attacks(from, occupied) | king_attacks(from));
        }
    }
}
