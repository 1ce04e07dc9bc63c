//! `go` with all its limits and with invalid ones, its reports, and `go mate`.

use super::driver::{PROMPT, Session, play_in_turn};
use super::{LONG_MATE, MATE_IN_1, MATE_IN_3, MATED, MATED_IN_2, STUCK, last_number, reported};

/// Other threads must not use up the nodes before the first has searched anything.
#[test]
fn several_threads_and_lines_answer_with_what_they_searched() {
    for (threads, options) in [(2, "USI_MultiPV value 2"), (4, "SkillLevel value 5"), (8, "USI_MultiPV value 4")] {
        let mut session = Session::ready(&format!("{threads} threads, {options}, few nodes"));
        session.play(&format!("> setoption name Threads value {threads} \n > setoption name {options} \n ="));
        for _ in 0..10 {
            session.play("> usinewgame \n > isready \n < readyok");
            session.send("position sfen 1bns1k/1r2Pg/r5/6/P2S2/KG1NB1 b - 1");
            let (_, lines) = session.go("nodes 2000");
            session.check(!reported(&lines, "depth").is_empty(), "a line was searched");
        }
        session.quit();
    }
}

/// The table knows a reply from elsewhere, but the fourth repetition ends the game.
#[test]
fn a_move_that_ends_the_game_has_no_ponder_move() {
    let mut session = Session::ready("a move that completes sennichite");
    session.send("position startpos moves 1f1e 6a6b 1e1f");
    session.go("searchmoves 6b6a depth 6");
    let moves = "1f1e 6a6b 1e1f 6b6a ".repeat(3);
    let moves = moves.trim_end().strip_suffix(" 6b6a").expect("it ends so");
    session.send(&format!("position startpos moves {moves}"));
    session.play("> go searchmoves 6b6a depth 4");
    let best = session.expect("bestmove", PROMPT);
    session.check(best.text == "bestmove 6b6a", "there is no reply to expect");
    session.quit();
}

/// Clocks without time ask for a fast move, but not where depth or nodes are asked for.
#[test]
fn a_depth_is_searched_whatever_empty_clocks_say() {
    let mut session = Session::ready("a depth and empty clocks");
    for limits in [
        "depth 4 btime 0 wtime 0",
        "btime 0 wtime 0 byoyomi 0 depth 4",
        "depth 4 btime 0 wtime 100",
        "nodes 5000 btime 0 wtime 0 binc 0 winc 0",
    ] {
        let (_, lines) = session.go(limits);
        session.check(lines.iter().any(|line| line.text.starts_with("info depth 4 ")), limits);
    }
    session.quit();
}

#[test]
fn go_answers_by_itself() {
    let alone = |limits: &str| {
        let story = format!("go {limits}");
        (story, format!("> position startpos moves 6e6d 1b1c\n> go {limits}\n< bestmove"))
    };
    play_in_turn(
        [
            "depth 1",
            "depth 5",
            "nodes 1",
            "nodes 5000",
            "movetime 50",
            "btime 500 wtime 500",
            "btime 500 wtime 500 binc 50 winc 50",
            "btime 0 wtime 0 byoyomi 200",
            "btime 500 wtime 500 byoyomi 0",
            "btime 500 wtime 500 movestogo 5",
            "btime 500 wtime 500 movestogo 0",
            // Order-free.
            "byoyomi 200 wtime 0 btime 0",
            "winc 5 movestogo 3 btime 300 binc 5 wtime 300",
            "searchmoves 6d6c 2f3e depth 2",
            "depth 2 nodes 100000 movetime 1000 btime 9000 wtime 9000",
            "nodes 50 depth 99",
            // Unknown tokens are skipped.
            "foo depth 2",
            "depth 2 bar",
            "foo 17 depth 2 bar -3 baz",
            "depth 2 nodes",
            "Infinite depth 2",
            // Nothing on the clock.
            "btime 0 wtime 0",
            "btime 0 wtime 0 binc 0 winc 0",
            "btime 0 wtime 0 byoyomi 0",
            "byoyomi 0",
            "btime 1 wtime 1",
            // Nonsense.
            "btime -5 wtime -5",
            "btime -9223372036854775809 wtime -9223372036854775809",
            "btime 100 wtime 100 binc -50 winc -50",
            "byoyomi -1",
            "btime 0 wtime 0 byoyomi -1",
            "movetime 0",
            "movetime -7",
            "nodes 0",
            "nodes -1",
            "depth 0",
            "depth -1",
            "btime 100 wtime 9223372036854775808 byoyomi 0",
            "depth 2 movetime 9223372036854775808",
            "depth 2 nodes 18446744073709551616",
            "depth 2 btime 9223372036854775808 wtime 9223372036854775808 binc 9223372036854775808",
            "depth 2 btime 99999999999999999999999999 wtime x byoyomi y",
            "depth 2 movestogo -4",
            "depth 2.0",
            "nodes 500.5",
            "movetime 0.5",
            "depth 0.9",
            "btime 100.5 wtime 100.5 binc 0.5 winc 0.5",
            "depth 2 movestogo 99999999999999999999",
            // Moves to consider.
            "depth 2 searchmoves",
            "depth 2 searchmoves 6d6c",
        ]
        .map(alone),
    );
}

#[test]
fn go_answers_at_the_latest_when_stopped() {
    let stopped = |limits: &str| {
        let story = format!("go {limits}, then stop");
        // It may have answered before the stop, but answers once.
        (story, format!("> go {limits}\n. 20\n> stop\n< bestmove\n="))
    };
    play_in_turn(
        [
            "",
            "infinite",
            "depth 99999",
            "depth 18446744073709551616",
            "depth",
            "nodes",
            "movetime",
            "depth abc",
            "movetime abc",
            "btime 9223372036854775808 wtime 9223372036854775808",
            "btime 9223372036854775807 wtime 9223372036854775807 byoyomi 9223372036854775807",
            "btime 18446744073709551615 binc 18446744073709551615 wtime 1 winc 1",
            "byoyomi 18446744073709551616",
            "movetime 9223372036854775808",
            "nodes 18446744073709551615",
            "btime",
            "btime wtime 5",
            "depth depth depth",
            "foo",
            "infinite searchmoves 7a7b",
            "\t infinite \t foo",
        ]
        .map(stopped),
    );
}

#[test]
fn go_considers_searchmoves_only() {
    let mut session = Session::ready("searchmoves");
    for (limits, allowed) in [
        ("depth 3 searchmoves 6e6d", &["6e6d"][..]),
        ("searchmoves 6f5e depth 3", &["6f5e"]),
        ("depth 3 searchmoves 6f5e 5f5e", &["6f5e", "5f5e"]),
        ("searchmoves 6f5e 5f5e depth 3 movetime 2000", &["6f5e", "5f5e"]),
        // An illegal move is skipped.
        ("depth 3 searchmoves 6e6c 6f5e", &["6f5e"]),
        ("depth 3 searchmoves 6f5e P*3c", &["6f5e"]),
        ("depth 3 searchmoves 7a7b 6f5e", &["6f5e"]),
        ("depth 3 searchmoves 6f5e foo 5f5e", &["6f5e", "5f5e"]),
    ] {
        session.play("> position startpos");
        let (best, _) = session.go(limits);
        session.check(allowed.contains(&best.as_str()), &format!("{best} is not among {allowed:?}"));
    }
    let (_, lines) = session.go("depth 3");
    session.check(last_number(&lines, "nodes") > 20, "the next search considers every move again");
    session.quit();
}

#[test]
fn searchmoves_leave_no_declaration() {
    let mut session = Session::ready("searchmoves where a declaration is possible");
    session.play("> setoption name ImpasseRule value Declaration\n> position sfen 1K4/GGS3/6/6/6/5k b 2RBN 1");
    session.play("> go depth 3\n< bestmove win");
    session.play("> go depth 3 searchmoves R*1e\n< bestmove R*1e");
    session.quit();
}

#[test]
fn every_report_has_its_line_where_several_were_asked_for() {
    let mut session = Session::ready("several lines");
    session.play("> setoption name USI_MultiPV value 3");
    for limits in ["depth 3", "depth 3 searchmoves 6e6d"] {
        session.play("> position startpos");
        let (_, lines) = session.go(limits);
        let count = |key: &str| reported(&lines, key).len();
        session.check(count("depth") > 0 && count("multipv") == count("depth"), "every report has its line");
    }
    session.quit();
}

#[test]
fn go_answers_though_no_searchmove_is_legal() {
    // It may report that or not, and may resign or play another move.
    let answered = |limits: &str| (format!("go {limits}"), format!("> go {limits}\n<< bestmove"));
    play_in_turn(
        [
            "depth 2 searchmoves 7a7b",
            "searchmoves 7a7b depth 2",
            "depth 2 searchmoves 6e6c",
            "depth 2 searchmoves P*3c 1a1b xyz",
            "movetime 50 searchmoves 6e6c 6e6b",
        ]
        .map(answered),
    );
}

#[test]
fn decided_positions() {
    let go = |position: &str, reaction: &str| {
        (format!("{position}: {reaction}"), format!("> position {position}\n> go depth 12\n< {reaction}"))
    };
    play_in_turn([
        go(MATE_IN_1, "bestmove G*1b"),
        go(MATE_IN_3, "bestmove 5a3a"),
        go(MATED_IN_2, "bestmove"),
        go(MATED, "bestmove resign"),
        go(STUCK, "bestmove resign"),
        go(&format!("{MATE_IN_1} moves G*1b"), "bestmove resign"),
    ]);
    play_in_turn([
        (
            "mated, asked in every way",
            format!(
                "> position {MATED}\n> go nodes 100\n< bestmove resign\n> go movetime 100\n< bestmove resign\n\
                 > go btime 1000 wtime 1000\n< bestmove resign\n> go\n> stop\n< bestmove resign\n=\n\
                 > go infinite\n~ 150\n> stop\n< bestmove resign\n> go ponder\n~ 150\n> ponderhit\n< bestmove resign"
            ),
        ),
        ("mate under go infinite", format!("> position {MATE_IN_1}\n> go infinite\n~ 300\n> stop\n< bestmove G*1b")),
        ("mate under go ponder", format!("> position {MATE_IN_1}\n> go ponder\n~ 300\n> ponderhit\n< bestmove G*1b")),
        (
            "one legal move under go infinite",
            "> position sfen rbns1k/5g/6/1P4/+r5/KGSNB1 b p 1\n> go infinite\n~ 150\n> stop\n< bestmove".to_owned(),
        ),
        (
            "one legal move on the clock is played at once",
            "> position sfen rbns1k/5g/6/1P4/+r5/KGSNB1 b p 1\n> go btime 600000 wtime 600000\n< bestmove\n\
             > go byoyomi 600000\n< bestmove"
                .to_owned(),
        ),
    ]);
}

#[test]
fn mate_scores_count_plies() {
    let mut session = Session::ready("mate scores");
    for (position, limits, score) in [
        (MATE_IN_1, "depth 5", 1),
        (MATE_IN_3, "depth 14", 3),
        ("sfen 2+Sn1k/r4p/P4s/BK3N/1GG3/1+r1+b2 w - 50", "depth 14", 3),
        (MATED_IN_2, "depth 14", -2),
        ("sfen 3Bk1/3S1p/r1R1+Sg/P3N1/1K4/1G1B1N w - 40", "depth 14", -2),
    ] {
        position.clone_into(&mut session.story);
        session.play(&format!("> usinewgame \n > position {position}"));
        let (_, lines) = session.go(limits);
        let kind = reported(&lines, "score").last().copied().unwrap_or("no score").to_owned();
        session.check(kind == "mate", &format!("the last score is {kind}, not mate {score}"));
        let found = last_number(&lines, "mate");
        session.check(found == score, &format!("mate {found}, not mate {score}"));
    }
    session.quit();
}

#[test]
fn reports_say_what_was_asked() {
    let mut session = Session::ready("what a search reports");
    let (_, lines) = session.go("depth 3");
    let depths = reported(&lines, "depth");
    session.check(depths.last() == Some(&"3"), &format!("depths {depths:?}"));
    session.check(reported(&lines, "multipv").is_empty(), "one line is not numbered");
    session.check(reported(&lines, "pv").len() == depths.len(), "every report has a line");
    let (_, lines) = session.go("nodes 2000");
    let nodes = last_number(&lines, "nodes");
    session.check((1..=20_000).contains(&nodes), &format!("nodes 2000 visited {nodes}"));
    let (_, lines) = session.go("movetime 300");
    let time = last_number(&lines, "time");
    session.check(time <= 2_000, &format!("movetime 300 reports {time} ms"));
    session.play("> setoption name USI_MultiPV value 3");
    let (best, lines) = session.go("depth 4");
    let numbers = reported(&lines, "multipv");
    session.check(numbers.ends_with(&["1", "2", "3"]), &format!("three lines are numbered {numbers:?}"));
    let firsts = reported(&lines, "pv");
    let mut last: Vec<&str> = firsts[firsts.len() - 3..].to_vec();
    session.check(last[0] == best, &format!("the best line begins with {}, and {best} is played", last[0]));
    last.sort_unstable();
    last.dedup();
    session.check(last.len() == 3, "the lines begin with different moves");
    for nodes in (2_000..20_000).step_by(2_000) {
        session.play("> usinewgame \n > position startpos");
        let (_, lines) = session.go(&format!("nodes {nodes}"));
        let scores: Vec<i32> = reported(&lines, "cp").iter().map(|score| score.parse().unwrap()).collect();
        let last = &scores[scores.len() - 3..];
        session.check(last.is_sorted_by(|a, b| a >= b), &format!("{last:?} after {nodes} nodes"));
    }
    session.quit();
}

#[test]
fn a_mate_that_the_solver_sees_is_played() {
    // It takes 13 plies; a search of so few positions does not see it, but the solver does.
    let mut session = Session::ready("a mate in 13");
    session.play("> position sfen 2k3/r2s1p/1BpS1n/2G3/G3R1/K1b3 b n 33");
    let (best, lines) = session.go("nodes 200000");
    session.check(best == "3c3b+" && last_number(&lines, "mate") == 13, &format!("{best} is played"));
    session.play("> setoption name MateNodes value 0");
    let (_, lines) = session.go("nodes 2000");
    session.check(!lines.iter().any(|line| line.text.contains("score mate")), "the solver was not asked");
    session.quit();
}

#[test]
fn go_mate_answers_checkmate() {
    play_in_turn([
        ("mate in 1", format!("> position {MATE_IN_1}\n> go mate 2000\n<< checkmate G*1b\n=")),
        ("mate in 1, without limit", format!("> position {MATE_IN_1}\n> go mate infinite\n<< checkmate G*1b\n=")),
        ("mate in 3", format!("> position {MATE_IN_3}\n> go mate 4000\n<< checkmate 5a3a\n=")),
        ("no mate", "> position sfen 5k/6/6/6/6/K5 b - 1\n> go mate 2000\n<< checkmate nomate\n=".to_owned()),
        (
            "mate in 13",
            "> position sfen 2k3/r2s1p/1BpS1n/2G3/G3R1/K1b3 b n 33\n> go mate 20000\n<< checkmate 3c3b+\n=".to_owned(),
        ),
        (
            "none, with many checks",
            "> position sfen 5k/5p/6/6/PG4/KB4 b RSNrbgsn 9\n> go mate infinite\n<< checkmate nomate\n=".to_owned(),
        ),
        ("mated already", format!("> position {MATED}\n> go mate 500\n<< checkmate nomate\n=")),
        ("from the start, in no time", "> go mate 100\n<< checkmate\n=".to_owned()),
        ("from the start, in less", "> go mate 0\n<< checkmate\n=".to_owned()),
        ("negative", "> go mate -5\n<< checkmate\n=".to_owned()),
        ("abc", "> go mate abc\n. 20\n> stop\n<< checkmate\n=".to_owned()),
        ("bare", "> go mate\n. 20\n> stop\n<< checkmate\n=".to_owned()),
        ("2^63", "> go mate 9223372036854775808\n. 20\n> stop\n<< checkmate\n=".to_owned()),
        ("2^64", "> go mate 18446744073709551616\n. 20\n> stop\n<< checkmate\n=".to_owned()),
        ("stopped", format!("> position {LONG_MATE}\n> go mate infinite\n. 20\n> stop\n<< checkmate timeout\n=")),
        ("stopped twice", "> go mate infinite\n> stop\n> stop\n<< checkmate\n=".to_owned()),
        ("ended by gameover", "> go mate infinite\n> gameover draw\n<< checkmate\n=".to_owned()),
        (
            "isready meanwhile",
            format!(
                "> position {LONG_MATE}\n> go mate infinite\n> isready\n<< readyok\n> stop\n<< checkmate timeout\n="
            ),
        ),
        ("refused", "> position startpos moves 1a1b\n! 1a1b\n> go mate infinite\n<< checkmate timeout\n=".to_owned()),
        ("then a move", format!("> position {MATE_IN_1}\n> go mate 500\n<< checkmate\n> go depth 3\n< bestmove G*1b")),
    ]);
}

/// Composers leave the attacker's king out where it plays no part.
#[test]
fn a_problem_without_the_attackers_king_is_for_the_mate_solver_alone() {
    const TSUME: &str = "sfen 1b3S/2B2k/3R2/6/6/6 b P 1";
    let refusal = "! Black has no king\n< bestmove resign";
    let refused = |limits: &str| {
        (
            format!("go {limits}"),
            format!("> position {TSUME}\n> go {limits}\n{refusal}\n> go mate 9000\n<< checkmate 3c3b"),
        )
    };
    play_in_turn(["", "depth 5", "movetime 100", "btime 1000 wtime 1000", "nodes 100 searchmoves 3c3b"].map(refused));
    play_in_turn([
        ("solved", format!("> position {TSUME}\n> go mate 9000\n<< checkmate 3c3b 1b1a P*1b 1a2a 4b3a+\n=")),
        ("without a limit", format!("> position {TSUME}\n> go mate infinite\n<< checkmate 3c3b\n=")),
        ("moves are played", format!("> position {TSUME} moves 3c3b 1b1a\n> go mate 9000\n<< checkmate P*1b\n=")),
        ("the defender is to move", format!("> position {TSUME} moves 3c3b\n> go mate 900\n<< checkmate nomate\n=")),
        (
            "it is mated",
            format!("> position {TSUME} moves 3c3b 1b1a P*1b 1a2a 4b3a+\n> go mate 900\n<< checkmate nomate"),
        ),
        ("an illegal move", format!("> position {TSUME} moves 3c3b 1b1e\n! 1b1e\n> go mate 900\n<< checkmate timeout")),
        ("White attacks", "> position sfen 6/6/6/1g4/6/1K4 w g 1\n> go mate 900\n<< checkmate G*5e\n=".to_owned()),
        ("no mate", "> position sfen 4k1/6/6/6/6/6 b G 1\n> go mate 900\n<< checkmate nomate\n=".to_owned()),
        ("infinite waits", format!("> position {TSUME}\n> go infinite\n! king\n~ 50\n> stop\n< bestmove resign")),
        ("ponder waits", format!("> position {TSUME}\n> go ponder\n! king\n~ 50\n> ponderhit\n< bestmove resign")),
        (
            "it has no evaluation",
            format!(
                "> position {TSUME}\n> eval\n! Black has no king\n> d\n<< Legal moves:\n> perft 2\n<< Nodes searched:"
            ),
        ),
        (
            "a whole position is searched again",
            format!("> position {TSUME}\n> position startpos\n> go depth 2\n< bestmove"),
        ),
    ]);
}

/// As if it were not sent: the search goes by the other limits, and does not take this one for the least or the
/// greatest.
#[test]
fn a_limit_without_meaning_leaves_the_others_as_they_are() {
    let mut session = Session::ready("limits without meaning");
    let mut search = |senseless: &str| {
        session.play("> usinewgame \n > position startpos moves 6e6d 1b1c");
        let (best, lines) = session.go(&format!("nodes 3000 {senseless}"));
        (best, last_number(&lines, "nodes"), last_number(&lines, "depth"))
    };
    let expected = search("");
    for name in ["depth", "nodes", "movetime", "movestogo", "btime", "binc", "byoyomi"] {
        for value in ["-3", "-0.5", "x"] {
            assert_eq!(search(&format!("{name} {value}")), expected, "{name} {value}");
        }
    }
    for senseless in ["depth 0", "nodes 0", "movetime 0", "movestogo 0", "nodes 0.5"] {
        assert_eq!(search(senseless), expected, "{senseless}");
    }
    session.quit();
}
