//! The candidate moves of a book position, and a seeded random choice weighted by their scores and numbers of games.

use crate::shogi::Move;
use crate::shogi::zobrist::scatter;

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The expected reply, if the book names one. It may be illegal.
    pub reply: Option<Move>,
    /// The score in centipawns for the player who moves, if the book has one.
    pub score: Option<i32>,
    /// The depth of the search behind the score, in plies, if the book has it.
    pub depth: Option<u32>,
    /// The number of times it was played; 1 if the book does not say.
    pub count: u64,
}

/// The parameters for choosing a book move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The margin in centipawns below the best move. 0: the first choice of the book is played.
    pub margin: i32,
    /// The seed of the choice. The same seed yields the same choice.
    pub seed: u64,
}

/// The cap of weights, so that sums and products do not overflow.
const MOST_WEIGHT: u128 = 1 << 48;

/// Chooses one of the moves of a position; the first choice comes first.
///
/// Candidates are the first choice and every move whose score is within the margin of the best score. A move at the
/// margin has weight 1, and each centipawn above it adds 1, up to the margin + 1 for the best. The weight is multiplied
/// by the number of times the move was played. A first choice without a score weighs as much as the best move. The
/// probability of a move is its share of all weights.
pub fn choose(moves: &[BookMove], choice: Choice) -> Option<BookMove> {
    let first = moves.first()?;
    let best = moves.iter().filter_map(|mv| mv.score).max();
    let weight = |(index, mv): (usize, &BookMove)| {
        let drop = match (best, mv.score) {
            (Some(best), Some(score)) => best.saturating_sub(score),
            _ if index == 0 => 0,
            _ => return 0,
        };
        let weight = match choice.margin.saturating_sub(drop) {
            left @ 0.. => left as u128 + 1,
            _ => u128::from(index == 0),
        };
        (weight * u128::from(mv.count)).min(MOST_WEIGHT)
    };
    let weights: Vec<u128> = moves.iter().enumerate().map(weight).collect();
    let total: u128 = weights.iter().sum();
    if choice.margin <= 0 || total == 0 {
        return Some(*first);
    }
    let mut place = (u128::from(scatter(choice.seed)) * total) >> 64;
    for (mv, weight) in moves.iter().zip(weights) {
        if place < weight {
            return Some(*mv);
        }
        place -= weight;
    }
    unreachable!("the place lies below the sum of the weights")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(moves: &[(&str, Option<i32>, u64)]) -> Vec<BookMove> {
        let book_move = |&(mv, score, count): &(&str, Option<i32>, u64)| BookMove {
            mv: mv.parse().unwrap(),
            reply: None,
            score,
            depth: None,
            count,
        };
        moves.iter().map(book_move).collect()
    }

    /// The number of times that 3,000 seeds choose each move.
    fn chosen(moves: &[BookMove], margin: i32) -> Vec<usize> {
        let mut counts = vec![0; moves.len()];
        for seed in 0..3_000 {
            let chosen = choose(moves, Choice { margin, seed }).unwrap();
            counts[moves.iter().position(|mv| mv.mv == chosen.mv).unwrap()] += 1;
        }
        counts
    }

    #[test]
    fn the_better_a_move_within_the_margin_the_likelier_it_is() {
        let moves =
            moves(&[("6e6d", Some(40), 1), ("5f5e", Some(31), 1), ("4f4e", Some(20), 1), ("2f3e", Some(19), 1)]);
        assert_eq!(chosen(&moves, 0), [3_000, 0, 0, 0]);
        let counts = chosen(&moves, 20);
        // Weights 21, 12, 1, and none below the margin.
        let expected = [1_853, 1_059, 88, 0];
        assert!(counts.iter().zip(expected).all(|(&count, expected)| count.abs_diff(expected) < 80), "{counts:?}");
        assert_eq!(choose(&[], Choice { margin: 20, seed: 1 }), None);
    }

    #[test]
    fn a_book_without_scores_has_its_first_choice_played() {
        assert_eq!(chosen(&moves(&[("6e6d", None, 5), ("5f5e", None, 4)]), 50), [3_000, 0]);
        let mixed = moves(&[("6e6d", None, 2), ("5f5e", Some(10), 1), ("4f4e", Some(-90), 1)]);
        let counts = chosen(&mixed, 50);
        assert!(counts[0].abs_diff(2_000) < 100 && counts[2] == 0, "{counts:?}");
        // The most-played move is the first choice, even if it is worse.
        assert!(chosen(&moves(&[("6e6d", Some(-200), 9), ("5f5e", Some(0), 1)]), 20)[0] > 500);
    }

    #[test]
    fn no_number_in_a_book_is_too_great() {
        let wild =
            moves(&[("6e6d", Some(i32::MAX), u64::MAX), ("5f5e", Some(i32::MIN), u64::MAX), ("4f4e", Some(0), 0)]);
        assert!(choose(&wild, Choice { margin: i32::MAX, seed: 5 }).is_some());
    }
}
