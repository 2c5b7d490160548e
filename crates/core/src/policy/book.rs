//! The opening book: a table of positions that many games share.
//!
//! For each position it stores approximately how many games reached it, and for each move played
//! there the approximate share of them that played it. Both are features; training learns how far
//! to trust them.

use crate::table::Head;

/// Classes of the number of games that reached a position.
pub const COUNT_CLASSES: usize = 10;

/// Classes of the share of them that played a move; 0 is for unplayed moves.
pub const SHARE_CLASSES: usize = 12;

/// Number of features that a game reserves for its book.
pub const BOOK_FEATURES: usize = COUNT_CLASSES * SHARE_CLASSES;

/// The lower bounds of the classes of numbers of games, from the second on.
const COUNTS: [u32; COUNT_CLASSES - 1] = [5, 7, 10, 15, 30, 60, 200, 800, 5000];

/// The lower bounds of the classes of shares, in 1/256, from the second on.
const SHARES: [u64; SHARE_CLASSES - 2] = [2, 4, 7, 13, 24, 42, 70, 110, 160, 220];

/// Returns the feature of a move that `played` of `games` games chose.
pub fn feature(played: u32, games: u32) -> usize {
    let count = COUNTS.iter().filter(|&&least| games >= least).count();
    let share = u64::from(played) * 256;
    let reached = SHARES.iter().filter(|&&least| share >= least * u64::from(games)).count();
    count * SHARE_CLASSES + if played == 0 { 0 } else { 1 + reached }
}

/// A book: the features of each position.
///
/// Positions are identified by 40 bits of their keys ([`Rules::key`](crate::Rules::key)). One in
/// some millions of other positions is mistaken for one in the book, which costs that ply a few
/// bits and nothing else.
#[derive(Debug, Default)]
pub struct Book {
    /// By position, in the order of the keys' upper 40 bits: the lower 32 of these, and the offset
    /// of the position's entry in `entries`.
    places: Vec<(u32, u32)>,
    /// The first key of each bucket, and the end of the last. A bucket is all keys with the same
    /// upper bits, at least the eight that `places` leaves out; there are enough buckets for one or
    /// two keys in each. A binary search would wait for memory a dozen times.
    buckets: Vec<u32>,
    /// The right shift from a key's 40 bits to its bucket.
    shift: u32,
    entries: Vec<u8>,
}

/// Number of bits of a key that the book stores.
const KEY_BITS: u32 = 40;

/// An entry begins with a byte: the class of its count in the lower four bits, and the number of
/// moves, up to 15, in the upper four. Each move is its index among the candidates, in one byte.
/// Then come the classes of their shares, half a byte each, the first of each two in the lower
/// half.
impl Book {
    /// Reads a book: its header; the number of positions, 32 bits, little-endian; for each, in the
    /// order of their keys, five bytes of the key's upper bits, most significant first, and its
    /// entry. Returns `None` if it has another header, if the
    /// bytes are too few or too many, or if the keys do not ascend.
    pub fn read(file: &[u8]) -> Option<Self> {
        let (count, mut rest) = Head::BOOK.body(file)?.split_first_chunk::<4>()?;
        let count = u32::from_le_bytes(*count) as usize;
        if count > rest.len() / (KEY_BITS as usize / 8 + entry_length(0)) {
            return None;
        }
        // The number of buckets is the greatest power of two up to the number of keys.
        let bits = count.max(1).ilog2().clamp(KEY_BITS - u32::BITS, KEY_BITS);
        let mut book = Self { shift: KEY_BITS - bits, ..Self::default() };
        let mut last = None;
        while !rest.is_empty() {
            let (key, after) = rest.split_first_chunk::<5>()?;
            let key = key.iter().fold(0, |key, &byte| key << 8 | u64::from(byte));
            if last.is_some_and(|last| last >= key) {
                return None;
            }
            last = Some(key);
            let moves = usize::from(after.first()? >> 4);
            let (entry, after) = after.split_at_checked(entry_length(moves))?;
            let place = u32::try_from(book.places.len()).ok()?;
            book.buckets.resize(book.bucket(key)? + 1, place);
            book.places.push((lower(key), u32::try_from(book.entries.len()).ok()?));
            book.entries.extend_from_slice(entry);
            rest = after;
        }
        let end = u32::try_from(book.places.len()).ok()?;
        book.buckets.resize((1 << bits) + 1, end);
        (book.places.len() == count).then_some(book)
    }

    /// Returns the bucket of the upper 40 bits of a key.
    fn bucket(&self, key: u64) -> Option<usize> {
        usize::try_from(key >> self.shift).ok()
    }

    /// Returns the offset of the entry for the upper 40 bits of a key.
    fn start(&self, key: u64) -> Option<usize> {
        let bucket = self.bucket(key)?;
        let (first, end) = (*self.buckets.get(bucket)?, *self.buckets.get(bucket + 1)?);
        let places = self.places.get(first as usize..end as usize)?;
        places.iter().find(|&&(other, _)| other == lower(key)).map(|&(_, start)| start as usize)
    }

    /// Fills `known`, which is empty, with the index and the feature of each candidate that was
    /// played, by ascending index, and returns the feature of the others. Returns `None` if the
    /// position is not in the book.
    pub fn look(&self, key: u64, candidates: usize, known: &mut Vec<(u16, u16)>) -> Option<u16> {
        let entry = self.entries.get(self.start(key >> (64 - KEY_BITS))?..)?;
        let (&head, moves) = entry.split_first()?;
        let unplayed = u16::from(head & 15) * u16::try_from(SHARE_CLASSES).ok()?;
        let count = usize::from(head >> 4);
        let (indices, shares) = moves.split_at_checked(count)?;
        for at in 0..count {
            let index = u16::from(*indices.get(at)?);
            let shares = *shares.get(at / 2)?;
            let share = if at % 2 == 0 { shares & 15 } else { shares >> 4 };
            if usize::from(index) < candidates && usize::from(share) < SHARE_CLASSES {
                known.push((index, unplayed + u16::from(share)));
            }
        }
        known.sort_unstable();
        Some(unplayed)
    }
}

/// Returns the lower 32 bits of a key.
#[expect(clippy::cast_possible_truncation, reason = "the bucket implies the other bits")]
const fn lower(key: u64) -> u32 {
    key as u32
}

/// Returns the length of an entry in bytes.
fn entry_length(moves: usize) -> usize {
    1 + moves + moves.div_ceil(2)
}

/// A position for a book.
#[derive(Clone, Debug)]
pub struct Page {
    /// The key.
    pub key: u64,
    /// Number of games that reached it.
    pub games: u32,
    /// The moves: the index of the candidate, and the number of games that chose it. Of more than
    /// 15, the most frequent are kept.
    pub moves: Vec<(u8, u32)>,
}

/// Returns the file of a book for [`Book::read`].
pub fn write(mut pages: Vec<Page>) -> Vec<u8> {
    pages.sort_by_key(|page| page.key >> (64 - KEY_BITS));
    pages.dedup_by_key(|page| page.key >> (64 - KEY_BITS));
    for page in &mut pages {
        page.moves.sort_by_key(|&(index, played)| (std::cmp::Reverse(played), index));
        page.moves.truncate(15);
    }
    let mut bytes = u32::try_from(pages.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    for page in pages {
        bytes.extend_from_slice(&page.key.to_be_bytes()[..5]);
        let half = |&(_, played): &(u8, u32)| {
            u8::try_from(feature(played, page.games) % SHARE_CLASSES).unwrap_or(0)
        };
        let class = feature(0, page.games) / SHARE_CLASSES;
        bytes.push(u8::try_from(page.moves.len() << 4 | class).unwrap_or(0));
        bytes.extend(page.moves.iter().map(|&(index, _)| index));
        bytes.extend(
            page.moves
                .chunks(2)
                .map(|pair| half(&pair[0]) | pair.get(1).map_or(0, |second| half(second) << 4)),
        );
    }
    Head::BOOK.file(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::mix;

    #[test]
    fn features_by_count_and_share() {
        assert_eq!(feature(0, 1), 0);
        assert_eq!(feature(3, 3), 11);
        assert_eq!(feature(1, 10_000), 9 * SHARE_CLASSES + 1);
        assert_eq!(feature(0, 6), SHARE_CLASSES);
        assert!((1..=100).all(|played| feature(played, 100) < BOOK_FEATURES));
    }

    #[test]
    fn every_position_is_found() {
        let keys: Vec<u64> = (0..1000).map(mix).chain([0, u64::MAX]).collect();
        let page = |&key: &u64| Page { key, games: 10, moves: vec![(0, 10)] };
        let book = Book::read(&write(keys.iter().map(page).collect())).expect("a book");
        let finds = |book: &Book, key| book.look(key, 1, &mut Vec::new()).is_some();
        assert!(keys.iter().all(|&key| finds(&book, key)));
        assert!(!(1000..2000).map(mix).any(|key| finds(&book, key)));
        let empty = Book::read(&write(Vec::new())).expect("a book");
        for key in [0, u64::MAX] {
            assert!(!finds(&empty, key) && !finds(&Book::default(), key));
        }
    }

    #[test]
    fn a_book_is_read_back() {
        let page = |key: u64, moves: &[(u8, u32)]| Page { key, games: 10, moves: moves.to_vec() };
        let pages = vec![page(u64::MAX, &[(7, 5), (2, 4)]), page(1 << 40, &[(0, 10)])];
        let bytes = write(pages);
        assert_eq!(bytes.len(), Head::BYTES + 4 + 2 * 6 + 3 + 2);
        let book = Book::read(&bytes).expect("a book");
        let class = 3 * SHARE_CLASSES;
        let of =
            |played| u16::try_from(class + feature(played, 10) % SHARE_CLASSES).expect("small");
        let mut known = Vec::new();
        assert_eq!(book.look(u64::MAX, 9, &mut known), Some(36));
        assert_eq!(known, [(2, of(4)), (7, of(5))]);
        known.clear();
        assert_eq!(book.look(2 << 40, 9, &mut known), None);
        // A key that is in the book by chance: indices beyond the candidates are ignored.
        book.look(u64::MAX, 5, &mut known);
        assert_eq!(known, [(2, of(4))]);
        for end in 0..bytes.len() {
            assert!(Book::read(&bytes[..end]).is_none(), "{end} bytes");
        }
    }
}
