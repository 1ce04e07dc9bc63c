//! Repetition, perpetual check, the plies of an impasse and tries, along the moves of a game and of a search.

use super::{Color, Move, Position, Square};

/// The data for repetition and impasse: the keys of earlier positions, consecutive checks, and the number of plies that
/// the kings have stood in their zones. It is separate from [`Position`] so that positions are cheap to copy.
///
/// A search pushes its moves onto the history of the game and pops them again.
#[derive(Clone, Debug)]
pub struct GameHistory {
    positions: Vec<PastPosition>,
    /// A counting Bloom filter with one hash: the number of positions whose keys end in the same bits. A position that
    /// is alone in its slot is not a repetition, regardless of the game's length.
    key_counts: Box<[u16; FILTER_SIZE]>,
}

const FILTER_SIZE: usize = 2048;

#[inline]
fn filter_slot(key: u64) -> usize {
    key as usize % FILTER_SIZE
}

#[derive(Clone, Copy, Debug)]
struct PastPosition {
    key: u64,
    /// The number of each player's last consecutive moves that gave check: the player to move, the opponent.
    checking: [u32; 2],
    /// Whether Black's and White's king has ever stood in its zone.
    entered: [bool; 2],
    /// Whether the last move was a try: a king move to the other king's start square, after both kings had entered.
    tried: bool,
    /// As [`GameHistory::impasse_plies`].
    impasse_plies: Option<u32>,
    /// The index of the first position that this one can repeat: the first after the last null move.
    reach: u32,
}

/// The square that the king of `color` must reach under [`ImpasseRule::Try`](super::ImpasseRule::Try): the other king's
/// start square.
#[inline]
pub const fn try_square(color: Color) -> Square {
    match color {
        Color::Black => Square::at(5, 0),
        Color::White => Square::at(0, 5),
    }
}

/// The result of a repetition, for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// Sennichite: no contest.
    Draw,
    /// Perpetual check by the opponent, who loses: every move of his since the first occurrence gave check.
    Win,
    /// Perpetual check by the player to move, who loses.
    Loss,
}

impl GameHistory {
    /// The history of a game that starts from a position.
    pub fn new(start: &Position) -> GameHistory {
        let entered = Color::ALL.map(|color| start.king_is_in_zone(color));
        let first = PastPosition {
            key: start.key(),
            checking: [0; 2],
            entered,
            tried: false,
            impasse_plies: (entered == [true; 2]).then_some(0),
            reach: 0,
        };
        let mut history = GameHistory { positions: Vec::new(), key_counts: bytemuck::allocation::zeroed_box() };
        history.append(first);
        history
    }

    /// The count of positions, the current one included.
    #[inline]
    #[allow(clippy::len_without_is_empty)] // It holds one position at least.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    #[inline]
    fn append(&mut self, position: PastPosition) {
        // A counter that wraps around would hide a repetition, but only after 65,536 positions.
        let slot = &mut self.key_counts[filter_slot(position.key)];
        *slot = slot.wrapping_add(1);
        self.positions.push(position);
    }

    #[inline]
    fn last(&self) -> &PastPosition {
        self.positions.last().expect("a history holds the current position")
    }

    /// Adds the position `after`, to which `mv` led from `before`.
    #[inline]
    pub fn push(&mut self, before: &Position, mv: Move, after: &Position) {
        let last = *self.last();
        let [mover, waiting] = last.checking;
        let color = before.side_to_move();
        let zones = Color::ALL.map(|color| after.king_is_in_zone(color));
        let entered = [last.entered[0] | zones[0], last.entered[1] | zones[1]];
        let reached = mv.to() == try_square(color) && after.find_king(color) == Some(mv.to());
        let quiet = !mv.promotes() && !before.is_capture(mv);
        self.append(PastPosition {
            key: after.key(),
            checking: [waiting, if after.in_check() { mover + 1 } else { 0 }],
            entered,
            tried: reached && entered == [true; 2],
            impasse_plies: (zones == [true; 2]).then(|| match last.impasse_plies {
                Some(plies) if quiet => plies + 1,
                _ => 0,
            }),
            reach: last.reach,
        });
    }

    /// Adds the position after a null move. Later positions do not repeat positions before it.
    #[inline]
    pub fn push_null(&mut self, after: &Position) {
        let last = *self.last();
        self.append(PastPosition {
            key: after.key(),
            checking: [0; 2],
            reach: self.positions.len() as u32,
            impasse_plies: last.impasse_plies.map(|_| 0),
            tried: false,
            ..last
        });
    }

    /// Forgets all positions except the current one, so that no later position repeats them. Consecutive checks and
    /// plies towards an impasse still count.
    pub fn forget_repetitions(&mut self) {
        let current = PastPosition { reach: 0, ..*self.last() };
        self.positions.clear();
        self.key_counts.fill(0);
        self.append(current);
    }

    /// Removes the last position, which must not be the first.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.positions.len() > 1);
        if let Some(position) = self.positions.pop() {
            let slot = &mut self.key_counts[filter_slot(position.key)];
            *slot = slot.wrapping_sub(1);
        }
    }

    /// The number of plies without a capture or a promotion for which both kings have stood in their zones; [`None`] if
    /// a king is outside.
    #[inline]
    pub fn impasse_plies(&self) -> Option<u32> {
        self.last().impasse_plies
    }

    /// Whether the last move won under [`ImpasseRule::Try`](super::ImpasseRule::Try): its king reached the other king's
    /// start square, after both kings had been in their zones.
    #[inline]
    pub fn has_tried(&self) -> bool {
        self.last().tried
    }

    /// Whether the current position has occurred before.
    pub fn repeats(&self) -> bool {
        self.same_as_last(0).next().is_some()
    }

    /// The result if the current position has occurred for the fourth time.
    #[inline]
    pub fn fourfold(&self) -> Option<Repetition> {
        self.same_as_last(0).nth(2).map(|first| self.verdict(first))
    }

    /// The keys of the positions that have occurred three times: their fourth occurrence ends the game.
    pub fn threefold_keys(&self) -> Vec<u64> {
        let mut keys: Vec<u64> = self.positions.iter().map(|position| position.key).collect();
        keys.sort_unstable();
        keys.chunk_by(|a, b| a == b).filter(|same| same.len() >= 3).map(|same| same[0]).collect()
    }

    /// The result of a repetition during a search: for positions after the root, whose index is `root`, the first
    /// repetition counts as the fourth occurrence; positions of the game must occur for the fourth time.
    #[inline]
    pub fn repetition(&self, root: usize) -> Option<Repetition> {
        if self.key_counts[filter_slot(self.last().key)] == 1 {
            return None;
        }
        // The root itself was played, not searched.
        if let Some(first) = self.same_as_last(root + 1).next() {
            return Some(self.verdict(first));
        }
        self.fourfold()
    }

    /// The indices from `from` on of positions equal to the last one, the latest first. A position takes at least four
    /// plies to recur.
    #[inline]
    fn same_as_last(&self, from: usize) -> impl Iterator<Item = usize> {
        let now = self.positions.len() - 1;
        let PastPosition { key, reach, .. } = self.positions[now];
        let from = from.max(reach as usize);
        (from + 4..=now).rev().step_by(2).map(|index| index - 4).filter(move |&index| self.positions[index].key == key)
    }

    /// The result of a repetition of the position with index `first`.
    #[inline]
    fn verdict(&self, first: usize) -> Repetition {
        let moves_each = ((self.positions.len() - 1 - first) / 2) as u32;
        let [us, them] = self.last().checking.map(|checks| checks >= moves_each);
        match (us, them) {
            (true, false) => Repetition::Loss,
            (false, true) => Repetition::Win,
            _ => Repetition::Draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::START_SFEN;
    use super::*;

    /// A position with the history that led to it.
    struct Line {
        position: Position,
        history: GameHistory,
    }

    impl Line {
        fn from(sfen: &str) -> Line {
            let position: Position = sfen.parse().unwrap();
            Line { history: GameHistory::new(&position), position }
        }

        /// Plays a move; `null` is a null move.
        fn play(&mut self, mv: &str) {
            let before = self.position.clone();
            if mv == "null" {
                self.position.play_null();
                self.history.push_null(&self.position);
            } else {
                let mv = mv.parse().unwrap();
                self.position.play(mv);
                self.history.push(&before, mv, &self.position);
            }
        }
    }

    /// The results of the fourfold rule after each move.
    fn verdicts(sfen: &str, moves: &str) -> Vec<Option<Repetition>> {
        let mut line = Line::from(sfen);
        let after = |mv| {
            line.play(mv);
            line.history.fourfold()
        };
        moves.split_whitespace().map(after).collect()
    }

    #[test]
    fn a_position_repeats_one_before_it_when_it_occurs_again() {
        let mut line = Line::from(START_SFEN);
        let mut repeats = vec![line.history.repeats()];
        for mv in "1f1e 6a6b 1e1f 6b6a 1f1e".split_whitespace() {
            line.play(mv);
            repeats.push(line.history.repeats());
        }
        assert_eq!(repeats, [false, false, false, false, true, true]);
    }

    #[test]
    fn perpetual_check_loses_for_the_checker() {
        // The rook checks from 6a and 6b in turn; the king steps to and fro.
        let sfen = "6/R4k/6/6/6/K5 w - 1";
        let checks = "1b1a 6b6a 1a1b 6a6b ".repeat(3);
        let verdicts = verdicts(sfen, &checks);
        // White is to move, in check in the repeated position, and wins.
        assert_eq!(verdicts[11], Some(Repetition::Win));
        assert_eq!(verdicts[10], None);
    }

    #[test]
    fn one_quiet_move_among_the_checks_makes_it_a_draw() {
        let sfen = "6/R4k/6/6/6/K5 w - 1";
        let moves = "1b1a 6b6a 1a1b 6a6b ".repeat(2) + "1b1a 6b6c 1a1b 6c6b";
        assert_eq!(verdicts(sfen, &moves).last(), Some(&Some(Repetition::Draw)));
    }

    #[test]
    fn moves_before_the_first_of_the_four_do_not_count_either_way() {
        // One more check than the repetition needs led to the first occurrence.
        let moves = "6c6b ".to_owned() + &"1b1a 6b6a 1a1b 6a6b ".repeat(3);
        assert_eq!(verdicts("6/5k/R5/6/6/K5 b - 1", &moves).last(), Some(&Some(Repetition::Win)));
        // The first occurrence followed a king move; every later move of Black gives check.
        let moves = "2a1a ".to_owned() + &"6b6a 1a1b 6a6b 1b1a ".repeat(3);
        assert_eq!(verdicts("4k1/R5/6/6/6/K5 w - 1", &moves).last(), Some(&Some(Repetition::Loss)));
    }

    #[test]
    fn a_popped_position_no_longer_counts() {
        let mut line = Line::from(START_SFEN);
        "1f1e 6a6b 1e1f 6b6a".split_whitespace().for_each(|mv| line.play(mv));
        let mut history = line.history;
        assert_eq!((history.len(), history.repeats()), (5, true));
        history.pop();
        assert_eq!((history.len(), history.repeats()), (4, false));
    }

    #[test]
    fn the_fourth_occurrence_is_sennichite_and_after_it_is_forgotten_four_more_count() {
        let mut line = Line::from(START_SFEN);
        let shuffle = "1f1e 6a6b 1e1f 6b6a ".repeat(6);
        for (ply, mv) in (1..).zip(shuffle.split_whitespace()) {
            line.play(mv);
            let history = &mut line.history;
            assert_eq!(history.fourfold(), (ply == 12 || ply == 24).then_some(Repetition::Draw), "after {ply} plies");
            if ply == 12 {
                history.forget_repetitions();
                assert!(history.threefold_keys().is_empty() && !history.repeats());
            }
        }
    }

    #[test]
    fn positions_that_stood_three_times_are_told() {
        let mut line = Line::from(START_SFEN);
        for mv in "1f1e 6a6b 1e1f 6b6a ".repeat(2).split_whitespace() {
            assert!(line.history.threefold_keys().is_empty());
            line.play(mv);
        }
        assert_eq!(line.history.threefold_keys(), [Position::startpos().key()]);
    }

    #[test]
    fn a_search_takes_the_first_return_within_it_for_the_repetition() {
        // Moves lead away from the root first, since a return to the root itself does not count.
        let mut line = Line::from(START_SFEN);
        ["6e6d", "1b1c"].into_iter().for_each(|mv| line.play(mv));
        line.history = GameHistory::new(&line.position);
        let root = line.history.len() - 1;
        for (ply, mv) in "1f1e 6a6b 1e1f 6b6a 1f1e".split_whitespace().enumerate() {
            line.play(mv);
            let expected = (ply == 4).then_some(Repetition::Draw);
            assert_eq!(line.history.repetition(root), expected, "after {mv}");
        }
    }

    #[test]
    fn nothing_repeats_across_a_null_move() {
        let mut line = Line::from(START_SFEN);
        let root = line.history.len() - 1;
        for mv in ["1f1e", "null", "1e1f", "null", "1f1e", "null"] {
            line.play(mv);
            assert_eq!(line.history.repetition(root), None);
        }
    }

    #[test]
    fn a_null_move_makes_a_position_of_its_own() {
        let mut line = Line::from("1K4/6/6/6/6/1k4 b RB2G2S2N2Prb 1");
        let root = line.history.len() - 1;
        for mv in ["5a4a", "5f4f", "null"] {
            line.play(mv);
        }
        // The plies before the setup do not count.
        assert_eq!(line.history.impasse_plies(), Some(0));
        for mv in ["4f5f", "4a5a", "5f4f", "5a4a"] {
            assert_eq!(line.history.repetition(root), None, "before {mv}");
            line.play(mv);
        }
        assert_eq!(line.history.impasse_plies(), Some(4));
        assert_eq!(line.history.repetition(root), Some(Repetition::Draw));
    }
}
