//! Records as people read them: in the manner of PGN, with Western moves, and as USI.

use std::fmt::Write;

use super::{GameRecord, Opening};
use crate::score::Score;
use crate::shogi::notation::western::{Style, to_western};
use crate::shogi::{Move, Position};

/// Lines of movetext are broken before this column.
const WIDTH: usize = 100;

/// The opening and the moves of a record.
fn game(record: &GameRecord) -> Result<(Opening, Vec<Move>), String> {
    let moves = record.moves.iter().map(|text| text.parse().map_err(|_| format!("'{text}' is not a move")));
    Ok((Opening::parse(&record.opening)?, moves.collect::<Result<_, _>>()?))
}

/// A game in the manner of PGN: tags, then Western moves, each of the engines' with score, depth and seconds.
///
/// Black moves first in shogi, and is named first; `1-0` is Black's win.
///
/// # Errors
/// What is wrong with the record: its opening or a move cannot be read, or is not legal.
pub fn pgn(record: &GameRecord) -> Result<String, String> {
    let (opening, moves) = game(record)?;
    let mut text = String::new();
    let of_pair = if record.game.is_multiple_of(2) { 2 } else { 1 };
    let mut round = format!("{}.{of_pair}", record.game.div_ceil(2));
    if record.replay > 0 {
        let _ = write!(round, ".{}", record.replay + 1);
    }
    let mut tag = |name: &str, value: &str| {
        let _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
    };
    tag("Event", &record.pairing().join(" against "));
    tag("Date", &record.date.get(..10).unwrap_or(&record.date).replace('-', "."));
    tag("Round", &round);
    tag("Black", &record.black.name);
    tag("White", &record.white.name);
    tag("Result", record.result.text());
    if !record.counts {
        tag("Counts", "no, it is played again");
    }
    tag("Variant", "judkins");
    if *opening.start() != Position::startpos() {
        tag("SFEN", &opening.start().to_string());
    }
    tag("BlackTimeControl", &record.black.limit);
    tag("WhiteTimeControl", &record.white.limit);
    tag("PlyCount", &record.plies().to_string());
    tag("Termination", &record.detail);
    text.push('\n');

    let mut words = Vec::new();
    let mut position = opening.start().clone();
    let first = position.side_to_move().index();
    let all = opening.moves().iter().copied().zip(std::iter::repeat(None));
    let all = all.chain(moves.into_iter().zip((0..record.moves.len()).map(Some)));
    for (ply, (mv, index)) in (first..).zip(all) {
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        } else if words.is_empty() {
            words.push("1. ...".to_owned());
        }
        if !position.is_legal(mv) {
            return Err(format!("'{mv}' is not legal"));
        }
        words.push(to_western(&position, mv, Style::Hodges));
        if let Some(index) = index {
            words.push(comment(record, index));
        }
        position.play(mv);
    }
    words.push(record.result.text().to_owned());
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        match column {
            0 => {}
            _ if column + 1 + length > WIDTH => {
                text.push('\n');
                column = 0;
            }
            _ => {
                text.push(' ');
                column += 1;
            }
        }
        text += &word;
        column += length;
    }
    text += "\n\n";
    Ok(text)
}

/// What an engine said of its move: `{+0.35/12 0.101s}`.
fn comment(record: &GameRecord, index: usize) -> String {
    let score = match record.scores[index] {
        Some(Score::Centipawns(score)) => format!("{:+.2}", f64::from(score) / 100.0),
        Some(Score::Mate(plies)) => format!("{}M{}", if plies < 0 { '-' } else { '+' }, plies.abs()),
        None => "?".to_owned(),
    };
    let depth = record.depths[index].map(|depth| format!("/{depth}")).unwrap_or_default();
    format!("{{{score}{depth} {:.3}s}}", record.times[index] / 1000.0)
}

/// A game in USI: who played and how it ended as a comment, then the line that `position` takes. So the text is a file of
/// openings, too.
pub fn usi(record: &GameRecord) -> String {
    let GameRecord { game, black, white, result, detail, opening, moves, .. } = record;
    let has_moves = opening.split(' ').any(|word| word == "moves");
    let moves = match moves.is_empty() {
        true => String::new(),
        false => format!("{} {}", if has_moves { "" } else { " moves" }, moves.join(" ")),
    };
    format!("# {game}. {} - {} {} {detail}\n{opening}{moves}\n", black.name, white.name, result.text())
}
