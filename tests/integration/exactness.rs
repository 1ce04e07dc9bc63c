//! With pruning switched off by its parameters, the search equals a plain minimax that is written independently.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

use judkins::eval::Evaluation;
use judkins::search::params::Params;
use judkins::search::score::{EVALUATION_BOUND, INFINITE, mated_in, rule_win_in};
use judkins::search::see::exchange_value;
use judkins::search::{Limits, Pool, Root, Settings};
use judkins::shogi::{DEFAULT_IMPASSE_PLIES, GameHistory, ImpasseRule, Position, Repetition};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The values at which no pruning, reduction or extension happens.
const OFF: &[(&str, i32)] = &[
    ("TableDepth", 127),
    ("RfpDepth", 0),
    ("NullDepth", 127),
    ("ProbCutDepth", 127),
    ("IirDepth", 127),
    ("SingularDepth", 127),
    ("CheckDepth", 127),
    ("LmrDepth", 127),
    ("LmpDepth", 0),
    ("FutilityDepth", 0),
    ("SeeDepth", 0),
    ("DeltaMargin", 30_000),
    ("QuiescenceLoss", 30_000),
    ("QuiescenceEvasions", 1_000),
];

/// The score where the rules have ended the game.
fn ended(position: &Position, history: &GameHistory, root: usize, ply: usize) -> Option<i32> {
    let us = position.side_to_move();
    match history.repetition(root) {
        Some(Repetition::Draw) => return Some(0),
        Some(Repetition::Win) => return Some(rule_win_in(ply)),
        Some(Repetition::Loss) => return Some(-rule_win_in(ply)),
        None => {}
    }
    let impasse = ImpasseRule::Points12.decision(position, history, DEFAULT_IMPASSE_PLIES)?;
    Some(match impasse.winner(us) {
        Some(winner) if winner == us => rule_win_in(ply),
        Some(_) => -rule_win_in(ply),
        None => 0,
    })
}

/// Minimax without any cut-off: every move, to the depth, and then [`quiet`].
fn minimax(
    evaluation: &Evaluation,
    position: &Position,
    history: &mut GameHistory,
    root: usize,
    depth: usize,
    ply: usize,
) -> i32 {
    if depth == 0 {
        return quiet(evaluation, position, history, root, ply, -INFINITE, INFINITE);
    }
    if let Some(score) = ended(position, history, root, ply).filter(|_| ply > 0) {
        return score;
    }
    let scores = position.legal_moves().into_iter().map(|mv| {
        let after = position.after(mv);
        history.push(position, mv, &after);
        let score = -minimax(evaluation, &after, history, root, depth - 1, ply + 1);
        history.pop();
        score
    });
    scores.max().unwrap_or(mated_in(ply))
}

/// The evaluation or what captures and promotions make of it, whichever is best; in check every move is tried. Here the
/// depth has no limit, so alpha-beta is needed; it changes no score.
fn quiet(
    evaluation: &Evaluation,
    position: &Position,
    history: &mut GameHistory,
    root: usize,
    ply: usize,
    mut alpha: i32,
    beta: i32,
) -> i32 {
    if let Some(score) = ended(position, history, root, ply) {
        return score;
    }
    let mut best = if position.in_check() {
        mated_in(ply)
    } else {
        evaluation.evaluate(position, ImpasseRule::Points12).clamp(-EVALUATION_BOUND, EVALUATION_BOUND)
    };
    let mut moves = position.legal_moves();
    moves.retain(|mv| position.in_check() || position.is_capture(*mv) || mv.promotes());
    moves.sort_by_key(|mv| Reverse(position.piece_at(mv.to()).map_or(0, |piece| exchange_value(piece.kind()))));
    for mv in moves {
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
        let after = position.after(mv);
        history.push(position, mv, &after);
        best = best.max(-quiet(evaluation, &after, history, root, ply + 1, -beta, -alpha));
        history.pop();
    }
    best
}

/// A position of a random game, with no more moves than plain minimax can get through.
fn some_position(rng: &mut impl Rng) -> Position {
    loop {
        let mut position = Position::startpos();
        for _ in 0..rng.random_range(4..40) {
            let Some(&mv) = position.legal_moves().choose(rng) else { break };
            position.play(mv);
        }
        if position.has_legal_move() && position.count_legal_moves() < 40 {
            return position;
        }
    }
}

#[test]
fn the_search_without_pruning_is_minimax() {
    let mut params = Params::default();
    for &(name, value) in OFF {
        assert!(params.set(name, value), "{name}");
    }
    for evaluation in [Evaluation::default(), Evaluation::Handwritten] {
        compare_with_minimax(&evaluation, &params);
    }
}

fn compare_with_minimax(evaluation: &Evaluation, params: &Params) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(36);
    let pool = Pool::new(1, 1).unwrap();
    let settings = Settings { evaluation: evaluation.clone(), params: params.clone(), ..Settings::default() };
    let mut mates = 0;
    for number in 0..100 {
        let position = some_position(&mut rng);
        let depth = 1 + number % 2;
        let root = Root::new(position.clone());
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let outcome = pool.search(&root, &limits, &settings, None, &AtomicBool::new(false), &mut |_| {});
        let mut history = root.history.clone();
        let root_index = history.len() - 1;
        let expected = minimax(evaluation, &position, &mut history, root_index, depth, 0);
        assert_eq!(outcome.score, expected, "depth {depth}: {position}");
        mates += usize::from(expected.abs() > EVALUATION_BOUND);
    }
    assert!((3..75).contains(&mates), "{mates} of the positions are decided");
}
