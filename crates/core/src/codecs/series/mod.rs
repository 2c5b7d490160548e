//! Clock readings, evaluations and reviews: one or none for each ply of a line.
//!
//! All are taken apart into yes-or-no questions, the answers to which are guessed from trained
//! tables, from the answers before and from curves that a small net draws. Clock readings and
//! evaluations are read with the [`Hint`]s of their line, reviews with the evaluations: with
//! others, other values would come out.

mod clocks;
mod curve;
mod evaluations;
mod inputs;
mod net;
mod primed;
mod question;
mod reviews;
pub mod training;

use std::sync::LazyLock;

use self::primed::{Reader, Table, Writer};
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::hint::Hint;
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

static CLOCK_TABLE: LazyLock<Table> = LazyLock::new(|| {
    Table::unpack(clocks::SHAPE, include_bytes!("clocks.net"), include_bytes!("clocks.table"))
});

static EVALUATION_TABLE: LazyLock<Table> = LazyLock::new(|| {
    let (net, table) = (include_bytes!("evaluations.net"), include_bytes!("evaluations.table"));
    Table::unpack(evaluations::SHAPE, net, table)
});

static REVIEW_TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::unpack(reviews::SHAPE, &[], include_bytes!("reviews.table")));

/// Encodes one clock reading or none for each ply; `decimals`, at most 3, are those of a second in
/// the readings' unit; `hints` are those of the line, none if its game has none. Readings beyond
/// [`CLOCK_MAX`] cannot be coded: `None`.
#[must_use]
pub fn encode_clocks(readings: &[Option<u32>], decimals: u8, hints: &[Hint]) -> Option<Vec<u8>> {
    if decimals > 3 || readings.iter().flatten().any(|&reading| reading > CLOCK_MAX) {
        return None;
    }
    let mut writer = Writer::new(&CLOCK_TABLE);
    let plan = clocks::Plan::of(readings, decimals);
    clocks::walk(readings.len(), readings, plan, hints, &mut writer).ok()?;
    Some(writer.finish())
}

/// Decodes the clock readings of `plies` plies, and the decimals of a second in their unit, given
/// the hints that they were encoded with.
///
/// # Errors
/// [`Error::TooLong`] or [`Error::Cell`] if the code cannot be that of so many plies.
pub fn decode_clocks(
    plies: u32,
    hints: &[Hint],
    code: &[u8],
) -> Result<(Vec<Option<u32>>, u8), Error> {
    check_length(plies)?;
    let mut reader = Reader::new(&CLOCK_TABLE, code);
    clocks::walk(plies as usize, &[], clocks::Plan::default(), hints, &mut reader)
}

/// Encodes one evaluation or none for each ply; `hints` are those of the line, none if its game has
/// none. Values beyond [`CLOCK_MAX`] cannot be coded: `None`.
#[must_use]
pub fn encode_evaluations(evaluations: &[Option<Evaluation>], hints: &[Hint]) -> Option<Vec<u8>> {
    let mut writer = Writer::new(&EVALUATION_TABLE);
    evaluations::walk(evaluations.len(), evaluations, hints, &mut writer).ok()?;
    Some(writer.finish())
}

/// Decodes the evaluations of `plies` plies, given the hints that they were encoded with.
///
/// # Errors
/// [`Error::TooLong`] or [`Error::Cell`] if the code cannot be that of so many plies.
pub fn decode_evaluations(
    plies: u32,
    hints: &[Hint],
    code: &[u8],
) -> Result<Vec<Option<Evaluation>>, Error> {
    check_length(plies)?;
    let mut reader = Reader::new(&EVALUATION_TABLE, code);
    evaluations::walk(plies as usize, &[], hints, &mut reader)
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
    use crate::hint::Known;
    use crate::testkit::Random;

    /// Hints of which nothing can be expected: none, usual ones and extreme ones.
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
        // Fewer or more hints than plies are no error.
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
            let code = encode_clocks(&readings, decimals, &hints).expect("in range");
            let back = decode_clocks(readings.len() as u32, &hints, &code);
            assert_eq!(back, Ok((readings, decimals)));
        }
        assert_eq!(encode_clocks(&[Some(CLOCK_MAX + 1)], 0, &[]), None);
        assert_eq!(encode_clocks(&[], 4, &[]), None);
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
            let code = encode_evaluations(&evaluations, &hints).expect("in range");
            let back = decode_evaluations(evaluations.len() as u32, &hints, &code);
            assert_eq!(back, Ok(evaluations));
        }
        assert_eq!(encode_evaluations(&[Some(Evaluation::Mate(i32::MIN))], &[]), None);
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
            let hints = hints(&mut random, 150);
            let _ = decode_clocks(200, &hints, &code);
            let _ = decode_evaluations(200, &hints, &code);
            let _ = decode_reviews(200, &[], 3, &code);
        }
        assert!(decode_clocks(u32::MAX, &[], &[]).is_err());
        assert!(decode_evaluations(u32::MAX, &[], &[]).is_err());
        assert!(decode_reviews(u32::MAX, &[], 1, &[]).is_err());
    }

    /// FNV-1a of the files that are part of the format.
    #[test]
    fn tables_are_unchanged() {
        let files: [(&[u8], u64); 5] = [
            (include_bytes!("clocks.net"), 0x74e4_b205_bf3e_6163),
            (include_bytes!("clocks.table"), 0x9efd_608f_b9a9_022f),
            (include_bytes!("evaluations.net"), 0x6f5c_e8d7_8937_874f),
            (include_bytes!("evaluations.table"), 0xab52_3ee2_18a7_eade),
            (include_bytes!("reviews.table"), 0xcfee_04b1_6f4d_0b65),
        ];
        for (number, (bytes, checksum)) in files.into_iter().enumerate() {
            let found = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
            });
            assert_eq!(found, checksum, "file {number}");
        }
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
        let hint = Hint { marks: [100; 32], worth: [100, 0], known: None };
        let hints = [Hint { known: Some(Known { value: 24, games: 2 }), ..hint }; 12];
        let codes = [
            hex(encode_clocks(&clocks, 0, &[])),
            hex(encode_clocks(&clocks, 0, &hints)),
            hex(encode_clocks(&clocks, 1, &[])),
            hex(encode_evaluations(&evaluations, &[])),
            hex(encode_evaluations(&evaluations, &hints)),
        ];
        let expected = [
            "dc7a400a",
            "d757b1ca",
            "bffaeb0137aaec20",
            "8e2345f363fa34acb0503a06",
            "728fca7dc3cded5f3a26aacd43",
        ];
        assert_eq!(codes, expected);
        let review = |class, plies| Some(Review { class, plies });
        let mut reviews = vec![None, review(0, 2), None, review(1, 14), review(2, 1)];
        reviews.resize(evaluations.len(), None);
        reviews[10] = review(1, 10);
        assert_eq!(hex(encode_reviews(&reviews, &evaluations, 3)), "0007efe3294b32fb46");
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

    /// A net that gets to see more or less than its shape says takes its weights for others.
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
        let nets = [(&include_bytes!("clocks.net")[..], clocks::SHAPE)];
        let nets =
            nets.into_iter().chain([(&include_bytes!("evaluations.net")[..], evaluations::SHAPE)]);
        for (bytes, shape) in nets {
            assert_eq!(bytes.len(), 2 * shape.nets * net::Net::size(shape.inputs));
        }
    }

    /// Hints that say how others evaluated the positions make evaluations cheaper.
    #[test]
    fn what_is_known_is_cheap() {
        let values = [20, 31, 15, 27, 8, 33, 41, 12];
        let evaluations: Vec<Option<Evaluation>> =
            values.map(|value| Some(Evaluation::Pawns(value))).to_vec();
        let known = |value| Hint { known: Some(Known { value, games: 3 }), ..Hint::default() };
        let size = |hints: &[Hint]| encode_evaluations(&evaluations, hints).map(|code| code.len());
        assert!(size(&values.map(known)) < size(&[]).map(|size| size / 2));
    }

    /// A game with an increment: readings that rise as the increment says are times of nought.
    #[test]
    fn increments_are_no_surprise() {
        let readings: Vec<Option<u32>> = (0..80).map(|ply| Some(600 + ply / 2 * 15)).collect();
        let code = encode_clocks(&readings, 0, &[]).expect("in range");
        assert!(code.len() <= 8, "{}", code.len());
    }
}
