//! A row of a file of games: a record to be stored. The `rows` crate has the record as read.

use std::borrow::Cow;
use std::sync::Arc;

pub use crate::rows::StoredRecord;
use plypack_core::{ErasedLineCodec, Error as LineError};
use plypack_records::Layout;

use crate::store::index::Scan;
use crate::store::movetext::Annotation;

/// Why a record's bytes are kept as they are, although its columns hold what was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It is a piece of an overlong record.
    TooLong,
    /// Its bytes differ too much from every layout.
    Layout,
    /// Its bytes are not text, and nothing in them was understood.
    NoText,
    /// It is a line of a position file without a position.
    NoPosition,
    /// It is a line with a position that could not be coded.
    Position,
}

impl Reason {
    /// Returns the reason as stored in the `verbatim_reason` column.
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

/// Why some or all of a record's moves are kept as text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its Variant tag, shortened for display, names other rules.
    #[error("the variant `{0}` has other rules")]
    Variant(String),
    /// Its set-up position or one of its moves was not understood.
    #[error(transparent)]
    Line(#[from] LineError),
}

/// A line as stored in a file.
#[derive(Debug)]
pub struct CodedLine<'a> {
    /// Its codec.
    pub codec: &'static dyn ErasedLineCodec,
    /// The set-up position as its tag spells it.
    pub start: Option<Cow<'a, str>>,
    /// The number of coded plies.
    pub plies: u32,
    /// The code of the plies.
    pub code: Vec<u8>,
}

/// A record as stored in a file.
#[derive(Debug)]
pub struct PackedRecord<'a> {
    /// The tags in order, without the start position if `line` has it.
    pub tags: Vec<(&'a str, Cow<'a, str>)>,
    /// The names of all tags in order.
    pub tag_names: Vec<&'a str>,
    /// The moves, if any could be coded or there are none.
    pub line: Option<CodedLine<'a>>,
    /// The code of the clock readings.
    pub clocks: Option<Vec<u8>>,
    /// The code of the evaluations.
    pub evaluations: Option<Vec<u8>>,
    /// The code of the reviews.
    pub reviews: Option<Vec<u8>>,
    /// The templates of the comments that follow a pattern, and their code.
    pub fields: Option<(String, Vec<u8>)>,
    /// The annotations.
    pub annotations: Vec<Annotation<'a>>,
    /// How to write the record, or why its bytes are kept.
    pub layout: Result<Arc<dyn Layout>, Reason>,
    /// The differences of its bytes from the layout's output; empty if there are none.
    pub patch: Vec<u8>,
    /// Why the coding of its moves stopped.
    pub fault: Option<Fault>,
    /// The data for an index, if requested.
    pub scan: Option<Scan>,
}

impl PackedRecord<'_> {
    /// Makes a record in which nothing was understood.
    pub(crate) fn unread(reason: Reason) -> Self {
        Self {
            tags: Vec::new(),
            tag_names: Vec::new(),
            line: None,
            clocks: None,
            evaluations: None,
            reviews: None,
            fields: None,
            annotations: Vec::new(),
            layout: Err(reason),
            patch: Vec::new(),
            fault: None,
            scan: None,
        }
    }
}
