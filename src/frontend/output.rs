use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use super::log::SessionLog;
use super::logging::PROTOCOL;

/// The output stream of responses, written line by line from any thread. Clones write to the same stream.
#[derive(Clone)]
pub struct Output {
    inner: Arc<Mutex<Inner>>,
    log: SessionLog,
}

struct Inner {
    stream: Box<dyn Write + Send>,
    on_closed: Box<dyn Fn() + Send>,
}

impl Output {
    /// Writes to a stream. Calls `on_closed` when the stream can no longer be written.
    pub fn new(stream: impl Write + Send + 'static, on_closed: impl Fn() + Send + 'static) -> Output {
        let inner = Inner { stream: Box::new(stream), on_closed: Box::new(on_closed) };
        Output { inner: Arc::new(Mutex::new(inner)), log: SessionLog::default() }
    }

    /// Writes a line and flushes the stream.
    pub fn line(&self, response: impl std::fmt::Display) {
        let mut line = response.to_string();
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        tracing::debug!(target: PROTOCOL, "> {line}");
        self.log.output(&line);
        line.push('\n');
        if inner.stream.write_all(line.as_bytes()).and_then(|()| inner.stream.flush()).is_err() {
            (inner.on_closed)();
        }
    }

    pub(super) fn log(&self) -> &SessionLog {
        &self.log
    }
}
