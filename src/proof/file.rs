//! The file that a proof grows in: the question, then everything that was done, from which the graph is made again.

use std::fmt;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::graph::{Expansion, Graph, MisfitError};
use crate::append_log::{self, AppendLog, BatchFileError, BatchSettings, Kind};
use crate::shogi::{Color, ImpasseRule, Position};

static KIND: Kind = Kind { magic: b"judkins proof\n\x1a\0", version: 1, name: "a proof", command: "judkins prove" };

/// What is to be proven.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    pub start: Position,
    pub attacker: Color,
    /// The impasse rule in force.
    pub rule: ImpasseRule,
}

/// A proof under way with its file.
pub struct ProofFile {
    graph: Graph,
    file: AppendLog,
}

#[derive(Serialize, Deserialize)]
enum Batch {
    /// The first batch: the position in SFEN, whether Black is to win, and the impasse rule's code.
    Question(String, bool, u8),
    Expansions(Vec<Expansion>),
}

/// Why a file is no proof.
#[derive(Debug, thiserror::Error)]
pub enum ProofFileError {
    #[error(transparent)]
    File(#[from] BatchFileError),
    /// It ends before the question.
    #[error("there is nothing in it")]
    Empty,
    /// It is about something else.
    #[error("it is about '{0}', not about '{1}'")]
    Other(Box<Question>, Box<Question>),
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} wins, {}, {}", self.attacker, self.start, self.rule)
    }
}

impl ProofFile {
    /// Opens a proof to let it grow. A file that is new or empty begins with the question; another must have the same.
    ///
    /// # Errors
    /// [`ProofFileError`]; the file is unchanged.
    pub fn open(path: &Path, question: &Question) -> Result<ProofFile, ProofFileError> {
        let mut graph = None;
        let mut file = AppendLog::open(path, &KIND, |batch| take(&mut graph, batch))?;
        let graph: Graph = match graph {
            Some(graph) => graph,
            None => {
                let Question { start, attacker, rule } = question;
                let first = Batch::Question(start.to_string(), *attacker == Color::Black, rule.code());
                file.add(&first, None)?;
                graph_of(question.clone())
            }
        };
        let found = question_of(&graph);
        if found != *question {
            return Err(ProofFileError::Other(Box::new(found), Box::new(question.clone())));
        }
        Ok(ProofFile { graph, file })
    }

    /// Reads a proof, which may be growing meanwhile.
    ///
    /// # Errors
    /// [`ProofFileError`].
    pub fn read(path: &Path) -> Result<Graph, ProofFileError> {
        let mut graph = None;
        append_log::read(path, &KIND, |batch| take(&mut graph, batch))?;
        graph.ok_or(ProofFileError::Empty)
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The same, to choose targets.
    pub(super) fn graph_mut(&mut self) -> &mut Graph {
        &mut self.graph
    }

    /// How the last batch was made, as [`Effort::settings`](super::Effort::settings) says it; none if the file does not.
    pub fn settings(&self) -> Option<&BatchSettings> {
        self.file.settings()
    }

    /// Adds what was done to the graph and to the file, with how it was done. When this returns, it is on the disk.
    ///
    /// # Errors
    /// [`ProofFileError`]. The proof must be opened again then.
    pub fn add(&mut self, expansions: Vec<Expansion>, settings: &BatchSettings) -> Result<(), ProofFileError> {
        let system = |error: MisfitError| BatchFileError::System {
            path: self.file.path().to_owned(),
            cause: io::Error::other(error),
        };
        expansions.iter().try_for_each(|expansion| self.graph.add(expansion)).map_err(system)?;
        Ok(self.file.add(&Batch::Expansions(expansions), Some(settings))?)
    }
}

fn graph_of(Question { start, attacker, rule }: Question) -> Graph {
    Graph::new(start, attacker, rule)
}

fn question_of(graph: &Graph) -> Question {
    Question { start: graph.start().clone(), attacker: graph.attacker(), rule: graph.rule() }
}

fn take(graph: &mut Option<Graph>, batch: Batch) -> Result<(), String> {
    match (batch, graph) {
        (Batch::Question(sfen, black, rule), graph @ None) => {
            let start = sfen.parse().map_err(|error| format!("'{sfen}': {error}"))?;
            let rule = ImpasseRule::from_code(rule).ok_or("an impasse rule that this program does not know")?;
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
