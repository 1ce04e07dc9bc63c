//! The bench: searches of fixed positions to a fixed depth, whose node count is the program's signature.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::eval::Evaluation;
use crate::search::{Limits, Pool, PoolError, Root, Settings};
use crate::shogi::Position;
use crate::work::is_set;

/// The positions: openings, middle games with full hands, attacks on either king, entering kings, and endgames.
pub const POSITIONS: &[&str] = &[
    "rbnsgk/5p/6/6/P5/KGSNBR b - 1",
    "r1nsgk/5p/6/6/P5/KGSNBR w - 1",
    "2nsgk/5p/6/6/P5/KGSNBR w - 1",
    "1bnsg1/4rk/6/6/K4P/1GSNB1 b Rp 1",
    "1bn2k/4s1/6/5p/G5/K1SNB1 b G2rp 1",
    "R1n1g1/2s1k1/6/1K2P1/5p/bGSN2 b Rb 1",
    "2n1k1/5g/+R1bs2/P5/1G2p+b/K1S+r2 b n 1",
    "3sgk/5p/3n2/4B1/r5/KGSN1R b bp 1",
    "r1ng2/b3sk/6/3P2/PS2RB/KG1N2 b - 1",
    "1b1sgk/5p/1n4/3p2/1S4/KG1NBR b R 1",
    "2nsgk/2b3/5p/6/K2B2/1GSN2 b Rrp 1",
    "G1ng1k/5r/2P1B+b/1S4/6/K2N1+p b RS 1",
    "1bns1k/1r2Pg/r5/6/P2S2/KG1NB1 b - 1",
    "3g1k/b1p2p/1n4/K5/5B/1GSN1R b Sr 1",
    "2n1b1/2b3/4k1/2K3/6/1G1N1P b SP2rgs 1",
    "2+S2k/4g1/4p1/2K3/5+s/3+r2 b Nr2bgnp 1",
    "1K4/2+P3/6/6/3+p2/4k1 b RBGSNrbgsn 1",
    "2nsg1/2r1pk/4ns/6/1G2P1/1K2B1 b rb 1",
    "5k/bpr1s1/4g1/1K4/1P+n3/G2N2 b rbs 1",
    "p5/3k2/2g2N/1P4/2S1GR/KB1N2 b BSr 1",
];

/// The depth of each search, in plies.
pub const DEPTH: usize = 10;

/// The result of the bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchResult {
    /// The nodes of all searches: the same on every machine.
    pub nodes: u64,
    /// The time of all searches, without clearing the table in between.
    pub time: Duration,
}

impl std::fmt::Display for BenchResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let nps = self.nodes as f64 / self.time.as_secs_f64().max(1e-9);
        write!(f, "{} nodes {nps:.0} nps", self.nodes)
    }
}

/// The table size for the signature, in MiB.
pub const HASH: usize = 16;

/// Searches every position with one thread and a table of this size in MiB. Calls `tell` with a line for each. Returns
/// none if `stop` was set.
///
/// # Errors
/// [`PoolError`] if the system lacks a thread or memory.
pub fn bench(
    evaluation: Evaluation,
    hash: usize,
    stop: &AtomicBool,
    mut tell: impl FnMut(String),
) -> Result<Option<BenchResult>, PoolError> {
    let mut pool = Pool::new(1, hash)?;
    let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
    let settings = Settings { evaluation, ..Settings::default() };
    let mut result = BenchResult { nodes: 0, time: Duration::ZERO };
    for (number, sfen) in (1..).zip(POSITIONS) {
        let position: Position = sfen.parse().expect("the bench's positions are valid: a test reads them");
        let start = Instant::now();
        let outcome = pool.search(&Root::new(position), &limits, &settings, None, stop, &mut |_| {});
        result.time += start.elapsed();
        result.nodes += outcome.nodes;
        if is_set(stop) {
            return Ok(None);
        }
        pool.clear();
        tell(format!("{number}/{}: {} nodes, {sfen}", POSITIONS.len(), outcome.nodes));
    }
    Ok(Some(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_valid_and_have_a_move() {
        for sfen in POSITIONS {
            assert!(sfen.parse::<Position>().unwrap().has_legal_move(), "{sfen}");
        }
    }
}
