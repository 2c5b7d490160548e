//! What goes into a net, in 256ths.

use crate::hint::{Hint, MARKS, size};

/// Inputs on their way into a net.
#[derive(Debug, Default)]
pub(super) struct Inputs(pub Vec<i32>);

impl Inputs {
    /// How many inputs a hint gives.
    pub const OF_HINT: usize = MARKS;

    /// A number in 256ths, cut at 4 either way.
    pub fn number(&mut self, number: i64) {
        self.0.push(i32::try_from(number.clamp(-1_024, 1_024)).unwrap_or(0));
    }

    /// 1 or 0.
    pub fn flag(&mut self, yes: bool) {
        self.number(if yes { 256 } else { 0 });
    }

    /// See [`size`](size()).
    pub fn size(&mut self, number: i64, grain: u64) {
        self.number(size(number, grain));
    }

    /// The marks of a ply.
    pub fn hint(&mut self, hint: &Hint) {
        hint.marks.iter().for_each(|&mark| self.number(mark.into()));
    }

    /// What is shown again of an earlier ply.
    pub fn memory(&mut self, hint: &Hint) {
        hint.marks.iter().take(Hint::REMEMBERED).for_each(|&mark| self.number(mark.into()));
    }
}
