//! The learned evaluation from games to file, as a person makes it, at toy size.

mod data;
mod train;
