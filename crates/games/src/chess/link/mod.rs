//! `line.link/7` of chess: moves weighed by 25 light features, with a table small enough for links
//! and browsers.

pub mod features;
mod origin;

use std::sync::LazyLock;

use plypack_core::policy::Gate;
use plypack_tables::chess::LINK_GATE;

pub use features::Eyes;

/// Its gate.
pub static GATE: LazyLock<Gate> = LazyLock::new(|| Gate::read(LINK_GATE).unwrap_or_default());

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;

    #[test]
    fn the_table_is_whole_and_unchanged() {
        assert!(Gate::read(LINK_GATE).is_some() && LINK_GATE.len() <= 50_000);
        assert_eq!(fnv1a(*LINK_GATE), 0x06b0_e7f4_3bac_bf9f);
    }
}
