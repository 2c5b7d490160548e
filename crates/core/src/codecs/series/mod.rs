//! Clock readings, evaluations and reviews: one or none for each ply of a line.
//!
//! All are taken apart into yes-or-no questions, the answers to which are guessed from a trained
//! table and from the answers before. A cell decodes alone: nothing but the number of plies is
//! needed.

mod clocks;
mod evaluations;
mod primed;
mod question;
mod reviews;
pub mod training;

use std::sync::LazyLock;

use self::primed::{Reader, Table, Writer};
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::limits::PLIES_MAX;

/// The facts about the codec of clock readings.
pub const CLOCK_INFO: CodecInfo = CodecInfo {
    name: "clock.mixed",
    id: 2,
    summary: "the time that each move took, by earlier times, the time left and the stage",
    source: "plypack",
};

/// The facts about the codec of evaluations.
pub const EVALUATION_INFO: CodecInfo = CodecInfo {
    name: "eval.mixed",
    id: 2,
    summary: "the change from the evaluation before, by earlier changes, the level and the stage",
    source: "plypack",
};

/// The facts about the codec of reviews.
pub const REVIEW_INFO: CodecInfo = CodecInfo {
    name: "review.mixed",
    id: 1,
    summary: "which moves are reviewed, by what the evaluations say that they lost",
    source: "plypack; the rule by which lichess.org judges moves",
};

/// The largest clock reading, in its unit.
pub const CLOCK_MAX: u32 = (1 << 30) - 1;

/// An engine's opinion of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// In hundredths of a pawn; at most [`CLOCK_MAX`] either way.
    Pawns(i32),
    /// Mate in so many moves; at most [`CLOCK_MAX`] either way.
    Mate(i32),
}

/// How many classes of reviews there may be.
pub const REVIEW_CLASSES_MAX: u32 = 8;

/// What a server says of a move: one of several judgements, and a line that would have been better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// The number of the judgement.
    pub class: u8,
    /// How many plies the line has, at least 1.
    pub plies: u32,
}

static CLOCK_TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::unpack(clocks::SHAPE, include_bytes!("clocks.table")));

static EVALUATION_TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::unpack(evaluations::SHAPE, include_bytes!("evaluations.table")));

static REVIEW_TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::unpack(reviews::SHAPE, include_bytes!("reviews.table")));

/// Encodes one clock reading or none for each ply; `decimals`, at most 3, are those of a second in
/// the readings' unit. Readings beyond [`CLOCK_MAX`] cannot be coded: `None`.
#[must_use]
pub fn encode_clocks(readings: &[Option<u32>], decimals: u8) -> Option<Vec<u8>> {
    if decimals > 3 || readings.iter().flatten().any(|&reading| reading > CLOCK_MAX) {
        return None;
    }
    let mut writer = Writer::new(&CLOCK_TABLE);
    let plan = clocks::Plan::of(readings, decimals);
    clocks::walk(readings.len(), readings, plan, &mut writer).ok()?;
    Some(writer.finish())
}

/// Decodes the clock readings of `plies` plies, and the decimals of a second in their unit.
///
/// # Errors
/// [`Error::TooLong`] or [`Error::Cell`] if the code cannot be that of so many plies.
pub fn decode_clocks(plies: u32, code: &[u8]) -> Result<(Vec<Option<u32>>, u8), Error> {
    check_length(plies)?;
    let mut reader = Reader::new(&CLOCK_TABLE, code);
    clocks::walk(plies as usize, &[], clocks::Plan::default(), &mut reader)
}

/// Encodes one evaluation or none for each ply. Values beyond [`CLOCK_MAX`] cannot be coded:
/// `None`.
#[must_use]
pub fn encode_evaluations(evaluations: &[Option<Evaluation>]) -> Option<Vec<u8>> {
    let mut writer = Writer::new(&EVALUATION_TABLE);
    evaluations::walk(evaluations.len(), evaluations, &mut writer).ok()?;
    Some(writer.finish())
}

/// Decodes the evaluations of `plies` plies.
///
/// # Errors
/// [`Error::TooLong`] or [`Error::Cell`] if the code cannot be that of so many plies.
pub fn decode_evaluations(plies: u32, code: &[u8]) -> Result<Vec<Option<Evaluation>>, Error> {
    check_length(plies)?;
    evaluations::walk(plies as usize, &[], &mut Reader::new(&EVALUATION_TABLE, code))
}

/// Encodes one review or none for each ply, given the evaluations, if there are any, and how many
/// classes of reviews there are. `None` if a review is not one of so many, up to
/// [`REVIEW_CLASSES_MAX`], or has no plies or too many.
#[must_use]
pub fn encode_reviews(
    reviews: &[Option<Review>],
    evaluations: &[Option<Evaluation>],
    classes: u32,
) -> Option<Vec<u8>> {
    let valid = |review: &Review| review.plies > 0 && u32::from(review.class) < classes;
    if classes > REVIEW_CLASSES_MAX || !reviews.iter().flatten().all(valid) {
        return None;
    }
    let mut writer = Writer::new(&REVIEW_TABLE);
    reviews::walk(reviews.len(), evaluations, classes, reviews, &mut writer).ok()?;
    Some(writer.finish())
}

/// Decodes the reviews of `plies` plies, given what they were encoded with.
///
/// # Errors
/// [`Error::TooLong`] or [`Error::Cell`] if the code cannot be that of so many plies.
pub fn decode_reviews(
    plies: u32,
    evaluations: &[Option<Evaluation>],
    classes: u32,
    code: &[u8],
) -> Result<Vec<Option<Review>>, Error> {
    check_length(plies)?;
    let mut reader = Reader::new(&REVIEW_TABLE, code);
    reviews::walk(plies as usize, evaluations, classes, &[], &mut reader)
}

const DAMAGED: Error = Error::Cell { at: 0, why: "a value is out of range" };

fn check_length(plies: u32) -> Result<(), Error> {
    if plies > PLIES_MAX {
        return Err(Error::TooLong { plies, max: PLIES_MAX });
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, reason = "the numbers of these tests are small")]
mod tests {
    use super::*;
    use crate::testkit::Random;

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
            let code = encode_clocks(&readings, decimals).expect("in range");
            let back = decode_clocks(readings.len() as u32, &code);
            assert_eq!(back, Ok((readings, decimals)));
        }
        assert_eq!(encode_clocks(&[Some(CLOCK_MAX + 1)], 0), None);
        assert_eq!(encode_clocks(&[], 4), None);
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
            let code = encode_evaluations(&evaluations).expect("in range");
            assert_eq!(decode_evaluations(evaluations.len() as u32, &code), Ok(evaluations));
        }
        assert_eq!(encode_evaluations(&[Some(Evaluation::Mate(i32::MIN))]), None);
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
            let code = encode_reviews(&reviews, &evaluations, classes).expect("in range");
            let back = decode_reviews(reviews.len() as u32, &evaluations, classes, &code);
            assert_eq!(back, Ok(reviews));
        }
        for (class, plies) in [(0, 0), (0, PLIES_MAX + 1), (1, 1), (u8::MAX, 1)] {
            assert_eq!(encode_reviews(&[Some(Review { class, plies })], &[], 1), None);
        }
        assert_eq!(encode_reviews(&[], &[], 9), None);
    }

    #[test]
    fn hostile_codes_give_values_or_errors() {
        let mut random = Random::new(7);
        for _ in 0..500 {
            let code: Vec<u8> = (0..8).flat_map(|_| random.next_u64().to_le_bytes()).collect();
            let _ = decode_clocks(200, &code);
            let _ = decode_evaluations(200, &code);
            let _ = decode_reviews(200, &[], 3, &code);
        }
        assert!(decode_clocks(u32::MAX, &[]).is_err());
        assert!(decode_evaluations(u32::MAX, &[]).is_err());
        assert!(decode_reviews(u32::MAX, &[], 1, &[]).is_err());
    }

    /// Another table or context would find other codes, and could not read files.
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
        assert_eq!(hex(encode_clocks(&clocks, 0)), "20703d57");
        assert_eq!(hex(encode_evaluations(&evaluations)), "7df00a5b49d51bfdfb218e5c");
        let review = |class, plies| Some(Review { class, plies });
        let mut reviews = vec![None, review(0, 2), None, review(1, 14), review(2, 1)];
        reviews.resize(evaluations.len(), None);
        reviews[10] = review(1, 10);
        assert_eq!(hex(encode_reviews(&reviews, &evaluations, 3)), "000be95794fee98c4e");
    }

    #[test]
    fn what_is_learnt_is_guessed() {
        let games: Vec<(Vec<Option<u32>>, u8)> =
            (0..40).map(|game| ((0..40).map(|ply| Some(600 + game - ply)).collect(), 0)).collect();
        let table = Table::unpack(clocks::SHAPE, &training::clock_table(&games));
        let size = |table: &Table| {
            let mut writer = Writer::new(table);
            let plan = clocks::Plan::of(&games[7].0, 0);
            clocks::walk(40, &games[7].0, plan, &mut writer).expect("in range");
            writer.finish().len()
        };
        let unlearnt = Table::unpack(clocks::SHAPE, &[]);
        assert!(size(&table) + 2 < size(&unlearnt), "{} {}", size(&table), size(&unlearnt));
    }
}
