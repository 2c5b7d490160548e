//! `plypack link`: makes a link that holds a whole game or position.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plypack::reading::game::in_turn;
use plypack::reading::identify::Decoded;
use plypack::reading::pasted::{Pasted, Refusal};
use plypack::reading::record::unread;
use plypack::store::export;
use plypack::store::input::opening::{self, BytesRead, Input};
use plypack::store::input::{RawRecord, read_record};
use plypack_core::{ErasedRules, LinkError};
use plypack_games::link::Link;
use plypack_games::xiangqi::hullqin::ADDRESS;
use serde_json::json;

use crate::failure::Failure;
use crate::files;

/// Make a link that holds a whole game, without a server to keep it.
///
/// The game is a record that `pack` reads, moves as text, or a FEN alone for a position without
/// moves. The link holds the start and the moves, nothing else. It is `#` and a few characters;
/// with --base, the address of any page that shows games comes first. Browsers do not send the part
/// after `#`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack link --moves 1. e4 e5 2. Nf3
  plypack link games.parquet --record 3 --base https://example.org/play")]
pub struct Arguments {
    /// The game [default: what the record says, or chess]
    #[arg(long, value_parser = crate::verbs::codecs::game_name)]
    game: Option<String>,
    /// The codec of the moves; `plypack codecs` lists the choices [default: whichever makes the
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
    /// The style of the link
    #[arg(long, value_enum, default_value_t = Style::Plypack)]
    style: Style,
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
    /// A file with records, moves or a FEN, compressed or not, or a packed file [default: standard
    /// input]
    #[arg(default_value = files::STANDARD, hide_default_value = true)]
    file: PathBuf,
}

/// Styles of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Style {
    /// Links of plypack, for every game
    Plypack,
    /// Links of HullQin, which his site opens, too
    Hullqin,
}

impl Style {
    /// Returns the game of an input that does not name one.
    fn usual_game(self) -> &'static str {
        match self {
            Self::Plypack => "chess",
            Self::Hullqin => "xiangqi",
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let name = arguments.game.as_deref().unwrap_or(arguments.style.usual_game());
    let named = super::codecs::find(name, Some("line.text"))?;
    let games = in_turn(named.game(), arguments.game.is_none());
    let (place, raw) = match &arguments.moves {
        Some(words) => {
            let bytes = words.join(" ").into_bytes();
            (String::new(), RawRecord { bytes, ..RawRecord::default() })
        }
        None => read_raw(&arguments.file, arguments.record, games.clone())?,
    };
    let (game, told) = usual_game(&games, &raw)?;
    let Decoded { text, .. } = raw.identity.decode(&raw.bytes, game, !told);
    let failure = |error: LinkError| Failure::new(format!("{place}{error}"));
    let format = raw.identity.format;
    let pasted = Pasted::read(&text, format, game, told, arguments.start.as_deref())
        .map_err(|refusal| refused(&place, game, refusal))?;
    if arguments.moves.is_some()
        && let Some(lost) = unread(&pasted.record, &text)
    {
        return Err(super::no_move(lost));
    }
    if let Some(error) = pasted.stopped {
        let failure = failure(error.into());
        return Err(match arguments.style {
            Style::Plypack => failure,
            Style::Hullqin => failure.with_hint("HullQin's links are for xiangqi only"),
        });
    }
    let game = pasted.game;
    let mut link =
        Link::from_indices(game, pasted.start.as_deref(), pasted.indices).map_err(failure)?;
    if let Some(ply) = arguments.ply {
        if ply > link.plies() {
            let plies = link.plies();
            return Err(Failure::new(format!(
                "{place}the last ply is {plies}, so there is no ply {ply}"
            )));
        }
        link.shown = ply;
    }
    let (base, rest, codec) = match arguments.style {
        Style::Plypack => {
            let codec = match &arguments.codec {
                Some(name) => super::codecs::find(game.info().name, Some(name))?,
                None => link.shortest_codec().map_err(failure)?,
            };
            let text = link.write(codec).map_err(failure)?;
            (arguments.base.as_str(), format!("#{text}"), Some(codec.info().name))
        }
        Style::Hullqin => {
            let query = link.write_hullqins().map_err(failure)?;
            (hullqins_base(arguments)?, query, None)
        }
    };
    let link_text = format!("{base}{rest}");
    let answer = if arguments.json {
        json!({
            "link": link_text,
            "characters": rest.len() - 1,
            "game": game.info().name,
            "codec": codec,
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

/// Returns the page that a link of HullQin's opens: his own, unless --base names another.
fn hullqins_base(arguments: &Arguments) -> Result<&str, Failure> {
    if arguments.codec.is_some() {
        return Err(Failure::new("--codec is for links of plypack; leave out --style or --codec"));
    }
    match arguments.base.as_str() {
        "" => Ok(ADDRESS),
        base if base.contains(['?', '#']) => {
            let why = "the link begins with `?`, so --base must not contain `?` or `#`";
            Err(Failure::new(why))
        }
        base => Ok(base),
    }
}

/// Reads a record from a packed file, or from one that could be packed. Returns its place for
/// messages, and the record.
pub fn read_raw(
    file: &Path,
    number: u64,
    games: Vec<&'static dyn ErasedRules>,
) -> Result<(String, RawRecord), Failure> {
    let name = file.display().to_string();
    let place = format!("{name}, record {number}: ");
    if files::looks_packed(file) {
        let packed = files::open_packed(file)?;
        let Some(mut raw) = export::raw_record(&packed, number - 1)? else {
            return Err(only(&name, packed.records(), number));
        };
        let among = |game: &&dyn ErasedRules| games.iter().any(|g| g.info().id == game.info().id);
        raw.identity.game = raw.identity.game.filter(among);
        return Ok((place, raw));
    }
    let opened =
        Input::look(file).and_then(|input| opening::open(vec![input], &BytesRead::default()));
    let opened = opened.map_err(|error| {
        let failure = Failure::from(error);
        if file.exists() {
            return failure;
        }
        failure.with_hint("moves that are not in a file go after --moves")
    })?;
    let raw = match read_record(opened.sources, number, games)? {
        Ok(raw) => raw,
        // An empty input is a game without moves.
        Err(0) if number == 1 => RawRecord::default(),
        Err(records) => return Err(only(&name, records, number)),
    };
    Ok((place, raw))
}

fn only(name: &str, records: u64, number: u64) -> Failure {
    Failure::check(format!("{name} has only {records} records, not {number}"))
}

/// Returns the game that was named or that the input as a whole indicates, else chess; and whether
/// one was known.
fn usual_game(
    games: &[&'static dyn ErasedRules],
    raw: &RawRecord,
) -> Result<(&'static dyn ErasedRules, bool), Failure> {
    let usual = raw.identity.game.or(games.first().copied());
    let usual = usual.ok_or_else(|| Failure::new("there is no game"))?;
    Ok((usual, raw.identity.game.is_some() || games.len() == 1))
}

fn refused(place: &str, game: &dyn ErasedRules, refusal: Refusal) -> Failure {
    let why = match refusal {
        Refusal::OtherRules(variant) => format!("the variant `{variant}` has other rules"),
        Refusal::Start(error) => error.to_string(),
        Refusal::Nothing(why) => {
            let why = why.map(|error| format!(" ({error})")).unwrap_or_default();
            let title = game.info().title;
            format!("it has no {title} game and no position{why}; --game names another game")
        }
    };
    Failure::new(format!("{place}{why}"))
}
