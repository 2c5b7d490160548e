//! Heads of games, and what was left of them: on their way into an index, and read from it. On
//! their way those of a few thousand games are in memory, and the rest is in a temporary file until
//! the pages, which come first, are written.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::ops::Range;
use std::path::Path;

use plypack_index::{
    HEADS_GAMES, Head, Heads, REMAINS_GAMES, read_remains, write_heads, write_remains,
};
use rayon::prelude::*;

use super::part::Part;
use crate::error::Error;
use crate::ranges::join;

/// How many blocks are made at once, on all threads.
const BLOCKS_AT_ONCE: usize = 32;

/// Takes something of each game, in order.
#[derive(Debug)]
pub(super) struct BlocksWriter<T> {
    waiting: Vec<T>,
    /// How many games a block has.
    games: usize,
    write: fn(&[T]) -> Vec<u8>,
    file: BufWriter<File>,
    lengths: Vec<u32>,
}

/// All blocks of a kind.
#[derive(Debug)]
pub(super) struct WrittenBlocks {
    file: File,
    /// How many bytes each block has.
    pub lengths: Vec<u32>,
}

impl BlocksWriter<Head> {
    /// A writer of heads whose temporary file is in this folder.
    pub fn heads(folder: &Path) -> io::Result<Self> {
        Self::new(folder, HEADS_GAMES, write_heads)
    }
}

impl BlocksWriter<u64> {
    /// A writer of what was left whose temporary file is in this folder.
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

    /// Takes that of the next game.
    pub fn push(&mut self, one: T) -> io::Result<()> {
        self.waiting.push(one);
        if self.waiting.len() < self.games.saturating_mul(BLOCKS_AT_ONCE) {
            return Ok(());
        }
        self.write()
    }

    /// Writes the blocks of what is waiting.
    fn write(&mut self) -> io::Result<()> {
        let blocks: Vec<Vec<u8>> = self.waiting.par_chunks(self.games).map(self.write).collect();
        for block in blocks {
            self.lengths.push(u32::try_from(block.len()).unwrap_or(u32::MAX));
            self.file.write_all(&block)?;
        }
        self.waiting.clear();
        Ok(())
    }

    /// Ends it.
    pub fn finish(mut self) -> io::Result<WrittenBlocks> {
        self.write()?;
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(WrittenBlocks { file, lengths: self.lengths })
    }
}

impl WrittenBlocks {
    /// Copies the blocks to where they belong; returns how many bytes they have.
    pub fn copy(mut self, output: &mut (dyn Write + Send)) -> io::Result<u64> {
        self.file.rewind()?;
        io::copy(&mut self.file, output)
    }
}

impl Part {
    /// Reads the heads of those of these rows that it covers, to the same places in `found`.
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
        // Those of one block follow one another.
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

    /// The rows of those games of which this holds, by what was left of them.
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
