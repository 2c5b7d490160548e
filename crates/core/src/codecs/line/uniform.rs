//! `line.uniform`: every candidate weighs the same, so a move costs `log2(candidates)` bits.

use crate::codec::CodecInfo;
use crate::codecs::line::modelled::Modelled;
use crate::game::Rules;
use crate::line::Ply;
use crate::model::MoveModel;

/// The codec, for a registry row.
pub const UNIFORM: Modelled<Uniform> = Modelled {
    info: &CodecInfo {
        name: "line.uniform",
        id: 2,
        summary: "the index of each move among the candidates, all equally likely, range coded",
        source: "Shields (games as indices into the legal moves, variable base)",
    },
    model: Uniform,
};

/// Gives every candidate the weight 1.
#[derive(Debug)]
pub struct Uniform;

impl<G: Rules> MoveModel<G> for Uniform {
    type State = ();

    const EVEN: bool = true;

    fn begin(&self, _: &G, _: &G::Position) {}

    fn weigh(&self, (): &mut (), _: &G::Position, candidates: &[G::Move], weights: &mut Vec<u32>) {
        weights.resize(candidates.len(), 1);
    }

    fn update(&self, (): &mut (), _: &Ply<'_, G>) {}
}
