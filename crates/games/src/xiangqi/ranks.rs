//! The weights of the features and ranks of `line.ranked` for xiangqi, learnt from games.
//!
//! `cargo xtask ranks` wrote the table with these arguments:
//!
//! ```text
//! --game xiangqi
//! --every 1 xiangqi_train.tsv
//! ```

use plypack_core::codecs::line::ranked::{TABLES, Tables};
use plypack_tables::xiangqi::RANKED_ORDER;

use super::order::FEATURES;

/// The file `ranked.order`.
pub static ORDER: Tables<FEATURES, TABLES, 44> = Tables::part(RANKED_ORDER);
