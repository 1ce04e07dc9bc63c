//! `judkins book show`: a book's moves in a position.

use std::ffi::OsString;
use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use super::super::position::position;
use super::load::{Loaded, load};
use judkins::book::Book;
use judkins::book::growth::{Graph, Values, is_proven};
use judkins::counted::counted;
use judkins::score::Score;
use judkins::shogi::diagram::{Pieces, draw};
use judkins::shogi::notation::western::{Style, movetext};
use judkins::shogi::{Move, Position};

#[derive(Args)]
pub struct Arguments {
    /// The book [default: the built-in one], then the position: an SFEN, `startpos` or a handicap (bishop, rook,
    /// two-pieces), and moves in USI, or one of both [default: startpos]
    #[arg(value_name = "FILE|POSITION")]
    words: Vec<OsString>,
    /// Letters in place of kanji
    #[arg(long)]
    ascii: bool,
}

pub fn run(Arguments { words, ascii }: &Arguments) -> Result<()> {
    let file = words.first().map(PathBuf::from).filter(|path| path.is_file());
    let book = load(file.as_deref())?;
    let words = words.iter().skip(usize::from(file.is_some()));
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let position = position(&words).context("give a file or a position")?.unwrap_or_else(Position::startpos);
    let pieces = if *ascii { Pieces::Letters } else { Pieces::Kanji };
    let text = match &book {
        Loaded::Growing(graph) => known(graph, &position),
        Loaded::Finished(book) => moves(book, &position),
    };
    print!("{}SFEN: {position}\n\n{text}", draw(&position, pieces));
    Ok(())
}

/// The contents of a growing book for a position.
fn known(graph: &Graph, position: &Position) -> String {
    let Some(id) = graph.find(position) else { return "The book does not know this position.\n".to_owned() };
    let (values, node) = (Values::new(graph), graph.node(id));
    let mut text = format!(
        "{} for {}; by its own search {} at depth {}, {}\n",
        score_words(values.of(id)),
        position.side_to_move(),
        score_words(node.score.into()),
        node.depth,
        counted(node.nodes, "node"),
    );
    if node.edges.is_empty() {
        return text + "There is no legal move.\n";
    }
    let _ = writeln!(text, "\n{:<8} {:>12} {:>7} {:>5}  line", "move", "score", "depth", "book");
    for index in values.ranked(node) {
        let edge = &node.edges[index];
        let child = edge.child.map(|child| graph.node(child));
        let mut line = vec![edge.mv];
        match edge.child {
            Some(child) => line.extend(values.line(graph, child)),
            None => line.extend(edge.reply),
        }
        let _ = writeln!(
            text,
            "{:<8} {:>12} {:>7} {:>5}  {}",
            edge.mv.to_string(),
            score_words(values.of_move(edge)),
            child.map_or(node.depth, |child| child.depth),
            if child.is_some() { "yes" } else { "" },
            movetext(position, &line, Style::Hodges),
        );
    }
    if let Some(rest) = node.rest {
        let _ = writeln!(text, "{:<8} {:>12}  at most, by the search", "others", score_words(rest.into()));
    }
    text
}

/// The moves of a finished book in a position.
fn moves(book: &Book, position: &Position) -> String {
    let moves = book.moves(position);
    if moves.is_empty() {
        return "The book does not know this position.\n".to_owned();
    }
    let mut text = format!("{:<8} {:>12}  line\n", "move", "score");
    for known in moves {
        let line: Vec<Move> = std::iter::once(known.mv).chain(book.reply(position, &known)).collect();
        let score = known.score.map_or(String::new(), score_words);
        let line = movetext(position, &line, Style::Hodges);
        let _ = writeln!(text, "{:<8} {score:>12}  {line}", known.mv.to_string());
    }
    text
}

/// A score with its mark if it is proven.
pub fn score_words(score: i32) -> String {
    match Score::from(score) {
        mate @ Score::Mate(_) => format!("{mate} ✓"),
        Score::Centipawns(_) if is_proven(score) => if score > 0 { "won ✓" } else { "lost ✓" }.to_owned(),
        level => level.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proven_scores_are_marked() {
        for (score, words) in [(31, "+0.31"), (31_995, "mate in 5 ✓"), (-31_990, "mated in 10 ✓"), (30_000, "won ✓")]
        {
            assert_eq!(score_words(score), words);
        }
    }
}
