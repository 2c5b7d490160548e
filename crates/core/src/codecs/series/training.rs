//! Learns the tables of the codecs of series from games.

use plypack_bits::mixing::{Counter, Mixer, ONE};

use super::primed::{GUESSES, Model, Shape, Table};
use super::question::{Asker, PLACES, Scene};
use super::{Evaluation, Review, clocks, evaluations, reviews};

/// A guess that rests on fewer answers is left out.
const ANSWERS_LEAST: u32 = 4;

/// The weights of a set that was never used: a half for each guess that is learnt within a series.
const UNUSED: [i32; GUESSES] = [0, 0, 0, 0, 0, 0, 1 << 15, 1 << 15];

/// How often the weights are learnt on all games.
const ROUNDS: usize = 3;

/// How often the guesses are corrected on all games, more slowly each time.
const CORRECTIONS: i64 = 3;

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

/// Notes how much each guess of a table should have been another, as it is weighed.
struct Correction<'t> {
    model: Model<'t>,
    shape: Shape,
    /// Guesses, and by how much to move them: the weight times what was missed, both of 65,536.
    steps: Vec<(usize, i64)>,
}

impl Asker for Correction<'_> {
    fn ask(&mut self, scene: &Scene, place: u32, answer: bool) -> bool {
        let weights = self.model.mixer.weights_of((scene.kind * PLACES + place) as usize);
        let mut missed = if answer { i64::from(ONE) - 1 } else { 0 };
        self.model.answer(scene, place, |yes| {
            missed -= i64::from(yes);
            answer
        });
        let cells = self.shape.cells(scene, place).into_iter().zip(weights);
        self.steps.extend(cells.map(|(cell, weight)| (cell, (missed * i64::from(weight)) >> 16)));
        answer
    }

    fn ask_evenly(&mut self, answer: bool) -> bool {
        answer
    }
}

/// Learns a table. Weights are learnt on each half of the games with what the other half guesses,
/// so that guesses are not trusted on what they have seen. Then the guesses, each of which was
/// learnt as if it were alone, are corrected as they are weighed together. Of games that differ,
/// the last count for more, so those of many players should come last.
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
    // In 65,536ths of the steps that the table has.
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
