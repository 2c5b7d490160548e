//! `plypack executor`: a worker of a cluster.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use plypack_cluster::{Address, Executor};
use plypack_store::{Error, Outputs};

use crate::failure::Failure;
use crate::{interrupt, progress};

/// Carry out tasks of a cluster's queries.
///
/// Prints where it listens on a line of standard output once its scheduler has taken it, and then
/// works until it is ended. The files of a query must lie at the same path on every machine, or in
/// an object store. Whoever reaches the port may fetch results: listen to a private network alone.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack executor
  plypack executor --scheduler 192.168.1.10:50050 --host 192.168.1.11")]
pub struct Arguments {
    /// The scheduler to work for
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050")]
    scheduler: Address,
    /// The address of this machine at which other executors and clients fetch results; 0.0.0.0 is
    /// all of them
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// The port for that [default: any that is free]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// How many tasks to carry out at a time; 0 means one a core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// How much memory all tasks may take together, in MiB; what is more goes to the disk [default:
    /// 70 % of what the machine has]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    memory: Option<u64>,
    /// Where to make a folder for results until they are fetched, which goes at the end [default:
    /// the system's for temporary files]
    #[arg(long, value_name = "DIR")]
    work_dir: Option<PathBuf>,
    /// Say which tasks begin and end
    #[arg(short, long)]
    verbose: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let stop = interrupt::flag();
    let parent = arguments.work_dir.clone().unwrap_or_else(std::env::temp_dir);
    // What killed executors left there goes now.
    let folder = Outputs::begin(&parent)?;
    interrupt::remove_at_end(folder.unfinished());
    let tasks = NonZeroUsize::new(arguments.threads);
    let tasks = tasks.or_else(|| std::thread::available_parallelism().ok());
    let executor = Executor {
        scheduler: arguments.scheduler.clone(),
        host: arguments.host.clone(),
        port: arguments.port,
        tasks: tasks.unwrap_or(NonZeroUsize::MIN),
        memory: arguments.memory.map(|memory| memory << 20),
        folder: folder.unfinished().into(),
        say: Arc::new(|line: &str| progress::say(line)),
        verbose: arguments.verbose,
    };
    let joined = |address| {
        let scheduler = &arguments.scheduler;
        // A reader who has gone is no reason to stop.
        let _ = super::print_line(&format!("{address} works for {scheduler}"));
    };
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::new)?;
    let done = runtime.block_on(executor.run(joined, wish(stop)));
    // A task may be in the middle of something, and is not waited for.
    runtime.shutdown_background();
    done.map_err(Failure::new)?;
    drop(folder);
    Err(Error::Interrupted.into())
}

/// Waits for the wish to stop.
async fn wish(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
