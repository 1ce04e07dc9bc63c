//! A USI engine for Judkins shogi, and the game's rules, its search and its records as a library.
//!
//! Judkins shogi is shogi on a board of 6 files by 6 ranks, with one king, rook, bishop, gold, silver, knight and pawn
//! per side.
//!
//! # Generate moves
//! A [`Position`](shogi::Position) is read from SFEN, lists its legal moves, and plays them. A [`Game`](shogi::Game)
//! also knows the earlier moves, and with them repetition and impasse.
//!
//! ```
//! use judkins::shogi::{EndReason, Game, Move, Position};
//!
//! let position = Position::startpos();
//! let moves = position.legal_moves();
//! assert_eq!(moves.len(), 20);
//! let pawn: Move = "6e6d".parse()?;
//! assert!(moves.contains(&pawn));
//! println!("{}", position.after(pawn)); // as SFEN
//!
//! let mut game = Game::new("5k/6/5P/6/6/K5 b G 1".parse()?);
//! game.play("G*1b".parse()?)?;
//! assert_eq!(game.result().map(|result| result.reason), Some(EndReason::Checkmate));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Search a position
//! A [`Pool`](search::Pool) holds the threads and the transposition table. This program plays a game against itself:
//!
//! ```
//! use judkins::search::{Limits, Pool, Root, Settings};
//! use judkins::shogi::{Game, Position};
//! use std::sync::atomic::AtomicBool;
//!
//! let pool = Pool::new(1, 16)?; // threads, MiB
//! let (limits, settings) = (Limits { nodes: Some(1_000), ..Limits::default() }, Settings::default());
//! let mut game = Game::new(Position::startpos());
//! while game.result().is_none() && game.moves().len() < 300 {
//!     let stop = AtomicBool::new(false);
//!     let outcome = pool.search(&Root::of(&game), &limits, &settings, None, &stop, &mut |report| {
//!         println!("depth {}: {}", report.depth, report.score);
//!     });
//!     game.play(outcome.best.expect("there is a legal move"))?;
//! }
//! # assert!(game.moves().len() > 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`mate::Solver`] looks for mates by checks, and [`eval::Evaluation`] evaluates a position without a search.
//!
//! # Drive the engine
//! An [`Engine`](engine::Engine) has a game, options by name, a book and clocks, as protocols require. It searches on
//! its own threads and reports the results.
//!
//! ```
//! use judkins::engine::{Engine, Event, OptionTable, Verdict};
//! use judkins::search::Limits;
//! use judkins::shogi::Position;
//! use std::{sync::mpsc, time::Duration};
//!
//! let mut engine = Engine::new(OptionTable::new(None, false)?)?;
//! engine.set_option("USI_Hash", Some("16"))?;
//! engine.set_position(Position::startpos(), &["6e6d".parse()?, "1b1c".parse()?])?;
//! let (sender, receiver) = mpsc::channel();
//! let limits = Limits { movetime: Some(Duration::from_millis(100)), ..Limits::default() };
//! engine.go(&limits, move |event| sender.send(event).unwrap_or_default())?;
//! for event in receiver {
//!     match event {
//!         Event::Info(report) => println!("{} {:?}", report.score, report.pv),
//!         Event::Done(Verdict::Move { best, .. }) => println!("plays {best}"),
//!         other => println!("{other:?}"),
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `protocol` turns the text of USI, UCI and CECP into values and back, `frontend` joins it to the engine. `arena`
//! plays matches between programs that speak USI or UCI.
//!
//! # Read a record
#![cfg_attr(feature = "record", doc = "```")]
#![cfg_attr(not(feature = "record"), doc = "```ignore")]
//! use judkins::record::{Format, Reader};
//!
//! let file = "startpos moves 6e6d 1b1c 5f5e"; // or KIF, KI2, PGN: any reader of bytes
//! for game in Reader::new(file.as_bytes())? {
//!     let game = game?;
//!     assert!(game.problems.is_empty(), "what is wrong is named with line and column");
//!     let record = game.record.expect("its start is known");
//!     assert_eq!(record.main_moves().count(), 3);
//!     println!("{}", record.to_text(Format::Kif)?);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//! The game, evaluation, search, mate solver, protocols and engine need no feature; without features the crate is a light
//! dependency:
//!
//! ```toml
//! judkins = { version = "0.1", default-features = false }
//! ```
//!
//! | feature | adds |
//! | --- | --- |
//! | `serde` | moves, scores and results as text in serde's formats |
//! | `record` | [`record`] |
//! | `book` | `book::growth`, `proof` |
//! | `review` | [`review`] |
//! | `contest` | `contest` |
//! | `arena` | `arena` |
//! | `training` | `data`, `train`, `tune` |
//! | `frontend` | `frontend` |
//! | `board-state` | `board` without its server |
//! | `board` | `board` |
//! | `web` | `web`, for WebAssembly alone |
//! | `cli` | the program; with `board` it has everything, which is the default |
//!
//! The search runs some 4 % faster if it is compiled for AVX2 and BMI2; the network selects its instructions at run
//! time in any case. The program that uses the library decides: `RUSTFLAGS="-C target-cpu=native"`.
//!
//! # Stability
//! [`shogi`], [`score`], [`engine`] with the types that it re-exports, and [`record`] change at most with a new minor
//! version, which documents the changes. The same holds for the command line, the engine's options and the file formats.
//! The other modules are public because the program uses them: they may change in any version, and those without a link
//! below are not documented here. Searches may find other moves in any version.
//!
//! # Modules
//! | module | holds |
//! | --- | --- |
//! | [`shogi`] | the game: board, moves, rules, SFEN, notation |
//! | [`score`] | scores and bounds, as search, protocols and records state them |
//! | [`eval`] | the evaluation: `handwritten` terms, the learned network `nnue`, and the choice between them |
//! | [`search`] | alpha-beta, move ordering, transposition table, time management, threads |
//! | [`mate`] | the mate solver (df-pn) |
//! | [`book`] | opening books: what the engine plays from |
//! | `book::growth` | how a book is grown by search |
//! | `proof` | who wins by force: proof-number search over all moves |
//! | `config` | `engine.toml`: the defaults of options and parameters |
//! | [`engine`] | the facade: game, options, table, threads, book |
//! | `protocol` | USI, UCI and CECP: text to values and back |
//! | `frontend` | the session that joins a protocol and the engine, logs |
//! | [`record`] | games as trees, and their formats: USI, KIF, KI2, PGN in three dialects |
//! | [`review`] | games reviewed by the engine, move by move |
//! | `contest` | openings, adjudication, statistics of matches and series |
//! | `arena` | engines as processes, games, matches |
//! | `board` | the board in the browser: server, study, analysis, games against engines |
//! | `web` | the engine in a page's Worker |
//! | `tune` | parameters tuned by matches, and the weights of the hand-written terms fitted to games |
//! | `data`, `train` | games of self-play in shards, and the trainer of the network |
//! | `atomic_file` | files that are read whole, texts without byte order marks, and files that are written whole or not at all |
//! | `append_log` | files that grow by batches |
//! | `counted` | numbers with their nouns |
//! | `jsonl` | values that stand on a line of JSON each |
//! | `difference` | what differs between two values, setting by setting |
//! | `text_width` | how much room texts take in pictures |
//! | `time_control` | time for games and moves, and the clock of a player |
//! | `random` | random numbers of numbered tasks |
//! | `parallel` | items of work on the threads of a pool |
//! | `work` | work beside its caller, with threads and without |
//!
//! The command line is a thin layer on top, in `src/cli`: a file or folder for each subcommand.
//! `tests/integration/structure.rs` defines the allowed dependencies between modules.

// The map names modules that a build without features lacks.
#![cfg_attr(not(all(feature = "board", feature = "cli")), allow(rustdoc::broken_intra_doc_links))]

#[cfg(feature = "book")]
#[doc(hidden)]
pub mod append_log;
#[cfg(feature = "arena")]
#[doc(hidden)]
pub mod arena;
#[doc(hidden)]
pub mod atomic_file;
#[cfg(feature = "board-state")]
#[doc(hidden)]
pub mod board;
pub mod book;
#[doc(hidden)]
pub mod config;
#[cfg(feature = "contest")]
#[doc(hidden)]
pub mod contest;
#[doc(hidden)]
pub mod counted;
#[cfg(feature = "training")]
#[doc(hidden)]
pub mod data;
#[cfg(feature = "record")]
#[doc(hidden)]
pub mod difference;
pub mod engine;
pub mod eval;
#[cfg(feature = "frontend")]
#[doc(hidden)]
pub mod frontend;
mod huge_pages;
#[cfg(feature = "record")]
#[doc(hidden)]
pub mod jsonl;
pub mod mate;
mod option_kind;
#[doc(hidden)]
pub mod parallel;
#[cfg(feature = "book")]
#[doc(hidden)]
pub mod proof;
#[doc(hidden)]
pub mod protocol;
#[cfg(feature = "contest")]
#[doc(hidden)]
pub mod random;
#[cfg(feature = "record")]
pub mod record;
#[cfg(feature = "review")]
pub mod review;
pub mod score;
pub mod search;
pub mod shogi;
#[doc(hidden)]
pub mod strength;
#[doc(hidden)]
pub mod text_width;
#[cfg(feature = "record")]
#[doc(hidden)]
pub mod time_control;
#[cfg(feature = "training")]
#[doc(hidden)]
pub mod train;
#[cfg(feature = "training")]
#[doc(hidden)]
pub mod tune;
#[cfg(all(feature = "web", target_family = "wasm"))]
#[doc(hidden)]
pub mod web;
#[doc(hidden)]
pub mod work;
