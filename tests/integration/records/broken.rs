//! Broken files: with any bytes, nothing panics or hangs, problems have positions, and the valid part is kept.

use judkins::record::{Format, ReadGame, Reader, Record};
use judkins::shogi::Move;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::samples::{CUTE_CHESS, FAIRY, KI2, KIF, MATCH, PGN, USI};
use super::{read_as, usi};

const SAMPLES: [(&str, Format); 7] = [
    (USI, Format::Usi),
    (KIF, Format::Kif),
    (KI2, Format::Ki2),
    (PGN, Format::Pgn),
    (FAIRY, Format::PgnFairy),
    (CUTE_CHESS, Format::PgnCuteChess),
    (MATCH, Format::Match),
];

/// Reads bytes with format recognition, and as each format; the results must be consistent.
fn read_every_way(bytes: &[u8]) -> usize {
    let mut games = 0;
    let lines = bytes.split(|&byte| byte == b'\n' || byte == b'\r').count();
    let mut check = |read: Vec<ReadGame>| {
        for game in read {
            games += 1;
            assert!((1..=lines).contains(&game.line), "game in line {} of {lines}", game.line);
            assert!(game.record.is_some() || !game.problems.is_empty(), "a game that is refused says why");
            for problem in &game.problems {
                assert!((1..=lines).contains(&problem.line) && problem.column >= 1, "{problem}");
                assert!(!problem.message.is_empty() && problem.message.chars().count() < 400, "{problem}");
            }
            // A record that was read can be written, and is read again without a problem.
            if let Some(record) = &game.record {
                let again = read_as(record.to_text(Format::Usi).expect("it is written"), Format::Usi);
                assert_eq!(again[0].record.as_ref().map(usi), Some(usi(record)));
            }
        }
    };
    if let Ok(reader) = Reader::new(bytes) {
        check(reader.collect::<Result<_, _>>().expect("memory can be read"));
    }
    for format in Format::ALL {
        check(read_as(bytes, format));
    }
    games
}

fn main_moves(record: &Record) -> Vec<Move> {
    record.main_moves().collect()
}

#[test]
fn a_file_cut_at_any_byte_keeps_what_came_before() {
    for (text, format) in SAMPLES {
        let whole: Vec<Vec<Move>> =
            read_as(text, format).iter().map(|game| main_moves(game.record.as_ref().unwrap())).collect();
        for length in 0..text.len() {
            let games = read_as(&text.as_bytes()[..length], format);
            assert!(games.len() <= whole.len(), "{format}, {length} bytes");
            for (game, whole) in games.iter().zip(&whole) {
                let Some(record) = &game.record else { continue };
                let moves = main_moves(record);
                // The last may have lost its promotion.
                let sure = moves.len().saturating_sub(1);
                assert_eq!(moves[..sure], whole[..sure], "{format}, {length} bytes");
            }
            if length % 7 == 0 {
                read_every_way(&text.as_bytes()[..length]);
            }
        }
    }
}

#[test]
fn lines_in_another_order_are_no_danger() {
    for (text, _) in SAMPLES {
        let lines: Vec<&str> = text.lines().collect();
        for (first, second) in (0..lines.len()).flat_map(|first| (0..first).map(move |second| (first, second))) {
            let mut swapped = lines.clone();
            swapped.swap(first, second);
            read_every_way(swapped.join("\n").as_bytes());
        }
    }
}

/// Changes a file in a few places.
fn mutated(random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut below = |bound: usize| (random.next_u64() % bound.max(1) as u64) as usize;
    let sample = |index: usize| SAMPLES[index % SAMPLES.len()].0.as_bytes();
    let mut bytes = sample(below(7)).to_vec();
    for _ in 0..=below(6) {
        let at = below(bytes.len());
        let end = (at + below(40)).min(bytes.len());
        match below(7) {
            0 if !bytes.is_empty() => bytes[at] = below(256) as u8,
            1 => {
                bytes.drain(at..end);
            }
            2 => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            3 => {
                let special = b"\n\r \t()[]{}\"\\;%$*#:|+-0";
                bytes.insert(at, special[below(special.len())]);
            }
            4 => {
                let other = sample(below(7));
                let from = below(other.len());
                let to = (from + below(80)).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            5 => bytes.truncate(at),
            _ => {
                let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
                let (one, other) = (below(lines.len()), below(lines.len()));
                lines.swap(one, other);
                bytes = lines.join(&b'\n');
            }
        }
    }
    bytes
}

/// `JUDKINS_MUTATIONS` says how many; a hundred thousand take some minutes.
#[test]
fn mutated_files_neither_panic_nor_hang() {
    let count = std::env::var("JUDKINS_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(3_000);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let games: usize = (0..count).map(|_| read_every_way(&mutated(&mut random))).sum();
    assert!(games > 3 * count, "{games} games in {count} files");
}

#[test]
fn wrong_encodings_are_told_and_survived() {
    let (japanese, _, _) = encoding_rs::SHIFT_JIS.encode(KIF);
    for bytes in [
        // Shift-JIS in the middle of UTF-8, UTF-8 in the middle of Shift-JIS, a stray byte.
        [&KIF.as_bytes()[..KIF.len() / 2], &japanese].concat(),
        [&japanese[..japanese.len() / 2], KIF.as_bytes()].concat(),
        KIF.replace("two", "tw\u{0}").into_bytes().into_iter().chain([0xff]).collect(),
    ] {
        read_every_way(&bytes);
        let reader = Reader::new(&bytes[..]).expect("the format shows");
        let problems: Vec<_> = reader.flat_map(|game| game.expect("memory can be read").problems).collect();
        assert!(problems.iter().any(|problem| problem.message.contains("neither UTF-8 nor Shift-JIS")), "{problems:?}");
    }
    assert!(Reader::new(&b"\xff\xfe[\0"[..]).err().is_some_and(|error| error.to_string().contains("UTF-16")));
}

#[test]
fn an_illegal_move_in_the_middle_ends_that_game_and_no_other() {
    for (text, format, from, to, problem) in [
        (USI, Format::Usi, "5f5e", "5f5c", "illegal move 5f5c"),
        (KIF, Format::Kif, "５五金(56)", "５三金(56)", "'５三金(56)' is not a legal move"),
        (KI2, Format::Ki2, "▲５五金", "▲５三金", "'▲５三金' is not a legal move"),
        (PGN, Format::Pgn, "G-5e", "G-5c", "'G-5c' is not a legal move"),
        (FAIRY, Format::PgnFairy, "Gb2", "Gb4", "'Gb4' is not a legal move"),
        (CUTE_CHESS, Format::PgnCuteChess, "Gb2", "Gb4", "'Gb4' is not a legal move"),
        (MATCH, Format::Match, "5f5e", "5f5c", "move 3: illegal move 5f5c"),
    ] {
        let broken = format!("{}{text}", text.replacen(from, to, 1));
        let games = read_as(&broken, format);
        assert_eq!(games.len(), 2, "{format}");
        let kept = games[0].record.as_ref().expect("it has a start");
        assert_eq!(usi(kept), "startpos moves 6e6d 1b1c", "{format}");
        let found = &games[0].problems[0];
        assert_eq!(found.message, problem, "{format}");
        let line = broken.lines().nth(found.line - 1).expect("there is such a line");
        if format != Format::Match {
            let at: String = line.chars().skip(found.column - 1).collect();
            assert!(at.starts_with(to) || at.starts_with(&to[1..]), "{format}: {line}, column {}", found.column);
        }
        assert_eq!(games[1].problems, [], "{format}");
        assert_eq!(games[1].record.as_ref(), read_as(text, format)[0].record.as_ref(), "{format}");
    }
}
