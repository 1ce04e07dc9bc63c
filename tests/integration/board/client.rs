//! A board in a folder of its own, and pages of it.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use crate::common::processes::{kill_with_engines, scripted_engine, spawn};
use crate::common::wait_until;

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running board. It is killed at the end.
pub struct Board {
    child: Child,
    pub port: u16,
    pub token: String,
    /// How long the first line took.
    pub first_line: Duration,
    pub folder: TempDir,
}

impl Board {
    /// A board with this program as its engine.
    pub fn start() -> Board {
        Board::with(&[])
    }

    /// A board with more arguments.
    pub fn with(arguments: &[&str]) -> Board {
        Board::in_folder(tempfile::tempdir().expect("there is room"), arguments)
    }

    /// A board with the scripted engine of this manner.
    pub fn scripted(manner: &str) -> Board {
        let arguments = scripted_engine(manner);
        Board::with(&arguments.each_ref().map(String::as_str))
    }

    /// A board that keeps its study in this folder.
    pub fn in_folder(folder: TempDir, arguments: &[&str]) -> Board {
        let begin = Instant::now();
        let (child, line) = spawn(arguments, "0", folder.path());
        let first_line = begin.elapsed();
        let (port, token) = address(&line).unwrap_or_else(|| panic!("'{line}' is an address with a token"));
        Board { child, port, token, first_line, folder }
    }

    /// A page that has been told all there is.
    pub fn page(&self) -> Page {
        let mut page = Page::new(self.connect(&[]).expect("the page is let in"));
        page.hello = page.wait("hello");
        page.study = page.wait("study");
        page.position = page.wait("position");
        page
    }

    /// The socket, asked for with more headers.
    pub fn connect(&self, headers: &[(&'static str, &str)]) -> Result<WebSocket<TcpStream>, String> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the port is open");
        stream.set_read_timeout(Some(Duration::from_millis(100))).expect("a stream has timeouts");
        let address = format!("ws://127.0.0.1:{}/ws?token={}", self.port, self.token);
        let mut request = address.into_client_request().expect("it is an address");
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().expect("it is a header"));
        }
        let mut handshake = tungstenite::client(request, stream).map(|(socket, _)| socket);
        loop {
            match handshake {
                Ok(socket) => return Ok(socket),
                Err(tungstenite::HandshakeError::Interrupted(middle)) => {
                    handshake = middle.handshake().map(|(socket, _)| socket);
                }
                Err(tungstenite::HandshakeError::Failure(error)) => return Err(error.to_string()),
            }
        }
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

impl Drop for Board {
    fn drop(&mut self) {
        kill_with_engines(&mut self.child);
    }
}

fn address(line: &str) -> Option<(u16, String)> {
    let (port, token) = line.trim_end().strip_prefix("http://127.0.0.1:")?.split_once("/?token=")?;
    Some((port.parse().ok()?, token.to_owned()))
}

/// A page: what it was told, and what it asks.
pub struct Page {
    socket: WebSocket<TcpStream>,
    last_id: u64,
    /// What came and was not waited for.
    unread: Vec<Value>,
    pub hello: Value,
    pub study: Value,
    pub position: Value,
}

impl Page {
    fn new(socket: WebSocket<TcpStream>) -> Page {
        Page { socket, last_id: 0, unread: Vec::new(), hello: Value::Null, study: Value::Null, position: Value::Null }
    }

    /// Sends a text as it is.
    pub fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).expect("the socket is open");
    }

    /// Sends a request and returns its number.
    pub fn ask(&mut self, mut request: Value) -> u64 {
        self.last_id += 1;
        request["id"] = json!(self.last_id);
        self.say(&request.to_string());
        self.last_id
    }

    /// Sends a request that is refused, and returns the error's code.
    pub fn refused(&mut self, request: Value) -> String {
        let id = self.ask(request);
        let error = self.wait_for(|message| message["type"] == "error" && message["id"] == id);
        error["code"].as_str().expect("errors have codes").to_owned()
    }

    /// The next message of a type.
    pub fn wait(&mut self, kind: &str) -> Value {
        self.wait_for(|message| message["type"] == kind)
    }

    /// The next message like this.
    pub fn wait_for(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.unread.iter().position(&is_it) {
            let message = self.unread.remove(index);
            self.unread.drain(..index);
            return message;
        }
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(message) = self.read()
                && is_it(&message)
            {
                return message;
            }
        }
        panic!("nothing like this came");
    }

    fn read(&mut self) -> Option<Value> {
        match self.socket.read() {
            Ok(Message::Text(text)) => Some(serde_json::from_str(&text).expect("messages are JSON")),
            Ok(_) => None,
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) =>
            {
                None
            }
            Err(error) => panic!("the connection has ended: {error}"),
        }
    }

    /// Plays a move where the cursor is, and returns the position after it.
    pub fn play(&mut self, mv: &str) -> Value {
        let node = self.position["cursor"].clone();
        self.ask(json!({"type": "play", "node": node, "move": mv}));
        self.position = self.wait_for(|message| message["type"] == "position" && message["last"] == mv);
        self.position.clone()
    }

    /// The state as a page gets it that comes now.
    pub fn state(board: &Board) -> (Value, Value) {
        let page = board.page();
        (page.study, page.position)
    }
}

/// The moves of the main line of a study.
pub fn moves(study: &Value) -> Vec<String> {
    let nodes = study["nodes"].as_array().expect("a study has nodes");
    let node = |id: &Value| nodes.iter().find(|node| node["id"] == *id).expect("children are there");
    let mut at = &nodes[0];
    let mut moves = Vec::new();
    while let Some(child) = at["children"].as_array().and_then(|children| children.first()) {
        at = node(child);
        moves.push(at["move"].as_str().expect("it is a move").to_owned());
    }
    moves
}

/// Waits until a file holds this.
pub fn wait_for_file(path: &Path, is_it: impl Fn(&str) -> bool) {
    wait_until(&path.display().to_string(), || {
        std::fs::read(path).is_ok_and(|text| is_it(&String::from_utf8_lossy(&text)))
    });
}
