//! The inputs of a net, in 256ths.

use crate::hint::{Hint, MARKS, size};

/// The inputs of a net, as far as they are filled in.
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
    /// The most inputs.
    const MOST: usize = 80;

    /// How many inputs a hint gives.
    pub const OF_HINT: usize = MARKS;

    /// The inputs so far.
    pub fn numbers(&self) -> &[i16] {
        &self.numbers[..self.count]
    }

    /// The inputs in pairs, padded with zeros.
    pub fn pairs(&self) -> &[[i16; 2]] {
        self.numbers.as_chunks().0
    }

    /// A number in 256ths, clamped to -4 to 4.
    pub fn number(&mut self, number: i64) {
        if let Some(place) = self.numbers.get_mut(self.count) {
            *place = i16::try_from(number.clamp(-1_024, 1_024)).unwrap_or(0);
            self.count += 1;
        }
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

    /// The marks that are shown again for an earlier ply.
    pub fn memory(&mut self, hint: &Hint) {
        hint.marks.iter().take(Hint::REMEMBERED).for_each(|&mark| self.number(mark.into()));
    }
}
