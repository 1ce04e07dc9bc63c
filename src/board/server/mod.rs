//! HTTP on 127.0.0.1, and on another address if the user names one: the page, its files, and the socket, for clients
//! with the token.

mod access;
mod assets;
mod driver;
mod follow;
mod library;
mod open;
mod phone;
mod refusal;
mod shell;
mod socket;
mod storage;
mod worker;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::mpsc;

use crate::arena::EngineSpec;
use crate::board::state::FileContent;
use access::Access;
pub use library::Library;
pub use open::{OpenError, open};
use refusal::{NO_TOKEN, OTHER_HOST};
use shell::Shell;
use socket::Event;
pub use storage::Storage;

/// The default port, used if it is free and no other is requested.
const USUAL_PORT: u16 = 6160;

/// The interval at which the stop flag is checked.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// The capacity of the shell's queue of events; a sender waits while it is full.
const MOST_EVENTS: usize = 256;

/// The reason why the server is not running.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The port is taken or not allowed.
    #[error("port {port} of 127.0.0.1 cannot be had: {error}; --port 0 takes a free one")]
    Port {
        /// The requested port.
        port: u16,
        error: io::Error,
    },
    /// The address for other devices is not this machine's, or the port is taken.
    #[error("{address} cannot be had: {error}")]
    Address {
        /// The requested address.
        address: SocketAddr,
        error: io::Error,
    },
    /// Another error of the system.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A server that has its port but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    outer: Option<TcpListener>,
    access: Access,
    url: String,
    outer_url: Option<String>,
}

impl Server {
    /// Takes a port: the given one (0: any free one), or else the default port, or any if that is taken. With `listen`
    /// other devices can reach the board at that address, at the same port unless another one is given.
    ///
    /// # Errors
    /// [`ServerError`] if the port is unavailable.
    pub fn bind(port: Option<u16>, listen: Option<(IpAddr, Option<u16>)>) -> Result<Server, ServerError> {
        let bind =
            |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| ServerError::Port { port, error });
        let listener = match port {
            Some(port) => bind(port)?,
            None => bind(USUAL_PORT).or_else(|_| bind(0))?,
        };
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let outer = listen.map(|(address, other)| {
            let address = SocketAddr::new(address, other.unwrap_or(port));
            let listener = TcpListener::bind(address).and_then(|outer| outer.set_nonblocking(true).map(|()| outer));
            listener.map_err(|error| ServerError::Address { address, error })
        });
        let outer = outer.transpose()?;
        let address = outer.as_ref().map(TcpListener::local_addr).transpose()?;
        let access = Access::new(port, address);
        let url = format!("http://127.0.0.1:{port}/?token={}", access.token());
        let outer_url = address.map(|address| format!("http://{address}/?token={}", access.token()));
        Ok(Server { listener, outer, access, url, outer_url })
    }

    /// The address for other devices with the token, and its QR code for a terminal.
    pub fn outer_url(&self) -> Option<(&str, String)> {
        let url = self.outer_url.as_deref()?;
        Some((url, phone::terminal(url).unwrap_or_default()))
    }

    /// The address of the page, with the token.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Serves until it is told to stop, then ends all engines and saves the session.
    ///
    /// `opened` is put on the board, or else the last study; `folder` is the place of the session, if it is kept.
    ///
    /// # Errors
    /// An I/O error.
    pub fn run(
        self,
        opened: Option<FileContent>,
        engines: Vec<EngineSpec>,
        folder: Option<PathBuf>,
        stop: &AtomicBool,
    ) -> Result<(), ServerError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let result = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let (events, arrived) = mpsc::channel(MOST_EVENTS);
            let shell = Shell::new(opened, engines, folder, events.clone()).map_err(io::Error::from)?;
            let (end, ended) = tokio::sync::oneshot::channel();
            let shell = tokio::spawn(shell.run(arrived, ended));
            let app = Arc::new(App { access: self.access, events, phone: phone::json(self.outer_url.as_deref()) });
            let router = router(app);
            let outer = async {
                match self.outer {
                    Some(outer) => axum::serve(tokio::net::TcpListener::from_std(outer)?, router.clone()).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                served = axum::serve(listener, router.clone()) => served?,
                served = outer => served?,
                () = asked_to_stop(stop) => {}
            }
            let _ = end.send(());
            // A panic in the task has already been printed.
            let _ = shell.await;
            Ok(())
        });
        runtime.shutdown_timeout(Duration::from_millis(500));
        result
    }
}

async fn asked_to_stop(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(STOP_INTERVAL).await;
    }
}

struct App {
    access: Access,
    events: mpsc::Sender<Event>,
    /// The address for other devices, for display.
    phone: String,
}

fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/assets/{name}", get(asset))
        .route("/phone", get(phone))
        .route("/ws", get(connect))
        .fallback(async || StatusCode::NOT_FOUND)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

async fn index() -> Response {
    ([(header::LINK, assets::preloads())], page(assets::INDEX, "text/html; charset=utf-8")).into_response()
}

fn page(content: &'static [u8], kind: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], content).into_response()
}

async fn asset(Path(name): Path<String>) -> Response {
    match assets::asset(&name) {
        Some((content, kind)) => page(content, kind),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn phone(State(app): State<Arc<App>>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], app.phone.clone()).into_response()
}

async fn connect(State(app): State<Arc<App>>, request: Request) -> Response {
    use axum::extract::FromRequestParts;
    if !app.access.is_origin(request.headers()) {
        return (StatusCode::FORBIDDEN, "pages from elsewhere are not let in\n").into_response();
    }
    let (mut parts, _) = request.into_parts();
    match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(upgrade) => socket::upgrade(upgrade, app.events.clone()),
        Err(refusal) => refusal.into_response(),
    }
}

/// The content security policy: everything the page loads comes from this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Rejects requests without the token or from other origins, and adds the security headers to every answer.
async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let access = &app.access;
    let has_token = access.has_token(request.uri());
    let mut response = match access.host(request.headers()) {
        None => refusal::page(&OTHER_HOST, access.inner_host(), request.headers()),
        Some(_) if has_token || access.has_cookie(request.headers()) => next.run(request).await,
        Some(host) => refusal::page(&NO_TOKEN, host, request.headers()),
    };
    let headers = response.headers_mut();
    // A page with fewer needs sets its own policy.
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Some(cookie) = access.cookie().filter(|_| has_token && response.status() != StatusCode::FORBIDDEN) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}
