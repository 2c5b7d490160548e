//! `line.default` of go: a closer look at the points that [`Fast`](super::fast::Fast) weighs
//! highest.
//!
//! `cargo xtask train --game go` writes the tables; `docs/models.md` names the games they learnt
//! from.

pub mod features;
mod surroundings;

use std::sync::LazyLock;

use plypack_core::policy::{Book, Judge};
use plypack_tables::go::{DEFAULT_BOOK, DEFAULT_JUDGE};

pub use features::Eyes;

/// The judge of `line.default`.
pub static JUDGE: LazyLock<Judge> =
    LazyLock::new(|| Judge::read(DEFAULT_JUDGE).unwrap_or_default());

/// The book of `line.default`.
pub static BOOK: LazyLock<Book> = LazyLock::new(|| Book::read(DEFAULT_BOOK).unwrap_or_default());

/// The least weight of a candidate that the judge looks at: 1/64 of the best.
pub const LEAST: u32 = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;

    #[test]
    fn tables_are_whole_and_unchanged() {
        assert!(Judge::read(DEFAULT_JUDGE).is_some() && DEFAULT_JUDGE.len() <= 1_000_000);
        assert!(Book::read(DEFAULT_BOOK).is_some() && DEFAULT_BOOK.len() <= 500_000);
        assert_eq!(fnv1a(*DEFAULT_JUDGE), 0x6049_9b93_70dc_dd75);
        assert_eq!(fnv1a(*DEFAULT_BOOK), 0x5578_ece6_bb7d_1a42);
    }
}
