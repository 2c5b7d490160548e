//! The inputs of a net, in 256ths.

use crate::hint::{Hint, MARKS, size};

/// The inputs of a net, filled in one by one.
#[derive(Debug)]
pub(super) struct Inputs {
    numbers: [i16; Inputs::MOST],
    count: usize,
}

impl Default for Inputs {
    fn default() -> Self {
        Self { numbers: [0; Inputs::MOST], count: 0 }
    }
}

impl Inputs {
    /// The maximum number of inputs.
    const MOST: usize = 80;

    /// Number of inputs from a hint.
    pub const OF_HINT: usize = MARKS;

    /// Returns the inputs so far.
    pub fn numbers(&self) -> &[i16] {
        &self.numbers[..self.count]
    }

    /// Returns the inputs in pairs, padded with zeros.
    pub fn pairs(&self) -> &[[i16; 2]] {
        self.numbers.as_chunks().0
    }

    /// Adds a number in 256ths, clamped to -4 to 4.
    pub fn number(&mut self, number: i64) {
        if let Some(place) = self.numbers.get_mut(self.count) {
            *place = i16::try_from(number.clamp(-1_024, 1_024)).unwrap_or(0);
            self.count += 1;
        }
    }

    /// Adds 1 or 0.
    pub fn flag(&mut self, yes: bool) {
        self.number(if yes { 256 } else { 0 });
    }

    /// Adds the [`size`](size()) of a number.
    pub fn size(&mut self, number: i64, grain: u64) {
        self.number(size(number, grain));
    }

    /// Adds the marks of a ply.
    pub fn hint(&mut self, hint: &Hint) {
        hint.marks.iter().for_each(|&mark| self.number(mark.into()));
    }

    /// Adds the marks of an earlier ply that are repeated.
    pub fn memory(&mut self, hint: &Hint) {
        hint.marks.iter().take(Hint::REMEMBERED).for_each(|&mark| self.number(mark.into()));
    }
}
