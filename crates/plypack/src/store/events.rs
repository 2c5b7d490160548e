//! Lists the events of games.

use std::borrow::Borrow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::work::Work;

/// Returns the names of the events of all games of some files, in the tag Event, each with its
/// number of games; those with the most games first. Events without a name, `?`, are left out.
///
/// # Errors
/// Returns an error if a file cannot be read, or the work was stopped.
pub fn events<F: Borrow<PackedFile> + Sync>(
    files: &[F],
    work: &Work<'_>,
) -> Result<Vec<(String, u64)>, Error> {
    work.run(|| {
        let mut all: BTreeMap<String, u64> = BTreeMap::new();
        for file in files.iter().map(Borrow::borrow) {
            let groups: Vec<usize> = (0..file.groups()).collect();
            for some in groups.chunks(rayon::current_num_threads()) {
                let counted = some.par_iter().map(|&group| counted(file, group, work));
                for (name, games) in
                    counted.collect::<Result<Vec<_>, Error>>()?.into_iter().flatten()
                {
                    *all.entry(name).or_default() += games;
                }
            }
        }
        let mut all: Vec<(String, u64)> = all.into_iter().collect();
        all.sort_by_key(|event| Reverse(event.1));
        Ok(all)
    })
}

/// Returns the events of a row group.
fn counted(
    file: &PackedFile,
    group: usize,
    work: &Work<'_>,
) -> Result<BTreeMap<String, u64>, Error> {
    work.check()?;
    let cells = file.cells(group, None, "Event")?;
    let mut counted: BTreeMap<&str, u64> = BTreeMap::new();
    for name in cells.texts().flatten().filter(|name| !matches!(name.trim(), "" | "?" | "-")) {
        *counted.entry(name).or_default() += 1;
    }
    Ok(counted.into_iter().map(|(name, games)| (name.to_owned(), games)).collect())
}
