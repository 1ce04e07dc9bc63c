//! Proof numbers: estimates of the effort to prove a position.

use std::collections::{HashMap, VecDeque};

use super::graph::{Graph, NodeId, Reply, UNPROVABLE};

/// The number of times a node's number is propagated after a change: in a cycle the numbers could grow without end.
const ROUNDS: u32 = 8;

impl Graph {
    /// The proof number of the start.
    pub fn proof(&self) -> u32 {
        self.root.as_ref().map_or(1, |replies| self.proof_of(replies))
    }

    /// The proof number of a move with these replies: the maximum of the replies' numbers plus one for each other open
    /// reply. A sum would count positions reached on several paths several times (weak proof-number search; Ueda et al.
    /// 2008).
    pub fn proof_of(&self, replies: &[Reply]) -> u32 {
        let (mut hardest, mut open) = (0, 0);
        for reply in replies {
            let proof = self.proof_after(reply);
            hardest = hardest.max(proof);
            open += u32::from(proof > 0);
        }
        (hardest + open.saturating_sub(1)).min(UNPROVABLE)
    }

    pub(super) fn proof_after(&self, reply: &Reply) -> u32 {
        match reply.node.map(|id| self.node(id).proof) {
            Some(0) => 0,
            Some(proof) if !reply.barred => proof,
            _ => UNPROVABLE,
        }
    }

    /// Gives a proven node its rank and proves all nodes that it covers. Returns their parents.
    pub(super) fn set_proven(&mut self, id: NodeId) -> Vec<NodeId> {
        let node = &mut self.nodes[id as usize];
        (node.proof, node.rank) = (0, self.proven);
        self.proven += 1;
        let (board, hand) = (node.board, node.hand);
        let mut parents = node.parents.to_vec();
        for other in self.by_board[&board].clone() {
            let other = &mut self.nodes[other as usize];
            if other.proof > 0 && other.hand.covers(hand) {
                (other.proof, other.covered_by, other.rank) = (0, Some(id), self.proven);
                self.proven += 1;
                parents.extend_from_slice(&other.parents);
            }
        }
        parents
    }

    /// Updates the proof numbers of some nodes and of all nodes that depend on them.
    pub(super) fn update(&mut self, ids: impl IntoIterator<Item = NodeId>) {
        let mut queue: VecDeque<NodeId> = ids.into_iter().collect();
        let mut rounds: HashMap<NodeId, u32> = HashMap::new();
        while let Some(id) = queue.pop_front() {
            let node = self.node(id);
            if node.proof == 0 {
                continue;
            }
            let proof = node.tries.iter().map(|one| self.proof_of(&one.replies)).fold(node.rest, u32::min);
            if proof == 0 {
                queue.extend(self.set_proven(id));
                continue;
            }
            let rounds = rounds.entry(id).or_default();
            // An unprovable node must be known as such: the descent would lead to it for ever.
            if proof == node.proof || *rounds >= ROUNDS && proof < UNPROVABLE {
                continue;
            }
            *rounds += 1;
            queue.extend(&node.parents);
            self.nodes[id as usize].proof = proof;
        }
    }

    /// Computes all numbers again from the estimates, without bars: a reply that leads back may have an answer now, and
    /// [`ROUNDS`] may have kept a number that is out of date.
    pub fn reset_numbers(&mut self) {
        for node in &mut self.nodes {
            node.tries.iter_mut().flat_map(|one| &mut one.replies).for_each(|reply| reply.barred = false);
            if node.proof > 0 {
                node.proof = node.rest;
            }
        }
        self.update(0..self.nodes.len() as NodeId);
    }
}
