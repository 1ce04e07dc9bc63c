//! Random games with all the data of a record.

use std::time::Duration;

use judkins::record::{Date, Evaluation, Format, FormerEnd, Header, Impasse, Mark, NodeId, Notes, Record};
use judkins::score::{Bound, Score};
use judkins::shogi::{EndReason, GameScore, Handicap, ImpasseRule, Position};
use proptest::collection::{hash_set, vec};
use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::sample::select;

/// Where games start: with and without handicap, with pieces in hand, promoted ones, and late in a game.
fn starts() -> Vec<Position> {
    let others =
        ["5k/6/1+P+N+S2/1+p+n+s2/6/K5 b 2R2Gb 1", "3+R1k/n5/6/3+b2/6/K1S3 w GN2Pr 8", "rbnsgk/5p/6/6/P5/KGSNBR b - 41"];
    let others = others.into_iter().map(|sfen| sfen.parse().expect("it is a position"));
    // The plain start more often than all the others.
    let plain = std::iter::repeat_n(Position::startpos(), 6);
    plain.chain(Handicap::ALL.into_iter().map(Handicap::position)).chain(others).collect()
}

/// Words that have a meaning in some format, but must not have one in a comment.
pub const WORDS: [&str; 35] = [
    "good",
    "bad",
    "P-6d",
    "▲６四歩",
    "1.",
    "12",
    "}",
    "{",
    "(",
    ")",
    "[",
    "]",
    "[%",
    "[Event",
    "\"",
    "\\",
    ";",
    "%",
    "$1",
    "!?",
    "1-0",
    "*",
    "&",
    "#",
    "変化：3手",
    "まで3手で",
    "先手：",
    "投了",
    "   1 ６四歩(65)",
    "|",
    "　",
    "\n",
    "\n\n",
    "\n\n[Event \"e\"]\n",
    "é",
];

fn comment() -> impl Strategy<Value = String> {
    vec(select(&WORDS[..]), 1..8).prop_map(|words| words.join(" "))
}

fn line() -> impl Strategy<Value = String> {
    vec(select(&["one", "v1.0", "△", "名人", "a:b", "：", "\"x\"", "\\", "]", "-", "'", "#1", "}"][..]), 1..4)
        .prop_map(|words| format!("n{}", words.join(" ")))
}

fn score() -> impl Strategy<Value = Score> {
    let mate = prop_oneof![(-99..99).prop_map(Score::Mate), Just(Score::Mate(0))];
    prop_oneof![(-32_000..32_000).prop_map(Score::Centipawns), mate]
}

/// The annotations of a move; the numbers select the moves of the engine's line.
fn notes() -> impl Strategy<Value = (Notes, Vec<u16>)> {
    let time = || weighted(0.5, (0u64..10_000_000).prop_map(Duration::from_millis));
    let bound = select(&[Bound::Exact, Bound::Exact, Bound::Lower, Bound::Upper][..]);
    let evaluation =
        (weighted(0.8, score()), bound, of(0u32..100), of(any::<u64>())).prop_map(|(score, bound, depth, nodes)| {
            let bound = if score.is_some() { bound } else { Bound::Exact };
            Evaluation { score, bound, depth, nodes, line: Vec::new() }
        });
    let line = weighted(0.3, vec(any::<u16>(), 1..6)).prop_map(Option::unwrap_or_default);
    let mark = weighted(0.2, select(&Mark::ALL[..]));
    let glyphs = weighted(0.1, hash_set(prop_oneof![Just(10u8), 13..140u8, Just(255)], 1..3));
    let glyphs = glyphs.prop_map(|glyphs| glyphs.into_iter().flatten().collect::<Vec<u8>>());
    let results = [None, Some(GameScore::Black), Some(GameScore::White), Some(GameScore::Draw)];
    let end = (select(results.to_vec()), of(select(EndReason::ALL)));
    let end = end.prop_map(|(result, reason)| FormerEnd { result, reason, detail: None });
    (weighted(0.3, comment()), (mark, glyphs), time(), time(), weighted(0.5, evaluation), (line, weighted(0.1, end)))
        .prop_map(|(comment, (mark, glyphs), time, clock, evaluation, (line, former_end))| {
            (Notes { comment: comment.unwrap_or_default(), mark, glyphs, time, clock, evaluation, former_end }, line)
        })
}

fn date() -> impl Strategy<Value = Date> {
    (1900u16..2100, 1u8..13, 1u8..29, of((0u8..24, 0u8..60, 0u8..60))).prop_map(|(year, month, day, time)| {
        let date = Date::new(year, month, day).expect("there is such a day");
        time.and_then(|(hour, minute, second)| date.at(hour, minute, second)).unwrap_or(date)
    })
}

fn header() -> impl Strategy<Value = Header> {
    let text = || of(line());
    let results = [None, Some(GameScore::Black), Some(GameScore::White), Some(GameScore::Draw)];
    let rule = select(&[ImpasseRule::Points12, ImpasseRule::Try, ImpasseRule::None][..]);
    let tag = (
        select(&["Opening", "戦型", "備考", "X_1", "Annotator", "開始日", "Elo一", "KifEvent"][..])
            .prop_map(str::to_owned),
        of(line()).prop_map(Option::unwrap_or_default),
    );
    let thought = of((0u64..10_000_000).prop_map(Duration::from_millis));
    let ending = (select(results.to_vec()), of(select(EndReason::ALL)), text(), thought);
    (
        ([text(), text()], of(date()), of(date()), text(), text(), text()),
        [text(), text()],
        of((rule, 0u32..100)),
        ending,
        vec(tag, 0..3),
    )
        .prop_map(|((players, date, ended, event, site, round), time_controls, impasse, ending, tags)| Header {
            players,
            date,
            ended,
            event,
            site,
            round,
            time_controls,
            impasse: impasse.map(|(rule, plies)| Impasse { rule, plies }),
            result: ending.0,
            reason: ending.1,
            detail: ending.2,
            last_thought: ending.3,
            tags,
        })
}

/// Puts notes beside a place.
fn annotate(record: &mut Record, id: NodeId, (notes, line): &(Notes, Vec<u16>)) {
    let mut evaluation = notes.evaluation.clone();
    if let Some(evaluation) = &mut evaluation {
        let mut position = record.position(id).expect("the place is there");
        for &choice in line {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[usize::from(choice) % moves.len()];
            position.play(mv);
            evaluation.line.push(mv);
        }
    }
    record.set_notes(id, Notes { evaluation, ..notes.clone() }).expect("the place is there");
}

/// A game with variations and notes. Each move is played where the one before it was, or from a random place.
pub fn records() -> impl Strategy<Value = Record> {
    let step = (weighted(0.15, any::<u16>()), any::<u16>(), notes());
    (select(starts()), header(), notes(), vec(step, 0..60)).prop_map(|(start, header, root, steps)| {
        let mut record = Record::new(start);
        record.header = header;
        annotate(&mut record, NodeId::ROOT, &root);
        let mut places = vec![NodeId::ROOT];
        for (place, choice, notes) in &steps {
            let from = place.map_or(places.len() - 1, |place| usize::from(place) % places.len());
            let position = record.position(places[from]).expect("the place is there");
            let moves = position.legal_moves();
            if moves.is_empty() {
                continue;
            }
            let mv = moves[usize::from(*choice) % moves.len()];
            let is_new = record.child(places[from], mv).is_none();
            let id = record.play(places[from], mv).expect("the move is legal");
            if is_new {
                annotate(&mut record, id, notes);
                places.push(id);
            }
        }
        record
    })
}

/// The part of a record that a format can represent, according to its documentation.
pub fn held(record: &Record, format: Format) -> Record {
    let mut record = record.clone();
    if format == Format::Usi {
        record.header = Header::default();
        let main: Vec<NodeId> = record.main_line().collect();
        let all: Vec<NodeId> = record.walk().collect();
        for id in all {
            if id == NodeId::ROOT || main.contains(&id) {
                annotate(&mut record, id, &Default::default());
            } else if record.get(id).is_some() {
                record.delete(id).expect("it is a move");
            }
        }
        return record;
    }
    let header = &mut record.header;
    let is_pgn = matches!(format, Format::Pgn | Format::PgnFairy | Format::PgnCuteChess);
    if !is_pgn {
        let is_told = format == Format::Kif && (header.result, header.reason) != (None, None);
        let thought = header.last_thought.filter(|_| is_told);
        header.last_thought = thought.map(|time| Duration::from_secs(time.as_secs()));
    }
    let all: Vec<NodeId> = record.walk().collect();
    for id in all {
        let mut notes = record[id].notes().clone();
        if is_pgn {
            notes.comment = notes.comment.replace('}', ")");
        } else {
            let time = notes.time.filter(|_| format == Format::Kif);
            (notes.clock, notes.time) = (None, time.map(|time| Duration::from_secs(time.as_secs())));
        }
        record.set_notes(id, notes).expect("the place is there");
    }
    record
}
