//! The position index: from a position's key to the games that reach it, in ranges of bytes that
//! any storage can serve.
//!
//! An index is a file of its own, `games.plyindex` beside `games.parquet`; `docs/FORMAT.md`,
//! section 10, describes it. Keys are hashes, so they are evenly distributed and their leading bits
//! address a *page* without a search. For a position that few games reach, the entry in a page has
//! only the numbers of those games: some bits of the key rule out most other positions, and the
//! caller decodes the games anyway. A position that more games share has a *block*: its whole key,
//! the moves played there with sums of the results, examples, and the list of its games, each with
//! the move that it played. After the pages come *heads*, with the players, the outcome and the
//! year of each game, and *remains*, what was left on each board, for pattern searches.
//!
//! This crate handles bytes, not files: [`Footer`] gives the range to read for a key,
//! [`Layout::find`] reads a page, [`Shared`] a block, [`Heads`] heads and [`read_remains`] remains.
//! It needs no threads, no Arrow and no game rules, and runs in a browser. [`Layout`] and
//! [`PageWriter`] write pages, [`write_heads`] and [`write_remains`] the rest. The caller, such as
//! `plypack`, sorts the occurrences of a file's positions.

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
pub use occurrence::{END, Occurrence, Summand};
pub use page::{Block, Entry, Layout, Page, PageWriter, Source};
pub use prune::Staying;
pub use remains::{REMAINS_GAMES, read_remains, write_remains};
pub use shared::{BLOCK_HEAD_BYTES, Example, FEW_MAX, MANY_MIN, MoveSum, Players, Shared, Witness};
pub use sum::Sum;
