//! `plypack find`: finds games that reach a position, match a pattern, or have matching tags.

mod display;
mod games;
mod positions;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plypack::store::find::{
    Asked, Found, Hit, Order, PatternText, Question, count, count_told, find, follow,
};
use plypack::store::repertoire::{Followers, Leaving};
use plypack::store::{Content, PackedFile};
use plypack_core::Pattern;
use serde_json::json;

use self::display::Display;
use self::games::Games;
use super::unpack::Form;
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
    let text = arguments.pattern_text()?;
    let has_pattern = text.is_some();
    arguments.check(has_pattern)?;
    let asked = asks.open()?;
    if asked.iter().all(|asked| asked.file.kind() == Content::Positions) && asks.has_position() {
        arguments.check_of_positions(has_pattern)?;
        let files: Vec<PackedFile> = asked.into_iter().map(|asked| asked.file).collect();
        return positions::run(arguments, &files);
    }
    let pattern = match &text {
        Some(text) => Some(asks.in_game(&asked, |game| text.of(game).map_err(Failure::new))?),
        None => None,
    };
    let target = asks.has_position().then(|| asks.target(&asked)).transpose()?;
    let condition = asks.condition(&asked)?;
    let games = arguments.output.as_ref().map(|path| Games::begin(path, arguments, &asked));
    let games = games.transpose()?;
    let asks_index = |pattern: &Pattern| pattern.asks_remains() || pattern.frames().is_some();
    let narrowed = target.is_some() || pattern.as_ref().is_some_and(asks_index);
    if narrowed {
        asks.tell_scans(&asked);
    }
    let mut question = asks.question(target.as_ref(), condition.as_ref());
    question.pattern = pattern.as_ref();
    if arguments.count {
        let games = asks.watched(&asked, |watch, _| count(&asked, &question, watch))?;
        asks.tell_uncoded(&asked)?;
        return tell_count(arguments, &asked, games);
    }
    let order = arguments.order();
    let skip = text.as_ref().map_or(0, |text| text.skip);
    let limits = [arguments.limit, text.as_ref().and_then(|text| text.limit)];
    let limit =
        limits.into_iter().flatten().min().map_or(u64::MAX, |most| most.saturating_add(skip));
    // With a pattern, the plies shown are the pattern's.
    let shown = target.as_ref().filter(|_| !has_pattern);
    let mut display = Display::new(arguments, &asked, shown, games)?;
    display.skip = skip;
    let found = asks.watched(&asked, |watch, bar| {
        display.bar = bar.clone();
        let found = find(&asked, &question, order, limit, watch, &mut |game| display.push(game));
        // Games found before a damaged record are sound.
        display.finish()?;
        Ok::<u64, Failure>(found?.saturating_sub(skip))
    })?;
    asks.tell_uncoded(&asked)?;
    if found == 0 {
        let why = target.as_ref().map(|target| format!("no game reaches {}", target.text()));
        return nothing(asks, &asked, why.as_deref());
    }
    if let Some(games) = display.games {
        games.publish(&asked, found, asks)?;
    }
    if arguments.limit.is_some_and(|limit| found >= limit) && !asks.quiet {
        tell_cut(found, asks.watched(&asked, |watch, _| count_told(&asked, &question, watch))?);
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints how many games were found.
fn tell_count(arguments: &Arguments, asked: &[Asked], games: u64) -> Result<ExitCode, Failure> {
    match arguments.json {
        true => super::print_line(&json!({ "records": games }).to_string())?,
        false => super::print_line(&games.to_string())?,
    }
    if games > 0 {
        return Ok(ExitCode::SUCCESS);
    }
    arguments.asks.tell_nearest_names(asked)?;
    Ok(ExitCode::from(DIFFERENT))
}

/// Says that nothing was found, and why: with the position as it was searched, defaults filled in.
fn nothing(asks: &Asks, asked: &[Asked], why: Option<&str>) -> Result<ExitCode, Failure> {
    if !asks.quiet {
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        progress::say(format_args!("nothing was found{why}"));
    }
    asks.tell_nearest_names(asked)?;
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
    let asked = asks.open()?;
    let repertoire = arguments.follows.read(asks, &asked)?;
    let condition = asks.condition_on(Some(repertoire.side()), &asked)?;
    let games = arguments.output.as_ref().map(|path| Games::begin(path, arguments, &asked));
    let question = Question { condition: condition.as_ref(), ..Question::default() };
    let limit = arguments.limit.unwrap_or(u64::MAX);
    let mut display = Display::new(arguments, &asked, None, games.transpose()?)?;
    display.repertoire = Some(&repertoire);
    let mut followers = Followers::default();
    asks.watched(&asked, |watch, bar| {
        display.bar = bar.clone();
        let followed =
            follow(&asked, &question, &repertoire, arguments.order(), watch, &mut |game| {
                followers.add(repertoire.left(&game.leaving), 1);
                // The summary is of all.
                if followers.all() > limit {
                    return Ok(());
                }
                let Leaving { ply, candidate, .. } = game.leaving;
                let hits = vec![Hit { ply, candidate, variation: false }];
                let found = Found { file: game.file, row: game.row, hits };
                display.take(found, Some(game.leaving))
            });
        display.finish()?;
        Ok::<_, Failure>(followed?)
    })?;
    if followers.all() == 0 {
        return nothing(asks, &asked, Some("no game comes to a position of the repertoire"));
    }
    let lists = display.games.is_none() && !arguments.json;
    if let Some(games) = display.games {
        games.publish(&asked, followers.all().min(limit), asks)?;
    }
    let summary = summary(&repertoire, &followers);
    if lists {
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

    fn order(&self) -> Order {
        match self.sort {
            None => Order::Stored,
            Some(Sort::Rating) => Order::Rating,
            Some(Sort::Date) => Order::Date,
        }
    }

    /// The pattern to match: as it is given, or that of a structure.
    fn pattern_text(&self) -> Result<Option<PatternText>, Failure> {
        let (rule, fen) = match (&self.structure, &self.pawns) {
            (Some(fen), _) => ("structure", fen),
            (None, Some(fen)) => ("pawns", fen),
            (None, None) => return self.pattern.as_deref().map(pattern_text).transpose(),
        };
        let board = fen.split_ascii_whitespace().next().unwrap_or_default();
        let pattern = json!({ rule: board });
        PatternText::read(&pattern.to_string()).map(Some).map_err(Failure::new)
    }
}

/// Reads a pattern from an argument, or from the file that it names.
fn pattern_text(argument: &str) -> Result<PatternText, Failure> {
    let text = match argument.strip_prefix('@') {
        Some("-") => io::read_to_string(io::stdin().take(PATTERN_MAX))?,
        Some(path) => {
            let file = File::open(path).map_err(Failure::io(Path::new(path)))?;
            io::read_to_string(file.take(PATTERN_MAX)).map_err(Failure::io(Path::new(path)))?
        }
        None => argument.into(),
    };
    PatternText::read(&text).map_err(Failure::new)
}
