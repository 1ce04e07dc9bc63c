//! Writes the `go` command for UCI engines, with the clocks of Black and White exchanged.

use std::fmt::Write;

use crate::protocol::usi::Go;

/// Writes a `go`. UCI's White is the Black of [`Go`]. Omits byoyomi, which UCI lacks.
pub fn go_text(go: &Go) -> String {
    let mut text = String::from("go");
    let times = [("wtime", go.btime), ("btime", go.wtime), ("winc", go.binc), ("binc", go.winc)];
    for (name, time) in times.into_iter().chain([("movetime", go.movetime)]) {
        if let Some(time) = time {
            let _ = write!(text, " {name} {}", time.as_millis());
        }
    }
    let moves = go.movestogo.map(|moves| format!(" movestogo {moves}"));
    let depth = go.depth.map(|depth| format!(" depth {depth}"));
    let nodes = go.nodes.map(|nodes| format!(" nodes {nodes}"));
    text + &moves.unwrap_or_default() + &depth.unwrap_or_default() + &nodes.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_first_player_is_white_on_the_clock() {
        let ms = |millis| Some(Duration::from_millis(millis));
        let go = Go { btime: ms(1000), wtime: ms(2000), binc: ms(10), winc: ms(20), ..Go::default() };
        assert_eq!(go_text(&go), "go wtime 1000 btime 2000 winc 10 binc 20");
        assert_eq!(go_text(&Go { nodes: Some(5), depth: Some(3), ..Go::default() }), "go depth 3 nodes 5");
        assert_eq!(go_text(&Go { wtime: ms(9), movestogo: Some(3), ..Go::default() }), "go btime 9 movestogo 3");
        assert_eq!(go_text(&Go { movetime: ms(7), ..Go::default() }), "go movetime 7");
    }
}
