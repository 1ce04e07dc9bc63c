//! Moves in Japanese, Western and standard algebraic notation, read in a position that bytes choose.

#![no_main]

use judkins::shogi::{Move, Position};
use judkins::shogi::notation::japanese::{parse_japanese, to_japanese};
use judkins::shogi::notation::san::{SanStyle, parse_san, to_san};
use judkins::shogi::notation::western::{Style, parse_western, to_western};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&[u8], &str)| {
    let (choices, text) = input;
    let (mut position, mut previous) = (Position::startpos(), None);
    judkins_fuzz::walk(choices, |_, mv, after| (position, previous) = (after.clone(), Some(mv)));
    for style in [SanStyle::Fairy, SanStyle::CuteChess] {
        if let Ok(mv) = parse_san(&position, text, style) {
            assert_eq!(parse_san(&position, &to_san(&position, mv, style), style), Ok(mv));
        }
    }
    if let Ok(mv) = parse_western(&position, text) {
        assert_eq!(parse_western(&position, &to_western(&position, mv, Style::Hodges)), Ok(mv));
    }
    let to = previous.map(Move::to);
    if let Ok(mv) = parse_japanese(&position, text, to) {
        assert_eq!(parse_japanese(&position, &to_japanese(&position, mv, previous), to), Ok(mv));
    }
});
