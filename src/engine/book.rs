//! The engine's use of its book: when it plays from it, and which move.

use super::{Engine, Verdict};
use crate::book::{Choice, choose};
use crate::search::{Limits, Root};
use crate::shogi::zobrist::scatter;

impl Engine {
    /// The book move to play, if there is one. The engine searches a position that has occurred before: the book would
    /// repeat it endlessly with the opponent.
    pub(super) fn book_move(&self, root: &Root, limits: &Limits) -> Option<Verdict> {
        let choice = self.book_choice(root)?;
        let position = &root.position;
        if root.history.repeats() {
            return None;
        }
        let book = self.book.as_ref()?;
        let mut moves = book.moves(position);
        moves.retain(|known| limits.searchmoves.is_empty() || limits.searchmoves.contains(&known.mv));
        let chosen = choose(&moves, choice)?;
        Some(Verdict::Move { best: chosen.mv, ponder: book.reply(position, &chosen) })
    }

    /// The choice of a book move; none if the engine does not use the book.
    ///
    /// Below full strength the engine uses the book by default, for as many plies as its level and with the margin of
    /// its choice among searched moves. Half of these moves, at random, it searches itself: a book has few moves for a
    /// position, and a person would meet the same game again and again.
    fn book_choice(&self, root: &Root) -> Option<Choice> {
        let skill = self.options.skill();
        if !self.options.own_book && skill.is_none() {
            return None;
        }
        let plies = skill.map_or(u32::MAX, |skill| skill.book_plies()).min(self.options.book_depth);
        if root.position.move_number() > plies {
            return None;
        }
        let margin = self.options.book_margin.max(skill.map_or(0, |skill| skill.margin()));
        let seed = root.position.key() ^ if self.options.book_seed == 0 { self.seed } else { self.options.book_seed };
        // Use the lowest bit: the choice among moves depends on the upper ones.
        let is_own = skill.is_some() && scatter(seed) & 1 == 1;
        (!is_own).then_some(Choice { margin, seed })
    }
}
