//! The connection of a page: its requests become events, and the state's messages are sent to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use axum::extract::ws::{Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use tokio::sync::mpsc;

use crate::board::state::io::{ClientId, Input};

/// The maximum length of a page's message, in bytes.
const MAX_MESSAGE: usize = 8 << 20;

/// The maximum number of messages waiting for a page. A page that lags further behind is disconnected; it reconnects
/// and gets the whole state.
const MOST_WAITING: usize = 1_024;

/// The same limit in bytes: while more than this are waiting, no message is added.
const MOST_WAITING_BYTES: usize = 64 << 20;

/// The time after which a page that does not take a message is disconnected: it may be open without reading.
const PATIENCE: Duration = Duration::from_secs(30);

/// The interval of pings to a silent page.
const PING_INTERVAL: Duration = Duration::from_secs(30);

/// An event: a connection with its outbox, or an input of the state.
#[derive(Debug)]
pub enum Event {
    Joined { client: ClientId, outbox: Outbox },
    Input(Input),
}

/// The messages waiting for a page.
#[derive(Debug)]
pub struct Outbox {
    messages: mpsc::Sender<Utf8Bytes>,
    bytes: Arc<AtomicUsize>,
}

impl Outbox {
    /// Adds a message. Returns false for a page that lags too far behind.
    pub fn send(&self, text: Utf8Bytes) -> bool {
        // A page that keeps up may get one message of any length.
        let before = self.bytes.fetch_add(text.len(), Ordering::Relaxed);
        before <= MOST_WAITING_BYTES && self.messages.try_send(text).is_ok()
    }
}

/// Whether the page takes a frame in time.
async fn is_taken<E>(sending: impl Future<Output = Result<(), E>>, patience: Duration) -> bool {
    matches!(tokio::time::timeout(patience, sending).await, Ok(Ok(())))
}

/// Accepts a connection.
pub fn upgrade(upgrade: WebSocketUpgrade, events: mpsc::Sender<Event>) -> Response {
    // A message over the limit is still answered, up to twice the limit.
    upgrade
        .max_message_size(2 * MAX_MESSAGE)
        .max_frame_size(2 * MAX_MESSAGE)
        .on_upgrade(move |socket| attend(socket, events))
}

async fn attend(mut socket: WebSocket, events: mpsc::Sender<Event>) {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let client: ClientId = COUNT.fetch_add(1, Ordering::Relaxed);
    let (messages, mut waiting) = mpsc::channel::<Utf8Bytes>(MOST_WAITING);
    let bytes = Arc::new(AtomicUsize::new(0));
    let outbox = Outbox { messages, bytes: Arc::clone(&bytes) };
    if events.send(Event::Joined { client, outbox }).await.is_err() {
        return;
    }
    let mut ping = tokio::time::interval(PING_INTERVAL);
    loop {
        tokio::select! {
            text = waiting.recv() => {
                let Some(text) = text else { break };
                let length = text.len();
                if !is_taken(socket.send(Frame::Text(text)), PATIENCE).await {
                    break;
                }
                bytes.fetch_sub(length, Ordering::Relaxed);
            }
            _ = ping.tick() => {
                if !is_taken(socket.send(Frame::Ping(Default::default())), PATIENCE).await {
                    break;
                }
            }
            frame = socket.recv() => {
                let said = match frame {
                    Some(Ok(Frame::Text(text))) if text.len() <= MAX_MESSAGE => Event::Input(Input::Request { client, text: text.as_str().to_owned() }),
                    Some(Ok(Frame::Text(_))) => Event::Input(Input::TooLong(client)),
                    Some(Ok(Frame::Binary(_))) => Event::Input(Input::Request { client, text: String::new() }),
                    Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => continue,
                    Some(Ok(Frame::Close(_)) | Err(_)) | None => break,
                };
                if events.send(said).await.is_err() {
                    break;
                }
            }
        }
    }
    let _ = events.send(Event::Input(Input::Left(client))).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_for_a_page_is_bounded_in_bytes() {
        let (messages, _waiting) = mpsc::channel(MOST_WAITING);
        let outbox = Outbox { messages, bytes: Arc::default() };
        let long = Utf8Bytes::from("x".repeat(MOST_WAITING_BYTES / 2));
        assert_eq!([(); 4].map(|()| outbox.send(long.clone())), [true, true, true, false]);
    }

    #[tokio::test]
    async fn a_page_that_takes_nothing_is_given_up() {
        assert!(!is_taken(std::future::pending::<Result<(), ()>>(), Duration::from_millis(20)).await);
        assert!(!is_taken(std::future::ready(Err(())), PATIENCE).await);
        assert!(is_taken(std::future::ready(Ok::<_, ()>(())), PATIENCE).await);
    }
}
