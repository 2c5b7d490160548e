//! `line.default` of xiangqi: moves are weighed at a glance, then judged by the attacks of both
//! sides after them, by a net and a book.

mod after;
pub mod features;

use std::sync::LazyLock;

use plypack_core::policy::{Book, Judge};

pub use features::Study;

/// The judge of `line.default`.
pub static JUDGE: LazyLock<Judge> =
    LazyLock::new(|| Judge::read(include_bytes!("default.judge")).unwrap_or_default());

/// The least weight of a candidate that the judge looks at: 2^-5 of the heaviest.
pub const LEAST: u32 = 1 << 17;

/// The book of `line.default`.
pub static BOOK: LazyLock<Book> =
    LazyLock::new(|| Book::read(include_bytes!("default.book")).unwrap_or_default());

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;

    #[test]
    fn tables_are_whole_and_unchanged() {
        let (judge, book) = (include_bytes!("default.judge"), include_bytes!("default.book"));
        assert!(Judge::read(judge).is_some() && judge.len() <= 2_000_000);
        assert!(Book::read(book).is_some() && book.len() <= 2_000_000);
        assert_eq!(fnv1a(*judge), 0x9708_abff_b7e7_7885);
        assert_eq!(fnv1a(*book), 0x873d_500b_0c98_dec2);
    }
}
