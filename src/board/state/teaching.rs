//! Lessons on the board: starting tasks, trying moves, wrong moves, completion.

use super::exercise::{Exercise, Goal, Verdict, passed};
use super::io::ClientId;
use super::lessons::{LessonFile, LessonTask};
use super::problems::Judgement;
use super::study::Study;
use super::{Answer, Problem, Refusal, State};
use crate::atomic_file;
use crate::board::messages::text::Text;
use crate::board::messages::{Message, ProblemState};
use crate::record::{EditError, NodeId};
use crate::shogi::{Game, IllegalMove, Move, Position};

impl State {
    /// Puts up a task of a lesson, numbered from 0.
    pub(super) fn start_lesson(&mut self, id: &str, task: usize) -> Answer {
        self.check_not_playing()?;
        let none = || Refusal::new("no-such-lesson");
        let lesson = self.lessons.get(id).ok_or_else(none)?;
        let asked = lesson.tasks.get(task).filter(|task| task.game().is_none()).ok_or_else(none)?;
        let exercise = asked.exercise().map_err(bad_lessons)?;
        let study = Study::along(&exercise.start, &exercise.past)?;
        let plies = match exercise.goal {
            Goal::Mate(plies) => plies,
            _ => 0,
        };
        let shown = LessonTask { lesson: lesson.clone(), task, exercise, is_hinted: false, wrong: None };
        self.show_problem(Problem { lesson: Some(shown), ..self.begun_problem(plies, plies) }, study);
        Ok(())
    }

    /// The task being tried, and the game so far at a place of it.
    fn task_at(&mut self, node: NodeId) -> Result<(&mut LessonTask, Game), Refusal> {
        let game = self.study.record.game(node).ok_or(EditError::NoSuchNode)?;
        let start = self.study.record.start().side_to_move();
        let problem = self.solving()?;
        let is_free = problem.judging.is_none() && game.position().side_to_move() == start;
        match &mut problem.lesson {
            Some(lesson) if !game.moves().starts_with(&lesson.exercise.past) => {
                Err(Refusal { code: "looking-back", text: Text::new("learn.away") })
            }
            Some(lesson) if is_free => Ok((lesson, game)),
            _ => Err(Refusal::new("not-your-turn")),
        }
    }

    /// Tries a move in a lesson. A wrong one is rejected, and the position stays.
    pub(super) fn lesson_move(&mut self, node: NodeId, mv: Move) -> Answer {
        let (lesson, game) = self.task_at(node)?;
        if !game.position().is_legal(mv) {
            return Err(EditError::Illegal(IllegalMove(mv)).into());
        }
        match lesson.exercise.judge(&game, mv) {
            Verdict::Wrong => {
                let text = reason(&lesson.exercise, game.position(), mv);
                return self.wrong_move(mv, text);
            }
            Verdict::Ask => return self.try_mate(node, mv),
            Verdict::Done => {
                lesson.exercise.left.clear();
                self.add_move(node, mv)?;
                self.lesson_done();
            }
            Verdict::GoesOn(left) => {
                let next = passed(game.position().after(mv)).ok_or(EditError::NoSuchNode)?;
                lesson.exercise.moves = lesson.exercise.moves.saturating_sub(1);
                lesson.exercise.past.clear();
                (lesson.exercise.left, lesson.wrong, lesson.is_hinted) = (left, None, false);
                if let Some(problem) = &mut self.problem {
                    problem.text = Text::new("lesson.goOn");
                }
                self.show_study(Study::new(next));
            }
        }
        self.tell(&self.problem_message());
        Ok(())
    }

    /// Reports why a move is wrong.
    fn wrong_move(&mut self, mv: Move, text: Text) -> Answer {
        if let Some(problem) = &mut self.problem {
            problem.text = text;
            if let Some(lesson) = &mut problem.lesson {
                lesson.wrong = lesson.exercise.says_of(mv).cloned();
            }
        }
        self.tell(&self.problem_message());
        Err(Refusal::new("wrong-move"))
    }

    fn lesson_done(&mut self) {
        let Some(problem) = &mut self.problem else { return };
        (problem.state, problem.text) = (ProblemState::Solved, Text::verbatim(""));
        let Some(shown) = &mut problem.lesson else { return };
        shown.wrong = None;
        self.lessons.done.entry(shown.lesson.key.clone()).or_default().insert(shown.task);
        self.tell_hello();
        self.save();
    }

    /// The judge's verdict on a move of a mate in several.
    pub(super) fn lesson_judged(&mut self, node: NodeId, judgement: Judgement) {
        let record = &self.study.record;
        let (Some(before), Some(mv)) = (record.get(node).and_then(|node| node.parent()), record[node].mv()) else {
            return;
        };
        let Some(position) = record.position(before) else { return };
        match judgement {
            Judgement::Mate => self.lesson_done(),
            Judgement::Reply(reply, next) => {
                if let Some(problem) = &mut self.problem {
                    problem.text = Text::new("lesson.goOn");
                    problem.lesson.iter_mut().for_each(|lesson| lesson.wrong = None);
                }
                self.play_reply(node, reply, next);
            }
            Judgement::NoCheck => self.takes_back(before, mv, Text::new("lesson.noCheck")),
            Judgement::Refuted(reply) => self.takes_back(before, mv, escape(&position.after(mv), Some(reply))),
        }
        self.tell(&self.problem_message());
    }

    /// Takes back a wrong move after the judge's verdict.
    fn takes_back(&mut self, to: NodeId, mv: Move, text: Text) {
        let moves = self.study.record.moves_to(to);
        if let Ok(study) = Study::along(self.study.record.start(), &moves) {
            self.show_study(study);
        }
        // The page has been told.
        let _ = self.wrong_move(mv, text);
    }

    /// Shows a move towards the goal, with the words of the file.
    pub(super) fn lesson_hint(&mut self, client: ClientId, id: u64, node: NodeId) -> Answer {
        let position = self.study.record.position(node).ok_or(EditError::NoSuchNode)?;
        let judged = self.solving()?.next_move(&position);
        let (lesson, game) = self.task_at(node)?;
        let mv = lesson.exercise.hint(&game).or(judged).ok_or_else(|| Refusal::new("no-hint"))?;
        // The hint's words replace those of a wrong move.
        (lesson.is_hinted, lesson.wrong) = (true, None);
        if let Some(problem) = &mut self.problem {
            problem.text = Text::verbatim("");
        }
        self.tell(&self.problem_message());
        self.reply(client, &Message::Hint { id, node, mv });
        Ok(())
    }

    /// Adds lessons that a page has sent.
    pub(super) fn open_lessons(&mut self, name: &str, bytes: Vec<u8>) -> Answer {
        let text = atomic_file::text(bytes).map_err(|_| Refusal::new("bad-file").with("name", name))?;
        let file = LessonFile::read(text).map_err(bad_lessons)?;
        if let Some(text) = self.add_lessons(file)? {
            self.notice(text);
        }
        self.tell_hello();
        self.save();
        Ok(())
    }

    /// Puts lessons before the others, and their first task on the board. While a game is played, they only appear in
    /// the list, as does a game to win; the returned text then announces them.
    pub(super) fn add_lessons(&mut self, file: LessonFile) -> Result<Option<Text>, Refusal> {
        let text = Text::new("lessons.added").with("count", file.count());
        let first = file.first().to_owned();
        self.lessons.add(file).map_err(bad_lessons)?;
        Ok(self.start_lesson(&first, 0).is_err().then_some(text))
    }

    /// Removes a lesson that was opened from a file.
    pub(super) fn remove_lesson(&mut self, id: &str) -> Answer {
        if !self.lessons.remove(id) {
            return Err(Refusal::new("no-such-lesson"));
        }
        let is_shown = |problem: &Problem| problem.lesson.as_ref().is_some_and(|shown| shown.lesson.id == id);
        if self.problem.as_ref().is_some_and(is_shown) {
            self.leave_problem()?;
        }
        self.tell_hello();
        self.save();
        Ok(())
    }
}

pub(super) fn bad_lessons(error: String) -> Refusal {
    Refusal::new("bad-lessons").with("error", error)
}

/// The reason why a move does not reach the goal, as far as the rules tell it.
fn reason(exercise: &Exercise, position: &Position, mv: Move) -> Text {
    let after = position.after(mv);
    match &exercise.goal {
        Goal::Check | Goal::Mate(_) if !after.in_check() => Text::new("lesson.noCheck"),
        Goal::Mate(_) => escape(&after, None),
        Goal::Visit(_) if after.in_check() => Text::new("lesson.noPass"),
        Goal::Visit(_) if exercise.moves == 1 => Text::new("lesson.mark"),
        Goal::Visit(_) => Text::new("lesson.far").with("left", exercise.moves.saturating_sub(1)),
        Goal::Play(_) | Goal::Check | Goal::End(_) | Goal::Game(_) => Text::new("error.wrong-move"),
    }
}

/// An escape from a check: this reply, or one that is easy to see.
fn escape(after: &Position, reply: Option<Move>) -> Text {
    let king = after.king(after.side_to_move());
    let replies = after.legal_moves();
    let takes = replies.iter().copied().find(|&mv| after.checkers().has(mv.to()));
    let flees = replies.iter().copied().find(|mv| mv.from() == Some(king));
    let Some(mv) = reply.or(takes).or(flees).or(replies.first().copied()) else { return Text::new("error.wrong-move") };
    let key = match (mv.from() == Some(king), after.piece_at(mv.to()).is_some()) {
        (_, true) => "lesson.taken",
        (true, false) => "lesson.flees",
        (false, false) => "lesson.blocked",
    };
    let piece = mv.from().and_then(|from| after.piece_at(from)).map(|piece| piece.kind()).or(mv.dropped());
    let text = Text::new(key).with("square", mv.to());
    piece.into_iter().fold(text, |text, piece| text.with("piece", piece))
}
