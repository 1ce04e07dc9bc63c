//! The shared output of a session: each line is flushed at once and copied to the session's log.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use super::log::SessionLog;
use super::logging::PROTOCOL;
use crate::work::lock;

/// The output stream of responses, written line by line from any thread. Clones write to the same stream.
#[derive(Clone)]
pub struct Output {
    inner: Arc<Mutex<Inner>>,
    log: SessionLog,
}

struct Inner {
    stream: Box<dyn Write + Send>,
    on_error: Box<dyn Fn(io::Error) + Send>,
}

impl Output {
    /// Writes to a stream. Calls `on_error` when the stream cannot be written, as when its reader has closed it.
    pub fn new(stream: impl Write + Send + 'static, on_error: impl Fn(io::Error) + Send + 'static) -> Output {
        let inner = Inner { stream: Box::new(stream), on_error: Box::new(on_error) };
        Output { inner: Arc::new(Mutex::new(inner)), log: SessionLog::default() }
    }

    /// Writes a line and flushes the stream.
    pub fn line(&self, response: impl std::fmt::Display) {
        let mut line = response.to_string();
        let mut inner = lock(&self.inner);
        tracing::debug!(target: PROTOCOL, "> {line}");
        self.log.output(&line);
        line.push('\n');
        if let Err(error) = inner.stream.write_all(line.as_bytes()).and_then(|()| inner.stream.flush()) {
            (inner.on_error)(error);
        }
    }

    pub(super) fn log(&self) -> &SessionLog {
        &self.log
    }
}
