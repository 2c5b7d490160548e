//! Patches: the few places where a record's bytes differ from what its layout writes.

use plypack_core::bits::varint;

/// The number of words, both sides together, to look ahead for agreement after a difference.
const AHEAD_MAX: usize = 48;

/// The number of words that must agree before the two sides are in step again.
const IN_STEP: usize = 4;

/// The most bytes that agree within a place of bytes that differ, and the most if all are zeros.
const SAME_MAX: usize = 1;
const ZEROS_MAX: usize = 16;

/// The patch that turns `rendered` into `actual`: for each place, the numbers of bytes to keep, to
/// drop and to insert, as LEB128, and the bytes to insert. Bytes after the last place are kept.
/// `None` if it would have more than `limit` bytes.
///
/// Differences are found word by word in one pass, in linear time for any bytes: diff libraries
/// find smaller ones, but take quadratic time on repetitive texts.
pub fn make(rendered: &[u8], actual: &[u8], limit: usize) -> Option<Vec<u8>> {
    let before: Vec<&[u8]> = words(rendered).collect();
    let after: Vec<&[u8]> = words(actual).collect();
    let mut patch = Vec::new();
    let (mut i, mut j, mut kept) = (0, 0, 0);
    loop {
        let same = before[i..].iter().zip(&after[j..]).take_while(|(a, b)| a == b);
        let (words, bytes) =
            same.fold((0, 0), |(words, bytes), (a, _)| (words + 1, bytes + a.len()));
        (i, j, kept) = (i + words, j + words, kept + bytes);
        if i == before.len() && j == after.len() {
            return Some(patch);
        }
        let (dropped, inserted) = next_agreement(&before[i..], &after[j..]);
        let length = |words: &[&[u8]]| words.iter().map(|word| word.len()).sum::<usize>();
        let lengths = [kept, length(&before[i..i + dropped]), length(&after[j..j + inserted])];
        for length in lengths {
            varint::write_u32(u32::try_from(length).ok()?, &mut patch);
        }
        after[j..j + inserted].iter().for_each(|word| patch.extend_from_slice(word));
        if patch.len() > limit {
            return None;
        }
        (i, j, kept) = (i + dropped, j + inserted, 0);
    }
}

/// The shortest of three patches, if it has at most `limit` bytes: the one from [`make`]; one with
/// a single place, from the first byte that differs to the last; and one of bytes at equal places.
/// Records without spaces have few words, and those that are no texts have parts of fixed length.
pub fn make_short(rendered: &[u8], actual: &[u8], limit: usize) -> Option<Vec<u8>> {
    if rendered == actual {
        return Some(Vec::new());
    }
    let same = |(a, b): &(&u8, &u8)| a == b;
    let ahead = rendered.iter().zip(actual).take_while(same).count();
    let back = rendered[ahead..].iter().rev().zip(actual[ahead..].iter().rev());
    let back = back.take_while(same).count();
    let inserted = &actual[ahead..actual.len() - back];
    let mut place = Vec::new();
    for length in [ahead, rendered.len() - back - ahead, inserted.len()] {
        varint::write_u32(u32::try_from(length).ok()?, &mut place);
    }
    place.extend_from_slice(inserted);
    let shorter = |patch: &Vec<u8>| patch.len() < place.len();
    let short = make_aligned(rendered, actual).filter(shorter).unwrap_or(place);
    let limit = limit.min(short.len());
    make(rendered, actual, limit).or((short.len() == limit).then_some(short))
}

/// The patch that compares bytes at equal places; what is left of the longer side comes last.
fn make_aligned(rendered: &[u8], actual: &[u8]) -> Option<Vec<u8>> {
    let mut patch = Vec::new();
    let mut add = |kept: usize, dropped: usize, inserted: &[u8]| {
        for length in [kept, dropped, inserted.len()] {
            varint::write_u32(u32::try_from(length).ok()?, &mut patch);
        }
        patch.extend_from_slice(inserted);
        Some(())
    };
    let both = rendered.len().min(actual.len());
    let (mut at, mut kept) = (0, 0);
    while at < both {
        let same = rendered[at..both].iter().zip(&actual[at..both]).take_while(|(a, b)| a == b);
        let same = same.count();
        (at, kept) = (at + same, kept + same);
        let length = differing(&rendered[at..both], &actual[at..both]);
        if length > 0 {
            add(kept, length, &actual[at..at + length])?;
            (at, kept) = (at + length, 0);
        }
    }
    if rendered.len() != actual.len() {
        add(kept, rendered.len() - both, &actual[both..])?;
    }
    Some(patch)
}

/// How many bytes differ at the beginning of two sides of equal length. Few that agree between two
/// that differ count as differing, as a place of their own would take more; zeros, which mean
/// nothing, may be many.
fn differing(rendered: &[u8], actual: &[u8]) -> usize {
    let mut length = 0;
    for (at, (a, b)) in rendered.iter().zip(actual).enumerate() {
        if a != b {
            length = at + 1;
        } else if at - length >= ZEROS_MAX || (*a != 0 && at - length >= SAME_MAX) {
            break;
        }
    }
    length
}

/// The numbers of words to drop and to insert until both sides agree again, with the smallest sum.
fn next_agreement(before: &[&[u8]], after: &[&[u8]]) -> (usize, usize) {
    for ahead in 1..=AHEAD_MAX {
        for dropped in 0..=ahead.min(before.len()) {
            let inserted = ahead - dropped;
            if inserted > after.len() {
                continue;
            }
            let (a, b) = (&before[dropped..], &after[inserted..]);
            let agreeing = a.iter().zip(b).take(IN_STEP).take_while(|(a, b)| a == b).count();
            if agreeing == IN_STEP || agreeing == a.len() && agreeing == b.len() {
                return (dropped, inserted);
            }
        }
    }
    // Far apart: keep the words that agree at the end.
    let same = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
    (before.len() - same, after.len() - same)
}

/// Extends `patch`, a patch for `rendered_bytes` bytes, to put bytes before and after its result.
/// `None` if `patch` is invalid, or there are too many bytes.
pub fn surround(
    patch: &[u8],
    rendered_bytes: usize,
    before: &[u8],
    behind: &[u8],
) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(patch.len() + before.len() + behind.len() + 16);
    let mut insert = |kept: usize, bytes: &[u8], patch: &[u8]| {
        for length in [kept, 0, bytes.len()] {
            varint::write_u32(u32::try_from(length).ok()?, &mut out);
        }
        out.extend_from_slice(bytes);
        out.extend_from_slice(patch);
        Some(())
    };
    let mut read = 0;
    let mut places = patch;
    while !places.is_empty() {
        let [kept, dropped, inserted] = read_place(&mut places)?;
        read = kept.checked_add(dropped)?.checked_add(read)?;
        places = places.get(inserted..)?;
    }
    if before.is_empty() && behind.is_empty() {
        return Some(patch.to_vec());
    }
    insert(0, before, patch)?;
    insert(rendered_bytes.checked_sub(read)?, behind, &[])?;
    Some(out)
}

/// Takes the three numbers of a place off the front of a patch.
fn read_place(patch: &mut &[u8]) -> Option<[usize; 3]> {
    let mut numbers = [0; 3];
    for number in &mut numbers {
        let (value, length) = varint::read_u32(patch)?;
        *number = usize::try_from(value).ok()?;
        *patch = patch.get(length..)?;
    }
    Some(numbers)
}

/// Applies a patch. `None` if it does not fit these bytes.
pub fn apply(rendered: &[u8], mut patch: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(rendered.len() + patch.len());
    let mut rest = rendered;
    while !patch.is_empty() {
        let [kept, dropped, inserted] = read_place(&mut patch)?;
        out.extend_from_slice(rest.get(..kept)?);
        rest = rest.get(kept.checked_add(dropped)?..)?;
        out.extend_from_slice(patch.get(..inserted)?);
        patch = &patch[inserted..];
    }
    out.extend_from_slice(rest);
    Some(out)
}

/// Runs of bytes that are not white space, and single bytes of white space.
fn words(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.chunk_by(|a, b| !a.is_ascii_whitespace() && !b.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_come_back() {
        let texts: [&[u8]; 6] =
            [b"", b"1. e4 e5", b"1. e4  e5 1-0\n", b"1.e4 e5", b"x", b"1. e4 e5 2. Nf3 \xff\n"];
        for rendered in texts {
            for actual in texts {
                let patch = make(rendered, actual, usize::MAX).expect("no limit");
                assert_eq!(apply(rendered, &patch).as_deref(), Some(actual));
                assert_eq!(patch.is_empty(), rendered == actual);
                let around = surround(&patch, rendered.len(), b"<p>", b"</p>").expect("a patch");
                let page = [b"<p>", actual, b"</p>"].concat();
                assert_eq!(apply(rendered, &around), Some(page));
            }
        }
        assert_eq!(make(b"abc", b"xyz", 2), None);
    }

    #[test]
    fn one_place_is_enough_in_a_long_word() {
        for (rendered, actual, bytes) in [
            (&b"f5d6c3"[..], &b"f5D6c3"[..], 4),
            (b"aa", b"aaa", 4),
            (b"aaa", b"aa", 3),
            (b"", b"x", 4),
            (b"same", b"same", 0),
            (b"a b c d e f g h i j k", b"A b c d e f g h i j K", 8),
            (b"abcdefghijklmnop", b"Abcdefgh.jklmno!", 12),
            (b"abcdefghijklmnop", b"Abcdefghijklmnop!", 8),
            (b"abcdefgh\0\0\0\0op", b"Abcdefgh.\0\0.op", 11),
        ] {
            let patch = make_short(rendered, actual, usize::MAX).expect("no limit");
            assert_eq!(apply(rendered, &patch).as_deref(), Some(actual));
            assert_eq!(patch.len(), bytes, "{}", String::from_utf8_lossy(actual));
            assert_eq!(make_short(rendered, actual, bytes), Some(patch));
            assert!(bytes == 0 || make_short(rendered, actual, bytes - 1).is_none());
        }
    }

    #[test]
    fn damaged_patches_are_refused() {
        for patch in [&[9][..], &[0, 9, 0], &[0, 0, 9, 1], &[1], &[0x80], &[255; 15]] {
            assert_eq!(apply(b"abc", patch), None, "{patch:?}");
        }
    }
}
