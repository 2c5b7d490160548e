//! Convolutions over boards in integers: squares of 3 by 3 cells, 8-bit weights, 32-bit sums.
//!
//! A board has `channels` bytes for each cell, from 0 to 127, and sentinels around it, which are 0:
//! one row above and one below, and one column, which is left of a row and right of the one before
//! it. The cell in row `r` and column `c` is number `(r + 1) * (columns + 1) + c + 1`.

#[cfg(target_arch = "x86_64")]
use crate::{avx2, vnni};

/// The outputs of a block of weights.
pub const OUTPUTS: usize = 16;

/// The inputs of a block of weights.
pub const INPUTS: usize = 4;

/// The cells of a square, row by row.
pub const TAPS: usize = 9;

/// The largest value of a channel. Two products of it and a weight have a sum below 2^15.
pub const MOST: u8 = 127;

/// The largest shift of an output.
pub const SHIFT_MOST: u8 = 16;

/// The weights of [`OUTPUTS`] outputs for [`INPUTS`] inputs: two halves of eight outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Block(pub [[i8; INPUTS]; OUTPUTS]);

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

/// Cells that kernels work on at once.
pub(crate) const TILE: usize = 12;

impl Size {
    /// Returns the number of cells between two rows.
    #[inline(always)]
    pub fn stride(self) -> usize {
        self.columns + 1
    }

    /// Returns the number of the first cell.
    #[inline(always)]
    pub fn first(self) -> usize {
        self.stride() + 1
    }

    /// Returns the number of cells from the first one to the end of the last whole tile.
    pub(crate) fn tiled(self) -> usize {
        (self.rows * self.stride()).next_multiple_of(TILE)
    }

    /// Returns the number of cells that a board needs, sentinels and the rest of a tile included.
    pub fn cells(self) -> usize {
        self.first() + self.tiled() + self.stride() + 1
    }
}

/// The weights of a layer.
#[derive(Clone, Debug)]
pub struct Layer {
    inputs: usize,
    /// By output.
    shifts: Vec<i32>,
    /// By [`OUTPUTS`] outputs, tap, and [`INPUTS`] inputs.
    blocks: Vec<Block>,
}

impl Layer {
    /// Creates a layer from its weights by output, tap and input, and the shift of each output.
    /// `None` if the numbers of inputs and outputs are not multiples of [`INPUTS`] and
    /// [`OUTPUTS`], if there are more or fewer weights, or if a shift is above [`SHIFT_MOST`].
    pub fn new(inputs: usize, shifts: &[u8], weights: &[i8]) -> Option<Self> {
        let outputs = shifts.len();
        let whole = inputs.is_multiple_of(INPUTS) && outputs.is_multiple_of(OUTPUTS);
        let right = weights.len() == outputs * TAPS * inputs;
        if !whole || !right || shifts.iter().any(|&shift| shift > SHIFT_MOST) {
            return None;
        }
        let weight = |output, tap, input| {
            weights.get((output * TAPS + tap) * inputs + input).copied().unwrap_or(0)
        };
        let mut blocks = Vec::with_capacity(weights.len() / (OUTPUTS * INPUTS));
        for output in (0..outputs).step_by(OUTPUTS) {
            for tap in 0..TAPS {
                for input in (0..inputs).step_by(INPUTS) {
                    blocks.push(Block(std::array::from_fn(|to| {
                        std::array::from_fn(|from| weight(output + to, tap, input + from))
                    })));
                }
            }
        }
        Some(Self { inputs, shifts: shifts.iter().map(|&shift| shift.into()).collect(), blocks })
    }

    /// Returns the number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns the number of outputs.
    pub fn outputs(&self) -> usize {
        self.shifts.len()
    }

    /// Returns the shifts of the outputs.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn shifts(&self) -> &[i32] {
        &self.shifts
    }

    /// Returns the blocks of weights.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Applies the layer: an output is the sum of its start and of the products of weights and
    /// inputs, plus the number of the same channel and cell in `added`, if there is one, times
    /// 2^shift; divided by 2^shift, rounded down, and clamped to 0 to [`MOST`]. Sums are modulo
    /// 2^32.
    ///
    /// # Panics
    /// Panics if a slice is shorter than the board ([`Size::cells`]) with its channels, or if
    /// there is not one start for each output.
    pub fn apply(
        &self,
        size: Size,
        input: &[u8],
        starts: &[i32],
        added: Option<&[u8]>,
        output: &mut [u8],
    ) {
        let (cells, outputs) = (size.cells(), self.outputs());
        assert!(input.len() >= cells * self.inputs, "the input is a whole board");
        assert!(output.len() >= cells * outputs, "the output is a whole board");
        assert!(added.is_none_or(|added| added.len() >= cells * outputs), "so is what is added");
        assert!(starts.len() == outputs, "there is a start for each output");
        #[cfg(target_arch = "x86_64")]
        let done = vnni::convolve(self, size, input, starts, added, output)
            || avx2::convolve(self, size, input, starts, added, output);
        #[cfg(not(target_arch = "x86_64"))]
        let done = false;
        if !done {
            self.apply_plainly(size, input, starts, added, output);
        }
        self.clear(size, output);
    }

    /// The safe twin of the kernel.
    pub(crate) fn apply_plainly(
        &self,
        size: Size,
        input: &[u8],
        starts: &[i32],
        added: Option<&[u8]>,
        output: &mut [u8],
    ) {
        let (outputs, groups) = (self.outputs(), self.inputs / INPUTS);
        for first in (0..outputs).step_by(OUTPUTS) {
            let blocks = &self.blocks[first / OUTPUTS * TAPS * groups..][..TAPS * groups];
            // By input, then output: so compilers find vectors.
            let column = |Block(weights): &Block, from: usize| weights.map(|row| row[from]);
            let blocks: Vec<[[i8; OUTPUTS]; INPUTS]> = blocks
                .iter()
                .map(|block| std::array::from_fn(|from| column(block, from)))
                .collect();
            for cell in size.first()..size.first() + size.rows * size.stride() {
                let mut sums: [i32; OUTPUTS] = std::array::from_fn(|to| starts[first + to]);
                for (tap, blocks) in blocks.chunks_exact(groups).enumerate() {
                    let from = cell + tap / 3 * size.stride() + tap % 3 - size.first();
                    let input = &input[from * self.inputs..][..self.inputs];
                    for (weights, numbers) in blocks.iter().zip(input.chunks_exact(INPUTS)) {
                        let [a, b, c, d] = weights;
                        add_products(&mut sums, [a, b], [numbers[0], numbers[1]]);
                        add_products(&mut sums, [c, d], [numbers[2], numbers[3]]);
                    }
                }
                let place = cell * outputs + first;
                for (to, sum) in sums.iter().enumerate() {
                    let shift = self.shifts[first + to];
                    let more = added.map_or(0, |added| i32::from(added[place + to]) << shift);
                    let value = (sum.wrapping_add(more) >> shift).clamp(0, MOST.into());
                    output[place + to] = u8::try_from(value).unwrap_or(MOST);
                }
            }
        }
    }

    /// Sets the sentinels of an output to 0.
    fn clear(&self, size: Size, output: &mut [u8]) {
        let outputs = self.outputs();
        let mut clear = |cells: std::ops::Range<usize>| {
            if let Some(cells) = output.get_mut(cells.start * outputs..cells.end * outputs) {
                cells.fill(0);
            }
        };
        for row in 0..size.rows {
            let end = size.first() + row * size.stride() + size.columns;
            clear(end..end + 1);
        }
        clear(size.first() + size.rows * size.stride()..size.cells());
    }
}

/// Adds the products of two inputs and their weights, which fit in 16 bits ([`MOST`]), to the sums
/// of the outputs.
#[inline(always)]
fn add_products(sums: &mut [i32; OUTPUTS], weights: [&[i8; OUTPUTS]; 2], numbers: [u8; 2]) {
    let [one, other] = numbers.map(i16::from);
    for (sum, (&first, &second)) in sums.iter_mut().zip(weights[0].iter().zip(weights[1])) {
        let first = i16::from(first).wrapping_mul(one);
        let second = i16::from(second).wrapping_mul(other);
        *sum = sum.wrapping_add(first.wrapping_add(second).into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns made-up numbers.
    fn numbers(seed: u64) -> impl FnMut() -> u8 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.to_le_bytes()[7]
        }
    }

    /// Returns a board of made-up values and its sentinels.
    fn board(size: Size, channels: usize, next: &mut impl FnMut() -> u8) -> Vec<u8> {
        let mut board = vec![0; size.cells() * channels];
        for row in 0..size.rows {
            for column in 0..size.columns {
                let cell = (row + 1) * size.stride() + column + 1;
                board[cell * channels..][..channels].fill_with(|| next() & MOST);
            }
        }
        board
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn twins_agree(
            (rows, columns) in (1usize..22, 1usize..22),
            (groups, blocks) in (1usize..9, 1usize..4),
            (seed, extreme, adds) in any::<(u64, bool, bool)>(),
        ) {
            let size = Size { rows, columns };
            let (inputs, outputs) = (groups * INPUTS, blocks * OUTPUTS);
            let mut next = numbers(seed);
            let shifts: Vec<u8> = (0..outputs).map(|_| next() % (SHIFT_MOST + 1)).collect();
            let mut weight = || if extreme { i8::MIN } else { next().cast_signed() };
            let weights: Vec<i8> = (0..outputs * TAPS * inputs).map(|_| weight()).collect();
            let layer = Layer::new(inputs, &shifts, &weights).expect("a whole layer");
            let starts: Vec<i32> =
                (0..outputs).map(|_| i32::from(next()) * 40_000 - 5_000_000).collect();
            let mut input = board(size, inputs, &mut next);
            if extreme {
                input.iter_mut().for_each(|value| *value = if *value > 0 { MOST } else { 0 });
            }
            let added = adds.then(|| board(size, outputs, &mut next));
            let mut twin = vec![9; size.cells() * outputs];
            let fresh = twin.clone();
            layer.apply_plainly(size, &input, &starts, added.as_deref(), &mut twin);
            layer.clear(size, &mut twin);
            let from = size.first() * outputs;
            let mut ours = fresh.clone();
            layer.apply(size, &input, &starts, added.as_deref(), &mut ours);
            prop_assert_eq!(&ours[from..], &twin[from..]);
            // `apply` takes the first kernel that it can.
            #[cfg(target_arch = "x86_64")]
            for convolve in [vnni::convolve, avx2::convolve] {
                let mut ours = fresh.clone();
                if convolve(&layer, size, &input, &starts, added.as_deref(), &mut ours) {
                    layer.clear(size, &mut ours);
                    prop_assert_eq!(&ours[from..], &twin[from..]);
                }
            }
        }
    }

    #[test]
    fn a_layer_by_hand() {
        // The only output that is not 0 adds its right neighbour twice and itself.
        let mut weights = vec![0; OUTPUTS * TAPS * INPUTS];
        weights[(3 * TAPS + 4) * INPUTS] = 1;
        weights[(3 * TAPS + 5) * INPUTS] = 2;
        let layer = Layer::new(INPUTS, &[0; OUTPUTS], &weights).expect("a layer");
        let size = Size { rows: 1, columns: 2 };
        let mut input = vec![0; size.cells() * INPUTS];
        input[4 * INPUTS] = 5;
        input[5 * INPUTS] = 60;
        let mut output = vec![0; size.cells() * OUTPUTS];
        layer.apply(size, &input, &[1; OUTPUTS], None, &mut output);
        let of = |cell: usize| output[cell * OUTPUTS + 3];
        assert_eq!([of(4), of(5), of(6)], [126, 61, 0]);
        assert_eq!(output[4 * OUTPUTS], 1);
        assert!(Layer::new(3, &[0; 16], &[0; 16 * 27]).is_none());
        assert!(Layer::new(4, &[17; 16], &[0; 16 * 36]).is_none());
        assert!(Layer::new(4, &[0; 16], &[0; 16 * 36 - 1]).is_none());
    }
}
