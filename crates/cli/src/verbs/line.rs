//! `plypack line`: encodes the moves of one game to a cell, and back.

use std::io::Read;
use std::process::ExitCode;

use clap::Subcommand;
use plypack::reading::record::{parse, unread};
use plypack_core::{Notation, cell};
use plypack_records::FALLBACK_READER;

use crate::code_text::CodeText;
use crate::failure::Failure;

/// A hint for an invalid cell.
const CELL: &str = "a cell is the number of plies, seven bits per byte, lowest first, and then \
                    the code; a code alone, like `moves.code` of a packed file, needs --plies N \
                    and the codec that `moves.codec` names";

/// Encode or decode the moves of one game.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack line encode 1. e4 e5 2. Nf3
  plypack line decode 03ca
  plypack line decode --plies 3 ca      (plies and code as in the columns of a packed file)")]
pub struct Arguments {
    #[command(subcommand)]
    direction: Direction,
}

#[derive(Debug, Subcommand)]
enum Direction {
    /// Encode moves to a cell in hexadecimal: the number of plies, seven bits per byte, lowest
    /// first, and then the codec's code
    Encode(Line),
    /// Decode a cell in hexadecimal to moves
    Decode(Decode),
}

#[derive(Debug, clap::Args)]
struct Decode {
    #[command(flatten)]
    line: Line,
    /// Decode a code alone, of N plies: `moves.code` and `moves.plies` of a packed file
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
}

#[derive(Debug, clap::Args)]
struct Line {
    /// The game
    #[arg(long, default_value = "chess", value_parser = super::codecs::game_name)]
    game: String,
    /// The codec; `plypack codecs` lists the choices [default: the one that `pack` uses]
    #[arg(long)]
    codec: Option<String>,
    /// The position that the line starts from, if not the usual one
    #[arg(long, value_name = "FEN")]
    start: Option<String>,
    /// The moves, or the cell [default: standard input]
    #[arg(value_name = "MOVES|HEX")]
    text: Vec<String>,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let line = match &arguments.direction {
        Direction::Encode(line) => line,
        Direction::Decode(decode) => &decode.line,
    };
    let codec = super::codecs::find(&line.game, line.codec.as_deref())?;
    let text = line.text()?;
    let start = line.start.as_deref();
    let answer = match &arguments.direction {
        Direction::Encode(_) => {
            let record = parse(codec.game(), &text, FALLBACK_READER);
            if let Some(lost) = unread(&record, &text) {
                return Err(super::no_move(lost));
            }
            let moves = &mut record.moves.iter().copied();
            let encoded = codec.encode(start, moves, Notation::Customary).map_err(Failure::new)?;
            match encoded.stopped {
                Some(error) => return Err(Failure::new(error)),
                None => CodeText::Hex.write(&cell::join(encoded.plies, &encoded.code)),
            }
        }
        Direction::Decode(Decode { plies, .. }) => {
            let bytes = CodeText::Hex.read(text.trim())?;
            let decoded = match plies {
                Some(plies) => Ok((*plies, &bytes[..])),
                None => cell::split(&bytes),
            };
            let decoded = decoded
                .and_then(|(plies, code)| codec.decode(start, plies, code, Notation::Customary));
            let texts = decoded.map_err(|error| match plies {
                Some(_) => Failure::check(error),
                None => Failure::check(error).with_hint(CELL),
            })?;
            texts.iter().collect::<Vec<_>>().join(" ")
        }
    };
    super::print_line(&answer)?;
    Ok(ExitCode::SUCCESS)
}

impl Line {
    fn text(&self) -> Result<String, Failure> {
        if !self.text.is_empty() && self.text != ["-"] {
            return Ok(self.text.join(" "));
        }
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        read.map_err(|error| Failure::new(format!("standard input: {error}")))?;
        Ok(text)
    }
}
