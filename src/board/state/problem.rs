//! Mate problems: showing, trying, judging and solving them.

use serde::{Deserialize, Serialize};

use super::files::decode;
use super::io::{ClientId, Job, JobId, Output};
use super::problems::{Judgement, MateProblem, OWN, ReadProblems};
use super::study::Study;
use super::{Answer, Problem, Refusal, State};
use crate::atomic_file;
use crate::board::messages::text::Text;
use crate::board::messages::{Message, ProblemState, ProblemView};
use crate::record::NodeId;
use crate::shogi::{Move, Position};

impl Problem {
    /// The attacker's move in a position after a reply of the judge.
    pub fn next_move(&self, position: &Position) -> Option<Move> {
        self.next_moves.iter().find(|(known, _)| known == position).map(|&(_, mv)| mv)
    }
}

/// The problem on the board as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SavedProblem {
    Lesson { id: String, task: usize },
    Mate { set: usize, number: usize, sfen: String },
}

impl State {
    /// The problem on the board, to be stored.
    pub(super) fn saved_problem(&self) -> Option<SavedProblem> {
        let &Problem { set, number, ref lesson, .. } = self.problem.as_ref()?;
        Some(match lesson {
            Some(shown) => SavedProblem::Lesson { id: shown.lesson.id.clone(), task: shown.task },
            None => SavedProblem::Mate { set, number, sfen: self.study.record.start().to_string() },
        })
    }

    /// Shows a stored problem again, from its beginning.
    ///
    /// # Errors
    /// The problem no longer exists, or a game is being played.
    pub(super) fn resume_problem(&mut self, problem: &SavedProblem) -> Answer {
        match *problem {
            SavedProblem::Lesson { ref id, task } => self.start_lesson(id, task),
            SavedProblem::Mate { set, number, ref sfen } => match self.problems.get(set, number) {
                Some(problem) if problem.position.to_string() == *sfen => self.next_problem(set, Some(number)),
                _ => Err(Refusal::new("no-such-problem")),
            },
        }
    }

    /// Puts a problem on the board, in place of the study or of another problem.
    pub(super) fn show_problem(&mut self, problem: Problem, study: Study) {
        self.stop_analyses();
        self.drop_solving();
        self.problem = Some(problem);
        self.show_study(study);
        self.tell(&self.problem_message());
        self.save();
    }

    /// Whether a problem is being solved, so that engines must not help.
    pub(super) fn is_in_problem(&self) -> bool {
        self.problem.as_ref().is_some_and(|problem| problem.state == ProblemState::Playing)
    }

    /// Puts up a problem of a set: of those with this number of plies, or of the user's own.
    pub(super) fn next_problem(&mut self, set: usize, number: Option<usize>) -> Answer {
        self.check_not_playing()?;
        let after = match &self.problem {
            Some(problem) if problem.set == set => problem.number,
            _ => 0,
        };
        let number = number.unwrap_or_else(|| self.problems.next_unsolved(set, after));
        let problem = self.problems.get(set, number).cloned();
        let MateProblem { position, solution } = problem.ok_or_else(|| Refusal::new("no-such-problem"))?;
        let plies = solution.len();
        let text = Text::new("problem.task").with("side", position.side_to_move()).with("plies", plies);
        let study = Study::new(position);
        self.show_problem(Problem { number, text, solution, ..self.begun_problem(set, plies) }, study);
        Ok(())
    }

    /// A problem that begins in place of the study or of another problem.
    pub(super) fn begun_problem(&self, set: usize, plies: usize) -> Problem {
        Problem {
            before: self.own_study().clone(),
            set,
            plies,
            number: 0,
            state: ProblemState::Playing,
            text: Text::verbatim(""),
            solution: Vec::new(),
            next_moves: Vec::new(),
            judging: None,
            lesson: None,
            // A review that has ended is not in the study's file yet, because a problem covers the study.
            has_new_review: self.problem.as_ref().is_some_and(|problem| problem.has_new_review),
        }
    }

    pub(super) fn solving(&mut self) -> Result<&mut Problem, Refusal> {
        let none = || Refusal::new("no-problem");
        self.problem.as_mut().filter(|problem| problem.state == ProblemState::Playing).ok_or_else(none)
    }

    /// Tries a move at the latest node, or at an earlier one after going back.
    pub(super) fn problem_move(&mut self, node: NodeId, mv: Move) -> Answer {
        let problem = self.solving()?;
        if problem.lesson.is_some() {
            return self.lesson_move(node, mv);
        }
        let judging = problem.judging;
        let position = self.study.record.position(node).ok_or(crate::record::EditError::NoSuchNode)?;
        if judging.is_some() || position.side_to_move() != self.study.record.start().side_to_move() {
            return Err(Refusal::new("not-your-turn"));
        }
        self.try_mate(node, mv)
    }

    /// Plays a move of the attacker, and lets a job judge it.
    pub(super) fn try_mate(&mut self, node: NodeId, mv: Move) -> Answer {
        let position = self.study.record.position(node).ok_or(crate::record::EditError::NoSuchNode)?;
        let left = self.solving()?.plies.saturating_sub(self.plies_to(node));
        let child = self.add_move(node, mv)?;
        let job = self.number();
        if let Some(problem) = &mut self.problem {
            problem.judging = Some((job, child));
        }
        let kind = Job::Judge { position: Box::new(position), mv, plies: left };
        self.outputs.push(Output::StartJob { job, kind });
        Ok(())
    }

    pub(super) fn judged(&mut self, job: JobId, judgement: Judgement) {
        let Some(problem) = self.problem.as_mut() else { return };
        let Some((_, node)) = problem.judging.take_if(|(judged, _)| *judged == job) else { return };
        if problem.lesson.is_some() {
            return self.lesson_judged(node, judgement);
        }
        let &mut Problem { set, plies, number, .. } = problem;
        let mut next = None;
        let (state, text, reply) = match judgement {
            Judgement::Mate => (ProblemState::Solved, Text::new("problem.mate"), None),
            Judgement::Reply(reply, after) => {
                next = after;
                let left = plies.saturating_sub(self.plies_to(node) + 1);
                (ProblemState::Playing, Text::new("problem.right").with("plies", left), Some(reply))
            }
            Judgement::NoCheck => (ProblemState::Failed, Text::new("problem.noCheck"), None),
            Judgement::Refuted(reply) => (ProblemState::Failed, Text::new("problem.refuted"), Some(reply)),
        };
        if let Some(problem) = &mut self.problem {
            (problem.state, problem.text) = (state, text);
        }
        if state == ProblemState::Solved {
            self.problems.set_solved(set, number);
            self.tell_hello();
            self.save();
        }
        if let Some(reply) = reply {
            self.play_reply(node, reply, next);
        }
        self.tell(&self.problem_message());
    }

    /// Plays the judge's reply, and notes the attacker's next move.
    pub(super) fn play_reply(&mut self, node: NodeId, reply: Move, next: Option<Move>) {
        // Replies of the judge are legal.
        let Ok(reply) = self.add_move(node, reply) else { return };
        let position = self.study.record.position(reply);
        if let Some(problem) = &mut self.problem {
            problem.next_moves.extend(position.zip(next));
        }
    }

    /// How many moves lead to a place.
    fn plies_to(&self, node: NodeId) -> usize {
        self.study.record.path(node).len() - 1
    }

    /// Reveals the next move of the solution if it has been followed so far, or else of the judge's mate.
    pub(super) fn problem_hint(&mut self, client: ClientId, id: u64, node: NodeId) -> Answer {
        let none = || Refusal::new("no-hint");
        let problem = self.solving()?;
        if problem.lesson.is_some() {
            return self.lesson_hint(client, id, node);
        }
        let solution = problem.solution.clone();
        let record = &self.study.record;
        let position = record.position(node).ok_or_else(none)?;
        let judged = self.problem.as_ref().and_then(|problem| problem.next_move(&position));
        let played = record.path(node).iter().filter_map(|&id| record[id].mv()).collect::<Vec<_>>();
        let stored = solution.strip_prefix(played.as_slice()).and_then(|rest| rest.first().copied());
        let is_attackers = position.side_to_move() == record.start().side_to_move();
        let mv = judged.or(stored).filter(|_| is_attackers).ok_or_else(none)?;
        self.reply(client, &Message::Hint { id, node, mv });
        Ok(())
    }

    /// Deletes a problem of the user's own set.
    pub(super) fn drop_own_problem(&mut self, number: usize) -> Answer {
        let problem = self.problems.remove(number).ok_or_else(|| Refusal::new("no-such-problem"))?;
        self.dropped_problems.push((self.now.instant, problem));
        if self.problem.as_ref().is_some_and(|problem| problem.set == OWN && problem.lesson.is_none()) {
            let last = self.problems.count(OWN);
            if last == 0 || self.next_problem(OWN, Some(number.min(last))).is_err() {
                self.leave_problem()?;
            }
        }
        self.tell_hello();
        self.save();
        Ok(())
    }

    /// Plays the solution into the tree.
    pub(super) fn show_solution(&mut self) -> Answer {
        let none = || Refusal::new("no-problem");
        let problem = self.problem.as_mut().filter(|problem| problem.lesson.is_none()).ok_or_else(none)?;
        (problem.state, problem.judging) = (ProblemState::Shown, None);
        problem.text = Text::new("problem.solution");
        let study = Study::along(self.study.record.start(), &problem.solution)?;
        // The first move is seen at once.
        let cursor = study.record.main_line().next().unwrap_or(NodeId::ROOT);
        self.show_study(Study { cursor, ..study });
        self.tell(&self.problem_message());
        Ok(())
    }

    pub(super) fn leave_problem(&mut self) -> Answer {
        let problem = self.problem.take().ok_or_else(|| Refusal::new("no-problem"))?;
        self.show_study(problem.before);
        self.tell(&self.problem_message());
        self.tell(&self.game_message());
        if problem.has_new_review {
            self.changed();
        }
        self.save();
        Ok(())
    }

    /// Removes the problem from the board.
    pub(super) fn drop_problem(&mut self) {
        if let Some(problem) = self.problem.take() {
            self.study = problem.before;
            self.tell(&self.problem_message());
            if problem.has_new_review {
                self.changed();
            }
        }
    }

    pub(super) fn problem_message(&self) -> Message {
        let view = self.problem.as_ref().map(|problem| ProblemView {
            set: problem.set,
            plies: problem.plies,
            sfen: self.study.record.start().to_string(),
            number: problem.number,
            of: self.problems.count(problem.set),
            state: problem.state,
            text: problem.text.clone(),
            lesson: problem.lesson.as_ref().map(|lesson| lesson.view(problem.state == ProblemState::Solved)),
        });
        Message::Problem { problem: view }
    }

    /// Tells how many problems there are, and how many are solved.
    pub(super) fn tell_hello(&mut self) {
        let hello = Message::Hello(Box::new(self.hello()));
        self.tell(&hello);
    }

    /// Reads the user's own problems, which may take a while.
    pub(super) fn read_problems(&mut self, client: ClientId, id: u64, name: &str, data: &str) -> Answer {
        let text = atomic_file::text(decode(data)?).map_err(|_| Refusal::new("bad-file").with("name", name))?;
        self.open_problems(client, id, text)
    }

    /// Adds the problems of a text that a page has sent.
    pub(super) fn open_problems(&mut self, client: ClientId, id: u64, text: String) -> Answer {
        self.check_not_playing()?;
        self.add_problems(text, Some((client, id)));
        Ok(())
    }

    /// Reads problems for the user's own set. Without a page that asked for them, later pages are warned.
    pub(super) fn add_problems(&mut self, text: String, asked: Option<(ClientId, u64)>) {
        let job = self.number();
        self.reading.push((job, asked));
        self.outputs.push(Output::StartJob { job, kind: Job::ReadProblems(text) });
    }

    pub(super) fn problems_read(&mut self, job: JobId, ReadProblems { problems, unread }: ReadProblems) {
        let Some(place) = self.reading.iter().position(|(reading, _)| *reading == job) else { return };
        let (_, asked) = self.reading.swap_remove(place);
        let is_none = problems.is_empty();
        let numbers: Vec<Option<usize>> = problems.into_iter().map(|problem| self.problems.keep(problem)).collect();
        let refusal = match is_none {
            true => Some(Refusal::new("no-mate-problems")),
            false => numbers.contains(&None).then(|| Refusal::new("too-many-problems")),
        };
        let unread = (!is_none).then_some(unread.first()).flatten().map(|first| (first, unread.len()));
        let unread = unread.map(|(first, count)| Text::new("problem.unread").with("count", count).with("line", *first));
        match asked {
            Some((client, id)) => {
                unread.into_iter().for_each(|text| self.reply(client, &Message::Notice { text }));
                refusal.into_iter().for_each(|refusal| self.refuse(client, Some(id), refusal));
            }
            None => {
                let texts: Vec<Text> = unread.into_iter().chain(refusal.map(|refusal| refusal.text)).collect();
                texts.iter().for_each(|text| self.notice(text.clone()));
                self.warnings.extend(texts);
            }
        }
        self.tell_hello();
        self.save();
        if let Some(first) = numbers.into_iter().flatten().next() {
            // A game that began meanwhile goes on; then they only appear in the list.
            let _ = self.next_problem(OWN, Some(first));
        }
    }
}
