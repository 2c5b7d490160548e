//! Shared by the tests of games other than chess: packing, comparing, and finding real files.

#![allow(
    dead_code,
    unused_imports,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack::store::Work;
use std::io::Cursor;
use std::path::Path;

use plypack::store::{Options, PackedFile, Report, Source, Summary, export, import};
pub use plypack_testing::corpus_file as corpus;

/// Creates an input from bytes.
pub fn source(name: &str, bytes: &[u8]) -> Source {
    Source::new(name, Box::new(Cursor::new(bytes.to_vec())))
}

/// Packs inputs with a fast codec.
pub fn pack(path: &Path, sources: Vec<Source>) -> Report {
    let codec = plypack_games::line_codec("chess", "line.uniform").expect("a codec");
    let options = Options { codec, positions: None, detect: false };
    import(sources, path, &options, &Work::on(1)).expect("a packed file")
}

/// Packs bytes, with or without naming the game, and fails unless they round-trip.
pub fn round_trip(name: &str, bytes: &[u8], game: Option<&str>) -> (Report, Summary) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("packed.parquet");
    let codec = plypack_games::line_codec(game.unwrap_or("chess"), "line.ranked").expect("a codec");
    let options = Options { codec, positions: None, detect: game.is_none() };
    let sources = vec![source(name, bytes)];
    let report = import(sources, &path, &options, &Work::on(1)).expect(name);
    let file = PackedFile::open(&path).expect(name);
    let mut back = Vec::new();
    let mut sink = |_: &str, bytes: &[u8]| {
        back.extend_from_slice(bytes);
        Ok(())
    };
    export(&file, &Work::on(1), &mut sink).expect(name);
    assert!(back == bytes, "{name}: {} of {} bytes came back", back.len(), bytes.len());
    let summary = file.summary().expect(name);
    assert_eq!(summary.faulty, report.faulty, "{name}");
    (report, summary)
}
