//! The weights of the ranks of go's `line.ranked`, which `cargo xtask frequencies` counted in the
//! training games of `docs/models.md`.

use plypack_core::codecs::line::ranked::Tables;
use plypack_tables::go::RANKED_ORDER;

use super::order::TABLES;

/// The file `ranked.order`.
pub static ORDER: Tables<0, TABLES, 64> = Tables::part(RANKED_ORDER);
