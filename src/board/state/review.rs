//! The review of the game on the board, and moves tried again.

use std::sync::Arc;

use super::io::{ClientId, Job, JobId, Output};
use super::reviewed::Reviewed;
use super::view;
use super::{Answer, Refusal, Reviewing, State, TaskKind};
use crate::board::messages::text::Text;
use crate::board::messages::{Message, ReviewState, ReviewView, ReviewedMove};
use crate::record::{EditError, NodeId};
use crate::review::{INACCURACY, MoveReview, Progress, Review, win_chance};
use crate::score::Score;
use crate::shogi::Move;

/// The most nodes for each position.
const MOST_NODES: u64 = 100_000_000;

impl State {
    pub(super) fn start_review(&mut self, nodes: u64) -> Answer {
        // A site asks to go on with a review when a problem may already cover the study.
        self.check_not_playing()?;
        if let Some(review) = &self.review {
            // A double click asks twice.
            return if review.nodes == nodes { Ok(()) } else { Err(Refusal::new("in-review")) };
        }
        let record = &self.own_study().record;
        if record.is_empty() {
            return Err(Refusal::new("no-moves"));
        }
        if !(1..=MOST_NODES).contains(&nodes) {
            return Err(Refusal::new("bad-nodes"));
        }
        let record = Box::new(record.clone());
        self.stop_analyses();
        let job = self.number();
        let view = ReviewView {
            state: ReviewState::Running,
            done: 0,
            of: record.main_line().count() as u64 + 1,
            left: 0.0,
            moves: Vec::new(),
            players: None,
            turning: Vec::new(),
        };
        self.interrupted_review = None;
        self.review = Some(Reviewing { job, nodes, since: self.now.instant, view });
        // It begins again if it is interrupted.
        self.save();
        self.tell(&self.review_message());
        let kind = Job::Review { record, nodes };
        self.outputs.push(Output::StartJob { job, kind });
        Ok(())
    }

    /// Begins the interrupted review again, unless its game has left the board.
    pub(super) fn resume_review(&mut self) -> Answer {
        self.interrupted_review.take().map_or(Ok(()), |nodes| self.start_review(nodes))
    }

    pub(super) fn stop_review(&mut self) -> Answer {
        let job = self.review.as_ref().ok_or_else(|| Refusal::new("no-review"))?.job;
        self.outputs.push(Output::StopJob(job));
        Ok(())
    }

    /// Breaks off a review under way: its game is not on the board any more.
    pub(super) fn drop_review(&mut self) {
        self.interrupted_review = None;
        if let Some(review) = self.review.take() {
            self.outputs.push(Output::StopJob(review.job));
        }
    }

    pub(super) fn review_goes_on(&mut self, job: JobId, Progress { done, total }: Progress) {
        let Some(review) = self.review.as_mut().filter(|review| review.job == job) else { return };
        // The page shows positions, the reviewer counts work.
        let share = done as f64 / total.max(1) as f64;
        review.view.done = (share * review.view.of as f64) as u64;
        review.view.left =
            self.now.instant.saturating_duration_since(review.since).as_secs_f64() * (1.0 - share) / share.max(0.001);
        if self.problem.is_none() {
            self.tell(&self.review_message());
        }
    }

    /// Adds the review that has ended to its study, which a problem may cover.
    pub(super) fn reviewed(&mut self, job: JobId, result: Result<Box<Review>, String>) {
        if self.review.take_if(|review| review.job == job).is_none() {
            return;
        }
        let Review { moves, complete, .. } = match result {
            Ok(review) => *review,
            Err(error) => {
                self.save();
                self.tell(&self.review_message());
                return self.notice(Text::verbatim(error));
            }
        };
        let own = self.own_study_mut();
        let review = Reviewed::of(&own.record, moves, complete);
        // A review that was stopped does not replace one that goes further.
        let is_there = |mv: &&ReviewedMove| own.record.get(mv.node).is_some();
        let goes_further =
            |before: &Arc<Reviewed>| before.view.moves.iter().filter(is_there).count() > review.view.moves.len();
        if !complete && own.review.as_ref().is_some_and(goes_further) {
            self.save();
            return self.tell(&self.review_message());
        }
        for mv in review.moves.iter().filter(|mv| mv.chance_after().is_some()) {
            // A move that was deleted meanwhile has no evaluation.
            let _ = own.record.set_evaluation(mv.node, mv.evaluation());
        }
        let nodes: Vec<NodeId> = review.moves.iter().map(|mv| mv.node).collect();
        own.review = Some(Arc::new(review));
        own.kept.is_current = false;
        if let Some(problem) = &mut self.problem {
            problem.has_new_review = true;
            return self.save();
        }
        // Not the whole study: one may be editing, or writing a comment.
        let nodes = nodes.into_iter().filter_map(|node| view::node(&self.study.record, node)).collect();
        self.tell(&Message::Nodes { nodes });
        self.tell(&self.position_message());
        self.tell(&self.review_message());
        self.changed();
    }

    pub(super) fn review_message(&self) -> Message {
        if self.problem.is_some() {
            return Message::Review { review: None };
        }
        let ended = self.study.review.as_ref().map(|review| &review.view);
        let mut review = self.review.as_ref().map(|review| &review.view).or(ended).cloned();
        // Moves may have been deleted since.
        let is_there = |node: NodeId| self.study.record.get(node).is_some();
        if let Some(review) = &mut review {
            review.moves.retain(|mv| is_there(mv.node));
            review.turning.retain(|&node| is_there(node));
        }
        Message::Review { review }
    }

    /// Goes before a move that was reviewed, or tries another one there.
    pub(super) fn learn(&mut self, client: ClientId, id: u64, node: NodeId, mv: Option<Move>) -> Answer {
        let parent = self.study.record.get(node).ok_or(EditError::NoSuchNode)?.parent().ok_or(EditError::IsRoot)?;
        let Some(mv) = mv else { return self.go_to(parent) };
        let position = self.study.record.position(parent).ok_or(EditError::NoSuchNode)?;
        if !position.is_legal(mv) {
            return Err(EditError::Illegal(crate::shogi::IllegalMove(mv)).into());
        }
        let reviewed = self.reviewed_move(node).ok_or_else(|| Refusal::new("not-reviewed"))?;
        let mates = reviewed.missed_mate.as_ref().is_some_and(|mate| mate.first() == Some(&mv));
        if mates || reviewed.best.first() == Some(&mv) {
            self.reply(client, &Message::Learned { id, good: true, best: true, loss: 0.0 });
        } else {
            self.run_task(parent, TaskKind::Try { client, id, mv });
        }
        Ok(())
    }

    fn reviewed_move(&self, node: NodeId) -> Option<&MoveReview> {
        self.study.review.as_ref()?.moves.iter().find(|mv| mv.node == node)
    }

    /// What a tried move is worth: the score of the side that answers it.
    pub(super) fn tried(&mut self, client: ClientId, id: u64, parent: NodeId, score: Option<Score>) {
        let is_there = |reviewed: &&MoveReview| {
            self.study.record.get(reviewed.node).and_then(|node| node.parent()) == Some(parent)
        };
        let reviewed = self.study.review.as_ref().and_then(|review| review.moves.iter().find(is_there));
        let before = reviewed.and_then(|reviewed| reviewed.before);
        let Some((before, score)) = before.zip(score) else {
            return self.refuse(client, Some(id), Refusal::new("no-answer"));
        };
        let loss = (win_chance(before) - (1.0 - win_chance(score))).max(0.0);
        let good = loss < INACCURACY;
        self.reply(client, &Message::Learned { id, good, best: false, loss });
    }
}
