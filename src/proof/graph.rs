//! Positions with the attacker to move, and what is known of them.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::search::score::DECIDED_BOUND;
use crate::shogi::impasse::may_declare;
use crate::shogi::{Color, GameHistory, Hand, ImpasseRule, Move, Position};

/// The proof number of what cannot be proven.
pub const UNPROVABLE: u32 = 1 << 20;

/// The proof number of a position that a search takes for lost.
const LOST: u32 = 1 << 10;

/// The [`patience`] before the first move; every move doubles it.
const PATIENCE: u32 = 8;

/// The index of a node, in the order in which nodes were added.
pub type NodeId = u32;

/// The start, which is no node: the attacker may not be to move there.
pub const START: NodeId = NodeId::MAX;

/// What is known of a position by itself, before any move is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Found {
    /// The mate solver has proven a mate in so many plies at most.
    Mate(u16),
    /// The best move by a search.
    Move(Candidate),
    /// The attacker has no move and has lost.
    NoMove,
}

/// A move that may win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Candidate {
    #[serde(with = "crate::book::growth::moves")]
    pub mv: Move,
    /// Its score for the attacker, in centipawns; decided games as [`crate::search::score`] has them.
    pub score: i16,
}

/// A position with the attacker to move.
#[derive(Clone, Debug)]
pub struct Node {
    /// The key of the board, which with the attacker's hand makes the position.
    pub(super) board: u64,
    pub(super) hand: Hand,
    /// What is known of it by itself.
    pub found: Found,
    /// The moves that were tried, in order.
    pub tries: Vec<Try>,
    /// How hard it seems to prove: the proof number, 0 if it is proven.
    pub proof: u32,
    /// The proof number of the next move that would be tried.
    pub(super) rest: u32,
    /// A position on the same board that is proven with no more in hand, and with it this one.
    pub covered_by: Option<NodeId>,
    /// When it was proven: what its proof rests on has a lower rank.
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
    /// The move; none at a start where the attacker moves.
    pub mv: Option<Move>,
    /// Where it leads; none where the impasse rule may end the game.
    pub node: Option<NodeId>,
    /// It leads back to a position that was passed on the way here, so that it is not to be proven this way.
    pub(super) barred: bool,
}

/// Work that was done for a node: a move is tried.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Expansion {
    /// The node, or [`START`].
    pub node: NodeId,
    /// The move; none if there is no other left, and for the start.
    pub tried: Option<Candidate>,
    /// What was found after replies, by their index. Replies to positions that were known are missing.
    pub found: Vec<(u16, Found)>,
}

/// Why an expansion does not fit the graph.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MisfitError {
    /// There is no such node.
    #[error("there is no position {0}")]
    Node(NodeId),
    /// The move is not legal in the position, or was tried before.
    #[error("{1} is no new move in position {0}")]
    Move(NodeId, Move),
    /// Nothing was found for a new position.
    #[error("nothing was found after reply {1} in position {0}")]
    Nothing(NodeId, usize),
}

/// What is known about whether the attacker can force a mate.
#[derive(Clone, Debug)]
pub struct Graph {
    start: Position,
    attacker: Color,
    rule: ImpasseRule,
    /// The replies at the start, once they were looked at. If the attacker moves there, the start itself.
    pub(super) root: Option<Box<[Reply]>>,
    pub(super) nodes: Vec<Node>,
    /// From where each node was reached first, and by which moves.
    origins: Vec<(NodeId, Option<Move>, Option<Move>)>,
    /// All nodes with the same board.
    pub(super) by_board: HashMap<u64, SmallVec<[NodeId; 2]>>,
    pub(super) proven: u32,
}

impl Graph {
    /// Nothing is known yet. `rule` is the impasse rule in force: positions in which some history would let it end the game
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

    /// The replies at the start. If the attacker moves there, one that is no move.
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

    /// How many nodes are proven.
    pub fn proven(&self) -> u32 {
        self.proven
    }

    /// The node of a position with the attacker to move.
    pub fn find(&self, position: &Position) -> Option<NodeId> {
        let (board, hand) = (position.board_key(), position.hand(self.attacker));
        self.by_board.get(&board)?.iter().copied().find(|&id| self.node(id).hand == hand)
    }

    /// A proven node with the same board and no more in hand. Whoever has more pieces in hand, and the opponent fewer, wins
    /// in the same way (dominance; Nagai 2002).
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
        let mut position = self.start.clone();
        self.moves_to(id).into_iter().for_each(|mv| position.play_unchecked(mv));
        position
    }

    /// Whether the game may end in a position by the impasse rule: after some history, or because the opponent declares.
    pub(super) fn may_end(&self, position: &Position) -> bool {
        let declares = self.rule.is_declared() && position.side_to_move() != self.attacker;
        self.rule.may_end(position) || declares && may_declare(position)
    }

    /// Whether the impasse rule denies the attacker the win at the start: the game is over, or the opponent may declare.
    pub(super) fn is_lost_at_once(&self) -> bool {
        // A game that begins has no quiet plies behind it.
        let decision = self.rule.decision(&self.start, &GameHistory::new(&self.start), u32::MAX);
        decision.is_some_and(|decision| decision.winner(self.start.side_to_move()) != Some(self.attacker))
    }

    /// Where the attacker's move in a position may lead: every legal reply with the position after it, [`None`] where the
    /// impasse rule may end the game. Without a move: the position's own replies, or itself if the attacker moves there.
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

    /// Adds what was done. The same expansions in the same order make the same graph.
    ///
    /// # Errors
    /// [`MisfitError`]; the graph may have part of it then.
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
            // One reply that nothing answers stands for the end of the game.
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
                        // What is covered needs no move of its own.
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

/// The proof number of a position that was searched only: the better it is for the attacker, the less.
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

/// How much more than it seemed to take a move may take before another is tried, after so many moves.
fn patience(tries: usize) -> u32 {
    PATIENCE << tries.min(8)
}
