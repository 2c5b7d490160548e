//! Board-game records and positions in close to the fewest bits, exactly: chess with Chess960,
//! xiangqi, go, othello, gomoku and tic-tac-toe.
//!
//! [`pack`] turns files of games, PGN and others, into one Parquet file; its tags are columns for
//! any Parquet reader, its moves take 2 to 3 bits a ply. [`unpack`] gives back the same bytes, for
//! every input. [`open`] reads games out of it. A single game is a cell of some bytes, by a
//! [`LineCodec`], or a [`Link`]; a single position is some bytes by a [`PositionCodec`].
//!
//! The types here keep their form; the crates behind them may change with any version. The format
//! of the bytes is version 0, and not frozen yet.
//!
//! | feature | what it brings |
//! |---|---|
//! | `file`, on by default | packed files, and with them Arrow, Parquet and zstd; and `full` |
//! | `full` | every codec of every game |
//! | `all-games` | games other than chess, with the codecs that links use |
//!
//! # Files
//!
//! A file of games packed, and the same bytes back:
//!
//! ```no_run
#![doc = include_str!("../examples/pack.rs")]
//! ```
//!
//! [`Packer`] has the choices: several inputs, codecs, threads, progress.
//!
//! ```no_run
#![doc = include_str!("../examples/progress.rs")]
//! ```
//!
//! The games of a packed file are read as they are asked for. Tags have types:
//!
//! ```no_run
#![doc = include_str!("../examples/games.rs")]
//! ```
//!
//! One game, found by its number:
//!
//! ```no_run
#![doc = include_str!("../examples/record.rs")]
//! ```
//!
//! What stands beside the moves is a tree of lines:
//!
//! ```no_run
#![doc = include_str!("../examples/annotations.rs")]
//! ```
//!
//! Games are found by a position, however it was reached, and by conditions on their tags, in
//! several files at once. An index beside a file makes that a matter of milliseconds; without one
//! the answer is the same:
//!
//! ```no_run
#![doc = include_str!("../examples/find.rs")]
//! ```
//!
//! What was played in a position, and what became of it:
//!
//! ```no_run
#![doc = include_str!("../examples/explore.rs")]
//! ```
//!
//! Files of positions are packed and opened the same way:
//!
//! ```no_run
#![doc = include_str!("../examples/positions.rs")]
//! ```
//!
//! # One game as a cell
//!
//! A cell is the bytes of one line. It stands alone: it needs no neighbours and no tags.
//!
//! ```
#![doc = include_str!("../examples/cell.rs")]
//! ```
//!
//! # One position as bytes
//!
//! ```
#![doc = include_str!("../examples/position.rs")]
//! ```
//!
//! # One game step by step
//!
//! [`Steps`] decode a move when it is stepped over, and know positions by their keys.
//!
//! ```
#![doc = include_str!("../examples/repetition.rs")]
//! ```
//!
//! # One game as a link
//!
//! ```
#![doc = include_str!("../examples/link.rs")]
//! ```

mod error;
#[cfg(feature = "file")]
mod file;
mod game;
mod line;
mod link;
mod moves;
mod position;
mod steps;

pub use error::{Error, MoveFault};
#[cfg(feature = "file")]
pub use file::{
    Contents, Games, PackedFile, Progress,
    collection::{Collection, Coverage, RefusedIndex},
    index::{IndexReport, Indexer, index},
    open,
    pack::{Notice, PackReport, Packer, pack},
    played::{ExampleGame, MovePlayed, MovesPlayed, Tally},
    positions::{PositionRecord, Positions},
    query::{FoundGame, FoundGames, Hit, Query, Sort},
    record::Record,
    tags::{Date, Outcome},
    tree::{Evaluation, Line, Move},
    unpack::{Unpacker, unpack},
};
pub use game::{Game, game, line_codec, position_codec};
pub use line::LineCodec;
pub use link::Link;
pub use moves::{Moves, Notation};
pub use position::PositionCodec;
pub use steps::Steps;

/// The README's example is compiled with the tests.
#[cfg(all(doctest, feature = "file"))]
#[doc = include_str!("../README.md")]
struct Readme;
