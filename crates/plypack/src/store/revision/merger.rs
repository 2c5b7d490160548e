//! Merges several files into one.

use std::io::Write;
use std::path::Path;

use plypack_records::Content;

use super::names::InputNames;
use super::{Piece, Plan};
use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::schema::{GROUP_BYTES_MAX, GROUP_RECORDS_MAX};
use crate::store::sheet::INDEXED_RECORDS_MIN;
use crate::store::sources::Rowless;
use crate::store::work::Work;
use crate::store::writer::Renames;

/// Row groups with fewer records are merged with their neighbours, unless they are large in bytes:
/// each has its own dictionaries, and a place in the footer.
const SMALL_RECORDS: u64 = GROUP_RECORDS_MAX as u64 / 2;

/// What was merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The number of records.
    pub records: u64,
    /// The renamed inputs, whose names others already had: the file's number, the old name, and the
    /// new one.
    pub renamed: Vec<(usize, String, String)>,
}

/// Writes the records of all files, in order, into one file. They are copied in coded form, large
/// row groups byte by byte. An input with the name of another gets a number.
///
/// # Errors
/// Returns an error if the files are neither all of games nor all of positions, one cannot be read,
/// or writing fails.
pub fn merge(
    files: &[PackedFile],
    output: &mut (dyn Write + Send),
    name: &Path,
    work: &Work<'_>,
) -> Result<Merged, Error> {
    let kind = files.first().map_or(Content::Games, PackedFile::kind);
    if let Some(other) = files.iter().find(|file| file.kind() != kind) {
        let (found, others) = match other.kind() {
            Content::Positions => ("positions", "games"),
            Content::Games => ("games", "positions"),
        };
        let why = format!("it holds {found}, but the first file {others}: they cannot be merged");
        return Err(Error::Format { path: other.path().into(), why });
    }
    let mut merged = Merged::default();
    let (mut names, mut rowless) = (InputNames::default(), Vec::new());
    let (mut renamed, mut before) = (Vec::new(), 0);
    for (number, file) in files.iter().enumerate() {
        let sources = file.sources()?;
        let new = |name: &String| Some((name.clone(), names.take(name)?));
        let new: Renames = sources.iter().filter_map(new).collect();
        let places = file.rowless()?.into_iter();
        rowless.extend(places.map(|(place, name)| -> Rowless {
            let name = new.get(&name).unwrap_or(&name).clone();
            (before + place, name)
        }));
        before += sources.len();
        let said = new.iter().map(|(name, new)| (number, name.clone(), new.clone()));
        merged.renamed.extend(said);
        renamed.push(new);
        merged.records += file.records();
    }
    let mut indexed = merged.records >= INDEXED_RECORDS_MIN as u64;
    for file in files {
        indexed |= file.has_page_index()?;
    }
    let pieces = pieces(files);
    let plan = Plan { files: files.iter().collect(), pieces, renamed, rowless };
    plan.write(output, name, indexed, work)?;
    Ok(merged)
}

/// Returns the row groups of the files; neighbouring small ones as rows.
fn pieces(files: &[PackedFile]) -> Vec<Piece> {
    let groups = files.iter().enumerate().flat_map(|(number, file)| {
        (0..file.groups()).map(move |group| (number, group, is_small(file, group)))
    });
    let groups: Vec<_> = groups.collect();
    let runs = groups.chunk_by(|one, other| one.2 && other.2);
    let pieces = runs.flat_map(|run| {
        run.iter().filter_map(|&(number, group, _)| {
            if run.len() == 1 {
                return Some(Piece::Group(number, group));
            }
            let rows = usize::try_from(files.get(number)?.group_records(group)).ok()?;
            Some(Piece::Rows(number, group, vec![0..rows]))
        })
    });
    pieces.collect()
}

/// Returns whether a row group is worth merging with others.
fn is_small(file: &PackedFile, group: usize) -> bool {
    let bytes = file.footer().row_groups().get(group).map_or(0, |found| found.total_byte_size());
    file.kind() == Content::Games
        && file.group_records(group) < SMALL_RECORDS
        && usize::try_from(bytes).is_ok_and(|bytes| bytes < GROUP_BYTES_MAX / 4)
}
