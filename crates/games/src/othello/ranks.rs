//! The weights of the ranks of othello's `line.ranked`, which `cargo xtask frequencies` counted in
//! othello_train.tsv.

use plypack_core::codecs::line::ranked::Tables;

use super::order::TABLES;

/// The file `model/ranked.order`.
pub static ORDER: Tables<0, TABLES, 20> = Tables::part(include_bytes!("model/ranked.order"));
