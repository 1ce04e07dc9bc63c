//! Adjudication of games by reported scores: draw and resign rules, a move limit, and the audit of the resign rule.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::counted::counted;
use crate::record::GameRecord;
use crate::score::Score;
use crate::shogi::{Color, EndReason};

use super::Outcome;

/// Adjudication: the runner ends games before the rules do. Off by default.
///
/// Move numbers count each player's moves separately, as in shogi. Scores are centipawns from the point of view of the
/// engine that reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Adjudication {
    /// Draws when both engines report a score near zero.
    pub draw: Option<DrawRule>,
    /// Resignation when the loser reports a bad score.
    pub resign: Option<ResignRule>,
    /// The game is drawn after this many moves, including those of the opening.
    pub max_moves: Option<usize>,
}

/// A game is drawn when both engines report scores near zero for long enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// The first move of the game at which the rule applies.
    pub movenumber: usize,
    /// The number of consecutive moves of each engine.
    pub movecount: u32,
    /// The greatest absolute score.
    pub score: u32,
}

/// An engine loses when it reports a bad score for long enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// The number of consecutive moves of the engine.
    pub movecount: u32,
    /// The absolute value of the greatest score.
    pub score: u32,
    /// Whether the other engine must agree.
    pub twosided: bool,
    /// The share of pairs, in percent, that are played to their end, to see how often the rule is wrong.
    #[serde(default)]
    pub audit: u32,
}

impl Adjudication {
    /// The adjudication in a round, a pair of games for each pairing: without resignation in rounds that audit it,
    /// which are spread evenly.
    #[must_use]
    pub fn in_round(self, round: usize) -> Adjudication {
        let audits = |rule: &ResignRule| {
            let before = |rounds: usize| rounds as u64 * u64::from(rule.audit) / 100;
            before(round + 1) > before(round)
        };
        Adjudication { resign: self.resign.filter(|rule| !audits(rule)), ..self }
    }
}

/// The winner according to the resign rule, of a game that was played on after it applied.
pub(super) fn audited_winner(record: &GameRecord) -> Option<Color> {
    if record.reason.is_fault() {
        return None;
    }
    let rule: ResignRule =
        record.adjudication.split(", ").find_map(|part| part.strip_prefix("resign "))?.parse().ok()?;
    let mut tracker = Tracker::new(Adjudication { resign: Some(rule), ..Adjudication::default() });
    // A move may end the game by itself, or by the rule. A loser who resigns could have played on.
    let is_over_by_move = !matches!(record.reason, EndReason::Resignation | EndReason::Declaration);
    let played_on = record.scores.len().saturating_sub(is_over_by_move.into());
    let mut scores = record.movers().zip(&record.scores).take(played_on);
    scores.find_map(|(mover, score)| tracker.take(mover, *score, 0)).and_then(|outcome| outcome.winner)
}

/// As on a command line: `draw movenumber=40,movecount=8,score=10, max-moves 300`; empty without adjudication.
impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let draw = self.draw.map(|DrawRule { movenumber, movecount, score }| {
            format!("draw movenumber={movenumber},movecount={movecount},score={score}")
        });
        let resign = self.resign.map(|ResignRule { movecount, score, twosided, audit }| {
            let audit = if audit > 0 { format!(",audit={audit}") } else { String::new() };
            format!("resign movecount={movecount},score={score},twosided={twosided}{audit}")
        });
        let max_moves = self.max_moves.map(|moves| format!("max-moves {moves}"));
        f.write_str(&[draw, resign, max_moves].into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// As [`Adjudication`] writes it: `movecount=3,score=900,twosided=true`.
impl FromStr for ResignRule {
    type Err = ();

    fn from_str(text: &str) -> Result<ResignRule, ()> {
        let mut rule = ResignRule { movecount: 0, score: 0, twosided: false, audit: 0 };
        for pair in text.split(',') {
            match pair.split_once('=').ok_or(())? {
                ("movecount", value) => rule.movecount = value.parse().map_err(drop)?,
                ("score", value) => rule.score = value.parse().map_err(drop)?,
                ("twosided", value) => rule.twosided = value.parse().map_err(drop)?,
                ("audit", value) => rule.audit = value.parse().map_err(drop)?,
                _ => return Err(()),
            }
        }
        Ok(rule)
    }
}

/// Tracks the scores of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tracker {
    rules: Adjudication,
    drawish: [u32; 2],
    losing: [u32; 2],
    winning: [u32; 2],
}

impl Tracker {
    pub fn new(rules: Adjudication) -> Tracker {
        Tracker { rules, ..Tracker::default() }
    }

    /// Takes the score reported with a move and the number of moves so far. Returns the result if that ends the game.
    pub fn take(&mut self, mover: Color, score: Option<Score>, moves: usize) -> Option<Outcome> {
        let centipawns = score.map(|score| match score {
            Score::Centipawns(score) => i64::from(score),
            Score::Mate(1..) => i64::from(u32::MAX),
            // With 0 the mover is mated.
            Score::Mate(_) => -i64::from(u32::MAX),
        });
        let (us, them) = (mover.index(), (!mover).index());
        let count = |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        if let Some(rule) = self.rules.draw {
            let holds = moves >= rule.movenumber && centipawns.is_some_and(|score| score.abs() <= rule.score.into());
            count(&mut self.drawish[us], holds);
            if self.drawish.iter().all(|count| *count >= rule.movecount) {
                return Some(Outcome::drawn(EndReason::AdjudicatedDraw, "adjudicated, both scores are close to zero"));
            }
        }
        if let Some(rule) = self.rules.resign {
            count(&mut self.losing[us], centipawns.is_some_and(|score| score <= -i64::from(rule.score)));
            count(&mut self.winning[us], centipawns.is_some_and(|score| score >= rule.score.into()));
            for (loser, winner, color) in [(us, them, !mover), (them, us, mover)] {
                let seen_by_both = !rule.twosided || self.winning[winner] >= rule.movecount;
                if self.losing[loser] >= rule.movecount && seen_by_both {
                    return Some(Outcome::won(color, EndReason::AdjudicatedWin, "adjudicated, the loser sees no hope"));
                }
            }
        }
        self.rules.max_moves.filter(|limit| moves >= *limit)?;
        let was = if moves == 1 { "was" } else { "were" };
        Some(Outcome::drawn(EndReason::MoveLimit, format_args!("{} {was} played", counted(moves, "move"))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds scores in turn, Black's first, and returns the number of scores after which the game ended, and the
    /// winner.
    fn ended(rules: Adjudication, scores: &[i32]) -> Option<(usize, Option<Color>, EndReason)> {
        let mut tracker = Tracker::new(rules);
        scores.iter().enumerate().find_map(|(index, &score)| {
            let mover = Color::ALL[index % 2];
            let outcome = tracker.take(mover, Some(Score::Centipawns(score)), index + 1)?;
            Some((index + 1, outcome.winner, outcome.reason))
        })
    }

    #[test]
    fn a_draw_needs_both_engines_for_long_enough() {
        let rule = DrawRule { movenumber: 3, movecount: 2, score: 10 };
        let rules = Adjudication { draw: Some(rule), ..Adjudication::default() };
        let drawn = |after| Some((after, None, EndReason::AdjudicatedDraw));
        assert_eq!(ended(rules, &[0; 10]), drawn(6));
        assert_eq!(ended(rules, &[0, 0, 0, 11, 0, 10, -10, 0, 0, 0]), drawn(8));
        assert_eq!(ended(rules, &[0, 50, 0, 50, 0, 50]), None);
        assert_eq!(ended(Adjudication::default(), &[0; 100]), None);
        // A side that is mated has not drawn.
        let mut tracker = Tracker::new(rules);
        assert!((1..9).all(|moves| tracker.take(Color::ALL[moves % 2], Some(Score::Mate(0)), moves).is_none()));
    }

    #[test]
    fn a_loss_needs_the_loser_and_if_asked_the_winner() {
        let rule = ResignRule { movecount: 2, score: 500, twosided: false, audit: 0 };
        let rules = Adjudication { resign: Some(rule), ..Adjudication::default() };
        let won = |after, winner| Some((after, Some(winner), EndReason::AdjudicatedWin));
        assert_eq!(ended(rules, &[-500, 0, -700, 0]), won(3, Color::White));
        let mut tracker = Tracker::new(rules);
        let mated =
            [1, 3].map(|moves| tracker.take(Color::Black, Some(Score::Mate(0)), moves).and_then(|end| end.winner));
        assert_eq!(mated, [None, Some(Color::White)]);
        assert_eq!(ended(rules, &[0, -500, 0, -700, 0]), won(4, Color::Black));
        assert_eq!(ended(rules, &[-500, 0, -499, 0, -500, 0]), None);
        let rules = Adjudication { resign: Some(ResignRule { twosided: true, ..rule }), ..Adjudication::default() };
        assert_eq!(ended(rules, &[-500, 0, -700, 600, -700, 600]), won(6, Color::White));
        assert_eq!(ended(rules, &[-500, 0, -700, 0, -900, 0]), None);
    }

    #[test]
    fn a_move_without_a_score_breaks_the_row() {
        let rule = ResignRule { movecount: 2, score: 500, twosided: false, audit: 0 };
        let mut tracker = Tracker::new(Adjudication { resign: Some(rule), ..Adjudication::default() });
        for (moves, score) in [Some(-600), None, Some(-600)].into_iter().enumerate() {
            assert_eq!(tracker.take(Color::Black, score.map(Score::Centipawns), moves), None);
        }
        assert!(tracker.take(Color::Black, Some(Score::Mate(-4)), 9).is_some(), "a mate is a bad score too");
    }

    #[test]
    fn the_longest_game_is_drawn() {
        let rules = Adjudication { max_moves: Some(4), ..Adjudication::default() };
        assert_eq!(ended(rules, &[900, -900, 900, -900, 900]), Some((4, None, EndReason::MoveLimit)));
    }

    #[test]
    fn it_is_written_as_in_a_command_line() {
        let all = Adjudication {
            draw: Some(DrawRule { movenumber: 40, movecount: 8, score: 10 }),
            resign: Some(ResignRule { movecount: 3, score: 900, twosided: true, audit: 0 }),
            max_moves: Some(300),
        };
        let text = "draw movenumber=40,movecount=8,score=10, resign movecount=3,score=900,twosided=true, max-moves 300";
        assert_eq!(all.to_string(), text);
        assert_eq!(Adjudication { draw: None, resign: None, ..all }.to_string(), "max-moves 300");
        assert_eq!(Adjudication::default().to_string(), "");
        let audited = Adjudication { resign: all.resign.map(|rule| ResignRule { audit: 5, ..rule }), ..all };
        assert_eq!(audited.to_string(), text.replace("twosided=true", "twosided=true,audit=5"));
        assert_eq!("movecount=3,score=900,twosided=true".parse(), Ok(all.resign.unwrap()));
        assert_eq!("movecount=3,score=900,twosided=true,audit=5".parse(), Ok(audited.resign.unwrap()));
        assert_eq!("movecount=3,score=much".parse::<ResignRule>(), Err(()));
    }

    #[test]
    fn audited_rounds_are_spread_evenly() {
        let rules = |audit| {
            let rule = ResignRule { movecount: 3, score: 900, twosided: true, audit };
            Adjudication { resign: Some(rule), ..Adjudication::default() }
        };
        let audited = |audit| (0..200).filter(|&round| rules(audit).in_round(round).resign.is_none()).collect();
        let tenth: Vec<usize> = audited(10);
        assert_eq!((tenth.len(), &tenth[..3]), (20, &[9, 19, 29][..]));
        assert_eq!((audited(0).len(), audited(7).len(), audited(100).len()), (0, 14, 200));
    }

    #[test]
    fn a_game_that_was_played_on_has_the_winner_of_the_rule() {
        let game = |adjudication: &str, scores: &[i32]| GameRecord {
            adjudication: adjudication.to_owned(),
            opening: "startpos".to_owned(),
            moves: vec![String::new(); scores.len()],
            scores: scores.iter().map(|&score| Some(Score::Centipawns(score))).collect(),
            reason: EndReason::Checkmate,
            ..GameRecord::default()
        };
        let rule = "draw movenumber=1,movecount=1,score=0, resign movecount=2,score=500,twosided=true,audit=9";
        let scores = [600, -600, 700, -700, 0, 0];
        assert_eq!(audited_winner(&game(rule, &scores)), Some(Color::Black));
        assert_eq!(audited_winner(&game(rule, &scores[..4])), None, "the rule ended the game, or the last move did");
        let resigned = GameRecord { reason: EndReason::Resignation, ..game(rule, &scores[..4]) };
        assert_eq!(audited_winner(&resigned), Some(Color::Black), "resigned right after the rule applied");
        assert_eq!(audited_winner(&game("max-moves 100", &scores)), None);
        let lost_by_fault = GameRecord { reason: EndReason::Crash, ..game(rule, &scores) };
        assert_eq!(audited_winner(&lost_by_fault), None);
    }
}
