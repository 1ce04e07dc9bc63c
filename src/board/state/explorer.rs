//! The opening explorer: moves of the book, the library and the listed file at a node.

use super::io::ClientId;
use super::kept::place_key;
use super::{Refusal, State};
use crate::board::messages::{BookMoveView, ExploredMove, Message, Tally};
use crate::board::state::view;
use crate::book::BookMove;
use crate::record::{EditError, NodeId};
use crate::score::{Bound, Score};
use crate::shogi::{Move, Position};

/// The maximum number of plies looked up in the book, which may contain cycles.
const MOST_PLIES: usize = 60;

impl State {
    /// The key of a node, unless it is in a running game, where looking moves up is not allowed.
    pub(super) fn explored_key(&self, node: NodeId) -> Result<u64, Refusal> {
        self.check_free()?;
        let position = self.study.record.position(node).ok_or(EditError::NoSuchNode)?;
        Ok(place_key(&position))
    }

    /// Sends a page the known moves at a node, including the library's counts.
    pub(super) fn explored(&mut self, client: ClientId, id: u64, node: NodeId, counted: &[(Move, Tally)]) {
        let (Ok(_), Some(position)) = (self.explored_key(node), self.study.record.position(node)) else {
            return self.refuse(client, Some(id), EditError::NoSuchNode.into());
        };
        let previous = self.study.record.get(node).and_then(|node| node.mv());
        let mut moves: Vec<ExploredMove> = Vec::new();
        let mut entry = |mv: Move| -> Option<usize> {
            let known = moves.iter().position(|known| known.mv == mv);
            known.or_else(|| {
                let text = position.is_legal(mv).then(|| view::move_text(&position, mv, previous))?;
                moves.push(ExploredMove { mv, text, book: None, library: None, file: None });
                Some(moves.len() - 1)
            })
        };
        let book = self.book.moves(&position);
        let order: Vec<Option<usize>> = book.iter().map(|known| entry(known.mv)).collect();
        let counted: Vec<_> = counted.iter().map(|&(mv, tally)| (entry(mv), tally)).collect();
        let in_file = self.games.as_ref().map(|games| games.played_at(&position)).unwrap_or_default();
        let in_file: Vec<_> = in_file.into_iter().map(|(mv, tally)| (entry(mv), tally)).collect();
        for (known, index) in book.iter().zip(order) {
            index.into_iter().for_each(|index| moves[index].book = Some(self.book_move(&position, known)));
        }
        for (index, tally) in counted {
            index.into_iter().for_each(|index| moves[index].library = Some(tally));
        }
        for (index, tally) in in_file {
            index.into_iter().for_each(|index| moves[index].file = Some(tally));
        }
        self.reply(client, &Message::Explored { id, moves });
    }

    fn book_move(&self, position: &Position, known: &BookMove) -> BookMoveView {
        let score = |score: i32| view::score(Score::from(score), Bound::Exact, position.side_to_move());
        let next = |position: &Position| Some(position.after(self.book.moves(position).first()?.mv));
        let plies = std::iter::successors(Some(position.after(known.mv)), next).take(MOST_PLIES).count();
        BookMoveView { score: known.score.map(score), depth: known.depth, plies }
    }
}
