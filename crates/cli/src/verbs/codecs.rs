//! `plypack codecs`: every codec, and what was claimed of it.

use std::process::ExitCode;

use plypack_core::{Claim, CodecInfo, ErasedGame, ErasedLineCodec, ErasedPositionCodec};
use plypack_games::{
    GAMES, all_line_codecs, all_position_codecs, line_codec, line_codecs, position_codec,
    position_codecs, usual_line_codec,
};
use serde_json::json;

use crate::failure::Failure;

/// List the codecs and what was claimed of them.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// One JSON object a codec
    #[arg(long)]
    json: bool,
}

/// What a message calls the codec that nobody named.
const USUAL: &str = "line.default";

/// The line codec of these names, or a failure that lists the choices. Without a name the usual one
/// of the game.
pub fn find(game: &str, codec: Option<&str>) -> Result<&'static dyn ErasedLineCodec, Failure> {
    let found = match codec {
        Some(codec) => line_codec(game, codec),
        None => usual_line_codec(game),
    };
    let choices = line_codecs(game).map(|row| row.info().name);
    found.ok_or_else(|| unknown(game, "line", codec.unwrap_or(USUAL), choices))
}

/// The position codec of these names, or a failure that lists the choices. Without a name the
/// smallest of those that every game has and that hold all of every position.
pub fn find_position(
    game: &str,
    codec: Option<&str>,
) -> Result<&'static dyn ErasedPositionCodec, Failure> {
    let codec = codec.unwrap_or("board.combination");
    let choices = position_codecs(game).map(|row| row.info().name);
    position_codec(game, codec).ok_or_else(|| unknown(game, "position", codec, choices))
}

/// The codecs of a game to pack with: for its lines and, unless it is left to the packer, for its
/// positions. A codec that is named is of either kind.
pub fn find_both(
    game: &str,
    codec: Option<&str>,
) -> Result<(&'static dyn ErasedLineCodec, Option<&'static dyn ErasedPositionCodec>), Failure> {
    let position = codec.and_then(|codec| position_codec(game, codec));
    let line = match codec.filter(|_| position.is_none()) {
        Some(codec) => line_codec(game, codec),
        None => usual_line_codec(game),
    };
    let choices = line_codecs(game).map(|row| row.info().name);
    let choices = choices.chain(position_codecs(game).map(|row| row.info().name));
    let named = codec.unwrap_or(USUAL);
    Ok((line.ok_or_else(|| unknown(game, "line or position", named, choices))?, position))
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

/// What both kinds of codecs tell of themselves.
struct Row {
    kind: &'static str,
    game: &'static dyn ErasedGame,
    info: &'static CodecInfo,
    claims: &'static [Claim],
    /// The size of a code, if all have the same. Lines have none: `plypack bench` measures them.
    bits: Option<u32>,
    drops: &'static [&'static str],
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let lines = all_line_codecs().map(|row| Row {
        kind: "line",
        game: row.game(),
        info: row.info(),
        claims: row.claims(),
        bits: None,
        drops: &[],
    });
    let positions = all_position_codecs().map(|row| Row {
        kind: "position",
        game: row.game(),
        info: row.info(),
        claims: row.claims(),
        bits: row.bits(),
        drops: row.drops(),
    });
    for row in lines.chain(positions) {
        if arguments.json {
            super::print_line(&json(&row).to_string())?;
        } else {
            print(&row)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn json(row: &Row) -> serde_json::Value {
    let claim = |claim: &Claim| {
        json!({
            "source": claim.source,
            "case": claim.what,
            "their_bits": claim.their_bits,
            "our_bits": claim.our_bits,
            "why": claim.why,
        })
    };
    json!({
        "name": row.info.name,
        "game": row.game.info().name,
        "kind": row.kind,
        "id": row.info.id,
        "bits": row.bits,
        "drops": row.drops,
        "summary": row.info.summary,
        "source": row.info.source,
        "claims": row.claims.iter().map(claim).collect::<Vec<_>>(),
    })
}

fn print(row: &Row) -> Result<(), Failure> {
    let (game, name) = (row.game.info().name, row.info.name);
    super::print_line(&format!("{game:<10} {name:<18} {}", row.info.summary))?;
    let detail = |text: String| super::print_line(&format!("{:29} {text}", ""));
    detail(format!("after {}", row.info.source))?;
    if let Some(bits) = row.bits {
        detail(format!("{bits} bits, whatever the position"))?;
    }
    if !row.drops.is_empty() {
        detail(format!("does not hold: {}", row.drops.join(", ")))?;
    }
    for claim in row.claims {
        detail(format!(
            "{}, {}: {} bits; here {} ({})",
            claim.source, claim.what, claim.their_bits, claim.our_bits, claim.why
        ))?;
    }
    Ok(())
}
