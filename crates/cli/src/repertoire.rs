//! Repertoires of `find` and `tree`: their arguments, and what is printed of them.

use std::path::PathBuf;

use plypack::{Collection, Departure, Departures, Followers, Left, Repertoire, Side as PlayerSide};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::progress;
use crate::question::Asks;
use crate::verbs::tree::{rating, results};

/// How many moves of each kind are shown; `--json` has all.
const SHOWN: usize = 20;

/// How many moves of a repertoire in one position are named.
const ANSWERS_SHOWN: usize = 3;

/// Arguments of both verbs.
#[derive(Debug, clap::Args)]
pub struct Follows {
    /// Games that follow the lines of this file, the games of a PGN with their variations: where
    /// each leaves them, and who left; with --player, games in which that player has the side of
    /// the repertoire (docs/repertoire.md)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves", "variations"])]
    repertoire: Option<PathBuf>,
    /// The side of the repertoire [default: the one that has one move in nearly all positions]
    #[arg(long, value_enum, value_name = "SIDE", requires = "repertoire")]
    side: Option<Side>,
}

/// Names of the sides.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Side {
    White,
    Black,
    Red,
}

impl Side {
    fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
            Self::Red => "Red",
        }
    }
}

impl Follows {
    /// Whether a repertoire is asked for.
    pub fn is_asked(&self) -> bool {
        self.repertoire.is_some()
    }

    /// Reads the repertoire, which must be of the game that is asked about.
    pub fn read(&self, asks: &Asks, games: &Collection) -> Result<Repertoire, Failure> {
        let rules = asks.game(games)?;
        let path = self.repertoire.clone().unwrap_or_default();
        let side = match self.side.map(Side::name) {
            None => None,
            Some(side) => {
                let [first, second] = rules.sides();
                if side != first && side != second {
                    let title = rules.title();
                    let why = format!("the sides of {title} are {first} and {second}, not {side}");
                    return Err(Failure::new(why));
                }
                Some(if side == second { PlayerSide::Second } else { PlayerSide::First })
            }
        };
        let repertoire = Repertoire::read(&path, rules, side)?;
        let own = repertoire.rules();
        if own != rules {
            return Err(Failure::new(format!(
                "{} has lines of {}, not of {}",
                path.display(),
                own.title(),
                rules.title()
            ))
            .with_hint(&format!("if there are games of {}, add --game {own}", own.title())));
        }
        Ok(repertoire)
    }
}

/// Returns what the side of a repertoire is called, and its opponent.
pub fn sides(repertoire: &Repertoire) -> [&'static str; 2] {
    let [first, second] = repertoire.rules().sides();
    match repertoire.side() {
        PlayerSide::First => [first, second],
        PlayerSide::Second => [second, first],
    }
}

/// Returns the moves that a repertoire has in a position, in words.
pub fn in_words(answers: &[String]) -> String {
    match answers {
        [] => String::new(),
        [only] => only.clone(),
        [.., last] if answers.len() <= ANSWERS_SHOWN => {
            format!("{} or {last}", answers[..answers.len() - 1].join(", "))
        }
        _ => format!("{}, ..", answers[..ANSWERS_SHOWN].join(", ")),
    }
}

/// Says how many games follow a repertoire, and what ends that.
pub fn summary(repertoire: &Repertoire, followers: &Followers) -> String {
    let [side, opponent] = sides(repertoire);
    let count = |left| progress::count(followers.of(left));
    format!(
        "{} {} the repertoire of {side} ({}, {}): {side} leaves it in {}, {opponent} in {}; a line \
         of it ends in {}, the game in {}",
        progress::counted(followers.all(), "game"),
        if followers.all() == 1 { "follows" } else { "follow" },
        progress::counted(repertoire.positions() as u64, "position"),
        progress::counted(repertoire.lines() as u64, "line"),
        count(Left::Own),
        count(Left::Opponent),
        count(Left::LineEnd),
        count(Left::GameEnd),
    )
}

/// Returns who or what ends that games follow a repertoire, the move, and those that it has, as
/// members of an object.
pub fn told(
    left: Left,
    [text, coordinates]: [&Option<String>; 2],
    answers: &[String],
) -> [(String, Value); 4] {
    [
        ("left".into(), left.name().into()),
        ("move".into(), text.clone().into()),
        ("coordinates".into(), coordinates.clone().into()),
        ("repertoire".into(), answers.into()),
    ]
}

/// Returns where games leave a repertoire, as an object without their results.
pub fn object(departure: &Departure) -> Map<String, Value> {
    let Departure { position, line, left, text, coordinates, answers, .. } = departure;
    let mut object = Map::new();
    object.insert("position".into(), position.clone().into());
    object.insert("line".into(), line.clone().into());
    object.extend(told(*left, [text, coordinates], answers));
    object
}

/// Returns where games leave a repertoire as tables: what it does not answer, what its side played
/// instead, and how games go on where its lines end.
pub fn table(repertoire: &Repertoire, departures: &Departures) -> String {
    let mut lines = vec![summary(repertoire, &departures.followers)];
    let [side, opponent] = sides(repertoire);
    let [first, second] = repertoire.rules().sides();
    for (left, title) in [
        (Left::Opponent, format!("Moves of {opponent} without an answer")),
        (Left::Own, format!("Moves of {side} other than those of the repertoire")),
        (Left::LineEnd, "Moves after the end of a line".to_owned()),
    ] {
        let moves = departures.moves.iter();
        let rows = moves.filter(|departure| departure.left == left && departure.text.is_some());
        let rows: Vec<&Departure> = rows.collect();
        if rows.is_empty() {
            continue;
        }
        lines.push(format!(
            "\n{title}\n{:>9}  {:>6} {:>6} {:>6}  {:>6}  last  line",
            "games",
            first.to_lowercase(),
            "draw",
            second.to_lowercase(),
            "rating"
        ));
        let sides = [first, second];
        lines.extend(rows.iter().take(SHOWN).map(|departure| row(departure, sides)));
        if rows.len() > SHOWN {
            let more = progress::count((rows.len() - SHOWN) as u64);
            lines.push(format!("{:>9}  {more} more: --json has all", ".."));
        }
    }
    lines.join("\n")
}

fn row(departure: &Departure, sides: [&str; 2]) -> String {
    let Departure { left, line_left, answers, tally, .. } = departure;
    let [first, drawn, second] = results(tally, sides);
    let instead = match left {
        Left::Own => format!(", not {}", in_words(answers)),
        _ => String::new(),
    };
    format!(
        "{:>9}  {first:>6} {drawn:>6} {second:>6}  {:>6}  {:<4}  {line_left}{instead}",
        progress::count(tally.games).to_string(),
        rating(tally),
        tally.last_year.map(|year| year.to_string()).unwrap_or_default(),
    )
}
