//! All records that match a query, one after the other, as they were packed.

use bytes::Bytes;
use plypack::store::columns::Wanted;
use plypack::store::find::{Found, Separator, find, records};
use plypack::store::{Error, row::StoredRecord};

use crate::explorer::answer::Stop;
use crate::explorer::api::order;
use crate::explorer::database::Database;
use crate::explorer::error::Refusal;
use crate::explorer::filter::Filter;
use crate::explorer::query::Query;
use crate::explorer::{pattern, place};

/// The number of games read at once.
const CHUNK: usize = 256;

/// Passes the records to `send`, which returns false once the client is gone.
///
/// # Errors
/// Returns an error if the query is invalid, a file cannot be read, or the work was stopped.
pub fn download(
    database: &Database,
    query: &Query,
    stop: &Stop,
    send: &mut (dyn FnMut(Bytes) -> bool + Send),
) -> Result<(), Refusal> {
    let filter = Filter::read(database, query, stop)?;
    let target = place::asked(database, query)?;
    let wanted = pattern::asked(database, query)?;
    let question = filter.question(target.as_ref(), wanted.as_ref());
    let mut waiting: Vec<Found> = Vec::with_capacity(CHUNK);
    let mut separator = Separator::default();
    let mut flush = |waiting: &mut Vec<Found>| {
        for games in waiting.chunk_by(|one, other| one.file == other.file) {
            let some = games.first().and_then(|game| database.files().get(game.file));
            let Some(asked) = some else { continue };
            let rows: Vec<u64> = games.iter().map(|game| game.row).collect();
            let mut chunk = Vec::new();
            records::<Error>(asked, &rows, Wanted::All, |place, record, checksum| {
                let row = rows.get(place).copied().unwrap_or_default();
                let bytes = original(asked.file.path(), row, &record, checksum)?;
                chunk.extend_from_slice(separator.before(&record, &bytes));
                chunk.extend_from_slice(&bytes);
                Ok(())
            })?;
            if !send(chunk.into()) {
                return Err(Error::Stopped);
            }
        }
        waiting.clear();
        Ok(())
    };
    let (mut left_out, limit) = wanted.as_ref().map_or((0, u64::MAX), |one| (one.skip, one.limit));
    let most = left_out.saturating_add(limit);
    find(database.files(), &question, order(query)?, most, &stop.work(), &mut |game| {
        if left_out > 0 {
            left_out -= 1;
            return Ok(());
        }
        waiting.push(game);
        if waiting.len() >= CHUNK { flush(&mut waiting) } else { Ok(()) }
    })?;
    Ok(flush(&mut waiting)?)
}

fn original(
    path: &std::path::Path,
    row: u64,
    record: &StoredRecord<'_>,
    checksum: Option<u32>,
) -> Result<Vec<u8>, Error> {
    let bytes = record.original(checksum).map_err(Error::record(path, row))?;
    Ok(bytes.into_owned())
}
