//! A folder for any host of files: the page of the explorer, a packed file, and its index.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use plypack_explorer::Page;
use plypack_store::find::game_of;
use plypack_store::index::{Indices, PARTS_MAX, part_path};

use crate::failure::Failure;
use crate::files;

/// Writes these pages, a packed file of games and what indexes it into a folder, which is made.
/// Returns the last part of the address at which the page shows the file.
pub fn write(pages: &[Page], file: &Path, folder: &Path, force: bool) -> Result<String, Failure> {
    let packed = files::open_packed(file)?;
    game_of(&packed)?;
    if !Indices::open(&packed).uncovered().is_empty() {
        let name = file.display();
        return Err(Failure::new(format!("{name} has games without an index"))
            .with_hint(&format!("`plypack index {name}` indexes them: a page needs it")));
    }
    let named = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.map(str::to_owned).ok_or_else(|| Failure::new("its name is no text"))
    };
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    let parts = (0..PARTS_MAX).map(|part| part_path(file, part)).filter(|part| part.exists());
    for from in std::iter::once(file.to_path_buf()).chain(parts) {
        let to = folder.join(named(&from)?);
        files::check_apart(&from, &to)?;
        let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", from.display()));
        let mut input = File::open(&from).map_err(failed)?;
        let mut output = files::begin_output(&to, force)?;
        std::io::copy(&mut input, &mut output)?;
        output.publish()?;
    }
    for page in pages {
        let mut output = files::begin_output(&folder.join(page.name), force)?;
        output.write_all(page.bytes)?;
        output.publish()?;
    }
    named(file)
}
