//! The second half of a policy: a net for the position, and a small layer for each move.

use super::Sizes;
use plypack_kernels::sums::{
    Row, SUMS as UNITS, Table, add_products, add_rows, mix_layers, multiply_rows,
};

use super::reader::Reader;
use super::sight::Sight;
use crate::table::Head;

/// The dimensions of a judge's parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Features, feature 0 included.
    pub features: u16,
    /// The first feature with a row in the layer of each move; earlier ones have only a weight.
    pub deep: u16,
    /// Inputs of the net.
    pub inputs: u16,
    /// Hidden units of the net: a multiple of 32.
    pub hidden: u16,
    /// Rows of the net's output.
    pub rows: u16,
    /// Units of the layer of each move: 32.
    pub units: u16,
    /// Phases of the game, each with its own weights for mixing those units.
    pub phases: u16,
}

impl Shape {
    fn fields(self) -> [u16; 7] {
        [self.features, self.deep, self.inputs, self.hidden, self.rows, self.units, self.phases]
    }
}

/// The factors from each part's sums to the next part's unit, in units of 2^-24.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scales {
    /// From sums of features' weights to the score; 256 steps of a score double a weight.
    pub linear: u32,
    /// From products of hidden units and output rows to the score.
    pub net: u32,
    /// From products of hidden units and lifts to the units of the layer of each move.
    pub lift: u32,
    /// From products of those units and their mixing weights to the score.
    pub mix: u32,
}

impl Scales {
    fn fields(self) -> [u32; 4] {
        [self.linear, self.net, self.lift, self.mix]
    }
}

/// A trained judge.
///
/// A chosen candidate's score is the sum of
/// - the weights of its features;
/// - the product of its row and the hidden units, each of which is the sum of the rows of the
///   active inputs, or 0 if that is negative;
/// - the mix, by the phase's weights, of the move's units, each of which is the product of the
///   hidden units and that unit's lift, plus the rows of the candidate's deep features, or 0 if
///   that is negative.
#[derive(Debug, Default)]
pub struct Judge {
    shape: Shape,
    scales: Scales,
    /// For each feature its weight, and one for each unit of the layer of each move, which is zero
    /// unless the feature is deep.
    features: Table,
    /// For each input a weight for each hidden unit, in as many rows as necessary.
    input: Vec<Row>,
    /// For each row of the output a weight for each hidden unit, likewise.
    output: Vec<Row>,
    /// For each pair of hidden units, weights for each unit of the layer of each move.
    lift: Vec<[[i16; 2]; UNITS]>,
    /// For each phase, a weight for each unit.
    mix: Vec<i16>,
}

/// Limit of a unit of the layer of each move before features are added. With fewer than 128 slots,
/// their rows then cannot overflow 16 bits.
const LIFT_MAX: i64 = 16_000;

impl Judge {
    /// Reads a judge: its header, seven 16-bit numbers (features, the first deep one, inputs,
    /// hidden units, output rows, units, phases), four 32-bit scales (linear, net, lift, mix), then
    /// the weights of the parts linear, input, output, lift and deep, a signed byte each, and those
    /// of the mix, 16 signed bits each. All numbers are little-endian. Returns `None` if it has
    /// another header, or if the length does not match.
    pub fn read(file: &[u8]) -> Option<Self> {
        let mut reader = Reader(Head::JUDGE.body(file)?);
        let shape = Shape {
            features: reader.number()?,
            deep: reader.number()?,
            inputs: reader.number()?,
            hidden: reader.number()?,
            rows: reader.number()?,
            units: reader.number()?,
            phases: reader.number()?,
        };
        let scales = Scales {
            linear: reader.scale()?,
            net: reader.scale()?,
            lift: reader.scale()?,
            mix: reader.scale()?,
        };
        let of = |rows: u16, columns: u16| usize::from(rows) * usize::from(columns);
        let mut features = Table::default();
        features.weights = reader.features(shape.features.into())?;
        let input = reader.rows(of(shape.inputs, shape.hidden / 32))?.collect();
        let output = reader.rows(of(shape.rows, shape.hidden / 32))?.collect();
        let lift: Vec<Row> = reader.rows(of(shape.units, shape.hidden / 32))?.collect();
        let deep = reader.rows(shape.features.checked_sub(shape.deep)?.into())?;
        for (row, read) in features.rows.iter_mut().skip(shape.deep.into()).zip(deep) {
            *row = read;
        }
        let mix = reader.wide_weights(of(shape.phases, shape.units))?;
        let lift = in_pairs(&lift, usize::from(shape.hidden / 32));
        let judge = Self { shape, scales, features, input, output, lift, mix };
        let fits = usize::from(shape.units) == UNITS && shape.hidden.is_multiple_of(32);
        (reader.0.is_empty() && fits).then_some(judge)
    }

    /// Fills `scores`, which is empty, with one score for each of the chosen candidates.
    #[inline(always)]
    pub fn score(&self, sight: &Sight, sizes: Sizes, scratch: &mut Scratch, scores: &mut Vec<i32>) {
        let Scratch { hidden, products, slots, mixed } = scratch;
        let lifted = self.hide(sight, hidden);
        products.clear();
        products.resize(sight.rows.len(), 0);
        multiply_rows(hidden, &self.output, &sight.rows, products);
        let mix = self.mix.as_chunks::<UNITS>().0.get(usize::from(sight.phase));
        let mix = mix.unwrap_or(&[0; UNITS]);
        mixed.clear();
        mixed.resize(sight.chosen.len(), (0, 0));
        let numbers = if sizes.light == 0 {
            &sight.heavy
        } else {
            sight.gather(sizes, slots);
            &*slots
        };
        let each = (sizes.light + sizes.heavy, sizes.shallow);
        mix_layers(&lifted, &self.features, numbers, each, mix, mixed);
        scores.extend(mixed.iter().zip(&*products).map(|(&(mixed, linear), &agreed)| {
            let sum = i64::from(linear) * i64::from(self.scales.linear)
                + i64::from(agreed) * i64::from(self.scales.net)
                + i64::from(mixed) * i64::from(self.scales.mix);
            let limit = i64::from(i32::MAX / 4);
            i32::try_from((sum >> 24).clamp(-limit, limit)).unwrap_or(0)
        }));
    }

    /// Computes the hidden units, and returns their contribution to the layer of each move.
    #[inline(always)]
    fn hide(&self, sight: &Sight, hidden: &mut Vec<[i16; UNITS]>) -> [i16; UNITS] {
        hidden.clear();
        hidden.resize(usize::from(self.shape.hidden) / UNITS, [0; UNITS]);
        add_rows(hidden, &self.input, &sight.inputs);
        for sum in hidden.as_flattened_mut() {
            *sum = (*sum).max(0);
        }
        let mut products = [0; UNITS];
        add_products(&mut products, &self.lift, hidden.as_flattened().as_chunks().0);
        products.map(|agreed| {
            let sum = (i64::from(agreed) * i64::from(self.scales.lift)) >> 24;
            i16::try_from(sum.clamp(-LIFT_MAX, LIFT_MAX)).unwrap_or(0)
        })
    }
}

/// Rearranges rows of weights for the hidden units, `width` rows for a unit of the layer of each
/// move, by pairs of hidden units.
fn in_pairs(rows: &[Row], width: usize) -> Vec<[[i16; 2]; UNITS]> {
    let weight = |unit: usize, hidden: usize| {
        rows.get(unit * width + hidden / UNITS).map_or(0, |row| row.0[hidden % UNITS].into())
    };
    let pair = |first| std::array::from_fn(|unit| [weight(unit, first), weight(unit, first + 1)]);
    (0..width * UNITS).step_by(2).map(pair).collect()
}

/// Scratch memory.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    hidden: Vec<[i16; UNITS]>,
    /// Products of rows and the hidden units.
    products: Vec<i32>,
    /// All slots of the chosen candidates.
    slots: Vec<u16>,
    /// The output of the layer for each of these, and the sum of the weights of its features.
    mixed: Vec<(i32, i32)>,
}

/// Returns the file of a judge for [`Judge::read`], or `None` if a part's number of weights does
/// not match the shape.
pub fn write(shape: Shape, scales: Scales, parts: [&[i8]; 5], mix: &[i16]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.extend(shape.fields().iter().flat_map(|field| field.to_le_bytes()));
    bytes.extend(scales.fields().iter().flat_map(|field| field.to_le_bytes()));
    bytes.extend(parts.iter().copied().flatten().map(|&weight| weight.cast_unsigned()));
    bytes.extend(mix.iter().flat_map(|weight| weight.to_le_bytes()));
    let file = Head::JUDGE.file(&bytes);
    Judge::read(&file).map(|_| file)
}
