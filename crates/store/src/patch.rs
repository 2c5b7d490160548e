//! What a record's layout does not explain: the few places where its bytes differ from what the
//! layout gives.

use imara_diff::{Algorithm, Diff, InternedInput};
use plypack_bits::varint;

/// The patch that turns `rendered` into `actual`: for each place, how many bytes to keep, how many
/// to drop, how many to insert, as LEB128, and those to insert. What follows the last place is
/// kept. `None` if it would have more than `limit` bytes.
#[must_use]
pub fn make(rendered: &[u8], actual: &[u8], limit: usize) -> Option<Vec<u8>> {
    let mut input = InternedInput::default();
    input.update_before(words(rendered));
    input.update_after(words(actual));
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let lengths = |tokens: &[imara_diff::Token]| -> Vec<usize> {
        let mut at = 0;
        let mut starts = vec![0];
        for token in tokens {
            at += input.interner[*token].len();
            starts.push(at);
        }
        starts
    };
    let (before, after) = (lengths(&input.before), lengths(&input.after));
    let mut patch = Vec::new();
    let mut kept = 0;
    for hunk in diff.hunks() {
        let dropped = before[hunk.before.start as usize]..before[hunk.before.end as usize];
        let inserted = after[hunk.after.start as usize]..after[hunk.after.end as usize];
        for length in [dropped.start - kept, dropped.len(), inserted.len()] {
            varint::write_u32(u32::try_from(length).ok()?, &mut patch);
        }
        patch.extend_from_slice(&actual[inserted]);
        kept = dropped.end;
        if patch.len() > limit {
            return None;
        }
    }
    Some(patch)
}

/// Applies a patch. `None` if it is not one for these bytes.
#[must_use]
pub fn apply(rendered: &[u8], mut patch: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(rendered.len() + patch.len());
    let mut rest = rendered;
    while !patch.is_empty() {
        let mut numbers = [0; 3];
        for number in &mut numbers {
            let (value, length) = varint::read_u32(patch)?;
            *number = usize::try_from(value).ok()?;
            patch = &patch[length..];
        }
        let [kept, dropped, inserted] = numbers;
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
            }
        }
        assert_eq!(make(b"abc", b"xyz", 2), None);
    }

    #[test]
    fn damaged_patches_are_refused() {
        for patch in [&[9][..], &[0, 9, 0], &[0, 0, 9, 1], &[1], &[0x80], &[255; 15]] {
            assert_eq!(apply(b"abc", patch), None, "{patch:?}");
        }
    }
}
