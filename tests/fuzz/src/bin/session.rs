//! A session with the engine. The first line chooses the protocol.

#![no_main]

use std::io::{self, Cursor};
use std::sync::LazyLock;

use judkins::config::Config;
use judkins::engine::{Engine, OptionTable};
use judkins::frontend::{Output, Session};
use libfuzzer_sys::fuzz_target;

/// Small tables and short searches with the faster evaluation: sessions test the protocol, and checks slow both down.
const CONFIG: &str = "
[options]
USI_Hash = 1
MateHash = 1
MateNodes = 500
NodesLimit = 300
Evaluation = 'Handwritten'
";

/// Words whose commands write files, read devices, take all memory or run for long.
const LEFT_OUT: [&str; 8] = ["file", "hash", "bench", "perft", "threads", "memory", "cores", "log"];

static PARSED: LazyLock<Config> = LazyLock::new(|| Config::parse("fuzz", CONFIG).expect("it is well-formed"));

// Searches end with the input.
fuzz_target!(|data: &[u8]| {
    let table = OptionTable::new(Some(&PARSED), false).expect("its options exist");
    let mut text = Vec::new();
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
});
