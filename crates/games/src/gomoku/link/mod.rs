//! The policy of gomoku: its features and its trained tables.
//!
//! `cargo xtask train --game gomoku` writes the tables; `docs/models.md` names the games they
//! learnt from.

pub mod features;
mod ledger;
pub mod patterns;
pub mod scene;

use std::sync::LazyLock;

use plypack_core::policy::Gate;
use plypack_tables::gomoku::LINK_GATE;

pub use features::Eyes;
pub use ledger::Link;

/// The gate: the table of `line.link`.
pub static GATE: LazyLock<Gate> = LazyLock::new(|| Gate::read(LINK_GATE).unwrap_or_default());

#[cfg(test)]
mod tests {
    use plypack_core::policy::Features;

    use super::*;
    use crate::common::checksum::fnv1a;
    use crate::gomoku::Gomoku;

    #[test]
    fn the_table_is_whole_and_unchanged() {
        assert!(Gate::read(LINK_GATE).is_some() && LINK_GATE.len() <= 50_000);
        assert_eq!(LINK_GATE.len(), 8 + usize::from(<Eyes as Features<Gomoku>>::SIZES.gate));
        assert_eq!(fnv1a(*LINK_GATE), 0x26b9_f157_327c_9841);
    }
}
