//! The first half of a policy: a weight for each light feature, which scores all candidates and
//! selects some.

use super::reader::{Reader, Weights, no_weights};
use crate::table::Head;

/// A trained gate: a candidate's score is the sum of the weights of its light features.
///
/// It is a policy by itself. With a [`Judge`](super::Judge) it selects the candidates worth
/// judging.
#[derive(Debug)]
pub struct Gate {
    /// The factor from sums of weights to scores (logits), in units of 2^-16; 256 steps of a score
    /// double a candidate's weight.
    scale: u32,
    weights: Weights,
}

impl Default for Gate {
    fn default() -> Self {
        Self { scale: 0, weights: no_weights() }
    }
}

impl Gate {
    /// Reads a gate: its header; the scale, 32 bits, little-endian; a signed byte for each feature.
    /// Returns `None` if it has another header, or too many features.
    pub fn read(file: &[u8]) -> Option<Self> {
        let mut reader = Reader(Head::GATE.body(file)?);
        let scale = reader.scale()?;
        Some(Self { scale, weights: reader.features(reader.0.len())? })
    }

    /// Returns the weight of a feature.
    pub fn weight(&self, feature: usize) -> i8 {
        self.weights.get(feature).copied().unwrap_or(0)
    }

    /// Returns the score for a sum of weights.
    #[inline(always)]
    pub fn scaled(&self, sum: i32) -> i32 {
        // A few dozen signed bytes times 32 bits, minus 16 bits, fit.
        i32::try_from((i64::from(sum) * i64::from(self.scale)) >> 16).unwrap_or(0)
    }

    /// Fills `scores`, which is empty, with one score for each candidate; `light` holds `slots`
    /// features for each.
    pub fn score(&self, light: &[u16], slots: usize, scores: &mut Vec<i32>) {
        scores.extend(light.chunks_exact(slots.max(1)).map(|slots| {
            let weight = |&feature: &u16| i32::from(self.weights[usize::from(feature)]);
            self.scaled(slots.iter().map(weight).sum())
        }));
    }
}

/// Returns the file of a gate for [`Gate::read`].
pub fn write(scale: u32, weights: &[i8]) -> Vec<u8> {
    let mut bytes = scale.to_le_bytes().to_vec();
    bytes.extend(weights.iter().map(|weight| weight.cast_unsigned()));
    Head::GATE.file(&bytes)
}
