//! A host of static files for the site, as simple as any.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A folder of another site in which the site lies.
const SUBFOLDER: &str = "/games/judkins/";

/// Nothing may come from elsewhere, nor go there.
const POLICY: &str = "default-src 'self' data: 'unsafe-inline' 'wasm-unsafe-eval'";

pub struct StaticHost {
    /// The site's address, in a subfolder. It lies at the root too.
    pub url: String,
    is_down: Arc<AtomicBool>,
    holds_network: Arc<AtomicBool>,
}

impl StaticHost {
    /// Serves a folder until the tests end.
    pub fn start(folder: &Path) -> StaticHost {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let url = format!("http://{}{SUBFOLDER}", listener.local_addr().expect("it has one"));
        let is_down = Arc::new(AtomicBool::new(false));
        let holds_network = Arc::new(AtomicBool::new(false));
        let (folder, down, holds) = (folder.to_owned(), Arc::clone(&is_down), Arc::clone(&holds_network));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok).filter(|_| !down.load(Ordering::Relaxed)) {
                let (folder, holds) = (folder.clone(), Arc::clone(&holds));
                // A browser that goes away meanwhile is no fault.
                std::thread::spawn(move || answer(&stream, &folder, &holds));
            }
        });
        StaticHost { url, is_down, holds_network }
    }

    /// Stops answering requests.
    pub fn go_down(&self) {
        self.is_down.store(true, Ordering::Relaxed);
    }

    /// Answers requests for the network only once it is no longer held.
    pub fn hold_network(&self, holds: bool) {
        self.holds_network.store(holds, Ordering::Relaxed);
    }

    /// The same site, not in a subfolder.
    pub fn root(&self) -> String {
        self.url.replace(SUBFOLDER, "/")
    }
}

fn answer(mut stream: &TcpStream, folder: &Path, holds_network: &AtomicBool) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = request.split([' ', '?']).nth(1).unwrap_or_default();
    let name = path.strip_prefix(SUBFOLDER).or(path.strip_prefix('/')).unwrap_or_default();
    let file: PathBuf = folder.join(if name.is_empty() { "index.html" } else { name });
    while name.ends_with(".net") && holds_network.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let (status, body) = std::fs::read(&file).map_or(("404 Not Found", Vec::new()), |body| ("200 OK", body));
    let kind = match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
            Content-Security-Policy: {POLICY}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(&body)
}
