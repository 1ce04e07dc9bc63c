//! Playing moves: incremental updates of board, hands and Zobrist key, which an observer can follow.

use super::{Bitboard, Color, Hand, Move, Piece, PieceKind, Position, Square, zobrist};

/// Observes the changes that a move makes to a position. It updates incremental state outside the position, such as a
/// network's accumulators, without a dependency of the position on it.
pub trait BoardObserver {
    /// A piece appears on a square.
    fn piece_added(&mut self, piece: Piece, square: Square);
    /// A piece leaves a square.
    fn piece_removed(&mut self, piece: Piece, square: Square);
    /// A player's count of a kind in hand changes by one.
    fn hand_changed(&mut self, color: Color, kind: PieceKind, from: u32, to: u32);
}

/// Ignores all changes.
impl BoardObserver for () {
    #[inline]
    fn piece_added(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn piece_removed(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn hand_changed(&mut self, _: Color, _: PieceKind, _: u32, _: u32) {}
}

/// The error for a move that is illegal in its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("illegal move {0}")]
pub struct IllegalMove(pub Move);

impl Position {
    /// Plays a move.
    ///
    /// # Panics
    /// If the move is not legal.
    pub fn play(&mut self, mv: Move) {
        if let Err(error) = self.try_play(mv) {
            panic!("{error} in {self}");
        }
    }

    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// [`IllegalMove`]: the position is unchanged.
    pub fn try_play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move without checking its legality. After an illegal move the position is invalid, and later calls may
    /// panic.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        self.play_observed(mv, &mut ());
    }

    /// As [`Position::play_unchecked`], and reports the changes to `observer`.
    #[inline]
    pub fn play_observed<O: BoardObserver>(&mut self, mv: Move, observer: &mut O) {
        let us = self.side;
        let to = mv.to();
        if let Some(from) = mv.from() {
            let moved = self.board[from.index()].expect("a move starts from a piece");
            if let Some(captured) = self.board[to.index()] {
                self.take_off(captured, to, observer);
                self.change_hand(us, captured.kind().unpromoted(), 1, observer);
            }
            self.take_off(moved, from, observer);
            let kind = mv.kind_after(moved.kind());
            self.put_on(Piece::new(us, kind), to, observer);
            if kind == PieceKind::King {
                self.kings[us.index()] = Some(to);
            }
        } else if let Some(kind) = mv.dropped() {
            self.change_hand(us, kind, -1, observer);
            self.put_on(Piece::new(us, kind), to, observer);
        }
        self.pass();
    }

    /// The position after a legal move, which is not checked: see [`Position::play_unchecked`].
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Position {
        let mut position = self.clone();
        position.play_unchecked(mv);
        position
    }

    /// The position after a legal line, which is not checked either.
    #[must_use]
    pub fn after_line(&self, line: &[Move]) -> Position {
        line.iter().fold(self.clone(), |position, &mv| position.after(mv))
    }

    /// The moves of a line from here before the first that is not legal.
    pub fn legal_prefix(&self, line: impl IntoIterator<Item = Move>) -> Vec<Move> {
        let mut position = self.clone();
        line.into_iter().take_while(|&mv| position.try_play(mv).is_ok()).collect()
    }

    /// The moves of a legal line from here, each with the position before it.
    pub fn walk(&self, line: impl IntoIterator<Item = Move>) -> impl Iterator<Item = (Position, Move)> {
        let mut position = self.clone();
        line.into_iter().map(move |mv| {
            let after = position.after(mv);
            (std::mem::replace(&mut position, after), mv)
        })
    }

    /// The key of the position after a legal move, without playing the move.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let us = self.side;
        let hand_step = |kind: PieceKind, by: i32| {
            let count = self.hand(us).count(kind);
            zobrist::hand(us, kind, count) ^ zobrist::hand(us, kind, count.wrapping_add_signed(by))
        };
        let hand = match mv.dropped() {
            Some(kind) => hand_step(kind, -1),
            None => self.piece_at(mv.to()).map_or(0, |captured| hand_step(captured.kind().unpromoted(), 1)),
        };
        self.board_key_after(self.key, mv) ^ hand
    }

    /// As [`Position::key_after`] for keys without hands. `board_key` is [`Position::board_key`], possibly XORed with a
    /// constant.
    #[inline]
    pub fn board_key_after(&self, board_key: u64, mv: Move) -> u64 {
        let us = self.side;
        let to = mv.to();
        let mut key = board_key ^ zobrist::white_to_move();
        if let Some((from, moved)) = mv.from().and_then(|from| Some((from, self.piece_at(from)?))) {
            let kind = mv.kind_after(moved.kind());
            key ^= zobrist::piece(moved, from) ^ zobrist::piece(Piece::new(us, kind), to);
            if let Some(captured) = self.piece_at(to) {
                key ^= zobrist::piece(captured, to);
            }
        } else if let Some(kind) = mv.dropped() {
            key ^= zobrist::piece(Piece::new(us, kind), to);
        }
        key
    }

    /// The mover's hand after a legal move.
    #[inline]
    pub fn hand_after(&self, mv: Move) -> Hand {
        let mut hand = self.hand(self.side);
        match mv.dropped() {
            Some(kind) => hand.remove(kind),
            None => {
                if let Some(captured) = self.piece_at(mv.to()) {
                    hand.add(captured.kind().unpromoted());
                }
            }
        }
        hand
    }

    /// Plays a null move: passes the turn. The side to move must not be in check.
    #[inline]
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check());
        self.pass();
    }

    #[inline]
    fn pass(&mut self) {
        self.side = !self.side;
        self.key ^= zobrist::white_to_move();
        self.move_number = self.move_number.saturating_add(1);
        self.find_checks_and_pins();
    }

    #[inline]
    fn put_on<O: BoardObserver>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.flip(piece, square);
        self.board[square.index()] = Some(piece);
        observer.piece_added(piece, square);
    }

    #[inline]
    fn take_off<O: BoardObserver>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.flip(piece, square);
        self.board[square.index()] = None;
        observer.piece_removed(piece, square);
    }

    #[inline]
    fn flip(&mut self, piece: Piece, square: Square) {
        self.colors[piece.color().index()] ^= Bitboard::of(square);
        self.kinds[piece.kind().index()] ^= Bitboard::of(square);
        self.key ^= zobrist::piece(piece, square);
    }

    #[inline]
    fn change_hand<O: BoardObserver>(&mut self, color: Color, kind: PieceKind, by: i32, observer: &mut O) {
        let hand = &mut self.hands[color.index()];
        let before = hand.count(kind);
        if by > 0 {
            hand.add(kind)
        } else {
            hand.remove(kind)
        }
        let after = hand.count(kind);
        self.key ^= zobrist::hand(color, kind, before) ^ zobrist::hand(color, kind, after);
        observer.hand_changed(color, kind, before, after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_hands_after_a_move_are_known_before_it() {
        for line in include_str!("../../tests/data/perft.epd").lines() {
            let position: Position = line.split(';').next().unwrap().parse().unwrap();
            for mv in position.legal_moves() {
                let after = position.after(mv);
                assert_eq!(position.key_after(mv), after.key(), "{mv} in {position}");
                let board_key = position.board_key_after(position.board_key(), mv);
                assert_eq!(board_key, after.board_key(), "{mv} in {position}");
                assert_eq!(position.hand_after(mv), after.hand(position.side), "{mv} in {position}");
            }
        }
    }
}
