//! Folders and archives: every file in them is packed and comes back.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::path::Path;

use crate::common::Sandbox;
use tar::{Builder, EntryType, Header};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Files of two games, in folders, and other files.
fn files() -> BTreeMap<String, Vec<u8>> {
    let go = "(;GM[1]SZ[9]PB[Shusaku]PW[Gennan];B[cc];W[gg])\r\n";
    let two = "(;GM[1]SZ[9];B[ee])\n\n(;GM[1]SZ[9];B[dd];W[ee])";
    let chess = "[White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n\n1. e4 e5 2. f4 exf4 *\n\n";
    [
        ("README", "What is in here.\n"),
        ("go/1846/ear-reddening.sgf", go),
        ("go/1846/empty.sgf", ""),
        ("go/two \u{5c40}.sgf", two),
        ("chess/immortal.pgn", chess),
        ("chess/immortal.pgn.txt", "no newline at the end"),
    ]
    .map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()))
    .into()
}

pub fn tar_of(files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Regular);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, &bytes[..]).expect("memory");
    }
    builder.into_inner().expect("memory")
}

pub fn zip_of(files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(name.as_str(), SimpleFileOptions::default()).expect("memory");
        writer.write_all(bytes).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn write_all(folder: &Path, files: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    }
}

/// Reads all files in a folder.
fn read_all(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let found = plypack::store::input::folder::files(folder).expect("files");
    let read = |path: &Path| std::fs::read(path).expect("a file");
    found.into_iter().map(|found| (found.name, read(&found.path))).collect()
}

/// A sandbox with the same files in containers of every kind.
fn sandbox() -> (Sandbox, [&'static str; 5]) {
    let sandbox = Sandbox::new();
    let files = files();
    let tar = tar_of(&files);
    write_all(&sandbox.path("folder"), &files);
    sandbox.write("tarred.tar.xz", xz(&tar));
    sandbox.write("zstd.tzst", zstd::stream::encode_all(&tar[..], 1).expect("memory"));
    sandbox.write("plain.TAR", tar);
    sandbox.write("zipped.zip", zip_of(&files));
    (sandbox, ["folder/", "tarred.tar.xz", "zstd.tzst", "plain.TAR", "zipped.zip"])
}

#[test]
fn the_files_come_back() {
    let (sandbox, containers) = sandbox();
    for container in containers {
        let stem = container.split(['.', '/']).next().expect("a name");
        let packed = format!("{stem}.parquet");
        let done = sandbox.run(["pack", container]).expect(0);
        let cure = format!("it holds 6 files; `plypack unpack {packed} -o DIR/` restores them");
        assert!(done.err.contains(&cure), "{}", done.err);
        sandbox.run(["verify", "-q", &packed]).expect(0);
        let back = format!("{stem}-back/");
        sandbox.run(["unpack", "-q", &packed, "-o", &back]).expect(0);
        assert_eq!(read_all(&sandbox.path(&back)), files(), "{container}");
        // The files are not overwritten.
        let again = ["unpack", "-q", &packed, "-o", &back];
        sandbox.run(again).refuses(2, &["exists", "use -f"]);
        sandbox.run([&again[..], &["-f"]].concat()).expect(0);
        let where_ = "source = 'go/two \u{5c40}.sgf'";
        let found = sandbox.run(["find", "-q", &packed, "--where", where_]).expect(0);
        assert_eq!(found.text().lines().count(), 2, "{container}: {}", found.text());
    }
}

#[test]
fn each_record_is_of_its_own_game() {
    let (sandbox, _) = sandbox();
    let done = sandbox.run(["pack", "--json", "zipped.zip", "-o", "x.parquet"]).expect(0);
    let told = &done.json()[0];
    assert_eq!((&told["inputs"], &told["records"]), (&6.into(), &6.into()));
    let coded: Vec<&str> = told["model"]
        .as_array()
        .expect("codecs")
        .iter()
        .map(|codec| codec.as_str().and_then(|codec| codec.split('/').next()).expect("a game"))
        .collect();
    assert_eq!(coded, ["chess", "go"]);
    assert_eq!(told["plies"], 9);
}

#[test]
fn several_are_folders() {
    let (sandbox, _) = sandbox();
    sandbox.write("more.pgn", "1. e4 *\n");
    let inputs = ["pack", "-q", "folder", "zipped.zip", "more.pgn", "plain.TAR", "-o", "x.parquet"];
    sandbox.run(inputs).expect(0);
    sandbox.run(["unpack", "-q", "x.parquet", "-o", "back/"]).expect(0);
    for name in ["folder", "zipped", "plain"] {
        assert_eq!(read_all(&sandbox.path(&format!("back/{name}"))), files(), "{name}");
    }
    assert_eq!(sandbox.read("back/more.pgn"), b"1. e4 *\n");
}

#[test]
fn a_tar_archive_may_be_piped() {
    let (sandbox, _) = sandbox();
    for name in ["plain.TAR", "tarred.tar.xz"] {
        let piped = sandbox.read(name);
        sandbox.run_with(["pack", "-q", "-", "-f", "-o", "x.parquet"], &piped).expect(0);
        sandbox.run(["unpack", "-q", "-f", "x.parquet", "-o", "back/"]).expect(0);
        assert_eq!(read_all(&sandbox.path("back")), files(), "{name}");
    }
    let one = BTreeMap::from([("a.pgn".to_owned(), b"1. e4 e5 2. Nf3 Nc6 *\n".repeat(9))]);
    let piped = zip_of(&one);
    let done = sandbox.run_with(["pack", "-", "-f", "-o", "x.parquet"], &piped).expect(0);
    assert!(done.err.contains("name it instead of piping it"), "{}", done.err);
}

#[test]
fn what_would_leave_the_folder_is_refused() {
    let sandbox = Sandbox::new();
    for name in ["../evil.sgf", "/evil.sgf", "a/../../evil.sgf", "C:/evil.sgf"] {
        let files = BTreeMap::from([(name.to_owned(), b"(;GM[1])".to_vec())]);
        sandbox.write("evil.zip", zip_of(&files));
        sandbox
            .run(["pack", "evil.zip"])
            .refuses(2, &["evil.zip: its file `", name, "outside the folder; unpack the archive"]);
        assert!(!sandbox.path("evil.parquet").exists());
    }
    let twice = BTreeMap::from([("a.pgn".to_owned(), Vec::new()), ("a.pgn.gz".into(), Vec::new())]);
    sandbox.write("twice.zip", zip_of(&twice));
    sandbox.run(["pack", "twice.zip"]).refuses(2, &["a.pgn.gz: another file", "the same place"]);
    let inside = BTreeMap::from([("a".to_owned(), Vec::new()), ("a/b".into(), Vec::new())]);
    sandbox.write("inside.tar", tar_of(&inside));
    sandbox.run(["pack", "inside.tar"]).refuses(2, &["a/b: another file", "rename one of them"]);
    // Nothing is left behind.
    let names = read_all(&sandbox.path(""));
    assert_eq!(names.keys().collect::<Vec<_>>(), ["evil.zip", "inside.tar", "twice.zip"]);
}

#[test]
fn a_folder_does_not_take_its_own_output() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("f")).expect("a folder");
    sandbox.write("f/a.pgn", "1. e4 *\n");
    sandbox.run(["pack", "-q", "f", "-o", "f/x.parquet"]).expect(0);
    sandbox.run(["unpack", "-q", "f/x.parquet", "-o", "back/"]).expect(0);
    assert_eq!(read_all(&sandbox.path("back")).len(), 1);
    let again = ["pack", "-q", "f", "-f", "-o", "f/x.parquet"];
    sandbox.run(again).refuses(2, &["is not overwritten"]);
    std::fs::rename(sandbox.path("f"), sandbox.path("v1.5")).expect("a folder");
    sandbox.run(["pack", "-q", "v1.5/"]).expect(0);
    sandbox.run(["verify", "-q", "v1.5.parquet"]).expect(0);
    sandbox.run(["pack", "-q", "."]).refuses(2, &["name the output with -o"]);
}

/// A name that is not UTF-8 comes back as it was.
#[cfg(target_os = "linux")]
#[test]
fn names_of_any_bytes_come_back() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let sandbox = Sandbox::new();
    let name = OsStr::from_bytes(b"M\xf3ra \xff\xfe.pgn");
    std::fs::create_dir(sandbox.path("old")).expect("a folder");
    std::fs::write(sandbox.path("old").join(name), "1. e4 *\n").expect("a file");
    sandbox.run(["pack", "-q", "old", "-o", "old.parquet"]).expect(0);
    sandbox.run(["unpack", "-q", "old.parquet", "-o", "new/"]).expect(0);
    assert_eq!(std::fs::read(sandbox.path("new").join(name)).expect("a file"), b"1. e4 *\n");
}
