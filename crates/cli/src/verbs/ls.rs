//! `plypack ls`: lists what packed files hold.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::HumanBytes;
use plypack::{Completeness, Contents, Summary};
use serde_json::json;

use crate::failure::Failure;
use crate::progress::{self, count};
use crate::{completeness, files};

/// List what packed files hold.
///
/// Bits are stored bits, of `moves` per ply or of `position` per line. "Verbatim" counts the
/// records that are kept as raw bytes, because nothing shorter restores them. "Coded by" names the
/// game and the codec of the moves or positions; `plypack codecs CODEC` describes it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack ls games/
  plypack ls -v games.parquet")]
pub struct Arguments {
    /// The packed files, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Also print the bytes of each column, why records are kept verbatim, and how many have moves
    /// that could not be coded or need a patch
    #[arg(short, long)]
    verbose: bool,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if !arguments.json {
        super::print_line(&format!(
            "{:>12} {:>12} {:>12} {:>10} {:>9}  {:<22} file",
            "records", "plies", "bytes", "bits each", "verbatim", "coded by"
        ))?;
    }
    files::each(&arguments.files, |path| list(arguments, path))
}

fn list(arguments: &Arguments, path: &Path) -> Result<(), Failure> {
    let file = files::open(path)?;
    let summary = file.summary()?;
    let line = match arguments.json {
        true => json(path, &summary, file.completeness()?),
        false => row(path, &summary),
    };
    super::print_line(&line)?;
    if arguments.verbose && !arguments.json {
        details(&summary)?;
    }
    Ok(())
}

fn json(path: &Path, summary: &Summary, completeness: Option<Completeness>) -> String {
    let mut object = json!({
        "file": path.to_string_lossy(),
        "game": summary.game,
        "records": summary.records,
        "plies": summary.plies,
        "bytes": summary.bytes,
        "move_bytes": summary.move_bytes(),
        "bits_per_ply": summary.bits_per_ply(),
        "model": summary.codecs.join(", "),
        "verbatim_records": summary.verbatim_records(),
        "verbatim": summary.verbatim,
        "faulty_records": summary.faulty,
        "patched_records": summary.patched,
        "uncoded_variations": summary.uncoded_variations,
        "columns": summary.columns,
    });
    completeness::json(completeness).into_iter().for_each(|(key, value)| object[key] = value);
    if summary.contents == Contents::Positions {
        object["positions"] = summary.positions.into();
        object["position_bytes"] = summary.position_bytes().into();
        object["bits_per_position"] = summary.bits_per_position().into();
    }
    object.to_string()
}

fn row(path: &Path, summary: &Summary) -> String {
    let bits = summary.bits_per_position().or_else(|| summary.bits_per_ply());
    let bits = bits.map_or("-".to_owned(), |bits| format!("{bits:.3}"));
    format!(
        "{:>12} {:>12} {:>12} {bits:>10} {:>9}  {:<22} {}",
        count(summary.records).to_string(),
        count(summary.plies).to_string(),
        count(summary.bytes).to_string(),
        count(summary.verbatim_records()).to_string(),
        summary.codecs.join(", "),
        path.display(),
    )
}

fn details(summary: &Summary) -> Result<(), Failure> {
    let mut columns: Vec<(&String, &u64)> = summary.columns.iter().collect();
    columns.sort_by_key(|column| std::cmp::Reverse(column.1));
    for (name, bytes) in columns {
        let share = 100.0 * *bytes as f64 / summary.bytes.max(1) as f64;
        let bytes = HumanBytes(*bytes).to_string();
        super::print_line(&format!("    {name:<18} {bytes:>12} {share:>6.2} %"))?;
    }
    for (reason, records) in &summary.verbatim {
        let records = progress::counted(*records, "record");
        super::print_line(&format!("    kept verbatim: {reason}, {records}"))?;
    }
    let faults = match summary.contents {
        Contents::Positions => "positions that could not be coded",
        _ => "moves that could not be coded",
    };
    for (what, records) in [(faults, summary.faulty), ("completed by a patch", summary.patched)] {
        if records > 0 {
            let records = progress::counted(records, "record");
            super::print_line(&format!("    {what}: {records}"))?;
        }
    }
    if summary.uncoded_variations > 0 {
        let variations = progress::counted(summary.uncoded_variations, "variation");
        super::print_line(&format!("    kept as text because of an invalid move: {variations}"))?;
    }
    Ok(())
}
