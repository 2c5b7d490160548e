//! A tiny database in bytes: whole, cut and with every bit flipped.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use plypack_testing::cbv;
use plypack_testing::sample::every;

use super::tables;
use crate::store::input::database::losses::{BRACES, Losses};
use crate::store::input::database::{self, Look, is_companion};

/// The files of a database: their extensions and bytes.
type Files = Vec<(&'static str, Vec<u8>)>;

/// A record of a file of names: texts with the lengths of their fields, and bytes behind them.
type Record<'a> = (&'a [(&'a str, usize)], &'a [u8]);

/// A code that is no move, or a move in codes.
enum Code {
    Mark(u8),
    Move(u8),
    /// Two squares and a promotion.
    Pair(u16),
}

/// The bytes of codes by a table, which is asked with the number of moves taken off or put on.
fn encoded(codes: &[Code], table: &[u8; 256], is_first: bool) -> Vec<u8> {
    let mut moves = 0_u8;
    let mut bytes = Vec::new();
    let place = |code: u8| {
        let place = table.iter().position(|own| *own == code).expect("a permutation");
        u8::try_from(place).expect("a byte")
    };
    for code in codes {
        let mut push = |code: u8| {
            let byte = if is_first {
                place(code).wrapping_add(moves)
            } else {
                place(code.wrapping_add(moves))
            };
            bytes.push(byte);
        };
        match *code {
            Code::Mark(code) => push(code),
            Code::Move(code) => push(code),
            Code::Pair(word) => {
                push(235);
                word.to_be_bytes().into_iter().for_each(push);
            }
        }
        moves += u8::from(!matches!(code, Code::Mark(_)));
    }
    bytes
}

/// The bytes of words of two squares, as encoding 5 has them.
fn encoded_pairs(words: &[u16]) -> Vec<u8> {
    let place = |code: u8| tables::OF_5.iter().position(|own| *own == code).expect("a byte");
    let of = |(word, moves): (&u16, u8)| {
        word.to_be_bytes()
            .map(|byte| u8::try_from(place(byte.wrapping_add(moves))).expect("a byte"))
    };
    words.iter().zip(0..).flat_map(of).collect()
}

/// A game or text with its head.
fn headed(flags: u8, body: &[u8]) -> Vec<u8> {
    let length = u8::try_from(body.len() + 4).expect("a short game");
    [&[flags, 0, 0, length], body].concat()
}

/// A start in Chess960: White castles with the rook on g1.
fn start() -> Vec<u8> {
    let men = [(0, "R"), (8, "K"), (15, "k"), (38, "P"), (48, "R"), (63, "r")];
    let mut bits = String::new();
    for square in 0..64 {
        match men.iter().find(|man| man.0 == square) {
            None => bits.push('0'),
            Some((_, man)) => {
                let kind = ".KQNBRP".find(&man.to_uppercase()).expect("a man");
                let black = u8::from(*man == man.to_lowercase());
                bits.push_str(&format!("1{black}{kind:03b}"));
            }
        }
    }
    let bits = format!("{bits:0<192}");
    let mut bytes = vec![1, 0, 2, 1];
    let byte = |place: usize| u8::from_str_radix(&bits[place..place + 8], 2).expect("bits");
    bytes.extend((0..192).step_by(8).map(byte));
    bytes.extend([8, 15, 0, 0, 48, 0, 0, 0]);
    bytes
}

fn text() -> Vec<u8> {
    let mut bytes = vec![3, 0, 1, 0, 0, 0, 5, 0];
    bytes.extend(b"Title\x01\x02\0");
    for content in ["<b>one</b>", "zwei }"] {
        bytes.extend([0, 0, u8::try_from(content.len()).expect("short"), 0, 0, 0]);
        bytes.extend(content.bytes());
        bytes.extend([0; 4]);
    }
    bytes
}

/// An annotation.
fn note(place: u8, kind: u8, data: &[u8]) -> Vec<u8> {
    let length = u8::try_from(data.len() + 6).expect("short");
    [&[0, 0, place, kind, 0, length], data].concat()
}

/// An annotation of the whole game, as long as three periods.
fn whole(kind: u8, data: &[u8]) -> Vec<u8> {
    let mut note = note(0, kind, &[data, &[0; 22]].concat());
    note[..3].fill(0xff);
    note
}

/// The annotations of a game.
fn notes(game: u8, notes: &[Vec<u8>]) -> Vec<u8> {
    let count = u8::try_from(notes.len() + 1).expect("few");
    let notes = notes.concat();
    let length = u8::try_from(notes.len() + 14).expect("short");
    [&[0, 0, game, 1, 0, 14, 14, 0, 0, count, 0, 0, 0, length], &notes[..]].concat()
}

/// A file of names, each with texts in fields and bytes behind them.
fn names(length: u8, records: &[Record<'_>]) -> Vec<u8> {
    let count = u8::try_from(records.len()).expect("few");
    let mut bytes = vec![count, 0, 0, 0, 0, 0, 0, 0, 0xd2, 2, 0x96, 0x49, length, 0, 0, 0];
    bytes.extend([0xff, 0xff, 0xff, 0xff, count, 0, 0, 0, 0, 0, 0, 0]);
    for (fields, rest) in records {
        let end = bytes.len() + 9 + usize::from(length);
        bytes.extend([0; 9]);
        for (text, field) in *fields {
            let end = bytes.len() + field;
            bytes.extend(text.bytes());
            bytes.resize(end, 0);
        }
        bytes.extend(*rest);
        bytes.resize(end, 0);
    }
    bytes
}

/// A database of a game with a variation and annotations, a deleted one of Chess960, a guiding
/// text, and a game in each of two other encodings, of which one is not known.
fn files() -> Files {
    use Code::{Mark, Move, Pair};
    let first = [Move(128), Mark(254), Move(128), Move(105), Mark(255), Move(120), Mark(255)];
    let second = [Pair(48 | 48 << 6), Move(3), Pair(38 | 39 << 6), Mark(255)];
    let second = [start(), encoded(&second, &tables::OF_10, false)].concat();
    let third = [25 | 27 << 6, 30 | 28 << 6 | 3 << 14, 55 | 45 << 6 | 1 << 14];
    let games = [
        headed(0, &encoded(&first, &tables::OF_0, true)),
        headed(64 | 10, &second),
        headed(128, &text()),
        headed(5, &encoded_pairs(&third)),
        headed(7, &[1, 2]),
    ];
    let all = [
        notes(
            1,
            &[
                note(0, 2, b"\0\0Best"),
                note(0, 3, &[1]),
                note(3, 0x82, b"\0\0or"),
                note(3, 4, &[2, 1]),
                note(3, 9, &[1]),
            ],
        ),
        notes(
            4,
            &[
                note(1, 0x16, &[0, 0, 0x17, 0x70]),
                note(9, 2, b"\0\0end"),
                whole(0x24, &[0, 0, 0x46, 0x50, 0, 0, 0, 200, 3, 0xe8, 1]),
            ],
        ),
    ];
    let mut moves = vec![0; 26];
    let mut annotations = vec![0; 26];
    let mut index = vec![0, 0, 0x2c, 0, 46, 1, 0, 0, 0, 6];
    index.resize(46, 0);
    let mut more = vec![1, 0, 0, 0, 8, 0, 0, 0];
    more.resize(32, 0);
    for (game, number) in games.iter().zip(1..) {
        let end = index.len() + 46;
        let flags = match number {
            2 => 0x81,
            3 => 3,
            _ => 1,
        };
        index.extend([flags, 0, 0, 0, u8::try_from(moves.len()).expect("short")]);
        moves.extend(game);
        let own = match number {
            1 => Some(&all[0]),
            4 => Some(&all[1]),
            _ => None,
        };
        if number != 3 {
            let place = own.map_or(0, |_| annotations.len());
            index.extend([0, 0, 0, u8::try_from(place).expect("short")]);
            annotations.extend(own.into_iter().flatten());
            index.extend([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            // The 11th of May 1997, drawn, round 6.1, rated 2785 and none, B17, a novelty.
            index.extend([0x0f, 0x9a, 0xab, 1, 0, 6, 1, 0x0a, 0xe1, 0, 0, 0x3b, 0, 0, 8]);
        }
        index.resize(end, 0);
        let teams: [u8; 8] = if number == 1 { [0; 8] } else { [0xff; 8] };
        more.extend(teams);
    }
    let date = [0xab, 0x9a, 0x0f, 0, 2 | 64, 0, 147, 0, 9, 0, 6];
    vec![
        ("cbh", index),
        ("cbg", moves),
        ("cba", annotations),
        ("cbp", names(58, &[(&[("K\u{e9}", 30), ("G", 20)], &[]), (&[("Deep", 30)], &[])])),
        ("cbt", names(90, &[(&[("Match", 40), ("New York", 30)], &date)])),
        ("cbc", names(53, &[(&[("Me", 45)], &[])])),
        ("cbs", names(59, &[(&[("Mag", 25), ("Pub", 16)], &[])])),
        ("cbe", names(63, &[(&[("Team", 45)], &[0, 0, 0, 0, 0, 0, 0, 0, 0, 53])])),
        ("cbj", more),
    ]
}

fn write(folder: &Path, files: &Files) {
    for (extension, bytes) in files {
        std::fs::write(folder.join(format!("x.{extension}")), bytes).expect("a file");
    }
}

/// The PGN of the database in a folder and the kinds of what was lost, or why there is none.
fn read(folder: &Path) -> Result<(String, Vec<&'static str>), String> {
    read_named(&folder.join("x.cbh"))
}

/// The same of the database that a file names.
fn read_named(path: &Path) -> Result<(String, Vec<&'static str>), String> {
    let losses = Losses::default();
    let found = database::Database::open(path, &losses).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let mut found = found.ok_or("none")?;
    found.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).expect("UTF-8");
    let kinds = losses.counts().into_values().flat_map(|kinds| kinds.into_keys()).collect();
    Ok((text, kinds))
}

#[test]
fn games_become_pgn() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), &files());
    let (text, lost) = read(folder.path()).expect("a database");
    let records: Vec<&str> = text.split("[Event ").skip(1).collect();
    let tags = "\"Match\"]\n[Site \"New York\"]\n[Date \"1997.05.11\"]\n[Round \"6.1\"]\n\
                [White \"Ké, G\"]\n[Black \"Deep\"]\n[Result \"1/2-1/2\"]\n[WhiteElo \"2785\"]\n\
                [ECO \"B17\"]\n[Annotator \"Me\"]\n[EventDate \"1997.05.11\"]\n\
                [EventType \"match (rapid)\"]\n[EventRounds \"6\"]\n[EventCountry \"USA\"]\n\
                [EventCategory \"9\"]\n\
                [SourceTitle \"Mag\"]\n[Source \"Pub\"]\n";
    let first = "[WhiteTeam \"Team\"]\n[BlackTeam \"Team\"]\n[WhiteTeamCountry \"GER\"]\n\
                 [BlackTeamCountry \"GER\"]\n[Medals \"novelty\"]\n\n\
                 1. e4 $1 {Best} 1... e5 ({or} 1... c5 {[%csl Ga1]}) 2. Nf3 1/2-1/2\n\n";
    assert_eq!(records[0], format!("{tags}{first}"));
    let second = "[Medals \"novelty\"]\n[ChessBaseFlags \"D\"]\n[Variant \"Chess960\"]\n\
                  [FEN \"1k5r/4P3/8/8/8/8/8/RK4R1 w G - 0 1\"]\n\n\
                  1. O-O Kc8 2. e8=Q+ 1/2-1/2\n\n";
    assert_eq!(records[1], format!("{tags}{second}"));
    assert!(records[2].contains("[GuidingText \"Title\"]\n\n{<b>one</b>} {zwei )} *"), "{text}");
    let fourth = "1. d4 d5 {[%clkw 0:01:00]} (1... Nf6 {end}) 1/2-1/2\n\n";
    assert!(records[3].ends_with(fourth), "{text}");
    assert!(records[3].contains("[TimeControl \"180+2\"]\n\n"), "{text}");
    assert!(records[4].ends_with("\n\n{The moves are in an unknown encoding.} 1/2-1/2\n\n"));
    let expected = [BRACES, super::game::ENCODINGS, super::DELETIONS, "training questions"];
    assert_eq!(lost, expected);
    assert!(is_companion(&folder.path().join("x.cba")));
    assert!(!is_companion(&folder.path().join("x.cbh")));
}

/// Games and annotations may lie where the index, which has four bytes for a place, cannot tell.
#[test]
fn places_may_be_beyond_4_gib() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut files = files();
    write(folder.path(), &files);
    let whole = read(folder.path()).expect("a database");
    let more = &mut files.iter_mut().find(|file| file.0 == "cbj").expect("a file").1;
    let records: Vec<Vec<u8>> = more.split_off(32).chunks(8).map(<[u8]>::to_vec).collect();
    more[4] = 38;
    let index = std::fs::read(folder.path().join("x.cbh")).expect("a file");
    for (record, entry) in records.into_iter().zip(index.chunks(46).skip(1)) {
        let is_text = entry[0] & 2 != 0;
        let annotations = if is_text { [0; 4] } else { [entry[5], entry[6], entry[7], entry[8]] };
        let far = |place: &[u8]| [&[0, 0, 0, u8::from(place != [0; 4])], place].concat();
        more.extend([&record[..], &[0; 4], &far(&annotations)[..], &[0; 10]].concat());
        more.extend(far(&entry[1..5]));
    }
    write(folder.path(), &files);
    for name in ["x.cbg", "x.cba"] {
        let path = folder.path().join(name);
        let bytes = std::fs::read(&path).expect("a file");
        let mut file = std::fs::File::create(&path).expect("a file");
        // Nothing is written before them.
        file.seek(SeekFrom::Start(1 << 32)).expect("a place");
        file.write_all(&bytes).expect("a file");
    }
    assert_eq!(read(folder.path()), Ok(whole));
}

#[test]
fn missing_files_are_named() {
    for missing in ["cbg", "cba", "cbp", "cbt", "cbc", "cbs"] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        write(folder.path(), &files());
        std::fs::remove_file(folder.path().join(format!("x.{missing}"))).expect("a file");
        let error = read(folder.path()).expect_err(missing);
        assert!(error.contains(&format!("extension {missing} ")), "{error}");
        let index = folder.path().join("x.cbh");
        assert!(matches!(Look::at(&index), Look::Unread(why) if error.ends_with(&why)));
        assert!(!is_companion(&folder.path().join("x.cbj")));
    }
}

/// What is cut off is missed, unless nothing needs it.
#[test]
fn cut_files_are_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = files();
    write(folder.path(), &files);
    let whole = read(folder.path()).expect("a database");
    for (extension, bytes) in &files {
        let path = folder.path().join(format!("x.{extension}"));
        for end in 0..bytes.len() {
            std::fs::write(&path, &bytes[..end]).expect("a file");
            if let Ok((text, lost)) = read(folder.path()) {
                assert!(text == whole.0 || lost != whole.1, "{extension} cut at {end}: {text}");
            }
        }
        std::fs::write(&path, bytes).expect("a file");
    }
}

/// As many records as the index says come out, whatever bit is flipped, or an error.
#[test]
fn flipped_bits_do_no_harm() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = files();
    write(folder.path(), &files);
    for (extension, bytes) in &files {
        let path = folder.path().join(format!("x.{extension}"));
        for bit in every(3, bytes.len() * 8) {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &damaged).expect("a file");
            if let Ok((text, _)) = read(folder.path()) {
                let is_number = *extension == "cbh" && bit < 80;
                let records = text.matches("[Event ").count();
                assert!(is_number || records == 5, "{extension} {bit}: {text}");
            }
        }
        std::fs::write(&path, bytes).expect("a file");
    }
}

/// The files of the database in an archive, with one that is not the database's.
fn archive() -> Vec<u8> {
    let files: Vec<(String, Vec<u8>)> = [("x.html\\1.htm".to_owned(), b"<html>".to_vec())]
        .into_iter()
        .chain(files().into_iter().map(|(extension, bytes)| (format!("X.{extension}"), bytes)))
        .collect();
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    cbv::archive(&files)
}

/// The PGN of an archive in a file of this folder.
fn read_archive(folder: &Path, bytes: &[u8]) -> Result<(String, Vec<&'static str>), String> {
    let path = folder.join("y.cbv");
    std::fs::write(&path, bytes).expect("a file");
    read_named(&path)
}

#[test]
fn an_archive_holds_the_same_games() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), &files());
    let whole = read(folder.path()).expect("a database");
    assert_eq!(read_archive(folder.path(), &archive()), Ok(whole));
    assert_eq!(Look::at(&folder.path().join("y.cbv")), Look::Database);
    assert!(!is_companion(&folder.path().join("y.cbv")));
}

#[test]
fn cut_archives_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let archive = archive();
    for end in 8..archive.len() {
        let error = read_archive(folder.path(), &archive[..end]).expect_err("a part");
        assert!(error.contains("y.cbv") && error.contains("fetch it again"), "{end}: {error}");
    }
}

/// A flipped bit is found, or of no importance.
#[test]
fn flipped_bits_of_an_archive_are_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let archive = archive();
    let whole = read_archive(folder.path(), &archive).expect("a database");
    let records = 8 + 173 * usize::from(archive[2]);
    // The names of teams, and what tells those of games, may be missing.
    let is_spare = |place: usize| (8..records).contains(&place) && (place - 8) / 173 > 7;
    let mut unnoticed = 0;
    for bit in every(5, archive.len() * 8) {
        let place = bit / 8;
        let mut damaged = archive.clone();
        damaged[place] ^= 1 << (bit % 8);
        match read_archive(folder.path(), &damaged) {
            Ok(read) if read != whole => {
                assert!(place >= records || is_spare(place), "{place}");
                unnoticed += usize::from(place >= records);
            }
            Err(error) => assert!(error == "none" || error.contains("y.cbv"), "{error}"),
            Ok(_) => {}
        }
    }
    // The last byte of each block may be no part of its sum.
    assert!(unnoticed <= 8 * usize::from(archive[2]), "{unnoticed}");
}

#[test]
fn hostile_archives_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [head, next] = [8_usize, 8 + 173];
    let number = |archive: &mut [u8], place: usize, number: u64| {
        archive[place..place + 8].copy_from_slice(&number.to_le_bytes());
    };
    let index = |bytes: &[u8]| cbv::archive(&[("a.cbh", bytes)]);
    let two = cbv::archive(&[("a.cbh", b"1"), ("b.cbh", b"2")]);
    let none = cbv::archive(&[("a.cbf", b"1")]);
    let mut large = index(b"1");
    number(&mut large, head + 128 + 8, 1 << 20);
    number(&mut large, head + 165, 1 << 20);
    let mut far = index(b"1");
    number(&mut far, head + 149, u64::MAX << 32 | next as u64);
    let mut short = index(&[b'x'; 100]);
    number(&mut short, head + 128 + 8, 99);
    number(&mut short, head + 165, 99);
    let mut long = index(&[b'x'; 100]);
    number(&mut long, head + 128 + 8, 101);
    number(&mut long, head + 165, 101);
    let mut foreign = index(b"1");
    foreign[next + 4] = 4;
    foreign[next + 2] = 4;
    foreign[next + 3] = b'1';
    for (archive, said) in [
        (two, "several databases"),
        (none, "without a database"),
        (large, "2,000 times"),
        (far, "ends before a file"),
        (short, "longer than the archive says"),
        (long, "100 of its 101 bytes"),
        (foreign, "an unknown way"),
        (index(b"1"), "not the index"),
    ] {
        let error = read_archive(folder.path(), &archive).expect_err(said);
        assert!(error.contains(said), "{error}");
    }
    // What ChessBase alone can read is refused with a way out.
    for (name, said) in [("a.cbz", "without a password"), ("b.2cbh", "ChessBase 17")] {
        let path = folder.path().join(name);
        std::fs::write(&path, [0x47, 0x87, 0, 0x61, 0xa2]).expect("a file");
        assert!(matches!(Look::at(&path), Look::Unread(why) if why.contains(said)));
        std::fs::write(&path, "1. e4 *").expect("a file");
        assert_eq!(Look::at(&path), Look::Other);
    }
}

/// Writes the seeds of the fuzz targets `database_read` and `cbv_read`.
#[test]
#[ignore = "writes into the tree"]
fn write_seeds() {
    let mut seed = Vec::new();
    for (_, bytes) in files() {
        seed.extend(u16::try_from(bytes.len()).expect("a short file").to_le_bytes());
        seed.extend(bytes);
    }
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    for (target, seed) in [("database_read", seed), ("cbv_read", archive())] {
        let folder = seeds.join(target);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("chessbase"), seed).expect("a file");
    }
}
