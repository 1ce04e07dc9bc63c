//! The program as a process with a folder of its own, and its sockets.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use super::page::{Connection, Page};
use crate::common::processes::{kill_with_engines, scripted_engine, spawn};

/// A running `judkins board`. It is killed at the end.
pub struct Server {
    child: Child,
    pub port: u16,
    pub token: String,
    /// The time until the first line.
    pub first_line: Duration,
    pub folder: TempDir,
}

impl Server {
    /// A board with this program as its engine.
    pub fn start() -> Server {
        Server::with(&[])
    }

    /// A board with more arguments.
    pub fn with(arguments: &[&str]) -> Server {
        Server::in_folder(tempfile::tempdir().expect("there is room"), arguments)
    }

    /// A board with the scripted engine of this manner.
    pub fn scripted(manner: &str) -> Server {
        let arguments = scripted_engine(manner);
        Server::with(&arguments.each_ref().map(String::as_str))
    }

    /// A board that keeps its study in this folder.
    pub fn in_folder(folder: TempDir, arguments: &[&str]) -> Server {
        let begin = Instant::now();
        let (child, line) = spawn(arguments, "0", folder.path());
        let first_line = begin.elapsed();
        let (port, token) = address(&line).unwrap_or_else(|| panic!("'{line}' is an address with a token"));
        Server { child, port, token, first_line, folder }
    }

    /// A page that has been told all there is.
    pub fn page(&self) -> Page {
        Page::new(self.connect(&[]).expect("the page is let in"))
    }

    /// The socket, asked for with more headers.
    pub fn connect(&self, headers: &[(&'static str, &str)]) -> Result<WebSocket<TcpStream>, String> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the port is open");
        let address = format!("ws://127.0.0.1:{}/ws?token={}", self.port, self.token);
        let mut request = address.into_client_request().expect("it is an address");
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().expect("it is a header"));
        }
        let (socket, _) = tungstenite::client(request, stream).map_err(|error| error.to_string())?;
        // Not before: a signal would end the handshake with an error.
        socket.get_ref().set_read_timeout(Some(Duration::from_millis(100))).expect("a stream has timeouts");
        Ok(socket)
    }

    /// The answer to a request for a path, head and body.
    pub fn get(&self, path: &str, headers: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the port is open");
        write!(stream, "GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n").expect("it is read");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it is text");
        answer
    }

    /// Kills the program without a warning; the folder stays.
    pub fn kill(mut self) -> TempDir {
        kill_with_engines(&mut self.child);
        std::mem::replace(&mut self.folder, tempfile::tempdir().expect("there is room"))
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end of the program.
    pub fn wait(&mut self) -> std::process::ExitStatus {
        self.child.wait().expect("it ends")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        kill_with_engines(&mut self.child);
    }
}

fn address(line: &str) -> Option<(u16, String)> {
    let (port, token) = line.trim_end().strip_prefix("http://127.0.0.1:")?.split_once("/?token=")?;
    Some((port.parse().ok()?, token.to_owned()))
}

impl Connection for WebSocket<TcpStream> {
    fn say(&mut self, text: &str) {
        self.send(Message::text(text)).expect("the socket is open");
    }

    fn hear(&mut self) -> Option<String> {
        match self.read() {
            Ok(Message::Text(text)) => Some(text.as_str().to_owned()),
            Ok(_) => None,
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) =>
            {
                None
            }
            Err(error) => panic!("the connection has ended: {error}"),
        }
    }
}
