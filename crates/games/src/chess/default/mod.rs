//! The judge of `line.default` of chess: its features and its trained tables, and what other models
//! of chess share with it.
//!
//! `cargo xtask train --game chess` writes the tables; `docs/models.md` names the games.

mod close_up;
pub(super) mod exchange;
pub mod features;
pub(super) mod inputs;
pub mod past;
pub(super) mod rows;
pub(super) mod scene;

use std::sync::LazyLock;

use plypack_core::policy::{Book, Judge};
use plypack_tables::chess::{DEFAULT_BOOK, DEFAULT_JUDGE};

pub use features::Eyes;

/// The judge of `line.default`.
pub static JUDGE: LazyLock<Judge> =
    LazyLock::new(|| Judge::read(DEFAULT_JUDGE).unwrap_or_default());

/// The least weight of a candidate that the judge looks at: 2^-6 of the heaviest.
pub const LEAST: u32 = 1 << 16;

/// The last move number in the book of `line.default` and `line.small`.
pub const BOOK_MOVES: u32 = 30;

/// The book of `line.default` and `line.small`.
pub static BOOK: LazyLock<Book> = LazyLock::new(|| Book::read(DEFAULT_BOOK).unwrap_or_default());

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;

    #[test]
    fn tables_are_whole_and_unchanged() {
        assert!(Judge::read(DEFAULT_JUDGE).is_some() && DEFAULT_JUDGE.len() <= 2_000_000);
        assert!(Book::read(DEFAULT_BOOK).is_some() && DEFAULT_BOOK.len() <= 2_000_000);
        assert_eq!(fnv1a(*DEFAULT_JUDGE), 0xc290_b0ef_d99a_f541);
        assert_eq!(fnv1a(*DEFAULT_BOOK), 0xc0d1_3391_6147_51e9);
    }
}
