//! Walks a tar archive.

use std::io::{self, ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ::tar::{Archive, Entry, EntryType};

use super::relay::Outlet;
use super::{decode, is_plain, refused};
use crate::store::input::compressed::decompress;

/// Maximum number of bytes between two files: headers, and names too long for them.
const HEADERS_BYTES_MAX: u64 = 1 << 20;

/// The prefix of extended header keys for sparse files.
const SPARSE_KEYS: &[u8] = b"GNU.sparse.";

/// Walks an archive, which may be compressed.
pub(super) fn walk(reader: Box<dyn Read + Send>, outlet: &mut Outlet) -> io::Result<()> {
    let left = Arc::new(AtomicU64::new(HEADERS_BYTES_MAX));
    let content = decompress(reader)?;
    let mut archive = Archive::new(Limited { content, left: Arc::clone(&left) });
    for entry in archive.entries()? {
        let mut entry = entry.map_err(explain)?;
        left.store(u64::MAX, Ordering::Relaxed);
        file(&mut entry, outlet).map_err(explain)?;
        left.store(HEADERS_BYTES_MAX, Ordering::Relaxed);
    }
    left.store(u64::MAX, Ordering::Relaxed);
    end(&mut archive.into_inner())
}

/// Sends a file, up to its end.
fn file<R: Read>(entry: &mut Entry<'_, R>, outlet: &mut Outlet) -> io::Result<()> {
    let name = entry.path_bytes();
    let name = decode(&name).into_owned();
    let size = entry.size();
    let sparse = is_sparse(entry)?;
    let wrong = match entry.header().entry_type() {
        _ if sparse => "is sparse; recreate the archive without --sparse",
        EntryType::Regular | EntryType::Continuous if name.ends_with('/') => return skip(entry),
        EntryType::Regular | EntryType::Continuous => {
            outlet.begin(&name)?;
            if outlet.copy(entry)? != size {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            return outlet.end();
        }
        // Global headers hold nothing we need.
        EntryType::Directory | EntryType::XGlobalHeader => return skip(entry),
        EntryType::Symlink => {
            "is a symbolic link; recreate the archive with its target, as with `tar -h`"
        }
        EntryType::Link => {
            "is a hard link; recreate the archive with the file, as with `tar --hard-dereference`"
        }
        _ => "is not a file; recreate the archive without it",
    };
    Err(refused(format!("its entry `{}` {wrong}", name.escape_debug())))
}

/// Whether a file is sparse: stored as parts with zeros in between.
fn is_sparse<R: Read>(entry: &mut Entry<'_, R>) -> io::Result<bool> {
    if entry.header().entry_type() == EntryType::GNUSparse {
        return Ok(true);
    }
    let Some(extensions) = entry.pax_extensions()? else { return Ok(false) };
    for extension in extensions {
        if extension?.key_bytes().starts_with(SPARSE_KEYS) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Skips the content of an entry.
fn skip(reader: &mut dyn Read) -> io::Result<()> {
    io::copy(reader, &mut io::sink()).map(|_| ())
}

/// Reads what follows the end of an archive, which must be zeros. This verifies the checksum of a
/// compressed archive, and detects a second archive.
fn end(reader: &mut dyn Read) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => {
                if buffer.iter().take(read).any(|&byte| byte != 0) {
                    return Err(refused(
                        "other bytes follow its end, perhaps a second archive; unpack it with \
                         `tar --ignore-zeros` and pack the folder",
                    ));
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Explains the library's errors; those of decompression are clear already.
fn explain(error: io::Error) -> io::Error {
    match error.kind() {
        _ if is_plain(&error) => error,
        ErrorKind::UnexpectedEof => {
            refused("this tar archive is cut off before its end; fetch it again")
        }
        ErrorKind::Other => {
            refused(format!("this tar archive is damaged ({error}); fetch it again"))
        }
        _ => error,
    }
}

/// A reader that fails once its limit is used up.
struct Limited {
    content: Box<dyn Read + Send>,
    left: Arc<AtomicU64>,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.left.load(Ordering::Relaxed);
        if left == 0 && !buffer.is_empty() {
            return Err(refused(format!(
                "more than {} MiB lie between two of its files; it is damaged or malicious",
                HEADERS_BYTES_MAX >> 20
            )));
        }
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.content.read(buffer.get_mut(..most).unwrap_or_default())?;
        self.left.fetch_sub(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
