//! `judkins book stat`: statistics of a book.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::load::{Loaded, load};
use super::show::score_words;
use judkins::book::Book;
use judkins::book::growth::{StartStatistics, Statistics, Values};
use judkins::counted::counted;
use judkins::shogi::notation::western::{Style, movetext};

#[derive(Args)]
pub struct Arguments {
    /// The book; it may be growing [default: the built-in one]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

pub fn run(Arguments { file }: &Arguments) -> Result<()> {
    let text = match load(file.as_deref())? {
        Loaded::Growing(graph) => text(&Statistics::new(&graph, &Values::new(&graph))),
        Loaded::Finished(Book::Compact(book)) => {
            format!("{}, {} bytes\n", counted(book.len(), "position"), book.size())
        }
        Loaded::Finished(Book::Text(book)) => format!("{}\n", counted(book.len(), "position")),
    };
    print!("{text}");
    Ok(())
}

fn text(statistics: &Statistics) -> String {
    let Statistics { positions, moves, joined, proven, searched, plies, starts } = statistics;
    let reached: usize = plies.iter().sum();
    let mean = plies.iter().enumerate().map(|(ply, count)| ply * count).sum::<usize>() as f64 / reached.max(1) as f64;
    let mut text = format!(
        "{}, {proven} of them proven\n\
         {}, {joined} of them to positions of the book\n\
         {} searched\n\
         {} deep on the shortest ways, {mean:.1} on average\n",
        counted(positions, "position"),
        counted(moves, "move"),
        counted(searched, "node"),
        counted(plies.len().saturating_sub(1), "ply")
    );
    for StartStatistics { start, positions, value, line } in starts {
        let position = start.position();
        text += &format!(
            "\n{start}: {} for {}, {}, best line of {}\n{}\n",
            score_words(*value),
            position.side_to_move(),
            counted(positions, "position"),
            counted(line.len(), "ply"),
            movetext(&position, line, Style::Hodges),
        );
    }
    text
}
