use super::histories::{Arrival, Histories};
use super::see::{immediate_gain, see_at_least};
use crate::shogi::{Move, MoveList, Position, Stage};
use smallvec::SmallVec;

/// A move and how early it should be tried.
#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

type ScoredList = SmallVec<[Scored; 200]>;

/// Hands out the moves of a position one by one, the most promising first, generating each group only when the ones
/// before it did not do.
pub(super) struct MovePicker {
    stage: Step,
    hash_move: Option<Move>,
    killers: [Option<Move>; 2],
    next_killer: usize,
    before: [Option<Arrival>; 2],
    moves: ScoredList,
    next: usize,
    bad_captures: MoveList,
    /// Quiescence: no quiet moves, and captures come whatever they lose.
    captures_only: bool,
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
        let hash_move = hash_move.filter(|&mv| position.is_legal(mv));
        MovePicker {
            stage: Step::Hash,
            hash_move,
            killers,
            next_killer: 0,
            before,
            moves: ScoredList::new(),
            next: 0,
            bad_captures: MoveList::new(),
            captures_only,
        }
    }

    /// The next move, each legal one once.
    pub(super) fn next(&mut self, position: &Position, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Step::Hash => {
                    self.stage = if position.in_check() { Step::GenerateEvasions } else { Step::GenerateNoisy };
                    if self.hash_move.is_some() {
                        return self.hash_move;
                    }
                }
                Step::GenerateNoisy => {
                    self.fill(position, &[Stage::Captures, Stage::Promotions], histories);
                    self.stage = Step::GoodNoisy;
                }
                Step::GoodNoisy => {
                    let Some(mv) = self.pick() else {
                        self.stage = if self.captures_only { Step::Done } else { Step::Killers };
                        continue;
                    };
                    if self.captures_only || see_at_least(position, mv, 0) {
                        return Some(mv);
                    }
                    self.bad_captures.push(mv);
                }
                Step::Killers => {
                    let Some(slot) = self.killers.get_mut(self.next_killer) else {
                        self.stage = Step::GenerateQuiet;
                        continue;
                    };
                    self.next_killer += 1;
                    let killer = slot.filter(|&mv| {
                        Some(mv) != self.hash_move
                            && !mv.promotes()
                            && !position.is_capture(mv)
                            && position.is_legal(mv)
                    });
                    *slot = killer;
                    if killer.is_some() {
                        return killer;
                    }
                }
                Step::GenerateQuiet => {
                    self.fill(position, &[Stage::Quiets, Stage::Drops], histories);
                    self.stage = Step::Quiet;
                }
                Step::Quiet => match self.pick() {
                    Some(mv) => return Some(mv),
                    None => {
                        self.stage = Step::BadNoisy;
                        self.next = 0;
                    }
                },
                Step::BadNoisy => {
                    let mv = self.bad_captures.get(self.next).copied();
                    self.next += 1;
                    if mv.is_none() {
                        self.stage = Step::Done;
                    }
                    return mv;
                }
                Step::GenerateEvasions => {
                    self.fill(position, &[Stage::Evasions], histories);
                    self.stage = Step::Evasions;
                }
                Step::Evasions => return self.pick(),
                Step::Done => return None,
            }
        }
    }

    /// Generates and scores, leaving out what has been handed out before.
    fn fill(&mut self, position: &Position, stages: &[Stage], histories: &Histories) {
        self.moves.clear();
        self.next = 0;
        for &stage in stages {
            for mv in position.moves(stage) {
                if Some(mv) == self.hash_move || (self.stage == Step::GenerateQuiet && self.killers.contains(&Some(mv)))
                {
                    continue;
                }
                self.moves.push(Scored { mv, score: self.score(position, mv, histories) });
            }
        }
    }

    #[inline]
    fn score(&self, position: &Position, mv: Move, histories: &Histories) -> i32 {
        let arrival = Arrival::of(position, mv);
        match position.piece_at(mv.to()) {
            // Most valuable victim first, what history says of the capture after that.
            Some(captured) => {
                NOISY + 16 * immediate_gain(position, mv) + histories.capture_score(arrival, captured.kind())
            }
            None if mv.promotes() => NOISY + 16 * immediate_gain(position, mv),
            None => histories.quiet_score(position.side_to_move(), mv, arrival, self.before),
        }
    }

    /// The best of the moves not yet handed out: most lists are left long before their end, so they are not sorted.
    #[inline]
    fn pick(&mut self) -> Option<Move> {
        let rest = self.moves.get_mut(self.next..).filter(|rest| !rest.is_empty())?;
        let mut best = 0;
        for (index, scored) in rest.iter().enumerate() {
            if scored.score > rest[best].score {
                best = index;
            }
        }
        rest.swap(0, best);
        self.next += 1;
        Some(rest[0].mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_legal_move_is_handed_out_once() {
        let histories = Histories::new();
        for line in include_str!("../../tests/data/perft.epd").lines() {
            let position: Position = line.split(';').next().unwrap().parse().unwrap();
            let legal = position.legal_moves();
            let others =
                [None, legal.first().copied(), legal.last().copied(), "P*1b".parse().ok(), "1a6f".parse().ok()];
            for hash_move in others {
                for killer in others {
                    let second = others[2].filter(|_| others[2] != killer);
                    let mut picker = MovePicker::new(&position, hash_move, [killer, second], [None; 2]);
                    let picked: Vec<Move> = std::iter::from_fn(|| picker.next(&position, &histories)).collect();
                    assert_eq!(picked.len(), legal.len(), "{position} {hash_move:?} {killer:?}");
                    assert_eq!(picked.iter().collect::<HashSet<_>>(), legal.iter().collect::<HashSet<_>>());
                }
            }
        }
    }
}
