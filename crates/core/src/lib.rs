//! The definitions of games, codecs and models, and the codecs for every game.
//!
//! Authors implement the small typed traits [`Rules`], [`LineCodec`] and [`MoveModel`]; callers use
//! the type-erased ones, [`ErasedRules`] and [`ErasedLineCodec`], provided by blanket
//! implementations: one virtual call per record, not one per move.
//!
//! This crate has no rules of any game, no files and no threads.
//!
//! The feature `ternary` adds boards that belong to no game, of any size and with three symbols, in
//! `board::ternary`, and their codecs in `codecs::ternary`.

// Code that determines coded bytes uses no files, threads, clocks or terminals; tests may.
#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_methods,
        clippy::print_stderr,
        clippy::print_stdout,
        clippy::unreachable
    )
)]

#[macro_use]
mod each;

pub mod bits;
pub mod board;
pub mod boards;
pub mod candidates;
pub mod cell;
pub mod codec;
pub mod codecs;
pub mod erased;
pub mod error;
pub mod game;
pub mod hint;
pub mod key;
pub mod limits;
pub mod line;
pub mod link;
pub mod model;
pub mod outcome;
pub mod pattern;
pub mod policy;
pub mod position;
pub mod sample;
pub mod split_mix;
pub mod table;
pub mod testkit;
pub mod texts;

pub use board::{Board, BoardCodec, BoardRules, PlacingRules};
pub use boards::{Boards, Facets, Marks};
pub use candidates::{Candidates, Listing};
pub use codec::{Claim, CodecInfo, CodecRow, LineCodec, UnknownCodec};
pub use erased::{
    Branch, Cursor, EncodedLine, ErasedLineCodec, ErasedPositionCodec, ErasedRules, Foretold,
    GameRow, LineRow, Place, PositionRow, PositionTrial, Trunk, Visit,
};
pub use error::{Error, MoveFault};
pub use game::{GameInfo, Notation, Rules, Turn, Verdict};
pub use hint::{Hint, Known};
pub use line::{MoveSink, MoveSource, Ply, walk};
pub use link::LinkError;
pub use model::MoveModel;
pub use outcome::Outcome;
pub use pattern::{Pattern, Query};
pub use plypack_kernels::{Work, natively};
pub use position::{PositionCode, PositionCodec};
pub use sample::Sample;
pub use split_mix::SplitMix;
pub use texts::Texts;
