//! Writing and reading of answers with one interface.

use crate::bits::range::{Decoder, Encoder};

/// The denominator of chances.
const ONE: u32 = 1 << 16;

/// A writer or a reader of answers.
pub trait Answers {
    /// Codes an answer with this chance of yes out of 65,536, which is neither 0 nor 65,536. A
    /// writer takes and returns `told`; a reader ignores it and returns what it reads.
    fn answer(&mut self, yes: u32, told: bool) -> bool;
}

impl Answers for Encoder {
    #[inline]
    fn answer(&mut self, yes: u32, told: bool) -> bool {
        if told {
            self.encode(0, yes, ONE);
        } else {
            self.encode(yes, ONE - yes, ONE);
        }
        told
    }
}

impl Answers for Decoder<'_> {
    #[inline]
    fn answer(&mut self, yes: u32, _: bool) -> bool {
        let answer = self.is_below(yes, ONE);
        if answer {
            self.consume(0, yes, ONE);
        } else {
            self.consume(yes, ONE - yes, ONE);
        }
        answer
    }
}
