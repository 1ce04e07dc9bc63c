//! The tree: moves, variations, comments, marks, header, and positions set up by hand.

use super::io::ClientId;
use super::study::{Edit, Study};
use super::{Answer, Refusal, State};
use crate::board::messages::text;
use crate::board::messages::{HeaderView, Message};
use crate::record::{Date, EditError, Mark, NodeId};
use crate::shogi::notation::any::{ParseAnyError, parse_any};
use crate::shogi::{Move, Position, PositionText, PositionTextError, Setup, SfenError};

/// The longest comment, in bytes.
const LONGEST_COMMENT: usize = 64 << 10;

/// The most characters of a typed move that an answer repeats.
const LONGEST_MOVE: usize = 40;

/// The longest field of the header, in bytes.
const LONGEST_NAME: usize = 1_000;

impl State {
    pub(super) fn go_to(&mut self, node: NodeId) -> Answer {
        self.study.record.get(node).ok_or(EditError::NoSuchNode)?;
        self.study.cursor = node;
        self.position_changed();
        if self.problem.is_none() {
            self.save();
        }
        Ok(())
    }

    pub(super) fn play_move(&mut self, node: NodeId, mv: Move) -> Answer {
        if self.problem.is_some() {
            return Err(Refusal::new("in-problem"));
        }
        // The move and the end of the time may come at once.
        self.time_is_up();
        if self.is_playing() {
            return self.human_move(node, mv);
        }
        if self.is_late_move(node) {
            return Err(Refusal::new("game-over"));
        }
        let before = self.study.record.len();
        let child = self.add_move(node, mv)?;
        if self.study.record.len() > before {
            self.edited(Edit::Added(child));
            self.changed();
        } else {
            self.save();
        }
        Ok(())
    }

    /// Reads a typed move. The page, which knows the legal moves, plays it or shows why not.
    pub(super) fn read_move(&mut self, client: ClientId, id: u64, node: NodeId, text: &str) -> Answer {
        let record = &self.study.record;
        let position = record.position(node).ok_or(EditError::NoSuchNode)?;
        let previous = record.get(node).and_then(|node| node.mv());
        let refused = |error| {
            let code = match error {
                ParseAnyError::NotAMove => "no-move",
                ParseAnyError::NoSuchMove => "illegal-move",
                ParseAnyError::Ambiguous => "ambiguous-move",
            };
            Refusal::new(code).with("move", text.chars().take(LONGEST_MOVE).collect::<String>())
        };
        let mv = parse_any(&position, text, previous).map_err(refused)?;
        self.reply(client, &Message::MoveRead { id, mv });
        Ok(())
    }

    /// Plays a move into the tree and goes there.
    pub(super) fn add_move(&mut self, node: NodeId, mv: Move) -> Result<NodeId, Refusal> {
        let (before, end) = (self.study.record.len(), self.study.record.main_end());
        let child = self.study.record.play(node, mv)?;
        if self.study.record.len() > before {
            // A game that ended here has no end for `child` to show.
            self.end_was(end);
            self.node_changed(child);
        }
        self.study.cursor = child;
        self.position_changed();
        Ok(child)
    }

    /// The end of a game belongs to the last move of its main line. If `end` was that move and is no longer, it gets
    /// the end as a note: otherwise a continued record would seem to end later.
    pub(super) fn end_was(&mut self, end: NodeId) {
        let record = &mut self.study.record;
        if !record.header.has_end() || record.main_end() == end {
            return;
        }
        let former = record.header.take_end();
        record.set_former_end(end, Some(former)).expect("its line is still there");
        self.header_changed();
        self.node_changed(end);
    }

    /// The reverse of [`State::end_was`]: the main line again ends where the game did.
    pub(super) fn end_is(&mut self) {
        let record = &mut self.study.record;
        let end = record.main_end();
        if record.header.has_end() {
            return;
        }
        let Some(former) = record[end].notes().former_end.clone() else { return };
        record.header.set_end(former);
        record.set_former_end(end, None).expect("its line ends there");
        self.header_changed();
        self.node_changed(end);
    }

    /// Rejects changes of the tree while a game is played or a problem is shown.
    pub(super) fn check_free(&self) -> Answer {
        if self.problem.is_some() {
            return Err(Refusal::new("in-problem"));
        }
        self.check_not_playing()
    }

    pub(super) fn promote(&mut self, node: NodeId) -> Answer {
        self.check_free()?;
        let end = self.study.record.main_end();
        let parent = self.study.record.get(node).and_then(|node| node.parent());
        let parents: Vec<NodeId> = parent.into_iter().collect();
        let before = self.orders(&parents);
        self.study.record.promote(node)?;
        self.reordered(&parents, before);
        self.end_was(end);
        self.end_is();
        self.changed();
        Ok(())
    }

    pub(super) fn make_main(&mut self, node: NodeId) -> Answer {
        self.check_free()?;
        let end = self.study.record.main_end();
        let path = self.study.record.path(node);
        let before = self.orders(&path);
        self.study.record.make_main(node)?;
        self.reordered(&path, before);
        self.end_was(end);
        self.end_is();
        self.changed();
        Ok(())
    }

    /// Reports the new order of the moves after these nodes, given the old one.
    fn reordered(&mut self, parents: &[NodeId], before: Vec<(NodeId, Vec<NodeId>)>) {
        self.order_changed(parents);
        if self.orders(parents) != before {
            self.edited(Edit::Order(before));
        }
    }

    /// The order of the moves after these places, where there are several.
    fn orders(&self, parents: &[NodeId]) -> Vec<(NodeId, Vec<NodeId>)> {
        let order = |&parent: &NodeId| (parent, self.study.record[parent].children().to_vec());
        parents.iter().map(order).filter(|(_, children)| children.len() > 1).collect()
    }

    /// Sends the order of the moves after these places, where there are several.
    pub(super) fn order_changed(&mut self, parents: &[NodeId]) {
        for (parent, children) in self.orders(parents) {
            self.tell(&Message::Order { parent, children });
        }
    }

    pub(super) fn comment(&mut self, node: NodeId, text: &str) -> Answer {
        if text.len() > LONGEST_COMMENT {
            return Err(Refusal::new("too-long"));
        }
        let text: String = text.chars().filter(|&c| c == '\n' || c == '\t' || !c.is_control()).collect();
        let before = self.study.record.get(node).map(|node| node.notes().comment.clone()).unwrap_or_default();
        self.study.record.set_comment(node, &text)?;
        if self.study.record[node].notes().comment != before {
            self.edited(Edit::Comment(node, before));
            self.changed();
        }
        self.node_changed(node);
        Ok(())
    }

    /// A move has one mark; of several the last one counts.
    pub(super) fn mark(&mut self, node: NodeId, marks: &[String]) -> Answer {
        let marks: Option<Vec<Mark>> = marks.iter().map(|sign| Mark::from_sign(sign)).collect();
        let mark = marks.ok_or_else(|| Refusal::new("bad-mark"))?.last().copied();
        let before = self.study.record.get(node).and_then(|node| node.notes().mark);
        self.study.record.set_mark(node, mark)?;
        if mark != before {
            self.edited(Edit::Mark(node, before));
            self.changed();
        }
        self.node_changed(node);
        Ok(())
    }

    /// Sets the fields of the header that people may edit; handicap, result and reason stay.
    pub(super) fn set_header(&mut self, header: HeaderView) -> Answer {
        let date = match header.date.as_deref().map(str::trim).filter(|date| !date.is_empty()) {
            Some(text) => Some(Date::parse(text).ok_or_else(|| Refusal::new("bad-date"))?),
            None => None,
        };
        let texts = [header.black, header.white, header.event, header.site, header.round, header.time_control];
        texts.iter().flatten().try_for_each(|text| check_name(text))?;
        let [black, white, event, site, round, time_control] = texts.map(|text| plain(&text.unwrap_or_default()));
        let own = &mut self.study.record.header;
        let before = own.clone();
        own.players = [black, white];
        (own.event, own.site, own.round, own.date) = (event, site, round, date);
        // The page shows Black's time control: if it is unchanged, so is White's, which may differ.
        if time_control != own.time_controls[0] {
            own.time_controls = [time_control.clone(), time_control];
        }
        if *own != before {
            self.edited(Edit::Header(Box::new(before)));
            self.changed();
        }
        // The page waits for it.
        self.header_changed();
        Ok(())
    }

    /// A fresh study, from a position or the usual start. It closes the list of games.
    pub(super) fn new_study(&mut self, sfen: Option<&str>) -> Answer {
        let start = sfen.map_or_else(|| Ok(Position::startpos()), parse_position)?;
        // A position is work, too.
        self.replace_games(Study { unsaved: sfen.is_some(), ..Study::new(start) }, None);
        Ok(())
    }

    /// A study from a position that was set up, beside the list of games.
    pub(super) fn set_position(&mut self, sfen: &str) -> Answer {
        self.replace_study(Study { unsaved: true, ..Study::new(parse_position(sfen)?) });
        Ok(())
    }

    pub(super) fn check_position(&mut self, client: ClientId, id: u64, sfen: &str) -> Answer {
        let bad = |_| Refusal::new("bad-message").with("error", "the board has 36 squares with pieces of the game");
        let setup: Setup = sfen.parse().map_err(bad)?;
        let (problems, kingless) = match setup.mate_problem() {
            Ok(position) => (Vec::new(), position.kingless().is_some()),
            Err(problem) => (vec![text::invalid(&problem)], false),
        };
        self.reply(client, &Message::Edited { id, problems, kingless });
        Ok(())
    }
}

/// Rejects a field of the header that is too long.
pub(super) fn check_name(text: &str) -> Answer {
    if text.len() > LONGEST_NAME { Err(Refusal::new("too-long")) } else { Ok(()) }
}

/// A field of the header without control characters; none if it is empty.
pub(super) fn plain(text: &str) -> Option<String> {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Reads a position in the syntax of [`PositionText`](crate::shogi::PositionText).
pub(super) fn parse_position(text: &str) -> Result<Position, Refusal> {
    PositionText::new(text).position().map_err(|error| match error {
        PositionTextError::Sfen(SfenError::Invalid(problem)) => {
            Refusal { code: "bad-position", text: text::invalid(&problem) }
        }
        error => Refusal::new("bad-sfen").with("error", error.to_string()),
    })
}
