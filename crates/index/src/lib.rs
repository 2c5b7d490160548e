//! The index of positions: from a position's key to the games that reach it, in ranges of bytes
//! that any storage can serve.
//!
//! An index is a file of its own, `games.plyindex` beside `games.parquet`; `docs/FORMAT.md`,
//! section 10, describes it. Keys are hashes, so they are spread evenly and their leading bits
//! address a *page* without a search. An entry of a page tells of a position that few games reach
//! those games, by number, and nothing else: some bits of the key tell most strangers apart, and
//! whoever asks decodes the games anyway. A position that more games share has a *block*: its whole
//! key, what was played there with sums of the results, examples, and the list of its games, each
//! with the move that it played. Behind the pages come *heads*: of each game, whatever it reaches,
//! who played it, how it ended, and when; and what was left on the board, for who looks for
//! patterns.
//!
//! This crate knows bytes, not files: [`Footer`] says which range to read for a key,
//! [`Layout::find`] reads a page, [`Shared`] reads a block, [`Heads`] reads heads and
//! [`read_remains`] what was left. It needs no threads, no Arrow and no rules of any game, and runs
//! in a browser. [`Layout`] and [`PageWriter`] write pages, [`write_heads`] and [`write_remains`]
//! write the rest; whoever sorts the occurrences of a file's positions, such as `plypack-store`,
//! builds an index of them.

mod error;
mod footer;
mod heads;
mod list;
mod occurrence;
mod page;
mod prune;
mod remains;
mod shared;
mod sum;

pub use error::Error;
pub use footer::{Footer, Group, Lengths, Opened, TAIL_BYTES};
pub use heads::{HEADS_GAMES, Head, Heads, write_heads};
pub use list::{Games, Visit};
pub use occurrence::{END, Fact, Occurrence, Outcome};
pub use page::{Block, Entry, Layout, Page, PageWriter, Source};
pub use prune::Staying;
pub use remains::{REMAINS_GAMES, read_remains, write_remains};
pub use shared::{BLOCK_HEAD_BYTES, Example, FEW_MAX, MANY_MIN, MoveSum, Players, Shared, Witness};
pub use sum::Sum;
