//! The move generator against known counts.
//!
//! `data/perft.epd` holds a position a line: SFEN, then `D<depth> <count>` fields. The counts come from a plain, slow
//! generator that was written apart from this project. The start position's depth 6 is one less than Fairy-Stockfish
//! says: it counts `5f4e 6a6e 6f5f 6e4e+ 5f6f P*6e`, a mate by a dropped pawn.

use judkins::shogi::{Move, Position, perft, perft_divide};

#[test]
fn all_counts_are_exact() {
    let lines: Vec<&str> = include_str!("../data/perft.epd").lines().collect();
    assert_eq!(lines.len(), 70);
    for line in lines {
        let (sfen, counts) = line.split_once(';').expect(line);
        let position: Position = sfen.parse().expect(line);
        for field in counts.split(';') {
            let (depth, count) = field.trim().strip_prefix('D').and_then(|field| field.split_once(' ')).expect(field);
            let (depth, count): (u32, u64) = (depth.parse().expect(field), count.parse().expect(field));
            assert_eq!(perft(&position, depth), count, "{sfen} at depth {depth}");
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
