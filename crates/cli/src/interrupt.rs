//! Interrupts: Ctrl-C, or a termination signal, ends any verb within two seconds and leaves nothing
//! behind.
//!
//! Most work checks a flag between records and stops by itself. Work that hangs, on an idle pipe or
//! in a codec, is ended after a grace period; a second signal ends anything at once. Unfinished
//! files are removed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use plypack::store::Work;
use plypack::store::output::remove_unfinished;

use crate::failure::{Failure, INTERRUPTED};
use crate::progress;

/// How long work that checks the flag may take to stop before it is ended.
const GRACE: Duration = Duration::from_millis(1_500);

static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Whether any work checks the flag.
static HEEDED: AtomicBool = AtomicBool::new(false);

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
    STOP.as_ref()
}

/// Returns the same flag for builders of the library, which check it.
pub fn shared_flag() -> Arc<AtomicBool> {
    flag();
    STOP.clone()
}

/// Returns work on this many threads, until the user asks to stop.
pub fn work(threads: usize) -> Work<'static> {
    Work { stop: flag(), ..Work::on(threads) }
}

fn end() -> ! {
    let left = if remove_unfinished() { "; nothing was written" } else { "" };
    progress::say(format_args!("plypack: interrupted{left}"));
    std::process::exit(INTERRUPTED.into());
}
