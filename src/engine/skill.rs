//! Reduced playing strength, by level or Elo: a node limit, and noise in the choice among the best lines.

use crate::score::Score;
use crate::search::ScoredMove;
use crate::shogi::Move;
use crate::shogi::zobrist::scatter;
use crate::strength::{ELO, FULL_LEVEL};

/// A strength below full strength, for games against people.
///
/// The search visits fewer nodes, so it overlooks what a weaker player overlooks. Noise is added to the scores of its
/// best lines, so that the engine does not always play the best one, but never one that is much worse. Mates are not
/// affected: the engine plays a mate that it has found and avoids being mated.
///
#[doc = include_str!("strength.md")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill {
    /// From 0 to 20; an Elo strength lies between two levels.
    level: f64,
}

/// For each level the soft node limit (no iteration begins after it), and the maximum noise, in centipawns.
const LEVELS: [(f64, f64); 20] = [
    (1.0, 900.0),
    (100.0, 740.0),
    (200.0, 600.0),
    (320.0, 490.0),
    (450.0, 400.0),
    (600.0, 320.0),
    (800.0, 265.0),
    (1_050.0, 220.0),
    (1_350.0, 180.0),
    (1_750.0, 150.0),
    (2_200.0, 120.0),
    (2_800.0, 98.0),
    (3_600.0, 80.0),
    (4_600.0, 62.0),
    (5_800.0, 46.0),
    (7_500.0, 32.0),
    (13_000.0, 22.0),
    (26_000.0, 14.0),
    (60_000.0, 7.0),
    (180_000.0, 3.0),
];

/// The number of plies with at least [`OPENING_NOISE`]: otherwise the highest levels would repeat the same game.
const OPENING: u32 = 10;

/// The minimum noise in the opening, in centipawns.
const OPENING_NOISE: f64 = 60.0;

impl Skill {
    /// The level of full strength.
    pub const FULL_LEVEL: i64 = FULL_LEVEL as i64;

    /// The Elo of level 0.
    pub const LEAST_ELO: i64 = ELO[0].1 as i64;

    /// The Elo of full strength.
    pub const MOST_ELO: i64 = ELO[ELO.len() - 1].1 as i64;

    /// The strength of a level, from 0. None for full strength.
    pub fn of_level(level: i64) -> Option<Skill> {
        (level < Skill::FULL_LEVEL).then_some(Skill { level: level.max(0) as f64 })
    }

    /// The strength of an Elo number, from [`Skill::LEAST_ELO`]. None for full strength.
    pub fn of_elo(elo: i64) -> Option<Skill> {
        let elo = elo as f64;
        let [.., (_, most)] = ELO;
        if elo >= most {
            return None;
        }
        let above = ELO.iter().position(|&(_, point)| point > elo).unwrap_or(1).max(1);
        let ((low, from), (high, to)) = (ELO[above - 1], ELO[above]);
        Some(Skill { level: (low + (high - low) * (elo - from) / (to - from)).clamp(0.0, 19.0) })
    }

    /// Interpolates a value linearly between the two nearest levels.
    fn interpolated(self, of: impl Fn((f64, f64)) -> f64) -> f64 {
        let low = self.level.floor() as usize;
        let high = (low + 1).min(LEVELS.len() - 1);
        let share = self.level - low as f64;
        of(LEVELS[low]) * (1.0 - share) + of(LEVELS[high]) * share
    }

    /// The number of nodes after which no iteration begins.
    pub fn nodes(self) -> u64 {
        self.interpolated(|(nodes, _)| nodes.ln()).exp().round() as u64
    }

    /// The number of best lines to choose from: more at lower levels.
    pub fn lines(self) -> usize {
        match self.level {
            ..5.0 => 12,
            5.0..10.0 => 8,
            10.0..16.0 => 5,
            _ => 3,
        }
    }

    /// The number of plies that it plays from the book: as many as its level.
    pub fn book_plies(self) -> u32 {
        self.level as u32
    }

    /// The maximum loss of a chosen move against the best, in centipawns.
    pub fn margin(self) -> i32 {
        self.interpolated(|(_, noise)| noise) as i32
    }

    /// The noise at a ply of a game, from 1. The same `seed` makes the same choices.
    pub(super) fn noise(self, ply: u32, seed: u64) -> Noise {
        let most = self.interpolated(|(_, noise)| noise);
        Noise { most: if ply <= OPENING { most.max(OPENING_NOISE) } else { most }, seed }
    }
}

/// The random part of a choice among lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noise {
    /// The maximum that is added to a score, in centipawns.
    most: f64,
    seed: u64,
}

impl Noise {
    /// Chooses a move among the lines of a search.
    pub(super) fn choose(self, lines: &[ScoredMove]) -> Option<Move> {
        let centipawns = |line: &ScoredMove| i32::from(line.score);
        let best = lines.iter().max_by_key(|line| centipawns(line))?;
        // Mates are played without noise.
        if matches!(best.score, Score::Mate(_)) {
            return Some(best.mv);
        }
        let near = lines.iter().filter(|line| f64::from(centipawns(best) - centipawns(line)) <= self.most);
        let value = |line: &ScoredMove| f64::from(centipawns(line)) + self.most * self.share(line.mv);
        near.max_by(|a, b| value(a).total_cmp(&value(b))).map(|line| line.mv)
    }

    /// A pseudo-random number between 0 and 1 for a move.
    fn share(self, mv: Move) -> f64 {
        scatter(self.seed ^ (u64::from(mv.bits()) << 40 | u64::from(mv.bits()))) as f64 / u64::MAX as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(mv: &str, score: Score) -> ScoredMove {
        ScoredMove { mv: mv.parse().unwrap(), score }
    }

    /// The moves chosen over many seeds after the opening, each once.
    fn chosen(level: i64, lines: &[ScoredMove]) -> Vec<String> {
        chosen_at(OPENING + 1, level, lines)
    }

    fn chosen_at(ply: u32, level: i64, lines: &[ScoredMove]) -> Vec<String> {
        let skill = Skill::of_level(level).unwrap();
        let mut moves: Vec<String> =
            (0..200).map(|seed| skill.noise(ply, seed * 7_919).choose(lines).unwrap().to_string()).collect();
        moves.sort();
        moves.dedup();
        moves
    }

    #[test]
    fn more_is_left_to_chance_at_lower_levels() {
        use Score::Centipawns;
        let lines = [
            line("6e6d", Centipawns(50)),
            line("5f5e", Centipawns(30)),
            line("4f4e", Centipawns(-100)),
            line("3f2d", Centipawns(-2_000)),
        ];
        assert_eq!(chosen(19, &lines), ["6e6d"]);
        assert_eq!(chosen_at(OPENING, 19, &lines), ["5f5e", "6e6d"], "no level plays one game for ever");
        assert_eq!(chosen(15, &lines), ["5f5e", "6e6d"]);
        assert_eq!(chosen(8, &lines), ["4f4e", "5f5e", "6e6d"]);
        assert_eq!(chosen(0, &lines), ["4f4e", "5f5e", "6e6d"], "no level plays a hopeless move");
    }

    #[test]
    fn a_mate_in_the_lines_is_given_or_avoided() {
        use Score::{Centipawns, Mate};
        let mate =
            [line("6e6d", Centipawns(900)), line("5f5e", Mate(3)), line("3f2d", Mate(5)), line("4f4e", Mate(-2))];
        assert_eq!(chosen(0, &mate), ["5f5e"]);
        assert_eq!(chosen(0, &[line("4f4e", Mate(-2)), line("3f2d", Mate(-4))]), ["3f2d"]);
        let danger = [line("6e6d", Centipawns(-900)), line("4f4e", Mate(-2))];
        assert_eq!(chosen(0, &danger), ["6e6d"]);
        assert_eq!(chosen(0, &[line("4f4e", Mate(-2))]), ["4f4e"]);
    }

    #[test]
    fn levels_and_elo_rise_together() {
        assert_eq!(Skill::of_level(20), None);
        assert_eq!(Skill::of_elo(Skill::MOST_ELO), None);
        let nodes: Vec<u64> = (0..20).map(|level| Skill::of_level(level).unwrap().nodes()).collect();
        assert!(nodes.is_sorted() && nodes[0] == 1 && nodes[19] == 180_000, "{nodes:?}");
        let levels: Vec<f64> =
            (Skill::LEAST_ELO..Skill::MOST_ELO).map(|elo| Skill::of_elo(elo).unwrap().level).collect();
        assert!(levels.is_sorted() && levels[0] == 0.0, "{levels:?}");
        assert_eq!(Skill::of_elo(Skill::LEAST_ELO - 100), Skill::of_level(0));
    }

    #[test]
    fn without_lines_nothing_is_chosen() {
        assert_eq!(Skill::of_level(3).unwrap().noise(1, 1).choose(&[]), None);
    }
}
