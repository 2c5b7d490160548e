//! `line.small/4` of chess: moves weighed by 25 light features, with a table small enough for links
//! and browsers.

pub mod features;
mod origin;

use std::sync::LazyLock;

use plypack_core::policy::Gate;

pub use features::Light;

/// Its gate.
pub static GATE: LazyLock<Gate> =
    LazyLock::new(|| Gate::read(include_bytes!("small.gate")).unwrap_or_default());

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;

    #[test]
    fn the_table_is_whole_and_unchanged() {
        let gate = include_bytes!("small.gate");
        assert!(Gate::read(gate).is_some() && gate.len() <= 50_000);
        assert_eq!(fnv1a(*gate), 0x06b0_e7f4_3bac_bf9f);
    }
}
