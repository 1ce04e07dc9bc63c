//! Every place that takes a position takes every way to name one.

use judkins::arena::Opening;
use judkins::record::{Format, Reader};
use judkins::shogi::{PositionText, START_SFEN, position_text};
use serde_json::json;

use crate::board::state::Board;
use crate::common::{run_with_input, stdout, succeed};

const AFTER: &str = "rbnsgk/5p/6/P5/6/KGSNBR w - 2";
const ROOK: &str = "1bnsgk/5p/6/6/P5/KGSNBR w - 1";

/// A text, and the position that it names.
const TEXTS: &[(&str, &str)] = &[
    ("startpos", START_SFEN),
    ("startpos moves", START_SFEN),
    (START_SFEN, START_SFEN),
    ("rbnsgk/5p/6/6/P5/KGSNBR b -", START_SFEN),
    ("sfen rbnsgk/5p/6/6/P5/KGSNBR b - 3", "rbnsgk/5p/6/6/P5/KGSNBR b - 3"),
    ("rook", ROOK),
    ("sfen Rook", ROOK),
    ("6e6d", AFTER),
    ("moves 6e6d", AFTER),
    ("startpos 6e6d", AFTER),
    (" position  startpos moves\t6e6d ", AFTER),
    ("rbnsgk/5p/6/6/P5/KGSNBR b - 6e6d", AFTER),
    ("position sfen rbnsgk/5p/6/6/P5/KGSNBR b - 1 moves 6e6d", AFTER),
    ("two-pieces 1b1c", "2nsgk/6/5p/6/P5/KGSNBR b - 2"),
];

/// Invalid positions, and a part of the error.
const WRONG: &[(&str, &str)] = &[
    ("hello", "'startpos', an SFEN, a handicap or moves expected, not 'hello'"),
    ("startpos moves 6e6c", "'6e6c' is not a legal move in rbnsgk/"),
    ("startpos move 6e6d", "'move' is not a legal move in rbnsgk/"),
    ("rook 1b1c x", "'x' is not a legal move in 1bnsgk/"),
    ("6/6/6/6/6/6 b - 1", "Black has no king"),
    ("6/6/6 b - 1", "the board has 3 ranks, not 6"),
    ("position", "expected, not ''"),
];

#[test]
fn every_place_takes_every_way_to_name_a_position() {
    let (_board, mut page) = Board::start().with_page();
    for &(text, sfen) in TEXTS {
        let named = PositionText::new(text);
        assert_eq!(named.position().unwrap().to_string(), sfen, "{text}");
        assert_eq!(named.mate_problem().unwrap().to_string(), sfen, "{text}");
        // Games and openings keep the moves.
        let start = named.setup().unwrap().to_string().parse().unwrap();
        let written = position_text(&start, named.moves.split_whitespace().map(|mv| mv.parse().unwrap()));
        assert_eq!(PositionText::new(&written).position().unwrap().to_string(), sfen, "{written}");
        let game = Reader::new(text.as_bytes()).unwrap().next().unwrap().unwrap();
        assert_eq!((game.format, &game.problems[..]), (Format::Usi, &[][..]), "{text}");
        assert_eq!(judkins::record::usi::to_line(&game.record.unwrap()), written);
        assert_eq!(Opening::parse(text).unwrap().to_string(), written);
        let converted = run_with_input(&["convert", "-", "--to", "usi"], text);
        assert_eq!(stdout(&converted).trim_end(), written, "{text}");
        for command in [&["show"][..], &["book", "show"]] {
            // One argument, or a word each.
            let words: Vec<&str> = text.split_whitespace().collect();
            for position in [&[text][..], &words] {
                assert!(succeed(&[command, position].concat()).contains(sfen), "{command:?} {position:?}");
            }
        }
        page.ask(json!({"type": "study", "sfen": text}));
        assert_eq!(page.wait("study")["start"], sfen, "{text}");
    }
    for &(text, reason) in WRONG {
        let error = PositionText::new(text).position().unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}
