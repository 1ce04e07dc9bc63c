//! `usi`, and the options that are offered.

use super::driver::{Line, PROMPT, Session};
use super::{expect_shown, millis, offers};

#[test]
fn usi_is_answered_with_name_author_options_and_usiok() {
    let mut session = Session::new("the answer to 'usi', and to another");
    let sent = session.send("usi");
    let first = session.lines_until("usiok", PROMPT);
    let took = first[first.len() - 1].at - sent;
    session.check(took < millis(1_000), "'usi' is answered at once");
    session.check(first[0].text.starts_with("id name "), "the name comes first");
    session.check(first[0].text.to_lowercase().contains("judkins"), "the name is in it");
    session.check(first[1].text.starts_with("id author "), "the author comes second");
    let mut rest = first[2..first.len() - 1].iter();
    session.check(rest.all(|line| line.text.starts_with("option name ")), "then come options only");
    session.play("> setoption name USI_MultiPV value 2");
    session.send("usi");
    let second = session.lines_until("usiok", PROMPT);
    let text = |lines: &[Line]| lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
    session.check(text(&first) == text(&second), "the second answer is the same");
    expect_shown(&mut session, 2, "options are kept when 'usi' comes again");
    session.quit();
}

#[test]
fn every_option_is_offered_once_with_its_type() {
    let mut session = Session::new("the options");
    let offers = offers(&mut session);
    for (name, kinds) in [
        ("USI_Hash", "spin"),
        ("Threads", "spin"),
        ("USI_Ponder", "check"),
        ("USI_MultiPV", "spin"),
        ("USI_Variant", "combo"),
        ("USI_OwnBook", "check"),
        ("BookFile", "string filename"),
        ("Evaluation", "combo"),
        ("EvalFile", "string filename"),
        ("ImpasseRule", "combo"),
        ("ImpassePlies", "spin"),
        ("DrawValueBlack", "spin"),
        ("DrawValueWhite", "spin"),
        ("ResignValue", "spin"),
        ("MaxMovesToDraw", "spin"),
        ("NetworkDelay", "spin"),
        ("MinimumThinkingTime", "spin"),
        ("SlowMover", "spin"),
        ("PvInterval", "spin"),
        ("SkillLevel", "spin"),
        ("NodesLimit", "spin"),
        ("DepthLimit", "spin"),
        ("MateHash", "spin"),
        ("MateNodes", "spin"),
        ("DebugLogFile", "string filename"),
        ("ClearHash", "button"),
    ] {
        let found: Vec<_> = offers.iter().filter(|offer| offer.name.eq_ignore_ascii_case(name)).collect();
        session.check(found.len() == 1, &format!("{name} is offered {} times", found.len()));
        session.check(found[0].name == name, &format!("{name} is written {}", found[0].name));
        let kind = &found[0].kind;
        session.check(kinds.split(' ').any(|expected| expected == kind), &format!("{name} has type {kind}"));
    }
    let of = |name: &str| offers.iter().find(|offer| offer.name == name).unwrap();
    assert_eq!(of("USI_Variant").choices, ["judkins"]);
    assert_eq!(of("Evaluation").choices, ["Network", "Handwritten"]);
    assert_eq!(of("Evaluation").default.as_deref(), Some("Network"));
    assert_eq!(of("ImpasseRule").choices, ["Points12", "Declaration", "Try", "None"]);
    assert_eq!(of("ImpasseRule").default.as_deref(), Some("Points12"));
    assert_eq!(of("ImpassePlies").default.as_deref(), Some("24"));
    assert_eq!(of("SkillLevel").range, Some((0, 20)));
    assert_eq!(of("USI_MultiPV").default.as_deref(), Some("1"));
    session.quit();
}
