//! The learned evaluation from games to file, as a person makes it, at toy size.

mod data;
mod train;

use std::process::{Command, Output};
use tempfile::TempDir;

const JUDKINS: &str = env!("CARGO_BIN_EXE_judkins");

/// A folder that is removed after the test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder for scratch files can be made"))
    }

    fn join(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("its name is UTF-8").to_owned()
    }
}

fn judkins(arguments: &[&str]) -> Output {
    Command::new(JUDKINS).args(arguments).output().expect("the binary starts")
}

/// What a command that succeeds prints.
fn succeeds(arguments: &[&str]) -> String {
    let output = judkins(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is UTF-8")
}

/// What a command that fails prints, and its complaint.
fn fails(arguments: &[&str]) -> String {
    let output = judkins(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("it is UTF-8"));
    out + &err
}
