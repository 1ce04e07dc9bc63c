//! Changes of the study: puts another one on the board, tells the pages of changes, and stores the session.

use std::path::Path;
use std::time::{Duration, Instant};

use super::State;
use super::io::{NotWritten, Output, SearchInfo};
use super::saved::SavedStudy;
use super::saved_games::StoredGames;
use super::session::Session;
use super::study::Study;
use super::view;
use crate::board::messages::text::Text;
use crate::board::messages::{Message, StudyView};
use crate::record::NodeId;

/// The time after which a running clock is stored again.
const SAVE_CLOCK: Duration = Duration::from_secs(5);

impl State {
    pub(super) fn study_message(&self) -> Message {
        let chapter = self.study.kept.id.filter(|_| self.games.as_ref().is_some_and(|games| games.has(&self.study)));
        Message::Study(StudyView { chapter, ..self.study.view() })
    }

    pub(super) fn position_message(&self) -> Message {
        let position = view::position(&self.study.record, self.study.cursor);
        let mut position = position.expect("the cursor is a place in the tree");
        position.shows_threats = self.shows_threats;
        position.threats = match &self.threats {
            Some((node, moves)) if self.shows_threats && *node == self.study.cursor => Some(moves.clone()),
            _ => None,
        };
        Message::Position(Box::new(position))
    }

    /// Sends the position at the cursor, and has engines analyse it.
    pub(super) fn position_changed(&mut self) {
        self.tell(&self.position_message());
        self.analyse_position();
        self.look_for_threats();
    }

    /// Sends a node that is new or has changed.
    pub(super) fn node_changed(&mut self, node: NodeId) {
        if let Some(node) = view::node(&self.study.record, node) {
            self.tell(&Message::Node { node: Box::new(node) });
        }
    }

    pub(super) fn header_changed(&mut self) {
        self.tell(&Message::Header { header: view::header(&self.study.record) });
    }

    /// Puts another study on the board. The review of the one before ends.
    pub(super) fn set_study(&mut self, study: Study) {
        self.drop_review();
        self.show_study(study);
    }

    /// Shows a study, which may be a problem or the study that the problem covered.
    pub(super) fn show_study(&mut self, study: Study) {
        self.forget_hints();
        self.drop_tasks();
        // Its node numbers have another meaning now.
        self.tell(&Message::Review { review: None });
        self.study = study;
        self.number_study();
        for analysis in self.engines.iter_mut().filter_map(|engine| engine.analysis.as_mut()) {
            (analysis.search_id, analysis.search_info) = (None, SearchInfo::default());
        }
        self.tell(&self.study_message());
        if self.review.is_some() || self.study.review.is_some() {
            self.tell(&self.review_message());
        }
        self.position_changed();
    }

    /// Gives the study on the board a number.
    pub(super) fn number_study(&mut self) {
        if self.study.kept.identity().is_none() {
            self.study.kept.first_id = Some(self.next_game());
        }
    }

    /// The study, even while a problem is shown in its place.
    pub(super) fn own_study(&self) -> &Study {
        self.problem.as_ref().map_or(&self.study, |problem| &problem.before)
    }

    pub(super) fn own_study_mut(&mut self) -> &mut Study {
        self.problem.as_mut().map_or(&mut self.study, |problem| &mut problem.before)
    }

    /// The time at which a running clock is stored again: a board in the browser ends with its page.
    pub(super) fn save_deadline(&self) -> Option<Instant> {
        self.time_deadline().filter(|_| !self.stores_fail).map(|_| self.saved_at + SAVE_CLOCK)
    }

    /// Stores the session. It contains the user's study instead of a problem.
    pub(super) fn save(&mut self) {
        let study = self.own_study();
        let game = self.play.as_ref().and_then(|play| play.saved(&study.record, self.now.instant));
        let mut saved = SavedStudy::of(study, game);
        saved.series = self.series.as_ref().map(|series| series.saved.clone());
        saved.reviewing = self.review.as_ref().map(|review| review.nodes).or(self.interrupted_review);
        let mut session = Session::of(saved);
        session.solved.clone_from(&self.problems.solved);
        session.problems = self.problems.own_text();
        session.lessons.clone_from(&self.lessons.done);
        session.opened_lessons = self.lessons.saved();
        session.problem = self.saved_problem();
        // Even if the program is killed, each study is in the session or in the library.
        session.unconfirmed.clone_from(&self.library.unconfirmed);
        session.replaced = self.replaced.as_ref().map(|replaced| Box::new(replaced.saved.clone()));
        // Stored first, so that a game that leaves the session is in the list.
        if std::mem::take(&mut self.has_new_games) {
            let replaced = self.replaced.as_ref().and_then(|replaced| replaced.games.as_ref());
            self.outputs.push(Output::StoreGames(StoredGames::of(self.games.as_ref(), replaced).to_json()));
        }
        self.outputs.push(Output::Store(session.to_json()));
        (self.saved_at, self.stores_fail) = (self.now.instant, false);
    }

    /// Writes the study to its file. Returns whether the file contains all of it, unless
    /// [`FileNotWritten`](super::io::Input::FileNotWritten) follows.
    fn save_file(&mut self) -> bool {
        let Some(file) = &self.study.file else { return false };
        match file.bytes(&self.study.record) {
            Ok(bytes) => {
                let (path, found) = (file.path.clone(), file.found.clone());
                self.outputs.push(Output::WriteFile { path, bytes, found });
                true
            }
            Err(error) => {
                let text = Text::verbatim(format!("{}: {error}", file.path.display()));
                self.notice(text);
                false
            }
        }
    }

    pub(super) fn file_not_written(&mut self, path: &Path, why: NotWritten) {
        if self.study.file.as_ref().is_none_or(|file| file.path != path) {
            return;
        }
        let text = match why {
            NotWritten::Failed(error) => Text::verbatim(error),
            NotWritten::Changed => {
                // Do not let the next change overwrite the other program's content.
                self.study.file = None;
                let path = path.display();
                Text::new("file.changed").with("path", path.to_string())
            }
        };
        self.notice(text);
        self.set_unsaved(true);
        self.save();
    }

    fn set_unsaved(&mut self, unsaved: bool) {
        if self.study.unsaved != unsaved {
            self.study.unsaved = unsaved;
            self.tell(&Message::Files(self.study.files()));
        }
    }

    /// After a change of the record.
    pub(super) fn changed(&mut self) {
        if self.problem.is_some() {
            return;
        }
        self.study.kept.is_current = false;
        if let Some(games) = &mut self.games
            && let Some(entry) = games.note_change(&self.study)
        {
            self.tell(&Message::GamesAdded { games: vec![entry] });
        }
        let unsaved = !self.save_file();
        self.set_unsaved(unsaved);
        self.save();
    }
}
