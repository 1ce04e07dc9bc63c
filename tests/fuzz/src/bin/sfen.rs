//! SFEN, FEN and move texts: a value that was read is written, and read again unchanged.

#![no_main]

use judkins::shogi::notation::fen::{parse_fen, parse_move, to_fen};
use judkins::shogi::{Move, Position, Setup};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(setup) = text.parse::<Setup>() {
        let _ = setup.mate_problem();
    }
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string().parse::<Position>().as_ref(), Ok(&position));
        assert_eq!(parse_fen(&to_fen(&position)).as_ref(), Ok(&position));
    }
    if let Ok(position) = parse_fen(text) {
        assert_eq!(parse_fen(&to_fen(&position)), Ok(position));
    }
    if let Ok(mv) = text.parse::<Move>() {
        assert_eq!(mv.to_string().parse::<Move>(), Ok(mv));
    }
    let _ = parse_move(text);
});
