//! Ends of games: they are reported as such, and ignored by records that continue.

use judkins::record::{Format, NodeId, Record};
use judkins::review::{Language, MoveReview, annotate, end_words, outcome_words};
use judkins::score::Score;
use judkins::shogi::{Color, EndReason, GameScore, ImpasseRule};
use serde_json::Value;

use super::{annotated, file, record, review_of};
use crate::common::succeed;

/// A game that the rules end with its last move.
struct Ended {
    start: &'static str,
    rule: ImpasseRule,
    moves: String,
    reason: EndReason,
    winner: Option<Color>,
    /// Moves that can be played on, where there are any.
    further: &'static str,
}

impl Ended {
    fn record(&self, further: bool) -> Record {
        record(&format!("{} moves {} {}\n", self.start, self.moves, if further { self.further } else { "" }))
    }
}

fn ended() -> Vec<Ended> {
    let game = |start, rule, moves: &str, reason, winner, further| Ended {
        start,
        rule,
        moves: moves.trim().to_owned(),
        reason,
        winner,
        further,
    };
    let (black, white) = (Some(Color::Black), Some(Color::White));
    let points = ImpasseRule::Points12;
    // Black's king goes around four squares, White's around three.
    let kings =
        ["6a6b 5f5e", "6b5b 5e4e", "5b5a 4e5f", "5a6a 5f5e", "6a6b 5e4e", "6b5b 4e5f", "5b5a 5f5e", "5a6a 5e4e"];
    let kings = [&kings[..], &["6a6b 4e5f", "6b5b 5f5e", "5b5a 5e4e", "5a6a 4e5f"]].concat().join(" ");
    vec![
        game("sfen 4k1/6/4G1/6/6/K5 b G 1", points, "G*2b", EndReason::Checkmate, black, ""),
        game("sfen 5k/3G2/5P/6/6/K2R2 b - 1", points, "3f2f", EndReason::NoLegalMove, black, ""),
        game("startpos", points, &"1f1e 6a6b 1e1f 6b6a ".repeat(3), EndReason::Sennichite, None, "6e6d 1b1c 5f4e 3a4b"),
        game(
            "sfen 6/R4k/6/6/6/K5 w - 1",
            points,
            &"1b1a 6b6a 1a1b 6a6b ".repeat(3),
            EndReason::PerpetualCheck,
            white,
            "1b1a 6b6a 1a1b",
        ),
        game("sfen K4R/6/6/6/6/1k4 b B2G2S2N2Prb 1", points, &kings, EndReason::Impasse, black, "6a6b 5f6f B*3c"),
        game("sfen 6/4K1/6/6/6/1k4 b - 1", ImpasseRule::Try, "2b1a", EndReason::Try, black, "5f5e 1a2a"),
        game(
            "sfen 5k/1K3p/3b2/3S+b1/P5/1S4 w 2R2Gn 100",
            ImpasseRule::CuteChess,
            "1a2a",
            EndReason::Impasse,
            None,
            "5b6b 2a1a",
        ),
    ]
}

#[test]
fn an_end_is_stated_and_has_no_score() {
    for game in ended() {
        let mut record = game.record(false);
        let review = review_of(&record, 2_000, game.rule);
        assert!(review.complete);
        let last = review.moves.last().unwrap();
        let result = last.result().unwrap_or_else(|| panic!("the rules end it by {}", game.reason));
        assert_eq!((result.reason, result.winner), (game.reason, game.winner), "{}", game.start);
        assert_eq!((last.after, outcome_words(last)), (None, Some(game.reason.to_string())));
        let chance = game.winner.map_or(0.5, |winner| f64::from(u8::from(winner == last.color())));
        assert_eq!(last.chance_after(), Some(chance), "{}", game.reason);
        assert!(review.moves[..review.moves.len() - 1].iter().all(|mv| mv.end.is_none()), "{}", game.reason);
        annotate(&mut record, &review.moves, Language::English);
        let notes = record[last.node].notes();
        let words = end_words(&last.end.unwrap());
        assert!(notes.comment.ends_with(&words) && notes.evaluation.is_none(), "{notes:?}");
    }
}

/// The review of a move, apart from its node in a record. In a drawn position several lines are equally good, so the
/// best line is left out there.
fn judged(mv: &MoveReview) -> impl PartialEq + std::fmt::Debug + use<> {
    let best = (mv.before != Some(Score::Centipawns(0))).then(|| mv.best.clone());
    (mv.mv, mv.before, mv.after, best, mv.loss, mv.mark)
}

#[test]
fn moves_after_an_end_are_judged_as_if_the_game_had_not_ended() {
    for game in ended().into_iter().filter(|game| !game.further.is_empty()) {
        let whole = game.record(true);
        let plies = game.moves.split_whitespace().count();
        let reviewed = review_of(&whole, 2_000, game.rule);
        let end = reviewed.moves[plies - 1].end.unwrap_or_else(|| panic!("the end by {} is told", game.reason));
        assert_eq!((end.result.reason, end.played_on), (game.reason, true));
        let before = whole.main_line().nth(plies - 1).unwrap();
        let further = record(&format!("sfen {} moves {}\n", whole.position(before).unwrap(), game.further));
        let rule = match game.reason {
            EndReason::Impasse | EndReason::Try => ImpasseRule::None,
            _ => game.rule,
        };
        let alone = review_of(&further, 2_000, rule);
        let expected: Vec<_> = alone.moves.iter().map(judged).collect();
        let found: Vec<_> = reviewed.moves[plies..].iter().map(judged).collect();
        assert_eq!(found, expected, "{}", game.reason);
        assert_eq!(reviewed.chances[plies..], alone.chances[..], "{}", game.reason);
    }
}

#[test]
fn tables_and_json_state_ends() {
    for game in ended() {
        let (_folder, path) = file(&format!("{} moves {}\n", game.start, game.moves));
        let rule = game.rule.to_string();
        let review = ["review", &path, "--nodes", "1000", "--impasse-rule", &rule];
        let table = succeed(&review);
        assert!(table.contains(&format!("(game over by {}", game.reason)), "{table}");
        let json: Value = serde_json::from_str(&succeed(&[&review[..], &["--json"]].concat())).unwrap();
        let last = json["moves"].as_array().unwrap().last().unwrap();
        let winner = game.winner.map_or(Value::Null, |winner| winner.to_string().to_lowercase().into());
        assert_eq!((&last["end"]["winner"], &last["end"]["played_on"]), (&winner, &Value::Bool(false)), "{last}");
        assert_eq!(
            (&last["end"]["reason"], &last["score"]),
            (&serde_json::to_value(game.reason).unwrap(), &Value::Null)
        );
        assert!(last["chance"].is_f64(), "{last}");
    }
}

/// Declarations were scores of 300 pawns.
#[test]
fn a_win_by_declaration_is_called_one() {
    let text = "sfen 1K4/GGS3/6/6/6/5k b 2RBN 1 moves 5a4a 1f2f\n";
    let (_folder, path) = file(text);
    let table = succeed(&["review", &path, "--nodes", "1000", "--impasse-rule", "Declaration"]);
    assert!(table.contains("loss by declaration") && table.contains("1 missed declaration\n"), "{table}");
    assert!(!table.contains("299.") && !table.contains("300."), "{table}");

    let mut declared = record(text);
    (declared.header.result, declared.header.reason) = (Some(GameScore::Black), Some(EndReason::Declaration));
    for rule in [ImpasseRule::Declaration, ImpasseRule::Points12] {
        let review = review_of(&declared, 2_000, rule);
        let last = review.moves.last().unwrap();
        assert_eq!(outcome_words(last).as_deref(), Some("declaration"));
        assert_eq!((last.after, last.chance_after()), (None, Some(0.0)));
        annotate(&mut declared, &review.moves, Language::English);
        let comment = &declared[last.node].notes().comment;
        assert!(comment.contains("game over by declaration: Black wins"), "{comment}");
    }
    // A won declaration in another rule's game is judged from the record, a game that only could be won so is not over.
    let open = record(text);
    let review = review_of(&open, 2_000, ImpasseRule::Declaration);
    assert_eq!(review.moves[1].result(), None);
    assert_eq!(review.moves[1].after_rule, Some(EndReason::Declaration));
    assert_eq!(review.moves[0].before_rule, Some(EndReason::Declaration));
}

#[test]
fn annotated_ends_are_the_same_after_a_second_time() {
    for game in ended() {
        let mut fresh = game.record(true);
        fresh.set_comment(NodeId::ROOT, "a comment").unwrap();
        let review = review_of(&fresh, 2_000, game.rule);
        for format in [Format::Kif, Format::Ki2, Format::Pgn, Format::PgnFairy, Format::PgnCuteChess] {
            let annotated = |record: &Record| annotated(record, &review).to_text(format).unwrap();
            let once = annotated(&fresh);
            assert!(once.contains("game over by "), "{once}");
            assert_eq!(annotated(&record(&once)), once, "{} in {format}", game.reason);
        }
    }
}
