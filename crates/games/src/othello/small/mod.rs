//! `line.small` of othello: a gate, whose table is small enough for links and browsers.
//!
//! `cargo xtask train --game othello --tier small` writes it; `docs/models.md` names the games it
//! learnt from.

pub mod features;
pub mod patterns;
pub mod scene;
mod sums;

use std::sync::LazyLock;

use plypack_core::policy::Gate;
use plypack_tables::othello::SMALL_GATE;

pub use features::Eyes;

use crate::common::summed::Small;

/// The gate of `line.small`.
pub static GATE: LazyLock<Gate> = LazyLock::new(|| Gate::read(SMALL_GATE).unwrap_or_default());

/// The model of `line.small`.
pub const SMALL: Small<Eyes> = Small(Eyes);

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
        assert!(Gate::read(SMALL_GATE).is_some() && SMALL_GATE.len() <= 50_000);
        assert_eq!(fnv1a(*SMALL_GATE), 0xe929_2d24_2b8d_bb33);
    }
}
