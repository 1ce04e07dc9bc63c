//! Games and studies that others have replaced on the board, and that are in no file.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::session::{SavedGame, SavedStudy};
use super::study::Study;
use super::view;
use crate::board::messages::EarlierGame;
use crate::record::Date;

/// The most that is kept of them, in bytes as they are written down. The newest one is kept whatever its size.
const MOST_BYTES: usize = 10 << 20;

/// The version of the list in files.
const VERSION: u32 = 1;

/// The list, of which each line of its file is a game, the oldest first.
#[derive(Debug, Default)]
pub struct Earlier {
    games: Vec<Kept>,
    last_number: u64,
    /// How many were dropped for the bound.
    dropped: u64,
    /// Whether the list differs from what was written down.
    is_changed: bool,
}

#[derive(Debug)]
struct Kept {
    view: EarlierGame,
    /// As it is written down.
    line: String,
    /// The study itself, if it was on the board of this process: it has its file and its review.
    study: Option<Box<Study>>,
    place: Place,
}

/// Where a game of the list is found. All of them are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the list.
    Shown,
    /// In the list of an opened file that it was changed in. That list ends with the program.
    Elsewhere,
    /// On the board. It leaves the list once the session is written down.
    Taken,
}

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct Head {
    version: u32,
    dropped: u64,
}

/// Another line, as it is written.
#[derive(Serialize)]
struct Line<'a> {
    game: &'a EarlierGame,
    study: &'a SavedStudy,
}

/// What the list shows of a line.
#[derive(Deserialize)]
struct LineView {
    game: EarlierGame,
}

/// What is opened of a line.
#[derive(Deserialize)]
struct LineStudy {
    study: SavedStudy,
}

impl Earlier {
    /// Reads the list. What cannot be read is left out; the error says why.
    pub fn parse(text: &str) -> (Earlier, Option<String>) {
        let mut earlier = Earlier::default();
        let mut lines = text.lines();
        match lines.next().map(serde_json::from_str::<Head>) {
            None => return (earlier, None),
            Some(Ok(Head { version: VERSION, dropped })) => earlier.dropped = dropped,
            Some(Ok(Head { version, .. })) => {
                return (earlier, Some(format!("its version is {version}, and this program reads {VERSION}")));
            }
            Some(Err(error)) => return (earlier, Some(format!("line 1: {error}"))),
        }
        let mut problem = None;
        for (number, line) in (2..).zip(lines) {
            match serde_json::from_str(line) {
                Ok(LineView { game }) => {
                    let view = EarlierGame { number: earlier.next_number(), ..game };
                    earlier.games.push(Kept { view, line: line.to_owned(), study: None, place: Place::Shown });
                }
                Err(error) => problem = problem.or_else(|| Some(format!("line {number}: {error}"))),
            }
        }
        earlier.is_changed = problem.is_some();
        (earlier, problem)
    }

    /// The list as it is stored, if it has changed since this was called last.
    pub fn changed_text(&mut self) -> Option<String> {
        std::mem::take(&mut self.is_changed).then(|| {
            let head = Head { version: VERSION, dropped: self.dropped };
            let mut text = serde_json::to_string(&head).expect("numbers are JSON");
            self.games.iter().for_each(|game| write!(text, "\n{}", game.line).expect("a string takes text"));
            text
        })
    }

    /// Its text was not stored.
    pub fn is_not_written(&mut self) {
        self.is_changed = true;
    }

    /// Adds a study, with the game that is being played in it. Returns how many old ones are dropped for it.
    pub fn push(&mut self, study: &Study, saved: &SavedStudy, today: Date) -> usize {
        let view = EarlierGame { playing: saved.game.is_some(), ..view_of(study, today) };
        // One that was opened and left as it was has its place at the top.
        self.games.retain(|game| {
            let is_other = || !game.study().is_some_and(|other| other.is_same(saved));
            !game.is_elsewhere_as(study) && (!game.looks_like(&view) || is_other())
        });
        self.add(view, study, saved, Place::Shown)
    }

    /// As [`Earlier::push`], of a game that the list of an opened file shows until [`Earlier::show_all`].
    pub fn push_listed(&mut self, study: &Study, saved: &SavedStudy, today: Date) -> usize {
        self.games.retain(|game| !game.is_elsewhere_as(study));
        self.add(view_of(study, today), study, saved, Place::Elsewhere)
    }

    /// Shows what the list of an opened file has shown.
    pub fn show_all(&mut self) {
        self.games.iter_mut().filter(|game| game.place == Place::Elsewhere).for_each(|game| game.place = Place::Shown);
    }

    fn add(&mut self, view: EarlierGame, study: &Study, saved: &SavedStudy, place: Place) -> usize {
        let line = serde_json::to_string(&Line { game: &view, study: saved }).expect("records are JSON");
        let number = self.next_number();
        let view = EarlierGame { number, ..view };
        self.games.push(Kept { view, line, study: Some(Box::new(study.clone())), place });
        self.is_changed = true;
        let mut bytes: usize = self.games.iter().map(|game| game.line.len()).sum();
        let older = &self.games[..self.games.len() - 1];
        let is_over = |game: &&Kept| {
            let is_over = bytes > MOST_BYTES;
            bytes -= game.line.len();
            is_over
        };
        let dropped = older.iter().take_while(is_over).count();
        self.games.drain(..dropped);
        self.dropped += dropped as u64;
        dropped
    }

    fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// The number of the newest one.
    pub fn newest(&self) -> Option<u64> {
        self.shown().next_back().map(|game| game.view.number)
    }

    /// The study with this number, and the game that was being played in it.
    pub fn get(&self, number: u64) -> Option<(Study, Option<SavedGame>)> {
        let kept = self.find(number)?;
        let saved = kept.study()?;
        let mut study = kept.study.as_deref().cloned().or_else(|| saved.study())?;
        // It is nowhere else, so that it comes back here when it is replaced.
        study.unsaved |= study.file.is_none();
        Some((study, saved.game))
    }

    /// The same as it is written down.
    pub fn saved(&self, number: u64) -> Option<SavedStudy> {
        self.find(number)?.study()
    }

    fn find(&self, number: u64) -> Option<&Kept> {
        self.shown().find(|game| game.view.number == number)
    }

    /// Has the study with this number leave the list, once the session is written down that has it on the board.
    pub fn take(&mut self, number: u64) {
        let taken = self.games.iter_mut().find(|game| game.view.number == number);
        taken.into_iter().for_each(|game| game.place = Place::Taken);
    }

    /// Lets go of what was taken: the session is written down.
    pub fn release(&mut self) {
        let before = self.games.len();
        self.games.retain(|game| game.place != Place::Taken);
        self.is_changed |= self.games.len() < before;
    }

    fn shown(&self) -> impl DoubleEndedIterator<Item = &Kept> {
        self.games.iter().filter(|game| game.place == Place::Shown)
    }

    /// As the page shows them, the newest first.
    pub fn view(&self) -> Vec<EarlierGame> {
        self.shown().rev().map(|game| game.view.clone()).collect()
    }

    /// How many were dropped for the bound since the list was begun.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}

impl Kept {
    fn study(&self) -> Option<SavedStudy> {
        serde_json::from_str(&self.line).ok().map(|LineStudy { study }| study)
    }

    /// Whether the list of an opened file shows it under the name of this study.
    fn is_elsewhere_as(&self, study: &Study) -> bool {
        self.place == Place::Elsewhere && self.view.name == study.name
    }

    /// Whether the list says the same of another one, but for the day on which it was replaced.
    fn looks_like(&self, other: &EarlierGame) -> bool {
        *other == EarlierGame { number: other.number, date: other.date.clone(), ..self.view.clone() }
    }
}

fn view_of(study: &Study, today: Date) -> EarlierGame {
    let header = view::header(&study.record);
    EarlierGame {
        number: 0,
        name: study.name.clone(),
        black: header.black,
        white: header.white,
        result: header.result,
        reason: header.reason,
        plies: study.record.main_line().count(),
        date: header.date.unwrap_or_else(|| today.to_string()),
        playing: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::NodeId;
    use crate::shogi::Position;

    fn study(moves: &[&str], comment: &str) -> Study {
        let mut study = Study::new(Position::startpos());
        for mv in moves {
            study.cursor = study.record.play(study.cursor, mv.parse().unwrap()).unwrap();
        }
        study.record.set_comment(NodeId::ROOT, comment).unwrap();
        study
    }

    fn push(earlier: &mut Earlier, study: &Study) -> usize {
        earlier.push(study, &SavedStudy::of(study, None), Date::new(2026, 1, 1).unwrap())
    }

    fn plies(earlier: &Earlier) -> Vec<usize> {
        earlier.view().iter().map(|game| game.plies).collect()
    }

    #[test]
    fn the_list_survives_the_end_of_the_program() {
        let mut earlier = Earlier::default();
        for study in [study(&["6e6d"], "one"), study(&["6e6d", "1b1c"], ""), study(&[], "a thought\nof two lines")] {
            push(&mut earlier, &study);
        }
        let text = earlier.changed_text().unwrap();
        let (mut back, problem) = Earlier::parse(&text);
        assert_eq!((plies(&back), problem), (vec![0, 2, 1], None));
        assert!(back.changed_text().is_none());
        let (last, game) = back.get(back.view()[2].number).unwrap();
        assert_eq!((last.record, game.is_none()), (study(&["6e6d"], "one").record, true));
        // What is damaged is said, and costs nothing else.
        let (back, problem) = Earlier::parse(&text.replacen("{\"game\"", "{\"gone\"", 1));
        assert_eq!(plies(&back), [0, 2]);
        assert!(problem.unwrap().starts_with("line 2: missing field `game`"));
        assert!(Earlier::parse(&text.replacen("\"version\":1", "\"version\":2", 1)).1.is_some());
    }

    #[test]
    fn what_is_opened_and_replaced_unchanged_is_listed_once() {
        let mut earlier = Earlier::default();
        let mut first = study(&["6e6d", "1b1c"], "");
        push(&mut earlier, &first);
        push(&mut earlier, &study(&["6e6d"], ""));
        first.cursor = NodeId::ROOT;
        push(&mut earlier, &first);
        assert_eq!(plies(&earlier), [2, 1]);
        first.record.set_comment(NodeId::ROOT, "changed").unwrap();
        push(&mut earlier, &first);
        assert_eq!(plies(&earlier), [2, 2, 1]);
    }

    #[test]
    fn what_is_taken_stays_written_until_the_session_has_it() {
        let mut earlier = Earlier::default();
        push(&mut earlier, &study(&["6e6d"], ""));
        let number = earlier.newest().unwrap();
        earlier.take(number);
        assert!(earlier.newest().is_none() && earlier.view().is_empty() && earlier.get(number).is_none());
        assert_eq!(plies(&Earlier::parse(&earlier.changed_text().unwrap()).0), [1]);
        earlier.release();
        assert!(plies(&Earlier::parse(&earlier.changed_text().unwrap()).0).is_empty());
    }

    #[test]
    fn the_oldest_are_dropped_for_the_bound_and_counted() {
        let mut earlier = Earlier::default();
        let large = |number: usize| study(&["6e6d", "1b1c"][..number % 3], &"x".repeat(MOST_BYTES / 2));
        assert_eq!([1, 2, 0].map(|number| push(&mut earlier, &large(number))), [0, 1, 1]);
        assert_eq!((plies(&earlier), earlier.dropped()), (vec![0], 2));
        assert_eq!(push(&mut earlier, &study(&["6e6d"], &"x".repeat(2 * MOST_BYTES))), 1);
        assert_eq!(Earlier::parse(&earlier.changed_text().unwrap()).0.dropped(), 3);
        assert_eq!(plies(&earlier), [1]);
    }
}
