//! `same_player`: whether two names mean the same player.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BooleanArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use plypack::store::person::{Likeness, Person};

use super::call::{Arguments, Function, Parameter};

pub(super) const ROW: Function = Function {
    name: "same_player",
    usage: "same_player(name, other_name)",
    gives: "Whether two names have the same words, in any order, with or without accents and \
            capitals.",
    forms: &[&[Parameter::Name, Parameter::Name]],
    returns: DataType::Boolean,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let [names, others] = arguments.names()?;
    // Most often one of them is the same in every row.
    let mut last: Option<(&str, Person)> = None;
    let same = names.iter().zip(others.iter()).map(|(name, other)| {
        let (name, other) = name.zip(other)?;
        if last.as_ref().is_none_or(|last| last.0 != other) {
            last = Some((other, Person::read(other)));
        }
        let (_, person) = last.as_ref()?;
        Some(Person::read(name).compare(person) == Likeness::Same)
    });
    Ok(Arc::new(same.collect::<BooleanArray>()))
}
