//! The running game: people and engines in turn, their clocks, and its end.

use std::time::{Duration, Instant};

use super::game::{Play, clock_of, control, limit_text};
use super::io::{Limit, Order, Output, Search, SearchInfo};
use super::level;
use super::saved::SavedGame;
use super::series::openings;
use super::study::Study;
use super::view;
use super::{Answer, Refusal, State};
use crate::board::messages::{GameView, Message, NewGame, SeatKind, SeatView, Sides, Suggestion};
use crate::contest::{Opening, Tracker};
use crate::protocol::EngineDecision;
use crate::record::{Evaluation, Impasse, NodeId};
use crate::score::Bound;
use crate::shogi::{Color, DEFAULT_IMPASSE_PLIES, EndReason, GameResult, GameScore, ImpasseRule, Move};
use crate::time_control::{Clock, limits};

/// The time by which an engine's move may exceed its clock: reading its process takes time.
const ENGINE_MARGIN: Duration = Duration::from_millis(500);

/// For so long after the end of a game, a move in its last position is taken for a late move of the game and refused.
const LATE_MOVE: Duration = Duration::from_secs(1);

impl State {
    /// Whether a game goes on, or the next one of a series is about to.
    pub(super) fn is_playing(&self) -> bool {
        self.problem.is_none() && (self.is_game_open() || self.is_series_running())
    }

    /// Refuses with `in-game` while a game or a series is played, see [`State::is_playing`].
    pub(super) fn check_not_playing(&self) -> Answer {
        if self.is_playing() { Err(Refusal::new("in-game")) } else { Ok(()) }
    }

    fn is_game_open(&self) -> bool {
        self.play.as_ref().is_some_and(|play| play.result.is_none())
    }

    /// The game under way, and the side to move in it.
    fn playing(&mut self) -> Result<(&mut Play, Color), Refusal> {
        let mover = self.play.as_ref().and_then(|play| self.study.record.position(play.node));
        match (&mut self.play, mover) {
            (Some(play), Some(position)) if play.result.is_none() && self.problem.is_none() => {
                Ok((play, position.side_to_move()))
            }
            _ => Err(Refusal::new("no-game")),
        }
    }

    pub(super) fn is_humans_turn(&mut self) -> bool {
        self.playing().is_ok_and(|(play, mover)| play.is_human(mover))
    }

    pub(super) fn new_game(&mut self, mut setting: NewGame) -> Answer {
        let (start, rule) = self.check_new(&mut setting)?;
        if setting.games > 1 {
            return self.new_series(setting, start, rule);
        }
        let opening = openings(&setting, start, rule, self.now.millis)?.swap_remove(0);
        let study = self.study_of_new_game(&setting, &opening, rule);
        self.replace_study(study);
        self.seat_players(setting, self.study.cursor);
        self.next_turn(None);
        self.changed();
        Ok(())
    }

    /// A study for a game, which stands at its end where the opening has moves.
    pub(super) fn study_of_new_game(&mut self, setting: &NewGame, opening: &Opening, rule: ImpasseRule) -> Study {
        self.stop_telling();
        let mut study = Study::along(opening.start(), opening.moves()).expect("an opening's moves are legal");
        study.unsaved = true;
        let header = &mut study.record.header;
        header.players = [&setting.black, &setting.white].map(|seat| Some(self.player_name(seat)));
        header.impasse = Some(Impasse { rule, plies: DEFAULT_IMPASSE_PLIES });
        header.date = Some(self.now.date);
        header.time_controls = [&setting.black, &setting.white].map(|seat| limit_text(seat, setting.clock));
        let person = match (setting.black.kind, setting.white.kind) {
            (SeatKind::Human, SeatKind::Engine) => Some((Color::Black, setting.white.level)),
            (SeatKind::Engine, SeatKind::Human) => Some((Color::White, setting.black.level)),
            _ => None,
        };
        study.kept.colour = person.map(|(side, _)| side);
        study.kept.level = person.and_then(|(_, level)| level);
        study
    }

    /// Switches off everything that would help a player.
    pub(super) fn stop_telling(&mut self) {
        self.stop_analyses();
        self.shows_threats = false;
    }

    pub(super) fn player_name(&self, seat: &SeatView) -> String {
        let plain: String = seat.name.chars().filter(|c| !c.is_control()).collect();
        let name = match (seat.kind, plain.trim()) {
            (_, name) if !name.is_empty() => return name.to_owned(),
            (SeatKind::Human, _) => return "-".to_owned(),
            (SeatKind::Engine, _) => self.engines.get(seat.engine.unwrap_or(0)).map_or("", |engine| &engine.name),
        };
        match seat.level {
            Some(level) if level < level::STRONGEST => format!("{name} Lv{level}"),
            _ => name.to_owned(),
        }
    }

    /// Starts the engines of a game that stands at a place.
    pub(super) fn seat_players(&mut self, mut setting: NewGame, node: NodeId) {
        self.drop_solving();
        let has_clock = [&setting.black, &setting.white].map(|seat| clock_of(seat, setting.clock).is_some());
        let clocks = [&setting.black, &setting.white].map(|seat| Clock::new(control(seat, setting.clock)));
        for seat in [&mut setting.black, &mut setting.white] {
            seat.name = self.player_name(seat);
        }
        self.play = Some(Play {
            tracker: Tracker::new(setting.adjudication),
            thoughts: [None, None],
            setting,
            clocks,
            has_clock,
            clocks_before: Vec::new(),
            node,
            since: None,
            search_id: None,
            awaits_engine: false,
            processes: [None, None],
            result: None,
            ended: None,
            suggestion: None,
        });
        Color::ALL.into_iter().for_each(|color| self.start_player(color));
    }

    fn start_player(&mut self, color: Color) {
        let Some(seat) = self.play.as_ref().map(|play| play.seat(color).clone()) else { return };
        let Some(engine) = seat.engine.filter(|_| seat.kind == SeatKind::Engine) else { return };
        let level = seat.level.unwrap_or(level::STRONGEST);
        let process = self.start_process(engine, Some(level));
        if let Some(play) = &mut self.play {
            play.processes[color.index()] = Some(process);
        }
    }

    pub(super) fn resume_game(&mut self, mut saved: SavedGame, node: NodeId) {
        // The file may have been edited.
        if self.check_stored(&mut saved.setting).is_err()
            || self.study.record.game(node).is_none_or(|game| game.result().is_some())
        {
            return;
        }
        self.seat_players(saved.setting, node);
        let mut path = self.study.record.path(node);
        path.pop();
        if let Some(play) = &mut self.play {
            let with_left = |clocks: &[Clock; 2], left: [u64; 2]| {
                let mut clocks = clocks.clone();
                clocks.iter_mut().zip(left).for_each(|(clock, left)| clock.set_left(Duration::from_millis(left)));
                clocks
            };
            let missing = path.len().saturating_sub(saved.before.len());
            let before = path.into_iter().skip(missing).zip(saved.before);
            play.clocks_before = before.map(|(place, left)| (place, with_left(&play.clocks, left))).collect();
            play.clocks = with_left(&play.clocks, saved.left);
        }
        self.next_turn(None);
    }

    /// The first page has come: starts the clock of a person who is to move.
    pub(super) fn start_waiting_clock(&mut self) {
        let position = self.play.as_ref().and_then(|play| self.own_study().record.position(play.node));
        if let (Some(play), Some(position)) = (&mut self.play, position)
            && play.result.is_none()
            && play.is_human(position.side_to_move())
        {
            play.since.get_or_insert(self.now.instant);
        }
    }

    /// Lets the side to move think, unless the rules or an adjudication have ended the game.
    pub(super) fn next_turn(&mut self, adjudicated: Option<GameResult>) {
        let Some(play) = &self.play else { return };
        let Some(game) = self.study.record.game(play.node) else { return };
        if let Some(result) = game.result().or(adjudicated) {
            return self.game_over(&result);
        }
        let mover = game.position().side_to_move();
        let (start, moves) = (game.start().clone(), game.moves().to_vec());
        let id = self.number();
        let Some(play) = &mut self.play else { return };
        (play.since, play.search_id, play.awaits_engine) = (Some(self.now.instant), None, false);
        if play.is_human(mover) && !self.had_page {
            // Nobody sees the board yet.
            play.since = None;
        } else if !play.is_human(mover) {
            let go = limits(&play.clocks, mover);
            let allowed = play.clocks[mover.index()].allowed();
            match play.processes[mover.index()] {
                Some(process) => {
                    (play.search_id, play.awaits_engine) = (Some(id), true);
                    let search = Search { id, start, moves, limit: Limit::Move { go, allowed }, lines: 1 };
                    self.order(process, Order::Search(Box::new(search)));
                }
                // Its engine is missing or has failed: the clock stands until it is started again.
                None => play.since = None,
            }
        }
        self.tell(&self.game_message());
    }

    /// Whether a move at a node comes too late for the game that has just ended there.
    pub(super) fn is_late_move(&self, node: NodeId) -> bool {
        let ended = self.play.as_ref().filter(|play| play.node == node).and_then(|play| play.ended);
        ended.is_some_and(|ended| self.now.instant < ended + LATE_MOVE)
    }

    pub(super) fn human_move(&mut self, node: NodeId, mv: Move) -> Answer {
        let now = self.now.instant;
        let (play, mover) = self.playing()?;
        if play.node != node || !play.is_human(mover) {
            return Err(Refusal::new("not-your-turn"));
        }
        let elapsed = play.thought(now);
        self.game_move(mv, mover, elapsed, None)
    }

    fn game_move(&mut self, mv: Move, mover: Color, elapsed: Duration, evaluation: Option<Evaluation>) -> Answer {
        let Some(play) = &mut self.play else { return Ok(()) };
        // An engine's move does not move the cursor of a user who is viewing an earlier position.
        let (at, follows) = (play.node, self.study.cursor == play.node || play.is_human(mover));
        let before = self.study.record.len();
        let child = self.study.record.play(at, mv)?;
        if self.study.record.len() == before {
            // It was tried in the study before: the game is the main line.
            self.study.record.make_main(child)?;
        }
        play.clocks_before.push((at, play.clocks.clone()));
        play.clocks[mover.index()].press(elapsed);
        (play.node, play.since) = (child, None);
        let score = evaluation.as_ref().filter(|found| found.bound == Bound::Exact).and_then(|found| found.score);
        let adjudicated = play.tracker.take(mover, score, self.study.record.moves_to(child).len());
        self.study.record.set_time(child, Some(Duration::from_millis(elapsed.as_millis() as u64)))?;
        self.study.record.set_evaluation(child, evaluation)?;
        self.node_changed(child);
        if follows {
            self.study.cursor = child;
            self.position_changed();
        }
        self.next_turn(adjudicated.map(|outcome| match outcome.winner {
            Some(winner) => GameResult::won(winner, outcome.reason),
            None => GameResult::drawn(outcome.reason),
        }));
        self.changed();
        Ok(())
    }

    /// An engine begins to search, which may be long after it was told to: it has to start first.
    pub(super) fn player_begins(&mut self, color: Color) {
        let now = self.now.instant;
        if let Ok((play, mover)) = self.playing()
            && mover == color
            && std::mem::take(&mut play.awaits_engine)
        {
            play.since = Some(now);
            self.tell(&self.game_message());
        }
    }

    pub(super) fn engine_decided(
        &mut self,
        color: Color,
        search_id: u64,
        decision: EngineDecision,
        elapsed: Duration,
        search_info: &SearchInfo,
    ) {
        self.player_thinks(color, search_id, search_info);
        let Ok((play, mover)) = self.playing() else { return };
        if play.search_id != Some(search_id) || mover != color {
            return;
        }
        play.search_id = None;
        let clock = &play.clocks[color.index()];
        let margin = clock.lends(ENGINE_MARGIN);
        if play.has_clock[color.index()] && clock.allowed().is_some_and(|allowed| elapsed > allowed + margin) {
            return self.game_over(&GameResult::won(!color, EndReason::Time));
        }
        let game = self.play.as_ref().and_then(|play| self.study.record.game(play.node));
        let Some(game) = game else { return };
        match decision {
            EngineDecision::Resign => self.game_over(&GameResult::won(!color, EndReason::Resignation)),
            EngineDecision::Declare => self.game_over(&game.declare()),
            EngineDecision::Move(mv) if game.position().is_legal(mv) => {
                let evaluation = search_info.lines.first().cloned().flatten().map(|line| Evaluation {
                    score: Some(line.score),
                    bound: line.bound,
                    depth: line.depth.or(search_info.depth),
                    nodes: search_info.nodes,
                    line: line.moves.into_iter().skip(1).collect(),
                });
                // The move is legal in the game's position.
                let _ = self.game_move(mv, color, elapsed, evaluation);
            }
            EngineDecision::Move(mv) => {
                let lost = GameResult::won(!color, EndReason::IllegalMove);
                self.game_over(&GameResult { illegal_move: Some(mv), ..lost });
            }
        }
    }

    pub(super) fn game_over(&mut self, result: &GameResult) {
        self.forget_hints();
        let Some(play) = &mut self.play else { return };
        if let Some(position) = self.study.record.position(play.node) {
            play.stop_clock(position.side_to_move(), self.now.instant);
        }
        play.search_id = None;
        (play.result, play.ended) = (Some(view::result(result)), Some(self.now.instant));
        for color in Color::ALL {
            if let Some(process) = play.processes[color.index()].take() {
                let order = Order::GameOver(match result.winner {
                    Some(winner) if winner == color => "win",
                    Some(_) => "lose",
                    None => "draw",
                });
                self.outputs.extend([Output::Order { process, order }, Output::EndEngine(process)]);
            }
        }
        let person = Color::ALL.into_iter().find(|&color| play.is_human(color) && !play.is_human(!color));
        play.suggestion = person.and_then(|person| {
            let won = result.winner.map(|winner| winner == person);
            let (level, text) = level::suggestion(play.seat(!person).level.unwrap_or(level::STRONGEST), won)?;
            Some(Suggestion { level, text })
        });
        let beaten = person.filter(|&person| result.winner == Some(person)).and_then(|person| play.seat(!person).level);
        let node = play.node;
        let header = &mut self.study.record.header;
        (header.result, header.reason) = (Some(GameScore::from(result.winner)), Some(result.reason));
        self.header_changed();
        self.node_changed(node);
        self.tell(&self.position_message());
        self.tell(&self.game_message());
        if beaten.is_some_and(|level| self.lessons.game_won(level)) {
            self.tell_hello();
        }
        self.changed();
        self.keep_study();
        self.series_game_over();
    }

    pub(super) fn resign(&mut self) -> Answer {
        let (play, mover) = self.playing()?;
        let loser = [mover, !mover].into_iter().find(|&color| play.is_human(color));
        let loser = loser.ok_or_else(|| Refusal::new("no-player"))?;
        self.game_over(&GameResult::won(!loser, EndReason::Resignation));
        Ok(())
    }

    pub(super) fn declare(&mut self) -> Answer {
        let (play, mover) = self.playing()?;
        let node = play.node;
        if !play.is_human(mover) {
            return Err(Refusal::new("not-your-turn"));
        }
        let Some(game) = self.study.record.game(node) else { return Ok(()) };
        if self.study.record.header.impasse.is_none_or(|impasse| !impasse.rule.is_declared()) {
            return Err(Refusal::new("no-declaration"));
        }
        self.game_over(&game.declare());
        Ok(())
    }

    /// Takes moves back until a person is to move again.
    pub(super) fn take_back(&mut self) -> Answer {
        let nothing = || Refusal::new("nothing-to-take-back");
        let (play, mover) = self.playing()?;
        let node = play.node;
        let is_human = Color::ALL.map(|color| play.is_human(color));
        if !is_human.contains(&true) {
            return Err(nothing());
        }
        let path = self.study.record.path(node);
        // From the newest move back: the side that made it would be to move.
        let back = path.iter().rev().take(path.len() - 1).enumerate();
        let first = back.map(|(index, &id)| (if index % 2 == 0 { !mover } else { mover }, id));
        let first = first.into_iter().find(|(color, _)| is_human[color.index()]).ok_or_else(nothing)?.1;
        let parent = self.study.record.get(first).and_then(|node| node.parent()).unwrap_or(NodeId::ROOT);
        if let Some(play) = &mut self.play {
            play.take_back(parent);
            for process in play.processes.into_iter().flatten() {
                self.outputs.push(Output::Order { process, order: Order::Stop });
            }
        }
        self.study.cursor = parent;
        self.remove(first)?;
        self.position_changed();
        self.next_turn(None);
        self.changed();
        Ok(())
    }

    /// The same game again with colours changed.
    pub(super) fn rematch(&mut self) -> Answer {
        // A double click asks twice.
        if self.is_playing() {
            return Ok(());
        }
        let Some(play) = self.play.as_ref().filter(|play| play.result.is_some()) else {
            return Err(Refusal::new("no-game-played"));
        };
        if let Some(series) = &self.series {
            return self.new_game(series.saved.setting.clone());
        }
        let setting = play.setting.clone();
        // People at one board are named after their colours.
        let is_between_people = Color::ALL.into_iter().all(|color| play.is_human(color));
        self.new_game(match is_between_people {
            true => setting,
            false => NewGame { black: setting.white.clone(), white: setting.black.clone(), ..setting },
        })
    }

    /// Ends playing; the record stays.
    pub(super) fn end_game(&mut self) -> Answer {
        if self.play.is_none() {
            return Err(Refusal::new("no-game"));
        }
        if self.problem.is_none() && self.is_game_open() {
            self.study.record.header.reason = Some(EndReason::Interrupted);
            self.header_changed();
            self.study.kept.is_current = false;
        }
        self.stop_series();
        self.drop_game();
        self.keep_study();
        self.save();
        Ok(())
    }

    /// Discards the game and stops its engines.
    pub(super) fn drop_game(&mut self) {
        if let Some(play) = self.play.take() {
            self.outputs.extend(play.processes.into_iter().flatten().map(Output::EndEngine));
            self.tell(&Message::Game { game: None });
        }
    }

    /// An engine that plays has ended. If it is to move, its clock stops. Returns the number of the engine.
    pub(super) fn player_failed(&mut self, color: Color) -> Option<usize> {
        let is_mover = self.own_study().record.position(self.play.as_ref()?.node)?.side_to_move() == color;
        let play = self.play.as_mut()?;
        play.processes[color.index()] = None;
        if is_mover {
            (play.search_id, play.since) = (None, None);
        }
        let id = play.seat(color).engine;
        self.tell(&self.game_message());
        id
    }

    /// Starts an engine again that was playing, and has it go on.
    pub(super) fn restart_player(&mut self, id: usize) {
        let Ok((play, mover)) = self.playing() else { return };
        let failed: Vec<Color> = Color::ALL
            .into_iter()
            .filter(|&color| {
                !play.is_human(color) && play.seat(color).engine == Some(id) && play.processes[color.index()].is_none()
            })
            .collect();
        for &color in &failed {
            self.start_player(color);
        }
        if failed.contains(&mover) {
            self.next_turn(None);
        }
    }

    /// The time at which the side to move loses on time.
    pub(super) fn time_deadline(&self) -> Option<Instant> {
        let play = self.play.as_ref().filter(|play| play.result.is_none())?;
        let mover = self.own_study().record.position(play.node)?.side_to_move();
        if !play.has_clock[mover.index()] || play.awaits_engine {
            return None;
        }
        let clock = &play.clocks[mover.index()];
        let margin = if play.is_human(mover) { Duration::ZERO } else { clock.lends(2 * ENGINE_MARGIN) };
        play.since?.checked_add(clock.allowed()?.saturating_add(margin))
    }

    pub(super) fn time_is_up(&mut self) {
        if self.time_deadline().is_none_or(|deadline| deadline > self.now.instant) {
            return;
        }
        if let Ok((_, mover)) = self.playing() {
            self.game_over(&GameResult::won(!mover, EndReason::Time));
        }
    }

    pub(super) fn game_message(&self) -> Message {
        let view = || {
            let play = self.play.as_ref()?;
            let mover = self.own_study().record.position(play.node)?.side_to_move();
            let now = self.now.instant;
            Some(Box::new(GameView {
                black: play.setting.black.clone(),
                white: play.setting.white.clone(),
                node: play.node,
                to_move: mover,
                clocks: play.has_clock.contains(&true).then(|| {
                    Sides::of(|color| play.has_clock[color.index()].then(|| play.clock_view(color, mover, now)))
                }),
                running: play.since.filter(|_| play.has_clock[mover.index()]).map(|_| mover),
                result: play.result.clone(),
                waiting: play.seat(mover).kind,
                suggestion: play.suggestion.clone(),
            }))
        };
        Message::Game { game: view() }
    }
}
