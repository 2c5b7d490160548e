//! Towers: convolutional nets over a board, in integers, that score all of its points at once.
//!
//! A tower is a residual net ("Deep Residual Learning for Image Recognition", He et al., 2015): a
//! first layer, then blocks of two layers, to whose outputs the input of the block is added. Every
//! layer also sees the mean of each of its inputs over the board, as some layers of KataGo do
//! ("Accelerating Self-Play Learning in Go", Wu, 2019). The numbers between layers are 0 to 127, in
//! 16ths.

use plypack_kernels::convolution::{Layer, SHIFT_MOST, Size, TAPS};
use plypack_kernels::{Work, natively};

use super::planes::{OUTPUTS, PlaneLayer, PlaneSums};
use super::reader::Reader;
use crate::table::Head;

/// What stands for 1 in a plane.
pub const ONE: u8 = 16;

/// The most planes: each point has them as the bits of a number.
const PLANES_MAX: u8 = 32;

/// Means are at most this many bits finer than numbers.
const FINE_MOST: u8 = 8;

/// Biases are at most this, so that sums fit in 32 bits.
const BIAS_MOST: u32 = 1 << 24;

/// A layer with its biases and the weights of its inputs' means.
#[derive(Clone, Debug)]
struct Stage<L> {
    layer: L,
    biases: Vec<i32>,
    /// By output, what its sum of means is divided by: 2^shift.
    mean_shifts: Vec<u8>,
    /// By output, then input.
    overall: Vec<i8>,
}

impl<L> Stage<L> {
    /// Takes a stage: by output its shift, a byte, the shift of its means, a byte, and its bias, 32
    /// bits; its weights by output, tap and input; then those of the means by output and input.
    /// `layer` makes its layer from the number of inputs, the shifts and the weights.
    fn read(
        reader: &mut Reader<'_>,
        inputs: usize,
        outputs: usize,
        layer: impl FnOnce(usize, &[u8], &[i8]) -> Option<L>,
    ) -> Option<Self> {
        let shifts = reader.bytes(outputs)?;
        let mean_shifts = reader.bytes(outputs)?.to_vec();
        if mean_shifts.iter().any(|&shift| shift > SHIFT_MOST) {
            return None;
        }
        let biases: Option<Vec<i32>> = (0..outputs).map(|_| bias(reader)).collect();
        let weights = reader.weights(outputs * TAPS * inputs)?;
        let layer = layer(inputs, shifts, &weights)?;
        let overall = reader.weights(outputs * inputs)?;
        Some(Self { layer, biases: biases?, mean_shifts, overall })
    }

    /// Works out what the sums of the outputs start from.
    #[inline(always)]
    fn start(&self, means: &[u16], starts: &mut Vec<i32>) {
        starts.clone_from(&self.biases);
        let rows = self.overall.chunks_exact(means.len().max(1));
        for ((start, row), &shift) in starts.iter_mut().zip(rows).zip(&self.mean_shifts) {
            *start += product(row, means) >> shift;
        }
    }
}

impl Stage<Layer> {
    /// Applies the stage, and replaces the means by those of its output.
    #[inline(always)]
    fn apply(
        &self,
        size: Size,
        input: &[u8],
        means: &mut Means,
        added: Option<&[u8]>,
        output: &mut [u8],
    ) {
        self.start(&means.numbers, &mut means.starts);
        self.layer.apply(size, input, &means.starts, added, output);
        means.see(size, output, self.layer.outputs());
    }
}

impl Stage<PlaneLayer> {
    /// Applies the stage to the planes of each point, and replaces the means by those of its
    /// output.
    #[inline(always)]
    fn apply(
        &self,
        size: Size,
        planes: &[u32],
        means: &mut Means,
        sums: &mut PlaneSums,
        output: &mut [u8],
    ) {
        means.numbers.clear();
        for plane in 0..self.layer.planes() {
            let count: u32 = planes.iter().map(|bits| bits >> plane & 1).sum();
            means.add(size, count * u32::from(ONE));
        }
        self.start(&means.numbers, &mut means.starts);
        self.layer.apply(size, planes, &means.starts, sums, output);
        means.see(size, output, self.layer.outputs());
    }
}

/// Takes a bias: 32 bits, little-endian.
fn bias(reader: &mut Reader<'_>) -> Option<i32> {
    reader.scale().map(u32::cast_signed).filter(|bias| bias.unsigned_abs() <= BIAS_MOST)
}

/// Returns the sum of the products of weights and numbers.
#[inline(always)]
fn product<N: Copy + Into<i32>>(weights: &[i8], numbers: &[N]) -> i32 {
    let pairs = weights.iter().zip(numbers);
    pairs.map(|(&weight, &number)| i32::from(weight) * number.into()).sum()
}

/// A score from the numbers of all channels: their sum, each times its weight, and a bias, divided
/// by 2^shift and rounded down.
#[derive(Clone, Debug)]
struct Score {
    shift: u8,
    bias: i32,
    weights: Vec<i8>,
}

impl Score {
    /// Takes a score: its shift, a byte; its bias, 32 bits; a signed byte for each channel.
    fn read(reader: &mut Reader<'_>, channels: usize) -> Option<Self> {
        let shift = reader.bytes(1)?.first().copied().filter(|&shift| shift < 32)?;
        Some(Self { shift, bias: bias(reader)?, weights: reader.weights(channels)? })
    }

    #[inline(always)]
    fn of<N: Copy + Into<i32>>(&self, numbers: &[N]) -> i32 {
        (self.bias + product(&self.weights, numbers)) >> self.shift
    }
}

/// A trained tower.
#[derive(Clone, Debug)]
pub struct Tower {
    /// How many bits finer than numbers means are.
    fine: u8,
    first: Stage<PlaneLayer>,
    blocks: Vec<[Stage<Layer>; 2]>,
    point: Score,
    pass: Score,
}

/// Scratch memory.
#[derive(Clone, Debug, Default)]
pub struct Boards {
    /// The size for which the boards are, their sentinels 0, and the number of channels.
    fit: Option<(Size, usize)>,
    sums: PlaneSums,
    numbers: Vec<u8>,
    within: Vec<u8>,
    next: Vec<u8>,
    means: Means,
}

/// The means of a board's channels, and what the sums of the next stage start from.
#[derive(Clone, Debug, Default)]
struct Means {
    /// How many bits finer than numbers they are.
    fine: u8,
    numbers: Vec<u16>,
    starts: Vec<i32>,
}

impl Means {
    /// Replaces the means by those of each channel of a board.
    #[inline(always)]
    fn see(&mut self, size: Size, cells: &[u8], channels: usize) {
        self.numbers.clear();
        // So many channels at a time that their sums stay in registers.
        for first in (0..channels).step_by(OUTPUTS) {
            let mut sums = [0u32; OUTPUTS];
            let cells = cells.get(first..).unwrap_or_default().chunks(channels);
            for numbers in cells.filter_map(|cell| cell.first_chunk::<OUTPUTS>()) {
                for (sum, &number) in sums.iter_mut().zip(numbers) {
                    *sum += u32::from(number);
                }
            }
            for sum in sums {
                self.add(size, sum);
            }
        }
    }

    /// Adds the mean of numbers with this sum over the board.
    #[inline(always)]
    fn add(&mut self, size: Size, sum: u32) {
        let points = u64::try_from(size.rows * size.columns).unwrap_or(u64::MAX).max(1);
        let mean = (u64::from(sum) << self.fine) / points;
        self.numbers.push(u16::try_from(mean).unwrap_or(u16::MAX));
    }
}

impl Tower {
    /// Reads a tower: its header; the numbers of planes, of channels and of blocks, and how many
    /// bits finer than numbers means are, a byte each; the stages in order; the score of a point,
    /// then that of a pass. `None` if it has another header, no planes, more than 32, no channels,
    /// means that are more than 8 bits finer, or is not whole.
    pub fn read(file: &[u8]) -> Option<Self> {
        let mut reader = Reader(Head::TOWER.body(file)?);
        let &[planes, channels, blocks, fine] = reader.bytes(4)? else { return None };
        if !(1..=PLANES_MAX).contains(&planes) || channels == 0 || fine > FINE_MOST {
            return None;
        }
        let (planes, channels) = (usize::from(planes), usize::from(channels));
        let first = Stage::read(&mut reader, planes, channels, PlaneLayer::new)?;
        let mut block = |_| {
            let one = Stage::read(&mut reader, channels, channels, Layer::new)?;
            Some([one, Stage::read(&mut reader, channels, channels, Layer::new)?])
        };
        let blocks = (0..blocks).map(&mut block).collect::<Option<_>>()?;
        let point = Score::read(&mut reader, channels)?;
        let pass = Score::read(&mut reader, channels)?;
        reader.0.is_empty().then_some(Self { fine, first, blocks, point, pass })
    }

    /// Fills `scores`, which is empty, with the scores (logits to the base 2, in 256ths) of the
    /// points of a board, row by row, and returns that of a pass. `planes` has the planes of each
    /// point as bits.
    pub fn score(
        &self,
        size: Size,
        planes: &[u32],
        boards: &mut Boards,
        scores: &mut Vec<i32>,
    ) -> i32 {
        natively(Scoring { tower: self, size, planes, boards, scores })
    }

    #[inline(always)]
    fn fill(&self, size: Size, planes: &[u32], boards: &mut Boards, scores: &mut Vec<i32>) -> i32 {
        let channels = self.first.layer.outputs();
        let Boards { fit, sums, numbers, within, next, means } = boards;
        if fit.replace((size, channels)) != Some((size, channels)) {
            for board in [&mut *numbers, within, next] {
                board.clear();
                board.resize(size.cells() * channels, 0);
            }
        }
        means.fine = self.fine;
        self.first.apply(size, planes, means, sums, numbers);
        for [one, other] in &self.blocks {
            one.apply(size, numbers, means, None, within);
            other.apply(size, within, means, Some(numbers), next);
            std::mem::swap(numbers, next);
        }
        for row in 0..size.rows {
            let start = (size.first() + row * size.stride()) * channels;
            let cells = numbers.get(start..).unwrap_or_default().chunks_exact(channels);
            for cell in cells.take(size.columns) {
                scores.push(self.point.of(cell));
            }
        }
        self.pass.of(&means.numbers)
    }
}

/// A board being scored.
struct Scoring<'a> {
    tower: &'a Tower,
    size: Size,
    planes: &'a [u32],
    boards: &'a mut Boards,
    scores: &'a mut Vec<i32>,
}

impl Work for Scoring<'_> {
    type Outcome = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Self { tower, size, planes, boards, scores } = self;
        tower.fill(size, planes, boards, scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the bytes of a tower of so many planes, 32 channels and a block. Its first channel
    /// is the first plane, to which the block adds the number of the left neighbour; the score of a
    /// point is that of this channel, and the score of a pass 3 more than its mean.
    fn tower(planes: u8) -> Vec<u8> {
        let stage = |inputs: usize, tap: usize| {
            let mut bytes = vec![0; 32 * (1 + 1 + 4) + 32 * (TAPS + 1) * inputs];
            if let Some(weight) = bytes.get_mut(32 * 6 + tap * inputs) {
                *weight = 1;
            }
            bytes
        };
        let mut body = vec![planes, 32, 1, 8];
        body.extend([stage(planes.into(), 4), stage(32, 4), stage(32, 3)].concat());
        for bias in [0, 3] {
            body.extend([0, bias, 0, 0, 0, 1]);
            body.extend([0; 31]);
        }
        Head::TOWER.file(&body)
    }

    #[test]
    fn a_tower_by_hand() {
        let tower = Tower::read(&tower(4)).expect("a tower");
        let (mut boards, mut scores) = (Boards::default(), Vec::new());
        let size = Size { rows: 2, columns: 3 };
        let pass = tower.score(size, &[1, 0, 3, 0, 1, 0], &mut boards, &mut scores);
        // The second plane has no weight. The right neighbours gain 16 each.
        assert_eq!(scores, [16, 16, 16, 0, 16, 16]);
        assert_eq!(pass, 5 * 16 * 256 / 6 + 3);
    }

    #[test]
    fn the_mean_of_a_single_point_counts() {
        let mut file = tower(4);
        // In the first stage the first channel gains twice the mean of the second plane, that is
        // 16 * 256 / 6 = 682, divided by 2^6.
        file[8 + 32] = 6;
        file[8 + 32 * (1 + 1 + 4) + 32 * TAPS * 4 + 1] = 2;
        let tower = Tower::read(&file).expect("a tower");
        let mut scores = Vec::new();
        let size = Size { rows: 2, columns: 3 };
        let pass = tower.score(size, &[1, 0, 3, 0, 1, 0], &mut Boards::default(), &mut scores);
        let (off, on) = (21, 37);
        assert_eq!(scores, [on, on + off, on + off, off, on + off, on + off]);
        assert_eq!(pass, (5 * (on + off)) * 256 / 6 + 3);
    }

    #[test]
    fn boards_serve_one_size_after_another() {
        let tower = Tower::read(&tower(4)).expect("a tower");
        let mut boards = Boards::default();
        // Sizes that need as many cells: what was a point becomes a sentinel.
        for (rows, columns) in [(2, 3), (3, 2), (6, 1), (1, 6), (2, 3)] {
            let size = Size { rows, columns };
            let score = |boards: &mut Boards| {
                let mut scores = Vec::new();
                let pass = tower.score(size, &[1, 1, 3, 1, 1, 1], boards, &mut scores);
                (pass, scores)
            };
            assert_eq!(score(&mut boards), score(&mut Boards::default()), "{rows}, {columns}");
        }
    }

    #[test]
    fn other_files_are_refused() {
        let whole = tower(4);
        for length in 0..whole.len() {
            assert!(Tower::read(&whole[..length]).is_none(), "{length}");
        }
        assert!(Tower::read(&[&whole[..], &[0]].concat()).is_none());
        for (at, byte) in [(4, 3), (5, 31), (7, 9), (8, 17), (8 + 32, 17), (8 + 2 * 32 + 3, 2)] {
            let mut other = whole.clone();
            other[at] = byte;
            assert!(Tower::read(&other).is_none(), "{at}");
        }
        for (planes, whether) in [(0, false), (4, true), (32, true), (36, false)] {
            assert_eq!(Tower::read(&tower(planes)).is_some(), whether, "{planes}");
        }
        let no_channels = Head::TOWER.file(&[vec![4, 0, 0, 8], vec![0; 10]].concat());
        assert!(Tower::read(&no_channels).is_none());
    }
}
