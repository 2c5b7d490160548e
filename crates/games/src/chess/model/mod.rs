//! The policy of chess: its features and its trained tables.
//!
//! `cargo xtask train --game chess` writes the tables; `docs/models.md` says from which games.

mod close_up;
pub(super) mod exchange;
pub mod features;
mod rows;
pub(super) mod scene;

use std::sync::LazyLock;

use plypack_core::policy::{Book, Gate, Judge};

pub use features::Eyes;

/// The gate: the table of `line.small`, and the first half of `line.default`.
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
        assert_eq!(fnv1a(*gate), 0x06b0_e7f4_3bac_bf9f);
        assert_eq!(fnv1a(*judge), 0x05ff_6731_34de_df08);
        assert_eq!(fnv1a(*book), 0xc0d1_3391_6147_51e9);
    }
}
