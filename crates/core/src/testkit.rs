//! The conformance suite: tests for every registered codec, run by the crates that register them. A
//! new codec or game is tested without writing a test.
//!
//! Functions here return faults as text, so that one test can run them over all rows and name the
//! one that failed.

pub mod series;

use std::ops::ControlFlow;

use crate::erased::{Branch, Cursor, ErasedLineCodec, ErasedPositionCodec, ErasedRules, Foretold};
use crate::error::Error;
use crate::game::Notation;

/// A reproducible stream of numbers (xorshift64*; S. Vigna, "An experimental exploration of
/// Marsaglia's xorshift generators, scrambled").
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a stream that depends on `seed` alone.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns the next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

/// Returns random play: decodes random bytes with `uniform`, for `plies` plies or until the game is
/// over.
///
/// # Errors
/// Returns an error if the codec rejects random bytes, which `line.uniform` never does.
pub fn random_line(
    uniform: &dyn ErasedLineCodec,
    start: Option<&str>,
    plies: u32,
    seed: u64,
) -> Result<Vec<u16>, Error> {
    let mut random = Random::new(seed);
    let code: Vec<u8> =
        std::iter::repeat_with(|| random.next_u64().to_le_bytes()).take(256).flatten().collect();
    match uniform.decode_indices(start, plies, &code) {
        Err(Error::Over { ply, .. }) => uniform.decode_indices(start, ply, &code),
        decoded => decoded,
    }
}

/// Checks that `indices` survive encoding and decoding, as indices and as texts in both notations,
/// and that damaged codes give an error or another line, never a panic.
///
/// # Errors
/// Returns a description of the fault.
pub fn check_line(
    codec: &dyn ErasedLineCodec,
    start: Option<&str>,
    indices: &[u16],
) -> Result<(), String> {
    let plies = u32::try_from(indices.len()).map_err(|_| "the line is too long to check")?;
    let code = codec.encode_indices(start, indices).map_err(|error| error.to_string())?;
    let back = codec.decode_indices(start, plies, &code).map_err(|error| error.to_string())?;
    if back != indices {
        return Err(format!("{indices:?} came back as {back:?}"));
    }
    for notation in codec.game().info().all_notations() {
        let texts =
            codec.decode(start, plies, &code, notation).map_err(|error| error.to_string())?;
        let again =
            codec.encode(start, &mut texts.iter(), notation).map_err(|error| error.to_string())?;
        if let Some(error) = again.stopped {
            return Err(format!("{notation:?}: {error}"));
        }
        if again.code != code || again.texts != texts || again.plies != plies {
            return Err(format!("{notation:?}: {texts:?} encodes differently"));
        }
    }
    check_cursor(codec, start, indices, &code)?;
    check_branches(codec, start, indices)?;
    for length in 0..code.len() {
        check_hostile(codec, start, plies, &code[..length])?;
    }
    let mut flipped = code.clone();
    for bit in 0..code.len() * 8 {
        flipped[bit / 8] ^= 1 << (bit % 8);
        check_hostile(codec, start, plies, &flipped)?;
        flipped[bit / 8] ^= 1 << (bit % 8);
    }
    Ok(())
}

/// Steps along a line and compares the cursor's answers at every ply with other sources; also
/// checks that branches lead where they should.
fn check_cursor(
    codec: &dyn ErasedLineCodec,
    start: Option<&str>,
    indices: &[u16],
    code: &[u8],
) -> Result<(), String> {
    let fail = |error: Error| error.to_string();
    let (game, notation) = (codec.game(), Notation::Coordinate);
    let plies = u32::try_from(indices.len()).map_err(|_| "the line is too long to check")?;
    let mut cursor = codec.cursor(start, plies, code).map_err(fail)?;
    let mut walker = game.cursor(start).map_err(fail)?;
    let texts = game.write_moves(start, indices, notation).map_err(fail)?;
    let (mut here, mut there) = (String::new(), String::new());
    let mut keys = Vec::new();
    codec.keys(start, plies, code, &mut keys).map_err(fail)?;
    let mut seen = keys.first().copied().into_iter().collect::<Vec<_>>();
    let stop = plies.div_ceil(2);
    let scanned = codec.scan(start, plies, code, &mut |place| {
        seen.push(place.key());
        if seen.len() > stop as usize { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    scanned.map_err(fail)?;
    if plies > 0 && keys.get(..=stop as usize) != Some(&seen) {
        return Err(format!("a scan that stops at ply {stop} sees different positions"));
    }
    let counted = |keys: &[u64]| keys.iter().filter(|&key| Some(key) == keys.last()).count();
    for ((ply, &index), text) in (1..).zip(indices).zip(texts.iter()) {
        if cursor.next() != Ok(Some(index)) || cursor.last() != Some(index) || cursor.ply() != ply {
            return Err(format!("the cursor does not find ply {ply} of {indices:?}"));
        }
        if walker.read(text) != Ok(index) || walker.candidates() != cursor.candidates() {
            return Err(format!("`{text}` leads another cursor elsewhere"));
        }
        let passed = keys.get(..=cursor.ply() as usize).unwrap_or_default();
        if Some(&cursor.key()) != passed.last() || cursor.occurrences() != counted(passed) {
            return Err(format!("ply {ply} has a different key or number of occurrences"));
        }
        [&mut here, &mut there].into_iter().for_each(String::clear);
        cursor.write_move(notation, &mut here);
        if here != text {
            return Err(format!("the cursor takes `{text}` for `{here}`"));
        }
        here.clear();
        cursor.write_position(&mut here);
        walker.write_position(&mut there);
        if here != there || cursor.turn() != walker.turn() {
            return Err(format!("the cursors are at `{here}` and `{there}`"));
        }
    }
    if cursor.next() != Ok(None) || walker.next() != Ok(None) {
        return Err("a cursor goes beyond the end".into());
    }
    check_forks(&*cursor, indices, code)
}

/// Goes back to several plies of the line before a cursor, and on from there.
fn check_forks<'a>(cursor: &dyn Cursor<'a>, indices: &[u16], code: &'a [u8]) -> Result<(), String> {
    let fail = |error: Error| error.to_string();
    let mut branch = cursor.branch(1, cursor.ply(), code).map_err(fail)?;
    for (at, &index) in indices.iter().enumerate() {
        if branch.next() != Ok(Some(index)) {
            return Err(format!("a branch that repeats the line leaves it after ply {at}"));
        }
        if at % 7 > 0 {
            continue;
        }
        let mut fork = branch.fork(branch.ply());
        fork.play(index).map_err(fail)?;
        let mut places = [String::new(), String::new()];
        branch.write_position(&mut places[0]);
        fork.write_position(&mut places[1]);
        if places[0] != places[1] || fork.ply() != branch.ply() || fork.last() != Some(index) {
            return Err(format!("a fork is at `{}`, not at `{}`", places[1], places[0]));
        }
    }
    // After the candidates there may be a null move, and nothing else.
    let beyond = u16::try_from(branch.candidates() + 1).unwrap_or(u16::MAX);
    match branch.play(beyond) {
        Err(Error::Index { .. }) => Ok(()),
        played => Err(format!("a candidate that does not exist was played: {played:?}")),
    }
}

/// Encodes the rest of a line from several plies on as branches of the line, including the line's
/// own next move. Checks that they come back, and that a damaged code does no harm.
fn check_branches(
    codec: &dyn ErasedLineCodec,
    start: Option<&str>,
    indices: &[u16],
) -> Result<(), String> {
    let fail = |error: Error| error.to_string();
    let notation = Notation::Customary;
    let texts = codec.game().write_moves(start, indices, notation).map_err(fail)?;
    let moves: Vec<&str> = texts.iter().collect();
    let (_, trunk) = codec.encode_trunk(start, &mut texts.iter(), notation, false).map_err(fail)?;
    let mut branches: Vec<(Branch, Vec<&str>)> = Vec::new();
    for (ply, at) in (1..).zip(0..moves.len()).step_by(3) {
        let branch = moves.get(at..moves.len().min(at + 5)).unwrap_or_default();
        if trunk.spelt(ply, branch, notation) != branch.len() {
            return Err(format!("{branch:?} are reported as spelt differently"));
        }
        let plies = u32::try_from(branch.len()).unwrap_or_default();
        let head = |plies| Branch { ply, foretold: None, plies };
        branches.push((head(plies), branch.to_vec()));
        branches.push((head(plies.min(1)), branch.iter().take(1).copied().collect()));
        // What the trunk and the branch before foretell, all of it and some of it.
        for (by, skip) in [(None, ply - 1), (Some(branches.len() - 2), 0)] {
            let foretold = Foretold { by, skip, plies: plies / 2 };
            branches.push((Branch { foretold: Some(foretold), ..head(plies) }, branch.to_vec()));
            let foretold = Some(Foretold { plies, ..foretold });
            branches.push((Branch { foretold, ..head(plies) }, branch.to_vec()));
        }
    }
    let code = trunk.encode_branches(&branches).ok_or("branches cannot be coded")?;
    let plies: Vec<Branch> = branches.iter().map(|branch| branch.0).collect();
    let back = trunk.decode_branches(&plies, &code, notation).map_err(fail)?;
    if back.iter().zip(&branches).any(|(back, (_, moves))| !back.iter().eq(moves.iter().copied())) {
        return Err(format!("{branches:?} came back as {back:?}"));
    }
    for at in (0..code.len()).step_by(8) {
        let mut damaged = code.clone();
        damaged[at] ^= 0x55;
        let _ = trunk.decode_branches(&plies, &damaged, notation);
        let _ = trunk.decode_branches(&plies, &code[..at], notation);
    }
    for foretold in [
        Foretold { by: Some(0), skip: 0, plies: 1 },
        Foretold { by: None, skip: u32::MAX, plies: 1 },
        Foretold { by: None, skip: 0, plies: u32::MAX },
    ] {
        let branch = Branch { ply: 1, foretold: Some(foretold), plies: u32::MAX };
        if trunk.decode_branches(&[branch], &[], notation).is_ok() {
            return Err(format!("{foretold:?} is accepted of a line before there was one"));
        }
    }
    let branch = |ply, plies| Branch { ply, foretold: None, plies };
    let beyond = [branch(u32::MAX, 1), branch(1, u32::MAX)];
    let beyond = trunk.decode_branches(&beyond, &code, notation);
    beyond.err().map(|_| ()).ok_or_else(|| "more plies than a line has are decoded".into())
}

/// Decodes arbitrary bytes. If they decode, the line must survive another round trip.
///
/// # Errors
/// Returns a description of the fault.
pub fn check_hostile(
    codec: &dyn ErasedLineCodec,
    start: Option<&str>,
    plies: u32,
    code: &[u8],
) -> Result<(), String> {
    let Ok(indices) = codec.decode_indices(start, plies, code) else { return Ok(()) };
    let again = codec.encode_indices(start, &indices).map_err(|error| error.to_string())?;
    match codec.decode_indices(start, plies, &again) {
        Ok(back) if back == indices => Ok(()),
        other => Err(format!("{code:?} decodes to {indices:?}, then to {other:?}")),
    }
}

/// Checks a codec on random play from `start`, and that it decodes an empty code.
///
/// # Errors
/// Returns a description of the fault.
pub fn check_codec(
    codec: &dyn ErasedLineCodec,
    uniform: &dyn ErasedLineCodec,
    start: Option<&str>,
    plies: u32,
    seeds: std::ops::Range<u64>,
) -> Result<(), String> {
    for seed in seeds {
        let indices =
            random_line(uniform, start, plies, seed).map_err(|error| error.to_string())?;
        check_line(codec, start, &indices).map_err(|why| format!("seed {seed}: {why}"))?;
        let mut random = Random::new(seed);
        let junk: Vec<u8> = random.next_u64().to_le_bytes().to_vec();
        check_hostile(codec, start, plies, &junk)?;
    }
    check_hostile(codec, start, plies, &[])?;
    check_hostile(codec, start, u32::MAX, &[])
}

/// Checks that a position's canonical text reads back as the same position, after random play.
///
/// # Errors
/// Returns a description of the fault.
pub fn check_positions(
    game: &dyn ErasedRules,
    uniform: &dyn ErasedLineCodec,
    start: Option<&str>,
    seed: u64,
) -> Result<(), String> {
    let indices = random_line(uniform, start, 200, seed).map_err(|error| error.to_string())?;
    for plies in 0..=indices.len() {
        let text = game.position_after(start, &indices[..plies]).map_err(|e| e.to_string())?;
        let again = game.position_after(Some(&text), &[]).map_err(|e| e.to_string())?;
        if text != again {
            return Err(format!("`{text}` reads back as `{again}`"));
        }
    }
    Ok(())
}

/// Checks that the position in `text` survives encoding and decoding, and that damaged codes give
/// an error or another position, never a panic. Returns `None` if the codec cannot represent it.
///
/// # Errors
/// Returns a description of the fault.
pub fn check_position(codec: &dyn ErasedPositionCodec, text: &str) -> Result<Option<u32>, String> {
    let code = match codec.encode(text) {
        Ok(code) => code,
        Err(Error::Board { .. }) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    if code.bytes.len() as u64 != u64::from(code.bits).div_ceil(8) {
        return Err(format!("{} bits are in {} bytes", code.bits, code.bytes.len()));
    }
    let back = codec.decode(&code.bytes).map_err(|error| format!("`{text}`: {error}"))?;
    if codec.drops().is_empty() && back != text {
        return Err(format!("`{text}` came back as `{back}`"));
    }
    match codec.encode(&back) {
        Ok(again) if again == code => {}
        other => return Err(format!("`{back}` encodes to {other:?} instead of {code:?}")),
    }
    let mut damaged = code.bytes.clone();
    for bit in 0..damaged.len() * 8 {
        damaged[bit / 8] ^= 1 << (bit % 8);
        check_hostile_position(codec, &damaged)?;
        damaged[bit / 8] ^= 1 << (bit % 8);
    }
    for length in 0..code.bytes.len() {
        check_hostile_position(codec, &code.bytes[..length])?;
    }
    damaged.push(0);
    check_hostile_position(codec, &damaged)?;
    Ok(Some(code.bits))
}

/// Decodes arbitrary bytes. If they decode, the position must survive another round trip.
///
/// # Errors
/// Returns a description of the fault.
pub fn check_hostile_position(codec: &dyn ErasedPositionCodec, code: &[u8]) -> Result<(), String> {
    let Ok(text) = codec.decode(code) else { return Ok(()) };
    let again = codec.encode(&text).map_err(|error| format!("{code:02x?}: `{text}`: {error}"))?;
    match codec.decode(&again.bytes) {
        Ok(back) if back == text => Ok(()),
        other => Err(format!("{code:02x?} decodes to `{text}`, then to {other:?}")),
    }
}
