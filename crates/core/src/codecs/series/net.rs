//! A small net in integers: what is known of a value goes in, the shape of a curve comes out.

/// How many hidden units a net has.
pub const UNITS: usize = 64;

/// How many numbers come out: for each part of a curve its weight, its middle and its width, then
/// the weight of each atom.
pub const OUTPUTS: usize = 3 * PARTS + ATOMS;

/// How many parts a curve has.
pub const PARTS: usize = 6;

/// How many single values have a weight of their own.
pub const ATOMS: usize = 3;

/// By how many bits a weight is shifted: weights are in 2,048ths.
pub const WEIGHT_BITS: u32 = 11;

/// The weights of a net: for each input one for each unit, for each unit one for each output, for
/// each input one for each output.
#[derive(Debug)]
pub(super) struct Net {
    inputs: usize,
    weights: Vec<i16>,
}

impl Net {
    /// How many weights a net with so many inputs has.
    pub const fn size(inputs: usize) -> usize {
        inputs * UNITS + UNITS * OUTPUTS + inputs * OUTPUTS
    }

    /// Reads a net for so many inputs, 16 bits a weight, little-endian; missing ones are 0.
    pub fn read(inputs: usize, bytes: &[u8]) -> Self {
        let mut weights: Vec<i16> =
            bytes.as_chunks::<2>().0.iter().map(|&pair| i16::from_le_bytes(pair)).collect();
        weights.resize(Self::size(inputs), 0);
        Self { inputs, weights }
    }

    /// What comes out, in 256ths, when these inputs, in 256ths, go in.
    pub fn look(&self, inputs: &[i32]) -> [i32; OUTPUTS] {
        let (entry, rest) = self.weights.split_at(self.inputs * UNITS);
        let (exit, aside) = rest.split_at(UNITS * OUTPUTS);
        let units: [i64; UNITS] = sums(inputs.iter().map(|&input| input.into()), entry);
        let units = units.map(|sum| (sum >> WEIGHT_BITS).max(0));
        let direct: [i64; OUTPUTS] = sums(inputs.iter().map(|&input| input.into()), aside);
        let mut outputs: [i64; OUTPUTS] = sums(units.into_iter(), exit);
        outputs.iter_mut().zip(direct).for_each(|(sum, direct)| *sum += direct);
        outputs.map(|sum| i32::try_from((sum >> WEIGHT_BITS).clamp(-FAR, FAR)).unwrap_or(0))
    }
}

/// No output is farther from 0.
const FAR: i64 = 1 << 16;

/// Adds up rows of weights, each times its number.
fn sums<const N: usize>(numbers: impl Iterator<Item = i64>, weights: &[i16]) -> [i64; N] {
    let mut sums = [0; N];
    // Most inputs are 0.
    for (number, row) in numbers.zip(weights.as_chunks::<N>().0).filter(|pair| pair.0 != 0) {
        for (sum, &weight) in sums.iter_mut().zip(row) {
            *sum += number * i64::from(weight);
        }
    }
    sums
}
