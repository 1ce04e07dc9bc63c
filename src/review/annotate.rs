//! Writes a review into a record as marks, comments and variations, and removes those of earlier reviews.

use super::marks::MoveMark;
use super::values::plies_to_rule;
use super::words::{
    END, EndWords, JAPANESE_END, Language, chance_words, end_words, japanese_end, japanese_mark, japanese_outcome,
    japanese_score, mark_words, outcome_words, score_words,
};
use super::{End, MoveReview};
use crate::record::{Evaluation, NodeId, Notes, Record};
use crate::score::Score;
use crate::shogi::EndReason;

/// The maximum number of moves of a better line that become a variation.
const VARIATION: usize = 8;

/// Writes reviewed moves into their record: the evaluations of all moves, replacing existing ones; a comment on the end
/// of the game; and for each marked move a mark if it has none, a comment after the existing one, and the better line
/// as a variation, whose last move has the line's score. It removes the output of an earlier review, in any language:
/// its comments, the marks that they explain, and its variations, unless something was added to them. Moves that have
/// been deleted since are skipped.
pub fn annotate(record: &mut Record, moves: &[MoveReview], language: Language) {
    let words = Words::of(language);
    let names = record.japanese_sides();
    for mv in moves {
        if mv.chance_after().is_none() || record.get(mv.node).is_none() {
            continue;
        }
        withdraw(record, mv.node);
        // The node exists, so nothing fails from here on.
        let _ = record.set_evaluation(mv.node, mv.evaluation());
        // Keep a mark that a person has set.
        if let Some(sign) = mv.mark.and_then(MoveMark::sign).filter(|_| record[mv.node].notes().mark.is_none()) {
            let _ = record.set_mark(mv.node, Some(sign));
        }
        if let Some(text) = words.comment(mv, names) {
            let _ = record.add_comment(mv.node, &text);
        }
        let bad = matches!(mv.mark, Some(MoveMark::Inaccuracy | MoveMark::Mistake | MoveMark::Blunder));
        if bad || mv.missed_mate.is_some() {
            add_better_line(record, mv, words);
        }
    }
}

/// Removes the annotations of earlier reviews, and all evaluations.
pub fn remove_annotations(record: &mut Record) {
    for node in record.walk().skip(1).collect::<Vec<_>>() {
        // A better line is removed with its first move.
        if record.get(node).is_some() {
            withdraw(record, node);
            let _ = record.set_evaluation(node, None);
        }
    }
}

/// Removes the annotations of an earlier review from a move.
fn withdraw(record: &mut Record, node: NodeId) {
    let mark = (record[node].notes().comment.lines())
        .filter(|line| is_of_a_review(line))
        .find_map(|line| line.split("; ").find_map(judgement))
        .and_then(MoveMark::sign);
    if mark.is_some() && record[node].notes().mark == mark {
        let _ = record.set_mark(node, None);
    }
    take_lines(record, node);
    let parent = record[node].parent().expect("a move was played somewhere");
    // The continuing line is not a variation, even if it was one when the review was made.
    let variations = record[parent].children().iter().skip(1).copied().filter(|&child| child != node);
    for first in variations.collect::<Vec<_>>() {
        withdraw_better_line(record, first);
    }
}

/// Removes a variation that an earlier review has added, if nothing was added to it since.
fn withdraw_better_line(record: &mut Record, first: NodeId) {
    let mut waiting = vec![(first, 1)];
    while let Some((node, depth)) = waiting.pop() {
        if !record[node].notes().comment.lines().any(is_better_line) {
            if depth < VARIATION {
                waiting.extend(record[node].children().iter().map(|&child| (child, depth + 1)));
            }
            continue;
        }
        take_lines(record, node);
        let line: Vec<NodeId> = std::iter::once(node).chain(record.line_from(node)).take(VARIATION).collect();
        let Some((&last, others)) = line.split_last() else { continue };
        let has_one_child = |&node: &NodeId| record[node].children().len() == 1;
        let is_plain = |node: &NodeId| record[*node].notes().is_empty();
        let is_last_plain = Notes { evaluation: None, ..record[last].notes().clone() }.is_empty();
        // A line that a person has made longer ends otherwise.
        let is_whole = depth + others.len() == VARIATION
            || record[last].notes().evaluation.is_some()
            || record.position(last).is_some_and(|position| position.legal_moves().is_empty());
        let is_unchanged = others.iter().all(|node| is_plain(node) && has_one_child(node))
            && is_last_plain
            && record[last].children().is_empty();
        if is_whole && is_unchanged {
            let _ = record.delete(node);
        }
    }
}

/// Removes the lines of a review from a comment.
fn take_lines(record: &mut Record, node: NodeId) {
    let comment = &record[node].notes().comment;
    if comment.lines().any(is_of_a_review) {
        let kept: Vec<&str> = comment.lines().filter(|line| !is_of_a_review(line)).collect();
        let kept = kept.join("\n");
        let _ = record.set_comment(node, &kept);
    }
}

/// The words that distinguish a review's lines from those of people, in a language.
struct Words {
    mark: fn(MoveMark) -> &'static str,
    score: fn(Score, Option<EndReason>) -> String,
    outcome: fn(&MoveReview) -> Option<String>,
    /// The end of the game, given the names of Black and White.
    describe_end: fn(&End, [&str; 2]) -> String,
    /// The word between two chances.
    to: &'static str,
    /// The words before and after the plies of a mate.
    missed_mate: [&'static str; 2],
    missed_declaration: &'static str,
    end: EndWords,
    better_line: &'static str,
}

const ENGLISH: Words = Words {
    mark: mark_words,
    score: score_words,
    outcome: outcome_words,
    describe_end: |end, _| end_words(end),
    to: " to ",
    missed_mate: ["missed a ", "-ply mate"],
    missed_declaration: "could have declared a win",
    end: END,
    better_line: "better line: ",
};

const JAPANESE: Words = Words {
    mark: japanese_mark,
    score: japanese_score,
    outcome: japanese_outcome,
    describe_end: japanese_end,
    to: " → ",
    missed_mate: ["", "手詰を逃す"],
    missed_declaration: "入玉宣言を逃す",
    end: JAPANESE_END,
    better_line: "最善手順：",
};

/// Whether a line of a comment is one that a review writes.
fn is_of_a_review(line: &str) -> bool {
    [ENGLISH, JAPANESE].iter().any(|words| {
        words.better(line).is_some_and(are_chances)
            || line.split("; ").all(|part| {
                let [before, behind] = words.missed_mate;
                let mate = part.strip_prefix(before).and_then(|part| part.strip_suffix(behind));
                mate.is_some_and(|plies| plies.parse::<u32>().is_ok())
                    || part == words.missed_declaration
                    || is_end(part, words.end)
                    || words.judgement(part).is_some()
            })
    })
}

/// Whether a text tells the end of a game in these words.
fn is_end(text: &str, EndWords { before, win, draw, went_on }: EndWords) -> bool {
    text.strip_prefix(before).is_some_and(|text| {
        let text = text.strip_suffix(went_on).unwrap_or(text);
        text.ends_with(win) || text.ends_with(draw)
    })
}

/// The mark explained by a comment like `mistake: 62 % to 31 % (-1.20)`.
fn judgement(text: &str) -> Option<MoveMark> {
    [ENGLISH, JAPANESE].iter().find_map(|words| words.judgement(text))
}

fn is_better_line(text: &str) -> bool {
    [ENGLISH, JAPANESE].iter().any(|words| words.better(text).is_some_and(are_chances))
}

/// Whether a text consists of one or two winning chances with a score, as written by [`Words::comment`].
fn are_chances(text: &str) -> bool {
    let Some((chances, _)) = text.split_once(" % (").filter(|_| text.ends_with(')')) else { return false };
    let percent = |text: &str| text.parse::<u8>().is_ok_and(|percent| percent <= 100);
    [ENGLISH, JAPANESE].iter().any(|words| chances.split(&format!(" %{}", words.to)).all(percent))
}

impl Words {
    fn of(language: Language) -> &'static Words {
        match language {
            Language::English => &ENGLISH,
            Language::Japanese => &JAPANESE,
        }
    }

    fn judgement(&self, text: &str) -> Option<MoveMark> {
        let (word, rest) = text.split_once(": ")?;
        MoveMark::ALL.into_iter().find(|&mark| (self.mark)(mark) == word && are_chances(rest))
    }

    fn better<'a>(&self, text: &'a str) -> Option<&'a str> {
        text.strip_prefix(self.better_line)
    }

    fn comment(&self, mv: &MoveReview, names: [&str; 2]) -> Option<String> {
        let mut parts = Vec::new();
        if let (Some(mark), Some(before), Some(after), Some(score)) =
            (mv.mark, mv.chance_before(), mv.chance_after(), (self.outcome)(mv))
        {
            let (word, was, is) = ((self.mark)(mark), chance_words(before), chance_words(after));
            parts.push(match mark {
                MoveMark::Only | MoveMark::Brilliant => format!("{word}: {is} ({score})"),
                _ => format!("{word}: {was}{}{is} ({score})", self.to),
            });
        }
        if let Some(mate) = &mv.missed_mate {
            let [before, behind] = self.missed_mate;
            parts.push(format!("{before}{}{behind}", mate.len()));
        }
        if mv.missed_declaration {
            parts.push(self.missed_declaration.to_owned());
        }
        if let Some(end) = &mv.end {
            parts.push((self.describe_end)(end, names));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// Adds the better line as a variation. A comment at its first new move identifies it for a later review, and an
/// evaluation shows where it ends.
fn add_better_line(record: &mut Record, mv: &MoveReview, words: &Words) {
    let Some(mut at) = record[mv.node].parent() else { return };
    let (line, score, chance) = match (&mv.missed_mate, mv.before, mv.chance_before()) {
        (Some(mate), ..) => (mate, Score::Mate(mate.len() as i32), 1.0),
        (None, Some(score), Some(chance)) => (&mv.best, score, chance),
        _ => return,
    };
    let rule = mv.before_rule.filter(|_| mv.missed_mate.is_none());
    let label = format!("{}{} ({})", words.better_line, chance_words(chance), (words.score)(score, rule));
    let line = &line[..line.len().min(VARIATION)];
    let mut is_told = false;
    for &mv in line {
        let is_new = record.child(at, mv).is_none();
        let Ok(next) = record.play(at, mv) else { return };
        if is_new && !is_told {
            let _ = record.add_comment(next, &label);
        }
        is_told |= is_new;
        at = next;
    }
    let plies = line.len() as i32;
    let score = match score {
        Score::Mate(left) if left.abs() <= plies => return,
        Score::Mate(left) => Score::Mate(left - left.signum() * plies),
        Score::Centipawns(value) => match plies_to_rule(score) {
            Some(left) if left <= plies => return,
            Some(_) => Score::Centipawns(value + value.signum() * plies),
            None => score,
        },
    };
    if is_told {
        let score = if line.len() % 2 == 1 { score } else { -score };
        let _ = record.set_evaluation(at, Some(Evaluation { score: Some(score), ..Evaluation::default() }));
    }
}
