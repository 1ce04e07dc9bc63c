use super::ending::{ending_code, ending_with_code};
use crate::search::score::DECIDED_BOUND;
use crate::shogi::{Color, EndReason, IllegalMove, ImpasseRule, Move, Position};

/// A move that was played, and what the search that chose it found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredPly {
    /// The move.
    pub mv: Move,
    /// The mover's score in centipawns, ends of the game as in [`crate::search::score`].
    pub score: i16,
}

/// A game from the start position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrainingGame {
    /// The impasse rule it was played under.
    pub impasse_rule: ImpasseRule,
    /// The quiet plies of that rule.
    pub impasse_plies: u8,
    /// The moves that were played by chance, at the start.
    pub opening: Vec<Move>,
    /// What was played from there on.
    pub plies: Vec<ScoredPly>,
    /// Who won, if anybody did.
    pub winner: Option<Color>,
    /// Why the game ended.
    pub ending: EndReason,
}

/// Bytes before the moves of a game.
const HEADER: usize = 7;

impl TrainingGame {
    /// Appends the game to bytes: rule, its plies, result, ending, moves of the opening, plies (two bytes), then two
    /// bytes for each move of the opening and four for each ply. Little-endian.
    ///
    /// # Panics
    /// If the opening is longer than 255 moves or the game than 65,535.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        let opening = u8::try_from(self.opening.len()).expect("an opening is short");
        let plies = u16::try_from(self.plies.len()).expect("games are shorter");
        let winner = self.winner.map_or(2, |color| color.index() as u8);
        bytes.extend([self.impasse_rule.code(), self.impasse_plies, winner, ending_code(self.ending), opening]);
        bytes.extend(plies.to_le_bytes());
        for mv in &self.opening {
            bytes.extend(mv.bits().to_le_bytes());
        }
        for ply in &self.plies {
            bytes.extend(ply.mv.bits().to_le_bytes());
            bytes.extend(ply.score.to_le_bytes());
        }
    }

    /// Reads a game from the front of bytes, and moves them on. Nothing if they do not hold one; whether its moves are
    /// legal is only known by playing them.
    pub fn decode(bytes: &mut &[u8]) -> Option<TrainingGame> {
        let (&[rule, impasse_plies, winner, ending, opening, low, high], rest) = bytes.split_first_chunk::<HEADER>()?;
        let (opening_bytes, rest) = rest.split_at_checked(2 * usize::from(opening))?;
        let (ply_bytes, rest) = rest.split_at_checked(4 * usize::from(u16::from_le_bytes([low, high])))?;
        let read_move = |low, high| Move::from_bits(u16::from_le_bytes([low, high]));
        let game = TrainingGame {
            impasse_rule: ImpasseRule::from_code(rule)?,
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
            ending: ending_with_code(ending)?,
        };
        *bytes = rest;
        Some(game)
    }

    /// What the game was worth to a side: 1 if it won, 0 if it lost, else a half.
    pub fn result(&self, color: Color) -> f32 {
        match self.winner {
            Some(winner) if winner == color => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        }
    }

    /// Replays the game: `visit` sees every position in which a search chose the move, with what was played.
    ///
    /// # Errors
    /// [`IllegalMove`] at the first move that is not legal; what came before has been seen.
    pub fn replay(&self, mut visit: impl FnMut(&Position, ScoredPly)) -> Result<(), IllegalMove> {
        let mut position = Position::startpos();
        for &mv in &self.opening {
            position.try_play(mv)?;
        }
        for &ply in &self.plies {
            if !position.is_legal(ply.mv) {
                return Err(IllegalMove(ply.mv));
            }
            visit(&position, ply);
            position.play_unchecked(ply.mv);
        }
        Ok(())
    }

    /// As [`TrainingGame::replay`], with the quiet positions alone: a static evaluation can be asked about no others.
    /// `visit` gets the position, the score in centipawns and the result, both for the side to move.
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

/// Whether a position is quiet: nobody is in check, the best move neither takes nor promotes, and the game is not decided.
pub(super) fn is_quiet(position: &Position, ply: ScoredPly) -> bool {
    !position.in_check()
        && !position.is_capture(ply.mv)
        && !ply.mv.promotes()
        && i32::from(ply.score).abs() < DECIDED_BOUND
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
