//! Writes a file that gets its name only when it is complete and on disk.
//!
//! Until then it lies in the same folder, named `.plypack-`, six characters and `.tmp`, and is
//! locked. An unlocked one belongs to a run that was killed, and is removed. Pipes and devices are
//! written to directly.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::{NamedTempFile, PathPersistError, TempDir, TempPath};

use crate::store::error::Error;

/// The prefix of the names of unfinished files.
const PREFIX: &str = ".plypack-";

/// The suffix of the names of unfinished files.
const SUFFIX: &str = ".tmp";

/// The file in an unfinished folder that is locked while the folder is in use.
const LOCK: &str = "lock";

/// The most symbolic links followed in a chain, as on Linux.
const LINKS_MAX: usize = 40;

/// What happens to an existing file of that name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// It is kept, and the new one is rejected.
    Kept,
    /// The new one replaces it.
    #[default]
    Replaced,
}

impl Existing {
    /// Returns whether it is kept.
    pub fn is_kept(self) -> bool {
        self == Self::Kept
    }
}

/// A file being written. It is removed unless [`Output::publish`] succeeds.
#[derive(Debug)]
pub struct Output {
    /// The path in messages.
    path: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// A file that will get this name, with symbolic links resolved.
    File { file: NamedTempFile, place: PathBuf, existing: Existing, _listed: Listed },
    /// A pipe or a device.
    Stream(File),
}

impl Output {
    /// Starts to write a file, in its final folder. Symbolic links are followed: their target is
    /// written. A pipe or a device has no content to keep, and is opened.
    ///
    /// Removes leftovers of killed runs from the folder.
    ///
    /// # Errors
    /// Returns [`Error::Exists`] if the file exists and is to be kept; an error if the name is a
    /// folder's, or the system fails.
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
                let listed = Listed::new(file.path());
                Target::File { file, place, existing, _listed: listed }
            }
        };
        Ok(Self { path: path.into(), target })
    }

    /// Returns the path in messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the file, which can be read and written anywhere; `None` if it is a pipe or a
    /// device.
    pub fn file(&mut self) -> Option<&mut File> {
        match &mut self.target {
            Target::File { file, .. } => Some(file.as_file_mut()),
            Target::Stream(_) => None,
        }
    }

    /// Returns whether the output goes to a terminal.
    pub fn is_terminal(&self) -> bool {
        matches!(&self.target, Target::Stream(file) if io::IsTerminal::is_terminal(file))
    }

    /// Returns whether it is a file, not a pipe or a device.
    pub fn is_file(&self) -> bool {
        matches!(self.target, Target::File { .. })
    }

    /// Renames the complete file, once it is on disk.
    ///
    /// # Errors
    /// Returns [`Error::Exists`] if another program has created the file and it is to be kept; an
    /// error if the system fails. Then nothing is left.
    pub fn publish(self) -> Result<(), Error> {
        self.publish_or(&mut |error| Err(error)).map(drop)
    }

    /// Renames the complete file; while a file to be kept has that name, tries the next name from
    /// `next`. Returns the final name.
    ///
    /// # Errors
    /// Returns the errors of [`publish`](Self::publish), and those of `next`, which receives the
    /// error of the last name.
    pub fn publish_or(
        self,
        next: &mut dyn FnMut(Error) -> Result<PathBuf, Error>,
    ) -> Result<PathBuf, Error> {
        let Self { mut path, target } = self;
        let Target::File { file, mut place, existing, _listed } = target else { return Ok(path) };
        file.as_file().sync_all().map_err(Error::io(&path))?;
        // Locked until it has its name: another run removes what is unlocked.
        let (_locked, mut file) = file.into_parts();
        if existing == Existing::Replaced {
            replace(file, &place).map_err(Error::io(&path))?;
            return Ok(path);
        }
        loop {
            match file.persist_noclobber(&place) {
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

    /// Changes the final name, in the same folder.
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

/// Files being written to one folder. They are removed unless published.
#[derive(Debug)]
pub struct Outputs {
    /// Held until the files are published or about to be removed: Windows removes no folder with
    /// an open file. Another run that clears the folder meanwhile does the same.
    _lock: File,
    folder: TempDir,
    _listed: Listed,
}

impl Outputs {
    /// Starts to write files into a folder, removing leftovers of killed runs.
    ///
    /// # Errors
    /// Returns an error if the system fails.
    pub fn begin(folder: &Path) -> Result<Self, Error> {
        clear(folder);
        let begin = || loop {
            let made = builder().tempdir_in(folder)?;
            // Another run's cleanup may have removed the folder while it was empty.
            let lock = match File::create_new(made.path().join(LOCK)) {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                lock => lock?,
            };
            if is_ours(&lock, &made.path().join(LOCK)) {
                let listed = Listed::new(made.path());
                return Ok(Self { _lock: lock, folder: made, _listed: listed });
            }
        };
        begin().map_err(Error::io(folder))
    }

    /// Returns the temporary folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Creates an empty file with this number.
    ///
    /// # Errors
    /// Returns an error if the system fails.
    pub fn create(&self, number: usize) -> io::Result<File> {
        File::create_new(self.place(number))
    }

    /// Opens the file with this number for appending.
    ///
    /// # Errors
    /// Returns an error if the system fails.
    pub fn append(&self, number: usize) -> io::Result<File> {
        File::options().append(true).open(self.place(number))
    }

    /// Renames the file with this number, which must be complete and on disk.
    ///
    /// # Errors
    /// Returns [`Error::Exists`] if the file exists and is to be kept; an error if the name belongs
    /// to something other than a file, which might lead anywhere, or the system fails.
    pub fn publish(&self, number: usize, path: &Path, existing: Existing) -> Result<(), Error> {
        if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
            let why = "it exists and is not a file; remove it, or name another folder with -o";
            return Err(Error::Format { path: path.into(), why: why.into() });
        }
        let file = TempPath::try_from_path(self.place(number)).map_err(Error::io(path))?;
        let named = match existing {
            Existing::Kept => file.persist_noclobber(path).map_err(|error| error.error),
            Existing::Replaced => replace(file, path),
        };
        named.map_err(|error| refused(path, error))
    }

    fn place(&self, number: usize) -> PathBuf {
        self.folder.path().join(number.to_string())
    }
}

/// The unfinished files and folders of this process.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A path in the list of unfinished files and folders. Dropping this removes it from the list.
#[derive(Debug)]
pub struct Listed(PathBuf);

impl Listed {
    /// Lists a path. A folder that is not named like an unfinished one will only be removed if it
    /// is empty.
    pub fn new(path: &Path) -> Self {
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            unfinished.push(path.into());
        }
        Self(path.into())
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            unfinished.retain(|path| *path != self.0);
        }
    }
}

/// Removes the unfinished files and folders of this process, which is about to end: a thread that
/// begins or finishes a file from now on waits for ever. Returns whether there were any.
pub fn remove_unfinished() -> bool {
    let Ok(unfinished) = UNFINISHED.lock() else { return false };
    for path in unfinished.iter().rev() {
        // A complete file already has its final name, and is gone under this one.
        let _ = if !path.is_dir() {
            std::fs::remove_file(path)
        } else if is_unfinished(path) {
            std::fs::remove_dir_all(path)
        } else {
            std::fs::remove_dir(path)
        };
    }
    let were_any = !unfinished.is_empty();
    std::mem::forget(unfinished);
    were_any
}

/// Returns whether this is the name of an unfinished file or folder.
pub fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Returns a builder of temporary names.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    builder
}

/// Creates a locked file in a folder, with the default permissions of new files there, or those of
/// the file it will replace.
fn create(folder: &Path, place: &Path) -> io::Result<NamedTempFile> {
    let mut builder = builder();
    if let Some(permissions) = usual_permissions() {
        builder.permissions(permissions);
    }
    loop {
        let file = builder.tempfile_in(folder)?;
        if is_ours(file.as_file(), file.path()) {
            if let Ok(replaced) = place.metadata() {
                // Some file systems have no permissions to set.
                let _ = file.as_file().set_permissions(replaced.permissions());
            }
            return Ok(file);
        }
    }
}

/// Returns the permissions before the umask is applied, as for a file that is not temporary.
#[cfg(unix)]
fn usual_permissions() -> Option<std::fs::Permissions> {
    Some(std::os::unix::fs::PermissionsExt::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual_permissions() -> Option<std::fs::Permissions> {
    None
}

/// Locks a new file; `false` if it was removed before that.
fn is_ours(file: &File, path: &Path) -> bool {
    match file.try_lock() {
        Ok(()) => path.symlink_metadata().is_ok(),
        Err(TryLockError::WouldBlock) => false,
        // Without locks there is no cleanup either.
        Err(TryLockError::Error(_)) => true,
    }
}

/// Removes leftovers of killed runs beside a file.
pub fn clear_beside(path: &Path) {
    clear(folder_of(&behind_links(path)));
}

/// Removes leftovers of killed runs from a folder: whatever is not locked. Failures to remove are
/// ignored.
fn clear(folder: &Path) {
    let Ok(entries) = folder.read_dir() else { return };
    for entry in entries.flatten().filter(|entry| is_unfinished(entry.file_name().as_ref())) {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_file() && is_dead(&path) => drop(std::fs::remove_file(&path)),
            Ok(kind) if kind.is_dir() => match path.join(LOCK).symlink_metadata() {
                Ok(_) if is_dead(&path.join(LOCK)) => drop(std::fs::remove_dir_all(&path)),
                Ok(_) => {}
                // Removes it only if empty: its owner may be about to create the lock.
                Err(_) => drop(std::fs::remove_dir(&path)),
            },
            _ => {}
        }
    }
}

/// Returns whether a file is unlocked. Then it will never be locked: a lock is taken when a file is
/// created, and a later one finds the file gone.
fn is_dead(path: &Path) -> bool {
    File::options().write(true).open(path).is_ok_and(|file| {
        let free = file.try_lock().is_ok();
        if free {
            // Removed while locked, so that an owner that has just created it creates another.
            let _ = std::fs::remove_file(path);
        }
        free
    })
}

/// Renames a file; an existing one of that name is replaced, also while somebody reads it: Windows
/// does so for the standard library, but not for tempfile.
fn replace(file: TempPath, place: &Path) -> io::Result<()> {
    let unfinished = file.keep().map_err(|error| error.error)?;
    std::fs::rename(&unfinished, place).inspect_err(|_| {
        // Gone as if it had never been; the error that matters is the first.
        let _ = std::fs::remove_file(&unfinished);
    })
}

fn refused(path: &Path, error: io::Error) -> Error {
    match error.kind() {
        ErrorKind::AlreadyExists => Error::Exists { path: path.into(), meanwhile: true },
        _ => Error::io(path)(error),
    }
}

/// Returns the folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Resolves all symbolic links, whether or not the target exists.
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
    use std::sync::atomic::{AtomicBool, Ordering};

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
        let unfinished = |output: &Output| match &output.target {
            Target::File { file, .. } => file.path().to_path_buf(),
            Target::Stream(_) => PathBuf::new(),
        };
        let living = [unfinished(&one), unfinished(&another), several.folder().into()];
        let living = living.iter().map(PathBuf::as_path).chain([Path::new(".plypack-mine")]);
        let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
        let mut living: Vec<String> = living.map(name).collect();
        living.sort();
        assert_eq!(names(folder.path()), living);
        one.publish().expect("a file");
        another.publish().expect("a file");
    }

    #[test]
    fn what_is_about_to_get_its_name_is_not_cleared_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    clear(folder.path());
                }
            });
            let publish = |_| Output::begin(&path, Existing::Replaced)?.publish();
            let published = (0..500).try_for_each(publish);
            done.store(true, Ordering::Relaxed);
            published.expect("no other run removes it");
        });
        assert_eq!(names(folder.path()), ["a"]);
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
