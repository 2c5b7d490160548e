//! Connects the thread that walks an archive to the readers of its files.
//!
//! The libraries lend the contents of a file only until something else is read, but a source must
//! own them. So a thread keeps the archive and sends a few pieces ahead.

use std::io::{self, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

use super::{NAMES_BYTES_MAX, names, refused};
use crate::store::error::Error;
use crate::store::input::Source;

/// Bytes sent at once.
const PIECE_BYTES: usize = 1 << 16;

/// Maximum number of messages in flight.
const MESSAGES: usize = 16;

/// Memory for a name besides its bytes.
const NAME_BYTES: usize = 64;

/// A message from the archive's thread.
enum Message {
    /// A file with this name begins.
    File(String),
    /// The next bytes of the file; none at its end.
    Bytes(Vec<u8>),
    /// The archive ended.
    Done,
    /// The archive cannot be read further.
    Failed(Error),
}

/// The sending end.
pub(super) struct Outlet {
    sender: SyncSender<Message>,
    prefix: String,
    /// How much more memory names may take.
    left: usize,
}

impl Outlet {
    /// Begins a file with this name in the archive.
    pub fn begin(&mut self, name: &str) -> io::Result<()> {
        let Some(place) = names::inside(name) else {
            let name = name.escape_debug();
            return Err(refused(format!(
                "its file `{name}` would be unpacked outside the folder; unpack the archive \
                 with its own program, check its contents and pack the folder"
            )));
        };
        let name = match self.prefix.as_str() {
            "" => place,
            prefix => format!("{prefix}/{place}"),
        };
        let left = self.left.checked_sub(name.len() + NAME_BYTES);
        self.left = left.ok_or_else(|| {
            refused(format!(
                "the names of its files take more than {} MiB; pack its parts separately",
                NAMES_BYTES_MAX >> 20
            ))
        })?;
        self.send(Message::File(name))
    }

    /// Sends the bytes of the file, up to its end. Returns their number.
    pub fn copy(&mut self, reader: &mut dyn Read) -> io::Result<u64> {
        let mut bytes = 0;
        loop {
            let mut piece = Vec::new();
            let read = reader.take(PIECE_BYTES as u64).read_to_end(&mut piece)?;
            bytes += read as u64;
            if read == 0 {
                return Ok(bytes);
            }
            self.send(Message::Bytes(piece))?;
        }
    }

    /// Ends the file, which is complete.
    pub fn end(&mut self) -> io::Result<()> {
        self.send(Message::Bytes(Vec::new()))
    }

    fn send(&self, message: Message) -> io::Result<()> {
        self.sender.send(message).map_err(|_| ErrorKind::BrokenPipe.into())
    }
}

/// Walks an archive to its end.
type Walk = Box<dyn FnOnce(&mut Outlet) -> io::Result<()> + Send>;

/// The receiving end: yields one file after another.
pub(super) struct Files {
    path: PathBuf,
    prefix: String,
    /// Present until the first file is requested.
    walk: Option<Walk>,
    inlet: Option<Arc<Mutex<Receiver<Message>>>>,
}

impl Files {
    pub fn new(
        path: &Path,
        prefix: &str,
        walk: impl FnOnce(&mut Outlet) -> io::Result<()> + Send + 'static,
    ) -> Self {
        let walk: Walk = Box::new(walk);
        Self { path: path.into(), prefix: prefix.into(), walk: Some(walk), inlet: None }
    }

    fn begin(&mut self, walk: Walk) -> Result<(), Error> {
        let (sender, receiver) = sync_channel(MESSAGES);
        let (path, prefix) = (self.path.clone(), self.prefix.clone());
        let work = move || {
            let mut outlet = Outlet { sender, prefix, left: NAMES_BYTES_MAX };
            let last = match walk(&mut outlet) {
                Ok(()) => Message::Done,
                Err(error) => Message::Failed(Error::io(path)(error)),
            };
            // Without a receiver, the message does not matter.
            let _ = outlet.send(last);
        };
        std::thread::Builder::new().spawn(work).map_err(Error::io(&self.path))?;
        self.inlet = Some(Arc::new(Mutex::new(receiver)));
        Ok(())
    }
}

impl Iterator for Files {
    type Item = Result<Source, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(walk) = self.walk.take()
            && let Err(error) = self.begin(walk)
        {
            return Some(Err(error));
        }
        loop {
            let inlet = self.inlet.as_ref()?;
            let failed = match receive(inlet) {
                Message::File(name) => {
                    let bytes = Cursor::new(Vec::new());
                    let reader = Reader { inlet: Some(Arc::clone(inlet)), bytes };
                    return Some(Ok(Source::new(name, Box::new(reader))));
                }
                // The rest of a file that was not read to its end.
                Message::Bytes(_) => continue,
                Message::Done => None,
                Message::Failed(error) => Some(Err(error)),
            };
            self.inlet = None;
            return failed;
        }
    }
}

/// Returns the next message.
fn receive(inlet: &Mutex<Receiver<Message>>) -> Message {
    let message = inlet.lock().ok().and_then(|inlet| inlet.recv().ok());
    message.unwrap_or_else(|| {
        let error = io::Error::other("the thread that reads it has ended");
        Message::Failed(Error::io("archive")(error))
    })
}

/// A file.
struct Reader {
    /// Present until the end of the file.
    inlet: Option<Arc<Mutex<Receiver<Message>>>>,
    bytes: Cursor<Vec<u8>>,
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.bytes.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let Some(inlet) = &self.inlet else { return Ok(0) };
            match receive(inlet) {
                Message::Bytes(bytes) if !bytes.is_empty() => self.bytes = Cursor::new(bytes),
                Message::Failed(error) => {
                    self.inlet = None;
                    return Err(io::Error::other(error));
                }
                _ => self.inlet = None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_take_so_much_and_no_more() {
        let (sender, receiver) = sync_channel(MESSAGES);
        let mut outlet = Outlet { sender, prefix: String::new(), left: 2 * NAME_BYTES + 2 };
        assert!(outlet.begin("a").is_ok());
        let error = outlet.begin("bc").expect_err("a name").to_string();
        assert!(error.contains("names of its files take more than 128 MiB"), "{error}");
        // The receiver is gone.
        drop(receiver);
        let gone = outlet.begin("b").expect_err("nobody");
        assert_eq!(gone.kind(), ErrorKind::BrokenPipe);
    }
}
