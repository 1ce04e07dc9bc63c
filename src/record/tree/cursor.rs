//! A walk along a record that plays moves.

use std::time::Duration;

use super::{EditError, Evaluation, NodeId, Record};
use crate::shogi::{IllegalMove, Move, Position};

/// A place in a record, and the position there: plays moves without starting from the beginning each time.
#[derive(Debug)]
pub struct Cursor<'a> {
    record: &'a mut Record,
    id: NodeId,
    position: Position,
}

impl Record {
    /// A place from which moves can be played one after the other.
    ///
    /// # Errors
    /// [`EditError`] if the place is gone.
    pub fn cursor(&mut self, id: NodeId) -> Result<Cursor<'_>, EditError> {
        let position = self.position(id).ok_or(EditError::NoSuchNode)?;
        Ok(Cursor { record: self, id, position })
    }
}

impl Cursor<'_> {
    /// The place.
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// The position there.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The record.
    pub fn record(&self) -> &Record {
        self.record
    }

    /// The record, to note something at a place. Another record in its stead would not fit the position.
    pub(in crate::record) fn record_mut(&mut self) -> &mut Record {
        self.record
    }

    /// Sets what a program said of the move that leads here, as [`Record::set_evaluation`] does.
    ///
    /// # Errors
    /// [`EditError`] at the start, or if the evaluation's line is not legal.
    pub fn set_evaluation(&mut self, evaluation: Option<Evaluation>) -> Result<(), EditError> {
        self.record.set_evaluation(self.id, evaluation)
    }

    /// Sets the time that the move which leads here took.
    ///
    /// # Errors
    /// [`EditError::IsRoot`] at the start.
    pub fn set_time(&mut self, time: Option<Duration>) -> Result<(), EditError> {
        self.record.set_time(self.id, time)
    }

    /// Plays a move, and stays before it: what is played next is a variation of it.
    ///
    /// # Errors
    /// [`EditError::Illegal`], and nothing is changed.
    pub fn branch(&mut self, mv: Move) -> Result<NodeId, EditError> {
        self.record.node(self.id)?;
        if !self.position.is_legal(mv) {
            return Err(IllegalMove(mv).into());
        }
        Ok(self.record.add(self.id, mv))
    }

    /// Plays a move, and goes where it leads.
    ///
    /// # Errors
    /// [`EditError::Illegal`], and nothing is changed.
    pub fn play(&mut self, mv: Move) -> Result<NodeId, EditError> {
        self.record.node(self.id)?;
        self.position.try_play(mv)?;
        self.id = self.record.add(self.id, mv);
        Ok(self.id)
    }
}
