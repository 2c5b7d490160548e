//! `plypack codecs`: lists every codec, and published claims about it.

use std::convert::Infallible;
use std::process::ExitCode;

use plypack::{LineCodec, PositionCodec};
use plypack_core::{Claim, CodecInfo, CodecRow, ErasedLineCodec, ErasedPositionCodec, ErasedRules};
use plypack_games::{
    GAMES, all_line_codecs, all_position_codecs, line_codec, line_codecs, position_codec,
    position_codecs, tier, tiers, usual_line_codec,
};
use serde_json::json;

use crate::failure::Failure;
use crate::progress;

/// List the codecs and published claims about them.
///
/// A line codec codes the moves of a game, a position codec a single position. `ls` and `pack` name
/// the codecs of a file.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack codecs chess
  plypack codecs board.huffman")]
pub struct Arguments {
    /// Only the codecs of this game, or the codecs of this name, with all details
    #[arg(value_name = "GAME|CODEC")]
    named: Option<String>,
    /// Also print where each comes from, what it does not hold, and claims about it
    #[arg(short, long)]
    verbose: bool,
    /// Print one JSON object per codec, with all details
    #[arg(long)]
    json: bool,
}

/// Finds a line codec by game and name; a failure lists the choices. Without a name, returns the
/// usual codec of the game.
pub fn find(game: &str, codec: Option<&str>) -> Result<&'static dyn ErasedLineCodec, Failure> {
    let found = match codec {
        Some(codec) => line_codec(game, codec),
        None => usual_line_codec(game),
    };
    found.ok_or_else(|| unknown(game, "line codec", codec, names(line_codecs(game))))
}

/// Finds the line codec of a tier of a game; a failure lists the choices.
pub fn find_tier(game: &str, name: &str) -> Result<LineCodec, Failure> {
    let mut choices: Vec<String> = tiers(game).map(|tier| tier.name.to_owned()).collect();
    choices.dedup();
    of_face(tier(game, name).ok_or_else(|| unknown(game, "model", Some(name), choices))?)
}

/// Returns a codec of lines as the library's builders take it.
pub fn of_face(codec: &dyn ErasedLineCodec) -> Result<LineCodec, Failure> {
    Ok(format!("{}/{}", codec.game().info().name, codec.info().text()).parse()?)
}

/// Finds a position codec by game and name; a failure lists the choices. Without a name, returns
/// the smallest of those that every game has and that lose nothing.
pub fn find_position(
    game: &str,
    codec: Option<&str>,
) -> Result<&'static dyn ErasedPositionCodec, Failure> {
    let codec = codec.unwrap_or("board.combination");
    let found = position_codec(game, codec);
    let choices = || names(position_codecs(game));
    found.ok_or_else(|| unknown(game, "position codec", Some(codec), choices()))
}

/// Finds the codecs of a game to pack with: for lines and, unless left to the packer, for
/// positions. A named codec may be of either kind.
pub fn find_both(
    game: &str,
    codec: Option<&str>,
) -> Result<(LineCodec, Option<PositionCodec>), Failure> {
    let position = codec.and_then(|codec| position_codec(game, codec));
    let line = match codec.filter(|_| position.is_none()) {
        Some(codec) => line_codec(game, codec),
        None => usual_line_codec(game),
    };
    let line = line.ok_or_else(|| {
        let choices = [names(line_codecs(game)), names(position_codecs(game))].concat();
        unknown(game, "line or position codec", codec, choices)
    })?;
    let position = position.map(|codec| format!("{game}/{}", codec.info().text()).parse());
    Ok((of_face(line)?, position.transpose()?))
}

/// Returns the names that select a game's codecs: the newest of a name by name alone, older ones
/// also by number.
pub fn names(rows: impl Iterator<Item = impl CodecRow> + Clone) -> Vec<String> {
    let infos = rows.map(CodecRow::codec_info);
    let is_old =
        |info: &CodecInfo| infos.clone().any(|other| other.name == info.name && other.id > info.id);
    let name = |info: &CodecInfo| if is_old(info) { info.text() } else { info.name.to_owned() };
    infos.clone().map(name).collect()
}

/// Returns the name of a game that is given by its name or its title, in any case: `tic-tac-toe` is
/// `tictactoe`. Another word stays, for the verb to refuse.
#[expect(clippy::unnecessary_wraps, reason = "clap's parsers may fail")]
pub fn game_name(text: &str) -> Result<String, Infallible> {
    let is = |name: &str| name.eq_ignore_ascii_case(text);
    let game = GAMES.iter().find(|game| is(game.info().name) || is(game.info().title));
    Ok(game.map_or(text, |game| game.info().name).to_owned())
}

fn unknown(game: &str, kind: &str, named: Option<&str>, choices: Vec<String>) -> Failure {
    let games: Vec<&str> = GAMES.iter().map(|game| game.info().name).collect();
    Failure::new(match named {
        Some(named) if games.contains(&game) => {
            format!("{game} has no {kind} `{named}`; it has {}", choices.join(", "))
        }
        _ => format!("there is no game `{game}`; choose from {}", games.join(", ")),
    })
}

/// What both kinds of codecs have in common.
struct Row {
    kind: &'static str,
    game: &'static dyn ErasedRules,
    info: &'static CodecInfo,
    claims: &'static [Claim],
    /// Size of a code in bits, if fixed. Lines have none: `plypack bench` measures them.
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
    let wanted = |row: &Row| {
        let is = |name: &String| {
            [row.game.info().name, row.info.name].contains(&name.as_str())
                || row.info.text() == *name
        };
        arguments.named.as_ref().is_none_or(is)
    };
    let rows: Vec<Row> = lines.chain(positions).filter(wanted).collect();
    if let Some(named) = arguments.named.as_ref().filter(|_| rows.is_empty()) {
        let games: Vec<&str> = GAMES.iter().map(|game| game.info().name).collect();
        let games = games.join(", ");
        return Err(Failure::new(format!(
            "there is no game or codec `{named}`; the games are {games}, and `plypack codecs` \
             lists all codecs"
        )));
    }
    let is_game = |name: &String| GAMES.iter().any(|game| game.info().name == *name);
    let detailed = arguments.verbose || arguments.named.as_ref().is_some_and(|name| !is_game(name));
    for row in &rows {
        if arguments.json {
            super::print_line(&json(row).to_string())?;
        } else {
            print(row, detailed)?;
        }
    }
    if !arguments.json && !detailed {
        progress::say("-v also prints their sources and claims about them");
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

fn print(row: &Row, detailed: bool) -> Result<(), Failure> {
    let (game, name) = (row.game.info().name, row.info.text());
    super::print_line(&format!("{game:<10} {name:<23} {}", row.info.summary))?;
    if !detailed {
        return Ok(());
    }
    let detail = |text: String| super::print_line(&format!("{:34} {text}", ""));
    let tiers: Vec<&str> = tiers(game)
        .filter(|tier| tier.codec.info().id == row.info.id && row.kind == "line")
        .map(|tier| tier.name)
        .collect();
    if !tiers.is_empty() {
        detail(format!("the model {}", tiers.join(", ")))?;
    }
    detail(format!("after {}", row.info.source))?;
    if let Some(bits) = row.bits {
        detail(format!("{bits} bits for any position"))?;
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
