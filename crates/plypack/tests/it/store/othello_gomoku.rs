//! Othello and gomoku records, in WTHOR, PSQ, SGF and as transcripts, round-trip with their moves
//! coded.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack::reading::identify::Decoded;
use plypack::store::Work;
use plypack::store::input::read_record;
use plypack::store::schema::GROUP_RECORDS_MAX;
use plypack::store::{Options, PackedFile, export, import};
use plypack_core::{ErasedRules, Notation};
use plypack_games::GAMES;
use plypack_records::wthor;

use crate::store::common::{corpus, round_trip, source};

/// Generates a legal game of up to this many moves from a seed.
fn moves(game: &str, seed: u32, plies: usize) -> Vec<String> {
    let game: &dyn ErasedRules = plypack_games::game(game).expect("a game");
    let write = |indices: &[u16]| game.write_moves(None, indices, Notation::Customary);
    let mut indices = Vec::new();
    let mut state = seed;
    while indices.len() < plies {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        indices.push(u16::try_from(state >> 30).expect("two bits"));
        // Index 0 is valid whenever there is a candidate.
        if write(&indices).is_err() {
            *indices.last_mut().expect("one") = 0;
        }
        if write(&indices).is_err() {
            indices.pop();
            break;
        }
    }
    write(&indices).expect("legal moves").iter().map(str::to_owned).collect()
}

/// Writes a WTHOR file with these games, each given as its moves and the bytes after them.
fn wthor_file(games: &[(String, &[u8])]) -> Vec<u8> {
    let count = u32::try_from(games.len()).expect("few");
    let header =
        wthor::Header { made: [20, 16, 10, 29], games: count, year: 2015, ..Default::default() };
    let mut bytes = Vec::new();
    header.write(&mut bytes);
    for ((moves, rest), number) in games.iter().zip(0..) {
        let game = wthor::Game {
            tournament: number,
            black: 7,
            white: 300,
            discs: 40,
            theoretical: 33,
            transcript: moves.clone(),
            rest,
        };
        game.write(&mut bytes).expect("a game");
    }
    bytes
}

#[test]
fn games_of_wthor_come_back() {
    let mut games: Vec<(String, &[u8])> =
        (0..20).map(|seed| (moves("othello", seed, 60).concat(), &[][..])).collect();
    let full = games.iter().map(|game| game.0.len() as u64 / 2).sum::<u64>();
    let (report, summary) = round_trip("plain", &wthor_file(&games), None);
    assert_eq!((report.records, report.plies), (20, full));
    assert_eq!((summary.game.as_str(), summary.patched), ("othello", 0));
    assert_eq!((report.verbatim_records(), report.faulty), (0, 0));
    // Games with no legal move, with one, and with no moves at all; bytes that are not moves.
    games.extend([
        ("a1b1".to_owned(), &[][..]),
        ("f5h8d6".to_owned(), &[]),
        (String::new(), &[]),
        ("f5d6".to_owned(), &[99, 0, 56]),
    ]);
    let bytes = wthor_file(&games);
    let (report, summary) = round_trip("odd", &bytes, None);
    assert_eq!((report.records, report.plies), (24, full + 3));
    assert_eq!((report.verbatim_records(), report.faulty, summary.patched), (0, 2, 1));
    // Truncated, and with bytes after the last game.
    round_trip("cut", &bytes[..bytes.len() - 30], None);
    let (report, _) = round_trip("more", &[&bytes[..], b"[x \"y\"]\n"].concat(), None);
    assert_eq!((report.records, report.plies), (25, full + 3));
    // A header alone, or games that are mostly illegal, are not WTHOR.
    assert_eq!(round_trip("header", &bytes[..16], None).0.plies, 0);
    let illegal = wthor_file(&vec![("a1b1".to_owned(), &[][..]); 9]);
    assert_eq!(round_trip("illegal", &illegal, None).0.plies, 0);
    assert_eq!(round_trip("chess", &bytes, Some("chess")).0.plies, 0);
}

/// Writes a WTHOR file of names.
fn names_file(names: &[&str], bytes: usize) -> Vec<u8> {
    let count = u16::try_from(names.len()).expect("few");
    let mut file = Vec::new();
    wthor::Header { names: count, ..Default::default() }.write(&mut file);
    for name in names {
        wthor::write_name(name, bytes, &mut file).expect("it is short enough");
    }
    file
}

#[test]
fn names_beside_a_file_of_wthor_stand_in_its_columns_and_no_byte_rests_on_them() {
    let games: Vec<(String, &[u8])> =
        (0..3).map(|seed| (moves("othello", seed, 60).concat(), &[][..])).collect();
    let bytes = wthor_file(&games);
    let mut names = wthor::Names::default();
    assert!(names.read_tournaments(&names_file(&["Divers", "Européen"], 26)));
    let players = ["???", "", "", "", "", "", "", "Tamenori"];
    assert!(names.read_players(&names_file(&players, 20)));
    assert!(names.read_year(&bytes));
    let mut input = source("WTH_2015.wtb", &bytes);
    input.names = Some(std::sync::Arc::new(names));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("packed.parquet");
    let codec = plypack_games::line_codec("chess", "line.uniform").expect("a codec");
    let options = Options { codec, positions: None, detect: true };
    import(vec![input], &path, &options, &Work::on(1)).expect("a packed file");
    let file = PackedFile::open(&path).expect("a packed file");
    let mut back = Vec::new();
    let mut sink = |_: &str, piece: &[u8]| {
        back.extend_from_slice(piece);
        Ok(())
    };
    export(&file, &Work::on(1), &mut sink).expect("whole");
    assert!(back == bytes);
    let summary = file.summary().expect("a summary");
    assert_eq!((summary.patched, summary.verbatim_records()), (0, 0));
    let rows = file.read_group(0).expect("rows");
    let tags = |row| -> Vec<(String, String)> {
        let (record, ..) = rows.record(row).expect("a row");
        record.tags.iter().map(|tag| (tag.0.to_owned(), tag.1.to_string())).collect()
    };
    let named = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|pair| (pair.0.to_owned(), pair.1.to_owned())).collect()
    };
    // Player 300 and tournament 2 have no names.
    let expected = [
        ("Event", "Européen"),
        ("Black", "Tamenori"),
        ("White", "300"),
        ("Date", "2015.??.??"),
        ("EventNumber", "1"),
        ("BlackNumber", "7"),
        ("BlackDiscs", "40"),
        ("TheoreticalDiscs", "33"),
    ];
    assert_eq!(tags(1), named(&expected));
    let expected = [
        ("Event", "2"),
        ("Black", "Tamenori"),
        ("White", "300"),
        ("Date", "2015.??.??"),
        ("BlackNumber", "7"),
        ("BlackDiscs", "40"),
        ("TheoreticalDiscs", "33"),
    ];
    assert_eq!(tags(2), named(&expected));
}

#[test]
fn a_file_of_wthor_may_be_longer_than_a_row_group() {
    let games = vec![("f5d6c3".to_owned(), &[][..]); GROUP_RECORDS_MAX + 3];
    let (report, summary) = round_trip("long", &wthor_file(&games), Some("othello"));
    assert_eq!(report.records, GROUP_RECORDS_MAX as u64 + 3);
    assert_eq!((report.plies, summary.patched), (3 * report.records, 0));
}

#[test]
fn transcripts_come_back_and_tell_their_game() {
    let shortest = "e6f4e3f6g5d6e7f5c5";
    let spaced = moves("othello", 3, 60).join(" ");
    let board20 = format!("20\tstandard\t{}\tB\t3\n", moves("gomoku", 5, 30).concat());
    let large = moves("gomoku", 6, 12).concat() + "t20s19h9";
    // The text; the game it shows, or that must be named; plies; faulty and patched records.
    let cases = [
        (format!("{shortest}\n"), Some("othello"), 9, [0, 0]),
        (shortest.to_uppercase() + "\r\n", Some("othello"), 9, [0, 0]),
        (
            format!("id\tmoves\nx#1\t{shortest}\t64\n\ny\t{shortest}\t\n"),
            Some("othello"),
            18,
            [0, 0],
        ),
        (format!("Ünïcode: {shortest} 64:0"), Some("othello"), 9, [0, 0]),
        (format!("{shortest}\n{shortest}\nf5d6a1c3\n"), Some("othello"), 20, [1, 0]),
        (format!("{shortest}\n{shortest}\na1a1a1\n"), Some("othello"), 18, [1, 0]),
        (format!("{shortest}\nf5D6c3\n"), Some("othello"), 12, [0, 1]),
        (format!("{spaced}\n"), None, 60, [0, 0]),
        ("f5d6--c3pass\nf5,d6,c3\n".into(), None, 6, [0, 0]),
        (board20.clone(), Some("gomoku"), 30, [0, 0]),
        (board20.repeat(2) + "15\tfreestyle\th8p16i9\tB\t4\n", Some("gomoku"), 61, [1, 0]),
        (large + "\n", Some("gomoku"), 15, [0, 0]),
    ];
    for (text, told, plies, [faulty, patched]) in cases {
        let game = told.unwrap_or("othello");
        for named in [None, Some(game)].into_iter().filter(|named| named.or(told).is_some()) {
            let (report, summary) = round_trip(&text, text.as_bytes(), named);
            assert_eq!((report.plies, report.faulty), (plies, faulty), "{text}");
            assert_eq!((report.verbatim_records(), summary.patched), (0, patched), "{text}");
            assert_eq!(summary.game, game, "{text}");
        }
        let latin: Vec<u8> = text.chars().filter_map(|sign| u8::try_from(sign).ok()).collect();
        assert_eq!(round_trip(&text, &latin, Some(game)).0.plies, plies, "{text}");
    }
}

#[test]
fn sgf_tells_its_game() {
    // The text; the game; plies; faulty, patched and unread records.
    for (text, game, plies, [faulty, patched, unread]) in [
        ("(;GM[2]SZ[8];B[fe];W[fd];B[ec])\n", "othello", 3, [0, 0, 0]),
        ("(;GM[2]SZ[8];B[f5];W[f4];B[e3])\n", "othello", 3, [0, 0, 0]),
        // A player without a move passes, explicitly or not.
        (
            "(;GM[2];B[dc];W[cc];B[ef];W[db];B[da];W[ea];B[bb];W[ca];B[];W[ac])",
            "othello",
            9,
            [0; 3],
        ),
        ("(;GM[2];B[dc];W[cc];B[ef];W[db];B[da];W[ea];B[bb];W[ca];W[ac])", "othello", 9, [0; 3]),
        ("(;GM[2];B[fe];B[fd])", "othello", 1, [1, 0, 0]),
        ("(;GM[2]AB[aa]PL[W];W[fe])", "othello", 0, [1, 0, 0]),
        ("(;GM[4]SZ[15];B[hh](;W[ig];B[ii])(;W[gg]))", "gomoku", 3, [0, 0, 0]),
        ("(;GM[4]SZ[20];B[jj];W[tt];B[aa])", "gomoku", 3, [0, 0, 0]),
        ("(;GM[4]SZ[15];B[h8];W[i9])", "gomoku", 2, [0, 0, 0]),
        ("(;GM[4]SZ[15]AB[hh][ii]AW[gg];W[jj])", "gomoku", 1, [0, 0, 0]),
        ("(;GM[4]SZ[15];B[hh];W[hh];B[ii])", "gomoku", 1, [1, 0, 0]),
        ("(;GM[1]SZ[15];B[hh];W[ig])", "go", 2, [0, 0, 0]),
        ("(;SZ[15];B[hh];W[ig])", "go", 2, [0, 0, 0]),
        ("(;GM[3];W[e4];B[e5])", "go", 0, [0, 0, 1]),
        ("(;GM[7];W[h2e2])", "go", 0, [0, 0, 1]),
    ] {
        let (report, summary) = round_trip(text, text.as_bytes(), None);
        assert_eq!((report.plies, report.faulty), (plies, faulty), "{text}");
        assert_eq!((summary.patched, report.unread), (patched, unread), "{text}");
        if plies > 0 {
            assert_eq!(summary.game, game, "{text}");
            assert_eq!(round_trip(text, text.as_bytes(), Some(game)).0.plies, plies, "{text}");
        }
    }
    // A program may write a wrong game number; a game named explicitly takes precedence.
    let text = "(;GM[1]SZ[15];B[hh];W[ig])";
    let (report, summary) = round_trip(text, text.as_bytes(), Some("gomoku"));
    assert_eq!((report.plies, summary.game.as_str()), (2, "gomoku"));
    let both = "(;GM[2];B[fe])\n(;GM[1];B[dd])\n(;GM[4]SZ[15];B[hh])\n";
    let (report, summary) = round_trip("both", both.as_bytes(), None);
    assert_eq!((report.plies, summary.patched, report.faulty), (3, 0, 0));
    let games = summary.codecs.iter().filter_map(|codec| codec.split('/').next());
    assert!(games.eq(["othello", "go", "gomoku"]), "{:?}", summary.codecs);
}

#[test]
fn squares_of_other_games_are_no_transcripts() {
    for text in [
        "e4 e5 d4 d5 c4 c5 b4 b5 a4 a5\n",
        "e2e4e7e5g1f3b8c6f1b5a7a6b5a4g8f6\n",
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6\n",
        "h2e2h9g7h0g2i9h9i0h0\n",
        "f5d6c3\n",
        "[Event \"e6f4e3f6g5d6e7f5c5\"]\n\ne6f4e3f6g5d6e7f5c5\n",
        "e6f4e3f6g5d6e7f5c5\nthis\nis\nprose\n",
    ] {
        let (report, summary) = round_trip(text, text.as_bytes(), None);
        assert!(!["othello", "gomoku"].contains(&&*summary.game), "{text}: {}", report.plies);
    }
}

#[test]
fn psq_comes_back() {
    let head = "Piskvorky 20x20, 7:0, 1\n";
    // What follows the head; plies; faulty, patched and verbatim records.
    let cases = [
        ("10,10,456\n11,12,4500\n1,20,0\na.exe\nb.zip\n0\n", 3, [0, 0, 0]),
        ("a.exe\nb.zip\n0\n", 0, [0, 0, 0]),
        ("10,10,456\n", 1, [0, 0, 0]),
        ("10,10,456\n10,10,5\n11,11,6\nspieler \u{fc}\nb\n", 1, [1, 0, 0]),
        ("21,1,456\n10,10,5\na\nb\n", 0, [1, 0, 0]),
        // A time that the clock codec cannot hold.
        ("10,10,456\n11,12,2000000000\na\nb\n", 2, [0, 0, 1]),
        ("10,10,456\nnone\n11,12,7\n", 1, [0, 0, 0]),
    ];
    for (rest, plies, [faulty, patched, verbatim]) in cases {
        for text in [format!("{head}{rest}"), format!("{head}{rest}").replace('\n', "\r\n")] {
            let (report, summary) = round_trip(&text, text.as_bytes(), None);
            assert_eq!((report.plies, report.faulty), (plies, faulty), "{text}");
            let counts = (summary.patched, report.verbatim_records());
            assert_eq!(counts, (patched, verbatim), "{text}");
            assert!(plies == 0 || summary.game == "gomoku", "{text}");
            assert_eq!(round_trip(&text, text.as_bytes(), Some("gomoku")).0.plies, plies);
            assert_eq!(round_trip(&text, text.as_bytes(), Some("chess")).0.plies, 0);
            let latin: Vec<u8> = text.chars().filter_map(|sign| u8::try_from(sign).ok()).collect();
            assert_eq!(round_trip(&text, &latin, None).0.plies, plies, "{text}");
        }
    }
}

#[test]
fn the_record_of_a_number_is_found_in_every_syntax() {
    let games = [("f5d6c3".to_owned(), &[][..]), ("f5f6e6f4".to_owned(), &[])];
    let transcripts = b"e6f4e3f6g5d6e7f5c5\nf5f6e6f4\n";
    for bytes in [&wthor_file(&games)[..], transcripts] {
        let raw = read_record(vec![source("x", bytes)], 2, GAMES.to_vec()).expect("memory");
        let raw = raw.expect("a record");
        let game = raw.identity.game.expect("the input tells the game");
        let Decoded { text, .. } = raw.identity.decode(&raw.bytes, game, true);
        let record = plypack::reading::record::parse(game, &text, raw.identity.format);
        assert_eq!((game.info().name, record.moves.concat()), ("othello", "f5f6e6f4".into()));
        let past = read_record(vec![source("x", bytes)], 3, GAMES.to_vec()).expect("memory");
        assert_eq!(past.err(), Some(2));
    }
    let positions = "4k3/8/8/8/8/8/8/4K3 w - -\n".repeat(2);
    let raw =
        read_record(vec![source("x", positions.as_bytes())], 1, GAMES.to_vec()).expect("memory");
    assert!(raw.is_ok_and(|raw| raw.identity.game.is_none() && raw.bytes == positions.as_bytes()));
}

/// Files of the corpus: the game, records and plies, all coded.
const FILES: &[(&str, &str, u64, u64)] = &[
    ("othello/wthor/WTH_1977.wtb", "othello", 12, 719),
    ("othello/wthor/WTH_2015.wtb", "othello", 1_926, 115_235),
    ("othello/othello_dev.tsv.xz", "othello", 8_813, 527_104),
    ("gomoku/syn_dev.tsv.xz", "gomoku", 2_000, 203_309),
    ("gomoku/1x0-16(2).psq", "gomoku", 1, 16),
];

/// Files of the corpus with other content.
const OTHERS: &[&str] = &[
    "othello/wthor/WTH.JOU",
    "othello/wthor/WTH.TRN",
    "othello/perft.tsv",
    "othello/ffo_edax/README.md",
    "othello/ffo_edax/fforum-1-19.obf",
    "gomoku/shioi_joseki_book.csv",
];

#[test]
fn files_of_the_corpus_come_back() {
    for &(name, game, records, plies) in FILES {
        let Some(bytes) = corpus(name) else { continue };
        let (report, summary) = round_trip(name, &bytes, None);
        println!("{name}: {} bytes packed in {}", report.input_bytes, report.output_bytes);
        assert_eq!((summary.game.as_str(), report.records), (game, records), "{name}");
        let counts = [report.faulty, summary.patched, report.verbatim_records()];
        assert_eq!((report.plies, counts), (plies, [0, 0, 0]), "{name}");
    }
    for name in OTHERS {
        let Some(bytes) = corpus(name) else { continue };
        assert_eq!(round_trip(name, &bytes, None).0.plies, 0, "{name}");
    }
}

/// Also round-trips all games that `line.ranked` was trained on: minutes without optimisation.
#[test]
#[ignore = "takes minutes"]
fn the_games_learned_from_come_back() {
    for (name, records) in
        [("othello/othello_train.tsv.xz", 115_476), ("gomoku/syn_train.tsv.xz", 15_000)]
    {
        let Some(bytes) = corpus(name) else { continue };
        let (report, _) = round_trip(name, &bytes, None);
        assert_eq!((report.records, report.verbatim_records(), report.faulty), (records, 0, 0));
    }
}
