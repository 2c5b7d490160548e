//! Carries an index over to a changed file: the entries of the remaining games are kept, and no
//! game is read again.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use plypack_index::{
    Footer, Group, HEADS_GAMES, Heads, Page, PageWriter, Players, Source, Staying, Summand,
    Witness, read_remains,
};
use rayon::prelude::*;

use super::blocks::{BlocksWriter, WrittenBlocks};
use super::builder::{DetailsReader, DetailsWriter, PagesWriter};
use super::part::{FreeGroup, PARTS_MAX, Part, part_path};
use super::scan::Details;
use super::{Indices, free_groups, remove_others};
use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::output::{Existing, Output};
use crate::store::work::Work;

/// The number of pages in memory at once.
const PAGES_AT_ONCE: usize = 64;

/// A part is carried over only if at least one in this many of its games stays: a nearly empty part
/// has too many pages for its games.
const STAYING_PART: u32 = 4;

/// A file whose rows, all or most of them, are now in another file, in the same order.
#[derive(Clone, Copy, Debug)]
pub struct Moved<'f> {
    /// The indices of the original file.
    pub indices: &'f Indices,
    /// Its deleted rows, ascending.
    pub gone: &'f [u64],
    /// The row of the new file at which its rows begin.
    pub first: u64,
}

/// Writes the indices beside a file from those of the files it was made from, as far as they cover
/// its row groups; [`index`](super::index), which runs next, covers the rest. Existing indices are
/// removed.
///
/// # Errors
/// Returns an error if an index cannot be read, nothing can be written beside the file, or `stop`
/// is set.
pub fn carry_over(file: &PackedFile, moved: &[Moved<'_>], work: &Work<'_>) -> Result<(), Error> {
    let groups = free_groups(file);
    let parts =
        moved.iter().flat_map(|moved| moved.indices.parts().iter().map(move |p| (moved, p)));
    let plans = parts.filter_map(|(moved, part)| Plan::of(moved, part, &groups));
    let mut plans: Vec<Plan<'_>> = plans.collect();
    plans.sort_by_key(|plan| std::cmp::Reverse(plan.games));
    plans.truncate(PARTS_MAX);
    let mut outputs = Vec::new();
    for (number, plan) in plans.iter().enumerate() {
        let mut output = Output::begin(&part_path(file.path(), number), Existing::Replaced)?;
        match plan.write(&mut output, work) {
            Ok(()) => outputs.push(output),
            // A damaged index counts as missing.
            Err(Error::Index { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    work.check()?;
    remove_others(file.path(), &[])?;
    outputs.into_iter().try_for_each(Output::publish)
}

/// A part to carry over.
struct Plan<'p> {
    part: &'p Part,
    /// For each of its games, whether it stays.
    stays: Vec<bool>,
    /// The number of games that stay.
    games: u32,
    /// The new row groups that consist of them.
    groups: Vec<Group>,
}

impl<'p> Plan<'p> {
    /// Returns `None` if too few games stay.
    fn of(moved: &Moved<'_>, part: &'p Part, groups: &[FreeGroup]) -> Option<Self> {
        // Games must keep their order.
        if !part.places.is_sorted_by_key(|place| place.row) {
            return None;
        }
        let games = part.footer.layout().games();
        let mut gone = moved.gone.iter().copied().peekable();
        let (mut passed, mut place) = (0u64, 0usize);
        let mut stays = Vec::with_capacity(usize::try_from(games).ok()?);
        // For each new row group, how many of its games the part covers.
        let mut found = vec![0u64; groups.len()];
        for game in 0..games {
            let row = part.row(game);
            while gone.next_if(|&gone| gone < row).is_some() {
                passed += 1;
            }
            let deleted = gone.peek() == Some(&row);
            stays.push(!deleted);
            if deleted {
                continue;
            }
            let row = row.checked_sub(passed)?.checked_add(moved.first)?;
            while groups.get(place)?.end() <= row {
                place += 1;
            }
            *found.get_mut(place)? += 1;
        }
        let is_whole = |place: usize| {
            let group = groups.get(place).filter(|group| group.games > 0);
            group.is_some_and(|group| found.get(place) == Some(&group.games))
        };
        // The games that are left lie in the new row groups in this order.
        let mut left = stays.iter_mut().filter(|stays| **stays);
        for (place, &games) in found.iter().enumerate() {
            let games = left.by_ref().take(usize::try_from(games).unwrap_or(usize::MAX));
            games.for_each(|stays| *stays = is_whole(place));
        }
        let whole = groups.iter().enumerate().filter(|(place, _)| is_whole(*place));
        let whole = whole.map(|(_, group)| {
            let games = u32::try_from(group.games).unwrap_or(u32::MAX);
            Group { id: group.id, games }
        });
        let groups: Vec<Group> = whole.collect();
        let staying = groups.iter().fold(0u32, |sum, group| sum.saturating_add(group.games));
        let worth = staying > 0 && staying >= games / STAYING_PART;
        worth.then_some(Self { part, stays, games: staying, groups })
    }

    /// Writes the part.
    fn write(&self, output: &mut Output, work: &Work<'_>) -> Result<(), Error> {
        let path = output.path().to_path_buf();
        let failed = || Error::io(&path);
        // Nothing was deleted; only the row groups moved.
        if self.stays.iter().all(|stays| *stays) && self.groups == self.part.footer.groups() {
            work.done(self.games.into());
            return self.part.copy(output, work.stop, &path);
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.map_or_else(|| PathBuf::from("."), PathBuf::from);
        let (staying, kept) = self.kept(&folder, work.stop)?;
        let layout = self.part.footer.layout().with_games(staying.games());
        let source = Known(kept.details);
        let writer = PageWriter::new(layout);
        output.write_all(Footer::head()).map_err(failed())?;
        let pages = self.part.footer.pages();
        let mut written = PagesWriter::new(&folder).map_err(failed())?;
        for first in (0..pages).step_by(PAGES_AT_ONCE) {
            let some = first..pages.min(first + PAGES_AT_ONCE);
            let pruned = some.into_par_iter().map(|number| {
                work.check()?;
                let (place, [entries, blocks]) = self.part.footer.page_at(number);
                let (entries, blocks) = (self.part.fetch(entries)?, self.part.fetch(blocks)?);
                let old = self.part.footer.layout();
                let page = writer.prune(old, place, [&entries, &blocks], &staying, &source);
                page.map_err(|error| match error {
                    Failed::Index(error) => self.part.damaged(error),
                    Failed::Io(error) => Error::io(&path)(error),
                })
            });
            let pruned: Vec<Page> = pruned.collect::<Result<_, Error>>()?;
            let share =
                |pages_done: usize| u64::from(self.games) * pages_done as u64 / pages as u64;
            work.done(share(first + pruned.len()) - share(first));
            for page in pruned {
                written.write(&page, output).map_err(failed())?;
            }
        }
        let ends = written.finish(kept.heads, kept.remains).map_err(failed())?;
        ends.write(self.groups.clone(), layout, output).map_err(failed())?;
        Ok(())
    }
}

/// Data of the games that stay, in temporary files.
struct Kept {
    details: DetailsReader,
    heads: WrittenBlocks,
    remains: WrittenBlocks,
}

impl Plan<'_> {
    /// Determines which games stay, and collects their data.
    fn kept(&self, folder: &Path, stop: &AtomicBool) -> Result<(Staying, Kept), Error> {
        let failed = || Error::io(folder);
        let mut staying = Staying::default();
        let mut details = DetailsWriter::new(folder).map_err(failed())?;
        let mut heads = BlocksWriter::heads(folder).map_err(failed())?;
        let mut remains = BlocksWriter::remains(folder).map_err(failed())?;
        let (footer, damaged) = (&self.part.footer, |error| self.part.damaged(error));
        let mut stays = self.stays.iter().zip(0u32..);
        for first in (0..footer.layout().games()).step_by(HEADS_GAMES as usize) {
            crate::store::work::check(stop)?;
            let block = self.part.fetch(footer.heads(first))?;
            let found = Heads::read(footer.layout(), first, &block).map_err(damaged)?;
            for (&stays, game) in stays.by_ref().take(HEADS_GAMES as usize) {
                let head = found.head(game).filter(|_| stays);
                staying.push(head.is_some());
                let Some(head) = head else { continue };
                let (players, line) = (head.players.clone(), Witness::default());
                let bytes = Details { players, line }.to_bytes();
                details.push(&bytes, head.summand()).map_err(failed())?;
                heads.push(head).map_err(failed())?;
            }
        }
        let mut stays = self.stays.iter();
        for number in 0..footer.remains_blocks() {
            let block = self.part.fetch(footer.remains(number))?;
            let found = read_remains(footer.layout(), number, &block).map_err(damaged)?;
            for (one, _) in found.into_iter().zip(stays.by_ref()).filter(|(_, stays)| **stays) {
                remains.push(one).map_err(failed())?;
            }
        }
        let details = details.finish().map_err(failed())?;
        let heads = heads.finish().map_err(failed())?;
        let remains = remains.finish().map_err(failed())?;
        Ok((staying, Kept { details, heads, remains }))
    }
}

/// Players of the games that stay.
struct Known(DetailsReader);

/// Why a page cannot be written.
enum Failed {
    Index(plypack_index::Error),
    Io(io::Error),
}

impl From<plypack_index::Error> for Failed {
    fn from(error: plypack_index::Error) -> Self {
        Self::Index(error)
    }
}

impl Source for Known {
    type Error = Failed;

    fn summands(&self, games: &[u32]) -> Result<Vec<Summand>, Failed> {
        self.0.summands(games).map_err(Failed::Io)
    }

    fn players(&self, game: u32) -> Result<Players, Failed> {
        self.0.players(game).map_err(Failed::Io)
    }

    /// Blocks that stay keep their line.
    fn line(&self, _game: u32, _plies: u16) -> Result<Option<Witness>, Failed> {
        Ok(None)
    }
}
