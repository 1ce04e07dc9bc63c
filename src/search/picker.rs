use smallvec::SmallVec;

use super::histories::{Arrival, Histories, QuietScores};
use super::see::{promotion_gain, see_at_least};
use crate::eval::handwritten::exchange_value;
use crate::shogi::{Bitboard, CheckSquares, Move, MoveList, MoveSink, Piece, PieceKind, Position, Square, Stage};

/// Hands out the moves of a position one by one, the most promising first, generating each group only when the ones
/// before it did not do.
pub(super) struct MovePicker {
    step: Step,
    hash_move: Option<Move>,
    killers: [Option<Move>; 2],
    next_killer: usize,
    before: [Option<Arrival>; 2],
    moves: ScoredMoves,
    bad_captures: MoveList,
    next_bad: usize,
    /// Quiescence: no quiet moves, and captures come whatever they lose.
    captures_only: bool,
    /// Quiet moves that are not yet handed out are not wanted any more.
    quiets_skipped: bool,
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
    Done,
}

/// Captures and promotions are told from the rest by this much in lists that hold both.
const NOISY: i32 = 1 << 20;

/// Moves with a key each: the score in the high bits, the place in the list in the low ones. The best of the rest is
/// then the greatest of an array of numbers, which the compiler finds eight at a time; most lists are left long before
/// their end, so they are not sorted.
#[derive(Default)]
struct ScoredMoves {
    keys: SmallVec<[i32; 200]>,
    moves: MoveList,
}

/// Enough for any number of moves that a position can have.
const PLACE_BITS: u32 = 9;

/// The key of a move that has been handed out.
const TAKEN: i32 = i32::MIN;

impl ScoredMoves {
    fn clear(&mut self) {
        self.keys.clear();
        self.moves.clear();
    }

    #[inline]
    fn push(&mut self, mv: Move, score: i32) {
        self.keys.push(score << PLACE_BITS | self.moves.len() as i32);
        self.moves.push(mv);
    }

    #[inline]
    fn pick(&mut self) -> Option<Move> {
        let best = self.keys.iter().copied().max().filter(|&key| key != TAKEN)?;
        let place = (best & ((1 << PLACE_BITS) - 1)) as usize;
        self.keys[place] = TAKEN;
        Some(self.moves[place])
    }
}

/// What a quiet move gains in the order by giving check: with pieces in hand, most attacks are made of checks.
#[derive(Clone, Copy)]
pub(super) struct CheckBonus<'a> {
    pub(super) squares: &'a CheckSquares,
    pub(super) bonus: i32,
}

/// Scores moves as they are generated, a piece at a time.
struct Scorer<'a> {
    list: &'a mut ScoredMoves,
    position: &'a Position,
    histories: &'a Histories,
    quiet: QuietScores<'a>,
    checks: Option<CheckBonus<'a>>,
}

impl Scorer<'_> {
    /// What histories say of a move that takes nothing, and more if it gives check.
    #[inline]
    fn quiet_score(&self, mv: Move, piece: Piece, to: Square) -> i32 {
        let checking = |checks: CheckBonus| checks.bonus * i32::from(checks.squares.direct(piece.kind()).has(to));
        self.quiet.of(mv, Arrival::at(piece, to)) + self.checks.map_or(0, checking)
    }

    /// Most valuable victim first, what history says of the capture after that.
    #[inline]
    fn noisy_score(&self, arrival: Arrival, to: Square, promotion: i32) -> i32 {
        let captured = self.position.piece_at(to).map(Piece::kind);
        let gain = captured.map_or(0, exchange_value) + promotion;
        NOISY + 16 * gain + captured.map_or(0, |kind| self.histories.capture_score(arrival, kind))
    }
}

impl MoveSink for Scorer<'_> {
    #[inline]
    fn board_moves(&mut self, from: Square, plain: Bitboard, promoting: Bitboard) {
        let Some(piece) = self.position.piece_at(from) else { return };
        let captures = plain & self.position.occupied();
        let promotion = promotion_gain(piece.kind());
        for to in promoting {
            let score = self.noisy_score(Arrival::at(piece, to), to, promotion);
            self.list.push(Move::board(from, to, true), score);
        }
        for to in captures {
            let score = self.noisy_score(Arrival::at(piece, to), to, 0);
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
    /// Every move, for a node of the main search. `before` are the last two moves, the latest first.
    pub(super) fn new(
        position: &Position,
        hash_move: Option<Move>,
        killers: [Option<Move>; 2],
        before: [Option<Arrival>; 2],
    ) -> MovePicker {
        Self::with(position, hash_move, killers, before, false)
    }

    /// Captures and promotions; in check, every move.
    pub(super) fn quiescence(position: &Position, hash_move: Option<Move>, before: [Option<Arrival>; 2]) -> MovePicker {
        let hash_move = hash_move.filter(|&mv| position.in_check() || position.is_capture(mv) || mv.promotes());
        Self::with(position, hash_move, [None; 2], before, true)
    }

    fn with(
        position: &Position,
        hash_move: Option<Move>,
        killers: [Option<Move>; 2],
        before: [Option<Arrival>; 2],
        captures_only: bool,
    ) -> MovePicker {
        MovePicker {
            step: Step::Hash,
            hash_move: hash_move.filter(|&mv| position.is_legal(mv)),
            killers,
            next_killer: 0,
            before,
            moves: ScoredMoves::default(),
            bad_captures: MoveList::new(),
            next_bad: 0,
            captures_only,
            quiets_skipped: false,
        }
    }

    /// Hands out no more quiet moves and drops; in check everything comes all the same.
    pub(super) fn skip_quiets(&mut self) {
        self.quiets_skipped = true;
    }

    /// Whether the move handed out last is a capture or promotion that loses nothing, as static exchange evaluation sees it.
    #[inline]
    pub(super) fn is_sound(&self) -> bool {
        self.step == Step::GoodNoisy && !self.captures_only
    }

    /// The next move, each legal one once.
    pub(super) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
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
                Step::Evasions => return self.pick(),
                Step::Done => return None,
            }
        }
    }

    /// The best of the moves that were generated and not yet handed out.
    #[inline]
    fn pick(&mut self) -> Option<Move> {
        loop {
            let best = self.moves.pick()?;
            if Some(best) != self.hash_move {
                return Some(best);
            }
        }
    }

    /// Generates and scores.
    fn fill(&mut self, position: &Position, stages: &[Stage], histories: &Histories, checks: Option<CheckBonus<'_>>) {
        self.moves.clear();
        let quiet = histories.quiet_scores(position.side_to_move(), self.before);
        let mut scorer = Scorer { list: &mut self.moves, position, histories, quiet, checks };
        for &stage in stages {
            position.generate(stage, &mut scorer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::histories::Learned;
    use std::collections::HashSet;

    #[test]
    fn every_legal_move_is_handed_out_once() {
        let histories = Histories::new(Learned::nothing());
        for line in include_str!("../../tests/data/perft.epd").lines() {
            let position: Position = line.split(';').next().unwrap().parse().unwrap();
            let legal = position.legal_moves();
            let others =
                [None, legal.first().copied(), legal.last().copied(), "P*1b".parse().ok(), "1a6f".parse().ok()];
            for hash_move in others {
                for killer in others {
                    let second = others[2].filter(|_| others[2] != killer);
                    let mut picker = MovePicker::new(&position, hash_move, [killer, second], [None; 2]);
                    let picked: Vec<Move> = std::iter::from_fn(|| picker.next(&position, &histories, None)).collect();
                    assert_eq!(picked.len(), legal.len(), "{position} {hash_move:?} {killer:?}");
                    assert_eq!(picked.iter().collect::<HashSet<_>>(), legal.iter().collect::<HashSet<_>>());
                }
            }
        }
    }

    #[test]
    fn skipping_leaves_captures_and_promotions() {
        let histories = Histories::new(Learned::nothing());
        for line in include_str!("../../tests/data/perft.epd").lines() {
            let position: Position = line.split(';').next().unwrap().parse().unwrap();
            if position.in_check() {
                continue;
            }
            let mut picker = MovePicker::new(&position, None, [None; 2], [None; 2]);
            picker.skip_quiets();
            let picked: HashSet<Move> = std::iter::from_fn(|| picker.next(&position, &histories, None)).collect();
            let noisy = [Stage::Captures, Stage::Promotions].into_iter().flat_map(|stage| position.moves(stage));
            assert_eq!(picked, noisy.collect(), "{position}");
        }
    }
}
