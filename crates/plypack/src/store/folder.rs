//! Restoring the inputs of a packed file into a folder: all of them, or none.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use plypack_records::Content;

use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::input::names;
use crate::store::input::opening::is_same_file;
use crate::store::output::{Existing, Listed, Outputs};
use crate::store::work;

/// The inputs being restored. They have temporary names until [`Folder::publish`], and are removed
/// without it.
pub struct Folder {
    folder: PathBuf,
    /// The packed file, for messages.
    packed: PathBuf,
    kind: Content,
    existing: Existing,
    /// The place of each input, by its number.
    inputs: Vec<PathBuf>,
    by_name: BTreeMap<String, usize>,
    places: BTreeSet<PathBuf>,
    /// The input being written. Only one is open: there may be more inputs than the system allows
    /// open files.
    open: Option<(usize, BufWriter<File>)>,
    files: Outputs,
    /// Dropped after the files, as only empty folders can be removed.
    made: Made,
}

impl Folder {
    /// Begins to restore the inputs of `file` into `folder`, creating it if needed.
    ///
    /// # Errors
    /// Returns an error if an input of the file cannot be restored there, or on an I/O error.
    pub fn begin(folder: &Path, file: &PackedFile, existing: Existing) -> Result<Self, Error> {
        let mut made = Made::default();
        made.make(folder)?;
        let files = Outputs::begin(folder)?;
        let mut this = Self {
            folder: folder.into(),
            packed: file.path().into(),
            kind: file.kind(),
            existing,
            inputs: Vec::new(),
            by_name: BTreeMap::new(),
            places: BTreeSet::new(),
            open: None,
            files,
            made,
        };
        for name in file.sources()? {
            this.add(&name)?;
        }
        Ok(this)
    }

    /// Writes the next bytes of an input.
    ///
    /// # Errors
    /// Returns an error if the input cannot be restored there, or on an I/O error.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let index = match self.by_name.get(name) {
            Some(&index) => index,
            None => self.add(name)?,
        };
        let failed = Error::io(self.folder.join(&self.inputs[index]));
        if let Some((_, writer)) = self.open.as_mut().filter(|open| open.0 == index) {
            return writer.write_all(bytes).map_err(failed);
        }
        self.close()?;
        let file = self.files.append(index).map_err(Error::io(&self.folder))?;
        let mut writer = BufWriter::with_capacity(1 << 16, file);
        let written = writer.write_all(bytes).map_err(failed);
        self.open = Some((index, writer));
        written
    }

    /// Gives all inputs their final names once they are on disk, unless the user asks to stop
    /// first.
    ///
    /// # Errors
    /// Returns an error if interrupted, or on an I/O error. Then no input has its final name,
    /// unless it replaced an existing file.
    pub fn publish(mut self, stop: &AtomicBool) -> Result<(), Error> {
        self.close()?;
        let places: Vec<PathBuf> = self.inputs.iter().map(|at| self.folder.join(at)).collect();
        for (number, place) in places.iter().enumerate() {
            work::check(stop)?;
            let file = self.files.append(number).map_err(Error::io(place))?;
            file.sync_all().map_err(Error::io(place))?;
        }
        for place in &self.inputs {
            let mut folder = self.folder.clone();
            for part in place.parent().into_iter().flat_map(Path::components) {
                folder.push(part);
                self.made.make_inside(&folder)?;
            }
        }
        for (number, place) in places.iter().enumerate() {
            // Names that differ only in case may be the same to the file system.
            if let Err(error) = self.files.publish(number, place, self.existing) {
                for published in places[..number].iter().filter(|_| self.existing.is_kept()) {
                    let _ = std::fs::remove_file(published);
                }
                return Err(error);
            }
        }
        self.made.0.clear();
        Ok(())
    }

    fn add(&mut self, name: &str) -> Result<usize, Error> {
        let refused = |why: String| Error::Format {
            path: self.packed.clone(),
            why: format!(
                "{why}; unpack it to one file with -o FILE, or to standard output with -c"
            ),
        };
        let place = names::safe_place(name, self.kind).map_err(refused)?;
        let index = self.inputs.len();
        if self.by_name.insert(name.to_owned(), index).is_some() {
            return Err(refused(format!("it has two inputs named `{name}`")));
        }
        // Paths within `place` sort directly after it.
        let within = self.places.range(place.clone()..).next();
        let within = within.is_some_and(|other| other.starts_with(&place));
        if within || place.ancestors().any(|folder| self.places.contains(folder)) {
            let place = place.display();
            return Err(refused(format!(
                "more than one of its inputs would be written to `{place}`"
            )));
        }
        let output = self.folder.join(&place);
        if is_same_file(&self.packed, &output) {
            return Err(refused(format!(
                "its input `{name}` would overwrite the packed file itself"
            )));
        }
        if self.existing.is_kept() && output.symlink_metadata().is_ok() {
            return Err(Error::Exists { path: output, meanwhile: false });
        }
        self.files.create(index).map_err(Error::io(&self.folder))?;
        self.places.insert(place.clone());
        self.inputs.push(place);
        Ok(index)
    }

    /// Closes the open input.
    fn close(&mut self) -> Result<(), Error> {
        let Some((index, writer)) = self.open.take() else { return Ok(()) };
        let failed = Error::io(self.folder.join(&self.inputs[index]));
        writer.into_inner().map_err(|error| failed(error.into_error()))?;
        Ok(())
    }
}

/// The folders created, outer ones first. Dropping this removes them, unless it was cleared.
#[derive(Default)]
struct Made(Vec<Listed>);

impl Made {
    /// Creates a folder and its missing parents.
    fn make(&mut self, folder: &Path) -> Result<(), Error> {
        let lacking = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let mut lacking: Vec<&Path> = folder.ancestors().take_while(lacking).collect();
        lacking.reverse();
        for folder in lacking {
            std::fs::create_dir(folder).map_err(Error::io(folder))?;
            self.0.push(Listed::new(folder));
        }
        Ok(())
    }

    /// Creates a folder within ours. A link in its place might lead anywhere, so it is refused.
    fn make_inside(&mut self, folder: &Path) -> Result<(), Error> {
        match folder.symlink_metadata() {
            Ok(found) if found.is_dir() => Ok(()),
            Ok(_) => Err(Error::io(folder)(ErrorKind::NotADirectory.into())),
            Err(error) if error.kind() == ErrorKind::NotFound => self.make(folder),
            Err(error) => Err(Error::io(folder)(error)),
        }
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            // Removes only empty folders; anything in them is kept.
            let _ = std::fs::remove_dir(folder.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::unwrap_used, clippy::expect_used, reason = "as in any test")]
    fn packed(folder: &Path) -> PackedFile {
        let path = folder.join("packed.parquet");
        let codec = plypack_games::line_codec("chess", "line.text").expect("a codec");
        let options = crate::store::Options { codec, positions: None, detect: false };
        let none: Vec<crate::store::Source> = Vec::new();
        crate::store::import(none, &path, &options, &work::Work::on(1)).expect("a file");
        PackedFile::open(&path).expect("a packed file")
    }

    #[test]
    fn inputs_may_take_turns() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let file = packed(temporary.path());
        let out = temporary.path().join("out");
        let mut folder = Folder::begin(&out, &file, Existing::Kept).expect("a folder");
        for (name, bytes) in [("a", "1"), ("x/b", "2"), ("a", "3"), ("a", "4"), ("x/b", "5")] {
            folder.write(name, bytes.as_bytes()).expect("a name");
        }
        folder.publish(&AtomicBool::new(false)).expect("a folder");
        assert_eq!(std::fs::read(out.join("a")).expect("a file"), b"134");
        assert_eq!(std::fs::read(out.join("x/b")).expect("a file"), b"25");
        assert_eq!(std::fs::read_dir(&out).expect("a folder").count(), 2);
    }

    #[test]
    fn nothing_is_written_elsewhere_or_twice() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let file = packed(temporary.path());
        let out = temporary.path().join("out");
        let mut folder = Folder::begin(&out, &file, Existing::Replaced).expect("a folder");
        folder.write("a/b.zst", b"1").expect("a name");
        for name in ["", "..", "../a", "/a", "a/../../c", "a", "a/b", "a/b/c", "a//b.gz", "./a"] {
            let error = folder.write(name, b"2").expect_err(name).to_string();
            assert!(error.contains("packed.parquet") && error.contains("-o FILE"), "{error}");
        }
        drop(folder);
        assert!(!out.exists());
    }
}
