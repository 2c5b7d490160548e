//! Files that other programs keep games in: xiangqi's XQF, CBR, CBL and CBF, and databases of SCID
//! and ChessBase; and what `--as` makes of games from anywhere.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::archives::{tar_of, zip_of};
use crate::common::Sandbox;
use plypack_testing::{cbv, corpus_path};

/// The folder of a file in each of xiangqi's formats.
fn inputs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/file/xiangqi-desktop/inputs")
}

#[test]
fn games_of_any_format_leave_as_pgn() {
    let sandbox = Sandbox::new();
    let folder = inputs();
    let from = folder.to_str().expect("a path");
    let packed = sandbox.run(["pack", "--json", from, "-o", "x.parquet"]).expect(0).json();
    assert_eq!((&packed[0]["records"], &packed[0]["verbatim_records"]), (&5.into(), &0.into()));
    let plies = &packed[0]["plies"];
    for (form, mv) in [("pgn", "1. 炮二平五 {"), ("pgn-coordinates", "1. H2-E2 {")] {
        sandbox.run(["unpack", "x.parquet", "--as", form, "-fo", "x.pgn"]).expect(0);
        let text = String::from_utf8(sandbox.read("x.pgn")).expect("UTF-8");
        // The game in CBF has no comment on its first move.
        assert_eq!(text.matches(mv.trim_end_matches([' ', '{'])).count(), 5, "{text}");
        assert!(text.contains("{马}") && text.contains("(1... "), "{text}");
        let again = sandbox.run(["pack", "--json", "x.pgn", "-fo", "y.parquet"]).expect(0).json();
        assert_eq!(&again[0]["plies"], plies, "{form}");
        assert_eq!(again[0]["faulty_records"], 0, "{form}");
        let printed = sandbox.run(["cat", "x.parquet", "--records", "1", "--as", form]).expect(0);
        assert!(text.starts_with(printed.text()), "{form}");
    }
    sandbox.run(["unpack", "x.parquet", "--as", "pgn", "-o", "d/"]).refuses(2, &["one file"]);
    let found = ["find", "x.parquet", "--where", "Red = '红'", "--as", "pgn", "-o", "f.pgn"];
    let found = sandbox.run(found).expect(0);
    assert!(found.err.contains("as PGN"), "{}", found.err);
    sandbox.run(["unpack", "x.parquet", "-o", "back/"]).expect(0);
    for file in std::fs::read_dir(folder).expect("a folder") {
        let file = file.expect("an entry");
        let name = file.file_name().to_string_lossy().into_owned();
        let bytes = std::fs::read(file.path()).expect("a file");
        assert!(sandbox.read(&format!("back/{name}")) == bytes, "{name}");
    }
}

/// A game in XQF of version 10, each of whose moves has this comment.
fn xqf(moves: &[[u8; 2]], comment: &str) -> Vec<u8> {
    let mut bytes = vec![0; 1024];
    bytes[..3].copy_from_slice(b"XQ\x0a");
    bytes[16..48].copy_from_slice(&[
        80, 70, 60, 50, 40, 30, 20, 10, 0, 72, 12, 83, 63, 43, 23, 3, 9, 19, 29, 39, 49, 59, 69,
        79, 89, 17, 77, 6, 26, 46, 66, 86,
    ]);
    bytes.extend([0x18, 0x20, 0xf0, 0, 0, 0, 0, 0]);
    for (left, [from, to]) in (0..moves.len()).rev().zip(moves) {
        bytes.extend([from + 0x18, to + 0x20, if left > 0 { 0xf0 } else { 0 }, 0]);
        bytes.extend(u32::try_from(comment.len()).expect("a short text").to_le_bytes());
        bytes.extend(comment.as_bytes());
    }
    bytes
}

#[test]
fn comments_that_look_like_clock_readings_come_back() {
    let sandbox = Sandbox::new();
    let moves = [[72, 42], [79, 67], [70, 62]];
    let file = sandbox.write("x.xqf", xqf(&moves, " [%clk 0:01:00] "));
    sandbox.round_trip_of("clocks", &file, &["--strict"]);
}

#[test]
fn what_pgn_has_no_place_for_is_said() {
    let sandbox = Sandbox::new();
    let games = "x#0\tf5d6c3d3c4f4c5b3c2\t40\nx#1\te6f4e3f6g5d6e7f5c5\t64\nx#2\tf5f6e6f4e3a1\t33\n";
    sandbox.write("x.tsv", games);
    sandbox.run(["pack", "x.tsv", "-o", "x.parquet"]).expect(0);
    let done = sandbox.run(["unpack", "x.parquet", "--as", "pgn", "-o", "x.pgn"]).expect(0);
    assert!(done.err.contains("in 1 game something"), "{}", done.err);
    let text = String::from_utf8(sandbox.read("x.pgn")).expect("UTF-8");
    assert!(text.contains("[Variant \"othello\"]") && text.contains("{a1}"), "{text}");
    let tree = "(;GM[1]SZ[9];B[aa];W[bb])";
    sandbox.write("x.sgf", tree);
    sandbox.run(["pack", "x.sgf", "-o", "g.parquet"]).expect(0);
    let go = sandbox.run(["unpack", "g.parquet", "--as", "pgn", "-c"]).expect(0);
    assert_eq!(go.text(), tree);
    // Games of go stay in SGF, and so is the file called.
    let go = sandbox.run(["unpack", "g.parquet", "--as", "pgn"]).expect(0);
    assert!(go.err.contains("1 game of go in SGF"), "{}", go.err);
    assert!(sandbox.read("g.sgf") == tree.as_bytes() && !sandbox.path("g.pgn").exists());
    let found = ["find", "g.parquet", "--where", "plies = 2", "--as", "pgn", "-o", "f.sgf"];
    let found = sandbox.run(found).expect(0);
    assert!(found.err.contains("f.sgf: 1 game, in SGF"), "{}", found.err);
    // One file cannot hold both.
    sandbox.run(["pack", "x.tsv", "x.sgf", "-o", "both.parquet"]).expect(0);
    sandbox
        .run(["unpack", "both.parquet", "--as", "pgn", "-o", "b.pgn"])
        .refuses(2, &["SGF", "DIR/"]);
    assert!(!sandbox.path("b.pgn").exists());
    sandbox.write("x.epd", "8/8/4k3/8/8/8/8/R3K3 w Q - id \"x\";\n");
    sandbox.run(["pack", "x.epd", "-o", "p.parquet"]).expect(0);
    sandbox.run(["unpack", "p.parquet", "--as", "pgn", "-c"]).refuses(2, &["positions"]);
}

/// Files of other programs: a library of 38 records, of which three were deleted, and single games.
#[test]
fn files_of_other_programs_come_back() {
    let Some(folder) = corpus_path("xiangqi/formats") else { return };
    let sandbox = Sandbox::new();
    let from = folder.to_str().expect("a path");
    let packed = sandbox.run(["pack", "--json", from, "-o", "x.parquet"]).expect(0).json();
    for (key, number) in
        [("inputs", 10), ("records", 47), ("plies", 3_476), ("verbatim_records", 0)]
    {
        assert_eq!(packed[0][key], number, "{key}");
    }
    sandbox.run(["unpack", "x.parquet", "-o", "back/"]).expect(0);
    for file in std::fs::read_dir(folder).expect("a folder") {
        let file = file.expect("an entry");
        let name = file.file_name().to_string_lossy().into_owned();
        let bytes = std::fs::read(file.path()).expect("a file");
        assert!(sandbox.read(&format!("back/{name}")) == bytes, "{name}");
    }
}

#[test]
fn databases_of_chessbase_are_packed_as_pgn() {
    let Some(folder) = corpus_path("chess/dev/foreign/chessbase") else { return };
    for (name, records, plies) in [
        ("hedgehog/Hedgehog", 231, 15_064),
        ("test-annotations/test-annotations", 6, 8),
        ("text/text", 10, 4),
        ("cbh_cbj_test/cbh_cbj_test", 4, 7),
    ] {
        let sandbox = Sandbox::new();
        let index = folder.join(format!("{name}.cbh"));
        let from = index.to_str().expect("a path");
        let packed = sandbox.run(["pack", "--json", from, "-o", "x.parquet"]).expect(0).json();
        assert_eq!((&packed[0]["records"], &packed[0]["plies"]), (&records.into(), &plies.into()));
        sandbox.run(["unpack", "x.parquet", "-o", "x.pgn"]).expect(0);
        let text = String::from_utf8(sandbox.read("x.pgn")).expect("UTF-8");
        let left_out = &packed[0]["left_out_of_databases"][from];
        match name {
            "hedgehog/Hedgehog" => {
                assert_eq!(left_out["colours of variations"]["count"], 59, "{left_out}");
                assert_eq!(left_out["formats of guiding texts"]["count"], 27, "{left_out}");
                assert_eq!(text.matches("\n[GuidingText ").count(), 27);
                // The code page is Windows-1251.
                assert!(text.contains("\n[GuidingText \"Содержание\"]"), "no page");
                let done = sandbox.run(["pack", from, "-o", "y.parquet"]).expect(0);
                assert!(
                    done.err.contains("colours of variations: 59 (records 30, "),
                    "{}",
                    done.err
                );
            }
            "test-annotations/test-annotations" => {
                for written in [
                    "1. e4 $1 e5 $2 1-0",
                    "1. e4 {Best move} 1-0",
                    "1. e4 $1 {King's pawn} 1-0",
                    "1. e4 $1 $14 1-0",
                    "1. e4 $1 e5 (1... c5 $3 {Sicilian}) 1-0",
                    "1. e4 {[%csl Ga4,Rb5][%cal Ge2e4,Rh1h8]} 1-0",
                ] {
                    assert!(text.contains(written), "{written}");
                }
            }
            _ => assert!(left_out.is_null(), "{left_out}"),
        }
    }
    // A folder has all files of a database as one input.
    let sandbox = Sandbox::new();
    let from = folder.join("hedgehog");
    sandbox.run(["pack", from.to_str().expect("a path"), "-o", "x.parquet"]).expect(0);
    let sources = sandbox.run(["ls", "--json", "x.parquet"]).expect(0).json();
    assert_eq!((sources.len(), &sources[0]["records"]), (1, &231.into()), "{sources:?}");
}

/// The archive of a database in the corpus, by our own writer, as there is none of ChessBase's.
fn cbv_of(folder: &Path) -> Vec<u8> {
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|file| {
            let file = file.expect("an entry");
            let name = file.file_name().to_string_lossy().into_owned();
            (name, std::fs::read(file.path()).expect("a file"))
        })
        .collect();
    files.sort();
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    cbv::archive(&files)
}

/// The PGN that comes back of an input, whatever its name is.
fn pgn_of(sandbox: &Sandbox, input: &str) -> Vec<u8> {
    sandbox.run(["pack", "-f", input, "-o", "own.parquet"]).expect(0);
    sandbox.run(["unpack", "-f", "own.parquet", "-o", "own.pgn"]).expect(0);
    sandbox.read("own.pgn")
}

#[test]
fn archives_of_chessbase_are_read_as_their_databases() {
    let Some(folder) = corpus_path("chess/dev/foreign/chessbase") else { return };
    for (name, index) in [
        ("hedgehog", "Hedgehog"),
        ("test-annotations", "test-annotations"),
        ("text", "text"),
        ("cbh_cbj_test", "cbh_cbj_test"),
    ] {
        let sandbox = Sandbox::new();
        let folder = folder.join(name);
        let path = folder.join(index).with_extension("cbh");
        let pgn = pgn_of(&sandbox, path.to_str().expect("a path"));
        let archive = cbv_of(&folder);
        std::fs::create_dir(sandbox.path("in")).expect("a folder");
        sandbox.write("in/games.cbv", &archive);
        assert!(pgn_of(&sandbox, "in/games.cbv") == pgn, "{name}");
        // Nothing tells it but its first bytes.
        sandbox.write("games", &archive);
        assert!(pgn_of(&sandbox, "games") == pgn, "{name}");
        let done = sandbox.run(["pack", "in/games.cbv", "-o", "x.parquet"]).expect(0);
        let said = "in/games.cbv: packed as the PGN";
        assert!(done.err.contains(said), "{}", done.err);
    }
}

#[test]
fn archives_of_chessbase_are_read_in_folders_archives_and_pipes() {
    let Some(folder) = corpus_path("chess/dev/foreign/chessbase/hedgehog") else { return };
    let sandbox = Sandbox::new();
    let archive = cbv_of(&folder);
    std::fs::create_dir_all(sandbox.path("in/a")).expect("a folder");
    sandbox.write("in/a/games.cbv", &archive);
    sandbox.write("in/other.pgn", b"[Event \"x\"]\n\n1. e4 *\n\n");
    let pgn = pgn_of(&sandbox, "in/a/games.cbv");
    let files = ["a/games.cbv", "other.pgn"];
    let files = files.map(|name| (name.to_owned(), sandbox.read(&format!("in/{name}")))).into();
    sandbox.write("x.zip", zip_of(&files));
    sandbox.write("x.tar", tar_of(&files));
    for from in ["in", "x.zip", "x.tar"] {
        let packed =
            sandbox.run(["pack", "-f", "--json", from, "-o", "y.parquet"]).expect(0).json();
        assert_eq!((&packed[0]["inputs"], &packed[0]["records"]), (&2.into(), &232.into()));
        assert_eq!(packed[0]["verbatim_records"], 0, "{from}");
        let left_out = packed[0]["left_out_of_databases"].as_object().expect("an object");
        let (database, kinds) = left_out.iter().next().expect("a database");
        assert!(database.ends_with("a/games.cbv"), "{database}");
        assert_eq!(kinds["colours of variations"]["count"], 59);
        sandbox.run(["unpack", "-f", "y.parquet", "-o", "back/"]).expect(0);
        assert!(sandbox.read("back/a/games.pgn") == pgn, "{from}");
        std::fs::remove_dir_all(sandbox.path("back")).expect("a folder");
    }
    let piped = sandbox.run_with(["pack", "-", "-o", "z.parquet"], &archive).expect(0);
    assert!(piped.err.contains("231 records"), "{}", piped.err);
    sandbox.run(["unpack", "z.parquet", "-o", "back/"]).expect(0);
    assert!(sandbox.read("back/stdin.pgn") == pgn);
    // A damaged one is named, and nothing of what was unpacked stays.
    let before = sandbox.names();
    let mut flipped = archive.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    for (bytes, said) in [
        (&archive[..archive.len() - 1], "bad.cbv: this archive of ChessBase is damaged"),
        (&flipped, "the sum of a block is wrong"),
    ] {
        sandbox.write("bad.cbv", bytes);
        let refused = sandbox.run(["pack", "bad.cbv", "-o", "bad.parquet"]).expect(2);
        assert!(refused.err.contains(said), "{}", refused.err);
        std::fs::remove_file(sandbox.path("bad.cbv")).expect("a file");
        assert_eq!(sandbox.names(), before);
    }
}

/// The files of a database come in any order in an archive, with others between.
#[test]
fn databases_of_several_files_are_read_in_archives() {
    let Some(folder) = corpus_path("chess/dev/foreign") else { return };
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.path("in/a")).expect("a folder");
    let mut files = BTreeMap::new();
    let mut add = |name: String, bytes: Vec<u8>| {
        sandbox.write(&format!("in/{name}"), &bytes);
        files.insert(name, bytes);
    };
    for (from, stem) in
        [("scid", "S"), ("chessbase/text", "a/T"), ("chessbase/test-annotations", "t")]
    {
        for file in std::fs::read_dir(folder.join(from)).expect("a folder") {
            let path = file.expect("an entry").path();
            let ending = path.extension().expect("an extension").to_str().expect("a text");
            let ending = if stem == "t" { ending.to_uppercase() } else { ending.to_owned() };
            add(format!("{stem}.{ending}"), std::fs::read(&path).expect("a file"));
        }
    }
    let lone = std::fs::read(folder.join("scid/res_database.si4")).expect("a file");
    add("a/lone.si4".into(), lone);
    add("a/library.cbl".into(), b"\0\x01".repeat(99));
    add("z.pgn".into(), b"[Event \"x\"]\n\n1. e4 *\n\n".to_vec());
    sandbox.write("x.zip", zip_of(&files));
    let tar = tar_of(&files);
    sandbox.write("x.tar", &tar);
    let names_before = sandbox.names();
    for from in ["in", "x.zip", "x.tar", "-"] {
        let arguments = ["pack", "-f", "--codec", "line.index", from, "-o", "y.parquet"];
        let done = sandbox.run_with(arguments, if from == "-" { &tar[..] } else { &[] }).expect(0);
        for said in [
            "S.si4, ",
            "packed as the PGN",
            "lone.si4: no game was understood in it; it seems to be the index of a SCID database",
            "library.cbl: no game was understood",
        ] {
            assert!(done.err.contains(said), "{from}: {said}: {}", done.err);
        }
        assert!(!done.err.contains("/plypack-"), "{}", done.err);
        sandbox.run(["unpack", "-f", "y.parquet", "-o", "back/"]).expect(0);
        let found = found_in(&sandbox.path("back"));
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            ["S.pgn", "a/T.ini", "a/T.pgn", "a/library.cbl", "a/lone.si4", "t.pgn", "z.pgn"]
        );
        if from == "in" {
            sandbox.run(["unpack", "-f", "y.parquet", "-o", "first/"]).expect(0);
        }
        assert!(found == found_in(&sandbox.path("first")), "{from}");
        std::fs::remove_dir_all(sandbox.path("back")).expect("a folder");
    }
    std::fs::remove_dir_all(sandbox.path("first")).expect("a folder");
    std::fs::remove_file(sandbox.path("y.parquet")).expect("a file");
    assert_eq!(sandbox.names(), names_before);
    // A damaged database is named as in the archive.
    files.get_mut("S.sn4").expect("a file").truncate(99);
    sandbox.write("x.zip", zip_of(&files));
    sandbox.run(["pack", "-f", "x.zip", "-o", "y.parquet"]).refuses(2, &["S.sn4: "]);
}

/// The files in a folder, by their paths in it.
fn found_in(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let found = plypack::store::input::folder::files(folder).expect("files");
    let read = |path: &Path| std::fs::read(path).expect("a file");
    found.into_iter().map(|found| (found.name, read(&found.path))).collect()
}

/// A database without its other files is kept as it is in a folder, as other binary files are.
#[test]
fn a_database_that_cannot_be_read_does_not_stop_a_folder() {
    let Some(folder) = corpus_path("chess/dev/foreign") else { return };
    let sandbox = Sandbox::new();
    let read = |name: &str| std::fs::read(folder.join(name)).expect("a file");
    let files = [
        ("in/a.si4", read("scid/res_database.si4")),
        ("in/a.sg4", read("scid/res_database.sg4")),
        ("in/b.cbh", read("chessbase/text/text.cbh")),
        ("in/b.cbg", read("chessbase/text/text.cbg")),
        ("in/c.2cbh", vec![1, 0, 0, 2]),
        ("in/d.si5", vec![1, 0, 0, 2]),
        ("in/e.cbz", vec![1, 0, 0, 2]),
    ];
    std::fs::create_dir(sandbox.path("in")).expect("a folder");
    for (name, bytes) in &files {
        sandbox.write(name, bytes);
    }
    sandbox.write("in/z.pgn", b"[Event \"x\"]\n\n1. e4 *\n\n");
    let done = sandbox.run(["pack", "in", "-o", "x.parquet"]).expect(0);
    for said in [
        "a.si4: no game was understood in it; it seems to be the index of a SCID database",
        "b.cbh: no game was understood in it; it seems to be the index of a ChessBase database",
        "saved without one",
        "saved in the older format",
        "SCID 5",
    ] {
        assert!(done.err.contains(said), "{said}: {}", done.err);
    }
    sandbox.run(["pack", "--strict", "in", "-o", "y.parquet"]).expect(3);
    sandbox.run(["unpack", "x.parquet", "-o", "back/"]).expect(0);
    for (name, bytes) in &files {
        assert!(&sandbox.read(&name.replace("in/", "back/")) == bytes, "{name}");
        if name.ends_with("g4") || name.ends_with("cbg") {
            continue;
        }
        // Alone it is refused with a reason.
        let refused = sandbox.run(["pack", name, "-o", "z.parquet"]).expect(2);
        assert!(
            refused.err.contains("SCID") || refused.err.contains("ChessBase"),
            "{}",
            refused.err
        );
    }
}

#[test]
fn a_database_of_scid_is_packed_as_pgn() {
    let Some(index) = corpus_path("chess/dev/foreign/scid/res_database.si4") else { return };
    let sandbox = Sandbox::new();
    let from = index.to_str().expect("a path");
    let done = sandbox.run(["pack", from, "-o", "x.parquet"]).expect(0);
    assert!(done.err.contains("1,339 records, 108,604 plies"), "{}", done.err);
    assert!(done.err.contains("packed as the PGN"), "{}", done.err);
    sandbox.run(["unpack", "x.parquet", "-o", "x.pgn"]).expect(0);
    let text = String::from_utf8(sandbox.read("x.pgn")).expect("UTF-8");
    assert_eq!(text.matches("\n[White ").count(), 1_339);
    // A folder has the three files as one input.
    let folder = index.parent().expect("a folder").to_str().expect("a path");
    sandbox.run(["pack", folder, "-o", "y.parquet"]).expect(0);
    let sources = sandbox.run(["ls", "--json", "y.parquet"]).expect(0).json();
    assert_eq!(sources[0]["records"], 1_339, "{sources:?}");
    sandbox.run(["unpack", "y.parquet", "-o", "back/"]).expect(0);
    assert!(sandbox.read("back/res_database.pgn") == text.as_bytes());
}
