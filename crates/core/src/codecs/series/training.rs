//! Learns the tables of the codecs of series from games.

use plypack_bits::mixing::{Counter, Mixer};

use super::primed::{GUESSES, Model, Shape, Table};
use super::question::{Asker, Scene};
use super::{Evaluation, Review, clocks, evaluations, reviews};

/// A guess that rests on fewer answers is left out.
const ANSWERS_LEAST: u32 = 4;

/// The weights of a set that was never used: a half for each guess that is learnt within a series.
const UNUSED: [i32; GUESSES] = [0, 0, 0, 0, 0, 0, 1 << 15, 1 << 15];

/// How often the weights are learnt on all games.
const ROUNDS: usize = 3;

/// The table of clock readings: what was learnt from these games, and their decimals of a second.
#[must_use]
pub fn clock_table(games: &[(Vec<Option<u32>>, u8)]) -> Vec<u8> {
    learn(clocks::SHAPE, games, |(readings, decimals), asker| {
        let plan = clocks::Plan::of(readings, *decimals);
        let _ = clocks::walk(readings.len(), readings, plan, asker);
    })
}

/// The table of evaluations: what was learnt from these games.
#[must_use]
pub fn evaluation_table(games: &[Vec<Option<Evaluation>>]) -> Vec<u8> {
    learn(evaluations::SHAPE, games, |series, asker| {
        let _ = evaluations::walk(series.len(), series, asker);
    })
}

/// The reviews of a game, and its evaluations.
pub type Reviewed = (Vec<Option<Review>>, Vec<Option<Evaluation>>);

/// The table of reviews: what was learnt from these games, and their evaluations.
#[must_use]
pub fn review_table(games: &[Reviewed]) -> Vec<u8> {
    learn(reviews::SHAPE, games, |(series, evaluations), asker| {
        let _ = reviews::walk(series.len(), evaluations, 1, series, asker);
    })
}

/// Counts answers.
struct Tally {
    shape: Shape,
    counters: Vec<Counter>,
}

impl Asker for Tally {
    fn ask(&mut self, scene: &Scene, place: u32, answer: bool) -> bool {
        for cell in self.shape.cells(scene, place) {
            if let Some(counter) = self.counters.get_mut(cell) {
                counter.learn(answer);
            }
        }
        answer
    }

    fn ask_evenly(&mut self, answer: bool) -> bool {
        answer
    }
}

/// Learns weights.
struct Practice<'t>(Model<'t>);

impl Asker for Practice<'_> {
    fn ask(&mut self, scene: &Scene, place: u32, answer: bool) -> bool {
        self.0.answer(scene, place, |_| answer)
    }

    fn ask_evenly(&mut self, answer: bool) -> bool {
        answer
    }
}

/// Learns a table. Weights are learnt on each half of the games with what the other half guesses,
/// so that guesses are not trusted on what they have seen. Of games that differ, the last count for
/// more, so those of many players should come last.
fn learn<G>(shape: Shape, games: &[G], walk: impl Fn(&G, &mut dyn Asker)) -> Vec<u8> {
    let half = |first| games.iter().skip(first).step_by(2);
    let table = |games: &mut dyn Iterator<Item = &G>| {
        let counters = vec![Counter::default(); shape.guesses()];
        let mut tally = Tally { shape, counters };
        games.for_each(|game| walk(game, &mut tally));
        Table { shape, guesses: tally.counters.iter().map(guess).collect(), weights: Vec::new() }
    };
    let halves = [(table(&mut half(0)), 1), (table(&mut half(1)), 0)];
    let mut mixer = Mixer::new(shape.sets());
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
        // Of what was never asked, only the answers within a series can tell.
        let weights = if used { weights } else { UNUSED };
        values.extend(weights.map(|weight| narrow((weight + (1 << 10)) >> 11)));
    }
    values.extend(table(&mut games.iter()).guesses);
    pack(&values)
}

/// What a counter guesses, in 16ths.
fn guess(counter: &Counter) -> i8 {
    if counter.seen() < ANSWERS_LEAST { 0 } else { narrow((counter.guess() + 8) >> 4) }
}

fn narrow(number: i32) -> i8 {
    i8::try_from(number.clamp(-127, 127)).unwrap_or(0)
}

/// A byte each, and behind a zero how many more there are. Zeros at the end are left out.
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
