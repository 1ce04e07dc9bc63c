//! `judkins analyze`: the board, and the best lines as they deepen.

use std::sync::Mutex;
use std::time::Duration;

use anyhow::Result;
use clap::Args;

use judkins::engine::{Engine, Event, SearchRequest, Verdict};
use judkins::search::Report;
use judkins::shogi::Position;
use judkins::shogi::diagram::{Pieces, draw};
use judkins::shogi::notation::western::{Style, movetext, to_western};

use super::config::ConfigArgument;
use super::position::PositionArgument;
use super::seconds::seconds;

/// What to analyse, and for how long.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgument,
    /// Seconds to think
    #[arg(long, default_value = "5", value_name = "S", value_parser = seconds)]
    time: Duration,
    /// How many best lines to show
    #[arg(long, default_value_t = 1, value_name = "N")]
    multipv: usize,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Letters in place of kanji
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    config: ConfigArgument,
}

/// Shows the board, the best lines as they deepen, and the board after the best move. Always at full strength.
pub fn run(arguments: &Arguments, before: &ConfigArgument) -> Result<()> {
    let table = arguments.config.or(before).option_table(false)?;
    let position = arguments.position.position()?;
    let pieces = if arguments.ascii { Pieces::Letters } else { Pieces::Kanji };
    println!("{}", draw(&position, pieces));

    let mut engine = Engine::new(table)?;
    let threads = arguments.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    engine.set_option("Threads", Some(&threads.to_string()))?;
    engine.set_option("USI_MultiPV", Some(&arguments.multipv.to_string()))?;
    // What a configuration sets for games is not for analysis: it shows the best line there is.
    for (name, value) in [
        ("SkillLevel", "20"),
        ("UCI_LimitStrength", "false"),
        ("USI_OwnBook", "false"),
        ("ResignValue", "32000"),
        ("MaxMovesToDraw", "0"),
        ("NodesLimit", "0"),
        ("DepthLimit", "0"),
    ] {
        engine.set_option(name, Some(value))?;
    }
    engine.set_position(position.clone(), &[])?;

    println!("{:>5} {:>9} {:>8} {:>11}  best line", "depth", "score", "seconds", "positions");
    let verdict = std::sync::Arc::new(Mutex::new(None));
    let (shown, found) = (position.clone(), std::sync::Arc::clone(&verdict));
    let request = SearchRequest { movetime: Some(arguments.time), ..SearchRequest::default() };
    engine.go(&request, move |event| match event {
        Event::Info(report) => println!("{}", line(&shown, &report)),
        Event::MateSearch(_) => {}
        Event::Error(error) => eprintln!("judkins: {error}"),
        Event::Done(done) => *found.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(done),
    })?;
    engine.wait();
    let verdict = verdict.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
    match verdict {
        Some(Verdict::Move { best, .. }) => {
            println!("\nBest move: {} ({best} in USI)\n", to_western(&position, best, Style::Hodges));
            print!("{}", draw(&position.after(best), pieces));
        }
        Some(Verdict::Win) => println!("\n{} wins by declaration.", position.side_to_move()),
        _ => println!("\n{} has no move left and has lost.", position.side_to_move()),
    }
    Ok(())
}

fn line(position: &Position, report: &Report) -> String {
    format!(
        "{:>5} {:>9} {:>8.2} {:>11}  {}",
        report.depth,
        report.score.to_string(),
        report.time.as_secs_f64(),
        report.nodes,
        movetext(position, &report.pv, Style::Hodges)
    )
}
