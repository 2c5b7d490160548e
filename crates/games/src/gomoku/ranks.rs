//! The weights of the ranks of gomoku's `line.ranked`, which `cargo xtask frequencies` counted in
//! syn_train.tsv.

use plypack_core::codecs::line::ranked::Tables;
use plypack_tables::gomoku::RANKED_ORDER;

use super::order::TABLES;

/// The file `ranked.order`.
pub static ORDER: Tables<0, TABLES, 48> = Tables::part(RANKED_ORDER);
