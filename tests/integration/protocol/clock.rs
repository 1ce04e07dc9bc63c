//! Searches that wait, and limits of time: pondering, `go infinite`, clocks.

use std::time::Instant;

use super::driver::{PROMPT, Session, play_all};
use super::{LATE, MATE_IN_1, millis};

#[test]
fn analysis_looks_for_a_shorter_mate() {
    let mut session = Session::ready("infinite where the solver's mate is not the shortest");
    session.play(
        "> position startpos moves 2f4d 3a2b 4f3e 2b3c 4d5e 5a6b 3e3d 3c2b 3f4d 6a5a 1f4f 2a3a 3d4c 5a5e+ 5f5e B*1c 6f5f \
         2b3c 4f4e 4a5c 4e2e 3c2d 4d3b+ 2d2e+ 3b2b 1c2b 6e6d R*3f R*4f 5c6e+ 5f6e 6b3e+ N*2c 1a2a 2c3a+ 2b3a 4c3b+ 2a3b \
         5e4e N*5c 6e5d S*4c 5d6c",
    );
    session.send("go infinite");
    let end = Instant::now() + 4 * PROMPT;
    let mut mates = Vec::new();
    while mates.len() < 2 || mates.last() >= mates.first() {
        let line = session.next(end).unwrap_or_else(|| session.fail(&format!("no shorter mate than in {mates:?}")));
        let mate =
            line.text.split_once(" score mate ").and_then(|(_, rest)| rest.split(' ').next()?.parse::<usize>().ok());
        session.check(mate.is_some() || mates.is_empty(), "no worse line is shown");
        mates.extend(mate);
    }
    session.play("> stop \n < bestmove");
    session.quit();
}

#[test]
fn infinite_and_ponder_wait() {
    play_all([
        ("infinite", "> go infinite\n~ 300\n> stop\n< bestmove"),
        ("infinite with a depth", "> go infinite depth 2\n~ 200\n> stop\n< bestmove"),
        ("infinite with a depth, the other way round", "> go depth 2 infinite\n~ 200\n> stop\n< bestmove"),
        ("infinite with nodes", "> go nodes 100 infinite\n~ 200\n> stop\n< bestmove"),
        ("infinite with a time", "> go movetime 50 infinite\n~ 250\n> stop\n< bestmove"),
        ("infinite with clocks", "> go btime 50 wtime 50 infinite\n~ 250\n> stop\n< bestmove"),
        ("infinite with one move", "> go infinite searchmoves 6e6d\n~ 150\n> stop\n< bestmove 6e6d"),
        ("infinite ended by gameover", "> go infinite\n~ 50\n> gameover draw\n< bestmove"),
        ("ponder", "> go ponder\n~ 200\n> stop\n< bestmove"),
        ("ponder with a depth", "> go ponder depth 2\n~ 200\n> ponderhit\n< bestmove"),
        ("ponder with nodes", "> go ponder nodes 100\n~ 200\n> ponderhit\n< bestmove"),
        ("ponder with a time", "> go ponder movetime 100\n~ 250\n> ponderhit\n< bestmove"),
        ("ponder with clocks", "> go ponder btime 300 wtime 300\n~ 400\n> ponderhit\n< bestmove"),
        ("ponder with clocks, the other way round", "> go btime 300 wtime 300 ponder\n~ 400\n> ponderhit\n< bestmove"),
        ("ponder with no time at all", "> go ponder btime 0 wtime 0\n~ 200\n> ponderhit\n< bestmove"),
        ("ponder stopped", "> go ponder btime 1000 wtime 1000\n~ 100\n> stop\n< bestmove"),
        ("ponder stopped, then hit", "> go ponder btime 1000 wtime 1000\n> stop\n< bestmove\n> ponderhit\n="),
        ("ponder hit twice", "> go ponder movetime 100\n> ponderhit\n> ponderhit\n< bestmove\n="),
        ("ponder hit, then stopped", "> go ponder btime 600000 wtime 600000\n> ponderhit\n> stop\n< bestmove\n="),
        ("ponder ended by gameover win", "> go ponder btime 1000 wtime 1000\n~ 50\n> gameover win\n< bestmove\n="),
        ("ponder ended by gameover without a result", "> go ponder\n~ 50\n> gameover\n? gameover\n< bestmove\n="),
        ("ponder ended by gameover lose", "> go ponder\n~ 50\n> gameover lose\n< bestmove\n="),
        ("ponder, isready, hit", "> go ponder movetime 50\n> isready\n< readyok\n~ 100\n> ponderhit\n< bestmove"),
        (
            "ponder, then the miss: stop, position, go",
            "> position startpos moves 6e6d 1b1c\n> go ponder btime 1000 wtime 1000\n~ 50\n> stop\n< bestmove\n\
             > position startpos moves 6e6d 1a2b\n> go btime 500 wtime 500\n< bestmove",
        ),
        (
            "ponder hit that ends a depth, then another go",
            "> go ponder depth 1\n> ponderhit\n< bestmove\n> go depth 1\n< bestmove",
        ),
        ("ponderhit does not end an infinite search", "> go infinite\n> ponderhit\n~ 150\n> stop\n< bestmove"),
        (
            "refused, and infinite",
            "> position startpos moves 1a1b\n! 1a1b\n> go infinite\n~ 100\n> stop\n< bestmove resign",
        ),
        (
            "refused, and ponder",
            "> position startpos moves 1a1b\n! 1a1b\n> go ponder\n~ 100\n> ponderhit\n< bestmove resign",
        ),
    ]);
}

#[test]
fn nothing_is_answered_before_the_least_time() {
    let mut session = Session::ready("MinimumThinkingTime");
    session.play("> setoption name MinimumThinkingTime value 400 \n = ");
    let only_move = "position sfen 5k/6/6/6/r5/K4r b - 1";
    for position in ["position startpos", only_move, &format!("position {MATE_IN_1}")] {
        session.send(position);
        let took = session.time_to_move("go btime 6000 wtime 6000");
        session.check(took >= millis(390), position);
    }
    session.play("> go btime 60000 wtime 60000 \n > stop \n < bestmove");
    let took = session.time_to_move("go movetime 50");
    session.check(took < millis(50) + LATE, "a fixed time is fixed");
    session.quit();
}

#[test]
fn a_ponder_hit_may_bring_new_clocks() {
    let mut session = Session::ready("clocks with ponderhit");
    session.play("> go ponder btime 600000 wtime 600000 \n ~ 100");
    let took = session.time_to_move("ponderhit btime 100 wtime 100");
    session.check(took < millis(100) + LATE, "the clock of the ponder hit counts");
    session.play("> go ponder btime 100 wtime 100 \n ~ 200");
    let took = session.time_to_move("ponderhit btime 0 wtime 0 byoyomi 1000");
    session.check(took > millis(200), "the byoyomi of the ponder hit counts");
    session.play("> go ponder movetime 300 \n ~ 400");
    let took = session.time_to_move("ponderhit");
    session.check(took > millis(100), "the time counts from the hit");
    session.play("> go ponder btime 500 wtime 500 \n > ponderhit btime abc foo \n < bestmove");
    // The clocks that are not given stay as they were.
    session.play("> go ponder btime 9000 wtime 9000 byoyomi 1000 \n ~ 100");
    let took = session.time_to_move("ponderhit btime 0 wtime 0");
    session.check(took > millis(200), "the byoyomi of the 'go' still counts");
    session.quit();
}

#[test]
fn limits_of_time_are_kept() {
    let mut session = Session::ready("limits of time");
    for (limits, limit, least) in [
        ("movetime 100", 100, 40),
        ("movetime 200", 200, 100),
        ("movetime 400", 400, 250),
        ("btime 0 wtime 0 byoyomi 300", 300, 250),
        ("btime 0 wtime 600000 byoyomi 100", 100, 70),
        ("btime 500 wtime 600000", 500, 0),
        ("btime 100 wtime 600000 binc 0 winc 60000", 100, 0),
        ("btime 200 wtime 200 binc 100 winc 100", 300, 0),
        ("btime 300 wtime 300 movestogo 1", 300, 0),
        ("btime 0 wtime 0", 0, 0),
        ("btime -100 wtime 600000", 0, 0),
    ] {
        session.play("> position startpos moves 6e6d 1b1c");
        let took = session.time_to_move(&format!("go {limits}"));
        session.check(took <= millis(limit) + LATE, &format!("{took:?} for '{limits}'"));
        session.check(took >= millis(least), &format!("only {took:?} for '{limits}'"));
    }
    session.play("> position startpos moves 6e6d");
    let took = session.time_to_move("go btime 600000 wtime 100");
    session.check(took <= millis(100) + LATE, "White's clock counts when White moves");
    session.quit();
}

/// `movestogo 0` was taken for 1, and three quarters of the clock were spent on a move.
#[test]
fn no_moves_to_go_are_none_that_were_named() {
    let mut session = Session::ready("movestogo without meaning");
    let clock = 8_000;
    for moves in
        ["movestogo 0", "movestogo -1", "movestogo x", "movestogo 0.7", "movestogo", "movetime 0", "byoyomi -9"]
    {
        session.play("> usinewgame \n > position startpos");
        let took = session.time_to_move(&format!("go btime {clock} wtime {clock} {moves}"));
        session.check(took < millis(clock / 2), &format!("{took:?} for '{moves}'"));
        session.check(took > millis(30), &format!("only {took:?} for '{moves}'"));
    }
    session.quit();
}

#[test]
fn a_game_is_played_within_its_clocks() {
    let mut session = Session::ready("40 plies on 1 s and 20 ms a move");
    let increment = millis(20);
    let mut clocks = [millis(1_000); 2];
    let mut moves = String::new();
    session.play("> usinewgame");
    for ply in 0..40 {
        session.play(&format!("> position startpos moves{moves}"));
        let [black, white] = clocks.map(|clock| clock.as_millis());
        let sent = session.send(&format!("go btime {black} wtime {white} binc 20 winc 20"));
        let best = session.expect("bestmove", PROMPT);
        let clock = &mut clocks[ply % 2];
        let (left, took) = (*clock + increment, best.at - sent);
        // A late answer is forgiven and not counted again: a busy machine is not the engine's fault.
        *clock = left.saturating_sub(took);
        session.check(took <= left + LATE, &format!("{took:?} at ply {ply}, where {left:?} are left"));
        let mv = best.text.split(' ').nth(1).expect("a move");
        if mv == "resign" {
            break;
        }
        moves = format!("{moves} {mv}");
    }
    session.quit();
}
