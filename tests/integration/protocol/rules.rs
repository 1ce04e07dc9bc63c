//! Options that change the game: impasse, declaration, draws, resignation.

use super::driver::{PROMPT, Session, play_in_turn};
use super::{DECLARABLE, LOST, last_number, offers, reported};

#[test]
fn win_is_declared_only_when_it_is_right() {
    let rule = |rule: &str, position: &str, reaction: &str| {
        (
            format!("{rule}, {position}"),
            format!("> setoption name ImpasseRule value {rule}\n> position {position}\n> go depth 3\n< {reaction}"),
        )
    };
    // The referee allows a win only by Declaration, once a story has chosen it: the other rules come first.
    let not_win = |name: &str, position: &str| rule(name, position, "bestmove");
    play_in_turn([
        not_win("Points12", DECLARABLE),
        not_win("Try", DECLARABLE),
        not_win("None", DECLARABLE),
        rule("Declaration", DECLARABLE, "bestmove win"),
        rule("declaration", DECLARABLE, "bestmove win"),
        rule("DECLARATION", DECLARABLE, "bestmove win"),
        rule("Declaration", "sfen 1K4/GGS3/6/6/6/5k b RBSN 1", "bestmove win"),
        rule("Declaration", "sfen 5K/6/6/6/ggs3/1k4 w rbs 1", "bestmove win"),
        rule("Declaration", "sfen 1K4/GGS3/6/6/6/k5 w 2RBN 1 moves 6f5f", "bestmove win"),
        not_win("Declaration", "sfen 1K4/GG4/S5/6/6/5k b 2RBN 1"),
        not_win("Declaration", "sfen 6/GGS3/1K4/6/6/5k b 2RBN 1"),
        not_win("Declaration", "sfen 1K3r/GGS3/6/6/6/5k b RBN2P 1"),
        not_win("Declaration", "sfen 1K4/GGS3/6/6/6/5k b RBS 1"),
        not_win("Declaration", "sfen 5K/6/6/6/ggs3/1k4 w rb 1"),
        not_win("Declaration", "startpos"),
    ]);
    let set = format!("> setoption name ImpasseRule value Declaration\n> position {DECLARABLE}");
    play_in_turn([
        // First: the other stories set the rule.
        ("the default rule", format!("> position {DECLARABLE}\n> go depth 2\n< bestmove")),
        ("declared within a time", format!("{set}\n> go movetime 100\n< bestmove win")),
        ("declared with clocks", format!("{set}\n> go btime 9000 wtime 9000\n< bestmove win")),
        ("infinite waits with the declaration", format!("{set}\n> go infinite\n~ 150\n> stop\n< bestmove win")),
        ("so does ponder", format!("{set}\n> go ponder btime 9000 wtime 9000\n~ 150\n> ponderhit\n< bestmove win")),
        ("go mate does not declare", format!("{set}\n> go mate 200\n<< checkmate")),
        (
            "a bad rule leaves the old one",
            format!("{set}\n> setoption name ImpasseRule value Points13\n! Points13\n> go depth 2\n< bestmove win"),
        ),
    ]);
}

#[test]
fn a_rule_taken_back_is_not_declared_by() {
    for rule in ["Try", "Points12", "none"] {
        let mut session = Session::ready(&format!("Declaration, then {rule}"));
        session.play("> setoption name ImpasseRule value Declaration");
        session.play(&format!("> setoption name ImpasseRule value {rule} \n > position {DECLARABLE}"));
        let (best, _) = session.go("depth 2");
        session.check(best != "win", &format!("the rule is {rule} now"));
        session.quit();
    }
}

#[test]
fn a_lost_position_is_resigned_only_below_the_value() {
    let mut session = Session::new("ResignValue");
    let offers = offers(&mut session);
    let resign = offers.iter().find(|offer| offer.name == "ResignValue").expect("ResignValue");
    let (min, max) = resign.range.expect("a spin");
    session.play(&format!("> position {LOST}"));
    let (best, _) = session.go("depth 3");
    session.check(best != "resign", "by default the engine plays on");
    let value = if min < 0 && max <= 0 { -500 } else { 500 };
    session.play(&format!("> setoption name ResignValue value {value} \n ="));
    session.play("> go depth 5 \n < bestmove resign");
    session.play("> position startpos");
    let (best, _) = session.go("depth 3");
    session.check(best != "resign", "the start position is not lost");
    session.play(&format!("> setoption name ResignValue value {}", resign.default.as_deref().expect("a default")));
    session.play(&format!("> position {LOST}"));
    let (best, _) = session.go("depth 3");
    session.check(best != "resign", "with the default back the engine plays on");
    session.quit();
}

/// The first moves of a stopped iteration may be bad; the other moves count too.
#[test]
fn nothing_is_resigned_by_an_iteration_that_is_stopped() {
    const WON: &str = "startpos moves 4f4e 5a3c 4e4d 3c4b 4d4c 4b5c 4c5b 5c2f+ 1f2f 3a2b 5b6a B*1e 2f2b+ 2a2b 6a5b+ R*3e \
                       3f4d 2b2a R*4c 4a3c 6e6d 3c4e+";
    let mut session = Session::ready("ResignValue, stopped early");
    session.play("> setoption name ResignValue value 1500 \n =");
    for nodes in (500..=4_000).step_by(100).chain([40_000]) {
        session.play(&format!("> usinewgame \n > position {WON}"));
        let (best, _) = session.go(&format!("nodes {nodes}"));
        session.check(best != "resign", &format!("resigned after {nodes} nodes"));
    }
    session.quit();
}

/// A search that has just begun knows no score.
#[test]
fn nothing_is_resigned_before_it_is_searched() {
    let mut session = Session::ready("ResignValue, stopped at once");
    session.play("> setoption name ResignValue value 3000 \n = \n > position startpos");
    let (best, _) = session.go("nodes 1");
    session.check(best != "resign", "one node is no search");
    for limits in ["infinite", "btime 60000 wtime 60000", "ponder btime 60000 wtime 60000"] {
        for _ in 0..10 {
            session.send(&format!("go {limits}"));
            session.send("stop");
            let lines = session.lines_until("bestmove", PROMPT);
            let best = lines.last().map(|line| line.text.clone()).unwrap_or_default();
            session.check(!best.ends_with("resign"), "the start position is not lost");
            session.check(lines.iter().any(|line| line.text.starts_with("info depth ")), "a move was searched");
        }
    }
    session.quit();
}

#[test]
fn results_under_another_rule_are_discarded() {
    let position = "> position sfen 6/2K3/6/6/6/5k b P 1";
    let judge = |before: &str| {
        let mut session = Session::ready(&format!("Try, then None: {before}"));
        session.play(&format!("> setoption name ImpasseRule value Try \n {position} \n {before}"));
        session.play(&format!("> setoption name ImpasseRule value None \n = \n {position}"));
        let (best, lines) = session.go("depth 1");
        session.quit();
        (best, last_number(&lines, "cp"))
    };
    assert_eq!(judge("> go depth 12 \n < bestmove"), judge("="));
}

#[test]
fn a_declaration_is_analysed_like_any_position() {
    let mut session = Session::ready("go infinite where a declaration wins");
    session.play(&format!("> setoption name ImpasseRule value Declaration \n > position {DECLARABLE}"));
    // The mate solver finds a mate in five here, so that the first line may be deeper than 1.
    session.play("> go infinite \n << info depth \n > stop");
    let lines = session.lines_until("bestmove", PROMPT);
    session.check(lines.last().is_some_and(|line| line.text == "bestmove win"), "it declares");
    session.quit();
}

/// The result of a search with these options: the move, and the last score in centipawns. Other options of the rules
/// have their defaults, and the search knows nothing of those before it.
fn judged(session: &mut Session, options: &[&str], position: &str, limits: &str) -> (String, i64) {
    const RULES: [&str; 5] = ["DrawValueBlack", "DrawValueWhite", "ImpassePlies", "ImpasseRule", "MaxMovesToDraw"];
    session.story = format!("{options:?}, {position}");
    let offers = offers(session);
    for name in RULES {
        let offer = offers.iter().find(|offer| offer.name == name).expect(name);
        session.play(&format!("> setoption name {name} value {}", offer.default.as_deref().expect("a default")));
    }
    for option in options {
        session.play(&format!("> setoption name {option}"));
    }
    session.play(&format!("= \n > usinewgame \n > position {position}"));
    let (best, lines) = session.go(limits);
    session.check(reported(&lines, "score").last() == Some(&"cp"), "the score is not a mate");
    (best, last_number(&lines, "cp"))
}

#[test]
fn draws_are_worth_what_the_options_say() {
    let (black, white) = ("startpos", "sfen 2nsgk/5p/6/6/P5/KGSNBR w - 1");
    let limit = "MaxMovesToDraw value 1";
    let mut session = Session::ready("values of draws");
    for (options, position, score) in [
        (&[limit][..], black, 0),
        (&[limit], white, 0),
        (&[limit, "DrawValueBlack value 77"], black, 77),
        (&[limit, "DrawValueBlack value -77"], black, -77),
        (&[limit, "DrawValueBlack value 77"], white, 0),
        (&[limit, "DrawValueWhite value -33"], white, -33),
        (&[limit, "DrawValueBlack value 500", "DrawValueWhite value -33"], white, -33),
    ] {
        assert_eq!(judged(&mut session, options, position, "depth 3").1, score, "{options:?} {position}");
    }
    session.quit();
}

#[test]
fn ends_by_a_count_are_forgotten_when_the_count_is_lower() {
    let near = "1K4/6/6/g2+PRs/6/3k2 b RSNP2bgn 1";
    for (option, first, second) in [
        (
            "MaxMovesToDraw value 60",
            "sfen 4k1/2s1gp/1r1B2/P1G1N1/6/K1S1R1 b BN 58",
            "sfen 4k1/2s1gp/1r1B2/P1G1N1/6/K1S1R1 b BN 1".to_owned(),
        ),
        (
            "ImpassePlies value 10",
            &format!("sfen {near} moves 5a6a 1d2c 6a5a 2c1d 5a6a 1d2c 6a5a 2c1d"),
            format!("sfen {near}"),
        ),
    ] {
        let mut session = Session::ready(option);
        session.play(&format!("> setoption name {option} \n > setoption name MateNodes value 0 \n ="));
        session.play(&format!("> position {first}"));
        session.go("depth 9");
        session.play(&format!("> position {second}"));
        let (_, lines) = session.go("depth 9");
        session.check(reported(&lines, "score").last() == Some(&"mate"), "it sees the mate");
        session.quit();
    }
}

#[test]
fn impasse_is_played_for_under_its_rule() {
    let mut session = Session::ready("impasse");
    let mut judged = |options: &[&str], position: &str| judged(&mut session, options, position, "depth 2");
    // Black's king steps into the zone, has 18 points to White's 10, and White's king is in already.
    let entering = "sfen 5R/6/K5/6/6/1k4 b B2G2S2N2Prb 1";
    let (best, now) = judged(&["ImpassePlies value 0"], entering);
    assert!(["6c6b", "6c5b"].contains(&best.as_str()), "points are counted at once: {best}");
    let (_, later) = judged(&[], entering);
    let (_, never) = judged(&["ImpasseRule value None", "ImpassePlies value 0"], entering);
    assert!(now > 20_000, "won by points, not {now}");
    assert!(later < 20_000 && never < 20_000, "not yet won: {later}, {never}");
    // One step from White's start square.
    let trying = "sfen 6/4K1/6/6/6/1k4 b - 1";
    let (best, score) = judged(&["ImpasseRule value Try"], trying);
    assert!(best == "2b1a" && score > 20_000, "{best}, {score}");
    assert!(judged(&["ImpasseRule value None"], trying).1 < 20_000);
    session.quit();
}
