//! The games that `find` found, as lines or as JSON.

use std::io::{self, Write, stdout};

use indicatif::ProgressBar;
use plypack::{Collection, FollowedGame, Hit, Left, ListedGame, Repertoire, Rules};
use serde_json::{Map, Value};

use super::Arguments;
use crate::failure::Failure;
use crate::repertoire::{in_words, sides, told};
use crate::terminal;

/// Number of bytes that are printed at once.
const PRINTED: usize = 1 << 15;

/// Printed widths of a player's name, and of the move played.
const NAME_WIDTH: usize = 20;
const PLACE_WIDTH: usize = 12;

/// Printed width of where a game leaves a repertoire.
const LEFT_WIDTH: usize = 44;

/// The tag that names a game's start.
const START_TAG: &str = "FEN";

/// Prints games.
pub(super) struct Display<'a> {
    /// The rules of the position, if one was asked for.
    rules: Option<Rules>,
    repertoire: Option<&'a Repertoire>,
    /// For each file, the tags of its game's players, the first one first, and the width of its
    /// numbers.
    files: Vec<([&'static str; 2], usize)>,
    json: bool,
    tags: bool,
    out: Vec<u8>,
}

impl<'a> Display<'a> {
    pub(super) fn new(
        arguments: &Arguments,
        games: &Collection,
        rules: Option<Rules>,
        repertoire: Option<&'a Repertoire>,
    ) -> Result<Self, Failure> {
        let file = |(rules, coverage): (Option<Rules>, plypack::Coverage)| {
            let players = rules.map_or(["White", "Black"], Rules::sides);
            (players, coverage.games.to_string().len())
        };
        let files = games.rules()?.into_iter().zip(games.coverage()).map(file).collect();
        let (json, tags) = (arguments.json, arguments.tags);
        Ok(Self { rules, repertoire, files, json, tags, out: Vec::new() })
    }

    /// Prints a game, and where it leaves the repertoire, if there is one.
    pub(super) fn print(
        &mut self,
        game: &ListedGame<'_>,
        followed: Option<&FollowedGame>,
        bar: &ProgressBar,
    ) -> io::Result<()> {
        let line = match self.json {
            true => self.object(game, followed).to_string(),
            false => self.line(game, followed),
        };
        writeln!(self.out, "{}", terminal::lines(&line))?;
        if self.out.len() >= PRINTED { self.flush(bar) } else { Ok(()) }
    }

    /// Prints what was not printed yet, without the bar among it.
    pub(super) fn flush(&mut self, bar: &ProgressBar) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.out);
        bar.suspend(|| {
            let mut out = stdout().lock();
            out.write_all(&bytes).and_then(|()| out.flush())
        })
    }

    fn object(&self, game: &ListedGame<'_>, followed: Option<&FollowedGame>) -> Value {
        let mut object = Map::new();
        if self.files.len() > 1 {
            object.insert("file".into(), game.path().to_string_lossy().into());
        }
        object.insert("record".into(), game.number().into());
        if let Some(id) = game.id() {
            object.insert("id".into(), id.to_string().into());
        }
        if let Some(FollowedGame { ply, left, next_move, coordinates, answers, .. }) = followed {
            object.insert("ply".into(), (*ply).into());
            object.extend(told(*left, [next_move, coordinates], answers));
        } else if let Some(first) = game.hits().first() {
            let plies = |variation: bool| -> Vec<u32> {
                let hits = game.hits().iter().filter(|hit| hit.variation == variation);
                hits.map(|hit| hit.ply).collect()
            };
            object.insert("ply".into(), first.ply.into());
            object.insert("plies".into(), plies(false).into());
            if self.rules.is_some() {
                object.insert("variations".into(), plies(true).into());
                object.insert("move".into(), first.next_move.clone().into());
                object.insert("coordinates".into(), first.coordinates.clone().into());
            }
        }
        for (name, value) in game.tags() {
            object.entry(name).or_insert_with(|| value.into());
        }
        object.into()
    }

    fn line(&self, game: &ListedGame<'_>, followed: Option<&FollowedGame>) -> String {
        let tag = |name: &str| terminal::part(game.tag(name).unwrap_or_default());
        let player = |side: &'static str| {
            let name = match side {
                // Games of xiangqi call their first player either.
                "White" | "Red" => {
                    [tag("White"), tag("Red")].into_iter().find(|name| !name.is_empty())
                }
                side => Some(tag(side)),
            };
            let rating = if side == "Black" { tag("BlackElo") } else { tag("WhiteElo") };
            format!("{} {rating:>4}", cut(&name.unwrap_or_default(), NAME_WIDTH))
        };
        let file = self.files.get(game.file()).copied();
        let ([first, second], width) = file.unwrap_or((["White", "Black"], 0));
        let mut line = format!(
            "{:>width$}  {}  {}  {:<7}  {:<10}  ",
            game.number(),
            player(first),
            player(second),
            tag("Result"),
            tag("Date"),
        );
        if let Some((repertoire, followed)) = self.repertoire.zip(followed) {
            line += &format!("{:<LEFT_WIDTH$}  ", left(repertoire, followed, game));
        } else if let Some((first, others)) = game.hits().split_first() {
            let mut place = match self.rules {
                Some(rules) => place(rules, first, game),
                None => format!("ply {}", first.ply),
            };
            let others: Vec<String> = others.iter().map(|hit| hit.ply.to_string()).collect();
            if !others.is_empty() {
                place += &format!(", plies {}", others.join(" "));
            }
            line += &format!("{place:<PLACE_WIDTH$}  ");
        }
        line += &tag("Event");
        if self.files.len() > 1 {
            line += &format!("  {}", game.path().display());
        }
        if self.tags {
            for (name, value) in game.tags() {
                let value = terminal::part(value).replace('\\', "\\\\").replace('"', "\\\"");
                line += &format!("\n[{name} \"{value}\"]");
            }
            line += "\n";
        }
        line
    }
}

/// Returns a move that a game plays after so many plies, with its number; that it ends there if
/// there is none.
fn played(rules: Rules, text: Option<&String>, ply: u32, game: &ListedGame<'_>) -> String {
    let Some(text) = text else { return "end".to_owned() };
    format!("{} {text}", rules.move_number(game.tag(START_TAG), ply))
}

/// Returns the number and text of the move played at a hit.
fn place(rules: Rules, hit: &Hit, game: &ListedGame<'_>) -> String {
    let played = played(rules, hit.next_move.as_ref(), hit.ply, game);
    if hit.variation { format!("({played})") } else { played }
}

/// Returns who or what ends that a game follows a repertoire, and by which move.
fn left(repertoire: &Repertoire, followed: &FollowedGame, game: &ListedGame<'_>) -> String {
    let [side, opponent] = sides(repertoire);
    let FollowedGame { ply, left, next_move, answers, .. } = followed;
    let (rules, answers) = (repertoire.rules(), in_words(answers));
    let played = played(rules, next_move.as_ref(), *ply, game);
    match left {
        Left::Own => format!("{side} leaves: {played}, not {answers}"),
        Left::Opponent => format!("{opponent} leaves: {played}, not {answers}"),
        Left::LineEnd => format!("line ends: {played}"),
        _ => {
            let number = rules.move_number(game.tag(START_TAG), *ply);
            format!("game ends before {number} {answers}")
        }
    }
}

/// Cuts or pads text to a width in characters.
fn cut(text: &str, width: usize) -> String {
    let cut = match text.chars().count() > width {
        true => text.chars().take(width - 1).chain(['…']).collect(),
        false => text.to_owned(),
    };
    format!("{cut:<width$}")
}
