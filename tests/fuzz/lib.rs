//! Shared parts of the fuzz targets: sessions with the engine, and games chosen by bytes.

use std::io::{self, Cursor};
use std::sync::OnceLock;

use judkins::config::Config;
use judkins::engine::{Engine, OptionTable};
use judkins::frontend::{Output, Session};
use judkins::shogi::{Move, Position};

/// Small tables and short searches with the faster evaluation: sessions test the protocol, and checks slow both down.
const CONFIG: &str = "
[options]
USI_Hash = 1
MateHash = 1
MateNodes = 500
NodesLimit = 300
Evaluation = 'Handwritten'
";

/// The longest line of a game, in plies.
const MOST_PLIES: usize = 200;

/// Words whose commands write files, read devices, take all memory or run for long.
const LEFT_OUT: [&str; 8] = ["file", "hash", "bench", "perft", "threads", "memory", "cores", "log"];

/// Carries out the lines of a session that begins with `first`. Searches end with the input.
pub fn session(first: &str, data: &[u8]) {
    static CONFIG_READ: OnceLock<Config> = OnceLock::new();
    let config = CONFIG_READ.get_or_init(|| Config::parse("fuzz", CONFIG).expect("it is well-formed"));
    let table = OptionTable::new(Some(config), false).expect("its options exist");
    let mut text = format!("{first}\n").into_bytes();
    for line in data.split_inclusive(|&byte| byte == b'\n').take(50) {
        let lower = String::from_utf8_lossy(line).to_ascii_lowercase();
        if !LEFT_OUT.iter().any(|word| lower.contains(word)) {
            text.extend_from_slice(line);
        }
    }
    // Stop a search that would take long.
    text.extend_from_slice(b"\nstop\nquit\n");
    let engine = Engine::new(table).expect("no default names a file");
    let output = Output::new(io::sink(), |_| {});
    let mut session = Session::new(engine, output).expect("no log is opened");
    session.run(Cursor::new(text)).expect("memory can be read");
}

/// Plays from the start position as [`walk_from`] does.
pub fn walk(data: &[u8], visit: impl FnMut(&Position, Move, &Position)) {
    walk_from(Position::startpos(), data, visit);
}

/// Plays the legal moves that the bytes choose, and calls `visit` with each position, the move that is played there and
/// the position after it.
pub fn walk_from(start: Position, data: &[u8], mut visit: impl FnMut(&Position, Move, &Position)) {
    let mut position = start;
    for &byte in data.iter().take(MOST_PLIES) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        let mv = moves[usize::from(byte) % moves.len()];
        let mut after = position.clone();
        after.play(mv);
        visit(&position, mv, &after);
        position = after;
    }
}
