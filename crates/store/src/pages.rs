//! Looks at the pages of columns before the Parquet library does, which allocates as many lengths
//! as a page claims to have, and copies what byte strings share with those before them; when that
//! fails, the process ends.

use std::sync::Arc;

use parquet::arrow::push_decoder::PushBuffers;
use parquet::basic::{Encoding, Type};
use parquet::column::page::{Page, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::reader::ChunkReader;
use parquet::file::serialized_reader::SerializedPageReader;

/// The most bytes that the strings of a column chunk have together where each shares its beginning
/// with the one before: a few bytes of a page may mean any number of them.
const SHARED_BYTES_MAX: u64 = 256 << 20;

/// The most such strings in a page.
const SHARED_STRINGS_MAX: u32 = 1 << 24;

/// Fails if the pages of a column chunk that were fetched have more values than the chunk, a page
/// has more lengths of byte strings than values, or strings that are together too long. `pages` are
/// all of the chunk, if the file has an index of them; without it all must have been fetched.
///
/// # Errors
/// That, or that the pages cannot be read.
pub(crate) fn check(
    fetched: &Arc<PushBuffers>,
    column: &ColumnChunkMetaData,
    rows: usize,
    pages: Option<&[PageLocation]>,
) -> Result<()> {
    let locations = pages.map(<[PageLocation]>::to_vec);
    let mut reader = SerializedPageReader::new(Arc::clone(fetched), column, rows, locations)?;
    let has_dictionary = pages.and_then(<[PageLocation]>::first).is_some_and(|first| {
        u64::try_from(first.offset).is_ok_and(|offset| offset != column.byte_range().0)
    });
    let mut left = SHARED_BYTES_MAX;
    let mut values = u64::try_from(column.num_values()).unwrap_or(0);
    let mut check = |page: &Page| match length(page, column, &mut values) {
        Some(length) if length <= left => {
            left -= length;
            Ok(())
        }
        _ => {
            let name = column.column_path();
            Err(ParquetError::General(format!("a page of column `{name}` is damaged")))
        }
    };
    let Some(pages) = pages else {
        while let Some(page) = reader.get_next_page()? {
            check(&page)?;
        }
        return Ok(());
    };
    if has_dictionary && let Some(page) = reader.get_next_page()? {
        check(&page)?;
    }
    for location in pages {
        let place = u64::try_from(location.offset).ok();
        let place = place.zip(usize::try_from(location.compressed_page_size).ok());
        if place.is_some_and(|(start, length)| fetched.get_bytes(start, length).is_ok()) {
            if let Some(page) = reader.get_next_page()? {
                check(&page)?;
            }
        } else {
            reader.skip_next_page()?;
        }
    }
    Ok(())
}

/// How many bytes the strings of a page have together, if they share beginnings; else 0. `None` if
/// the page ends too early, has more lengths than values, or more values than are left in the
/// chunk.
fn length(page: &Page, column: &ColumnChunkMetaData, left: &mut u64) -> Option<u64> {
    let mut data = values(page, column)?;
    if !page.is_dictionary_page() {
        *left = left.checked_sub(page.num_values().into())?;
    }
    if column.column_type() != Type::BYTE_ARRAY {
        return Some(0);
    }
    match page.encoding() {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => {
            skip_lengths(&mut data, u64::from(page.num_values()))??;
            Some(0)
        }
        Encoding::DELTA_BYTE_ARRAY if page.num_values() <= SHARED_STRINGS_MAX => {
            let most = u64::from(page.num_values());
            // Lengths of what is shared with the value before, and of what is not.
            let shared = sum_lengths(&mut data, most)?;
            shared.checked_add(sum_lengths(&mut data, most)?)
        }
        Encoding::DELTA_BYTE_ARRAY => None,
        _ => Some(0),
    }
}

/// What follows the levels of a page. `None` if they are fewer than its values: the library would
/// look for the others for ever.
fn values<'a>(page: &'a Page, column: &ColumnChunkMetaData) -> Option<&'a [u8]> {
    let descriptor = column.column_descr();
    let bits = |max: i16| 16 - max.leading_zeros();
    let (rep_bits, def_bits) = (bits(descriptor.max_rep_level()), bits(descriptor.max_def_level()));
    let count = u64::from(page.num_values());
    match page {
        Page::DictionaryPage { buf, .. } => Some(buf),
        Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
            let rep_bytes = usize::try_from(*rep_levels_byte_len).ok()?;
            let (rep, rest) = buf.split_at_checked(rep_bytes)?;
            let (def, rest) = rest.split_at_checked(usize::try_from(*def_levels_byte_len).ok()?)?;
            let whole = |data, bits| bits == 0 || holds(data, bits, count);
            (whole(rep, rep_bits) && whole(def, def_bits)).then_some(rest)
        }
        Page::DataPage { buf, def_level_encoding, rep_level_encoding, .. } => {
            let levels = [(rep_bits, rep_level_encoding), (def_bits, def_level_encoding)];
            let mut rest: &[u8] = buf;
            for (bits, encoding) in levels.into_iter().filter(|(bits, _)| *bits > 0) {
                let data;
                if *encoding == Encoding::RLE {
                    let (length, after) = rest.split_first_chunk()?;
                    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
                    (data, rest) = after.split_at_checked(length)?;
                    holds(data, bits, count).then_some(())?;
                } else {
                    let length = count.checked_mul(bits.into())?.div_ceil(8);
                    rest = rest.get(usize::try_from(length).ok()?..)?;
                }
            }
            Some(rest)
        }
    }
}

/// Whether runs of levels, of so many bits each, are at least so many levels.
fn holds(mut data: &[u8], bits: u32, mut count: u64) -> bool {
    while count > 0 {
        let Some(head) = varint(&mut data) else { return false };
        let (length, is_packed) = (head >> 1, head & 1 == 1);
        let (levels, bytes) = if is_packed {
            // Groups of eight, of which the last may be cut off.
            let there = (data.len() as u64).saturating_mul(8) / u64::from(bits);
            (length.saturating_mul(8).min(there), length.saturating_mul(bits.into()))
        } else {
            (length, u64::from(bits.div_ceil(8)))
        };
        if !is_packed && bytes > data.len() as u64 {
            return false;
        }
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX).min(data.len());
        data = &data[bytes..];
        count = count.saturating_sub(levels);
    }
    true
}

/// Skips numbers in Parquet's encoding DELTA_BINARY_PACKED. `Some(None)` if there are more than
/// `most`, `None` if the data end too early.
fn skip_lengths(data: &mut &[u8], most: u64) -> Option<Option<()>> {
    let (block, minis, count) = (varint(data)?, varint(data)?, varint(data)?);
    let _first = varint(data)?;
    if count > most {
        return Some(None);
    }
    let in_mini = block.checked_div(minis).filter(|&size| size > 0)?;
    let mut left = count.saturating_sub(1);
    while left > 0 {
        let _least = varint(data)?;
        let (widths, after) = data.split_at_checked(usize::try_from(minis).ok()?)?;
        *data = after;
        for &width in widths {
            if left > 0 {
                let bytes = in_mini.checked_mul(width.into())? / 8;
                *data = data.get(usize::try_from(bytes).ok()?..).unwrap_or_default();
                left = left.saturating_sub(in_mini);
            }
        }
    }
    Some(Some(()))
}

/// The sum of numbers in Parquet's encoding DELTA_BINARY_PACKED. `None` if there are more than
/// `most`, one is negative, or the data end too early.
fn sum_lengths(data: &mut &[u8], most: u64) -> Option<u64> {
    let (block, minis, count) = (varint(data)?, varint(data)?, varint(data)?);
    let mut number = zigzag(varint(data)?);
    if count > most {
        return None;
    }
    let in_mini = block.checked_div(minis).filter(|&size| size > 0)?;
    let mut left = count.saturating_sub(1);
    let mut sum = if count > 0 { u64::try_from(number).ok()? } else { 0 };
    while left > 0 {
        let least = zigzag(varint(data)?);
        let (widths, after) = data.split_at_checked(usize::try_from(minis).ok()?)?;
        *data = after;
        for &width in widths {
            if left > 0 {
                let bytes = usize::try_from(in_mini.checked_mul(width.into())? / 8).ok()?;
                let (packed, after) = data.split_at(bytes.min(data.len()));
                *data = after;
                for place in 0..left.min(in_mini) {
                    let step = unpack(packed, place, width)?;
                    number = number.checked_add(least)?.checked_add(step)?;
                    sum = sum.checked_add(u64::try_from(number).ok()?)?;
                }
                left = left.saturating_sub(in_mini);
            }
        }
    }
    Some(sum)
}

/// The number at a place in numbers of `width` bits, the least significant first.
fn unpack(packed: &[u8], place: u64, width: u8) -> Option<i64> {
    let start = place.checked_mul(width.into())?;
    let mut number = 0;
    for bit in 0..u64::from(width) {
        let at = start.checked_add(bit)?;
        let byte = packed.get(usize::try_from(at / 8).ok()?)?;
        number |= i64::from(byte >> (at % 8) & 1).checked_shl(u32::try_from(bit).ok()?)?;
    }
    Some(number)
}

/// A signed number that is written with its sign in the lowest bit.
fn zigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

/// A number of up to ten bytes of seven bits, the least significant first.
fn varint(data: &mut &[u8]) -> Option<u64> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_skipped_or_refused() {
        // Blocks of 128 in 4 parts; 3 numbers: 5, then two of 1 bit more than the least, 0.
        let lengths = [0x80, 1, 4, 3, 10, 0, 1, 0, 0, 0, 1, 0, 0, 0, b'x'];
        let mut data = &lengths[..];
        assert_eq!(skip_lengths(&mut data, 3), Some(Some(())));
        assert_eq!(data, b"x");
        assert_eq!(skip_lengths(&mut &lengths[..], 2), Some(None));
        for end in 0..10 {
            assert_eq!(skip_lengths(&mut &lengths[..end], 3), None, "{end}");
        }
        let none = [0x80, 1, 4, 0, 0];
        assert_eq!(skip_lengths(&mut &none[..], 0), Some(Some(())));
        let many = [0x80, 1, 4, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0];
        assert_eq!(skip_lengths(&mut &many[..], 1 << 32), Some(None));
    }

    #[test]
    fn levels_are_counted() {
        // Five of one kind, then a group of eight of a bit each.
        let levels = [10, 1, 3, 0xa5];
        for (count, whole) in [(0, true), (5, true), (13, true), (14, false)] {
            assert_eq!(holds(&levels, 1, count), whole, "{count}");
        }
        assert!(!holds(&levels[..1], 1, 1) && !holds(&levels[..3], 1, 6) && !holds(&[], 1, 1));
        // Runs of none lead nowhere, and a group that is cut off counts as far as it is there.
        assert!(!holds(&[0, 1, 0, 1], 1, 1) && holds(&[5, 0xff], 4, 2) && !holds(&[5, 0xff], 4, 3));
    }

    #[test]
    fn lengths_are_added_up() {
        // 5, then two of 1 bit more than the least, 0: 6, 6.
        let lengths = [0x80, 1, 4, 3, 10, 0, 1, 0, 0, 0, 1, 0, 0, 0, b'x'];
        let mut data = &lengths[..];
        assert_eq!(sum_lengths(&mut data, 3), Some(5 + 6 + 6));
        assert_eq!(data, b"x");
        assert_eq!(sum_lengths(&mut &lengths[..], 2), None);
        for end in 0..10 {
            assert_eq!(sum_lengths(&mut &lengths[..end], 3), None, "{end}");
        }
        // A thousand strings of a million bytes in a few bytes.
        let many = [0x80, 8, 1, 0xe8, 7, 0x80, 0x89, 0x7a, 0, 0];
        assert_eq!(sum_lengths(&mut &many[..], 1000), Some(1_000_000_000));
        let negative = [0x80, 1, 4, 1, 1];
        assert_eq!(sum_lengths(&mut &negative[..], 1), None);
    }
}
