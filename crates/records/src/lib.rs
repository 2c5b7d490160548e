//! The syntax of game records: reading them without ever failing, and writing them back to the
//! byte. Rules are not known here; a move is a piece of text.

pub mod charset;
pub mod epd;
pub mod pgn;
pub mod psq;
pub mod tag_order;
pub mod transcript;
pub mod wthor;
