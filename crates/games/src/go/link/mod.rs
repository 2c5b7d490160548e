//! The policy of go's `line.link`: its features and its trained table.
//!
//! `cargo xtask train --game go --tier link` writes the table; `docs/models.md` names the games it
//! learnt from.

pub mod features;
pub(super) mod patterns;
pub(super) mod scene;

use std::sync::LazyLock;

use plypack_core::policy::Gate;
use plypack_tables::go::LINK_GATE;

pub use features::Eyes;

/// The gate: the table of `line.link`.
pub static GATE: LazyLock<Gate> = LazyLock::new(|| Gate::read(LINK_GATE).unwrap_or_default());

#[cfg(test)]
mod tests {
    use plypack_core::policy::Features;

    use super::*;
    use crate::common::checksum::fnv1a;
    use crate::go::Go;

    #[test]
    fn the_table_is_whole_and_unchanged() {
        assert!(Gate::read(LINK_GATE).is_some() && LINK_GATE.len() <= 50_000);
        assert_eq!(LINK_GATE.len(), 8 + usize::from(<Eyes as Features<Go>>::SIZES.gate));
        assert_eq!(fnv1a(*LINK_GATE), 0xee77_da1b_d91b_6929);
    }
}
