//! `plypack tree`: shows the moves played in a position, and their results.

use std::process::ExitCode;

use plypack::store::Outcome;
use plypack::store::find::{
    Asked, CandidateTexts, Example, MoveSum, Question, Sum, Tree, departures, successors, tree,
};
use serde_json::{Map, Value, json};

use crate::failure::{DIFFERENT, Failure};
use crate::question::Asks;
use crate::repertoire::Follows;
use crate::{progress, repertoire};

/// Show the moves played in a position, and their results.
///
/// Without --fen and --moves, the position is the usual start. A game counts once for each
/// different move that it plays there. A game's rating is the mean of its players' ratings. "any
/// order" are all games that reach the position after a move, by whatever order of moves, and their
/// results in percent (white/draw/black). That needs an index of all games, and no condition; "?"
/// is where too many games would have to be decoded.
///
/// With --repertoire, shows the moves by which games leave a repertoire: what is played against it
/// that it does not answer, what its own side played instead, and what follows where its lines end.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack tree games.parquet
  plypack tree games.parquet --moves \"1. e4 c5\"
  plypack tree games.parquet --repertoire white.pgn --player me
  plypack tree games.parquet more.parquet --fen \"8/8/8/4k3/8/4K3/4P3/8 w - -\" --json")]
pub struct Arguments {
    #[command(flatten)]
    asks: Asks,
    #[command(flatten)]
    follows: Follows,
    /// Print one JSON object per move: `move`, `coordinates`, `records`, `white`, `draws`, `black`,
    /// `mean_rating` (rounded to one decimal), `last_year`, `examples`; `position`, the `records`,
    /// `white`, `draws` and `black` of the position after it, by any order of moves, or null if
    /// unknown; and for the position, `all` games and those that `ended` there. If all did, `move`
    /// is null. For a repertoire, per position and move by which games leave it: the `position`,
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
    let (tree, behind) = asks.watched(&asked, |watch, _| {
        let tree = tree(&asked, &question, watch)?;
        let behind = successors(&asked, &question, &tree.candidates(), watch)?;
        Ok::<_, plypack::store::Error>((tree, behind))
    })?;
    if tree.records == 0 {
        if !asks.quiet {
            progress::say("no game reaches this position");
        }
        return Ok(ExitCode::from(DIFFERENT));
    }
    let moves = target.texts().map_err(Failure::new)?;
    if arguments.json {
        for object in objects(&tree, &behind, &moves, &asked) {
            super::print_line(&object.to_string())?;
        }
    } else {
        super::print_line(&table(&tree, &behind, target.text(), &moves, &asked))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows the moves by which games leave a repertoire.
fn run_following(arguments: &Arguments, asked: &[Asked]) -> Result<ExitCode, Failure> {
    let asks = &arguments.asks;
    let repertoire = arguments.follows.read(asks, asked)?;
    let condition = asks.condition_on(repertoire.side(), asked)?;
    let question = Question { condition: condition.as_ref(), ..Question::default() };
    let found = asks.watched(asked, |watch, _| departures(asked, &question, &repertoire, watch))?;
    if found.is_empty() {
        if !asks.quiet {
            progress::say("no game comes to a position of the repertoire");
        }
        return Ok(ExitCode::from(DIFFERENT));
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
fn of_sum(sum: &Sum) -> [(String, Value); 6] {
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

/// `behind` has the games of the positions after the moves.
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
        let position = behind.map(|Sum { records, white, draws, black, .. }| {
            json!({ "records": records, "white": white, "draws": draws, "black": black })
        });
        let mut object = Map::new();
        object.insert("move".into(), moves.customary(candidate).into());
        object.insert("coordinates".into(), moves.coordinates(candidate).into());
        object.extend(of_sum(sum));
        object.insert("position".into(), position.into());
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

fn table(
    tree: &Tree,
    behind: &[Option<Sum>],
    position: &str,
    moves: &CandidateTexts,
    asked: &[Asked],
) -> String {
    let text = |candidate: Option<u16>| match candidate {
        Some(_) => moves.customary(candidate).unwrap_or_default(),
        None => "end",
    };
    let knows_behind = behind.iter().any(Option::is_some);
    let played = tree.moves.iter().zip(behind).map(|(MoveSum { candidate, sum }, behind)| {
        let behind = if knows_behind { any_order(behind.as_ref()) } else { String::new() };
        (text(Some(*candidate)), sum, behind)
    });
    let ended = (tree.ended.records > 0).then(|| (text(None), &tree.ended, String::new()));
    let rows: Vec<(&str, &Sum, String)> = played.chain(ended).collect();
    let width = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or(0).max(4);
    let mut lines = vec![
        position.to_owned(),
        String::new(),
        format!(
            "{:<width$} {:>11} {:>7}  {:>6} {:>6} {:>6}  {:<20}  {:>6}  last {}",
            "move",
            "games",
            "share",
            "white",
            "draw",
            "black",
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
        let known = sum.white + sum.draws + sum.black;
        let result = |part| match known {
            0 => String::new(),
            _ => format!("{:.0} %", share(part, known)),
        };
        lines.push(format!(
            "{text:<width$} {:>11} {:>5.1} %  {:>6} {:>6} {:>6}  {}  {:>6}  {:<4} {behind}",
            progress::count(sum.records).to_string(),
            share(sum.records, tree.records),
            result(sum.white),
            result(sum.draws),
            result(sum.black),
            bar(sum),
            mean_rating(sum).map(|rating| format!("{rating:.0}")).unwrap_or_default(),
            sum.last_year.map(|year| year.to_string()).unwrap_or_default(),
        ));
    }
    if !tree.examples.is_empty() {
        lines.push("\nThe best-rated games, or else the latest:".to_owned());
    }
    for (file, game) in &tree.examples {
        lines.push(line(*file, game, text(game.candidate), asked));
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// Returns the share of some games in percent.
fn share(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Returns the games of a position and their results; `?` if they are unknown.
fn any_order(sum: Option<&Sum>) -> String {
    let Some(Sum { records, white, draws, black, .. }) = sum else {
        return format!("{:>11}", "?");
    };
    let known = white + draws + black;
    let results = match known {
        0 => String::new(),
        _ => [white, draws, black].map(|part| format!("{:.0}", share(*part, known))).join("/"),
    };
    format!("{:>11}  {results}", progress::count(*records).to_string())
}

/// Draws White's share of the games in full blocks, that of draws in half ones.
fn bar(sum: &Sum) -> String {
    let known = sum.white + sum.draws + sum.black;
    let blocks = |games: u64| match known {
        0 => 0,
        _ => (games * BAR_WIDTH + known / 2) / known,
    };
    let (white, drawn) = (blocks(sum.white), blocks(sum.white + sum.draws));
    let block = |place| match place {
        _ if known == 0 => ' ',
        place if place < white => '█',
        place if place < drawn => '▒',
        _ => '·',
    };
    (0..BAR_WIDTH).map(block).collect()
}

fn line(file: usize, game: &Example, played: &str, asked: &[Asked]) -> String {
    let player = |name: &str, rating: Option<u16>| match rating {
        Some(rating) => format!("{name} {rating}"),
        None => name.to_owned(),
    };
    let path = asked.get(file).filter(|_| asked.len() > 1);
    let players = &game.head.players;
    format!(
        "{:>9}  {} - {}  {}  {}  {played}  {}",
        game.row + 1,
        player(&players.white, players.white_rating),
        player(&players.black, players.black_rating),
        result(game),
        game.head.year.map(|year| year.to_string()).unwrap_or_default(),
        path.map(|asked| asked.file.path().display().to_string()).unwrap_or_default(),
    )
}
