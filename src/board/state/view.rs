//! Records and positions for the page.

use std::collections::HashMap;

use crate::board::messages::text;
use crate::board::messages::{
    EndView, HandView, HeaderView, ImpasseView, LineText, MoveText, NodeView, PositionView, ScoreView, Sides,
};
use crate::record::notes::seen_by;
use crate::record::{Header, NodeId, Record};
use crate::review::win_chance;
use crate::score::{Bound, Score};
use crate::shogi::impasse::may_declare;
use crate::shogi::notation::japanese::to_japanese;
use crate::shogi::notation::western::{Style, to_western};
use crate::shogi::{
    Color, EndReason, GameResult, GameScore, Hand, ImpasseRule, Move, PieceKind, PointCount, Position, Square,
};

/// A move in the three notations.
pub fn move_text(position: &Position, mv: Move, previous: Option<Move>) -> MoveText {
    MoveText {
        ja: to_japanese(position, mv, previous),
        western: to_western(position, mv, Style::Hodges),
        usi: mv.to_string(),
    }
}

/// A line of legal moves in the three notations.
pub fn line_text(position: &Position, moves: &[Move], mut previous: Option<Move>) -> LineText {
    let mut position = position.clone();
    let mut text = LineText::default();
    for &mv in moves {
        let MoveText { ja, western, usi } = move_text(&position, mv, previous);
        text.ja.push(ja);
        text.western.push(western);
        text.usi.push(usi);
        position.play(mv);
        previous = Some(mv);
    }
    text
}

/// The score of this colour's player, from Black's point of view.
pub fn score(score: Score, bound: Bound, of: Color) -> ScoreView {
    let chance = win_chance(score);
    let win = if of == Color::Black { chance } else { 1.0 - chance };
    let (score, bound) = seen_by(Color::Black, of, score, bound);
    let (cp, mate) = match score {
        Score::Centipawns(cp) => (Some(cp), None),
        Score::Mate(plies) => (None, Some(plies)),
    };
    ScoreView { cp, mate, bound, win, end: false }
}

/// The score of a finished game, without centipawns.
pub fn result_score(result: &GameResult) -> ScoreView {
    let win = match result.winner {
        Some(Color::Black) => 1.0,
        Some(Color::White) => 0.0,
        None => 0.5,
    };
    ScoreView { cp: None, mate: None, bound: Bound::Exact, win, end: true }
}

/// A hand by its letters.
pub fn hand(hand: Hand) -> HandView {
    let count = |kind| hand.count(kind) as u8;
    HandView {
        r: count(PieceKind::Rook),
        b: count(PieceKind::Bishop),
        g: count(PieceKind::Gold),
        s: count(PieceKind::Silver),
        n: count(PieceKind::Knight),
        p: count(PieceKind::Pawn),
    }
}

/// The end of a game by the rules.
pub fn result(result: &GameResult) -> EndView {
    EndView { reason: Some(result.reason), winner: result.winner, text: text::result(result) }
}

/// The end of a game according to its header.
pub fn header_end(header: &Header) -> Option<EndView> {
    let result = header.result?;
    Some(EndView { reason: header.reason, winner: result.winner(), text: text::end(result.winner(), header.reason) })
}

/// The result and the reason of a record's game: those of its former end if moves were added after it.
pub fn end_of_game(record: &Record) -> (Option<GameScore>, Option<EndReason>) {
    let header = &record.header;
    let end = |id| record[id].notes().former_end.as_ref();
    // The line in which it was played may be a variation now.
    let former = record.main_line().filter_map(end).last().or_else(|| record.walk().find_map(end));
    match former {
        Some(former) if !header.has_end() => (former.result, former.reason),
        _ => (header.result, header.reason),
    }
}

/// [`end_of_game`] as lists have it.
pub fn outcome(record: &Record) -> (Option<String>, Option<String>) {
    let (result, reason) = end_of_game(record);
    (result.map(|result| result.text().to_owned()), reason.map(|reason| <&str>::from(reason).to_owned()))
}

/// The header for the page.
pub fn header(record: &Record) -> HeaderView {
    let header = &record.header;
    HeaderView {
        black: header.players[0].clone(),
        white: header.players[1].clone(),
        event: header.event.clone(),
        site: header.site.clone(),
        round: header.round.clone(),
        date: header.date.map(|date| date.to_string()),
        time_control: header.time_controls[0].clone(),
        handicap: record.handicap().map(|handicap| handicap.to_string()),
        result: header.result.map(|result| result.text().to_owned()),
        reason: header.reason.map(|reason| <&str>::from(reason).to_owned()),
    }
}

/// A node whose previous position is known.
fn node_at(
    record: &Record,
    id: NodeId,
    before: Option<(&Position, Option<Move>)>,
    ply: usize,
    is_main_end: bool,
) -> NodeView {
    let node = &record[id];
    let notes = node.notes();
    let text = node.mv().zip(before).map(|(mv, (position, previous))| move_text(position, mv, previous));
    let mover = before.map_or(record.start().side_to_move(), |(position, _)| position.side_to_move());
    let eval = notes.evaluation.as_ref();
    let eval = eval.and_then(|evaluation| Some(score(evaluation.score?, evaluation.bound, mover)));
    let end = node.children().is_empty().then(|| {
        let after = match (before, node.mv()) {
            (Some((position, _)), Some(mv)) => position.after(mv),
            _ => record.start().clone(),
        };
        mate(&after).or_else(|| is_main_end.then(|| header_end(&record.header)).flatten())
    });
    NodeView {
        id,
        parent: node.parent(),
        ply,
        mv: node.mv(),
        text,
        children: node.children().to_vec(),
        comment: notes.comment.clone(),
        former_end: notes.former_end.as_ref().map(|end| match (end.result, end.reason) {
            (None, Some(reason)) => text::reason(reason),
            (result, reason) => text::end(result.and_then(GameScore::winner), reason),
        }),
        marks: notes.mark.map(|mark| mark.sign()).into_iter().collect(),
        time: notes.time.map(|time| time.as_millis() as u64),
        eval,
        end: end.flatten(),
    }
}

/// The end of a game that follows from the position.
fn mate(position: &Position) -> Option<EndView> {
    if position.has_legal_move() {
        return None;
    }
    let reason = if position.in_check() { EndReason::Checkmate } else { EndReason::NoLegalMove };
    Some(result(&GameResult::won(!position.side_to_move(), reason)))
}

/// A place in the tree; none if it is gone.
pub fn node(record: &Record, id: NodeId) -> Option<NodeView> {
    let parent = record.get(id)?.parent();
    let before = parent.and_then(|parent| Some((record.position(parent)?, record.get(parent)?.mv())));
    let before = before.as_ref().map(|(position, previous)| (position, *previous));
    Some(node_at(record, id, before, record.path(id).len() - 1, id == record.main_end()))
}

/// Every place of a tree, each before what follows it.
pub fn tree(record: &Record) -> Vec<NodeView> {
    // The nodes from the root to the current one, with their positions.
    let mut way: Vec<(NodeId, Position)> = Vec::new();
    let mut depths: HashMap<NodeId, usize> = HashMap::new();
    let main_end = record.main_end();
    let mut nodes = Vec::new();
    for id in record.walk() {
        let node = &record[id];
        let ply = node.parent().map_or(0, |parent| depths[&parent] + 1);
        depths.insert(id, ply);
        way.truncate(ply);
        let before = way.last().map(|(parent, position)| (position, record[*parent].mv()));
        nodes.push(node_at(record, id, before, ply, id == main_end));
        let mut position = way.last().map_or_else(|| record.start().clone(), |(_, position)| position.clone());
        if let Some(mv) = node.mv() {
            position.play_unchecked(mv);
        }
        way.push((id, position));
    }
    nodes
}

/// The position at a node; none if it is gone.
pub fn position(record: &Record, id: NodeId) -> Option<PositionView> {
    let game = record.game(id)?;
    let position = game.position();
    let earlier = record.start().walk(game.moves().iter().copied()).filter(|(before, _)| before == position);
    let us = position.side_to_move();
    let by_header = || (id == record.main_end()).then(|| header_end(&record.header)).flatten();
    let rule = record.header.impasse.map_or(ImpasseRule::default(), |impasse| impasse.rule);
    let [black, white] = PointCount::of(position).points;
    Some(PositionView {
        cursor: id,
        sfen: position.to_string(),
        board: Square::all().map(|square| Some(position.piece_at(square)?.to_string())).collect(),
        hands: Sides::of(|color| hand(position.hand(color))),
        side: us,
        check: position.in_check().then(|| position.king(us).to_string()).into_iter().collect(),
        last: record.get(id)?.mv(),
        legal: position.legal_moves().into_iter().collect(),
        shows_threats: false,
        threats: None,
        result: game.result().as_ref().map(result).or_else(by_header),
        impasse: game.plies_to_impasse().map(|plies| ImpasseView { plies, black, white }),
        may_declare: rule.is_declared() && may_declare(position),
        repetition: earlier.count() + 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Impasse;

    #[test]
    fn scores_are_blacks() {
        let view = score(Score::Centipawns(150), Bound::Lower, Color::White);
        assert_eq!((view.cp, view.bound), (Some(-150), Bound::Upper));
        assert!(view.win < 0.5);
        let view = score(Score::Mate(-4), Bound::Exact, Color::White);
        assert_eq!((view.mate, view.win), (Some(4), 1.0));
    }

    #[test]
    fn a_tree_has_the_texts_of_all_notations_and_variations() {
        let mut record = Record::new(Position::startpos());
        let first = record.play(NodeId::ROOT, "6e6d".parse().unwrap()).unwrap();
        let second = record.play(first, "1b1c".parse().unwrap()).unwrap();
        let other = record.play(first, "1a2b".parse().unwrap()).unwrap();
        let nodes = tree(&record);
        assert_eq!(nodes.len(), 4);
        let text = nodes[3].text.clone().unwrap();
        assert_eq!((text.ja.as_str(), text.western.as_str(), text.usi.as_str()), ("△２二玉", "K-2b", "1a2b"));
        for (view, id) in nodes.iter().zip([NodeId::ROOT, first, second, other]) {
            assert_eq!(Some(view), node(&record, id).as_ref());
        }
    }

    #[test]
    fn an_impasse_is_announced_while_both_kings_stand_in_their_zones() {
        let mut record = Record::new("K4R/6/6/6/6/1k4 b B2G2S2N2Prb 1".parse().unwrap());
        let announced = |plies| Some(ImpasseView { plies, black: 18, white: 10 });
        assert_eq!(position(&record, NodeId::ROOT).unwrap().impasse, announced(24));
        let quiet = record.play(NodeId::ROOT, "6a6b".parse().unwrap()).unwrap();
        assert_eq!(position(&record, quiet).unwrap().impasse, announced(23));
        record.header.impasse = Some(Impasse { rule: ImpasseRule::Try, plies: 24 });
        assert_eq!(position(&record, quiet).unwrap().impasse, None);
        assert_eq!(position(&Record::new(Position::startpos()), NodeId::ROOT).unwrap().impasse, None);
    }

    #[test]
    fn positions_count_how_often_they_stood() {
        let mut record = Record::new(Position::startpos());
        let mut at = NodeId::ROOT;
        for mv in "1f1e 6a6b 1e1f 6b6a ".repeat(3).split_whitespace() {
            at = record.play(at, mv.parse().unwrap()).unwrap();
        }
        let view = position(&record, at).unwrap();
        assert_eq!((view.repetition, view.cursor), (4, at));
        assert_eq!(view.result.unwrap().reason, Some(EndReason::Sennichite));
    }
}
