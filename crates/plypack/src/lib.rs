//! Packs board-game records and positions into close to the fewest bits, exactly: chess with
//! Chess960, xiangqi, go and other games, which [`Rules::all`] lists.
//!
//! [`pack`] packs files of games, PGN and others, into one Parquet file. Its tags are columns for
//! any Parquet reader; its moves take 2 to 3 bits per ply. [`unpack`] restores the same bytes.
//! [`PackedFile::open`] opens the file to read games. A [`LineCodec`] codes a single game as a cell
//! of a few bytes, a [`Link`] as a URL; a [`PositionCodec`] codes a single position.
//!
//! The types here are stable; the crates behind them, and modules that are not shown here, may
//! change with any version. What one version 1.x writes, every later one reads.
//!
//! | feature | enables |
//! |---|---|
//! | `file` (default) | packed files, with Arrow, Parquet and zstd; implies `full` |
//! | `full` | every codec of every game |
//! | `all-games` | games other than chess, with the codecs of links |
//!
//! # Files
//!
//! Pack a file of games, and restore the same bytes:
//!
//! ```no_run
#![doc = include_str!("../examples/pack.rs")]
//! ```
//!
//! [`Packer`] has options: several inputs, including folders and archives; codecs, threads,
//! progress.
//!
//! ```no_run
#![doc = include_str!("../examples/progress.rs")]
//! ```
//!
//! Files grow by more inputs and by other files. What they hold already is copied, not coded again,
//! and an index is kept up to date. [`Deduplicator`] deletes games that files have twice.
//!
//! ```no_run
#![doc = include_str!("../examples/grow.rs")]
//! ```
//!
//! [`list`] says what a file holds, and how many bytes each column takes; [`Verifier`] decodes all
//! of it and compares checksums. [`PlayerLister`] lists the players of games, however their names
//! are spelled. [`Synthesizer`] makes synthetic games, for tests with many games.
//!
//! The games of a packed file are read on demand. Tags have types:
//!
//! ```no_run
#![doc = include_str!("../examples/games.rs")]
//! ```
//!
//! Read one game by its number:
//!
//! ```no_run
#![doc = include_str!("../examples/record.rs")]
//! ```
//!
//! Comments, clocks and variations come with the moves as a tree of lines:
//!
//! ```no_run
#![doc = include_str!("../examples/annotations.rs")]
//! ```
//!
//! Find games by a position, however it was reached, and by conditions on their tags, in several
//! files at once. With an index beside a file this takes milliseconds; without one the answer is
//! the same:
//!
//! ```no_run
#![doc = include_str!("../examples/find.rs")]
//! ```
//!
//! [`Query::list`] passes on only the tags of games, while others are still searched for.
//! [`Collection::extractor`] writes games that were found to a new file, packed or as PGN.
//!
//! Count the moves played in a position, and their results, or whole lines from there, several
//! plies deep:
//!
//! ```no_run
#![doc = include_str!("../examples/explore.rs")]
//! ```
//!
//! Find the games that follow a repertoire, where each leaves it, and who left it:
//!
//! ```no_run
#![doc = include_str!("../examples/repertoire.rs")]
//! ```
//!
//! Files of positions are packed and opened in the same way:
//!
//! ```no_run
#![doc = include_str!("../examples/positions.rs")]
//! ```
//!
//! # One game as a cell
//!
//! A cell is the bytes of one line. It is self-contained: it needs no neighbours and no tags.
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
//! [`Cursor`] decodes each move as it is stepped over, and identifies positions by their keys.
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

mod boards;
mod codec;
mod cursor;
mod error;
#[cfg(feature = "file")]
mod file;
mod line;
mod link;
mod moves;
mod position;
mod rules;

// Used only by our own programs; it may change with any version.
#[cfg(feature = "records")]
#[doc(hidden)]
pub mod reading;
#[cfg(feature = "records")]
#[doc(hidden)]
pub mod rows;
#[cfg(feature = "file")]
#[doc(hidden)]
pub mod store;

pub use boards::{Boards, Marks};
pub use cursor::{Cursor, Side};
pub use error::{Error, MoveFault};
#[cfg(feature = "file")]
pub use file::{
    Contents, Games, PackedFile, Progress,
    branches::{Branch, Branches},
    collection::{Collection, Coverage, RefusedIndex},
    dedup::{Deduplicator, Duplicate, Kept, Likeness},
    delete::Deleter,
    extract::{ExtractReport, Extractor},
    game::Game,
    index::{IndexReport, Indexer, build_index},
    listing::ListedGame,
    merge::{MergeReport, Merger},
    opening_tree::{ExampleGame, OpeningTree, RatingGroup, Tally, TreeMove},
    pack::{Notice, PackReport, Packer, pack},
    packed_files,
    players::{PlayerLister, Players},
    positions::{PositionRecord, Positions},
    query::{FoundGame, FoundGames, Hit, Place, Query, Sort},
    repertoire::{Departure, Departures, FollowedGame, Repertoire},
    scan::Scan,
    source::Source,
    summary::{Summary, list},
    synth::Synthesizer,
    tags::{Date, Outcome},
    unpack::{UnpackReport, Unpacker, unpack},
    variation::{Evaluation, MoveNode, Variation},
    verify::Verifier,
};
pub use line::{Line, LineCodec};
pub use link::Link;
pub use moves::{MoveTexts, Notation};
pub use position::PositionCodec;
pub use rules::Rules;
#[cfg(feature = "file")]
pub use store::{
    Completeness, NoRecordId, RecordId, UnreadInput,
    input::database::losses::Loss,
    players::{Career, Player},
    repertoire::{Followers, Left},
};

/// Compiles the README's example with the tests.
#[cfg(all(doctest, feature = "file"))]
#[doc = include_str!("../README.md")]
struct Readme;
