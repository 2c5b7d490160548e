//! Frequencies of the answers to the questions about a position's state.

use plypack_games::chess::squares::{Coder, Contents, QUESTIONS, Seen, walk};

/// By question: the numbers of no and of yes answers, each plus one, so that nothing is impossible.
pub struct Questions([[u64; 2]; QUESTIONS]);

impl Default for Questions {
    fn default() -> Self {
        Self([[1; 2]; QUESTIONS])
    }
}

impl Questions {
    pub fn count(&mut self, position: &Contents) {
        walk(self, position);
    }

    /// Returns the chances of yes, out of 65,536 and neither 0 nor all, the more significant byte
    /// first.
    pub fn bytes(&self) -> impl Iterator<Item = u8> {
        self.0.iter().flat_map(|[no, yes]| {
            let chance = (yes * 65_536 / (no + yes)).clamp(1, 65_535);
            u16::try_from(chance).unwrap_or(u16::MAX).to_be_bytes()
        })
    }
}

impl Coder for Questions {
    fn square(&mut self, _: &Seen, symbol: u8) -> u8 {
        symbol
    }

    fn answer(&mut self, question: usize, yes: bool) -> bool {
        self.0[question][usize::from(yes)] += 1;
        yes
    }

    fn bit(&mut self, bit: bool) -> bool {
        bit
    }
}
