//! `plypack link`: a game, or a position, to a link that holds all of it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plypack_core::{ErasedGame, Error, LinkError, MoveFault};
use plypack_games::link::Link;
use plypack_records::decode;
use plypack_records::pgn::{self, Record};
use plypack_store::form;
use plypack_store::game::{self, is_variant};
use plypack_store::input::{RawRecord, read_record};
use plypack_store::kind::in_turn;
use serde_json::json;

use crate::failure::Failure;
use crate::files;

/// Make a link that holds a whole game, and that no server has to keep.
///
/// The game is a record as `pack` takes it, the text of moves, or a FEN alone for a position
/// without moves. The link holds the start and the moves, nothing else. It ends in `#` and a few
/// characters; put before it, with --base, any page that shows games: browsers do not send what
/// stands behind `#`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The game [default: what the record says, or chess]
    #[arg(long)]
    game: Option<String>,
    /// The codec of the moves; `plypack codecs` lists the choices [default: the one that makes the
    /// shortest link]
    #[arg(long)]
    codec: Option<String>,
    /// The position that the moves start from, if no FEN tag names it
    #[arg(long, value_name = "FEN")]
    start: Option<String>,
    /// The ply to show, 0 for the start [default: the last]
    #[arg(long, value_name = "N")]
    ply: Option<u32>,
    /// The address to put before the link
    #[arg(long, value_name = "URL", default_value = "")]
    base: String,
    /// Which record of the file, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..))]
    record: u64,
    /// The moves as text, or a FEN, in place of a file
    #[arg(long, num_args = 1.., value_name = "MOVES", conflicts_with_all = ["file", "record"])]
    moves: Option<Vec<String>>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// A file with records, moves or a FEN, compressed or not [default: standard input]
    #[arg(default_value = files::STANDARD, hide_default_value = true)]
    file: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let named =
        super::codecs::find(arguments.game.as_deref().unwrap_or("chess"), Some("line.text"))?;
    let games = in_turn(named.game(), arguments.game.is_none());
    let (place, raw) = match &arguments.moves {
        Some(words) => {
            let bytes = words.join(" ").into_bytes();
            (String::new(), RawRecord { bytes, ..RawRecord::default() })
        }
        None => read_raw(&arguments.file, arguments.record, games.clone())?,
    };
    // The tags tell the game whatever the charset, and the game tells the charset of the moves.
    let game = game_of(&games, &raw, &place)?;
    let (_, text) = decode(&raw.bytes, raw.syntax, game.info().signs);
    let failure = |error: LinkError| Failure::new(format!("{place}{error}"));
    let (record, bare) = (form::parse(game, &text, raw.syntax), text.trim());
    let tag = record.tag("FEN");
    let is_position =
        || record.tags.is_empty() && arguments.start.is_none() && game.turn(Some(bare)).is_ok();
    let made = if is_position() {
        Link::new(game, Some(bare), &mut std::iter::empty())
    } else {
        let start = tag.or(arguments.start.as_deref());
        Link::new(game, start, &mut record.moves.iter().copied())
    };
    if record.tags.is_empty() && is_nothing(&record, &made) {
        return Err(nothing_in(&place, game, bare));
    }
    let mut link = made.map_err(failure)?;
    if let Some(ply) = arguments.ply {
        if ply > link.plies() {
            let plies = link.plies();
            return Err(Failure::new(format!("{place}the last ply is {plies}, there is no {ply}")));
        }
        link.shown = ply;
    }
    let codec = match &arguments.codec {
        Some(name) => super::codecs::find(game.info().name, Some(name))?,
        None => link.shortest_codec().map_err(failure)?,
    };
    let link_text = format!("{}#{}", arguments.base, link.write(codec).map_err(failure)?);
    let answer = if arguments.json {
        json!({
            "link": link_text,
            "characters": link_text.len() - arguments.base.len() - 1,
            "game": game.info().name,
            "codec": codec.info().name,
            "start": link.start,
            "plies": link.plies(),
            "ply": link.shown,
        })
        .to_string()
    } else {
        link_text
    };
    super::print_line(&answer)?;
    Ok(ExitCode::SUCCESS)
}

/// A record's place for messages, and the record.
fn read_raw(
    file: &Path,
    number: u64,
    games: Vec<&'static dyn ErasedGame>,
) -> Result<(String, RawRecord), Failure> {
    let name = file.display().to_string();
    let opened = files::open_input(file, name.clone(), &files::BytesRead::default());
    let (source, _) = opened.map_err(|failure| {
        if file.exists() {
            return failure;
        }
        failure.with_hint("moves that are not in a file go behind --moves")
    })?;
    let raw = match read_record(source, number, games)? {
        Ok(raw) => raw,
        // An empty input is a game without moves.
        Err(0) if number == 1 => RawRecord::default(),
        Err(records) => {
            let records = format!("{name} has only {records} records, not {number}");
            return Err(Failure::check(records));
        }
    };
    Ok((format!("{name}, record {number}: "), raw))
}

/// The game that was named, else the one that the input or the record tells of, else chess.
fn game_of(
    games: &[&'static dyn ErasedGame],
    raw: &RawRecord,
    place: &str,
) -> Result<&'static dyn ErasedGame, Failure> {
    let (_, text) = decode(&raw.bytes, raw.syntax, "");
    let usual = raw.game.or(games.first().copied());
    let usual = usual.ok_or_else(|| Failure::new("there is no game"))?;
    let told = raw.game.is_some() || games.len() == 1;
    let game = if told { usual } else { game::of(&text, usual) };
    let (tags, _) = pgn::parse_tags(&text);
    match tags.iter().find(|tag| tag.0 == "Variant") {
        Some((_, variant)) if !is_variant(game, variant) => Err(other_rules(place, variant)),
        _ => Ok(game),
    }
}

fn other_rules(place: &str, variant: &str) -> Failure {
    let variant: String = variant.chars().take(100).collect();
    Failure::new(format!("{place}the variant `{variant}` has other rules"))
}

/// Whether a record without tags holds no game of these rules: its first word is no move, or it has
/// words but none that could be one. A result alone is a game without moves, and so is no text.
fn is_nothing(record: &Record<'_>, made: &Result<Link, LinkError>) -> bool {
    match made {
        Err(LinkError::Line(Error::Move { ply, fault, .. })) => {
            (*ply, *fault) == (1, MoveFault::Unreadable)
        }
        Err(_) => false,
        Ok(link) => {
            link.start.is_none()
                && record.moves.is_empty()
                && record.result.is_none()
                && !record.movetext.trim().is_empty()
        }
    }
}

/// A text in which nothing was found: it is a position that cannot be, or no game at all.
fn nothing_in(place: &str, game: &dyn ErasedGame, text: &str) -> Failure {
    let title = game.info().title;
    let why = game.turn(Some(text)).err().map(|error| format!(" ({error})")).unwrap_or_default();
    Failure::new(format!(
        "{place}there is no {title} game and no position in it{why}; --game names another game"
    ))
}
