//! `line.default` of xiangqi: moves are weighed at a glance, then judged by the attacks of both
//! sides after them, by a net and a book.

mod after;
pub mod features;

use std::sync::LazyLock;

use plypack_core::policy::{Book, Judge};
use plypack_tables::xiangqi::{DEFAULT_BOOK, DEFAULT_JUDGE};

pub use features::Eyes;

/// The judge of `line.default`.
pub static JUDGE: LazyLock<Judge> =
    LazyLock::new(|| Judge::read(DEFAULT_JUDGE).unwrap_or_default());

/// The least weight of a candidate that the judge looks at: 2^-5 of the heaviest.
pub const LEAST: u32 = 1 << 17;

/// The book of `line.default`.
pub static BOOK: LazyLock<Book> = LazyLock::new(|| Book::read(DEFAULT_BOOK).unwrap_or_default());

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;

    #[test]
    fn tables_are_whole_and_unchanged() {
        assert!(Judge::read(DEFAULT_JUDGE).is_some() && DEFAULT_JUDGE.len() <= 2_000_000);
        assert!(Book::read(DEFAULT_BOOK).is_some() && DEFAULT_BOOK.len() <= 2_000_000);
        assert_eq!(fnv1a(*DEFAULT_JUDGE), 0x9708_abff_b7e7_7885);
        assert_eq!(fnv1a(*DEFAULT_BOOK), 0x873d_500b_0c98_dec2);
    }
}
