//! The first half of a policy: a weight for each light feature, and whom they let through.

use super::reader::{Reader, Weights, no_weights};
use crate::table::Head;

/// A trained gate: a candidate's score is the sum of the weights of its light features.
///
/// On its own it is the policy of the tier `small`. Before a [`Judge`](super::Judge) it says which
/// candidates are worth judging.
#[derive(Debug)]
pub struct Gate {
    /// What sums of weights are multiplied by, in units of 2^-16, to come to a score, of which 256
    /// steps double a candidate's weight.
    scale: u32,
    weights: Weights,
}

impl Default for Gate {
    fn default() -> Self {
        Self { scale: 0, weights: no_weights() }
    }
}

impl Gate {
    /// Reads a gate: its head, the scale, 32 bits, little-endian, then a signed byte for each
    /// feature. `None` if it has another head, or too many features.
    #[must_use]
    pub fn read(file: &[u8]) -> Option<Self> {
        let mut reader = Reader(Head::GATE.body(file)?);
        let scale = reader.scale()?;
        Some(Self { scale, weights: reader.features(reader.0.len())? })
    }

    /// Fills `scores`, which is empty, with one score for each candidate, of which `light` holds
    /// so many slots each.
    pub fn score(&self, light: &[u16], slots: usize, scores: &mut Vec<i32>) {
        let scale = i64::from(self.scale);
        scores.extend(light.chunks_exact(slots.max(1)).map(|slots| {
            let weight = |&feature: &u16| i32::from(self.weights[usize::from(feature)]);
            let sum: i32 = slots.iter().map(weight).sum();
            // A few dozen signed bytes, by 32 bits, less 16.
            i32::try_from((i64::from(sum) * scale) >> 16).unwrap_or(0)
        }));
    }
}

/// Candidates are chosen whose score is at most this much below the best: 2^-6 of its
/// weight.
pub const REACH: i32 = 6 * 256;

/// The file of a gate, as [`Gate::read`] takes it.
#[must_use]
pub fn write(scale: u32, weights: &[i8]) -> Vec<u8> {
    let mut bytes = scale.to_le_bytes().to_vec();
    bytes.extend(weights.iter().map(|weight| weight.cast_unsigned()));
    Head::GATE.file(&bytes)
}
