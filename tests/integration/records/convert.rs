//! `judkins convert`, as a person runs it.

use std::fs;
use std::io::Write;
use std::process::{Output, Stdio};

use crate::common::{Folder, command, run_with_input, stderr};

use super::samples::{CUTE_CHESS, FAIRY, KI2, KIF, MATCH, PGN, USI};

fn convert_input(arguments: &[&str], input: &[u8]) -> Output {
    run_with_input(&[&["convert"], arguments].concat(), input)
}

/// The output, the messages and the exit status of a conversion from standard input.
fn convert(text: impl AsRef<[u8]>, arguments: &[&str]) -> (String, String, i32) {
    let output = convert_input(&[&["-"], arguments].concat(), text.as_ref());
    let text = |bytes| String::from_utf8(bytes).expect("it is UTF-8");
    (text(output.stdout), text(output.stderr), output.status.code().expect("no signal ends it"))
}

const LINE: &str = "startpos moves 6e6d 1b1c 5f5e 2a2b\n";

#[test]
fn every_format_becomes_usi_and_nothing_else_is_printed() {
    for text in [KIF, KI2, PGN, FAIRY, CUTE_CHESS, MATCH] {
        assert_eq!(convert(text, &["--to", "usi"]), (LINE.to_owned(), String::new(), 0), "{text}");
    }
    for (text, line) in [
        ("startpos", "startpos\n"),
        ("two-pieces\n", "sfen 2nsgk/5p/6/6/P5/KGSNBR w - 1\n"),
        ("5k/6/6/6/6/K5 b G", "sfen 5k/6/6/6/6/K5 b G 1\n"),
    ] {
        assert_eq!(convert(text, &["--to", "usi"]), (line.to_owned(), String::new(), 0));
    }
}

#[test]
fn the_word_that_ends_a_line_of_usi_stays() {
    for word in ["startpos moves 6e6d resign\n", "startpos moves 6e6d 1b1c win\n", "bishop moves resign\n"] {
        let line = word.replace("bishop", "sfen r1nsgk/5p/6/6/P5/KGSNBR w - 1");
        assert_eq!(convert(word, &["--to", "usi"]), (line, String::new(), 0));
    }
}

#[test]
fn the_comment_on_a_game_in_usi_stays() {
    assert_eq!(convert(USI, &["--to", "usi"]), (USI.to_owned(), String::new(), 0));
}

#[test]
fn a_file_is_written_whole_or_stays_as_it_was() {
    let folder = Folder::new();
    let (input, output) = (folder.file("in.kif", KIF), folder.path("out.pgn"));
    let run = |arguments: &[&str]| {
        let output = convert_input(arguments, b"");
        (output.status.code(), stderr(&output))
    };
    assert_eq!(run(&[&input, &output, "--to", "pgn"]), (Some(0), String::new()));
    let written = fs::read_to_string(&output).expect("it was written");
    assert!(written.contains("1. P-6d {+0.35/12 12.000s} P-1c {? 3.000s} {a comment}"), "{written}");
    // The name says the format too.
    fs::remove_file(&output).expect("it is there");
    assert_eq!(run(&[&input, &output]), (Some(0), String::new()));
    assert_eq!(fs::read_to_string(&output).expect("it was written"), written);
    // Nothing in it can be read: the file that is there stays.
    fs::write(&input, "手合割：平手\n   1 ７六歩(77)\n").expect("it can be written");
    let (status, told) = run(&[&input, &output, "--to", "pgn"]);
    assert_eq!(status, Some(2));
    assert!(
        told.starts_with(&format!("{input}:1:1: 手合割：平手 without a board: this is a game of shogi on 9×9")),
        "{told}"
    );
    assert_eq!(fs::read_to_string(&output).expect("it is there"), written);
    let (status, told) = run(&[&folder.path("missing"), &output, "--to", "pgn"]);
    assert!(status == Some(2) && told.contains("missing"), "{told}");
    assert_eq!(fs::read_dir(folder.path(".")).expect("it is there").count(), 2, "nothing unfinished is left");
    // A file can be converted in its place.
    fs::write(&input, KIF).expect("it can be written");
    assert_eq!(run(&[&input, &input, "--to", "usi"]), (Some(0), String::new()));
    assert_eq!(fs::read_to_string(&input).expect("it is there"), LINE);
}

#[test]
fn problems_are_told_with_their_place_and_in_the_exit_status() {
    let good = "startpos moves 6e6d 1b1c\n";
    for (text, arguments, printed, told, status) in [
        (
            "startpos moves 6e6d 6d6c 1b1c\nstartpos",
            &[][..],
            "startpos moves 6e6d\nstartpos\n",
            "-:1:21: illegal move 6d6c\n",
            1,
        ),
        ("hello", &["--from", "usi"], "", "-:1:1: 'startpos', an SFEN", 2),
        ("hello", &[], "", "judkins: -: no format is recognised", 2),
        ("", &[], "", "judkins: -: no format is recognised", 2),
        ("{\"header\":{},\"moves\":[{}]}", &[], "", "judkins: -: JSON of a game (JKF) is not read", 2),
        ("", &["--from", "pgn"], "", "judkins: -: no game could be read", 2),
        ("moves 6e6d", &["--from", "pgn"], "", "-:1:1: ", 2),
        (good, &["--game", "2"], "", "judkins: -: there is no game 2: it holds 1", 2),
        ("startpos\nbishop\nrook", &["--game", "2"], "sfen r1nsgk/5p/6/6/P5/KGSNBR w - 1\n", "", 0),
        (good, &["--encoding", "shift-jis"], "", "judkins: --encoding is for kif and ki2", 2),
    ] {
        let (output, error, code) = convert(text, &[&["--to", "usi"], arguments].concat());
        assert_eq!((output.as_str(), code), (printed, status), "{text} {arguments:?}: {error}");
        assert!(error.starts_with(told) && error.is_empty() == told.is_empty(), "{text} {arguments:?}: {error}");
    }
    for (arguments, told) in [
        (
            &["--to", "csa"][..],
            "no format is called 'csa': there are kif, ki2, pgn, pgn-fairy, pgn-cutechess, usi and match",
        ),
        (&["--to", "match"], "--to match: a match's record is only read"),
        (&[], "--to FORMAT is needed"),
        (&["games"], "--to FORMAT is needed"),
    ] {
        let (_, error, code) = convert(good, arguments);
        assert!(code == 2 && error.contains(told), "{arguments:?}: {error}");
    }
}

#[test]
fn kif_is_written_in_either_encoding() {
    let (utf8, _, _) = convert(PGN, &["--to", "kif"]);
    assert!(utf8.starts_with("#KIF version=2.0 encoding=UTF-8\n"), "{utf8}");
    let output = convert_input(&["-", "--to", "kif", "--encoding", "shift-jis"], PGN.as_bytes());
    let (text, _, broken) = encoding_rs::SHIFT_JIS.decode(&output.stdout);
    assert!(!broken && text == utf8.replace("UTF-8", "Shift_JIS"), "{text}");
    assert_eq!(convert(&output.stdout, &["--to", "usi"]), (LINE.to_owned(), String::new(), 0));
    let (_, told, status) = convert("{한} P-6d", &["--to", "kif", "--encoding", "shift-jis"]);
    assert!(status == 2 && told.contains("the game in line 1: Shift-JIS lacks '한': write UTF-8"), "{told}");
}

#[test]
fn a_closed_standard_output_is_not_an_error() {
    let mut child = command(&["convert", "-", "--to", "kif"]).stdin(Stdio::piped()).spawn().expect("the binary starts");
    drop(child.stdout.take());
    let _ = child.stdin.take().expect("it is piped").write_all(LINE.repeat(2000).as_bytes());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}
