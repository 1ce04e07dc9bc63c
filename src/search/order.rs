//! Move ordering: the picker, which generates moves in stages and picks the most promising first, and the histories
//! that score quiet moves and captures.

use std::sync::atomic::{AtomicI16, Ordering};

use bytemuck::Zeroable;
use smallvec::SmallVec;

use super::params::Params;
use super::score::MAX_PLY;
use super::see::{exchange_value, promotion_gain, see_at_least};
use crate::huge_pages::{HugePages, OutOfMemory};
use crate::shogi::{
    Bitboard, CheckSquares, Color, Move, MoveList, MoveSink, Piece, PieceKind, Position, Square, Stage,
};

// ---- The picker ----

/// Picks the moves of a position one by one, the most promising first, and generates them in stages.
pub(super) struct MovePicker {
    step: Step,
    hash_move: Option<Move>,
    killers: [Option<Move>; 2],
    next_killer: usize,
    previous: [Option<PieceTo>; 2],
    moves: ScoredMoves,
    bad_captures: MoveList,
    next_bad: usize,
    /// Quiescence: no quiet moves, and captures are not tested by SEE.
    captures_only: bool,
    /// Quiet moves are skipped from now on.
    quiets_skipped: bool,
    /// The move that a singular search excludes.
    excluded: Option<Move>,
    /// The number of candidates so far.
    move_count: usize,
}

/// A move picked for the main search.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// The move number at this node, from 1.
    pub(super) move_count: usize,
    /// A capture or promotion with a static exchange evaluation of at least 0.
    pub(super) is_good_noisy: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Hash,
    GenerateNoisy,
    GoodNoisy,
    Killers,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    GenerateEvasions,
    Evasions,
    RootMoves,
    Done,
}

/// Sorts captures and promotions before all quiet moves in mixed lists.
const NOISY: i32 = 1 << 20;

/// Moves with one sort key each: the score in the high bits, the index in the low bits. Picking the best move is then
/// the maximum of an integer array, which the compiler vectorises. The list is not sorted, because most nodes fail high
/// after a few moves.
#[derive(Default)]
struct ScoredMoves {
    keys: SmallVec<[i32; 200]>,
    moves: MoveList,
}

/// 512 moves at most; a position has fewer than 200.
const INDEX_BITS: u32 = 9;

/// The key of a move that has been picked.
const TAKEN: i32 = i32::MIN;

impl ScoredMoves {
    fn clear(&mut self) {
        self.keys.clear();
        self.moves.clear();
    }

    #[inline]
    fn push(&mut self, mv: Move, score: i32) {
        self.keys.push(score << INDEX_BITS | self.moves.len() as i32);
        self.moves.push(mv);
    }

    #[inline]
    fn pick(&mut self) -> Option<Move> {
        let best = self.keys.iter().copied().max().filter(|&key| key != TAKEN)?;
        let index = (best & ((1 << INDEX_BITS) - 1)) as usize;
        self.keys[index] = TAKEN;
        Some(self.moves[index])
    }
}

/// The ordering bonus of quiet moves that give check. With pieces in hand, most attacks consist of checks.
#[derive(Clone, Copy)]
pub(super) struct CheckBonus<'a> {
    pub(super) squares: &'a CheckSquares,
    pub(super) bonus: i32,
}

struct Scorer<'a> {
    list: &'a mut ScoredMoves,
    position: &'a Position,
    histories: &'a Histories<'a>,
    quiet: QuietScores<'a>,
    checks: Option<CheckBonus<'a>>,
}

impl Scorer<'_> {
    /// The history score of a quiet move, plus the bonus for a direct check.
    #[inline]
    fn quiet_score(&self, mv: Move, piece: Piece, to: Square) -> i32 {
        let checking = |checks: CheckBonus| checks.bonus * i32::from(checks.squares.direct(piece.kind()).has(to));
        self.quiet.of(mv, PieceTo::new(piece, to)) + self.checks.map_or(0, checking)
    }

    /// Most valuable victim first, then capture history.
    #[inline]
    fn noisy_score(&self, piece_to: PieceTo, to: Square, promotion: i32) -> i32 {
        let captured = self.position.piece_at(to).map(Piece::kind);
        let gain = captured.map_or(0, exchange_value) + promotion;
        NOISY + 16 * gain + captured.map_or(0, |kind| self.histories.capture_score(piece_to, kind))
    }
}

/// The squares where the piece on `from` should promote: an unpromoted pawn, bishop or rook can only do less.
/// Exception: with a pawn in either hand, an unpromoted piece may matter for the rule against mating with a dropped
/// pawn, so no square is returned. Pawns that are captured later are ignored.
#[inline]
fn pointless_squares(position: &Position, from: Square, kind: PieceKind) -> Bitboard {
    let us = position.side_to_move();
    let pawn_in_hand = || Color::ALL.into_iter().any(|color| position.hand(color).has(PieceKind::Pawn));
    if !matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook) || pawn_in_hand() {
        return Bitboard::EMPTY;
    }
    let zone = Bitboard::zone(us);
    if zone.has(from) { Bitboard::ALL } else { zone }
}

impl MoveSink for Scorer<'_> {
    #[inline]
    fn board_moves(&mut self, from: Square, plain: Bitboard, promoting: Bitboard) {
        let Some(piece) = self.position.piece_at(from) else { return };
        let plain = plain.without(pointless_squares(self.position, from, piece.kind()));
        let captures = plain & self.position.occupied();
        let promotion = promotion_gain(piece.kind());
        for to in promoting {
            let score = self.noisy_score(PieceTo::new(piece, to), to, promotion);
            self.list.push(Move::board(from, to, true), score);
        }
        for to in captures {
            let score = self.noisy_score(PieceTo::new(piece, to), to, 0);
            self.list.push(Move::board(from, to, false), score);
        }
        for to in plain.without(captures) {
            let mv = Move::board(from, to, false);
            self.list.push(mv, self.quiet_score(mv, piece, to));
        }
    }

    #[inline]
    fn drops(&mut self, kind: PieceKind, targets: Bitboard) {
        let piece = Piece::new(self.position.side_to_move(), kind);
        for to in targets {
            let mv = Move::drop(kind, to);
            self.list.push(mv, self.quiet_score(mv, piece, to));
        }
    }
}

impl MovePicker {
    /// All moves but the excluded one, for a node of the main search. `previous` are the last two moves, the latest
    /// first.
    pub(super) fn new(
        position: &Position,
        hash_move: Option<Move>,
        killers: [Option<Move>; 2],
        previous: [Option<PieceTo>; 2],
        excluded: Option<Move>,
    ) -> MovePicker {
        let hash_move = hash_move.filter(|&mv| position.is_legal(mv));
        Self::with(Step::Hash, hash_move, killers, previous, false, excluded)
    }

    /// Captures and promotions; in check, every move.
    pub(super) fn quiescence(
        position: &Position,
        hash_move: Option<Move>,
        previous: [Option<PieceTo>; 2],
    ) -> MovePicker {
        let is_wanted = |&mv: &Move| position.in_check() || position.is_capture(mv) || mv.promotes();
        let hash_move = hash_move.filter(is_wanted).filter(|&mv| position.is_legal(mv));
        Self::with(Step::Hash, hash_move, [None; 2], previous, true, None)
    }

    /// Picks root moves in the order of the list.
    pub(super) fn root(list: impl Iterator<Item = Move>) -> MovePicker {
        let mut picker = Self::with(Step::RootMoves, None, [None; 2], [None; 2], false, None);
        for (mv, place) in list.zip(0..) {
            picker.moves.push(mv, -place);
        }
        picker
    }

    // A single struct literal: a picker built from another picker would be copied with all its tables.
    fn with(
        step: Step,
        hash_move: Option<Move>,
        killers: [Option<Move>; 2],
        previous: [Option<PieceTo>; 2],
        captures_only: bool,
        excluded: Option<Move>,
    ) -> MovePicker {
        MovePicker {
            step,
            hash_move,
            killers,
            next_killer: 0,
            previous,
            moves: ScoredMoves::default(),
            bad_captures: MoveList::new(),
            next_bad: 0,
            captures_only,
            quiets_skipped: false,
            excluded,
            move_count: 0,
        }
    }

    /// The number of candidates so far.
    pub(super) fn move_count(&self) -> usize {
        self.move_count
    }

    /// The next move of the main search.
    #[inline]
    pub(super) fn next_candidate(
        &mut self,
        position: &Position,
        histories: &Histories<'_>,
        checks: Option<CheckBonus<'_>>,
    ) -> Option<Candidate> {
        loop {
            let mv = self.next(position, histories, checks)?;
            if self.excluded != Some(mv) {
                self.move_count += 1;
                let is_good_noisy = self.step == Step::GoodNoisy && !self.captures_only;
                return Some(Candidate { mv, move_count: self.move_count, is_good_noisy });
            }
        }
    }

    /// Skips quiet moves and drops from now on; in check every move is still picked.
    pub(super) fn skip_quiets(&mut self) {
        self.quiets_skipped = true;
    }

    /// The next move. Each legal move is picked once.
    pub(super) fn next(
        &mut self,
        position: &Position,
        histories: &Histories<'_>,
        checks: Option<CheckBonus<'_>>,
    ) -> Option<Move> {
        loop {
            match self.step {
                Step::Hash => {
                    self.step = if position.in_check() { Step::GenerateEvasions } else { Step::GenerateNoisy };
                    if self.hash_move.is_some() {
                        return self.hash_move;
                    }
                }
                Step::GenerateNoisy => {
                    self.fill(position, &[Stage::Noisy], histories, None);
                    self.step = Step::GoodNoisy;
                }
                Step::GoodNoisy => {
                    let Some(mv) = self.pick() else {
                        self.step = if self.captures_only { Step::Done } else { Step::Killers };
                        continue;
                    };
                    if self.captures_only || see_at_least(position, mv, 0) {
                        return Some(mv);
                    }
                    self.bad_captures.push(mv);
                }
                Step::Killers => {
                    let slot = self.killers.get_mut(self.next_killer).filter(|_| !self.quiets_skipped);
                    let Some(slot) = slot else {
                        self.step = if self.quiets_skipped { Step::BadNoisy } else { Step::GenerateQuiet };
                        continue;
                    };
                    self.next_killer += 1;
                    *slot = slot.filter(|&mv| {
                        Some(mv) != self.hash_move
                            && !mv.promotes()
                            && !position.is_capture(mv)
                            && position.is_legal(mv)
                    });
                    if slot.is_some() {
                        return *slot;
                    }
                }
                Step::GenerateQuiet => {
                    self.fill(position, &[Stage::Quiets, Stage::Drops], histories, checks);
                    self.step = Step::Quiet;
                }
                Step::Quiet => match self.pick().filter(|_| !self.quiets_skipped) {
                    Some(mv) if self.killers.contains(&Some(mv)) => {}
                    Some(mv) => return Some(mv),
                    None => self.step = Step::BadNoisy,
                },
                Step::BadNoisy => {
                    let mv = self.bad_captures.get(self.next_bad).copied();
                    self.next_bad += 1;
                    if mv.is_none() {
                        self.step = Step::Done;
                    }
                    return mv;
                }
                Step::GenerateEvasions => {
                    self.fill(position, &[Stage::Evasions], histories, checks);
                    self.step = Step::Evasions;
                }
                Step::Evasions | Step::RootMoves => return self.pick(),
                Step::Done => return None,
            }
        }
    }

    /// Picks the best remaining move.
    #[inline]
    fn pick(&mut self) -> Option<Move> {
        loop {
            let best = self.moves.pick()?;
            if Some(best) != self.hash_move {
                return Some(best);
            }
        }
    }

    /// Generates the moves of these stages and scores them.
    fn fill(
        &mut self,
        position: &Position,
        stages: &[Stage],
        histories: &Histories<'_>,
        checks: Option<CheckBonus<'_>>,
    ) {
        self.moves.clear();
        let quiet = histories.quiet_scores(position.side_to_move(), self.previous);
        let mut scorer = Scorer { list: &mut self.moves, position, histories, quiet, checks };
        for &stage in stages {
            position.generate(stage, &mut scorer);
        }
    }
}

// ---- Histories ----

/// The limit at which history scores saturate.
const LIMIT: i32 = 16_384;

/// A history score shared by all threads. An update is a relaxed load and a relaxed store, so one of two simultaneous
/// updates may be lost, which only affects the move order.
#[derive(Zeroable)]
#[repr(transparent)]
struct Score(AtomicI16);

impl Score {
    #[inline]
    fn get(&self) -> i32 {
        i32::from(self.0.load(Ordering::Relaxed))
    }

    /// Adds a bonus with gravity: the nearer the score is to the limit, the less it changes.
    #[inline]
    fn update(&self, bonus: i32) {
        let old = self.get();
        self.0.store((old + bonus - old * bonus.abs() / LIMIT) as i16, Ordering::Relaxed);
    }

    fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// The key of continuation histories: a moving piece and its destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = Piece::COUNT * Square::COUNT;

    #[inline]
    pub(super) fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * Square::COUNT + to.index()) as u16)
    }

    /// The key of a legal move, with the piece before promotion.
    #[inline]
    pub(super) fn of(position: &Position, mv: Move) -> PieceTo {
        let dropped = || mv.dropped().map(|kind| Piece::new(position.side_to_move(), kind));
        let piece = mv.from().and_then(|from| position.piece_at(from)).or_else(dropped);
        PieceTo::new(piece.expect("a legal move moves a piece"), mv.to())
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

type ByPieceTo = [Score; PieceTo::COUNT];

type Continuation = [ByPieceTo; PieceTo::COUNT];

static ZERO: ByPieceTo = [const { Score(AtomicI16::new(0)) }; PieceTo::COUNT];

/// The histories of a position's quiet moves.
#[derive(Clone, Copy)]
pub(super) struct QuietScores<'a> {
    butterfly: &'a [Score; Move::INDEX_COUNT],
    continuations: [&'a ByPieceTo; 2],
}

impl QuietScores<'_> {
    /// The sum of the histories of a quiet move.
    #[inline]
    pub(super) fn of(&self, mv: Move, piece_to: PieceTo) -> i32 {
        let [reply, follow_up] = self.continuations.map(|scores| scores[piece_to.index()].get());
        self.butterfly[mv.index()].get() + reply + follow_up
    }
}

/// The histories that all threads share.
#[derive(Zeroable)]
pub(super) struct SharedHistories {
    /// Butterfly history: by colour and move, drops by kind and square.
    quiet: [[Score; Move::INDEX_COUNT]; 2],
    /// By moving piece, destination and captured kind.
    capture: [[Score; PieceKind::COUNT]; PieceTo::COUNT],
    /// By an earlier move, of either side, and the move itself.
    continuation: Continuation,
}

impl SharedHistories {
    /// All scores zero.
    pub(super) fn new() -> Result<HugePages<SharedHistories>, OutOfMemory> {
        HugePages::try_zeroed(1).ok_or(OutOfMemory("history", size_of::<SharedHistories>() >> 20))
    }

    pub(super) fn clear(&self) {
        let SharedHistories { quiet, capture, continuation } = self;
        let scores = quiet.as_flattened().iter().chain(capture.as_flattened()).chain(continuation.as_flattened());
        scores.for_each(Score::clear);
    }
}

/// The histories of a search thread: the shared ones, and its own killers.
pub(super) struct Histories<'a> {
    shared: &'a SharedHistories,
    /// The last two quiet moves that failed high at each ply.
    killers: [[Option<Move>; 2]; MAX_PLY + 1],
}

impl Histories<'_> {
    pub(super) fn new(shared: &SharedHistories) -> Histories<'_> {
        Histories { shared, killers: [[None; 2]; MAX_PLY + 1] }
    }

    #[inline]
    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// The histories for a side's quiet moves after these previous moves, the latest first.
    #[inline]
    pub(super) fn quiet_scores(&self, color: Color, previous: [Option<PieceTo>; 2]) -> QuietScores<'_> {
        let continuation = |earlier: PieceTo| &self.shared.continuation[earlier.index()];
        QuietScores {
            butterfly: &self.shared.quiet[color.index()],
            continuations: previous.map(|earlier| earlier.map_or(&ZERO, continuation)),
        }
    }

    /// The capture history of a move.
    #[inline]
    pub(super) fn capture_score(&self, piece_to: PieceTo, captured: PieceKind) -> i32 {
        self.shared.capture[piece_to.index()][captured.index()].get()
    }

    /// The bonus for a fail high at this depth.
    #[inline]
    pub(super) fn bonus(depth: i32, params: &Params) -> i32 {
        (params.HistoryScale * depth).min(params.HistoryMax)
    }

    pub(super) fn update_quiet(&self, position: &Position, mv: Move, previous: [Option<PieceTo>; 2], bonus: i32) {
        let piece_to = PieceTo::of(position, mv);
        self.shared.quiet[position.side_to_move().index()][mv.index()].update(bonus);
        for earlier in previous.into_iter().flatten() {
            self.shared.continuation[earlier.index()][piece_to.index()].update(bonus);
        }
    }

    pub(super) fn update_capture(&self, position: &Position, mv: Move, bonus: i32) {
        if let Some(captured) = position.piece_at(mv.to()) {
            let piece_to = PieceTo::of(position, mv);
            self.shared.capture[piece_to.index()][captured.kind().index()].update(bonus);
        }
    }

    pub(super) fn add_killer(&mut self, ply: usize, mv: Move) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            killers[1] = killers[0];
            killers[0] = Some(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Whether a legal move omits a promotion that it should make.
    fn is_pointless(position: &Position, mv: Move) -> bool {
        let kind = |from| position.piece_at(from).unwrap().kind();
        !mv.promotes() && mv.from().is_some_and(|from| pointless_squares(position, from, kind(from)).has(mv.to()))
    }

    #[test]
    fn only_moves_that_promotion_betters_are_pointless() {
        for (sfen, mv, expected) in [
            ("4k1/6/R5/6/6/K5 b - 1", "6c6b", true),
            ("4k1/6/R5/6/6/K5 b - 1", "6c5c", false),
            ("4k1/R5/6/6/6/K5 b - 1", "6b6d", true),
            ("4k1/6/S5/6/6/K5 b - 1", "6c6b", false),
            ("4k1/6/R5/6/6/K5 b P 1", "6c6b", false),
            ("4k1/6/r5/P5/6/K5 w - 1", "6c6d", false),
            ("4k1/6/6/p5/6/5K w p 1", "6d6e", false),
            ("4k1/6/6/p5/6/5K w P 1", "6d6e", false),
            ("4k1/6/6/p5/6/5K w G 1", "6d6e", true),
        ] {
            assert_eq!(is_pointless(&sfen.parse().unwrap(), mv.parse().unwrap()), expected, "{sfen} {mv}");
        }
    }

    #[test]
    fn every_legal_move_of_use_is_picked_once() {
        let shared = SharedHistories::new().unwrap();
        let histories = Histories::new(&shared[0]);
        for line in include_str!("../../tests/data/perft.epd").lines() {
            let position: Position = line.split(';').next().unwrap().parse().unwrap();
            let legal = position.legal_moves();
            let others =
                [None, legal.first().copied(), legal.last().copied(), "P*1b".parse().ok(), "1a6f".parse().ok()];
            for hash_move in others {
                for killer in others {
                    let second = others[2].filter(|_| others[2] != killer);
                    let mut picker = MovePicker::new(&position, hash_move, [killer, second], [None; 2], None);
                    let picked: Vec<Move> = std::iter::from_fn(|| picker.next(&position, &histories, None)).collect();
                    // Moves from the table and killers have been useful once. No capture is a killer.
                    let of_use = |&&mv: &&Move| {
                        let is_killer = [killer, second].contains(&Some(mv)) && !position.is_capture(mv);
                        hash_move == Some(mv) || is_killer || !is_pointless(&position, mv)
                    };
                    let expected: HashSet<_> = legal.iter().filter(of_use).collect();
                    assert_eq!(picked.len(), expected.len(), "{position} {hash_move:?} {killer:?}");
                    assert_eq!(picked.iter().collect::<HashSet<_>>(), expected);
                }
            }
        }
    }

    #[test]
    fn skipping_leaves_captures_and_promotions() {
        let shared = SharedHistories::new().unwrap();
        let histories = Histories::new(&shared[0]);
        for line in include_str!("../../tests/data/perft.epd").lines() {
            let position: Position = line.split(';').next().unwrap().parse().unwrap();
            if position.in_check() {
                continue;
            }
            let mut picker = MovePicker::new(&position, None, [None; 2], [None; 2], None);
            picker.skip_quiets();
            let picked: HashSet<Move> = std::iter::from_fn(|| picker.next(&position, &histories, None)).collect();
            let noisy = [Stage::Captures, Stage::Promotions].into_iter().flat_map(|stage| position.moves(stage));
            assert_eq!(picked, noisy.filter(|&mv| !is_pointless(&position, mv)).collect(), "{position}");
        }
    }

    #[test]
    fn threads_share_histories() {
        let shared = SharedHistories::new().unwrap();
        let [one, other] = [(); 2].map(|()| Histories::new(&shared[0]));
        let position = Position::startpos();
        let mv = position.legal_moves()[0];
        let piece_to = PieceTo::of(&position, mv);
        let score = |histories: &Histories| {
            histories.quiet_scores(position.side_to_move(), [Some(piece_to), None]).of(mv, piece_to)
        };
        one.update_quiet(&position, mv, [Some(piece_to), None], 100);
        assert_eq!((score(&one), score(&other)), (200, 200));
        shared[0].clear();
        assert_eq!((score(&one), score(&other)), (0, 0));
    }
}
