//! UCI: what Cute Chess and its like send, and what must come back.

use super::driver::{Language, PROMPT, Session, play_all_in, play_in_turn_in};
use super::{LATE, reported};

fn uci(story: &str) -> Session {
    let mut session = Session::speaking(Language::Uci, story);
    session.play("> uci \n << uciok \n =");
    session
}

#[test]
fn it_introduces_itself_as_uci_has_it() {
    let mut session = Session::speaking(Language::Uci, "the answer to uci");
    session.send("uci");
    let lines: Vec<String> = session.lines_until("uciok", PROMPT).into_iter().map(|line| line.text).collect();
    assert!(lines[0].starts_with("id name judkins ") && lines[1].starts_with("id author "), "{lines:?}");
    for option in [
        "option name Hash type spin default ",
        "option name Threads type spin default ",
        "option name MultiPV type spin default 1 ",
        "option name Ponder type check default false",
        "option name UCI_Variant type combo default judkins var judkins",
        "option name ImpassePlies type spin default 24 ",
        "option name ImpasseRule type combo default CuteChess var Points12 ",
        "option name SkillLevel type spin default 20 min 0 max 20",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default ",
        "option name BookFile type string default <empty>",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(option)), "no '{option}' in {lines:#?}");
    }
    let text = lines.join("\n");
    assert!(!text.contains("USI_") && !text.contains("type filename") && !text.contains("usiok"), "{text}");
    session.quit();
}

#[test]
fn stories() {
    let fourfold = "f1f2 a6a5 f2f1 a5a6 ".repeat(3);
    let sennichite = format!("> position startpos moves {fourfold} \n > go nodes 500 \n << bestmove");
    play_all_in(
        Language::Uci,
        [
            (
                "what Cute Chess sends",
                "> uci \n << uciok \n > setoption name UCI_Variant value judkins \n > setoption name Hash value 8
                 > ucinewgame \n > isready \n < readyok
                 > position fen rbnsgk/5p/6/6/P5/KGSNBR[-] w - 1 moves a2a3
                 > go wtime 1000 btime 1000 winc 10 binc 10 \n < bestmove",
            ),
            ("quit while searching", "> uci \n << uciok \n > go infinite \n > quit \n << bestmove \n exit"),
        ],
    );
    play_in_turn_in(
        Language::Uci,
        [
            ("a drop and a promotion are read", "> position fen 5k/R5/6/6/6/K5[P] w 0 1 moves P@c3 f6e6 a5f5+
                 > go nodes 100 \n < bestmove"),
            ("counts name moves as UCI does", "> go perft 1 \n << f1f5: 1 \n << Nodes searched: 20"),
            ("mated: no move", "> position fen 5k/5G/5P/6/6/K5[] b 0 1 \n > go \n < bestmove 0000"),
            ("stuck: no move", "> position fen 5k/3G2/5P/6/6/K3R1[] b 0 1 \n > go \n < bestmove 0000"),
            ("after a repetition there are moves", &sennichite),
            ("a refused position has no move", "> position fen 6/6/6/6/6/6[] w 0 1
                 ! White has no king \n > go depth 5 \n < bestmove 0000 \n > position startpos \n > go depth 1 \n < bestmove"),
            ("moves are refused as a whole", "> position startpos moves a2a3 a3a5 \n ! a3a5
                 > go depth 1 \n < bestmove 0000"),
            ("an illegal move is named as UCI has it", "> position startpos moves e1e4 \n ! e1e4"),
            ("USI's words are none here", "> usinewgame \n ! usinewgame
                 > position sfen rbnsgk/5p/6/6/P5/KGSNBR b - 1 \n ! 'fen'"),
            ("mate in so many moves is answered with a move", "> position fen 5k/6/5P/6/6/K5[G] w 0 1 \n > go mate 1 \n < bestmove G@f5"),
            ("a problem without the attacker's king is solved", "> position fen 1b3S/2B2k/3R2/6/6/6[P] w 0 1 \n > go mate 3 \n << bestmove d4d5
                 > position fen 1b3S/2B2k/3R2/6/6/6[P] w 0 1 moves d4d5 f5f6 \n > go mate 2 \n << bestmove P@f5
                 > position fen 4k1/6/6/6/6/6[G] w 0 1 \n > go mate 1 \n << bestmove 0000"),
            ("it is not searched", "> position fen 1b3S/2B2k/3R2/6/6/6[P] w 0 1 \n > go depth 3
                 ! Black has no king \n < bestmove 0000 \n > go infinite \n ! Black has no king \n > stop \n < bestmove 0000"),
            ("infinite waits for stop", "> go infinite \n ~ 100 \n > stop \n < bestmove"),
            ("pondering waits for the hit", "> position startpos moves a2a3 f5f4
                 > go ponder wtime 300 btime 300 \n ~ 100 \n > ponderhit \n < bestmove"),
            ("Cute Chess's impasse rule is in force", "> position fen +SR2bk/K2+R2/5p/6/6/1G1N2[BGSNP] w 0 21 \n > d \n << The game is over. Black wins:"),
            ("searchmoves", "> go searchmoves a2a3 depth 3 \n < bestmove a2a3"),
            ("no resignation", "> setoption name ResignValue value 0
                 > position fen 2k3/6/6/6/6/K5[rrbbggss] w 0 1 \n > go nodes 500 searchmoves a1b1 \n < bestmove a1b1"),
            ("no declaration", "> setoption name ImpasseRule value Declaration
                 > position fen 1K4/GGS3/6/6/6/5k[RRBN] w 0 1 \n > go nodes 500 \n << bestmove"),
            ("bad input", "> go depth -1 \n < bestmove \n > go nodes 0 \n < bestmove \n > fly me \n ! fly
                 > setoption name Hash value abc \n ! abc \n > setoption name UCI_Elo value 99999 \n ! 99999
                 > position fen x \n ! \n > stop \n > stop"),
        ],
    );
}

#[test]
fn mates_are_counted_in_moves() {
    let mut session = uci("a mate in three plies");
    session.send("position fen 1+R1s1k/5p/2+bgp1/4B1/RK3+n/1GSN2[] w 0 15");
    let (_, lines) = session.go("depth 6");
    assert_eq!(reported(&lines, "mate").last(), Some(&"2"));
    session.quit();
}

#[test]
fn the_first_player_has_whites_clock() {
    for (fen, fast) in [("w", "go wtime 20 btime 600000"), ("b", "go wtime 600000 btime 20")] {
        let mut session = uci(fast);
        session.send(&format!("position fen rbnsgk/5p/6/6/P5/KGSNBR[-] {fen} 0 1"));
        let took = session.time_to_move(fast);
        session.check(took < LATE, "its own clock has 20 ms");
        session.quit();
    }
}
