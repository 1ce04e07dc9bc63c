//! Commands of the protocols as requests to the engine, and events of the engine as responses.

use crate::engine::{Event, GameClocks, MateRequest, SearchRequest, Verdict};
use crate::mate::Progress;
use crate::protocol::usi::{Answer, Checkmate, Go, Info, MateInfo, MateLimit, Response};
use crate::search::Report;

/// `go`, as a request.
pub(super) fn search_request(go: Go) -> SearchRequest {
    // A mate in N moves takes 2N - 1 plies: a search one ply deeper finds it.
    let mate = go.mate.map(|moves| moves.saturating_mul(2));
    SearchRequest {
        ponder: go.ponder,
        infinite: go.infinite,
        clocks: clocks(&go),
        movetime: go.movetime,
        depth: go.depth.into_iter().chain(mate).min().map(|depth| depth as usize),
        nodes: go.nodes,
        searchmoves: go.searchmoves,
    }
}

/// The clocks that `go` or `ponderhit` names.
pub(super) fn clocks(go: &Go) -> GameClocks {
    GameClocks {
        time: [go.btime, go.wtime],
        increment: [go.binc, go.winc],
        byoyomi: go.byoyomi,
        moves_to_go: go.movestogo,
    }
}

/// `go mate`, as a request.
pub(super) fn mate_request(limit: MateLimit) -> MateRequest {
    match limit {
        MateLimit::Time(time) => MateRequest::Time(time),
        MateLimit::Infinite => MateRequest::Infinite,
    }
}

/// An event of a search, as a response.
pub(super) fn response(event: Event) -> Response {
    match event {
        Event::Info(report) => Response::Info(info(report)),
        Event::MateSearch(progress) => Response::MateInfo(mate_info(&progress)),
        Event::Error(text) => Response::InfoString(format!("error: {text}")),
        Event::Done(Verdict::Move { best, ponder }) => Response::BestMove(Answer::Move { best, ponder }),
        Event::Done(Verdict::Resign) => Response::BestMove(Answer::Resign),
        Event::Done(Verdict::Win) => Response::BestMove(Answer::Win),
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
        nps: report.nps(),
        hashfull: report.hashfull,
        time: u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
        pv: report.pv,
    }
}

fn mate_info(progress: &Progress) -> MateInfo {
    let Progress { nodes, proof, disproof, hashfull, mate, .. } = *progress;
    let micros = progress.time.as_micros().max(1);
    MateInfo {
        nodes,
        nps: u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(u64::MAX),
        hashfull,
        time: u64::try_from(progress.time.as_millis()).unwrap_or(u64::MAX),
        text: match mate {
            Some(plies) => format!("mate in {plies}"),
            None if disproof == 0 => "no mate".to_owned(),
            None => format!("proof number {proof} disproof number {disproof}"),
        },
    }
}
