//! What was played before: a table of positions that many games share.
//!
//! Of each position it knows roughly how many games came through it, and of each move that was
//! played there, roughly which share of them played it. Both are features; how far to trust them
//! is learnt.

/// Classes of the number of games that came through a position.
pub const COUNT_CLASSES: usize = 10;

/// Classes of the share of them that played a move; 0 is for moves that nobody played.
pub const SHARE_CLASSES: usize = 12;

/// How many features a game sets aside for its book.
pub const BOOK_FEATURES: usize = COUNT_CLASSES * SHARE_CLASSES;

/// The least numbers of games of the classes but the first.
const COUNTS: [u32; COUNT_CLASSES - 1] = [5, 7, 10, 15, 30, 60, 200, 800, 5000];

/// The least shares, in 1/256, of the classes from the second on.
const SHARES: [u64; SHARE_CLASSES - 2] = [2, 4, 7, 13, 24, 42, 70, 110, 160, 220];

/// The feature of a move that `played` of `games` games chose.
#[must_use]
pub fn feature(played: u32, games: u32) -> usize {
    let count = COUNTS.iter().filter(|&&least| games >= least).count();
    let share = u64::from(played) * 256;
    let reached = SHARES.iter().filter(|&&least| share >= least * u64::from(games)).count();
    count * SHARE_CLASSES + if played == 0 { 0 } else { 1 + reached }
}

/// A book: for each position its features.
///
/// Positions are known by their keys ([`Game::key`](crate::Game::key)), of which the book keeps 40
/// bits: one in some millions of foreign positions is taken for one of the book's, which costs that
/// ply some bits and nothing else.
#[derive(Debug, Default)]
pub struct Book {
    /// The lower 32 of the keys' upper 40 bits, in the order of all 40.
    keys: Vec<u32>,
    /// Where the keys of each bucket begin, and the end of the last: a bucket is all keys that
    /// agree in their upper bits, at least in the eight that `keys` leaves out, and there are so
    /// many that it holds one or two. A search of all keys would wait for memory a dozen times.
    buckets: Vec<u32>,
    /// By how much a key's 40 bits are shifted to come to its bucket.
    shift: u32,
    /// Where each position's entry begins in `entries`.
    starts: Vec<u32>,
    entries: Vec<u8>,
}

/// How many bits of a key the book keeps.
const KEY_BITS: u32 = 40;

/// An entry opens with a byte: the class of its count in the lower four bits, and in the upper
/// four how many moves follow, up to 15. Each move is its index among the candidates, a byte, and
/// the class of its share, half a byte each: of two moves together, the first in the lower half.
impl Book {
    /// Reads a book: the number of positions, 32 bits, little-endian; for each, in the order of
    /// their keys, five bytes of the key's upper bits, most significant first, and its entry.
    /// `None` if the bytes end early, or too late, or the keys do not ascend.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let (count, mut rest) = bytes.split_first_chunk::<4>()?;
        let count = u32::from_le_bytes(*count) as usize;
        if count > rest.len() / (KEY_BITS as usize / 8 + entry_length(0)) {
            return None;
        }
        // As many buckets as the greatest power of two that is not above the number of keys.
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
            let place = u32::try_from(book.keys.len()).ok()?;
            book.buckets.resize(book.bucket(key)? + 1, place);
            book.keys.push(lower(key));
            book.starts.push(u32::try_from(book.entries.len()).ok()?);
            book.entries.extend_from_slice(entry);
            rest = after;
        }
        let end = u32::try_from(book.keys.len()).ok()?;
        book.buckets.resize((1 << bits) + 1, end);
        (book.keys.len() == count).then_some(book)
    }

    /// The bucket of the upper 40 bits of a key.
    fn bucket(&self, key: u64) -> Option<usize> {
        usize::try_from(key >> self.shift).ok()
    }

    /// The place of the upper 40 bits of a key among the keys.
    fn place(&self, key: u64) -> Option<usize> {
        let bucket = self.bucket(key)?;
        let (first, end) = (*self.buckets.get(bucket)?, *self.buckets.get(bucket + 1)?);
        let keys = self.keys.get(first as usize..end as usize)?;
        Some(first as usize + keys.iter().position(|&other| other == lower(key))?)
    }

    /// Fills `known`, which is empty, with the index and the feature of each candidate that was
    /// played, by ascending index, and returns the feature of the others; `None` if the position is
    /// not in the book.
    pub fn look(&self, key: u64, candidates: usize, known: &mut Vec<(u16, u16)>) -> Option<u16> {
        let place = self.place(key >> (64 - KEY_BITS))?;
        let entry = self.entries.get(*self.starts.get(place)? as usize..)?;
        let (&head, moves) = entry.split_first()?;
        let unplayed = u16::from(head & 15) * u16::try_from(SHARE_CLASSES).ok()?;
        let count = usize::from(head >> 4);
        for at in 0..count {
            let index = *moves.get(at)?;
            let shares = *moves.get(count + at / 2)?;
            let share = if at % 2 == 0 { shares & 15 } else { shares >> 4 };
            if usize::from(index) < candidates && usize::from(share) < SHARE_CLASSES {
                known.push((index.into(), unplayed + u16::from(share)));
            }
        }
        known.sort_unstable();
        Some(unplayed)
    }
}

/// The lower 32 bits of a key.
#[expect(clippy::cast_possible_truncation, reason = "the bucket tells the other bits")]
const fn lower(key: u64) -> u32 {
    key as u32
}

/// The length of an entry in bytes.
fn entry_length(moves: usize) -> usize {
    1 + moves + moves.div_ceil(2)
}

/// One position for a book: its key, how many games came through, and for each move the index of
/// its candidate and how many games chose it.
#[derive(Clone, Debug)]
pub struct Page {
    /// The key.
    pub key: u64,
    /// How many games came through.
    pub games: u32,
    /// The moves. Of more than 15, those chosen most are kept; candidates beyond the 256th are not.
    pub moves: Vec<(u32, u32)>,
}

/// The bytes of a book, as [`Book::read`] takes them.
#[must_use]
pub fn write(mut pages: Vec<Page>) -> Vec<u8> {
    pages.sort_by_key(|page| page.key >> (64 - KEY_BITS));
    pages.dedup_by_key(|page| page.key >> (64 - KEY_BITS));
    let mut bytes = u32::try_from(pages.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    for page in pages {
        bytes.extend_from_slice(&page.key.to_be_bytes()[..5]);
        let mut moves: Vec<(u8, u32)> = page
            .moves
            .iter()
            .filter_map(|&(index, played)| Some((u8::try_from(index).ok()?, played)))
            .collect();
        moves.sort_by_key(|&(index, played)| (std::cmp::Reverse(played), index));
        moves.truncate(15);
        let half = |&(_, played): &(u8, u32)| {
            u8::try_from(feature(played, page.games) % SHARE_CLASSES).unwrap_or(0)
        };
        let class = feature(0, page.games) / SHARE_CLASSES;
        bytes.push(u8::try_from(moves.len() << 4 | class).unwrap_or(0));
        bytes.extend(moves.iter().map(|&(index, _)| index));
        bytes.extend(
            moves
                .chunks(2)
                .map(|pair| half(&pair[0]) | pair.get(1).map_or(0, |second| half(second) << 4)),
        );
    }
    bytes
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
        let page = |key: u64, moves: &[(u32, u32)]| Page { key, games: 10, moves: moves.to_vec() };
        let pages = vec![page(u64::MAX, &[(7, 5), (300, 1), (2, 4)]), page(1 << 40, &[(0, 10)])];
        let bytes = write(pages);
        let book = Book::read(&bytes).expect("a book");
        let class = 3 * SHARE_CLASSES;
        let of =
            |played| u16::try_from(class + feature(played, 10) % SHARE_CLASSES).expect("small");
        let mut known = Vec::new();
        assert_eq!(book.look(u64::MAX, 9, &mut known), Some(36));
        assert_eq!(known, [(2, of(4)), (7, of(5))]);
        known.clear();
        assert_eq!(book.look(2 << 40, 9, &mut known), None);
        // A key that is in the book by chance: indices beyond the candidates are passed over.
        book.look(u64::MAX, 5, &mut known);
        assert_eq!(known, [(2, of(4))]);
        for end in 0..bytes.len() {
            assert!(Book::read(&bytes[..end]).is_none(), "{end} bytes");
        }
    }
}
