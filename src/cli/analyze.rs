//! `judkins analyze`: the board, and the best lines as they deepen.

use std::sync::mpsc;
use std::time::Duration;

use anyhow::Result;
use clap::Args;

use judkins::engine::{Engine, Event, Verdict};
use judkins::score::{Bound, Score};
use judkins::search::{Limits, Report};
use judkins::shogi::Position;
use judkins::shogi::diagram::{Pieces, draw};
use judkins::shogi::notation::western::{Style, movetext, to_western};

use super::config::ConfigArgument;
use super::number::{number, seconds};
use super::position::PositionArgument;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgument,
    /// Seconds to think; less if all lines end in mate
    #[arg(long, default_value = "5", value_name = "S", value_parser = seconds)]
    time: Duration,
    /// Number of best lines to show
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = number::<usize>(1..=500))]
    multipv: usize,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..=512))]
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
    let game = arguments.position.game()?;
    let position = game.position();
    let pieces = if arguments.ascii { Pieces::Letters } else { Pieces::Kanji };
    println!("{}", draw(position, pieces));

    let mut engine = Engine::new(table)?;
    let threads = arguments.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    engine.set_option("Threads", Some(&threads.to_string()))?;
    engine.set_option("USI_MultiPV", Some(&arguments.multipv.to_string()))?;
    // The configuration for games does not apply to analysis, which shows the best line.
    for (name, value) in [
        ("SkillLevel", "20"),
        ("UCI_LimitStrength", "false"),
        ("USI_OwnBook", "false"),
        ("ResignValue", "32000"),
        ("MaxMovesToDraw", "0"),
        ("NodesLimit", "0"),
        ("DepthLimit", "0"),
        ("NetworkDelay", "0"),
        ("PvInterval", "0"),
        ("DrawValueBlack", "0"),
        ("DrawValueWhite", "0"),
    ] {
        engine.set_option(name, Some(value))?;
    }
    engine.set_position(game.start().clone(), game.moves())?;
    if let Some(result) = engine.game().and_then(|game| game.result()) {
        println!("The game is over. {result}");
        return Ok(());
    }

    println!("{:>5} {:>9} {:>8} {:>11}  best line", "depth", "score", "seconds", "positions");
    let limits = Limits { movetime: Some(arguments.time), ..Limits::default() };
    let (sender, events) = mpsc::channel();
    // The receiver lives until the search has ended.
    engine.go(&limits, move |event| sender.send(event).unwrap_or_default())?;
    let mut mates = Mates { lines: arguments.multipv.min(position.legal_moves().len()), found: 0 };
    let mut verdict = None;
    for event in events {
        match event {
            Event::Info(report) if !mates.are_all() => {
                println!("{}", line(position, &report));
                mates.take(&report);
                if mates.are_all() {
                    engine.stop();
                }
            }
            Event::Info(_) | Event::MateSearch(_) => {}
            Event::Error(error) => eprintln!("judkins: {error}"),
            Event::Done(done) => verdict = Some(done),
        }
    }
    engine.wait();
    match verdict {
        Some(Verdict::Move { best, .. }) => {
            println!("\nBest move: {} ({best} in USI)\n", to_western(position, best, Style::Hodges));
            print!("{}", draw(&position.after(best), pieces));
        }
        Some(Verdict::Win) => println!("\n{} wins by declaration.", position.side_to_move()),
        _ => println!("\nNo move was found."),
    }
    Ok(())
}

/// The number of best lines, at the depth reported last, that end in a mate which a deeper search would not change.
struct Mates {
    lines: usize,
    found: usize,
}

impl Mates {
    fn take(&mut self, report: &Report) {
        if report.multipv.is_none_or(|number| number == 1) {
            self.found = 0;
        }
        // An iteration to twice its length would have found a shorter mate, or a longer defence.
        let is_mate = matches!(report.score, Score::Mate(plies) if 2 * plies.unsigned_abs() as usize <= report.depth);
        self.found += usize::from(is_mate && report.bound == Bound::Exact);
    }

    fn are_all(&self) -> bool {
        self.found == self.lines
    }
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
