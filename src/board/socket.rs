//! One page's connection: its requests become events, and what the desk says is sent to it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::ws::{Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use futures_util::{SinkExt, StreamExt};
use tokio::sync::mpsc;

use super::desk::Event;

/// The longest message that a page may send, in bytes.
const MAX_MESSAGE: usize = 8 << 20;

/// The most messages that wait for a page. A page that lags further behind is disconnected; it reconnects and gets the whole state.
const MOST_WAITING: usize = 1_024;

/// How often a silent page is asked whether it is still there.
const PING_INTERVAL: Duration = Duration::from_secs(30);

/// Which connection.
pub type ClientId = u64;

/// Accepts a connection.
pub fn upgrade(upgrade: WebSocketUpgrade, events: mpsc::Sender<Event>) -> Response {
    // A message over the bound still gets an answer, up to twice the bound.
    upgrade
        .max_message_size(2 * MAX_MESSAGE)
        .max_frame_size(2 * MAX_MESSAGE)
        .on_upgrade(move |socket| attend(socket, events))
}

async fn attend(socket: WebSocket, events: mpsc::Sender<Event>) {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let client: ClientId = COUNT.fetch_add(1, Ordering::Relaxed);
    let (mut sink, mut stream) = socket.split();
    let (outbox, mut waiting) = mpsc::channel::<Utf8Bytes>(MOST_WAITING);
    if events.send(Event::Joined { client, outbox }).await.is_err() {
        return;
    }
    let mut ping = tokio::time::interval(PING_INTERVAL);
    loop {
        tokio::select! {
            text = waiting.recv() => {
                let Some(text) = text else { break };
                if sink.send(Frame::Text(text)).await.is_err() {
                    break;
                }
            }
            _ = ping.tick() => {
                if sink.send(Frame::Ping(Default::default())).await.is_err() {
                    break;
                }
            }
            frame = stream.next() => {
                let said = match frame {
                    Some(Ok(Frame::Text(text))) if text.len() <= MAX_MESSAGE => Event::Said { client, text },
                    Some(Ok(Frame::Text(_))) => Event::TooLong { client },
                    Some(Ok(Frame::Binary(_))) => Event::Said { client, text: Utf8Bytes::default() },
                    Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => continue,
                    Some(Ok(Frame::Close(_)) | Err(_)) | None => break,
                };
                if events.send(said).await.is_err() {
                    break;
                }
            }
        }
    }
    let _ = events.send(Event::Left { client }).await;
}
