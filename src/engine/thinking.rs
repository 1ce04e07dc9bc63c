//! Searches: starting, controlling and answering them.

use std::time::{Duration, Instant};

use super::mates::MateQuestion;
use super::running::{Running, Task};
use super::{Engine, EngineError, Event, Options, Searched, Verdict};
use crate::search::{Clocks, Limits, Root, Settings};
use crate::shogi::{ImpasseDecision, ImpasseRule};

impl Engine {
    /// Starts a search for a move; a running search is stopped first. Calls `tell` with errors before it returns, and
    /// then from another thread, with [`Event::Done`] last. `tell` must not call the engine, which may be waiting for
    /// that thread. If a player has no king, the answer is an error and [`Verdict::Resign`]. Illegal moves among those
    /// to search are reported and ignored.
    ///
    /// # Errors
    /// [`EngineError`] without threads or memory. `tell` gets no [`Event::Done`] then.
    pub fn go(&mut self, request: &Limits, tell: impl FnMut(Event) + Send + 'static) -> Result<(), EngineError> {
        self.go_since(Instant::now(), request, tell)
    }

    /// [`Engine::go`] with the time since an earlier `start`, when the search was asked for: other commands may have
    /// been carried out since.
    ///
    /// # Errors
    /// As [`Engine::go`].
    pub fn go_since(
        &mut self,
        start: Instant,
        request: &Limits,
        mut tell: impl FnMut(Event) + Send + 'static,
    ) -> Result<(), EngineError> {
        self.prepare_if_possible(&mut tell)?;
        // The attacker of a mate problem may have no king: search and evaluation need both.
        let is_whole = |root: &Root| match root.position.kingless() {
            Some(color) => {
                tell(Event::Error(format!("{color} has no king: only a search for a mate takes such a position")));
                false
            }
            None => true,
        };
        let root = self.root().filter(is_whole);
        // A refused position leaves the tables as they are.
        if let Some(root) = &root {
            let searched = self.searched(root);
            if !std::mem::replace(&mut self.searched, searched).holds_for(&searched) {
                self.clear_tables();
            }
        }
        let Some((root, pool)) = root.zip(self.pool.clone()) else {
            self.running = Some(Running::answer(Verdict::Resign, request.infinite, request.ponder, tell)?);
            return Ok(());
        };
        let rules = self.searched.rules;
        let mut limits = self.options.limit(request);
        limits.searchmoves.retain(|&mv| root.position.is_legal(mv));
        if limits.searchmoves.len() < request.searchmoves.len() {
            let all = if limits.searchmoves.is_empty() { "; every legal move is searched" } else { "" };
            tell(Event::Error(format!("searchmoves names moves that are not legal{all}")));
        }
        // A declaration is none of the moves that were asked for.
        let declares = limits.searchmoves.is_empty() && self.declares(&root);
        let immediate = if declares { Some(Verdict::Win) } else { self.book_move(&root, &limits) };
        // Analysis needs the lines of a search.
        if let Some(verdict) = immediate.filter(|_| !request.infinite) {
            self.running = Some(Running::answer(verdict, false, request.ponder, tell)?);
            return Ok(());
        }
        let mut settings = self.options.settings(self.evaluation());
        (settings.impasse_rule, settings.max_moves_to_draw) = rules;
        let shown_lines = settings.multipv;
        // Analysis is always at full strength.
        let skill = self.options.skill().filter(|_| !request.infinite);
        if let Some(skill) = skill {
            limits.soft_nodes = Some(skill.nodes());
            settings.multipv = settings.multipv.max(skill.lines());
        }
        let resign_value = if self.moves_only { i32::MAX } else { self.options.resign_value };
        let noise = skill.map(|skill| skill.noise(root.position.move_number(), self.seed ^ root.position.key()));
        let mate = self.mate_question(&limits, &settings, skill.is_some());
        let task = Task { start, pool, root, limits, settings, shown_lines, noise, resign_value, declares, mate };
        self.running = Some(Running::search(task, tell)?);
        Ok(())
    }

    /// Starts a mate search with this time limit, or until it is stopped. Calls `tell` like [`Engine::go`], with the
    /// verdicts of a mate search.
    ///
    /// # Errors
    /// [`EngineError`] without threads or memory. `tell` is not called then.
    pub fn go_mate(
        &mut self,
        time: Option<Duration>,
        tell: impl FnMut(Event) + Send + 'static,
    ) -> Result<(), EngineError> {
        self.finish();
        let Some(root) = self.root() else {
            self.running = Some(Running::answer(Verdict::MateUnknown, false, false, tell)?);
            return Ok(());
        };
        let question = MateQuestion::of_the_user(self.mate_solver()?, time, self.options.network_delay);
        self.running = Some(Running::mate(question, root, tell)?);
        Ok(())
    }

    /// The position to search, with the game before it.
    fn root(&self) -> Option<Root> {
        self.game.as_ref().map(Root::of)
    }

    fn searched(&self, root: &Root) -> Searched {
        Searched {
            rules: self.rules(root),
            move_number: root.position.move_number(),
            impasse_plies: root.history.impasse_plies().unwrap_or(0),
        }
    }

    /// The impasse rule and the move limit of a search. A game that is played on past its end has neither any more:
    /// every move would seem to end it. Without declarations, as in UCI, the declaration rule is off.
    fn rules(&self, root: &Root) -> (ImpasseRule, u32) {
        let Options { impasse_rule, impasse_plies, max_moves_to_draw, .. } = self.options;
        // In check points are not counted, but they were before.
        let was_counted = impasse_rule.counts_quiet_plies()
            && root.history.impasse_plies().is_some_and(|plies| plies > impasse_plies);
        let is_off = match impasse_rule.decision(&root.position, &root.history, impasse_plies) {
            Some(ImpasseDecision::Points(_) | ImpasseDecision::Try) => true,
            Some(ImpasseDecision::MayDeclare) | None => was_counted || self.moves_only && impasse_rule.is_declared(),
        };
        let is_too_long = root.position.move_number() > max_moves_to_draw;
        (if is_off { ImpasseRule::None } else { impasse_rule }, if is_too_long { 0 } else { max_moves_to_draw })
    }

    /// Whether the answer is a declaration.
    fn declares(&self, root: &Root) -> bool {
        let Options { impasse_rule, impasse_plies, .. } = self.options;
        let impasse = impasse_rule.decision(&root.position, &root.history, impasse_plies);
        !self.moves_only && impasse == Some(ImpasseDecision::MayDeclare)
    }

    /// The query to the mate solver before a search, if there is one.
    fn mate_question(&mut self, limits: &Limits, settings: &Settings, weakened: bool) -> Option<MateQuestion> {
        let nodes = Some(self.options.mate_nodes).filter(|&nodes| nodes > 0)?;
        // The solver answers with one line, from all moves, and takes longer than a shallow search.
        if weakened || settings.multipv > 1 || !limits.searchmoves.is_empty() || limits.depth.is_some() {
            return None;
        }
        let solver = self.move_solver().inspect_err(|error| tracing::warn!("no mate solver: {error}")).ok()?;
        Some(MateQuestion::before_a_move(solver, nodes, limits, settings))
    }

    /// Stops the search, which then answers. Does not wait for the answer.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.stop();
        }
    }

    /// Ponder hit: the expected move was played, and the search continues on the engine's own clock.
    ///
    /// The given clocks replace those of the `go`.
    pub fn ponderhit(&self, clocks: Option<Clocks>) {
        if let Some(running) = &self.running {
            running.ponderhit(clocks);
        }
    }

    /// Whether a search runs. After its [`Event::Done`] it may do so for another moment.
    pub fn is_searching(&self) -> bool {
        self.running.as_ref().is_some_and(|running| !running.is_finished())
    }

    /// Ends a running search and waits for its answer.
    pub fn finish(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop();
            running.wait();
        }
    }

    /// Waits for the answer of a search without ending it.
    pub fn wait(&mut self) {
        if let Some(running) = self.running.take() {
            running.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::engine::OptionTable;
    use crate::shogi::Setup;

    #[test]
    fn time_before_the_call_counts() {
        let mut engine = Engine::new(OptionTable::new(None, false).unwrap()).unwrap();
        engine.set_option("BookFile", Some("")).unwrap();
        let (now, minute) = (Instant::now(), Duration::from_secs(60));
        let request = Limits { movetime: Some(minute), ..Limits::default() };
        let (sender, events) = mpsc::channel();
        let tell = move |event| sender.send(event).unwrap_or_default();
        engine.go_since(now.checked_sub(minute).expect("the machine runs for longer"), &request, tell).unwrap();
        assert!(matches!(events.iter().last(), Some(Event::Done(Verdict::Move { .. }))));
        assert!(now.elapsed() < minute / 2);
    }

    /// The depth and the score of the last report of a search to depth 6.
    fn searched(engine: &mut Engine) -> Option<(usize, crate::score::Score)> {
        let (sender, events) = mpsc::channel();
        let request = Limits { depth: Some(6), ..Limits::default() };
        engine.go(&request, move |event| sender.send(event).unwrap_or_default()).unwrap();
        let reports = events.iter().filter_map(|event| match event {
            Event::Info(report) => Some((report.depth, report.score)),
            _ => None,
        });
        reports.last()
    }

    /// The GUI decides whether a game is over. Every move used to end a game that went on, for instance by a draw.
    #[test]
    fn a_game_that_goes_on_past_its_end_is_searched_without_the_rule() {
        let set_up = |sfen: &str, options: &[(&str, &str)]| {
            let mut engine = Engine::new(OptionTable::new(None, false).unwrap()).unwrap();
            options.iter().for_each(|(name, value)| engine.set_option(name, Some(value)).unwrap());
            engine.set_position(sfen.parse().unwrap(), &[]).unwrap();
            engine
        };
        // Both kings are in their zones, and one side has a piece more.
        for (sfen, rule) in [
            ("K5/2S3/6/6/3s2/5k b RB2GNrb2pn 1", "Points12"),
            ("K4k/2S3/6/6/3s2/6 b RB2GNrb2pn 1", "CuteChess"),
            ("4KG/2SG2/6/6/3s2/1k4 b RBNPrbpn 1", "Declaration"),
        ] {
            let free = searched(&mut set_up(sfen, &[("ImpasseRule", "None")]));
            assert!(free.is_some(), "{sfen}");
            let mut engine = set_up(sfen, &[("ImpasseRule", rule), ("ImpassePlies", "0")]);
            if rule == "Declaration" {
                engine.answer_with_moves_only();
            }
            assert_eq!(searched(&mut engine), free, "{rule}");
        }
        // The points were counted two plies before this check.
        let in_check = ["Points12", "None"].map(|rule| {
            let start = "K5/2S3/6/6/3s2/5k b RB2GNrb2pn 1";
            let mut engine = set_up(start, &[("ImpasseRule", rule), ("ImpassePlies", "2")]);
            let moves = ["6a6b", "1f1e", "6b6a", "1e1f", "R*4f"].map(|mv| mv.parse().unwrap());
            engine.set_position(start.parse().unwrap(), &moves).unwrap();
            searched(&mut engine)
        });
        assert_eq!(in_check[0], in_check[1]);
        // The move limit does not hold in a longer game.
        let mut long =
            set_up("K5/2S3/6/6/3s2/5k b RB2GNrb2pn 90", &[("MaxMovesToDraw", "80"), ("ImpasseRule", "None")]);
        let mut short = set_up("K5/2S3/6/6/3s2/5k b RB2GNrb2pn 1", &[("ImpasseRule", "None")]);
        assert_eq!(searched(&mut long), searched(&mut short));
    }

    /// The search used to end without an answer: search and evaluation need both kings.
    #[test]
    fn a_position_without_a_king_is_resigned() {
        let start = "4k1/6/4G1/6/6/6 b G 1".parse::<Setup>().unwrap().mate_problem().unwrap();
        let mut engine = Engine::new(OptionTable::new(None, false).unwrap()).unwrap();
        for moves in [&[][..], &["G*6f".parse().unwrap()]] {
            engine.set_position(start.clone(), moves).unwrap();
            let (sender, events) = mpsc::channel();
            let request = Limits { depth: Some(2), ..Limits::default() };
            engine.go(&request, move |event| sender.send(event).unwrap_or_default()).unwrap();
            let events: Vec<Event> = events.iter().collect();
            assert!(
                matches!(&events[..], [Event::Error(error), Event::Done(Verdict::Resign)] if error.contains("Black has no king")),
                "{events:?} after {moves:?}"
            );
        }
    }
}
