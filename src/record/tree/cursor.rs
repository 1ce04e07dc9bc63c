//! A cursor that plays moves along a record.

use super::{EditError, NodeId, Record};
use crate::shogi::{Move, Position};

/// A node in a record with its position: plays moves without replaying the game each time.
#[derive(Debug)]
pub struct Cursor<'a> {
    record: &'a mut Record,
    id: NodeId,
    position: Position,
}

impl Record {
    /// A cursor at a node, for playing moves one after the other.
    ///
    /// # Errors
    /// [`EditError`] if the node was deleted.
    pub fn cursor(&mut self, id: NodeId) -> Result<Cursor<'_>, EditError> {
        let position = self.position(id).ok_or(EditError::NoSuchNode)?;
        Ok(Cursor { record: self, id, position })
    }
}

impl Cursor<'_> {
    /// The position at the node.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The record, for adding annotations. It must not be replaced by another record, which would not match the
    /// position.
    pub(in crate::record) fn record_mut(&mut self) -> &mut Record {
        self.record
    }

    /// Plays a move and goes to its node.
    ///
    /// # Errors
    /// [`EditError::Illegal`]; nothing changes.
    pub fn play(&mut self, mv: Move) -> Result<NodeId, EditError> {
        self.record.node(self.id)?;
        self.position.try_play(mv)?;
        self.id = self.record.add(self.id, mv);
        Ok(self.id)
    }
}
