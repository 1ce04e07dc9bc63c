//! The learned evaluation from games to file, as a person makes it, at toy size.

mod data;
mod train;

/// Interrupts a command after the first line of its output that is due. Returns that line and what it complains of.
#[cfg(unix)]
fn interrupted(arguments: &[&str], is_due: impl FnMut(&String) -> bool) -> (String, String) {
    use std::io::{BufRead, BufReader};

    use crate::common::{command, signal, stderr};

    let mut child = command(arguments).args(["--interval", "0.001"]).spawn().expect("the binary starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines().map_while(Result::ok);
    let line = lines.find(is_due).expect("it tells how far it is");
    signal(child.id(), "-INT");
    drop(lines.last());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    (line, stderr(&output))
}
