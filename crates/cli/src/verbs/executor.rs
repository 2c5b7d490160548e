//! `plypack executor`: a worker of a cluster.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use plypack::store::{Error, Outputs};
use plypack_cluster::{Address, Executor};

use crate::failure::Failure;
use crate::{interrupt, progress};

/// Run tasks of a cluster's queries.
///
/// Prints its address on a line of standard output once the scheduler has accepted it, and then
/// runs until stopped. The files of a query must be at the same path on every machine, or in an
/// object store. Anyone who reaches the port may fetch results: listen on a private network only.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack executor
  plypack executor --scheduler 192.168.1.10:50050 --host 192.168.1.11")]
pub struct Arguments {
    /// The scheduler to work for
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050")]
    scheduler: Address,
    /// The address of this machine at which other executors and clients fetch results; 0.0.0.0 is
    /// all of its addresses
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// The port for that [default: any free port]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Number of tasks to run at a time; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Memory for all tasks together, in MiB; the rest goes to disk [default: 70 % of the machine's
    /// memory]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    memory: Option<u64>,
    /// Where to make a temporary folder for results until they are fetched [default: the system's
    /// temporary folder]
    #[arg(long, value_name = "DIR")]
    work_dir: Option<PathBuf>,
    /// Report when tasks begin and end
    #[arg(short, long)]
    verbose: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let stop = interrupt::flag();
    let parent = arguments.work_dir.clone().unwrap_or_else(std::env::temp_dir);
    // Also removes what killed executors left there.
    let folder = Outputs::begin(&parent)?;
    let tasks = NonZeroUsize::new(arguments.threads);
    let tasks = tasks.or_else(|| std::thread::available_parallelism().ok());
    let executor = Executor {
        scheduler: arguments.scheduler.clone(),
        host: arguments.host.clone(),
        port: arguments.port,
        tasks: tasks.unwrap_or(NonZeroUsize::MIN),
        memory: arguments.memory.map(|memory| memory << 20),
        folder: folder.folder().into(),
        say: Arc::new(|line: &str| progress::say(line)),
        verbose: arguments.verbose,
    };
    let joined = |address| {
        let scheduler = &arguments.scheduler;
        // A reader that has gone is not a reason to stop.
        let _ = super::print_line(&format!("{address} works for {scheduler}"));
    };
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::new)?;
    let done = runtime.block_on(executor.run(joined, wish(stop)));
    // Does not wait for running tasks.
    runtime.shutdown_background();
    done.map_err(Failure::new)?;
    drop(folder);
    Err(Error::Stopped.into())
}

/// Waits until the user asks to stop.
async fn wish(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
