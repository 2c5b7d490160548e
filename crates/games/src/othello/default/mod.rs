//! `line.default` of othello: a judge looks at all moves, without a first look.
//!
//! `cargo xtask train --game othello` writes the tables; `docs/models.md` names the games they
//! learnt from.

pub mod features;
pub mod inputs;
pub mod past;
mod solver;

use std::sync::LazyLock;

use plypack_core::policy::{Book, Judge};
use plypack_core::{MoveModel, Ply};
use plypack_tables::othello::{DEFAULT_BOOK, DEFAULT_JUDGE};

pub use features::Eyes;

use super::{Othello, Position};

/// The judge of `line.default`.
pub static JUDGE: LazyLock<Judge> =
    LazyLock::new(|| Judge::read(DEFAULT_JUDGE).unwrap_or_default());

/// The book of `line.default`.
pub static BOOK: LazyLock<Book> = LazyLock::new(|| Book::read(DEFAULT_BOOK).unwrap_or_default());

/// The weight of all candidates before the judge.
pub const LEAST: u32 = 1 << 22;

/// No first look: all candidates have equal weights.
#[derive(Clone, Copy, Debug)]
pub struct Even;

impl MoveModel<Othello> for Even {
    type State = ();

    fn begin(&self, _: &Othello, _: &Position) {}

    #[inline(always)]
    fn weigh(&self, (): &mut (), _: &Position, candidates: &[u8], weights: &mut Vec<u32>) {
        weights.resize(candidates.len(), LEAST);
    }

    fn update(&self, (): &mut (), _: &Ply<'_, Othello>) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;

    #[test]
    fn tables_are_whole_and_unchanged() {
        assert!(Judge::read(DEFAULT_JUDGE).is_some() && DEFAULT_JUDGE.len() <= 1_000_000);
        assert!(Book::read(DEFAULT_BOOK).is_some() && DEFAULT_BOOK.len() <= 500_000);
        assert_eq!(fnv1a(*DEFAULT_JUDGE), 0x72a6_6041_0647_83dc);
        assert_eq!(fnv1a(*DEFAULT_BOOK), 0xb73b_5ecd_d77d_3073);
    }
}
