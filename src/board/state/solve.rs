//! The search for a mate in a position, and the user's own problems that come from it.

use super::io::{Job, JobId, Output, Solved};
use super::problems::MateProblem;
use super::view;
use super::{Answer, Refusal, Solving, State};
use crate::board::messages::text::{self, Text};
use crate::board::messages::{Message, RivalView, SolveState, SolveView};
use crate::record::EditError;
use crate::shogi::{ParseSfenError, Setup};

impl State {
    /// Looks for a mate in a position, whose attacker may have no king: in this one, or at the cursor.
    pub(super) fn solve(&mut self, sfen: Option<&str>) -> Answer {
        self.check_free()?;
        let position = match sfen {
            Some(sfen) => {
                let bad = |error: ParseSfenError| Refusal::new("bad-sfen").with("error", error.to_string());
                let setup: Setup = sfen.parse().map_err(bad)?;
                let invalid = |problem| Refusal { code: "bad-position", text: text::invalid(&problem) };
                setup.mate_problem().map_err(invalid)?
            }
            None => self.study.record.position(self.study.cursor).ok_or(EditError::NoSuchNode)?,
        };
        self.drop_solving();
        let job = self.number();
        let view = SolveView {
            sfen: position.to_string(),
            state: SolveState::Running,
            nodes: 0,
            plies: None,
            shortest: false,
            moves: Vec::new(),
            text: view::line_text(&position, &[], None),
            unique: None,
            rivals: Vec::new(),
        };
        self.outputs.push(Output::StartJob { job, kind: Job::Solve(Box::new(position.clone())) });
        self.solving = Some(Solving { job, position, view });
        self.tell(&self.solve_message());
        Ok(())
    }

    pub(super) fn solving_goes_on(&mut self, job: JobId, nodes: u64, plies: Option<usize>) {
        let Some(solving) = self.solving.as_mut().filter(|solving| solving.job == job) else { return };
        (solving.view.nodes, solving.view.plies) = (nodes, plies);
        self.tell(&self.solve_message());
    }

    pub(super) fn solved(&mut self, job: JobId, solved: Solved) {
        let Some(Solving { position, view, .. }) = self.solving.as_mut().filter(|solving| solving.job == job) else {
            return;
        };
        match solved {
            Solved::NoMate => view.state = SolveState::None,
            Solved::Unknown => view.state = SolveState::Unknown,
            Solved::Mate { moves, plies, shortest, unique, rivals } => {
                (view.state, view.plies, view.shortest, view.unique) =
                    (SolveState::Mate, Some(plies), shortest, unique);
                view.text = view::line_text(position, &moves, None);
                let before = |ply: usize| position.after_line(&moves[..ply - 1]);
                let rival = |(ply, mv, plies)| RivalView { ply, text: view::move_text(&before(ply), mv, None), plies };
                view.rivals = rivals.into_iter().map(rival).collect();
                view.moves = moves;
            }
        }
        self.tell(&self.solve_message());
    }

    /// Aborts the search, which then has no answer, or closes its result.
    pub(super) fn stop_solving(&mut self) -> Answer {
        let solving = self.solving.as_ref().ok_or_else(|| Refusal::new("not-solved"))?;
        if solving.view.state == SolveState::Running {
            self.outputs.push(Output::StopJob(solving.job));
        } else {
            self.solving = None;
            self.tell(&self.solve_message());
        }
        Ok(())
    }

    /// Ends a search whose result is no longer needed; an existing result stays.
    pub(super) fn drop_solving(&mut self) {
        if let Some(solving) = self.solving.take_if(|solving| solving.view.state == SolveState::Running) {
            self.outputs.push(Output::StopJob(solving.job));
            self.tell(&self.solve_message());
        }
    }

    /// Adds the solved position to the user's own problems, unless the line is shorter than the mate: it has a weaker
    /// defence then.
    pub(super) fn keep_solved(&mut self) -> Answer {
        let is_solved = |view: &SolveView| view.plies.is_some_and(|plies| plies <= view.moves.len());
        let solving = self.solving.as_ref().filter(|solving| is_solved(&solving.view));
        let Solving { position, view, .. } = solving.ok_or_else(|| Refusal::new("not-solved"))?;
        let problem = MateProblem { position: position.clone(), solution: view.moves.clone() };
        self.problems.keep(problem).ok_or_else(|| Refusal::new("too-many-problems"))?;
        self.solving = None;
        self.tell(&self.solve_message());
        self.notice(Text::new("solve.kept"));
        self.tell_hello();
        self.save();
        Ok(())
    }

    pub(super) fn solve_message(&self) -> Message {
        Message::Solve { solve: self.solving.as_ref().map(|solving| solving.view.clone()) }
    }
}
