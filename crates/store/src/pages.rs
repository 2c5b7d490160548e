//! Looks at the pages of columns before the Parquet library does, which allocates as many lengths
//! as a page claims to have; when that fails, the process ends.

use std::fs::File;
use std::sync::Arc;

use parquet::basic::{Encoding, Type};
use parquet::column::page::{Page, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

/// Fails if a page of a column chunk has more lengths of byte strings than values.
///
/// # Errors
/// That, or that the pages cannot be read.
pub(crate) fn check(file: &Arc<File>, column: &ColumnChunkMetaData, rows: usize) -> Result<()> {
    if column.column_type() != Type::BYTE_ARRAY {
        return Ok(());
    }
    let mut pages = SerializedPageReader::new(Arc::clone(file), column, rows, None)?;
    while let Some(page) = pages.get_next_page()? {
        if !is_plausible(&page, column).unwrap_or(false) {
            let name = column.column_path();
            let why = format!("a page of column `{name}` is damaged");
            return Err(ParquetError::General(why));
        }
    }
    Ok(())
}

/// Whether a page has no more lengths than values. `None` if it ends too early.
fn is_plausible(page: &Page, column: &ColumnChunkMetaData) -> Option<bool> {
    let lists = match page.encoding() {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
        // Lengths of what is shared with the value before, and of what is not.
        Encoding::DELTA_BYTE_ARRAY => 2,
        _ => return Some(true),
    };
    let mut data = values(page, column)?;
    for _ in 0..lists {
        if skip_lengths(&mut data, u64::from(page.num_values()))?.is_none() {
            return Some(false);
        }
    }
    Some(true)
}

/// What follows the levels of a page.
fn values<'a>(page: &'a Page, column: &ColumnChunkMetaData) -> Option<&'a [u8]> {
    match page {
        Page::DictionaryPage { buf, .. } => Some(buf),
        Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
            let levels = def_levels_byte_len.checked_add(*rep_levels_byte_len)?;
            buf.get(usize::try_from(levels).ok()?..)
        }
        Page::DataPage { buf, num_values, def_level_encoding, rep_level_encoding, .. } => {
            let levels = [
                (column.column_descr().max_rep_level(), rep_level_encoding),
                (column.column_descr().max_def_level(), def_level_encoding),
            ];
            let mut rest: &[u8] = buf;
            for (max, encoding) in levels.into_iter().filter(|(max, _)| *max > 0) {
                let length = match encoding {
                    Encoding::RLE => {
                        let (length, after) = rest.split_first_chunk()?;
                        rest = after;
                        u64::from(u32::from_le_bytes(*length))
                    }
                    // As many bits as the largest level has.
                    _ => {
                        let bits = 16 - u64::from(max.leading_zeros());
                        (u64::from(*num_values) * bits).div_ceil(8)
                    }
                };
                rest = rest.get(usize::try_from(length).ok()?..)?;
            }
            Some(rest)
        }
    }
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
}
