//! stand-in
use judkins::search::*;
use std::sync::atomic::AtomicBool;
fn main() {
    let pool = Pool::new(1, 64, false).unwrap();
    let root = Root::new(judkins::shogi::Position::startpos());
    let limits = Limits { depth: Some(std::env::args().nth(1).unwrap().parse().unwrap()), ..Default::default() };
    let settings = Settings::default();
    let clock = Clock::new(&limits, &settings, root.position.side_to_move());
    let o = pool.search(&root, &limits, &settings, &clock, &AtomicBool::new(false), &mut |r| {
        println!(
            "depth {} sel {} score {} nodes {} nps {} time {:?} pv {:?}",
            r.depth,
            r.seldepth,
            r.score,
            r.nodes,
            r.nps(),
            r.time,
            r.pv
        );
    });
    println!("{o:?}");
}
