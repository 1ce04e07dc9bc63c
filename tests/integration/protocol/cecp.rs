//! CECP: what XBoard sends, and what must come back.

use std::time::Instant;

use super::driver::{Language, PROMPT, Session, play_all_in};
use super::millis;

const SETUP: &str = "setup (PNBR.S...G.++++.+Kpnbr.s...g.++++.+k) 6x6+6_shogi rbnsgk/5p/6/6/P5/KGSNBR[-] w 0 1";
const BEGIN: &str = "> xboard \n > protover 2 \n << feature done=1 \n > new \n > variant judkins \n << setup \n";

fn xboard(story: &str) -> Session {
    let mut session = Session::speaking(Language::Cecp, story);
    session.play(BEGIN);
    session
}

#[test]
fn it_says_what_it_can_do() {
    let mut session = Session::speaking(Language::Cecp, "features");
    session.send("xboard");
    session.send("protover 2");
    let lines: Vec<String> = session.lines_until("feature done=1", PROMPT).into_iter().map(|line| line.text).collect();
    let text = lines.join("\n");
    assert!(lines.iter().all(|line| line.starts_with("feature ")), "{text}");
    for feature in [
        "variants=\"judkins\"",
        "setboard=1",
        "usermove=1",
        "ping=1",
        "analyze=1",
        "memory=1",
        "smp=1",
        "sigint=0",
        "colors=0",
        "option=\"SkillLevel -spin 20 0 20\"",
        "option=\"ImpasseRule -combo *Points12 /// Declaration /// Try /// None\"",
        "option=\"USI_OwnBook -check 0\"",
        "option=\"ClearHash -button\"",
        "option=\"BookFile -file \"",
    ] {
        assert!(text.contains(feature), "no {feature} in {text}");
    }
    for spin in text.split(" -spin ").skip(1) {
        let numbers = spin.split('"').next().expect("there is a first").split(' ');
        assert!(numbers.map(str::parse::<i32>).all(|number| number.is_ok()), "XBoard has 32 bits: {spin}");
    }
    assert!(!text.contains("USI_Hash") && !text.contains("UCI_"), "{text}");
    session.send("variant judkins");
    session.expect(SETUP, PROMPT);
    session.quit();
}

#[test]
fn stories() {
    let shuffle = ["f1f2", "a6a5", "f2f1", "a5a6"].map(|mv| format!("> usermove {mv} \n")).concat().repeat(3);
    let drawn = format!("> force \n {shuffle} = \n > go \n < 1/2-1/2 {{sennichite}} \n =");
    let stories = [
        ("the engine has the second side after new", "> st 0.05 \n > usermove a2a3 \n < move"),
        ("go: it plays the side to move", "> st 0.05 \n > go \n < move \n > force \n ="),
        ("playother: it plays the other", "> force \n > st 0.05 \n > playother \n = \n > usermove a2a3 \n < move"),
        (
            "playother goes on after a result",
            "> force \n > st 0.05 \n > result 1-0 {x} \n > playother \n = \n > usermove a2a3 \n < move",
        ),
        ("force: it only notes moves", "> force \n > usermove a2a3 \n > usermove f5f4 \n ~ 50 \n > st 0.05 \n > go \n < move"),
        ("it plays on", "> sd 1 \n > usermove a2a3 \n < move \n > force \n > undo \n > usermove f5f4 \n > go \n < move"),
        ("a clock with increment", "> level 0 1 0.5 \n > time 6000 \n > otim 6000 \n > sd 2 \n > usermove a2a3 \n < move"),
        ("a clock of so many moves", "> level 40 5 0 \n > sd 2 \n > usermove a2a3 \n < move"),
        ("move now", "> level 0 100 0 \n > usermove a2a3 \n . 50 \n > ? \n < move"),
        ("illegal moves are named", "> usermove a2a5 \n < Illegal move: a2a5 \n > usermove x9y9 \n < Illegal move: x9y9
             > usermove f5f4 \n < Illegal move: f5f4 \n > usermove P@c3 \n < Illegal move: P@c3"),
        ("not out of turn", "> level 0 100 0 \n > usermove a2a3 \n > usermove f5f4 \n < Illegal move (it is not your turn): f5f4
             > ? \n < move"),
        ("a promotion, one declined, and a drop", "> force \n > setboard 5k/R5/6/6/6/K5[P] w 0 1
             > usermove a5a6= \n > usermove f6e5 \n > usermove P@c3 \n > usermove e5f5 \n > usermove a6a5+ \n = "),
        ("a forced promotion", "> force \n > setboard 6/P4k/6/6/6/K5[] w 0 1 \n > usermove a5a6= \n < Illegal move: a5a6
             > usermove a5a6 \n < Illegal move: a5a6 \n > usermove a5a6+ \n ="),
        ("no move is made on a refused board", "> sd 1 \n > force \n > setboard 6/6/6/6/6/6[] w 0 1
             < tellusererror Illegal position: Black has no king \n > usermove a2a3 \n < Illegal move: a2a3
             > go \n > undo \n > analyze \n > hard \n > playother \n ~ 50 \n > setboard 5k/R5/6/6/6/K5[P] w 0 1
             > go \n < move"),
        ("undo and remove", "> force \n > usermove a2a3 \n > undo \n > usermove a2a3 \n > usermove f5f4 \n > remove
             > usermove a2a3 \n > undo \n > undo \n > undo \n > usermove a2a3 \n ="),
        ("the opponent's mate is claimed", "> force \n > setboard 5k/6/5P/6/6/K5[G] w 0 1 \n > playother
             > usermove G@f5 \n < 1-0 {checkmate} \n ~ 50 \n > result 1-0 {mate} \n ="),
        ("its own mate is claimed", "> force \n > setboard 5k/6/5P/6/6/K5[G] w 0 1 \n > sd 4 \n > go
             < move G@f5 \n < 1-0 {checkmate} \n ~ 50"),
        ("Black of CECP is White of shogi", "> force \n > setboard k5/6/6/5p/6/5K[g] b 0 1 \n > sd 4 \n > go
             < move G@f2 \n < 0-1 {checkmate}"),
        ("what is over is not played on", &drawn),
        ("go where there is no move", "> force \n > setboard 5k/5G/5P/6/6/K5[] b 0 1 \n > go \n < 1-0 {checkmate} \n ="),
        ("result ends everything", "> level 0 100 0 \n > usermove a2a3 \n > result 1-0 {time} \n ~ 50 \n > new \n > sd 1
             > usermove a2a3 \n < move"),
        ("analysis follows the board", "> analyze \n . 50 \n > . \n < stat01: \n > usermove a2a3 \n . 50 \n > undo
             > setboard 5k/6/6/6/6/K5[G] w 0 1 \n . 50 \n > . \n < stat01: \n > exit \n ~ 50 \n > . \n ~ 50"),
        ("analysis of a mated position does nothing", "> force \n > setboard 5k/5G/5P/6/6/K5[] b 0 1 \n > analyze \n ~ 50
             > exit \n ="),
        ("options", "> option SkillLevel=3 \n > option USI_OwnBook=0 \n > option ImpasseRule=Try \n > option ClearHash \n > memory 64
             > cores 2 \n = \n > option SkillLevel=99 \n < Error (SkillLevel \n > option Nonesuch=1 \n < Error (no"),
        ("unknown words", "> fly me \n < Error (unknown command): fly me \n > level \n < Error (bad number): level \n > variant chess
             < Error (unknown variant): chess \n > usermove \n < Error (too few parameters): usermove"),
        ("numbers without meaning change nothing", "> sd 0 \n < Error (bad number): sd 0 \n > sd -1 \n < Error (bad number):
             > st x \n < Error (bad number): \n > st -1 \n < Error (bad number): \n > time -x \n < Error (bad number):
             > otim -x \n < Error (bad number): \n > level -1 5 0 \n < Error (bad number): \n > memory 0 \n < Error (bad number):
             > cores 0 \n < Error (bad number): \n > sd 1.0 \n > level 40.0 5 0 \n > time 1000.5 \n > otim 1000.5 \n > usermove a2a3
             < move"),
        ("words that need no answer", "> random \n > computer \n > name somebody \n > rating 1 2 \n > accepted setboard
             > rejected smp \n > draw \n > bk \n ="),
        ("a move without usermove", "> sd 1 \n > a2a3 \n < move"),
        ("ping is answered after the move", "> level 0 100 0 \n > usermove a2a3 \n > ping 5 \n ~ 50 \n > ? \n > ping 6 \n < move
             < pong 5 \n < pong 6 \n > new \n > usermove a2a3 \n > ping 7 \n > force \n < pong 7"),
        ("ping is answered while it analyses", "> analyze \n > ping 5 \n < pong 5 \n > exit \n ="),
        ("a game that had a result goes on", "> sd 1 \n > force \n > result * {x} \n > go \n < move"),
        ("mate is analysed too", "> force \n > setboard k5/6/1K4/6/6/6[G] w 0 1 \n > analyze \n . 50 \n > usermove G@b5 \n > . \n < stat01: 0 0 0 0 0 \n > exit"),
        ("a new game is analysed too", "> analyze \n > usermove a2a3 \n > new \n . 50 \n > . \n < stat01: \n > usermove a2a3 \n ~ 50
             > exit \n ="),
        ("the thinking is shown from post on", "> level 0 100 0 \n > usermove a2a3 \n ~ 50 \n > post \n . 100 \n > ? \n < move"),
        ("a new game while it thinks", "> level 0 100 0 \n > usermove a2a3 \n > new \n ~ 50 \n > sd 1 \n > usermove a2a3 \n < move"),
        ("pondering: the expected move and another", "> hard \n > sd 2 \n > usermove a2a3 \n < move \n . 50 \n > hint \n << Hint:
             > easy \n > hard \n ~ 20 \n > force \n ="),
        ("quit while it thinks", "> level 0 100 0 \n > usermove a2a3 \n > quit \n exit"),
        ("the input ends while it thinks", "> level 0 100 0 \n > usermove a2a3 \n close \n exit"),
    ];
    let stories = stories.map(|(title, story)| (title, format!("{BEGIN}{}", story.replace(" > ", " \n > "))));
    play_all_in(Language::Cecp, stories);
}

/// The square pair or drop that the engine answers with.
fn answer(session: &mut Session) -> (String, Instant) {
    let line = session.expect("move", PROMPT);
    (line.text["move ".len()..].to_owned(), line.at)
}

/// The reply that the engine expects.
fn hint(session: &mut Session) -> String {
    session.play("> hint");
    session.expect("Hint:", PROMPT).text["Hint: ".len()..].to_owned()
}

#[test]
fn a_hint_ends_with_its_position() {
    let mut session = xboard("hints");
    let refused = "> setboard 6/6/6/6/6/6[] w 0 1 \n < tellusererror";
    for other in ["> usermove a2a3 \n > usermove e6e5", "> new \n > force", refused] {
        session.play("> new \n > sd 4 \n > usermove b1b2");
        let _ = answer(&mut session);
        let _ = hint(&mut session);
        session.play(&format!("> force \n {other} \n > hint \n ="));
    }
    session.quit();
}

#[test]
fn thoughts_are_shown_if_asked_for() {
    let mut session = xboard("post");
    for (post, shown) in [("post", true), ("nopost", false)] {
        session.play(&format!("> {post} \n > new \n > sd 4 \n > usermove a2a3"));
        let lines = session.lines_until("move", PROMPT);
        let thoughts = lines.iter().filter(|line| {
            let mut words = line.text.split(' ');
            let numbers = words.by_ref().take(4).filter(|word| word.parse::<i64>().is_ok()).count();
            numbers == 4 && words.next().is_some_and(|mv| mv.len() >= 4)
        });
        session.check((thoughts.count() >= 4) == shown, post);
    }
    session.quit();
}

#[test]
fn a_refused_option_changes_nothing() {
    let mut session = xboard("a refused option while the engine thinks");
    session.play("> st 0.5 \n > force \n > usermove a2a3");
    let began = session.send("go");
    session.play("> option Nope=1 \n < Error (no option is called 'Nope'): option Nope");
    let answer = session.expect("move", PROMPT);
    session.check(answer.at - began > millis(250), "it thinks on");
    session.play("> force \n > analyze \n > option Nope=1 \n < Error (no option is called 'Nope'): option Nope");
    session.play(". 50 \n > exit");
    session.quit();
}

#[test]
#[cfg(target_os = "linux")]
fn memory_bounds_all_tables() {
    let mut session = xboard("memory 20");
    session.play("> memory 20 \n > st 0.3 \n > usermove a2a3 \n < move");
    let resident = session.status("VmRSS");
    session.check(resident < 48 << 10, &format!("{resident} KiB are resident"));
    session.quit();
}

#[test]
fn a_ponder_hit_goes_on_with_the_clock_it_is_given() {
    let mut session = xboard("a ponder hit");
    session.play("> hard \n > level 0 1 0 \n > time 300 \n > otim 6000 \n > usermove a2a3");
    let _ = answer(&mut session);
    let hint = hint(&mut session);
    // It ponders anew, with time for minutes.
    session.play("> time 600000 \n > level 0 100 0");
    std::thread::sleep(millis(200));
    session.play("> time 10 \n > otim 6000");
    session.send(&format!("usermove {hint}"));
    // It has a tenth of a second: with the other clock it would be awaited in vain.
    let (mv, _) = answer(&mut session);
    session.check(mv != hint, "it answers with a move of its own");
    session.quit();
}

#[test]
fn a_ponder_hit_goes_on_with_the_limits_given_since() {
    let mut session = xboard("limits while it ponders");
    session.play("> hard \n > sd 1 \n > usermove a2a3");
    let _ = answer(&mut session);
    let hint = hint(&mut session);
    session.play("> sd 100 \n > st 0.4");
    let asked = session.send(&format!("usermove {hint}"));
    let (_, at) = answer(&mut session);
    session.check(at - asked > millis(250), "it takes its time");
    session.quit();
}

#[test]
fn the_engine_plays_itself_to_the_end() {
    // Two sessions, each of which only hears the other's moves: they must agree on all of them and on the result.
    let (mut black, mut white) = (xboard("first"), xboard("second"));
    for session in [&mut black, &mut white] {
        session.play("> sd 2 \n > option SkillLevel=3");
    }
    black.send("go");
    for _ in 0..400 {
        for black_moves in [true, false] {
            let (from, to) = if black_moves { (&mut black, &mut white) } else { (&mut white, &mut black) };
            let (mv, _) = answer(from);
            to.send(&format!("usermove {mv}"));
            from.send("ping 1");
            let line = from.next_answer(Instant::now() + PROMPT).expect("an answer to the ping");
            if line.text.contains('{') {
                let claim = line.text.clone();
                to.expect(&claim, PROMPT);
                from.expect("pong 1", PROMPT);
                black.quit();
                white.quit();
                return;
            }
        }
    }
    black.fail("a game at this level does not take 800 plies");
}
