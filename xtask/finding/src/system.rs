//! What the system tells of a process, and of the memory in which it keeps files.

use std::fs::File;
use std::path::Path;

/// Reads of this process so far: how many and of how many bytes, whatever file they were of.
/// `None` where the system does not count them.
pub fn reads() -> Option<(u64, u64)> {
    let text = std::fs::read_to_string("/proc/self/io").ok()?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim_start_matches(':').trim().parse::<u64>().ok()
    };
    Some((field("syscr")?, field("rchar")?))
}

/// The most memory that this process had at any time, in bytes. `None` where the system does not
/// say.
pub fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// The processor time of this process, and that of the processes that it started and that have
/// ended, in hundredths of a second. `None` where the system does not say.
pub fn processor_time() -> Option<(u64, u64)> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may have spaces.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let field = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some((field(11)? + field(12)?, field(13)? + field(14)?))
}

/// Has the system forget what it keeps of a file, so that the next read goes to the disk (or to
/// what stands behind it: a virtual machine's host may remember).
///
/// # Errors
/// If the file cannot be opened, or the system cannot do it, as a message.
#[cfg(target_os = "linux")]
pub fn forget(path: &Path) -> Result<(), String> {
    let named = |error: std::io::Error| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(named)?;
    // What is not on disk yet is not forgotten.
    file.sync_all().map_err(named)?;
    let done = rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed);
    done.map_err(|error| named(error.into()))
}

/// Only Linux is asked.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn forget(_: &Path) -> Result<(), String> {
    Err("cold files are measured on Linux only".into())
}

/// Reads a file through, so that the system keeps it.
///
/// # Errors
/// If it cannot be read, as a message.
pub fn remember(path: &Path) -> Result<(), String> {
    let read = File::open(path).and_then(|mut file| std::io::copy(&mut file, &mut std::io::sink()));
    read.map(|_| ()).map_err(|error| format!("{}: {error}", path.display()))
}
