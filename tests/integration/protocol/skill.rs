//! Strength for people.

use std::collections::HashSet;

use super::driver::Session;

/// The different answers to the first move, over `games` games.
fn answers(session: &mut Session, games: usize) -> HashSet<String> {
    (0..games)
        .map(|_| {
            session.play("> usinewgame \n > position startpos moves 6e6d");
            session.go("nodes 2000").0
        })
        .collect()
}

#[test]
fn lower_levels_vary_and_the_highest_does_not() {
    let mut session = Session::ready("levels");
    session.send("setoption name SkillLevel value 0");
    let varied = answers(&mut session, 30).len();
    session.check(varied > 3, &format!("only {varied} answers at level 0"));
    session.send("setoption name SkillLevel value 20");
    let same = answers(&mut session, 5).len();
    session.check(same == 1, &format!("{same} answers at full strength"));
    session.quit();
}

#[test]
fn only_the_lines_that_were_asked_for_are_shown() {
    let mut session = Session::ready("lines at a low level");
    session.send("setoption name SkillLevel value 5");
    let (_, lines) = session.go("depth 3");
    session.check(lines.iter().all(|line| !line.text.contains("multipv")), "one line was asked for");
    session.send("setoption name USI_MultiPV value 2");
    let (_, lines) = session.go("depth 3");
    let most = lines.iter().filter(|line| line.text.contains(" multipv 3 ")).count();
    session.check(most == 0, "two lines were asked for");
    session.quit();
}

#[test]
fn no_level_misses_a_mate_in_one() {
    let mut session = Session::ready("a mate in one");
    for level in [0, 5, 10, 15, 19, 20] {
        session.send(&format!("setoption name SkillLevel value {level}"));
        for _ in 0..5 {
            session.play("> usinewgame \n > position sfen 5k/6/5P/6/6/K5 b G 1");
            let (mv, _) = session.go("movetime 100");
            // The other leaves the king no move, which wins as well.
            session.check(mv == "G*1b" || mv == "G*3b", &format!("{mv} at level {level}"));
        }
    }
    session.quit();
}

#[test]
fn a_level_thinks_no_more_on_the_opponents_time() {
    let mut session = Session::ready("pondering at level 0");
    session.play("> setoption name SkillLevel value 0 \n > setoption name BookDepth value 0 \n > position startpos");
    session.play("> go ponder btime 10000 wtime 10000 \n . 300 \n > ponderhit");
    let lines = session.lines_until("bestmove", super::driver::PROMPT);
    let deep = lines.iter().find(|line| line.text.starts_with("info depth 8 "));
    session.check(deep.is_none(), &format!("{deep:?} at level 0"));
    session.quit();
}

#[test]
fn analysis_is_at_full_strength() {
    let mut session = Session::ready("analysis at level 0");
    // A game's move at level 0 is chosen from a few nodes.
    session.play("> setoption name SkillLevel value 0 \n > go infinite");
    let lines = session.lines_until("info depth 10", super::driver::PROMPT);
    let nodes = super::last_number(&lines, "nodes");
    session.check(nodes > 5_000, &format!("{nodes} nodes only"));
    session.play("> stop \n << bestmove");
    session.quit();
}
