//! Converts the protocols' commands to search limits, and the engine's events to responses.

use std::time::Duration;

use crate::engine::{Event, Verdict};
use crate::mate::Progress;
use crate::protocol::usi::{BestMove, Checkmate, Go, Info, MateInfo, Response};
use crate::search::{Clocks, Limits, Report};

/// The limits in a `go`.
pub(super) fn limits(go: Go) -> Limits {
    // A mate in N moves takes 2N - 1 plies: a search one ply deeper finds it.
    let mate = go.mate.map(|moves| moves.saturating_mul(2));
    Limits {
        ponder: go.ponder,
        infinite: go.infinite,
        clocks: clocks(&go),
        movetime: go.movetime,
        depth: go.depth.into_iter().chain(mate).min().map(|depth| depth as usize),
        nodes: go.nodes,
        soft_nodes: None,
        searchmoves: go.searchmoves,
    }
}

/// The clocks in a `go` or `ponderhit`; none if it has no times. Missing times count as zero.
pub(super) fn clocks(go: &Go) -> Option<Clocks> {
    let times = [go.btime, go.wtime, go.binc, go.winc, go.byoyomi];
    let [black, white, black_increment, white_increment, byoyomi] = times.map(Option::unwrap_or_default);
    times.iter().any(Option::is_some).then_some(Clocks {
        time: [black, white],
        increment: [black_increment, white_increment],
        byoyomi,
        moves_to_go: go.movestogo,
    })
}

pub(super) fn response(event: Event) -> Response {
    match event {
        Event::Info(report) => Response::Info(info(report)),
        Event::MateSearch(progress) => Response::MateInfo(mate_info(&progress)),
        Event::Error(text) => Response::InfoString(format!("error: {text}")),
        Event::Done(Verdict::Move { best, ponder }) => Response::BestMove(BestMove::Move { best, ponder }),
        Event::Done(Verdict::Resign) => Response::BestMove(BestMove::Resign),
        Event::Done(Verdict::Win) => Response::BestMove(BestMove::Win),
        Event::Done(Verdict::Mate(line)) => Response::Checkmate(Checkmate::Mate(line)),
        Event::Done(Verdict::NoMate) => Response::Checkmate(Checkmate::NoMate),
        Event::Done(Verdict::MateUnknown) => Response::Checkmate(Checkmate::Timeout),
    }
}

fn info(report: Report) -> Info {
    Info {
        depth: report.depth,
        seldepth: report.seldepth,
        multipv: report.multipv,
        score: report.score,
        bound: report.bound,
        nodes: report.nodes,
        nps: nps(report.nodes, report.time),
        hashfull: report.hashfull,
        time: millis(report.time),
        pv: report.pv,
    }
}

fn mate_info(progress: &Progress) -> MateInfo {
    let Progress { nodes, time, proof, disproof, hashfull, mate } = *progress;
    MateInfo {
        nodes,
        nps: nps(nodes, time),
        hashfull,
        time: millis(time),
        text: match mate {
            Some(plies) => format!("mate in {plies}"),
            None if disproof == 0 => "no mate".to_owned(),
            None => format!("proof number {proof} disproof number {disproof}"),
        },
    }
}

/// Nodes a second.
fn nps(nodes: u64, time: Duration) -> u64 {
    u64::try_from(u128::from(nodes) * 1_000_000 / time.as_micros().max(1)).unwrap_or(u64::MAX)
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_clocks_are_zero_unless_all_are_unknown() {
        let second = Duration::from_secs(1);
        assert_eq!(clocks(&Go { movestogo: Some(5), ..Go::default() }), None);
        let expected = Clocks { time: [Duration::ZERO, second], ..Clocks::default() };
        assert_eq!(clocks(&Go { wtime: Some(second), ..Go::default() }), Some(expected));
    }

    #[test]
    fn newer_clocks_replace_only_what_they_name() {
        let [one, two] = [1, 2].map(|seconds| Some(Duration::from_secs(seconds)));
        let old = Go { btime: one, wtime: one, byoyomi: one, ..Go::default() };
        let expected = Go { btime: two, movestogo: Some(3), ..old.clone() };
        assert_eq!(old.updated(&Go { btime: two, movestogo: Some(3), ..Go::default() }), expected);
    }
}
