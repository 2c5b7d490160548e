//! Clock readings and evaluations: one or none for each ply of a line.
//!
//! Both are taken apart into yes-or-no questions, the answers to which are guessed from a trained
//! table and from the answers before. A cell decodes alone: nothing but the number of plies is
//! needed.

mod clocks;
mod evaluations;
mod primed;
mod question;
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

static CLOCK_TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::unpack(clocks::SHAPE, include_bytes!("clocks.table")));

static EVALUATION_TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::unpack(evaluations::SHAPE, include_bytes!("evaluations.table")));

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
    fn hostile_codes_give_values_or_errors() {
        let mut random = Random::new(7);
        for _ in 0..500 {
            let code: Vec<u8> = (0..8).flat_map(|_| random.next_u64().to_le_bytes()).collect();
            let _ = decode_clocks(200, &code);
            let _ = decode_evaluations(200, &code);
        }
        assert!(decode_clocks(u32::MAX, &[]).is_err());
        assert!(decode_evaluations(u32::MAX, &[]).is_err());
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
        assert_eq!(hex(encode_clocks(&clocks, 0)), "23b9797c");
        assert_eq!(hex(encode_evaluations(&evaluations)), "9829c71c775129fe91192524");
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
