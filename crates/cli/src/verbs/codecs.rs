//! `plypack codecs`: every codec, and what was claimed of it.

use std::process::ExitCode;

use plypack_core::{ErasedLineCodec, ErasedPositionCodec};
use plypack_games::{GAMES, LINE_CODECS, line_codec, line_codecs, position_codec, position_codecs};
use serde_json::json;

use crate::failure::Failure;

/// List the codecs and what was claimed of them.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// One JSON object a codec
    #[arg(long)]
    json: bool,
}

/// The line codec of these names, or a failure that lists the choices.
pub fn find(game: &str, codec: &str) -> Result<&'static dyn ErasedLineCodec, Failure> {
    let choices = line_codecs(game).map(|row| row.info().name);
    line_codec(game, codec).ok_or_else(|| unknown(game, "line", codec, choices))
}

/// The position codec of these names, or a failure that lists the choices. Without a name the
/// game's own numbering of its positions if it has one, which is small and of one size; otherwise
/// the smallest of the codecs that every game has.
pub fn find_position(
    game: &str,
    codec: Option<&str>,
) -> Result<&'static dyn ErasedPositionCodec, Failure> {
    let own = format!("{game}.rank");
    let usual = || position_codec(game, &own).map_or("board.combination", |_| own.as_str());
    let codec = codec.unwrap_or_else(usual);
    let choices = position_codecs(game).map(|row| row.info().name);
    position_codec(game, codec).ok_or_else(|| unknown(game, "position", codec, choices))
}

fn unknown<'a>(
    game: &str,
    kind: &str,
    codec: &str,
    choices: impl Iterator<Item = &'a str>,
) -> Failure {
    let choices: Vec<&str> = choices.collect();
    let games: Vec<&str> = GAMES.iter().map(|game| game.info().name).collect();
    Failure::new(if choices.is_empty() {
        format!("there is no game `{game}`; there are {}", games.join(", "))
    } else {
        format!("{game} has no {kind} codec `{codec}`; it has {}", choices.join(", "))
    })
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    for row in LINE_CODECS {
        let (game, info) = (row.game().info(), row.info());
        if arguments.json {
            let claims: Vec<_> = row
                .claims()
                .iter()
                .map(|claim| {
                    json!({
                        "source": claim.source,
                        "case": claim.what,
                        "their_bits": claim.their_bits,
                        "our_bits": claim.our_bits,
                        "why": claim.why,
                    })
                })
                .collect();
            let object = json!({
                "name": info.name,
                "game": game.name,
                "kind": "line",
                "id": info.id,
                // A line has no fixed size: `plypack bench` measures it.
                "bits": null,
                "summary": info.summary,
                "source": info.source,
                "claims": claims,
            });
            super::print_line(&object.to_string())?;
            continue;
        }
        super::print_line(&format!("{:<10} {:<13} {}", game.name, info.name, info.summary))?;
        super::print_line(&format!("{:24} after {}", "", info.source))?;
        for claim in row.claims() {
            super::print_line(&format!(
                "{:24} {}, {}: {} bits; here {} ({})",
                "", claim.source, claim.what, claim.their_bits, claim.our_bits, claim.why
            ))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
