//! A book made by search: a graph of positions that grows where it affects the result most.
//!
//! [`grow()`] repeats three steps. It computes the [`Values`] of all positions from the known results; it selects, by a
//! [`Strategy`], the next batch of positions to search; and it adds the search results to the [`Graph`] and to the
//! [`BookFile`]. The file only contains the results of the searches: everything else is derived from them.
//!
//! The files: `leaf.rs` searches a position; `graph.rs` has positions and moves; `values.rs` and `perpetual.rs` back up
//! scores in a graph with cycles, and document the approximations; `walk.rs` and `selection.rs` select the next
//! searches; `file.rs` is the file format; `repertoire.rs` selects the moves to play.

mod file;
mod graph;
mod grower;
mod job;
mod leaf;
pub(crate) mod moves;
mod perpetual;
mod repertoire;
mod sample;
mod searchers;
mod selection;
mod start;
mod statistics;
#[cfg(test)]
mod tests;
mod text;
mod tree;
mod values;
mod walk;

pub use file::{Batch, BookFile};
pub use graph::{Edge, Graph, MisfitError, Node, NodeId, Target, is_proven};
pub use grower::{Ended, Growing, GrowthError, Plan, Until, grow};
pub use job::{DonePart, Job, JobError, JobLeaf, JobResult, Part, complete, take};
pub use leaf::{Effort, Found, FoundLine, Leaf, Searcher};
pub use repertoire::{Entry, compact, fitting, repertoire, search_leaves};
pub use sample::{Checked, GOOD_LOSS, Played, Sample, played};
pub use searchers::Searchers;
pub use selection::Strategy;
pub use start::{Start, UnknownStart};
pub use statistics::{StartStatistics, Statistics};
pub use text::write_text;
pub use tree::record;
pub use values::Values;
