//! Packing, reading and unpacking files through the public API.

#![cfg(feature = "file")]
#![allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use plypack::{
    Boards, Contents, Date, Error, Evaluation, Notation, Outcome, PackedFile, Packer, Scan,
    Variation, pack, unpack,
};

const GAMES: &str = "[White \"A\"]\n[Date \"1851.06.??\"]\n[Result \"1-0\"]\n[WhiteElo \"2100\"]\n\
    \n1. e4 {good} e5! (1... c5 $14 2. Nf3 (2. c3 d5)) 2. f4 {[%clk 0:01:02] sharp} 1-0\n\n\
    [White \"B\"]\n[Result \"*\"]\n\n1. d4 d5 2. Kd8 c5 *\n\n\
    [White \"C\"]\n[SetUp \"1\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=Q+ *\n\n";

fn packed(folder: &Path, text: &'static str) -> PackedFile {
    let path = folder.join("packed.parquet");
    Packer::new().reader("a.pgn", text.as_bytes()).threads(1).pack(&path).expect("it is packed");
    PackedFile::open(&path).expect("a packed file")
}

#[test]
fn bytes_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let [input, middle, output] = ["a.pgn", "a.parquet", "b.pgn"].map(|n| folder.path().join(n));
    std::fs::write(&input, GAMES).expect("written");
    let report = pack(&input, &middle).expect("it is packed");
    assert_eq!((report.records, report.plies, report.faulty), (3, 6, 1));
    assert_eq!((report.notices[0].record, report.notices[0].line), (2, 8));
    unpack(&middle, &output).expect("it is unpacked");
    assert_eq!(std::fs::read_to_string(&output).expect("read"), GAMES);
    let file = PackedFile::open(&middle).expect("a packed file");
    assert_eq!(file.inputs().expect("names"), ["a.pgn"]);
    file.verify().expect("it is undamaged");
    assert!(file.is_whole().expect("it can be read"));
    let mut bytes = Vec::new();
    file.unpacker().threads(1).to_writer(&mut bytes).expect("it is unpacked");
    assert_eq!(bytes, GAMES.as_bytes());
}

#[test]
fn records_say_what_they_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = packed(folder.path(), GAMES);
    assert_eq!((file.contents(), file.len(), file.is_empty()), (Contents::Games, 3, false));
    let games: Vec<_> = file.games().collect::<Result<_, _>>().expect("games");
    let [first, second, third] = &games[..] else { panic!("{games:?}") };
    assert_eq!((first.number(), first.input(), first.plies()), (1, "a.pgn", 3));
    assert_eq!((first.white_rating(), first.black_rating()), (Some(2100), None));
    assert_eq!((first.outcome(), second.outcome()), (Some(Outcome::WhiteWon), None));
    assert_eq!(first.date(), "1851.06".parse::<Date>().ok());
    assert_eq!(first.tags().map(|tag| tag.0).collect::<Vec<_>>()[..2], ["White", "Date"]);
    assert_eq!(first.rules().expect("a game").map(|rules| rules.name()), Some("chess"));
    let moves = |number| file.game(number).and_then(|game| game.moves(Notation::Coordinate));
    assert_eq!(moves(1).expect("moves").to_string(), "e2e4 e7e5 f2f4");
    assert_eq!(first.rest().expect("known"), None);
    assert_eq!(second.rest().expect("known").as_deref(), Some("2. Kd8 c5 *"));
    assert_eq!(third.start(), Some("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"));
    assert_eq!(third.tag("FEN"), third.start());
    let (codec, cell) = first.cell().expect("a codec").expect("moves");
    assert_eq!(codec.decode(&cell).expect("our own cell").to_string(), "e4 e5 f4");
    let mut steps = third.cursor().expect("a line").expect("moves");
    assert!(steps.advance().expect("a move"));
    assert_eq!(steps.position(), "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1");
    let originals: Vec<u8> =
        games.iter().flat_map(|game| game.original().expect("its bytes")).collect();
    assert_eq!(originals, GAMES.as_bytes());
}

#[test]
fn variations_are_a_tree() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = packed(folder.path(), GAMES);
    let tree = file.game(1).and_then(|game| game.tree(Notation::Customary)).expect("a tree");
    let show = |line: &Variation| {
        let moves = line.moves.iter().map(|mv| format!("{}.{}", mv.ply, mv.text));
        moves.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(show(&tree), "1.e4 2.e5 3.f4");
    assert_eq!(tree.moves[0].comments, ["good"]);
    assert_eq!(tree.moves[1].glyphs, [1]);
    let variation = &tree.moves[1].variations[0];
    assert_eq!((show(variation), &variation.moves[0].glyphs[..]), ("2.c5 3.Nf3".into(), &[14][..]));
    assert_eq!(show(&variation.moves[1].variations[0]), "3.c3 4.d5");
    let last = &tree.moves[2];
    assert_eq!(
        (last.clock, &last.comments[..]),
        (Some(Duration::from_secs(62)), &["sharp".into()][..])
    );
    let tree = file.game(2).and_then(|game| game.tree(Notation::Coordinate)).expect("a tree");
    assert_eq!(
        (show(&tree), &tree.moves[1].unread[..]),
        ("1.d2d4 2.d7d5".into(), &["2. Kd8 c5 *".into()][..])
    );
}

#[test]
fn values_stand_beside_their_moves() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/annotated.pgn");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    pack(sample, &path).expect("it is packed");
    let game = PackedFile::open(&path).and_then(|file| file.game(1)).expect("a game");
    let tree = game.tree(Notation::Customary).expect("a tree");
    let clocks: Vec<u64> =
        tree.moves.iter().map(|mv| mv.clock.map_or(0, |clock| clock.as_secs())).collect();
    assert_eq!(clocks, [180, 180, 178, 175, 177, 169, 171, 160, 153, 151, 152, 150, 151]);
    assert_eq!(tree.moves[5].evaluation, Some(Evaluation::Centipawns(105)));
    assert_eq!(tree.moves[9].evaluation, Some(Evaluation::Mate(2)));
    assert_eq!((tree.moves[12].evaluation, &tree.moves[12].glyphs[..]), (None, &[1][..]));
    assert_eq!(tree.moves[5].comments, ["Inaccuracy. Nf6 was best."]);
    let inner = &tree.moves[5].variations[0].moves[1].variations[0];
    assert_eq!(inner.moves[1].comments, ["blocks the bishop"]);
}

#[test]
fn games_are_skipped_unread() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = packed(folder.path(), GAMES);
    let third = file.games().nth(2).expect("a third").expect("a game");
    assert_eq!((third.number(), third.tag("White")), (3, Some("C")));
    assert!(file.games().nth(3).is_none());
    assert_eq!(file.games().skip(1).count(), 2);
    assert!(matches!(file.game(0), Err(Error::Record { record: 0, .. })));
    assert!(matches!(file.game(4), Err(Error::Record { .. })));
}

#[test]
fn positions_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    let text =
        "4k3/P7/8/8/8/8/8/4K3 w - - bm a8=Q+; id \"a\";\n# none\n4k3/8/8/8/8/8/8/4K3 b - - 3 9\n";
    Packer::new().reader("a.epd", text.as_bytes()).pack(&path).expect("it is packed");
    let file = PackedFile::open(&path).expect("a packed file");
    assert_eq!((file.contents(), file.len()), (Contents::Positions, 3));
    let lines: Vec<_> = file.positions().collect::<Result<_, _>>().expect("positions");
    assert_eq!(lines[0].position.as_deref(), Some("4k3/P7/8/8/8/8/8/4K3 w - -"));
    assert_eq!((lines[0].operation("bm"), lines[0].operation("id")), (Some("a8=Q+"), Some("a")));
    assert_eq!((lines[1].number, &lines[1].position), (2, &None));
    assert_eq!(lines[2].position.as_deref(), Some("4k3/8/8/8/8/8/8/4K3 b - - 3 9"));
    let mut games = file.games();
    assert!(matches!(games.next(), Some(Err(Error::File { .. }))));
    assert!(games.next().is_none() && file.game(1).is_err());
}

#[test]
fn a_closure_stops_the_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    let mut told = 0;
    let packer = Packer::new().reader("a.pgn", GAMES.as_bytes()).progress(|so_far| {
        told = so_far.records;
        ControlFlow::Break(())
    });
    assert!(matches!(packer.pack(&path), Err(Error::Stopped)));
    assert_eq!((told, std::fs::read_dir(folder.path()).expect("a folder").count()), (3, 0));
    let file = packed(folder.path(), GAMES);
    let output = folder.path().join("b.pgn");
    let stopped = file.unpacker().progress(|_| ControlFlow::Break(())).to_file(&output);
    assert!(matches!(stopped, Err(Error::Stopped)) && !output.exists());
}

#[test]
fn inputs_of_one_name_keep_their_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = ["x", "y"].map(|name| folder.path().join(name).join("a.pgn"));
    for path in &paths {
        std::fs::create_dir(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, "1. e4 *\n\n").expect("written");
    }
    let output = folder.path().join("a.parquet");
    let packer = Packer::new().input(&paths[0]).input(&paths[1]).reader("b.pgn", &b"1. d4 *\n"[..]);
    packer.pack(&output).expect("it is packed");
    let file = PackedFile::open(&output).expect("a packed file");
    let mut pieces = Vec::new();
    file.unpacker()
        .try_for_each(|name, bytes| {
            pieces.push((name.to_owned(), bytes.len()));
            Ok(())
        })
        .expect("it is unpacked");
    let pieces: Vec<_> = pieces.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    assert_eq!(pieces, [("x/a.pgn", 9), ("y/a.pgn", 9), ("b.pgn", 8)]);
}

#[test]
fn nothing_in_nothing_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, output] = ["a.parquet", "b.pgn"].map(|name| folder.path().join(name));
    assert_eq!(Packer::new().pack(&path).expect("it is packed").records, 0);
    let file = PackedFile::open(&path).expect("a packed file");
    assert!(file.is_empty() && file.games().next().is_none() && file.positions().next().is_none());
    file.unpacker().to_file(&output).expect("it is unpacked");
    assert!(std::fs::read(&output).expect("read").is_empty());
}

#[test]
fn no_file_is_written_over_while_it_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(folder.path(), GAMES).path().to_path_buf();
    let other = folder.path().join(".").join("packed.parquet");
    assert!(matches!(unpack(&path, &other), Err(Error::Io { .. })));
    assert!(matches!(pack(&path, &other), Err(Error::File { .. })));
    assert_eq!(PackedFile::open(&path).expect("it is as it was").len(), 3);
}

#[test]
fn what_is_no_packed_file_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    assert!(matches!(PackedFile::open(&path), Err(Error::Io { .. })));
    std::fs::write(&path, "PAR1 nonsense PAR1").expect("written");
    let error = PackedFile::open(&path).expect_err("no packed file");
    assert!(matches!(error, Error::File { .. }) && error.to_string().contains("a.parquet"));
    assert!(matches!(pack(folder.path().join("none.pgn"), &path), Err(Error::Io { .. })));
}

#[test]
fn damage_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(folder.path(), GAMES).path().to_path_buf();
    let whole = std::fs::read(&path).expect("read");
    let mut found = 0;
    for at in (4..whole.len()).step_by(31) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        std::fs::write(&path, damaged).expect("written");
        let games = PackedFile::open(&path).and_then(|file| {
            let games = file.games().collect::<Result<Vec<_>, _>>()?;
            let originals: Result<Vec<_>, _> = games.iter().map(|game| game.original()).collect();
            assert_eq!(originals?.concat(), GAMES.as_bytes(), "byte {at}");
            Ok(games)
        });
        match games {
            Ok(games) => assert!(games.iter().all(|game| game.tree(Notation::Customary).is_ok())),
            Err(error) => {
                assert!(error.to_string().contains("packed.parquet"), "{error}");
                found += 1;
            }
        }
    }
    // Bytes that no record depends on, such as another program's page index, do no harm.
    assert!(found > whole.len() / 31 / 2, "{found}");
}

#[test]
fn what_is_public_may_cross_threads() {
    fn check<T: Send + Sync>() {}
    check::<PackedFile>();
    check::<plypack::Game>();
    check::<plypack::Games<'static>>();
    check::<plypack::Positions<'static>>();
    check::<Variation>();
}

/// The inputs of `file`, restored, by name.
fn restored(file: &std::path::Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut inputs = std::collections::BTreeMap::<String, Vec<u8>>::new();
    let file = PackedFile::open(file).expect("a packed file");
    let unpacked = file.unpacker().try_for_each(|name, bytes| {
        inputs.entry(name.to_owned()).or_default().extend_from_slice(bytes);
        Ok(())
    });
    unpacked.expect("whole");
    inputs
}

#[test]
fn folders_and_archives_are_inputs() {
    let folder = tempfile::tempdir().expect("a folder");
    let [within, archive, packed] =
        ["games", "more.tar.gz", "all.parquet"].map(|name| folder.path().join(name));
    std::fs::create_dir_all(within.join("deep")).expect("a folder");
    std::fs::write(within.join("deep/a.pgn"), "1. e4 *\n").expect("a file");
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut tar = tar::Builder::new(gzip);
    tar.append_dir_all("x", within.join("deep")).expect("memory");
    let bytes = tar.into_inner().and_then(|gzip| gzip.finish()).expect("memory");
    std::fs::write(&archive, bytes).expect("a file");
    let packer = Packer::new().input(&within).input(&archive).reader("r/b.pgn", &b"1. d4 *\n"[..]);
    assert_eq!(packer.pack(&packed).expect("a packed file").records, 3);
    let names: Vec<String> = restored(&packed).into_keys().collect();
    assert_eq!(names, ["games/deep/a.pgn", "more/x/a.pgn", "r/b.pgn"]);
    // A reader's name is not a path, even if a file is called so.
    let name = packed.to_string_lossy().into_owned();
    let named = Packer::new().reader(name, &b"1. d4 *\n"[..]).pack(&packed);
    assert_eq!(named.expect("a packed file").records, 1);
    let itself = Packer::new().input(&packed).pack(&packed);
    assert!(itself.expect_err("it is packed").to_string().contains("already a packed file"));
}

#[test]
fn files_grow_and_shrink() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, all] = ["a.parquet", "all.parquet"].map(|name| folder.path().join(name));
    let [one, more] = [&b"[White \"A\"]\n\n1. e4 *\n"[..], b"[White \"B\"]\n\n1. d4 *\n"];
    Packer::new().reader("a.pgn", one).index(true).pack(&path).expect("a packed file");
    let report = Packer::new().reader("a.pgn", more).append(&path).expect("an appended file");
    assert_eq!((report.records, &report.renamed[0].1[..]), (1, "a.2.pgn"));
    let indexed = |path: &std::path::Path| {
        let coverage = plypack::Collection::open([path]).expect("a file").coverage();
        (coverage[0].games, coverage[0].indexed)
    };
    assert_eq!(indexed(&path), (2, 2));
    let merger = plypack::Merger::new().file(&path).file(folder.path());
    assert_eq!(merger.merge(&all).expect("a merged file").records, 4);
    assert_eq!(indexed(&all), (4, 4));
    let file = PackedFile::open(&all).expect("a packed file");
    let deleter = file.deleter().condition("White = 'A'").records([2]);
    assert_eq!(deleter.delete().expect("a smaller file"), 3);
    assert_eq!(indexed(&all), (1, 1));
    assert_eq!(restored(&all).into_values().collect::<Vec<_>>(), [more]);
    let gone = PackedFile::open(&all).expect("a packed file").deleter().records([2]).delete();
    assert!(matches!(gone, Err(Error::Record { record: 2, .. })));
    let missing = Packer::new().reader("b.pgn", more).append(folder.path().join("none"));
    assert!(matches!(missing, Err(Error::Io { .. })));
}

#[test]
fn columns_are_tables_of_the_games_that_meet_a_condition() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = packed(folder.path(), GAMES);
    let scan = Scan::new().columns(["game", "white", "Event", "Odd"]).expect("columns");
    let table = scan.table(&file, 0).expect("a table");
    let names: Vec<String> = table.schema().fields().iter().map(|f| f.name().clone()).collect();
    assert_eq!(names, ["game", "White", "Event", "Odd"]);
    assert_eq!((table.num_rows(), table.column(3).null_count()), (3, 3));
    let rated = scan.clone().condition("WhiteElo > 2000").expect("a condition");
    assert_eq!(rated.table(&file, 0).expect("a table").num_rows(), 1);
    assert_eq!(rated.table(&file, 1).expect("no such group").num_rows(), 0);
    let numbers = |games: Vec<plypack::Game>| -> Vec<u64> {
        games.iter().map(plypack::Game::number).collect()
    };
    let other = Scan::new().condition("White <> 'A'").expect("a condition");
    assert_eq!(numbers(other.games(&file, 0).expect("games")), [2, 3]);
    assert_eq!(numbers(scan.games_at(&file, &[3, 1, 3]).expect("games")), [3, 1, 3]);
    assert_eq!(scan.table_of(&file, 0, &[0..1, 2..3]).expect("rows").num_rows(), 2);
    for runs in [vec![1..2, 0..1], vec![2..3, 3..4]] {
        assert!(scan.table_of(&file, 0, &runs).is_err(), "{runs:?}");
    }
    assert!(scan.games_at(&file, &[4]).is_err());
    let misspelt = Scan::new().columns(["move"]).expect_err("no column");
    assert!(misspelt.to_string().contains("did you mean `moves`"), "{misspelt}");
    assert!(Scan::new().condition("WhiteElo >").is_err());
}

#[test]
fn games_with_some_columns_have_the_others_empty() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = packed(folder.path(), GAMES);
    let games = Scan::new().columns(["White", "moves"]).expect("columns").games(&file, 0);
    let games = games.expect("games");
    assert_eq!((games[0].tag("White"), games[0].tag("Result")), (Some("A"), None));
    assert_eq!(games[0].plies(), 3);
    let none = Scan::new().columns(["White"]).expect("columns").games(&file, 0).expect("games");
    assert_eq!(none[0].plies(), 0);
}

#[test]
fn a_source_is_read_like_a_file_and_its_errors_are_told() {
    struct Bytes(Vec<u8>, bool);

    impl plypack::Source for Bytes {
        fn size(&self) -> std::io::Result<u64> {
            Ok(self.0.len() as u64)
        }

        fn read(&self, range: std::ops::Range<u64>) -> std::io::Result<Vec<u8>> {
            let [start, end] =
                [range.start, range.end].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
            // A broken source returns fewer bytes than asked for.
            let end = if self.1 { end - 1 } else { end };
            Ok(self.0[start..end].to_vec())
        }
    }

    let folder = tempfile::tempdir().expect("a folder");
    let file = packed(folder.path(), GAMES);
    let bytes = std::fs::read(file.path()).expect("read");
    let name = Path::new("elsewhere");
    let source = PackedFile::from_source(name, Bytes(bytes.clone(), false)).expect("a file");
    assert_eq!(source.len(), 3);
    let games = Scan::new().games(&source, 0).expect("games");
    assert_eq!(
        games[0].original().expect("text"),
        GAMES.as_bytes()[..games[0].original().expect("text").len()]
    );
    let broken = PackedFile::from_source(name, Bytes(bytes, true));
    assert!(matches!(broken, Err(Error::Io { .. } | Error::File { .. })));
}

#[test]
fn boards_are_what_cursors_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = packed(folder.path(), GAMES);
    let men = file_men();
    for game in file.games().map(|game| game.expect("a game")) {
        let mut boards = Boards::new().with_men(true).with_cells(true).with_legal(true);
        game.boards(&mut boards).expect("boards");
        let mut cursor = game.cursor().expect("a cursor").expect("moves");
        for (row, sets) in boards.men().chunks(men.len()).enumerate() {
            // The board of a FEN, drawn from the bit sets.
            let cells: String = (0..64)
                .map(|cell| {
                    let rank = 7 - cell / 8;
                    let at = rank * 8 + cell % 8;
                    let man = sets.iter().position(|set| set >> at & 1 == 1);
                    assert_eq!(
                        usize::from(boards.cells()[row * 64 + at]),
                        man.map_or(0, |m| m + 1)
                    );
                    man.map_or('1', |man| men.as_bytes()[man].into())
                })
                .collect();
            let fen = cursor.position();
            let board = fen.split(' ').next().expect("a board").replace('/', "");
            let spread: String = board
                .chars()
                .map(|c| c.to_digit(10).map_or(c.into(), |n| "1".repeat(n as usize)))
                .collect();
            assert_eq!(cells, spread);
            let start: usize =
                boards.legal_counts()[..row].iter().map(|&count| usize::from(count)).sum();
            let legal = &boards.legal()[start..][..usize::from(boards.legal_counts()[row])];
            assert!(legal.contains(&boards.moves()[row]));
            assert!(cursor.advance().expect("a move"));
        }
        let rows = boards.len();
        let mut rest = boards.split_off(rows.min(1));
        assert_eq!((boards.len(), rest.len()), (rows.min(1), rows - rows.min(1)));
        boards.append(&mut rest);
        assert_eq!((boards.len(), rest.len()), (rows, 0));
        boards.truncate(0);
        assert!(boards.is_empty() && boards.men().is_empty());
    }
}

fn file_men() -> &'static str {
    "chess".parse::<plypack::Rules>().expect("chess").men()
}
