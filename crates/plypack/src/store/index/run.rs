//! Sorted runs of occurrences in a temporary file, in few bits. A run can be entered at any prefix
//! of places, and read from there in little memory.
//!
//! A run has a segment for each prefix, of whole bytes. A segment has frames, and a frame its
//! occurrences, each told by how it differs from the one before.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::golomb;
use plypack_index::Occurrence;
use rayon::prelude::*;

use crate::store::ranges::Ranges;

/// The number of leading bits of places by which a run can be entered.
pub(super) const PREFIX_BITS: u32 = 12;

/// The bits of a frame behind its prefix.
const FRAME_BITS: u32 = 32 - PREFIX_BITS;

/// The bits of the men in a place, and of the key.
const MEN_BITS: u32 = 12;
const SLOT_BITS: u32 = 20;

/// The bits of the order of a Golomb code.
const ORDER_BITS: u32 = 5;

/// The orders of the Golomb codes: of the numbers of frames in a segment and of occurrences in a
/// frame; of the steps from men to men; of candidates; of plies, and of their differences within a
/// game and within a position.
const FRAMES_ORDER: u32 = 7;
const COUNT_ORDER: u32 = 1;
const MEN_ORDER: u32 = 6;
const CANDIDATE_ORDER: u32 = 4;
const PLY_ORDER: u32 = 5;
const PLY_IN_GAME_ORDER: u32 = 2;
const PLY_IN_POSITION_ORDER: u32 = 0;

/// No occurrence, and nothing else that is read at once, has more bytes.
const UNIT_BYTES: usize = 64;

/// The fewest bytes that a reader buffers.
const BUFFER_MIN: usize = 1 << 10;

/// The most.
const BUFFER_MAX: usize = 64 << 10;

/// The number of segments that are written at once, on all threads.
const SEGMENTS_AT_ONCE: usize = 256;

/// A sorted run of occurrences.
#[derive(Debug)]
pub(super) struct Run {
    /// Where it begins in the file.
    start: u64,
    /// Where the segment of each prefix begins behind that, and where the last one ends.
    segments: Vec<u32>,
    /// The first game, and how many bits a game takes, less that.
    game: u32,
    game_bits: u32,
}

/// Counts the sorted occurrences before this prefix.
pub(super) fn before(sorted: &[Occurrence], prefix: usize) -> usize {
    let place = (prefix as u64).checked_shl(64 - PREFIX_BITS).filter(|_| prefix < 1 << PREFIX_BITS);
    place.map_or(sorted.len(), |place| sorted.partition_point(|one| one.place < place))
}

/// Writes sorted occurrences to a file, from `start` on.
pub(super) fn write(sorted: &[Occurrence], start: u64, file: &mut dyn Write) -> io::Result<Run> {
    let games = || sorted.par_iter().map(|one| one.game);
    let (game, last) = (games().min().unwrap_or(0), games().max().unwrap_or(0));
    let game_bits = (last - game).checked_ilog2().map_or(0, |bits| bits + 1);
    let mut run = Run { start, segments: Vec::new(), game, game_bits };
    let segment = |prefix: usize| {
        let [first, end] = [prefix, prefix + 1].map(|prefix| before(sorted, prefix));
        run.segment(sorted.get(first..end).unwrap_or_default())
    };
    let (mut ends, mut end) = (vec![0], 0usize);
    for first in (0..1 << PREFIX_BITS).step_by(SEGMENTS_AT_ONCE) {
        let some = (first..first + SEGMENTS_AT_ONCE).into_par_iter();
        for segment in some.map(segment).collect::<Vec<Vec<u8>>>() {
            file.write_all(&segment)?;
            end += segment.len();
            ends.push(u32::try_from(end).map_err(io::Error::other)?);
        }
    }
    run.segments = ends;
    Ok(run)
}

impl Run {
    /// Where it ends in the file.
    pub fn end(&self) -> u64 {
        self.start + u64::from(self.segments.last().copied().unwrap_or(0))
    }

    /// Where the segment of a prefix begins in the file.
    fn at(&self, prefix: usize) -> u64 {
        self.segments.get(prefix).map_or(self.end(), |&at| self.start + u64::from(at))
    }

    /// The bytes of the segment with these occurrences; none if there are none.
    fn segment(&self, occurrences: &[Occurrence]) -> Vec<u8> {
        let mut bits = BitWriter::new();
        let frames = occurrences.chunk_by(|a, b| frame_of(a) == frame_of(b));
        let count = u32::try_from(frames.clone().count()).unwrap_or(u32::MAX);
        let Some(first) = occurrences.first() else { return Vec::new() };
        let order = ((1 << FRAME_BITS) / count).max(1).ilog2();
        golomb::write(&mut bits, count, FRAMES_ORDER);
        bits.write(order.into(), ORDER_BITS);
        bits.write(frame_of(first).into(), FRAME_BITS);
        let mut frames = frames.peekable();
        while let Some(frame) = frames.next() {
            if let [Some(this), Some(next)] =
                [frame.first(), frames.peek().and_then(|next| next.first())]
            {
                golomb::write(&mut bits, frame_of(next) - frame_of(this), order);
            }
            let count = u32::try_from(frame.len()).unwrap_or(u32::MAX);
            golomb::write(&mut bits, count - 1, COUNT_ORDER);
            let mut last = None;
            for one in frame {
                self.write(&mut bits, last.as_ref(), one);
                last = Some(*one);
            }
        }
        bits.into_bytes()
    }
}

impl Run {
    /// Appends an occurrence; `last` is the one before in its frame.
    fn write(&self, bits: &mut BitWriter, last: Option<&Occurrence>, one: &Occurrence) {
        let Occurrence { place, key, check, game, candidate, ply } = *one;
        let same_men = last.is_some_and(|last| last.place >> SLOT_BITS == place >> SLOT_BITS);
        match last {
            Some(last) => golomb::write(bits, men_of(place) - men_of(last.place), MEN_ORDER),
            None => bits.write(men_of(place).into(), MEN_BITS),
        }
        let same = last.filter(|last| same_men && (last.key, last.check) == (key, check));
        if same_men {
            bits.write_bit(same.is_some());
        }
        if same.is_none() {
            // A position that is a structure of its own has half of its key in the frame.
            let is_alone = men_of(place) == 0 && key >> 32 == place >> 32;
            if men_of(place) == 0 {
                bits.write_bit(is_alone);
            }
            bits.write(key, if is_alone { 32 } else { 64 });
            bits.write(check.into(), 32);
        }
        let same_game = last.filter(|last| last.game == game);
        match same {
            Some(last) => golomb::write(bits, game - last.game, self.step_order()),
            None => {
                if last.is_some() {
                    bits.write_bit(same_game.is_some());
                }
                if same_game.is_none() {
                    bits.write((game - self.game).into(), self.game_bits);
                }
            }
        }
        golomb::write(bits, candidate.wrapping_add(1).into(), CANDIDATE_ORDER);
        let (before, order) = ply_before(same, same_game);
        let step = zigzag(ply.wrapping_sub(before).cast_signed());
        golomb::write(bits, step.into(), order);
    }

    /// Reads an occurrence of a frame.
    fn read(
        &self,
        bits: &mut BitReader<'_>,
        frame: u32,
        last: Option<&Occurrence>,
    ) -> Option<Occurrence> {
        let men = match last {
            Some(last) => men_of(last.place).checked_add(golomb::read(bits, MEN_ORDER)?)?,
            None => u32::try_from(bits.read(MEN_BITS)?).ok()?,
        };
        let same_men = last.filter(|last| men_of(last.place) == men);
        let same = match same_men {
            Some(last) => Some(last).filter(|_| bits.read_bit() == Some(true)),
            None => None,
        };
        let (key, check) = match same {
            Some(last) => (last.key, last.check),
            None => {
                let is_alone = men == 0 && bits.read_bit()?;
                let key = match is_alone {
                    true => u64::from(frame) << 32 | bits.read(32)?,
                    false => bits.read(32)? << 32 | bits.read(32)?,
                };
                (key, u32::try_from(bits.read(32)?).ok()?)
            }
        };
        let slot = key & ((1 << SLOT_BITS) - 1);
        let place = u64::from(frame) << 32 | u64::from(men) << SLOT_BITS | slot;
        let game = match (same, last) {
            (Some(last), _) => last.game.checked_add(golomb::read(bits, self.step_order())?)?,
            (None, Some(last)) if bits.read_bit()? => last.game,
            _ => self.game.checked_add(u32::try_from(bits.read(self.game_bits)?).ok()?)?,
        };
        let candidate = u16::try_from(golomb::read(bits, CANDIDATE_ORDER)?).ok()?.wrapping_sub(1);
        let (before, order) = ply_before(same, last.filter(|last| last.game == game));
        let step = u16::try_from(golomb::read(bits, order)?).ok()?;
        let ply = before.wrapping_add(unzigzag(step).cast_unsigned());
        Some(Occurrence { place, key, check, game, candidate, ply })
    }

    /// The order of the code of the steps between the games of a position.
    fn step_order(&self) -> u32 {
        self.game_bits.saturating_sub(5)
    }
}

fn frame_of(one: &Occurrence) -> u32 {
    u32::try_from(one.place >> 32).unwrap_or(0)
}

fn men_of(place: u64) -> u32 {
    u32::try_from(place >> SLOT_BITS & ((1 << MEN_BITS) - 1)).unwrap_or(0)
}

/// What a ply is told from, and the order of the code of the difference.
fn ply_before(same: Option<&Occurrence>, same_game: Option<&Occurrence>) -> (u16, u32) {
    match (same, same_game) {
        (Some(last), _) => (last.ply, PLY_IN_POSITION_ORDER),
        (None, Some(last)) => (last.ply, PLY_IN_GAME_ORDER),
        (None, None) => (0, PLY_ORDER),
    }
}

/// Signed numbers as unsigned ones, of which small ones stay small.
fn zigzag(number: i16) -> u16 {
    (number << 1 ^ number >> 15).cast_unsigned()
}

fn unzigzag(number: u16) -> i16 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

/// Reads some segments of a run, frame by frame.
#[derive(Clone, Debug)]
pub(super) struct Reader<'s> {
    file: &'s File,
    run: &'s Run,
    /// The segments behind the current one.
    prefixes: Range<usize>,
    /// The bytes at hand, the next bit among them, and where the bytes behind them are.
    buffer: Vec<u8>,
    bit: usize,
    rest: Range<u64>,
    buffer_bytes: usize,
    segment: Segment,
    /// The last occurrence of the frame, and how many are left of it.
    last: Option<Occurrence>,
    left: u32,
}

/// The segment that is being read.
#[derive(Clone, Copy, Debug, Default)]
struct Segment {
    /// The order of the code of steps between frames.
    order: u32,
    /// The frames left, the current one included.
    frames: u32,
    frame: u32,
    /// How far the next one is.
    step: u32,
}

impl<'s> Reader<'s> {
    /// A reader of the segments of these prefixes, at its first frame.
    pub fn new(
        file: &'s File,
        run: &'s Run,
        prefixes: Range<usize>,
        buffer_bytes: usize,
    ) -> io::Result<Self> {
        let rest = run.at(prefixes.start)..run.at(prefixes.end);
        let buffer_bytes = buffer_bytes.clamp(BUFFER_MIN, BUFFER_MAX);
        let (buffer, segment) = (Vec::new(), Segment::default());
        let (bit, last, left) = (0, None, 0);
        let mut reader =
            Self { file, run, prefixes, buffer, bit, rest, buffer_bytes, segment, last, left };
        reader.enter_next()?;
        Ok(reader)
    }

    /// The current frame; `None` behind the last one.
    pub fn frame(&self) -> Option<u32> {
        (self.segment.frames > 0).then_some(self.segment.frame)
    }

    /// The frame behind the current one, if they have the same prefix.
    pub fn next_frame(&self) -> Option<u32> {
        (self.segment.frames > 1).then(|| self.segment.frame.saturating_add(self.segment.step))
    }

    /// Reads the next occurrence of the current frame; `None` behind its last one.
    pub fn next(&mut self) -> io::Result<Option<Occurrence>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        let (run, last, frame) = (self.run, self.last, self.segment.frame);
        self.last = Some(self.read(|bits| run.read(bits, frame, last.as_ref()))?);
        self.left = left;
        Ok(self.last)
    }

    /// Goes on to the next frame, once the current one is read.
    pub fn enter_next(&mut self) -> io::Result<()> {
        match self.next_frame() {
            Some(frame) => {
                self.segment.frame = frame;
                self.segment.frames -= 1;
            }
            None => self.enter_segment()?,
        }
        if self.segment.frames > 0 {
            let Segment { order, frames, .. } = self.segment;
            (self.segment.step, self.left) = self.read(|bits| {
                let step = if frames > 1 { golomb::read(bits, order)? } else { 0 };
                Some((step, golomb::read(bits, COUNT_ORDER)?.checked_add(1)?))
            })?;
            self.last = None;
        }
        Ok(())
    }

    /// Goes on to the next segment that is not empty; without one, no frame is left.
    fn enter_segment(&mut self) -> io::Result<()> {
        self.segment.frames = 0;
        let is_empty = |prefix: usize| self.run.at(prefix) == self.run.at(prefix + 1);
        let Some(prefix) = self.prefixes.clone().find(|&prefix| !is_empty(prefix)) else {
            return Ok(());
        };
        self.prefixes.start = prefix + 1;
        self.bit = self.bit.next_multiple_of(8);
        self.segment = self.read(|bits| {
            let frames = golomb::read(bits, FRAMES_ORDER)?;
            let order = u32::try_from(bits.read(ORDER_BITS)?).ok()?;
            let rest = bits.read(FRAME_BITS)?;
            let frame = u32::try_from((prefix as u64) << FRAME_BITS | rest).ok()?;
            Some(Segment { order, frames, frame, step: 0 })
        })?;
        Ok(())
    }

    /// Reads something of at most [`UNIT_BYTES`].
    fn read<T>(&mut self, read: impl FnOnce(&mut BitReader<'_>) -> Option<T>) -> io::Result<T> {
        if self.buffer.len() < self.bit / 8 + UNIT_BYTES && !self.rest.is_empty() {
            self.buffer.drain(..self.bit / 8);
            self.bit %= 8;
            let end = self.rest.end.min(self.rest.start + self.buffer_bytes as u64);
            let more = self.file.fetch(&[self.rest.start..end])?;
            more.iter().for_each(|bytes| self.buffer.extend_from_slice(bytes));
            self.rest.start = end;
        }
        let mut bits = BitReader::new(self.buffer.get(self.bit / 8..).unwrap_or_default());
        bits.skip(u32::try_from(self.bit % 8).unwrap_or(0));
        let before = bits.left();
        let found = read(&mut bits).ok_or(io::ErrorKind::InvalidData)?;
        self.bit += before - bits.left();
        Ok(found)
    }
}
