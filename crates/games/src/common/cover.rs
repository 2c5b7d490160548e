//! The squares that a side attacks, once or more often.

use std::ops::{BitAnd, BitOrAssign};

/// The squares that at least one man attacks, and those that at least two do, as sets of bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cover<S> {
    /// By at least one man.
    pub once: S,
    /// By at least two.
    pub twice: S,
}

impl<S: Copy + BitAnd<Output = S> + BitOrAssign> Cover<S> {
    /// Adds the attacks of one man, or of several that attack no square in common.
    #[inline(always)]
    pub fn add(&mut self, set: S) {
        self.twice |= self.once & set;
        self.once |= set;
    }
}
