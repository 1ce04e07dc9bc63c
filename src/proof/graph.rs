//! Positions with the attacker to move, and the known results.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::search::score::DECIDED_BOUND;
use crate::shogi::impasse::may_declare;
use crate::shogi::{Color, GameHistory, Hand, ImpasseRule, Move, Position};

/// The proof number of a position that cannot be proven.
pub const UNPROVABLE: u32 = 1 << 20;

/// The proof number of a position that a search considers lost.
const LOST: u32 = 1 << 10;

/// The [`patience`] before the first move; every move doubles it.
const PATIENCE: u32 = 8;

/// The index of a node, in the order in which nodes were added.
pub type NodeId = u32;

/// The start, which is not a node, because the attacker may not be to move there.
pub const START: NodeId = NodeId::MAX;

/// The known result of a position before any move is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Found {
    /// The mate solver has proven a mate within this many plies.
    Mate(u16),
    /// The best move of a search.
    Move(Candidate),
    /// The attacker has no move and has lost; or the position is covered by another one and needs no move.
    NoMove,
}

/// A move that may win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Candidate {
    #[serde(with = "crate::book::growth::moves")]
    pub mv: Move,
    /// Its score for the attacker, in centipawns; decided games as in [`crate::search::score`].
    pub score: i16,
}

/// A position with the attacker to move.
#[derive(Clone, Debug)]
pub struct Node {
    /// The key of the board. Together with the attacker's hand it identifies the position.
    pub(super) board: u64,
    pub(super) hand: Hand,
    /// Its result before any move was tried.
    pub found: Found,
    /// The moves that were tried, in order.
    pub tries: Vec<Try>,
    /// The proof number: the estimated effort to prove it, 0 if it is proven.
    pub proof: u32,
    /// The proof number of the next move to try.
    pub(super) rest: u32,
    /// A proven position on the same board with a hand that this one covers, which proves this one.
    pub covered_by: Option<NodeId>,
    /// The time of its proof: its proof only depends on nodes of a lower rank.
    pub rank: u32,
    pub(super) parents: SmallVec<[NodeId; 2]>,
}

/// A move of the attacker, with all replies to it.
#[derive(Clone, Debug)]
pub struct Try {
    pub mv: Move,
    /// The replies, in the order of [`Position::legal_moves`].
    pub replies: Box<[Reply]>,
}

/// A reply to a move of the attacker.
#[derive(Clone, Copy, Debug)]
pub struct Reply {
    /// The move; none at a start with the attacker to move.
    pub mv: Option<Move>,
    /// The node after it; none where the impasse rule may end the game.
    pub node: Option<NodeId>,
    /// It leads back to a position on the path, so that it cannot be proven this way.
    pub(super) barred: bool,
}

/// An expansion of a node: trying one move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Expansion {
    /// The node, or [`START`].
    pub node: NodeId,
    /// The move; none if no other is left, and for the start.
    pub tried: Option<Candidate>,
    /// The results after replies, by their index. Replies to known positions are missing.
    pub found: Vec<(u16, Found)>,
}

/// The reason why an expansion does not fit the graph.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MisfitError {
    /// There is no such node.
    #[error("there is no position {0}")]
    Node(NodeId),
    /// The move is not legal in the position, or was tried before.
    #[error("{1} is not a new move in position {0}")]
    Move(NodeId, Move),
    /// A new position has no result.
    #[error("nothing was found after reply {1} in position {0}")]
    Nothing(NodeId, usize),
}

/// The knowledge about whether the attacker can force a mate.
#[derive(Clone, Debug)]
pub struct Graph {
    start: Position,
    attacker: Color,
    rule: ImpasseRule,
    /// The replies at the start, once it is expanded. If the attacker moves there, the start itself.
    pub(super) root: Option<Box<[Reply]>>,
    pub(super) nodes: Vec<Node>,
    /// The node and the moves from which each node was reached first.
    origins: Vec<(NodeId, Option<Move>, Option<Move>)>,
    /// All nodes with the same board.
    pub(super) by_board: HashMap<u64, SmallVec<[NodeId; 2]>>,
    pub(super) proven: u32,
}

impl Graph {
    /// An empty graph. `rule` is the impasse rule in force: positions in which it may end the game after some history
    /// are never proven.
    pub fn new(start: Position, attacker: Color, rule: ImpasseRule) -> Graph {
        let (nodes, origins, by_board) = (Vec::new(), Vec::new(), HashMap::new());
        Graph { start, attacker, rule, root: None, nodes, origins, by_board, proven: 0 }
    }

    pub fn start(&self) -> &Position {
        &self.start
    }

    pub fn attacker(&self) -> Color {
        self.attacker
    }

    /// The impasse rule in force.
    pub fn rule(&self) -> ImpasseRule {
        self.rule
    }

    /// The replies at the start. If the attacker moves there, one entry without a move.
    pub fn root(&self) -> &[Reply] {
        self.root.as_deref().unwrap_or_default()
    }

    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A node.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Whether a node was proven before the one of this rank.
    pub fn is_proven_before(&self, id: NodeId, rank: u32) -> bool {
        let node = self.node(id);
        node.proof == 0 && node.rank < rank
    }

    /// The number of proven nodes.
    pub fn proven(&self) -> u32 {
        self.proven
    }

    /// The node of a position with the attacker to move.
    pub fn find(&self, position: &Position) -> Option<NodeId> {
        let (board, hand) = (position.board_key(), position.hand(self.attacker));
        self.by_board.get(&board)?.iter().copied().find(|&id| self.node(id).hand == hand)
    }

    /// A proven node with the same board and an attacker's hand that this one covers: with more pieces in hand the
    /// attacker wins in the same way (dominance; Nagai 2002).
    pub fn covering(&self, position: &Position) -> Option<NodeId> {
        let (board, hand) = (position.board_key(), position.hand(self.attacker));
        let proves = |&id: &NodeId| self.node(id).proof == 0 && hand.covers(self.node(id).hand);
        self.by_board.get(&board)?.iter().copied().find(proves)
    }

    /// The moves by which a node was reached first.
    pub(super) fn moves_to(&self, mut id: NodeId) -> Vec<Move> {
        let mut moves = Vec::new();
        while id != START {
            let (parent, mv, reply) = self.origins[id as usize];
            moves.extend(reply.into_iter().chain(mv));
            id = parent;
        }
        moves.reverse();
        moves
    }

    pub fn position(&self, id: NodeId) -> Position {
        self.start.after_line(&self.moves_to(id))
    }

    /// Whether the impasse rule may end the game in a position: after some history, or because the opponent declares.
    pub(super) fn may_end(&self, position: &Position) -> bool {
        let declares = self.rule.is_declared() && position.side_to_move() != self.attacker;
        self.rule.may_end(position) || declares && may_declare(position)
    }

    /// Whether the impasse rule prevents the attacker's win at the start: the game is over, or the opponent may
    /// declare.
    pub(super) fn is_lost_at_once(&self) -> bool {
        // A game that begins has no quiet plies before it.
        let decision = self.rule.decision(&self.start, &GameHistory::new(&self.start), u32::MAX);
        decision.is_some_and(|decision| decision.winner(self.start.side_to_move()) != Some(self.attacker))
    }

    /// All legal replies to the attacker's move with the positions after them, [`None`] where the impasse rule may end
    /// the game. Without a move: the position's own replies, or the position itself if the attacker moves there.
    /// [`None`] if the rule may end the game before any reply.
    pub(super) fn replies(
        &self,
        position: &Position,
        mv: Option<Move>,
    ) -> Option<Vec<(Option<Move>, Option<Position>)>> {
        let after = mv.map_or_else(|| position.clone(), |mv| position.after(mv));
        let may_end = if mv.is_some() { self.may_end(&after) } else { self.is_lost_at_once() };
        if may_end {
            return None;
        }
        if after.side_to_move() == self.attacker {
            return Some(vec![(None, Some(after))]);
        }
        let reply = |reply| {
            let next = after.after(reply);
            (Some(reply), (!self.may_end(&next)).then_some(next))
        };
        Some(after.legal_moves().into_iter().map(reply).collect())
    }

    /// Adds an expansion. The same expansions in the same order yield the same graph.
    ///
    /// # Errors
    /// [`MisfitError`]; the graph may contain part of the expansion then.
    pub fn add(&mut self, expansion: &Expansion) -> Result<(), MisfitError> {
        let Expansion { node: id, tried, ref found } = *expansion;
        if id == START {
            let start = self.start.clone();
            self.root = Some(self.add_replies(id, &start, None, found)?);
            return Ok(());
        }
        let node = self.nodes.get_mut(id as usize).ok_or(MisfitError::Node(id))?;
        let Some(tried) = tried else {
            node.rest = UNPROVABLE;
            self.update([id]);
            return Ok(());
        };
        let known = node.tries.iter().any(|other| other.mv == tried.mv);
        let position = self.position(id);
        if known || !position.is_legal(tried.mv) {
            return Err(MisfitError::Move(id, tried.mv));
        }
        let replies = self.add_replies(id, &position, Some(tried.mv), found)?;
        let node = &mut self.nodes[id as usize];
        node.tries.push(Try { mv: tried.mv, replies });
        node.rest = estimate(tried.score) + patience(node.tries.len());
        self.update([id]);
        Ok(())
    }

    fn add_replies(
        &mut self,
        id: NodeId,
        position: &Position,
        mv: Option<Move>,
        found: &[(u16, Found)],
    ) -> Result<Box<[Reply]>, MisfitError> {
        let Some(replies) = self.replies(position, mv) else {
            // A single reply without a node represents the end of the game.
            return Ok([Reply { mv: None, node: None, barred: false }].into());
        };
        let mut added = Vec::with_capacity(replies.len());
        for (index, (reply, next)) in replies.into_iter().enumerate() {
            let node = match next {
                None => None,
                Some(next) => Some(match self.find(&next) {
                    Some(known) => known,
                    None => {
                        let covered_by = self.covering(&next);
                        let found = found.iter().find(|(of, _)| usize::from(*of) == index).map(|&(_, found)| found);
                        // A covered position needs no move.
                        let found = found.or(covered_by.map(|_| Found::NoMove));
                        let found = found.ok_or(MisfitError::Nothing(id, index))?;
                        self.add_node((id, mv, reply), &next, found, covered_by)
                    }
                }),
            };
            if let Some(node) = node {
                let parents = &mut self.nodes[node as usize].parents;
                if id != START && !parents.contains(&id) {
                    parents.push(id);
                }
            }
            added.push(Reply { mv: reply, node, barred: false });
        }
        Ok(added.into())
    }

    fn add_node(
        &mut self,
        origin: (NodeId, Option<Move>, Option<Move>),
        position: &Position,
        found: Found,
        covered_by: Option<NodeId>,
    ) -> NodeId {
        let id = NodeId::try_from(self.nodes.len()).expect("there are fewer than 2^32 positions");
        let (board, hand) = (position.board_key(), position.hand(self.attacker));
        let proof = match found {
            _ if covered_by.is_some() => 0,
            Found::Mate(_) => 0,
            Found::Move(candidate) => estimate(candidate.score),
            Found::NoMove => UNPROVABLE,
        };
        let (tries, parents) = (Vec::new(), SmallVec::new());
        self.nodes.push(Node { board, hand, found, tries, proof, rest: proof, covered_by, rank: 0, parents });
        self.origins.push(origin);
        self.by_board.entry(board).or_default().push(id);
        if proof == 0 {
            let parents = self.set_proven(id);
            self.update(parents);
        }
        id
    }
}

/// The proof number of a position that was only searched: lower for a better score.
fn estimate(score: i16) -> u32 {
    let score = i32::from(score);
    if score >= DECIDED_BOUND {
        1
    } else if score <= -DECIDED_BOUND {
        LOST
    } else {
        // A pawn counts as much as a reply.
        u32::try_from((4_000 - score) / 100).unwrap_or(0).clamp(2, LOST)
    }
}

/// The increase over its estimate that a move may reach before another is tried, after `tries` moves.
fn patience(tries: usize) -> u32 {
    PATIENCE << tries.min(8)
}
