//! `position`, valid and invalid, and the commands for people: `d`, `eval`, `perft`.

use judkins::shogi::{Position, START_SFEN, perft};

use super::driver::{PROMPT, Session, play_all, play_in_turn};
use super::{SHUFFLE, millis};

/// A refused position gets one error; then `go` resigns until the next good position.
fn refusal(story: &str, position: &str, named: &str) -> (String, String) {
    let steps = format!(
        "> position startpos\n> {position}\n! {named}\n> go depth 3\n< bestmove resign\n> go mate 100\n\
         << checkmate timeout\n> go movetime 50\n< bestmove resign\n> position startpos moves 6e6d\n> go depth 1\n\
         < bestmove"
    );
    (format!("{story}: {position}"), steps)
}

#[test]
fn bad_sfens_are_refused() {
    play_in_turn(
        [
            ("5 ranks", "rbnsgk/5p/6/6/P5 b - 1", ""),
            ("7 ranks", "rbnsgk/5p/6/6/6/P5/KGSNBR b - 1", ""),
            ("a rank of 5", "rbnsg/5p/6/6/P5/KGSNBR b - 1", ""),
            ("a rank of 7", "rbnsgk/5p1/6/6/P5/KGSNBR b - 1", ""),
            ("a rank of 7 pieces", "rbnsgkg/5p/6/6/P5/KGSNBR b - 1", ""),
            ("an empty rank", "rbnsgk/5p//6/P5/KGSNBR b - 1", ""),
            ("digit 0", "rbnsgk/5p/60/6/P5/KGSNBR b - 1", "0"),
            ("digit 7", "rbnsgk/5p/6/7/P5/KGSNBR b - 1", "7"),
            ("digit 9", "rbnsgk/5p/6/9/P5/KGSNBR b - 1", "9"),
            ("trailing /", "rbnsgk/5p/6/6/P5/KGSNBR/ b - 1", ""),
            ("leading /", "/rbnsgk/5p/6/6/P5/KGSNBR b - 1", ""),
            ("piece x", "rbnsgk/5p/6/6/P5/KGSNBx b - 1", "x"),
            ("piece L", "rbnsgk/5p/6/6/P5/KGSNBL b - 1", "L"),
            ("a promoted king", "rbnsgk/5p/6/6/P5/+KGSNBR b - 1", "+"),
            ("a promoted gold", "rbnsgk/5p/6/6/P5/K+GSNBR b - 1", "+"),
            ("dangling + at the end", "rbnsgk/5p/6/6/P5+/KGSNBR b - 1", "+"),
            ("dangling + before a digit", "rbnsgk/5p/6/6/P+5/KGSNBR b - 1", "+"),
            ("two +", "rbnsgk/5p/6/6/++P5/KGSNBR b - 1", "+"),
            ("no black king, White to move", "rbnsgk/5p/6/6/P5/1GSNBR w - 1", "Black has no king"),
            ("no white king", "rbnsg1/5p/6/6/P5/KGSNBR b - 1", "White has no king"),
            ("no attacker's king, and the defender in check", "5k/5R/6/6/6/6 b - 1", "check"),
            ("no king at all", "6/6/6/6/6/6 b - 1", "king"),
            ("two kings on a side", "rbnsgk/5p/6/6/PK4/KGSNBR b - 1", "king"),
            ("the side not to move in check", "5k/5R/6/6/6/K5 b - 1", "check"),
            ("kings side by side", "6/6/2kK2/6/6/6 b - 1", "check"),
            ("two own pawns on a file", "5k/6/P5/6/P5/K5 b - 1", "pawn"),
            ("two white pawns on a file", "5k/6/p5/6/p5/K5 b - 1", "pawn"),
            ("a pawn on the last rank", "P4k/6/6/6/6/K5 b - 1", "pawn"),
            ("a white pawn on the last rank", "5k/6/6/6/6/K4p b - 1", "pawn"),
            ("a knight on the last rank", "N4k/6/6/6/6/K5 b - 1", "knight"),
            ("a knight on the last rank but one", "5k/N5/6/6/6/K5 b - 1", "knight"),
            ("a white knight on the last rank but one", "5k/6/6/6/5n/K5 b - 1", "knight"),
            ("side x", "rbnsgk/5p/6/6/P5/KGSNBR x - 1", "x"),
            ("side B", "rbnsgk/5p/6/6/P5/KGSNBR B - 1", "B"),
            ("no side", "rbnsgk/5p/6/6/P5/KGSNBR", ""),
            ("a king in hand", "rbnsgk/5p/6/6/P5/KGSNBR b K 1", "K"),
            ("a promoted piece in hand", "rbnsgk/5p/6/6/5/KGSNBR b +P 1", ""),
            ("a count at the end", "rbnsgk/5p/6/6/6/KGSNBR b P2 1", "P2"),
            ("a count of 0", "rbnsgk/5p/6/6/6/KGSNBR b 0P 1", "0P"),
            ("a count of 99", "rbnsgk/5p/6/6/6/KGSNBR b 99P 1", "99P"),
            ("a count of 10^30", "rbnsgk/5p/6/6/6/KGSNBR b 1000000000000000000000000000000P 1", ""),
            ("more pawns than exist", "rbnsgk/5p/6/6/P5/KGSNBR b P 1", "pawn"),
            ("more rooks than exist", "rbnsgk/5p/6/6/P5/KGSNBR b R 1", "rook"),
            ("more golds than exist, some White's", "rbnsgk/5p/6/6/P5/KGSNBR b g 1", "gold"),
            ("more silvers than exist, some promoted", "5k/3+S2/6/2s3/6/K5 b S 1", "silver"),
            ("no hand field", "rbnsgk/5p/6/6/P5/KGSNBR b", ""),
            ("the move number for the hands", "rbnsgk/5p/6/6/P5/KGSNBR b 1", "1"),
            ("move number -1", "rbnsgk/5p/6/6/P5/KGSNBR b - -1", "-1"),
            ("move number 2^64", "rbnsgk/5p/6/6/P5/KGSNBR b - 18446744073709551616", "18446744073709551616"),
            ("a word for a move number", "rbnsgk/5p/6/6/P5/KGSNBR b - one", "one"),
            ("words after the move number", "rbnsgk/5p/6/6/P5/KGSNBR b - 1 2 3", ""),
            ("nothing", "", ""),
            ("a board that is not ASCII", "rbnsgk/5p/6/6/P5/玉GSNBR b - 1", "玉"),
            ("shogi on 9×9", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", ""),
        ]
        .map(|(story, sfen, named)| refusal(story, &format!("position sfen {sfen}"), named)),
    );
}

#[test]
fn bad_moves_are_refused() {
    play_in_turn(
        [
            ("from off the board", "startpos moves 7e6e", "7e6e"),
            ("to off the board", "startpos moves 6f6g", "6f6g"),
            ("from file 0", "startpos moves 0a1a", "0a1a"),
            ("from an empty square", "startpos moves 3d3c", "3d3c"),
            ("the opponent's piece", "startpos moves 1b1c", "1b1c"),
            ("onto an own piece", "startpos moves 6f6e", "6f6e"),
            ("past a piece", "startpos moves 1f1a", "1f1a"),
            ("as no piece moves", "startpos moves 6e5d", "6e5d"),
            ("nowhere", "startpos moves 6e6e", "6e6e"),
            ("into check", "sfen k4r/6/6/6/6/4K1 b - 1 moves 2f1f", "2f1f"),
            ("a pinned piece", "sfen k4r/6/6/6/5G/5K b - 1 moves 1e2e", "1e2e"),
            ("check not answered", "sfen k4r/6/6/6/6/G4K b - 1 moves 6f6e", "6f6e"),
            ("a pawn that must promote", "sfen 5k/P5/6/6/6/K5 b - 1 moves 6b6a", "6b6a"),
            ("a knight that must promote, last rank", "sfen 5k/6/2N3/6/6/K5 b - 1 moves 4c5a", "4c5a"),
            ("a knight that must promote, last but one", "sfen 5k/6/6/2N3/6/K5 b - 1 moves 4d5b", "4d5b"),
            ("a second pawn on a file", "sfen 5k/6/6/6/P5/K5 b P 1 moves P*6c", "P*6c"),
            ("a pawn drop that mates", "sfen 5k/6/3NG1/6/6/K5 b P 1 moves P*1b", "P*1b"),
            ("a pawn dropped on the last rank", "sfen 5k/6/6/6/6/K5 b P 1 moves P*6a", "P*6a"),
            ("a knight dropped on the last rank but one", "sfen 5k/6/6/6/6/K5 b N 1 moves N*6b", "N*6b"),
            ("a drop on a piece", "sfen 5k/6/6/6/6/K5 b G 1 moves G*6f", "G*6f"),
            ("a drop of what is not in hand", "startpos moves P*3c", "P*3c"),
            ("a drop of what the opponent holds", "sfen 5k/6/6/6/6/K5 b r 1 moves R*3c", "R*3c"),
            ("a king dropped", "startpos moves K*3c", "K*3c"),
            ("a lower-case drop", "sfen 5k/6/6/6/6/K5 b P 1 moves p*3c", "p*3c"),
            ("a drop with promotion", "sfen 5k/6/6/6/6/K5 b P 1 moves P*3c+", "P*3c+"),
            ("a drop of a promoted piece", "sfen 5k/6/6/6/6/K5 b P 1 moves +P*3c", "+P*3c"),
            ("+ outside the zone", "startpos moves 6e6d+", "6e6d+"),
            ("+ of a gold", "sfen 5k/6/G5/6/6/K5 b - 1 moves 6c6b+", "6c6b+"),
            ("+ of a piece that is promoted", "sfen 5k/6/+S5/6/6/K5 b - 1 moves 6c6b+", "6c6b+"),
            ("two +", "sfen 5k/6/P5/6/6/K5 b - 1 moves 6c6b++", "6c6b++"),
            ("a null move", "startpos moves 0000", "0000"),
            ("resign for a move", "startpos moves resign", "resign"),
            ("capitals", "startpos moves 6E6D", "6E6D"),
            ("chess squares", "startpos moves a2a3", "a2a3"),
            ("too short", "startpos moves 6e6", "6e6"),
            ("too long", "startpos moves 6e6d6c", "6e6d6c"),
            ("not ASCII", "startpos moves ６e6d", "６e6d"),
            ("after mate", "sfen 5k/6/5P/6/6/K5 b G 1 moves G*1b 1a1b", "1a1b"),
            ("another after mate", "sfen 5k/6/5P/6/6/K5 b G 1 moves G*1b 6f6e", "6f6e"),
            ("bad after good ones: all or nothing", "startpos moves 6e6d 1b1c 6d6c 1c1d 6c5b", "6c5b"),
            ("the same side twice", "startpos moves 6e6d 6d6c", "6d6c"),
            ("'moves' twice", "startpos moves moves 6e6d", "moves"),
            ("moves without 'moves'", "startpos 6e6d", "6e6d"),
            ("an unknown word", "endpos", "endpos"),
            ("startpos in capitals with a tail", "startposition", "startposition"),
            ("sfen's name left out", "rbnsgk/5p/6/6/P5/KGSNBR b - 1", "rbnsgk/5p/6/6/P5/KGSNBR"),
            ("a good SFEN after a bad start", "fen rbnsgk/5p/6/6/P5/KGSNBR b - 1", "fen"),
        ]
        .map(|(story, rest, named)| refusal(story, &format!("position {rest}"), named)),
    );
}

#[test]
fn good_positions_are_taken() {
    let past_repetition = format!("startpos moves {}", SHUFFLE.repeat(6));
    let long_past = format!("{past_repetition}1f1e");
    play_in_turn(
        [
            ("the start position", "startpos"),
            ("moves from it", "startpos moves 6e6d 1b1c"),
            ("an empty list of moves", "startpos moves"),
            ("the start position as SFEN", "sfen rbnsgk/5p/6/6/P5/KGSNBR b - 1"),
            ("no move number", "sfen rbnsgk/5p/6/6/P5/KGSNBR b -"),
            ("no move number, but moves", "sfen rbnsgk/5p/6/6/P5/KGSNBR b - moves 6e6d"),
            ("an SFEN and an empty list of moves", "sfen rbnsgk/5p/6/6/P5/KGSNBR b - 1 moves"),
            ("a late move number", "sfen rbnsgk/5p/6/6/P5/KGSNBR b - 4294967295 moves 6e6d"),
            ("a handicap game", "sfen 2nsgk/5p/6/6/P5/KGSNBR w - 1"),
            ("hands in another order", "sfen 2nsgk/6/6/6/6/KGSNB1 b Pp2Rb 1"),
            ("everything in hand", "sfen 5k/6/6/6/6/K5 b 2R2B2G2S2N2P 1"),
            ("moves past a repetition", &past_repetition),
            ("one more", &long_past),
            ("moves past an impasse", "sfen K4R/6/6/6/6/1k4 b B2G2S2N2Prb 1 moves 6a6b 5f5e 6b5b 5e4e 5b4b 4e3e 4b3b"),
            ("a pawn drop that only checks", "sfen 5k/6/6/6/6/K5 b P 1 moves P*1b"),
            ("a second pawn beside a tokin", "sfen 5k/6/+P5/6/6/K5 b P 1 moves P*6d"),
            ("a promotion", "sfen 5k/P5/6/6/6/K5 b - 1 moves 6b6a+"),
            ("a promotion on leaving the zone", "sfen 5k/R5/6/6/6/1K4 b - 1 moves 6b6f+"),
            ("a promotion declined", "sfen 5k/6/P5/6/6/K5 b - 1 moves 6c6b"),
            ("a game that the try rule has ended", "sfen 6/4K1/6/6/6/1k4 b - 1 moves 2b1a"),
        ]
        .map(|(story, position)| (story, format!("> position {position}\n=\n> go depth 2\n< bestmove"))),
    );
}

#[test]
fn two_hundred_thousand_moves_on_a_line() {
    let mut session = Session::ready("200,000 moves on a line");
    let line = format!("position startpos moves {}", SHUFFLE.repeat(50_000));
    let sent = session.send(line.trim_end());
    session.send("isready");
    let ready = session.expect("readyok", 4 * PROMPT);
    session.check(ready.at - sent < millis(8_000), "a game of 200,000 moves takes seconds, not minutes");
    session.go("depth 3");
    // The same, and a move that is not legal at its end.
    session.send(&format!("{line}1f1a"));
    session.expect("info string error:", 4 * PROMPT);
    session.play("> go depth 3 \n < bestmove resign \n > position startpos \n > go depth 1 \n < bestmove");
    session.quit();
}

#[test]
fn the_moves_of_a_position_are_played() {
    let mut session = Session::new("perft counts what 'position' has set up");
    for (position, moves) in [
        (START_SFEN, ""),
        (START_SFEN, "6e6d"),
        (START_SFEN, "6e6d 1b1c 2f4d"),
        ("b4k/6/P3gs/KN4/p1+b3/2R1g1 b rsn 1", ""),
        ("2nsgk/5p/6/6/P5/KGSNBR w - 1", "3a3b"),
    ] {
        let mut expected: Position = position.parse().unwrap();
        moves.split_whitespace().for_each(|mv| expected.play(mv.parse().unwrap()));
        session.send(&format!("position sfen {position} moves {moves}"));
        for command in ["go perft 2", "perft 2"] {
            session.send(command);
            let lines = session.lines_until("Nodes searched:", 2 * PROMPT);
            let last = &lines[lines.len() - 1].text;
            let wanted = format!("Nodes searched: {}", perft(&expected, 2));
            session.check(*last == wanted, &format!("{command} says '{last}', not '{wanted}'"));
        }
    }
    session.quit();
}

#[test]
fn the_commands_for_people_disturb_nothing() {
    let mut session = Session::new("d, eval and a bad perft");
    for command in ["d", "eval", "perft abc", "perft -1"] {
        session.play(&format!("> position startpos moves 6e6d \n > {command} \n > isready \n << readyok"));
    }
    session.play("> position startpos moves 6e6c \n ! 6e6c");
    for command in ["d", "eval", "perft 1", "go perft 1"] {
        session.play(&format!("> {command} \n > isready \n << readyok"));
    }
    session.play("> position startpos");
    session.go("depth 2");
    session.quit();
}

#[test]
fn long_counts_do_not_hold_up_the_end() {
    play_all([
        ("quit while counting", "> go perft 9\n> quit\nexit"),
        ("end of input while counting", "> perft 9\nclose\nexit"),
        (
            "a stop that waits ends the work before it",
            "> perft 9\n> perft 9\n> setoption name MultiPV value 2\n> stop\n> isready\n< readyok",
        ),
        ("a search that waits is stopped too", "> position startpos\n> perft 9\n> go infinite\n> stop\n< bestmove\n="),
        ("the deepest count", "> perft 127\n~ 100\n> stop\n> isready\n< readyok"),
        (
            "counts too deep for the stack",
            "> perft 128\n! 127\n> go perft 2147483648\n! 127\n> perft 99999999999\n! 127\n> isready\n< readyok",
        ),
        ("quit while benching", "> bench\n> quit\nexit"),
    ]);
}
