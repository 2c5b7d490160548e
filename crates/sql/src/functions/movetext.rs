//! `movetext`: records without their tags.

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use plypack_records::pgn::parse_tags;

use super::call::{Arguments, Function, Parameter, texts};
use super::column::records;

pub(super) const ROW: Function = Function {
    name: "movetext",
    usage: "movetext(*)",
    gives: "The record as it was packed, without its tags and surrounding white space.",
    forms: &[&[Parameter::Row]],
    returns: DataType::Utf8,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    texts(arguments.function, records(arguments, |text| parse_tags(&text).1.trim_end().to_owned())?)
}
