//! The engine as a graphical program meets it: USI, UCI and CECP over pipes, good input and bad.
//!
//! Most tests are stories, in the steps that `driver` describes, which also checks every line of every session against
//! the protocol.

mod book;
mod cecp;
mod clock;
mod cost;
mod driver;
mod evaluation;
mod go;
mod handshake;
mod lines;
mod options;
mod order;
mod position;
mod rules;
mod skill;
mod uci;

use std::time::Duration;

use driver::{Line, Offer, PROMPT, Session, read_option};

/// A gold dropped on 1b mates.
const MATE_IN_1: &str = "sfen 5k/6/5P/6/6/K5 b G 1";
/// 5a3a is the only first move of a mate in three plies.
const MATE_IN_3: &str = "sfen 1+R1s1k/5p/2+bgp1/4B1/RK3+n/1GSN2 b - 29";
/// Whether there is a mate takes the solver half a minute.
const LONG_MATE: &str = "sfen 6/5p/1K+N3/6/2G2k/3r2 w BSNrbgsp 68";
/// Every move is followed by mate.
const MATED_IN_2: &str = "sfen Rgn3/brs3/g2n1p/2k+b2/P5/K5 b s 47";
const MATED: &str = "sfen 2B2k/4s1/1n1R1g/n4r/PKP3/1gS3 b b 29";
/// Not in check, and without a move.
const STUCK: &str = "sfen 5k/3G2/5P/6/6/K3R1 w - 1";
/// A bare king against everything.
const LOST: &str = "sfen 2k3/6/6/6/6/K5 b 2r2b2g2s 1";
/// Black may declare: 17 points, 3 pieces and the king in the zone.
const DECLARABLE: &str = "sfen 1K4/GGS3/6/6/6/5k b 2RBN 1";
/// Rook and king walk to and fro; the start position comes back.
const SHUFFLE: &str = "1f1e 6a6b 1e1f 6b6a ";
/// The time by which a search may exceed its limit without a fault: the machine may be busy.
const LATE: Duration = Duration::from_millis(1_500);

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// The values that follow a key in search reports, the last report last.
fn reported<'a>(lines: &'a [Line], key: &str) -> Vec<&'a str> {
    let value = |line: &'a Line| {
        let mut words = line.text.split(' ').skip_while(|word| *word != key);
        words.next().and_then(|_| words.next())
    };
    lines.iter().filter(|line| line.text.starts_with("info depth ")).filter_map(value).collect()
}

/// The number after the last such key.
fn last_number(lines: &[Line], key: &str) -> i64 {
    reported(lines, key).last().map_or(0, |value| value.parse().expect(value))
}

/// Fails unless a search shows this many lines, the current `USI_MultiPV`.
#[track_caller]
fn expect_shown(session: &mut Session, count: i64, why: &str) {
    let (_, lines) = session.go("depth 2");
    let numbers = reported(&lines, "multipv");
    let found: i64 = numbers.iter().map(|number| number.parse().expect(number)).max().unwrap_or(1);
    session.check(found == count, &format!("{found} lines, not {count}: {why}"));
}

/// The options as `usi` lists them.
fn offers(session: &mut Session) -> Vec<Offer> {
    session.send("usi");
    let lines = session.lines_until("usiok", PROMPT);
    let options = lines.iter().filter_map(|line| line.text.strip_prefix("option name "));
    options.map(|rest| read_option(&rest.split(' ').collect::<Vec<_>>()).expect(rest)).collect()
}
