//! `line.link` of othello: a gate, whose table is small enough for links and browsers.
//!
//! `cargo xtask train --game othello --tier link` writes it; `docs/models.md` names the games it
//! learnt from.

pub mod features;
pub mod patterns;
pub mod scene;
mod sums;

use std::sync::LazyLock;

use plypack_core::policy::Gate;
use plypack_tables::othello::LINK_GATE;

pub use features::Eyes;

use crate::common::summed::Link;

/// The gate of `line.link`.
pub static GATE: LazyLock<Gate> = LazyLock::new(|| Gate::read(LINK_GATE).unwrap_or_default());

/// The model of `line.link`.
pub const LINK: Link<Eyes> = Link(Eyes);

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
        assert!(Gate::read(LINK_GATE).is_some() && LINK_GATE.len() <= 50_000);
        assert_eq!(fnv1a(*LINK_GATE), 0xe929_2d24_2b8d_bb33);
    }
}
