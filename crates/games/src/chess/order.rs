//! x
use cozy_chess::Move;
use plypack_core::Ply;
use plypack_core::codecs::line::ranked::MoveOrder;

use super::{Chess, Position};

/// x
#[derive(Debug)]
pub struct Order;

impl MoveOrder<Chess> for Order {
    type State = ();

    fn begin(&self, _: &Position) {}

    fn keys(&self, (): &(), _: &Position, candidates: &[Move], keys: &mut Vec<i32>) {
        keys.resize(candidates.len(), 0);
    }

    fn weights(&self, _: &Position, _: usize) -> &[u16] {
        &[1]
    }

    fn update(&self, (): &mut (), _: &Ply<'_, Chess>) {}
}
