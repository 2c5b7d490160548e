//! `plypack tree`: shows the moves played in a position, and their results.

use std::path::PathBuf;
use std::process::ExitCode;

use plypack::store::Outcome;
use plypack::store::find::{
    self, Asked, CandidateTexts, Example, MoveSum, PLIES_MAX, Question, Reach, Sum, Target, Tree,
    departures, spoken, successors, tree,
};
use plypack::store::repertoire::players;
use serde_json::{Map, Value, json};

use crate::failure::{DIFFERENT, Failure};
use crate::question::Asks;
use crate::repertoire::Follows;
use crate::{branches, files, progress, repertoire};

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
    let asked = asks.open()?;
    if arguments.follows.is_asked() {
        return run_following(arguments, &asked);
    }
    let target = asks.target(&asked)?;
    let condition = asks.condition(&asked)?;
    asks.tell_scans(&asked);
    let question = asks.question(Some(&target), condition.as_ref());
    if let Some(plies) = arguments.depth {
        return run_deep(arguments, &asked, &question, plies);
    }
    let (tree, behind) = asks.watched(&asked, |watch, _| {
        let tree = tree(&asked, &question, watch)?;
        let behind = successors(&asked, &question, &tree.candidates(), watch)?;
        Ok::<_, plypack::store::Error>((tree, behind))
    })?;
    if tree.records == 0 {
        return nothing(asks, &asked, "no game reaches this position");
    }
    let shown = arguments.shown(&tree);
    let moves = target.texts().map_err(Failure::new)?;
    if arguments.json {
        for object in objects(&tree, &behind[..shown.min(behind.len())], &moves, &asked) {
            super::print_line(&object.to_string())?;
        }
    } else {
        super::print_line(&table(
            &tree,
            &behind[..shown.min(behind.len())],
            &target,
            &moves,
            &asked,
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Says that there is nothing to show.
fn nothing(asks: &Asks, asked: &[Asked], why: &str) -> Result<ExitCode, Failure> {
    if !asks.quiet {
        progress::say(why);
    }
    asks.tell_nearest_names(asked)?;
    Ok(ExitCode::from(DIFFERENT))
}

/// Shows the lines from the question's position on.
fn run_deep(
    arguments: &Arguments,
    asked: &[Asked],
    question: &Question<'_>,
    plies: u16,
) -> Result<ExitCode, Failure> {
    let asks = &arguments.asks;
    let Some(target) = question.target else { return Ok(ExitCode::SUCCESS) };
    let output = arguments.output.as_deref();
    for (path, asked) in output.iter().flat_map(|path| asked.iter().map(move |file| (path, file))) {
        files::check_apart(asked.file.path(), path)?;
    }
    let moves_max = arguments.limit.map_or(usize::MAX, usize::from);
    let reach = Reach { plies, records_min: arguments.min_games, moves_max };
    let found = asks.watched(asked, |watch, _| find::branches(asked, question, reach, watch))?;
    if found.records == 0 {
        return nothing(asks, asked, "no game reaches this position");
    }
    match output {
        Some(path) => branches::write(&found, target, path, (arguments.force, asks.quiet))?,
        None if arguments.json => {
            for object in branches::objects(&found, target)? {
                super::print_line(&object.to_string())?;
            }
        }
        None => super::print_line(&branches::table(&found, target)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// Returns how many of the moves are shown, which come first.
    fn shown(&self, tree: &Tree) -> usize {
        let often = tree.moves.partition_point(|played| played.sum.records >= self.min_games);
        self.limit.map_or(often, |limit| often.min(limit.into()))
    }
}

/// Shows the moves by which games leave a repertoire.
fn run_following(arguments: &Arguments, asked: &[Asked]) -> Result<ExitCode, Failure> {
    let asks = &arguments.asks;
    let repertoire = arguments.follows.read(asks, asked)?;
    let condition = asks.condition_on(Some(repertoire.side()), asked)?;
    let question = Question { condition: condition.as_ref(), ..Question::default() };
    let found = asks.watched(asked, |watch, _| departures(asked, &question, &repertoire, watch))?;
    if found.is_empty() {
        return nothing(asks, asked, "no game comes to a position of the repertoire");
    }
    if !arguments.json {
        super::print_line(&repertoire::table(&repertoire, &found)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    for departure in &found {
        let mut object = repertoire::object(&repertoire, departure)?;
        object.extend(of_sum(&departure.sum));
        super::print_line(&Value::from(object).to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The results of games, as members of an object.
pub fn of_sum(sum: &Sum) -> [(String, Value); 6] {
    let rating = mean_rating(sum).map(|rating| (10.0 * rating).round() / 10.0);
    [
        ("records".into(), sum.records.into()),
        ("white".into(), sum.white.into()),
        ("draws".into(), sum.draws.into()),
        ("black".into(), sum.black.into()),
        ("mean_rating".into(), rating.into()),
        ("last_year".into(), sum.last_year.into()),
    ]
}

/// `behind` has the games of the positions after the moves that are shown.
fn objects(
    tree: &Tree,
    behind: &[Option<Sum>],
    moves: &CandidateTexts,
    asked: &[Asked],
) -> Vec<Value> {
    let object = |candidate: Option<u16>, sum: &Sum, behind: Option<Sum>| {
        let examples = tree.examples.iter().filter(|(_, example)| example.candidate == candidate);
        let examples: Vec<Value> =
            examples.map(|(file, game)| example(*file, game, asked)).collect();
        let any_order = behind.map(|Sum { records, white, draws, black, .. }| {
            json!({ "records": records, "white": white, "draws": draws, "black": black })
        });
        let mut object = Map::new();
        object.insert("move".into(), moves.customary(candidate).into());
        object.insert("coordinates".into(), moves.coordinates(candidate).into());
        object.extend(of_sum(sum));
        object.insert("any_order".into(), any_order.into());
        object.insert("examples".into(), examples.into());
        object.insert("all".into(), tree.records.into());
        object.insert("ended".into(), tree.ended.records.into());
        object.into()
    };
    if tree.moves.is_empty() {
        return vec![object(None, &tree.ended, None)];
    }
    let moves = tree.moves.iter().zip(behind);
    moves.map(|(played, behind)| object(Some(played.candidate), &played.sum, *behind)).collect()
}

fn example(file: usize, game: &Example, asked: &[Asked]) -> Value {
    let players = &game.head.players;
    let mut object = json!({
        "record": game.row + 1,
        "white": players.white,
        "black": players.black,
        "white_rating": players.white_rating,
        "black_rating": players.black_rating,
        "year": game.head.year,
        "result": result(game),
    });
    if asked.len() > 1 {
        let path = asked.get(file).map(|asked| asked.file.path().to_string_lossy());
        object["file"] = path.into();
    }
    object
}

/// Returns the mean rating of the games that have one.
pub fn mean_rating(sum: &Sum) -> Option<f64> {
    (sum.rated > 0).then(|| sum.rating_sum as f64 / sum.rated as f64)
}

fn result(game: &Example) -> &'static str {
    game.head.outcome.map_or("*", Outcome::text)
}

/// Width of a bar of results.
const BAR_WIDTH: u64 = 20;

/// `behind` has the games of the positions after the moves that are shown.
fn table(
    tree: &Tree,
    behind: &[Option<Sum>],
    target: &Target,
    moves: &CandidateTexts,
    asked: &[Asked],
) -> String {
    let game = target.game();
    let sides = players(game);
    let text = |candidate: Option<u16>| match candidate {
        Some(_) => moves.of(spoken(game), candidate).unwrap_or_default(),
        None => "end",
    };
    let knows_behind = behind.iter().any(Option::is_some);
    let played = tree.moves.iter().zip(behind).map(|(MoveSum { candidate, sum }, behind)| {
        let behind = match knows_behind {
            true => any_order(behind.as_ref(), sides),
            false => String::new(),
        };
        (text(Some(*candidate)), sum, behind)
    });
    let ended = (tree.ended.records > 0).then(|| (text(None), &tree.ended, String::new()));
    let rows: Vec<(&str, &Sum, String)> = played.chain(ended).collect();
    let width = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or(0).max(4);
    let [first, second] = sides.map(str::to_lowercase);
    let mut lines = vec![
        target.text().to_owned(),
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
    // The results of all moves; a game may play two of them.
    let mut all = tree.ended;
    tree.moves.iter().for_each(|played| all.merge(&played.sum));
    all.records = tree.records;
    for (text, sum, behind) in rows.into_iter().chain([("all", &all, String::new())]) {
        let [first, drawn, second] = results(sum, sides);
        lines.push(format!(
            "{text:<width$} {:>11} {:>5.1} %  {first:>6} {drawn:>6} {second:>6}  {}  {:>6}  {:<4} \
             {behind}",
            progress::count(sum.records).to_string(),
            share(sum.records, tree.records),
            bar(sum, sides),
            mean_rating(sum).map(|rating| format!("{rating:.0}")).unwrap_or_default(),
            sum.last_year.map(|year| year.to_string()).unwrap_or_default(),
        ));
    }
    if let Some(more @ 1..) = tree.moves.len().checked_sub(behind.len()) {
        lines.push(format!(".. {}", progress::counted(more as u64, "more move")));
    }
    if !tree.examples.is_empty() {
        lines.push("\nThe best-rated games, or else the latest:".to_owned());
    }
    for (file, game) in &tree.examples {
        lines.push(line(*file, game, text(game.candidate), (asked, sides)));
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// Returns the games that the first player won, those drawn, and those that the second won.
fn parts(sum: &Sum, [first, _]: [&str; 2]) -> [u64; 3] {
    match first {
        "Black" => [sum.black, sum.draws, sum.white],
        _ => [sum.white, sum.draws, sum.black],
    }
}

/// Returns the results of games in percent, those that the first player won first; nothing if none
/// is known.
pub fn results(sum: &Sum, sides: [&str; 2]) -> [String; 3] {
    let parts = parts(sum, sides);
    match parts.iter().sum() {
        0 => Default::default(),
        known => parts.map(|part| format!("{:.0} %", share(part, known))),
    }
}

/// Returns the share of some games in percent.
pub fn share(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Returns the games of a position and their results; `?` if they are unknown.
fn any_order(sum: Option<&Sum>, sides: [&str; 2]) -> String {
    let Some(sum) = sum else {
        return format!("{:>11}", "?");
    };
    let parts = parts(sum, sides);
    let results = match parts.iter().sum() {
        0 => String::new(),
        known => parts.map(|part| format!("{:.0}", share(part, known))).join("/"),
    };
    format!("{:>11}  {results}", progress::count(sum.records).to_string())
}

/// Draws the first player's share of the games in full blocks, that of draws in half ones.
pub fn bar(sum: &Sum, sides: [&str; 2]) -> String {
    let [first, drawn, second] = parts(sum, sides);
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

fn line(
    file: usize,
    game: &Example,
    played: &str,
    (asked, sides): (&[Asked], [&str; 2]),
) -> String {
    let player = |name: &str, rating: Option<u16>| match rating {
        Some(rating) => format!("{name} {rating}"),
        None => name.to_owned(),
    };
    let path = asked.get(file).filter(|_| asked.len() > 1);
    let players = &game.head.players;
    let white = player(&players.white, players.white_rating);
    let black = player(&players.black, players.black_rating);
    let [first, second] = if sides[0] == "Black" { [black, white] } else { [white, black] };
    format!(
        "{:>9}  {first} - {second}  {}  {}  {played}  {}",
        game.row + 1,
        result(game),
        game.head.year.map(|year| year.to_string()).unwrap_or_default(),
        path.map(|asked| asked.file.path().display().to_string()).unwrap_or_default(),
    )
}
