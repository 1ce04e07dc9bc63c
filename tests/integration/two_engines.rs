//! Two engines in one process: their parameters and logs are their own.

use std::fs;
use std::io::{self, BufRead, BufReader, Lines, PipeReader, PipeWriter, Write};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use judkins::engine::{Engine, OptionTable};
use judkins::frontend::{Output, Session};
use judkins::shogi::{Game, Position};

/// Plies that the two play.
const PLIES: usize = 10;

/// An engine in a session of its own, on a thread of this process.
struct Player {
    input: PipeWriter,
    output: Lines<BufReader<PipeReader>>,
    session: JoinHandle<io::Result<()>>,
    log: PathBuf,
    /// The lines sent and received since the log was opened, according to the log.
    lines: Vec<String>,
}

impl Player {
    /// Starts an engine whose parameters can be set, and opens its log.
    fn start(log: PathBuf) -> Player {
        let (commands, input) = io::pipe().unwrap();
        let (output, responses) = io::pipe().unwrap();
        let engine = Engine::new(OptionTable::new(None, true).unwrap()).unwrap();
        let session = std::thread::spawn(move || {
            let mut session = Session::new(engine, Output::new(responses, |_| {})).unwrap();
            session.run(BufReader::new(commands))
        });
        let mut player = Player { input, output: BufReader::new(output).lines(), session, log, lines: Vec::new() };
        player.send(&format!("setoption name DebugLogFile value {}", player.log.display()));
        player.lines.clear();
        player
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
        self.lines.push(format!("< {line}"));
    }

    /// The next line that begins with this word.
    fn receive(&mut self, word: &str) -> String {
        loop {
            let line = self.output.next().expect("the session goes on").unwrap();
            self.lines.push(format!("> {line}"));
            assert!(!line.contains("error"), "{line}");
            if line.starts_with(word) {
                return line;
            }
        }
    }

    fn set(&mut self, parameters: &[(&str, i32)]) {
        for (name, value) in parameters {
            self.send(&format!("setoption name {name} value {value}"));
        }
        self.send("isready");
        self.receive("readyok");
    }

    /// The move for a position, and the nodes of the search that found it.
    fn think(&mut self, moves: &str) -> (String, String) {
        self.send(&format!("position startpos moves {moves}"));
        self.send("go depth 7");
        let last = self.receive("info depth 7 ");
        let best = self.receive("bestmove ");
        let after = |line: &str, word: &str| {
            line.split(' ').skip_while(|found| *found != word).nth(1).expect("the word has a value").to_owned()
        };
        (after(&best, "bestmove"), after(&last, "nodes"))
    }

    /// Ends the session. Returns the lines sent and received, and those of the log.
    fn quit(mut self) -> (Vec<String>, Vec<String>) {
        self.send("quit");
        self.session.join().unwrap().unwrap();
        (self.lines, logged(&self.log))
    }
}

/// The lines of a log, without their times.
fn logged(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.split_once(' ').expect("the time comes first").1.to_owned()).collect()
}

#[test]
fn two_engines_in_one_process_share_neither_parameters_nor_logs() {
    let folder = tempfile::tempdir().unwrap();
    let parameters: [&[(&str, i32)]; 2] = [&[("LmrBase", 1_500), ("RfpMargin", 40)], &[("LmrBase", 100)]];
    let mut players = ["black.log", "white.log"].map(|log| Player::start(folder.path().join(log)));
    for (player, parameters) in players.iter_mut().zip(parameters) {
        player.set(parameters);
    }
    let mut game = Game::new(Position::startpos());
    let mut played: Vec<(String, String)> = Vec::new();
    let line = |played: &[(String, String)]| played.iter().map(|(mv, _)| mv.as_str()).collect::<Vec<_>>().join(" ");
    for ply in 0..PLIES {
        let answer = players[ply % 2].think(&line(&played));
        game.play(answer.0.parse().unwrap()).expect("the engine plays legal moves");
        played.push(answer);
    }
    for player in players {
        let (lines, log) = player.quit();
        assert_eq!(log, lines, "a log has the lines of its own session, in their order");
    }

    // Alone, each finds the same with the same number of nodes.
    let mut first_searches = Vec::new();
    for (side, parameters) in parameters.into_iter().enumerate() {
        let mut alone = Player::start(folder.path().join("alone.log"));
        alone.set(parameters);
        for ply in (side..PLIES).step_by(2) {
            assert_eq!(alone.think(&line(&played[..ply])), played[ply], "ply {ply}");
        }
        alone.send("usinewgame");
        first_searches.push(alone.think(""));
        alone.quit();
    }
    assert_ne!(first_searches[0].1, first_searches[1].1, "the parameters make a difference");
}
