//! Growing books and proofs: any content of their files is rejected or can be used.
//!
//! The first byte says which of the two it is. The batches follow, each after its length in two bytes; checksums are
//! set here, since no input would get by them.

#![no_main]

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use judkins::book::growth::{self, BookFile, Effort, Plan, Start, Statistics, Strategy, Values};
use judkins::mate::Solver;
use judkins::proof::{self, ProofFile, START};
use libfuzzer_sys::fuzz_target;

/// The first 20 bytes of each file: its kind and its version.
const BOOK: &[u8; 20] = b"judkins book\r\n\x1a\0\x01\0\0\0";
const PROOF: &[u8; 20] = b"judkins proof\n\x1a\0\x01\0\0\0";

/// The nodes with which a mate that a proof claims is looked for.
const MATE_NODES: u64 = 1_000;

fuzz_target!(|data: &[u8]| {
    let Some((kind, mut rest)) = data.split_first() else { return };
    let is_book = kind % 2 == 0;
    let mut file = if is_book { BOOK } else { PROOF }.to_vec();
    while let Some((length, after)) = rest.split_first_chunk() {
        let (batch, after) = after.split_at(usize::from(u16::from_le_bytes(*length)).min(after.len()));
        file.extend_from_slice(&(batch.len() as u32).to_le_bytes());
        file.extend_from_slice(&crc32fast::hash(batch).to_le_bytes());
        file.extend_from_slice(batch);
        rest = after;
    }
    let folder = tempfile::tempdir_in("/dev/shm").expect("there is room in memory");
    let path = folder.path().join("file");
    fs::write(&path, file).expect("there is room in memory");
    if is_book { book(&path) } else { prove(&path) }
});

fn book(path: &Path) {
    let Ok(graph) = BookFile::read(path) else { return };
    let values = Values::new(&graph);
    assert_eq!(Statistics::new(&graph, &values).positions, graph.len());
    let entries = growth::repertoire(&graph, &values, 1_000, true);
    assert_eq!(growth::compact(&graph, &entries).len(), entries.len());
    growth::write_text(&graph, &values, io::sink()).expect("nothing refuses");
    for start in Start::ALL {
        growth::record(&graph, &values, start, 1_000);
    }
    let effort = Effort { nodes: 1, lines: 1, hash: 1 };
    for strategy in [Strategy::DropOut { ply: 10 }, Strategy::OneSided { ply: 10, margin: 30 }, Strategy::Margin { margin: 60 }] {
        let plan = Plan { starts: Start::ALL.to_vec(), strategy, effort, batch: 8, seed: 1 };
        for target in plan.next(&graph) {
            graph.leaf(target).expect("it can be searched");
        }
    }
}

fn prove(path: &Path) {
    let Ok(mut graph) = ProofFile::read(path) else { return };
    graph.line();
    for target in graph.targets(4) {
        assert!(target.node == START || target.position.side_to_move() == graph.attacker());
    }
    let mut solver = Solver::new(1).expect("there is memory");
    let never = AtomicBool::new(false);
    if let Ok(checked) = proof::check(&graph, &mut solver, MATE_NODES, &never, |_| {}) {
        assert_eq!(graph.proof(), 0);
        assert!(checked.positions + checked.mates > 0 || checked.plies == 0);
    }
}
