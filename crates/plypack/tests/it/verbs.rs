//! Summaries, verification, duplicates and made-up games through the public API.

#![allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plypack::{
    Contents, Deduplicator, Error, Kept, Likeness, LineCodec, Merger, Notation, Outcome,
    PackedFile, Packer, PlayerLister, Progress, Synthesizer, list, packed_files,
};

/// A game and its beginning, by the same players on the same day; and one of other players.
const GAMES: &str = "[White \"Tal, M\"]\n[Black \"Keres, P\"]\n[Date \"1959.09.07\"]\n\
    [Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 1-0\n\n\
    [White \"Tal, M\"]\n[Black \"Keres, P\"]\n[Date \"1959.09.07\"]\n[Result \"*\"]\n\n\
    1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O {castles} Be7 *\n\n\
    [White \"Smyslov, V\"]\n[Black \"Keres, P\"]\n[Date \"1959.09.07\"]\n[Result \"*\"]\n\n\
    1. e4 e5 2. Ke8 *\n\n";

fn packed(folder: &Path, name: &str, text: &'static str) -> PathBuf {
    let path = folder.join(name);
    let packer = Packer::new().reader("a.pgn", text.as_bytes()).index(true);
    packer.pack(&path).expect("it is packed");
    path
}

#[test]
fn summaries_say_what_files_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(folder.path(), "a.parquet", GAMES);
    let positions = folder.path().join("b.parquet");
    let line = &b"4k3/P7/8/8/8/8/8/4K3 w - - bm a8=Q+;\nnonsense\n"[..];
    Packer::new().reader("b.epd", line).pack(&positions).expect("it is packed");
    let held = list(folder.path()).expect("summaries");
    assert_eq!(held[0], PackedFile::open(&path).expect("open").summary().expect("a summary"));
    assert_eq!((held.len(), &held[0].path, &held[1].path), (2, &path, &positions));
    assert_eq!((held[0].contents, &held[0].game[..]), (Contents::Games, "chess"));
    assert!(held[0].codecs[0].starts_with("chess/line.default/"), "{:?}", held[0].codecs);
    assert_eq!((held[0].records, held[0].plies, held[0].faulty), (3, 23, 1));
    assert_eq!(held[0].bytes, std::fs::metadata(&path).expect("it is there").len());
    assert_eq!(held[0].columns["moves"], held[0].move_bytes());
    let bits = held[0].bits_per_ply().expect("plies");
    assert!((bits - 8.0 * held[0].move_bytes() as f64 / 23.0).abs() < 1e-9);
    assert_eq!((held[0].bits_per_position(), held[0].verbatim_records()), (None, 0));
    assert_eq!((held[1].contents, held[1].records), (Contents::Positions, 2));
    assert_eq!((held[1].positions, held[1].bits_per_ply()), (1, None));
    assert_eq!(held[1].verbatim_records(), held[1].verbatim.values().sum::<u64>());
    assert!(held[1].bits_per_position().is_some());
    assert!(matches!(list(folder.path().join("none")), Err(Error::Io { .. })));
    let whole = PackedFile::open(&path).expect("open").completeness().expect("columns");
    assert!(whole.is_some_and(|whole| whole.is_whole() && whole.packed == Some(3)));
}

#[test]
fn verification_names_what_is_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(folder.path(), "a.parquet", GAMES);
    let file = PackedFile::open(&path).expect("a packed file");
    let mut told = 0;
    let verifier = file.verifier().threads(1).progress(|so_far| {
        told = so_far.records;
        ControlFlow::Continue(())
    });
    assert!(verifier.verify().expect("it can be read").is_empty());
    assert_eq!((told, file.unchecked_records().expect("columns")), (3, 0));
    let index = folder.path().join("a.plyindex");
    assert_eq!(file.indices(), [index.as_path()]);
    assert!(file.verifier().verify_indices().expect("it can be read").is_empty());
    let stopped = file.verifier().stop(Arc::new(AtomicBool::new(true))).verify();
    assert!(matches!(stopped, Err(Error::Stopped)));

    let whole = std::fs::read(&path).expect("read");
    let mut pages = 0;
    for at in (4..whole.len()).step_by(31) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        std::fs::write(&path, damaged).expect("written");
        let Ok(file) = PackedFile::open(&path) else { continue };
        let Ok(faults) = file.verifier().verify() else { continue };
        assert_eq!(file.verify().is_ok(), faults.is_empty(), "byte {at}");
        assert!(file.verifier().faults_max(0).verify().is_ok_and(|some| some.len() <= 1));
        for fault in &faults {
            assert!(fault.to_string().contains("a.parquet"), "{fault}");
            pages += usize::from(matches!(fault, Error::Page { first: 1, last: 3, .. }));
        }
    }
    assert!(pages > 0);
    std::fs::write(&path, whole).expect("written");

    let mut bytes = std::fs::read(&index).expect("read");
    bytes[9] ^= 1;
    std::fs::write(&index, bytes).expect("written");
    let refused = PackedFile::open(&path).expect("open").verifier().verify_indices();
    let refused = refused.expect("it can be read");
    assert!(refused[0].path == index && !refused[0].is_stale, "{refused:?}");
}

#[test]
fn copies_are_found_and_deleted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(folder.path(), "a.parquet", GAMES);
    let find = || Deduplicator::new().file(folder.path()).file(&path);
    let found = find().find().expect("it can be read");
    assert_eq!(found.len(), 1, "{found:?}");
    let copy = &found[0];
    assert_eq!((copy.number, copy.of_number, copy.likeness), (2, 1, Likeness::FirstMoves));
    assert_eq!((&copy.path, &copy.of_path), (&path, &path));
    assert_eq!((copy.plies, copy.of_plies), (10, 11));
    assert_eq!((copy.annotations > 0, copy.is_annotated_otherwise), (true, true));
    assert_eq!((copy.outcome, copy.of_outcome), (None, Some(Outcome::WhiteWon)));
    assert!(copy.id.starts_with("2-") && !copy.is_kept);
    let annotated = find().keep(Kept::Annotated).find().expect("it can be read");
    assert_eq!((annotated[0].number, annotated[0].of_number), (1, 2));
    let stopped = find().progress(|_| ControlFlow::Break(())).delete();
    assert!(matches!(stopped, Err(Error::Stopped)));
    let open = || PackedFile::open(&path).expect("a packed file");
    assert_eq!(open().len(), 3);
    assert_eq!(find().threads(1).delete().expect("it is changed"), found);
    assert_eq!((open().len(), open().indices().len()), (2, 1));
    assert!(open().verifier().verify_indices().expect("it can be read").is_empty());
    assert!(find().delete().expect("it can be read").is_empty());

    // All files are treated as one.
    let both = folder.path().join("both");
    std::fs::create_dir(&both).expect("a folder");
    let first = both.join("1.parquet");
    Merger::new().file(&path).merge(&first).expect("a copy");
    let second = packed(&both, "2.parquet", GAMES);
    let found = Deduplicator::new().file(&both).delete().expect("they are changed");
    assert!(found.iter().all(|copy| copy.path == second && copy.of_path == first), "{found:?}");
    let left = [&first, &second].map(|path| PackedFile::open(path).expect("open").len());
    assert_eq!((found.len(), left), (3, [2, 0]));
    let positions = folder.path().join("p.parquet");
    let line = &b"4k3/P7/8/8/8/8/8/4K3 w - -\n"[..];
    Packer::new().reader("p.epd", line).pack(&positions).expect("it is packed");
    let refused = Deduplicator::new().file(positions).find();
    assert!(matches!(refused, Err(Error::File { .. })), "{refused:?}");
}

#[test]
fn games_with_other_results_stay_unless_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7";
    let game = |result| {
        let tags = "[White \"Tal, M\"]\n[Black \"Keres, P\"]\n[Date \"1959.09.07\"]";
        format!("{tags}\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    };
    let text = [game("1-0"), game("0-1")].concat();
    let path = folder.path().join("a.parquet");
    Packer::new().reader("a.pgn", std::io::Cursor::new(text)).pack(&path).expect("packed");
    let kept = Deduplicator::new().file(&path).delete().expect("it can be read");
    assert!(kept.len() == 1 && kept[0].is_kept && kept[0].likeness == Likeness::Moves);
    let len = || PackedFile::open(&path).expect("a packed file").len();
    assert_eq!(len(), 2);
    let gone = Deduplicator::new().file(&path).any_outcome(true).delete().expect("changed");
    assert!(gone.len() == 1 && !gone[0].is_kept);
    assert_eq!(len(), 1);
}

#[test]
fn players_are_listed_each_with_whom_they_may_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(folder.path(), "a.parquet", GAMES);
    let more = "[White \"M. Tal\"]\n[Black \"Tal, Mikhail\"]\n[Result \"0-1\"]\n\n1. e4 0-1\n\n";
    packed(folder.path(), "b.parquet", more);
    // A file that is added twice counts once.
    let lister = || PlayerLister::new().file(folder.path()).file(&path);
    let players = lister().list().expect("they can be read");
    let told: Vec<_> = players
        .iter()
        .map(|(player, perhaps)| {
            let perhaps: Vec<&str> = perhaps.iter().map(|other| other.name()).collect();
            (player.name(), player.career.games, player.career.wins, perhaps)
        })
        .collect();
    let expected = [
        ("Keres, P", 3, 0, vec![]),
        ("Tal, M", 3, 1, vec!["Tal, Mikhail"]),
        ("Smyslov, V", 1, 0, vec![]),
        ("Tal, Mikhail", 1, 1, vec!["Tal, M"]),
    ];
    assert_eq!(told, expected);
    let some = lister().name("tal").limit(1).list().expect("they can be read");
    assert_eq!(some.iter().map(|(player, _)| player.name()).collect::<Vec<_>>(), ["Tal, M"]);
    let positions = folder.path().join("p.parquet");
    let line = &b"4k3/P7/8/8/8/8/8/4K3 w - -\n"[..];
    Packer::new().reader("p.epd", line).pack(&positions).expect("it is packed");
    let refused = PlayerLister::new().file(positions).list().map(drop);
    assert!(matches!(refused, Err(Error::File { .. })), "{refused:?}");
}

#[test]
fn made_up_games_depend_on_the_seed() {
    let folder = tempfile::tempdir().expect("a folder");
    let codec: LineCodec = "tictactoe/small".parse().expect("a codec");
    let made = |games, seed| {
        let mut text = Vec::new();
        let synthesizer = Synthesizer::new(codec, games).seed(seed).threads(2);
        synthesizer.to_writer(&mut text).expect("games");
        text
    };
    let text = made(700, 7);
    assert!(text.starts_with(&made(30, 7)) && !text.starts_with(&made(30, 8)));
    let [plain, packed, back] =
        ["a.pgn", "a.parquet", "b.pgn"].map(|name| folder.path().join(name));
    let mut told = 0;
    let synthesizer = Synthesizer::new(codec, 700).seed(7).progress(|so_far| {
        told = so_far.records;
        ControlFlow::Continue(())
    });
    synthesizer.to_file(&plain).expect("games");
    assert_eq!((std::fs::read(&plain).expect("read"), told), (text.clone(), 700));
    let small = plain.with_extension("pgn.gz");
    Synthesizer::new(codec, 700).seed(7).to_file(&small).expect("games");
    let size = std::fs::metadata(&small).expect("it is there").len();
    assert!(size < text.len() as u64 / 2);
    let report = Synthesizer::new(codec, 700).seed(7).pack(&packed).expect("games");
    assert_eq!((report.records, report.faulty, report.verbatim), (700, 0, 0));
    plypack::unpack(&packed, &back).expect("it is unpacked");
    assert_eq!(std::fs::read(&back).expect("read"), text);

    let stop = Arc::new(AtomicBool::new(false));
    let synthesizer = Synthesizer::new(codec, 1 << 40).stop(stop.clone()).progress(|_| {
        stop.store(true, Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    let gone = folder.path().join("c.parquet");
    assert!(matches!(synthesizer.pack(&gone), Err(Error::Stopped)) && !gone.exists());
    let codec: LineCodec = "chess/line.text".parse().expect("a codec");
    for refused in [
        Synthesizer::new(codec, 1).to_writer(Vec::new()),
        Synthesizer::new(codec, 1).to_file(&gone),
        Synthesizer::new(codec, 1).pack(&gone).map(drop),
    ] {
        assert!(matches!(refused, Err(Error::Model { .. })), "{refused:?}");
    }
    assert!(!gone.exists());
}

#[test]
fn a_flag_stops_what_is_at_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(folder.path(), "a.parquet", GAMES);
    let stop = || Arc::new(AtomicBool::new(true));
    let packer = Packer::new().reader("b.pgn", GAMES.as_bytes()).stop(stop());
    assert!(matches!(packer.pack(folder.path().join("b.parquet")), Err(Error::Stopped)));
    let file = PackedFile::open(&path).expect("a packed file");
    let stopped = [
        file.unpacker().stop(stop()).to_writer(Vec::new()).map(drop),
        file.indexer().rebuild(true).stop(stop()).build().map(drop),
        file.deleter().records([1]).stop(stop()).delete().map(drop),
        Merger::new().file(&path).stop(stop()).merge(folder.path().join("c.parquet")).map(drop),
        Deduplicator::new().file(&path).stop(stop()).delete().map(drop),
        PlayerLister::new().file(&path).stop(stop()).list().map(drop),
    ];
    assert!(stopped.iter().all(|done| matches!(done, Err(Error::Stopped))), "{stopped:?}");
    let mut names: Vec<_> = std::fs::read_dir(folder.path()).expect("read").collect();
    assert_eq!(names.drain(..).count(), 2);
}

#[test]
fn an_output_that_is_there_is_refused_if_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(folder.path(), "a.parquet", GAMES);
    let file = PackedFile::open(&path).expect("a packed file");
    let there = folder.path().join("there.parquet");
    let codec: LineCodec = "tictactoe/small".parse().expect("a codec");
    let each = |overwrite| {
        std::fs::write(&there, "mine").expect("written");
        let packer = Packer::new().reader("b.pgn", GAMES.as_bytes()).overwrite(overwrite);
        let synthesizer = || Synthesizer::new(codec, 1).overwrite(overwrite);
        [
            packer.pack(&there).map(drop),
            file.unpacker().overwrite(overwrite).to_file(&there).map(drop),
            Merger::new().file(&path).overwrite(overwrite).merge(&there).map(drop),
            file.deleter().records([1]).overwrite(overwrite).delete_to(&there).map(drop),
            synthesizer().to_file(&there),
            synthesizer().pack(&there).map(drop),
        ]
    };
    for refused in each(false) {
        assert!(
            matches!(&refused, Err(Error::Exists { path, .. }) if *path == there),
            "{refused:?}"
        );
    }
    assert_eq!(std::fs::read(&there).expect("read"), b"mine");
    assert!(each(true).iter().all(Result::is_ok));
}

#[test]
fn records_are_deleted_by_their_ids_while_they_are_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(folder.path(), "a.parquet", GAMES);
    let (open, left) = (|| PackedFile::open(&path).expect("open"), folder.path().join("b.parquet"));
    let found = Deduplicator::new().file(&path).find().expect("it can be read");
    let (file, id) = (open(), found[0].id.clone());
    let chosen = || file.deleter().ids([&id]).records([2, 3]);
    assert_eq!(chosen().count().expect("they are there"), 2);
    assert_eq!(chosen().delete_to(&left).expect("a file"), 2);
    assert_eq!((open().len(), PackedFile::open(&left).expect("open").len()), (3, 1));
    assert!(matches!(file.deleter().ids(["2"]).count(), Err(Error::Parse { .. })));
    assert!(matches!(chosen().delete_to(&path), Err(Error::Io { .. })));
    assert_eq!(file.deleter().ids([&id]).delete().expect("it is there"), 1);
    let gone = open().deleter().ids([&id]).delete();
    assert!(matches!(gone, Err(Error::Gone { record: 2, .. })), "{gone:?}");
    assert_eq!(open().len(), 2);
}

#[test]
fn a_file_without_its_index_is_told_from_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(folder.path(), "a.parquet", GAMES);
    let [output, index] = ["b.parquet", "b.plyindex"].map(|name| folder.path().join(name));
    std::fs::create_dir(&index).expect("a folder");
    let merged = Merger::new().file(&path).merge(&output);
    let Err(error) = merged else { panic!("{merged:?}") };
    assert!(error.to_string().contains("plypack index"), "{error}");
    let Error::Unindexed { path: of, source, .. } = error else { panic!("{error:?}") };
    assert!(of == output && matches!(*source, Error::Io { .. }), "{source:?}");
    assert_eq!(PackedFile::open(&output).expect("it is whole").len(), 3);
}

/// Two files of games in a folder.
fn inputs(folder: &Path) -> [PathBuf; 2] {
    let inputs = ["a.pgn", "b.pgn"].map(|name| folder.join(name));
    for (path, text) in inputs.iter().zip([GAMES, "1. d4 d5 *\n\n"]) {
        std::fs::write(path, text).expect("written");
    }
    inputs
}

#[test]
fn a_folder_gets_files_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let [a, b] = inputs(folder.path());
    let packed = folder.path().join("packed");
    let missing = Packer::new().input(folder.path().join("none.pgn")).append_to_folder(&packed);
    assert!(matches!(missing, Err(Error::Io { .. })) && !packed.exists());
    let codec: LineCodec = "chess/line.uniform".parse().expect("a codec");
    let packer = Packer::new().input(&a).line_codec(codec).index(true);
    let first = packer.append_to_folder(&packed).expect("a packed file");
    assert_eq!(first.summary.path, packed.join("a.parquet"));
    let second = Packer::new().input(&a).input(&b).append_to_folder(&packed).expect("another");
    assert_eq!(second.summary.path, packed.join("a.2.parquet"));
    assert_eq!((second.records, second.inputs, second.records_before), (4, 2, 0));
    // Like the games that are there, and indexed as they are.
    assert_eq!(second.summary.codecs, first.summary.codecs);
    assert!(second.index.is_some());
    let paths = packed_files(&packed).expect("two files");
    assert_eq!(paths, [second.summary.path, first.summary.path.clone()]);
    let own = PackedFile::open(&first.summary.path).expect("open").line_codec().expect("a codec");
    assert_eq!(own, Some(codec));
    let third = Packer::new().input(&b).append(&first.summary.path).expect("an appended file");
    assert_eq!((third.records, third.records_before), (1, 3));
}

/// Another run may take a name between the moment when it is found to be free and the one when the
/// file is begun.
#[test]
fn threads_that_append_to_a_folder_at_once_all_succeed() {
    let folder = tempfile::tempdir().expect("a folder");
    let [_, b] = inputs(folder.path());
    let packed = folder.path().join("packed");
    Packer::new().input(&b).index(true).append_to_folder(&packed).expect("a packed file");
    let append = || {
        for _ in 0..12 {
            Packer::new().input(&b).append_to_folder(&packed).expect("another");
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(append);
        }
    });
    let files = packed_files(&packed).expect("files");
    assert_eq!(files.len(), 1 + 6 * 12);
    let is_indexed = |path: &PathBuf| path.with_extension("plyindex").is_file();
    assert!(files.iter().all(is_indexed), "{files:?}");
}

#[test]
fn a_stream_gets_the_same_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let [a, b] = inputs(folder.path());
    let output = folder.path().join("a.parquet");
    let mut packer = Packer::new().input(&a).input(&b);
    assert_eq!(packer.default_output().expect("a name"), output);
    assert!(packer.check_output(&output).is_ok() && packer.check_output(&b).is_err());
    let mut told = Progress::default();
    let packer = packer.progress(|so_far| {
        told = *so_far;
        ControlFlow::Continue(())
    });
    let report = packer.pack(&output).expect("it is packed");
    let size = [&a, &b].map(|path| path.metadata().expect("it is there").len()).iter().sum();
    assert_eq!((told.records, told.read, told.size), (4, size, Some(size)));
    let mut bytes = Vec::new();
    let streamed = Packer::new().input(&a).input(&b).to_writer("memory", &mut bytes);
    assert_eq!(bytes, std::fs::read(&output).expect("read"));
    let streamed = streamed.expect("it is packed");
    assert_eq!(streamed.summary.columns, report.summary.columns);
    assert_eq!(
        (report.inputs, report.has_folders, report.summary.bytes),
        (2, false, report.output_bytes)
    );
    let mut merged = Vec::new();
    let merger = Merger::new().file(&output).file(&output);
    assert_eq!(merger.to_writer("memory", &mut merged).expect("it is merged").records, 8);
    let whole = folder.path().join("whole.parquet");
    Merger::new().file(&output).file(&output).merge(&whole).expect("it is merged");
    assert_eq!(merged, std::fs::read(&whole).expect("read"));
}

#[test]
fn inputs_come_back_as_files_or_in_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let [a, b] = inputs(folder.path());
    let [path, back, text, pgn] =
        ["ab.parquet", "back", "ab.pgn.gz", "ab.pgn"].map(|name| folder.path().join(name));
    Packer::new().input(&a).input(&b).pack(&path).expect("it is packed");
    let file = PackedFile::open(&path).expect("a packed file");
    assert_eq!(file.unpacker().to_folder(&back).expect("two files").inputs, 2);
    assert_eq!(std::fs::read(back.join("a.pgn")).expect("read"), GAMES.as_bytes());
    let again = file.unpacker().overwrite(false).to_folder(&back);
    assert!(matches!(again, Err(Error::Exists { .. })));
    assert_eq!(file.unpacker().default_output().expect("a name"), pgn);
    file.unpacker().compressed(true).to_file(&text).expect("it is unpacked");
    assert!(std::fs::read(&text).expect("read").starts_with(&[0x1f, 0x8b]));
    let mut part = Vec::new();
    let report = file.unpacker().records(4..=9).to_writer(&mut part).expect("one record");
    assert_eq!((&part[..], report.inputs), (&b"1. d4 d5 *\n\n"[..], 1));
    let mut records = Vec::new();
    let unpacker = file.unpacker().records(3..=4);
    let each = unpacker.try_for_each_record(|number, input, bytes| {
        records.push((number, input.to_owned(), bytes.len()));
        Ok(())
    });
    each.expect("two records");
    assert_eq!(records.last(), Some(&(4, "b.pgn".to_owned(), 12)));
    let mut converted = Vec::new();
    let unpacker = file.unpacker().as_pgn(Notation::Coordinate);
    let report = unpacker.to_writer(&mut converted).expect("it is converted");
    assert_eq!((report.inputs, report.changed, report.left_out, report.sgf), (2, 0, 0, 0));
    assert!(String::from_utf8_lossy(&converted).contains("1. e2e4 e7e5"));
}
