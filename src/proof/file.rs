//! The file of a proof: the question, followed by all expansions, from which the graph is rebuilt.

use std::fmt;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::graph::{Expansion, Graph, MisfitError};
use crate::append_log::{self, AppendLog, AppendLogError, BatchSettings, Kind};
use crate::shogi::{Color, ImpasseRule, Position};

static KIND: Kind = Kind { magic: b"judkins proof\n\x1a\0", version: 1, name: "a proof", command: "judkins prove" };

/// The claim to prove.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    pub start: Position,
    pub attacker: Color,
    /// The impasse rule in force.
    pub rule: ImpasseRule,
}

/// A proof in progress, with its file.
pub struct ProofFile {
    graph: Graph,
    file: AppendLog,
    /// Whether the question is in the file. It comes with the first expansions, because a growth may fail before.
    is_begun: bool,
}

#[derive(Serialize, Deserialize)]
enum Batch {
    /// The first batch: the position in SFEN, whether Black is to win, and the impasse rule's code.
    Question(String, bool, u8),
    Expansions(Vec<Expansion>),
}

/// The reason why a file is not a proof.
#[derive(Debug, thiserror::Error)]
pub enum ProofFileError {
    #[error(transparent)]
    File(#[from] AppendLogError),
    /// It ends before the question.
    #[error("there is nothing in it")]
    Empty,
    /// It is the proof of another question.
    #[error("it is about '{0}', not about '{1}'")]
    Other(Box<Question>, Box<Question>),
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} wins, {}, {}", self.attacker, self.start, self.rule)
    }
}

impl Question {
    pub fn of(graph: &Graph) -> Question {
        Question { start: graph.start().clone(), attacker: graph.attacker(), rule: graph.rule() }
    }
}

impl ProofFile {
    /// Opens a proof for growing. The file must have the same question, unless it is new or empty.
    ///
    /// # Errors
    /// [`ProofFileError`]; the file is unchanged.
    pub fn open(path: &Path, question: &Question) -> Result<ProofFile, ProofFileError> {
        let mut graph = None;
        let file = AppendLog::open(path, &KIND, |batch| take(&mut graph, batch))?;
        let is_begun = graph.is_some();
        let graph = graph.unwrap_or_else(|| {
            let Question { start, attacker, rule } = question.clone();
            Graph::new(start, attacker, rule)
        });
        let found = Question::of(&graph);
        if found != *question {
            return Err(ProofFileError::Other(Box::new(found), Box::new(question.clone())));
        }
        Ok(ProofFile { graph, file, is_begun })
    }

    /// Reads a proof, which may be growing at the same time.
    ///
    /// # Errors
    /// [`ProofFileError`] if it cannot be read.
    pub fn read(path: &Path) -> Result<Graph, ProofFileError> {
        let mut graph = None;
        append_log::read(path, &KIND, |batch| take(&mut graph, batch))?;
        graph.ok_or(ProofFileError::Empty)
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The mutable graph, for choosing targets.
    pub(super) fn graph_mut(&mut self) -> &mut Graph {
        &mut self.graph
    }

    /// The [settings](super::Effort::settings) of the last batch; none if the file does not have them.
    pub fn settings(&self) -> Option<&BatchSettings> {
        self.file.settings()
    }

    /// Adds expansions and their settings to the graph and to the file, and syncs the file to disk.
    ///
    /// # Errors
    /// [`ProofFileError`] if they do not fit or cannot be written; reopen the proof then.
    pub fn add(&mut self, expansions: Vec<Expansion>, settings: &BatchSettings) -> Result<(), ProofFileError> {
        if !self.is_begun {
            let Question { start, attacker, rule } = Question::of(&self.graph);
            self.file.add(&Batch::Question(start.to_string(), attacker == Color::Black, rule.code()), None)?;
            self.is_begun = true;
        }
        let system = |error: MisfitError| AppendLogError::System {
            path: self.file.path().to_owned(),
            cause: io::Error::other(error),
        };
        expansions.iter().try_for_each(|expansion| self.graph.add(expansion)).map_err(system)?;
        Ok(self.file.add(&Batch::Expansions(expansions), Some(settings))?)
    }
}

fn take(graph: &mut Option<Graph>, batch: Batch) -> Result<(), String> {
    match (batch, graph) {
        (Batch::Question(sfen, black, rule), graph @ None) => {
            let start = sfen.parse().map_err(|error| format!("'{sfen}': {error}"))?;
            let rule = ImpasseRule::from_repr(rule).ok_or("an impasse rule that this program does not know")?;
            let attacker = if black { Color::Black } else { Color::White };
            *graph = Some(Graph::new(start, attacker, rule));
            Ok(())
        }
        (Batch::Expansions(expansions), Some(graph)) => {
            expansions.iter().try_for_each(|expansion| graph.add(expansion)).map_err(|error| error.to_string())
        }
        _ => Err("the question comes first, and once".to_owned()),
    }
}
