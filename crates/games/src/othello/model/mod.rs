//! The policy of othello: its features and its trained tables.
//!
//! `cargo xtask train --game othello` writes the tables; `docs/models.md` says from which games.

mod close_up;
pub mod features;
pub mod patterns;
pub mod scene;
mod sums;

use std::sync::LazyLock;

use plypack_core::policy::{Book, Gate, Judge};

pub use features::Eyes;

use crate::common::summed::Small;

/// The gate: the table of `line.small`, and the first half of `line.default`.
pub static GATE: LazyLock<Gate> =
    LazyLock::new(|| Gate::read(include_bytes!("small.gate")).unwrap_or_default());

/// The model of `line.small`.
pub const SMALL: Small<Eyes> = Small(Eyes);

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
    use crate::common::summed::tests::assert_same;

    #[test]
    fn sums_are_those_of_the_gate() {
        assert_same(&crate::othello::Othello, [Eyes, Eyes], &GATE);
    }

    #[test]
    fn tables_are_whole_and_unchanged() {
        let (gate, judge) = (include_bytes!("small.gate"), include_bytes!("default.judge"));
        let book = include_bytes!("default.book");
        assert!(Gate::read(gate).is_some() && gate.len() <= 50_000);
        assert!(Judge::read(judge).is_some() && judge.len() <= 1_000_000);
        assert!(Book::read(book).is_some() && book.len() <= 2_000_000);
        assert_eq!(fnv1a(*gate), 0xe929_2d24_2b8d_bb33);
        assert_eq!(fnv1a(*judge), 0xd7da_33a9_bd05_ccc2);
        assert_eq!(fnv1a(*book), 0xb73b_5ecd_d77d_3073);
    }
}
