//! Detaching branches from a tree, and grafting them back.

use std::collections::HashMap;

use smallvec::SmallVec;

use super::{EditError, Node, NodeId, Record};

/// A move detached from a tree with all moves after it: [`Record::detach`].
#[derive(Clone, Debug)]
pub struct Branch {
    /// The number of siblings before it.
    order: usize,
    /// Each node before its descendants.
    nodes: Vec<(NodeId, Node)>,
}

impl Branch {
    /// The node to which it was attached.
    pub fn parent(&self) -> Option<NodeId> {
        self.nodes.first().and_then(|(_, node)| node.parent)
    }

    /// The detached nodes.
    pub fn places(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes.iter().map(|(id, _)| *id)
    }
}

impl Record {
    /// As [`Record::delete`], but the branch can be [grafted back](Record::graft).
    ///
    /// # Errors
    /// [`EditError`] if it is the start or was deleted already.
    pub fn detach(&mut self, id: NodeId) -> Result<Branch, EditError> {
        let parent = self.node(id)?.parent.ok_or(EditError::IsRoot)?;
        let siblings = &mut self.node_mut(parent)?.children;
        let order = siblings.iter().position(|child| *child == id).unwrap_or(siblings.len());
        siblings.retain(|child| *child != id);
        let mut nodes = Vec::new();
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            if let Some(node) = self.nodes[id.index()].take() {
                waiting.extend(node.children.iter().rev());
                nodes.push((id, node));
            }
        }
        Ok(Branch { order, nodes })
    }

    /// Attaches a branch of this record at its old position. A move that has been played again keeps its node, gets the
    /// branch's continuations, and the notes that it lacks; both comments are kept.
    ///
    /// # Errors
    /// [`EditError::NoSuchNode`] if the node before it was deleted.
    pub fn graft(&mut self, branch: Branch) -> Result<(), EditError> {
        let Branch { order, nodes } = branch;
        // The nodes of moves that have been played again.
        let mut again: HashMap<NodeId, NodeId> = HashMap::new();
        for (index, (id, node)) in nodes.into_iter().enumerate() {
            let Node { mv: Some(mv), parent: Some(parent), notes, .. } = node else { continue };
            let parent = again.get(&parent).copied().unwrap_or(parent);
            self.node(parent)?;
            if let Some(same) = self.child(parent, mv) {
                again.insert(id, same);
                self.note(same, |own| own.merge(notes.map(|notes| *notes).unwrap_or_default()))?;
                continue;
            }
            let place = self.nodes.get_mut(id.index()).ok_or(EditError::NoSuchNode)?;
            *place = Some(Node { mv: Some(mv), parent: Some(parent), children: SmallVec::new(), notes });
            let siblings = &mut self.node_mut(parent)?.children;
            let order = if index == 0 { order.min(siblings.len()) } else { siblings.len() };
            siblings.insert(order, id);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{moves, tree};
    use super::*;
    use crate::record::Mark;

    #[test]
    fn detached_branches_return_to_their_places() {
        let (mut record, ids) = tree();
        let whole = record.clone();
        let children = |record: &Record| record[ids[0]].children().to_vec();
        let cuts = [ids[2], ids[1], ids[4]].map(|id| record.detach(id).unwrap());
        assert_eq!(cuts[0].places().collect::<Vec<_>>(), [ids[2], ids[3]]);
        assert_eq!(record.len(), 2);
        for cut in cuts.into_iter().rev() {
            record.graft(cut).unwrap();
        }
        assert_eq!(record, whole);
        assert_eq!(children(&record), [ids[1], ids[4], ids[6]]);
        // A move that has been played again gets its old continuations.
        record.set_comment(ids[1], "before").unwrap();
        record.set_mark(ids[1], Some(Mark::Good)).unwrap();
        let cut = record.detach(ids[1]).unwrap();
        let again = record.play(ids[0], "1b1c".parse().unwrap()).unwrap();
        record.set_comment(again, "after").unwrap();
        record.graft(cut).unwrap();
        assert_eq!((&*record[again].notes().comment, record[again].notes().mark), ("after\nbefore", Some(Mark::Good)));
        assert_eq!(children(&record), [ids[4], ids[6], again]);
        assert_eq!(moves(&record, ids[3]), "6e6d 1b1c 5f5e 2a2b");
        assert_eq!(record.len(), whole.len());
        // The continuation of a deleted move cannot be attached.
        let cut = record.detach(ids[3]).unwrap();
        record.delete(ids[0]).unwrap();
        assert_eq!(record.graft(cut), Err(EditError::NoSuchNode));
    }
}
