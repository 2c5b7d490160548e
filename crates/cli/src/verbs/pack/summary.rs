//! What is said of what was packed, as text or as JSON.

use std::collections::BTreeMap;
use std::path::Path;

use indicatif::HumanBytes;
use plypack::{Contents, Loss, PackReport, Packer, UnreadInput};
use plypack_games::{line_codec, position_codec, tier};
use serde_json::json;

use super::Arguments;
use crate::failure::Failure;
use crate::verbs::print_line;
use crate::{files, progress};

pub(in crate::verbs) fn tell(
    arguments: &Arguments,
    report: &PackReport,
    output: &Path,
) -> Result<(), Failure> {
    if arguments.json {
        let mut object = object(arguments, report, output);
        object["inputs"] = json!(report.inputs);
        object["left_out_columns"] = json!(left_out(report));
        object["left_out_of_databases"] = left_out_of_databases(report);
        return print_line(&object.to_string());
    }
    if arguments.quiet {
        return Ok(());
    }
    let summary = &report.summary;
    let (count, bits) = match summary.contents {
        Contents::Positions => (report.positions, summary.bits_per_position()),
        _ => (report.plies, summary.bits_per_ply()),
    };
    let (one, counted, coded, each) = match summary.contents {
        Contents::Positions => ("position", "positions", "positions", "per line"),
        _ => ("ply", "plies", "moves", "per ply"),
    };
    let shown = if files::is_standard(output) { Path::new("standard output") } else { output };
    let bits = bits.map(|bits| format!(", {coded} {bits:.2} bits {each}"));
    // An empty input has no ratio.
    let ratio = (report.input_bytes > 0)
        .then(|| format!(" ({:.1} %)", share(report.output_bytes, report.input_bytes)));
    progress::say(format_args!(
        "{}: {}, {}; {} -> {}{}{}",
        shown.display(),
        progress::counted(report.records, "record"),
        match count {
            1 => format!("1 {one}"),
            _ => format!("{} {counted}", progress::count(count)),
        },
        HumanBytes(report.input_bytes),
        HumanBytes(report.output_bytes),
        ratio.unwrap_or_default(),
        bits.unwrap_or_default(),
    ));
    tell_size(report);
    tell_model(arguments, report);
    tell_inputs(arguments, report, output);
    if !report.losses.is_empty() {
        let databases: Vec<&str> = report.losses.keys().map(String::as_str).collect();
        progress::say(format_args!(
            "{}: packed as the PGN that the games of the database make, which `unpack` gives back",
            databases.join(", ")
        ));
    }
    for (name, kinds) in report.losses.iter().filter(|(_, kinds)| !kinds.is_empty()) {
        let kinds: Vec<String> = kinds.iter().map(|(kind, loss)| told(kind, loss)).collect();
        let kinds = kinds.join("; ");
        progress::say(format_args!("{name}: left out of the PGN, changed or damaged: {kinds}"));
    }
    for (name, columns) in left_out(report) {
        let columns = columns.join(", ");
        progress::say(format_args!(
            "{name}: PGN has no place for the columns {columns}, so they are left out; cast \
             columns to text to make them tags"
        ));
    }
    tell_kept(arguments, report);
    Ok(())
}

/// For each input that is a table, the columns that PGN has no place for.
fn left_out(report: &PackReport) -> BTreeMap<&str, &Vec<String>> {
    report.left_out.iter().map(|(name, columns)| (name.as_str(), columns)).collect()
}

/// What databases hold that their PGN does not, as JSON.
fn left_out_of_databases(report: &PackReport) -> serde_json::Value {
    let of_kind = |loss: &Loss| json!({ "count": loss.count, "games": loss.games });
    let of_one = |kinds: &BTreeMap<&'static str, Loss>| -> BTreeMap<&str, serde_json::Value> {
        kinds.iter().map(|(kind, loss)| (*kind, of_kind(loss))).collect()
    };
    let lossy = report.losses.iter().filter(|(_, kinds)| !kinds.is_empty());
    let all: BTreeMap<&str, BTreeMap<&str, serde_json::Value>> =
        lossy.map(|(name, kinds)| (name.as_str(), of_one(kinds))).collect();
    json!(all)
}

/// What was lost of one kind, with the first games that had it.
fn told(kind: &str, loss: &Loss) -> String {
    let games: Vec<String> = loss.games.iter().map(u32::to_string).collect();
    let more = if loss.is_cut { ", ..." } else { "" };
    let records = if games.len() == 1 { "record" } else { "records" };
    format!("{kind}: {} ({records} {}{more})", progress::count(loss.count), games.join(", "))
}

/// Reports which games lack the model or codec that was asked for.
pub(in crate::verbs) fn tell_model(arguments: &Arguments, report: &PackReport) {
    let codecs = report.summary.codecs.iter().filter_map(|codec| codec.split_once('/'));
    for (game, codec) in codecs {
        let lacks = match (&arguments.model, &arguments.codec) {
            (Some(model), _) if tier(game, model).is_none() => format!("model `{model}`"),
            (None, Some(asked)) if lacks_codec(game, asked, codec) => format!("codec `{asked}`"),
            _ => continue,
        };
        progress::say(format_args!("{game} has no {lacks}: its moves were coded with `{codec}`"));
    }
}

/// Whether a game coded with `codec` lacks the codec `asked` for. Codecs are written as in files,
/// perhaps with a number.
fn lacks_codec(game: &str, asked: &str, codec: &str) -> bool {
    let name = |text: &str| text.split('/').next().unwrap_or_default().to_owned();
    let of_positions = position_codec(game, asked).is_some();
    !of_positions && name(codec) != name(asked) && line_codec(game, asked).is_none()
}

fn object(arguments: &Arguments, report: &PackReport, output: &Path) -> serde_json::Value {
    let reasons: BTreeMap<&str, u64> = report.reasons.iter().copied().collect();
    let summary = &report.summary;
    json!({
        "file": output.to_string_lossy(),
        "game": arguments.game.as_ref().unwrap_or(&summary.game),
        "model": summary.codecs,
        "records": report.records,
        "plies": report.plies,
        "positions": report.positions,
        "input_bytes": report.input_bytes,
        "bytes": report.output_bytes,
        "footer_bytes": summary.footer_bytes(),
        "move_bytes": summary.move_bytes(),
        "position_bytes": summary.position_bytes(),
        "verbatim_records": report.verbatim,
        "verbatim": reasons,
        "faulty_records": report.faulty,
        "patched_records": summary.patched,
        "unread_records": report.unread,
        "unread_inputs": report.unread_inputs.iter().map(|input| &input.name).collect::<Vec<_>>(),
    })
}

/// Returns a part of a whole in per cent.
fn share(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Explains why a file is unexpectedly large.
fn tell_size(report: &PackReport) {
    let (bytes, footer) = (report.output_bytes, report.summary.footer_bytes());
    if 2 * footer > bytes {
        progress::say(format_args!(
            "{} of that is the footer, which describes the columns and hardly grows with more \
             records",
            HumanBytes(footer),
        ));
    } else if bytes > report.input_bytes {
        progress::say("it grew: it holds little that plypack can code");
    }
}

/// Reports on the inputs: that there are several, or that one holds something else.
fn tell_inputs(arguments: &Arguments, report: &PackReport, output: &Path) {
    let inputs = arguments.inputs.len();
    if report.has_folders && !files::is_standard_output(output) {
        let (files, output) = (progress::counted(report.inputs, "file"), output.display());
        progress::say(format_args!(
            "it holds {files}; `plypack unpack {output} -o DIR/` restores them"
        ));
    } else if inputs > 1 && arguments.output.is_none() {
        let output = output.display();
        progress::say(format_args!(
            "{inputs} inputs are in one file, named after the first; -o names it otherwise, and \
             `plypack unpack {output} -o DIR/` restores them as separate files"
        ));
    }
    tell_not_understood(report);
}

/// Reports which inputs were kept as text.
pub(in crate::verbs) fn tell_not_understood(report: &PackReport) {
    for name in &report.misfits {
        let (held, other) = match report.summary.contents {
            Contents::Positions => ("no positions", "positions"),
            _ => ("positions", "games"),
        };
        progress::say(format_args!(
            "{name} holds {held} but the first input holds {other}, so it is kept as text; pack it \
             into a file of its own"
        ));
    }
    if report.pieces > 0 {
        progress::say(format_args!(
            "records cut at the limit of {}: {}; their bytes are kept, but the games in them \
             are not found",
            HumanBytes(Packer::RECORD_BYTES_MAX as u64),
            progress::count(report.pieces),
        ));
    }
    for UnreadInput { name, what, .. } in &report.unread_inputs {
        let name = if files::is_standard(Path::new(name)) { "standard input" } else { name };
        let cure = cure(name, *what);
        let what = what.unwrap_or("text in no format that plypack knows");
        progress::say(format_args!(
            "{name}: no game was understood in it; it seems to be {what}, and is kept as it \
             is{cure}"
        ));
    }
}

/// Returns advice for an input in which nothing was understood.
fn cure(name: &str, what: Option<&str>) -> &'static str {
    let ending = Path::new(name).extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match what {
        Some("the index of a SCID database" | "the index of a ChessBase database") => {
            ". Its games are read where all files of the database are in one folder"
        }
        Some("binary data") if ending == "cbz" => {
            ". An archive of ChessBase with a password is read once it is saved without one"
        }
        Some("binary data") if ending == "2cbh" => {
            ". A database of ChessBase 17 is read once it is saved in the older format, .cbh"
        }
        Some("binary data") if ending == "si5" => {
            ". A database of SCID 5 is read once its games are exported as PGN"
        }
        Some("a Parquet file") => {
            ". Games are read from a Parquet file that is named, not piped, and has a column \
             movetext"
        }
        Some("a ZIP archive") if name == "standard input" => {
            ". A zip archive is read from its end: name it instead of piping it"
        }
        _ => "",
    }
}

/// Reports what was kept as text.
pub(in crate::verbs) fn tell_kept(arguments: &Arguments, report: &PackReport) {
    if report.verbatim > 0 {
        let told = |(reason, count): &(_, u64)| format!("{reason} {}", progress::count(*count));
        let reasons: Vec<String> = report.reasons.iter().map(told).collect();
        progress::say(format_args!(
            "kept verbatim, as bytes: {} ({:.2} %): {}",
            progress::counted(report.verbatim, "record"),
            share(report.verbatim, report.records),
            reasons.join(", "),
        ));
    }
    if report.faulty > 0 && !arguments.verbose {
        let faulty = progress::counted(report.faulty, "record");
        let what = match report.summary.contents {
            Contents::Positions => "the position cannot be coded",
            _ => "not every move could be coded",
        };
        progress::say(format_args!("in {faulty} {what}; -v names them"));
    }
    let kept = match report.summary.contents {
        Contents::Positions => "the line",
        _ => "the rest",
    };
    for notice in report.notices.iter().filter(|_| arguments.verbose) {
        progress::say(format_args!(
            "{}: record {} (line {}): {}; {kept} is kept as text",
            notice.input, notice.record, notice.line, notice.message
        ));
    }
}
