//! The view of a series of games between two engines: score, Elo estimate and likelihood of superiority.

use serde::Serialize;

/// How a series of games stands, from the side of the first engine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeriesView {
    pub names: [String; 2],
    /// How many games it has.
    pub games: usize,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// The Elo difference with its error, as a match shows it: none before the first pair.
    pub estimate: Option<String>,
    /// The likelihood that the first is the stronger.
    pub los: Option<f64>,
    pub running: bool,
    /// Its games in the library.
    pub kept: Vec<u64>,
}
