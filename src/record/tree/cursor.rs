//! A cursor that plays moves along a record.

use std::time::Duration;

use super::{EditError, Evaluation, NodeId, Record};
use crate::shogi::{IllegalMove, Move, Position};

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
    /// The node.
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// The position at the node.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The record.
    pub fn record(&self) -> &Record {
        self.record
    }

    /// The record, for adding annotations. It must not be replaced by another record, which would not match the
    /// position.
    pub(in crate::record) fn record_mut(&mut self) -> &mut Record {
        self.record
    }

    /// Sets a program's evaluation of the move to this node, as [`Record::set_evaluation`] does.
    ///
    /// # Errors
    /// [`EditError`] at the start, or if the evaluation's line is not legal.
    pub fn set_evaluation(&mut self, evaluation: Option<Evaluation>) -> Result<(), EditError> {
        self.record.set_evaluation(self.id, evaluation)
    }

    /// Sets the thinking time of the move to this node.
    ///
    /// # Errors
    /// [`EditError::IsRoot`] at the start.
    pub fn set_time(&mut self, time: Option<Duration>) -> Result<(), EditError> {
        self.record.set_time(self.id, time)
    }

    /// Plays a move and stays before it: the next move is a variation of it.
    ///
    /// # Errors
    /// [`EditError::Illegal`]; nothing changes.
    pub fn branch(&mut self, mv: Move) -> Result<NodeId, EditError> {
        self.record.node(self.id)?;
        if !self.position.is_legal(mv) {
            return Err(IllegalMove(mv).into());
        }
        Ok(self.record.add(self.id, mv))
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
