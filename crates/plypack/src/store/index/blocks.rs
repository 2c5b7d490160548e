//! Heads and remains of games and sums by rating, written to an index and read from it. While
//! writing, those of a few thousand games are in memory; the rest is in a temporary file until the
//! pages, which precede them, are written.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::ops::Range;
use std::path::Path;

use plypack_index::{
    HEADS_GAMES, Head, Heads, Page, REMAINS_GAMES, RatingsBlock, RatingsLength, RatingsWriter,
    read_remains, write_heads, write_remains,
};
use rayon::prelude::*;

use super::part::Part;
use crate::store::error::Error;
use crate::store::ranges::join;

/// The number of blocks built at once, on all threads.
const BLOCKS_AT_ONCE: usize = 32;

/// Collects one value of each game, in order.
#[derive(Debug)]
pub(super) struct BlocksWriter<T> {
    waiting: Vec<T>,
    /// Games per block.
    games: usize,
    write: fn(&[T]) -> Vec<u8>,
    file: BufWriter<File>,
    lengths: Vec<u32>,
}

/// All blocks of one kind.
#[derive(Debug)]
pub(super) struct WrittenBlocks<L = u32> {
    file: File,
    /// The length of each block in bytes.
    pub lengths: Vec<L>,
}

/// Collects the sums by rating of pages, in order.
#[derive(Debug)]
pub(super) struct RatingsCollector {
    writer: RatingsWriter,
    file: BufWriter<File>,
    lengths: Vec<RatingsLength>,
}

impl RatingsCollector {
    /// Creates a collector with its temporary file in this folder.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let file = BufWriter::new(tempfile::tempfile_in(folder)?);
        Ok(Self { writer: RatingsWriter::default(), file, lengths: Vec::new() })
    }

    /// Adds those of the next page, whose blocks begin at `blocks` in the index.
    pub fn add(&mut self, page: &Page, blocks: u64) -> io::Result<()> {
        for (start, sums) in &page.ratings {
            let full = self.writer.push(blocks + start, sums);
            full.map_or(Ok(()), |full| self.write(full))?;
        }
        Ok(())
    }

    fn write(&mut self, RatingsBlock { first, bytes }: RatingsBlock) -> io::Result<()> {
        let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        self.lengths.push(RatingsLength { first, bytes: length });
        self.file.write_all(&bytes)
    }

    /// Writes the rest.
    pub fn finish(mut self) -> io::Result<WrittenBlocks<RatingsLength>> {
        let last = std::mem::take(&mut self.writer).finish();
        last.map_or(Ok(()), |last| self.write(last))?;
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(WrittenBlocks { file, lengths: self.lengths })
    }
}

impl BlocksWriter<Head> {
    /// Creates a writer of heads with its temporary file in this folder.
    pub fn heads(folder: &Path) -> io::Result<Self> {
        Self::new(folder, HEADS_GAMES, write_heads)
    }
}

impl BlocksWriter<u64> {
    /// Creates a writer of remains with its temporary file in this folder.
    pub fn remains(folder: &Path) -> io::Result<Self> {
        Self::new(folder, REMAINS_GAMES, write_remains)
    }
}

impl<T: Sync> BlocksWriter<T> {
    fn new(folder: &Path, games: u32, write: fn(&[T]) -> Vec<u8>) -> io::Result<Self> {
        let file = BufWriter::new(tempfile::tempfile_in(folder)?);
        let games = usize::try_from(games).unwrap_or(usize::MAX);
        Ok(Self { waiting: Vec::new(), games, write, file, lengths: Vec::new() })
    }

    /// Adds the value of the next game.
    pub fn push(&mut self, one: T) -> io::Result<()> {
        self.waiting.push(one);
        if self.waiting.len() < self.games.saturating_mul(BLOCKS_AT_ONCE) {
            return Ok(());
        }
        self.write()
    }

    /// Writes the blocks of the waiting values.
    fn write(&mut self) -> io::Result<()> {
        let blocks: Vec<Vec<u8>> = self.waiting.par_chunks(self.games).map(self.write).collect();
        for block in blocks {
            self.lengths.push(u32::try_from(block.len()).unwrap_or(u32::MAX));
            self.file.write_all(&block)?;
        }
        self.waiting.clear();
        Ok(())
    }

    /// Writes the rest.
    pub fn finish(mut self) -> io::Result<WrittenBlocks> {
        self.write()?;
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(WrittenBlocks { file, lengths: self.lengths })
    }
}

impl<L> WrittenBlocks<L> {
    /// Copies the blocks to the output.
    pub fn copy(mut self, output: &mut (dyn Write + Send)) -> io::Result<()> {
        self.file.rewind()?;
        io::copy(&mut self.file, output)?;
        Ok(())
    }
}

impl Part {
    /// Reads the heads of the rows that the part covers, to the same places in `found`.
    pub fn heads(&self, rows: &[u64], found: &mut [Option<Head>]) -> Result<(), Error> {
        let games = rows.iter().zip(found).filter_map(|(&row, slot)| Some((self.game(row)?, slot)));
        let mut games: Vec<(u32, &mut Option<Head>)> = games.collect();
        games.sort_unstable_by_key(|game| game.0);
        let wanted: Vec<Range<u64>> = games.iter().map(|game| self.footer.heads(game.0)).collect();
        let joined = join(&wanted, usize::MAX);
        let fetched = self.fetch_all(&joined)?;
        let bytes = |block: &Range<u64>| {
            let at = joined.partition_point(|joined| joined.end < block.end);
            let (start, bytes) = (joined.get(at)?.start, fetched.get(at)?);
            let within = |place: u64| usize::try_from(place.checked_sub(start)?).ok();
            bytes.get(within(block.start)?..within(block.end)?)
        };
        // Games of the same block are adjacent.
        for games in games.chunk_by_mut(|a, b| a.0 / HEADS_GAMES == b.0 / HEADS_GAMES) {
            let Some(first) = games.first().map(|game| game.0) else { continue };
            let block = bytes(&self.footer.heads(first)).unwrap_or_default();
            let heads = Heads::read(self.footer.layout(), first, block);
            let heads = heads.map_err(|error| self.damaged(error))?;
            for (game, slot) in games {
                **slot = heads.head(*game);
            }
        }
        Ok(())
    }

    /// Collects the rows of the games whose remains satisfy `holds`.
    pub fn rows_where(
        &self,
        holds: &(dyn Fn(u64) -> bool + Sync),
        rows: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let mut game = 0;
        for number in 0..self.footer.remains_blocks() {
            let block = self.fetch(self.footer.remains(number))?;
            let remains = read_remains(self.footer.layout(), number, &block);
            for one in remains.map_err(|error| self.damaged(error))? {
                if holds(one) {
                    rows.push(self.row(game));
                }
                game += 1;
            }
        }
        Ok(())
    }
}
