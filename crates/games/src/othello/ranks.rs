//! The weights of the ranks of othello's `line.ranked`, which `cargo xtask frequencies` counted in
//! othello_train.tsv.

use plypack_core::codecs::line::ranked::Tables;
use plypack_tables::othello::RANKED_ORDER;

use super::order::TABLES;

/// The file `ranked.order`.
pub static ORDER: Tables<0, TABLES, 20> = Tables::part(RANKED_ORDER);
