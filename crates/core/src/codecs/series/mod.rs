//! Clock readings, evaluations and reviews: one or none for each ply of a line.
//!
//! They become yes-or-no questions, whose answers are predicted from trained tables, from earlier
//! answers and from curves that a small net outputs. Clock readings and evaluations must be decoded
//! with the [`Hint`]s of their line, reviews with the evaluations; others would give wrong values.

mod clocks;
mod curve;
mod evaluations;
#[cfg(test)]
mod examples;
mod inputs;
mod net;
mod primed;
mod question;
mod reviews;
pub mod training;

use std::marker::PhantomData;
use std::sync::LazyLock;

use plypack_tables::series as tables;

use self::primed::{Reader, Table, Writer};
use crate::codec::{CodecInfo, CodecRow, UnknownCodec, stored};
use crate::error::Error;
use crate::hint::Hint;
use crate::limits::check_plies;
use crate::table::Head;

/// The largest clock reading, in its unit.
pub const CLOCK_MAX: u32 = (1 << 30) - 1;

/// An engine's evaluation of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// In hundredths of a pawn, up to [`CLOCK_MAX`] in either direction.
    Pawns(i32),
    /// Mate in this many moves, up to [`CLOCK_MAX`] in either direction.
    Mate(i32),
}

/// The maximum number of classes of reviews.
pub const REVIEW_CLASSES_MAX: u32 = 8;

/// A server's remark on a move: one of several judgements, and a better line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// The number of the judgement.
    pub class: u8,
    /// Number of plies of the line, at least 1.
    pub plies: u32,
}

/// The codecs of clock readings, of evaluations or of reviews.
#[derive(Debug)]
pub struct Registry<C: 'static> {
    /// The codec used for writing.
    pub newest: &'static C,
    /// Codecs that are only read, the newest first: a newly trained codec moves its predecessor
    /// here, under its old number.
    pub older: &'static [&'static C],
}

impl<C> Registry<C>
where
    &'static C: CodecRow,
{
    /// Returns all of them, the newest first.
    pub fn all(&'static self) -> impl Iterator<Item = &'static C> + Clone {
        std::iter::once(self.newest).chain(self.older.iter().copied())
    }

    /// Finds the codec that a file names by name and number: `clock.mixed/2`.
    ///
    /// # Errors
    /// Returns an error if it is not registered: another version of the program wrote it.
    pub fn stored(&'static self, text: &str) -> Result<&'static C, UnknownCodec> {
        stored(self.all(), text, text)
    }
}

/// A codec of one value or none for each ply.
#[derive(Debug)]
pub struct SeriesCodec<T> {
    /// The description of the codec.
    pub info: CodecInfo,
    table: LazyLock<Table>,
    values: PhantomData<fn() -> T>,
}

impl<T> CodecRow for &'static SeriesCodec<T> {
    fn codec_info(self) -> &'static CodecInfo {
        &self.info
    }
}

/// A codec of clock readings.
pub type ClockCodec = SeriesCodec<u32>;

/// A codec of evaluations.
pub type EvaluationCodec = SeriesCodec<Evaluation>;

/// A codec of reviews.
pub type ReviewCodec = SeriesCodec<Review>;

const CLOCK_NETS: &[u8] = Head::NETS.part(tables::CLOCKS_NET);
const CLOCK_TABLE: &[u8] = Head::SERIES.part(tables::CLOCKS_TABLE);
const EVALUATION_NETS: &[u8] = Head::NETS.part(tables::EVALUATIONS_NET);
const EVALUATION_TABLE: &[u8] = Head::SERIES.part(tables::EVALUATIONS_TABLE);
const REVIEW_TABLE: &[u8] = Head::SERIES.part(tables::REVIEWS_TABLE);

static CLOCK_3: ClockCodec = ClockCodec {
    info: CodecInfo {
        name: "clock.mixed",
        id: 3,
        summary: "the time that each move took, by earlier times, the time left and the stage",
        source: "plypack",
    },
    table: LazyLock::new(|| Table::unpack(clocks::SHAPE, CLOCK_NETS, CLOCK_TABLE)),
    values: PhantomData,
};

static EVALUATION_3: EvaluationCodec = EvaluationCodec {
    info: CodecInfo {
        name: "eval.mixed",
        id: 3,
        summary: "the change from the evaluation before, by earlier changes, the level and the \
                  stage",
        source: "plypack",
    },
    table: LazyLock::new(|| Table::unpack(evaluations::SHAPE, EVALUATION_NETS, EVALUATION_TABLE)),
    values: PhantomData,
};

static REVIEW_2: ReviewCodec = ReviewCodec {
    info: CodecInfo {
        name: "review.mixed",
        id: 2,
        summary: "which moves are reviewed, by how much they lost according to the evaluations",
        source: "plypack; the rule by which lichess.org judges moves",
    },
    table: LazyLock::new(|| Table::unpack(reviews::SHAPE, &[], REVIEW_TABLE)),
    values: PhantomData,
};

/// The codecs of clock readings.
pub static CLOCKS: Registry<ClockCodec> = Registry { newest: &CLOCK_3, older: &[] };

/// The codecs of evaluations.
pub static EVALUATIONS: Registry<EvaluationCodec> = Registry { newest: &EVALUATION_3, older: &[] };

/// The codecs of reviews.
pub static REVIEWS: Registry<ReviewCodec> = Registry { newest: &REVIEW_2, older: &[] };

impl ClockCodec {
    /// Encodes one reading or none for each ply, in units of 10^-`decimals` seconds, `decimals` at
    /// most 3; `hints` are the line's, empty if its game has none. Returns `None` if a reading is
    /// above [`CLOCK_MAX`].
    pub fn encode(
        &self,
        readings: &[Option<u32>],
        decimals: u8,
        hints: &[Hint],
    ) -> Option<Vec<u8>> {
        if decimals > 3 || readings.iter().flatten().any(|&reading| reading > CLOCK_MAX) {
            return None;
        }
        let mut writer = Writer::new(&self.table);
        let plan = clocks::Plan::of(readings, decimals);
        clocks::walk(readings.len(), readings, plan, hints, &mut writer).ok()?;
        Some(writer.finish())
    }

    /// Decodes the readings of `plies` plies, and the decimals of their seconds, with the hints
    /// that they were encoded with.
    ///
    /// # Errors
    /// Returns [`Error::TooLong`] or [`Error::Cell`] if the code cannot be that of `plies` plies.
    pub fn decode(
        &self,
        plies: u32,
        hints: &[Hint],
        code: &[u8],
    ) -> Result<(Vec<Option<u32>>, u8), Error> {
        check_plies(plies)?;
        let mut reader = Reader::new(&self.table, code);
        clocks::walk(plies as usize, &[], clocks::Plan::default(), hints, &mut reader)
    }
}

impl EvaluationCodec {
    /// Encodes one evaluation or none for each ply; `hints` are the line's, empty if its game has
    /// none. Returns `None` if a value is beyond [`CLOCK_MAX`] in either direction.
    pub fn encode(&self, evaluations: &[Option<Evaluation>], hints: &[Hint]) -> Option<Vec<u8>> {
        let mut writer = Writer::new(&self.table);
        evaluations::walk(evaluations.len(), evaluations, hints, &mut writer).ok()?;
        Some(writer.finish())
    }

    /// Decodes the evaluations of `plies` plies with the hints that they were encoded with.
    ///
    /// # Errors
    /// Returns [`Error::TooLong`] or [`Error::Cell`] if the code cannot be that of `plies` plies.
    pub fn decode(
        &self,
        plies: u32,
        hints: &[Hint],
        code: &[u8],
    ) -> Result<Vec<Option<Evaluation>>, Error> {
        check_plies(plies)?;
        let mut reader = Reader::new(&self.table, code);
        evaluations::walk(plies as usize, &[], hints, &mut reader)
    }
}

impl ReviewCodec {
    /// Encodes one review or none for each ply, given the evaluations, if any, and the number of
    /// classes, at most [`REVIEW_CLASSES_MAX`]. Returns `None` if a review's class is not below
    /// that, or if it has no plies or too many.
    pub fn encode(
        &self,
        reviews: &[Option<Review>],
        evaluations: &[Option<Evaluation>],
        classes: u32,
    ) -> Option<Vec<u8>> {
        let valid = |review: &Review| review.plies > 0 && u32::from(review.class) < classes;
        if classes > REVIEW_CLASSES_MAX || !reviews.iter().flatten().all(valid) {
            return None;
        }
        let mut writer = Writer::new(&self.table);
        reviews::walk(reviews.len(), evaluations, classes, reviews, &mut writer).ok()?;
        Some(writer.finish())
    }

    /// Decodes the reviews of `plies` plies with the arguments that they were encoded with.
    ///
    /// # Errors
    /// Returns [`Error::TooLong`] or [`Error::Cell`] if the code cannot be that of `plies` plies.
    pub fn decode(
        &self,
        plies: u32,
        evaluations: &[Option<Evaluation>],
        classes: u32,
        code: &[u8],
    ) -> Result<Vec<Option<Review>>, Error> {
        check_plies(plies)?;
        let mut reader = Reader::new(&self.table, code);
        reviews::walk(plies as usize, evaluations, classes, &[], &mut reader)
    }
}

const DAMAGED: Error = Error::Cell { at: 0, why: "a value is out of range" };

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, reason = "the numbers of these tests are small")]
mod tests {
    use super::*;
    use crate::hint::Known;
    use crate::limits::PLIES_MAX;
    use crate::testkit::Random;

    /// Returns random hints: none, usual and extreme ones.
    fn hints(random: &mut Random, plies: usize) -> Vec<Hint> {
        let mut hint = || {
            let mut hint = Hint::default();
            let wide = random.next_u64().is_multiple_of(2);
            for mark in &mut hint.marks {
                let number = random.next_u64() as i16;
                *mark = if wide { number } else { number % 256 };
            }
            let number = random.next_u64() as i32;
            hint.worth = if wide { [i32::MIN, i32::MAX] } else { [number % 900; 2] };
            let value = if wide { number } else { number % 100 };
            let known = Known { value, games: random.next_u64() as u8 };
            hint.known = Some(known).filter(|_| random.next_u64().is_multiple_of(3));
            hint
        };
        // Fewer or more hints than plies are allowed.
        (0..plies + 3).map(|_| hint()).skip(plies % 7).collect()
    }

    #[test]
    fn clocks_come_back() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let mut time = 600u32;
            let readings: Vec<Option<u32>> = (0..random.next_u64() % 90)
                .map(|_| match random.next_u64() % 20 {
                    0 => None,
                    1 => Some((random.next_u64() >> 34) as u32 % (CLOCK_MAX + 1)),
                    n => {
                        time = (time + 3).saturating_sub(n as u32);
                        Some(time)
                    }
                })
                .collect();
            let decimals = (seed % 4) as u8;
            let hints = hints(&mut random, readings.len());
            let code = CLOCKS.newest.encode(&readings, decimals, &hints).expect("in range");
            let back = CLOCKS.newest.decode(readings.len() as u32, &hints, &code);
            assert_eq!(back, Ok((readings, decimals)));
        }
        assert_eq!(CLOCKS.newest.encode(&[Some(CLOCK_MAX + 1)], 0, &[]), None);
        assert_eq!(CLOCKS.newest.encode(&[], 4, &[]), None);
    }

    #[test]
    fn evaluations_come_back() {
        let most = CLOCK_MAX as i32;
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let evaluations: Vec<Option<Evaluation>> = (0..random.next_u64() % 90)
                .map(|_| match random.next_u64() % 9 {
                    0 => None,
                    1 => Some(Evaluation::Mate((random.next_u64() % 40) as i32 - 20)),
                    2 => Some(Evaluation::Pawns(most)),
                    3 => Some(Evaluation::Pawns(-most)),
                    _ => Some(Evaluation::Pawns((random.next_u64() % 900) as i32 - 450)),
                })
                .collect();
            let hints = hints(&mut random, evaluations.len());
            let code = EVALUATIONS.newest.encode(&evaluations, &hints).expect("in range");
            let back = EVALUATIONS.newest.decode(evaluations.len() as u32, &hints, &code);
            assert_eq!(back, Ok(evaluations));
        }
        assert_eq!(EVALUATIONS.newest.encode(&[Some(Evaluation::Mate(i32::MIN))], &[]), None);
    }

    #[test]
    fn reviews_come_back() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let classes = 1 + (seed % 8) as u32;
            let mut evaluations = Vec::new();
            let reviews: Vec<Option<Review>> = (0..random.next_u64() % 90)
                .map(|_| {
                    let value = (random.next_u64() % 900) as i32 - 450;
                    evaluations.push(match random.next_u64() % 9 {
                        0 => None,
                        1 => Some(Evaluation::Mate(value / 40)),
                        _ => Some(Evaluation::Pawns(value)),
                    });
                    let class = (random.next_u64() % u64::from(classes)) as u8;
                    let plies = 1 + (random.next_u64() >> (random.next_u64() % 16 + 48)) as u32;
                    Some(Review { class, plies }).filter(|_| random.next_u64().is_multiple_of(4))
                })
                .collect();
            let code = REVIEWS.newest.encode(&reviews, &evaluations, classes).expect("in range");
            let back = REVIEWS.newest.decode(reviews.len() as u32, &evaluations, classes, &code);
            assert_eq!(back, Ok(reviews));
        }
        for (class, plies) in [(0, 0), (0, PLIES_MAX + 1), (1, 1), (u8::MAX, 1)] {
            assert_eq!(REVIEWS.newest.encode(&[Some(Review { class, plies })], &[], 1), None);
        }
        assert_eq!(REVIEWS.newest.encode(&[], &[], 9), None);
    }

    #[test]
    fn hostile_codes_give_values_or_errors() {
        let mut random = Random::new(7);
        for _ in 0..500 {
            let code: Vec<u8> = (0..8).flat_map(|_| random.next_u64().to_le_bytes()).collect();
            let hints = hints(&mut random, 150);
            let _ = CLOCKS.newest.decode(200, &hints, &code);
            let _ = EVALUATIONS.newest.decode(200, &hints, &code);
            let _ = REVIEWS.newest.decode(200, &[], 3, &code);
        }
        assert!(CLOCKS.newest.decode(u32::MAX, &[], &[]).is_err());
        assert!(EVALUATIONS.newest.decode(u32::MAX, &[], &[]).is_err());
        assert!(REVIEWS.newest.decode(u32::MAX, &[], 1, &[]).is_err());
    }

    /// FNV-1a hashes of the files that are part of the format.
    #[test]
    fn tables_are_unchanged() {
        let files: [(&[u8], u64); 5] = [
            (tables::CLOCKS_NET, 0x628c_21a9_a190_74ea),
            (tables::CLOCKS_TABLE, 0x201a_d67b_b84f_f391),
            (tables::EVALUATIONS_NET, 0x8972_1caa_6064_6fce),
            (tables::EVALUATIONS_TABLE, 0x4ddc_8ffa_3c09_1f5c),
            (tables::REVIEWS_TABLE, 0x7722_c56b_992a_57ba),
        ];
        for (number, (bytes, checksum)) in files.into_iter().enumerate() {
            let found = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
            });
            assert_eq!(found, checksum, "file {number}");
        }
    }

    /// Other tables or contexts would write other codes, and could not read existing files.
    #[test]
    fn golden_codes() {
        let clocks: Vec<Option<u32>> =
            [600, 600, 597, 598, 594, 596, 587, 593, 578, 591].map(Some).to_vec();
        let pawns = [24, 37, 0, 0, 64, 52, 86, 63, 76];
        let mut evaluations: Vec<Option<Evaluation>> =
            pawns.map(|value| Some(Evaluation::Pawns(value))).to_vec();
        evaluations.extend([None, Some(Evaluation::Mate(-3)), Some(Evaluation::Mate(-2))]);
        let hex = |code: Option<Vec<u8>>| {
            code.unwrap_or_default().iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        };
        let hint = Hint { marks: [100; 32], worth: [100, 0], ..Hint::default() };
        let hints = [Hint { known: Some(Known { value: 24, games: 2 }), ..hint }; 12];
        let codes = [
            hex(CLOCKS.newest.encode(&clocks, 0, &[])),
            hex(CLOCKS.newest.encode(&clocks, 0, &hints)),
            hex(CLOCKS.newest.encode(&clocks, 1, &[])),
            hex(EVALUATIONS.newest.encode(&evaluations, &[])),
            hex(EVALUATIONS.newest.encode(&evaluations, &hints)),
        ];
        let expected = [
            "e0cf9eab",
            "dbefd05f",
            "bf806744ca9366",
            "fddebc8a242e242a0ab3547e",
            "fd59b75e55be339c1e5e58459b",
        ];
        assert_eq!(codes, expected);
        let review = |class, plies| Some(Review { class, plies });
        let mut reviews = vec![None, review(0, 2), None, review(1, 14), review(2, 1)];
        reviews.resize(evaluations.len(), None);
        reviews[10] = review(1, 10);
        assert_eq!(hex(REVIEWS.newest.encode(&reviews, &evaluations, 3)), "0083ef7b114fa17ff2");
    }

    /// A newly trained table gets a new number; the previous one is still read.
    #[test]
    fn two_numbers_live_side_by_side() {
        static CLOCK_4: ClockCodec = ClockCodec {
            info: CodecInfo { name: "clock.mixed", id: 4, summary: "", source: "" },
            table: LazyLock::new(|| Table::unpack(clocks::SHAPE, &[], &[])),
            values: PhantomData,
        };
        static BOTH: Registry<ClockCodec> = Registry { newest: &CLOCK_4, older: &[&CLOCK_3] };
        let readings: Vec<Option<u32>> = (0..40).map(|ply| Some(600 - ply)).collect();
        let today = CLOCKS.newest.encode(&readings, 0, &[]).expect("in range");
        let tomorrow = BOTH.newest.encode(&readings, 0, &[]).expect("in range");
        assert_ne!(today, tomorrow);
        for (text, code) in [("clock.mixed/3", &today), ("clock.mixed/4", &tomorrow)] {
            let codec = BOTH.stored(text).expect("it is registered");
            assert_eq!(codec.decode(40, &[], code), Ok((readings.clone(), 0)));
        }
        assert_eq!(CLOCKS.stored("clock.mixed/3").map(|codec| codec.info.id), Ok(3));
        let why = |text| CLOCKS.stored(text).map(|codec| codec.info.id);
        assert!(matches!(why("clock.mixed/4"), Err(UnknownCodec::Newer { .. })));
        assert!(matches!(why("clock.mixed/2"), Err(UnknownCodec::Dropped { .. })));
        assert!(matches!(why("clock.mixed"), Err(UnknownCodec::Unnumbered { .. })));
        assert!(matches!(why("eval.mixed/4"), Err(UnknownCodec::Newer { .. })));
    }

    #[test]
    fn what_is_learnt_is_guessed() {
        let readings = |game: u32| (0..40).map(|ply| Some(600 + game - ply)).collect();
        let game = |game| training::Clocks { readings: readings(game), decimals: 0, hints: vec![] };
        let games: Vec<training::Clocks> = (0..40).map(game).collect();
        let table = Table::unpack(clocks::SHAPE, &[], &training::clock_table(&games, &[]));
        let size = |table: &Table| {
            let mut writer = Writer::new(table);
            let plan = clocks::Plan::of(&games[7].readings, 0);
            clocks::walk(40, &games[7].readings, plan, &[], &mut writer).expect("in range");
            writer.finish().len()
        };
        let unlearnt = Table::unpack(clocks::SHAPE, &[], &[]);
        assert!(size(&table) + 2 < size(&unlearnt), "{} {}", size(&table), size(&unlearnt));
    }

    /// A net with more or fewer inputs than its shape would use the wrong weights.
    #[test]
    fn nets_see_what_they_were_made_for() {
        let clocks = training::Clocks { readings: vec![Some(9); 3], decimals: 0, hints: vec![] };
        let lessons = training::clock_lessons(&[clocks]);
        assert_eq!(lessons.len(), 3);
        assert!(lessons.iter().all(|lesson| lesson.inputs.len() == clocks::SHAPE.inputs));
        let evaluations = vec![Some(Evaluation::Pawns(9)); 3];
        let game = training::Evaluations { evaluations, hints: vec![] };
        let lessons = training::evaluation_lessons(&[game]);
        assert_eq!(lessons.len(), 3);
        assert!(lessons.iter().all(|lesson| lesson.inputs.len() == evaluations::SHAPE.inputs));
        for (bytes, shape) in [(CLOCK_NETS, clocks::SHAPE), (EVALUATION_NETS, evaluations::SHAPE)] {
            assert_eq!(bytes.len(), 2 * shape.nets * net::Net::size(shape.inputs));
        }
    }

    /// Hints of evaluations known from other games make evaluations cheaper.
    #[test]
    fn what_is_known_is_cheap() {
        let values = [20, 31, 15, 27, 8, 33, 41, 12];
        let evaluations: Vec<Option<Evaluation>> =
            values.map(|value| Some(Evaluation::Pawns(value))).to_vec();
        let known = |value| Hint { known: Some(Known { value, games: 3 }), ..Hint::default() };
        let size =
            |hints: &[Hint]| EVALUATIONS.newest.encode(&evaluations, hints).map(|code| code.len());
        assert!(size(&values.map(known)) < size(&[]).map(|size| size / 2));
    }

    /// A game with an increment: a reading that rises by the increment is a time of 0.
    #[test]
    fn increments_are_no_surprise() {
        let readings: Vec<Option<u32>> = (0..80).map(|ply| Some(600 + ply / 2 * 15)).collect();
        let code = CLOCKS.newest.encode(&readings, 0, &[]).expect("in range");
        assert!(code.len() <= 8, "{}", code.len());
    }
}
