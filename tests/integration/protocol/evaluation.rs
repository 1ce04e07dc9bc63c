//! Which evaluation is used: `Evaluation` and `EvalFile`.

use std::path::Path;

use judkins::eval::nnue::{Network, QA, QB, SCALE};

use crate::common::Folder;

use super::driver::{PROMPT, Session};
use super::last_number;

/// The network's score for Black as `eval` shows it, the impasse included.
fn network_score(session: &mut Session) -> i64 {
    session.send("eval");
    session.send("isready");
    let lines = session.lines_until("readyok", PROMPT);
    let line = lines.iter().find_map(|line| line.text.strip_prefix("with the impasse term"));
    let score = line.and_then(|score| score.trim().parse().ok());
    score.unwrap_or_else(|| session.fail("'eval' does not show what the network says"))
}

/// The score of a search of one ply from the start position, with an empty table: the evaluation after a move.
fn searched_score(session: &mut Session) -> i64 {
    let (_, lines) = session.go("depth 1");
    session.check(last_number(&lines, "hashfull") == 0, "the table is empty");
    last_number(&lines, "cp")
}

#[test]
fn another_network_is_used_until_the_file_is_taken_back() {
    let folder = Folder::new();
    let (good, broken) = (folder.path("a network.net"), folder.path("broken.net"));
    // The same, but the side to move is a hundred pawns ahead.
    let (mut network, _) = Network::embedded();
    network.output_bias.iter_mut().for_each(|bias| *bias += 10_000 * QA * QB / SCALE);
    network.write(Path::new(&good), "for a test").unwrap();
    let bytes = std::fs::read(&good).unwrap();
    std::fs::write(&broken, &bytes[..bytes.len() - 1]).unwrap();

    let mut session = Session::ready("EvalFile");
    session.play("> setoption name USI_Hash value 1 \n = \n > position startpos");
    let built_in = (network_score(&mut session), searched_score(&mut session));
    session.play(&format!("> setoption name EvalFile value {good} \n ="));
    let other = (network_score(&mut session), searched_score(&mut session));
    session.check((other.0 - built_in.0 - 10_000).abs() <= 1, "the network in the file is used to judge positions");
    // The side to move at the end depends on the captures on the way.
    session.check((other.1 - built_in.1).abs() > 9_000, "and to search them");

    // A refused file changes nothing.
    session.play("> go depth 9 \n < bestmove");
    session.play(&format!("> setoption name EvalFile value {broken} \n ! truncated"));
    session.play("> setoption name EvalFile value /no/such/network \n ! /no/such/network");
    session.play("> setoption name EvalFile value / \n ! not a regular file");
    session.play("> setoption name EvalFile value /dev/zero \n ! not a regular file");
    let still = network_score(&mut session);
    session.check(still == other.0, "the network that was there stays");

    session.play("> setoption name EvalFile value \n =");
    let again = (network_score(&mut session), searched_score(&mut session));
    session.check(again == built_in, "the network built in is back");
    session.quit();
}

#[test]
fn the_evaluation_can_be_changed_between_searches() {
    let mut session = Session::ready("Evaluation");
    session.play("> setoption name USI_Hash value 1 \n = \n > position sfen 1b1sgk/5p/1n4/3p2/1S4/KG1NBR b R 1");
    let network = searched_score(&mut session);
    session.play("> go depth 9 \n < bestmove \n > setoption name Evaluation value handwritten \n =");
    let handwritten = searched_score(&mut session);
    session.check(network != handwritten, "the evaluations differ");
    session.play("> go depth 9 \n < bestmove \n > setoption name Evaluation value Network \n =");
    let again = searched_score(&mut session);
    session.check(network == again, "the network is back");
    session.play("> setoption name Evaluation value Stockfish \n ! Stockfish \n > go infinite");
    session.play("~ 50 \n > setoption name Evaluation value Handwritten \n < bestmove \n > go depth 3 \n < bestmove");
    session.quit();
}
