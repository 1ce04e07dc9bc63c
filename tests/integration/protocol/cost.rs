//! The costs of the process: time to start, and memory.

use std::time::Duration;

use super::driver::{PROMPT, Session};
use super::millis;

#[test]
#[cfg_attr(debug_assertions, ignore = "of a release, which scripts/release.sh names in JUDKINS_PROGRAM")]
fn usiok_comes_within_20_ms_of_the_start() {
    let mut times: Vec<Duration> = (0..11)
        .map(|_| {
            let mut session = Session::new("from start to usiok");
            session.send("usi");
            let lines = session.lines_until("usiok", PROMPT);
            let took = lines[lines.len() - 1].at - session.start;
            session.quit();
            took
        })
        .collect();
    times.sort_unstable();
    println!("from start to usiok: {times:?}");
    assert!(times[5] < millis(20), "{times:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_small_table_makes_a_small_process() {
    let mut session = Session::ready("memory with USI_Hash 16");
    session.play("> setoption name USI_Hash value 16 \n = \n > position startpos \n > go depth 8 \n < bestmove");
    let resident = session.status("VmRSS");
    println!("{resident} KiB resident");
    session.check(resident < 48 << 10, &format!("{resident} KiB are resident"));
    session.quit();
}

/// At 10 ms a move, the first one used to take 18 ms, and 80 ms in a virtual machine that got its memory from the host.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_there_before_the_first_search() {
    let mut session = Session::ready("memory before the first search");
    let before = session.status("VmRSS");
    session.play("> position startpos \n > go nodes 50000 \n < bestmove");
    let growth = session.status("VmRSS") - before;
    session.check(growth < 12 << 10, &format!("{growth} KiB more than after readyok"));
    session.quit();
}
