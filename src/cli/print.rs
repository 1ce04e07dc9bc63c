//! `print!` and `println!` as the subcommands use them. Where the standard macros panic, these end the program.

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
    eprintln!("judkins: standard output: {error}");
    process::exit(1);
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
