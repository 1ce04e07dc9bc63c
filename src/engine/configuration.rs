//! Setting options, and their effects.

use std::path::Path;
use std::sync::Arc;

use super::{Effect, Engine, EngineError, EvaluationKind, OptionTable, Options};
use crate::book::Book;
use crate::eval::Evaluation;
use crate::eval::nnue::{Inference, Network};

impl Engine {
    /// The options with their defaults.
    pub fn option_table(&self) -> &OptionTable {
        &self.table
    }

    /// The values of the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets an option and applies its effect, except [`Effect::Log`]. Stops a running search first.
    ///
    /// Does not allocate tables: see [`Engine::prepare`].
    ///
    /// # Errors
    /// [`EngineError`]; the option keeps its value.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), EngineError> {
        self.finish();
        let before = self.options.clone();
        let effect = self.table.set(&mut self.options, name, value)?;
        let done = self.apply(effect);
        if done.is_err() {
            // A book file replaces the built-in book.
            if effect == Effect::Book && before.book_file.as_os_str().is_empty() {
                self.book = None;
            }
            self.options = before;
        }
        done
    }

    /// Changes the default of an option and sets it, unless the user's configuration sets it.
    ///
    /// # Errors
    /// [`EngineError`], as from [`Engine::set_option`].
    pub fn set_default(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        if self.table.set_default(name, value)? { self.set_option(name, Some(value)) } else { Ok(()) }
    }

    pub(super) fn apply(&mut self, effect: Effect) -> Result<(), EngineError> {
        match effect {
            // The engine's owner writes the log.
            Effect::None | Effect::Log => {}
            Effect::ClearHash => self.clear_tables(),
            Effect::Book => self.book = Some(read_book(&self.options.book_file)?),
            Effect::Network => {
                self.network = read_network(&self.options.eval_file)?;
                // The table has evaluations of the old network.
                self.clear_tables();
            }
        }
        Ok(())
    }

    /// The network that [`EvaluationKind::Network`] uses, whether or not it is selected.
    pub fn network(&self) -> Arc<Inference> {
        self.network.clone().unwrap_or_else(Inference::embedded)
    }

    /// The evaluation selected by the options.
    pub fn evaluation(&self) -> Evaluation {
        match self.options.evaluation {
            EvaluationKind::Network => Evaluation::Network(self.network()),
            EvaluationKind::Handwritten => Evaluation::Handwritten,
        }
    }
}

/// The path of a file option; none if it is empty.
fn some_file(file: &Path) -> Option<&Path> {
    Some(file).filter(|file| !file.as_os_str().is_empty())
}

fn read_book(file: &Path) -> Result<Book, EngineError> {
    let book = some_file(file).map_or_else(|| Ok(Book::built_in()), Book::read);
    book.map_err(|error| EngineError::Book { file: file.to_owned(), error })
}

fn read_network(file: &Path) -> Result<Option<Arc<Inference>>, EngineError> {
    let read = some_file(file).map(Network::read).transpose();
    let read = read.map_err(|error| EngineError::Network { file: file.to_owned(), error })?;
    Ok(read.map(|(network, _)| Arc::new(Inference::new(&network))))
}
