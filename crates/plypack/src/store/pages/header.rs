//! Reads and writes page headers, in Thrift's compact protocol, and their checksums.
//!
//! Parquet has a checksum of a page's stored bytes, but none of the header before them, which tells
//! how to read them. So our headers end with one more field, the one that Parquet reserves for
//! extensions: a checksum of the header. Other readers verify the first checksum on request, and
//! skip the second.

use plypack_core::bits::crc16::crc16;

/// The deepest nesting in a page's header.
const NESTING_MAX: u32 = 8;

/// The kind of page, in Parquet's headers, that the library skips.
pub(super) const INDEX_PAGE: u64 = 1;

/// The head byte of a 32-bit number in the next field.
const NEXT_NUMBER: u8 = 0x15;

/// The field number of a page's checksum, and the type of its value.
const CRC: (u64, u8) = (4, 5);

/// The field number that Parquet reserves for extensions, and the type of its value.
const EXTENSION: (u64, u8) = (32_767, 8);

/// The contents of a page's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub kind: u64,
    /// The page's decompressed and stored sizes in bytes.
    pub whole: u64,
    pub stored: u64,
    /// The CRC-32 of the stored bytes.
    crc: Option<u32>,
    /// Whether the header's own checksum is right, if it has one.
    sealed: Option<bool>,
}

impl Header {
    /// Reads a header; `None` if it is invalid or truncated.
    pub fn read(data: &mut &[u8]) -> Option<Self> {
        let start = *data;
        let mut numbers = [0; 3];
        for number in &mut numbers {
            let (&head, rest) = data.split_first()?;
            *data = rest;
            let value = zigzag(varint(data)?);
            *number = u64::try_from(value).ok().filter(|_| head == NEXT_NUMBER)?;
        }
        let [kind, whole, stored] = numbers;
        let mut header = Self { kind, whole, stored, crc: None, sealed: None };
        let mut last = 3;
        loop {
            let before = start.len() - data.len();
            let (&head, rest) = data.split_first()?;
            *data = rest;
            if head == 0 {
                return Some(header);
            }
            let id = match u64::from(head >> 4) {
                0 => u64::try_from(zigzag(varint(data)?)).ok()?,
                more => last + more,
            };
            last = id;
            let kind = head & 15;
            if header.sealed.is_some() {
                // The seal must be the last field.
                header.sealed = Some(false);
            }
            let mut value = *data;
            skip_value(data, kind, 1)?;
            if (id, kind) == CRC {
                header.crc = Some(low_bits(zigzag(varint(&mut value)?)));
            } else if (id, kind) == EXTENSION {
                let length = varint(&mut value)?;
                let check = seal(start.get(..before)?);
                let is_whole = length == check.len() as u64;
                header.sealed = Some(is_whole && value.first_chunk() == Some(&check));
            }
        }
    }

    /// Returns whether the checksums are right; pages of ours must have them.
    pub fn fits(&self, page: &[u8], ours: bool) -> bool {
        let is_page = self.crc.map_or(!ours, |crc| crc == crc32fast::hash(page));
        is_page && self.sealed.unwrap_or(!ours)
    }
}

/// Returns the low 32 bits of a number that was written as signed.
fn low_bits(number: i64) -> u32 {
    let [a, b, c, d, ..] = number.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// The kind of a dictionary page, in Parquet's headers.
pub(super) const DICTIONARY_PAGE: u64 = 2;

/// Returns whether a header is that of a dictionary.
pub(crate) fn is_dictionary(header: &[u8]) -> bool {
    Header::read(&mut &header[..]).is_some_and(|header| header.kind == DICTIONARY_PAGE)
}

/// Adds both checksums to a page header from the Parquet library; `None` if it already has one, or
/// is not a header.
pub(crate) fn sealed(header: &[u8], page: &[u8]) -> Option<Vec<u8>> {
    Header::read(&mut &header[..]).filter(|header| header.crc.is_none())?;
    let mut rest = header;
    for _ in 0..3 {
        rest = rest.split_first()?.1;
        varint(&mut rest)?;
    }
    let (numbers, _) = header.split_at(header.len() - rest.len());
    let (&next, fields) = rest.split_first()?;
    let (&end, fields) = fields.split_last()?;
    // Field numbers are relative: the next field counted from the third, and the checksum, the
    // fourth, comes between.
    let next = next.checked_sub(1 << 4).filter(|next| next >> 4 > 0 && end == 0)?;
    let mut out = numbers.to_vec();
    out.push(NEXT_NUMBER);
    let crc = i64::from(crc32fast::hash(page).cast_signed());
    write_varint((crc << 1 ^ crc >> 63).cast_unsigned(), &mut out);
    out.push(next);
    out.extend(fields);
    let check = seal(&out);
    // The field number is too far from the last to be written as a difference.
    out.push(EXTENSION.1);
    write_varint(EXTENSION.0 << 1, &mut out);
    out.push(check.len().to_le_bytes()[0]);
    out.extend(check);
    out.push(0);
    Some(out)
}

/// Returns the CRC-16 of a header's other fields as three ASCII letters of six bits each: polars
/// cannot skip byte fields that are not text.
fn seal(fields: &[u8]) -> [u8; 3] {
    let check = crc16(fields);
    [check >> 12, check >> 6 & 63, check & 63].map(|bits| b'0' + bits.to_le_bytes()[0])
}

/// The size in bytes of the field of a header's own checksum, with the end marker.
const SEAL_BYTES: usize = 9;

/// Returns a header as the Parquet library writes it, from one with both checksums whose own is
/// right.
fn unsealed(header: &[u8]) -> Option<Vec<u8>> {
    Header::read(&mut &header[..]).filter(|header| header.sealed == Some(true))?;
    let mut rest = header;
    for _ in 0..3 {
        rest = rest.split_first()?.1;
        varint(&mut rest)?;
    }
    let mut out = header.get(..header.len() - rest.len())?.to_vec();
    rest = rest.split_first()?.1;
    varint(&mut rest)?;
    let (&next, fields) = rest.split_first()?;
    out.push(next.checked_add(1 << 4)?);
    out.extend(fields.get(..fields.len().checked_sub(SEAL_BYTES)?)?);
    out.push(0);
    Some(out)
}

/// Returns the pages of a column chunk without their checksums, for callers that verify those of
/// records; `None` if a header is damaged.
pub(super) fn without_checksums(mut chunk: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(chunk.len());
    while !chunk.is_empty() {
        let mut rest = chunk;
        let header = Header::read(&mut rest)?;
        let (own, _) = chunk.split_at(chunk.len() - rest.len());
        out.extend(unsealed(own)?);
        let (page, after) = rest.split_at_checked(usize::try_from(header.stored).ok()?)?;
        out.extend(page);
        chunk = after;
    }
    Some(out)
}

/// Skips the fields of a struct, up to its end.
fn skip_fields(data: &mut &[u8], depth: u32) -> Option<()> {
    loop {
        let (&head, rest) = data.split_first()?;
        *data = rest;
        if head == 0 {
            return Some(());
        }
        if head >> 4 == 0 {
            // The field number, which is too far from the last for the head byte.
            varint(data)?;
        }
        skip_value(data, head & 15, depth)?;
    }
}

/// Skips a value of this Thrift type; headers have no lists and no maps.
fn skip_value(data: &mut &[u8], kind: u8, depth: u32) -> Option<()> {
    match kind {
        // Booleans are in the head byte.
        1 | 2 => {}
        3 => *data = data.get(1..)?,
        4..=6 => _ = varint(data)?,
        7 => *data = data.get(8..)?,
        8 => {
            let length = usize::try_from(varint(data)?).ok()?;
            *data = data.get(length..)?;
        }
        12 if depth < NESTING_MAX => skip_fields(data, depth + 1)?,
        _ => return None,
    }
    Some(())
}

/// Decodes a signed number with its sign in the lowest bit.
pub(super) fn zigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

/// Reads a number of up to ten bytes of seven bits, least significant first.
pub(super) fn varint(data: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for place in 0..10 {
        let (&byte, rest) = data.split_first()?;
        *data = rest;
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn write_varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A data page of four bytes, as the Parquet library writes it, and a dictionary.
    const DATA: &[u8] =
        &[0x15, 0, 0x15, 8, 0x15, 8, 0x2c, 0x15, 2, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0, 1, 2, 3, 4];
    const DICTIONARY: &[u8] =
        &[0x15, 4, 0x15, 4, 0x15, 4, 0x4c, 0x15, 2, 0x15, 0, 0x12, 0, 0, 0xaa, 0xbb];

    #[test]
    fn no_bit_of_a_page_flips_unseen() {
        for (whole, kind, length) in [(DATA, 0, 4), (DICTIONARY, DICTIONARY_PAGE, 2)] {
            let (header, page) = whole.split_at(whole.len() - length);
            let sealed = sealed(header, page).expect("a header");
            assert_eq!(is_dictionary(&sealed), kind == DICTIONARY_PAGE);
            assert!(sealed[sealed.len() - 4..].is_ascii());
            let read = |bytes: &[u8]| {
                let mut rest = bytes;
                let header = Header::read(&mut rest)?;
                let (page, after) = rest.split_at_checked(usize::try_from(header.stored).ok()?)?;
                (after.is_empty() && header.fits(page, true)).then_some(header)
            };
            let bytes = [&sealed[..], page].concat();
            let found = read(&bytes).expect("a page");
            assert_eq!((found.kind, found.stored), (kind, length as u64));
            for bit in 0..bytes.len() * 8 {
                let mut bytes = bytes.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(read(&bytes), None, "bit {bit}");
            }
            assert_eq!(super::sealed(&sealed, page), None);
            assert_eq!(unsealed(&sealed).as_deref(), Some(header));
            assert_eq!(without_checksums(&[&bytes[..], &bytes].concat()), Some(whole.repeat(2)));
            // Pages of other programs need no checksums.
            let found = Header::read(&mut &header[..]).expect("a header");
            assert!(found.fits(page, false) && !found.fits(page, true));
        }
    }
}
