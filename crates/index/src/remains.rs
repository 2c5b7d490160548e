//! Remains: what is left on the board at the end of each game, in at most 64 bits whose meaning the
//! rules define (`plypack_core::Rules::remains`). A pattern search skips games that never came to
//! the pattern, without decoding any.

use crate::checked::{seal, unsealed};
use crate::error::{Error, damaged};
use crate::layout::Layout;

/// The number of games in a block; the last may have fewer.
pub const REMAINS_GAMES: u32 = 4_096;

/// Writes the block of these remains, of at most [`REMAINS_GAMES`] games.
pub fn write_remains(remains: &[u64]) -> Vec<u8> {
    let all = remains.iter().fold(0, |all, one| all | one);
    let width = 8 - all.leading_zeros() / 8;
    let mut block = vec![u8::try_from(width).unwrap_or(8)];
    for one in remains {
        block.extend(one.to_le_bytes().into_iter().take(width as usize));
    }
    seal(&mut block, 0);
    block
}

/// Reads the block with this number, in the range that [`Footer::remains`](crate::Footer::remains)
/// gives, and returns the remains of its games, in order.
///
/// # Errors
/// Returns an error if the block is damaged, or if the index has none with this number.
pub fn read_remains(layout: Layout, number: u32, block: &[u8]) -> Result<Vec<u64>, Error> {
    let first = number.checked_mul(REMAINS_GAMES);
    let games = first.and_then(|first| layout.games().checked_sub(first)).unwrap_or(0);
    let games = usize::try_from(games.min(REMAINS_GAMES)).unwrap_or(0);
    let wrong = "the checksum of a block of remains does not match";
    let (&width, rest) = unsealed(block, wrong)?.split_first().ok_or_else(|| damaged(wrong))?;
    let width = usize::from(width);
    if games == 0 || width > 8 || rest.len() != games * width {
        return Err(damaged("a block of remains is malformed"));
    }
    if width == 0 {
        return Ok(vec![0; games]);
    }
    let one = |bytes: &[u8]| {
        let mut all = [0; 8];
        all.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        u64::from_le_bytes(all)
    };
    Ok(rest.chunks_exact(width).map(one).collect())
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn layout(games: usize) -> Layout {
        Layout::new(1, u32::try_from(games).expect("few"), true)
    }

    #[test]
    fn nothing_takes_no_bytes() {
        let block = write_remains(&[0; 4_096]);
        assert_eq!(block.len(), 1 + 4);
        assert_eq!(read_remains(layout(4_096), 0, &block), Ok(vec![0; 4_096]));
        assert!(read_remains(layout(4_095), 0, &write_remains(&[1; 4_096])).is_err());
        assert_eq!(read_remains(layout(4_097), 1, &write_remains(&[7])), Ok(vec![7]));
        assert!(read_remains(layout(4_096), 1, &write_remains(&[])).is_err());
        assert!(read_remains(layout(1), u32::MAX, &block).is_err());
    }

    #[test]
    fn no_flipped_bit_goes_unseen() {
        let block = write_remains(&[1 << 40, 3]);
        assert_eq!(block.len(), 1 + 2 * 6 + 4);
        for at in 0..block.len() * 8 {
            let mut bad = block.clone();
            bad[at / 8] ^= 1 << (at % 8);
            assert!(read_remains(layout(2), 0, &bad).is_err(), "bit {at}");
        }
    }

    proptest! {
        #[test]
        fn what_is_left_comes_back(remains in vec(any::<u64>(), 1..300), bits in 0u32..=64) {
            let mask = u64::MAX.checked_shr(64 - bits).unwrap_or(0);
            let remains: Vec<u64> = remains.into_iter().map(|one| one & mask).collect();
            let block = write_remains(&remains);
            prop_assert_eq!(block.len(), 5 + remains.len() * width(&remains));
            prop_assert_eq!(read_remains(layout(remains.len()), 0, &block), Ok(remains));
        }

        #[test]
        fn hostile_blocks_give_errors_or_games(mut block: Vec<u8>, games in 1usize..30) {
            block.extend(crc32fast::hash(&block).to_le_bytes());
            if let Ok(remains) = read_remains(layout(games), 0, &block) {
                prop_assert_eq!(remains.len(), games);
            }
        }
    }

    /// The number of bytes that the largest of these needs.
    fn width(remains: &[u64]) -> usize {
        let largest = remains.iter().max().copied().unwrap_or(0);
        8 - (largest.leading_zeros() / 8) as usize
    }
}
