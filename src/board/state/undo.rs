//! Edits of the study, and undoing them.

use std::time::Duration;

use super::game_list::GameList;
use super::io::ClientId;
use super::study::{Deletion, Edit, Study};
use super::{Answer, Refusal, State};
use crate::board::messages::Message;
use crate::board::messages::text::Text;
use crate::record::{Header, NodeId};

/// The most edits that can be taken back.
const MOST_EDITS: usize = 1_000;

/// A comment that is changed again after a longer pause is another edit.
const WRITING_PAUSE: Duration = Duration::from_secs(5);

/// A comment without the arrows and circles at its end.
fn words(comment: &str) -> &str {
    comment.split("[%").next().unwrap_or_default().trim_end()
}

impl State {
    /// Notes an edit that was made. Those of a problem are lost with it.
    pub(super) fn edited(&mut self, edit: Edit) {
        if self.problem.is_some() {
            return;
        }
        let now = self.now.instant;
        let Study { record, edits, .. } = &mut self.study;
        // A comment is sent repeatedly while it is written.
        if let Edit::Comment(node, before) = &edit
            && let Some((time, Edit::Comment(last, _))) = edits.back_mut()
            && node == last
            && now.saturating_duration_since(*time) <= WRITING_PAUSE
            && words(before) != words(&record[*node].notes().comment)
        {
            *time = now;
            return;
        }
        edits.push_back((now, edit));
        if edits.len() > MOST_EDITS {
            edits.pop_front();
        }
    }

    /// Takes back the last edit, and goes to its place.
    pub(super) fn undo(&mut self, client: ClientId) -> Answer {
        let edited = self.study.edits.back().map(|&(time, _)| time);
        let deleted = self.games.as_ref().and_then(GameList::deleted_at);
        let dropped = self.dropped_problems.pop_if(|(time, _)| Some(*time) > edited.max(deleted));
        if dropped.is_none() {
            self.check_free()?;
        }
        if let Some((_, problem)) = dropped {
            self.problems.keep(problem);
            self.tell_hello();
            self.save();
        } else if deleted > edited {
            self.restore_chapter(None)?;
        } else {
            self.undo_last().or_else(|nothing| self.restore_chapter(None).map_err(|_| nothing))?;
        }
        self.reply(client, &Message::Notice { text: Text::new("undo.done") });
        Ok(())
    }

    fn undo_last(&mut self) -> Answer {
        let edit = loop {
            let (_, edit) = self.study.edits.pop_back().ok_or_else(|| Refusal::new("nothing-to-undo"))?;
            if edit.is_of(&self.study.record) {
                break edit;
            }
        };
        match edit {
            Edit::Added(node) => {
                let deletion = self.remove(node)?;
                let parent = deletion.branch.parent();
                // Deleted continuations that were restored can be restored again.
                if deletion.branch.places().count() > 1 {
                    self.edited(Edit::Deleted(deletion));
                }
                return self.undone(parent);
            }
            Edit::Deleted(deletion) => return self.put_back_deleted(vec![deletion]),
            Edit::Comment(node, before) => {
                self.study.record.set_comment(node, &before)?;
                self.node_changed(node);
                return self.undone(Some(node));
            }
            Edit::Mark(node, before) => {
                self.study.record.set_mark(node, before)?;
                self.node_changed(node);
                return self.undone(Some(node));
            }
            Edit::Header(before) => {
                let own = &mut self.study.record.header;
                let Header { players, event, site, round, date, time_controls, .. } = *before;
                (own.players, own.event, own.site, own.round) = (players, event, site, round);
                (own.date, own.time_controls) = (date, time_controls);
                self.header_changed();
            }
            Edit::Order(mut orders) => {
                orders.retain(|(parent, _)| self.study.record.get(*parent).is_some());
                let end = self.study.record.main_end();
                for (parent, order) in &orders {
                    self.study.record.reorder(*parent, order)?;
                }
                let parents: Vec<NodeId> = orders.into_iter().map(|(parent, _)| parent).collect();
                self.order_changed(&parents);
                self.end_was(end);
                self.end_is();
            }
        }
        self.undone(None)
    }

    fn undone(&mut self, place: Option<NodeId>) -> Answer {
        if let Some(node) = place.filter(|&node| node != self.study.cursor) {
            self.study.cursor = node;
            self.position_changed();
        }
        self.changed();
        Ok(())
    }

    pub(super) fn delete(&mut self, node: NodeId) -> Answer {
        self.check_free()?;
        let deletion = self.remove(node)?;
        self.edited(Edit::Deleted(deletion));
        self.changed();
        Ok(())
    }

    /// Restores the last deletions; later edits are kept.
    pub(super) fn undelete(&mut self) -> Answer {
        self.check_free()?;
        let is_deletion = |(_, edit): &(_, Edit)| matches!(edit, Edit::Deleted(_));
        let last = self.study.edits.iter().rposition(is_deletion).ok_or_else(|| Refusal::new("nothing-deleted"))?;
        let first =
            self.study.edits.iter().take(last).rposition(|edit| !is_deletion(edit)).map_or(0, |before| before + 1);
        let deleted = self.study.edits.drain(first..=last).filter_map(|(_, edit)| match edit {
            Edit::Deleted(deletion) => Some(deletion),
            _ => None,
        });
        let deleted = deleted.rev().collect();
        self.put_back_deleted(deleted)
    }

    /// Restores deletions, the last first.
    fn put_back_deleted(&mut self, deleted: Vec<Deletion>) -> Answer {
        deleted.into_iter().for_each(|deletion| self.graft(deletion));
        self.tell(&self.study_message());
        self.tell(&self.review_message());
        self.position_changed();
        self.changed();
        Ok(())
    }

    fn graft(&mut self, Deletion { branch, cursor, end }: Deletion) {
        let record = &mut self.study.record;
        let end_before = record.main_end();
        // Its parent may have been taken back in a game since.
        if record.graft(branch).is_err() {
            return;
        }
        if record.get(cursor).is_some() {
            self.study.cursor = cursor;
        }
        self.end_was(end_before);
        let record = &mut self.study.record;
        if let Some((node, end)) = end
            && !record.header.has_end()
            && node == record.main_end()
        {
            record.header.set_end(end);
        }
    }

    /// Deletes a move and what follows it.
    pub(super) fn remove(&mut self, node: NodeId) -> Result<Deletion, Refusal> {
        let record = &mut self.study.record;
        let parent = record.get(node).ok_or(crate::record::EditError::NoSuchNode)?.parent();
        let cursor = self.study.cursor;
        let last = record.main_end();
        let branch = record.detach(node)?;
        // The end of a game belongs to its last move.
        let lost_end = record.get(last).is_none() && record.header.has_end();
        let is_cursor_gone = record.get(cursor).is_none();
        self.tell(&Message::Removed { nodes: branch.places().collect() });
        if self.review.is_some() || self.study.review.is_some() {
            self.tell(&self.review_message());
        }
        let end = lost_end.then(|| (last, self.study.record.header.take_end()));
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
        Ok(Deletion { branch, cursor, end })
    }
}
