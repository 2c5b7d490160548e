//! The second half of a policy: a net, and a small layer of its own for each move.

use super::Sizes;
use plypack_kernels::sums::{Row, SUMS as UNITS, add_rows, product};

use super::reader::{Reader, Weights, no_weights};
use super::sight::Sight;

/// The numbers of rows and columns of a judge's parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Features, feature 0 included.
    pub features: u16,
    /// The first feature that has a row in the layer of each move; those before it have only a
    /// weight.
    pub deep: u16,
    /// Inputs of the net.
    pub inputs: u16,
    /// Hidden units of the net: a multiple of 32.
    pub hidden: u16,
    /// Rows of the net's output.
    pub rows: u16,
    /// Units of the layer of each move: 32.
    pub units: u16,
    /// Kinds of position that mix those units with weights of their own.
    pub phases: u16,
}

impl Shape {
    fn fields(self) -> [u16; 7] {
        [self.features, self.deep, self.inputs, self.hidden, self.rows, self.units, self.phases]
    }
}

/// What a part's sums are multiplied by, in units of 2^-24, to come to the next part's unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scales {
    /// From sums of features' weights to the score, of which 256 steps double a weight.
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
/// - the mix, by the phase's weights, of its own units, each of which is the product of the hidden
///   units and that unit's lift, plus the rows of the candidate's deep features, or 0 if that
///   is negative.
#[derive(Debug)]
pub struct Judge {
    shape: Shape,
    scales: Scales,
    /// A weight for each feature.
    linear: Weights,
    /// For each input, a weight for each hidden unit, as many rows as that takes.
    input: Vec<Row>,
    /// For each row, a weight for each hidden unit.
    output: Vec<i8>,
    /// For each unit of the layer of each move, a weight for each hidden unit.
    lift: Vec<i8>,
    /// Zeros, then for each deep feature, a weight for each unit.
    deep: Vec<Row>,
    /// For each phase, a weight for each unit.
    mix: Vec<i16>,
}

impl Default for Judge {
    fn default() -> Self {
        Self {
            shape: Shape::default(),
            scales: Scales::default(),
            linear: no_weights(),
            input: Vec::new(),
            output: Vec::new(),
            lift: Vec::new(),
            deep: Vec::new(),
            mix: Vec::new(),
        }
    }
}

/// A unit of the layer of each move stays below this before features are added: their rows cannot
/// make 16 bits overflow then, for there are fewer than 128 slots.
const LIFT_MAX: i64 = 16_000;

impl Judge {
    /// Reads a judge: seven 16-bit numbers (features, the first deep one, inputs, hidden units,
    /// output rows, units, phases), four 32-bit scales (linear, net, lift, mix), then the weights
    /// of the parts linear, input, output, lift and deep, a signed byte each, and those of the mix,
    /// 16 signed bits each. All numbers are little-endian. `None` if the length does not match.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
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
        let judge = Self {
            shape,
            scales,
            linear: reader.features(shape.features.into())?,
            input: reader.rows(of(shape.inputs, shape.hidden / 32))?.collect(),
            output: reader.weights(of(shape.rows, shape.hidden))?,
            lift: reader.weights(of(shape.units, shape.hidden))?,
            deep: std::iter::once(Row::default())
                .chain(reader.rows(shape.features.checked_sub(shape.deep)?.into())?)
                .collect(),
            mix: reader.wide_weights(of(shape.phases, shape.units))?,
        };
        let fits = usize::from(shape.units) == UNITS && shape.hidden.is_multiple_of(32);
        (reader.0.is_empty() && fits).then_some(judge)
    }

    /// Fills `scores`, which is empty, with one score for each of the chosen candidates.
    pub fn score(&self, sight: &Sight, sizes: Sizes, scratch: &mut Scratch, scores: &mut Vec<i32>) {
        let lifted = self.hide(sight, scratch);
        let Scratch { hidden, rows } = scratch;
        let mix = self.mix.as_chunks::<UNITS>().0.get(usize::from(sight.phase));
        let mix = mix.copied().unwrap_or([0; UNITS]);
        let chosen = sight.chosen.iter().zip(sight.heavy.chunks_exact(sizes.heavy.max(1)));
        for ((&index, heavy), &output) in chosen.zip(&sight.rows) {
            let start = usize::from(index) * sizes.light;
            let light = sight.light.get(start..start + sizes.light).unwrap_or(&[]);
            let (shallow, light) = light.split_at_checked(sizes.shallow).unwrap_or((light, &[]));
            let weigh =
                |sum: i32, &feature: &u16| sum + i32::from(self.linear[usize::from(feature)]);
            let mut linear = shallow.iter().fold(0, weigh);
            rows.clear();
            for feature in light.iter().chain(heavy) {
                linear = weigh(linear, feature);
                // Feature 0, which is none, has the row of zeros.
                rows.push(feature.saturating_sub(self.shape.deep.saturating_sub(1)));
            }
            let mut units = lifted;
            add_rows(&mut units, &self.deep, rows);
            let products = units.iter().zip(&mix);
            let mixed: i32 =
                products.map(|(&unit, &mix)| i32::from(unit.max(0)) * i32::from(mix)).sum();
            let agreed = product(hidden, row(&self.output, output.into(), hidden.len()));
            let sum = i64::from(linear) * i64::from(self.scales.linear)
                + i64::from(agreed) * i64::from(self.scales.net)
                + i64::from(mixed) * i64::from(self.scales.mix);
            let limit = i64::from(i32::MAX / 4);
            scores.push(i32::try_from((sum >> 24).clamp(-limit, limit)).unwrap_or(0));
        }
    }

    /// Works out the hidden units, and returns what they lend to the layer of each move.
    fn hide(&self, sight: &Sight, Scratch { hidden, rows }: &mut Scratch) -> [i16; UNITS] {
        hidden.clear();
        hidden.resize(self.shape.hidden.into(), 0);
        let blocks = self.shape.hidden / 32;
        for (block, sums) in (0..).zip(hidden.as_chunks_mut::<UNITS>().0) {
            rows.clear();
            rows.extend(
                sight
                    .inputs
                    .iter()
                    .map(|&input| input.saturating_mul(blocks).saturating_add(block)),
            );
            add_rows(sums, &self.input, rows);
            for sum in sums {
                *sum = (*sum).max(0);
            }
        }
        let mut lifted = [0; UNITS];
        for (unit, lifted) in lifted.iter_mut().enumerate() {
            let agreed = i64::from(product(hidden, row(&self.lift, unit, hidden.len())));
            let sum = (agreed * i64::from(self.scales.lift)) >> 24;
            *lifted = i16::try_from(sum.clamp(-LIFT_MAX, LIFT_MAX)).unwrap_or(0);
        }
        lifted
    }
}

/// One row of a table; empty if there is none.
fn row(table: &[i8], row: usize, columns: usize) -> &[i8] {
    table.get(row * columns..(row + 1) * columns).unwrap_or(&[])
}

/// Room for what is worked out in between.
#[derive(Debug, Default)]
pub struct Scratch {
    hidden: Vec<i16>,
    rows: Vec<u16>,
}

/// The bytes of a judge, as [`Judge::read`] takes them. `None` if a part has not as many weights as
/// the shape says.
#[must_use]
pub fn write(shape: Shape, scales: Scales, parts: [&[i8]; 5], mix: &[i16]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.extend(shape.fields().iter().flat_map(|field| field.to_le_bytes()));
    bytes.extend(scales.fields().iter().flat_map(|field| field.to_le_bytes()));
    bytes.extend(parts.iter().copied().flatten().map(|&weight| weight.cast_unsigned()));
    bytes.extend(mix.iter().flat_map(|weight| weight.to_le_bytes()));
    Judge::read(&bytes).map(|_| bytes)
}
