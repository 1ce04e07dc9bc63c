//! Scores of positions in search, protocols and records.

use std::fmt;
use std::ops::Neg;

/// The score of a position, from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Centipawns. The engine states a win by the rules without a mate, as by points, as almost 30,000.
    Centipawns(i32),
    /// A forced mate in this many plies by the side to move; negative if it is mated, 0 if it is mated now.
    Mate(i32),
}

/// The score from the other player's point of view.
impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        match self {
            Score::Centipawns(score) => Score::Centipawns(score.saturating_neg()),
            Score::Mate(plies) => Score::Mate(plies.saturating_neg()),
        }
    }
}

/// The logistic function: a probability from 0 to 1, given the logarithm of its odds.
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Whether a score is exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this one: every move failed low.
    Upper = 1,
    /// The true score is at least this one: a move failed high.
    Lower = 2,
    /// The true score.
    Exact = 3,
}

impl fmt::Display for Score {
    /// In readable form: `+1.25`, `mate in 5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Score::Centipawns(score) => write!(f, "{:+.2}", f64::from(score) / 100.0),
            Score::Mate(plies) if plies > 0 => write!(f, "mate in {plies}"),
            Score::Mate(plies) => write!(f, "mated in {}", plies.unsigned_abs()),
        }
    }
}

#[cfg(feature = "serde")]
mod serialization {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use super::Score;

    /// A number of centipawns, or the text `mate N`.
    impl Serialize for Score {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match *self {
                Score::Centipawns(score) => serializer.serialize_i32(score),
                Score::Mate(plies) => serializer.collect_str(&format_args!("mate {plies}")),
            }
        }
    }

    impl<'de> Deserialize<'de> for Score {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Score, D::Error> {
            #[derive(Deserialize)]
            #[serde(untagged)]
            enum Written {
                Centipawns(i32),
                Mate(String),
            }
            match Written::deserialize(deserializer)? {
                Written::Centipawns(score) => Ok(Score::Centipawns(score)),
                Written::Mate(text) => {
                    let plies = text.strip_prefix("mate ").and_then(|plies| plies.parse().ok());
                    plies.map(Score::Mate).ok_or_else(|| {
                        de::Error::custom(format!("'{text}' is not a score: write centipawns or `mate N`"))
                    })
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_pawns_and_mates() {
        for (score, text) in [
            (Score::Centipawns(-125), "-1.25"),
            (Score::Mate(5), "mate in 5"),
            (Score::Mate(-4), "mated in 4"),
            (Score::Mate(0), "mated in 0"),
            (Score::Mate(i32::MIN), "mated in 2147483648"),
        ] {
            assert_eq!(score.to_string(), text);
        }
    }

    #[test]
    #[cfg(feature = "serde")]
    fn records_hold_centipawns_as_a_number_and_mates_as_text() {
        for (score, json) in [(Score::Centipawns(-125), "-125"), (Score::Mate(-4), "\"mate -4\"")] {
            assert_eq!(serde_json::to_string(&score).unwrap(), json);
            assert_eq!(serde_json::from_str::<Score>(json).unwrap(), score);
        }
        assert!(serde_json::from_str::<Score>("\"soon\"").is_err());
    }
}
