//! `print!`, `println!` and `eprintln!` as the subcommands use them. Where the standard macros panic, the first two end the
//! program, and the third goes on.

use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::process;

/// Writes to standard output. Ends the program if that fails: without an error if the reader has closed the pipe, as in
/// `judkins bench | head`.
pub fn to_stdout(text: fmt::Arguments<'_>) {
    let Err(error) = io::stdout().write_fmt(text) else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        process::exit(0);
    }
    to_stderr(format_args!("judkins: standard output: {error}\n"));
    process::exit(1);
}

/// Writes to standard error. A message that cannot be written is lost: there is nowhere left to say so.
pub fn to_stderr(text: fmt::Arguments<'_>) {
    let _ = io::stderr().write_fmt(text);
}

/// As the standard macro, but a closed pipe ends the program without an error.
macro_rules! print {
    ($($argument:tt)*) => { $crate::cli::print::to_stdout(format_args!($($argument)*)) };
}

/// As the standard macro, but a closed pipe ends the program without an error.
macro_rules! println {
    () => { print!("\n") };
    ($($argument:tt)*) => { $crate::cli::print::to_stdout(format_args!("{}\n", format_args!($($argument)*))) };
}

/// As the standard macro, but a message that cannot be written is lost.
macro_rules! eprintln {
    ($($argument:tt)*) => { $crate::cli::print::to_stderr(format_args!("{}\n", format_args!($($argument)*))) };
}
