//! Repertoires of `find` and `tree`: their arguments, and what is printed of them.

use std::path::PathBuf;

use plypack::store::find::{Asked, Departure, spoken};
use plypack::store::repertoire::{Followers, Leaving, Left, Repertoire, players};
use plypack_core::Notation;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::question::Asks;
use crate::verbs::tree::{mean_rating, results};
use crate::{interrupt, progress};

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
    pub fn read(&self, asks: &Asks, asked: &[Asked]) -> Result<Repertoire, Failure> {
        let game = asks.game(asked)?;
        let path = self.repertoire.clone().unwrap_or_default();
        let second = match self.side.map(Side::name) {
            None => None,
            Some(side) => {
                let [first, second] = players(game);
                let is = |player: &str| player == side;
                if !is(first) && !is(second) {
                    let title = game.info().title;
                    let why = format!("the sides of {title} are {first} and {second}, not {side}");
                    return Err(Failure::new(why));
                }
                Some(is(second))
            }
        };
        let repertoire = Repertoire::read(&path, game, second, &interrupt::work(0))?;
        let [own, theirs] = [repertoire.game(), game].map(|game| game.info());
        if own.id != theirs.id {
            return Err(Failure::new(format!(
                "{} has lines of {}, not of {}",
                path.display(),
                own.title,
                theirs.title
            ))
            .with_hint(&format!("if there are games of {}, add --game {}", own.title, own.name)));
        }
        Ok(repertoire)
    }
}

/// Returns the moves that a repertoire has in a position, in words.
pub fn answers(repertoire: &Repertoire, place: u32) -> Result<String, Failure> {
    let mut moves = repertoire.replies(place, spoken(repertoire.game())).map_err(Failure::new)?;
    if moves.len() > ANSWERS_SHOWN {
        moves.truncate(ANSWERS_SHOWN);
        return Ok(format!("{}, ..", moves.join(", ")));
    }
    let last = moves.pop().unwrap_or_default();
    Ok(if moves.is_empty() { last } else { format!("{} or {last}", moves.join(", ")) })
}

/// Says how many games follow a repertoire, and what ends that.
pub fn summary(repertoire: &Repertoire, followers: &Followers) -> String {
    let (side, opponent) = (repertoire.side(), repertoire.opponent());
    let count = |left| progress::count(followers.of(left)).to_string();
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
pub fn told(repertoire: &Repertoire, leaving: &Leaving) -> Result<[(String, Value); 4], Failure> {
    let text = |notation| {
        let text = |candidate| repertoire.move_text(leaving.place, candidate, notation);
        leaving.candidate.map(text).transpose().map_err(Failure::new)
    };
    let answers = repertoire.replies(leaving.place, Notation::Customary).map_err(Failure::new)?;
    Ok([
        ("left".into(), repertoire.left(leaving).text().into()),
        ("move".into(), text(Notation::Customary)?.into()),
        ("coordinates".into(), text(Notation::Coordinate)?.into()),
        ("repertoire".into(), answers.into()),
    ])
}

/// Returns where games leave a repertoire, as an object without their results.
pub fn object(
    repertoire: &Repertoire,
    departure: &Departure,
) -> Result<Map<String, Value>, Failure> {
    let place = departure.place;
    let mut object = Map::new();
    let position = repertoire.position_text(place).map_err(Failure::new)?;
    object.insert("position".into(), position.into());
    let line = repertoire.line_text(place, None, Notation::Customary).map_err(Failure::new)?;
    object.insert("line".into(), line.into());
    object.extend(told(repertoire, &leaving(departure))?);
    Ok(object)
}

/// Where the games of a departure leave; their plies differ.
fn leaving(departure: &Departure) -> Leaving {
    Leaving { ply: 0, place: departure.place, candidate: departure.candidate }
}

/// Returns where games leave a repertoire as tables: what it does not answer, what its side played
/// instead, and how games go on where its lines end.
pub fn table(repertoire: &Repertoire, departures: &[Departure]) -> Result<String, Failure> {
    let mut followers = Followers::default();
    let lefts: Vec<Left> =
        departures.iter().map(|departure| repertoire.left(&leaving(departure))).collect();
    for (departure, left) in departures.iter().zip(&lefts) {
        followers.add(*left, departure.sum.records);
    }
    let mut lines = vec![summary(repertoire, &followers)];
    let (side, opponent) = (repertoire.side(), repertoire.opponent());
    let [first, second] = players(repertoire.game());
    for (left, title) in [
        (Left::Opponent, format!("Moves of {opponent} without an answer")),
        (Left::Own, format!("Moves of {side} other than those of the repertoire")),
        (Left::LineEnd, "Moves after the end of a line".to_owned()),
    ] {
        let of = departures
            .iter()
            .zip(&lefts)
            .filter(|(departure, of)| **of == left && departure.candidate.is_some());
        let rows: Vec<&Departure> = of.map(|(departure, _)| departure).collect();
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
        for departure in rows.iter().take(SHOWN) {
            lines.push(row(repertoire, departure, left)?);
        }
        if rows.len() > SHOWN {
            let more = progress::count((rows.len() - SHOWN) as u64);
            lines.push(format!("{:>9}  {more} more: --json has all", ".."));
        }
    }
    Ok(lines.join("\n"))
}

fn row(repertoire: &Repertoire, departure: &Departure, left: Left) -> Result<String, Failure> {
    let sum = &departure.sum;
    let [first, drawn, second] = results(sum, players(repertoire.game()));
    let notation = spoken(repertoire.game());
    let line = repertoire.line_text(departure.place, departure.candidate, notation);
    let line = line.map_err(Failure::new)?;
    let instead = match left {
        Left::Own => format!(", not {}", answers(repertoire, departure.place)?),
        _ => String::new(),
    };
    Ok(format!(
        "{:>9}  {:>6} {:>6} {:>6}  {:>6}  {:<4}  {line}{instead}",
        progress::count(sum.records).to_string(),
        first,
        drawn,
        second,
        mean_rating(sum).map(|rating| format!("{rating:.0}")).unwrap_or_default(),
        sum.last_year.map(|year| year.to_string()).unwrap_or_default(),
    ))
}
