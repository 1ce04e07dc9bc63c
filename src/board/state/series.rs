//! A series of games between two engines, who change colours after each. Its results are added up as those of a match.

use std::time::{Duration, Instant};

use super::{Answer, Refusal, State};
use crate::board::messages::{Message, NewGame, SeatKind, SeriesView};
use crate::contest::{Adjudication, Opening, OpeningOrder, Rules, Standings, built_in_openings, order_openings};
use crate::record::{EngineRecord, GameRecord, NodeId, Record};
use crate::shogi::{Color, DEFAULT_IMPASSE_PLIES, GameScore, ImpasseRule, Position};

/// The most games of a series.
const MOST_GAMES: usize = 1000;

/// How long the end of a game stays on the board.
const PAUSE: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub struct Series {
    /// As it was asked for: the first engine has Black.
    pub setting: NewGame,
    rule: ImpasseRule,
    names: [String; 2],
    /// One for each pair of games.
    openings: Vec<Opening>,
    standings: Standings,
    /// The numbers in the library of the games that are over.
    kept: Vec<u64>,
    played: usize,
    /// When the next game begins; none while one is played.
    next: Option<Instant>,
    is_over: bool,
}

/// Refuses a setting that is no series.
pub fn check(setting: &NewGame) -> Answer {
    let Adjudication { draw, resign, max_moves } = setting.adjudication;
    let counts = [draw.map(|rule| rule.movecount), resign.map(|rule| rule.movecount)];
    let is_watched = [&setting.black, &setting.white].iter().all(|seat| seat.kind == SeatKind::Engine);
    let is_fit = (1..=MOST_GAMES).contains(&setting.games)
        && (setting.games == 1 || is_watched)
        && !counts.contains(&Some(0))
        && max_moves != Some(0);
    let error = "1 to 1000 games of two engines, adjudicated after a move at least, can be played";
    if is_fit { Ok(()) } else { Err(Refusal::new("bad-message").with("error", error)) }
}

impl State {
    /// The openings of a setting's games, one for each pair: chosen from the built-in list, or the start alone.
    pub(super) fn openings(
        &self,
        setting: &NewGame,
        start: Position,
        rule: ImpasseRule,
    ) -> Result<Vec<Opening>, Refusal> {
        if !setting.openings || start != Position::startpos() {
            return Ok(vec![Opening::at(start)]);
        }
        let rules = Rules { impasse_rule: rule, ..Rules::default() };
        let mut openings =
            built_in_openings(&rules).map_err(|error| Refusal::new("bad-message").with("error", error.to_string()))?;
        order_openings(&mut openings, OpeningOrder::Random(self.now.millis));
        openings.truncate(setting.games.div_ceil(2));
        Ok(openings)
    }

    pub(super) fn new_series(&mut self, mut setting: NewGame, start: Position, rule: ImpasseRule) -> Answer {
        let mut names = [&setting.black, &setting.white].map(|seat| self.player_name(seat));
        if names[0] == names[1] {
            names[1] += " (2)";
        }
        [setting.black.name, setting.white.name] = names.clone();
        let openings = self.openings(&setting, start, rule)?;
        let series = Series {
            setting,
            rule,
            standings: Standings::new(names.clone(), None),
            names,
            openings,
            kept: Vec::new(),
            played: 0,
            next: None,
            is_over: false,
        };
        let (game, opening) = series.next_game();
        let study = self.study_of_new_game(&game, &opening, rule);
        self.replace_study(study);
        self.series = Some(series);
        self.begin_series_game(game);
        Ok(())
    }

    /// Begins the game whose study is on the board.
    fn begin_series_game(&mut self, game: NewGame) {
        if let Some(series) = &self.series {
            let header = &mut self.study.record.header;
            header.event = Some(series.names.join(" – "));
            header.round = Some(format!("{}.{}", series.played / 2 + 1, series.played % 2 + 1));
            self.header_changed();
        }
        self.seat_players(game, self.study.cursor);
        self.tell(&self.series_message());
        self.next_turn(None);
        self.changed();
    }

    pub(super) fn is_series_running(&self) -> bool {
        self.series.as_ref().is_some_and(|series| !series.is_over)
    }

    /// When the next game begins.
    pub(super) fn series_deadline(&self) -> Option<Instant> {
        self.series.as_ref()?.next
    }

    pub(super) fn series_goes_on(&mut self) {
        let Some(series) = &mut self.series else { return };
        if series.next.is_none_or(|next| next > self.now.instant) {
            return;
        }
        series.next = None;
        let ((game, opening), rule) = (series.next_game(), series.rule);
        let study = self.study_of_new_game(&game, &opening, rule);
        // The library has the game before.
        self.keep_study();
        self.play = None;
        self.set_study(study);
        self.begin_series_game(game);
    }

    /// Adds the game that has just ended, which the library has.
    pub(super) fn series_game_over(&mut self) {
        let Some(play) = &self.play else { return };
        let Some(series) = self.series.as_mut().filter(|series| !series.is_over) else { return };
        let record = series.record_of(&self.study.record, play.node);
        series.standings.add(&record);
        series.kept.extend(self.study.kept.id);
        series.played += 1;
        // An engine that does not even begin would lose all games.
        series.is_over = series.played == series.setting.games || record.failed_before_move().is_some();
        series.next = (!series.is_over).then(|| self.now.instant + PAUSE);
        self.tell(&self.series_message());
    }

    /// Breaks off the series; its score stays.
    pub(super) fn stop_series(&mut self) {
        if let Some(series) = &mut self.series {
            (series.is_over, series.next) = (true, None);
            self.tell(&self.series_message());
        }
    }

    /// Discards the series. Its games are in the library.
    pub(super) fn drop_series(&mut self) {
        if self.series.take().is_some() {
            self.tell(&self.series_message());
        }
    }

    pub(super) fn series_message(&self) -> Message {
        Message::Series { series: self.series.as_ref().map(Series::view) }
    }
}

impl Series {
    /// The setting and the opening of the next game.
    fn next_game(&self) -> (NewGame, Opening) {
        let mut game = NewGame { games: 1, ..self.setting.clone() };
        if self.played % 2 == 1 {
            std::mem::swap(&mut game.black, &mut game.white);
        }
        (game, self.openings[self.played / 2 % self.openings.len()].clone())
    }

    /// A game as a match keeps it.
    fn record_of(&self, record: &Record, end: NodeId) -> GameRecord {
        let opening = &self.openings[self.played / 2 % self.openings.len()];
        let path = record.path(end);
        let moves = || path[1..].iter().skip(opening.moves().len()).map(|&id| &record[id]);
        let evaluations = || moves().map(|node| node.notes().evaluation.as_ref());
        let engine = |color: Color| EngineRecord {
            name: self.names[(self.played + color.index()) % 2].clone(),
            limit: record.header.time_controls[color.index()].clone().unwrap_or_default(),
            ..EngineRecord::default()
        };
        GameRecord {
            game: self.played + 1,
            counts: true,
            black: engine(Color::Black),
            white: engine(Color::White),
            impasse_rule: self.rule.to_string(),
            impasse_plies: DEFAULT_IMPASSE_PLIES,
            adjudication: self.setting.adjudication.to_string(),
            opening: opening.to_string(),
            moves: moves().filter_map(|node| Some(node.mv()?.to_string())).collect(),
            scores: evaluations().map(|found| found?.score).collect(),
            depths: evaluations().map(|found| found?.depth).collect(),
            nodes: evaluations().map(|found| found?.nodes).collect(),
            times: moves().map(|node| Some(node.notes().time?.as_secs_f64() * 1000.0)).collect(),
            result: record.header.result.unwrap_or(GameScore::Draw),
            reason: record.header.reason.unwrap_or_default(),
            ..GameRecord::default()
        }
    }

    fn view(&self) -> SeriesView {
        let pairing = self.standings.pairing(0, 1);
        let estimate = pairing.pairs.estimate();
        SeriesView {
            names: self.names.clone(),
            games: self.setting.games,
            wins: pairing.games.wins,
            draws: pairing.games.draws,
            losses: pairing.games.losses,
            pairs: pairing.pairs.0,
            estimate: estimate.as_ref().map(ToString::to_string),
            los: estimate.map(|estimate| estimate.los),
            running: !self.is_over,
            kept: self.kept.clone(),
        }
    }
}
