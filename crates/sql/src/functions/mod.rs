//! The functions on games, one file each.
//!
//! To add one, write its file, its row below, and an example in `docs/sql.md`: the tests do the
//! rest.

mod call;
mod clock;
mod column;
mod depth;
mod eval;
mod fen;
mod finds_player;
mod key;
mod matches;
mod mate;
mod material;
mod movetext;
mod nodes;
mod opening;
mod pgn;
mod plies;
mod ply_of;
mod reaches;
mod same_player;
mod san;
mod time_spent;
mod took;
mod uci;
mod written;

use std::sync::Arc;

use datafusion::logical_expr::ScalarUDF;

pub use call::Function;
pub use column::target;

/// All functions, by name.
pub static FUNCTIONS: &[Function] = &[
    clock::ROW,
    depth::ROW,
    opening::ECO,
    eval::ROW,
    fen::ROW,
    finds_player::ROW,
    key::ROW,
    matches::ROW,
    mate::ROW,
    material::ROW,
    movetext::ROW,
    nodes::ROW,
    opening::OPENING,
    pgn::ROW,
    plies::ROW,
    ply_of::ROW,
    reaches::ROW,
    same_player::ROW,
    san::ROW,
    time_spent::ROW,
    took::ROW,
    uci::ROW,
];

/// Returns all functions, for a session, a scheduler or an executor.
pub fn all() -> Vec<Arc<ScalarUDF>> {
    FUNCTIONS.iter().map(Function::make).chain(written::all()).map(Arc::new).collect()
}
