//! Readable descriptions of positions: `d`, `eval` and `judkins show`.

use std::fmt::Write;

use crate::eval::handwritten;
use crate::eval::nnue::{Inference, Perspective};
use crate::shogi::diagram::{self, Pieces};
use crate::shogi::{BOARD_SIZE, Color, Game, ImpasseRule, PieceKind, PointCount, Position, Square};

/// The board, the SFEN, the key, and the legal moves or the result of the game.
pub fn describe_game(game: &Game, pieces: Pieces) -> String {
    let position = game.position();
    let mut text = diagram::draw(position, pieces);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "SFEN: {position}");
    let _ = writeln!(text, "Key: {:016x}", position.key());
    let _ = match game.result() {
        Some(result) => writeln!(text, "The game is over. {result}"),
        None => writeln!(text, "Legal moves: {}", position.count_legal_moves()),
    };
    text
}

/// The evaluations of a position, in centipawns: the hand-written one by terms, the network by the contribution of each
/// piece.
pub fn describe_evaluation(position: &Position, impasse_rule: ImpasseRule, network: &Inference) -> String {
    let terms = handwritten::terms(position, impasse_rule);
    let mut text = format!("{:<14}{:>8}{:>8}{:>8}\n", "hand-written", "Black", "White", "sum");
    for (name, [black, white]) in terms.named() {
        let _ = writeln!(text, "{name:<14}{black:>8}{white:>8}{:>+8}", black - white);
    }
    let _ = writeln!(text, "{:<14}{:>24}", "for Black", format!("{:+}", terms.total(Color::Black)));
    let PointCount { points: [black, white] } = PointCount::of(position);
    let _ = writeln!(text, "impasse points: Black {black}, White {white} (rule: {impasse_rule})\n");

    let score = network.evaluate(position);
    let [black, white] = terms.impasse;
    let _ = writeln!(text, "network, and what would be missing without each piece:");
    text.push_str(&contributions(position, network));
    let _ = writeln!(text, "{:<24}{score:>+8}", format!("for {}, to move", position.side_to_move()));
    let _ = writeln!(text, "{:<24}{:>+8}", "for Black", for_black(position, score));
    let _ = writeln!(text, "{:<24}{:>+8}", "with the impasse term", for_black(position, score) + black - white);
    text
}

fn for_black(position: &Position, score: i32) -> i32 {
    position.side_to_move().relative(score)
}

/// The board and the hands, with each piece's contribution to Black's score by the network.
fn contributions(position: &Position, network: &Inference) -> String {
    let score = network.evaluate(position);
    let missing = |input: &dyn Fn(Perspective) -> usize| {
        for_black(position, score - network.evaluate_without(position, |perspective| Some(input(perspective))))
    };
    let mut text = String::new();
    for row in 0..BOARD_SIZE {
        let [mut letters, mut values] = [String::new(), String::new()];
        for square in (0..BOARD_SIZE).map(|column| Square::at(column, row)) {
            let piece = position.piece_at(square);
            let letter = piece.map_or(".".to_owned(), |piece| piece.to_string());
            // A position without a king cannot be evaluated.
            let counted = piece.filter(|piece| piece.kind() != PieceKind::King);
            let value = counted.map(|piece| format!("{:+}", missing(&|perspective| perspective.piece(piece, square))));
            let _ = write!(letters, "{letter:>7}");
            let _ = write!(values, "{:>7}", value.unwrap_or_default());
        }
        let _ = writeln!(text, "{letters}\n{}", values.trim_end());
    }
    for owner in Color::ALL {
        let held = position.hand(owner).iter().map(|(kind, count)| {
            let value = missing(&|perspective| perspective.in_hand(owner, kind, count));
            format!("{}{} {value:+}", if count > 1 { "the second " } else { "" }, kind.letter())
        });
        let held: Vec<_> = held.collect();
        if !held.is_empty() {
            let _ = writeln!(text, "{owner} holds {}", held.join(", "));
        }
    }
    text
}
