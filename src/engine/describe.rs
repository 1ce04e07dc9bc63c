//! Positions described to people: for `d`, `eval` and `judkins show`.

use std::fmt::Write;

use crate::eval::{self, Context};
use crate::shogi::diagram::{self, Pieces};
use crate::shogi::{Color, Game, ImpasseRule, PointCount, Position};

/// The board, the SFEN, and how the game stands.
pub fn describe_game(game: &Game, pieces: Pieces) -> String {
    let position = game.position();
    let mut text = diagram::draw(position, pieces);
    // Writing to a string does not fail.
    let _ = writeln!(text, "SFEN: {position}");
    let _ = writeln!(text, "Key: {:016x}", position.key());
    let _ = match game.result() {
        Some(result) => writeln!(text, "The game is over. {result}"),
        None => writeln!(text, "Legal moves: {}", position.count_legal_moves()),
    };
    text
}

/// What the evaluation sees, term by term, in centipawns.
pub fn describe_evaluation(position: &Position, impasse_rule: ImpasseRule) -> String {
    let terms = eval::terms(position, &Context { impasse_rule });
    let mut text = format!("{:<14}{:>8}{:>8}{:>8}\n", "centipawns", "Black", "White", "sum");
    for (name, [black, white]) in terms.named() {
        let _ = writeln!(text, "{name:<14}{black:>8}{white:>8}{:>+8}", black - white);
    }
    let _ = writeln!(text, "{:<14}{:>24}", "for Black", format!("{:+}", terms.total(Color::Black)));
    let PointCount { points: [black, white] } = PointCount::of(position);
    let _ = writeln!(text, "impasse points: Black {black}, White {white} (rule: {impasse_rule})");
    text
}
