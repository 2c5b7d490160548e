//! `pgn`: whole records, as they were packed.

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::call::{Arguments, Function, Parameter, texts};
use super::column::records;

pub(super) const ROW: Function = Function {
    name: "pgn",
    usage: "pgn(*)",
    gives: "The record as it was packed, byte for byte if it is UTF-8; otherwise in the \
            character set in which it was read.",
    forms: &[&[Parameter::Row]],
    returns: DataType::Utf8,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    texts(arguments.function, records(arguments, |text| text)?)
}
