//! Predictions that start from a trained table, so that short series are predicted well too.

use crate::bits::mixing::{Counter, ONE, squash};
use crate::bits::range::{Decoder, Encoder};

use super::inputs::Inputs;
use super::net::{Net, OUTPUTS};
use super::question::{Asker, PLACES, Place, Scene, TRAINED};

/// Number of contexts of the guess learnt within the series.
const RECENT: u32 = 8;

/// The weights, in 65,536ths, of three guesses at a question: the curve's odds, and the counters
/// for its place and for its place and recent context.
pub(super) type Weights = [i32; 3];

/// Limit of weights in either direction.
pub(super) const WEIGHT_MAX: i32 = 127 << 11;

/// Learning rate of weights within a series, in 2^-20.
const RATE: i32 = 16;

/// Moves weights along the gradient of an answer's cost; `missed` is the answer minus its chance,
/// out of [`ONE`], times a rate.
#[inline(always)]
pub(super) fn steer(weights: &mut Weights, guesses: [i32; 3], missed: i32) {
    for (weight, guess) in weights.iter_mut().zip(guesses) {
        let change = (i64::from(missed) * i64::from(guess) + (1 << 19)) >> 20;
        let moved = i64::from(*weight) + change;
        let most = i64::from(WEIGHT_MAX);
        *weight = i32::try_from(moved.clamp(-most, most)).unwrap_or(*weight);
    }
}

/// Returns the weighted sum of the guesses, at most 3 * 127 / 32 * 3,072.
#[inline(always)]
pub(super) fn weigh(weights: &Weights, guesses: [i32; 3]) -> i32 {
    let terms = weights.iter().zip(guesses);
    let sum: i64 = terms.map(|(&weight, guess)| i64::from(weight) * i64::from(guess)).sum();
    i32::try_from(sum >> 16).unwrap_or(0)
}

/// Returns the difference of an answer from its chance.
#[inline(always)]
pub(super) fn miss(answer: bool, chance: u32) -> i32 {
    let target = if answer { ONE - 1 } else { 0 };
    target.cast_signed() - chance.cast_signed()
}

/// Limit of a curve's log odds in either direction, in 256ths.
pub(super) const ODDS_MAX: i32 = 10 * 256;

/// The size of a model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Number of nets, and of the inputs of each.
    pub nets: usize,
    pub inputs: usize,
    /// Number of kinds of scenes.
    pub kinds: u32,
    /// Number of contexts of each trained guess.
    pub contexts: [u32; TRAINED],
}

impl Shape {
    /// Returns the number of sets of weights.
    pub fn sets(&self) -> usize {
        (self.kinds * PLACES) as usize
    }

    /// Returns the rows of a table that belong to these contexts.
    #[inline(always)]
    pub fn rows(&self, contexts: [u32; TRAINED]) -> [u32; TRAINED] {
        let mut first = 0;
        let mut rows = contexts;
        for (row, count) in rows.iter_mut().zip(self.contexts) {
            *row = first + (*row).min(count - 1);
            first += count;
        }
        rows
    }

    /// Reads consecutive nets.
    pub fn read_nets(&self, bytes: &[u8]) -> Vec<Net> {
        let size = 2 * Net::size(self.inputs);
        let net = |at: usize| bytes.get(at * size..).unwrap_or_default();
        (0..self.nets).map(|at| Net::read(self.inputs, net(at))).collect()
    }

    /// Returns the number of rows of a table.
    pub fn height(&self) -> usize {
        self.contexts.iter().sum::<u32>() as usize
    }
}

/// The guesses of a table for each place in one context: log odds in 32nds.
pub(super) type Row = [i8; PLACES as usize];

/// A trained table.
#[derive(Debug)]
pub(super) struct Table {
    pub nets: Vec<Net>,
    pub weights: Vec<Weights>,
    pub rows: Vec<Row>,
}

impl Table {
    /// Unpacks a table: the weights of all sets, in 32nds, and the rows, a byte for each number. A
    /// zero is followed by the number of further zeros. `nets` holds the nets one after another.
    pub fn unpack(shape: Shape, nets: &[u8], packed: &[u8]) -> Self {
        let nets = shape.read_nets(nets);
        let mut values: Vec<i8> = Vec::new();
        let mut bytes = packed.iter();
        while let Some(&byte) = bytes.next() {
            let more = if byte == 0 { *bytes.next().unwrap_or(&0) } else { 0 };
            values.resize(values.len() + 1 + usize::from(more), byte.cast_signed());
        }
        let weights = shape.sets() * 3;
        values.resize(weights + shape.height() * PLACES as usize, 0);
        let (weights, rows) = values.split_at(weights);
        let weights = weights.as_chunks().0.iter();
        let weights = weights.map(|set| set.map(|weight: i8| i32::from(weight) << 11)).collect();
        Self { nets, weights, rows: rows.as_chunks().0.to_vec() }
    }
}

/// The state learnt within a series: a counter for each place, and for each place and recent
/// context.
#[derive(Clone, Debug)]
pub(super) struct Learnt(Vec<[Counter; PLACES as usize]>);

impl Learnt {
    pub fn new() -> Self {
        Self(vec![[Counter::default(); PLACES as usize]; RECENT as usize + 1])
    }

    /// Returns the counters' guesses for a question.
    #[inline(always)]
    pub fn guesses(&self, scene: &Scene, place: u32) -> [i32; 2] {
        let guess = |row: u32| {
            let row = self.0.get(row as usize);
            row.map_or(0, |row| row[(place % PLACES) as usize].guess())
        };
        [guess(0), guess(1 + scene.recent.min(RECENT - 1))]
    }

    #[inline(always)]
    pub fn learn(&mut self, scene: &Scene, place: u32, answer: bool) {
        for row in [0, 1 + scene.recent.min(RECENT - 1)] {
            if let Some(row) = self.0.get_mut(row as usize) {
                row[(place % PLACES) as usize].learn(answer);
            }
        }
    }
}

/// Predicts the answers of one series.
pub(super) struct Model<'t> {
    table: &'t Table,
    weights: Vec<Weights>,
    learnt: Learnt,
}

impl<'t> Model<'t> {
    /// Creates a model that has seen no answers.
    pub fn new(table: &'t Table) -> Self {
        Self { table, weights: table.weights.clone(), learnt: Learnt::new() }
    }

    /// Returns the outputs of one of the table's nets.
    pub fn look(&self, net: usize, inputs: &Inputs) -> [i32; OUTPUTS] {
        self.table.nets.get(net).map_or([0; OUTPUTS], |net| net.look(inputs))
    }

    /// Predicts an answer, given the curve's odds; lets `decide` code it with the chance of yes,
    /// out of [`ONE`]; and learns from it.
    #[inline(always)]
    pub fn answer(
        &mut self,
        scene: &Scene,
        place: u32,
        odds: i32,
        decide: impl FnOnce(u32) -> bool,
    ) -> bool {
        let place = place % PLACES;
        let mut told = 0;
        for row in scene.rows {
            let row = self.table.rows.get(row as usize);
            told += row.map_or(0, |row| i32::from(row[place as usize]));
        }
        let Some(weights) = self.weights.get_mut((scene.kind * PLACES + place) as usize) else {
            return decide(ONE / 2);
        };
        let [by_place, by_near] = self.learnt.guesses(scene, place);
        let guesses = [odds.clamp(-ODDS_MAX, ODDS_MAX), by_place, by_near];
        let chance = squash(8 * told + weigh(weights, guesses));
        let answer = decide(chance);
        steer(weights, guesses, RATE * miss(answer, chance));
        self.learnt.learn(scene, place, answer);
        answer
    }
}

/// Writes answers.
pub(super) struct Writer<'t> {
    model: Model<'t>,
    coder: Encoder,
}

impl<'t> Writer<'t> {
    pub fn new(table: &'t Table) -> Self {
        Self { model: Model::new(table), coder: Encoder::new() }
    }

    pub fn finish(self) -> Vec<u8> {
        self.coder.finish()
    }
}

impl Asker for Writer<'_> {
    fn look(&mut self, net: usize, inputs: &Inputs, _: Place) -> [i32; OUTPUTS] {
        self.model.look(net, inputs)
    }

    fn ask(&mut self, scene: &Scene, place: u32, odds: i32, answer: bool) -> bool {
        let coder = &mut self.coder;
        self.model.answer(scene, place, odds, |yes| write(coder, yes, answer))
    }

    fn ask_by(&mut self, odds: i32, answer: bool) -> bool {
        write(&mut self.coder, squash(odds), answer)
    }
}

/// Codes an answer that is yes with a chance of `yes` out of [`ONE`].
fn write(coder: &mut Encoder, yes: u32, answer: bool) -> bool {
    let (start, size) = if answer { (0, yes) } else { (yes, ONE - yes) };
    coder.encode(start, size, ONE);
    answer
}

/// Reads answers.
pub(super) struct Reader<'t, 'c> {
    model: Model<'t>,
    coder: Decoder<'c>,
}

impl<'t, 'c> Reader<'t, 'c> {
    pub fn new(table: &'t Table, code: &'c [u8]) -> Self {
        Self { model: Model::new(table), coder: Decoder::new(code) }
    }
}

impl Asker for Reader<'_, '_> {
    fn look(&mut self, net: usize, inputs: &Inputs, _: Place) -> [i32; OUTPUTS] {
        self.model.look(net, inputs)
    }

    fn ask(&mut self, scene: &Scene, place: u32, odds: i32, _: bool) -> bool {
        let coder = &mut self.coder;
        self.model.answer(scene, place, odds, |yes| read(coder, yes))
    }

    fn ask_by(&mut self, odds: i32, _: bool) -> bool {
        read(&mut self.coder, squash(odds))
    }
}

/// Decodes an answer that is yes with a chance of `yes` out of [`ONE`].
fn read(coder: &mut Decoder<'_>, yes: u32) -> bool {
    let answer = coder.is_below(yes, ONE);
    let (start, size) = if answer { (0, yes) } else { (yes, ONE - yes) };
    coder.consume(start, size, ONE);
    answer
}
