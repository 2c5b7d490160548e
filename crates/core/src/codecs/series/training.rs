//! Trains the tables of the series' codecs on games.

use crate::bits::mixing::squash;

use super::inputs::Inputs;
use super::net::Net;
pub use super::net::{ATOMS, OUTPUTS, PARTS, UNITS, WEIGHT_BITS};
use super::primed::{Learnt, ODDS_MAX, Shape, Weights, miss, steer, weigh};
use super::question::{Asker, PLACES, Place, Scene};
use super::{Evaluation, Review, clocks, evaluations, reviews};
use crate::hint::Hint;

/// The clock readings of a game.
#[derive(Clone, Debug)]
pub struct Clocks {
    /// One or none for each ply.
    pub readings: Vec<Option<u32>>,
    /// The decimals of their seconds.
    pub decimals: u8,
    /// The hint of each ply.
    pub hints: Vec<Hint>,
}

/// The evaluations of a game.
#[derive(Clone, Debug)]
pub struct Evaluations {
    /// One or none for each ply.
    pub evaluations: Vec<Option<Evaluation>>,
    /// The game's hints for each ply.
    pub hints: Vec<Hint>,
}

/// The reviews of a game, and its evaluations.
pub type Reviewed = (Vec<Option<Review>>, Vec<Option<Evaluation>>);

impl Clocks {
    fn walk(&self, asker: &mut impl Asker) {
        let Self { readings, decimals, hints } = self;
        let plan = clocks::Plan::of(readings, *decimals);
        let _ = clocks::walk(readings.len(), readings, plan, hints, asker);
    }
}

impl Evaluations {
    fn walk(&self, asker: &mut impl Asker) {
        let Self { evaluations, hints } = self;
        let _ = evaluations::walk(evaluations.len(), evaluations, hints, asker);
    }
}

/// A training example of a net.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The number of the net.
    pub net: usize,
    /// The inputs, in 256ths.
    pub inputs: Vec<i32>,
    /// The ends of the value on the curve, in 256ths of its unit; `None` where the curve ends.
    pub ends: [Option<i64>; 2],
    /// Which atoms the value is.
    pub is: [bool; ATOMS],
    /// Which atoms are allowed.
    pub allowed: [bool; ATOMS],
}

/// The minimum and maximum width of the parts of curves, in doublings: for clock readings, and for
/// evaluations.
pub const WIDTHS: [[i32; 2]; 2] = [clocks::WIDTHS, evaluations::WIDTHS];

/// Returns the training examples of the net of clock readings.
pub fn clock_lessons(games: &[Clocks]) -> Vec<Lesson> {
    let mut lessons = Lessons(Vec::new());
    games.iter().for_each(|game| game.walk(&mut lessons));
    lessons.0
}

/// Returns the training examples of the net of evaluations.
pub fn evaluation_lessons(games: &[Evaluations]) -> Vec<Lesson> {
    let mut lessons = Lessons(Vec::new());
    games.iter().for_each(|game| game.walk(&mut lessons));
    lessons.0
}

/// Trains the table of clock readings on these games, given its nets.
pub fn clock_table(games: &[Clocks], nets: &[u8]) -> Vec<u8> {
    learn(clocks::SHAPE, nets, BESIDE_CURVES, games, |game, asker| game.walk(asker))
}

/// Trains the table of evaluations on these games, given its nets.
pub fn evaluation_table(games: &[Evaluations], nets: &[u8]) -> Vec<u8> {
    learn(evaluations::SHAPE, nets, BESIDE_CURVES, games, |game, asker| game.walk(asker))
}

/// Trains the table of reviews on these games.
pub fn review_table(games: &[Reviewed]) -> Vec<u8> {
    learn(reviews::SHAPE, &[], ALONE, games, |(series, evaluations), asker| {
        let _ = reviews::walk(series.len(), evaluations, 1, series, asker);
    })
}

/// Collects training examples.
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

/// Trains a table, in much finer steps than it stores.
struct Pupil<'t> {
    nets: &'t [Net],
    /// Log odds, in 2^-24.
    rows: Vec<[i32; PLACES as usize]>,
    /// In 65,536ths.
    weights: Vec<Weights>,
    learnt: Learnt,
    /// Learning rates of rows and weights.
    rates: [i32; 2],
}

impl Asker for Pupil<'_> {
    fn look(&mut self, net: usize, inputs: &Inputs, _: Place) -> [i32; OUTPUTS] {
        self.nets.get(net).map_or([0; OUTPUTS], |net| net.look(inputs))
    }

    fn ask(&mut self, scene: &Scene, place: u32, odds: i32, answer: bool) -> bool {
        let at = (place % PLACES) as usize;
        let told: i32 = scene
            .rows
            .iter()
            .filter_map(|&row| self.rows.get(row as usize))
            .map(|row| row[at] >> 8)
            .sum();
        let [by_place, by_near] = self.learnt.guesses(scene, place);
        let guesses = [odds.clamp(-ODDS_MAX, ODDS_MAX), by_place, by_near];
        let set = (scene.kind * PLACES + place) as usize;
        let Some(weights) = self.weights.get_mut(set) else { return answer };
        let missed = miss(answer, squash((told >> 8) + weigh(weights, guesses)));
        let [of_rows, of_weights] = self.rates;
        for row in scene.rows {
            if let Some(row) = self.rows.get_mut(row as usize) {
                let moved = i64::from(row[at]) + i64::from(missed * of_rows);
                row[at] = i32::try_from(moved.clamp(-ROW_MAX, ROW_MAX)).unwrap_or(row[at]);
            }
        }
        steer(weights, guesses, of_weights * missed);
        self.learnt.learn(scene, place, answer);
        answer
    }

    fn ask_by(&mut self, _: i32, answer: bool) -> bool {
        answer
    }
}

/// Limit of the numbers of rows in either direction.
const ROW_MAX: i64 = 127 << 19;

/// Learning rates of rows, in 256ths, and of weights, in each pass over all games. Rows beside a
/// curve need not learn much, and should not: there are too few games for that.
const BESIDE_CURVES: &[[i32; 2]] = &[[4, 16], [2, 8], [1, 4]];
const ALONE: &[[i32; 2]] = &[[64, 16], [64, 16], [32, 16], [16, 8], [8, 8], [4, 8], [2, 4]];

/// The weights at the beginning of training.
const FIRST: Weights = [1 << 16, 1 << 13, 1 << 13];

/// Trains a table: moves guesses and weights, answer by answer, along the gradient of the answer's
/// cost. Later games count for more, so games of many players should come last.
fn learn<G>(
    shape: Shape,
    nets: &[u8],
    rates: &[[i32; 2]],
    games: &[G],
    walk: impl Fn(&G, &mut Pupil<'_>),
) -> Vec<u8> {
    let nets = shape.read_nets(nets);
    let mut pupil = Pupil {
        nets: &nets,
        rows: vec![[0; PLACES as usize]; shape.height()],
        weights: vec![FIRST; shape.sets()],
        learnt: Learnt::new(),
        rates: [0; 2],
    };
    for &rates in rates {
        pupil.rates = rates;
        for game in games {
            pupil.learnt = Learnt::new();
            walk(game, &mut pupil);
        }
    }
    let weights = pupil.weights.iter().flatten().map(|weight| narrow((weight + (1 << 10)) >> 11));
    let rows = pupil.rows.iter().flatten().map(|guess| narrow((guess + (1 << 18)) >> 19));
    pack(&weights.chain(rows).collect::<Vec<i8>>())
}

fn narrow(number: i32) -> i8 {
    i8::try_from(number.clamp(-127, 127)).unwrap_or(0)
}

/// Packs values as a byte each; a zero is followed by the number of further zeros. Trailing zeros
/// are left out.
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
