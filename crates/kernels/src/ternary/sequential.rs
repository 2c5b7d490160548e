//! Five consecutive cells to a byte `a + 3b + 9c + 27d + 81e`: the layout of the portable file.

use super::CELLS;

/// Packed bytes are less than this.
pub const VALUES: u8 = 243;

/// The five cells of each packed byte in the low bytes of a number, the first cell lowest. The top
/// byte is not 0 for values that are not packed bytes.
static DIGITS: [u64; 256] = digits();

/// The top byte of a number.
const TOP: u64 = 0xff << 56;

const fn digits() -> [u64; 256] {
    let mut digits = [TOP; 256];
    let mut byte = 0;
    while byte < VALUES as usize {
        let mut rest = byte as u64;
        let mut place = 0;
        digits[byte] = 0;
        while place < CELLS {
            digits[byte] |= (rest % 3) << (8 * place);
            rest /= 3;
            place += 1;
        }
        byte += 1;
    }
    digits
}

/// Unpacks whole bytes: `cells` gets five for each of `bytes`. The rest of either slice is left
/// alone.
///
/// # Errors
/// Returns the index of the first byte above 242; the contents of `cells` are then unspecified.
pub fn unpack(bytes: &[u8], cells: &mut [u8]) -> Result<(), usize> {
    #[cfg(target_arch = "x86_64")]
    if let Some(done) = super::avx2::unpack(bytes, cells) {
        return done;
    }
    unpack_by_table(bytes, cells)
}

/// Like [`unpack`], with a table, on any processor.
///
/// # Errors
/// As [`unpack`].
pub fn unpack_by_table(bytes: &[u8], cells: &mut [u8]) -> Result<(), usize> {
    let whole = bytes.len().min(cells.len() / CELLS);
    let (bytes, cells) = (&bytes[..whole], &mut cells[..CELLS * whole]);
    let (eights, bytes_left) = bytes.as_chunks::<8>();
    let (forties, cells_left) = cells.as_chunks_mut::<40>();
    let mut faults = 0;
    for (eight, forty) in eights.iter().zip(forties) {
        let [a, b, c, d, e, f, g, h] = eight.map(|byte| DIGITS[usize::from(byte)]);
        faults |= a | b | c | d | e | f | g | h;
        let (words, _) = forty.as_chunks_mut::<8>();
        let joined = [
            a | b << 40,
            b >> 24 | c << 16 | d << 56,
            d >> 8 | e << 32,
            e >> 32 | f << 8 | g << 48,
            g >> 16 | h << 24,
        ];
        for (word, joined) in words.iter_mut().zip(joined) {
            *word = joined.to_le_bytes();
        }
    }
    for (&byte, cells) in bytes_left.iter().zip(cells_left.chunks_exact_mut(CELLS)) {
        let digits = DIGITS[usize::from(byte)];
        faults |= digits;
        cells.copy_from_slice(&digits.to_le_bytes()[..CELLS]);
    }
    check(faults & TOP == 0, bytes)
}

/// Finds the first fault, unless `sound`.
pub(crate) fn check(sound: bool, bytes: &[u8]) -> Result<(), usize> {
    if sound {
        return Ok(());
    }
    bytes.iter().position(|&byte| byte >= VALUES).map_or(Ok(()), Err)
}

/// Packs whole bytes: `bytes` gets one for each five of `cells`. The rest of either slice is left
/// alone.
///
/// Cells are 0, 1 or 2; other values give meaningless bytes.
pub fn pack(cells: &[u8], bytes: &mut [u8]) {
    let whole = bytes.len().min(cells.len() / CELLS);
    let (cells, bytes) = (&cells[..CELLS * whole], &mut bytes[..whole]);
    let (forties, cells_left) = cells.as_chunks::<40>();
    let (eights, bytes_left) = bytes.as_chunks_mut::<8>();
    for (forty, eight) in forties.iter().zip(eights) {
        let number =
            |at: usize| forty[at..].first_chunk().map_or(0, |cells| u64::from_le_bytes(*cells));
        *eight = [
            weigh(number(0)),
            weigh(number(5)),
            weigh(number(10)),
            weigh(number(15)),
            weigh(number(20)),
            weigh(number(25)),
            weigh(number(30)),
            weigh(number(32) >> 24),
        ];
    }
    for (cells, byte) in cells_left.chunks_exact(CELLS).zip(bytes_left) {
        let number = cells.iter().rev().fold(0, |number, &cell| number << 8 | u64::from(cell));
        *byte = weigh(number);
    }
}

/// Returns `a + 3b + 9c + 27d + 81e` of the five low bytes, which are less than 3.
const fn weigh(cells: u64) -> u8 {
    // Each byte of the product is a sum below 256, so nothing carries into the next. The fifth byte
    // has the whole sum.
    let product = cells.wrapping_mul(81 | 27 << 8 | 9 << 16 | 3 << 24 | 1 << 32);
    product.to_le_bytes()[4]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_byte_is_its_digits() {
        for byte in 0..=255 {
            let mut cells = [9; 5];
            let unpacked = unpack_by_table(&[byte], &mut cells);
            if byte > 242 {
                assert_eq!(unpacked, Err(0));
                continue;
            }
            assert_eq!(unpacked, Ok(()));
            let [a, b, c, d, e] = cells.map(u32::from);
            assert_eq!(a + 3 * b + 9 * c + 27 * d + 81 * e, byte.into());
            let mut back = [0];
            pack(&cells, &mut back);
            assert_eq!(back, [byte]);
        }
    }

    /// Every byte at every place of a block of the vector kernel, among others.
    #[test]
    fn the_kernel_does_what_the_table_does() {
        for place in 0..70 {
            for byte in 0..=255 {
                let mut bytes: Vec<u8> = (0..103u8).map(|at| at.wrapping_mul(37) % 243).collect();
                bytes[place] = byte;
                let (mut by_table, mut by_kernel) = (vec![9; 515], vec![9; 515]);
                let expected = unpack_by_table(&bytes, &mut by_table);
                assert_eq!(unpack(&bytes, &mut by_kernel), expected);
                assert_eq!(expected.is_ok(), byte < 243);
                if expected.is_ok() {
                    assert_eq!(by_kernel, by_table, "{byte} at {place}");
                }
            }
        }
    }

    #[test]
    fn what_is_left_over_is_left_alone() {
        for (bytes, room) in (0..80).flat_map(|bytes| (0..420).map(move |room| (bytes, room))) {
            let packed = vec![242; bytes];
            let mut cells = vec![7; room];
            assert_eq!(unpack(&packed, &mut cells), Ok(()));
            let whole = bytes.min(room / 5) * 5;
            assert!(cells[..whole].iter().all(|&cell| cell == 2), "{bytes} {room}");
            assert!(cells[whole..].iter().all(|&cell| cell == 7), "{bytes} {room}");
        }
    }

    proptest! {
        #[test]
        fn bytes_come_back(bytes in prop::collection::vec(0u8..243, 0..999)) {
            let mut cells = vec![0; 5 * bytes.len()];
            prop_assert_eq!(unpack(&bytes, &mut cells), Ok(()));
            let mut table = cells.clone();
            prop_assert_eq!(unpack_by_table(&bytes, &mut table), Ok(()));
            prop_assert_eq!(&table, &cells);
            let mut back = vec![0; bytes.len()];
            pack(&cells, &mut back);
            prop_assert_eq!(back, bytes);
        }

        #[test]
        fn the_first_fault_is_named(bytes: Vec<u8>) {
            let mut cells = vec![0; 5 * bytes.len()];
            let fault = bytes.iter().position(|&byte| byte > 242);
            prop_assert_eq!(unpack(&bytes, &mut cells).err(), fault);
            prop_assert_eq!(unpack_by_table(&bytes, &mut cells).err(), fault);
        }
    }

    /// Outputs so large that they bypass the caches, at every alignment.
    #[test]
    fn large_outputs_are_the_same() {
        let bytes: Vec<u8> = (0..2_000_003u32).map(|at| (at % 243) as u8).collect();
        let mut expected = vec![0; 5 * bytes.len()];
        assert_eq!(unpack_by_table(&bytes, &mut expected), Ok(()));
        let mut room = vec![7; expected.len() + 64];
        for shift in [0, 1, 13, 31] {
            let cells = &mut room[shift..shift + expected.len()];
            assert_eq!(unpack(&bytes, cells), Ok(()));
            assert!(cells == expected, "{shift}");
        }
    }
}
