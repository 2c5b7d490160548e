//! Answers on their way into a code, and out of one.

use plypack_bits::range::{Decoder, Encoder};

/// The denominator of chances.
const ONE: u32 = 1 << 16;

/// Takes answers, or gives them.
pub trait Answers {
    /// An answer whose chance of yes is this out of 65,536, neither 0 nor that. A writer takes
    /// what it is told and returns it; a reader returns what it reads.
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
