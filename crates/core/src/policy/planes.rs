//! The first layer of a tower. Its inputs are planes, most of which are 0 at most points: so the
//! weights of those that are not are added up, instead of multiplying all.

use plypack_kernels::convolution::{MOST, SHIFT_MOST, Size, TAPS};

use super::tower::ONE;

/// The outputs of a part: so many that the sums of three cells stay in registers.
pub const OUTPUTS: usize = 32;

/// Scratch memory: by cell, the sums of a part's outputs.
pub type PlaneSums = Vec<[i16; OUTPUTS]>;

/// What a plane of a cell adds to three cells of a row: to its left, at its place, to its right.
type Weights = [[i16; OUTPUTS]; 3];

/// The weights of the layer.
#[derive(Clone, Debug)]
pub struct PlaneLayer {
    planes: usize,
    /// By output.
    shifts: Vec<i32>,
    /// By part, then row: above a cell, its own, below; then plane.
    weights: Vec<Weights>,
}

impl PlaneLayer {
    /// Creates a layer from its weights by output, tap and plane, and the shift of each output.
    /// `None` if the number of outputs is not a multiple of [`OUTPUTS`], if there are more or fewer
    /// weights, if a shift is above [`SHIFT_MOST`], or if sums might not fit in 16 bits.
    pub fn new(planes: usize, shifts: &[u8], weights: &[i8]) -> Option<Self> {
        let outputs = shifts.len();
        let whole = outputs.is_multiple_of(OUTPUTS) && weights.len() == outputs * TAPS * planes;
        if !whole || shifts.iter().any(|&shift| shift > SHIFT_MOST) {
            return None;
        }
        for weights in weights.chunks(TAPS * planes) {
            let most: u32 = weights.iter().map(|weight| u32::from(weight.unsigned_abs())).sum();
            if most > i16::MAX.unsigned_abs().into() {
                return None;
            }
        }
        let weight = |output: usize, tap: usize, plane: usize| {
            weights.get((output * TAPS + tap) * planes + plane).copied().unwrap_or(0).into()
        };
        let mut parts = Vec::new();
        for first in (0..outputs).step_by(OUTPUTS) {
            for row in 0..3 {
                for plane in 0..planes {
                    // The cell below sees the plane in the upper row of its square.
                    let taps = [0, 1, 2].map(|column| TAPS - 1 - (3 * row + column));
                    parts.push(taps.map(|tap| {
                        std::array::from_fn(|output| weight(first + output, tap, plane))
                    }));
                }
            }
        }
        Some(Self {
            planes,
            shifts: shifts.iter().map(|&shift| shift.into()).collect(),
            weights: parts,
        })
    }

    /// Returns the number of planes.
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// Returns the number of outputs.
    pub fn outputs(&self) -> usize {
        self.shifts.len()
    }

    /// Applies the layer to the planes of each point of a board, as
    /// [`Layer::apply`](plypack_kernels::convolution::Layer::apply) does to numbers.
    #[inline(always)]
    pub fn apply(
        &self,
        size: Size,
        planes: &[u32],
        starts: &[i32],
        sums: &mut PlaneSums,
        output: &mut [u8],
    ) {
        let outputs = self.outputs();
        let all = u32::MAX >> (u32::BITS as usize - self.planes);
        for (part, weights) in self.weights.chunks_exact(3 * self.planes).enumerate() {
            sums.clear();
            sums.resize(size.cells(), [0; OUTPUTS]);
            for (row, planes) in planes.chunks_exact(size.columns.max(1)).enumerate() {
                let first = size.first() + row * size.stride();
                for (cell, &planes) in (first..).zip(planes) {
                    let cells = (cell - size.first()..).step_by(size.stride());
                    for (weights, cell) in weights.chunks_exact(self.planes).zip(cells) {
                        let Some(near) = sums.get_mut(cell..).and_then(<[_]>::first_chunk_mut)
                        else {
                            continue;
                        };
                        add(near, planes & all, weights);
                    }
                }
            }
            let place = part * OUTPUTS;
            let Some(starts) = starts.get(place..).and_then(<[_]>::first_chunk) else { continue };
            let Some(shifts) = self.shifts.get(place..).and_then(<[_]>::first_chunk) else {
                continue;
            };
            for row in 0..size.rows {
                let first = size.first() + row * size.stride();
                for cell in first..first + size.columns {
                    let Some(sums) = sums.get(cell) else { continue };
                    let numbers = output.get_mut(cell * outputs + place..);
                    if let Some(numbers) = numbers.and_then(<[_]>::first_chunk_mut) {
                        finish(sums, starts, shifts, numbers);
                    }
                }
            }
        }
    }
}

/// Turns the sums of a cell into its numbers.
#[inline(always)]
fn finish(
    sums: &[i16; OUTPUTS],
    starts: &[i32; OUTPUTS],
    shifts: &[i32; OUTPUTS],
    numbers: &mut [u8; OUTPUTS],
) {
    for at in 0..OUTPUTS {
        let sum = starts[at].wrapping_add(i32::from(sums[at]) * i32::from(ONE));
        let number = sum.wrapping_shr(shifts[at].cast_unsigned()).clamp(0, MOST.into());
        numbers[at] = number.to_le_bytes()[0];
    }
}

/// Adds the weights of a cell's planes to the sums of three cells.
#[inline(always)]
fn add(sums: &mut [[i16; OUTPUTS]; 3], mut planes: u32, weights: &[Weights]) {
    let mut totals = *sums;
    while planes > 0 {
        let weights = weights.get(planes.trailing_zeros() as usize);
        planes &= planes - 1;
        let Some(weights) = weights else { continue };
        for (totals, weights) in totals.iter_mut().zip(weights) {
            for (total, weight) in totals.iter_mut().zip(weights) {
                *total = total.wrapping_add(*weight);
            }
        }
    }
    *sums = totals;
}

#[cfg(test)]
mod tests {
    use super::*;
    use plypack_kernels::convolution::Layer;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn sums_are_products(
            (rows, columns) in (1usize..22, 1usize..22),
            (groups, parts) in (1usize..9, 1usize..3),
            most in 0i8..=112,
            seed in any::<u64>(),
        ) {
            let (size, planes) = (Size { rows, columns }, 4 * groups);
            let mut state = seed;
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                u32::try_from(state >> 32).expect("32 bits")
            };
            let outputs = parts * OUTPUTS;
            let shifts: Vec<u8> = (0..outputs).map(|_| next().to_le_bytes()[0] % 17).collect();
            let weights: Vec<i8> = (0..outputs * TAPS * planes)
                .map(|_| next().to_le_bytes()[0].cast_signed().clamp(-most, most))
                .collect();
            let starts: Vec<i32> = (0..outputs).map(|_| next().cast_signed() / 300).collect();
            let seen: Vec<u32> = (0..rows * columns).map(|_| next() & next()).collect();
            let mut input = vec![0; size.cells() * planes];
            for (at, seen) in seen.iter().enumerate() {
                let cell = size.first() + at / columns * size.stride() + at % columns;
                for plane in 0..planes {
                    input[cell * planes + plane] = u8::from(seen >> plane & 1 > 0) * ONE;
                }
            }
            let dense = Layer::new(planes, &shifts, &weights).expect("a layer");
            let mut theirs = vec![0; size.cells() * outputs];
            dense.apply(size, &input, &starts, None, &mut theirs);
            let layer = PlaneLayer::new(planes, &shifts, &weights).expect("a layer");
            let mut ours = vec![0; size.cells() * outputs];
            layer.apply(size, &seen, &starts, &mut PlaneSums::new(), &mut ours);
            prop_assert_eq!(ours, theirs);
        }
    }

    #[test]
    fn sums_that_might_overflow_are_refused() {
        let layer = |weights: &[i8]| PlaneLayer::new(32, &[0; OUTPUTS], weights);
        // 288 weights of 113 have a sum of 32,544.
        assert!(layer(&vec![-113; OUTPUTS * TAPS * 32]).is_some());
        assert!(layer(&vec![114; OUTPUTS * TAPS * 32]).is_none());
        assert!(layer(&vec![1; OUTPUTS * TAPS * 32 - 1]).is_none());
        assert!(PlaneLayer::new(32, &[17; OUTPUTS], &vec![1; OUTPUTS * TAPS * 32]).is_none());
        assert!(PlaneLayer::new(32, &[0; 16], &vec![1; 16 * TAPS * 32]).is_none());
    }
}
