//! `print!`, `println!` and `eprintln!` for the subcommands. Where the standard macros panic, the first two end the
//! program, and the third ignores the error.

use std::env;
use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process;
use std::sync::atomic::{AtomicI32, Ordering};

/// The exit status after the reader has closed the pipe.
static CLOSED: AtomicI32 = AtomicI32::new(0);

/// Sets the exit status after a closed pipe, which is 0 otherwise. For subcommands whose status 0 is an answer.
pub fn end_closed_with(status: u8) {
    CLOSED.store(status.into(), Ordering::Relaxed);
}

/// Writes to standard output. A failure ends the program.
pub fn to_stdout(text: fmt::Arguments<'_>) {
    if let Err(error) = io::stdout().write_fmt(text) {
        end(&error);
    }
}

/// Ends the program because standard output cannot be written: without a message if the reader has closed the pipe, as
/// in `judkins bench | head`, and with the status of [`end_closed_with`].
pub fn end(error: &io::Error) -> ! {
    if error.kind() == ErrorKind::BrokenPipe {
        process::exit(CLOSED.load(Ordering::Relaxed));
    }
    to_stderr(format_args!("judkins: standard output: {error}\n"));
    process::exit(1);
}

/// Whether standard output shows colours, and the user wants them: <https://no-color.org>.
pub fn is_coloured() -> bool {
    let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    io::stdout().is_terminal() && !refused && env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

/// Whether an error is a closed pipe.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let error = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
    error.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// The result of writing to standard output, ignoring a closed pipe.
pub fn unless_closed(written: anyhow::Result<()>) -> anyhow::Result<()> {
    written.or_else(|error| if is_closed_pipe(&error) { Ok(()) } else { Err(error) })
}

/// Writes to standard error. A failure is ignored, because it cannot be reported anywhere.
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
