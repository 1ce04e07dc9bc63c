use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use super::logging::PROTOCOL;

/// Where responses go, a line at a time, from whatever thread.
#[derive(Clone)]
pub struct Output {
    inner: Arc<Mutex<Inner>>,
}

struct Inner {
    stream: Box<dyn Write + Send>,
    on_closed: Box<dyn Fn() + Send>,
}

impl Output {
    /// Writes to a stream. `on_closed` is called when nobody reads any more.
    pub fn new(stream: impl Write + Send + 'static, on_closed: impl Fn() + Send + 'static) -> Output {
        Output { inner: Arc::new(Mutex::new(Inner { stream: Box::new(stream), on_closed: Box::new(on_closed) })) }
    }

    /// Writes a line, whole and at once.
    pub fn line(&self, response: impl std::fmt::Display) {
        let mut line = response.to_string();
        tracing::debug!(target: PROTOCOL, "> {line}");
        line.push('\n');
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.stream.write_all(line.as_bytes()).and_then(|()| inner.stream.flush()).is_err() {
            (inner.on_closed)();
        }
    }
}
