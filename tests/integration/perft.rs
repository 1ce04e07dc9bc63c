//! The move generator against known counts.
//!
//! `data/perft.epd` holds a position a line: SFEN, then `D<depth> <count>` fields. The counts come from a plain, slow
//! generator that was written apart from this project. The start position's depth 6 is one less than Fairy-Stockfish
//! says: it counts `5f4e 6a6e 6f5f 6e4e+ 5f6f P*6e`, a mate by a dropped pawn.

use judkins::shogi::{Move, Position, perft, perft_divide};

struct Case {
    sfen: String,
    /// Depth in plies and the number of leaves.
    counts: Vec<(u32, u64)>,
}

fn cases() -> Vec<Case> {
    let parse_field = |field: &str| {
        let (depth, count) = field.trim().strip_prefix('D').and_then(|field| field.split_once(' ')).expect(field);
        (depth.parse().expect(field), count.parse().expect(field))
    };
    include_str!("../data/perft.epd")
        .lines()
        .map(|line| {
            let mut fields = line.split(';');
            Case { sfen: fields.next().unwrap().to_owned(), counts: fields.map(parse_field).collect() }
        })
        .collect()
}

#[test]
fn all_counts_are_exact() {
    let cases = cases();
    assert_eq!(cases.len(), 70);
    for case in cases {
        let position: Position = case.sfen.parse().unwrap();
        for &(depth, count) in &case.counts {
            assert_eq!(perft(&position, depth), count, "{} at depth {depth}", case.sfen);
        }
    }
}

#[test]
fn divided_counts_add_up() {
    let start = Position::startpos();
    for depth in 0..=5 {
        let mut counts = Vec::new();
        assert!(perft_divide(&start, depth, &|| false, |mv, count| counts.push((mv, count))));
        assert!(counts.is_sorted_by_key(|(mv, _)| mv.to_string()));
        for &(mv, count) in &counts {
            assert_eq!(count, perft(&start.after(mv), depth - 1), "{mv} at depth {depth}");
        }
        let moves: Vec<Move> = counts.iter().map(|&(mv, _)| mv).collect();
        assert_eq!(moves.len(), if depth == 0 { 0 } else { start.legal_moves().len() });
        let whole = if depth == 0 { 0 } else { perft(&start, depth) };
        assert_eq!(counts.iter().map(|&(_, count)| count).sum::<u64>(), whole, "depth {depth}");
    }
    assert_eq!(perft(&start, 0), 1);
}

#[test]
fn a_stopped_count_says_so() {
    for depth in [1, 4, 5] {
        let told = perft_divide(&Position::startpos(), depth, &|| true, |_, _| panic!("nothing is counted"));
        assert!(!told);
    }
}
