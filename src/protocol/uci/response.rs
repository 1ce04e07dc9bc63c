//! Writes USI responses in the form of UCI, which counts mates in moves and has no resignation.

use std::fmt::Write;

use super::move_text;
use crate::protocol::usi::{BestMove, Checkmate, MAX_LINE, OptionKind, Response};
use crate::score::Score;
use crate::shogi::Move;

/// Writes a response in UCI, without a line feed.
///
/// UCI has neither resignation nor declaration: both are written `bestmove 0000`, as is the answer to a mate search
/// that found no mate.
pub fn text(response: &Response) -> String {
    match response {
        Response::UsiOk => "uciok".to_owned(),
        // UCI has no option type for file names.
        Response::Option { name, kind: OptionKind::Filename { default } } => {
            let kind = OptionKind::String { default: default.clone() };
            format!("option name {name} {kind}")
        }
        Response::Info(info) => {
            let mut plain = info.clone();
            let pv = std::mem::take(&mut plain.pv);
            if let Score::Mate(plies) = info.score {
                plain.score = Score::Mate(moves_to_mate(plies));
            }
            with_moves(plain.to_string(), &pv)
        }
        Response::BestMove(BestMove::Move { best, ponder }) => {
            let mut line = format!("bestmove {}", move_text(*best));
            if let Some(ponder) = ponder {
                let _ = write!(line, " ponder {}", move_text(*ponder));
            }
            line
        }
        Response::BestMove(BestMove::Resign | BestMove::Win) => "bestmove 0000".to_owned(),
        Response::Checkmate(Checkmate::Mate(moves)) if !moves.is_empty() => {
            let (plies, best) = (moves.len(), move_text(moves[0]));
            let score = moves_to_mate(plies as i32);
            let info = with_moves(format!("info depth {plies} seldepth {plies} score mate {score} pv"), moves);
            format!("{info}\nbestmove {best}")
        }
        Response::Checkmate(_) => "bestmove 0000".to_owned(),
        other => other.to_string(),
    }
}

/// Appends as many of the moves as fit in the line.
fn with_moves(mut line: String, moves: &[Move]) -> String {
    for &mv in moves {
        let mv = move_text(mv);
        if line.len() + mv.len() + 2 >= MAX_LINE {
            break;
        }
        line.push(' ');
        line += &mv;
    }
    line
}

/// The length of a mate in moves of the mating side, as in UCI; negative for the side that is mated.
pub fn moves_to_mate(plies: i32) -> i32 {
    if plies > 0 { (plies + 1) / 2 } else { plies / 2 }
}

/// The plies of a mate, given its length in moves of the mating side, as in UCI.
pub fn plies_to_mate(moves: i32) -> i32 {
    let plies = moves.saturating_mul(2);
    if moves > 0 { plies - 1 } else { plies }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::usi::Info;
    use crate::score::Bound;

    fn info(score: Score, pv: Vec<Move>) -> Response {
        Response::Info(Info {
            depth: 7,
            seldepth: 12,
            multipv: None,
            score,
            bound: Bound::Exact,
            nodes: 1234,
            nps: 56_789,
            hashfull: 5,
            time: 21,
            pv,
        })
    }

    #[test]
    fn responses_become_lines() {
        let mv = |text: &str| -> Move { text.parse().unwrap() };
        let pv = ["6e6d", "P*3c", "2f3e+"].map(mv).to_vec();
        let option = |name: &str, kind| Response::Option { name: name.to_owned(), kind };
        for (response, line) in [
            (Response::UsiOk, "uciok"),
            (Response::ReadyOk, "readyok"),
            (Response::Id { what: "name", text: "judkins".into() }, "id name judkins"),
            (
                option("Hash", OptionKind::Spin { default: 16, min: 1, max: 1024 }),
                "option name Hash type spin default 16 min 1 max 1024",
            ),
            (
                option("BookFile", OptionKind::Filename { default: String::new() }),
                "option name BookFile type string default <empty>",
            ),
            (
                info(Score::Centipawns(-33), pv.clone()),
                "info depth 7 seldepth 12 score cp -33 nodes 1234 nps 56789 hashfull 5 time 21 pv a2a3 P@d4 e1d2+",
            ),
            (
                info(Score::Mate(5), pv.clone()),
                "info depth 7 seldepth 12 score mate 3 nodes 1234 nps 56789 hashfull 5 time 21 pv a2a3 P@d4 e1d2+",
            ),
            (Response::BestMove(BestMove::Move { best: mv("6e6d"), ponder: None }), "bestmove a2a3"),
            (
                Response::BestMove(BestMove::Move { best: mv("6e6d"), ponder: Some(mv("1b1c")) }),
                "bestmove a2a3 ponder f5f4",
            ),
            (Response::BestMove(BestMove::Resign), "bestmove 0000"),
            (Response::BestMove(BestMove::Win), "bestmove 0000"),
            (
                Response::Checkmate(Checkmate::Mate(pv)),
                "info depth 3 seldepth 3 score mate 2 pv a2a3 P@d4 e1d2+\nbestmove a2a3",
            ),
            (Response::Checkmate(Checkmate::NoMate), "bestmove 0000"),
        ] {
            assert_eq!(text(&response), line);
        }
        for (plies, moves) in [(1, 1), (2, 1), (3, 2), (-2, -1), (-4, -2)] {
            assert_eq!(moves_to_mate(plies), moves);
        }
        for (moves, plies) in [(1, 1), (2, 3), (-1, -2), (0, 0), (i32::MIN, i32::MIN)] {
            assert_eq!(plies_to_mate(moves), plies);
        }
    }

    #[test]
    fn lines_are_as_long_as_they_may_be() {
        let long = info(Score::Centipawns(-33), vec!["2f3e+".parse().unwrap(); 1000]);
        // A move with its space takes six bytes, the line feed one.
        assert!((MAX_LINE - 7..MAX_LINE - 1).contains(&text(&long).len()));
    }
}
