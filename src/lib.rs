//! A USI engine for Judkins shogi, and the game's rules as a library.
//!
//! Judkins shogi is shogi on a board of 6 files by 6 ranks, with one king, rook, bishop, gold, silver, knight and pawn
//! a side. [`shogi`] is the game, [`eval`] what a position is worth, [`search`] how a move is found, [`protocol`] the
//! language of graphical programs, and [`engine`] all of it behind one door.
//!
//! ```
//! use judkins::shogi::{Game, Position};
//! let mut game = Game::new(Position::startpos());
//! game.play("6e6d".parse().unwrap()).unwrap();
//! assert_eq!(game.position().count_legal_moves(), 18);
//! ```

pub mod arena;
pub mod config;
pub mod data;
pub mod engine;
pub mod eval;
pub mod frontend;
pub mod mate;
pub mod protocol;
pub mod score;
pub mod search;
pub mod shogi;
pub mod train;
pub mod tune;
pub mod whole_file;
