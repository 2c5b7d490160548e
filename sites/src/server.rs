//! A private PostgreSQL server, which other programs cannot reach.

use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// The user who runs the server if we are root, as the server refuses to run as root.
const USER: &str = "postgres";

/// A folder with a cluster, and its server, which is stopped on drop.
#[derive(Debug)]
pub struct Server {
    programs: PathBuf,
    /// The folder of its data and its socket.
    pub folder: PathBuf,
    running: bool,
}

impl Server {
    /// Starts the server of the cluster in `folder`, which is created if missing. `memory` is the
    /// size of its shared buffers in bytes.
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
        // Nothing has to survive a crash, and a table filled once needs no log.
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
        // `pg_ctl` leaves the server running, which must not hold our pipes.
        command.args(arguments).current_dir(&self.folder).stdin(Stdio::null());
        let done = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        let done = done.with_context(|| format!("{program} cannot be started"))?;
        let log = self.folder.join("log");
        ensure!(done.success(), "{program}: {done}; see {}", log.display());
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

/// Returns the folder of the newest server installed by Debian, or `$PG_BIN`.
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

/// Returns the number of the server's user or group.
fn number(which: &str) -> Result<u32> {
    let told = Command::new("id").args([which, USER]).output().context("id")?;
    String::from_utf8_lossy(&told.stdout).trim().parse().context("there is no user `postgres`")
}
