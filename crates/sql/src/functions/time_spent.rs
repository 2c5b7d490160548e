//! `time_spent`: the time that moves took, by the clocks.

use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::array::{Array, ArrayRef, Float64Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::call::{Arguments, Function, Parameter};
use super::column::differences;

pub(super) const ROW: Function = Function {
    name: "time_spent",
    usage: "time_spent(moves, clocks [, time_control], ply)",
    gives: "The time that a move took in seconds, by the player's clock before and after it.",
    forms: &[
        &[Parameter::Moves, Parameter::Series, Parameter::Ply],
        &[Parameter::Moves, Parameter::Series, Parameter::Text, Parameter::Ply],
        &[Parameter::Movetext, Parameter::Ply],
        &[Parameter::Movetext, Parameter::Text, Parameter::Ply],
    ],
    returns: DataType::Float64,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let controls = arguments.texts().ok();
    let spent = |(row, less): (usize, Option<i64>)| {
        let control = controls.filter(|controls| controls.is_valid(row));
        let added = control.map_or(0, |controls| increment(controls.value(row)));
        // A clock that gained more was set by hand, or by a second time control.
        let spent = u64::try_from(less?.saturating_add(added)).ok()?;
        Some(Duration::from_millis(spent).as_secs_f64())
    };
    let spent = differences(arguments)?.into_iter().enumerate().map(spent);
    Ok(Arc::new(spent.collect::<Float64Array>()))
}

/// Returns what a move adds to the clock, in milliseconds, by a tag TimeControl such as `180+2` or
/// `40/5400+30:1800+30`; 0 if it says nothing of it.
fn increment(control: &str) -> i64 {
    let stage = control.split(':').next().unwrap_or_default();
    let seconds = stage.split_once('+').and_then(|(_, added)| added.trim().parse().ok());
    let added = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    added.and_then(|added| i64::try_from(added.as_millis()).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::increment;

    #[test]
    fn increments_stand_behind_a_plus() {
        for (control, expected) in [
            ("180+2", 2_000),
            ("600", 0),
            ("600+0.1", 100),
            ("40/5400+30:1800+30", 30_000),
            ("40/7200:3600", 0),
            ("-", 0),
            ("?", 0),
            ("1+x", 0),
            ("1+-5", 0),
            ("1+1e300", 0),
            ("1+1e17", 0),
            ("1+nan", 0),
        ] {
            assert_eq!(increment(control), expected, "{control}");
        }
    }
}
