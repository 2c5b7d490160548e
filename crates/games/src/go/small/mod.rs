//! The policy of go's `line.small`: its features and its trained table.
//!
//! `cargo xtask train --game go --tier small` writes the table; `docs/models.md` names the games it
//! learnt from.

pub mod features;
pub(super) mod patterns;
pub(super) mod scene;

use std::sync::LazyLock;

use plypack_core::policy::Gate;
use plypack_tables::go::SMALL_GATE;

pub use features::Eyes;

/// The gate: the table of `line.small`.
pub static GATE: LazyLock<Gate> = LazyLock::new(|| Gate::read(SMALL_GATE).unwrap_or_default());

#[cfg(test)]
mod tests {
    use plypack_core::policy::Features;

    use super::*;
    use crate::common::checksum::fnv1a;
    use crate::go::Go;

    #[test]
    fn the_table_is_whole_and_unchanged() {
        assert!(Gate::read(SMALL_GATE).is_some() && SMALL_GATE.len() <= 50_000);
        assert_eq!(SMALL_GATE.len(), 8 + usize::from(<Eyes as Features<Go>>::SIZES.gate));
        assert_eq!(fnv1a(*SMALL_GATE), 0xee77_da1b_d91b_6929);
    }
}
