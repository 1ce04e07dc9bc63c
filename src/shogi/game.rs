//! `Game`: a start position with moves, judged by the rules on mate, repetition, impasse and illegal moves.

use std::fmt;

use super::{
    Color, DEFAULT_IMPASSE_PLIES, EndReason, GameHistory, IllegalMove, ImpasseDecision, ImpasseRule, Move, PointCount,
    Position, Repetition,
};

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// The winner; [`None`] in a no-contest game, which counts as a draw.
    pub winner: Option<Color>,
    /// Why the game ended.
    pub reason: EndReason,
    /// The points that were counted, after [`EndReason::Impasse`].
    pub points: Option<PointCount>,
    /// The illegal move, after [`EndReason::IllegalMove`].
    pub illegal_move: Option<Move>,
}

impl GameResult {
    /// A won game.
    pub const fn won(winner: Color, reason: EndReason) -> GameResult {
        GameResult { winner: Some(winner), reason, points: None, illegal_move: None }
    }

    /// A drawn game.
    pub const fn drawn(reason: EndReason) -> GameResult {
        GameResult { winner: None, reason, points: None, illegal_move: None }
    }

    const fn counted(count: PointCount) -> GameResult {
        GameResult { winner: count.winner(), reason: EndReason::Impasse, points: Some(count), illegal_move: None }
    }

    /// The reason in words, with the points or the illegal move: `impasse, 18 points to 10`.
    pub fn explained(&self) -> impl fmt::Display + use<> {
        let GameResult { reason, points, illegal_move, .. } = *self;
        fmt::from_fn(move |f| {
            write!(f, "{reason}")?;
            if let Some(PointCount { points: [black, white] }) = points {
                write!(f, ", {black} points to {white}")?;
            }
            illegal_move.map_or(Ok(()), |mv| write!(f, " {mv}"))
        })
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(winner) => write!(f, "{winner} wins: {}", self.explained()),
            None => write!(f, "no contest: {}", self.explained()),
        }
    }
}

/// A game: its start, its moves and its impasse rule.
///
/// Moves after the end are accepted: the caller decides when a game is over.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    history: GameHistory,
    moves: Vec<Move>,
    impasse_rule: ImpasseRule,
    impasse_plies: u32,
}

impl Game {
    /// A game from a position under the default impasse rule.
    pub fn new(start: Position) -> Game {
        Game {
            history: GameHistory::new(&start),
            position: start.clone(),
            start,
            moves: Vec::new(),
            impasse_rule: ImpasseRule::default(),
            impasse_plies: DEFAULT_IMPASSE_PLIES,
        }
    }

    /// The same game under another impasse rule. `impasse_plies` only matters to [`ImpasseRule::Points12`].
    #[must_use]
    pub fn with_impasse(mut self, rule: ImpasseRule, impasse_plies: u32) -> Game {
        self.impasse_rule = rule;
        self.impasse_plies = impasse_plies;
        self
    }

    /// The start position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The history of the current position.
    pub fn history(&self) -> &GameHistory {
        &self.history
    }

    /// The moves played so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a move.
    ///
    /// # Errors
    /// [`IllegalMove`]: the game is unchanged. [`Game::forfeit`] turns the error into a result.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let before = self.position.clone();
        self.position.try_play(mv)?;
        self.history.push(&before, mv, &self.position);
        self.moves.push(mv);
        Ok(())
    }

    /// Continues although the rules have ended the game, as the players of a record may have done. Earlier positions no
    /// longer count for repetition, and an impasse rule that has decided the game no longer applies.
    pub fn play_on(&mut self) {
        // The rule may have decided a game that a repetition ended.
        if matches!(self.impasse(), Some(ImpasseDecision::Points(_) | ImpasseDecision::Try)) {
            self.impasse_rule = ImpasseRule::None;
        }
        self.history.forget_repetitions();
    }

    /// The impasse rule in force.
    pub fn impasse_rule(&self) -> ImpasseRule {
        self.impasse_rule
    }

    /// The result, if the rules have ended the game.
    pub fn result(&self) -> Option<GameResult> {
        let (us, them) = (self.position.side_to_move(), !self.position.side_to_move());
        if !self.position.has_legal_move() {
            let reason = if self.position.in_check() { EndReason::Checkmate } else { EndReason::NoLegalMove };
            return Some(GameResult::won(them, reason));
        }
        match (self.impasse(), self.history.fourfold()) {
            (Some(ImpasseDecision::Try), _) => Some(GameResult::won(them, EndReason::Try)),
            (_, Some(Repetition::Draw)) => Some(GameResult::drawn(EndReason::Sennichite)),
            (_, Some(Repetition::Win)) => Some(GameResult::won(us, EndReason::PerpetualCheck)),
            (_, Some(Repetition::Loss)) => Some(GameResult::won(them, EndReason::PerpetualCheck)),
            (Some(ImpasseDecision::Points(count)), None) => Some(GameResult::counted(count)),
            // The game continues until the player declares.
            (Some(ImpasseDecision::MayDeclare) | None, None) => None,
        }
    }

    /// The number of plies without a capture or a promotion after which points are counted under
    /// [`ImpasseRule::Points12`]; none unless both kings stand in their zones. 0 while only a check delays the count.
    pub fn plies_to_impasse(&self) -> Option<u32> {
        let counts = self.impasse_rule.counts_quiet_plies();
        self.history.impasse_plies().filter(|_| counts).map(|plies| self.impasse_plies.saturating_sub(plies))
    }

    fn impasse(&self) -> Option<ImpasseDecision> {
        self.impasse_rule.decision(&self.position, &self.history, self.impasse_plies)
    }

    /// The result of a declaration by the side to move.
    pub fn declare(&self) -> GameResult {
        let us = self.position.side_to_move();
        if self.impasse() == Some(ImpasseDecision::MayDeclare) {
            GameResult::won(us, EndReason::Declaration)
        } else {
            GameResult::won(!us, EndReason::WrongDeclaration)
        }
    }

    /// The result of an illegal move by the side to move.
    pub fn forfeit(&self, illegal: IllegalMove) -> GameResult {
        let lost = GameResult::won(!self.position.side_to_move(), EndReason::IllegalMove);
        GameResult { illegal_move: Some(illegal.0), ..lost }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(sfen: &str, rule: ImpasseRule, moves: &str) -> Game {
        let mut game = Game::new(sfen.parse().unwrap()).with_impasse(rule, DEFAULT_IMPASSE_PLIES);
        for mv in moves.split_whitespace() {
            game.play(mv.parse().unwrap()).unwrap();
        }
        game
    }

    fn ended(sfen: &str, rule: ImpasseRule, moves: &str) -> Option<String> {
        game(sfen, rule, moves).result().map(|result| result.to_string())
    }

    #[test]
    fn results_say_who_won_and_why() {
        let shuffle = "1f1e 6a6b 1e1f 6b6a ".repeat(3);
        let perpetual = "1b1a 6b6a 1a1b 6a6b ".repeat(3);
        for (sfen, moves, expected) in [
            (super::super::START_SFEN, "", None),
            (super::super::START_SFEN, shuffle.as_str(), Some("no contest: sennichite")),
            ("6/R4k/6/6/6/K5 w - 1", perpetual.as_str(), Some("White wins: perpetual check")),
            // A gold in front of the king, backed by a pawn.
            ("5k/6/5P/6/6/K5 b G 1", "G*1b", Some("Black wins: checkmate")),
            ("5k/6/6/6/6/K5 b G 1", "G*1b", None),
        ] {
            assert_eq!(ended(sfen, ImpasseRule::Points12, moves).as_deref(), expected, "{sfen} {moves}");
        }
    }

    #[test]
    fn the_side_without_a_move_loses_even_if_not_in_check() {
        let stuck = ended("5k/6/4G1/6/6/K3R1 w - 1", ImpasseRule::Points12, "");
        assert_eq!(stuck, None, "1b is free");
        let stuck = ended("5k/3G2/5P/6/6/K3R1 w - 1", ImpasseRule::Points12, "");
        assert_eq!(stuck.as_deref(), Some("Black wins: no legal move"));
    }

    #[test]
    fn points_are_counted_after_enough_quiet_plies_with_both_kings_in() {
        // The kings move along different tracks, so that no position occurs four times.
        let sfen = "K4R/6/6/6/6/1k4 b B2G2S2N2Prb 1";
        let mut game = Game::new(sfen.parse().unwrap()).with_impasse(ImpasseRule::Points12, 6);
        for (ply, mv) in ["6a6b", "5f5e", "6b5b", "5e4e", "5b4b", "4e3e"].into_iter().enumerate() {
            assert_eq!(game.result(), None, "after {ply} plies");
            assert_eq!(game.plies_to_impasse(), Some(6 - ply as u32), "after {ply} plies");
            game.play(mv.parse().unwrap()).unwrap();
        }
        let result = game.result().unwrap();
        assert_eq!(result.to_string(), "Black wins: impasse, 18 points to 10");
        assert_eq!(game.moves().len(), 6);
    }

    #[test]
    fn a_try_needs_both_kings_to_have_entered() {
        let sfen = "6/4K1/6/6/6/1k4 b - 1";
        assert_eq!(ended(sfen, ImpasseRule::Try, "2b1a").as_deref(), Some("Black wins: try"));
        assert_eq!(ended(sfen, ImpasseRule::Points12, "2b1a"), None);
        assert_eq!(ended("6/4K1/6/1k4/6/6 b - 1", ImpasseRule::Try, "2b1a"), None);
        // White's king entered the zone and left it again.
        let moves = "2b3b 5e5d 3b2b 5d5c 2b1a";
        assert_eq!(ended("6/4K1/6/6/1k4/6 b - 1", ImpasseRule::Try, moves).as_deref(), Some("Black wins: try"));
        assert_eq!(ended("6/4k1/6/6/1K4/6 w - 1", ImpasseRule::Try, ""), None);
        // A king that stood on the square before the other king entered its zone must reach it again.
        let sfen = "5K/6/6/1k4/6/5P w - 1";
        assert_eq!(ended(sfen, ImpasseRule::Try, "5d5e 1f1e"), None);
        let moves = "5d5e 1a1b 5e5f 1b1a";
        assert_eq!(ended(sfen, ImpasseRule::Try, moves).as_deref(), Some("Black wins: try"));
    }

    #[test]
    fn a_wrong_declaration_loses() {
        let enough = "1K4/GGS3/6/6/6/5k b RBSN 1";
        assert_eq!(game(enough, ImpasseRule::Declaration, "").declare().to_string(), "Black wins: declaration");
        assert_eq!(game(enough, ImpasseRule::Try, "").declare().to_string(), "White wins: wrong declaration");
        let start = super::super::START_SFEN;
        assert_eq!(game(start, ImpasseRule::Declaration, "").declare().to_string(), "White wins: wrong declaration");
    }

    #[test]
    fn a_game_that_goes_on_past_its_end_is_not_over() {
        let shuffle = "1f1e 6a6b 1e1f 6b6a ".repeat(3);
        for (sfen, rule, moves, left) in [
            (super::super::START_SFEN, ImpasseRule::Points12, shuffle.as_str(), ImpasseRule::Points12),
            ("6/4K1/6/6/6/1k4 b - 1", ImpasseRule::Try, "2b1a", ImpasseRule::None),
            ("4nk/1K3p/3b2/3S+b1/P5/1S4 b 2R2Gn 101", ImpasseRule::CuteChess, "", ImpasseRule::None),
        ] {
            let mut game = game(sfen, rule, moves);
            assert!(game.result().is_some(), "{rule}");
            game.play_on();
            assert_eq!((game.result(), game.impasse_rule()), (None, left), "{rule}");
        }
        // Repetition and points at once.
        let sfen = "K4R/6/6/6/6/1k4 b B2G2S2N2Prb 1";
        let mut game = Game::new(sfen.parse().unwrap()).with_impasse(ImpasseRule::Points12, 12);
        for mv in "6a6b 5f5e 6b6a 5e5f ".repeat(3).split_whitespace() {
            game.play(mv.parse().unwrap()).unwrap();
        }
        assert_eq!(game.result(), Some(GameResult::drawn(EndReason::Sennichite)));
        game.play_on();
        assert_eq!(game.result(), None);
    }

    #[test]
    fn an_illegal_move_changes_nothing_and_loses() {
        let mut game = Game::new(Position::startpos());
        let error = game.play("6e6c".parse().unwrap()).unwrap_err();
        assert_eq!((game.moves().len(), game.position()), (0, game.start()));
        assert_eq!(game.forfeit(error).to_string(), "White wins: illegal move 6e6c");
    }
}
