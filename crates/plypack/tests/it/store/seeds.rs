//! The seeds of the fuzz targets pass the targets' checks, so that neither falls behind.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

#[path = "../../../../../fuzz/src/lib.rs"]
mod fuzz;

use std::path::Path;

use plypack_records::FORMATS;

/// Runs a target's check on every seed in a folder.
fn pass(seeds: &str, check: fn(&[u8]) -> Result<(), String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(seeds);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut count = 0;
    for file in files {
        let path = file.expect("an entry").path();
        let bytes = std::fs::read(&path).expect("a file");
        assert_eq!(check(&bytes), Ok(()), "{}", path.display());
        count += 1;
    }
    assert!(count > 0, "{} has no seeds", folder.display());
}

#[test]
fn records_come_back_from_rows() {
    for format in FORMATS {
        pass(format.info().name, fuzz::reader);
    }
}

#[test]
fn inputs_come_back_from_files() {
    for seeds in FORMATS.iter().map(|format| format.info().name).chain(["pgn_file"]) {
        pass(seeds, fuzz::pgn_file);
    }
}

#[test]
fn rows_are_written_or_refused() {
    pass("row_decode", fuzz::row_decode);
}

#[test]
fn lines_decode_or_are_refused() {
    pass("line_decode", |seed| {
        fuzz::codec_of(seed).ok_or("no codec has these numbers: give the seed others")?;
        fuzz::line_decode(seed)
    });
}

#[test]
fn blocks_decode_or_are_refused() {
    pass("block_decode", fuzz::block_decode);
}

/// A seed that is not part of an index is detected as damaged, and so tests nothing: the format may
/// have changed. `cargo test -p plypack-index -- --ignored write_seeds` writes them anew.
#[test]
fn indices_are_read_or_refused() {
    pass("index_read", |seed| {
        let parts = fuzz::index_parts(seed)?;
        let known = parts.footer || parts.page || parts.block || parts.heads;
        let known = known || parts.remains || parts.ratings;
        known.then_some(()).ok_or(
            "it is not part of an index: `write_seeds` of plypack-index makes it anew".into(),
        )
    });
}

/// A seed from which no file is read tests nothing.
#[test]
fn archives_are_read_or_refused() {
    pass("archive_read", |seed| {
        let files = fuzz::archive_read(seed)?;
        (files > 0).then_some(()).ok_or("no file comes out of it".into())
    });
}

/// A seed from which no PGN is read tests nothing. `cargo test -p plypack --lib -- --ignored
/// write_seeds` writes it anew.
#[test]
fn databases_are_read_or_refused() {
    pass("database_read", |seed| {
        let bytes = fuzz::database_read(seed)?;
        (bytes > 0).then_some(()).ok_or("no PGN comes out of it".into())
    });
}

/// The same for a database in an archive.
#[test]
fn archives_of_chessbase_are_read_or_refused() {
    pass("cbv_read", |seed| {
        let bytes = fuzz::cbv_read(seed)?;
        (bytes > 0).then_some(()).ok_or("no PGN comes out of it".into())
    });
}

#[test]
fn links_are_read_or_refused() {
    pass("link_read", fuzz::link_read);
}

#[test]
fn conditions_are_read_or_refused() {
    pass("condition_read", fuzz::condition_read);
}

#[test]
fn patterns_are_read_or_refused() {
    pass("pattern_read", fuzz::pattern_read);
}

#[test]
fn positions_decode_or_are_refused() {
    pass("position_decode", fuzz::position_decode);
}
