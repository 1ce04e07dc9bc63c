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
        // A move that is illegal here is left out.
        let mut note = |mv: Move, set: &dyn Fn(&mut ExploredMove)| {
            if let Some(known) = moves.iter_mut().find(|known| known.mv == mv) {
                set(known);
            } else if position.is_legal(mv) {
                let text = view::move_text(&position, mv, previous);
                let mut new = ExploredMove { mv, text, book: None, library: None, file: None };
                set(&mut new);
                moves.push(new);
            }
        };
        for known in self.book.moves(&position) {
            note(known.mv, &|explored| explored.book = Some(self.book_move(&position, &known)));
        }
        for &(mv, tally) in counted {
            note(mv, &|explored| explored.library = Some(tally));
        }
        for (mv, tally) in self.games.iter().flat_map(|games| games.played_at(&position)) {
            note(mv, &|explored| explored.file = Some(tally));
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
