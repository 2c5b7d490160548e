//! Seals pages with checksums, which the Parquet library can verify but not write.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::buf::Reader;
use bytes::{Buf, Bytes};
use parquet::arrow::arrow_writer::{
    ArrowColumnWriter, ArrowLeafColumn, PageKey, PageStore, PageStoreArgs, PageStoreFactory,
};
use parquet::basic::Type;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use crate::store::pages::{is_dictionary, sealed};

/// The final bytes of a column of a row group.
pub(crate) struct SealedChunk {
    pub stored: Stored,
    /// Its metadata.
    pub close: ColumnCloseResult,
}

/// Bytes, and the offset by which the metadata calls the first of them.
pub(crate) struct Stored {
    pub start: u64,
    pub bytes: Bytes,
}

/// The pages of columns being written: headers and contents alternate.
#[derive(Debug, Default)]
pub(crate) struct Pages(Mutex<BTreeMap<usize, Blobs>>);

type Blobs = Arc<Mutex<Vec<Bytes>>>;

struct Store(Blobs);

impl PageStoreFactory for Pages {
    fn create(&self, args: &PageStoreArgs<'_>) -> Result<Box<dyn PageStore>> {
        let blobs = Blobs::default();
        let mut columns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        columns.insert(args.column_index(), Arc::clone(&blobs));
        Ok(Box::new(Store(blobs)))
    }
}

impl PageStore for Store {
    fn put(&mut self, value: Bytes) -> Result<PageKey> {
        let mut blobs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        blobs.push(value);
        Ok(PageKey::new(blobs.len() as u64 - 1))
    }

    /// The library never reads pages back.
    fn take(&mut self, _: PageKey) -> Result<Bytes> {
        Err(ParquetError::General("pages are taken elsewhere".into()))
    }
}

impl Pages {
    /// Finishes the column of this number, after writing these values.
    pub fn finish<'l>(
        &self,
        number: usize,
        mut writer: ArrowColumnWriter,
        leaves: impl IntoIterator<Item = &'l ArrowLeafColumn>,
    ) -> Result<SealedChunk> {
        leaves.into_iter().try_for_each(|leaf| writer.write(leaf))?;
        let close = writer.close()?.close().clone();
        let blobs = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
        let blobs = blobs.unwrap_or_default();
        let blobs = std::mem::take(&mut *blobs.lock().unwrap_or_else(PoisonError::into_inner));
        SealedChunk::new(&blobs, close)
    }
}

impl SealedChunk {
    /// Joins pages, each with its checksums.
    fn new(blobs: &[Bytes], mut close: ColumnCloseResult) -> Result<Self> {
        let wrong = || ParquetError::General("a page was written in an unexpected form".into());
        let (pages, rest) = blobs.as_chunks();
        if !rest.is_empty() {
            return Err(wrong());
        }
        // The library makes the dictionary last, but it is stored first.
        let (dictionaries, data): (Vec<&[Bytes; 2]>, Vec<&[Bytes; 2]>) =
            pages.iter().partition(|[header, _]| is_dictionary(header));
        let mut bytes = Vec::with_capacity(blobs.iter().map(|blob| blob.len() + 16).sum());
        let mut put = |[header, page]: &[Bytes; 2]| {
            let start = bytes.len();
            bytes.extend(sealed(header, page).ok_or_else(wrong)?);
            bytes.extend_from_slice(page);
            Ok::<_, ParquetError>((start, bytes.len()))
        };
        let dictionary = dictionaries.first().map(|page| put(page)).transpose()?;
        let places = data.into_iter().map(&mut put).collect::<Result<Vec<_>>>()?;
        if let Some(index) = &mut close.offset_index {
            if index.page_locations.len() != places.len() {
                return Err(wrong());
            }
            for (location, (start, end)) in index.page_locations.iter_mut().zip(&places) {
                location.offset = i64::try_from(*start)?;
                location.compressed_page_size = i32::try_from(end - start)?;
            }
        }
        let before: usize = blobs.iter().map(Bytes::len).sum();
        let more = i64::try_from(bytes.len() - before)?;
        let begin = dictionary.map_or(0, |(_, end)| end);
        let metadata = close.metadata;
        let (stored, whole) = (metadata.compressed_size(), metadata.uncompressed_size());
        close.metadata = metadata
            .into_builder()
            .set_total_compressed_size(stored + more)
            .set_total_uncompressed_size(whole + more)
            .set_dictionary_page_offset(dictionary.map(|_| 0))
            .set_data_page_offset(i64::try_from(begin)?)
            .build()?;
        close.bytes_written = bytes.len() as u64;
        Ok(Self { stored: Stored { start: 0, bytes: bytes.into() }, close })
    }

    /// Returns how many bytes of the file depend on how the column is stored.
    pub fn cost(&self) -> usize {
        /// What the footer says of a dictionary: where it is, and its encoding.
        const DICTIONARY_BYTES: usize = 5;
        let dictionary = self.close.metadata.dictionary_page_offset();
        self.stored.bytes.len() + dictionary.map_or(0, |_| DICTIONARY_BYTES)
    }

    /// Returns whether values as they are might take fewer bytes than their numbers in a
    /// dictionary: those that are no texts, and texts that hardly repeat.
    pub fn may_be_smaller_plain(&self) -> bool {
        let metadata = &self.close.metadata;
        let dictionary =
            metadata.dictionary_page_offset().map_or(0, |_| metadata.data_page_offset());
        metadata.column_type() != Type::BYTE_ARRAY || dictionary * 2 > metadata.compressed_size()
    }

    /// Returns the column with nothing in the footer but what it takes to read it.
    pub fn untold(mut self) -> Result<Self> {
        self.close.metadata = self
            .close
            .metadata
            .into_builder()
            .clear_statistics()
            .clear_page_encoding_stats()
            .set_unencoded_byte_array_data_bytes(None)
            .set_repetition_level_histogram(None)
            .set_definition_level_histogram(None)
            .build()?;
        Ok(self)
    }
}

impl Stored {
    fn behind(&self, start: u64) -> Result<Bytes> {
        let at = start.checked_sub(self.start).and_then(|at| usize::try_from(at).ok());
        let at = at.filter(|&at| at <= self.bytes.len());
        let lost = || ParquetError::General("a column does not begin at its stated offset".into());
        Ok(self.bytes.slice(at.ok_or_else(lost)?..))
    }
}

impl Length for Stored {
    fn len(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl ChunkReader for Stored {
    type T = Reader<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(self.behind(start)?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let bytes = self.behind(start)?;
        let lost = || ParquetError::General("a column is shorter than stated".into());
        (length <= bytes.len()).then(|| bytes.slice(..length)).ok_or_else(lost)
    }
}
