//! Verification of a book: its moves against longer searches.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use super::grower::GrowthError;
use super::leaf::{Effort, Leaf};
use super::searchers::Searchers;
use super::start::Start;
use super::walk::chance;
use crate::book::Book;
use crate::shogi::{Color, Move, Position};

/// A position in which a book plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    pub position: Position,
    /// The book's first choice.
    pub mv: Move,
}

/// The positions in which a finished book plays, in games from the start positions: each player in turn follows the
/// book, and the opponent plays anything.
pub fn played(book: &Book) -> Vec<Played> {
    let mut found = Vec::new();
    for side in Color::ALL {
        let mut open: Vec<Position> = Start::ALL.into_iter().map(Start::position).collect();
        let mut seen = HashSet::new();
        while let Some(position) = open.pop() {
            if !seen.insert(position.key()) {
                continue;
            }
            if position.side_to_move() != side {
                open.extend(position.legal_moves().into_iter().map(|mv| position.after(mv)));
                continue;
            }
            let moves = book.moves(&position);
            open.extend(moves.iter().map(|known| position.after(known.mv)));
            found.extend(moves.first().map(|first| Played { position, mv: first.mv }));
        }
    }
    found
}

/// A random sample of a book's positions, to be searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    pub count: usize,
    /// The node limit of a search; the running iteration is finished.
    pub nodes: u64,
    /// The size of the transposition table of each thread, in MiB.
    pub hash: usize,
    pub seed: u64,
}

/// The greatest loss of a move that counts as good, in centipawns.
pub const GOOD_LOSS: i32 = 30;

/// A position of a sample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    pub position: Position,
    /// The book's first choice.
    pub mv: Move,
    pub best: Move,
    /// The loss of the book's move compared with the search's, by searches of the same length, in centipawns; at least
    /// 0.
    pub loss: i32,
}

impl Sample {
    /// Searches a sample of the positions in which a book plays, on `threads` threads, 0 for one per core. A book move
    /// that the search would not play is searched separately with the same limit. Returns none if `stop` was set; calls
    /// `tell` with the number of searches that are done or turn out not to be needed, of two for each position.
    ///
    /// # Errors
    /// [`GrowthError`] if the system lacks the resources for the searches.
    pub fn check(
        &self,
        positions: &[Played],
        threads: usize,
        stop: &AtomicBool,
        tell: &(dyn Fn(usize) + Sync),
    ) -> Result<Option<Vec<Checked>>, GrowthError> {
        let mut positions: Vec<&Played> = positions.iter().collect();
        positions.sort_by_key(|played| chance(self.seed, played.position.key()));
        positions.truncate(self.count);
        let searchers = Searchers::new(threads, Effort { nodes: self.nodes, lines: 1, hash: self.hash })?;
        let leaf = |played: &&Played| Leaf { position: played.position.clone(), without: Vec::new() };
        let leaves: Vec<Leaf> = positions.iter().map(leaf).collect();
        let Some(found) = searchers.search(&leaves, stop, &|| tell(1)) else { return Ok(None) };

        let best = |index: usize| found[index].lines[0];
        let others: Vec<usize> = (0..positions.len()).filter(|&index| best(index).mv != positions[index].mv).collect();
        let alone = |&index: &usize| {
            let position = leaves[index].position.clone();
            let without = position.legal_moves().into_iter().filter(|&mv| mv != positions[index].mv).collect();
            Leaf { position, without }
        };
        tell(positions.len() - others.len());
        let alone: Vec<Leaf> = others.iter().map(alone).collect();
        let Some(scored) = searchers.search(&alone, stop, &|| tell(1)) else { return Ok(None) };

        let checked = |(index, Played { position, mv }): (usize, &Played)| Checked {
            position: position.clone(),
            mv: *mv,
            best: best(index).mv,
            loss: 0,
        };
        let mut checked: Vec<Checked> = positions.iter().copied().enumerate().map(checked).collect();
        for (index, found) in others.into_iter().zip(scored) {
            let loss = i32::from(best(index).score) - i32::from(found.lines[0].score);
            checked[index].loss = loss.max(0);
        }
        Ok(Some(checked))
    }
}
