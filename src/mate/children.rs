//! The children of a node, and the proof numbers of the node computed from theirs.

use smallvec::SmallVec;

use super::path::NodeKey;
use super::search_result::{INFINITE, SearchResult};
use crate::shogi::Move;

/// The side that moves at a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeType {
    /// The attacker: one proven child proves the node.
    Or,
    /// The defender: one disproven child disproves the node.
    And,
}

impl NodeType {
    /// φ: the number that the mover wants to reduce to 0; the proof number at an OR node.
    pub(super) fn phi(self, result: &SearchResult) -> u32 {
        match self {
            NodeType::Or => result.proof,
            NodeType::And => result.disproof,
        }
    }

    /// δ: the disproof number at an OR node, the proof number at an AND node.
    pub(super) fn delta(self, result: &SearchResult) -> u32 {
        match self {
            NodeType::Or => result.disproof,
            NodeType::And => result.proof,
        }
    }

    /// Converts proof and disproof number to φ and δ, or the other way round.
    pub(super) fn swap(self, phi: u32, delta: u32) -> (u32, u32) {
        match self {
            NodeType::Or => (phi, delta),
            NodeType::And => (delta, phi),
        }
    }
}

/// A move and the known result of the position after it.
pub(super) struct Child {
    pub(super) mv: Move,
    pub(super) node: NodeKey,
    pub(super) result: SearchResult,
    /// It was searched closer to the root: a transposition, perhaps a loop.
    pub(super) old: bool,
    /// The index of a sibling that must be settled before this child is searched.
    pub(super) waits_for: Option<u16>,
}

pub(super) type Children = SmallVec<[Child; 24]>;

/// The numbers of a node, computed from its children's.
pub(super) struct Summary {
    pub(super) phi: u32,
    pub(super) delta: u32,
    /// The index of the child with the least φ.
    pub(super) best: usize,
    /// The second least φ.
    pub(super) second: u32,
}

/// φ is the minimum of the children's φ, δ the sum of their δ. Of the old children only the largest δ counts, and only
/// if it exceeds the sum: adding them all would count shared nodes twice.
pub(super) fn summarize(children: &Children, node_type: NodeType) -> Summary {
    let (mut phi, mut second, mut best) = (INFINITE, INFINITE, 0);
    let (mut sum, mut largest) = (0u32, 0);
    for (index, child) in children.iter().enumerate() {
        let unsettled = |sibling: u16| node_type.delta(&children[usize::from(sibling)].result) != 0;
        let child_phi = node_type.phi(&child.result);
        if child_phi != 0 && child.waits_for.is_some_and(unsettled) {
            continue;
        }
        if child_phi < phi {
            (second, phi, best) = (phi, child_phi, index);
        } else {
            second = second.min(child_phi);
        }
        let delta = node_type.delta(&child.result);
        if child.old {
            largest = largest.max(delta);
        } else {
            sum = sum.saturating_add(delta).min(INFINITE - 1);
        }
    }
    if phi == 0 {
        return Summary { phi, delta: INFINITE, best, second };
    }
    Summary { phi, delta: sum.max(largest), best, second }
}

/// The last child that drops a piece on the same square as this drop.
pub(super) fn drop_before(children: &Children, mv: Move) -> Option<u16> {
    let to = mv.is_drop().then(|| mv.to())?;
    let same = |child: &Child| child.mv.is_drop() && child.mv.to() == to;
    children.iter().rposition(same).map(|index| index as u16)
}

/// The child that makes the same move with promotion. Moves with promotion are generated first.
pub(super) fn promoting_twin(children: &Children, mv: Move) -> Option<u16> {
    let from = mv.from()?;
    let same = |child: &Child| child.mv.from() == Some(from) && child.mv.to() == mv.to();
    children.iter().rposition(same).map(|index| index as u16)
}
