//! Predictions of answers about fields, learnt within one record.

use crate::bits::mixing::{Counter, Mixer, ONE, squash};
use crate::bits::range::{Decoder, Encoder};

/// The number of guesses at each answer, each in its own context.
pub(super) const GUESSES: usize = 7;

/// The number of contexts of each guess.
const CONTEXTS: [u32; GUESSES] = [1, 128, 128, 441, 128, 128, 289];

/// The number of questions in one context.
const QUESTIONS: usize = 216;

/// Sets of weights of a subject.
const SETS: usize = 24;

/// The contexts of a question; those beyond their number make no guess.
pub(super) type Contexts = [u32; GUESSES];

/// Codes answers.
pub(super) trait Coder {
    /// Codes an answer that is yes with a chance of `yes` out of [`ONE`]. A reader ignores `answer`
    /// and returns what it read.
    fn code(&mut self, yes: u32, answer: bool) -> bool;

    /// Hears what the next answer is about, as worked examples show it.
    #[cfg(test)]
    fn hear(&mut self, _: &Question) {}
}

/// A question that is asked.
#[cfg(test)]
pub(super) struct Question {
    pub subject: usize,
    pub contexts: Contexts,
    pub number: usize,
    pub set: usize,
    pub odds: i32,
}

impl Coder for Encoder {
    fn code(&mut self, yes: u32, answer: bool) -> bool {
        let (start, size) = if answer { (0, yes) } else { (yes, ONE - yes) };
        self.encode(start, size, ONE);
        answer
    }
}

impl Coder for Decoder<'_> {
    fn code(&mut self, yes: u32, _: bool) -> bool {
        let answer = self.is_below(yes, ONE);
        let (start, size) = if answer { (0, yes) } else { (yes, ONE - yes) };
        self.consume(start, size, ONE);
        answer
    }
}

/// Predicts answers about several subjects.
pub(super) struct Model<C> {
    coder: C,
    /// The row of each context of each guess of each subject, plus one; 0 if it has none yet.
    places: Vec<u32>,
    /// The counters of a context, one for each question.
    rows: Vec<[Counter; QUESTIONS]>,
    mixer: Mixer<GUESSES>,
}

impl<C: Coder> Model<C> {
    /// Creates a model that has seen no answers.
    pub fn new(coder: C, subjects: usize) -> Self {
        let contexts = CONTEXTS.iter().sum::<u32>() as usize;
        Self {
            coder,
            places: vec![0; subjects * contexts],
            rows: Vec::new(),
            mixer: Mixer::new(subjects * SETS),
        }
    }

    /// Returns the coder.
    pub fn into_coder(self) -> C {
        self.coder
    }

    /// Returns the row of each context of a subject.
    fn rows(&mut self, subject: usize, contexts: Contexts) -> [Option<usize>; GUESSES] {
        let mut first = subject * CONTEXTS.iter().sum::<u32>() as usize;
        let mut rows = [None; GUESSES];
        for ((row, context), count) in rows.iter_mut().zip(contexts).zip(CONTEXTS) {
            let place = self.places.get_mut(first + context as usize);
            if let Some(place) = place.filter(|_| context < count) {
                if *place == 0 {
                    self.rows.push([Counter::default(); QUESTIONS]);
                    *place = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
                }
                *row = Some(*place as usize - 1);
            }
            first += count as usize;
        }
        rows
    }

    /// Asks the questions about one value.
    pub fn about(&mut self, subject: usize, contexts: Contexts) -> Questions<'_, C> {
        let rows = self.rows(subject, contexts);
        Questions {
            model: self,
            rows,
            subject,
            #[cfg(test)]
            contexts,
        }
    }

    /// Asks for a number of `bits` bits, all equally likely.
    pub fn plain(&mut self, bits: u32, number: u64) -> u64 {
        (0..bits).rev().fold(0, |read, below| {
            read << 1 | u64::from(self.coder.code(ONE / 2, number >> below & 1 == 1))
        })
    }
}

/// The questions about one value.
pub(super) struct Questions<'m, C> {
    model: &'m mut Model<C>,
    rows: [Option<usize>; GUESSES],
    subject: usize,
    #[cfg(test)]
    contexts: Contexts,
}

/// Questions about numbers.
const ZERO: usize = 0;
const NEGATIVE: usize = 1;
const LONGER: usize = 2;
const BITS: usize = 52;

/// Sets of weights for numbers.
const SET_LONGER: usize = 2;
const SET_BITS: usize = 18;
const SET_CHOICE: usize = 22;

/// The longest number, in bits below its leading one.
const LENGTH_MAX: u32 = 49;

/// Bits of numbers from this length on share questions.
const BITS_LENGTH: u32 = 20;

/// The number of bits after the leading one that are predicted.
const GUESSED: u32 = 3;

impl<C: Coder> Questions<'_, C> {
    /// Asks a question.
    fn ask(&mut self, question: usize, set: usize, answer: bool) -> bool {
        let Model { coder, rows, mixer, .. } = &mut *self.model;
        let of_subject = self.subject * SETS + set;
        let mut guesses = [0; GUESSES];
        for (guess, row) in guesses.iter_mut().zip(self.rows) {
            let counter = row.and_then(|row| rows.get(row)).and_then(|row| row.get(question));
            *guess = counter.map_or(0, |counter| counter.guess());
        }
        let odds = mixer.mix(of_subject, &guesses);
        #[cfg(test)]
        coder.hear(&Question {
            subject: self.subject,
            contexts: self.contexts,
            number: question,
            set,
            odds,
        });
        let answer = coder.code(squash(odds), answer);
        mixer.learn(of_subject, &guesses, odds, answer);
        for row in self.rows.into_iter().flatten() {
            let counter = rows.get_mut(row).and_then(|row| row.get_mut(question));
            if let Some(counter) = counter {
                counter.learn(answer);
            }
        }
        answer
    }

    /// Asks for one of `2^bits` numbers, at most 128.
    pub fn choice(&mut self, bits: u32, number: u32) -> u32 {
        let mut prefix = 1u32;
        for below in (0..bits.min(7)).rev() {
            let question = BITS + prefix as usize;
            let bit = self.ask(question, SET_CHOICE, number >> below & 1 == 1);
            prefix = prefix << 1 | u32::from(bit);
        }
        prefix - (1 << bits.min(7))
    }

    /// Asks for a number of either sign.
    pub fn signed(&mut self, number: i64) -> i64 {
        if self.ask(ZERO, ZERO, number == 0) {
            return 0;
        }
        let negative = self.ask(NEGATIVE, NEGATIVE, number < 0);
        let size = i64::try_from(self.positive(number.unsigned_abs())).unwrap_or(i64::MAX);
        if negative { -size } else { size }
    }

    /// Asks for a number that is not negative.
    pub fn unsigned(&mut self, number: u64) -> u64 {
        if self.ask(ZERO, ZERO, number == 0) { 0 } else { self.positive(number) }
    }

    /// Asks for a number of at least 1: for its length in bits, then for the bits below the leading
    /// one.
    fn positive(&mut self, number: u64) -> u64 {
        let known = number.max(1).ilog2();
        let mut length = 0;
        while length < LENGTH_MAX {
            let set = SET_LONGER + (length as usize).min(SET_BITS - SET_LONGER - 1);
            if !self.ask(LONGER + length as usize, set, length < known) {
                break;
            }
            length += 1;
        }
        let mut found = 1u64;
        let guessed = GUESSED.min(length);
        for place in (length - guessed..length).rev() {
            let prefix = usize::try_from(found).unwrap_or(0);
            let question = BITS + (length.min(BITS_LENGTH) as usize - 1) * 8 + prefix;
            let set = SET_BITS + (length - place - 1) as usize;
            let bit = self.ask(question, set, number >> place & 1 == 1);
            found = found << 1 | u64::from(bit);
        }
        let rest = length - guessed;
        found << rest | self.model.plain(rest, number & ((1 << rest) - 1))
    }
}

/// Returns the size of a number in steps of half a doubling, below 128.
pub(super) fn size(number: i64) -> u32 {
    let number = number.unsigned_abs();
    let Some(length) = number.checked_ilog2() else { return 0 };
    let half = length > 0 && number >> (length - 1) & 1 == 1;
    (2 * length + u32::from(half) + 1).min(127)
}

/// Returns the size of a number in doublings, with its sign, below 128; 63 is zero.
pub(super) fn signed_size(number: i64) -> u32 {
    let length = number.unsigned_abs().checked_ilog2().map_or(0, |length| length + 1).min(60);
    if number < 0 { 63 - length } else { 63 + length }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers: Vec<i64> = (0..50).flat_map(|bit| [1i64 << bit, -(1 << bit) + 1, 3]).collect();
        let contexts =
            |at: usize| [0, u32::try_from(at).unwrap_or(0) % 130, 0, 440, 7, u32::MAX, 9];
        let mut model = Model::new(Encoder::new(), 2);
        for (at, &number) in numbers.iter().enumerate() {
            model.about(at % 2, contexts(at)).signed(number);
            model.about(at % 2, contexts(at)).unsigned(number.unsigned_abs());
            model.about(1, contexts(at)).choice(7, u32::try_from(at).expect("small") % 128);
        }
        let code = model.into_coder().finish();
        let mut model = Model::new(Decoder::new(&code), 2);
        for (at, &number) in numbers.iter().enumerate() {
            assert_eq!(model.about(at % 2, contexts(at)).signed(0), number);
            assert_eq!(model.about(at % 2, contexts(at)).unsigned(0), number.unsigned_abs());
            let choice = model.about(1, contexts(at)).choice(7, 0);
            assert_eq!(choice as usize, at % 128);
        }
    }

    #[test]
    fn what_repeats_costs_next_to_nothing() {
        let code = |number: fn(i64) -> i64| {
            let mut model = Model::new(Encoder::new(), 1);
            (0..1_000).for_each(|at| _ = model.about(0, [0; GUESSES]).signed(number(at)));
            model.into_coder().finish().len()
        };
        assert!(code(|_| 0) < 20, "{}", code(|_| 0));
        assert!(code(|_| -13) < 40, "{}", code(|_| -13));
        assert!(code(|at| at * 7_919 % 1_024) > 900);
    }
}
