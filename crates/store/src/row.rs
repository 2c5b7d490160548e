//! A row of a file of games: a record to be stored; and one that was read, as `rows` has it.

use std::borrow::Cow;
use std::sync::Arc;

use plypack_core::{ErasedLineCodec, Error as LineError};
use plypack_records::Layout;
pub use plypack_rows::StoredRecord;

use crate::index::Scan;
use crate::movetext::Annotation;

/// Why a record's bytes are kept as they are, although its columns hold what was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It is a piece of a record that was too long.
    TooLong,
    /// Its bytes differ too much from what any layout writes.
    Layout,
    /// Its bytes are no text, and nothing in them was understood.
    NoText,
    /// It is a line of a position file, but no position.
    NoPosition,
    /// It is a line with a position that could not be coded.
    Position,
}

impl Reason {
    /// The reason in a few words, as the `verbatim_reason` column keeps it.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::TooLong => "piece of a too long record",
            Self::Layout => "unusual layout",
            Self::NoText => "no text",
            Self::NoPosition => "no position",
            Self::Position => "position that could not be coded",
        }
    }
}

/// Why a record's moves are kept as text, all of them or the last.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its Variant tag, cut to a readable length, names other rules.
    #[error("the variant `{0}` has other rules")]
    Variant(String),
    /// Its set-up position or one of its moves was not understood.
    #[error(transparent)]
    Line(#[from] LineError),
}

/// A line as a file holds it.
#[derive(Debug)]
pub struct CodedLine<'a> {
    /// What coded it.
    pub codec: &'static dyn ErasedLineCodec,
    /// The set-up position as its tag spells it.
    pub start: Option<Cow<'a, str>>,
    /// How many plies are coded.
    pub plies: u32,
    /// Their code.
    pub code: Vec<u8>,
}

/// A record as a file holds it.
#[derive(Debug)]
pub struct PackedRecord<'a> {
    /// The tags in order, without the start position if `line` has it.
    pub tags: Vec<(&'a str, Cow<'a, str>)>,
    /// The names of all tags in order.
    pub tag_names: Vec<&'a str>,
    /// The moves, if any could be coded or there are none.
    pub line: Option<CodedLine<'a>>,
    /// The clock readings' code.
    pub clocks: Option<Vec<u8>>,
    /// The evaluations' code.
    pub evaluations: Option<Vec<u8>>,
    /// The reviews' code.
    pub reviews: Option<Vec<u8>>,
    /// The annotations.
    pub annotations: Vec<Annotation<'a>>,
    /// How to write the record, or why its bytes are kept.
    pub layout: Result<Arc<dyn Layout>, Reason>,
    /// Where its bytes differ from what the layout writes; empty if nowhere.
    pub patch: Vec<u8>,
    /// What stopped the coding of its moves.
    pub fault: Option<Fault>,
    /// What an index takes of it, if it was asked for.
    pub scan: Option<Scan>,
}

impl PackedRecord<'_> {
    /// A record that was not read, so nothing of it is understood.
    pub(crate) fn unread(reason: Reason) -> Self {
        Self {
            tags: Vec::new(),
            tag_names: Vec::new(),
            line: None,
            clocks: None,
            evaluations: None,
            reviews: None,
            annotations: Vec::new(),
            layout: Err(reason),
            patch: Vec::new(),
            fault: None,
            scan: None,
        }
    }
}
