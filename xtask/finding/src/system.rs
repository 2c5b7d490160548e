//! System counters of a process, and control of the file cache.

use std::fs::File;
use std::path::Path;

/// Returns the number of reads of this process so far, and their bytes, over all files. `None` if
/// the system does not count them.
pub fn reads() -> Option<(u64, u64)> {
    let text = std::fs::read_to_string("/proc/self/io").ok()?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim_start_matches(':').trim().parse::<u64>().ok()
    };
    Some((field("syscr")?, field("rchar")?))
}

/// Returns the peak memory of this process, in bytes. `None` if the system does not report it.
pub fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// Returns the processor time of this process, and of its terminated child processes, in hundredths
/// of a second. `None` if the system does not report it.
pub fn processor_time() -> Option<(u64, u64)> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may contain spaces.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let field = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some((field(11)? + field(12)?, field(13)? + field(14)?))
}

/// Evicts a file from the system's cache, so that the next read goes to the disk (or to the host of
/// a virtual machine, which may have a cache of its own).
///
/// # Errors
/// Returns an error if the file cannot be opened or evicted, as a message.
#[cfg(target_os = "linux")]
pub fn forget(path: &Path) -> Result<(), String> {
    let named = |error: std::io::Error| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(named)?;
    // Unwritten data is not evicted.
    file.sync_all().map_err(named)?;
    let done = rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed);
    done.map_err(|error| named(error.into()))
}

/// Supported on Linux only.
///
/// # Errors
/// Always returns an error.
#[cfg(not(target_os = "linux"))]
pub fn forget(_: &Path) -> Result<(), String> {
    Err("cold files are measured on Linux only".into())
}

/// Reads a whole file, so that the system caches it.
///
/// # Errors
/// Returns an error if it cannot be read, as a message.
pub fn remember(path: &Path) -> Result<(), String> {
    let read = File::open(path).and_then(|mut file| std::io::copy(&mut file, &mut std::io::sink()));
    read.map(|_| ()).map_err(|error| format!("{}: {error}", path.display()))
}
