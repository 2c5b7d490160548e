//! Writes archives of ChessBase, so that their reader can be tested with files that are there. All
//! ways of packing are used in turn.

use std::collections::{BTreeMap, BTreeSet};

/// The bytes that are packed at a time.
const PIECE_BYTES: usize = 60 << 10;

/// The places of what may be repeated, counted back, and the lengths.
const BACK: std::ops::RangeInclusive<usize> = 3..=4098;
const REPEATED: std::ops::RangeInclusive<usize> = 3..=271;

/// The longest short run, and the longest.
const SHORT_RUN: usize = 18;
const RUN: usize = 4114;

/// Packs files, each with its name, into an archive.
///
/// # Panics
/// Panics if there are too many of them, or a name is too long.
pub fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let count = u16::try_from(files.len()).unwrap_or_else(|_| panic!("too many files"));
    let [low, high] = count.to_le_bytes();
    let mut head = vec![8, 0, low, high, 173, 0, 3, 0];
    let mut packed = Vec::new();
    let begin = head.len() + 173 * files.len();
    for (number, (name, bytes)) in files.iter().enumerate() {
        let place = begin + packed.len();
        let file = packed_file(bytes, number);
        let mut field = name.as_bytes().to_vec();
        assert!(field.len() < 128, "a long name");
        field.resize(128, 0);
        head.extend(field);
        let numbers = [place, file.len(), bytes.len()].map(|number| number as u64);
        head.extend(numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(4)));
        head.extend([0; 9]);
        head.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        packed.extend(file);
    }
    head.extend(packed);
    head
}

/// The blocks of a file, of which the first is packed in this way.
fn packed_file(bytes: &[u8], first: usize) -> Vec<u8> {
    let mut file = Vec::new();
    for (piece, start) in (0..bytes.len()).step_by(PIECE_BYTES).enumerate() {
        let range = start..bytes.len().min(start + PIECE_BYTES);
        let block = match (first + piece) % 4 {
            1 => Some([&[1], &repeated(bytes, range.clone())[..]].concat()),
            2 => coded(&bytes[range.clone()]).map(|coded| [&[2], &coded[..]].concat()),
            3 => coded(&repeated(bytes, range.clone())).map(|coded| [&[3], &coded[..]].concat()),
            _ => None,
        };
        let block = block.filter(|block| block.len() <= usize::from(u16::MAX));
        let block = block.unwrap_or_else(|| [&[0], &bytes[range]].concat());
        let length = u16::try_from(block.len()).unwrap_or_default();
        let words = block.as_chunks::<2>().0.iter().map(|word| u16::from_le_bytes(*word));
        let sum = words.fold(0, u16::wrapping_add);
        file.extend([length.to_le_bytes(), sum.to_le_bytes()].concat());
        file.extend(block);
    }
    file
}

/// Bytes in this range as runs and repetitions, also of what is before it.
fn repeated(bytes: &[u8], range: std::ops::Range<usize>) -> Vec<u8> {
    let mut last: BTreeMap<&[u8], usize> = BTreeMap::new();
    let from = range.start.saturating_sub(*BACK.end());
    for at in from..range.start {
        last.extend(bytes.get(at..at + 3).map(|three| (three, at)));
    }
    let mut at = range.start;
    let mut groups = Vec::new();
    let (mut word, mut count, mut pieces) = (0_u16, 0, Vec::new());
    while at < range.end {
        let rest = &bytes[at..range.end];
        let run = rest.iter().take(RUN).take_while(|byte| **byte == rest[0]).count();
        let before = rest.get(..3).and_then(|three| last.get(three)).copied();
        let back = before.map(|before| at - before).filter(|back| BACK.contains(back));
        let again = back.map_or(0, |back| {
            let same = rest.iter().zip(&bytes[at - back..]).take(*REPEATED.end());
            same.take_while(|(one, other)| one == other).count()
        });
        let (piece, length) = piece(rest[0], run, back.unwrap_or_default(), again);
        word = word << 1 | u16::from(piece.len() > 1);
        pieces.extend(piece);
        count += 1;
        for at in at..at + length {
            last.extend(bytes.get(at..at + 3).map(|three| (three, at)));
        }
        at += length;
        if count == 16 || at == range.end {
            groups.extend((word << (16 - count)).to_le_bytes());
            groups.append(&mut pieces);
            (word, count) = (0, 0);
        }
    }
    groups
}

/// A run of `first`, a repetition, or `first` alone, and the number of bytes that it stands for.
fn piece(first: u8, run: usize, back: usize, again: usize) -> (Vec<u8>, usize) {
    let byte = |number: usize| u8::try_from(number & 0xff).unwrap_or_default();
    if run >= 3 && run >= again {
        return match run {
            ..=SHORT_RUN => (vec![byte(run - 3), first], run),
            _ => {
                let more = run - 19;
                (vec![0x10 | byte(more & 15), byte(more >> 4), first], run)
            }
        };
    }
    let more = back.saturating_sub(3);
    let (low, high) = (byte(more & 15), byte(more >> 4));
    match again {
        0..3 => (vec![first], 1),
        3..16 => (vec![byte(again << 4) | low, high], again),
        _ => (vec![0x20 | low, high, byte(again - 16)], again),
    }
}

/// Bytes in a code of their own; `None` if there are too many.
fn coded(bytes: &[u8]) -> Option<Vec<u8>> {
    let count = u16::try_from(bytes.len()).ok()?;
    let lengths = lengths(bytes);
    let mut order: Vec<(u32, u8)> =
        lengths.iter().zip(0..=255).filter(|row| *row.0 > 0).map(|(n, byte)| (*n, byte)).collect();
    order.sort_unstable();
    let mut codes = [0; 256];
    let (mut code, mut length) = (0_u32, 0);
    for (own, byte) in order {
        code <<= own - length;
        length = own;
        codes[usize::from(byte)] = code;
        code += 1;
    }
    let (mut packed, mut held, mut waiting) = (Vec::new(), 0_u64, 0);
    let mut push = |number: u32, bits: u32| {
        held = held << bits | u64::from(number);
        waiting += bits;
        while waiting >= 8 {
            waiting -= 8;
            packed.push(u8::try_from(held >> waiting & 0xff).unwrap_or_default());
        }
    };
    push(count.into(), 16);
    for (length, code) in lengths.into_iter().zip(codes) {
        push(length, 4);
        push(code, length);
    }
    for byte in bytes {
        push(codes[usize::from(*byte)], lengths[usize::from(*byte)]);
    }
    push(0, 7);
    Some(packed)
}

/// The lengths of the codes of all bytes by Huffman's algorithm; all 8 if one would have more than
/// 15 bits.
fn lengths(bytes: &[u8]) -> [u32; 256] {
    let mut counts = [0_usize; 256];
    bytes.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let mut trees: BTreeSet<(usize, Vec<usize>)> = counts
        .iter()
        .enumerate()
        .filter(|row| *row.1 > 0)
        .map(|(byte, count)| (*count, vec![byte]))
        .collect();
    // A code of one byte has another one beside it, so that no bits are without a meaning.
    if let (1, Some((_, only))) = (trees.len(), trees.first()) {
        let other = only[0] ^ 1;
        trees.insert((0, vec![other]));
    }
    let mut lengths = [0; 256];
    while let (Some(one), Some(other)) = (trees.pop_first(), trees.pop_first()) {
        let both = [one.1, other.1].concat();
        both.iter().for_each(|byte| lengths[*byte] += 1);
        trees.insert((one.0 + other.0, both));
    }
    if lengths.iter().any(|length| *length > 15) { [8; 256] } else { lengths }
}
