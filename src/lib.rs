//! A USI engine for Judkins shogi, and the game's rules as a library.
//!
//! Judkins shogi is shogi on a board of 6 files by 6 ranks, with one king, rook, bishop, gold, silver, knight and pawn
//! a side.
//!
//! | module | holds | may use |
//! | --- | --- | --- |
//! | [`shogi`] | the game: board, moves, rules, SFEN, notation | nothing |
//! | [`score`] | scores and bounds, as search, protocols and records state them | nothing |
//! | [`eval`] | the evaluation: `handwritten` terms, the learned network `nnue`, and the choice between them | `shogi` |
//! | [`search`] | alpha-beta, move ordering, transposition table, time management, threads | `eval`, `score`, `shogi` |
//! | [`mate`] | the mate solver (df-pn) | `shogi` |
//! | [`config`] | `engine.toml`: the defaults of options and parameters | nothing |
//! | [`engine`] | the facade: game, options, table, threads, book | `search`, `mate`, `eval`, `config` |
//! | [`protocol`] | USI, UCI and CECP: text to values and back | `shogi`, `score` |
//! | [`frontend`] | the session that joins a protocol and the engine, logs | `engine`, `protocol` |
//! | [`record`] | games as trees, and their formats: USI, KIF, KI2, PGN in three dialects | `shogi`, `score` |
//! | [`review`] | games reviewed by the engine, move by move | `record`, `search`, `mate` |
//! | [`arena`] | engines as processes, games, matches, statistics | `record`, `protocol`, `shogi`, `score` |
//! | [`board`] | the board in the browser: server, study, analysis, games against engines | `record`, `arena`, `mate` |
//! | [`tune`] | parameters tuned by matches, and the weights of the hand-written terms fitted to games | `arena`, `eval` |
//! | [`data`], [`train`] | games of self-play in shards, and the trainer of the network | `search`, `eval` |
//! | [`whole_file`] | files that are written whole or not at all | nothing |
//!
//! The command line is a thin layer on top, in `src/cli`: a file or folder for each subcommand. `tests/structure.rs` holds
//! who may use whom.
//!
//! `shogi` to `protocol` need no cargo feature. The rest has features: `frontend`, `record`, `review`, `arena`, `board`,
//! `training` (`data`, `train`, `tune`), and `cli`, the command line. By default all of them are on; `cli` without `board` is
//! the program without the board in the browser.
//!
//! ```
//! use judkins::shogi::{Game, Position};
//! let mut game = Game::new(Position::startpos());
//! game.play("6e6d".parse().unwrap()).unwrap();
//! assert_eq!(game.position().count_legal_moves(), 18);
//! ```

#[cfg(feature = "arena")]
pub mod arena;
#[cfg(feature = "board")]
pub mod board;
pub mod config;
#[cfg(feature = "training")]
pub mod data;
pub mod engine;
pub mod eval;
#[cfg(feature = "frontend")]
pub mod frontend;
pub mod mate;
pub mod protocol;
#[cfg(feature = "record")]
pub mod record;
#[cfg(feature = "review")]
pub mod review;
pub mod score;
pub mod search;
pub mod shogi;
#[cfg(feature = "training")]
pub mod train;
#[cfg(feature = "training")]
pub mod tune;
pub mod whole_file;
