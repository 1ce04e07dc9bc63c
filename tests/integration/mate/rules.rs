//! Mates and the rules of the game: pawn drops, repetition, impasse, and problems without a king.

use judkins::mate::{Cook, MateLimits, MateOutcome, Solution, Solver, Then};
use judkins::shogi::{Game, ImpasseRule, Move, Position, Stage};

use super::oracle::positions;
use super::{NEVER, assert_mates, moves, problem, solution, solve, solve_within};
use crate::common::every_check::mates_within;

#[test]
fn a_problem_may_lack_the_attackers_king() {
    let mut solver = Solver::new(1).unwrap();
    assert_eq!(solution(&mut solver, &problem("4k1/6/4G1/6/6/6 b G 1")).moves, moves("G*2b"));
    // For White it is the same with the board turned round.
    assert_eq!(solution(&mut solver, &problem("6/6/6/1g4/6/1K4 w g 1")).moves, moves("G*5e"));
    assert_eq!(solve(&mut solver, &problem("4k1/6/6/6/6/6 b G 1")), MateOutcome::NoMate);
}

#[test]
fn a_king_that_is_there_must_be_kept_safe() {
    let mut solver = Solver::new(1).unwrap();
    assert_eq!(solution(&mut solver, &problem("r4k/6/4GG/6/6/6 b - 1")).moves.len(), 1);
    // The rook checks, and no answer to that is a check.
    assert_eq!(solve(&mut solver, &problem("r4k/6/4GG/6/6/K5 b - 1")), MateOutcome::NoMate);
}

#[test]
fn a_pawn_drop_is_no_mate() {
    let mut solver = Solver::new(1).unwrap();
    assert_eq!(solve(&mut solver, &problem("5k/6/3NG1/6/6/K5 b P 1")), MateOutcome::NoMate);
    assert_eq!(solution(&mut solver, &problem("5k/6/3NG1/6/6/K5 b PG 1")).moves.len(), 1);
}

#[test]
fn checks_for_ever_are_no_mate() {
    // The rook checks from 6a and 6b in turn, and that is all it can do.
    assert_eq!(solve(&mut Solver::new(1).unwrap(), &problem("5k/R5/6/6/6/K5 b - 1")), MateOutcome::NoMate);
}

#[test]
fn a_mate_does_not_go_through_a_position_that_has_stood_three_times() {
    let back = |mv: Move| mv.from().map(|from| Move::board(mv.to(), from, false));
    let mut solver = Solver::new(1).unwrap();
    let mut tested = 0;
    for position in positions(1_500, 15) {
        let limits = MateLimits { nodes: Some(20_000), ..MateLimits::default() };
        let MateOutcome::Mate(first) = solve_within(&mut solver, &position, limits) else { continue };
        let [check, reply, ..] = first.moves[..] else { continue };
        // Both moves can be taken back: the position after the check comes about three times.
        let (Some(check_back), Some(reply_back)) = (back(check), back(reply)) else { continue };
        let mut game = Game::new(position.after(check));
        let round = [reply, check_back, reply_back, check];
        let legal = round.iter().chain(&round).chain(&round[..3]).all(|&mv| game.play(mv).is_ok());
        if !legal || *game.position() != position || game.result().is_some() {
            continue;
        }
        tested += 1;
        match solver.solve(game.position(), game.history(), limits, &NEVER, |_| {}) {
            MateOutcome::Mate(again) => {
                assert_ne!(again.moves[0], check, "{check} in {position} ends the game");
                assert_mates(&position, &again.moves);
            }
            MateOutcome::NoMate | MateOutcome::Unknown => {}
        }
        // Without that past it is the mate that it was.
        assert!(matches!(solve_within(&mut solver, &position, limits), MateOutcome::Mate(_)));
    }
    assert!(tested > 3, "{tested} positions");
}

#[test]
fn a_position_that_has_stood_three_times_is_in_the_way_of_no_other_mate() {
    let mut game = Game::new("5k/6/5P/6/6/K5 b G 1".parse().unwrap());
    for mv in "6f5f 1a2a 5f6f 2a1a 6f5f 1a2a 5f6f 2a1a".split(' ') {
        game.play(mv.parse().unwrap()).unwrap();
    }
    let mut solver = Solver::new(1).unwrap();
    let answer = solver.solve(game.position(), game.history(), MateLimits::default(), &NEVER, |_| {});
    assert!(
        matches!(&answer, MateOutcome::Mate(mate) if mate.moves == moves("G*1b") || mate.moves == moves("G*2b")),
        "{answer:?}"
    );
}

#[test]
fn points_may_end_the_game_before_the_mate() {
    // The kings are in the top two ranks, and Black is not in check after White's reply.
    let position: Position = "2k3/5K/1P4/6/6/6 b 2GS 1".parse().unwrap();
    let mut solver = Solver::new(1).unwrap();
    let plain = solve(&mut solver, &position);
    assert!(matches!(&plain, MateOutcome::Mate(solution) if solution.moves.len() > 1), "{plain:?}");
    let limits = MateLimits { impasse: Some((ImpasseRule::CuteChess, 0)), ..MateLimits::default() };
    assert_eq!(solve_within(&mut solver, &position, limits), MateOutcome::NoMate);
    // The game's own rule wants the kings to have passed each other.
    let limits = MateLimits { impasse: Some((ImpasseRule::Points12, 0)), ..MateLimits::default() };
    assert_eq!(solve_within(&mut solver, &position, limits), plain);
}

#[test]
fn no_mate_leads_through_a_position_in_which_points_are_counted() {
    // One king has run, the other may be driven into its zone: with no plies to wait the game ends there.
    let mut solver = Solver::new(8).unwrap();
    let (mut mates, mut others) = (0, 0);
    for sfen in [
        "6/K5/6/4k1/6/6 b 2R2G 1",
        "6/K5/6/2k3/6/6 b RB2G 1",
        "6/K5/6/4k1/2S3/6 b R2GN 1",
        "6/1K4/2G3/3k2/6/6 b RBGS 1",
        "6/1K4/6/3k1p/6/2R3 b 2BGS 1",
        "5k/1K4/5P/6/6/6 b G 1",
    ] {
        let position: Position = sfen.parse().unwrap();
        let limits = MateLimits { nodes: Some(300_000), ..MateLimits::default() };
        let plain = solve_within(&mut solver, &position, limits);
        let limits = MateLimits { impasse: Some((ImpasseRule::Points12, 0)), ..limits };
        let answer = solve_within(&mut solver, &position, limits);
        others += u32::from(answer != plain && ![&answer, &plain].contains(&&MateOutcome::Unknown));
        let MateOutcome::Mate(solution) = answer else { continue };
        mates += 1;
        let mut game = Game::new(position).with_impasse(ImpasseRule::Points12, 0);
        for &mv in &solution.moves {
            assert_eq!(game.result(), None, "{sfen}: over before {mv}");
            game.play(mv).unwrap();
        }
    }
    assert!(mates > 0 && others > 0, "{mates} mates, {others} changed by the rule");
}

#[test]
fn a_mate_within_an_even_number_is_one_within_a_ply_less() {
    let mut solver = Solver::new(1).unwrap();
    let position = problem("5k/3Gnp/R5/6/6/6 b p 1");
    let within = [0, 1, 2, 3, 4].map(|plies| solver.mate_within(&position, plies, MateLimits::default(), &NEVER));
    assert_eq!(within.map(|mate| mate.map(|(_, plies)| plies)), [None, None, None, Some(3), Some(3)]);
}

#[test]
fn the_whole_solution_has_a_reply_to_every_defence() {
    let mut solver = Solver::new(4).unwrap();
    let start = problem("2k3/r2s1p/1BpS1n/2G3/G3R1/K1b3 b n 33");
    let plies = solution(&mut solver, &start).moves.len();
    let tree = solver.tree(&start, plies, MateLimits::default(), &NEVER);
    assert!(tree.complete);
    let tree = tree.branches;
    // The position after each branch, from its parent: the last branch one less deep.
    let mut after: Vec<Position> = Vec::new();
    for (index, branch) in tree.iter().enumerate() {
        let parent = (0..index).rev().find(|&at| tree[at].depth + 1 == branch.depth);
        let mut position = parent.map_or_else(|| start.clone(), |parent| after[parent].clone());
        branch.defence.into_iter().chain([branch.reply]).for_each(|mv| position.try_play(mv).unwrap());
        assert!(position.in_check());
        assert_eq!(branch.then == Then::Mate, !position.has_legal_move(), "{position}");
        if let Then::AsIn(earlier) = branch.then {
            assert!(earlier < index && after[earlier] == position);
        }
        after.push(position);
    }
    for (index, branch) in tree.iter().enumerate().filter(|(_, branch)| branch.then == Then::Defences) {
        let mut answered: Vec<_> = tree[index + 1..]
            .iter()
            .take_while(|later| later.depth > branch.depth)
            .filter(|later| later.depth == branch.depth + 1)
            .map(|later| later.defence.unwrap().bits())
            .collect();
        let mut legal: Vec<_> = after[index].legal_moves().iter().map(|mv| mv.bits()).collect();
        answered.sort_unstable();
        legal.sort_unstable();
        assert_eq!(answered, legal);
    }
}

#[test]
fn rivals_are_the_other_moves_that_mate() {
    let mut solver = Solver::new(1).unwrap();
    for position in positions(60, 16) {
        let MateOutcome::Mate(found) = solve(&mut solver, &position) else { continue };
        let cooks = solver.cooks(&position, &found.moves[..1], MateLimits::default(), &NEVER).remove(0);
        for check in position.moves(Stage::Checks).into_iter().filter(|&check| check != found.moves[0]) {
            let after = position.after(check);
            let mates = after.legal_moves().iter().all(|&reply| mates_within(&after.after(reply), 3));
            let cook = cooks.iter().find(|cook| cook.mv == check);
            assert!(!mates || cook.is_some(), "{check} mates too in {position}");
            let plies = cook.map(|cook| cook.plies.expect("there was no limit"));
            assert!(mates || plies.is_none_or(|plies| plies > 5), "{check} does not mate in {plies:?} in {position}");
            assert!(after.has_legal_move() || plies == Some(1), "{check} mates in {plies:?} in {position}");
        }
    }
}

/// A limit of nodes is one for all of them together, and exact enough to tell from one for each.
#[test]
fn limits_hold_for_all_rivals_and_for_the_whole_tree() {
    let sfen = "2k3/r2s1p/1BpS1n/2G3/G3R1/K1b3 b n 33";
    let start = problem(sfen);
    let mut solver = Solver::new(16).unwrap();
    let solution = solution(&mut solver, &start).moves;
    let limited = |nodes| MateLimits { nodes: Some(nodes), ..MateLimits::default() };
    let all = solver.cooks(&start, &solution, MateLimits::default(), &NEVER);
    assert!(all.iter().flatten().all(|cook| cook.plies.is_some()), "without a limit nothing stays open");

    // A decision after one move is reported, however few nodes remain for the others.
    let none = Solver::new(16).unwrap().cooks(&start, &solution, limited(0), &NEVER);
    assert_eq!(none.len(), all.len());
    let open = none.iter().flatten().filter(|cook| cook.plies.is_none()).count();
    assert!(open > 0, "{none:?}");
    for (few, all) in none.iter().zip(&all) {
        let known = |cooks: &[Cook], mv| cooks.iter().any(|cook| cook.mv == mv);
        assert!(all.iter().all(|cook| known(few, cook.mv)), "what mates is not called disproven");
    }

    let tree = |nodes| Solver::new(16).unwrap().tree(&start, solution.len(), limited(nodes), &NEVER);
    let (whole, part) = (tree(u64::MAX), tree(3_000));
    assert!(whole.complete && !part.complete);
    assert!(part.branches.len() < whole.branches.len(), "{} branches", part.branches.len());
}

/// The length of a mate that is given as a line, in plies as players count it.
fn counted(sfen: &str, line: &str) -> usize {
    let position = problem(sfen);
    assert_mates(&position, &moves(line));
    let moves = moves(line);
    Solution { length: moves.len(), moves, shortest: false }.plies(&position)
}

#[test]
fn interpositions_that_only_delay_are_not_counted() {
    let mut solver = Solver::new(1).unwrap();
    // The rook mates from 6a; the pawn that White puts in the way is taken, and it is mate again.
    let position = problem("5k/3Gnp/R5/6/6/6 b p 1");
    let found = solution(&mut solver, &position);
    assert_eq!((found.moves.len(), found.plies(&position)), (3, 1), "{found:?}");
    // With nothing in hand there is nothing to put there.
    let position = problem("5k/3Gnp/R5/6/6/6 b - 1");
    let found = solution(&mut solver, &position);
    assert_eq!((found.moves.len(), found.plies(&position)), (1, 1), "{found:?}");
    // Two in a row are both for nothing.
    assert_eq!(counted("5k/3Gnp/R5/6/6/6 b bp 1", "6c6a B*3a 6a3a P*2a 3a2a"), 1);
    // Captures by another piece, and captures of a piece that was not dropped, count.
    assert_eq!(counted("5k/3Gnp/R5/6/6/6 b p 1", "6c6a P*2a 3b2a"), 3);
    assert_eq!(counted("5k/3Ggp/R5/6/6/6 b - 1", "6c6a 2b2a 6a2a"), 3);
}
