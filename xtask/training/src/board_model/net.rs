//! The net of `board.model` in floating point, and its training: stochastic gradient descent with a
//! rate of its own for each weight (AdaGrad; J. Duchi, E. Hazan and Y. Singer, "Adaptive
//! Subgradient Methods for Online Learning and Stochastic Optimization", 2011).

use plypack_core::testkit::Random;
use plypack_games::chess::Color;
use plypack_games::chess::squares::{
    Contents, HIDDEN, INPUTS, OUTPUTS, ROWS, SYMBOLS, Seen, TO_MOVE,
};

/// Weights of the symbols, and three more that stay 0, to fill SIMD registers.
type Row = [f32; LANES];
const LANES: usize = 16;

/// Weights from or to the hidden units.
type Hidden = [f32; HIDDEN];

/// The units of the file's numbers, and the largest weights that they represent.
const ROW_UNIT: f32 = 16.0;
const ROW_MAX: f32 = 127.0 / ROW_UNIT;
const HIDDEN_UNIT: f32 = 64.0;
const HIDDEN_MAX: f32 = 127.0 / HIDDEN_UNIT;

/// The largest output of a hidden unit.
const UNIT_MAX: f32 = 255.0 / HIDDEN_UNIT;

/// The least weight of a symbol, relative to the likeliest.
const LEAST: f32 = 1.0 / (1 << 22) as f32;

/// A smaller error is rounded randomly to this size or to 0, with the same mean: that is much
/// faster.
const ERROR_MIN: f32 = 0.005;

/// Weights, and the sums of the squares of their gradients.
struct Table<const N: usize> {
    weights: Vec<[f32; N]>,
    squares: Vec<[f32; N]>,
    /// The largest weight.
    max: f32,
}

impl<const N: usize> Table<N> {
    /// Creates small random weights of at most `size`.
    fn new(count: usize, size: f32, max: f32, random: &mut Random) -> Self {
        let mut weight = || (2.0 * fraction(random) - 1.0) * size;
        Self {
            weights: (0..count).map(|_| std::array::from_fn(|_| weight())).collect(),
            squares: vec![[1.0; N]; count],
            max,
        }
    }

    fn learn(&mut self, place: usize, gradient: &[f32; N], rate: f32) {
        let (weights, squares) = (&mut self.weights[place], &mut self.squares[place]);
        for ((weight, square), slope) in weights.iter_mut().zip(squares).zip(gradient) {
            *square += slope * slope;
            *weight = (*weight - rate * slope / square.sqrt()).clamp(-self.max, self.max);
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "`learn` keeps weights within the bounds")]
    fn bytes(&self, lanes: usize, unit: f32) -> impl Iterator<Item = u8> {
        let weights = self.weights.iter().flat_map(move |weights| &weights[..lanes]);
        weights.map(move |weight| ((weight * unit).round() as i8).cast_unsigned())
    }
}

/// The tables in training.
pub struct Net {
    rows: Table<LANES>,
    inputs: Table<HIDDEN>,
    biases: Table<HIDDEN>,
    outputs: Table<HIDDEN>,
    random: Random,
    /// Scratch memory for the rows whose facts hold.
    held: Vec<usize>,
}

/// The prediction for one square.
struct Guess {
    units: Hidden,
    /// The chances of the symbols, minus 1 for the actual one.
    errors: Row,
    bits: f64,
}

impl Net {
    /// Creates an untrained net.
    pub fn new(mut random: Random) -> Self {
        let random = &mut random;
        Self {
            rows: Table::new(ROWS, 0.0, ROW_MAX, random),
            inputs: Table::new(INPUTS, 0.2, HIDDEN_MAX, random),
            biases: Table::new(64, 0.5, HIDDEN_MAX, random),
            outputs: Table::new(OUTPUTS, 0.1, HIDDEN_MAX, random),
            random: Random::new(random.next_u64()),
            held: Vec::new(),
        }
    }

    /// Learns from a position; returns the bits of its board before learning.
    pub fn learn(&mut self, position: &Contents, rate: f32, hidden_rate: f32) -> f64 {
        let black = position.state.side == Color::Black;
        let mut seen = Seen::new(black);
        let mut sums = if black { self.inputs.weights[TO_MOVE] } else { [0.0; HIDDEN] };
        let mut slopes = [[0.0; HIDDEN]; 64];
        let mut bits = 0.0;
        for (slope, &symbol) in slopes.iter_mut().zip(&position.symbols) {
            let mut guess = self.guess(&seen, &sums, symbol.into());
            bits += guess.bits;
            let share = self.share(guess.errors[usize::from(symbol)]);
            if share > 0.0 {
                guess.errors.iter_mut().for_each(|error| *error *= share);
                for &row in &self.held {
                    self.rows.learn(row, &guess.errors, rate);
                }
                *slope = self.learn_outputs(seen.square(), &guess, hidden_rate);
                self.biases.learn(seen.square(), slope, hidden_rate);
            }
            if let Some(man) = seen.man(symbol) {
                add(&mut sums, &self.inputs.weights[man]);
            }
            seen.push(symbol);
        }
        self.learn_inputs(position, &slopes, hidden_rate);
        bits
    }

    fn guess(&mut self, seen: &Seen, sums: &Hidden, symbol: usize) -> Guess {
        seen.rows(&mut self.held);
        let mut scores = [0.0; LANES];
        for &row in &self.held {
            add(&mut scores, &self.rows.weights[row]);
        }
        let mut units = *sums;
        add(&mut units, &self.biases.weights[seen.square()]);
        units.iter_mut().for_each(|unit| *unit = unit.clamp(0.0, UNIT_MAX));
        let outputs = &self.outputs.weights[seen.square() * SYMBOLS..];
        for (score, output) in scores.iter_mut().zip(&outputs[..SYMBOLS]) {
            *score += dot(output, &units);
        }
        let fits: [bool; LANES] = std::array::from_fn(|i| i < SYMBOLS && seen.fits(i));
        let fitting = scores.iter().zip(fits).filter(|(_, fits)| *fits);
        let best = fitting.map(|(&score, _)| score).fold(f32::MIN, f32::max);
        let mut errors: Row = std::array::from_fn(|i| match fits[i] {
            true => (scores[i] - best).exp2().max(LEAST),
            false => 0.0,
        });
        let total: f32 = errors.iter().sum();
        errors.iter_mut().for_each(|error| *error /= total);
        let bits = -f64::from(errors[symbol].log2());
        errors[symbol] -= 1.0;
        Guess { units, errors, bits }
    }

    /// How many times an error counts: 1; for a small one usually 0.
    fn share(&mut self, error: f32) -> f32 {
        let size = error.abs();
        if size >= ERROR_MIN {
            return 1.0;
        }
        match fraction(&mut self.random) * ERROR_MIN < size {
            true => ERROR_MIN / size,
            false => 0.0,
        }
    }

    /// Learns the contribution of the hidden units to the scores of a square, and returns their
    /// gradient.
    fn learn_outputs(&mut self, square: usize, guess: &Guess, rate: f32) -> Hidden {
        let mut slope = [0.0; HIDDEN];
        for (symbol, &error) in guess.errors[..SYMBOLS].iter().enumerate() {
            let error = error * self.share(error);
            if error == 0.0 {
                continue;
            }
            let place = square * SYMBOLS + symbol;
            for (slope, weight) in slope.iter_mut().zip(&self.outputs.weights[place]) {
                *slope += error * weight;
            }
            self.outputs.learn(place, &guess.units.map(|unit| unit * error), rate);
        }
        for (slope, &unit) in slope.iter_mut().zip(&guess.units) {
            if unit <= 0.0 || unit >= UNIT_MAX {
                *slope = 0.0;
            }
        }
        slope
    }

    /// A man is an input of the hidden units of all later squares.
    fn learn_inputs(&mut self, position: &Contents, slopes: &[Hidden; 64], rate: f32) {
        let mut gradient = [0.0; HIDDEN];
        let men = position.symbols.iter().enumerate().rev();
        for ((square, &symbol), slope) in men.zip(slopes.iter().rev()) {
            if symbol > 0 {
                let man = square * (SYMBOLS - 1) + usize::from(symbol) - 1;
                self.inputs.learn(man, &gradient, rate);
            }
            add(&mut gradient, slope);
        }
        if position.state.side == Color::Black {
            self.inputs.learn(TO_MOVE, &gradient, rate);
        }
    }

    /// Returns the tables as in the file.
    pub fn bytes(&self) -> Vec<u8> {
        let rows = self.rows.bytes(SYMBOLS, ROW_UNIT);
        let hidden = [&self.inputs, &self.biases, &self.outputs];
        rows.chain(hidden.into_iter().flat_map(|table| table.bytes(HIDDEN, HIDDEN_UNIT))).collect()
    }
}

/// Returns a number in [0, 1).
fn fraction(random: &mut Random) -> f32 {
    (random.next_u64() >> 40) as f32 / (1 << 24) as f32
}

fn add<const N: usize>(sums: &mut [f32; N], terms: &[f32; N]) {
    sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
}

/// A dot product in lanes: the compiler may not split a sum of floats itself.
fn dot(a: &Hidden, b: &Hidden) -> f32 {
    let mut lanes = [0.0; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += a * b;
        }
    }
    lanes.iter().sum()
}
