//! The path from the root to a node, and the disproofs that hold only on one path.

use crate::shogi::Hand;

/// A position as a key of the table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeKey {
    /// A key of the board, the side to move and the pieces of the game, without hands.
    pub(super) key: u64,
    /// The attacker's hand. The defender holds all other pieces that are not on the board.
    pub(super) hand: Hand,
}

/// A node on the path, with the key of the path up to it.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) node: NodeKey,
    pub(super) path_key: u64,
}

/// The key of a path extended by a node; 0 is the key of the empty path.
pub(super) fn extend_path_key(path_key: u64, node: NodeKey) -> u64 {
    let shifted = path_key.rotate_left(7).wrapping_mul(0xd6e8_feb8_6659_fd93);
    shifted ^ node.key ^ u64::from(node.hand.bits()) << 32
}

/// Disproofs by loops: for each path key the depth of the ancestor to which its loop returns. A hash table that always
/// replaces, allocated with the first entry, since most searches that the engine requests need none.
#[derive(Default)]
pub(super) struct LoopTable(Vec<(u64, u16)>);

const LOOPS: usize = 1 << 14;

impl LoopTable {
    pub(super) fn find(&self, path_key: u64) -> Option<u16> {
        let &(found, depth) = self.0.get(path_key as usize % LOOPS)?;
        (found == path_key).then_some(depth)
    }

    pub(super) fn store(&mut self, path_key: u64, depth: u16) {
        if self.0.is_empty() {
            self.0 = vec![(0, 0); LOOPS];
        }
        self.0[path_key as usize % LOOPS] = (path_key, depth);
    }
}
