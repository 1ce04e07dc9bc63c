//! A self-play game with the scores of its searches: binary encoding, replay, and selection of quiet positions.

use crate::search::score::DECIDED_BOUND;
use crate::shogi::{Color, EndReason, GameScore, IllegalMove, ImpasseRule, Move, Position};

/// A move of a game with its search's score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredPly {
    /// The move played, the best of the search.
    pub mv: Move,
    /// The search's score in centipawns for the mover, with mates as in [`crate::search::score`]; or [`NOT_QUIET`].
    pub score: i16,
}

/// Replaces the score of a position whose best move, according to a search after the game, captures or promotes.
pub const NOT_QUIET: i16 = i16::MAX;

/// A game of self-play from the start position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrainingGame {
    /// The impasse rule in force.
    pub impasse_rule: ImpasseRule,
    /// The number of plies of the impasse rule.
    pub impasse_plies: u8,
    /// The random moves at the start.
    pub opening: Vec<Move>,
    /// The moves after the opening, with scores.
    pub plies: Vec<ScoredPly>,
    /// The winner; [`None`] after a draw.
    pub winner: Option<Color>,
    pub ending: EndReason,
}

/// The number of bytes before a game's moves.
const HEADER: usize = 7;

impl TrainingGame {
    /// Appends the encoded game, little-endian: impasse rule, its plies, winner, ending and number of opening moves
    /// (one byte each), number of plies (two bytes), the opening (two bytes per move), the plies (two bytes for the
    /// move and two for the score).
    ///
    /// # Panics
    /// If the opening has more than 255 moves, or the game more than 65,535 plies after it.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        let opening = u8::try_from(self.opening.len()).expect("an opening has at most 255 moves");
        let plies = u16::try_from(self.plies.len()).expect("a game has at most 65,535 plies");
        let winner = self.winner.map_or(2, |color| color.index() as u8);
        bytes.extend([self.impasse_rule.code(), self.impasse_plies, winner, self.ending.code(), opening]);
        bytes.extend(plies.to_le_bytes());
        for mv in &self.opening {
            bytes.extend(mv.bits().to_le_bytes());
        }
        for ply in &self.plies {
            bytes.extend(ply.mv.bits().to_le_bytes());
            bytes.extend(ply.score.to_le_bytes());
        }
    }

    /// Decodes a game from the front of `bytes` and removes it from them. [`None`] if they do not begin with a game;
    /// `bytes` is unchanged then. Moves may be illegal, which [`TrainingGame::replay`] detects.
    pub fn decode(bytes: &mut &[u8]) -> Option<TrainingGame> {
        let (&[rule, impasse_plies, winner, ending, opening, low, high], rest) = bytes.split_first_chunk::<HEADER>()?;
        let (opening_bytes, rest) = rest.split_at_checked(2 * usize::from(opening))?;
        let (ply_bytes, rest) = rest.split_at_checked(4 * usize::from(u16::from_le_bytes([low, high])))?;
        let read_move = |low, high| Move::from_bits(u16::from_le_bytes([low, high]));
        let game = TrainingGame {
            impasse_rule: ImpasseRule::from_repr(rule)?,
            impasse_plies,
            opening: opening_bytes.as_chunks().0.iter().map(|&[a, b]| read_move(a, b)).collect::<Option<_>>()?,
            plies: ply_bytes
                .as_chunks()
                .0
                .iter()
                .map(|&[a, b, c, d]| Some(ScoredPly { mv: read_move(a, b)?, score: i16::from_le_bytes([c, d]) }))
                .collect::<Option<_>>()?,
            winner: match winner {
                2 => None,
                color => Some(*Color::ALL.get(usize::from(color))?),
            },
            ending: EndReason::from_repr(ending)?,
        };
        *bytes = rest;
        Some(game)
    }

    /// The result for a side: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub fn result(&self, color: Color) -> f32 {
        GameScore::from(self.winner).half_points(color) as f32 / 2.0
    }

    /// Replays the game. `visit` receives each position after the opening with the move played there.
    ///
    /// # Errors
    /// [`IllegalMove`] for the first illegal move, after the visits of the positions before it.
    pub fn replay(&self, mut visit: impl FnMut(&Position, ScoredPly)) -> Result<(), IllegalMove> {
        let mut position = Position::startpos();
        self.opening.iter().try_for_each(|&mv| position.try_play(mv))?;
        for &ply in &self.plies {
            if !position.is_legal(ply.mv) {
                return Err(IllegalMove(ply.mv));
            }
            visit(&position, ply);
            position.play_unchecked(ply.mv);
        }
        Ok(())
    }

    /// As [`TrainingGame::replay`], but only for quiet positions, on which a static evaluation is trained. `visit`
    /// receives the position, and the score in centipawns and the result for the side to move.
    ///
    /// # Errors
    /// As [`TrainingGame::replay`].
    pub fn for_each_quiet(&self, mut visit: impl FnMut(&Position, i32, f32)) -> Result<(), IllegalMove> {
        self.replay(|position, ply| {
            if is_quiet(position, ply) {
                visit(position, i32::from(ply.score), self.result(position.side_to_move()));
            }
        })
    }
}

/// Whether a position is quiet: not in check, the best move neither captures nor promotes, and the score is below
/// [`DECIDED_BOUND`], which excludes [`NOT_QUIET`].
pub(super) fn is_quiet(position: &Position, ply: ScoredPly) -> bool {
    !position.in_check() && !is_noisy(position, ply.mv) && i32::from(ply.score).abs() < DECIDED_BOUND
}

/// Whether a move captures or promotes.
pub(super) fn is_noisy(position: &Position, mv: Move) -> bool {
    position.is_capture(mv) || mv.promotes()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::data) fn example() -> TrainingGame {
        let ply = |text: &str, score| ScoredPly { mv: text.parse().unwrap(), score };
        TrainingGame {
            impasse_rule: ImpasseRule::Points12,
            impasse_plies: 24,
            opening: vec!["6e6d".parse().unwrap(), "1b1c".parse().unwrap()],
            plies: vec![ply("5f5e", 40), ply("2a2b", -30), ply("1f1e", 35), ply("1c1d", 31_990)],
            winner: Some(Color::White),
            ending: EndReason::Proven,
        }
    }

    #[test]
    fn a_game_survives_its_bytes() {
        let game = example();
        let mut bytes = Vec::new();
        game.encode(&mut bytes);
        game.encode(&mut bytes);
        assert_eq!(bytes.len(), 2 * (HEADER + 2 * 2 + 4 * 4));
        let mut rest = bytes.as_slice();
        assert_eq!(TrainingGame::decode(&mut rest).as_ref(), Some(&game));
        assert_eq!(TrainingGame::decode(&mut rest).as_ref(), Some(&game));
        assert_eq!((TrainingGame::decode(&mut rest), rest.len()), (None, 0));
    }

    #[test]
    fn cut_bytes_are_no_game() {
        let mut bytes = Vec::new();
        example().encode(&mut bytes);
        for length in 0..bytes.len() {
            let mut cut = &bytes[..length];
            assert_eq!((TrainingGame::decode(&mut cut), cut.len()), (None, length));
        }
    }

    #[test]
    fn quiet_positions_come_with_score_and_result_of_the_mover() {
        let mut seen = Vec::new();
        let end = example().for_each_quiet(|position, score, result| seen.push((position.to_string(), score, result)));
        assert_eq!(end, Ok(()));
        let seen: Vec<_> = seen.iter().map(|(_, score, result)| (*score, *result)).collect();
        assert_eq!(seen, [(40, 0.0), (-30, 1.0), (35, 0.0)], "the last is decided");
    }

    #[test]
    fn an_illegal_move_ends_the_replay() {
        let mut game = example();
        game.plies[2].mv = "1f1b".parse().unwrap();
        let mut seen = 0;
        assert_eq!(game.replay(|_, _| seen += 1), Err(IllegalMove(game.plies[2].mv)));
        assert_eq!(seen, 2);
    }
}
