//! `plypack players`: lists the players of games, with all spellings of their names.

use std::path::PathBuf;
use std::process::ExitCode;

use plypack::{PackedFile, Player, PlayerLister};
use serde_json::json;

use crate::failure::{DIFFERENT, Failure};
use crate::{files, interrupt, progress, terminal};

/// How many players who may be the same are named in a line.
const DOUBTFUL_SHOWN: usize = 8;

/// List the players of games, with results, years, ratings and all spellings of their names.
///
/// Names are one player if all their words are the same, in any order, with or without accents and
/// capitals: "Carlsen, Magnus", "CARLSEN MAGNUS". So are names with the same number in WhiteFideId
/// or BlackFideId; the same name with two numbers is two players. Names that only may be the same,
/// such as "Carlsen,M", stay players of their own and are shown as "perhaps". Several files and
/// folders are treated as one. Whoever played most comes first; ratings are that of the latest game
/// and the highest.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack players games.parquet --limit 20
  plypack players games/ --player \"Magnus Carlsen\"
  plypack players games.parquet --json > players.json")]
pub struct Arguments {
    /// The packed files, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only players of this name: part of it, or the name however it is spelled
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// List at most N players [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Print one JSON object per player: `name`, `fide_id`, `games`, `wins`, `draws`, `losses`,
    /// `first_year`, `last_year`, `last_rating`, `highest_rating`, `spellings` with the games of
    /// each, and the names of those who are `perhaps` the same, with their `fide_id`
    #[arg(long)]
    json: bool,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Print no progress and no notes
    #[arg(short, long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let read = files::open_each(&arguments.files)?;
    let total = read.iter().map(PackedFile::len).sum();
    let bar = progress::bar(Some(total), false, arguments.quiet);
    let mut lister = PlayerLister::new()
        .limit(arguments.limit.unwrap_or(u64::MAX))
        .threads(arguments.threads)
        .stop(interrupt::shared_flag())
        .progress(progress::moved(&bar, false));
    for file in &read {
        lister = lister.file(file.path());
    }
    if let Some(name) = &arguments.player {
        lister = lister.name(name);
    }
    let players = lister.list();
    bar.finish_and_clear();
    let players = players?;
    let mut listed = players.iter().peekable();
    if listed.peek().is_none() {
        if !arguments.quiet {
            progress::say("no player was found");
        }
        return Ok(ExitCode::from(DIFFERENT));
    }
    if !arguments.json {
        super::print_line(&format!(
            "{:>9} {:>9} {:>9} {:>9}  {:<9}  {:>4} {:>4}  player",
            "games", "won", "drawn", "lost", "years", "last", "best"
        ))?;
    }
    for (player, doubtful) in listed {
        super::print_line(&match arguments.json {
            true => object(player, &doubtful).to_string(),
            false => line(player, &doubtful),
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

fn object(player: &Player, doubtful: &[&Player]) -> serde_json::Value {
    let career = &player.career;
    let spelling = |(name, games): &(String, u64)| json!({ "name": name, "games": games });
    let perhaps = |other: &&Player| json!({ "name": other.name(), "fide_id": other.fide_id });
    json!({
        "name": player.name(),
        "fide_id": player.fide_id,
        "games": career.games,
        "wins": career.wins,
        "draws": career.draws,
        "losses": career.losses,
        "first_year": career.years.map(|years| years.0),
        "last_year": career.years.map(|years| years.1),
        "last_rating": career.last_rating,
        "highest_rating": career.highest_rating,
        "spellings": player.spellings.iter().map(spelling).collect::<Vec<_>>(),
        "perhaps": doubtful.iter().map(perhaps).collect::<Vec<_>>(),
    })
}

fn line(player: &Player, doubtful: &[&Player]) -> String {
    let career = &player.career;
    let years = match career.years {
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) => format!("{first}-{last}"),
        None => String::new(),
    };
    let rating = |rating: Option<u16>| rating.map(|rating| rating.to_string()).unwrap_or_default();
    let mut line = format!(
        "{:>9} {:>9} {:>9} {:>9}  {years:<9}  {:>4} {:>4}  {}",
        progress::count(career.games).to_string(),
        progress::count(career.wins).to_string(),
        progress::count(career.draws).to_string(),
        progress::count(career.losses).to_string(),
        rating(career.last_rating),
        rating(career.highest_rating),
        named(player),
    );
    let others = player.spellings.iter().skip(1);
    let others: Vec<String> = others.map(|spelling| terminal::part(&spelling.0).into()).collect();
    if !others.is_empty() {
        line += &format!("; also {}", others.join("; "));
    }
    if !doubtful.is_empty() {
        let shown = doubtful.iter().take(DOUBTFUL_SHOWN).map(|other| named(other));
        line += &format!("; perhaps {}", shown.collect::<Vec<_>>().join("; "));
        if let Some(more @ 1..) = doubtful.len().checked_sub(DOUBTFUL_SHOWN) {
            line += &format!(" and {} more", progress::count(more as u64));
        }
    }
    line
}

/// Formats a player's name, with the number at FIDE.
fn named(player: &Player) -> String {
    let name = terminal::part(player.name());
    match player.fide_id {
        Some(id) => format!("{name} (FIDE {id})"),
        None => name.into(),
    }
}
