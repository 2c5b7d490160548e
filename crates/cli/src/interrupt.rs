//! Interrupts: Ctrl-C, or a termination signal, ends any verb within two seconds and leaves nothing
//! behind.
//!
//! Most work checks a flag between records and stops by itself. Work that hangs, on an idle pipe or
//! in a codec, is ended after a grace period; a second signal ends anything at once. Unfinished
//! files that were registered here are removed.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::failure::{Failure, INTERRUPTED};
use crate::progress;

/// How long work that checks the flag may take to stop before it is ended.
const GRACE: Duration = Duration::from_millis(1_500);

static STOP: AtomicBool = AtomicBool::new(false);
/// Whether any work checks the flag.
static HEEDED: AtomicBool = AtomicBool::new(false);
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Installs the signal handler.
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

/// Returns the flag that is set once the user asks to stop. The caller must check it.
pub fn flag() -> &'static AtomicBool {
    HEEDED.store(true, Ordering::Relaxed);
    &STOP
}

/// Registers an unfinished file or folder for removal if the program is interrupted. A folder is
/// removed with its contents if it is named like an unfinished one, else only if empty.
pub fn remove_at_end(path: &Path) {
    if let Ok(mut unfinished) = UNFINISHED.lock() {
        unfinished.push(path.into());
    }
}

fn end() -> ! {
    // Never unlocked: a thread about to add to the list must wait.
    let unfinished = UNFINISHED.lock();
    let paths = unfinished.as_ref().map(|paths| paths.as_slice()).unwrap_or_default();
    for path in paths.iter().rev() {
        // A complete file already has its final name, and is gone under this one.
        let _ = if !path.is_dir() {
            std::fs::remove_file(path)
        } else if plypack::store::output::is_unfinished(path) {
            std::fs::remove_dir_all(path)
        } else {
            std::fs::remove_dir(path)
        };
    }
    let left = if paths.is_empty() { "" } else { "; nothing was written" };
    progress::say(format_args!("plypack: interrupted{left}"));
    std::process::exit(INTERRUPTED.into());
}
