//! Commands at unusual moments: before the handshake, while searching, all at once.

use std::thread;
use std::time::Duration;

use super::driver::{PROMPT, Session, play_all, play_in_turn};
use super::{expect_shown, millis};

#[test]
fn handshake_and_order() {
    play_all([
        ("isready is answered without usi", "> isready \n < readyok"),
        ("isready three times", "> isready \n > isready \n > isready \n < readyok \n < readyok \n < readyok"),
        ("usinewgame without isready", "> usinewgame \n > position startpos \n > go depth 2 \n < bestmove"),
        (
            "usinewgame with isready",
            "> usi \n << usiok \n > usinewgame \n > isready \n < readyok \n > go depth 2 \n < bestmove",
        ),
        (
            "isready while searching does not end it",
            "> go infinite \n > isready \n < readyok \n ~ 150 \n > stop \n < bestmove",
        ),
        ("usi while searching is answered", "> go infinite \n > usi \n << usiok \n > stop \n << bestmove"),
        ("stop while idle says nothing", "> stop \n = \n > stop \n > stop \n ="),
        ("ponderhit while idle says nothing", "> ponderhit \n ="),
        ("gameover while idle says nothing", "> gameover win \n = \n > gameover lose \n = \n > gameover draw \n ="),
        ("stop after the answer says nothing", "> go depth 2 \n < bestmove \n > stop \n ="),
        ("quit before anything", "> quit \n exit"),
        ("quit after usi", "> usi \n << usiok \n > quit \n exit"),
        ("end of input before anything", "close \n exit"),
        ("end of input while idle", "> usi \n << usiok \n > isready \n < readyok \n close \n exit"),
        ("quit while searching", "> go infinite \n ~ 50 \n > quit \n exit"),
        (
            "quit while searching, with more threads",
            "> setoption name Threads value 4 \n > go infinite \n ~ 50 \n > quit \n exit",
        ),
        ("quit while pondering", "> go ponder btime 60000 wtime 60000 \n ~ 50 \n > quit \n exit"),
        ("quit while looking for mate", "> go mate infinite \n > quit \n exit"),
        ("quit at the same time as go", "> go movetime 60000 \n > quit \n exit"),
        ("end of input while searching", "> go infinite \n ~ 50 \n close \n exit"),
        ("end of input while searching to a depth", "> go depth 60 \n close \n exit"),
        ("end of input while pondering", "> go ponder \n ~ 20 \n close \n exit"),
        ("quit after stop", "> go infinite \n > stop \n > quit \n exit"),
        ("lines after quit are not read", "> quit \n > usi \n exit"),
    ]);
}

#[test]
fn commands_while_searching() {
    play_in_turn([
        // The first search of a process begins with its threads and tables.
        ("stop at once", "> go infinite\n> stop\n< bestmove\n="),
        ("stop", "> go infinite\n~ 50\n> stop\n< bestmove\n="),
        ("stop twice answers once", "> go infinite\n> stop\n> stop\n< bestmove\n=\n~ 50"),
        ("stop five times", "> go infinite\n~ 20\n> stop\n> stop\n> stop\n> stop\n> stop\n< bestmove\n=\n~ 50"),
        (
            "position ends the search, then counts",
            "> go infinite\n> position startpos moves 6e6d\n< bestmove\n=\n> go depth 2\n< bestmove",
        ),
        (
            "a bad position ends the search, then is refused",
            "> go infinite\n> position startpos moves 6e6c\n< bestmove\n! 6e6c\n> go depth 2\n< bestmove resign",
        ),
        ("setoption ends the search", "> go infinite\n> setoption name SlowMover value 100\n< bestmove\n="),
        (
            "a bad setoption ends the search, then is refused",
            "> go infinite\n> setoption name USI_Hash value abc\n< bestmove\n! abc\n=",
        ),
        ("a new hash size", "> go infinite\n> setoption name USI_Hash value 8\n< bestmove\n> go depth 3\n< bestmove"),
        (
            "new threads",
            "> go infinite\n> setoption name Threads value 3\n< bestmove\n> go depth 3\n< bestmove\n\
             > setoption name Threads value 1",
        ),
        (
            "usinewgame ends the search",
            "> go infinite\n> usinewgame\n< bestmove\n=\n> position startpos\n> go depth 2\n< bestmove",
        ),
        ("go ends the search", "> go infinite\n> go depth 2\n< bestmove\n< bestmove"),
        ("go infinite ends go infinite", "> go infinite\n> go infinite\n< bestmove\n~ 100\n> stop\n< bestmove"),
        ("go ends pondering", "> go ponder\n> go depth 2\n< bestmove\n< bestmove"),
        ("position ends pondering", "> go ponder btime 900 wtime 900\n> position startpos\n< bestmove\n="),
        ("setoption ends pondering", "> go ponder\n> setoption name USI_Ponder value true\n< bestmove\n="),
        ("go mate ends the search", "> go infinite\n> go mate 100\n< bestmove\n<< checkmate"),
        ("go ends the search for mate", "> go mate infinite\n> go depth 1\n<< checkmate\n< bestmove"),
        ("position ends the search for mate", "> go mate infinite\n> position startpos moves 6e6d\n<< checkmate\n="),
        ("gameover ends the search", "> go movetime 60000\n> gameover lose\n< bestmove\n="),
        ("gameover, then stop", "> go infinite\n> gameover win\n> stop\n< bestmove\n="),
        ("an unknown command does not end the search", "> go infinite\n> foo\n? foo\n~ 100\n> stop\n< bestmove"),
        ("an empty line does not end the search", "> go infinite\n>\n~ 100\n> stop\n< bestmove"),
        (
            "ten searches, each ended by the next",
            "> go infinite\n> go infinite\n> go infinite\n> go infinite\n> go infinite\n> go infinite\n> go infinite\n\
             > go infinite\n> go infinite\n> go depth 1\n< bestmove\n< bestmove\n< bestmove\n< bestmove\n< bestmove\n\
             < bestmove\n< bestmove\n< bestmove\n< bestmove\n< bestmove",
        ),
    ]);
}

#[test]
fn an_option_set_while_searching_holds_for_the_next_search() {
    let mut session = Session::ready("setoption while searching");
    session.play("> go infinite \n > setoption name USI_MultiPV value 2 \n < bestmove");
    expect_shown(&mut session, 2, "the option is set");
    session.quit();
}

#[test]
fn two_hundred_quick_pairs_of_go_and_stop() {
    let mut session = Session::ready("200 quick pairs");
    for (go, stop) in [
        ("go infinite", "stop"),
        ("go", "stop"),
        ("go depth 1", "stop"),
        ("go ponder btime 1000 wtime 1000", "stop"),
        ("go ponder depth 1", "ponderhit"),
        ("go movetime 1000", "gameover draw"),
    ] {
        session.story = format!("200 quick pairs of '{go}' and '{stop}'");
        session.send_bytes(format!("{go}\n{stop}\n").repeat(200).as_bytes());
        for _ in 0..200 {
            session.expect("bestmove", 2 * PROMPT);
        }
        // No more answers come.
        session.sync();
    }
    "200 quick pairs, each awaited".clone_into(&mut session.story);
    for _ in 0..200 {
        session.play("> go infinite \n > stop \n < bestmove");
    }
    session.quit();
}

#[test]
fn stop_races_the_natural_end() {
    let mut session = Session::ready("stop at the moment of the natural end");
    for round in 0..100 {
        session.send("go movetime 5");
        thread::sleep(Duration::from_micros(100 * round));
        session.send("stop");
        session.expect("bestmove", PROMPT);
    }
    for _ in 0..100 {
        session.play("> go ponder movetime 1 \n > ponderhit \n > stop \n < bestmove");
    }
    session.sync();
    session.quit();
}

#[test]
fn a_session_sent_at_once() {
    let mut session = Session::new("a whole session in one write");
    session.send_bytes(
        b"usi\nsetoption name USI_Hash value 4\nisready\nusinewgame\nposition startpos\ngo depth 2\nisready\n",
    );
    session.lines_until("usiok", PROMPT);
    session.expect("readyok", PROMPT);
    // The second answer comes before the move or after it.
    if !session.lines_until("bestmove", PROMPT).iter().any(|line| line.text == "readyok") {
        session.expect("readyok", PROMPT);
    }
    session.send_bytes(b"isr");
    session.expect_nothing(millis(50));
    session.send_bytes(b"eady\nisready\nisr");
    session.lines_until("readyok", PROMPT);
    session.expect("readyok", PROMPT);
    session.send_bytes(b"eady\n");
    session.expect("readyok", PROMPT);
    session.quit();
    let mut session = Session::new("a thousand times isready");
    session.send_bytes("isready\n".repeat(1_000).as_bytes());
    for _ in 0..1_000 {
        session.expect("readyok", PROMPT);
    }
    session.quit();
}
