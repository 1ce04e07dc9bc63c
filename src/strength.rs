//! Strength levels and their Elo.

/// The level of full strength; the weakest is 0.
pub const FULL_LEVEL: u32 = 20;

/// Levels and their Elo, from the round robin in `engine/strength.md`: 200,000 nodes a move; level 0 is 500 by
/// definition.
pub const ELO: [(f64, f64); 10] = [
    (0.0, 500.0),
    (3.0, 720.0),
    (5.0, 800.0),
    (8.0, 1_010.0),
    (10.0, 1_190.0),
    (13.0, 1_470.0),
    (15.0, 1_630.0),
    (17.0, 1_980.0),
    (19.0, 2_270.0),
    (20.0, 2_430.0),
];

/// The Elo of a level, rounded to tens: the games do not support more.
pub fn elo_of_level(level: u32) -> u32 {
    let level = f64::from(level.min(FULL_LEVEL));
    let above = ELO.iter().position(|&(point, _)| point > level).unwrap_or(ELO.len() - 1);
    let ((low, from), (high, to)) = (ELO[above - 1], ELO[above]);
    ((from + (to - from) * (level - low) / (high - low)) / 10.0).round() as u32 * 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_an_elo_above_the_one_before() {
        let elos: Vec<u32> = (0..=FULL_LEVEL).map(elo_of_level).collect();
        assert!(elos.is_sorted_by(|one, next| one < next), "{elos:?}");
        assert_eq!((elos[0], elos[8], elos[20]), (500, 1_010, 2_430));
    }
}
