//! Reads the files in archives: what comes out, what is refused, and what hostile ones may cost.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::io::{self, Cursor, Read, Write};
use std::path::Path;

use ::tar::{Builder, EntryType, Header};
use ::zip::ZipWriter;
use ::zip::write::SimpleFileOptions;
use plypack::store::Sources;
use plypack::store::input::archive::{Archive, HEAD_BYTES, streamed, tar, zip};

/// A file's name and bytes.
type File = (String, Vec<u8>);

/// Files with folders in their names, an empty one, and one longer than a piece.
fn files() -> Vec<File> {
    let long = b"(;GM[1];B[aa])\n".repeat(20_000);
    let name = format!("{}/long.sgf", "n".repeat(180));
    [
        ("b.sgf", &b"(;GM[1])"[..]),
        ("a/empty", b""),
        ("a/c/\u{68cb}\u{8c31}.sgf", b"(;)(;)"),
        ("a/b.sgf.txt", b"no record"),
        (&name, &long),
    ]
    .map(|(name, bytes)| (name.to_owned(), bytes.to_vec()))
    .into()
}

/// Creates the header of an entry with this name, which may be anything.
fn header(name: &[u8], kind: EntryType, size: u64) -> Header {
    let mut header = Header::new_gnu();
    let field = &mut header.as_gnu_mut().expect("a GNU header").name;
    field[..name.len()].copy_from_slice(name);
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(0o644);
    header.set_cksum();
    header
}

/// Creates a tar archive of one odd entry.
fn odd_tar(name: &[u8], kind: EntryType, bytes: &[u8]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    builder.append(&header(name, kind, bytes.len() as u64), bytes).expect("memory");
    builder.into_inner().expect("memory")
}

fn tar_of(files: &[File]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    let folder = header(b"./a/", EntryType::Directory, 0);
    builder.append(&folder, io::empty()).expect("memory");
    for (name, bytes) in files {
        let mut header = header(b"", EntryType::Regular, bytes.len() as u64);
        let name = format!("./{name}");
        builder.append_data(&mut header, name, &bytes[..]).expect("memory");
    }
    builder.into_inner().expect("memory")
}

fn zip_of(files: &[File]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(::zip::CompressionMethod::Stored);
    let deflated = stored.compression_method(::zip::CompressionMethod::Deflated);
    writer.add_directory("a/", stored).expect("memory");
    for (number, (name, bytes)) in files.iter().enumerate() {
        let options = if number % 2 == 0 { deflated } else { stored };
        writer.start_file(name.as_str(), options).expect("memory");
        writer.write_all(bytes).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// Returns all kinds of archives of the same files.
fn archives(files: &[File]) -> Vec<Vec<u8>> {
    let tar = tar_of(files);
    let zstd = zstd::stream::encode_all(&tar[..], 1).expect("memory");
    vec![gzip(&tar), xz(&tar), zstd, tar, zip_of(files)]
}

fn sources(bytes: &[u8], prefix: &str) -> Sources {
    let bytes = bytes.to_vec();
    let open = move || Ok(Cursor::new(bytes.clone()));
    match Archive::look(open().expect("memory")) {
        Some(Archive::Zip) => zip(Path::new("x"), prefix, open),
        _ => tar(Path::new("x"), prefix, open),
    }
}

/// Reads the files in an archive, or returns the error.
fn read(sources: Sources) -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    for source in sources {
        let mut source = source.map_err(|error| error.to_string())?;
        let mut bytes = Vec::new();
        source.reader.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        files.push((source.name, bytes));
    }
    Ok(files)
}

#[test]
fn every_archive_gives_its_files() {
    let files = files();
    for bytes in archives(&files) {
        assert!(Archive::look(Cursor::new(bytes.clone())).is_some());
        assert!(read(sources(&bytes, "")).expect("files") == files);
        let within = read(sources(&bytes, "x/y")).expect("files");
        assert_eq!(within[0].0, "x/y/b.sgf");
        // A file that is not read does not block the others.
        let names: Vec<String> =
            sources(&bytes, "").map(|source| source.expect("a file").name).collect();
        assert_eq!(names, files.iter().map(|file| file.0.clone()).collect::<Vec<_>>());
    }
    for empty in [tar_of(&[]), zip_of(&[])] {
        assert_eq!(read(sources(&empty, "")), Ok(Vec::new()));
    }
}

#[test]
fn a_stream_is_an_archive_or_not() {
    let files = files();
    let open = |bytes: &[u8]| {
        let reader = Box::new(Cursor::new(bytes.to_vec()));
        read(streamed(Path::new("x"), "", "own".into(), reader)).expect("files")
    };
    let tar = tar_of(&files);
    for bytes in [&tar[..], &gzip(&tar), &xz(&tar)] {
        assert!(open(bytes) == files);
    }
    for bytes in [&b""[..], b"1. e4", &zip_of(&files), &gzip(b"1. e4"), &gzip(&gzip(&tar))] {
        assert!(open(bytes) == [("own".to_owned(), bytes.to_vec())]);
    }
}

#[test]
fn what_only_looks_like_an_archive_is_none() {
    for bytes in [&b""[..], b"PK", b"P", &[0; 1024], &[b'0'; 1024], &gzip(&zip_of(&[]))] {
        assert_eq!(Archive::look(Cursor::new(bytes.to_vec())), None);
    }
}

#[test]
fn names_in_gbk_are_read() {
    let name = [0xc6, 0xe5, 0xc6, 0xd7];
    let placeholder = "XYZW/a.sgf".to_owned();
    let mut bytes = zip_of(&[(placeholder, b"(;)".to_vec())]);
    for at in 0..bytes.len() - 4 {
        if bytes[at..].starts_with(b"XYZW") {
            bytes[at..at + 4].copy_from_slice(&name);
        }
    }
    let zipped = read(sources(&bytes, "")).expect("files");
    let tarred = odd_tar(&[&name[..], b"/a.sgf"].concat(), EntryType::Regular, b"(;)");
    let tarred = read(sources(&tarred, "")).expect("files");
    assert_eq!(zipped[0], ("\u{68cb}\u{8c31}/a.sgf".into(), b"(;)".to_vec()));
    assert_eq!(tarred, zipped);
}

#[test]
fn what_would_lead_elsewhere_is_refused() {
    for name in ["../a", "/etc/passwd", "a/../../b", "C:\\a", "..", "a\\..\\b"] {
        let tar = odd_tar(name.as_bytes(), EntryType::Regular, b"x");
        let error = read(sources(&tar, "")).expect_err(name);
        assert!(error.starts_with("x: its file `"), "{error}");
        assert!(error.contains("outside the folder; unpack"), "{error}");
        let zip = zip_of(&[(name.into(), b"x".to_vec())]);
        let error = read(sources(&zip, "")).expect_err(name);
        assert!(error.contains("outside the folder; unpack"), "{error}");
    }
    for (kind, word) in [
        (EntryType::Symlink, "a symbolic link; recreate the archive"),
        (EntryType::Link, "a hard link; recreate the archive"),
        (EntryType::Fifo, "is not a file; recreate the archive"),
        (EntryType::Block, "is not a file; recreate the archive"),
    ] {
        let error = read(sources(&odd_tar(b"l", kind, b""), "")).expect_err(word);
        assert!(error.starts_with("x: its entry `l` is ") && error.contains(word), "{error}");
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("l", "/etc", SimpleFileOptions::default()).expect("memory");
    let zip = writer.finish().expect("memory").into_inner();
    let error = read(sources(&zip, "")).expect_err("a link");
    assert!(error.contains("its entry `l` is a symbolic link"), "{error}");
}

#[test]
fn what_is_cut_off_or_damaged_is_refused() {
    let files = files();
    for bytes in archives(&files) {
        for end in (HEAD_BYTES..bytes.len()).step_by(bytes.len() / 37 + 1) {
            // A tar archive may lack its end marker, but nothing else.
            let read = read(sources(&bytes[..end], ""));
            assert!(read.is_err() || read.is_ok_and(|read| files.starts_with(&read)), "{end}");
        }
        for at in (0..bytes.len()).step_by(bytes.len() / 53 + 1) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x55;
            let _ = read(sources(&bytes, ""));
        }
    }
    let tar = tar_of(&files);
    let error = read(sources(&tar[..tar.len() - 2_048], "")).expect_err("a cut");
    assert!(error.contains("cut off before its end; fetch it again"), "{error}");
    let error = read(sources(&[&tar[..], &tar].concat(), "")).expect_err("two archives");
    assert!(error.contains("other bytes follow its end"), "{error}");
    let packed = gzip(&tar);
    let error = read(sources(&packed[..packed.len() - 4], "")).expect_err("a cut");
    assert!(error.contains("this gzip file is cut off"), "{error}");
    // Changes a byte of a file stored uncompressed; the archive's checksum reveals it.
    let mut zip = zip_of(&[("a".into(), b"x".to_vec()), ("b".into(), b"no record".to_vec())]);
    let at = memchr::memmem::find(&zip, b"no record").expect("a file");
    zip[at] = b'N';
    let error = read(sources(&zip, "")).expect_err("a change");
    assert!(error.contains("this zip archive is damaged"), "{error}");
}

#[test]
fn nothing_makes_us_take_much_memory() {
    // A name of excessive length.
    let mut bomb = header(b"././@LongLink", EntryType::GNULongName, 1 << 30).as_bytes().to_vec();
    bomb.resize(8 << 20, b'n');
    let error = read(sources(&gzip(&bomb), "")).expect_err("a name");
    assert!(error.contains("more than 1 MiB lie between two of its files"), "{error}");
    // A file of excessive size.
    let mut bomb = header(b"a", EntryType::Regular, 1 << 60).as_bytes().to_vec();
    bomb.resize(1 << 20, 0);
    let error = read(sources(&bomb, "")).expect_err("a size");
    assert!(error.contains("cut off before its end"), "{error}");
    // A sparse file.
    let error = read(sources(&odd_tar(b"a", EntryType::GNUSparse, b""), "")).expect_err("holes");
    assert!(error.contains("is sparse") || error.contains("damaged"), "{error}");
    // Two files in the same place.
    let mut zip = zip_of(&[("a".into(), b"x".to_vec()), ("b".into(), b"y".to_vec())]);
    let entries: Vec<usize> = memchr::memmem::find_iter(&zip, b"PK\x01\x02").collect();
    zip[entries[2] + 42..entries[2] + 46].fill(0);
    let start = zip[entries[1] + 42];
    zip[entries[2] + 42] = start;
    let error = read(sources(&zip, "")).expect_err("one place");
    assert!(error.contains("overlap") || error.contains("damaged"), "{error}");
}
