//! Blocks of 160 cells in 32 bytes, laid out for vectors.
//!
//! A packed byte is `ceil(256 q / 243)` of `q = 81a + 27b + 9c + 3d + e`, so `byte / 256` is the
//! fraction 0.abcde in base 3: multiplied by three, it has `a` before the point, and `b` as the
//! first digit after it. `a` is 1 from 86 of 256 on and 2 from 171 on.

use super::CELLS;

/// Number of packed bytes in a block.
pub const BYTES: usize = 32;

/// Number of cells in a block.
pub const BLOCK: usize = CELLS * BYTES;

/// Unpacks whole blocks: `cells` gets 160 for each 32 of `bytes`. The rest of either slice is left
/// alone.
///
/// # Errors
/// Returns the index of the first invalid byte (13 of the 256 values are); the contents of `cells`
/// are then unspecified.
pub fn unpack(bytes: &[u8], cells: &mut [u8]) -> Result<(), usize> {
    #[cfg(target_arch = "x86_64")]
    if let Some(done) = super::avx2::unpack_planar(bytes, cells) {
        return done;
    }
    unpack_safely(bytes, cells)
}

/// Like [`unpack`], without SIMD, on any processor.
///
/// # Errors
/// As [`unpack`].
pub fn unpack_safely(bytes: &[u8], cells: &mut [u8]) -> Result<(), usize> {
    let (blocks, _) = bytes.as_chunks::<BYTES>();
    let (outs, _) = cells.as_chunks_mut::<BLOCK>();
    let mut worst = 0;
    for (block, out) in blocks.iter().zip(outs) {
        let mut rest = *block;
        let (planes, _) = out.as_chunks_mut::<BYTES>();
        for plane in planes {
            for (cell, rest) in plane.iter_mut().zip(&mut rest) {
                *cell = u8::from(*rest >= 86) + u8::from(*rest >= 171);
                *rest = rest.wrapping_mul(3);
            }
        }
        worst = rest.into_iter().fold(worst, u8::max);
    }
    check(worst < REST, bytes)
}

/// The remainder of a packed byte after its five digits is less than this.
pub(crate) const REST: u8 = 243;

/// Returns whether a byte stands for five cells. Rounding up added less than one part in 256, hence
/// less than 243 parts after five digits.
fn is_packed(byte: u8) -> bool {
    byte.wrapping_mul(243) < REST
}

/// Finds the first fault, unless `sound`.
pub(crate) fn check(sound: bool, bytes: &[u8]) -> Result<(), usize> {
    if sound {
        return Ok(());
    }
    bytes.iter().position(|&byte| !is_packed(byte)).map_or(Ok(()), Err)
}

/// Packs whole blocks: `bytes` gets 32 for each 160 of `cells`. The rest of either slice is left
/// alone.
///
/// Cells are 0, 1 or 2; other values give meaningless bytes.
pub fn pack(cells: &[u8], bytes: &mut [u8]) {
    let (blocks, _) = cells.as_chunks::<BLOCK>();
    let (outs, _) = bytes.as_chunks_mut::<BYTES>();
    for (block, out) in blocks.iter().zip(outs) {
        let mut numbers = [0u8; BYTES];
        let (planes, _) = block.as_chunks::<BYTES>();
        for plane in planes {
            for (number, &cell) in numbers.iter_mut().zip(plane) {
                *number = number.wrapping_mul(3).wrapping_add(cell);
            }
        }
        *out = numbers.map(fraction);
    }
}

/// Returns `ceil(256 number / 243)` for a number below 243: `number + ceil(13 number / 243)`.
fn fraction(number: u8) -> u8 {
    let dividend = 13 * u32::from(number) + 242;
    // Exact for all these dividends, as the test below checks.
    let [quotient, ..] = ((dividend * 270) >> 16).to_le_bytes();
    number.wrapping_add(quotient)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fractions_are_rounded_up() {
        for number in 0..243u8 {
            let byte = fraction(number);
            assert_eq!(u32::from(byte), (u32::from(number) * 256).div_ceil(243));
            assert!(is_packed(byte));
        }
        assert_eq!((0..=255).filter(|&byte| is_packed(byte)).count(), 243);
    }

    /// Every byte at every place of the first three blocks.
    #[test]
    fn the_kernel_does_what_its_twin_does() {
        for place in 0..96 {
            for byte in 0..=255 {
                let mut bytes = [fraction(100); 96];
                bytes[place] = byte;
                let (mut safely, mut by_kernel) = ([9; 480], [9; 480]);
                let expected = unpack_safely(&bytes, &mut safely);
                assert_eq!(unpack(&bytes, &mut by_kernel), expected);
                assert_eq!(expected, if is_packed(byte) { Ok(()) } else { Err(place) });
                assert!(expected.is_err() || by_kernel == safely, "{byte} at {place}");
            }
        }
    }

    #[test]
    fn digits_are_those_of_the_number() {
        for number in 0..243 {
            let mut cells = [0; BLOCK];
            assert_eq!(unpack(&[fraction(number); BYTES], &mut cells), Ok(()));
            for m in 0..BYTES {
                let value = (0..CELLS).fold(0, |sum, k| 3 * sum + cells[m + BYTES * k]);
                assert_eq!(value, number);
            }
        }
    }

    #[test]
    fn what_is_left_over_is_left_alone() {
        for (bytes, room) in (0..100).flat_map(|bytes| (0..500).map(move |room| (bytes, room))) {
            let packed = vec![255; bytes];
            let mut cells = vec![7; room];
            assert_eq!(unpack(&packed, &mut cells), Ok(()));
            let whole = (bytes / BYTES).min(room / BLOCK) * BLOCK;
            assert!(cells[..whole].iter().all(|&cell| cell == 2));
            assert!(cells[whole..].iter().all(|&cell| cell == 7));
        }
    }

    proptest! {
        #[test]
        fn cells_come_back(mut cells in prop::collection::vec(0u8..3, 0..2000)) {
            cells.truncate(cells.len() / BLOCK * BLOCK);
            let mut bytes = vec![0; cells.len() / CELLS];
            pack(&cells, &mut bytes);
            let mut back = vec![9; cells.len()];
            prop_assert_eq!(unpack(&bytes, &mut back), Ok(()));
            prop_assert_eq!(&back, &cells);
            prop_assert_eq!(unpack_safely(&bytes, &mut back), Ok(()));
            prop_assert_eq!(back, cells);
        }
    }

    /// Outputs so large that they bypass the caches, at every alignment.
    #[test]
    fn large_outputs_are_the_same() {
        let bytes: Vec<u8> = (0..2_000_000u32).map(|at| fraction((at % 243) as u8)).collect();
        let mut expected = vec![0; 5 * bytes.len()];
        assert_eq!(unpack_safely(&bytes, &mut expected), Ok(()));
        let mut room = vec![7; expected.len() + 64];
        for shift in [0, 1, 31, 32] {
            let cells = &mut room[shift..shift + expected.len()];
            assert_eq!(unpack(&bytes, cells), Ok(()));
            assert!(cells == expected, "{shift}");
        }
    }
}
