//! Odd bytes, odd line ends, odd lengths, closed pipes.

use std::time::Instant;

use crate::common::command;

use super::driver::{EXIT, PROMPT, Session, play_all, play_in_turn};
use super::{expect_shown, millis};

#[test]
fn odd_lines() {
    // The first line of a session decides on the protocol.
    play_all([
        ("an unknown command comes first", "> foo\n? foo\n="),
        ("empty lines come first", ">\n>\n>   \n>\t\n=\n> isready\n< readyok"),
        ("spaces and tabs come first", "> \t isready\t\n< readyok"),
        ("another dialect after the first line", "> usi\n<< usiok\n> uci\n? uci\n> xboard\n? xboard\n="),
    ]);
    play_in_turn([
        ("unknown command", "> foo\n? foo\n="),
        (
            "the rest of an unknown line is not guessed at",
            "> foo usi\n? foo\n> foo go depth 1\n? foo\n> isready?\n? isready?",
        ),
        ("joho before a command, as Stockfish would take it", "> joho isready\n? joho\n="),
        ("commands in capitals are unknown", "> ISREADY\n? ISREADY\n="),
        ("empty lines", ">\n>\n>   \n>\t\n=\n> isready\n< readyok"),
        ("leading and trailing spaces", ">   isready  \n< readyok\n>    go   depth    2   \n< bestmove"),
        ("tabs", "> \tisready\t\n< readyok\n> position\tstartpos\tmoves\t6e6d\n> go\tdepth\t2\n< bestmove"),
        ("other white space", "> position startpos\u{3000}moves\u{a0}6e6d\u{c}\n> go depth\u{3000}2\n< bestmove"),
        ("a comment", "> # isready\n? #\n="),
        (
            "a long word",
            "> aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n? aaaa\n=",
        ),
        ("not ASCII", "> 将棋\n? 将棋\n="),
        (
            "Fairyground's manner",
            "> usi\n<< usiok\n> setoption name UCI_Chess960 value false\n! UCI_Chess960\n\
            > setoption name USI_Variant value judkins\n> isready\n< readyok\n> usinewgame\n> stop\n> position startpos\n\
            > position startpos\n> go movetime 50\n< bestmove\n> stop\n> position startpos moves 6e6d\n> position startpos moves 6e6d\n\
            > go depth 3\n< bestmove\n=",
        ),
    ]);
}

#[test]
fn bytes_that_are_no_text() {
    let long_token = [b"position startpos moves ".as_slice(), &[b'7'; 5_000], b"\n"].concat();
    let long_option = [b"setoption name ".as_slice(), &[b'x'; 5_000], b" value y\n"].concat();
    let long_unicode = ["foo".to_owned(), "歩".repeat(3_000), "\n".to_owned()].concat();
    let mut session = Session::ready("bytes that are no text");
    for (story, bytes, remark) in [
        ("a NUL byte", b"\0\n".as_slice(), true),
        ("NUL bytes before a command", b"\0\0\0foo\n", true),
        ("a NUL byte within a command", b"foo\0bar\n", true),
        ("a NUL byte within a move", b"position startpos moves 6e\x006d\n", true),
        ("a NUL byte within an option", b"setoption name USI\0Hash value 3\n", true),
        ("invalid UTF-8", b"\xff\xfe\xfd\n", true),
        ("invalid UTF-8 in a command's name", b"isready\xc3\n", true),
        ("invalid UTF-8 in a move", b"position startpos moves 6e\xff\xff\n", true),
        ("invalid UTF-8 in an option's name", b"setoption name \xf0\x28 value 3\n", true),
        ("an escape sequence", b"\x1b[2J\n", true),
        ("a carriage return within a line", b"foo\rbar\n", true),
        ("a line separator", "foo\u{2028}bar\u{85}baz\n".as_bytes(), true),
        ("only a carriage return", b"\r\n", false),
        ("a move of 5,000 characters", &long_token, true),
        ("an option of 5,000 characters", &long_option, true),
        ("9,000 bytes that are not ASCII", long_unicode.as_bytes(), true),
    ] {
        story.clone_into(&mut session.story);
        session.send_bytes(bytes);
        if remark {
            session.expect("info string", PROMPT);
        }
        session.play("= \n > position startpos \n > go depth 2 \n < bestmove \n =");
    }
    session.quit();
}

#[test]
fn lines_that_end_as_on_windows() {
    let mut session = Session::new("CRLF");
    session.send("usi\r");
    session.lines_until("usiok", PROMPT);
    session.play("> setoption name USI_MultiPV value 2\r");
    session.play("> isready\r \n < readyok \n > position startpos moves 6e6d\r");
    expect_shown(&mut session, 2, "the value is read without its carriage return");
    session.send_bytes(b"position sfen rbnsgk/5p/6/6/P5/KGSNBR b - 1\r\ngo depth 2\r\n");
    session.expect("bestmove", PROMPT);
    session.send("go infinite\r");
    session.send("stop\r");
    session.expect("bestmove", PROMPT);
    let sent = session.send("quit\r");
    session.expect_exit(sent);
}

#[test]
fn ten_megabytes_without_a_newline() {
    const LENGTH: usize = 10 << 20;
    let mut session = Session::ready("10 MB on a line");
    session.play("> setoption name USI_Hash value 16 \n =");
    for (start, filler) in [
        ("", "x"),
        ("", "x "),
        ("", "\0"),
        ("position startpos moves ", "x"),
        ("position startpos moves ", "x "),
        ("position sfen ", "p"),
        ("setoption name USI_Hash value ", "9"),
        // As a `go` this would start a search. An unknown command gets an error, and the session continues.
        ("foo ", "1"),
    ] {
        let text = filler.repeat(LENGTH / filler.len());
        session.send(&format!("{start}{text}"));
        session.expect("info string", 4 * PROMPT);
        session.sync();
        if start.starts_with("position") {
            session.play("> go depth 3 \n < bestmove resign");
        }
    }
    session.play("> position startpos \n > go depth 3 \n < bestmove");
    #[cfg(target_os = "linux")]
    {
        let peak = session.status("VmHWM");
        session.check(peak < 100 << 10, &format!("{peak} KiB at the peak"));
    }
    session.quit();
    let mut session = Session::ready("10 MB, and the end of the input");
    session.send_bytes(&vec![b'x'; LENGTH]);
    session.expect_nothing(millis(200));
    let closed = session.close();
    session.expect_exit(closed);
}

#[test]
fn a_long_line_during_a_search() {
    let mut session = Session::ready("10 MB on a line while searching");
    session.send("go infinite");
    session.send_bytes("y".repeat(10 << 20).as_bytes());
    session.send("");
    session.expect("info string", 4 * PROMPT);
    session.play("> stop \n < bestmove");
    session.quit();
}

#[test]
fn standard_output_closed_by_the_reader() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    for (story, then) in [("go infinite\n", "isready\n"), ("go movetime 60000\n", "usi\n"), ("isready\n", "isready\n")]
    {
        let mut engine = command(&[]).stdin(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the engine starts");
        let mut stdin = engine.stdin.take().expect("it is piped");
        let mut stdout = BufReader::new(engine.stdout.take().expect("it is piped"));
        stdin.write_all(b"usi\n").unwrap();
        let mut line = String::new();
        while line != "usiok\n" {
            line.clear();
            assert!(stdout.read_line(&mut line).unwrap() > 0, "{story}: the engine ended");
        }
        stdin.write_all(story.as_bytes()).unwrap();
        stdout.read_line(&mut line).unwrap();
        drop(stdout);
        let closed = Instant::now();
        while engine.try_wait().unwrap().is_none() && closed.elapsed() <= EXIT {
            // Output is due, and the pipe is closed.
            let _ = stdin.write_all(then.as_bytes());
            std::thread::sleep(millis(20));
        }
        let ended = engine.try_wait().unwrap().is_some();
        // This does nothing to a process that has ended.
        engine.kill().unwrap();
        engine.wait().unwrap();
        assert!(ended, "the engine still runs though its output was closed after {story:?}");
    }
}

#[test]
fn more_input_than_may_wait_ends_what_it_waits_for() {
    let mut session = Session::ready("lines behind perft");
    session.send("position startpos");
    session.send("perft 20");
    session.send("d");
    let blank = " ".repeat(1 << 20);
    for _ in 0..20 {
        session.send(&blank);
    }
    // It would wait behind them for as long as perft takes.
    session.send("isready");
    session.lines_until("readyok", 10 * PROMPT);
    session.quit();
}
