//! Trains a net that outputs the shapes of curves, in floats.

use std::f64::consts::LN_2;

use plypack_core::codecs::series::training::{ATOMS, Lesson, OUTPUTS, PARTS, UNITS, WEIGHT_BITS};

use crate::train::net::Random;

/// The initial state of training: the first parts of a curve, the rates and the number of epochs.
pub struct Beginning {
    /// From the first part to the last, in units of the curve.
    pub middles: [f32; 2],
    /// The same, in doublings.
    pub widths: [f32; 2],
    /// The least and the greatest width of parts.
    pub within: [i32; 2],
    /// The largest step, of each net.
    pub rates: &'static [f32],
    pub epochs: usize,
}

/// The number of lessons per step.
const BATCH: usize = 256;

/// Weight decay.
const DECAY: f32 = 0.001;

/// The largest gradient of a middle or a width.
const PULL_MAX: f32 = 4.0;

/// The probability of a value that no part explains.
const ODDITY: f64 = 1e-7;

/// Trains nets and rounds them. Reports the bits of the lessons from time to time.
pub fn teach(name: &str, lessons: &[Lesson], beginning: &Beginning) -> Vec<u8> {
    let nets = beginning.rates.iter().enumerate();
    let teach = |(net, &rate): (usize, &f32)| {
        let lessons: Vec<&Lesson> = lessons.iter().filter(|lesson| lesson.net == net).collect();
        teach_one(&format!("{name} {}", net + 1), &lessons, beginning, rate)
    };
    nets.flat_map(teach).collect()
}

fn teach_one(name: &str, lessons: &[&Lesson], beginning: &Beginning, rate: f32) -> Vec<u8> {
    let inputs = lessons.first().map_or(0, |lesson| lesson.inputs.len());
    let mut random = Random::new(0x0c10c);
    let mut net = Net::new(inputs, beginning, &mut random);
    let mut order: Vec<usize> = (0..lessons.len()).collect();
    let steps = beginning.epochs * lessons.len().div_ceil(BATCH);
    let mut step = 0;
    for epoch in 1..=beginning.epochs {
        for last in (1..order.len()).rev() {
            let place = usize::try_from(random.next() % (last as u64 + 1)).unwrap_or(last);
            order.swap(last, place);
        }
        let mut bits = 0.0;
        for batch in order.chunks(BATCH) {
            batch.iter().for_each(|&at| bits += net.learn(lessons[at], beginning.within));
            let done = step as f32 / steps as f32;
            step += 1;
            net.step(rate * 0.5 * (1.0 + (std::f32::consts::PI * done).cos()), step, batch.len());
        }
        let bits = bits / lessons.len().max(1) as f64;
        eprintln!("{name} {epoch} of {}: {bits:.4} bits", beginning.epochs);
    }
    net.round()
}

/// Weights, and the state of Adam (D. P. Kingma, J. Ba 2014) for each, with the weight decay of I.
/// Loshchilov, F. Hutter 2017.
struct Part {
    columns: usize,
    weights: Vec<f32>,
    gradients: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
}

impl Part {
    fn new(rows: usize, columns: usize, spread: f32, random: &mut Random) -> Self {
        let size = rows * columns;
        let weights = (0..size).map(|_| spread * random.even()).collect();
        let zeros = vec![0.0; size];
        Self { columns, weights, gradients: zeros.clone(), means: zeros.clone(), squares: zeros }
    }

    /// Adds rows of weights, each multiplied by its number, to sums.
    fn add(&self, numbers: &[f32], sums: &mut [f32]) {
        for (number, row) in numbers.iter().zip(self.weights.chunks_exact(self.columns)) {
            if *number != 0.0 {
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += number * weight);
            }
        }
    }

    /// Adds the gradient: for a weight, its number times the pull on its sum.
    fn pull(&mut self, numbers: &[f32], pulls: &[f32]) {
        for (number, row) in numbers.iter().zip(self.gradients.chunks_exact_mut(self.columns)) {
            if *number != 0.0 {
                row.iter_mut().zip(pulls).for_each(|(sum, pull)| *sum += number * pull);
            }
        }
    }

    fn step(&mut self, rate: f32, step: i32, size: f32) {
        let bias = |rate: f32| 1.0 - rate.powi(step);
        let (mean_bias, square_bias) = (bias(0.9), bias(0.999));
        let known = self.means.iter_mut().zip(&mut self.squares);
        for ((weight, gradient), (mean, square)) in
            self.weights.iter_mut().zip(&mut self.gradients).zip(known)
        {
            let pull = *gradient / size;
            *mean += 0.1 * (pull - *mean);
            *square += 0.001 * (pull * pull - *square);
            let direction = (*mean / mean_bias) / ((*square / square_bias).sqrt() + 1e-8);
            *weight -= rate * (direction + DECAY * *weight);
            *gradient = 0.0;
        }
    }
}

struct Net {
    entry: Part,
    exit: Part,
    aside: Part,
}

impl Net {
    fn new(inputs: usize, beginning: &Beginning, random: &mut Random) -> Self {
        let spread = 0.87 / (inputs.max(1) as f32).sqrt();
        let entry = Part::new(inputs, UNITS, spread, random);
        let exit = Part::new(UNITS, OUTPUTS, 0.09, random);
        let mut aside = Part::new(inputs, OUTPUTS, 0.0, random);
        // The first input is always 1.
        for part in 0..PARTS {
            let place = part as f32 / (PARTS - 1) as f32;
            let between = |[from, to]: [f32; 2]| from + (to - from) * place;
            aside.weights[PARTS + part] = between(beginning.middles);
            aside.weights[2 * PARTS + part] = between(beginning.widths);
        }
        Self { entry, exit, aside }
    }

    /// Adds the gradient of a lesson, and returns its bits.
    fn learn(&mut self, lesson: &Lesson, within: [i32; 2]) -> f64 {
        let inputs: Vec<f32> = lesson.inputs.iter().map(|&input| input as f32 / 256.0).collect();
        let mut units = [0.0; UNITS];
        self.entry.add(&inputs, &mut units);
        units.iter_mut().for_each(|unit| *unit = unit.max(0.0));
        let mut outputs = [0.0; OUTPUTS];
        self.exit.add(&units, &mut outputs);
        self.aside.add(&inputs, &mut outputs);
        let (bits, pulls) = cost(&outputs, lesson, within);
        self.exit.pull(&units, &pulls);
        self.aside.pull(&inputs, &pulls);
        let mut unit_pulls = [0.0; UNITS];
        let rows = self.exit.weights.chunks_exact(OUTPUTS);
        for ((pull, row), unit) in unit_pulls.iter_mut().zip(rows).zip(units) {
            if unit > 0.0 {
                *pull = row.iter().zip(&pulls).map(|(weight, pull)| weight * pull).sum();
            }
        }
        self.entry.pull(&inputs, &unit_pulls);
        bits
    }

    fn step(&mut self, rate: f32, step: usize, size: usize) {
        let step = i32::try_from(step).unwrap_or(i32::MAX);
        for part in [&mut self.entry, &mut self.exit, &mut self.aside] {
            part.step(rate, step, size as f32);
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "clamped")]
    fn round(&self) -> Vec<u8> {
        let scale = (1 << WEIGHT_BITS) as f32;
        let parts = [&self.entry, &self.exit, &self.aside].into_iter();
        let round = |weight: &f32| {
            ((weight * scale).round().clamp(-32_767.0, 32_767.0) as i16).to_le_bytes()
        };
        parts.flat_map(|part| part.weights.iter().flat_map(round)).collect()
    }
}

/// Returns the bits of a lesson with these outputs, and the gradient of the cost, in nats, for each
/// of them.
#[expect(clippy::cast_possible_truncation, reason = "gradients are small")]
fn cost(
    outputs: &[f32; OUTPUTS],
    lesson: &Lesson,
    [least, most]: [i32; 2],
) -> (f64, [f32; OUTPUTS]) {
    let output = |at: usize| f64::from(outputs[at]);
    let lone = |atom: usize| 3 * PARTS + atom;
    let best = (0..PARTS)
        .chain((0..ATOMS).filter(|&atom| lesson.allowed[atom]).map(lone))
        .map(output)
        .fold(f64::MIN, f64::max);
    let power = |at: usize| (output(at) - best).exp2();
    let atom = |atom: usize| if lesson.allowed[atom] { power(lone(atom)) } else { 0.0 };
    let parts: [f64; PARTS] = std::array::from_fn(power);
    let atoms: [f64; ATOMS] = std::array::from_fn(atom);
    let sum: f64 = parts.iter().chain(&atoms).sum();
    let mut masses = [0.0; PARTS];
    let mut slopes = [[0.0; 2]; PARTS];
    for part in 0..PARTS {
        let width = output(2 * PARTS + part).clamp(least.into(), most.into());
        let steepness = (-width).exp2();
        let middle = output(PARTS + part);
        let far = |end: i64| (end as f64 / 256.0 - middle) * steepness;
        let [low, high] = lesson.ends.map(|end| end.map(far));
        let sigma = |far: f64| 1.0 / (1.0 + (-far).exp());
        let slope = |far: Option<f64>| far.map_or(0.0, |far| sigma(far) * sigma(-far));
        // For two shares near 1, subtract the complements.
        masses[part] = match (low, high) {
            (Some(low), Some(high)) if low > 0.0 => sigma(-low) - sigma(-high),
            (low, high) => high.map_or(1.0, sigma) - low.map_or(0.0, sigma),
        };
        let (low_slope, high_slope) = (slope(low), slope(high));
        let turned = high.unwrap_or(0.0) * high_slope - low.unwrap_or(0.0) * low_slope;
        slopes[part] = [-steepness * (high_slope - low_slope), -LN_2 * turned];
    }
    let hit = |atom: usize| lesson.is[atom] && lesson.allowed[atom];
    let of_parts = (0..PARTS).map(|part| parts[part] * masses[part]);
    let of_atoms = (0..ATOMS).filter(|&atom| hit(atom)).map(|atom| atoms[atom]);
    // Rare values should teach little.
    let explained = of_parts.chain(of_atoms).sum::<f64>();
    let mass = explained + ODDITY * sum;
    let mut pulls = [0.0; OUTPUTS];
    let pull = |weight: f64, share: f64| {
        (LN_2 * (weight / sum * explained / mass - weight * share / mass)) as f32
    };
    for part in 0..PARTS {
        pulls[part] = pull(parts[part], masses[part]);
        let [by_middle, by_width] = slopes[part].map(|slope| -parts[part] / mass * slope);
        // A narrow part that misses would pull too hard.
        pulls[PARTS + part] = (by_middle as f32).clamp(-PULL_MAX, PULL_MAX);
        pulls[2 * PARTS + part] = (by_width as f32).clamp(-PULL_MAX, PULL_MAX);
    }
    for atom in 0..ATOMS {
        pulls[lone(atom)] = pull(atoms[atom], if hit(atom) { 1.0 } else { 0.0 });
    }
    (-(mass / sum).log2(), pulls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_are_those_of_the_cost() {
        let mut random = Random::new(5);
        for ends in [[None, Some(300)], [Some(-90), Some(-60)], [Some(500), None]] {
            let outputs: [f32; OUTPUTS] = std::array::from_fn(|_| random.even());
            let lesson = Lesson {
                inputs: Vec::new(),
                ends,
                is: [true, false, true],
                net: 0,
                allowed: [true, true, false],
            };
            let (_, pulls) = cost(&outputs, &lesson, [-8, 8]);
            for at in 0..OUTPUTS {
                let moved = |by: f32| {
                    let mut outputs = outputs;
                    outputs[at] += by;
                    cost(&outputs, &lesson, [-8, 8]).0 * LN_2
                };
                let slope = (moved(1e-2) - moved(-1e-2)) / 2e-2;
                assert!((slope - f64::from(pulls[at])).abs() < 1e-3, "{at}: {slope} {}", pulls[at]);
            }
        }
    }
}
