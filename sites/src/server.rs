//! A PostgreSQL server of our own, which nobody else can reach.

use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// The user who runs the server where we are root, as the server refuses to.
const USER: &str = "postgres";

/// A folder with a cluster, and its server. It is stopped when this is dropped.
#[derive(Debug)]
pub struct Server {
    programs: PathBuf,
    /// Where its data and its socket are.
    pub folder: PathBuf,
    running: bool,
}

impl Server {
    /// Starts the server of the cluster in `folder`, which is made if there is none. `memory` are
    /// the bytes of its shared buffers.
    pub fn start(folder: &Path, memory: u64) -> Result<Self> {
        let folder = std::path::absolute(folder)?.join("postgres");
        let mut server = Self { programs: programs()?, folder, running: false };
        if !server.folder.exists() {
            server.make()?;
        }
        server.run(memory)?;
        Ok(server)
    }

    fn make(&self) -> Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        if rustix::process::geteuid().is_root() {
            chown(&self.folder, Some(number("-u")?), Some(number("-g")?))?;
        }
        self.call("initdb", &["-D", "data", "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C"])
    }

    /// Starts it.
    pub fn run(&mut self, memory: u64) -> Result<()> {
        // Nothing here has to outlive a crash, and a table that is filled once needs no log.
        let options = format!(
            "-c listen_addresses= -c unix_socket_directories={folder} -c shared_buffers={memory}MB \
             -c wal_level=minimal -c max_wal_senders=0 -c fsync=off -c full_page_writes=off \
             -c max_wal_size=4GB -c checkpoint_timeout=1h -c autovacuum=off -c jit=off \
             -c maintenance_work_mem=256MB -c max_parallel_workers_per_gather=0",
            folder = self.folder.display(),
            memory = memory >> 20,
        );
        self.running = true;
        self.call("pg_ctl", &["-D", "data", "-w", "-l", "log", "-o", &options, "start"])
    }

    /// Stops it.
    pub fn stop(&mut self) -> Result<()> {
        if std::mem::take(&mut self.running) {
            self.call("pg_ctl", &["-D", "data", "-w", "-m", "fast", "stop"])?;
        }
        Ok(())
    }

    fn call(&self, program: &str, arguments: &[&str]) -> Result<()> {
        let path = self.programs.join(program);
        let mut command = if rustix::process::geteuid().is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", USER, "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        // `pg_ctl` leaves the server behind, which must not hold our pipes.
        command.args(arguments).current_dir(&self.folder).stdin(Stdio::null());
        let done = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        let done = done.with_context(|| format!("{program} cannot be started"))?;
        let log = self.folder.join("log");
        ensure!(done.success(), "{program}: {done}; {} may say why", log.display());
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Err(error) = self.stop() {
            eprintln!("{error:#}");
        }
    }
}

/// The newest of the servers that Debian installs, or where `$PG_BIN` says.
fn programs() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("PG_BIN") {
        return Ok(named.into());
    }
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = versions
        .max_by_key(|entry| entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()));
    let newest = newest.context("no PostgreSQL: set PG_BIN to the folder of initdb and pg_ctl")?;
    Ok(newest.path().join("bin"))
}

/// The number of the user or the group of the server.
fn number(which: &str) -> Result<u32> {
    let told = Command::new("id").args([which, USER]).output().context("id")?;
    String::from_utf8_lossy(&told.stdout).trim().parse().context("there is no user `postgres`")
}
