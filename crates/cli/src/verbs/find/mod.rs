//! `plypack find`: finds games that reach a position, match a pattern, or have matching tags.

mod display;
mod games;
mod positions;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plypack::{Collection, Contents, Notation, Query, Rules};
use serde_json::json;

use self::display::Display;
use super::unpack::{Form, printed};
use crate::failure::{DIFFERENT, Failure};
use crate::progress;
use crate::question::Asks;
use crate::repertoire::{Follows, summary};

/// The most bytes read of a pattern file; longer ones are refused.
const PATTERN_MAX: u64 = 2 << 20;

/// Find the games that reach a position, match a pattern, or have matching tags.
///
/// A position is found however it was reached: by other moves, from a set-up start, or for the
/// second time. Every game shown has been decoded to confirm the match. Moves that are kept as
/// text, because they could not be coded, are not searched. In files of positions, --fen finds the
/// records that have this position.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack find games.parquet --moves \"1. e4 c5 2. Nf3\"
  plypack find games.parquet --fen \"8/8/8/4k3/8/4K3/4P3/8 w - -\" -o endings.pgn
  plypack find games.parquet --pattern '{\"material\": \"KRPKR\", \"result\": \"1/2-1/2\"}'
  plypack find games.parquet --pattern '{\"sub-fen\": \"8/8/p7/8/8/1B3N2/8/8\"}' --limit 20
  plypack find games.parquet --pawns \"8/pp3ppp/2p1p3/3p4/3P4/4P3/PPP2PPP/8\"
  plypack find games.parquet --player carlsen --where \"Year >= 2020 and Result = '1-0'\"
  plypack find games.parquet --repertoire white.pgn --player me --where \"Date >= '2026-11-20'\"
  plypack find games.parquet --player carlsen --player anand --count
  plypack find games.parquet --sort rating --limit 10
  plypack find 2023/ 2024/ --moves \"1. b4\" --sort rating --limit 20 --json")]
pub struct Arguments {
    #[command(flatten)]
    pub(super) asks: Asks,
    #[command(flatten)]
    follows: Follows,
    /// A pattern that the main line must match, as JSON: pieces on squares, material, moves, and
    /// sequences of these (docs/patterns.md); `@FILE` reads it from a file, `@-` from standard
    /// input
    #[arg(long, value_name = "JSON", allow_hyphen_values = true, conflicts_with = "repertoire")]
    pattern: Option<String>,
    /// Games that come to the pawns of this position, with the same men, wherever these stand; the
    /// whole position or its board
    #[arg(long, value_name = "FEN", conflicts_with_all = ["pattern", "repertoire"])]
    structure: Option<String>,
    /// Games that come to the pawns of this position, whatever else is on the board
    #[arg(long, value_name = "FEN", conflicts_with_all = ["pattern", "structure", "repertoire"])]
    pawns: Option<String>,
    /// Find at most N games [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) limit: Option<u64>,
    /// Sort by rating, best mean of both players first, then games with one rated player; or by
    /// date, latest first. Games without come last. Without other criteria, sorts all games
    /// [default: stored order]
    #[arg(long, value_enum, value_name = "KEY")]
    sort: Option<Sort>,
    /// Print only how many games there are; with --json as `records`. Exits with 1 if none
    #[arg(long, conflicts_with_all = ["limit", "sort", "tags", "output", "repertoire"])]
    pub(super) count: bool,
    /// Print all tags of the games; without other criteria, lists all games
    #[arg(long)]
    tags: bool,
    /// Write the games to a file, as they were packed, instead of listing them; `-` is standard
    /// output. A file ending in .parquet is packed, in the order of the files; one ending in .zst,
    /// .gz or .xz is compressed
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// With -o, write the games as PGN, whatever they were packed from, and those of go in SGF
    #[arg(long = "as", value_enum, value_name = "FORMAT", requires = "output")]
    form: Option<Form>,
    /// Overwrite an existing output
    #[arg(short, long)]
    force: bool,
    /// Print one JSON object per game: `file` (if there are several), `record`, its `id` (for
    /// `delete --found`; it tells whether the record is still the same), `ply` where the position
    /// first occurs, all such `plies`, those in `variations`, the `move` played there, and the
    /// game's tags; for a pattern, the `plies` at which its conditions are met; for a repertoire,
    /// the `ply` where the game leaves it, who or what `left` it (own, opponent, line end, game
    /// end), the `move` played there and those of the `repertoire`
    #[arg(long)]
    pub(super) json: bool,
}

/// Sort keys.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Sort {
    Rating,
    Date,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let asks = &arguments.asks;
    if arguments.follows.is_asked() {
        return run_following(arguments);
    }
    let pattern = arguments.pattern_text()?;
    arguments.check(pattern.is_some())?;
    let files = asks.open()?;
    if files.iter().all(|file| file.contents() == Contents::Positions) && asks.has_position() {
        arguments.check_of_positions(pattern.is_some())?;
        return positions::run(arguments, &files);
    }
    let games = &Collection::of(files)?;
    let rules = asks.rules(games, pattern.as_deref())?;
    let query = || arguments.query(games, rules, pattern.as_deref());
    let position = query().check()?;
    let output = arguments.output.as_deref();
    output.map_or(Ok(()), |path| games::check(path, arguments, games))?;
    if query().uses_index()? {
        asks.tell_scans(games);
    }
    if arguments.count {
        let count = asks.watched(games, query(), |query, _| query.count())?;
        asks.tell_uncoded(games)?;
        return tell_count(arguments, games, count);
    }
    // With a pattern, the plies shown are the pattern's.
    let shown = (position.is_some() && pattern.is_none()).then_some(rules);
    let (found, taken) = list(arguments, games, query(), shown)?;
    asks.tell_uncoded(games)?;
    if found == 0 {
        let why = position.map(|position| format!("no game reaches {position}"));
        return nothing(asks, games, why.as_deref());
    }
    if let Some(path) = output {
        games::write(path, arguments, games, taken)?;
    }
    if arguments.limit.is_some_and(|limit| found >= limit) && !asks.quiet {
        tell_cut(found, asks.watched(games, query(), |query, _| query.known_count())?);
    }
    Ok(ExitCode::SUCCESS)
}

/// Games, each by the place of its file and its number there.
type Taken = Vec<(usize, u64)>;

/// Lists the games, unless they are only written to an output. Returns how many there are, and
/// those to write. `shown` are the rules of the position, if one is shown.
fn list(
    arguments: &Arguments,
    games: &Collection,
    query: Query<'_>,
    shown: Option<Rules>,
) -> Result<(u64, Taken), Failure> {
    let asks = &arguments.asks;
    let (is_written, mut taken) = (arguments.output.is_some(), Taken::new());
    if is_written && !arguments.json {
        let found = asks.watched(games, query, |query, _| {
            query.places(|place| {
                taken.push((place.file, place.number));
                Ok(())
            })
        })?;
        return Ok((found, taken));
    }
    let mut display = Display::new(arguments, games, shown, None)?;
    let found = asks.watched(games, query, |query, bar| {
        let found = printed(|is_printed| {
            query.list(|game| {
                if is_written {
                    taken.push((game.file(), game.number()));
                }
                display.print(game, None, bar).inspect_err(|_| *is_printed = false)
            })
        });
        display.flush(bar)?;
        found
    })?;
    Ok((found, taken))
}

/// Prints how many games were found.
fn tell_count(arguments: &Arguments, games: &Collection, count: u64) -> Result<ExitCode, Failure> {
    match arguments.json {
        true => super::print_line(&json!({ "records": count }).to_string())?,
        false => super::print_line(&count.to_string())?,
    }
    if count > 0 {
        return Ok(ExitCode::SUCCESS);
    }
    arguments.asks.tell_nearest_names(games)?;
    Ok(ExitCode::from(DIFFERENT))
}

/// Says that nothing was found, and why: with the position as it was searched, defaults filled in.
fn nothing(asks: &Asks, games: &Collection, why: Option<&str>) -> Result<ExitCode, Failure> {
    if !asks.quiet {
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        progress::say(format_args!("nothing was found{why}"));
    }
    asks.tell_nearest_names(games)?;
    Ok(ExitCode::from(DIFFERENT))
}

/// Says that a limit may have cut the list of games, and of how many if that is known.
fn tell_cut(found: u64, all: Option<u64>) {
    let first = progress::counted(found, "game");
    match all {
        Some(all) if all > found => progress::say(format_args!(
            "--limit: the first {} of {}",
            progress::count(found),
            progress::counted(all, "game")
        )),
        Some(_) => {}
        None => progress::say(format_args!("--limit: the first {first}; --count counts all")),
    }
}

/// Lists the games that follow a repertoire, and says where each leaves it.
fn run_following(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let asks = &arguments.asks;
    let games = &Collection::of(asks.open()?)?;
    let repertoire = arguments.follows.read(asks, games)?;
    let query = arguments.query(games, repertoire.rules(), None);
    query.check()?;
    let output = arguments.output.as_deref();
    output.map_or(Ok(()), |path| games::check(path, arguments, games))?;
    let mut taken = Taken::new();
    let mut display = Display::new(arguments, games, None, Some(&repertoire))?;
    let followers = asks.watched(games, query, |query, bar| {
        let followers = printed(|is_printed| {
            query.list_following(&repertoire, |game, followed| {
                if output.is_some() {
                    taken.push((game.file(), game.number()));
                }
                if output.is_some() && !arguments.json {
                    return Ok(());
                }
                display.print(game, Some(followed), bar).inspect_err(|_| *is_printed = false)
            })
        });
        display.flush(bar)?;
        followers
    })?;
    if followers.all() == 0 {
        return nothing(asks, games, Some("no game comes to a position of the repertoire"));
    }
    if let Some(path) = output {
        games::write(path, arguments, games, taken)?;
    }
    let summary = summary(&repertoire, &followers);
    if output.is_none() && !arguments.json {
        super::print_line(&format!("\n{summary}"))?;
    } else if !asks.quiet {
        progress::say(summary);
    }
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// Refuses a search for nothing, and what patterns do not have.
    fn check(&self, has_pattern: bool) -> Result<(), Failure> {
        let lists_all = self.tags || self.count || self.sort.is_some();
        let asks = &self.asks;
        if !asks.has_position() && !has_pattern && !asks.has_condition() && !lists_all {
            return Err(Failure::new(
                "nothing to find: give a position with --fen or --moves, a pattern with \
                 --pattern, --structure or --pawns, a condition with --where or --player, the \
                 lines of a file with --repertoire, or list all games with --tags or --sort, and \
                 count them with --count",
            ));
        }
        if has_pattern && asks.variations {
            let why = "--variations is for positions; patterns are matched against main lines only";
            return Err(Failure::new(why));
        }
        Ok(())
    }

    /// Refuses what files of positions are not searched for.
    fn check_of_positions(&self, has_pattern: bool) -> Result<(), Failure> {
        let asks = &self.asks;
        let is_of_games = has_pattern || asks.has_condition() || asks.variations || self.tags;
        if is_of_games || self.sort.is_some() || self.output.is_some() {
            return Err(Failure::new(
                "files of positions are searched for a position, with --limit, --count and \
                 --json; anything else is for games",
            ));
        }
        Ok(())
    }

    /// Returns the query, in this game.
    fn query<'q>(&self, games: &'q Collection, rules: Rules, pattern: Option<&str>) -> Query<'q> {
        let notation = if self.json { Notation::Customary } else { rules.spoken() };
        let query = self.asks.query(games, rules).notation(notation);
        let query = query.limit(self.limit.unwrap_or(u64::MAX)).sort(match self.sort {
            None => plypack::Sort::Stored,
            Some(Sort::Rating) => plypack::Sort::Rating,
            Some(Sort::Date) => plypack::Sort::Date,
        });
        match pattern {
            Some(pattern) => query.pattern(pattern),
            None => query,
        }
    }

    /// The pattern to match: as it is given, or that of a structure.
    fn pattern_text(&self) -> Result<Option<String>, Failure> {
        let (rule, fen) = match (&self.structure, &self.pawns) {
            (Some(fen), _) => ("structure", fen),
            (None, Some(fen)) => ("pawns", fen),
            (None, None) => return self.pattern.as_deref().map(pattern_text).transpose(),
        };
        let board = fen.split_ascii_whitespace().next().unwrap_or_default();
        Ok(Some(json!({ rule: board }).to_string()))
    }
}

/// Reads a pattern from an argument, or from the file that it names.
fn pattern_text(argument: &str) -> Result<String, Failure> {
    Ok(match argument.strip_prefix('@') {
        Some("-") => io::read_to_string(io::stdin().take(PATTERN_MAX))?,
        Some(path) => {
            let file = File::open(path).map_err(Failure::io(Path::new(path)))?;
            io::read_to_string(file.take(PATTERN_MAX)).map_err(Failure::io(Path::new(path)))?
        }
        None => argument.into(),
    })
}
