//! The move models of othello: what they see of a position, and their trained tables.
//!
//! `cargo xtask train --game othello` writes the tables; `docs/models.md` says from which games.

mod close_up;
pub mod features;
mod patterns;
mod scene;

use std::sync::LazyLock;

use plypack_core::policy::Gate;

pub use features::Eyes;

/// The gate: the table of `line.small`.
pub static GATE: LazyLock<Gate> =
    LazyLock::new(|| Gate::read(include_bytes!("small.gate")).unwrap_or_default());

#[cfg(test)]
mod tests {
    use super::*;

    /// FNV-1a.
    fn hash(bytes: &[u8]) -> u64 {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        })
    }

    #[test]
    fn tables_are_whole_and_unchanged() {
        let gate = include_bytes!("small.gate");
        assert!(Gate::read(gate).is_some() && gate.len() <= 50_000);
        assert_eq!(hash(gate), 0xa634_337e_fc53_422f);
    }
}
