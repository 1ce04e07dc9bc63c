//! A line as a command of each protocol, and as an engine's reply, with nothing behind the parsers: thousands of times
//! as fast as a session.

#![no_main]

use judkins::protocol::{Reply, cecp, uci, usi};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| {
    let line = line.lines().next().unwrap_or_default();
    let errors = [
        usi::Command::parse(line).err().map(|error| error.to_string()),
        uci::parse(line).err().map(|error| error.to_string()),
        cecp::Command::parse(line).err().map(|error| error.to_string()),
    ];
    // An error that quotes a line is sent as one line.
    assert!(errors.into_iter().flatten().all(|text| !text.is_empty() && !text.contains('\n')));
    let _ = Reply::parse(line);
});
