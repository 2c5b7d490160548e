//! A folder for any static file host: the explorer's page, a packed file and its index.

use std::borrow::Cow;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::explorer::Page;
use plypack::store::find::game_of;
use plypack::store::index::{Indices, PARTS_MAX, part_path};

use crate::failure::Failure;
use crate::files;

/// Returns the bytes of a page; the first one of the folder is told which database to open.
fn of_database<'p>(page: &'p Page, name: &str) -> Cow<'p, [u8]> {
    match std::str::from_utf8(page.bytes) {
        Ok(html) if page.name == "index.html" => {
            let name = name.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
            let told = format!("<html lang=\"en\" data-db=\"{name}\">");
            Cow::Owned(html.replacen("<html lang=\"en\">", &told, 1).into_bytes())
        }
        _ => Cow::Borrowed(page.bytes),
    }
}

/// Writes the pages, a packed file of games and its index into a folder, creating it if needed.
/// Returns the file's name, by which the page's address selects it.
pub fn write(pages: &[Page], file: &Path, folder: &Path, force: bool) -> Result<String, Failure> {
    let packed = files::open_packed(file)?;
    game_of(&packed)?;
    if !Indices::open(&packed).uncovered().is_empty() {
        let name = file.display();
        return Err(Failure::new(format!("{name} is not fully indexed"))
            .with_hint(&format!("the page needs an index; run `plypack index {name}`")));
    }
    let named = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.map(str::to_owned).ok_or_else(|| Failure::new("its name is not UTF-8"))
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
    let name = named(file)?;
    for page in pages {
        let mut output = files::begin_output(&folder.join(page.name), force)?;
        output.write_all(&of_database(page, &name))?;
        output.publish()?;
    }
    Ok(name)
}
