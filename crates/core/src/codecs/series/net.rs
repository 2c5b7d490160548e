//! A small net in integer arithmetic: maps what is known about a value to the shape of a curve.

use plypack_kernels::sums::{SUMS, add_products};

use super::inputs::Inputs;

/// Number of hidden units of a net.
pub const UNITS: usize = 64;

/// Number of outputs of a net: the weight, middle and width of each part of a curve, then the
/// weight of each atom.
pub const OUTPUTS: usize = 3 * PARTS + ATOMS;

/// Number of parts of a curve.
pub const PARTS: usize = 6;

/// Number of single values with a weight of their own.
pub const ATOMS: usize = 3;

/// The fractional bits of a weight: weights are in 2,048ths.
pub const WEIGHT_BITS: u32 = 11;

/// Rows of a table in pairs: for each sum, the weight of the first row and of the second.
type Pairs = Vec<[[i16; 2]; SUMS]>;

/// The weights of a net.
#[derive(Debug)]
pub(super) struct Net {
    /// From each input to each unit, in blocks of [`SUMS`] units.
    entry: [Pairs; UNITS / SUMS],
    /// From each unit to each output.
    exit: Pairs,
    /// From each input to each output directly.
    aside: Pairs,
}

impl Net {
    /// Returns the number of weights of a net with this many inputs.
    pub const fn size(inputs: usize) -> usize {
        inputs * UNITS + UNITS * OUTPUTS + inputs * OUTPUTS
    }

    /// Reads a net with `inputs` inputs, 16 bits a weight, little-endian: the weights of all inputs
    /// for each unit, of all units for each output, of all inputs for each output; missing ones are
    /// 0.
    pub fn read(inputs: usize, bytes: &[u8]) -> Self {
        let mut weights: Vec<i16> =
            bytes.as_chunks::<2>().0.iter().map(|&pair| i16::from_le_bytes(pair)).collect();
        weights.resize(Self::size(inputs), 0);
        let (entry, rest) = weights.split_at(inputs * UNITS);
        let (exit, aside) = rest.split_at(UNITS * OUTPUTS);
        Self {
            entry: std::array::from_fn(|block| pairs(entry, UNITS, block * SUMS)),
            exit: pairs(exit, OUTPUTS, 0),
            aside: pairs(aside, OUTPUTS, 0),
        }
    }

    /// Returns the outputs for these inputs, both in 256ths. With the nets in use, no sum overflows
    /// and no unit reaches 2^15.
    pub fn look(&self, inputs: &Inputs) -> [i32; OUTPUTS] {
        let mut units = [0; UNITS];
        for (units, entry) in units.as_chunks_mut::<SUMS>().0.iter_mut().zip(&self.entry) {
            let mut sums = [0; SUMS];
            add_products(&mut sums, entry, inputs.pairs());
            for (unit, sum) in units.iter_mut().zip(sums) {
                *unit = i16::try_from((sum >> WEIGHT_BITS).max(0)).unwrap_or(i16::MAX);
            }
        }
        let mut sums = [0; SUMS];
        add_products(&mut sums, &self.aside, inputs.pairs());
        add_products(&mut sums, &self.exit, units.as_chunks().0);
        let mut outputs = [0; OUTPUTS];
        for (output, sum) in outputs.iter_mut().zip(sums) {
            *output = (sum >> WEIGHT_BITS).clamp(-FAR, FAR);
        }
        outputs
    }
}

/// Limit of outputs in either direction.
const FAR: i32 = 1 << 16;

/// Returns a block of columns, from `first` on, of a table with `columns` columns.
fn pairs(weights: &[i16], columns: usize, first: usize) -> Pairs {
    let rows: Vec<&[i16]> = weights.chunks_exact(columns).map(|row| &row[first..]).collect();
    let of = |pair: &[&[i16]], row: usize, column: usize| {
        pair.get(row).and_then(|row| row.get(column)).copied().unwrap_or(0)
    };
    let block = |pair| std::array::from_fn(|column| [0, 1].map(|row| of(pair, row, column)));
    rows.chunks(2).map(block).collect()
}

#[cfg(test)]
mod tests {
    use plypack_tables::series as tables;

    use super::super::{clocks, evaluations};
    use super::*;
    use crate::table::Head;

    /// Returns the largest unit and output of a net if every input has its largest magnitude.
    fn most(inputs: usize, bytes: &[u8]) -> (i64, i64) {
        let weights: Vec<i64> = bytes
            .as_chunks::<2>()
            .0
            .iter()
            .map(|&pair| i64::from(i16::from_le_bytes(pair)).abs())
            .collect();
        let (entry, rest) = weights.split_at(inputs * UNITS);
        let (exit, aside) = rest.split_at(UNITS * OUTPUTS);
        let sum = |rows: &[i64], columns: usize, column: usize, of: &dyn Fn(usize) -> i64| {
            let column = rows.chunks(columns).map(|row| row[column]);
            column.enumerate().map(|(row, weight)| weight * of(row)).sum::<i64>()
        };
        let units: Vec<i64> =
            (0..UNITS).map(|unit| sum(entry, UNITS, unit, &|_| 1_024) >> WEIGHT_BITS).collect();
        let output = |output| {
            sum(exit, OUTPUTS, output, &|unit| units[unit])
                + sum(aside, OUTPUTS, output, &|_| 1_024)
        };
        let outputs = (0..OUTPUTS).map(output).max().unwrap_or(0);
        (units.iter().copied().max().unwrap_or(0), outputs)
    }

    #[test]
    fn nets_in_use_do_not_overflow() {
        let nets: [(_, &[u8]); 2] = [
            (clocks::SHAPE, Head::NETS.part(tables::CLOCKS_NET)),
            (evaluations::SHAPE, Head::NETS.part(tables::EVALUATIONS_NET)),
        ];
        for (shape, bytes) in nets {
            for net in bytes.chunks(2 * Net::size(shape.inputs)) {
                let (unit, output) = most(shape.inputs, net);
                assert!(unit < 1 << 15 && output < 1 << 31, "{unit} {output}");
            }
        }
    }

    #[test]
    fn a_net_by_hand() {
        let mut weights = vec![0i16; Net::size(3)];
        // The third input to the last unit, the last unit to the last output, and the first input
        // to the first output.
        weights[3 * UNITS - 1] = 4_096;
        weights[3 * UNITS + UNITS * OUTPUTS - 1] = -2_048;
        weights[3 * UNITS + UNITS * OUTPUTS] = 1_024;
        let bytes: Vec<u8> = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        let mut inputs = Inputs::default();
        [256, 7, 100].iter().for_each(|&number| inputs.number(number));
        let outputs = Net::read(3, &bytes).look(&inputs);
        assert_eq!((outputs[0], outputs[1], outputs[OUTPUTS - 1]), (128, 0, -200));
        assert_eq!(Net::read(3, &[]).look(&inputs), [0; OUTPUTS]);
    }
}
