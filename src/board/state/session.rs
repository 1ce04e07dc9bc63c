//! How the study survives the end of the program: it is written down after every change.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::kept::KeptGame;
use super::lessons::SavedLessons;
use super::problem::SavedProblem;
use super::saved::SavedStudy;

/// The version of [`Session`] in files.
const VERSION: u32 = 1;

/// The state that is stored besides the user's own file.
// `Default` is only for `Session::of`: the version must be set.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Session {
    version: u32,
    /// [`Session::parse`] reads it on its own: for flattened fields serde would compile their reading twice.
    #[serde(flatten, skip_deserializing)]
    pub study: SavedStudy,
    #[serde(default)]
    pub replaced: Option<Box<SavedStudy>>,
    /// Games that the library has not confirmed yet. They are saved again, which changes nothing where it has them.
    #[serde(default)]
    pub unconfirmed: Vec<KeptGame>,
    /// The mate problems that were solved, in SFEN.
    #[serde(default)]
    pub solved: BTreeSet<String>,
    /// The user's own mate problems, in lines.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub problems: String,
    /// The numbers of the tasks that were done, by the keys of their lessons.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lessons: BTreeMap<String, BTreeSet<usize>>,
    /// The files of lessons that were opened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opened_lessons: Vec<SavedLessons>,
    /// The lesson or the mate problem that is shown in place of the study.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<SavedProblem>,
}

impl Session {
    /// The session with this study, and with nothing learned.
    pub fn of(study: SavedStudy) -> Session {
        Session { version: VERSION, study, ..Session::default() }
    }

    /// The session as it is stored.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("records are JSON")
    }

    /// Reads a session, or returns the error.
    pub fn parse(text: &str) -> Result<Session, String> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let Versioned { version } = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if version != VERSION {
            return Err(format!("its version is {version}, and this program reads {VERSION}"));
        }
        let study = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let session: Session = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let session = Session { study, ..session };
        session.study.study().map(|_| ()).ok_or("its record is not KIF")?;
        Ok(session)
    }
}

/// The studies of the list that earlier versions of the program stored separately. Unreadable ones are omitted; the
/// error says why.
pub fn earlier_studies(text: &str) -> (Vec<SavedStudy>, Option<String>) {
    #[derive(Deserialize)]
    struct Line {
        study: SavedStudy,
    }
    let mut problem = None;
    let studies = (2..).zip(text.lines().skip(1)).filter_map(|(number, line)| match serde_json::from_str(line) {
        Ok(Line { study }) => Some(study),
        Err(error) => {
            problem.get_or_insert_with(|| format!("line {number}: {error}"));
            None
        }
    });
    (studies.collect(), problem)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use super::*;
    use crate::board::state::study::{Study, StudyFile};
    use crate::record::{Encoding, Evaluation, Format, Mark, NodeId, Notes};
    use crate::score::{Bound, Score};
    use crate::shogi::Position;

    fn study() -> Study {
        let mut study = Study::new(Position::startpos());
        let first = study.record.play(NodeId::ROOT, "6e6d".parse().unwrap()).unwrap();
        study.cursor = study.record.play(first, "1b1c".parse().unwrap()).unwrap();
        let other = study.record.play(first, "1a2b".parse().unwrap()).unwrap();
        study.record.set_mark(other, Some(Mark::Dubious)).unwrap();
        study.record.set_comment(first, "a comment").unwrap();
        study
    }

    #[test]
    fn a_study_loses_nothing_that_kif_cannot_hold() {
        let mut study = study();
        let first = study.record.child(NodeId::ROOT, "6e6d".parse().unwrap()).unwrap();
        let line = ["1b1c", "5f5e"].map(|mv| mv.parse().unwrap()).to_vec();
        let score = Some(Score::Mate(-4));
        let evaluation = Evaluation { score, bound: Bound::Upper, depth: Some(7), nodes: Some(951), line };
        let [time, clock] = [951, 59_049].map(|millis| Some(Duration::from_millis(millis)));
        let (comment, evaluation) = ("#深さ=7\n*a star".to_owned(), Some(evaluation));
        study.record.set_notes(first, Notes { comment, time, clock, evaluation, ..Notes::default() }).unwrap();
        study.record.header.time_controls = [Some("60+0".to_owned()), None];
        let mut session = serde_json::to_value(Session::of(SavedStudy::of(&study, None))).unwrap();
        let back = |session: &serde_json::Value| Session::parse(&session.to_string()).unwrap().study.study();
        let restored = back(&session).unwrap();
        assert_eq!(restored.record, study.record);
        assert_eq!(restored.record.moves_to(restored.cursor), study.record.moves_to(study.cursor));
        // Earlier versions of the program wrote the KIF alone.
        let fields = session.as_object_mut().unwrap();
        assert!(["header", "notes"].iter().all(|name| fields.remove(*name).is_some()));
        assert_eq!(back(&session).unwrap().record.len(), study.record.len());
    }

    #[test]
    fn a_file_that_somebody_else_has_written_counts_more_than_the_session() {
        let mut study = study();
        study.file = Some(StudyFile {
            path: PathBuf::from("game.usi"),
            format: Format::Usi,
            encoding: Encoding::Utf8,
            found: None,
        });
        let session = SavedStudy::of(&study, None);
        assert!(session.study_of_file(&study).is_some());
        let mut other = study.clone();
        other.record.delete(other.record[NodeId::ROOT].children()[0]).unwrap();
        assert!(session.study_of_file(&other).is_none());
    }
}
