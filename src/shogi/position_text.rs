//! Position text: all ways to name a position.

use super::{Game, Handicap, InvalidPosition, Move, Position, START_SFEN, Setup, SfenError};

/// The parts of a position's name: `[position] [startpos | HANDICAP | [sfen] SFEN] [[moves] MOVE…]`. The start may be
/// missing if moves follow.
///
/// ```
/// use judkins::shogi::PositionText;
/// let position = PositionText::new("rook 1b1c").position()?;
/// assert_eq!(position.to_string(), "1bnsgk/6/5p/6/P5/KGSNBR b - 2");
/// # Ok::<(), judkins::shogi::PositionTextError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PositionText<'a> {
    /// The words of the start, a slice of the text.
    pub start: &'a str,
    /// The words of the moves, a slice of the text.
    pub moves: &'a str,
}

/// The reason why a text names no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum PositionTextError {
    #[error("'startpos', an SFEN, a handicap or moves expected, not '{0}'")]
    Start(String),
    #[error(transparent)]
    Sfen(#[from] SfenError),
    #[error("'{0}' is not a legal move in {1}")]
    Move(String, String),
}

/// The byte offset of a part in its text.
pub(crate) fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Truncates a long text for quotation in an error.
pub(crate) fn truncate(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((byte, _)) => format!("{}…", &text[..byte]),
        None => text.to_owned(),
    }
}

/// Whether a word follows the start: `moves`, or a move.
pub(crate) fn begins_moves(word: &str) -> bool {
    word == "moves" || word.parse::<Move>().is_ok()
}

impl<'a> PositionText<'a> {
    /// Splits a text into its parts.
    pub fn new(text: &'a str) -> PositionText<'a> {
        let mut text = text.trim();
        for prefix in ["position", "sfen"] {
            if text.split_whitespace().next() == Some(prefix) {
                text = text[prefix.len()..].trim_start();
            }
        }
        let first = text.split_whitespace().next().unwrap_or_default();
        let end = if first == "startpos" || first.parse::<Handicap>().is_ok() {
            first.len()
        } else {
            // A record may have an ending in place of the moves.
            let is_after = |word: &&str| begins_moves(word) || matches!(*word, "resign" | "win");
            text.split_whitespace().find(is_after).map_or(text.len(), |word| offset(text, word))
        };
        let (start, moves) = text.split_at(end);
        let moves = moves.trim_start();
        let after = moves.strip_prefix("moves").filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
        PositionText { start: start.trim_end(), moves: after.unwrap_or(moves) }
    }

    /// The position before the moves, without validation.
    ///
    /// # Errors
    /// [`PositionTextError`] if it cannot be read.
    pub fn setup(&self) -> Result<Setup, PositionTextError> {
        let sfen = match self.start {
            "startpos" => START_SFEN,
            "" if !self.moves.is_empty() => START_SFEN,
            text if text.contains('/') => text,
            text => match text.parse::<Handicap>() {
                Ok(handicap) => handicap.sfen(),
                Err(_) => return Err(PositionTextError::Start(truncate(text))),
            },
        };
        Ok(sfen.parse().map_err(SfenError::from)?)
    }

    /// The position after the moves.
    ///
    /// # Errors
    /// [`PositionTextError`]
    pub fn position(&self) -> Result<Position, PositionTextError> {
        Ok(self.game()?.position().clone())
    }

    /// The game with the moves, under the default impasse rule. They may continue after its end.
    ///
    /// # Errors
    /// [`PositionTextError`]
    pub fn game(&self) -> Result<Game, PositionTextError> {
        self.play(|setup| Position::try_from(setup))
    }

    /// The mate problem after the moves: see [`Setup::mate_problem`].
    ///
    /// # Errors
    /// [`PositionTextError`]
    pub fn mate_problem(&self) -> Result<Position, PositionTextError> {
        let game = self.play(Setup::mate_problem)?;
        // The moves may have changed the attacker.
        Ok(Setup::from(game.position()).mate_problem().map_err(SfenError::from)?)
    }

    fn play(&self, validate: impl Fn(&Setup) -> Result<Position, InvalidPosition>) -> Result<Game, PositionTextError> {
        let mut game = Game::new(validate(&self.setup()?).map_err(SfenError::from)?);
        for word in self.moves.split_whitespace() {
            let played = word.parse().is_ok_and(|mv| game.play(mv).is_ok());
            if !played {
                return Err(PositionTextError::Move(truncate(word), game.position().to_string()));
            }
        }
        Ok(game)
    }
}

/// Writes a position and the moves after it: `startpos moves 6e6d 1b1c`, or `sfen … moves …`, without `moves` if there
/// are none.
pub fn position_text(start: &Position, moves: impl IntoIterator<Item = Move>) -> String {
    // The equality of positions ignores move numbers.
    let mut text = start.to_string();
    text = if text == START_SFEN { "startpos".to_owned() } else { format!("sfen {text}") };
    for (index, mv) in moves.into_iter().enumerate() {
        text += &format!("{}{mv}", if index == 0 { " moves " } else { " " });
    }
    text
}
