//! The reasons why a piece cannot go somewhere.

use super::io::ClientId;
use super::{Answer, Refusal, State, view};
use crate::board::messages::Message;
use crate::board::messages::text::{Text, Value};
use crate::record::{EditError, NodeId};
use crate::shogi::attacks::attacks;
use crate::shogi::{Bitboard, Color, Piece, PieceKind, Position, Square};

/// If a piece has a reason at each square, the first of these explains why it cannot go anywhere. Each has a text for
/// all squares.
const ANYWHERE: [(&str, &str); 4] =
    [("pinned", "pinned"), ("unsafe", "trapped"), ("pawnMate", "pawnMate"), ("nifu", "noPawn")];

/// A reason as the key of its text, with the enemy pieces that would capture the king, and other squares that cause it.
struct Reason {
    key: &'static str,
    attackers: Bitboard,
    marks: Bitboard,
}

impl From<&'static str> for Reason {
    fn from(key: &'static str) -> Reason {
        Reason { key, attackers: Bitboard::EMPTY, marks: Bitboard::EMPTY }
    }
}

/// A piece that a user wants to move; without a square it is in hand.
struct Mover<'a> {
    position: &'a Position,
    piece: Piece,
    from: Option<Square>,
}

impl State {
    /// Answers why a piece, at a square or in the hand of a side, cannot go to a square, or anywhere.
    pub(super) fn say_why(
        &mut self,
        client: ClientId,
        id: u64,
        node: NodeId,
        (from, side): (&str, Option<Color>),
        to: Option<&str>,
    ) -> Answer {
        let nonsense = || Refusal::new("bad-message").with("error", "a piece is at a square, as 6e, or in hand, as P*");
        let record = &self.study.record;
        let position = record.position(node).ok_or(EditError::NoSuchNode)?;
        let to = to.map(str::parse::<Square>).transpose().map_err(|_| nonsense())?;
        let mover = match (from.strip_suffix('*'), side) {
            (Some(kind), Some(side)) => {
                let kind = kind.parse().ok().and_then(PieceKind::from_letter).ok_or_else(nonsense)?;
                Mover { position: &position, piece: Piece::new(side, kind), from: None }
            }
            _ => {
                let from: Square = from.parse().map_err(|_| nonsense())?;
                let piece = position.piece_at(from).ok_or_else(nonsense)?;
                Mover { position: &position, piece, from: Some(from) }
            }
        };
        let is_over = view::position(record, node).is_some_and(|view| view.legal.is_empty());
        let (text, squares) = match mover.refusal(is_over, to) {
            Some(reason) => mover.said(&reason),
            None => (Text::new("analysis.over"), Bitboard::EMPTY),
        };
        let squares = squares.into_iter().map(|square| square.to_string()).collect();
        self.reply(client, &Message::Why { id, text, squares });
        Ok(())
    }
}

impl Mover<'_> {
    /// The reason; none if the game is over.
    fn refusal(&self, is_over: bool, to: Option<Square>) -> Option<Reason> {
        let Mover { position, piece, from } = *self;
        if piece.color() != position.side_to_move() {
            return Some("other".into());
        }
        if from.is_none() && !position.hand(piece.color()).has(piece.kind()) {
            return Some("none".into());
        }
        if is_over {
            return None;
        }
        if let Some(to) = to {
            return Some(self.reason_at(to));
        }
        if position.in_check() && piece.kind() != PieceKind::King {
            return Some(Reason { key: "check", attackers: position.checkers(), marks: Bitboard::EMPTY });
        }
        let goals = from.map_or(Bitboard::ALL, |from| self.attacks(from, position.occupied()));
        let reasons: Vec<Reason> = goals.into_iter().map(|goal| self.reason_at(goal)).collect();
        let first = ANYWHERE.into_iter().find(|(key, _)| reasons.iter().any(|reason| reason.key == *key));
        let Some((at_each, key)) = first else { return Some("nowhere".into()) };
        let causes = reasons.iter().filter(|reason| reason.key == at_each);
        Some(causes.fold(key.into(), |all: Reason, reason| Reason {
            attackers: all.attackers | reason.attackers,
            marks: all.marks | reason.marks,
            ..all
        }))
    }

    /// The reason why the piece, which belongs to the side to move, cannot go to a square.
    fn reason_at(&self, to: Square) -> Reason {
        let Mover { position, piece, from } = *self;
        let (us, kind) = (piece.color(), piece.kind());
        let occupied = position.occupied();
        match from {
            None if occupied.has(to) => return "occupied".into(),
            None if self.attacks(to, Bitboard::EMPTY).is_empty() => return "stuck".into(),
            None => {
                let file = position.pieces(us, PieceKind::Pawn) & Bitboard::column(to.column());
                if kind == PieceKind::Pawn && file.any() {
                    return Reason { marks: file, ..Reason::from("nifu") };
                }
            }
            Some(_) if position.by_color(us).has(to) => return "own".into(),
            Some(from) if !self.attacks(from, occupied).has(to) => {
                return if self.attacks(from, Bitboard::EMPTY).has(to) { "blocked" } else { "move" }.into();
            }
            Some(_) => {}
        }
        let after = from.map_or(occupied, |from| occupied.without(from.into())) | to.into();
        let king = if kind == PieceKind::King { Some(to) } else { position.find_king(us) };
        let enemies = position.by_color(!us).without(to.into());
        let attackers = king.map_or(Bitboard::EMPTY, |king| position.attackers_to(king, after) & enemies);
        let key = match (attackers.any(), from) {
            (false, None) => return Reason { marks: king_of(position, !us), ..Reason::from("pawnMate") },
            (false, Some(_)) => return "move".into(),
            _ if kind == PieceKind::King => "unsafe",
            _ if (attackers & position.checkers()).any() => "check",
            _ => "pinned",
        };
        Reason { attackers, ..Reason::from(key) }
    }

    fn attacks(&self, from: Square, occupied: Bitboard) -> Bitboard {
        attacks(self.piece.kind(), self.piece.color(), from, occupied)
    }

    /// The words, in which attackers are named, and the squares that are the cause.
    fn said(&self, Reason { key, attackers, marks }: &Reason) -> (Text, Bitboard) {
        let position = self.position;
        let us = position.side_to_move();
        let named = |square: Square| {
            let piece = position.piece_at(square)?;
            Some(Text::new("refused.piece").with("piece", piece.kind()).with("square", square))
        };
        let text = Text::new(format!("refused.{key}"))
            .with("piece", self.piece.kind())
            .with("side", us)
            .with("owner", self.piece.color())
            .with("pieces", Value::List(attackers.into_iter().filter_map(named).collect()));
        let king = if attackers.any() { king_of(position, us) } else { Bitboard::EMPTY };
        (text, *attackers | *marks | king)
    }
}

fn king_of(position: &Position, color: Color) -> Bitboard {
    position.find_king(color).map_or(Bitboard::EMPTY, Bitboard::of)
}
