//! The state of a model at the beginning of a block: empty, or from trained tables.

use crate::bits::mixing::Counter;

use super::model::{
    AGREEMENTS, ASPECTS, CELL_BITS, CONTEXTS, GUESSES, QUESTION_BITS, QUESTION_SETS,
};
use super::tree::{NODES_MAX, Tree};
use super::weigh::{WEIGHT_MAX, Weights};

/// Number of habits: sets of weights for different kinds of files. A block names one of them.
pub const HABITS: usize = 4;

/// The state of a model at the beginning of every block.
#[derive(Clone, Debug)]
pub struct Start {
    pub(super) tree: Tree,
    pub(super) counters: Vec<Counter>,
    pub(super) question_counters: Vec<Counter>,
    pub(super) by_agreement: [Vec<Weights<GUESSES>>; HABITS],
    pub(super) by_cell: [Vec<Weights<GUESSES>>; HABITS],
    pub(super) by_question: Vec<Weights<{ ASPECTS + 1 }>>,
    /// Number of distinct habits.
    pub(super) habits: usize,
}

/// Number of counters in a trained table.
const COUNTERS: usize = (CONTEXTS << CELL_BITS) + (ASPECTS << QUESTION_BITS);

/// A file counts the answers that weights have followed up to this number.
const ANSWERED_MAX: u16 = 80;

/// By habit: the initial answer count of weights that a file says followed [`ANSWERED_MAX`]
/// answers, and the limit for other weights. The lower, the sooner they adapt to files unlike the
/// training data.
const FIRMNESS: [u16; HABITS] = [40, 40, 200, 80];

/// The same for the weights of questions about the state.
const QUESTION_FIRMNESS: u16 = 80;

/// The unit of trained weights.
const GRAIN: i32 = 256;

impl Start {
    /// Creates a start without knowledge.
    pub fn new(tree: Tree) -> Self {
        let by_agreement = vec![Self::weights(); NODES_MAX * AGREEMENTS];
        let question = Weights { weights: [65_536 * 2 / 5; ASPECTS + 1], answers: 0 };
        Self {
            tree,
            counters: vec![Counter::default(); CONTEXTS << CELL_BITS],
            question_counters: vec![Counter::default(); ASPECTS << QUESTION_BITS],
            by_agreement: std::array::from_fn(|_| by_agreement.clone()),
            by_cell: Default::default(),
            by_question: vec![question; QUESTION_SETS],
            habits: 1,
        }
    }

    /// Returns the initial weights of a set.
    pub(super) const fn weights() -> Weights<GUESSES> {
        let mut weights = [12_000; GUESSES];
        weights[0] = 50_000;
        Weights { weights, answers: 0 }
    }

    /// Reads a start from the bytes after a file's header; `None` if they have another length.
    pub fn read(tree: Tree, bytes: &[u8]) -> Option<Self> {
        let mut start = Self::new(tree);
        let (counters, mut weights) = bytes.split_at_checked(COUNTERS)?;
        let (cells, questions) = counters.split_at(CONTEXTS << CELL_BITS);
        start.counters = cells.iter().map(|&byte| unpack(byte)).collect();
        start.question_counters = questions.iter().map(|&byte| unpack(byte)).collect();
        read_sets(&mut weights, &mut start.by_question, QUESTION_FIRMNESS)?;
        for (habit, firmness) in FIRMNESS.into_iter().enumerate() {
            read_sets(&mut weights, &mut start.by_agreement[habit], firmness)?;
            start.by_cell[habit] = vec![Self::weights(); TRAINED_CELLS * NODES_MAX];
            read_sets(&mut weights, &mut start.by_cell[habit], firmness)?;
        }
        start.habits = HABITS;
        weights.is_empty().then_some(start)
    }

    /// Returns its bytes in a file.
    pub fn write(&self) -> Vec<u8> {
        let mut out: Vec<u8> = self
            .counters
            .iter()
            .chain(&self.question_counters)
            .map(|&counter| pack(counter))
            .collect();
        write_sets(&self.by_question, QUESTION_SETS, &mut out);
        for (by_agreement, by_cell) in self.by_agreement.iter().zip(&self.by_cell) {
            write_sets(by_agreement, NODES_MAX * AGREEMENTS, &mut out);
            write_sets(by_cell, TRAINED_CELLS * NODES_MAX, &mut out);
        }
        out
    }
}

/// Number of cells that have trained weights.
const TRAINED_CELLS: usize = 64;

/// Initial answer count of a counter, by the two low bits of its byte. It is less than the count in
/// training, so that the counter adapts quickly to a block.
const SEEN: [u32; 4] = [1, 2, 2, 2];

/// The difference in odds between consecutive bytes.
const STEP: i32 = 96;

fn pack(counter: Counter) -> u8 {
    let class = match counter.seen() {
        0 => return 0,
        1 => 0,
        2..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let odds = (counter.odds() + STEP / 2).div_euclid(STEP).clamp(-31, 31) + 32;
    u8::try_from(odds << 2 | class).unwrap_or(0)
}

fn unpack(byte: u8) -> Counter {
    match byte {
        0 => Counter::default(),
        byte => Counter::new((i32::from(byte >> 2) - 32) * STEP, SEEN[usize::from(byte & 3)]),
    }
}

/// Writes each set: its weights, two bytes each, little-endian, and how many answers it followed.
fn write_sets<const N: usize>(sets: &[Weights<N>], count: usize, out: &mut Vec<u8>) {
    for place in 0..count {
        let Some(set) = sets.get(place) else {
            out.extend(std::iter::repeat_n(0, 2 * N + 1));
            continue;
        };
        for weight in set.weights {
            let weight = i16::try_from((weight + GRAIN / 2).div_euclid(GRAIN)).unwrap_or(i16::MAX);
            out.extend(weight.to_le_bytes());
        }
        out.push(u8::try_from(set.answers.min(ANSWERED_MAX)).unwrap_or(0));
    }
}

/// Reads sets; one that followed no answer has the initial weights.
fn read_sets<const N: usize>(
    bytes: &mut &[u8],
    sets: &mut [Weights<N>],
    firmness: u16,
) -> Option<()> {
    for set in sets {
        let (packed, rest) = bytes.split_at_checked(2 * N + 1)?;
        *bytes = rest;
        let (weights, answers) = packed.split_at(2 * N);
        let answers = match u16::from(*answers.first()?) {
            ANSWERED_MAX.. => firmness,
            answers => answers.min(firmness),
        };
        if answers > 0 {
            for (weight, pair) in set.weights.iter_mut().zip(weights.chunks_exact(2)) {
                let pair = [*pair.first()?, *pair.last()?];
                let read = i32::from(i16::from_le_bytes(pair)) * GRAIN;
                *weight = read.clamp(-WEIGHT_MAX, WEIGHT_MAX);
            }
            set.answers = answers;
        }
    }
    Some(())
}
