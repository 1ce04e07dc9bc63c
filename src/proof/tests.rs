//! Tests of proofs: growth on several threads, replay by the checker, impasse, repetition, and false claims in files.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::*;
use crate::book::growth::{self, BookFile, Plan, Start, Strategy, Until, Values};
use crate::mate::Solver;
use crate::shogi::impasse::may_declare;
use crate::shogi::{Color, ImpasseRule, Move, Position};

const EFFORT: Effort = Effort { mate_nodes: 500, nodes: 100, move_nodes: 2_000, hash: 1 };

/// Black mates in at most 24 plies, with moves that do not give check.
const QUIET_WIN: &str = "2nk2/3g1p/4n1/1+BS3/P5/KG2R1 w S 17";

fn question(sfen: &str) -> Question {
    Question { start: sfen.parse().unwrap(), attacker: Color::Black, rule: ImpasseRule::default() }
}

fn run(file: &mut ProofFile, threads: usize, until: Until, stop: &AtomicBool) -> Ended {
    prove(file, &Means { effort: EFFORT, guide: None, threads }, until, stop, |_| {}).unwrap()
}

fn replayed(graph: &Graph) -> Result<(Checked, Vec<ProofMove>), ProofError> {
    let mut answers = Vec::new();
    let mut solver = Solver::new(1).unwrap();
    let checked = check(graph, &mut solver, 100_000, &AtomicBool::new(false), |answer| answers.push(answer))?;
    Ok((checked, answers))
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

fn tried(text: &str, score: i16) -> Option<Candidate> {
    Some(Candidate { mv: mv(text), score })
}

#[test]
fn a_win_with_quiet_moves_is_proven_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    for threads in [1, 3] {
        let path = folder.path().join(threads.to_string());
        let mut file = ProofFile::open(&path, &question(QUIET_WIN)).unwrap();
        let never = AtomicBool::new(false);
        assert_eq!(run(&mut file, threads, Until::default(), &never), Ended::Proven);
        let (checked, answers) = replayed(file.graph()).unwrap();
        assert!(checked.positions > 5 && checked.mates > 20 && checked.plies >= 14, "{checked:?}");
        let quiet = answers.iter().filter(|answer| !answer.position.after(answer.mv).in_check()).count();
        assert!(quiet > 3, "{quiet}");
        assert_eq!(run(&mut file, threads, Until::default(), &never), Ended::Proven, "once more");
    }
}

#[test]
fn the_moves_of_a_book_are_tried_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = BookFile::open(&folder.path().join("book")).unwrap();
    let effort = growth::Effort { nodes: 200, lines: 2, hash: 1 };
    let strategy = Strategy::DropOut { ply: 10 };
    let plan = Plan { starts: vec![Start::TwoPieces], strategy, effort, batch: 8, seed: 1 };
    let until = Until { positions: Some(60), deadline: None };
    growth::grow(&mut book, &plan, until, 1, &AtomicBool::new(false), &|_| {}).unwrap();
    let values = Values::new(book.graph());
    let guide = Guide::new(BookFile::read(&folder.path().join("book")).unwrap());

    let start = Start::TwoPieces.position();
    let mut file = ProofFile::open(&folder.path().join("proof"), &question(&start.to_string())).unwrap();
    let means = Means { effort: EFFORT, guide: Some(&guide), threads: 1 };
    let until = Until { positions: Some(200), deadline: None };
    assert_eq!(prove(&mut file, &means, until, &AtomicBool::new(false), |_| {}).unwrap(), Ended::Reached);
    let mut followed = 0;
    for (id, node) in (0..).zip(file.graph().nodes()) {
        let known = book.graph().find(&file.graph().position(id)).map(|id| book.graph().node(id));
        if let (Some(known), Some(first)) = (known, node.tries.first()) {
            let best = values.best(known).unwrap();
            assert_eq!(first.mv, known.edges[best].mv);
            followed += 1;
        }
    }
    assert!(followed > 2, "{followed}");
}

#[test]
fn the_file_makes_the_same_graph() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof");
    // A few positions at a time.
    for positions in (1..).step_by(20) {
        let mut file = ProofFile::open(&path, &question(QUIET_WIN)).unwrap();
        let until = Until { positions: Some(positions), deadline: None };
        let ended = run(&mut file, 1, until, &AtomicBool::new(false));
        let (grown, read) = (file.graph().clone(), ProofFile::read(&path).unwrap());
        assert_eq!((grown.proof(), grown.proven(), grown.line()), (read.proof(), read.proven(), read.line()));
        assert_eq!(grown.nodes().len(), read.nodes().len());
        if ended == Ended::Proven {
            assert_eq!(replayed(&grown).unwrap(), replayed(&read).unwrap());
            break;
        }
        assert_eq!((ended, replayed(&grown)), (Ended::Reached, Err(ProofError::Open)));
    }
    let stopped = ProofFile::open(&folder.path().join("other"), &question(QUIET_WIN));
    assert_eq!(run(&mut stopped.unwrap(), 1, Until::default(), &AtomicBool::new(true)), Ended::Stopped);
    let other = ProofFile::open(&path, &Question { attacker: Color::White, ..question(QUIET_WIN) });
    assert!(matches!(other.err().unwrap(), ProofFileError::Other(..)));
}

#[test]
fn a_false_claim_is_found_out() {
    // Black mates at once by G*2b only.
    let start: Position = "4k1/6/4G1/6/6/K5 b G 1".parse().unwrap();
    let mut graph = Graph::new(start, Color::Black, ImpasseRule::default());
    let found = vec![(0, Found::Move(Candidate { mv: mv("2c2b"), score: 500 }))];
    graph.add(&Expansion { node: START, tried: None, found }).unwrap();
    assert_eq!(replayed(&graph), Err(ProofError::Open));
    let missing = Expansion { node: 0, tried: tried("2c2d", 0), found: Vec::new() };
    assert_eq!(graph.clone().add(&missing), Err(MisfitError::Nothing(0, 0)));
    let illegal = Expansion { tried: tried("2c2f", 0), ..missing.clone() };
    assert_eq!(graph.clone().add(&illegal), Err(MisfitError::Move(0, mv("2c2f"))));
    assert_eq!(graph.clone().add(&Expansion { node: 7, ..missing.clone() }), Err(MisfitError::Node(7)));
    // After the retreat there is no mate by checks, contrary to the file's claim.
    let found = (0..40).map(|index| (index, Found::Mate(3))).collect();
    let mut lie = graph.clone();
    lie.add(&Expansion { found, ..missing }).unwrap();
    assert_eq!(lie.proof(), 0);
    assert!(matches!(replayed(&lie), Err(ProofError::NoMate(_))));
    // The correct result.
    graph.add(&Expansion { node: 0, tried: tried("G*2b", 0), found: Vec::new() }).unwrap();
    let (checked, answers) = replayed(&graph).unwrap();
    assert_eq!((checked.positions, checked.mates, checked.plies), (1, 0, 1));
    assert_eq!((answers[0].mv, answers[0].plies), (mv("G*2b"), 1));
}

/// A claim of a file from fuzzing. 44 million nodes neither find a mate here nor disprove it.
#[test]
fn a_mate_is_not_searched_for_without_end() {
    let start: Position = "4B1/2k3/3r2/4Rn/b5/5K b 2GSsn 1".parse().unwrap();
    let mut graph = Graph::new(start.clone(), Color::Black, ImpasseRule::default());
    graph.add(&Expansion { node: START, tried: None, found: vec![(0, Found::Mate(9))] }).unwrap();
    assert_eq!((graph.proof(), replayed(&graph)), (0, Err(ProofError::NoMate(Box::new(start)))));
}

#[test]
fn a_line_without_end_is_refused() {
    let start: Position = "6/6/3k2/6/6/K1R1BG b - 1".parse().unwrap();
    let mut graph = Graph::new(start.clone(), Color::Black, ImpasseRule::None);
    let open = Found::Move(Candidate { mv: mv("1f1e"), score: 500 });
    graph.add(&Expansion { node: START, tried: None, found: vec![(0, open)] }).unwrap();
    // White plays the first of his moves, and his others are assumed to lose; Black's moves only lead to new positions.
    let mut position = start;
    for turn in 0..600 {
        let leads_on = |mv: &Move| {
            let after = position.after(*mv);
            let next: Vec<Position> = after.legal_moves().into_iter().map(|reply| after.after(reply)).collect();
            let is_new = |next: &Position| graph.find(next).is_none() && next.hand(Color::White).is_empty();
            !next.is_empty() && next.iter().all(is_new)
        };
        let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
        let by = 13 * turn % moves.len();
        moves.rotate_left(by);
        let tried = moves.into_iter().find(leads_on).expect("there are many positions");
        let after = position.after(tried);
        let replies = after.legal_moves();
        let found = (0..replies.len() as u16).map(|index| (index, if index == 0 { open } else { Found::Mate(9) }));
        let tried = Some(Candidate { mv: tried, score: 500 });
        graph.add(&Expansion { node: graph.find(&position).unwrap(), tried, found: found.collect() }).unwrap();
        position = after.after(replies[0]);
    }
    assert!(matches!(replayed(&graph), Err(ProofError::Open)));
    let last = graph.find(&position).unwrap();
    let tried = Candidate { mv: position.legal_moves()[0], score: 500 };
    let found = (0..60).map(|index| (index, Found::Mate(9))).collect();
    graph.add(&Expansion { node: last, tried: Some(tried), found }).unwrap();
    assert_eq!((graph.proof(), replayed(&graph)), (0, Err(ProofError::TooLong)));
}

#[test]
fn a_win_also_holds_with_more_pieces_in_hand() {
    let start: Position = "4k1/6/4G1/6/6/K5 b GS 1".parse().unwrap();
    let fewer: Position = "4k1/6/4G1/6/6/K5 b G 1".parse().unwrap();
    let mut graph = Graph::new(fewer, Color::Black, ImpasseRule::default());
    graph.add(&Expansion { node: START, tried: None, found: vec![(0, Found::Mate(1))] }).unwrap();
    assert_eq!(graph.covering(&start), Some(0));
    assert_eq!(graph.find(&start), None, "it is another position");
    let other: Position = "4k1/6/4G1/6/6/K5 b S 1".parse().unwrap();
    assert_eq!(graph.covering(&other), None);
}

#[test]
fn nothing_is_proven_where_the_impasse_rule_may_end_the_game() {
    // Both kings stand in their zones.
    let sfen = "6/K5/6/6/6/5k b RB 1";
    for (rule, provable) in [(ImpasseRule::Points12, false), (ImpasseRule::None, true)] {
        let mut graph = Graph::new(sfen.parse().unwrap(), Color::Black, rule);
        let found = vec![(0, Found::Move(Candidate { mv: mv("6b6a"), score: 500 }))];
        graph.add(&Expansion { node: START, tried: None, found }).unwrap();
        let found = (0..40).map(|index| (index, Found::Mate(3))).collect();
        graph.add(&Expansion { node: 0, tried: tried("6b6a", 500), found }).unwrap();
        assert_eq!(graph.proof() == 0, provable, "{rule}");
        assert_eq!(graph.proof_of(&graph.node(0).tries[0].replies) == UNPROVABLE, !provable);
    }
}

/// Black mates by checks, but White is to move and declares.
#[test]
fn nothing_is_proven_where_the_game_is_lost_at_the_start() {
    let sfen = "5K/5n/4+s1/P+P+R1+s1/2+N1+b1/rkg2b w G 1";
    for (rule, provable) in [(ImpasseRule::Declaration, false), (ImpasseRule::None, true)] {
        let folder = tempfile::tempdir().unwrap();
        let question = Question { rule, ..question(sfen) };
        let mut file = ProofFile::open(&folder.path().join("a.proof"), &question).unwrap();
        let until = Until { positions: Some(200), deadline: None };
        assert_eq!(run(&mut file, 1, until, &AtomicBool::new(false)) == Ended::Proven, provable, "{rule}");
        assert_eq!(replayed(file.graph()).is_ok(), provable, "{rule}");
    }
}

/// Black's king stands on White's king's start square, the goal of a try.
#[test]
fn a_mate_is_a_mate_wherever_the_attackers_king_stands() {
    let folder = tempfile::tempdir().unwrap();
    let question = Question { rule: ImpasseRule::Try, ..question("3k1K/6/3G2/6/6/6 b G 1") };
    let mut file = ProofFile::open(&folder.path().join("a.proof"), &question).unwrap();
    let until = Until { positions: Some(200), deadline: None };
    assert_eq!(run(&mut file, 1, until, &AtomicBool::new(false)), Ended::Proven);
    assert!(replayed(file.graph()).is_ok());
}

#[test]
fn nothing_is_proven_where_the_opponent_may_declare() {
    // White's king stands in his zone with three pieces and fourteen points.
    let declares: Position = "6/6/6/K5/4+r+b/4sk w 2gp 1".parse().unwrap();
    assert!(may_declare(&declares));
    for (rule, may_end) in [(ImpasseRule::Declaration, true), (ImpasseRule::None, false)] {
        let graph = Graph::new(declares.clone(), Color::Black, rule);
        assert_eq!(graph.may_end(&declares), may_end, "{rule}");
        assert!(!Graph::new(declares.clone(), Color::White, rule).may_end(&declares), "he is to win");
    }
}

#[test]
fn a_reply_that_leads_back_proves_nothing() {
    // Gold and king move back and forth; by the file's claim every other reply loses.
    let start: Position = "5k/6/6/6/6/K4G b - 1".parse().unwrap();
    let mut graph = Graph::new(start.clone(), Color::Black, ImpasseRule::None);
    let open = |mv: &str| Found::Move(tried(mv, 3_000).unwrap());
    graph.add(&Expansion { node: START, tried: None, found: vec![(0, open("1f1e"))] }).unwrap();
    let mut position = start;
    for (there, back, next) in [("1f1e", "1a1b", "1e1f"), ("1e1f", "1b1a", "1f1e")] {
        let node = graph.find(&position).unwrap();
        assert_eq!(graph.targets(1)[0].node, node);
        position.play_unchecked(mv(there));
        let found = |reply: Move| if reply == mv(back) { open(next) } else { Found::Mate(9) };
        let found = (0..).zip(position.legal_moves().into_iter().map(found)).collect();
        graph.add(&Expansion { node, tried: tried(there, 3_000), found }).unwrap();
        position.play_unchecked(mv(back));
    }
    assert_eq!(graph.find(&position), Some(0), "the start stands again");
    // Another move is tried, at the start or in the other position.
    assert!(
        graph
            .targets(9)
            .iter()
            .all(|target| target.node == 0 || target.position.piece_at("1e".parse().unwrap()).is_some())
    );
    assert!(!matches!(graph.proof(), 0 | UNPROVABLE..));
    let bars = |graph: &Graph| {
        graph
            .nodes()
            .iter()
            .flat_map(|node| &node.tries)
            .flat_map(|one| &one.replies)
            .filter(|reply| reply.barred)
            .count()
    };
    assert!(bars(&graph) > 0);
    graph.reset_numbers();
    assert_eq!(bars(&graph), 0);
}

#[test]
fn a_search_ends_where_every_line_leads_back() {
    let folder = tempfile::tempdir().unwrap();
    let effort = Effort { nodes: 30, mate_nodes: 1, move_nodes: 30, ..EFFORT };
    let until = Until { deadline: Some(Instant::now() + Duration::from_secs(60)), ..Until::default() };
    for start in ["k5/6/6/6/6/5K b - 1", "k5/6/6/6/6/2K3 b - 1", "5k/6/6/6/6/2K3 b - 1", "2k3/6/6/6/6/2K3 b - 1"] {
        let path = folder.path().join(start.replace('/', "-"));
        // Another run finds nothing more.
        let positions = [(); 2].map(|()| {
            let mut file = ProofFile::open(&path, &question(start)).unwrap();
            let means = Means { effort, guide: None, threads: 1 };
            let ended = prove(&mut file, &means, until, &AtomicBool::new(false), |_| {}).unwrap();
            assert_eq!(ended, Ended::Exhausted, "{start}");
            file.graph().nodes().len()
        });
        assert_eq!(positions[0], positions[1], "{start}");
    }
}

#[test]
fn a_file_without_expansions_is_open_to_any_question() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof");
    let other = Question { attacker: Color::White, ..question(QUIET_WIN) };
    drop(ProofFile::open(&path, &other).unwrap());
    let mut file = ProofFile::open(&path, &question(QUIET_WIN)).unwrap();
    let until = Until { positions: Some(5), ..Until::default() };
    run(&mut file, 1, until, &AtomicBool::new(false));
    drop(file);
    assert_eq!(ProofFile::read(&path).unwrap().attacker(), Color::Black);
    assert!(matches!(ProofFile::open(&path, &other), Err(ProofFileError::Other(..))));
}
