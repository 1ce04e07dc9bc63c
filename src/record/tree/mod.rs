//! `Record`: a game as a tree of legal moves with annotations, its edits, and its serialisation.

mod branch;
mod cursor;

use std::time::Duration;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use smallvec::SmallVec;

use super::{Evaluation, FormerEnd, Header, Mark, Notes};
use crate::shogi::{Game, Handicap, IllegalMove, Move, Position};

pub use branch::Branch;
pub use cursor::Cursor;

/// A node in the tree of a [`Record`]: the position after a move, or the start. It stays valid when other nodes are
/// added, moved or deleted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(u32);

impl NodeId {
    /// The start of the game.
    pub const ROOT: NodeId = NodeId(0);

    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move in a tree, its annotations and its continuations.
#[derive(Clone, Debug, Default)]
pub struct Node {
    mv: Option<Move>,
    parent: Option<NodeId>,
    children: SmallVec<[NodeId; 2]>,
    notes: Option<Box<Notes>>,
}

static NO_NOTES: Notes = Notes {
    comment: String::new(),
    mark: None,
    glyphs: Vec::new(),
    time: None,
    clock: None,
    evaluation: None,
    former_end: None,
};

impl Node {
    /// The move to this node; none at the start.
    pub fn mv(&self) -> Option<Move> {
        self.mv
    }

    /// The node before the move; none at the start.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The continuations: the first continues the line, the others are variations.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// The annotations of the move.
    pub fn notes(&self) -> &Notes {
        self.notes.as_deref().unwrap_or(&NO_NOTES)
    }
}

/// The reason why an edit is rejected. The tree is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError {
    /// The node was deleted or belongs to another record.
    #[error("there is no such place in the game any more")]
    NoSuchNode,
    /// The move is not legal there.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The start of the game cannot be deleted or moved.
    #[error("the start of the game stays where it is")]
    IsRoot,
}

/// A game as a tree: its start, its moves and their variations. All moves are legal.
#[derive(Clone, Debug)]
pub struct Record {
    /// The data of the game besides its moves.
    pub header: Header,
    start: Position,
    /// Deleted nodes leave a gap, so that no identifier is reused.
    nodes: Vec<Option<Node>>,
}

impl Record {
    /// A game from this position, without moves.
    pub fn new(start: Position) -> Record {
        Record { header: Header::default(), start, nodes: vec![Some(Node::default())] }
    }

    /// The start position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The handicap, if the game starts from a handicap position.
    pub fn handicap(&self) -> Option<Handicap> {
        Handicap::ALL.into_iter().find(|handicap| handicap.position() == self.start)
    }

    /// The Japanese names of the sides: in a handicap game they do not depend on the player who moves first.
    pub(crate) fn japanese_sides(&self) -> [&'static str; 2] {
        if self.handicap().is_some() { ["下手", "上手"] } else { ["先手", "後手"] }
    }

    /// A node, unless it was deleted.
    pub fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.index())?.as_ref()
    }

    fn node(&self, id: NodeId) -> Result<&Node, EditError> {
        self.get(id).ok_or(EditError::NoSuchNode)
    }

    fn node_mut(&mut self, id: NodeId) -> Result<&mut Node, EditError> {
        self.nodes.get_mut(id.index()).and_then(Option::as_mut).ok_or(EditError::NoSuchNode)
    }

    /// The number of moves, including all variations.
    pub fn len(&self) -> usize {
        self.nodes.iter().flatten().count() - 1
    }

    /// Whether there is no move.
    pub fn is_empty(&self) -> bool {
        self[NodeId::ROOT].children.is_empty()
    }

    /// The path from the start to a node, inclusive; empty if there is no such node.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let parents = std::iter::successors(self.get(id).map(|_| id), |&id| self.get(id)?.parent);
        let mut path: Vec<NodeId> = parents.collect();
        path.reverse();
        path
    }

    /// The moves from the start to a node.
    pub fn moves_to(&self, id: NodeId) -> Vec<Move> {
        self.path(id).into_iter().filter_map(|id| self.get(id)?.mv).collect()
    }

    /// The position at a node, replayed from the start.
    pub fn position(&self, id: NodeId) -> Option<Position> {
        self.get(id)?;
        Some(self.start.after_line(&self.moves_to(id)))
    }

    /// The game up to a node, with the history that the rules need, under the header's impasse rule.
    pub fn game(&self, id: NodeId) -> Option<Game> {
        self.get(id)?;
        let mut game = Game::new(self.start.clone());
        if let Some(impasse) = self.header.impasse {
            game = game.with_impasse(impasse.rule, impasse.plies);
        }
        self.moves_to(id).into_iter().try_for_each(|mv| game.play(mv)).ok()?;
        Some(game)
    }

    /// The line after a node along first children, without the node itself.
    pub fn line_from(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let next = |id: NodeId| self.get(id)?.children.first().copied();
        std::iter::successors(next(id), move |&id| next(id))
    }

    /// The main line: the game as played, without the start.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.line_from(NodeId::ROOT)
    }

    /// The moves of the main line.
    pub fn main_moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.main_line().filter_map(|id| self.get(id)?.mv)
    }

    /// The last node of the main line; the start if there are no moves.
    pub fn main_end(&self) -> NodeId {
        self.main_line().last().unwrap_or(NodeId::ROOT)
    }

    /// All nodes, each before its descendants, lines before their variations.
    pub fn walk(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut waiting = vec![NodeId::ROOT];
        std::iter::from_fn(move || {
            let id = waiting.pop()?;
            waiting.extend(self[id].children.iter().rev());
            Some(id)
        })
    }

    /// The node after a move, if the move exists there.
    pub fn child(&self, id: NodeId, mv: Move) -> Option<NodeId> {
        self.get(id)?.children.iter().copied().find(|&child| self[child].mv == Some(mv))
    }

    /// Plays a move at a node: returns its node, which is added as the last variation if it is new. The time is linear
    /// in the number of moves before; use [`Record::cursor`] for whole games.
    ///
    /// # Errors
    /// [`EditError`] if the move is illegal or the node was deleted.
    pub fn play(&mut self, id: NodeId, mv: Move) -> Result<NodeId, EditError> {
        self.cursor(id)?.play(mv)
    }

    /// As [`Record::play`], for a legal move at an existing node.
    pub(super) fn add(&mut self, parent: NodeId, mv: Move) -> NodeId {
        if let Some(child) = self.child(parent, mv) {
            return child;
        }
        let child = NodeId(u32::try_from(self.nodes.len()).expect("a tree has fewer than 2^32 moves"));
        self.nodes.push(Some(Node { mv: Some(mv), parent: Some(parent), ..Node::default() }));
        self.node_mut(parent).expect("moves are added to places that are there").children.push(child);
        child
    }

    /// Deletes a move and all its continuations.
    ///
    /// # Errors
    /// [`EditError`] if it is the start or was deleted already.
    pub fn delete(&mut self, id: NodeId) -> Result<(), EditError> {
        self.detach(id).map(|_| ())
    }

    /// Moves a variation up by one, before its previous sibling. The first one stays.
    ///
    /// # Errors
    /// [`EditError`] if it is the start or was deleted.
    pub fn promote(&mut self, id: NodeId) -> Result<(), EditError> {
        let parent = self.node(id)?.parent.ok_or(EditError::IsRoot)?;
        let siblings = &mut self.node_mut(parent)?.children;
        if let Some(place) = siblings.iter().position(|child| *child == id).filter(|&place| place > 0) {
            siblings.swap(place, place - 1);
        }
        Ok(())
    }

    /// Makes the path to a node the main line.
    ///
    /// # Errors
    /// [`EditError`] if the node was deleted.
    pub fn make_main(&mut self, id: NodeId) -> Result<(), EditError> {
        self.node(id)?;
        for pair in self.path(id).windows(2) {
            let siblings = &mut self.node_mut(pair[0])?.children;
            if let Some(place) = siblings.iter().position(|child| *child == pair[1]) {
                siblings[..=place].rotate_right(1);
            }
        }
        Ok(())
    }

    /// Sorts the continuations of a node into this order; those not named come last.
    ///
    /// # Errors
    /// [`EditError`] if the node was deleted.
    pub fn reorder(&mut self, id: NodeId, order: &[NodeId]) -> Result<(), EditError> {
        let place = |child: &NodeId| order.iter().position(|named| named == child).unwrap_or(order.len());
        self.node_mut(id)?.children.sort_by_key(place);
        Ok(())
    }

    /// Changes the notes of a node. The line of an evaluation must be legal, and the start has no mark and no times.
    pub(super) fn note(&mut self, id: NodeId, change: impl FnOnce(&mut Notes)) -> Result<(), EditError> {
        let node = self.node_mut(id)?;
        change(node.notes.get_or_insert_default());
        node.notes.take_if(|notes| notes.is_empty());
        Ok(())
    }

    /// Sets the comment of a move, or of the start. Surrounding space and trailing space of lines are removed; line
    /// ends are `\n`.
    ///
    /// # Errors
    /// [`EditError`] if the node was deleted, as for all annotations.
    pub fn set_comment(&mut self, id: NodeId, comment: &str) -> Result<(), EditError> {
        let comment = tidy(comment);
        self.note(id, |notes| notes.comment = comment)
    }

    /// Appends lines to the comment, in time linear in their length.
    pub(crate) fn add_comment(&mut self, id: NodeId, comment: &str) -> Result<(), EditError> {
        let comment = tidy(comment);
        if comment.is_empty() {
            return self.node(id).map(|_| ());
        }
        self.note(id, |notes| {
            if !notes.comment.is_empty() {
                notes.comment.push('\n');
            }
            notes.comment += &comment;
        })
    }

    /// Sets the mark of a move. The start has none.
    ///
    /// # Errors
    /// [`EditError`] if the node was deleted or is the start.
    pub fn set_mark(&mut self, id: NodeId, mark: Option<Mark>) -> Result<(), EditError> {
        self.node(id)?.parent.ok_or(EditError::IsRoot)?;
        self.note(id, |notes| notes.mark = mark)
    }

    /// Adds a glyph. The first one that is a mark becomes the move's mark.
    pub(super) fn add_glyph(&mut self, id: NodeId, nag: u8) -> Result<(), EditError> {
        let mark = Mark::from_nag(nag).filter(|_| id != NodeId::ROOT);
        self.note(id, |notes| match mark {
            Some(mark) if notes.mark.is_none_or(|own| own == mark) => notes.mark = Some(mark),
            _ if notes.glyphs.contains(&nag) => {}
            _ => notes.glyphs.push(nag),
        })
    }

    /// Sets the player's thinking time.
    ///
    /// # Errors
    /// [`EditError`] if the node was deleted or is the start.
    pub fn set_time(&mut self, id: NodeId, time: Option<Duration>) -> Result<(), EditError> {
        self.node(id)?.parent.ok_or(EditError::IsRoot)?;
        self.note(id, |notes| notes.time = time)
    }

    /// Sets the end after which the game was continued.
    ///
    /// # Errors
    /// [`EditError`] if the node was deleted.
    pub fn set_former_end(&mut self, id: NodeId, end: Option<FormerEnd>) -> Result<(), EditError> {
        self.note(id, |notes| notes.former_end = end)
    }

    /// Sets an engine's evaluation. Its line is truncated before the first illegal move.
    ///
    /// # Errors
    /// [`EditError`] if the node was deleted.
    pub fn set_evaluation(&mut self, id: NodeId, evaluation: Option<Evaluation>) -> Result<(), EditError> {
        let evaluation = match evaluation {
            Some(mut evaluation) if !evaluation.line.is_empty() => {
                let position = self.position(id).ok_or(EditError::NoSuchNode)?;
                evaluation.line = position.legal_prefix(evaluation.line);
                Some(evaluation)
            }
            evaluation => evaluation,
        };
        self.set_legal_evaluation(id, evaluation)
    }

    /// Sets all annotations of a move, or those of the start, which has no mark and no times.
    ///
    /// # Errors
    /// [`EditError`] if the node was deleted.
    pub fn set_notes(&mut self, id: NodeId, notes: Notes) -> Result<(), EditError> {
        self.set_evaluation(id, notes.evaluation)?;
        self.note(id, |own| {
            own.comment = tidy(&notes.comment);
            (own.glyphs, own.former_end) = (notes.glyphs, notes.former_end);
            if id != NodeId::ROOT {
                (own.mark, own.time, own.clock) = (notes.mark, notes.time, notes.clock);
            }
        })
    }

    /// As [`Record::set_evaluation`], with a legal line.
    pub(super) fn set_legal_evaluation(&mut self, id: NodeId, evaluation: Option<Evaluation>) -> Result<(), EditError> {
        self.note(id, |notes| notes.evaluation = evaluation.filter(|evaluation| !evaluation.is_empty()))
    }
}

impl std::ops::Index<NodeId> for Record {
    type Output = Node;

    /// The node with this identifier.
    ///
    /// # Panics
    /// If it was deleted or belongs to another record; [`Record::get`] returns an option instead.
    fn index(&self, id: NodeId) -> &Node {
        self.get(id).expect("the place is in the record")
    }
}

impl PartialEq for Record {
    /// Compares header, start (with its move number), moves, order of variations and annotations, but not the
    /// identifiers of nodes.
    fn eq(&self, other: &Record) -> bool {
        // Both are walked in the same order: if the numbers of children are equal everywhere, so are the trees.
        fn nodes(record: &Record) -> impl Iterator<Item = (Option<Move>, usize, &Notes)> {
            record.walk().map(move |id| (record[id].mv, record[id].children.len(), record[id].notes()))
        }
        let start = |record: &Record| (record.start.clone(), record.start.move_number());
        self.header == other.header && start(self) == start(other) && nodes(self).eq(nodes(other))
    }
}

/// Removes space around a comment and at the ends of its lines, which become `\n`.
fn tidy(comment: &str) -> String {
    let lines = comment.trim().replace("\r\n", "\n").replace('\r', "\n");
    lines.split('\n').map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// For programs that show games: `{"header": …, "start": SFEN, "nodes": […]}`. Nodes are in the order of
/// [`Record::walk`], each `{"id", "parent", "move", "children", "notes"}`.
impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Written<'a> {
            id: NodeId,
            parent: Option<NodeId>,
            #[serde(rename = "move")]
            mv: Option<Move>,
            children: &'a [NodeId],
            notes: &'a Notes,
        }
        let written = |id| {
            let node: &Node = &self[id];
            Written { id, parent: node.parent, mv: node.mv, children: &node.children, notes: node.notes() }
        };
        let nodes: Vec<Written> = self.walk().map(written).collect();
        let mut record = serializer.serialize_struct("Record", 3)?;
        record.serialize_field("header", &self.header)?;
        record.serialize_field("start", &self.start.to_string())?;
        record.serialize_field("nodes", &nodes)?;
        record.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of four moves, with variations at the second.
    pub(super) fn tree() -> (Record, Vec<NodeId>) {
        let mut record = Record::new(Position::startpos());
        let mut ids = Vec::new();
        let mut play = |at: NodeId, mv: &str| {
            let id = record.play(at, mv.parse().unwrap()).unwrap();
            ids.push(id);
            id
        };
        let first = play(NodeId::ROOT, "6e6d");
        let second = play(first, "1b1c");
        let third = play(second, "5f5e");
        play(third, "2a2b");
        let other = play(first, "2a2b");
        play(other, "1f1e");
        play(first, "1a2b");
        (record, ids)
    }

    pub(super) fn moves(record: &Record, id: NodeId) -> String {
        record.moves_to(id).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_move_is_found_or_added() {
        let (mut record, ids) = tree();
        assert_eq!(record.len(), 7);
        assert_eq!(record.play(ids[0], "2a2b".parse().unwrap()), Ok(ids[4]));
        assert_eq!(record.len(), 7);
        assert_eq!(moves(&record, ids[5]), "6e6d 2a2b 1f1e");
        let illegal = "6e6d".parse().unwrap();
        assert_eq!(record.play(ids[0], illegal), Err(EditError::Illegal(IllegalMove(illegal))));
        assert_eq!(record.main_line().collect::<Vec<_>>(), ids[..4]);
        assert_eq!(record.game(ids[3]).unwrap().moves().len(), 4);
    }

    #[test]
    fn variations_are_promoted_and_deleted_and_places_stay() {
        let (mut record, ids) = tree();
        let children = |record: &Record| record[ids[0]].children().to_vec();
        record.promote(ids[6]).unwrap();
        assert_eq!(children(&record), [ids[1], ids[6], ids[4]]);
        record.promote(ids[6]).unwrap();
        record.promote(ids[6]).unwrap();
        assert_eq!(children(&record), [ids[6], ids[1], ids[4]]);
        record.make_main(ids[5]).unwrap();
        assert_eq!(children(&record), [ids[4], ids[6], ids[1]]);
        assert_eq!(record.main_end(), ids[5]);
        record.delete(ids[1]).unwrap();
        assert_eq!(children(&record), [ids[4], ids[6]]);
        for gone in [ids[1], ids[2], ids[3]] {
            assert!(record.get(gone).is_none() && record.position(gone).is_none() && record.path(gone).is_empty());
            assert_eq!(record.set_comment(gone, "x"), Err(EditError::NoSuchNode));
            assert_eq!(record.play(gone, "5f5e".parse().unwrap()), Err(EditError::NoSuchNode));
        }
        assert_eq!(moves(&record, ids[5]), "6e6d 2a2b 1f1e");
        // The identifier of a deleted node is not reused.
        let new = record.play(ids[0], "1b1c".parse().unwrap()).unwrap();
        assert!(!ids.contains(&new));
        for refused in [record.delete(NodeId::ROOT), record.promote(NodeId::ROOT)] {
            assert_eq!(refused, Err(EditError::IsRoot));
        }
        for child in record[NodeId::ROOT].children().to_vec() {
            record.delete(child).unwrap();
        }
        assert!(record.is_empty() && record.walk().count() == 1);
    }

    #[test]
    fn records_are_equal_if_their_trees_are() {
        let (record, ids) = tree();
        let mut other = record.clone();
        assert_eq!(record, other);
        other.delete(ids[1]).unwrap();
        assert_ne!(record, other);
        for mv in ["1b1c", "5f5e", "2a2b"] {
            let end = if mv == "1b1c" { ids[0] } else { NodeId(other.nodes.len() as u32 - 1) };
            other.play(end, mv.parse().unwrap()).unwrap();
        }
        assert_ne!(record, other, "the variation has become the main line");
        other.make_main(NodeId(other.nodes.len() as u32 - 1)).unwrap();
        assert_eq!(record, other);
        other.set_comment(ids[0], " good\r\n ").unwrap();
        assert_eq!(other[ids[0]].notes().comment, "good");
        assert_ne!(record, other);
        other.set_comment(ids[0], "").unwrap();
        assert_eq!(record, other);
    }

    #[test]
    fn an_evaluation_keeps_the_legal_part_of_its_line() {
        let (mut record, ids) = tree();
        let line = ["1b1c", "5f5e", "5f5e"].map(|mv| mv.parse().unwrap()).to_vec();
        record.set_evaluation(ids[0], Some(Evaluation { line, ..Evaluation::default() })).unwrap();
        assert_eq!(record[ids[0]].notes().evaluation.as_ref().unwrap().line.len(), 2);
        record.set_evaluation(ids[0], Some(Evaluation::default())).unwrap();
        assert!(record[ids[0]].notes().is_empty());
    }

    #[test]
    fn programs_get_a_flat_list_of_nodes() {
        let (mut record, ids) = tree();
        record.set_mark(ids[0], Some(Mark::Interesting)).unwrap();
        record.set_time(ids[0], Some(Duration::from_millis(1500))).unwrap();
        let json = serde_json::to_value(&record).unwrap();
        assert_eq!(json["start"], record.start().to_string());
        assert_eq!(json["nodes"].as_array().unwrap().len(), 8);
        let first = &json["nodes"][1];
        assert_eq!((&first["move"], &first["parent"]), (&"6e6d".into(), &0.into()));
        assert_eq!((&first["notes"]["mark"], &first["notes"]["time"]), (&"!?".into(), &1500.into()));
        let notes: Notes = serde_json::from_value(first["notes"].clone()).unwrap();
        assert_eq!(notes, *record[ids[0]].notes());
    }

    #[test]
    fn a_deep_tree_neither_overflows_the_stack_nor_takes_long() {
        let mut record = Record::new("5k/6/6/6/6/K5 b - 1".parse().unwrap());
        let mut cursor = record.cursor(NodeId::ROOT).unwrap();
        for mv in ["6f6e", "1a1b", "6e6f", "1b1a"].iter().cycle().take(200_000) {
            cursor.play(mv.parse().unwrap()).unwrap();
        }
        assert_eq!(record.walk().count(), 200_001);
        assert_eq!(record, record.clone());
        record.delete(record[NodeId::ROOT].children()[0]).unwrap();
        assert_eq!(record.len(), 0);
    }
}
