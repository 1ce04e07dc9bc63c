//! Seeded random variation of node limits, for `judkins match --node-jitter`.

use rand::RngExt;

use crate::random::numbered_rng;
use serde::{Deserialize, Serialize};

/// Varies the node limit from pair to pair, so that games from the same opening differ: engines with one thread and a
/// fixed node limit would repeat them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeJitter {
    /// The greatest change of the limit, in percent.
    pub percent: u32,
    pub seed: u64,
}

impl NodeJitter {
    /// The node limit in a pair of games. It depends only on the seed and the number of the pair, so that a resumed
    /// match is the same.
    pub fn nodes(self, nodes: u64, pair: usize) -> u64 {
        let mut rng = numbered_rng(self.seed, pair as u64);
        let change = rng.random_range(-1.0..=1.0) * f64::from(self.percent) / 100.0;
        ((nodes as f64 * (1.0 + change)).round() as u64).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_spread_evenly_and_depend_on_seed_and_pair_only() {
        let limits = |seed| (0..1_000).map(|pair| NodeJitter { percent: 10, seed }.nodes(60_000, pair)).collect();
        let (one, again, other): (Vec<u64>, Vec<u64>, Vec<u64>) = (limits(1), limits(1), limits(2));
        assert!(one == again && one != other);
        assert!(one.iter().all(|limit| (54_000..=66_000).contains(limit)));
        let mean = one.iter().sum::<u64>() / 1_000;
        assert!((59_500..=60_500).contains(&mean), "{mean}");
        assert!(one.iter().filter(|limit| **limit < 57_000).count() > 200);
        assert_eq!(NodeJitter { percent: 50, seed: 1 }.nodes(1, 0), 1);
    }
}
