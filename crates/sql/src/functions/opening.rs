//! `opening` and `eco`: the names of openings.

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use plypack_games::openings::{self, Opening, PLIES_MAX};

use super::call::{Arguments, Function, Parameter, texts};
use super::column::{Line, Step, Walk, of_lines};

pub(super) const ECO: Function = Function {
    name: "eco",
    usage: "eco(moves)",
    gives: "The code of the game's opening in the Encyclopaedia of Chess Openings.",
    forms: &[&[Parameter::Moves]],
    returns: DataType::Utf8,
    answer: |arguments| answer(arguments, |opening| opening.eco),
};

pub(super) const OPENING: Function = Function {
    name: "opening",
    usage: "opening(moves)",
    gives: "The name of the game's opening: that of the last position that has one.",
    forms: &[&[Parameter::Moves]],
    returns: DataType::Utf8,
    answer: |arguments| answer(arguments, |opening| opening.name),
};

fn answer(arguments: &Arguments, text: fn(Opening) -> &'static str) -> Result<ArrayRef> {
    let moves = arguments.moves()?;
    let openings = of_lines(arguments, &moves, |line| opening_of(arguments.function, line))?;
    let one = |opening: Option<Opening>| opening.map(|opening| text(opening).to_owned());
    texts(arguments.function, openings.into_iter().map(one).collect())
}

/// Returns the opening of a line, which is followed only as far as names can occur.
fn opening_of(function: &'static str, line: Line<'_>) -> Result<Option<Opening>> {
    let Some(mut walk) = Walk::new(function, line)? else { return Ok(None) };
    let game = walk.game().info().name;
    let mut last = None;
    if !openings::has_names(game) {
        return Ok(last);
    }
    loop {
        last = openings::opening(game, walk.here().key()).or(last);
        if walk.here().ply() >= PLIES_MAX {
            return Ok(last);
        }
        match walk.step()? {
            Step::Moved => {}
            Step::End => return Ok(last),
            Step::Unreadable => return Ok(None),
        }
    }
}
