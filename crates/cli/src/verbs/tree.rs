//! `plypack tree`: shows the moves played in a position, and their results.

use std::path::PathBuf;
use std::process::ExitCode;

use plypack::{Collection, ExampleGame, Notation, OpeningTree, Query, Tally, TreeMove};
use serde_json::{Map, Value, json};

use crate::failure::{DIFFERENT, Failure};
use crate::question::Asks;
use crate::repertoire::Follows;
use crate::{branches, files, progress, repertoire};

/// The most plies of --depth.
const PLIES_MAX: u16 = 100;

/// Show the moves played in a position, and their results.
///
/// Without --fen and --moves, the position is the usual start. A game counts once for each
/// different move that it plays there. A game's rating is the mean of its players' ratings. "any
/// order" are all games that reach the position after a move, by whatever order of moves, and their
/// results in percent (white/draw/black; the first player first, in go Black). That needs an index
/// of all games, and no condition; "?" is where too many games would have to be decoded.
///
/// With --depth, shows the lines that games play from the position on, told apart by their moves;
/// the share of a move is of the games that come to it. All games that reach the position are
/// decoded.
///
/// With --repertoire, shows the moves by which games leave a repertoire: what is played against it
/// that it does not answer, what its own side played instead, and what follows where its lines end.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack tree games.parquet
  plypack tree games.parquet --moves \"1. e4 c5\"
  plypack tree games.parquet --moves \"1. e4 c5\" --depth 4 --min-games 20
  plypack tree games.parquet --moves \"1. e4 c5\" --depth 8 --min-games 20 -o sicilian.pgn
  plypack tree games.parquet --repertoire white.pgn --player me
  plypack tree games.parquet more.parquet --fen \"8/8/8/4k3/8/4K3/4P3/8 w - -\" --json")]
pub struct Arguments {
    #[command(flatten)]
    asks: Asks,
    #[command(flatten)]
    follows: Follows,
    /// Show the lines from the position on, so many plies deep
    #[arg(long, value_name = "PLIES", conflicts_with_all = ["repertoire", "variations"])]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=i64::from(PLIES_MAX)))]
    depth: Option<u16>,
    /// Show at most N moves of a position [default: all]
    #[arg(long, value_name = "N", conflicts_with = "repertoire")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    limit: Option<u16>,
    /// Show only moves that at least N games play
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "repertoire")]
    min_games: u64,
    /// Write the lines of --depth as one game in PGN, the most frequent moves as its main line and
    /// the others as variations, with games and results as comments; `-` is standard output
    #[arg(short, long, value_name = "FILE", requires = "depth", conflicts_with = "json")]
    output: Option<PathBuf>,
    /// Overwrite an existing output
    #[arg(short, long)]
    force: bool,
    /// Print one JSON object per move: `move`, `coordinates`, `records`, `white`, `draws`, `black`,
    /// `mean_rating` (rounded to one decimal), `last_year`, `examples`; `position`, the `records`,
    /// `white`, `draws` and `black` of the position after it, by any order of moves, or null if
    /// unknown; and for the position, `all` games and those that `ended` there. If all did, `move`
    /// is null. With --depth, per line: the `line` with its last move, the `ply` of that from the
    /// position on, the members from `move` to `last_year`, and how many games `ended` after it.
    /// For a repertoire, per position and move by which games leave it: the `position`,
    /// the `line` to it, who or what `left` it (own, opponent, line end, game end), and the moves
    /// of the `repertoire` there
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let asks = &arguments.asks;
    let games = Collection::of(asks.open()?)?;
    if arguments.follows.is_asked() {
        return run_following(arguments, &games);
    }
    let rules = asks.rules(&games, None)?;
    let notation = if arguments.json { Notation::Customary } else { rules.spoken() };
    let query = asks.query(&games, rules).notation(notation);
    query.check()?;
    asks.tell_scans(&games);
    if let Some(plies) = arguments.depth {
        return run_deep(arguments, &games, query, plies);
    }
    let tree = asks.watched(&games, query, |query, _| query.tree())?;
    if tree.games == 0 {
        return nothing(asks, &games, "no game reaches this position");
    }
    let shown = arguments.shown(&tree);
    let names_files = games.paths().nth(1).is_some();
    if arguments.json {
        for object in objects(&tree, shown, names_files) {
            super::print_line(&object.to_string())?;
        }
    } else {
        super::print_line(&table(&tree, shown, names_files))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Says that there is nothing to show.
fn nothing(asks: &Asks, games: &Collection, why: &str) -> Result<ExitCode, Failure> {
    if !asks.quiet {
        progress::say(why);
    }
    asks.tell_nearest_names(games)?;
    Ok(ExitCode::from(DIFFERENT))
}

/// Shows the lines from the query's position on.
fn run_deep(
    arguments: &Arguments,
    games: &Collection,
    query: Query<'_>,
    plies: u16,
) -> Result<ExitCode, Failure> {
    let asks = &arguments.asks;
    let output = arguments.output.as_deref();
    for (path, file) in output.iter().flat_map(|path| games.paths().map(move |file| (path, file))) {
        files::check_apart(file, path)?;
    }
    let query = query.moves_max(arguments.limit.map_or(usize::MAX, usize::from));
    let least = arguments.min_games;
    let found = asks.watched(games, query, |query, _| query.branches(plies, least))?;
    if found.games == 0 {
        return nothing(asks, games, "no game reaches this position");
    }
    match output {
        Some(path) => branches::write(&found, path, (arguments.force, asks.quiet))?,
        None if arguments.json => {
            for object in branches::objects(&found) {
                super::print_line(&object.to_string())?;
            }
        }
        None => super::print_line(&branches::table(&found))?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// Returns the moves that are shown, which come first.
    fn shown<'t>(&self, tree: &'t OpeningTree) -> &'t [TreeMove] {
        let often = tree.moves.partition_point(|played| played.tally.games >= self.min_games);
        let shown = self.limit.map_or(often, |limit| often.min(limit.into()));
        tree.moves.get(..shown).unwrap_or_default()
    }
}

/// Shows the moves by which games leave a repertoire.
fn run_following(arguments: &Arguments, games: &Collection) -> Result<ExitCode, Failure> {
    let asks = &arguments.asks;
    let repertoire = arguments.follows.read(asks, games)?;
    let rules = repertoire.rules();
    let notation = if arguments.json { Notation::Customary } else { rules.spoken() };
    let query = asks.query(games, rules).notation(notation);
    let found = asks.watched(games, query, |query, _| query.departures(&repertoire))?;
    if found.moves.is_empty() {
        return nothing(asks, games, "no game comes to a position of the repertoire");
    }
    if !arguments.json {
        super::print_line(&repertoire::table(&repertoire, &found))?;
        return Ok(ExitCode::SUCCESS);
    }
    for departure in &found.moves {
        let mut object = repertoire::object(departure);
        object.extend(of_tally(&departure.tally));
        super::print_line(&Value::from(object).to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The results of games, as members of an object.
pub fn of_tally(tally: &Tally) -> [(String, Value); 6] {
    let rating = tally.mean_rating.map(|rating| (10.0 * rating).round() / 10.0);
    [
        ("records".into(), tally.games.into()),
        ("white".into(), tally.white.into()),
        ("draws".into(), tally.draws.into()),
        ("black".into(), tally.black.into()),
        ("mean_rating".into(), rating.into()),
        ("last_year".into(), tally.last_year.into()),
    ]
}

/// Returns the moves that are shown as objects; if all games ended, that.
fn objects(tree: &OpeningTree, shown: &[TreeMove], names_files: bool) -> Vec<Value> {
    let object = |played: Option<&TreeMove>, tally: &Tally| {
        let text = played.map(|played| &*played.text);
        let examples = tree.examples.iter().filter(|game| game.next_move.as_deref() == text);
        let examples: Vec<Value> = examples.map(|game| example(game, names_files)).collect();
        let any_order = played.and_then(|played| played.any_order).map(|tally| {
            let Tally { games, white, draws, black, .. } = tally;
            json!({ "records": games, "white": white, "draws": draws, "black": black })
        });
        let mut object = Map::new();
        object.insert("move".into(), text.into());
        object.insert("coordinates".into(), played.map(|played| &*played.coordinates).into());
        object.extend(of_tally(tally));
        object.insert("any_order".into(), any_order.into());
        object.insert("examples".into(), examples.into());
        object.insert("all".into(), tree.games.into());
        object.insert("ended".into(), tree.ended.games.into());
        object.into()
    };
    if tree.moves.is_empty() {
        return vec![object(None, &tree.ended)];
    }
    shown.iter().map(|played| object(Some(played), &played.tally)).collect()
}

fn example(game: &ExampleGame, names_file: bool) -> Value {
    let mut object = json!({
        "record": game.number,
        "white": game.white,
        "black": game.black,
        "white_rating": game.white_rating,
        "black_rating": game.black_rating,
        "year": game.year,
        "result": result(game),
    });
    if names_file {
        object["file"] = game.path.to_string_lossy().into();
    }
    object
}

fn result(game: &ExampleGame) -> String {
    game.outcome.map_or("*".to_owned(), |outcome| outcome.to_string())
}

/// Stands for a move where games end.
const END: &str = "end";

/// Width of a bar of results.
const BAR_WIDTH: u64 = 20;

/// Returns the moves that are shown as a table, with those games that ended, all, and examples.
fn table(tree: &OpeningTree, shown: &[TreeMove], names_files: bool) -> String {
    let sides = tree.rules.sides();
    let knows_behind = shown.iter().any(|played| played.any_order.is_some());
    let played = shown.iter().map(|played| {
        let behind = match knows_behind {
            true => any_order(played.any_order.as_ref(), sides),
            false => String::new(),
        };
        (&*played.text, &played.tally, behind)
    });
    let ended = (tree.ended.games > 0).then(|| (END, &tree.ended, String::new()));
    let rows: Vec<(&str, &Tally, String)> = played.chain(ended).collect();
    let width = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or(0).max(4);
    let [first, second] = sides.map(str::to_lowercase);
    let mut lines = vec![
        tree.position.clone(),
        String::new(),
        format!(
            "{:<width$} {:>11} {:>7}  {first:>6} {:>6} {second:>6}  {:<20}  {:>6}  last {}",
            "move",
            "games",
            "share",
            "draw",
            "",
            "rating",
            if knows_behind { "  any order" } else { "" },
        ),
    ];
    for (text, tally, behind) in rows.into_iter().chain([("all", &tree.all, String::new())]) {
        lines.push(format!(
            "{text:<width$} {}  {:<4} {behind}",
            figures(tally, tree.games, sides),
            tally.last_year.map(|year| year.to_string()).unwrap_or_default(),
        ));
    }
    if let Some(more @ 1..) = tree.moves.len().checked_sub(shown.len()) {
        lines.push(format!(".. {}", progress::counted(more as u64, "more move")));
    }
    if !tree.examples.is_empty() {
        lines.push("\nThe best-rated games, or else the latest:".to_owned());
    }
    lines.extend(tree.examples.iter().map(|game| line(game, sides, names_files)));
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// Returns a row's games, their share of all those of a position, their results and their rating.
pub fn figures(tally: &Tally, all: u64, sides: [&str; 2]) -> String {
    let [first, drawn, second] = results(tally, sides);
    format!(
        "{:>11} {:>5.1} %  {first:>6} {drawn:>6} {second:>6}  {}  {:>6}",
        progress::count(tally.games).to_string(),
        share(tally.games, all),
        bar(tally, sides),
        rating(tally),
    )
}

/// Returns the mean rating of games, rounded; nothing if it is unknown.
pub fn rating(tally: &Tally) -> String {
    tally.mean_rating.map(|rating| format!("{rating:.0}")).unwrap_or_default()
}

/// Returns the games that the first player won, those drawn, and those that the second won.
fn parts(tally: &Tally, [first, _]: [&str; 2]) -> [u64; 3] {
    match first {
        "Black" => [tally.black, tally.draws, tally.white],
        _ => [tally.white, tally.draws, tally.black],
    }
}

/// Returns the results of games in percent, those that the first player won first; nothing if none
/// is known.
pub fn results(tally: &Tally, sides: [&str; 2]) -> [String; 3] {
    let parts = parts(tally, sides);
    match parts.iter().sum() {
        0 => Default::default(),
        known => parts.map(|part| format!("{:.0} %", share(part, known))),
    }
}

/// Returns the share of some games in percent.
fn share(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Returns the games of a position and their results; `?` if they are unknown.
fn any_order(tally: Option<&Tally>, sides: [&str; 2]) -> String {
    let Some(tally) = tally else {
        return format!("{:>11}", "?");
    };
    let parts = parts(tally, sides);
    let results = match parts.iter().sum() {
        0 => String::new(),
        known => parts.map(|part| format!("{:.0}", share(part, known))).join("/"),
    };
    format!("{:>11}  {results}", progress::count(tally.games).to_string())
}

/// Draws the first player's share of the games in full blocks, that of draws in half ones.
fn bar(tally: &Tally, sides: [&str; 2]) -> String {
    let [first, drawn, second] = parts(tally, sides);
    let known = first + drawn + second;
    let blocks = |games: u64| match known {
        0 => 0,
        _ => (games * BAR_WIDTH + known / 2) / known,
    };
    let (won, drawn) = (blocks(first), blocks(first + drawn));
    let block = |place| match place {
        _ if known == 0 => ' ',
        place if place < won => '█',
        place if place < drawn => '▒',
        _ => '·',
    };
    (0..BAR_WIDTH).map(block).collect()
}

fn line(game: &ExampleGame, sides: [&str; 2], names_file: bool) -> String {
    let player = |name: &str, rating: Option<u16>| match rating {
        Some(rating) => format!("{name} {rating}"),
        None => name.to_owned(),
    };
    let white = player(&game.white, game.white_rating);
    let black = player(&game.black, game.black_rating);
    let [first, second] = if sides[0] == "Black" { [black, white] } else { [white, black] };
    format!(
        "{:>9}  {first} - {second}  {}  {}  {}  {}",
        game.number,
        result(game),
        game.year.map(|year| year.to_string()).unwrap_or_default(),
        game.next_move.as_deref().unwrap_or(END),
        if names_file { game.path.display().to_string() } else { String::new() },
    )
}
