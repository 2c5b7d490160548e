//! Opening lines in the tables of a site: as text with EPD, and as cells with 20 bytes or a key.
//!
//! `docs/sites.md` describes the purpose and the results.

mod clock;
mod database;
mod layout;
mod lines;
mod postgresql;
mod reading;
mod server;
mod speed;
mod sqlite;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand, ValueEnum};

use crate::database::Database;
use crate::layout::{Coder, Layout, encode_all};
use crate::lines::{Opening, Rows};
use crate::postgresql::Postgres;
use crate::reading::Plan;
use crate::sqlite::Sqlite;

/// Opening lines in the tables of a site, as text and as cells
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Measure the size and speed of every codec on the lines
    Codecs {
        /// PGN without comments, one line per game
        lines: PathBuf,
        /// The number of rounds
        #[arg(long, default_value_t = 5)]
        rounds: usize,
    },
    /// Fill tables
    Load(Tables),
    /// Read from tables that were filled with the same arguments
    Read {
        #[command(flatten)]
        tables: Tables,
        /// The number of rounds
        #[arg(long, default_value_t = 5)]
        rounds: u64,
        /// The number of lines fetched by key
        #[arg(long, default_value_t = 5_000)]
        lookups: u64,
        /// The number of lines fetched before the steady state is measured; 0 skips it
        #[arg(long, default_value_t = 0)]
        fill: u64,
        /// Also read whole tables
        #[arg(long)]
        scan: bool,
    },
}

#[derive(Debug, clap::Args)]
struct Tables {
    /// The database
    kind: Kind,
    /// PGN without comments, one line per game
    lines: PathBuf,
    /// The folder of the tables, in a subfolder with the database's name
    #[arg(long)]
    folder: PathBuf,
    /// The number of rows of a table: the lines repeated under new keys
    #[arg(long, default_value_t = 200_000)]
    rows: u64,
    /// The layouts of rows
    #[arg(long, value_enum, value_delimiter = ',', default_value = "pgn,san,cell,key")]
    layouts: Vec<Layout>,
    /// The codec of the cells
    #[arg(long, default_value = "chess/line.uniform")]
    codec: plypack::LineCodec,
    /// The database's own memory in MB, beside the system's cache
    #[arg(long, default_value_t = 64)]
    memory: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// Compiled in
    Sqlite,
    /// A private server, from the programs of Debian's package or in $PG_BIN
    Postgres,
}

impl Tables {
    fn open(&self) -> Result<Box<dyn Database>> {
        let memory = self.memory << 20;
        Ok(match self.kind {
            Kind::Sqlite => Box::new(Sqlite::new(&self.folder, memory)?),
            Kind::Postgres => Box::new(Postgres::new(&self.folder, memory)?),
        })
    }

    fn rows(&self, openings: &[Opening]) -> Rows {
        Rows { count: self.rows, openings: openings.len() as u64 }
    }

    fn load(&self) -> Result<()> {
        let openings = lines::read(&self.lines)?;
        let mut database = self.open()?;
        println!("| table | bytes a row | table, MB | keys, MB | positions, MB | all, MB |");
        println!("|---|---|---|---|---|---|");
        for &layout in &self.layouts {
            let start = Instant::now();
            let rows = encode_all(&Coder::new(layout, self.codec)?, &openings)?;
            let loaded = database.load(layout, self.rows(&openings), &rows);
            loaded.with_context(|| format!("the table {}", layout.name()))?;
            let sizes = database.sizes(layout)?;
            let mb = |bytes: u64| bytes as f64 / 1e6;
            println!(
                "| {} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} |",
                layout.name(),
                sizes.table as f64 / self.rows as f64,
                mb(sizes.table),
                mb(sizes.keys),
                mb(sizes.positions),
                mb(sizes.table + sizes.keys + sizes.positions),
            );
            eprintln!("{}: {:.0} s", layout.name(), start.elapsed().as_secs_f64());
        }
        Ok(())
    }
}

fn main() -> Result<()> {
    match Arguments::parse().verb {
        Verb::Codecs { lines, rounds } => speed::report(&lines::read(&lines)?, rounds),
        Verb::Load(tables) => tables.load(),
        Verb::Read { tables, rounds, lookups, fill, scan } => {
            let openings = lines::read(&tables.lines)?;
            let mut coded = Vec::new();
            for &layout in &tables.layouts {
                let coder = Coder::new(layout, tables.codec)?;
                coded.push((coder, encode_all(&coder, &openings)?));
            }
            println!("memory of the process and the system's cache for it: {}", limit());
            let rows = tables.rows(&openings);
            let plan = Plan { rows, rounds, lookups, fill, scan };
            reading::report(&mut *tables.open()?, &coded, &openings, plan)
        }
    }
}

/// Returns the memory limit that the system sets for this process and its children together.
fn limit() -> String {
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limits = groups.lines().filter_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let (root, name) = match controllers {
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            "" => ("/sys/fs/cgroup", "memory.max"),
            _ => return None,
        };
        let file = Path::new(root).join(path.trim_start_matches('/')).join(name);
        std::fs::read_to_string(file).ok()?.trim().parse::<u64>().ok()
    });
    // A limit larger than any machine is not a limit.
    let least = limits.min().filter(|&limit| limit < 1 << 50);
    least.map_or_else(|| "no limit".into(), |limit| format!("{} MB", limit >> 20))
}
