//! Growth with real searches of few nodes.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::book::Book;
use crate::shogi::Move;

fn plan() -> Plan {
    Plan {
        starts: Start::ALL.to_vec(),
        strategy: Strategy::DropOut { ply: 10 },
        effort: Effort { nodes: 300, lines: 3, hash: 1 },
        batch: 8,
        seed: 1,
    }
}

/// Grows a book to this number of positions, and returns the file.
fn grown(plan: &Plan, positions: usize, threads: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    let mut book = BookFile::open(&path).unwrap();
    let until = Until { positions: Some(positions), deadline: None };
    let ended = grow(&mut book, plan, until, threads, &AtomicBool::new(false), &|_| {}).unwrap();
    assert_eq!(ended, Ended::Reached);
    assert!(book.graph().len() >= positions && book.graph().edges() > positions);
    std::fs::read(&path).unwrap()
}

/// Grows a book to this number of positions, and reads it back.
fn grown_graph(plan: &Plan, positions: usize) -> Graph {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    std::fs::write(&path, grown(plan, positions, 2)).unwrap();
    BookFile::read(&path).unwrap()
}

#[test]
fn the_same_plan_gives_the_same_book_on_any_number_of_threads() {
    let one_sided = Strategy::OneSided { ply: 10, margin: 30 };
    for strategy in [Strategy::DropOut { ply: 10 }, one_sided, Strategy::Margin { margin: 60 }] {
        let plan = Plan { strategy, ..plan() };
        let book = grown(&plan, 100, 1);
        assert_eq!(grown(&plan, 100, 3), book, "{strategy:?}");
        assert_ne!(grown(&Plan { seed: 2, ..plan }, 100, 1), book, "{strategy:?}: the seed decides nothing");
    }
}

#[test]
fn small_batches_serve_every_start() {
    for (strategy, batch) in [(Strategy::DropOut { ply: 10 }, 1), (Strategy::OneSided { ply: 10, margin: 30 }, 4)] {
        let graph = grown_graph(&Plan { strategy, batch, ..plan() }, 16);
        assert!(Start::ALL.iter().all(|&start| graph.start(start).is_some()), "{strategy:?}");
    }
}

#[test]
fn an_interrupted_book_goes_on_as_if_nothing_had_happened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    let until = Until { positions: Some(120), deadline: None };
    for searches in (1..).step_by(7) {
        let stop = AtomicBool::new(false);
        let searched = std::sync::atomic::AtomicUsize::new(0);
        let mut book = BookFile::open(&path).unwrap();
        let ended = grow(&mut book, &plan(), until, 2, &stop, &|growing| {
            // In the middle of a batch, at its end, and between two batches.
            let count = searched.fetch_add(usize::from(matches!(growing, Growing::Searched)), Ordering::Relaxed);
            stop.fetch_or(count + 1 >= searches, Ordering::Relaxed);
        });
        if ended.unwrap() == Ended::Reached {
            break;
        }
    }
    assert_eq!(std::fs::read(&path).unwrap(), grown(&plan(), 120, 2));
}

#[test]
fn a_book_is_read_back_and_its_positions_are_what_they_say() {
    let graph = grown_graph(&plan(), 150);
    assert!(graph.len() >= 150);
    assert!(Start::ALL.iter().all(|&start| graph.start(start).is_some()));
    for id in graph.ids() {
        let (node, position) = (graph.node(id), graph.position(id));
        assert_eq!(
            (node.key, node.side, node.in_check),
            (position.key(), position.side_to_move(), position.in_check())
        );
        assert_eq!(graph.find(&position), Some(id));
        for edge in &node.edges {
            let after = position.after(edge.mv);
            assert_eq!((edge.key, edge.checks), (after.key(), after.in_check()));
            if !is_proven(edge.score.into()) {
                assert_eq!(edge.child, graph.find(&after), "{} in {position}", edge.mv);
            }
        }
    }
    let transpositions = graph.nodes().iter().flat_map(|node| &node.edges).filter(|edge| edge.child.is_some()).count();
    assert!(transpositions + Start::ALL.len() > graph.len(), "no position was reached on two ways");
}

#[test]
fn every_value_follows_from_those_after_it() {
    let graph = grown_graph(&plan(), 300);
    let values = Values::new(&graph);
    for id in graph.ids() {
        let node = graph.node(id);
        let moves = node.edges.iter().map(|edge| values.of_move(edge)).chain(node.rest.map(i32::from));
        assert_eq!(moves.max().unwrap_or(values.of(id)), values.of(id));
    }
}

#[test]
fn an_incomplete_last_batch_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    let whole = grown(&plan(), 60, 2);
    for length in (0..=whole.len()).rev().step_by(37) {
        std::fs::write(&path, &whole[..length]).unwrap();
        let mut book = BookFile::open(&path).unwrap();
        let until = Until { positions: Some(60), deadline: None };
        if length > whole.len() - 300 {
            grow(&mut book, &plan(), until, 2, &AtomicBool::new(false), &|_| {}).unwrap();
            assert!(std::fs::read(&path).unwrap() == whole, "cut at byte {length}");
        }
    }
}

#[test]
fn a_damaged_or_foreign_file_is_named_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    let whole = grown(&plan(), 60, 2);
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let error = BookFile::open(&path).err().expect("it is not a book").to_string();
        assert_eq!(BookFile::read(&path).err().unwrap().to_string(), error);
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        error.split_once(": ").unwrap().1.to_owned()
    };
    if cfg!(unix) {
        let error = BookFile::open(Path::new("/dev/zero")).err().unwrap().to_string();
        assert_eq!(error, "/dev/zero: not a regular file");
    }
    assert_eq!(refused(b"#YANEURAOU-DB2016 1.00\n"), "not a book of 'judkins book grow'");
    assert_eq!(refused(&[b"judkins book\r\n\x1a\0", &9u32.to_le_bytes()[..]].concat()), {
        "a book of version 9; this program reads version 1"
    });
    for (byte, batch) in [(40, 1), (28, 1)] {
        let mut bytes = whole.clone();
        bytes[byte] ^= 4;
        let error = refused(&bytes);
        assert_eq!(error, format!("batch {batch}, at byte 20, is damaged: the checksum does not match"), "byte {byte}");
    }
    // A length that is too great would remove everything after it, even the last one's.
    let second = u32::from_le_bytes(whole[20..24].try_into().unwrap()) as usize + 28;
    let last = (0..).scan(20, |end, _| {
        let begin = *end;
        *end += u32::from_le_bytes(whole.get(begin..begin + 4)?.try_into().unwrap()) as usize + 8;
        Some(begin)
    });
    let (last, count) = last.fold((0, 0), |(_, count), begin| (begin, count + 1));
    for (begin, batch) in [(20, 1), (second, 2), (last, count)] {
        for byte in [begin + 2, begin + 3] {
            let mut bytes = whole.clone();
            bytes[byte] ^= 0x40;
            let error = format!("batch {batch}, at byte {begin}, is damaged: its length is wrong");
            assert_eq!(refused(&bytes), error, "byte {byte}");
        }
        // Up to the very end, and with the batch itself damaged too.
        let mut bytes = whole.clone();
        bytes[begin..begin + 4].copy_from_slice(&((whole.len() - begin - 8) as u32).to_le_bytes());
        bytes[begin + 10] ^= 4;
        if batch < count {
            assert!(refused(&bytes).ends_with("is damaged: its length is wrong"));
        }
    }
    // A complete batch that the graph rejects: the start position again.
    let first = u32::from_le_bytes(whole[20..24].try_into().unwrap()) as usize + 8;
    let error = refused(&[&whole[..], &whole[20..20 + first]].concat());
    assert!(error.ends_with("is damaged: Start(Even) is nothing to search"), "{error}");

    let _book = BookFile::open(&folder.path().join("new")).unwrap();
    let error = BookFile::open(&folder.path().join("new")).err().unwrap().to_string();
    assert!(error.ends_with("another program has this file open for growing"), "{error}");
}

#[test]
fn any_content_with_a_matching_checksum_is_refused_or_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    let whole = grown(&plan(), 40, 2);
    let (mut refused, mut used) = (0, 0);
    for byte in 28..whole.len() {
        let mut bytes = whole.clone();
        bytes[byte] ^= [0x01, 0x40, 0xff][byte % 3];
        mend_checksums(&mut bytes);
        std::fs::write(&path, &bytes).unwrap();
        let Ok(graph) = BookFile::read(&path) else {
            refused += 1;
            continue;
        };
        used += 1;
        let values = Values::new(&graph);
        let entries = repertoire(&graph, &values, 1_000, true);
        let statistics = Statistics::new(&graph, &values);
        assert!(compact(&graph, &entries).len() <= statistics.positions);
        for StartStatistics { start, line, .. } in statistics.starts {
            let mut position = start.position();
            line.iter().for_each(|&mv| position.try_play(mv).unwrap());
        }
        write_text(&graph, &values, std::io::sink()).unwrap();
        for start in Start::ALL {
            record(&graph, &values, start, 50);
        }
        plan().next(&graph);
    }
    assert!(refused > 200 && used > 200, "{refused} refused, {used} used");
}

/// Sets the checksums of all batches as far as their lengths are valid.
fn mend_checksums(bytes: &mut [u8]) {
    let mut at = 20;
    while let Some(length) = bytes.get(at..at + 4).map(|length| u32::from_le_bytes(length.try_into().unwrap()) as usize)
        && let Some(batch) = bytes.get(at + 8..at + 8 + length)
    {
        let checksum = crc32fast::hash(batch).to_le_bytes();
        bytes[at + 4..at + 8].copy_from_slice(&checksum);
        at += 8 + length;
    }
}

#[test]
fn the_book_plays_what_a_search_of_the_position_after_it_has_confirmed() {
    let graph = grown_graph(&plan(), 60);
    let values = Values::new(&graph);
    let entries = repertoire(&graph, &values, 30, false);
    assert!(entries.len() > 5);
    for Entry { id, moves, .. } in &entries {
        let node = graph.node(*id);
        let edge = |mv: Move| node.edges.iter().find(|edge| edge.mv == mv).unwrap();
        assert!(moves.iter().all(|&(mv, _)| edge(mv).child.is_some() || is_proven(edge(mv).score.into())));
        assert!(moves.iter().all(|&(mv, score)| values.of_move(edge(mv)) == i32::from(score)));
        assert_eq!(values.best(node).map(|best| node.edges[best].mv), Some(moves[0].0));
    }
    let book = compact(&graph, &entries);
    let played = played(&Book::Compact(book.clone()));
    // Behind a position that the book leaves to the engine, it is not reached by its own moves.
    assert!(played.len() > 5 && played.len() <= book.len(), "{} of {}", played.len(), book.len());
    assert!(played.iter().all(|played| book.moves(&played.position)[0].mv == played.mv));
    assert!(!entries.iter().any(|entry| entry.is_leaf(&graph)));
}

#[test]
fn the_main_line_of_a_record_is_the_best_line() {
    for positions in [40, 80, 120, 160] {
        let graph = grown_graph(&plan(), positions);
        let values = Values::new(&graph);
        for StartStatistics { start, line, .. } in Statistics::new(&graph, &values).starts {
            let record = record(&graph, &values, start, 10_000).unwrap();
            let main: Vec<Move> = record.main_moves().collect();
            assert!(line.starts_with(&main), "{main:?}, {line:?}: {start}, {positions} positions");
            // Unsearched and proven positions are not continued.
            let end = record.position(record.main_end()).unwrap();
            let is_over = || graph.find(&end).is_none_or(|id| is_proven(values.of(id)));
            assert!(main == line || is_over(), "{main:?}, {line:?}: {start}, {positions} positions");
        }
    }
}

#[test]
fn leaves_are_searched_once_more_and_other_positions_left_alone() {
    let graph = grown_graph(&plan(), 60);
    let values = Values::new(&graph);
    let before = repertoire(&graph, &values, 30, true);
    let mut after = before.clone();
    let effort = Effort { nodes: 5_000, lines: 1, hash: 1 };
    let never = AtomicBool::new(false);
    let searched = search_leaves(&graph, &mut after, effort, 2, &never, &|| {}).unwrap();
    assert_eq!(searched, Some(before.iter().filter(|entry| entry.is_leaf(&graph)).count()));
    let mut searcher = Searcher::new(effort).unwrap();
    let mut changed = 0;
    for (before, after) in before.iter().zip(&after) {
        if before.is_leaf(&graph) {
            let leaf = Leaf { position: graph.position(after.id), without: Vec::new() };
            let best = searcher.search(&leaf, &never).unwrap().lines[0];
            assert_eq!(after.moves, [(best.mv, best.score)]);
            changed += usize::from(before.moves[0].0 != best.mv);
        } else {
            assert_eq!(before, after);
        }
    }
    assert!(changed > 2 && changed < before.len(), "{changed} of {}", before.len());
    assert_eq!(search_leaves(&graph, &mut after, effort, 2, &AtomicBool::new(true), &|| {}).unwrap(), None);
}

#[test]
fn the_book_leaves_won_positions_to_the_engine_but_for_the_first_plies() {
    let graph = grown_graph(&plan(), 400);
    let values = Values::new(&graph);
    let entries = repertoire(&graph, &values, 30, false);
    let far: Vec<u32> = entries
        .iter()
        .filter(|entry| (1_001..20_000).contains(&values.of(entry.id).abs()))
        .map(|entry| entry.cost)
        .collect();
    assert!(!far.is_empty() && far.iter().all(|&cost| cost <= 60), "{far:?}");
    assert!(entries.iter().any(|entry| entry.cost > 60), "{far:?}, {}", entries.len());
}
