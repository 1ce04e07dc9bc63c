//! The input lines of a session, read on a separate thread or given by the host.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use crate::atomic_file;
use crate::work::ThreadError;

/// The maximum length of a line in bytes: a game of 200,000 moves fits. A longer line is skipped.
pub(super) const MAX_INPUT: usize = 4 << 20;

/// The maximum number of lines read ahead.
const LINES_AHEAD: usize = 16;

pub(super) enum Line {
    /// A line, and when it arrived.
    Text(String, Instant),
    /// A line of more than [`MAX_INPUT`] bytes.
    TooLong {
        /// Whether its first word is `position`.
        is_position: bool,
    },
    End,
    /// The input cannot be read any more.
    Broken(io::Error),
    /// No line: a search has answered, and [`Waker::wake`] was called.
    Wake,
}

impl Line {
    /// The first word; the end of the input counts as `quit`.
    pub(super) fn command(&self) -> &str {
        match self {
            Line::Text(text, _) => text.split_whitespace().next().unwrap_or_default(),
            Line::TooLong { .. } | Line::Wake => "",
            Line::End | Line::Broken(_) => "quit",
        }
    }
}

pub(super) struct Input {
    lines: Receiver<Line>,
    sender: SyncSender<Line>,
    set_aside: VecDeque<Line>,
}

/// Wakes a session that is waiting for input.
#[derive(Clone)]
pub(super) struct Waker(SyncSender<Line>);

impl Input {
    /// Starts reading. The thread ends with the input, or with the program while it waits for a line.
    pub(super) fn read(stream: impl BufRead + Send + 'static) -> Result<Input, ThreadError> {
        let (sender, lines) = mpsc::sync_channel(LINES_AHEAD);
        let for_lines = sender.clone();
        thread::Builder::new().spawn(move || read_lines(stream, &for_lines))?;
        Ok(Input { lines, sender, set_aside: VecDeque::new() })
    }

    /// An input without a reader thread: the owner has the lines, and sets some of them aside.
    #[cfg(target_family = "wasm")]
    pub(super) fn of_the_host() -> Input {
        let (sender, lines) = mpsc::sync_channel(LINES_AHEAD);
        Input { lines, sender, set_aside: VecDeque::new() }
    }

    /// The next line that was set aside. It counts as arriving now: the time of a search begins after the work before
    /// it.
    pub(super) fn line_set_aside(&mut self) -> Option<Line> {
        self.set_aside.pop_front().map(|line| match line {
            Line::Text(text, _) => Line::Text(text, Instant::now()),
            line => line,
        })
    }

    #[cfg(target_family = "wasm")]
    pub(super) fn has_set_aside(&self) -> bool {
        !self.set_aside.is_empty()
    }

    /// Waits for the next line. Lines that were set aside come first.
    pub(super) fn next_line(&mut self) -> Line {
        self.line_set_aside().or_else(|| self.lines.recv().ok()).unwrap_or(Line::End)
    }

    /// Waits for a new line, ignoring those that were set aside. None after the timeout.
    pub(super) fn new_line_within(&self, timeout: Duration) -> Option<Line> {
        self.lines.recv_timeout(timeout).ok()
    }

    /// Whether a `stop` was set aside, which also ends the work that began since.
    pub(super) fn has_stop_set_aside(&self) -> bool {
        self.set_aside.iter().any(|line| line.command() == "stop")
    }

    /// Keeps a line for later.
    pub(super) fn set_aside(&mut self, line: Line) {
        self.set_aside.push_back(line);
    }

    pub(super) fn waker(&self) -> Waker {
        Waker(self.sender.clone())
    }
}

impl Waker {
    pub(super) fn wake(&self) {
        // A full queue is not an error: a session with unread lines does not wait.
        let _ = self.0.try_send(Line::Wake);
    }
}

/// Reads lines until the input ends or the receiver is gone.
fn read_lines(mut stream: impl BufRead, lines: &SyncSender<Line>) {
    loop {
        let line = read_line(&mut stream).unwrap_or_else(Line::Broken);
        let last = matches!(line, Line::End | Line::Broken(_));
        if lines.send(line).is_err() || last {
            return;
        }
    }
}

/// Reads a line of any bytes. Invalid UTF-8 becomes replacement characters.
fn read_line(stream: &mut impl BufRead) -> io::Result<Line> {
    let mut line = Vec::new();
    if stream.by_ref().take(MAX_INPUT as u64 + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(Line::End);
    }
    // A last line without a line feed counts.
    let has_end = line.pop_if(|last| *last == b'\n').is_some();
    if !has_end && line.len() > MAX_INPUT {
        stream.skip_until(b'\n')?;
        return Ok(too_long_line(&line[..MAX_INPUT]));
    }
    Ok(text(&line))
}

/// A line that is too long, given its beginning.
pub(super) fn too_long_line(line: &[u8]) -> Line {
    let word = line.trim_ascii_start().split(u8::is_ascii_whitespace).next();
    Line::TooLong { is_position: word == Some(b"position") }
}

/// A command line, possibly from a file with a byte order mark.
fn text(line: &[u8]) -> Line {
    Line::Text(String::from_utf8_lossy(atomic_file::without_mark(line)).into_owned(), Instant::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a text: long ones by their lengths, errors in words.
    fn lines(text: &'static [u8]) -> Vec<String> {
        let mut input = Input::read(text).unwrap();
        let mut found = Vec::new();
        loop {
            match input.next_line() {
                Line::Text(line, _) => found.push(line),
                Line::TooLong { is_position } => {
                    found.push(if is_position { "too long for a position" } else { "too long" }.to_owned());
                }
                Line::End => return found,
                Line::Broken(error) => panic!("{error}"),
                Line::Wake => panic!("nobody woke the session"),
            }
        }
    }

    #[test]
    fn a_last_line_needs_no_line_feed_and_bytes_need_not_be_utf_8() {
        assert_eq!(lines(b"usi\r\n\n\xffgo\nquit"), ["usi\r", "", "\u{fffd}go", "quit"]);
        assert_eq!(lines(b""), [""; 0]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_to_its_end() {
        static LONG: [u8; MAX_INPUT + 1] = [b'x'; MAX_INPUT + 1];
        assert_eq!(lines(&LONG), ["too long"]);
        assert_eq!(lines(&LONG[1..]).len(), 1);
        assert_ne!(lines(&LONG[1..]), ["too long"], "the longest line that is read");
        static POSITION: [u8; MAX_INPUT + 9] = {
            let mut line = [b' '; MAX_INPUT + 9];
            line.split_at_mut(9).0.copy_from_slice(b" position");
            line
        };
        assert_eq!(lines(&POSITION), ["too long for a position"]);
    }

    #[test]
    fn lines_that_were_set_aside_come_first() {
        let mut input = Input::read(&b"second\n"[..]).unwrap();
        input.set_aside(Line::Text("first".to_owned(), Instant::now()));
        let waker = input.waker();
        assert!(matches!(input.next_line(), Line::Text(line, _) if line == "first"));
        assert!(matches!(input.next_line(), Line::Text(line, _) if line == "second"));
        assert!(matches!(input.next_line(), Line::End));
        waker.wake();
        assert!(matches!(input.new_line_within(Duration::from_secs(5)), Some(Line::Wake)));
    }
}
