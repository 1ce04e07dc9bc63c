//! Results and behaviour of the search.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use judkins::score::{Bound, Score};
use judkins::search::score::RULE_WIN;
use judkins::search::{Clocks, Limits, Pool, Report, Root, SearchClock, SearchOutcome, Settings};
use judkins::shogi::{Game, ImpasseRule, Position};

struct Found {
    outcome: SearchOutcome,
    reports: Vec<Report>,
}

fn search_in(pool: &Pool, root: &Root, limits: &Limits, settings: &Settings) -> Found {
    let mut reports = Vec::new();
    let outcome =
        pool.search(root, limits, settings, None, &AtomicBool::new(false), &mut |report| reports.push(report));
    Found { outcome, reports }
}

fn search(sfen: &str, limits: &Limits, settings: &Settings) -> Found {
    let pool = Pool::new(1, 16).unwrap();
    search_in(&pool, &Root::new(sfen.parse().unwrap()), limits, settings)
}

fn depth(depth: usize) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[test]
fn mates_are_found_with_their_length() {
    for (sfen, plies) in [
        ("5k/6/5P/6/6/K5 b G 1", 1),
        // The pawn would mate by being dropped, which is not allowed: the gold must do it.
        ("5k/6/3NG1/6/6/K5 b PG 1", 1),
        ("4k1/6/4P1/6/6/K5 b GS 1", 1),
        ("5k/6/6/4R1/6/K5 b RG 1", 1),
        ("3k2/6/3P2/6/6/K5 b 2G 1", 1),
        ("2k3/6/1P4/6/6/K5 b 2GS 1", 3),
    ] {
        let found = search(sfen, &depth(12), &Settings::default());
        assert_eq!(Score::from(found.outcome.score), Score::Mate(plies), "{sfen}");
        let line = &found.reports.last().unwrap().pv;
        let mut game = Game::new(sfen.parse().unwrap());
        line.iter().for_each(|&mv| game.play(mv).unwrap());
        let result = game.result().map(|result| result.to_string());
        assert_eq!((line.len(), result.as_deref()), (plies as usize, Some("Black wins: checkmate")), "{sfen}");
    }
}

/// White answers 1. N-5f with a bishop that does not promote: two moves later the pawn would mate by being dropped.
#[test]
fn a_defender_may_decline_to_promote() {
    let sfen = "2K1G1/G5/6/3rPB/1R1N1b/5k b SP 1";
    for plies in [7, 9, 11] {
        let found = search(sfen, &depth(plies), &Settings::default());
        assert_ne!(Score::from(found.outcome.score), Score::Mate(7), "depth {plies}");
    }
}

#[test]
fn a_search_of_one_thread_is_the_same_every_time() {
    let limits = Limits { nodes: Some(30_000), ..Limits::default() };
    let runs = [(); 2].map(|()| search(judkins::shogi::START_SFEN, &limits, &Settings::default()).outcome);
    assert_eq!(runs[0], runs[1]);
    assert_eq!(runs[0].nodes, 30_000);
}

#[test]
fn the_best_lines_come_in_order_and_begin_differently() {
    let settings = Settings { multipv: 4, ..Settings::default() };
    let found = search(judkins::shogi::START_SFEN, &depth(6), &settings);
    let last: Vec<&Report> = found.reports.iter().rev().take(4).collect();
    let numbers: Vec<_> = last.iter().map(|report| report.multipv).collect();
    assert_eq!(numbers, [Some(4), Some(3), Some(2), Some(1)]);
    let centipawns = |report: &Report| match report.score {
        Score::Centipawns(score) => score,
        Score::Mate(_) => panic!("no mate from the start"),
    };
    assert!(last.iter().map(|report| centipawns(report)).is_sorted());
    let mut first: Vec<_> = last.iter().map(|report| report.pv[0].to_string()).collect();
    first.sort();
    first.dedup();
    assert_eq!(first.len(), 4);
}

#[test]
fn only_the_moves_asked_for_are_considered() {
    let limits = Limits { searchmoves: vec!["6f5e".parse().unwrap()], ..depth(5) };
    let found = search(judkins::shogi::START_SFEN, &limits, &Settings::default());
    assert_eq!(found.outcome.best.unwrap().to_string(), "6f5e");
}

#[test]
fn without_a_legal_move_there_is_no_best_one() {
    let found = search("5k/5G/5P/6/6/K5 w - 1", &depth(5), &Settings::default());
    assert_eq!((found.outcome.best, Score::from(found.outcome.score)), (None, Score::Mate(0)));
}

#[test]
fn perpetual_check_is_not_a_way_out() {
    // Black is lost but for checks from a rook that cannot be taken: repeating them loses too, so no draw is seen.
    let sfen = "4k1/6/R5/6/1+r4/K5 b 2b2g2s 1";
    let found = search(sfen, &depth(8), &Settings::default());
    assert!(found.outcome.score < -500, "{}", found.outcome.score);
}

#[test]
fn rules_that_end_the_game_are_seen_in_the_tree() {
    let with = |impasse_rule, impasse_plies| Settings { impasse_rule, impasse_plies, ..Settings::default() };
    for (story, sfen, settings, expected) in [
        ("a try in one", "6/4K1/6/6/6/1k4 b - 1", with(ImpasseRule::Try, 24), RULE_WIN - 1),
        (
            "points at once, 18 to 10",
            "6/4K1/6/6/6/2+r+bk1 b RB2G2S2N2P 1",
            with(ImpasseRule::Points12, 0),
            RULE_WIN - 1,
        ),
        ("a declaration next time", "1K4/GG4/S5/6/6/5k b 2RBN 1", with(ImpasseRule::Declaration, 24), RULE_WIN - 2),
    ] {
        let found = search(sfen, &depth(4), &settings);
        let mated = matches!(Score::from(found.outcome.score), Score::Mate(plies) if plies > 0);
        assert!(mated || found.outcome.score >= expected - 3, "{story}: {}", found.outcome.score);
    }
}

#[test]
fn a_draw_is_worth_what_the_user_says() {
    // The next move is the last before the game is drawn by `max_moves_to_draw`.
    for value in [-150, 0, 90] {
        let settings = Settings { max_moves_to_draw: 1, draw_value: [value, 7], ..Settings::default() };
        let found = search(judkins::shogi::START_SFEN, &depth(3), &settings);
        assert_eq!(found.outcome.score, value);
    }
}

#[test]
fn time_is_kept() {
    let limits = Limits { movetime: Some(Duration::from_millis(100)), ..Limits::default() };
    let start = Instant::now();
    search(judkins::shogi::START_SFEN, &limits, &Settings::default());
    let elapsed = start.elapsed();
    // Wide: the machine may be busy.
    assert!(elapsed >= Duration::from_millis(80) && elapsed < Duration::from_secs(5), "{elapsed:?}");
}

#[test]
fn several_threads_find_what_one_finds_and_end_together() {
    let pool = Pool::new(4, 16).unwrap();
    let root = Root::new("2k3/6/1P4/6/6/K5 b 2GS 1".parse::<Position>().unwrap());
    let found = search_in(&pool, &root, &depth(12), &Settings::default());
    assert_eq!(Score::from(found.outcome.score), Score::Mate(3));
}

#[test]
fn every_mate_that_is_announced_is_played_out_by_its_line() {
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(7);
    let mut pool = Pool::new(1, 16).unwrap();
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let (mut mates, mut longest) = (0, 0);
    while mates < 40 {
        let mut game = Game::new(Position::startpos());
        for _ in 0..rng.random_range(20..60) {
            if game.result().is_none() {
                let mv = *game.position().legal_moves().choose(&mut rng).unwrap();
                game.play(mv).unwrap();
            }
        }
        if game.result().is_some() {
            continue;
        }
        pool.clear();
        let position = game.position().clone();
        let found = search_in(&pool, &Root::new(position.clone()), &limits, &Settings::default());
        let Score::Mate(plies) = Score::from(found.outcome.score) else { continue };
        let report = found.reports.last().unwrap();
        // A search that is stopped after a fail high has a bound, and no whole line.
        if report.bound != Bound::Exact {
            continue;
        }
        let line = &report.pv;
        let mut replay = Game::new(position.clone());
        line.iter().for_each(|&mv| replay.play(mv).unwrap());
        assert_eq!(line.len(), plies.unsigned_abs() as usize, "{position}");
        let winner = if plies > 0 { position.side_to_move() } else { !position.side_to_move() };
        let result = replay.result().expect("the game is over").to_string();
        // Without a legal move a player has lost as well.
        let ends = ["checkmate", "no legal move"].map(|end| format!("{winner} wins: {end}"));
        assert!(ends.contains(&result), "{result}: {position}");
        (mates, longest) = (mates + 1, longest.max(plies.abs()));
    }
    assert!(longest >= 7, "the longest is {longest}");
}

/// A regression: a search stopped right after a fail high had no score for its best move, and reported a mate in one.
#[test]
fn a_search_stopped_anywhere_has_a_score_for_its_best_move() {
    let mut pool = Pool::new(1, 16).unwrap();
    let position: Position = "5k/r3g1/2+B2g/PR+n1N1/3S1p/K2b2 b s 43".parse().unwrap();
    for nodes in (500..25_000).step_by(250) {
        pool.clear();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let found = search_in(&pool, &Root::new(position.clone()), &limits, &Settings::default());
        let (best, report) = (found.outcome.best.unwrap(), found.reports.last().unwrap());
        assert_eq!((report.pv[0], report.score), (best, found.outcome.score.into()), "after {nodes} nodes");
    }
}

/// Two searches at once used to answer with each other's moves.
#[test]
fn searches_of_a_pool_wait_for_each_other() {
    let pool = Pool::new(2, 4).unwrap();
    std::thread::scope(|scope| {
        for sfen in ["rbnsgk/5p/6/6/P5/KGSNBR b - 1", "4k1/6/4G1/6/6/K5 b G 1"] {
            let pool = &pool;
            scope.spawn(move || {
                let root = Root::new(sfen.parse().unwrap());
                for _ in 0..100 {
                    let found = search_in(pool, &root, &depth(3), &Settings::default());
                    assert!(found.outcome.best.is_some_and(|mv| root.position.is_legal(mv)), "{sfen}");
                }
            });
        }
    });
}

/// The other threads used to search on for ever.
#[test]
fn a_report_that_panics_ends_the_search() {
    let pool = Pool::new(2, 4).unwrap();
    let root = Root::new(Position::startpos());
    let limits = Limits { movetime: Some(Duration::from_secs(600)), ..Limits::default() };
    let searched = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let panics = &mut |_: Report| panic!("the report");
        pool.search(&root, &limits, &Settings::default(), None, &AtomicBool::new(false), panics)
    }));
    assert!(searched.is_err());
    assert!(search_in(&pool, &root, &depth(3), &Settings::default()).outcome.best.is_some(), "it searches again");
}

/// A negative share of no limit is used up at once.
#[test]
fn parameters_of_the_clock_do_not_end_a_search_without_one() {
    for (parameter, value) in [("TimeEffortScale", 250), ("TimeFallScale", 50)] {
        let mut settings = Settings::default();
        for (name, value) in [("TimeEffortBase", 100), ("TimeRise", 200), (parameter, value)] {
            assert!(settings.params.set(name, value));
        }
        for sfen in ["rbnsgk/5p/6/6/P5/KGSNBR b - 1", "4k1/6/6/6/6/K1R3 b - 1"] {
            let limits = Limits { movetime: Some(Duration::from_secs(600)), ..depth(9) };
            assert_eq!(search(sfen, &limits, &settings).outcome.depth, 9, "{parameter} {value}");
        }
    }
}

#[test]
fn a_forced_move_is_played_at_the_ponder_hit() {
    // The king can only take.
    let root = Root::new("2nsgk/5p/6/6/+r5/K1SNBR b B 1".parse().unwrap());
    assert_eq!(root.position.legal_moves().len(), 1);
    let clocks = Clocks { time: [Duration::from_secs(600); 2], ..Clocks::default() };
    let limits = Limits { ponder: true, clocks: Some(clocks), ..Limits::default() };
    let clock = SearchClock::new(&limits, &Settings::default(), root.position.side_to_move());
    let pool = Pool::new(1, 16).unwrap();
    let deepest = AtomicUsize::new(0);
    let (tell, told) = mpsc::channel();
    let report = &mut |report: Report| {
        deepest.store(report.depth, Ordering::Relaxed);
        // The receiver is gone after the hit.
        let _ = tell.send(report.depth);
    };
    let (outcome, at_hit) = std::thread::scope(|scope| {
        let (clock, deepest) = (&clock, &deepest);
        let hit = scope.spawn(move || {
            while told.recv().unwrap() < 13 {}
            // Into the next iteration, which takes much longer.
            std::thread::sleep(Duration::from_millis(5));
            let depth = deepest.load(Ordering::Relaxed);
            clock.ponderhit(None);
            depth
        });
        let outcome = pool.search(&root, &limits, &Settings::default(), Some(clock), &AtomicBool::new(false), report);
        (outcome, hit.join().unwrap())
    });
    assert_eq!(outcome.depth, at_hit, "no further iteration is completed");
}

#[test]
fn clocks_beyond_all_measure_are_time_enough() {
    let pool = Pool::new(1, 4).unwrap();
    let root = Root::new(Position::startpos());
    for byoyomi in [Duration::ZERO, Duration::MAX] {
        let long = [Duration::MAX; 2];
        let clocks = Clocks { time: long, increment: long, byoyomi, moves_to_go: None };
        let limits = Limits { clocks: Some(clocks), depth: Some(3), ..Limits::default() };
        let settings = Settings { slow_mover: u32::MAX, ..Settings::default() };
        assert!(search_in(&pool, &root, &limits, &settings).outcome.best.is_some());
    }
}
