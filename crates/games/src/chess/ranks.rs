//! The weights of the features and ranks of `line.ranked` for chess, trained on games.
//!
//! `cargo xtask ranks` wrote the table with these arguments:
//!
//! ```text
//! --every 1 online_carlsen_lichess_chesscom.pgn
//! --every 1 online_chesscom_user_pnmadelaine_2021_2023_clk.pgn
//! --every 1 online_lichess_db_2016-05_wip.pgn
//! --every 1 online_lichess_seed_2022_clk_eval.pgn
//! --every 1 online_lichess_user_pnmadelaine_2021_2023_clk.pgn
//! --every 5 otb_le1999_and_undated.pgn
//! --every 5 otb_2000_2012.pgn
//! ```

use plypack_core::codecs::line::ranked::{TABLES, Tables};
use plypack_tables::chess::RANKED_ORDER;

use super::order::FEATURES;

/// The file `ranked.order`.
pub static ORDER: Tables<FEATURES, TABLES, 44> = Tables::part(RANKED_ORDER);
