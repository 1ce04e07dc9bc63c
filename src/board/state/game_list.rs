//! The chapters of a study: games and positions, which a file of several games brings as a list.

use std::path::Path;
use std::time::Instant;

use super::listed::{Followed, Listed, Place, Span, entries, entry, line_starts};
use super::study::{Kept, Study};
use crate::board::messages::{GameEntry, GamesView, Tally};
use crate::record::{Format, Problem, ReadGame, Reader};
use crate::shogi::{GameScore, Move, Position};

#[derive(Debug, Default)]
pub struct GameList {
    pub(super) name: String,
    pub(super) text: Vec<u8>,
    /// Games of its file are still added.
    pub(super) live: bool,
    /// It is read from a file that is named on the command line.
    pub(super) is_followed: bool,
    pub(super) games: Vec<Listed>,
    /// Deleted games, the last one last.
    deleted: Vec<DeletedGame>,
}

#[derive(Debug)]
struct DeletedGame {
    game: Listed,
    at: Instant,
    /// Its number in the list.
    number: usize,
    was_on_board: bool,
}

#[derive(Debug)]
pub struct ListedGame {
    pub study: Study,
    /// The problem of its unreadable part.
    pub problem: Option<Problem>,
}

impl GameList {
    /// A list without games.
    pub fn new(name: &str) -> GameList {
        GameList { name: name.to_owned(), ..GameList::default() }
    }

    /// The games of a text, with new numbers.
    pub fn of_text(name: &str, text: Vec<u8>, mut id: impl FnMut() -> u64) -> Option<GameList> {
        let reader = Reader::new(text.as_slice()).ok()?;
        let format = reader.format();
        let starts = line_starts(&text);
        let mut games = entries(reader, format, &starts, text.len() as u64, (0, 0));
        games.iter_mut().for_each(|game| game.entry.id = id());
        Some(GameList { text, games, ..GameList::new(name) })
    }

    /// The games of a file that are still to be read.
    pub fn of_file(path: &Path) -> GameList {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        GameList { live: true, is_followed: true, ..GameList::new(&name) }
    }

    /// The list for the page.
    pub fn view(&self) -> GamesView {
        GamesView {
            name: self.name.clone(),
            live: self.live,
            games: self.games.iter().map(|game| game.entry.clone()).collect(),
        }
    }

    /// Adds games that were found. Returns the new ones, or none if the whole list must be shown again.
    pub fn add(&mut self, followed: Followed, mut id: impl FnMut() -> u64) -> Option<Vec<GameEntry>> {
        let is_first = self.games.is_empty() || followed.is_new;
        self.live = followed.format == Format::Match;
        if followed.is_new {
            // The file does not have what the user made.
            let is_own = |game: &Listed| matches!(game.place, Place::Study(_));
            self.games.retain(is_own);
            self.deleted.retain(|deleted| is_own(&deleted.game));
            self.text.clear();
        }
        self.text.extend_from_slice(&followed.text);
        let from = self.games.len();
        self.games.extend(followed.games);
        self.games[from..].iter_mut().for_each(|game| game.entry.id = id());
        (!is_first).then(|| self.games[from..].iter().map(|game| game.entry.clone()).collect())
    }

    /// How many games there are.
    pub fn count(&self) -> usize {
        self.games.len()
    }

    fn number_of(&self, id: u64) -> Option<usize> {
        self.games.iter().position(|game| game.entry.id == id)
    }

    /// Whether it has this study.
    pub fn has(&self, study: &Study) -> bool {
        study.kept.id.is_some_and(|id| self.number_of(id).is_some())
    }

    /// Whether something of it is nowhere else.
    pub fn is_unsaved(&self) -> bool {
        self.games.iter().any(|game| matches!(&game.place, Place::Study(study) if study.unsaved))
    }

    /// Takes note of a change of the game on the board. Returns its entry if that is another one now.
    pub fn note_change(&mut self, study: &Study) -> Option<GameEntry> {
        let id = study.kept.id?;
        let number = self.number_of(id)?;
        let game = &mut self.games[number];
        game.is_changed = true;
        let entry = entry(id, Some(&study.record));
        (entry != game.entry).then(|| {
            game.entry = entry;
            game.entry.clone()
        })
    }

    /// Keeps the game on the board if it has changed. Returns whether the list was changed by that.
    pub fn keep(&mut self, study: &Study) -> bool {
        let game = study.kept.id.and_then(|id| self.number_of(id)).map(|number| &mut self.games[number]);
        let Some(game) = game.filter(|game| game.is_changed) else { return false };
        *game = Listed::of_study(study.clone());
        true
    }

    /// Puts a changed game in its place, if it has one.
    pub fn put(&mut self, study: Study) {
        if let Some(number) = study.kept.id.and_then(|id| self.number_of(id)) {
            self.games[number] = Listed::of_study(study);
        }
    }

    /// Gives a changed or pasted game this name. An unchanged one of a file is named after the file.
    pub fn rename(&mut self, id: u64, name: &Option<String>) {
        let Some(number) = self.number_of(id) else { return };
        if let Place::Study(study) = &mut self.games[number].place {
            study.name.clone_from(name);
        } else if self.name.is_empty()
            && let Some(ListedGame { study, .. }) = self.game(id)
        {
            self.games[number] = Listed::of_study(Study { name: name.clone(), ..study });
        }
    }

    /// Adds a game with a number.
    pub fn push(&mut self, study: Study) {
        self.games.push(Listed::of_study(study));
    }

    /// Adds the games of another list.
    pub fn append(&mut self, mut other: GameList) {
        if self.is_followed {
            // The text of the list is that of the file, which does not have these.
            let studies: Vec<Option<Study>> = other.studies().collect();
            for (mut game, study) in std::mem::take(&mut other.games).into_iter().zip(studies) {
                if let Some(study) = study {
                    game.place = Place::Study(Box::new(study));
                } else if let Place::Text(span) = game.place
                    && let Some(read) = other.read(span)
                {
                    game.place = Place::Read(Box::new(read));
                }
                self.games.push(game);
            }
            return;
        }
        let offset = self.text.len() as u64;
        for mut game in std::mem::take(&mut other.games) {
            if let Place::Text(span) = &mut game.place {
                span.start += offset;
            }
            self.games.push(game);
        }
        self.text.extend(other.text);
    }

    /// Moves a game to this number in the list. Returns whether it is there.
    pub fn move_to(&mut self, id: u64, to: usize) -> bool {
        let Some(number) = self.number_of(id).filter(|_| to < self.games.len()) else { return false };
        let game = self.games.remove(number);
        self.games.insert(to, game);
        true
    }

    /// Deletes a game, but not the only one. Returns the one that takes its place on the board.
    pub fn delete(&mut self, id: u64, was_on_board: bool, at: Instant) -> Option<u64> {
        let number = self.number_of(id).filter(|_| self.games.len() > 1)?;
        let game = self.games.remove(number);
        self.deleted.push(DeletedGame { game, at, number, was_on_board });
        Some(self.games[number.min(self.games.len() - 1)].entry.id)
    }

    /// When a game was deleted last, if it can be restored.
    pub fn deleted_at(&self) -> Option<Instant> {
        self.deleted.last().map(|deleted| deleted.at)
    }

    /// Restores a deleted game, this one or the last, and returns it with whether it was on the board.
    pub fn restore(&mut self, id: Option<u64>) -> Option<(u64, bool)> {
        let is_wanted = |deleted: &DeletedGame| id.is_none_or(|id| deleted.game.entry.id == id);
        let index = self.deleted.iter().rposition(is_wanted)?;
        let DeletedGame { game, number, was_on_board, .. } = self.deleted.remove(index);
        // It was not there when the later ones were deleted.
        for later in self.deleted[index..].iter_mut().filter(|later| later.number >= number) {
            later.number += 1;
        }
        let id = game.entry.id;
        self.games.insert(number.min(self.games.len()), game);
        Some((id, was_on_board))
    }

    pub fn game(&self, id: u64) -> Option<ListedGame> {
        let number = self.number_of(id)?;
        if let Place::Study(study) = &self.games[number].place {
            return Some(ListedGame { study: (**study).clone(), problem: None });
        }
        let game = self.as_read(number)?;
        let name = (!self.name.is_empty()).then(|| format!("{} #{}", self.name, number + 1));
        let study = Study::of(game.record?, name);
        // An unchanged game is in its file, and not for the library to keep.
        let kept = Kept { id: Some(id), is_current: true, ..Kept::default() };
        Some(ListedGame { study: Study { kept, ..study }, problem: game.problems.into_iter().next() })
    }

    /// Why a game cannot be read.
    pub fn problem(&self, id: u64) -> Option<Problem> {
        self.as_read(self.number_of(id)?)?.problems.into_iter().next()
    }

    /// Every game, in order; none for one that cannot be read.
    pub fn studies(&self) -> impl Iterator<Item = Option<Study>> {
        self.games.iter().map(|game| self.game(game.entry.id).map(|game| game.study))
    }

    /// The first game that can be read.
    pub fn first(&self) -> Option<u64> {
        let can_be_read = |number: usize| match self.games[number].place {
            Place::Study(_) => true,
            _ => self.as_read(number).is_some_and(|game| game.record.is_some()),
        };
        (0..self.games.len()).find(|&number| can_be_read(number)).map(|number| self.games[number].entry.id)
    }

    /// After all games were written to a file of the user.
    pub fn saved(&mut self) {
        for game in &mut self.games {
            if let Place::Study(study) = &mut game.place {
                study.unsaved = false;
            }
        }
    }

    /// The moves played at a position and the results of their games, the most-played first.
    pub fn played_at(&self, position: &Position) -> Vec<(Move, Tally)> {
        let key = position.key();
        let mut moves: Vec<(Move, Tally)> = Vec::new();
        for game in &self.games {
            // Count each game once per move.
            let mut counted = Vec::new();
            for &(_, mv) in game.played.iter().filter(|(place, _)| *place == key) {
                if !counted.contains(&mv) {
                    counted.push(mv);
                }
            }
            for mv in counted {
                let index = moves.iter().position(|(known, _)| *known == mv).unwrap_or_else(|| {
                    moves.push((mv, Tally::default()));
                    moves.len() - 1
                });
                let tally = &mut moves[index].1;
                tally.games += 1;
                tally.black += usize::from(game.entry.result == GameScore::Black.text());
                tally.white += usize::from(game.entry.result == GameScore::White.text());
                tally.draws += usize::from(game.entry.result == GameScore::Draw.text());
            }
        }
        moves.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.games));
        moves
    }

    pub(super) fn read(&self, span: Span) -> Option<ReadGame> {
        let text = self.text.get(span.start as usize..)?.get(..span.length as usize)?;
        let mut game = Reader::with_format(text, span.format).ok()?.next()?.ok()?;
        game.problems.iter_mut().for_each(|problem| problem.line = problem.line.saturating_add(span.before));
        Some(game)
    }

    /// A game as its file has it; none for a study.
    fn as_read(&self, number: usize) -> Option<ReadGame> {
        match &self.games[number].place {
            Place::Study(_) => None,
            Place::Read(game) => Some((**game).clone()),
            Place::Text(span) => self.read(*span),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list whose games are numbered from 0.
    fn list(name: &str, text: &str) -> GameList {
        let mut ids = 0..;
        GameList::of_text(name, text.into(), || ids.next().unwrap()).unwrap()
    }

    #[test]
    fn games_of_usi_are_read_with_their_comments() {
        let text =
            "# 1. a - b 1-0 Black wins: time\nstartpos\n# other\n\n# 2. c - d 0-1 mate\n# note\nstartpos\nrook\n";
        let games = list("some.usi", text);
        for (id, names) in (0..).zip([[Some("a"), Some("b")], [Some("c"), Some("d")], [None, None]]) {
            let record = games.game(id).unwrap().study.record;
            assert_eq!(record.header.players.each_ref().map(Option::as_deref), names);
            assert_eq!(record.header.result.is_some(), names[0].is_some());
        }
    }

    #[test]
    fn games_are_found_again_in_their_text() {
        let text = "startpos moves 6e6d\n\nstartpos moves 6e6d 1b1c\nrook\n";
        let library = list("some.usi", text);
        let plies: Vec<usize> = library.view().games.iter().map(|game| game.plies).collect();
        assert_eq!(plies, [1, 2, 0]);
        for (index, plies) in (0..).zip(plies) {
            assert_eq!(library.game(index).unwrap().study.record.main_line().count(), plies);
        }
        assert!(library.game(3).is_none());
    }

    #[test]
    fn games_of_other_files_stay_what_they_are_in_a_list_that_grows() {
        let followed = |text: &str, offset| Followed::parts(text.into(), Format::Usi, offset, false).remove(0);
        let (first, second) = ("startpos moves 6e6d\n", "startpos moves 6e6d 1b1c\n");
        for mut games in [GameList::of_file(Path::new("some.usi")), GameList::new("some.usi")] {
            let mut ids = 0..;
            if games.is_followed {
                games.add(followed(first, (0, 0)), || ids.next().unwrap());
            } else {
                games.append(GameList::of_text("", first.into(), || ids.next().unwrap()).unwrap());
            }
            games.append(GameList::of_text("", "[Variant \"judkins\"]\n\n*\n".into(), || ids.next().unwrap()).unwrap());
            if games.is_followed {
                games.add(followed(second, (first.len() as u64, 1)), || ids.next().unwrap());
            } else {
                games.append(GameList::of_text("", second.into(), || ids.next().unwrap()).unwrap());
            }
            let plies = |games: &GameList| games.studies().map(|study| Some(study?.record.len())).collect::<Vec<_>>();
            assert_eq!(plies(&games), [Some(1), Some(0), Some(2)]);
            if games.is_followed {
                // Begun anew, the file has none of the others either.
                let anew = Followed::parts(first.into(), Format::Usi, (0, 0), true).remove(0);
                games.add(anew, || ids.next().unwrap());
                assert_eq!(plies(&games), [Some(0), Some(1)]);
            }
        }
    }

    #[test]
    fn problems_have_the_lines_of_their_file() {
        let text = "startpos\n\nstartpos moves 6e6e\n";
        let line = |games: &GameList, id| games.game(id).unwrap().problem.unwrap().line;
        let mut games = list("some.usi", text);
        let mut ids = 2..;
        games.append(GameList::of_text("", text.into(), || ids.next().unwrap()).unwrap());
        assert_eq!([1, 3].map(|id| line(&games, id)), [3, 3]);
        let mut games = GameList::of_file(Path::new("some.usi"));
        let mut ids = 0..;
        for offset in [(0, 0), (text.len() as u64, 3)] {
            let part = Followed::parts(text.into(), Format::Usi, offset, false).remove(0);
            games.add(part, || ids.next().unwrap());
        }
        assert_eq!([1, 3].map(|id| line(&games, id)), [3, 6]);
    }

    #[test]
    fn games_on_one_line_are_kept_apart() {
        let text = "1. P-6d\n1-0 1. G-4e P-1c 0-1 1. P-6d P-1c 2. G-5e *\n1. G-4e *\n";
        let library = list("some.pgn", text);
        let plies = |index: u64| library.game(index).unwrap().study.record.main_line().count();
        assert_eq!([0, 1, 2, 3].map(plies), [1, 2, 3, 1]);
    }
}
