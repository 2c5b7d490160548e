//! A policy in floats: scoring, learning from a position, rounding.

use plypack_core::policy::{STEPS, Scales, Shape, Sight, Sizes, write_gate, write_judge};

/// The sizes of a policy, chosen by its tier.
#[derive(Clone, Copy, Debug)]
pub struct Width {
    /// Hidden units of the net.
    pub hidden: usize,
    /// Units of the layer of each move.
    pub units: usize,
}

/// A table of weights with one accumulator per row or, for the linear part, per weight: AdaGrad
/// (Duchi, Hazan, Singer 2011).
struct Part {
    columns: usize,
    weights: Vec<f32>,
    squares: Vec<f32>,
}

impl Part {
    fn new(rows: usize, columns: usize, spread: f32, square: f32, random: &mut Random) -> Self {
        let weights = (0..rows * columns).map(|_| spread * random.even()).collect();
        Self { columns, weights, squares: vec![square; rows] }
    }

    fn row(&self, row: usize) -> &[f32] {
        &self.weights[row * self.columns..(row + 1) * self.columns]
    }

    /// Steps along `gradient * direction` for one row; `mean` is the mean square of `direction`.
    fn step(&mut self, row: usize, rate: f32, gradient: f32, direction: &[f32], mean: f32) {
        self.squares[row] += gradient * gradient * mean;
        let step = rate * gradient / self.squares[row].sqrt();
        let weights = &mut self.weights[row * self.columns..(row + 1) * self.columns];
        for (weight, x) in weights.iter_mut().zip(direction) {
            *weight -= step * x;
        }
    }

    fn largest(&self) -> f32 {
        self.weights.iter().fold(0.0, |most, weight| weight.abs().max(most))
    }
}

/// A random number generator for initial weights and sampling: xorshift64* (Vigna 2016).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a uniform number from 0 to 1.
    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Returns a uniform number from -1 to 1.
    pub fn even(&mut self) -> f32 {
        2.0 * self.unit() - 1.0
    }
}

/// The step of a linear weight in the table, in units of log probability.
const LINEAR_STEP: f32 = 1.0 / 24.0;

/// Candidates with a smaller gradient are learnt from only occasionally, as if it were this.
const SAMPLED: f32 = 0.004;

/// The base learning rates.
const LINEAR_RATE: f32 = 0.05;
const NET_RATE: f32 = 0.02;

/// A gate in floats.
pub struct Gate {
    slots: usize,
    weights: Vec<f32>,
    squares: Vec<f32>,
    chances: Vec<f32>,
}

impl Gate {
    pub fn new(sizes: Sizes) -> Self {
        let features = usize::from(sizes.gate);
        let (weights, squares) = (vec![0.0; features], vec![0.01; features]);
        Self { slots: sizes.light, weights, squares, chances: Vec::new() }
    }

    /// Returns the candidates' probabilities.
    pub fn predict(&mut self, sight: &Sight) -> &[f32] {
        let weight = |&feature: &u16| self.weights[usize::from(feature)];
        let score = |slots: &[u16]| slots.iter().map(weight).sum::<f32>();
        self.chances.clear();
        self.chances.extend(sight.light.chunks_exact(self.slots).map(score));
        soften(&mut self.chances);
        &self.chances
    }

    /// Learns from the position predicted last; see [`Judge::learn`].
    pub fn learn(&mut self, sight: &Sight, played: usize, pace: f32, random: &mut Random) {
        let rate = LINEAR_RATE * slow(pace);
        for (index, slots) in sight.light.chunks_exact(self.slots).enumerate() {
            let gradient = self.chances[index] - f32::from(u8::from(index == played));
            let Some(gradient) = sample(gradient, random) else { continue };
            for &feature in slots.iter().filter(|&&feature| feature > 0) {
                let feature = usize::from(feature);
                self.squares[feature] += gradient * gradient;
                self.weights[feature] -= rate * gradient / self.squares[feature].sqrt();
            }
        }
    }

    /// Returns the table.
    pub fn round(&self) -> Vec<u8> {
        let factor = LINEAR_STEP * STEPS as f32 / std::f32::consts::LN_2;
        write_gate(scale(factor / 256.0), &round(&self.weights, LINEAR_STEP))
    }
}

/// Converts scores to probabilities.
fn soften(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::MIN, f32::max);
    scores.iter_mut().for_each(|score| *score = (*score - most).exp());
    let sum: f32 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= sum);
}

/// The learning rate as `pace` falls from 1 to 0.
fn slow(pace: f32) -> f32 {
    0.03 + 0.97 * pace
}

/// The gradient to learn from, if any.
fn sample(gradient: f32, random: &mut Random) -> Option<f32> {
    if gradient.abs() >= SAMPLED {
        return Some(gradient);
    }
    let taken = random.unit() * SAMPLED < gradient.abs();
    taken.then(|| SAMPLED.copysign(gradient))
}

/// A judge in floats.
pub struct Judge {
    sizes: Sizes,
    width: Width,
    linear: Part,
    input: Part,
    output: Part,
    lift: Part,
    deep: Part,
    mix: Part,
    // Scratch memory for one position.
    hidden: Vec<f32>,
    lifted: Vec<f32>,
    chances: Vec<f32>,
    units: Vec<f32>,
    pull: Vec<f32>,
    unit_pull: Vec<f32>,
    lift_pull: Vec<f32>,
}

impl Judge {
    pub fn new(sizes: Sizes, width: Width) -> Self {
        let mut random = Random::new(0x5eed);
        let Width { hidden, units } = width;
        let of = usize::from;
        let deep = of(sizes.features - sizes.deep);
        let mut part = |rows, columns, spread| Part::new(rows, columns, spread, 0.001, &mut random);
        let input = part(of(sizes.inputs), hidden, 0.05);
        let output = part(of(sizes.rows), hidden, 0.05);
        let lift = part(units, hidden, 0.05);
        let deep = part(deep, units, 0.05);
        let mix = part(of(sizes.phases), units, 0.3);
        let linear = Part::new(of(sizes.features), 1, 0.0, 0.01, &mut random);
        Self {
            sizes,
            width,
            linear,
            input,
            output,
            lift,
            deep,
            mix,
            hidden: vec![0.0; hidden],
            lifted: vec![0.0; units],
            chances: Vec::new(),
            units: Vec::new(),
            pull: vec![0.0; hidden],
            unit_pull: vec![0.0; units],
            lift_pull: vec![0.0; units],
        }
    }

    /// Returns the features of a chosen candidate.
    fn features<'a>(
        sizes: Sizes,
        sight: &'a Sight,
        chosen: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        let index = usize::from(sight.chosen[chosen]);
        let light = &sight.light[index * sizes.light..(index + 1) * sizes.light];
        let heavy = &sight.heavy[chosen * sizes.heavy..(chosen + 1) * sizes.heavy];
        light.iter().chain(heavy).filter(|&&feature| feature > 0).map(|&feature| feature.into())
    }

    /// Returns the probabilities of the chosen candidates, given that one of them is played.
    pub fn predict(&mut self, sight: &Sight) -> &[f32] {
        let Self { hidden, lifted, chances, units, .. } = self;
        hidden.fill(0.0);
        for &input in &sight.inputs {
            for (sum, weight) in hidden.iter_mut().zip(self.input.row(input.into())) {
                *sum += weight;
            }
        }
        hidden.iter_mut().for_each(|sum| *sum = sum.max(0.0));
        for (unit, lifted) in lifted.iter_mut().enumerate() {
            *lifted = dot(hidden, self.lift.row(unit));
        }
        chances.clear();
        units.clear();
        let mix = self.mix.row(sight.phase.into());
        for (chosen, &row) in sight.rows.iter().enumerate() {
            let start = units.len();
            units.extend_from_slice(lifted);
            let own = &mut units[start..];
            let mut score = dot(hidden, self.output.row(row.into()));
            for feature in Self::features(self.sizes, sight, chosen) {
                score += self.linear.weights[feature];
                if let Some(deep) = feature.checked_sub(self.sizes.deep.into()) {
                    for (unit, weight) in own.iter_mut().zip(self.deep.row(deep)) {
                        *unit += weight;
                    }
                }
            }
            own.iter_mut().for_each(|unit| *unit = unit.max(0.0));
            chances.push(score + dot(own, mix));
        }
        soften(chances);
        chances
    }

    /// Learns from the position predicted last, in which the chosen candidate `played` was played.
    /// `pace` falls from 1 to 0.
    pub fn learn(&mut self, sight: &Sight, played: usize, pace: f32, random: &mut Random) {
        let (linear_rate, net_rate) = (LINEAR_RATE * slow(pace), NET_RATE * slow(pace));
        let phase = usize::from(sight.phase);
        let width = self.width.units;
        let hidden_mean = mean_square(&self.hidden);
        self.pull.fill(0.0);
        self.lift_pull.fill(0.0);
        for (chosen, &row) in sight.rows.iter().enumerate() {
            let row = usize::from(row);
            let gradient = self.chances[chosen] - f32::from(u8::from(chosen == played));
            let Some(gradient) = sample(gradient, random) else { continue };
            for (pull, weight) in self.pull.iter_mut().zip(self.output.row(row)) {
                *pull += gradient * weight;
            }
            self.output.step(row, net_rate, gradient, &self.hidden, hidden_mean);
            let units = &self.units[chosen * width..(chosen + 1) * width];
            let mix = self.mix.row(phase);
            for ((pull, unit), weight) in self.unit_pull.iter_mut().zip(units).zip(mix) {
                *pull = if *unit > 0.0 { *weight } else { 0.0 };
            }
            for (sum, pull) in self.lift_pull.iter_mut().zip(&self.unit_pull) {
                *sum += gradient * pull;
            }
            let pull_mean = mean_square(&self.unit_pull);
            for feature in Self::features(self.sizes, sight, chosen) {
                self.linear.step(feature, linear_rate, gradient, &[1.0], 1.0);
                if let Some(deep) = feature.checked_sub(self.sizes.deep.into()) {
                    self.deep.step(deep, net_rate, gradient, &self.unit_pull, pull_mean);
                }
            }
            self.mix.step(phase, net_rate, gradient, units, mean_square(units));
        }
        for unit in 0..width {
            let gradient = self.lift_pull[unit];
            if gradient != 0.0 {
                for (pull, weight) in self.pull.iter_mut().zip(self.lift.row(unit)) {
                    *pull += gradient * weight;
                }
                self.lift.step(unit, net_rate, gradient, &self.hidden, hidden_mean);
            }
        }
        for (pull, hidden) in self.pull.iter_mut().zip(&self.hidden) {
            if *hidden <= 0.0 {
                *pull = 0.0;
            }
        }
        let pull_mean = mean_square(&self.pull);
        for &input in &sight.inputs {
            self.input.step(input.into(), net_rate, 1.0, &self.pull, pull_mean);
        }
    }

    /// Returns the table: every part in steps of its own, so that its largest weight is 127 steps,
    /// or 2047 for the few that mix units.
    pub fn round(&self) -> Option<Vec<u8>> {
        let part_step = |part: &Part| (part.largest() / 127.0).max(1e-6);
        let [input, output, lift, deep] =
            [&self.input, &self.output, &self.lift, &self.deep].map(part_step);
        let mix = (self.mix.largest() / 2047.0).max(1e-6);
        // Converts units of log probability to 256ths of a doubling, in 2^-24.
        let to_score = |step: f32| scale(step * STEPS as f32 / std::f32::consts::LN_2);
        let scales = Scales {
            linear: to_score(LINEAR_STEP),
            net: to_score(input * output),
            lift: scale(input * lift / deep),
            mix: to_score(deep * mix),
        };
        let number = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        let shape = Shape {
            features: self.sizes.features,
            deep: self.sizes.deep,
            inputs: self.sizes.inputs,
            hidden: number(self.width.hidden),
            rows: self.sizes.rows,
            units: number(self.width.units),
            phases: self.sizes.phases,
        };
        let parts = [
            round(&self.linear.weights, LINEAR_STEP),
            round(&self.input.weights, input),
            round(&self.output.weights, output),
            round(&self.lift.weights, lift),
            round(&self.deep.weights, deep),
        ];
        let wide: Vec<i16> = self.mix.weights.iter().map(|weight| narrow(weight / mix)).collect();
        write_judge(shape, scales, parts.each_ref().map(Vec::as_slice), &wide)
    }
}

/// A factor in units of 2^-24.
#[expect(clippy::cast_possible_truncation, reason = "factors are far below 256")]
fn scale(factor: f32) -> u32 {
    (factor * (1u32 << 24) as f32).round() as u32
}

#[expect(clippy::cast_possible_truncation, reason = "at most 2047 steps")]
fn narrow(weight: f32) -> i16 {
    weight.round() as i16
}

#[expect(clippy::cast_possible_truncation, reason = "clamped")]
fn round(weights: &[f32], step: f32) -> Vec<i8> {
    let weight = |weight: &f32| (weight / step).round().clamp(-127.0, 127.0) as i8;
    weights.iter().map(weight).collect()
}

fn mean_square(values: &[f32]) -> f32 {
    dot(values, values) / values.len().max(1) as f32
}

/// Returns the product of two rows, in eight sums that the compiler can compute in parallel.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}
