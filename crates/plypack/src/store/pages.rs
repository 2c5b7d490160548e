//! Checks the pages of columns before the Parquet library decodes them: it allocates as many
//! lengths as a page claims to have, and copies the bytes that strings share with those before
//! them; when allocation fails, the process aborts.
//!
//! The checksums of pages are verified first (`header.rs`); our pages must have them.
//!
//! Pages are decompressed one by one, on demand, with one context per thread: a record has some 40
//! columns, and creating a context for each, as the library does, takes longer than decompressing
//! most pages.

mod header;
pub(crate) mod stream;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{Cursor, Read, Write};
use std::sync::Arc;

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::arrow::push_decoder::PushBuffers;
use parquet::basic::{Compression, Encoding, Type};
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::reader::ChunkReader;
use parquet::file::serialized_reader::SerializedPageReader;
use zstd::bulk::Decompressor;

use header::{Header, INDEX_PAGE, varint, without_checksums, zigzag};
pub(crate) use header::{is_dictionary, sealed};

/// The most bytes of all strings of a column chunk that share their beginnings with the string
/// before: a few bytes of a page may stand for any number of them.
const SHARED_BYTES_MAX: u64 = 256 << 20;

/// The most such strings in a page.
const SHARED_STRINGS_MAX: u32 = 1 << 24;

/// The most bytes in a decompressed page; common tools stop at 100 MB.
const PAGE_BYTES_MAX: u64 = 256 << 20;

/// What guards pages against damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// The pages are ours, and have checksums.
    Pages,
    /// The pages are ours, but the caller verifies the checksums of records, so the undamaged
    /// records of a damaged page can be read.
    Records,
    /// Another program wrote the pages, perhaps with checksums.
    Others,
}

/// The fetched pages of a column chunk, for the Parquet library. Returns an error if they have more
/// values than the chunk, a page has more string lengths than values, or the strings are too long
/// in total.
pub(crate) struct Pages {
    /// Reads page headers, and decompresses pages unless we do.
    reader: SerializedPageReader<PushBuffers>,
    column: ColumnChunkMetaData,
    /// The decompressed sizes of the remaining pages, if we decompress them; `None` for a page that
    /// was not fetched.
    sizes: Option<VecDeque<Option<usize>>>,
    /// How many values the chunk still has.
    values: u64,
    /// How many bytes of strings with shared beginnings are still allowed.
    shared_bytes: u64,
}

impl Pages {
    /// Makes the pages of a column chunk with this many rows. `pages` are all pages of the chunk,
    /// if the file has a page index; otherwise all must have been fetched.
    ///
    /// # Errors
    /// Returns an error if a checksum is wrong or missing, a page claims a larger size than its
    /// bytes can decompress to, or they cannot be read.
    pub fn new(
        fetched: Arc<PushBuffers>,
        column: &ColumnChunkMetaData,
        rows: usize,
        pages: Option<&[PageLocation]>,
        trust: Trust,
    ) -> Result<Self> {
        let ours = trust != Trust::Others;
        let sizes = match check_sizes(&fetched, column, pages, ours) {
            Err(error) if trust == Trust::Records && pages.is_none() => {
                let (fetched, column) = stripped(&fetched, column).map_err(|_| error)?;
                return Self::new(fetched, &column, rows, None, Trust::Others);
            }
            sizes => sizes?,
        };
        let (mut column, locations) = (column.clone(), pages.map(<[PageLocation]>::to_vec));
        let ours = matches!(column.compression(), Compression::ZSTD(_));
        let sizes = sizes.filter(|_| ours);
        if sizes.is_some() {
            let uncompressed = column.into_builder().set_compression(Compression::UNCOMPRESSED);
            column = uncompressed.build()?;
        }
        let reader = SerializedPageReader::new(fetched, &column, rows, locations)?;
        let values = u64::try_from(column.num_values()).unwrap_or(0);
        Ok(Self { reader, column, sizes, values, shared_bytes: SHARED_BYTES_MAX })
    }

    /// Decompresses a page, if the library does not, and checks it.
    fn open(&mut self, mut page: Page) -> Result<Page> {
        if let Some(sizes) = &mut self.sizes {
            let size = sizes.pop_front().flatten().ok_or_else(|| damaged(&self.column))?;
            decompress(&mut page, size).map_err(|_| damaged(&self.column))?;
        }
        match length(&page, &self.column, &mut self.values) {
            Some(length) if length <= self.shared_bytes => {
                self.shared_bytes -= length;
                Ok(page)
            }
            _ => Err(damaged(&self.column)),
        }
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.reader.get_next_page()?;
        page.map(|page| self.open(page)).transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.reader.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        _ = self.sizes.as_mut().and_then(VecDeque::pop_front);
        self.reader.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.reader.at_record_boundary()
    }
}

/// The pages of one column chunk, as an iterator over several chunks.
pub(crate) struct Once<P>(Option<P>);

impl<P> Once<P> {
    /// Wraps these pages.
    pub fn new(pages: P) -> Self {
        Self(Some(pages))
    }
}

impl<P: PageReader + 'static> Iterator for Once<P> {
    type Item = Result<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(Ok(Box::new(self.0.take()?)))
    }
}

impl<P: PageReader + 'static> PageIterator for Once<P> {}

/// The error that a page of this column is damaged.
#[derive(Debug, thiserror::Error)]
#[error("a page of column `{0}` is damaged")]
pub(crate) struct Damaged(pub String);

fn damaged(column: &ColumnChunkMetaData) -> ParquetError {
    ParquetError::External(Box::new(Damaged(column.column_path().string())))
}

impl Damaged {
    /// Finds the damage in the causes of a library error, some of which it hands on as text only.
    pub fn of(error: &ParquetError) -> Option<Self> {
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
        while let Some(error) = cause {
            if let Some(Self(column)) = error.downcast_ref() {
                return Some(Self(column.clone()));
            }
            cause = error.source();
        }
        let text = error.to_string();
        let (_, column) = text.split_once("a page of column `")?;
        let (column, _) = column.rsplit_once("` is damaged")?;
        Some(Self(column.to_owned()))
    }
}

/// Returns a fetched column chunk without its checksums.
fn stripped(
    fetched: &Arc<PushBuffers>,
    column: &ColumnChunkMetaData,
) -> Result<(Arc<PushBuffers>, ColumnChunkMetaData)> {
    let (start, length) = column.byte_range();
    let chunk = fetched.get_bytes(start, usize::try_from(length)?)?;
    let bytes = without_checksums(&chunk).ok_or_else(|| damaged(column))?;
    let mut rest = &bytes[..];
    let dictionary = column.dictionary_page_offset().and_then(|_| {
        let header = Header::read(&mut rest)?;
        Some((bytes.len() - rest.len()) as u64 + header.stored)
    });
    let place = |at: u64| i64::try_from(start.saturating_add(at));
    let column = column.clone().into_builder();
    let column = column
        .set_total_compressed_size(i64::try_from(bytes.len())?)
        .set_dictionary_page_offset(dictionary.map(|_| place(0)).transpose()?)
        .set_data_page_offset(place(dictionary.unwrap_or(0))?)
        .build()?;
    let mut fetched = PushBuffers::default();
    fetched.push_range(start..start.saturating_add(bytes.len() as u64), bytes.into());
    Ok((Arc::new(fetched), column))
}

/// Returns an error if a fetched page fails its checksums, or claims a larger size than its bytes
/// can decompress to, as its decoder allocates that much. Otherwise returns the decompressed sizes
/// of the dictionary and of all pages of the index, or, without an index, of all pages; `None` if
/// there are pages that the library skips.
fn check_sizes(
    fetched: &Arc<PushBuffers>,
    column: &ColumnChunkMetaData,
    pages: Option<&[PageLocation]>,
    ours: bool,
) -> Result<Option<VecDeque<Option<usize>>>> {
    let (start, length) = column.byte_range();
    let mut sizes = VecDeque::new();
    let mut all = true;
    let mut check = |bytes: &mut &[u8]| -> Result<Option<usize>> {
        let size = check_size(bytes, column.compression(), ours);
        let ((kind, whole), rest) = size.ok_or_else(|| damaged(column))?;
        *bytes = rest;
        all &= kind != INDEX_PAGE;
        Ok(Some(usize::try_from(whole)?))
    };
    let Some(pages) = pages else {
        let chunk = fetched.get_bytes(start, usize::try_from(length)?)?;
        let mut rest: &[u8] = &chunk;
        while !rest.is_empty() {
            sizes.push_back(check(&mut rest)?);
        }
        return Ok(all.then_some(sizes));
    };
    // The dictionary, if any, lies before the first indexed page.
    let first = pages.first().and_then(|first| u64::try_from(first.offset).ok());
    let dictionary = first.filter(|&first| first != start);
    let dictionary = dictionary.map(|first| Some((start, first.checked_sub(start)?)));
    let place = |page: &PageLocation| {
        let length = u64::try_from(page.compressed_page_size).ok()?;
        Some((u64::try_from(page.offset).ok()?, length))
    };
    for place in dictionary.into_iter().chain(pages.iter().map(place)) {
        let fetch = |(start, length)| {
            usize::try_from(length).ok().and_then(|length| fetched.get_bytes(start, length).ok())
        };
        let page = place.and_then(fetch);
        sizes.push_back(page.map(|page| check(&mut &page[..])).transpose()?.flatten());
    }
    Ok(all.then_some(sizes))
}

/// Decompresses a zstd page to `size` bytes.
fn decompress(page: &mut Page, size: usize) -> Result<()> {
    thread_local! {
        static CONTEXT: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    let wrong = |why: &str| ParquetError::General(format!("a page {why}"));
    let (levels, bytes) = match page {
        Page::DataPageV2 { is_compressed: false, .. } => return Ok(()),
        // The levels are not compressed.
        Page::DataPageV2 { buf, rep_levels_byte_len, def_levels_byte_len, .. } => {
            let levels = u64::from(*rep_levels_byte_len) + u64::from(*def_levels_byte_len);
            (usize::try_from(levels)?, buf)
        }
        Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => (0, buf),
    };
    let parts = bytes.split_at_checked(levels).filter(|_| levels <= size);
    let (levels, compressed) = parts.ok_or_else(|| wrong("is shorter than its levels"))?;
    let mut whole = Cursor::new(Vec::with_capacity(size));
    whole.write_all(levels)?;
    if levels.len() < size {
        CONTEXT.with_borrow_mut(|context| match context {
            Some(context) => context.decompress_to_buffer(compressed, &mut whole),
            None => {
                context.insert(Decompressor::new()?).decompress_to_buffer(compressed, &mut whole)
            }
        })?;
    }
    let whole = whole.into_inner();
    if whole.len() != size {
        return Err(wrong("differs in length from its header"));
    }
    *bytes = Bytes::from(whole);
    Ok(())
}

/// Returns the kind and the decompressed size of the first page of these bytes, and the bytes after
/// it. `None` if it is truncated, its checksums are wrong, or it claims a larger size than its
/// bytes can decompress to.
fn check_size(bytes: &[u8], compression: Compression, ours: bool) -> Option<((u64, u64), &[u8])> {
    let mut data = bytes;
    let header = Header::read(&mut data)?;
    let Header { kind, whole, stored, .. } = header;
    let (page, rest) = data.split_at_checked(usize::try_from(stored).ok()?)?;
    header.fits(page, ours).then_some(())?;
    let most = match compression {
        // Three bytes expand to at most 64.
        Compression::SNAPPY => stored.saturating_mul(22),
        // A byte adds at most 255 to a length.
        Compression::LZ4_RAW => stored.saturating_mul(255),
        _ => PAGE_BYTES_MAX,
    };
    // Headers without a page still claim a few bytes.
    let fits = whole <= most.saturating_add(64).min(PAGE_BYTES_MAX);
    let fits = fits && (!matches!(compression, Compression::GZIP(_)) || ends_by(page, whole));
    fits.then_some(((kind, whole), rest))
}

/// Returns whether gzip data has at most this many bytes of content. The library reads it to its
/// end, wherever that is; short pages cannot hold enough to matter.
fn ends_by(page: &[u8], whole: u64) -> bool {
    /// The most bytes that one byte of gzip expands to.
    const RATIO_MAX: u64 = 1_032;
    if (page.len() as u64).saturating_mul(RATIO_MAX) <= PAGE_BYTES_MAX {
        return true;
    }
    let mut content = MultiGzDecoder::new(page).take(whole.saturating_add(1));
    // Unreadable data ends here for the library, too.
    let read = std::io::copy(&mut content, &mut std::io::sink());
    read.is_ok_and(|length| length <= whole)
}

/// Returns the total size of a page's strings, if they share beginnings; else 0. `None` if the page
/// is truncated, or has more lengths than values, or more values than are left in the chunk.
fn length(page: &Page, column: &ColumnChunkMetaData, left: &mut u64) -> Option<u64> {
    let mut data = values(page, column)?;
    if page.is_dictionary_page() {
        // The library allocates as many values as the dictionary claims to have.
        let least = match column.column_type() {
            Type::INT64 | Type::DOUBLE => 8,
            Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
            _ => 1,
        };
        let most = data.len() as u64 / least;
        most.checked_sub(page.num_values().into())?;
    } else {
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
            // The lengths of the parts shared with the value before, and of the rest.
            let shared = sum_lengths(&mut data, most)?;
            shared.checked_add(sum_lengths(&mut data, most)?)
        }
        Encoding::DELTA_BYTE_ARRAY => None,
        Encoding::PLAIN => {
            // When the library skips a string that ends beyond its page, it then reads a negative
            // length, and tries to allocate all memory.
            while !data.is_empty() {
                let (length, rest) = data.split_first_chunk()?;
                data = rest.get(usize::try_from(u32::from_le_bytes(*length)).ok()?..)?;
            }
            Some(0)
        }
        _ => Some(0),
    }
}

/// Returns what follows the levels of a page. `None` if there are fewer levels than values: the
/// library would loop forever.
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

/// Returns whether runs of levels, each of this many bits, contain at least `count` levels.
fn holds(mut data: &[u8], bits: u32, mut count: u64) -> bool {
    while count > 0 {
        let Some(head) = varint(&mut data) else { return false };
        let (length, is_packed) = (head >> 1, head & 1 == 1);
        let (levels, bytes) = if is_packed {
            // Groups of eight; the last may be cut off.
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
/// `most`, `None` if the data is truncated.
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

/// Sums numbers in Parquet's encoding DELTA_BINARY_PACKED. `None` if there are more than `most`,
/// one is negative, or the data is truncated.
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
                let mut start = 0;
                for _ in 0..left.min(in_mini) {
                    let step = unpack(packed, start, width)?;
                    start += u64::from(width);
                    number = number.checked_add(least)?.checked_add(step)?;
                    sum = sum.checked_add(u64::try_from(number).ok()?)?;
                }
                left = left.saturating_sub(in_mini);
            }
        }
    }
    Some(sum)
}

/// Returns the number of `width` bits at the bit `start`, least significant bit first.
#[inline]
fn unpack(packed: &[u8], start: u64, width: u8) -> Option<i64> {
    if width == 0 {
        return Some(0);
    }
    let rest = packed.get(usize::try_from(start / 8).ok()?..)?;
    let within = start % 8;
    let window = match rest.first_chunk() {
        Some(window) => *window,
        None => {
            let end = (within + u64::from(width)).div_ceil(8);
            let mut window = [0; 16];
            window.iter_mut().zip(rest).for_each(|(byte, &packed)| *byte = packed);
            (end <= rest.len() as u64).then_some(window)?
        }
    };
    let most = u64::MAX >> 64_u32.checked_sub(width.into())?;
    let number = u128::from_le_bytes(window) >> within & u128::from(most);
    Some(u64::try_from(number).ok()?.cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::schema::parser::parse_message_type;
    use parquet::schema::types::SchemaDescriptor;

    #[test]
    fn a_page_is_no_larger_than_its_bytes_can_become() {
        let zigzag = |number: u64| {
            let (mut number, mut bytes) = (number << 1, Vec::new());
            while number >= 0x80 {
                bytes.push((number & 0x7f) as u8 | 0x80);
                number >>= 7;
            }
            bytes.push((number & 0x7F) as u8);
            bytes
        };
        let header = |whole: u64, stored: u64| {
            let numbers = [&[0x15, 0], &[0x15][..], &zigzag(whole), &[0x15], &zigzag(stored)];
            // A struct of a number and a text, and the end.
            [numbers.concat(), vec![0x2c, 0x15, 8, 0x18, 2, b'a', b'b', 0, 0]].concat()
        };
        let page = |whole, stored: usize| [header(whole, stored as u64), vec![7; stored]].concat();
        for (compression, whole, stored, fits) in [
            (Compression::SNAPPY, 22 * 100, 100, true),
            (Compression::SNAPPY, 100 * 100, 100, false),
            (Compression::LZ4_RAW, 255 * 100, 100, true),
            (Compression::LZ4_RAW, 300 * 100, 100, false),
            (Compression::UNCOMPRESSED, 100, 100, true),
            (Compression::ZSTD(Default::default()), PAGE_BYTES_MAX, 100, true),
            (Compression::ZSTD(Default::default()), PAGE_BYTES_MAX + 1, 100, false),
        ] {
            let bytes = page(whole, stored);
            let found = check_size(&bytes, compression, false);
            assert_eq!(found, fits.then_some(((0, whole), &[][..])), "{compression:?} {whole}");
            let two = [&bytes[..], b"more"].concat();
            assert_eq!(
                check_size(&two, compression, false),
                fits.then_some(((0, whole), &b"more"[..]))
            );
            for end in 0..bytes.len() {
                assert_eq!(check_size(&bytes[..end], compression, false), None, "{end}");
            }
        }
        // Endlessly nested structs.
        assert!(Header::read(&mut &[&header(1, 1)[..6], &[0x1c; 1000]].concat()[..]).is_none());
    }

    #[test]
    fn a_page_has_as_many_bytes_as_it_says() {
        let content = b"abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabc";
        let stored = zstd::bulk::compress(content, 3).expect("memory");
        let dictionary = |buf: Vec<u8>| Page::DictionaryPage {
            buf: buf.into(),
            num_values: 1,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        let with_levels = |buf: Vec<u8>, is_compressed| Page::DataPageV2 {
            buf: buf.into(),
            num_values: 1,
            encoding: Encoding::PLAIN,
            num_nulls: 0,
            num_rows: 1,
            def_levels_byte_len: 2,
            rep_levels_byte_len: 1,
            is_compressed,
            statistics: None,
        };
        let size = content.len();
        for (page, levels) in [
            (dictionary(stored.clone()), &b""[..]),
            (with_levels([b"123", &stored[..]].concat(), true), b"123"),
        ] {
            let open = |size| {
                let mut page = page.clone();
                decompress(&mut page, size).map(|()| page.buffer().to_vec())
            };
            let whole = open(levels.len() + size).expect("a page");
            assert_eq!(whole, [levels, content].concat());
            for size in [1, size - 1, levels.len() + size + 1, 2 * size] {
                assert!(open(size).is_err(), "{size}");
            }
        }
        // Uncompressed pages stay as they are, and levels must not be truncated.
        let mut plain = with_levels(content.to_vec(), false);
        decompress(&mut plain, size).expect("a page");
        assert_eq!(&plain.buffer()[..], content);
        assert!(decompress(&mut with_levels(b"12".to_vec(), true), 10).is_err());
        // A page without values has no bytes.
        decompress(&mut dictionary(Vec::new()), 0).expect("a page");
    }

    #[test]
    fn a_dictionary_has_no_more_values_than_its_bytes_can_hold() {
        let schema = parse_message_type("message m { required binary a; required int64 b; }");
        let schema = SchemaDescriptor::new(Arc::new(schema.expect("a schema")));
        for (leaf, most) in [(0, 20), (1, 10)] {
            let column = ColumnChunkMetaData::builder(schema.column(leaf)).build();
            let column = column.expect("a column");
            let fits = |num_values| {
                let buf = Bytes::from_static(&[0; 80]);
                let (encoding, is_sorted) = (Encoding::PLAIN, false);
                let page = Page::DictionaryPage { buf, num_values, encoding, is_sorted };
                length(&page, &column, &mut 0).is_some()
            };
            assert!(fits(most) && !fits(most + 1) && !fits(u32::MAX), "{leaf}");
        }
    }

    #[test]
    fn gzip_has_no_more_content_than_it_says() {
        let content = vec![0; 8 << 20];
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
        std::io::Write::write_all(&mut gzip, &content).expect("memory");
        let page = gzip.finish().expect("memory");
        assert!(ends_by(&page, content.len() as u64));
        assert!(!ends_by(&page, content.len() as u64 - 1));
    }

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
        // Empty runs never finish, and a truncated group counts only its complete levels.
        assert!(!holds(&[0, 1, 0, 1], 1, 1) && holds(&[5, 0xff], 4, 2) && !holds(&[5, 0xff], 4, 3));
    }

    #[test]
    fn numbers_of_any_width_are_unpacked() {
        for width in 0..=64_u8 {
            let most = if width == 0 { 0 } else { u64::MAX >> (64 - width) };
            let numbers = [most, 0, most / 3, 1.min(most), most];
            let mut bits = Vec::new();
            for number in numbers {
                bits.extend((0..width).map(|bit| (number >> bit & 1) as u8));
            }
            let byte = |bits: &[u8]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | bit);
            let packed: Vec<u8> = bits.chunks(8).map(byte).collect();
            for padding in [0, 20] {
                let packed = [&packed[..], &vec![0xff; padding]].concat();
                for (place, number) in (0..).zip(numbers) {
                    let found = unpack(&packed, place * u64::from(width), width);
                    assert_eq!(found, Some(number.cast_signed()), "{width} {place} {padding}");
                }
            }
            let beyond = unpack(&packed, 8 * u64::from(width), width);
            assert_eq!(beyond, (width == 0).then_some(0), "{width}");
        }
        assert_eq!(unpack(&[0; 100], 0, 65), None);
        assert_eq!(unpack(&[0; 100], u64::MAX, 64), None);
        assert_eq!(unpack(&[0; 8], 1, 64), None);
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
        // A thousand strings of a million bytes each, in a few bytes.
        let many = [0x80, 8, 1, 0xe8, 7, 0x80, 0x89, 0x7a, 0, 0];
        assert_eq!(sum_lengths(&mut &many[..], 1000), Some(1_000_000_000));
        let negative = [0x80, 1, 4, 1, 1];
        assert_eq!(sum_lengths(&mut &negative[..], 1), None);
    }
}
