//! `plypack scheduler`: the scheduler of a cluster.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use plypack_cluster::{Address, Scheduler};

use crate::failure::Failure;
use crate::progress;

/// Accept queries for a cluster, and hand their tasks to executors.
///
/// Prints the address for `plypack sql --cluster` on a line of standard output, and then runs until
/// stopped. Anyone who reaches the port may run queries that read what this machine may read:
/// listen on a private network only.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack scheduler
  plypack scheduler --host 192.168.1.10")]
pub struct Arguments {
    /// The address of this machine to listen on; 0.0.0.0 is all of its addresses
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// The port to listen on; 0 is any free port
    #[arg(long, default_value_t = Address::PORT)]
    port: u16,
    /// Seconds until a silent executor counts as lost, and its tasks go to others; a working one
    /// reports every 5 seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30,
          value_parser = clap::value_parser!(u64).range(10..))]
    executor_timeout: u64,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let timeout = Duration::from_secs(arguments.executor_timeout);
    let say = Arc::new(|line: &str| progress::say(line));
    let scheduler = Scheduler::bind(&arguments.host, arguments.port, timeout, say);
    let scheduler = scheduler.map_err(Failure::new)?;
    super::print_line(&format!("df://{}", scheduler.address().map_err(Failure::new)?))?;
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::new)?;
    runtime.block_on(scheduler.serve()).map_err(Failure::new)?;
    Ok(ExitCode::SUCCESS)
}
