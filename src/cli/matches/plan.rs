//! The match specified by the arguments.

use std::collections::HashSet;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};

use super::arguments::{Arguments, Order};
use crate::cli::engines::warn_of_cores;
use crate::cli::key_value::{KeyValue, Pairs};
use crate::cli::program::program;
use judkins::arena::{EloModel, EngineSpec, Format, Match, NodeJitter, Opening, Schedule, Sprt, shuffle_openings};
use judkins::counted::counted;

/// The maximum number of games, which would take years.
const MOST_GAMES: usize = 10_000_000;

/// The match, after checking that the engines exist and the arguments are consistent.
pub fn plan(arguments: &Arguments) -> Result<Match> {
    let engines = arguments
        .engines
        .iter()
        .map(|text| {
            let mut spec = EngineSpec::parse(std::slice::from_ref(text), &arguments.each)?;
            spec.command = program(&spec)?;
            Ok(Arc::new(spec))
        })
        .collect::<Result<Vec<_>>>()?;
    let [_, _, ..] = &engines[..] else { bail!("a match needs two engines: give --engine again") };
    let mut names = HashSet::new();
    if let Some(twice) = engines.iter().find(|spec| !names.insert(&spec.name)) {
        bail!("two engines are called {}: give them names, name=…", twice.name);
    }
    if arguments.games == 0 || !arguments.games.is_multiple_of(2) || arguments.games > MOST_GAMES {
        bail!("--games is {}: games come in pairs, at most {MOST_GAMES}", arguments.games);
    }
    let sprt = sprt(&arguments.sprt)?;
    if sprt.is_some() && engines.len() != 2 {
        bail!("--sprt is for two engines");
    }
    let rules = arguments.rules.rules()?;
    let openings = match arguments.handicap {
        Some(handicap) => vec![Opening::at(handicap.position())],
        None => {
            let mut openings = arguments.openings.read(&rules)?;
            if matches!(arguments.order, Order::Random) {
                shuffle_openings(&mut openings, arguments.seed);
            }
            openings
        }
    };
    let format = if arguments.gauntlet { Format::Gauntlet } else { Format::RoundRobin };
    let rounds = arguments.games / 2;
    if rounds > openings.len() {
        let (given, pairs) = (counted(openings.len(), "opening"), counted(rounds, "pair"));
        eprintln!("judkins: {given} for {pairs}: openings are played again");
    }
    let jitter = arguments.node_jitter.map(|percent| NodeJitter { percent, seed: arguments.seed });
    if jitter.is_some() && engines.iter().all(|spec| spec.control.nodes.is_none()) {
        bail!("--node-jitter varies nodes=, which no engine has");
    }
    if sprt.is_some() {
        check_variety(&engines, jitter, &openings, rounds)?;
    }
    let schedule = Schedule::new(engines.len(), format, rounds);
    let threads = engines.iter().filter_map(|spec| spec.threads()).max();
    warn_of_cores(arguments.concurrency.min(schedule.pairs()), threads.unwrap_or(1));
    Ok(Match {
        schedule,
        engines,
        openings,
        rules,
        first_pair: 0,
        jitter,
        replays: arguments.replay_draws,
        sprt,
        concurrency: arguments.concurrency,
        recover: arguments.recover,
    })
}

/// Rejects a sequential test whose games would repeat each other: it would count copies as evidence.
fn check_variety(
    engines: &[Arc<EngineSpec>],
    jitter: Option<NodeJitter>,
    openings: &[Opening],
    pairs: usize,
) -> Result<()> {
    // One engine that varies is enough.
    if engines.iter().any(|spec| !spec.repeats_games()) {
        return Ok(());
    }
    let limits = |pair| {
        let nodes = engines.iter().filter_map(|spec| spec.control.nodes);
        jitter.map(|jitter| nodes.map(|nodes| jitter.nodes(nodes, pair)).collect::<Vec<_>>())
    };
    let starts = openings.iter().map(|opening| opening.end().key()).collect::<Vec<_>>();
    let starts = starts.iter().cycle().take(pairs).zip(0..).map(|(start, pair)| (start, limits(pair)));
    let distinct = starts.collect::<HashSet<_>>().len();
    // Chance makes a few limits equal.
    let needed = if jitter.is_some() { pairs - pairs / 20 } else { pairs };
    let can_jitter = engines.iter().any(|spec| spec.control.nodes.is_some());
    let remedy = match jitter {
        Some(_) => "a larger --node-jitter or more nodes vary them more; or give",
        None if can_jitter => "--node-jitter 10 varies the nodes; or give",
        None => "give",
    };
    ensure!(
        distinct >= needed,
        "--sprt would count copies of games: with one thread and the same nodes or depth, an opening always has the same \
         games, and only {distinct} of {} would differ; {remedy} more --openings, which `judkins data openings` makes, or \
         fewer --games",
        counted(pairs, "pair"),
    );
    Ok(())
}

/// The sequential test of --sprt, if there is one.
pub fn sprt(pairs: &[KeyValue]) -> Result<Option<Sprt>> {
    if pairs.is_empty() {
        return Ok(None);
    }
    let pairs = Pairs::new("--sprt", &["elo0", "elo1", "alpha", "beta", "model"], pairs)?;
    let sprt = Sprt {
        elo0: pairs.need("elo0", "a number of Elo")?,
        elo1: pairs.need("elo1", "a number of Elo")?,
        alpha: pairs.get("alpha", "a share, like 0.05")?.unwrap_or(0.05),
        beta: pairs.get("beta", "a share, like 0.05")?.unwrap_or(0.05),
        model: match pairs.get::<String>("model", "a name")?.as_deref() {
            None | Some("normalized" | "normalised") => EloModel::Normalized,
            Some("logistic") => EloModel::Logistic,
            Some(other) => bail!("--sprt: model takes normalized or logistic, not '{other}'"),
        },
    };
    sprt.check().context("--sprt")?;
    Ok(Some(sprt))
}
