//! A file that is being written: it gets its name only when it is complete and on disk.
//!
//! Until then it lies beside that name, called `.plypack-` and six characters and `.tmp`, and is
//! locked, so that whoever finds one that is not knows that its run was killed, and clears it away.
//! What is no file, a pipe or a device, is written to as it is.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, PathPersistError, TempDir, TempPath};

use crate::error::Error;

/// What the names of unfinished files begin with.
const PREFIX: &str = ".plypack-";

/// What they end with.
const SUFFIX: &str = ".tmp";

/// The file in an unfinished folder that is locked while somebody works on it.
const LOCK: &str = "lock";

/// How many symbolic links are followed one after the other, as many as Linux follows.
const LINKS_MAX: usize = 40;

/// What becomes of a file that has the name already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and the new one is refused.
    Kept,
    /// The new one takes its place.
    Replaced,
}

impl Existing {
    /// Whether it stays.
    #[must_use]
    pub fn is_kept(self) -> bool {
        self == Self::Kept
    }
}

/// A file that is being written. It goes if it does not come to [`Output::publish`].
#[derive(Debug)]
pub struct Output {
    /// What the caller calls it.
    path: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// A file that is to have this name, behind all symbolic links.
    File { file: NamedTempFile, place: PathBuf, existing: Existing },
    /// A pipe or a device.
    Stream(File),
}

impl Output {
    /// Begins to write a file, in the folder that it is to be in. A symbolic link is followed:
    /// what it leads to is written. A pipe or a device has no content that could be kept, and is
    /// opened.
    ///
    /// What killed runs left in the folder is cleared away.
    ///
    /// # Errors
    /// [`Error::Exists`] if there is such a file that is to be kept; if the name is a folder's, or
    /// the system refuses.
    pub fn begin(path: &Path, existing: Existing) -> Result<Self, Error> {
        let failed = || Error::io(path);
        let target = match path.metadata() {
            Ok(found) if found.is_dir() => {
                return Err(failed()(ErrorKind::IsADirectory.into()));
            }
            Ok(found) if !found.is_file() => {
                Target::Stream(File::options().write(true).open(path).map_err(failed())?)
            }
            _ => {
                let place = behind_links(path);
                if existing.is_kept() && place.symlink_metadata().is_ok() {
                    return Err(Error::Exists { path: path.into(), meanwhile: false });
                }
                let folder = folder_of(&place);
                clear(folder);
                let file = create(folder, &place).map_err(Error::io(folder))?;
                Target::File { file, place, existing }
            }
        };
        Ok(Self { path: path.into(), target })
    }

    /// What the caller calls it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file, which can be read and written anywhere; `None` if it is a pipe or a device.
    pub fn file(&mut self) -> Option<&mut File> {
        match &mut self.target {
            Target::File { file, .. } => Some(file.as_file_mut()),
            Target::Stream(_) => None,
        }
    }

    /// Whether what is written is seen at a terminal.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        matches!(&self.target, Target::Stream(file) if io::IsTerminal::is_terminal(file))
    }

    /// The name that the file has until it is complete: what a program that ends at once has to
    /// remove. `None` if it is a pipe or a device.
    #[must_use]
    pub fn unfinished(&self) -> Option<&Path> {
        match &self.target {
            Target::File { file, .. } => Some(file.path()),
            Target::Stream(_) => None,
        }
    }

    /// Gives the complete file its name, once it is on disk.
    ///
    /// # Errors
    /// [`Error::Exists`] if another program made such a file meanwhile, which is kept; if the
    /// system refuses. Then nothing is left.
    pub fn publish(self) -> Result<(), Error> {
        self.publish_or(&mut |error| Err(error)).map(drop)
    }

    /// Gives the complete file its name, or, for as long as there is such a file that is to be
    /// kept, the next one that `next` has. Returns the name that it has got.
    ///
    /// # Errors
    /// As above, and those of `next`, which is told why the last name did not do.
    pub fn publish_or(
        self,
        next: &mut dyn FnMut(Error) -> Result<PathBuf, Error>,
    ) -> Result<PathBuf, Error> {
        let Self { mut path, target } = self;
        let Target::File { file, mut place, existing } = target else { return Ok(path) };
        file.as_file().sync_all().map_err(Error::io(&path))?;
        let mut file = file.into_temp_path();
        loop {
            let named = match existing {
                Existing::Kept => file.persist_noclobber(&place),
                Existing::Replaced => file.persist(&place),
            };
            match named {
                Ok(()) => return Ok(path),
                Err(PathPersistError { error, path: unfinished }) => {
                    let error = refused(&path, error);
                    if !matches!(error, Error::Exists { .. }) {
                        return Err(error);
                    }
                    path = next(error)?;
                    place = behind_links(&path);
                    file = unfinished;
                }
            }
        }
    }

    /// Has it get another name, in the same folder.
    pub(crate) fn rename(&mut self, path: &Path) {
        self.path = path.into();
        if let Target::File { place, .. } = &mut self.target {
            *place = behind_links(path);
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::File { file, .. } => file.as_file_mut().write(bytes),
            Target::Stream(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::File { file, .. } => file.as_file_mut().flush(),
            Target::Stream(file) => file.flush(),
        }
    }
}

/// Files on their way into one folder. They go if they are not published.
#[derive(Debug)]
pub struct Outputs {
    folder: TempDir,
    /// Held until they are published or gone.
    _lock: File,
}

impl Outputs {
    /// Begins to write files into a folder, from which what killed runs left is cleared away.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn begin(folder: &Path) -> Result<Self, Error> {
        clear(folder);
        let begin = || loop {
            let made = builder().tempdir_in(folder)?;
            // Who clears up may have taken an empty folder for a dead one.
            let lock = match File::create_new(made.path().join(LOCK)) {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                lock => lock?,
            };
            if is_ours(&lock, &made.path().join(LOCK)) {
                return Ok(Self { folder: made, _lock: lock });
            }
        };
        begin().map_err(Error::io(folder))
    }

    /// The folder that they are in until they are complete: what a program that ends at once has
    /// to remove.
    #[must_use]
    pub fn unfinished(&self) -> &Path {
        self.folder.path()
    }

    /// Makes an empty file of this number.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn create(&self, number: usize) -> io::Result<File> {
        File::create_new(self.place(number))
    }

    /// Opens the file of this number to go on writing it.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn append(&self, number: usize) -> io::Result<File> {
        File::options().append(true).open(self.place(number))
    }

    /// Gives the file of this number, which is complete and on disk, its name.
    ///
    /// # Errors
    /// [`Error::Exists`] if there is such a file that is to be kept; if the name is that of
    /// something else than a file, which might lead anywhere, or the system refuses.
    pub fn publish(&self, number: usize, path: &Path, existing: Existing) -> Result<(), Error> {
        if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
            let why = "it is there and no file; remove it, or name another folder with -o";
            return Err(Error::Format { path: path.into(), why: why.into() });
        }
        let file = TempPath::try_from_path(self.place(number)).map_err(Error::io(path))?;
        name(file, path, existing).map_err(|error| refused(path, error))
    }

    fn place(&self, number: usize) -> PathBuf {
        self.folder.path().join(number.to_string())
    }
}

/// Whether this is the name of an unfinished file, or of a folder of such.
#[must_use]
pub fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Names for what is unfinished.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    builder
}

/// Makes a locked file in a folder, with the rights that any new file has there, or those of the
/// file whose place it is to take.
fn create(folder: &Path, place: &Path) -> io::Result<NamedTempFile> {
    let mut builder = builder();
    if let Some(permissions) = usual_permissions() {
        builder.permissions(permissions);
    }
    loop {
        let file = builder.tempfile_in(folder)?;
        if is_ours(file.as_file(), file.path()) {
            if let Ok(replaced) = place.metadata() {
                // Some file systems have no rights to set.
                let _ = file.as_file().set_permissions(replaced.permissions());
            }
            return Ok(file);
        }
    }
}

/// Those that the system takes its mask from, as for a file that is not temporary.
#[cfg(unix)]
fn usual_permissions() -> Option<std::fs::Permissions> {
    Some(std::os::unix::fs::PermissionsExt::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual_permissions() -> Option<std::fs::Permissions> {
    None
}

/// Locks a file that was just made; `false` if somebody cleared it away before that.
fn is_ours(file: &File, path: &Path) -> bool {
    match file.try_lock() {
        Ok(()) => path.symlink_metadata().is_ok(),
        Err(TryLockError::WouldBlock) => false,
        // Without locks nobody clears up either.
        Err(TryLockError::Error(_)) => true,
    }
}

/// Clears away what killed runs left beside a file.
pub fn clear_beside(path: &Path) {
    clear(folder_of(&behind_links(path)));
}

/// Removes from a folder what runs left that did not come to their end: what nobody holds a lock
/// on. It is no fault if something cannot be removed.
fn clear(folder: &Path) {
    let Ok(entries) = folder.read_dir() else { return };
    for entry in entries.flatten().filter(|entry| is_unfinished(entry.file_name().as_ref())) {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_file() && is_dead(&path) => drop(std::fs::remove_file(&path)),
            Ok(kind) if kind.is_dir() => match path.join(LOCK).symlink_metadata() {
                Ok(_) if is_dead(&path.join(LOCK)) => drop(std::fs::remove_dir_all(&path)),
                Ok(_) => {}
                // Only an empty one goes: its owner may be about to make the lock.
                Err(_) => drop(std::fs::remove_dir(&path)),
            },
            _ => {}
        }
    }
}

/// Whether nobody holds a lock on a file. If there is nobody, then there never will be: a lock is
/// taken when a file is made, and who takes it afterwards finds the file gone.
fn is_dead(path: &Path) -> bool {
    File::options().write(true).open(path).is_ok_and(|file| {
        let free = file.try_lock().is_ok();
        if free {
            // Removed while it is locked, so that its owner, if it was just made, makes another.
            let _ = std::fs::remove_file(path);
        }
        free
    })
}

/// Gives a file its name.
fn name(file: TempPath, place: &Path, existing: Existing) -> io::Result<()> {
    match existing {
        Existing::Kept => file.persist_noclobber(place),
        Existing::Replaced => file.persist(place),
    }
    .map_err(|error| error.error)
}

fn refused(path: &Path, error: io::Error) -> Error {
    match error.kind() {
        ErrorKind::AlreadyExists => Error::Exists { path: path.into(), meanwhile: true },
        _ => Error::io(path)(error),
    }
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The name at the end of all symbolic links, whether there is anything of that name or not.
pub(crate) fn behind_links(path: &Path) -> PathBuf {
    let mut place = path.to_path_buf();
    for _ in 0..LINKS_MAX {
        match place.read_link() {
            Ok(next) => place = folder_of(&place).join(next),
            Err(_) => break,
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<std::fs::DirEntry>| {
            entry.expect("an entry").file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<String> = folder.read_dir().expect("a folder").map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_not_published_goes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        let mut output = Output::begin(&path, Existing::Kept).expect("a file");
        output.write_all(b"1").expect("space");
        assert_eq!(names(folder.path()).len(), 1);
        assert!(!path.exists());
        drop(output);
        drop(Outputs::begin(folder.path()).expect("a folder"));
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn what_is_made_meanwhile_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        let begin = |existing| {
            let mut output = Output::begin(&path, existing).expect("a file");
            output.write_all(b"new").expect("space");
            output
        };
        let [kept, replaced] = [Existing::Kept, Existing::Replaced].map(begin);
        std::fs::write(&path, "old").expect("a file");
        let error = kept.publish().expect_err("it is there");
        assert!(matches!(error, Error::Exists { meanwhile: true, .. }), "{error}");
        assert_eq!(std::fs::read(&path).expect("a file"), b"old");
        let error = Output::begin(&path, Existing::Kept).expect_err("it is there");
        assert!(matches!(error, Error::Exists { meanwhile: false, .. }), "{error}");
        replaced.publish().expect("a file");
        assert_eq!(std::fs::read(&path).expect("a file"), b"new");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn only_what_nobody_works_on_is_cleared_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let dead = folder.path().join(".plypack-000000.tmp");
        let dead_folder = folder.path().join(".plypack-111111.tmp");
        let empty = folder.path().join(".plypack-222222.tmp");
        std::fs::write(&dead, "1").expect("a file");
        for folder in [&dead_folder, &empty] {
            std::fs::create_dir(folder).expect("a folder");
        }
        for name in [LOCK, "0"] {
            std::fs::write(dead_folder.join(name), "1").expect("a file");
        }
        std::fs::write(folder.path().join(".plypack-mine"), "1").expect("a file");
        let one = Output::begin(&folder.path().join("a"), Existing::Kept).expect("a file");
        let several = Outputs::begin(folder.path()).expect("a folder");
        let another = Output::begin(&folder.path().join("b"), Existing::Kept).expect("a file");
        let unfinished = [one.unfinished(), another.unfinished(), Some(several.unfinished())];
        let living = unfinished.into_iter().flatten().chain([Path::new(".plypack-mine")]);
        let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
        let mut living: Vec<String> = living.map(name).collect();
        living.sort();
        assert_eq!(names(folder.path()), living);
        one.publish().expect("a file");
        another.publish().expect("a file");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let [far, link, chain] = ["far", "link", "chain"].map(|name| folder.path().join(name));
        std::fs::create_dir(&far).expect("a folder");
        std::os::unix::fs::symlink("far/file", &link).expect("a link");
        std::os::unix::fs::symlink("link", &chain).expect("a link");
        for bytes in [b"1", b"2"] {
            let mut output = Output::begin(&chain, Existing::Replaced).expect("a file");
            output.write_all(bytes).expect("space");
            output.publish().expect("a file");
            assert!(link.is_symlink() && chain.is_symlink());
            assert_eq!(std::fs::read(far.join("file")).expect("a file"), bytes);
            assert_eq!(names(&far), ["file"]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_replaced_keeps_its_rights() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        std::fs::write(&path, "1").expect("a file");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).expect("rights");
        Output::begin(&path, Existing::Replaced).expect("a file").publish().expect("a file");
        let mode = path.metadata().expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
