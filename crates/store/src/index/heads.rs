//! Heads of games: on their way into an index, and read from it. On their way those of a few
//! thousand games are in memory, and the rest is in a temporary file until the pages, which come
//! first, are written.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::ops::Range;
use std::path::Path;

use plypack_index::{HEADS_GAMES, Head, Heads, write_heads};
use rayon::prelude::*;

use super::damaged;
use super::part::Part;
use crate::error::Error;
use crate::ranges::join;

/// How many blocks are made at once, on all threads.
const BLOCKS_AT_ONCE: usize = 32;

/// Takes the heads of games, in order.
#[derive(Debug)]
pub(super) struct HeadsWriter {
    waiting: Vec<Head>,
    file: BufWriter<File>,
    lengths: Vec<u32>,
}

/// All blocks of heads.
#[derive(Debug)]
pub(super) struct WrittenHeads {
    file: File,
    /// How many bytes each block has.
    pub lengths: Vec<u32>,
}

impl HeadsWriter {
    /// A writer whose temporary file is in this folder.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let file = BufWriter::new(tempfile::tempfile_in(folder)?);
        Ok(Self { waiting: Vec::new(), file, lengths: Vec::new() })
    }

    /// Takes the head of the next game.
    pub fn push(&mut self, head: Head) -> io::Result<()> {
        self.waiting.push(head);
        let block = usize::try_from(HEADS_GAMES).unwrap_or(usize::MAX);
        if self.waiting.len() < block.saturating_mul(BLOCKS_AT_ONCE) {
            return Ok(());
        }
        self.write(block)
    }

    /// Writes the blocks of what is waiting, of so many games each.
    fn write(&mut self, block: usize) -> io::Result<()> {
        let blocks: Vec<Vec<u8>> = self.waiting.par_chunks(block).map(write_heads).collect();
        for block in blocks {
            self.lengths.push(u32::try_from(block.len()).unwrap_or(u32::MAX));
            self.file.write_all(&block)?;
        }
        self.waiting.clear();
        Ok(())
    }

    /// Ends it.
    pub fn finish(mut self) -> io::Result<WrittenHeads> {
        self.write(usize::try_from(HEADS_GAMES).unwrap_or(usize::MAX))?;
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(WrittenHeads { file, lengths: self.lengths })
    }
}

impl WrittenHeads {
    /// Copies the blocks to where they belong; returns how many bytes they have.
    pub fn copy(mut self, output: &mut (dyn Write + Send)) -> io::Result<u64> {
        self.file.rewind()?;
        io::copy(&mut self.file, output)
    }
}

impl Part {
    /// Reads the heads of those of these rows that it covers, to the same places in `found`.
    pub fn heads(
        &self,
        path: &Path,
        rows: &[u64],
        found: &mut [Option<Head>],
    ) -> Result<(), Error> {
        let games = rows.iter().zip(found).filter_map(|(&row, slot)| Some((self.game(row)?, slot)));
        let mut games: Vec<(u32, &mut Option<Head>)> = games.collect();
        games.sort_unstable_by_key(|game| game.0);
        let wanted: Vec<Range<u64>> = games.iter().map(|game| self.footer.heads(game.0)).collect();
        let joined = join(&wanted, usize::MAX);
        let fetched = self.ranges.fetch(&joined).map_err(Error::io(path))?;
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
            let heads = Heads::read(self.footer.layout(), first, block).map_err(damaged(path))?;
            for (game, slot) in games {
                **slot = heads.head(*game);
            }
        }
        Ok(())
    }
}
