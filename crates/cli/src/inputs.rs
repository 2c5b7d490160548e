//! The inputs of `pack`: files, and folders and archives of files.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use plypack::store::input::archive::{self, Archive};
use plypack::store::input::compressed::content_name;
use plypack::store::input::folder::{self, Found};
use plypack::store::input::table::Table;
use plypack::store::{Error, Source, Sources};

use crate::failure::Failure;
use crate::files::{self, BytesRead};
use crate::names::{self, Places};

/// Extensions of archives, apart from those of compressions.
const ENDINGS: [&str; 7] = ["zip", "tar", "tgz", "txz", "tbz", "tbz2", "tzst"];

/// An input of a known kind.
pub struct Input {
    path: PathBuf,
    kind: Kind,
}

enum Kind {
    /// Records, or a pipe of anything.
    File,
    /// A table of games.
    Table,
    Folder(Vec<Found>),
    Archive(Archive),
}

/// Opened inputs.
pub struct Opened {
    /// The sources to pack, in order.
    pub sources: Sources,
    /// Number of sources so far.
    pub count: Arc<AtomicU64>,
    /// Total size in bytes, if known.
    pub size: Option<u64>,
    /// For each table of games, the columns that PGN has no place for.
    pub left_out: Vec<(String, Vec<String>)>,
}

impl Input {
    /// Determines the kind of an input.
    pub fn look(path: &Path) -> Result<Self, Failure> {
        let path = path.to_path_buf();
        if path.is_dir() {
            let found = folder::files(&path)?;
            if found.is_empty() {
                let path = path.display();
                return Err(Failure::new(format!("{path} is a folder without files")));
            }
            return Ok(Self { path, kind: Kind::Folder(found) });
        }
        files::check_not_packed(&path)?;
        let is_file = path.metadata().is_ok_and(|found| found.is_file());
        let archive = if is_file { File::open(&path).ok().and_then(Archive::look) } else { None };
        let kind = match archive {
            Some(archive) => Kind::Archive(archive),
            None if files::is_table(&path) => Kind::Table,
            None => Kind::File,
        };
        Ok(Self { path, kind })
    }

    /// Whether it is a folder or an archive.
    pub fn is_container(&self) -> bool {
        matches!(self.kind, Kind::Folder(_) | Kind::Archive(_))
    }

    /// Returns the default path of its packed file.
    pub fn default_output(&self) -> Result<PathBuf, Failure> {
        if files::is_standard(&self.path) {
            return Err(Failure::new("standard input has no name; name the output with -o"));
        }
        if !self.is_container() {
            return Ok(files::with_extension(&self.path, "parquet"));
        }
        let Some(own) = self.path.file_name() else {
            let path = self.path.display();
            return Err(Failure::new(format!("{path} has no name; name the output with -o")));
        };
        // A dot in a folder's name does not begin an extension.
        let content = self.content_path();
        let mut name = content.file_name().unwrap_or(own).to_os_string();
        name.push(".parquet");
        Ok(self.path.with_file_name(name))
    }

    /// Refuses an output that is the input, or a file in it.
    pub fn check_apart(&self, output: &Path) -> Result<(), Failure> {
        match &self.kind {
            Kind::Folder(found) => {
                found.iter().try_for_each(|found| files::check_apart(&found.path, output))
            }
            _ => files::check_apart(&self.path, output),
        }
    }

    /// Returns the path of the content: an archive is named like a folder.
    fn content_path(&self) -> PathBuf {
        match &self.kind {
            Kind::File => self.path.clone(),
            Kind::Table => Table::content_name(&self.path),
            Kind::Folder(_) => match self.path.file_name() {
                Some(_) => self.path.clone(),
                None => self.path.canonicalize().unwrap_or_else(|_| self.path.clone()),
            },
            Kind::Archive(_) => {
                let content = content_name(&self.path);
                let ending = content.extension().unwrap_or_default().to_string_lossy();
                let known = ENDINGS.contains(&ending.to_ascii_lowercase().as_str());
                if known { content.with_extension("") } else { content }
            }
        }
    }

    /// Opens it under the given name; files in it are named as if in a folder called `folder`.
    fn open(
        self,
        name: String,
        folder: &str,
        read: &BytesRead,
        opened: &mut Opened,
    ) -> Result<Sources, Failure> {
        let path = self.path;
        let counted = move |path: &Path, read: &BytesRead| {
            Ok(files::Counted::new(File::open(path)?, read.clone()))
        };
        let mut add = |size: Option<u64>| {
            opened.size = opened.size.zip(size).map(|(total, size)| total.saturating_add(size));
        };
        let size = |path: &Path| path.metadata().ok().map(|found| found.len());
        Ok(match self.kind {
            Kind::Folder(found) => {
                found.iter().for_each(|found| add(size(&found.path)));
                let (read, folder) = (read.clone(), folder.to_owned());
                let source = move |Found { path, name }| {
                    let name = match folder.as_str() {
                        "" => name,
                        folder => format!("{folder}/{name}"),
                    };
                    Ok(files::later(&path, name, &read))
                };
                Sources::new(found.into_iter().map(source))
            }
            Kind::Archive(Archive::Tar) => {
                add(size(&path));
                let (at, read) = (path.clone(), read.clone());
                archive::tar(&path, folder, move || counted(&at, &read))
            }
            Kind::Archive(Archive::Zip) => {
                add(size(&path));
                let (at, read) = (path.clone(), read.clone());
                archive::zip(&path, folder, move || counted(&at, &read))
            }
            Kind::File | Kind::Table => {
                let file = files::open_input(&path, name, read)?;
                add(file.size);
                if !file.left_out.is_empty() {
                    opened.left_out.push((path.display().to_string(), file.left_out));
                }
                if file.is_streamed {
                    let Source { name, reader, .. } = file.source;
                    let folder = if folder == files::STANDARD { "stdin" } else { folder };
                    archive::streamed(&path, folder, name, reader)
                } else {
                    vec![file.source].into()
                }
            }
        })
    }
}

/// Opens inputs, in their order. Files in a sole container are named by their paths within it; with
/// several inputs, each container is a folder.
pub fn open(inputs: Vec<Input>, read: &BytesRead) -> Result<Opened, Failure> {
    let names = names::of_inputs(&inputs.iter().map(Input::content_path).collect::<Vec<_>>())?;
    let is_only = inputs.len() == 1;
    let none = Sources::from(Vec::new());
    let mut opened =
        Opened { sources: none, count: Arc::default(), size: Some(0), left_out: Vec::new() };
    let mut all = Vec::with_capacity(inputs.len());
    for (input, name) in inputs.into_iter().zip(names) {
        let folder = if is_only { String::new() } else { name.clone() };
        all.push(input.open(name, &folder, read, &mut opened)?);
    }
    let mut places = Places::default();
    let count = Arc::clone(&opened.count);
    let each = move |source: Result<Source, Error>| {
        let source = source?;
        places.take(&source.name)?;
        count.fetch_add(1, Ordering::Relaxed);
        Ok(source)
    };
    opened.sources = Sources::new(all.into_iter().flatten().map(each));
    Ok(opened)
}
