//! The output of `judkins review --json`: moves, players and turning points of a game in one object.

use anyhow::Result;
use serde_json::{Value, json};

use judkins::record::Record;
use judkins::review::{End, PlayerSummary, Review};
use judkins::shogi::{Color, Move};

/// A review as JSON; the command's help documents it.
pub fn text(record: &Record, review: &Review) -> Result<String> {
    let usi = |moves: &[Move]| moves.iter().map(Move::to_string).collect::<Vec<_>>();
    let rounded = |value: f64| (value * 1e4).round() / 1e4 + 0.0;
    let moves: Vec<Value> = review
        .moves
        .iter()
        .map(|mv| {
            json!({
                "ply": mv.ply,
                "color": mv.color(),
                "usi": mv.mv.to_string(),
                "score": mv.after,
                "score_rule": mv.after_rule,
                "before": mv.before,
                "before_rule": mv.before_rule,
                "end": mv.end.as_ref().map(end),
                "chance": mv.chance_after().map(rounded),
                "chance_before": mv.chance_before().map(rounded),
                "best": mv.best.first().map(Move::to_string),
                "line": usi(&mv.best),
                "loss": mv.loss.map(rounded),
                "mark": mv.mark,
                "missed_mate": mv.missed_mate.as_ref().map(Vec::len),
                "missed_mate_line": mv.missed_mate.as_deref().map(usi),
                "missed_declaration": mv.missed_declaration,
            })
        })
        .collect();
    let player = |color: Color| {
        let PlayerSummary {
            moves,
            loss,
            accuracy,
            best,
            inaccuracies,
            mistakes,
            blunders,
            missed_mates,
            missed_declarations,
        } = review.players[color.index()];
        json!({
            "name": record.header.player(color),
            "moves": moves,
            "loss": (moves > 0).then(|| rounded(loss)),
            "accuracy": (moves > 0).then(|| rounded(accuracy)),
            "best": best,
            "inaccuracies": inaccuracies,
            "mistakes": mistakes,
            "blunders": blunders,
            "missed_mates": missed_mates,
            "missed_declarations": missed_declarations,
        })
    };
    let value = json!({
        "moves": moves,
        "players": { "black": player(Color::Black), "white": player(Color::White) },
        "turning_points": review.turning_points.iter().map(|&index| review.moves[index].ply).collect::<Vec<_>>(),
        "complete": review.complete,
    });
    Ok(serde_json::to_string(&value)?)
}

fn end(End { result, played_on }: &End) -> Value {
    json!({
        "reason": result.reason,
        "winner": result.winner,
        "points": result.points.map(|count| count.points),
        "played_on": played_on,
    })
}
