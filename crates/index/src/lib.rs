//! The position index: from a position to the games that reach it, in ranges of bytes that any
//! storage can serve.
//!
//! An index is a file of its own, `games.plyindex` beside `games.parquet`; `docs/FORMAT.md`,
//! section 10, describes it. Positions are listed by [`Spot::place`]: first their *frame*, in chess
//! the pawns, then the men by kind, then the key. Nearly all positions are reached by one game or
//! two, and so is their frame, for many moves. So a frame, or the men in it, lists at most 16 games
//! instead of positions; the caller decodes these. Only where there are more games, positions are
//! told apart by bits of their keys. A position that four games share has a *block* besides: its
//! whole key, the moves played there with sums of the results, examples, and the list of its games,
//! each with the move that it played. After the pages come *heads*, with the players, the outcome
//! and the year of each game, *remains*, what was left on each board, for pattern searches, and
//! *ratings*, the sums of positions that a thousand games share by rating group.
//!
//! This crate handles bytes, not files: [`Footer`] gives the range to read for a place,
//! [`Layout::find`] reads a page, [`Shared`] a block, [`Heads`] heads, [`read_remains`] remains and
//! [`find_ratings`] ratings. It needs no threads, no Arrow and no game rules, and runs in a
//! browser. [`Layout`] and [`PageWriter`] write pages, [`write_heads`], [`write_remains`] and
//! [`RatingsWriter`] the rest. The caller, such as `plypack`, sorts the occurrences of a file's
//! positions.

mod checked;
mod error;
mod footer;
mod heads;
mod layout;
mod list;
mod occurrence;
mod page;
mod prune;
mod ratings;
mod remains;
mod set;
mod shared;
mod sum;
mod writer;

pub use error::Error;
pub use footer::{Footer, Group, Lengths, Opened, PageLengths, RatingsLength, TAIL_BYTES};
pub use heads::{HEADS_GAMES, Head, Heads, write_heads};
pub use layout::{Layout, Spot};
pub use list::{Games, Visit};
pub use occurrence::{END, Occurrence, Summand};
pub use page::{Block, Entry, LISTED_MAX, Page};
pub use prune::Staying;
pub use ratings::{
    GROUPS, GroupSums, RATED_MIN, RATING_GROUPS, RatingsBlock, RatingsWriter, find_ratings,
    rating_group,
};
pub use remains::{REMAINS_GAMES, read_remains, write_remains};
pub use shared::{BLOCK_HEAD_BYTES, Example, FEW_MAX, MANY_MIN, MoveSum, Players, Shared, Witness};
pub use sum::Sum;
pub use writer::{Counts, PageWriter, Source};
