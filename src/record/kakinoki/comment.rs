//! Comment lines of KIF and KI2: text for people, and `#key=value` lines with evaluations, marks and glyphs.

use super::ending::FORMER_END;
use super::part::{PartKind, parts};
use crate::record::notes::seen_by;
use crate::record::{Evaluation, Mark, Notes};
use crate::score::{Bound, Score};
use crate::shogi::notation::japanese::{parse_japanese, to_japanese};
use crate::shogi::{Color, Move, Position};

/// Reads the comment lines of a move, without their asterisks: text for people and values written by programs.
///
/// `mover` is the player from whose point of view the evaluation is given; `position` is the position after the move,
/// and `previous` the move. `before` has the notes that the move already has, if a variation repeats a move of the
/// game: its values stay, and a second value becomes text.
pub(super) fn read(
    text: &[String],
    mover: Color,
    position: &Position,
    previous: Option<Move>,
    before: &Notes,
) -> Notes {
    let Notes { evaluation, mark, former_end, glyphs, .. } = before;
    let mut notes = Notes { mark: *mark, former_end: former_end.clone(), ..Notes::default() };
    let known = Notes { evaluation: evaluation.clone(), glyphs: glyphs.clone(), ..notes.clone() };
    let known = lines(&known, mover, position, previous);
    let mut evaluation = evaluation.clone().unwrap_or_default();
    let mut comment: Vec<&str> = Vec::new();
    for line in text.iter().filter(|line| !known.iter().any(|known| known.strip_prefix('*') == Some(line))) {
        let understood = match line.strip_prefix(['#', '*']).and_then(|line| line.split_once('=')) {
            Some((key, value)) => {
                read_value(key, value.trim(), mover, &mut notes, &mut evaluation, (position, previous)).is_some()
            }
            None => false,
        };
        if !understood {
            read_other(line, mover, &mut evaluation);
            comment.push(line);
        }
    }
    notes.comment = comment.join("\n");
    notes.evaluation = Some(evaluation).filter(|evaluation| !evaluation.is_empty());
    notes
}

/// Reads a line that [`lines`] writes. A second value of the same kind is not read.
fn read_value(
    key: &str,
    value: &str,
    mover: Color,
    notes: &mut Notes,
    evaluation: &mut Evaluation,
    (position, previous): (&Position, Option<Move>),
) -> Option<()> {
    match key {
        "評価値" if evaluation.score.is_none() => {
            let (number, bound) = split_bound(value)?;
            let score = Score::Centipawns(centipawns(number)?);
            let (score, bound) = seen_by(mover, Color::Black, score, bound);
            (evaluation.score, evaluation.bound) = (Some(score), bound);
        }
        "詰み" if evaluation.score.is_none() => {
            let (text, bound) = split_bound(value)?;
            let (winner, plies) = text.split_once(':')?;
            let winner = match winner {
                "先手勝ち" => Color::Black,
                "後手勝ち" => Color::White,
                _ => return None,
            };
            let plies = plies.strip_suffix('手')?.parse().ok().filter(|&plies: &i32| plies >= 0)?;
            let (score, bound) = seen_by(mover, winner, Score::Mate(plies), bound);
            (evaluation.score, evaluation.bound) = (Some(score), bound);
        }
        "深さ" if evaluation.depth.is_none() => evaluation.depth = Some(value.parse().ok()?),
        "ノード数" if evaluation.nodes.is_none() => evaluation.nodes = Some(value.parse().ok()?),
        "読み筋" if evaluation.line.is_empty() => {
            evaluation.line = read_moves(value, position, previous);
            (!evaluation.line.is_empty()).then_some(())?;
        }
        "終局" if notes.former_end.is_none() => notes.former_end = Some(FORMER_END.read(value)?),
        "記号" if value.starts_with('$') => notes.glyphs.push(value[1..].parse().ok()?),
        "記号" if notes.mark.is_none() => notes.mark = Some(Mark::from_sign(value)?),
        _ => return None,
    }
    Some(())
}

/// Reads scores in lines of other programs, which remain comments: `*対局 時間 00:00 深さ 12 評価値 35 …`, and
/// Floodgate's `* 35 …`.
fn read_other(line: &str, mover: Color, evaluation: &mut Evaluation) {
    if evaluation.score.is_some() || !line.starts_with('*') {
        return;
    }
    let mut words = line[1..].split_whitespace().peekable();
    let mut score = None;
    let mut depth = None;
    // Floodgate's moves are in CSA format; a line without one is a list item.
    let is_csa = |word: &&str| word.len() == 7 && word.starts_with(['+', '-']);
    if line.starts_with("* ") {
        score = words.next().and_then(centipawns).filter(|_| words.peek().is_some_and(is_csa));
    }
    while let Some(word) = words.next() {
        match word {
            "評価値" => score = words.next().and_then(centipawns),
            "深さ" => depth = words.next().and_then(|word| word.split('/').next()?.parse().ok()),
            _ => {}
        }
    }
    if let Some(score) = score {
        let (score, bound) = seen_by(mover, Color::Black, Score::Centipawns(score), Bound::Exact);
        (evaluation.score, evaluation.bound) = (Some(score), bound);
        evaluation.depth = evaluation.depth.or(depth);
    }
}

fn centipawns(text: &str) -> Option<i32> {
    let value: f64 = text.parse().ok()?;
    (value.abs() <= f64::from(i32::MAX)).then(|| value.round() as i32)
}

fn split_bound(text: &str) -> Option<(&str, Bound)> {
    Some(match (text.strip_suffix(" 以上"), text.strip_suffix(" 以下")) {
        (Some(text), _) => (text, Bound::Lower),
        (_, Some(text)) => (text, Bound::Upper),
        _ => (text, Bound::Exact),
    })
}

fn read_moves(text: &str, position: &Position, previous: Option<Move>) -> Vec<Move> {
    let mut position = position.clone();
    let mut previous = previous;
    let mut moves = Vec::new();
    for part in parts(text).into_iter().take_while(|part| part.kind == PartKind::Move) {
        let Ok(mv) = parse_japanese(&position, part.text, previous.map(Move::to)) else { break };
        position.play_unchecked(mv);
        moves.push(mv);
        previous = Some(mv);
    }
    moves
}

/// The comment lines of a move, with their asterisks.
pub(super) fn lines(notes: &Notes, mover: Color, position: &Position, previous: Option<Move>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(evaluation) = &notes.evaluation {
        if let Some(score) = evaluation.score {
            let (black, bound) = seen_by(Color::Black, mover, score, evaluation.bound);
            let bound_text = |bound| match bound {
                Bound::Exact => "",
                Bound::Lower => " 以上",
                Bound::Upper => " 以下",
            };
            lines.push(match (black, score) {
                (Score::Centipawns(score), _) => format!("*#評価値={score}{}", bound_text(bound)),
                (_, Score::Mate(plies)) => {
                    let winner = if plies > 0 { mover } else { !mover };
                    let name = if winner == Color::Black { "先手勝ち" } else { "後手勝ち" };
                    let (_, bound) = seen_by(winner, mover, score, evaluation.bound);
                    format!("*#詰み={name}:{}手{}", plies.unsigned_abs(), bound_text(bound))
                }
                _ => unreachable!("a turned score is of the same kind"),
            });
        }
        lines.extend(evaluation.depth.map(|depth| format!("*#深さ={depth}")));
        lines.extend(evaluation.nodes.map(|nodes| format!("*#ノード数={nodes}")));
        if !evaluation.line.is_empty() {
            let mut previous = previous;
            let mut text = String::from("*#読み筋=");
            for (position, mv) in position.walk(evaluation.line.iter().copied()) {
                text += &to_japanese(&position, mv, previous);
                previous = Some(mv);
            }
            lines.push(text);
        }
    }
    lines.extend(notes.mark.map(|mark| format!("*#記号={}", mark.sign())));
    lines.extend(notes.glyphs.iter().map(|glyph| format!("*#記号=${glyph}")));
    lines.extend(notes.former_end.as_ref().map(|end| format!("*#終局={}", FORMER_END.write(end))));
    if !notes.comment.is_empty() {
        lines.extend(notes.comment.split('\n').map(|line| format!("*{line}")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str, mover: Color) -> Notes {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut position = Position::startpos();
        let mv = "6e6d".parse().unwrap();
        position.play(mv);
        read(&lines, mover, &position, Some(mv), &Notes::default())
    }

    #[test]
    fn scores_of_other_programs_are_understood_and_stay_comments() {
        // ShogiHome's, then ShogiGUI's, then Floodgate's.
        let notes = read_all("互角\n*評価値=-82\n*読み筋=△１三歩▲５五金\n*エンジン=me", Color::White);
        assert_eq!(notes.comment, "互角\n*エンジン=me");
        let evaluation = notes.evaluation.unwrap();
        assert_eq!((evaluation.score, evaluation.line.len()), (Some(Score::Centipawns(82)), 2));
        for text in ["*対局 時間 00:01 深さ 12/20 ノード数 77 評価値 35 読み筋 △", "* 35 -3334FU"] {
            let notes = read_all(text, Color::Black);
            assert_eq!(notes.comment, text);
            assert_eq!(notes.evaluation.unwrap().score, Some(Score::Centipawns(35)));
        }
        for text in
            ["* 1 one", "* 1", "#評価値=much", "#深さ=-1", "#読み筋=x", "#記号=%", "#詰み=先手勝ち", "plain", "**"]
        {
            let notes = read_all(text, Color::Black);
            assert_eq!((notes.comment.as_str(), notes.evaluation), (text, None));
        }
    }
}
