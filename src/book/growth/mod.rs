//! A book made by search: a graph of positions that grows where the result depends on it most.
//!
//! [`grow()`] repeats three steps. It computes the [`Values`] of all positions from what is known; it chooses, by a
//! [`Strategy`], the next batch of positions to search; and it adds what the searches have found to the [`Graph`] and
//! to the [`BookFile`]. The file holds the results of the searches alone: everything else follows from them.
//!
//! Where to look: `leaf.rs` has the search of a position, `graph.rs` positions and moves, `values.rs` and
//! `perpetual.rs` how scores are backed up in a graph with cycles, and what is approximated there, `walk.rs` and
//! `selection.rs` what is searched next, `file.rs` the format of the file, `repertoire.rs` what is played in the end.

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
pub use graph::is_proven;
pub use graph::{Edge, Graph, MisfitError, Node, NodeId, Target};
pub use grower::{Ended, Growing, GrowthError, Plan, Until, grow};
pub use job::{DonePart, Job, JobError, JobLeaf, JobResult, Part, take};
pub use leaf::{Effort, Found, FoundLine, Leaf, Searcher, SearcherError};
pub use repertoire::{Entry, compact, fitting, repertoire, search_leaves};
pub use sample::{Checked, GOOD_LOSS, Played, Sample, played};
pub use searchers::Searchers;
pub use selection::Strategy;
pub use start::{Start, UnknownStart};
pub use statistics::{StartStatistics, Statistics};
pub use text::write_text;
pub use tree::record;
pub use values::Values;
