//! Whether a book is true: its moves against longer searches.

use std::sync::atomic::AtomicBool;

use super::graph::{Graph, NodeId};
use super::grower::GrowthError;
use super::leaf::{Effort, Leaf};
use super::repertoire::Entry;
use super::searchers::Searchers;
use super::walk::chance;
use crate::shogi::Move;

/// Positions of a book taken by chance, to be searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// How many positions.
    pub count: usize,
    /// Nodes of a search; the iteration under way is finished.
    pub nodes: u64,
    /// The size of the transposition table of each thread, in MiB.
    pub hash: usize,
    /// Decides which positions are taken.
    pub seed: u64,
}

/// The loss up to which a move counts as good, in centipawns.
pub const GOOD_LOSS: i32 = 30;

/// A position of a sample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The position.
    pub id: NodeId,
    /// The best move of the book.
    pub mv: Move,
    /// The best move of the search.
    pub best: Move,
    /// What the book's move loses against that, by searches of the same length, in centipawns; at least 0.
    pub loss: i32,
}

impl Sample {
    /// Searches a sample of the positions in which a book plays, on `threads` threads, 0 for one on each core. A move
    /// that the search would not play is searched alone, as long again. Returns none if `stop` was set; `tell` is
    /// called after each search.
    ///
    /// # Errors
    /// [`GrowthError`] if the system does not give what the searches need.
    pub fn check(
        &self,
        graph: &Graph,
        entries: &[Entry],
        threads: usize,
        stop: &AtomicBool,
        tell: &(dyn Fn() + Sync),
    ) -> Result<Option<Vec<Checked>>, GrowthError> {
        let mut entries: Vec<&Entry> = entries.iter().collect();
        entries.sort_by_key(|entry| chance(self.seed, graph.node(entry.id).key));
        entries.truncate(self.count);
        let searchers = Searchers::new(threads, Effort { nodes: self.nodes, lines: 1, hash: self.hash })?;
        let leaf = |entry: &&Entry| Leaf { position: graph.position(entry.id), without: Vec::new() };
        let leaves: Vec<Leaf> = entries.iter().map(leaf).collect();
        let Some(found) = searchers.search(&leaves, stop, tell) else { return Ok(None) };

        let moves: Vec<Move> = entries.iter().map(|entry| entry.moves[0].0).collect();
        let best = |index: usize| found[index].lines[0];
        let others: Vec<usize> = (0..entries.len()).filter(|&index| best(index).mv != moves[index]).collect();
        let alone = |&index: &usize| {
            let position = leaves[index].position.clone();
            let without = position.legal_moves().into_iter().filter(|&mv| mv != moves[index]).collect();
            Leaf { position, without }
        };
        let alone: Vec<Leaf> = others.iter().map(alone).collect();
        let Some(scored) = searchers.search(&alone, stop, tell) else { return Ok(None) };

        let mut checked: Vec<Checked> = (0..entries.len())
            .map(|index| Checked { id: entries[index].id, mv: moves[index], best: best(index).mv, loss: 0 })
            .collect();
        for (index, found) in others.into_iter().zip(scored) {
            let loss = i32::from(best(index).score) - i32::from(found.lines[0].score);
            checked[index].loss = loss.max(0);
        }
        Ok(Some(checked))
    }
}
