//! Lists games with their tags, a batch at a time.

use std::io;
use std::path::Path;

use crate::store::RecordId;
use crate::store::columns::Wanted;
use crate::store::error::Error;
use crate::store::find::records;
use crate::store::row::StoredRecord;

use super::collection::Collection;
use super::query::Hit;

/// Number of games in the first batch; each batch is twice as large as the last. Sorted games lie
/// scattered over a file, and those of one page are decoded together.
const BATCH: usize = 256;

/// The most games in a batch.
const BATCH_MAX: usize = 16_384;

/// A game that answers a query, with its tags: [`Query::list`](crate::Query::list).
#[derive(Debug)]
pub struct ListedGame<'a> {
    pub(crate) path: &'a Path,
    pub(crate) file: usize,
    pub(crate) row: u64,
    checksum: Option<u32>,
    record: StoredRecord<'a>,
    pub(crate) hits: Vec<Hit>,
}

impl ListedGame<'_> {
    /// Returns the path its file was opened by.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.path
    }

    /// Returns the place of its file in the collection, counted from 0.
    #[must_use]
    pub fn file(&self) -> usize {
        self.file
    }

    /// Returns its number in the file, counted from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.row + 1
    }

    /// Returns its id, by which [`Deleter::ids`](crate::Deleter::ids) recognises it; `None` if the
    /// file has no checksum of it.
    #[must_use]
    pub fn id(&self) -> Option<RecordId> {
        Some(RecordId { record: self.number(), checksum: self.checksum? })
    }

    /// Returns the tags in order, with a set-up position as `FEN`.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.record.tags.iter().map(|(name, value)| (*name, value.as_ref()))
    }

    /// Returns the value of the first tag of this name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags().find(|tag| tag.0 == name).map(|tag| tag.1)
    }

    /// Returns where the position occurs, or where the pattern's conditions are met:
    /// [`FoundGame::hits`](crate::FoundGame::hits).
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }
}

/// Games that wait to be listed, each with something that is known about it.
pub(crate) struct Listing<'a, T, F> {
    collection: &'a Collection,
    each: F,
    waiting: Vec<(usize, u64, Option<T>)>,
    /// Number of waiting games at which they are listed.
    batch: usize,
}

impl<'a, T, F: FnMut(ListedGame<'_>, T) -> io::Result<()>> Listing<'a, T, F> {
    /// Makes a list that passes games to `each`, without hits.
    pub fn new(collection: &'a Collection, each: F) -> Self {
        Self { collection, each, waiting: Vec::new(), batch: BATCH }
    }

    /// Takes a game by its file and row, and lists the waiting games once there are enough.
    pub fn push(&mut self, file: usize, row: u64, known: T) -> Result<(), Error> {
        self.waiting.push((file, row, Some(known)));
        if self.waiting.len() < self.batch {
            return Ok(());
        }
        self.batch = (2 * self.batch).min(BATCH_MAX);
        self.finish()
    }

    /// Lists the waiting games.
    pub fn finish(&mut self) -> Result<(), Error> {
        let Self { collection, each, waiting, .. } = self;
        let mut waiting = std::mem::take(waiting);
        for games in waiting.chunk_by_mut(|one, other| one.0 == other.0) {
            let file = games.first().map_or(0, |game| game.0);
            let (asked, path) = (collection.asked.get(file), collection.paths.get(file));
            let (Some(asked), Some(path)) = (asked, path) else { continue };
            let rows: Vec<u64> = games.iter().map(|game| game.1).collect();
            records(asked, &rows, Wanted::TAGS_AND_CHECKSUM, |place, record, checksum| {
                let Some((_, row, known)) = games.get_mut(place) else { return Ok(()) };
                let Some(known) = known.take() else { return Ok(()) };
                let game = ListedGame { path, file, row: *row, checksum, record, hits: Vec::new() };
                each(game, known).map_err(Error::io(&**path))
            })?;
        }
        Ok(())
    }
}
