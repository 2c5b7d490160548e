//! Trains the tables of the series' codecs on games.

use plypack_bits::mixing::{Counter, Mixer, ONE};

use super::inputs::Inputs;
pub use super::net::{ATOMS, OUTPUTS, PARTS, UNITS, WEIGHT_BITS};
use super::primed::{GUESSES, Model, Shape, Table};
use super::question::{Asker, PLACES, Place, Scene};
use super::{Evaluation, Review, clocks, evaluations, reviews};
use crate::hint::Hint;

/// A guess based on fewer answers is left out.
const ANSWERS_LEAST: u32 = 4;

/// The weights of a set that was never used: a half for each guess learnt within a series and for
/// the curve's.
const UNUSED: [i32; GUESSES] = [0, 0, 0, 0, 0, 0, 1 << 15, 1 << 15, 1 << 15];

/// The weights that training begins with: the curve has most.
const FIRST: [i32; GUESSES] =
    [1 << 13, 1 << 13, 1 << 13, 1 << 13, 1 << 13, 1 << 13, 1 << 12, 1 << 12, 3 << 14];

/// How many passes over all games learn the weights.
const ROUNDS: usize = 3;

/// How many passes over all games correct the guesses, more slowly each time.
const CORRECTIONS: i64 = 3;

/// The clock readings of a game.
#[derive(Clone, Debug)]
pub struct Clocks {
    /// One or none for each ply.
    pub readings: Vec<Option<u32>>,
    /// Their decimals of a second.
    pub decimals: u8,
    /// The hint of each ply.
    pub hints: Vec<Hint>,
}

/// The evaluations of a game.
#[derive(Clone, Debug)]
pub struct Evaluations {
    /// One or none for each ply.
    pub evaluations: Vec<Option<Evaluation>>,
    /// What the game's rules tell of each ply.
    pub hints: Vec<Hint>,
}

/// The reviews of a game, and its evaluations.
pub type Reviewed = (Vec<Option<Review>>, Vec<Option<Evaluation>>);

impl Clocks {
    fn walk(&self, asker: &mut dyn Asker) {
        let Self { readings, decimals, hints } = self;
        let plan = clocks::Plan::of(readings, *decimals);
        let _ = clocks::walk(readings.len(), readings, plan, hints, asker);
    }
}

impl Evaluations {
    fn walk(&self, asker: &mut dyn Asker) {
        let Self { evaluations, hints } = self;
        let _ = evaluations::walk(evaluations.len(), evaluations, hints, asker);
    }
}

/// A value that a net learns from.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// Which net this is for.
    pub net: usize,
    /// The inputs, in 256ths.
    pub inputs: Vec<i32>,
    /// The ends of the value on the curve, in 256ths of its unit; `None` where the curve ends.
    pub ends: [Option<i64>; 2],
    /// Which atoms the value is.
    pub is: [bool; ATOMS],
    /// Which atoms there are.
    pub allowed: [bool; ATOMS],
}

/// The least and the greatest width of the parts of curves, in doublings: for clock readings, and
/// for evaluations.
pub const WIDTHS: [[i32; 2]; 2] = [clocks::WIDTHS, evaluations::WIDTHS];

/// What the net of clock readings learns from.
#[must_use]
pub fn clock_lessons(games: &[Clocks]) -> Vec<Lesson> {
    let mut lessons = Lessons(Vec::new());
    games.iter().for_each(|game| game.walk(&mut lessons));
    lessons.0
}

/// What the net of evaluations learns from.
#[must_use]
pub fn evaluation_lessons(games: &[Evaluations]) -> Vec<Lesson> {
    let mut lessons = Lessons(Vec::new());
    games.iter().for_each(|game| game.walk(&mut lessons));
    lessons.0
}

/// The table of clock readings, trained on these games, given its nets.
#[must_use]
pub fn clock_table(games: &[Clocks], nets: &[u8]) -> Vec<u8> {
    learn(clocks::SHAPE, nets, games, |game, asker| game.walk(asker))
}

/// The table of evaluations, trained on these games, given its nets.
#[must_use]
pub fn evaluation_table(games: &[Evaluations], nets: &[u8]) -> Vec<u8> {
    learn(evaluations::SHAPE, nets, games, |game, asker| game.walk(asker))
}

/// The table of reviews, trained on these games.
#[must_use]
pub fn review_table(games: &[Reviewed]) -> Vec<u8> {
    learn(reviews::SHAPE, &[], games, |(series, evaluations), asker| {
        let _ = reviews::walk(series.len(), evaluations, 1, series, asker);
    })
}

/// Collects what a net learns from.
struct Lessons(Vec<Lesson>);

impl Asker for Lessons {
    fn look(&mut self, net: usize, inputs: &Inputs, place: Place) -> [i32; OUTPUTS] {
        let Place { ends, is, allowed } = place;
        let inputs = inputs.numbers().iter().map(|&number| number.into()).collect();
        self.0.push(Lesson { net, inputs, ends, is, allowed });
        [0; OUTPUTS]
    }

    fn ask(&mut self, _: &Scene, _: u32, _: i32, answer: bool) -> bool {
        answer
    }

    fn ask_by(&mut self, _: i32, answer: bool) -> bool {
        answer
    }
}

/// Counts answers.
struct Tally {
    shape: Shape,
    counters: Vec<Counter>,
}

impl Asker for Tally {
    fn look(&mut self, _: usize, _: &Inputs, _: Place) -> [i32; OUTPUTS] {
        [0; OUTPUTS]
    }

    fn ask(&mut self, scene: &Scene, place: u32, _: i32, answer: bool) -> bool {
        for cell in self.shape.cells(scene, place) {
            if let Some(counter) = self.counters.get_mut(cell) {
                counter.learn(answer);
            }
        }
        answer
    }

    fn ask_by(&mut self, _: i32, answer: bool) -> bool {
        answer
    }
}

/// Learns weights.
struct Practice<'t>(Model<'t>);

impl Asker for Practice<'_> {
    fn look(&mut self, net: usize, inputs: &Inputs, _: Place) -> [i32; OUTPUTS] {
        self.0.look(net, inputs)
    }

    fn ask(&mut self, scene: &Scene, place: u32, odds: i32, answer: bool) -> bool {
        self.0.answer(scene, place, odds, |_| answer)
    }

    fn ask_by(&mut self, _: i32, answer: bool) -> bool {
        answer
    }
}

/// Notes by how much each guess of a table was off, given its weight.
struct Correction<'t> {
    model: Model<'t>,
    shape: Shape,
    /// Guesses, and by how much to move them: the weight times the error, both in 65,536ths.
    steps: Vec<(usize, i64)>,
}

impl Asker for Correction<'_> {
    fn look(&mut self, net: usize, inputs: &Inputs, _: Place) -> [i32; OUTPUTS] {
        self.model.look(net, inputs)
    }

    fn ask(&mut self, scene: &Scene, place: u32, odds: i32, answer: bool) -> bool {
        let weights = self.model.mixer.weights_of((scene.kind * PLACES + place) as usize);
        let mut missed = if answer { i64::from(ONE) - 1 } else { 0 };
        self.model.answer(scene, place, odds, |yes| {
            missed -= i64::from(yes);
            answer
        });
        let cells = self.shape.cells(scene, place).into_iter().zip(weights);
        self.steps.extend(cells.map(|(cell, weight)| (cell, (missed * i64::from(weight)) >> 16)));
        answer
    }

    fn ask_by(&mut self, _: i32, answer: bool) -> bool {
        answer
    }
}

/// Trains a table. Weights are learnt on each half of the games with guesses from the other half,
/// so that no guess is trusted on what it was made from. Then the guesses, each made on its own,
/// are corrected in the mix. Later games count for more, so those of many players should come last.
fn learn<G>(shape: Shape, nets: &[u8], games: &[G], walk: impl Fn(&G, &mut dyn Asker)) -> Vec<u8> {
    let half = |first| games.iter().skip(first).step_by(2);
    let table = |games: &mut dyn Iterator<Item = &G>| {
        let counters = vec![Counter::default(); shape.guesses()];
        let mut tally = Tally { shape, counters };
        games.for_each(|game| walk(game, &mut tally));
        let guesses = tally.counters.iter().map(guess).collect();
        Table { shape, nets: shape.read_nets(nets), guesses, weights: Vec::new() }
    };
    let halves = [(table(&mut half(0)), 1), (table(&mut half(1)), 0)];
    let mut mixer = Mixer::starting(shape.sets(), FIRST);
    for _ in 0..ROUNDS {
        for (table, other) in &halves {
            for game in half(*other) {
                let mut practice = Practice(Model::with(table, mixer));
                walk(game, &mut practice);
                mixer = practice.0.mixer;
            }
        }
    }
    let mut values: Vec<i8> = Vec::new();
    for (weights, used) in mixer.weights() {
        // Where a question was never asked, only the answers within a series can help.
        let weights = if used { weights } else { UNUSED };
        values.extend(weights.map(|weight| narrow((weight + (1 << 10)) >> 11)));
    }
    let mut whole = table(&mut games.iter());
    correct(&mut whole, games, &mixer, walk);
    values.extend(whole.guesses);
    pack(&values)
}

/// Moves the guesses of a table, game by game, along the gradient of the bits that answers cost.
fn correct<G>(
    table: &mut Table,
    games: &[G],
    mixer: &Mixer<GUESSES>,
    walk: impl Fn(&G, &mut dyn Asker),
) {
    // In 65,536ths of the table's steps.
    let mut exact: Vec<i64> = table.guesses.iter().map(|&guess| i64::from(guess) << 16).collect();
    for round in 0..CORRECTIONS {
        for game in games {
            let model = Model::with(table, mixer.clone());
            let mut correction = Correction { model, shape: table.shape, steps: Vec::new() };
            walk(game, &mut correction);
            for (cell, step) in correction.steps {
                let cells = exact.get_mut(cell).zip(table.guesses.get_mut(cell));
                if let Some((exact, guess)) = cells {
                    *exact += step * 4 / (4 + round);
                    *guess = narrow(i32::try_from((*exact + (1 << 15)) >> 16).unwrap_or(0));
                }
            }
        }
    }
}

/// A counter's guess, in 16ths.
fn guess(counter: &Counter) -> i8 {
    if counter.seen() < ANSWERS_LEAST { 0 } else { narrow((counter.guess() + 8) >> 4) }
}

fn narrow(number: i32) -> i8 {
    i8::try_from(number.clamp(-127, 127)).unwrap_or(0)
}

/// A byte each; a zero is followed by how many more zeros there are. Zeros at the end are left out.
fn pack(values: &[i8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut values = values.iter().peekable();
    while let Some(&value) = values.next() {
        packed.push(value.cast_unsigned());
        if value == 0 {
            let mut more = 0u8;
            while more < u8::MAX && values.next_if_eq(&&0).is_some() {
                more += 1;
            }
            packed.push(more);
        }
    }
    packed
}
