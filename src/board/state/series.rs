//! A series of games between two engines, who change colours after each. Its results are added up as those of a match.

use std::time::{Duration, Instant};

use super::saved::SavedSeries;
use super::{Answer, Refusal, Series, State};
use crate::board::messages::{Message, NewGame, SeatKind, SeriesView};
use crate::contest::{Adjudication, Opening, Rules, Standings, built_in_openings, shuffle_openings};
use crate::record::{EngineRecord, GameRecord};
use crate::shogi::{Color, EndReason, GameScore, ImpasseRule, Position};

const MOST_GAMES: usize = 1000;

/// How long the end of a game stays on the board.
const PAUSE: Duration = Duration::from_millis(500);

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

/// The openings of a setting's games, one for each pair: chosen from the built-in list, or the start alone.
pub fn openings(setting: &NewGame, start: Position, rule: ImpasseRule, seed: u64) -> Result<Vec<Opening>, Refusal> {
    if !setting.openings || start != Position::startpos() {
        return Ok(vec![Opening::at(start)]);
    }
    let rules = Rules { impasse_rule: rule, ..Rules::default() };
    let mut openings =
        built_in_openings(&rules).map_err(|error| Refusal::new("bad-message").with("error", error.to_string()))?;
    shuffle_openings(&mut openings, seed);
    openings.truncate(setting.games.div_ceil(2));
    Ok(openings)
}

impl State {
    pub(super) fn new_series(&mut self, mut setting: NewGame, start: Position, rule: ImpasseRule) -> Answer {
        let mut names = [&setting.black, &setting.white].map(|seat| self.player_name(seat));
        if names[0] == names[1] {
            names[1] += " (2)";
        }
        [setting.black.name, setting.white.name] = names;
        let seed = self.now.millis;
        let series =
            Series::new(SavedSeries { setting, seed, results: vec![], kept: vec![], is_over: false }, start, rule)?;
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
            let played = series.saved.results.len();
            header.event = Some(series.saved.names().join(" – "));
            header.round = Some(format!("{}.{}", played / 2 + 1, played % 2 + 1));
            self.header_changed();
        }
        self.seat_players(game, self.study.cursor);
        self.tell(&self.series_message());
        self.next_turn(None);
        self.changed();
    }

    pub(super) fn is_series_running(&self) -> bool {
        self.series.as_ref().is_some_and(|series| !series.saved.is_over)
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
        let Some(series) = self.series.as_mut().filter(|series| !series.saved.is_over) else { return };
        let header = &self.study.record.header;
        let plies = self.study.record.moves_to(play.node).len();
        let moves = plies.saturating_sub(series.opening().moves().len());
        // An engine that fails before its first move would lose all games.
        let cannot_play = header.reason == Some(EndReason::Crash) && moves < 2;
        let result = header.result.unwrap_or(GameScore::Draw);
        series.standings.add(&series.saved.game(series.saved.results.len(), result));
        series.saved.results.push(result);
        series.saved.kept.extend(self.study.kept.id);
        series.saved.is_over = cannot_play || series.saved.results.len() == series.saved.setting.games;
        series.next = (!series.saved.is_over).then(|| self.now.instant + PAUSE);
        self.tell(&self.series_message());
        self.save();
    }

    /// Resumes a stored series after its game. Between two games, the next one begins at once.
    pub(super) fn resume_series(&mut self, mut saved: SavedSeries) {
        let Ok((start, rule)) = self.check_stored(&mut saved.setting) else { return };
        let Ok(mut series) = Series::new(saved, start, rule) else { return };
        series.next = (!series.saved.is_over && self.play.is_none()).then_some(self.now.instant);
        self.series = Some(series);
        self.tell(&self.series_message());
    }

    /// Breaks off the series; its score stays.
    pub(super) fn stop_series(&mut self) {
        if let Some(series) = &mut self.series {
            (series.saved.is_over, series.next) = (true, None);
            self.tell(&self.series_message());
        }
    }

    /// Discards the series. Its games are in the library.
    pub(super) fn drop_series(&mut self) -> Option<Series> {
        let series = self.series.take()?;
        self.tell(&self.series_message());
        Some(series)
    }

    pub(super) fn series_message(&self) -> Message {
        Message::Series { series: self.series.as_ref().map(Series::view) }
    }
}

impl SavedSeries {
    fn names(&self) -> [&str; 2] {
        [&self.setting.black.name, &self.setting.white.name]
    }

    /// A game, numbered from 0, as far as it counts in the standings.
    fn game(&self, number: usize, result: GameScore) -> GameRecord {
        let [black, white] = Color::ALL.map(|color| EngineRecord {
            name: self.names()[(number + color.index()) % 2].to_owned(),
            ..EngineRecord::default()
        });
        GameRecord { game: number + 1, counts: true, black, white, result, ..GameRecord::default() }
    }
}

impl Series {
    fn new(saved: SavedSeries, start: Position, rule: ImpasseRule) -> Result<Series, Refusal> {
        let openings = openings(&saved.setting, start, rule, saved.seed)?;
        let mut standings = Standings::new(saved.names().map(str::to_owned), None);
        for (number, &result) in saved.results.iter().enumerate() {
            standings.add(&saved.game(number, result));
        }
        Ok(Series { saved, rule, openings, standings, next: None })
    }

    /// The opening of the current game.
    fn opening(&self) -> &Opening {
        &self.openings[self.saved.results.len() / 2 % self.openings.len()]
    }

    /// The setting and the opening of the current game.
    fn next_game(&self) -> (NewGame, Opening) {
        let mut game = NewGame { games: 1, ..self.saved.setting.clone() };
        if self.saved.results.len() % 2 == 1 {
            std::mem::swap(&mut game.black, &mut game.white);
        }
        (game, self.opening().clone())
    }

    fn view(&self) -> SeriesView {
        let SavedSeries { setting, kept, is_over, .. } = &self.saved;
        let pairing = self.standings.pairing(0, 1);
        // A few games that all ended alike say nothing yet.
        let estimate =
            pairing.pairs.estimate().filter(|estimate| estimate.elo_error.is_finite() && estimate.has_interval());
        SeriesView {
            names: self.saved.names().map(str::to_owned),
            games: setting.games,
            wins: pairing.games.wins,
            draws: pairing.games.draws,
            losses: pairing.games.losses,
            estimate: estimate.as_ref().map(|estimate| estimate.to_string().replace('-', "−")),
            los: estimate.map(|estimate| estimate.los),
            running: !is_over,
            kept: kept.clone(),
        }
    }
}
