//! The order of a match's games: round robin or gauntlet, in pairs with reversed colours.

use crate::shogi::Color;

/// The pairings of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Every engine plays every other engine.
    RoundRobin,
    /// The first engine plays every other engine.
    Gauntlet,
}

/// The games of a match, numbered from 0 in the order in which they are handed out.
///
/// Two games form a pair: the same two engines and the same opening, with colours reversed. A round has one pair for
/// each pairing of engines, all with the same opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    rounds: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedGame {
    /// The engines' numbers in the match, Black's first.
    pub engines: [usize; 2],
    /// The number of the opening, before wrap-around.
    pub opening: usize,
}

impl Schedule {
    /// A match of `rounds` pairs for each pairing of `engines` engines.
    pub fn new(engines: usize, format: Format, rounds: usize) -> Schedule {
        let pairings = (0..engines).flat_map(|first| (first + 1..engines).map(move |second| (first, second)));
        Schedule {
            pairings: pairings.filter(|(first, _)| format == Format::RoundRobin || *first == 0).collect(),
            rounds,
        }
    }

    /// The pairings of engines. The first one has Black in the first game of each pair.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// The number of pairs.
    pub fn pairs(&self) -> usize {
        self.pairings.len() * self.rounds
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        2 * self.pairs()
    }

    pub fn game(&self, number: usize) -> PlannedGame {
        let pair = number / 2;
        let (first, second) = self.pairings[pair % self.pairings.len()];
        let engines = if number.is_multiple_of(2) { [first, second] } else { [second, first] };
        PlannedGame { engines, opening: pair / self.pairings.len() }
    }
}

impl PlannedGame {
    /// The same game with colours reversed, if an odd number of earlier attempts ended without a contest.
    #[must_use]
    pub fn replayed(self, attempts: u32) -> PlannedGame {
        let [black, white] = self.engines;
        if attempts.is_multiple_of(2) { self } else { PlannedGame { engines: [white, black], ..self } }
    }

    pub fn engine(self, color: Color) -> usize {
        self.engines[color.index()]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn a_pair_shares_its_opening_and_reverses_colours() {
        let schedule = Schedule::new(2, Format::RoundRobin, 3);
        let games: Vec<PlannedGame> = (0..schedule.games()).map(|number| schedule.game(number)).collect();
        let expected = [([0, 1], 0), ([1, 0], 0), ([0, 1], 1), ([1, 0], 1), ([0, 1], 2), ([1, 0], 2)];
        assert_eq!(games, expected.map(|(engines, opening)| PlannedGame { engines, opening }));
        assert_eq!(games[0].replayed(1), games[1]);
        assert_eq!(games[0].replayed(2), games[0]);
    }

    #[test]
    fn everybody_meets_everybody_equally() {
        let schedule = Schedule::new(4, Format::RoundRobin, 5);
        let mut met: HashMap<[usize; 2], usize> = HashMap::new();
        (0..schedule.games()).for_each(|number| *met.entry(schedule.game(number).engines).or_default() += 1);
        assert_eq!((met.len(), schedule.games()), (12, 60));
        assert!(met.values().all(|&games| games == 5));
        assert!((0..12).all(|number| schedule.game(number).opening == 0), "a round has one opening");
    }

    #[test]
    fn in_a_gauntlet_only_the_first_meets_everybody() {
        let schedule = Schedule::new(4, Format::Gauntlet, 2);
        assert_eq!(schedule.pairings(), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(schedule.games(), 12);
    }
}
