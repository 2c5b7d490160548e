//! `finds_player`: whether a search for a player finds a name.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BooleanArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use plypack::store::person::SoughtPlayer;

use super::call::{Arguments, Function, Parameter};

pub(super) const ROW: Function = Function {
    name: "finds_player",
    usage: "finds_player(name, sought)",
    gives: "Whether a name is that of a player who is sought, however it is spelled, or contains \
            what is sought.",
    forms: &[&[Parameter::Name, Parameter::Name]],
    returns: DataType::Boolean,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let [names, texts] = arguments.names()?;
    // Most often the same text is sought in every row.
    let mut last: Option<(&str, SoughtPlayer)> = None;
    let found = names.iter().zip(texts.iter()).map(|(name, text)| {
        let (name, text) = name.zip(text)?;
        if last.as_ref().is_none_or(|last| last.0 != text) {
            last = Some((text, SoughtPlayer::read(text)));
        }
        last.as_ref().map(|(_, sought)| sought.finds(name))
    });
    Ok(Arc::new(found.collect::<BooleanArray>()))
}
