//! The argument `moves`: a column of packed files, or texts of moves.

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, Int32Array, StringArray, StructArray,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int32Type};

/// The moves of games, one game per row.
pub(crate) enum Moves {
    /// As stored in packed files.
    Coded(Box<Coded>),
    /// As texts.
    Texts(StringArray),
}

/// The parts of the column in plain types.
pub(crate) struct Coded {
    whole: StructArray,
    codecs: StringArray,
    starts: Option<StringArray>,
    plies: Int32Array,
    codes: BinaryArray,
}

/// The moves of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// As stored in a packed file.
    Coded {
        /// The name of its codec.
        codec: &'a str,
        /// The set-up position.
        start: Option<&'a str>,
        /// The number of plies.
        plies: u32,
        /// Their code.
        code: &'a [u8],
    },
    /// As a text.
    Text(&'a str),
}

impl Moves {
    /// Returns `None` if the column is of another kind.
    pub fn new(column: &ArrayRef) -> Option<Self> {
        match column.as_string_opt() {
            Some(texts) => Some(Self::Texts(texts.clone())),
            None => Some(Self::Coded(Box::new(Coded::new(column.as_struct_opt()?)?))),
        }
    }

    /// The moves in a row, if there are any.
    pub fn line(&self, row: usize) -> Option<Line<'_>> {
        match self {
            Self::Coded(coded) => coded.line(row),
            Self::Texts(texts) => texts.is_valid(row).then(|| Line::Text(texts.value(row))),
        }
    }
}

impl Coded {
    fn new(whole: &StructArray) -> Option<Self> {
        let part = |name, wanted: &DataType| cast(whole.column_by_name(name)?, wanted).ok();
        let text = |name| Some(part(name, &DataType::Utf8)?.as_string_opt()?.clone());
        Some(Self {
            codecs: text("codec")?,
            starts: text("start"),
            plies: part("plies", &DataType::Int32)?.as_primitive_opt::<Int32Type>()?.clone(),
            codes: part("code", &DataType::Binary)?.as_binary_opt::<i32>()?.clone(),
            whole: whole.clone(),
        })
    }

    fn line(&self, row: usize) -> Option<Line<'_>> {
        // Some tools turn a null into a struct of nulls.
        let has = self.whole.is_valid(row) && self.codecs.is_valid(row) && self.codes.is_valid(row);
        let start = self.starts.as_ref().filter(|starts| starts.is_valid(row));
        has.then(|| Line::Coded {
            codec: self.codecs.value(row),
            start: start.map(|starts| starts.value(row)),
            // A missing or negative number of plies: no codec accepts one this large.
            plies: self.plies(row).and_then(|plies| plies.try_into().ok()).unwrap_or(u32::MAX),
            code: self.codes.value(row),
        })
    }

    /// The number of plies that a row states.
    pub fn plies(&self, row: usize) -> Option<i32> {
        let has = self.whole.is_valid(row) && self.plies.is_valid(row);
        has.then(|| self.plies.value(row))
    }
}
