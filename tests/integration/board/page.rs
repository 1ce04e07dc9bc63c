//! A page of a board, with a server or without.

use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::{Value, json};

/// The timeout of an answer on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The connection between a page and its board.
pub trait Connection {
    fn say(&mut self, text: &str);

    /// The next message, unless none has come yet.
    fn hear(&mut self) -> Option<String>;
}

/// A page: received messages and sent requests.
pub struct Page {
    connection: Box<dyn Connection>,
    last_id: u64,
    pub hello: Value,
    pub study: Value,
    pub position: Value,
    /// The games of the list, as far as they were looked at.
    games: Vec<Value>,
}

impl Page {
    /// A page that has been told all there is.
    #[track_caller]
    pub fn new(connection: impl Connection + 'static) -> Page {
        let (hello, study, position) = (Value::Null, Value::Null, Value::Null);
        let (connection, games) = (Box::new(connection), Vec::new());
        let mut page = Page { connection, last_id: 0, hello, study, position, games };
        page.hello = page.wait("hello");
        page.study = page.wait("study");
        page.position = page.wait("position");
        page
    }

    /// The study and the position that it was told first.
    pub fn state(self) -> (Value, Value) {
        (self.study, self.position)
    }

    /// Sends a text as it is.
    pub fn say(&mut self, text: &str) {
        self.connection.say(text);
    }

    /// Sends a request and returns its number.
    pub fn ask(&mut self, mut request: Value) -> u64 {
        self.last_id += 1;
        request["id"] = json!(self.last_id);
        self.say(&request.to_string());
        self.last_id
    }

    /// Sends a request that is refused, and returns the error's code.
    #[track_caller]
    pub fn refused(&mut self, request: Value) -> String {
        let id = self.ask(request);
        let error = self.wait_for(|message| message["type"] == "error" && message["id"] == id);
        error["code"].as_str().expect("errors have codes").to_owned()
    }

    /// Sends a request, and returns the answer to it.
    #[track_caller]
    pub fn answer(&mut self, request: Value) -> Value {
        let id = self.ask(request);
        self.wait_for(|message| message["id"] == id)
    }

    /// The next message of a type.
    #[track_caller]
    pub fn wait(&mut self, kind: &str) -> Value {
        self.wait_for(|message| message["type"] == kind)
    }

    /// The next message like this.
    #[track_caller]
    pub fn wait_for(&mut self, mut is_it: impl FnMut(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(text) = self.connection.hear() {
                let message: Value = serde_json::from_str(&text).expect("messages are JSON");
                self.list(&message);
                if is_it(&message) {
                    return message;
                }
            }
        }
        panic!("nothing like this came");
    }

    /// Follows the list of games.
    fn list(&mut self, message: &Value) {
        let entries = |games: &Value| games.as_array().cloned().unwrap_or_default();
        match message["type"].as_str() {
            Some("games") => self.games = entries(&message["games"]["games"]),
            Some("gamesAdded") => {
                for game in entries(&message["games"]) {
                    match self.games.iter_mut().find(|known| known["id"] == game["id"]) {
                        Some(known) => *known = game,
                        None => self.games.push(game),
                    }
                }
            }
            _ => {}
        }
    }

    pub fn games(&self) -> &[Value] {
        &self.games
    }

    /// Opens a file.
    pub fn open(&mut self, name: &str, text: &str) {
        self.ask(json!({"type": "open", "name": name, "data": encoded(text)}));
    }

    /// Imports a file into the library, and returns what is said of it.
    #[track_caller]
    pub fn import(&mut self, name: &str, text: &str) -> Value {
        self.answer(json!({"type": "import", "name": name, "data": encoded(text)}))
    }

    /// Asks for a game by its number in the list, from 0.
    pub fn ask_for_game(&mut self, number: usize) {
        let game = self.games[number]["id"].clone();
        self.ask(json!({"type": "openGame", "game": game}));
    }

    /// Opens a game by its number in the list, and returns the study that it is.
    #[track_caller]
    pub fn open_game(&mut self, number: usize) -> Value {
        self.ask_for_game(number);
        self.wait("study")
    }

    /// Replaces the study by a fresh one.
    #[track_caller]
    pub fn begin_study(&mut self) {
        self.ask(json!({"type": "study"}));
        self.wait("study");
    }

    /// Puts back what was replaced, and returns it.
    #[track_caller]
    pub fn put_back(&mut self) -> Value {
        self.ask(json!({"type": "putBack"}));
        self.wait("study")
    }

    /// Plays the move of a hint in the problem that is shown.
    #[track_caller]
    pub fn follow_hint(&mut self) {
        self.ask(json!({"type": "hint"}));
        let hint = self.wait("hint");
        self.ask(json!({"type": "problemMove", "node": hint["node"], "move": hint["move"]}));
    }

    /// Begins a game, and returns what is told of it.
    #[track_caller]
    pub fn begin(&mut self, mut game: Value) -> Value {
        game["type"] = json!("new");
        self.ask(game);
        // A position may still be due from before; the game's comes after its study.
        self.wait("study");
        self.position = self.wait("position");
        self.wait_for(|message| message["type"] == "game" && !message["game"].is_null())["game"].clone()
    }

    /// The same for two people without a clock.
    #[track_caller]
    pub fn begin_of_two_people(&mut self) {
        let human = json!({"kind": "human", "name": "a"});
        self.begin(json!({"black": human, "white": human}));
    }

    /// Resigns the game, and returns the message of its result.
    #[track_caller]
    pub fn resign(&mut self) -> Value {
        self.ask(json!({"type": "resign"}));
        self.wait_for_result()
    }

    /// The message of the result of a game.
    #[track_caller]
    pub fn wait_for_result(&mut self) -> Value {
        self.wait_for(|message| !message["game"]["result"].is_null())
    }

    /// The record on the board in a format.
    #[track_caller]
    pub fn export(&mut self, format: &str) -> String {
        self.ask(json!({"type": "export", "format": format}));
        self.wait("exported")["text"].as_str().expect("it is text").to_owned()
    }

    /// Goes to a node.
    #[track_caller]
    pub fn go_to(&mut self, node: u64) {
        self.ask(json!({"type": "goto", "node": node}));
        self.position = self.wait_for(|message| message["type"] == "position" && message["cursor"] == node);
    }

    /// Comments on a node, and waits until the comment is told.
    #[track_caller]
    pub fn comment(&mut self, node: u64, text: &str) {
        self.ask(json!({"type": "comment", "node": node, "text": text}));
        self.wait_for(|message| message["node"]["comment"] == text);
    }

    /// Takes the last edit back, and waits until that is said.
    #[track_caller]
    pub fn undo(&mut self) {
        self.ask(json!({"type": "undo"}));
        self.wait_for(|message| message["type"] == "notice" && message["text"]["key"] == "undo.done");
    }

    /// Pastes a record, and returns the study that it becomes.
    #[track_caller]
    pub fn paste(&mut self, text: &str) -> Value {
        self.ask(json!({"type": "paste", "text": text}));
        self.wait("study")
    }

    /// Plays a move where the cursor is, and returns the position after it.
    #[track_caller]
    pub fn play(&mut self, mv: &str) -> Value {
        let node = self.position["cursor"].clone();
        self.ask(json!({"type": "play", "node": node, "move": mv}));
        self.position = self.wait_for(|message| message["type"] == "position" && message["last"] == mv);
        self.position.clone()
    }
}

/// The content of a file in a message.
pub fn encoded(text: &str) -> String {
    base64::prelude::BASE64_STANDARD.encode(text)
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
