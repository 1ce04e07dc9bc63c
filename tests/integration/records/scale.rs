//! Large files: time is in proportion to their length, memory to that of a game, and the stack to nothing.

use std::io::{BufReader, Read};
use std::time::{Duration, Instant};

use judkins::record::{Format, NodeId, Reader, Record};
use judkins::shogi::Position;

use super::{WRITTEN, read_as, usi};

/// So much of a text, over and over, without a line end.
fn long(begin: &str, middle: &str, bytes: usize) -> String {
    begin.to_owned() + &middle.repeat(bytes / middle.len())
}

/// Lines in every format, most of them nonsense.
#[test]
fn a_line_of_a_megabyte_is_read_in_no_time() {
    let length = 1_000_000;
    let kings = "sfen 5k/6/6/6/6/K5 b - 1 moves ";
    for (text, format) in [
        (long(kings, "6f6e 1a1b 6e6f 1b1a ", length), Format::Usi),
        (long("x", "x", length), Format::Usi),
        (long("sfen ", "1/", length), Format::Usi),
        (long("{", "[", length), Format::Match),
        (long("{\"moves\":[\"", "x", length), Format::Match),
        (long("", "▲６四歩", length), Format::Ki2),
        (long("", "１", length), Format::Kif),
        (long("|", "歩", length), Format::Kif),
        (long("先手：", "王", length), Format::Kif),
        (long("*", "王", length), Format::Kif),
        (long("手合割：ジャドケンス将棋\n   1 ６四歩(65)", "(", length), Format::Kif),
        (long("手合割：ジャドケンス将棋\n   1 ６四歩(65)", ".", length), Format::Kif),
        (long("手合割：ジャドケンス将棋\n▲６四歩", "▲あ", length), Format::Kif),
        (
            long("手合割：ジャドケンス将棋\n   1 ６四歩(65)\n", "変化：1手\n   1 ６四歩(65)\n*abc\n", length),
            Format::Kif,
        ),
        (long("P-6d ", "{a} ", length), Format::Pgn),
        (long("P-6d P-1c ", "(K-2b {a}) ", length), Format::Pgn),
        (long("P-6d ", ";a\n", length), Format::Pgn),
        (long("[SFEN \"5k/6/6/6/6/K5 b - 1\"] ", "K-6e K-1b K-6f K-1a ", length), Format::Pgn),
        (long("P-6d {", "x", length), Format::Pgn),
        (long("P-6d ", "{", length), Format::Pgn),
        (long("P-6d ", "{[%", length), Format::Pgn),
        (long("", "1-0 ", length), Format::Pgn),
        (long("", "P-6d 1-0 ", length / 10), Format::Pgn),
        (long("[Event \"", "\\", length), Format::Pgn),
        (long("", "[a\"", length), Format::Pgn),
        (long("P-6d ", "(", length), Format::Pgn),
        (long("P-6d ", "(G-5e ", length), Format::Pgn),
        (long("Pa3 ", "(Gb2+ ", length), Format::Pgn),
        (long("P-6d", "!", length), Format::Pgn),
        (long("P-6d", "=+", length), Format::Pgn),
    ] {
        let begin = Instant::now();
        let reader = Reader::with_format(text.as_bytes(), format).expect("memory can be read");
        let games = reader.filter(|game| game.is_ok()).count();
        let took = begin.elapsed();
        let name: String = text.chars().take(20).collect();
        println!("{took:.2?} for {format} {name}");
        assert!(games > 0 || text.contains("1-0"), "{format}: {name}");
        assert!(took < Duration::from_secs(60), "{format} took {took:?}: {name}");
    }
}

/// Texts of which one part is many and another is long: neither is looked at once for each of the other.
#[test]
fn a_part_is_not_read_again_for_every_other() {
    for (text, format) in [
        (["1-0 ".repeat(60_000), " ".repeat(240_000)].concat(), Format::Pgn),
        (["{a}\n".repeat(250_000), "[A \"b\"]\n".repeat(250_000)].concat(), Format::Pgn),
        (kif_of_kings(100_000, "変化：1手\n   1 ５六玉(66)\n"), Format::Kif),
        (kif_of_kings(100_000, "変化：1手\n   1 ５六玉(66)\nまで1手で先手の勝ち\n"), Format::Kif),
        (paused_kif_of_kings(100_000), Format::Kif),
    ] {
        let begin = Instant::now();
        let games = read_as(&text, format);
        let took = begin.elapsed();
        let name: String = text.chars().take(20).collect();
        println!("{took:.2?} for {} games of {format} {name}", games.len());
        assert!(took < Duration::from_secs(8), "{format} took {took:?}: {name}");
    }
}

/// A game in which the kings move back and forth for `count` plies, with as many variations.
fn kif_of_kings(count: usize, variation: &str) -> String {
    let moves = (1..=count).zip(WALK.iter().cycle()).map(|(number, mv)| format!("{number:4} {mv}\n"));
    [KINGS, &moves.collect::<String>(), &variation.repeat(count)].concat()
}

/// The same without variations, paused after each move.
fn paused_kif_of_kings(count: usize) -> String {
    let moves = (1..=count).zip(WALK.iter().cycle());
    let paused = moves.map(|(number, mv)| format!("{:4} {mv}\n{:4} 中断\n", 2 * number - 1, 2 * number));
    [KINGS, &paused.collect::<String>()].concat()
}

/// Moves of the kings to and fro, from [`KINGS`].
pub const WALK: [&str; 4] = ["６五玉(66)", "１二玉(11)", "６六玉(65)", "１一玉(12)"];

/// A board with the two kings alone, as KIF has it.
pub const KINGS: &str = "後手の持駒：なし\n|・ ・ ・ ・ ・v玉|一\n|・ ・ ・ ・ ・ ・|二\n|・ ・ ・ ・ ・ ・|三\n\
                 |・ ・ ・ ・ ・ ・|四\n|・ ・ ・ ・ ・ ・|五\n| 玉 ・ ・ ・ ・ ・|六\n先手の持駒：なし\n";

#[test]
fn variations_nested_a_hundred_thousand_deep_are_read_and_written() {
    const DEPTH: usize = 100_000;
    // The kings walk to and fro. At each step there is another move: the walk is a variation of it, and so holds the
    // variation at the next step.
    let steps = ["K-5f (K-6e ", "K-2a (K-1b ", "K-5e (K-6f ", "K-2b (K-1a "];
    let steps: String = steps.into_iter().cycle().take(DEPTH).collect();
    let text = format!("[SFEN \"5k/6/6/6/6/K5 b - 1\"] {steps}{}", ")".repeat(DEPTH));
    let record = read_as(&text, Format::Pgn).remove(0).record.expect("it has a start");
    assert_eq!((record.len(), record.main_line().count()), (2 * DEPTH, 1));
    for format in WRITTEN.into_iter().filter(|format| *format != Format::Usi) {
        let begin = Instant::now();
        let text = record.to_text(format).expect("it is written");
        let games = read_as(&text, format);
        assert_eq!((games.len(), &games[0].problems[..]), (1, &[][..]), "{format}");
        assert!(games[0].record.as_ref() == Some(&record), "{format}");
        assert!(begin.elapsed() < Duration::from_secs(60), "{format} took {:?}", begin.elapsed());
    }
}

#[test]
fn an_endless_game_is_read_up_to_a_bound() {
    let refused = "line 1, column 1: a game of more than 64 MiB: from here on nothing is read";
    for format in WRITTEN.into_iter().chain([Format::Match]) {
        let mut games = Reader::with_format(BufReader::new(std::io::repeat(0)), format).expect("it can be read");
        let game = games.next().expect("it is told").expect("it can be read");
        assert_eq!((game.record, game.problems.len(), game.problems[0].to_string()), (None, 1, refused.to_owned()));
        assert!(games.next().is_none());
    }
    // The text before it is kept.
    let begin = "手合割：ジャドケンス将棋\n   1 ６四歩(65)\n".as_bytes();
    let comments = Repeated { game: ["*", &"x".repeat(1 << 20), "\n"].concat().into_bytes(), left: usize::MAX, at: 0 };
    let games = Reader::new(BufReader::new(begin.chain(comments))).expect("it can be read");
    let games: Vec<_> = games.map(|game| game.expect("it can be read")).collect();
    assert_eq!(games.len(), 2);
    assert_eq!((games[0].record.as_ref().map(Record::len), &games[0].problems[..]), (Some(1), &[][..]));
    assert_eq!((&games[1].record, games[1].problems[0].line), (&None, 66));
}

/// Yields the same game repeatedly, without storing the copies.
struct Repeated {
    game: Vec<u8>,
    left: usize,
    at: usize,
}

impl Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.game.len() {
            (self.left, self.at) = (self.left.saturating_sub(1), 0);
        }
        if self.left == 0 {
            return Ok(0);
        }
        let length = buffer.len().min(self.game.len() - self.at);
        buffer[..length].copy_from_slice(&self.game[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}

/// A game of a hundred plies with an engine evaluation of each move.
fn game() -> Record {
    let mut record = Record::new(Position::startpos());
    let mut id = NodeId::ROOT;
    for ply in 0..100 {
        let moves = record.position(id).expect("the node is there").legal_moves();
        let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
        id = record.play(id, mv).expect("it is legal");
        let evaluation = judkins::record::Evaluation {
            score: Some(judkins::score::Score::Centipawns(ply as i32)),
            depth: Some(12),
            ..Default::default()
        };
        record.set_evaluation(id, Some(evaluation)).expect("it is a move");
        record.set_time(id, Some(Duration::from_millis(123))).expect("it is a move");
    }
    record
}

#[test]
fn a_file_of_many_games_is_converted_game_by_game() {
    let count = 300;
    let record = game();
    assert!(record.len() >= 80, "{}", record.len());
    for format in WRITTEN {
        let text = record.to_text(format).expect("it is written");
        let input = BufReader::new(Repeated { game: text.into_bytes(), left: count, at: 0 });
        let begin = Instant::now();
        let mut games = 0;
        for game in Reader::with_format(input, format).expect("it can be read") {
            let read = game.expect("it can be read").record.expect("it has a start");
            if games == 0 {
                assert_eq!(usi(&read), usi(&record));
            }
            games += read.to_text(Format::Pgn).expect("it is written").len().min(1);
        }
        assert_eq!(games, count, "{format}");
        println!("{count} games of {} plies from {format} to pgn: {:.2?}", record.len(), begin.elapsed());
    }
}
