//! The descent from the start to the most proving nodes.

use super::graph::{Graph, NodeId, START, UNPROVABLE};
use crate::shogi::{Move, Position};

/// A node to expand.
#[derive(Clone, Debug)]
pub struct Target {
    /// The node, or [`START`].
    pub node: NodeId,
    pub position: Position,
}

/// The end of a descent from the start.
enum Descent {
    Target(Target),
    /// A reply leads to a position that is already on the path.
    Loop {
        node: NodeId,
        index: usize,
        reply: usize,
    },
}

impl Graph {
    /// The next `count` nodes to expand: the descent follows the reply that seems hardest to answer and the attacker's
    /// move that seems easiest to prove. Empty if the start is proven or nothing is left to try.
    pub fn targets(&mut self, count: usize) -> Vec<Target> {
        if self.root.is_none() {
            return vec![Target { node: START, position: self.start().clone() }];
        }
        let mut targets: Vec<Target> = Vec::new();
        while targets.len() < count {
            let Some(target) = self.most_proving() else { break };
            if targets.iter().any(|other| other.node == target.node) {
                break;
            }
            // Make it look almost proven, so that the next descent finds another node.
            let node = &mut self.nodes[target.node as usize];
            node.proof = 1;
            let parents = node.parents.clone();
            targets.push(target);
            self.update(parents);
        }
        self.update(targets.iter().map(|target| target.node));
        targets
    }

    fn most_proving(&mut self) -> Option<Target> {
        loop {
            match self.descend()? {
                Descent::Target(target) => return Some(target),
                Descent::Loop { node, index, reply } => {
                    self.nodes[node as usize].tries[index].replies[reply].barred = true;
                    self.update([node]);
                }
            }
        }
    }

    fn descend(&self) -> Option<Descent> {
        if matches!(self.proof(), 0 | UNPROVABLE..) {
            return None;
        }
        let mut position = self.start().clone();
        let mut path: Vec<NodeId> = Vec::new();
        let (mut replies, mut from) = (self.root(), (START, 0));
        loop {
            let open = (0..replies.len()).filter(|&index| self.proof_after(&replies[index]) > 0);
            let hardest = open.max_by_key(|&index| self.proof_after(&replies[index]))?;
            let reply = &replies[hardest];
            let id = reply.node?;
            if path.contains(&id) {
                return Some(Descent::Loop { node: from.0, index: from.1, reply: hardest });
            }
            path.push(id);
            if let Some(mv) = reply.mv {
                position.play_unchecked(mv);
            }
            let node = self.node(id);
            let easiest = (0..node.tries.len()).min_by_key(|&index| self.proof_of(&node.tries[index].replies));
            match easiest.filter(|&index| self.proof_of(&node.tries[index].replies) <= node.rest) {
                Some(index) => {
                    position.play_unchecked(node.tries[index].mv);
                    (replies, from) = (&node.tries[index].replies[..], (id, index));
                }
                None => return Some(Descent::Target(Target { node: id, position })),
            }
        }
    }

    /// The moves from the start by which the next position to be expanded was reached first. Empty if the descent ends
    /// in a loop.
    pub fn line(&self) -> Vec<Move> {
        let Some(Descent::Target(Target { node, .. })) = self.descend() else { return Vec::new() };
        self.moves_to(node)
    }
}
