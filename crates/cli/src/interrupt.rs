//! The wish to stop: Ctrl-C, or a polite signal, ends any verb within two seconds and leaves
//! nothing behind.
//!
//! Work that can stop by itself looks at a flag between records. What hangs, on a pipe that nobody
//! writes to or in a codec, is ended; so is everything by a second signal. Unfinished files are
//! removed then, too: who makes one says so here.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::failure::{Failure, INTERRUPTED};
use crate::progress;

/// How long work that looks at the flag may go on before it is ended.
const GRACE: Duration = Duration::from_millis(1_500);

static STOP: AtomicBool = AtomicBool::new(false);
/// Whether anybody looks at the flag.
static HEEDED: AtomicBool = AtomicBool::new(false);
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Takes signals from here on.
pub fn install() -> Result<(), Failure> {
    let take = || {
        if STOP.swap(true, Ordering::Relaxed) || !HEEDED.load(Ordering::Relaxed) {
            end();
        }
        let later = || {
            std::thread::sleep(GRACE);
            end();
        };
        if std::thread::Builder::new().spawn(later).is_err() {
            end();
        }
    };
    ctrlc::set_handler(take).map_err(Failure::new)
}

/// Set once the user asked to stop. Who asks for it looks at it.
pub fn flag() -> &'static AtomicBool {
    HEEDED.store(true, Ordering::Relaxed);
    &STOP
}

/// Removes this unfinished file, or folder with all that is in it, if the program is ended; a
/// folder that has another name than unfinished ones have only if it is empty.
pub fn remove_at_end(path: &Path) {
    if let Ok(mut unfinished) = UNFINISHED.lock() {
        unfinished.push(path.into());
    }
}

fn end() -> ! {
    // Who is about to add to the list waits, and nobody gets it back.
    let unfinished = UNFINISHED.lock();
    let paths = unfinished.as_ref().map(|paths| paths.as_slice()).unwrap_or_default();
    for path in paths.iter().rev() {
        // What has its own name by now is complete, and is no longer there under this one.
        let _ = if !path.is_dir() {
            std::fs::remove_file(path)
        } else if plypack_store::output::is_unfinished(path) {
            std::fs::remove_dir_all(path)
        } else {
            std::fs::remove_dir(path)
        };
    }
    let left = if paths.is_empty() { "" } else { "; nothing was written" };
    progress::say(format_args!("plypack: interrupted{left}"));
    std::process::exit(INTERRUPTED.into());
}
