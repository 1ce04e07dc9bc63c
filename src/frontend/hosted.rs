//! A session on a host without threads. The host calls it when there are lines; in pauses of the running work the
//! session asks the host for more.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::Session;
use super::input::{Input, Line, MAX_INPUT, too_long_line};
use super::session::Flow;
use crate::work;

/// The host of a session.
pub trait Host {
    /// The next line, if there is one.
    fn next_line(&self) -> Option<String>;

    /// Lets lines arrive: waits for one up to this time; zero only polls.
    fn pause(&self, time: Duration);
}

pub struct HostedSession(Rc<Shared>);

struct Shared {
    host: Box<dyn Host>,
    state: RefCell<State>,
}

struct State {
    session: Session,
    input: Input,
    /// Lines that waited for the end of work. They precede the host's.
    backlog: VecDeque<Line>,
    has_ended: bool,
}

impl HostedSession {
    /// Takes over a session. There may be only one in a program: it polls the host during all work.
    pub fn new(session: Session, host: impl Host + 'static) -> HostedSession {
        let state = State { session, input: Input::of_the_host(), backlog: VecDeque::new(), has_ended: false };
        let shared = Rc::new(Shared { host: Box::new(host), state: RefCell::new(state) });
        let listener = Rc::clone(&shared);
        work::set_listener(move |time| listener.listen(time));
        HostedSession(shared)
    }

    /// Carries out lines until there are no more. Returns whether the session continues.
    pub fn run(&self) -> bool {
        while let Some(line) = self.0.next_line() {
            self.0.state.borrow_mut().take(line);
            // Nothing may be borrowed here: the work's pauses take lines too.
            while work::run_waiting() {}
            let mut state = self.0.state.borrow_mut();
            state.take_up_lines();
            if state.has_ended {
                state.session.finish();
                return false;
            }
        }
        true
    }
}

impl Shared {
    fn next_line(&self) -> Option<Line> {
        let waited = self.state.borrow_mut().backlog.pop_front();
        waited.or_else(|| self.host.next_line().map(sized))
    }

    fn listen(&self, time: Duration) {
        self.host.pause(time);
        while let Some(line) = self.next_line() {
            self.state.borrow_mut().hear(line);
        }
        self.state.borrow_mut().session.end_late_job();
    }
}

impl State {
    fn take(&mut self, line: Line) {
        // The host's lines never break off.
        self.has_ended |= !matches!(self.session.take(line, &mut self.input), Ok(Flow::Continue));
    }

    /// Takes the lines that were set aside during work, so that the next work can react to them.
    fn take_up_lines(&mut self) {
        let mut lines: VecDeque<Line> = std::iter::from_fn(|| self.input.line_set_aside()).collect();
        lines.append(&mut self.backlog);
        self.backlog = lines;
    }

    /// Handles a line during work if that is allowed. Other lines end a running search, and wait together with all that
    /// follow.
    fn hear(&mut self, line: Line) {
        if self.has_ended {
            return;
        }
        if self.input.has_set_aside() || self.session.must_wait(&line) {
            self.session.set_aside(line, &mut self.input);
        } else {
            self.take(line);
        }
        if self.has_ended {
            self.session.stop();
        }
    }
}

/// A line of the host, unless it is too long.
fn sized(line: String) -> Line {
    if line.len() > MAX_INPUT { too_long_line(line.as_bytes()) } else { Line::Text(line, Instant::now()) }
}
