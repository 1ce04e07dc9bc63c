//! When the engine plays from its book, and which move.

use super::{Engine, Verdict};
use crate::book::{Choice, choose};
use crate::search::{Limits, Root};
use crate::shogi::zobrist::scatter;

impl Engine {
    /// The move of the book, if the engine plays from it now. A position that was on the board before is searched: the
    /// book would go round with the opponent.
    pub(super) fn book_move(&self, root: &Root, limits: &Limits) -> Option<Verdict> {
        let choice = self.book_choice(root).filter(|_| !limits.infinite)?;
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

    /// How a move of the book is chosen; none where the engine does not play from it.
    ///
    /// Below full strength it does so without being told, for as many plies as its level and with the margin that its
    /// choice among searched moves has. Half of these moves, by chance, it looks for by itself: a book knows few moves
    /// of a position, and a person would meet the same game again and again.
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
        // The lowest bit: the choice among moves depends on the upper ones.
        let is_own = skill.is_some() && scatter(seed) & 1 == 1;
        (!is_own).then_some(Choice { margin, seed })
    }
}
