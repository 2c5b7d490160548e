//! The gate of `line.link/7` of xiangqi, with its features and its trained table; and what other
//! models of xiangqi share with it.
//!
//! `cargo xtask train --game xiangqi --tier link` writes the table; `docs/models.md` names the
//! games it learnt from.

pub mod features;
pub(super) mod rows;
pub(super) mod scene;

use std::sync::LazyLock;

use plypack_core::policy::Gate;
use plypack_tables::xiangqi::LINK_GATE;

pub use features::Eyes;

/// The gate of `line.link/7`, for links.
pub static GATE: LazyLock<Gate> = LazyLock::new(|| Gate::read(LINK_GATE).unwrap_or_default());

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;

    #[test]
    fn the_table_is_whole_and_unchanged() {
        assert!(Gate::read(LINK_GATE).is_some() && LINK_GATE.len() <= 50_000);
        assert_eq!(fnv1a(*LINK_GATE), 0x6cb0_a83f_246f_4e06);
    }
}
