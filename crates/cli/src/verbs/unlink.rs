//! `plypack unlink`: turns a link back into text.

use std::io::Read;
use std::process::ExitCode;

use plypack_core::{Error, Notation};
use plypack_games::link::Link;
use plypack_records::pgn::Layout;
use plypack_records::pgn::layout::ResultMark;
use plypack_records::{ItemKind, Rendering};
use serde_json::json;

use crate::failure::Failure;
use crate::files;

/// Read a link.
///
/// Prints its moves as PGN, with tags only for a set-up start or a game other than chess.
/// Characters that mail and chat programs add to a link do no harm.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack unlink '#FAPEYFs'
  plypack unlink 'https://example.org/play#FAPEYFs' --json")]
pub struct Arguments {
    /// The link: the whole address, or the part after its `#` [default: standard input]
    #[arg(value_name = "LINK", default_value = files::STANDARD, hide_default_value = true)]
    link: String,
    /// Print one JSON object, with the ply that the link shows and its position
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let link = Link::read(&arguments.text()?)?;
    let answer = if arguments.json { object(&link) } else { pgn(&link) };
    super::print_line(&answer.map_err(Failure::check)?)?;
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn text(&self) -> Result<String, Failure> {
        if self.link != files::STANDARD {
            return Ok(self.link.clone());
        }
        // Far longer than any link.
        let mut text = Vec::new();
        let read = std::io::stdin().take(1 << 20).read_to_end(&mut text);
        read.map_err(|error| Failure::new(format!("standard input: {error}")))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

fn object(link: &Link) -> Result<String, Error> {
    let moves =
        |notation| link.moves(notation).map(|texts| json!(texts.iter().collect::<Vec<_>>()));
    let object = json!({
        "game": link.game.info().name,
        "start": link.start,
        "moves": moves(Notation::Customary)?,
        "coordinates": moves(Notation::Coordinate)?,
        "fen": link.position()?,
        "ply": link.shown,
    });
    Ok(object.to_string())
}

fn pgn(link: &Link) -> Result<String, Error> {
    let mut tags = Vec::new();
    let info = link.game.info();
    // Readers of PGN take it for chess.
    if let Some(variant) = info.variants.first().filter(|_| info.name != "chess") {
        tags.push(("Variant", *variant));
    }
    if let Some(start) = &link.start {
        tags.extend([("SetUp", "1"), ("FEN", start.as_str())]);
    }
    let moves = link.moves(Notation::Customary)?;
    let turn = link.game.turn(link.start.as_deref())?;
    let pieces: Vec<_> = moves.iter().map(|text| (ItemKind::Move, text)).collect();
    let record = Rendering {
        tags: &tags,
        pieces: &pieces,
        values: &[],
        number: turn.number,
        second: turn.second,
    };
    let layout = Layout { result: ResultMark::Marker("*"), ..Layout::usual(false) };
    Ok(layout.render_text(&record).trim().to_owned())
}
