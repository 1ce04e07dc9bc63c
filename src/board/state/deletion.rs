//! Moves that are deleted, and put back.

use super::{Answer, Refusal, State};
use crate::board::messages::Message;
use crate::record::{Branch, NodeId};
use crate::shogi::{EndReason, GameScore};

#[derive(Debug)]
pub struct Deletion {
    branch: Branch,
    cursor: NodeId,
    /// How the game ended, and its last move, if that is among them.
    end: Option<(NodeId, End)>,
    /// Nothing has changed between the deletion before and this one.
    follows: bool,
}

/// Result, reason and detail of the header.
type End = (Option<GameScore>, Option<EndReason>, Option<String>);

impl State {
    pub(super) fn delete(&mut self, node: NodeId) -> Answer {
        self.check_free()?;
        let follows = self.deletes_in_row;
        let deletion = self.remove(node)?;
        self.changed();
        self.deletions.push(Deletion { follows, ..deletion });
        self.deletes_in_row = true;
        Ok(())
    }

    /// Puts back what was deleted last, with what was deleted right before.
    pub(super) fn undelete(&mut self) -> Answer {
        self.check_free()?;
        let mut next = Some(self.deletions.pop().ok_or_else(|| Refusal::new("nothing-deleted"))?);
        while let Some(deletion) = next {
            next = if deletion.follows { self.deletions.pop() } else { None };
            self.graft(deletion);
        }
        let rev = self.next_rev();
        self.tell(&Message::Study(self.study.view(rev)));
        self.tell(&self.review_message());
        self.position_changed();
        self.changed();
        Ok(())
    }

    fn graft(&mut self, Deletion { branch, cursor, end, .. }: Deletion) {
        let record = &mut self.study.record;
        let end_before = record.main_end();
        // What it hung on may have been taken back in a game since.
        if record.graft(branch).is_err() {
            return;
        }
        if record.get(cursor).is_some() {
            self.study.cursor = cursor;
        }
        self.end_was(end_before);
        let record = &mut self.study.record;
        let is_open = record.header.result.is_none() && record.header.reason.is_none();
        if let Some((node, end)) = end
            && is_open
            && node == record.main_end()
        {
            let header = &mut record.header;
            (header.result, header.reason, header.detail) = end;
        }
    }

    /// Deletes a move and what follows it.
    pub(super) fn remove(&mut self, node: NodeId) -> Result<Deletion, Refusal> {
        let record = &mut self.study.record;
        let parent = record.get(node).ok_or(crate::record::EditError::NoSuchNode)?.parent();
        let cursor = self.study.cursor;
        let last = record.main_end();
        let branch = record.detach(node)?;
        let header = &record.header;
        // How the game ended belongs to its last move.
        let lost_end = record.get(last).is_none() && (header.result.is_some() || header.reason.is_some());
        let is_cursor_gone = record.get(cursor).is_none();
        let rev = self.next_rev();
        self.tell(&Message::Removed { rev, nodes: branch.places().collect() });
        if self.review.is_some() || self.study.review.is_some() {
            self.tell(&self.review_message());
        }
        let end = lost_end.then(|| {
            let header = &mut self.study.record.header;
            (last, (header.result.take(), header.reason.take(), header.detail.take()))
        });
        if lost_end {
            self.header_changed();
        }
        if let Some(parent) = parent {
            self.node_changed(parent);
            if is_cursor_gone {
                self.study.cursor = parent;
                self.position_changed();
            }
        }
        self.end_is();
        Ok(Deletion { branch, cursor, end, follows: false })
    }
}
