//! Clock readings and evaluations: one or none for each ply of a line.
//!
//! Both are coded as differences from a simple prediction, with statistics that are learnt within
//! the line. A cell decodes alone: nothing but the number of plies is needed.

use plypack_bits::adaptive::{Chance, Numbers};
use plypack_bits::range::{Decoder, Encoder};

use crate::codec::CodecInfo;
use crate::error::Error;
use crate::limits::PLIES_MAX;

/// The facts about the codec of clock readings.
pub const CLOCK_INFO: CodecInfo = CodecInfo {
    name: "clock.delta",
    id: 1,
    summary: "the time that each move took, by how long the same player's last move took",
    source: "plypack",
};

/// The facts about the codec of evaluations.
pub const EVALUATION_INFO: CodecInfo = CodecInfo {
    name: "eval.delta",
    id: 1,
    summary: "the change from the evaluation before, by how large the last change was",
    source: "plypack",
};

/// The largest clock reading, in its unit.
pub const CLOCK_MAX: u32 = Numbers::MAX / 2;

/// An engine's opinion of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// In hundredths of a pawn; at most [`CLOCK_MAX`] either way.
    Pawns(i32),
    /// Mate in so many moves; at most [`CLOCK_MAX`] either way.
    Mate(i32),
}

/// Signed numbers in a few contexts.
#[derive(Debug)]
struct Differences {
    negative: Vec<Chance>,
    size: Vec<Numbers>,
}

impl Differences {
    fn new(contexts: usize, negative: u16) -> Self {
        Self {
            negative: vec![Chance::new(negative, 2); contexts],
            size: vec![Numbers::default(); contexts],
        }
    }

    fn encode(&mut self, context: usize, difference: i64, coder: &mut Encoder) {
        let negative = difference < 0;
        self.negative[context].encode(negative, coder);
        let size = difference.unsigned_abs() - u64::from(negative);
        self.size[context].encode(u32::try_from(size).unwrap_or(Numbers::MAX), coder);
    }

    fn decode(&mut self, context: usize, coder: &mut Decoder<'_>) -> i64 {
        let negative = self.negative[context].decode(coder);
        let size = i64::from(self.size[context].decode(coder));
        if negative { -size - 1 } else { size }
    }
}

/// How large a difference is: 0, 1, 2-3, 4-7, 8-15, 16-63, more.
fn magnitude(difference: i64) -> usize {
    match difference.unsigned_abs() {
        0 => 0,
        1 => 1,
        2..=3 => 2,
        4..=7 => 3,
        8..=15 => 4,
        16..=63 => 5,
        _ => 6,
    }
}

/// The state that both directions of `clock.delta` share.
struct Clocks {
    present: [Chance; 2],
    was_present: bool,
    differences: Differences,
    /// Each player's last reading and the time his last move took.
    last: [Option<(i64, i64)>; 2],
}

impl Clocks {
    /// The context of a player's first reading.
    const FIRST: usize = 4;

    fn new() -> Self {
        Self {
            present: [Chance::new(20_000, 2), Chance::new(60_000, 4)],
            was_present: true,
            // Without increment, clocks only fall.
            differences: Differences::new(5, 6_000),
            last: [None; 2],
        }
    }

    /// The reading expected at `ply`, and the context.
    fn expected(&self, ply: usize) -> (i64, usize) {
        match (self.last[ply % 2], self.last[1 - ply % 2]) {
            (Some((reading, taken)), _) => (reading, magnitude(taken) / 2),
            (None, Some((reading, _))) => (reading, Self::FIRST),
            (None, None) => (0, Self::FIRST),
        }
    }

    fn note(&mut self, ply: usize, reading: i64) {
        let taken = self.last[ply % 2].map_or(0, |(before, _)| before - reading);
        self.last[ply % 2] = Some((reading, taken));
    }
}

/// Encodes one clock reading or none for each ply; `decimals`, at most 3, are those of a second in
/// the readings' unit. Readings beyond [`CLOCK_MAX`] cannot be coded: `None`.
#[must_use]
pub fn encode_clocks(readings: &[Option<u32>], decimals: u8) -> Option<Vec<u8>> {
    if decimals > 3 || readings.iter().flatten().any(|&reading| reading > CLOCK_MAX) {
        return None;
    }
    let mut coder = Encoder::new();
    coder.encode(decimals.into(), 1, 4);
    let mut clocks = Clocks::new();
    for (ply, reading) in readings.iter().enumerate() {
        clocks.present[usize::from(clocks.was_present)].encode(reading.is_some(), &mut coder);
        clocks.was_present = reading.is_some();
        let Some(reading) = reading.map(i64::from) else { continue };
        let (expected, context) = clocks.expected(ply);
        clocks.differences.encode(context, expected - reading, &mut coder);
        clocks.note(ply, reading);
    }
    Some(coder.finish())
}

/// Decodes the clock readings of `plies` plies, and the decimals of a second in their unit.
///
/// # Errors
/// [`Error::TooLong`] or [`Error::Cell`] if the code cannot be that of so many plies.
pub fn decode_clocks(plies: u32, code: &[u8]) -> Result<(Vec<Option<u32>>, u8), Error> {
    check_length(plies)?;
    let mut coder = Decoder::new(code);
    let decimals = coder.peek(4);
    coder.consume(decimals, 1, 4);
    let mut clocks = Clocks::new();
    let mut readings = Vec::new();
    for ply in 0..plies as usize {
        let present = clocks.present[usize::from(clocks.was_present)].decode(&mut coder);
        clocks.was_present = present;
        if !present {
            readings.push(None);
            continue;
        }
        let (expected, context) = clocks.expected(ply);
        let reading = expected - clocks.differences.decode(context, &mut coder);
        let valid = u32::try_from(reading).ok().filter(|&reading| reading <= CLOCK_MAX);
        readings.push(Some(valid.ok_or(DAMAGED)?));
        clocks.note(ply, reading);
    }
    Ok((readings, u8::try_from(decimals).unwrap_or(0)))
}

/// The state that both directions of `eval.delta` share.
struct Evaluations {
    present: [Chance; 2],
    was_present: bool,
    mate: [Chance; 2],
    was_mate: bool,
    differences: Differences,
    last: i64,
    change: i64,
}

impl Evaluations {
    /// The context of moves to mate.
    const MATE: usize = 5;

    fn new() -> Self {
        Self {
            present: [Chance::new(20_000, 2), Chance::new(60_000, 4)],
            was_present: true,
            mate: [Chance::new(2_000, 4), Chance::new(60_000, 4)],
            was_mate: false,
            differences: Differences::new(6, 1 << 15),
            last: 0,
            change: 0,
        }
    }

    /// Prepares for an evaluation of a kind: the context.
    fn context(&mut self, mate: bool) -> usize {
        if mate != self.was_mate {
            (self.last, self.change, self.was_mate) = (0, 0, mate);
        }
        if mate { Self::MATE } else { magnitude(self.change / 4).min(4) }
    }

    fn note(&mut self, value: i64) {
        self.change = value - self.last;
        self.last = value;
    }
}

/// Encodes one evaluation or none for each ply. Values beyond [`CLOCK_MAX`] cannot be coded:
/// `None`.
#[must_use]
pub fn encode_evaluations(evaluations: &[Option<Evaluation>]) -> Option<Vec<u8>> {
    let mut coder = Encoder::new();
    let mut state = Evaluations::new();
    for evaluation in evaluations {
        state.present[usize::from(state.was_present)].encode(evaluation.is_some(), &mut coder);
        state.was_present = evaluation.is_some();
        let (mate, value) = match evaluation {
            None => continue,
            Some(Evaluation::Pawns(value)) => (false, *value),
            Some(Evaluation::Mate(value)) => (true, *value),
        };
        if value.unsigned_abs() > CLOCK_MAX {
            return None;
        }
        state.mate[usize::from(state.was_mate)].encode(mate, &mut coder);
        let context = state.context(mate);
        state.differences.encode(context, i64::from(value) - state.last, &mut coder);
        state.note(value.into());
    }
    Some(coder.finish())
}

/// Decodes the evaluations of `plies` plies.
///
/// # Errors
/// [`Error::TooLong`] or [`Error::Cell`] if the code cannot be that of so many plies.
pub fn decode_evaluations(plies: u32, code: &[u8]) -> Result<Vec<Option<Evaluation>>, Error> {
    check_length(plies)?;
    let mut coder = Decoder::new(code);
    let mut state = Evaluations::new();
    let mut evaluations = Vec::new();
    for _ in 0..plies {
        let present = state.present[usize::from(state.was_present)].decode(&mut coder);
        state.was_present = present;
        if !present {
            evaluations.push(None);
            continue;
        }
        let mate = state.mate[usize::from(state.was_mate)].decode(&mut coder);
        let context = state.context(mate);
        let value = state.last + state.differences.decode(context, &mut coder);
        let valid = i32::try_from(value).ok().filter(|v| v.unsigned_abs() <= CLOCK_MAX);
        let valid = valid.ok_or(DAMAGED)?;
        evaluations.push(Some(match mate {
            true => Evaluation::Mate(valid),
            false => Evaluation::Pawns(valid),
        }));
        state.note(value);
    }
    Ok(evaluations)
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
}
