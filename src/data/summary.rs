//! Statistics of training games: results, endings, lengths, scores and usable positions.

use std::collections::BTreeMap;
use std::fmt;

use super::TrainingGame;
use super::game::{NOT_QUIET, is_quiet};
use crate::search::score::DECIDED_BOUND;
use crate::shogi::{Color, EndReason, IllegalMove};

/// The greatest absolute score of each class, in centipawns.
const CLASSES: [i32; 6] = [100, 300, 600, 1_000, 2_000, DECIDED_BOUND - 1];

#[derive(Clone, Debug, Default)]
pub struct Summary {
    games: u64,
    wins: [u64; 2],
    endings: BTreeMap<EndReason, u64>,
    lengths: Vec<u64>,
    plies: u64,
    quiet: u64,
    /// The scores in each class, the decided ones, and the positions that rescoring found not to be quiet.
    scores: [u64; CLASSES.len() + 2],
    bytes: u64,
}

impl Summary {
    /// Replays a game and adds it.
    ///
    /// # Errors
    /// [`IllegalMove`] for its first illegal move: the game is not counted.
    pub fn add(&mut self, game: &TrainingGame) -> Result<(), IllegalMove> {
        let mut quiet = 0;
        game.replay(|position, ply| quiet += u64::from(is_quiet(position, ply)))?;
        self.games += 1;
        if let Some(winner) = game.winner {
            self.wins[winner.index()] += 1;
        }
        *self.endings.entry(game.ending).or_default() += 1;
        let length = game.opening.len() + game.plies.len();
        self.lengths.resize(self.lengths.len().max(length + 1), 0);
        self.lengths[length] += 1;
        self.plies += game.plies.len() as u64;
        self.quiet += quiet;
        for ply in &game.plies {
            let score = i32::from(ply.score).abs();
            let class = match ply.score {
                NOT_QUIET => CLASSES.len() + 1,
                _ => CLASSES.iter().position(|&end| score <= end).unwrap_or(CLASSES.len()),
            };
            self.scores[class] += 1;
        }
        let mut bytes = Vec::new();
        game.encode(&mut bytes);
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    /// The length in plies that this share of the games, 0 to 1, does not exceed.
    fn length(&self, share: f64) -> usize {
        let wanted = (share * self.games as f64).ceil() as u64;
        let mut seen = 0;
        let reached = |&games: &u64| {
            seen += games;
            seen >= wanted
        };
        self.lengths.iter().position(reached).unwrap_or(0)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
        let [black, white] = Color::ALL.map(|color| self.wins[color.index()]);
        writeln!(
            f,
            "games      {}: Black won {:.1} %, White {:.1} %, nobody {:.1} %",
            self.games,
            percent(black, self.games),
            percent(white, self.games),
            percent(self.games - black - white, self.games)
        )?;
        writeln!(
            f,
            "length     median {} plies, one in twenty up to {} or from {} on",
            self.length(0.5),
            self.length(0.05),
            self.length(0.95)
        )?;
        let mut endings: Vec<_> = self.endings.iter().collect();
        endings.sort_by_key(|&(ending, games)| (std::cmp::Reverse(*games), *ending));
        let endings: Vec<String> =
            endings.iter().map(|(ending, games)| format!("{} {:.1} %", ending, percent(**games, self.games))).collect();
        writeln!(f, "endings    {}", endings.join(", "))?;
        writeln!(
            f,
            "positions  {}, of which {} ({:.0} %) can be used; {:.2} bytes each",
            self.plies,
            self.quiet,
            percent(self.quiet, self.plies),
            self.bytes as f64 / self.plies.max(1) as f64
        )?;
        let mut from = 0;
        let classes = CLASSES.iter().zip(&self.scores).map(|(&end, &count)| {
            let name = if end == DECIDED_BOUND - 1 { format!("{from}+") } else { format!("{from}-{end}") };
            from = end + 1;
            format!("{name} {:.0} %", percent(count, self.plies))
        });
        let last = ["decided", "none"].iter().zip(&self.scores[CLASSES.len()..]);
        let last = last.map(|(name, &count)| format!("{name} {:.0} %", percent(count, self.plies)));
        write!(f, "scores     {}", classes.chain(last).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::tests::example;
    use super::*;

    #[test]
    fn a_summary_counts() {
        let mut summary = Summary::default();
        let lost = TrainingGame { winner: Some(Color::Black), ending: EndReason::Checkmate, ..example() };
        for game in [example(), example(), lost] {
            summary.add(&game).unwrap();
        }
        let text = summary.to_string();
        for expected in [
            "games      3: Black won 33.3 %, White 66.7 %, nobody 0.0 %",
            "length     median 6 plies",
            "endings    proven by search 66.7 %, checkmate 33.3 %",
            "positions  12, of which 9 (75 %) can be used; 6.75 bytes each",
            "scores     0-100 75 %",
            "decided 25 %",
        ] {
            assert!(text.contains(expected), "{expected} in\n{text}");
        }
        assert_eq!(Summary::default().to_string().lines().count(), 5);
    }

    #[test]
    fn positions_that_are_not_quiet_have_no_score() {
        let mut game = example();
        for (ply, score) in game.plies.iter_mut().zip([NOT_QUIET, 0, 0, 0]) {
            ply.score = score;
        }
        let mut summary = Summary::default();
        summary.add(&game).unwrap();
        assert!(summary.to_string().ends_with("decided 0 %, none 25 %"), "{summary}");
    }

    #[test]
    fn an_illegal_game_is_not_counted() {
        let mut game = example();
        game.plies[0].mv = "1f1b".parse().unwrap();
        let mut summary = Summary::default();
        assert!(summary.add(&game).is_err());
        assert_eq!(summary.games(), 0);
    }
}
