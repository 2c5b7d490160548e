//! A folder in which the program runs, and what it holds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use tempfile::TempDir;

/// What the program calls files and folders that it has not finished.
const UNFINISHED: &str = ".plypack-";

/// The files of a folder, by their paths there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// What they hold.
    pub files: BTreeMap<String, Arc<[u8]>>,
    /// Those that are unfinished, which a run that was killed could not remove.
    pub unfinished: BTreeSet<String>,
}

/// What a run ended with.
#[derive(Debug)]
pub struct Ended {
    /// The exit code; `None` if it was killed.
    pub code: Option<i32>,
    /// What it said to the user.
    pub said: String,
}

/// A folder of its own for runs of the program.
#[derive(Debug)]
pub struct Sandbox {
    folder: TempDir,
    program: PathBuf,
}

impl Sandbox {
    /// Makes a folder with these files.
    ///
    /// # Errors
    /// Returns an error if the program is not there, or the folder cannot be made.
    pub fn new(program: &Path, tree: &Tree) -> Result<Self, String> {
        let absent = |error: io::Error| {
            let path = program.display();
            format!("{path}: {error}: build it with cargo build --release -p plypack-cli")
        };
        let program = program.canonicalize().map_err(absent)?;
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let sandbox = Self { folder, program };
        for (path, bytes) in &tree.files {
            let path = sandbox.path(path);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(|error| at(parent, &error))?;
            }
            fs::write(&path, bytes).map_err(|error| at(&path, &error))?;
        }
        Ok(sandbox)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// # Errors
    /// Returns an error if the folder cannot be made.
    pub fn make_folder(&self, name: &str) -> Result<(), String> {
        fs::create_dir(self.path(name)).map_err(|error| at(&self.path(name), &error))
    }

    /// # Errors
    /// Returns an error if the file cannot be copied.
    pub fn copy(&self, from: &str, to: &str) -> Result<(), String> {
        let copied = fs::copy(self.path(from), self.path(to));
        copied.map(|_| ()).map_err(|error| at(&self.path(from), &error))
    }

    /// Starts a program in the folder: ours, or one that starts ours.
    fn spawn(&self, program: &Path, arguments: &[&str]) -> Result<Child, String> {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().map_err(|error| at(program, &error))
    }

    /// Starts the program.
    ///
    /// # Errors
    /// Returns an error if it cannot be started.
    pub fn start(&self, arguments: &[&str]) -> Result<Child, String> {
        self.spawn(&self.program, &[arguments, &["-q"]].concat())
    }

    /// Runs the program to its end.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn run(&self, arguments: &[&str]) -> Result<Ended, String> {
        ended(self.start(arguments)?)
    }

    /// Runs the program through a shell, whose first argument is this script and `$@` the rest.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn run_by(&self, script: &str, arguments: &[&str]) -> Result<Ended, String> {
        let program = self.program.display().to_string();
        ended(self.spawn(Path::new("sh"), &[&["-c", script, &program], arguments].concat())?)
    }

    /// Runs the program, which has to succeed.
    ///
    /// # Errors
    /// Returns an error if it does not.
    pub fn succeed(&self, arguments: &[&str]) -> Result<(), String> {
        let ended = self.run(arguments)?;
        match ended.code {
            Some(0) => Ok(()),
            code => Err(format!("plypack {}: {code:?}: {}", arguments.join(" "), ended.said)),
        }
    }

    /// What the program prints.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn prints(&self, arguments: &[&str]) -> Result<Vec<u8>, String> {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        let output = command.output().map_err(|error| at(&self.program, &error))?;
        Ok(output.stdout)
    }

    /// What is in the folder.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn tree(&self) -> Result<Tree, String> {
        let mut tree = Tree::default();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            let failed = |error: io::Error| at(&folder, &error);
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let path = entry.map_err(failed)?.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let own = path.strip_prefix(self.folder.path()).unwrap_or(&path);
                let own = own.display().to_string();
                if own.split('/').any(|name| name.starts_with(UNFINISHED)) {
                    tree.unfinished.insert(own);
                } else {
                    let bytes = fs::read(&path).map_err(|error| at(&path, &error))?;
                    tree.files.insert(own, bytes.into());
                }
            }
        }
        Ok(tree)
    }
}

fn at(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Waits until a run ends.
///
/// # Errors
/// Returns an error if it cannot be waited for.
pub fn ended(child: Child) -> Result<Ended, String> {
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(Ended { code: output.status.code(), said })
}

/// Where a folder has a file that none of these has: its path, and what is wrong with it. An index
/// may be gone: what replaces a file removes its index before, and `plypack index` makes another.
pub fn stranger(now: &Tree, allowed: &[&Tree]) -> Option<String> {
    let paths: BTreeSet<&String> =
        allowed.iter().copied().chain([now]).flat_map(|tree| tree.files.keys()).collect();
    let wrong = |path: &&String| {
        let bytes = now.files.get(*path);
        !allowed.iter().any(|tree| tree.files.get(*path) == bytes)
    };
    let gone = |path: &&String| path.ends_with(".plyindex") && !now.files.contains_key(*path);
    let path = paths.into_iter().find(|path| wrong(path) && !gone(path))?;
    Some(match now.files.get(path) {
        None => format!("{path} is gone"),
        Some(bytes) => format!("{path} has {} bytes that no whole run writes", bytes.len()),
    })
}

impl Sandbox {
    /// Checks that each packed file is whole, and is found in alike with its index and without it;
    /// pairs of both that a known tree has are whole.
    ///
    /// # Errors
    /// Returns an error if one is not.
    pub fn check(&self, now: &Tree, known: &[&Tree]) -> Result<(), String> {
        for path in now.files.keys().filter(|path| path.ends_with(".parquet")) {
            let index = path.replace(".parquet", ".plyindex");
            let both = |tree: &Tree| [path, &index].map(|path| tree.files.get(path).cloned());
            if known.iter().any(|tree| both(tree) == both(now)) {
                continue;
            }
            self.succeed(&["verify", path])?;
            let find = ["find", path.as_str(), "--moves", "1. d4", "--json"];
            if self.prints(&find)? != self.prints(&[&find[..], &["--no-index"]].concat())? {
                return Err(format!("{path}: its index is another file's"));
            }
        }
        Ok(())
    }
}
