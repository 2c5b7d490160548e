//! The golden codes of clock readings, evaluations and reviews, in `vectors/series`. If one of
//! these tests fails, existing series no longer decode.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::collections::BTreeMap;

use crate::golden::{bytes_of, fields, hex};
use plypack_core::testkit::series;
use plypack_core::{Hint, Notation};
use plypack_games::line_codec;

/// Returns the files of `vectors/series`.
fn files() -> Vec<String> {
    let files = std::fs::read_dir(crate::golden::path_of("series")).expect("vectors/series");
    let name = |file: std::io::Result<std::fs::DirEntry>| file.expect("an entry").file_name();
    let names = files.map(|file| name(file).into_string().expect("a name in UTF-8"));
    names.map(|name| format!("series/{name}")).collect()
}

/// Returns a game's hints for the plies of a line.
fn hints(game: &str, start: &str, moves: &str) -> Vec<Hint> {
    if game == "-" {
        return Vec::new();
    }
    let codec = line_codec(game, "line.uniform").expect("every game has it");
    let mut texts = moves.split_ascii_whitespace();
    let (line, trunk) = codec
        .encode_trunk(crate::golden::some(start), &mut texts, Notation::Customary, true)
        .unwrap_or_else(|error| panic!("{start}: {error}"));
    assert_eq!(line.stopped, None, "{game} {start}: {moves}");
    trunk.hints().expect("all tables are here").to_vec()
}

/// Returns a row with the code of its values.
fn coded(row: &str) -> String {
    let [codec, game, start, moves, given, values, _] = fields(row);
    let code = series::encode(codec, given, values, &hints(game, start, moves));
    let code = hex(&code.unwrap_or_else(|error| panic!("{row}: {error}")));
    [codec, game, start, moves, given, values, &code].join("\t")
}

#[test]
fn series_have_their_golden_codes() {
    let mut found = BTreeMap::new();
    for file in files() {
        for row in crate::golden::rows(&file) {
            assert_eq!(coded(&row), row, "{file}");
            let [codec, game, start, moves, given, values, code] = fields(&row);
            let plies = values.split_ascii_whitespace().count();
            let plies = u32::try_from(plies).expect("few plies");
            let hints = hints(game, start, moves);
            assert!(hints.is_empty() || hints.len() == plies as usize, "{file}: {row}");
            let back = series::decode(codec, given, plies, &hints, &bytes_of(code));
            assert_eq!(back.as_deref(), Ok(values), "{file}: {row}");
            *found.entry(codec.to_owned()).or_insert(0) += 1;
        }
    }
    for codec in series::codecs() {
        let rows = found.get(&codec).copied().unwrap_or(0);
        assert!(rows > 4, "{codec} has {rows} rows in vectors/series");
    }
}

/// Rewrites the codes. See `vectors/README.md` for when that is allowed.
#[test]
#[ignore = "writes vectors/"]
fn write_golden_series() {
    for file in files() {
        crate::golden::rewrite(&file, coded);
    }
}
