//! Books: the one built in, and those of `BookFile`.

use std::collections::HashSet;

use judkins::book::CompactBook;
use judkins::shogi::{Handicap, Position, START_SFEN};

use crate::common::Folder;

use super::SHUFFLE;
use super::driver::Session;

/// Whether a search was made for the answer, and the answer.
fn searched(session: &mut Session) -> (bool, String) {
    let (best, lines) = session.go("depth 3");
    (lines.iter().any(|line| line.text.starts_with("info depth ")), best)
}

/// The answer must be searched for, or not.
fn must_search(session: &mut Session, wanted: bool, message: &str) {
    let (searched, best) = searched(session);
    session.check(searched == wanted, &format!("{best}, searched: {searched}; {message}"));
}

/// A session that plays from a text with four first moves, of which one is worse and one much worse. No search would
/// give the bishop away.
fn session(story: &str) -> (Session, Folder) {
    let folder = Folder::new();
    let text = format!(
        "#YANEURAOU-DB2016 1.00\nsfen {START_SFEN}\n2f4d none 40 1 1\n4f4e none 30 1 1\n4f3e none 20 1 1\n\
         2f6b none -900 1 1\n\
         sfen rbnsgk/5p/6/P5/6/KGSNBR w - 2\n1a2b none 0 1 1\n"
    );
    let path = folder.file("text.db", &text);
    let mut session = Session::ready(story);
    session.play(&format!("> setoption name BookFile value {path} \n ="));
    session.play("> setoption name USI_OwnBook value true \n =");
    (session, folder)
}

/// The different answers to the start position over many games.
fn answers(session: &mut Session, games: usize) -> HashSet<String> {
    (0..games)
        .map(|_| {
            session.play("> usinewgame \n > position startpos");
            let (searched, best) = searched(session);
            session.check(!searched, "it is in the book");
            best
        })
        .collect()
}

#[test]
fn the_book_built_in_is_off_until_it_is_asked_for() {
    let mut session = Session::ready("the book built in");
    let starts: Vec<String> =
        [START_SFEN].into_iter().chain(Handicap::ALL.map(Handicap::sfen)).map(str::to_owned).collect();
    for on in [false, true, false] {
        session.play(&format!("> setoption name USI_OwnBook value {on}"));
        for start in &starts {
            session.play(&format!("> position sfen {start}"));
            must_search(&mut session, !on, &format!("{start}, with the book {on}"));
        }
    }
    // Analysis does not end with the book.
    session.play(
        "> setoption name USI_OwnBook value true \n > position startpos \n > go infinite \n << info depth 3 \n > stop \n \
         << bestmove",
    );
    session.quit();
}

#[test]
fn moves_are_chosen_within_the_margin() {
    let known = |moves: &str| moves.split(' ').map(str::to_owned).collect::<HashSet<_>>();
    let (mut session, _folder) = session("margins");
    for (margin, moves) in [(0, "2f4d"), (9, "2f4d"), (10, "2f4d 4f4e"), (100, "2f4d 4f4e 4f3e")] {
        session.play(&format!("> setoption name BookMargin value {margin} \n ="));
        let mut found = answers(&mut session, 60);
        // At the margin itself a move has one of twelve chances.
        for _ in 0..9 {
            if found.len() < known(moves).len() {
                found.extend(answers(&mut session, 60));
            }
        }
        session.check(found == known(moves), &format!("{found:?} with margin {margin}"));
    }
    session.quit();
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let (mut session, _folder) = session("seeds");
    session.play("> setoption name BookMargin value 100 \n =");
    let mut games = HashSet::new();
    for seed in 1..=20 {
        session.play(&format!("> setoption name BookSeed value {seed} \n ="));
        let answers = answers(&mut session, 5);
        session.check(answers.len() == 1, &format!("{answers:?} with seed {seed}"));
        games.extend(answers);
    }
    session.quit();
    assert!(games.len() > 1, "every seed plays {games:?}");
}

#[test]
fn the_book_ends_after_its_plies() {
    let (mut session, _folder) = session("plies from the book");
    for (plies, first, second) in [(0, true, true), (1, false, true), (2, false, false)] {
        session.play(&format!("> setoption name BookDepth value {plies} \n = \n > position startpos"));
        must_search(&mut session, first, &format!("the first move, with a depth of {plies}"));
        session.play("> position startpos moves 6e6d");
        must_search(&mut session, second, &format!("the second move, with a depth of {plies}"));
    }
    session.quit();
}

#[test]
fn a_position_that_comes_again_is_searched() {
    let (mut session, _folder) = session("a repetition in the book");
    session.play("> position startpos");
    must_search(&mut session, false, "the first time");
    session.play(&format!("> position startpos moves {SHUFFLE}"));
    must_search(&mut session, true, "the second time");
    session.quit();
}

#[test]
fn lower_levels_play_half_of_their_first_moves_from_the_book() {
    let (mut session, _folder) = session("levels and the book");
    session.play("> setoption name USI_OwnBook value false \n =");
    for (level, plies) in [(0, 0), (1, 1), (2, 2), (19, 2), (20, 0)] {
        session.play(&format!("> setoption name SkillLevel value {level}"));
        for (ply, position) in [(1, "startpos"), (2, "startpos moves 6e6d")] {
            let mut from_book = 0;
            for _ in 0..40 {
                session.play(&format!("> usinewgame \n > position {position}"));
                from_book += u32::from(!searched(&mut session).0);
            }
            // Half of 40, within five standard deviations.
            let expected = if ply <= plies { 5..36 } else { 0..1 };
            session.check(expected.contains(&from_book), &format!("{from_book} of 40 at level {level}, ply {ply}"));
        }
    }
    session.quit();
}

#[test]
fn a_damaged_or_foreign_book_is_named_and_the_engine_plays_on_without() {
    let folder = Folder::new();
    let whole = CompactBook::built_in().as_bytes().to_vec();
    let damaged = |byte: usize| {
        let mut bytes = whole.clone();
        bytes[byte] ^= 1;
        bytes
    };
    let cases: [(&str, Vec<u8>, &str); 6] = [
        ("a bit of a move", damaged(whole.len() - 3), "the checksum does not match"),
        ("a version to come", damaged(9), "a compact book of version 257"),
        ("other keys", damaged(18), "keys of another program"),
        ("half a book", whole[..whole.len() / 2].to_vec(), "where its header says"),
        ("a picture", vec![0x89, b'P', b'N', b'G', 0xff], "byte 0 is not UTF-8"),
        ("a growing book", b"judkins book\r\n\x1a\0\x01\0\0\0".to_vec(), "'judkins book export' makes one"),
    ];
    let path = folder.path("a.book");
    let mut session = Session::ready("bad books");
    session.play("> setoption name USI_OwnBook value true \n =");
    for (story, bytes, error) in cases {
        story.clone_into(&mut session.story);
        std::fs::write(&path, bytes).expect("scratch files can be written");
        session.play(&format!("> setoption name BookFile value {path} \n ! {error} \n ="));
        must_search(&mut session, true, "there is no book");
        session.play("> setoption name BookFile value <empty> \n =");
        must_search(&mut session, false, "the book built in is there again");
        std::fs::write(&path, &whole).expect("scratch files can be written");
        session.play(&format!("> setoption name BookFile value {path} \n ="));
        must_search(&mut session, false, "a whole book is read");
        let best = searched(&mut session).1;
        let known = CompactBook::built_in().moves(&Position::startpos());
        session.check(known.iter().any(|known| known.mv.to_string() == best), "a move of it is played");
        // A refused file leaves the file before it in use.
        session.play("> setoption name BookFile value <empty> \n =");
    }
    session.quit();
}
