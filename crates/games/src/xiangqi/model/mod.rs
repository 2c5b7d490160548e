//! The policy of xiangqi: its features and its trained tables.
//!
//! `cargo xtask train --game xiangqi` writes the tables; `docs/models.md` says from which games.

mod close_up;
mod exchange;
pub mod features;
pub(super) mod rows;
pub(super) mod scene;

use std::sync::LazyLock;

use plypack_core::policy::{Book, Gate, Judge};

pub use features::Eyes;

/// The gate: the table of `line.small/4`, for links, and the first half of `line.default`.
pub static GATE: LazyLock<Gate> =
    LazyLock::new(|| Gate::read(include_bytes!("small.gate")).unwrap_or_default());

/// The judge of `line.default`.
pub static JUDGE: LazyLock<Judge> =
    LazyLock::new(|| Judge::read(include_bytes!("default.judge")).unwrap_or_default());

/// The book of `line.default`.
pub static BOOK: LazyLock<Book> =
    LazyLock::new(|| Book::read(include_bytes!("default.book")).unwrap_or_default());

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;

    #[test]
    fn tables_are_whole_and_unchanged() {
        let (gate, judge) = (include_bytes!("small.gate"), include_bytes!("default.judge"));
        let book = include_bytes!("default.book");
        assert!(Gate::read(gate).is_some() && gate.len() <= 50_000);
        assert!(Judge::read(judge).is_some() && judge.len() <= 1_000_000);
        assert!(Book::read(book).is_some() && book.len() <= 2_000_000);
        assert_eq!(fnv1a(*gate), 0x6cb0_a83f_246f_4e06);
        assert_eq!(fnv1a(*judge), 0x58bc_1d53_3a80_5aa0);
        assert_eq!(fnv1a(*book), 0x873d_500b_0c98_dec2);
    }
}
