//! The values of positions: minimax over a graph with cycles.
//!
//! A move to a position outside the graph has the score that a search gave it, and so do, together, the unknown moves
//! of a position. The values follow from these scores by retrograde analysis, like endgame tables: from the highest
//! score down, a position gets its value as soon as the player to move can reach it, or the opponent cannot avoid it.
//! Positions in which neither player can force an end are draws by sennichite. Where that would be a perpetual check,
//! which loses, values are raised for the opponent and propagated again, until nothing changes.
//!
//! # Approximations
//! - The value of a position does not depend on earlier moves, but in a game it may (the graph history interaction
//!   problem): here any cycle is a repetition; under the rules only the fourth occurrence is.
//! - The impasse rule is considered within each search, but not across searches.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use super::graph::{Edge, Graph, Node, NodeId, Parents, one_ply_earlier, outside};
use super::perpetual;
use crate::search::score::MATE;
use crate::shogi::{Color, Move};

/// The values of all positions of a graph, in centipawns for the side to move. Decided games are as in
/// [`crate::search::score`], and count as proven.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    values: Vec<i32>,
    /// The order in which values were found: a move to a position whose value was found earlier makes progress.
    order: Vec<u32>,
}

impl Values {
    pub fn new(graph: &Graph) -> Values {
        let parents = Parents::new(graph);
        let mut values = vec![0; graph.len()];
        let mut order = vec![u32::MAX; graph.len()];
        for attacker in Color::ALL {
            for (place, (id, value)) in (0..).zip(forced_wins(graph, &parents, attacker)) {
                let sign = if graph.node(id).side == attacker { 1 } else { -1 };
                values[id as usize] = sign * value;
                order[id as usize] = place;
            }
        }
        Values { values, order }
    }

    /// The value of a position, for its side to move.
    pub fn of(&self, id: NodeId) -> i32 {
        self.values[id as usize]
    }

    /// The value of a move for the player who makes it.
    pub fn of_move(&self, edge: &Edge) -> i32 {
        edge.child.map_or(i32::from(edge.score), |child| one_ply_earlier(-self.of(child)))
    }

    /// The index of the best known move of a position; none if no move is known. Among equal moves, one that makes
    /// progress.
    pub fn best(&self, node: &Node) -> Option<usize> {
        (0..node.edges.len()).min_by_key(|&index| self.rank(node, index))
    }

    /// The indices of the moves of a position, the best first.
    pub fn ranked(&self, node: &Node) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..node.edges.len()).collect();
        indices.sort_by_key(|&index| self.rank(node, index));
        indices
    }

    /// The sort key of a move; lower is better.
    fn rank(&self, node: &Node, index: usize) -> (Reverse<i32>, u32, usize) {
        let edge = &node.edges[index];
        let progress = edge.child.map_or(0, |child| self.order[child as usize]);
        (Reverse(self.of_move(edge)), progress, index)
    }

    /// The best line from a position: moves of the book until it ends or repeats, then the reply that a search
    /// expected.
    pub fn line(&self, graph: &Graph, id: NodeId) -> Vec<Move> {
        let (mut line, mut visited) = (Vec::new(), HashSet::from([id]));
        let mut node = graph.node(id);
        while let Some(edge) = self.best(node).map(|best| &node.edges[best]) {
            line.push(edge.mv);
            match edge.child {
                Some(child) if visited.insert(child) => node = graph.node(child),
                Some(_) => break,
                None => {
                    line.extend(edge.reply);
                    break;
                }
            }
        }
        line
    }
}

/// The positions in which a player can force a value above 0, given these values, in the order in which they were
/// found.
fn forced_wins(graph: &Graph, parents: &Parents, attacker: Color) -> Vec<(NodeId, i32)> {
    let checked = perpetual::has_cycle(graph, parents, !attacker);
    let mut raised = Vec::new();
    loop {
        let wins = wins(graph, parents, attacker, &raised);
        if !checked {
            return wins;
        }
        let mut forced = vec![0; graph.len()];
        wins.iter().for_each(|&(id, value)| forced[id as usize] = value);
        let more = perpetual::raised(graph, parents, !attacker, &forced);
        if more.is_empty() {
            return wins;
        }
        raised.extend(more);
    }
}

/// The state of a node while the attacker's wins are propagated.
#[derive(Clone)]
struct Spread {
    settled: bool,
    /// The number of the defender's moves to unsettled nodes.
    open: u32,
    /// The least value of the settled moves at a defender's node; 0 if he has a way out.
    least: i32,
}

/// The positions in which the attacker can force a value above 0 if cycles are draws, from the highest value down.
/// `least` has additional values that he can force.
fn wins(graph: &Graph, parents: &Parents, attacker: Color, least: &[(NodeId, i32)]) -> Vec<(NodeId, i32)> {
    let mut queue: BinaryHeap<(i32, NodeId)> = least.iter().map(|&(id, value)| (value, id)).collect();
    let mut spreads: Vec<Spread> = Vec::with_capacity(graph.len());
    for (id, node) in (0..).zip(graph.nodes()) {
        let open = node.edges.iter().filter(|edge| edge.child.is_some()).count() as u32;
        let mut spread = Spread { settled: false, open, least: MATE };
        if node.side == attacker {
            queue.extend(outside(node).max().filter(|&best| best > 0).map(|best| (best, id)));
        } else {
            // Without any move he is mated.
            spread.least = outside(node).map(|score| -score).min().unwrap_or(MATE).max(0);
            if open == 0 && spread.least > 0 {
                queue.push((spread.least, id));
            }
        }
        spreads.push(spread);
    }
    let mut found = Vec::new();
    while let Some((value, id)) = queue.pop() {
        if std::mem::replace(&mut spreads[id as usize].settled, true) {
            continue;
        }
        found.push((id, value));
        let value = one_ply_earlier(value);
        for &parent in parents.of(id) {
            let spread = &mut spreads[parent as usize];
            if graph.node(parent).side == attacker {
                if !spread.settled {
                    queue.push((value, parent));
                }
                continue;
            }
            spread.open -= 1;
            spread.least = spread.least.min(value);
            if spread.open == 0 && spread.least > 0 && !spread.settled {
                queue.push((spread.least, parent));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::growth::{Found, FoundLine, Start, Target, is_proven};
    use crate::shogi::Position;

    /// A graph of positions reached from the start, each a line of moves with its results: `move score`, and at the end
    /// the score of the other moves, if there are any.
    pub(super) struct Drawn(pub(super) Graph);

    impl Drawn {
        pub(super) fn id(&self, moves: &str) -> NodeId {
            let mut position = Position::startpos();
            moves.split_whitespace().for_each(|mv| position.play(mv.parse().unwrap()));
            self.0.find(&position).unwrap_or_else(|| panic!("'{moves}' is not in the graph"))
        }

        pub(super) fn new(positions: &[(&str, &str, Option<i16>)]) -> Drawn {
            let mut drawn = Drawn(Graph::default());
            for &(moves, results, rest) in positions {
                let words: Vec<&str> = results.split_whitespace().collect();
                let mut lines: Vec<FoundLine> = words
                    .chunks(2)
                    .map(|line| FoundLine {
                        mv: line[0].parse().unwrap(),
                        reply: None,
                        score: line[1].parse().unwrap(),
                    })
                    .collect();
                lines.sort_by_key(|line| -line.score);
                let found = Found { lines, complete: rest.is_none(), depth: 1, nodes: 1 };
                let target = match moves.rsplit_once(' ') {
                    None if moves.is_empty() => Target::Start(Start::Even),
                    split => {
                        let (before, last) = split.unwrap_or(("", moves));
                        let parent = drawn.id(before);
                        let edges = &drawn.0.node(parent).edges;
                        let edge = edges.iter().position(|edge| edge.mv.to_string() == last).unwrap();
                        Target::Move(parent, edge as u16)
                    }
                };
                drawn.0.add(target, &found).unwrap();
                if let Some(rest) = rest {
                    assert_eq!(drawn.0.nodes().last().unwrap().rest, Some(rest));
                }
            }
            drawn
        }

        fn value(&self, moves: &str) -> i32 {
            Values::new(&self.0).of(self.id(moves))
        }
    }

    #[test]
    fn the_best_move_counts_and_deeper_searches_replace_shallow_ones() {
        let mut positions = vec![("", "6e6d 40 5f5e 30", None)];
        assert_eq!(Drawn::new(&positions).value(""), 40);
        positions.push(("6e6d", "1b1c -10 2a2b -20", None));
        assert_eq!(Drawn::new(&positions).value(""), 30, "it is 10 only");
        positions.push(("5f5e", "1b1c -60", None));
        assert_eq!(Drawn::new(&positions).value(""), 60);
    }

    #[test]
    fn moves_that_were_not_searched_count_as_much_as_the_last_that_was() {
        let drawn =
            Drawn::new(&[("", "6e6d 40 5f5e 30", Some(30)), ("6e6d", "1b1c 100", None), ("5f5e", "1b1c 50", None)]);
        assert_eq!(drawn.value(""), 30);
        let values = Values::new(&drawn.0);
        assert_eq!(values.best(drawn.0.node(0)), Some(1), "of the moves that are known");
    }

    /// A cycle of four plies, which Black leaves with one score and White with another.
    fn round(black: i16, white: i16) -> Drawn {
        Drawn::new(&[
            ("", &format!("5f5e 0 2f3e {black}"), None),
            ("5f5e", &format!("2a2b 0 5a4b {white}"), None),
            ("5f5e 2a2b", &format!("5e5f 0 2f3e {black}"), None),
            ("5f5e 2a2b 5e5f", &format!("2b2a 0 5a4b {white}"), None),
        ])
    }

    #[test]
    fn the_side_giving_perpetual_check_must_deviate() {
        let check = |drawn: &mut Drawn, moves: &[&str]| {
            for moves in moves {
                let id = drawn.id(moves);
                drawn.0.pretend_check(id, 0);
            }
        };
        for (black, white, even, black_checks, white_checks) in
            [(-50, -70, 0, -50, 70), (50, -70, 50, 50, 70), (-50, 30, -30, -50, -30), (10, 30, 10, 10, 10)]
        {
            let mut drawn = round(black, white);
            assert_eq!(drawn.value(""), even);
            check(&mut drawn, &[""]);
            assert_eq!(drawn.value(""), even, "one of two moves is not a check");
            check(&mut drawn, &["5f5e 2a2b"]);
            assert_eq!(drawn.value(""), black_checks, "Black checks: {black} {white}");
            let mut drawn = round(black, white);
            check(&mut drawn, &["5f5e", "5f5e 2a2b 5e5f"]);
            assert_eq!(drawn.value(""), white_checks, "White checks: {black} {white}");
        }
    }

    #[test]
    fn a_side_that_cannot_leave_its_perpetual_check_has_lost() {
        let mut drawn = Drawn::new(&[
            ("", "5f5e 0", None),
            ("5f5e", "2a2b 0 5a4b -300", None),
            ("5f5e 2a2b", "5e5f 0", None),
            ("5f5e 2a2b 5e5f", "2b2a 0 5a4b -300", None),
        ]);
        assert_eq!(drawn.value(""), 0);
        for moves in ["", "5f5e 2a2b"] {
            let id = drawn.id(moves);
            drawn.0.pretend_check(id, 0);
        }
        assert!(is_proven(drawn.value("")) && drawn.value("") < 0 && drawn.value("5f5e") > 0);
    }

    #[test]
    fn a_repetition_is_a_draw_for_both() {
        // Gold and king of both sides move back and forth; the player who deviates is worse off.
        let drawn = |black: i16, white: i16| round(black, white).value("");
        assert_eq!(drawn(-50, -70), 0);
        assert_eq!(drawn(50, -70), 50, "Black has better");
        assert_eq!(drawn(-50, 30), -30, "White has better");
        assert_eq!(drawn(10, 30), 10, "Black leaves first");
    }

    #[test]
    fn a_proven_end_is_a_ply_further_away_from_each_position_before_it() {
        let drawn = Drawn::new(&[("", "6e6d 40", None), ("6e6d", "1b1c -10", None), ("6e6d 1b1c", "6d6c 31995", None)]);
        assert_eq!((drawn.value("6e6d 1b1c"), drawn.value("6e6d"), drawn.value("")), (31_995, -31_994, 31_993));
        let known =
            Drawn::new(&[("", "6e6d 40", None), ("6e6d", "1b1c -10", Some(-10)), ("6e6d 1b1c", "6d6c 31995", None)]);
        assert_eq!(known.value(""), 10, "White has other moves");
    }
}
