//! What is known of a game, in words.

use super::markup::text;
use crate::record::{Date, NodeId, Record};
use crate::review::{MoveMark, MoveReview, Review};
use crate::shogi::diagram::Pieces;
use crate::shogi::notation::japanese::to_japanese;
use crate::shogi::notation::western::{Style, to_western};
use crate::shogi::{Color, EndReason, GameScore, Handicap, Move, Position};

/// The word in the names of classes.
pub fn class(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// A move in Japanese notation, as markup; nothing where pieces are letters.
pub fn japanese(pieces: Pieces, position: &Position, mv: Move, previous: Option<Move>) -> String {
    match pieces {
        Pieces::Kanji => text(&to_japanese(position, mv, previous)).to_string(),
        Pieces::Letters => String::new(),
    }
}

/// A player's name; `Black` or `White` where there is none.
pub fn name(record: &Record, color: Color) -> String {
    record.header.player(color).map_or_else(|| color.to_string(), str::to_owned)
}

/// Event, round, place, date, handicap and time control, as far as they are known.
pub fn circumstances(record: &Record) -> Vec<String> {
    let header = &record.header;
    let known = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty() && text != "?");
    let mut facts = Vec::new();
    facts.extend(known(&header.event));
    facts.extend(known(&header.round).map(|round| format!("Round {round}")));
    facts.extend(known(&header.site));
    facts.extend(header.date.map(day));
    facts.extend(record.handicap().map(handicap));
    let [black, white] = &header.time_controls;
    match (known(black), known(white)) {
        (Some(black), Some(white)) if black == white => facts.push(black),
        (black, white) => {
            facts.extend(black.map(|time| format!("Black {time}")));
            facts.extend(white.map(|time| format!("White {time}")));
        }
    }
    facts
}

fn day(date: Date) -> String {
    date.day_only().to_string()
}

fn handicap(handicap: Handicap) -> String {
    match handicap {
        Handicap::Bishop => "Bishop handicap".to_owned(),
        Handicap::Rook => "Rook handicap".to_owned(),
        Handicap::TwoPieces => "Two-piece handicap".to_owned(),
    }
}

/// The result and its reason: those of the record, or else of the last position.
pub fn ending(record: &Record, review: &Review) -> (Option<GameScore>, Option<EndReason>) {
    let end = match review.moves.last() {
        Some(last) => MoveReview::result(last),
        None => record.game(NodeId::ROOT).and_then(|game| game.result()),
    };
    let header = &record.header;
    (header.result.or(end.map(|end| GameScore::from(end.winner))), header.reason.or(end.map(|end| end.reason)))
}

/// Who won and how, in a sentence without its full stop.
pub fn outcome(record: &Record, review: &Review) -> String {
    let (score, reason) = ending(record, review);
    match score.map(GameScore::winner) {
        Some(Some(winner)) => won(record, winner, reason),
        Some(None) => drawn(record, reason),
        None if reason == Some(EndReason::Interrupted) => "The game was broken off".to_owned(),
        None => "No result is known".to_owned(),
    }
}

fn won(record: &Record, winner: Color, reason: Option<EndReason>) -> String {
    let [winner, loser] = [winner, !winner].map(|color| name(record, color));
    match reason {
        Some(EndReason::Checkmate) => format!("{winner} won by checkmate"),
        Some(EndReason::NoLegalMove) => format!("{winner} won: {loser} had no legal move"),
        Some(EndReason::Resignation) => format!("{winner} won: {loser} resigned"),
        Some(EndReason::PerpetualCheck) => format!("{winner} won: {loser} gave perpetual check"),
        Some(EndReason::Impasse) => format!("{winner} won on points in an impasse"),
        Some(EndReason::Declaration) => format!("{winner} declared a win"),
        Some(EndReason::WrongDeclaration) => format!("{winner} won: {loser} declared a win wrongly"),
        Some(EndReason::Try) => format!("{winner} won by a try: the king reached the other king's start square"),
        Some(EndReason::IllegalMove) => format!("{winner} won: {loser} made an illegal move"),
        Some(EndReason::Time) => format!("{winner} won on time"),
        Some(EndReason::AdjudicatedWin) => format!("{winner} won by adjudication"),
        Some(reason) => format!("{winner} won: {reason}"),
        None => match &record.header.detail {
            Some(detail) => format!("{winner} won: {detail}"),
            None => format!("{winner} won"),
        },
    }
}

fn drawn(record: &Record, reason: Option<EndReason>) -> String {
    match reason {
        Some(EndReason::Sennichite) => "No contest: the same position came up four times".to_owned(),
        Some(EndReason::Impasse) => "No contest: an impasse in which both have enough points".to_owned(),
        Some(EndReason::AdjudicatedDraw) => "A draw by adjudication".to_owned(),
        Some(EndReason::MoveLimit) => "A draw: the game was too long".to_owned(),
        Some(reason) => format!("A draw: {reason}"),
        None => match &record.header.detail {
            Some(detail) => format!("A draw: {detail}"),
            None => "A draw".to_owned(),
        },
    }
}

/// Moves in Western notation, each with its player's sign: `▲P-6d △K-2b`.
pub fn line(start: &Position, moves: &[Move]) -> String {
    let mut position = start.clone();
    let mut words = Vec::new();
    for &mv in moves {
        words.push(format!("{}{}", position.side_to_move().sign(), to_western(&position, mv, Style::Hodges)));
        position.play(mv);
    }
    words.join(" ")
}

/// How many moves of a player have this mark.
pub fn marked(review: &Review, color: Color, mark: MoveMark) -> usize {
    review.moves.iter().filter(|mv| mv.color == color && mv.mark == Some(mark)).count()
}

/// The comment on a move, or on the start of the game.
pub fn comment(record: &Record, node: NodeId) -> Option<&str> {
    record.get(node).map(|node| node.notes().comment.trim()).filter(|comment| !comment.is_empty())
}
