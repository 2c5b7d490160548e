//! Conditions on games and facts about games, in our own files and in copies.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack::store::Work;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Int32Type};
use arrow_array::{
    ArrayRef, BinaryArray, Float64Array, Int64Array, RecordBatch, TimestampMicrosecondArray,
};
use arrow_schema::DataType;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::file::properties::WriterProperties;
use plypack::store::{Condition, Error, Fact, Outcome, PackedFile, Wanted};

use crate::store::common::{pack, source};

/// Games of many kinds, numbered by the comments.
const GAMES: &[&str] = &[
    // 0
    "[Event \"Cup\"]\n[Date \"1992.??.??\"]\n[Round \"10\"]\n[White \"Carlsen, Magnus\"]\n\
     [Black \"Anand, V\"]\n[Result \"1-0\"]\n[WhiteElo \"2800\"]\n[BlackElo \"2750\"]\n\n\
     1. e4 e5 2. Nf3 1-0\n\n",
    // 1
    "[Event \"cup\"]\n[Date \"2020.01.31\"]\n[Round \"9\"]\n[White \"Anand, V\"]\n\
     [Black \"Carlsen, Magnus\"]\n[Result \"1/2-1/2\"]\n[WhiteElo \"2750\"]\n\
     [BlackElo \"?\"]\n[BlackRD \"35.5\"]\n\n1. d4 1/2-1/2\n\n",
    // 2
    "[Event \"?\"]\n[Date \"2020.06.??\"]\n[White \"Nobody\"]\n[Black \"Nobody\"]\n\
     [Result \"0-1\"]\n[UTCDate \"2020.06.05\"]\n[UTCTime \"18:30:00\"]\n[blackrd \"40\"]\n\n\
     1. e4 e5 2. Nf3 Nc6 0-1\n\n",
    // 3: no Result, but a result.
    "[White \"A\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 1-0\n\n",
    // 4
    "junk that is no game\n\n",
    // 5
    "[Red \"Hu Ronghua\"]\n[Black \"Yang\"]\n[Date \"1960/5/1\"]\n[Result \"*\"]\n\n1. e4 *\n\n",
    // 6
    "[White \"100% human\"]\n[Black \"O'Neill\"]\n[Date \"????.??.??\"]\n[UTCDate \"2019.12.31\"]\n\
     [Result \"1/2\"]\n[WhiteElo \"0\"]\n\n1. e4 1/2\n\n",
];

fn packed(folder: &Path, games: &[String]) -> PathBuf {
    let path = folder.join("packed.parquet");
    pack(&path, vec![source("in.pgn", games.concat().as_bytes())]);
    path
}

/// Appends games to a packed file, as a separate row group.
fn append(path: &Path, games: &str) {
    let file = PackedFile::open(path).expect("a packed file");
    let codec = plypack_games::line_codec("chess", "line.uniform").expect("a codec");
    let options = plypack::store::Options { codec, positions: None, detect: false };
    let sources = vec![source("more.pgn", games.as_bytes())];
    let mut bytes = Vec::new();
    let mut output = plypack::store::Destination::new(&mut bytes, path);
    plypack::store::append_to(&file, sources, &mut output, &options, &Work::on(1)).expect("memory");
    std::fs::write(path, bytes).expect("a file");
}

fn games() -> (tempfile::TempDir, PackedFile) {
    let folder = tempfile::tempdir().expect("a folder");
    let games: Vec<String> = GAMES.iter().map(|game| (*game).to_owned()).collect();
    let file = PackedFile::open(&packed(folder.path(), &games)).expect("a packed file");
    assert_eq!(file.records(), GAMES.len() as u64);
    (folder, file)
}

/// Returns the games that satisfy a condition.
fn found(file: &PackedFile, text: &str) -> Vec<usize> {
    let condition = Condition::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut rows = Vec::new();
    let mut before = 0;
    for group in 0..file.groups() {
        let found = file.select(group, None, &condition).expect(text);
        rows.extend(found.set_indices().map(|row| before + row));
        before += found.len();
    }
    rows
}

#[test]
fn conditions_hold_for_the_games_that_they_should() {
    let (_folder, file) = games();
    for (text, expected) in [
        // Numbers; a rating that is not a number does not count.
        ("WhiteElo > 2750", &[0][..]),
        ("whiteelo >= 2750", &[0, 1]),
        ("2750 <= WHITEELO", &[0, 1]),
        ("WhiteElo > 2749.5 AND WhiteElo < 2750.5", &[1]),
        ("WhiteElo = 2750.0", &[1]),
        ("WhiteElo = 2750.5", &[]),
        ("WhiteElo <> 2750.5", &[0, 1, 6]),
        ("WhiteElo > -1", &[0, 1, 6]),
        ("WhiteElo < 99999999999999999999999", &[0, 1, 6]),
        ("WhiteElo > -99999999999999999999999.5", &[0, 1, 6]),
        ("WhiteElo = '2750'", &[1]),
        ("WhiteElo IN (2750, 2800)", &[0, 1]),
        ("WhiteElo NOT IN (2750, 2800)", &[6]),
        ("NOT WhiteElo BETWEEN 1 AND 2760", &[0, 6]),
        ("WhiteElo BETWEEN 2760 AND 1", &[]),
        ("BlackElo IS NULL", &[1, 2, 3, 4, 5, 6]),
        ("BlackElo IS NOT NULL", &[0]),
        ("plies >= 3", &[0, 2]),
        ("moves.plies = 2", &[3]),
        ("number = 3 OR number = 5", &[2, 4]),
        // Texts.
        ("Result = '1-0'", &[0]),
        ("'1-0' = Result", &[0]),
        ("Result != '1-0'", &[1, 2, 5, 6]),
        ("NOT Result = '1-0'", &[1, 2, 5, 6]),
        ("NOT (NOT Result = '1-0')", &[0]),
        ("Event = 'Cup'", &[0]),
        ("Event ILIKE 'CUP'", &[0, 1]),
        ("Event LIKE 'c%'", &[1]),
        ("Event NOT LIKE 'c%'", &[0, 2]),
        ("Event > 'Cup'", &[1]),
        ("White LIKE '100\\%%'", &[6]),
        ("Black = 'O''Neill'", &[6]),
        ("White LIKE '_'", &[3]),
        ("source = 'in.pgn'", &[0, 1, 2, 3, 4, 5, 6]),
        ("verbatim_reason IS NOT NULL", &[]),
        // A number against a text.
        ("Round > 9", &[0]),
        ("Round = '9'", &[1]),
        ("Round > '1'", &[0, 1]),
        ("Round IN (9, '10')", &[0, 1]),
        // Dates.
        ("Date >= '2020-01-31'", &[1, 2]),
        ("Date >= '2020.02'", &[2]),
        ("Date = '2020'", &[1, 2]),
        ("Date = 2020", &[1, 2]),
        ("Date <> 2020", &[0, 5]),
        ("Date = '2020-06'", &[2]),
        ("Date = '2020-06-15'", &[]),
        ("Date <> '2020-06-15'", &[0, 1, 5]),
        ("Date < '1993'", &[0, 5]),
        ("Date < '1992-06-01'", &[5]),
        ("NOT Date < '1992-06-01'", &[1, 2]),
        ("Date = '1992.??.??'", &[0]),
        ("Date LIKE '%.??'", &[0, 2, 6]),
        ("Date BETWEEN '1992' AND '2020-01-31'", &[0, 1]),
        ("Date IN ('1992', '1960-05-01')", &[0, 5]),
        ("Date >= DATE '2020-01-01'", &[1, 2]),
        ("played_on = '2020-01-31'", &[1]),
        ("played_on < 2020", &[5]),
        ("played_on IS NULL", &[0, 2, 3, 4, 6]),
        ("UTCDate = '2020.06.05'", &[2]),
        ("UTCTime >= '18:30'", &[2]),
        ("UTCTime < '18:30:00'", &[]),
        ("Year = 2020", &[1, 2]),
        ("year < 2020", &[0, 5, 6]),
        ("Year IS NULL", &[3, 4]),
        // Players of either colour.
        ("player = 'Carlsen, Magnus'", &[0, 1]),
        ("player = 'Carlsen, Magnus' AND player = 'Anand, V'", &[0, 1]),
        ("player <> 'Carlsen, Magnus'", &[2, 5, 6]),
        ("NOT player IN ('Carlsen, Magnus', 'Nobody')", &[5, 6]),
        ("player LIKE '%Magnus'", &[0, 1]),
        ("player ILIKE 'hu %'", &[5]),
        ("player = 'Hu Ronghua'", &[5]),
        ("player = 'A'", &[3]),
        ("player IS NULL", &[4]),
        ("player IS NOT NULL", &[0, 1, 2, 3, 5, 6]),
        ("finds_player(player, 'magnus carlsen')", &[0, 1]),
        ("FINDS_PLAYER(player, 'CARLSEN,M')", &[0, 1]),
        ("NOT finds_player(player, 'Carlsen M.')", &[2, 5, 6]),
        ("finds_player(White, 'carlsen') OR finds_player(Black, 'oneill')", &[0, 6]),
        ("finds_player(Red, 'ronghua hu')", &[5]),
        ("finds_player(player, '%')", &[6]),
        ("same_player(player, 'CARLSEN MAGNUS')", &[0, 1]),
        ("same_player('carlsen m', player)", &[]),
        ("same_player(White, Black)", &[2]),
        ("NOT same_player(player, Black)", &[]),
        // Tags without a column.
        ("BlackRD > 35", &[1, 2]),
        ("BLACKRD = '40'", &[2]),
        ("tags['BlackRD'] IS NOT NULL", &[1, 2]),
        ("\"BlackRD\" < 36", &[1]),
        ("Red = 'Hu Ronghua'", &[5]),
        ("FEN IS NOT NULL", &[3]),
        ("fen LIKE '4k3/%'", &[3]),
        ("NoSuchTag = 'x'", &[]),
        ("NoSuchTag IS NULL", &[0, 1, 2, 3, 4, 5, 6]),
        // Two columns.
        ("White = Black", &[2]),
        ("White <> Black", &[0, 1, 6]),
        ("WhiteElo > BlackElo", &[0]),
        ("BlackElo < WhiteElo", &[0]),
        ("WhiteElo < Round", &[]),
        ("Round < WhiteElo", &[0, 1]),
        ("Year > number", &[0, 1, 2, 5, 6]),
        // All together, and in what order.
        ("White = 'A' OR WhiteElo > 2750 AND Result = '1-0'", &[0, 3]),
        ("(White = 'A' OR WhiteElo > 2750) AND Result = '1-0'", &[0]),
        ("WhiteElo > 0 AND (BlackElo > 0 OR Result = '1/2-1/2')", &[0, 1]),
        ("NOT (White = 'A' OR BlackElo > 0)", &[]),
    ] {
        assert_eq!(found(&file, text), expected, "{text}");
    }
}

#[test]
fn what_is_no_condition_is_told_and_where() {
    for (text, words) in [
        ("", &["empty"][..]),
        ("  \n", &["empty"]),
        ("WhiteElo", &["`WhiteElo`", "not compared with anything", "character 1"]),
        ("WhiteElo >", &["end", "BETWEEN"]),
        ("WhiteElo > 5 Result = 2", &["character 14", "`Result`"]),
        ("WhiteElo > 'abc'", &["`WhiteElo` holds numbers", "'abc'"]),
        ("White = Result or player = Black", &["`player`"]),
        ("UTCDate > 'yesterday'", &["dates", "'2020-01-31'"]),
        ("Date > 99999", &["dates", "99999"]),
        ("Date >= '2024.13'", &["`Date` holds dates", "'2024.13'"]),
        ("Date < 'June 2024'", &["`Date` holds dates", "'2020-01'"]),
        ("UTCTime > 5", &["times of day"]),
        ("WhiteElo LIKE '2%'", &["`WhiteElo` holds numbers", "pattern"]),
        ("White LIKE 5", &["single quotes"]),
        ("White LIKE 'a' ESCAPE 'b'", &["ESCAPE"]),
        ("player > 'A'", &["player", "ILIKE"]),
        ("White = NULL", &["IS NULL"]),
        ("White IN ('a', NULL)", &["IS NULL"]),
        ("White IN (Black)", &["`Black` is a name"]),
        ("1 = 1", &["must be a column"]),
        ("lower(White) = 'x'", &["lower(White)", "ILIKE"]),
        ("lower(White)", &["lower(White)", "finds_player", "ILIKE"]),
        ("finds_player(White)", &["finds_player(player, 'carlsen')", "character 1"]),
        ("finds_player('a', White)", &["finds_player(player, 'carlsen')"]),
        ("finds_player(White, Black)", &["finds_player(player, 'carlsen')"]),
        ("finds_player(White, 5)", &["finds_player(player, 'carlsen')"]),
        ("finds_player(DISTINCT White, 'a')", &["finds_player(player, 'carlsen')"]),
        ("finds_player(WhiteElo, 'a')", &["`WhiteElo` holds numbers"]),
        ("same_player('a', 'b')", &["same_player(player, 'Carlsen, Magnus')"]),
        ("same_player(White, Date)", &["`Date` holds dates"]),
        ("same_player(White, 'a', 'b')", &["same_player(player, 'Carlsen, Magnus')"]),
        ("White IN (SELECT 1)", &["queries"]),
        ("WhiteElo + 1 > 5", &["WhiteElo + 1"]),
        ("White.x = 'y'", &["White.x"]),
        ("WhiteElo = UTCTime", &["`UTCTime` holds times of day", "`WhiteElo` holds numbers"]),
        ("White = 'unfinished", &["character 9", "unterminated"]),
        ("White ~ 'x'", &["White ~ 'x'"]),
        ("true", &["true"]),
        ("Result = '1-0'; DROP TABLE games", &["character 15", "`;`"]),
    ] {
        let error = Condition::parse(text).expect_err(text).to_string();
        for word in words {
            assert!(error.contains(word), "{text}: {error}");
        }
        assert!(error.starts_with("the condition"), "{text}: {error}");
    }
    let error = Condition::parse("White = 'a' AND\n  Black >").expect_err("no end").to_string();
    assert!(error.contains("end"), "{error}");
}

#[test]
fn a_name_that_no_game_has_is_told_with_the_nearest() {
    let (_folder, file) = games();
    let check = |text: &str| {
        let condition = Condition::parse(text).expect(text);
        condition.check(&[&file]).map_err(|error| error.to_string())
    };
    for text in ["WhiteElo > 1", "BlackRD > 1", "blackrd > 1", "FEN IS NULL", "Red = 'x'"] {
        assert_eq!(check(text), Ok(()), "{text}");
    }
    for (text, words) in [
        ("WhitElo > 2400", &["`WhitElo`", "did you mean `WhiteElo`?", "character 1"][..]),
        ("Result = '1-0' AND Ressult = '1-0'", &["did you mean `Result`?", "character 20"]),
        ("BlackDR > 2", &["did you mean `BlackRD`?"]),
        ("Result = \"1-0\"", &["'1-0'", "double quotes"]),
        ("White = Caruana", &["`Caruana`", "single quotes", "WhiteElo", "BlackRD"]),
        ("tags['Wind'] = 'x'", &["`Wind`"]),
    ] {
        let error = check(text).expect_err(text);
        for word in words {
            assert!(error.contains(word), "{text}: {error}");
        }
    }
    // One of several files is enough.
    let folder = tempfile::tempdir().expect("a folder");
    let other = packed(folder.path(), &["[Wind \"x\"]\n\n1. e4 *\n\n".to_owned()]);
    let other = PackedFile::open(&other).expect("a packed file");
    let condition = Condition::parse("Wind = 'x'").expect("a condition");
    assert!(matches!(condition.check(&[&file]), Err(Error::Condition(_))));
    assert!(condition.check(&[&file, &other]).is_ok());
}

#[test]
fn hostile_conditions_are_refused_or_answered_soon() {
    let many = 200_000;
    let texts: Vec<String> = vec![
        format!("{}White = 'a'{}", "(".repeat(many), ")".repeat(many)),
        "(".repeat(many),
        format!("{}White = 'a'{}", "(".repeat(45), ")".repeat(45)),
        format!("{}White = 'a'", "NOT ".repeat(many)),
        format!("{}White = 'a'", "NOT (".repeat(many)),
        format!("White = 'a'{}", " AND White = 'a'".repeat(many)),
        format!("White = 'a'{}", " OR White = 'a'".repeat(300)),
        format!("WhiteElo > {}5", "- ".repeat(many)),
        format!("WhiteElo > {}5", "-".repeat(900)),
        format!("WhiteElo > 5{}", " + 5".repeat(many)),
        format!("White{} = 'x'", "['x']".repeat(many)),
        format!("White{} = 'x'", ".x".repeat(many)),
        format!("White{} = 'x'", "::text".repeat(many)),
        format!("White{}", " IS NULL".repeat(many)),
        format!("White{}", " IS NULL".repeat(900)),
        format!("White = {}", "CASE WHEN ".repeat(300)),
        format!("White = {}", "[".repeat(900)),
        format!("White = {}", "f(".repeat(400)),
        format!("White = {}", "(SELECT ".repeat(300)),
        format!("White = {}", "CAST(".repeat(400)),
        format!("{}'x'", "DATE ".repeat(900)),
        format!("White IN ({}'x')", "'y', ".repeat(20_000)),
        format!("White IN ({})", "(".repeat(900)),
        format!("White = '{}'", "x".repeat(1 << 20)),
        format!("White LIKE '{}'", "%a".repeat(100_000)),
        format!("WhiteElo = {}", "9".repeat(100_000)),
        format!("WhiteElo = 0.{}", "9".repeat(100_000)),
        format!("{} = 'x'", "W".repeat(100_000)),
        "\u{0}".repeat(1000),
        "White = '\u{0}'".to_owned(),
        "\u{202e}White = 'x'".to_owned(),
    ];
    let (_folder, file) = games();
    for text in &texts {
        let begin: String = text.chars().take(40).collect();
        let start = std::time::Instant::now();
        match Condition::parse(text) {
            Ok(condition) => {
                file.select(0, None, &condition).expect("a file");
                let _ = condition.check(&[&file]).map_err(|error| error.to_string());
            }
            Err(error) => assert!(error.to_string().len() < 2_000, "{begin}"),
        }
        assert!(start.elapsed().as_secs() < 60, "{begin}");
    }
}

#[test]
fn facts_are_what_games_tell() {
    let (_folder, file) = games();
    let facts = file.facts(0, None).expect("facts");
    let told = |outcome, white_rating, black_rating, year, day| Fact {
        outcome,
        white_rating,
        black_rating,
        year,
        day,
    };
    let expected = [
        told(Some(Outcome::White), Some(2800), Some(2750), Some(1992), None),
        told(Some(Outcome::Draw), Some(2750), None, Some(2020), Some(18_292)),
        told(Some(Outcome::Black), None, None, Some(2020), None),
        told(Some(Outcome::White), None, None, None, None),
        Fact::default(),
        told(None, None, None, Some(1960), Some(-3_532)),
        // A rating of 0 counts as none.
        told(Some(Outcome::Draw), None, None, Some(2019), Some(18_261)),
    ];
    assert_eq!(facts, expected);
    let ratings: Vec<Option<u16>> = facts.iter().map(Fact::rating).collect();
    assert_eq!(ratings, [Some(2775), Some(2750), None, None, None, None, None]);
    let players = file.players(0, None).expect("players");
    let player = |at: usize| (players[at].white.as_deref(), players[at].black.as_deref());
    assert_eq!(player(1), (Some("Anand, V"), Some("Carlsen, Magnus")));
    assert_eq!(player(4), (None, None));
    assert_eq!(player(5), (Some("Hu Ronghua"), Some("Yang")));
    // The same for some of the rows.
    for rows in [&[][..], &[0], &[2, 5], &[0, 1, 2, 3, 4, 5, 6]] {
        let of = |row: &u32| usize::try_from(*row).expect("a row");
        let some = file.facts(0, Some(rows)).expect("facts");
        assert_eq!(some, rows.iter().map(|row| expected[of(row)]).collect::<Vec<_>>());
        let some = file.players(0, Some(rows)).expect("players");
        assert_eq!(some, rows.iter().map(|row| players[of(row)].clone()).collect::<Vec<_>>());
    }
    for rows in [&[7][..], &[1, 1], &[2, 1]] {
        assert!(file.facts(0, Some(rows)).is_err());
    }
    assert!(file.facts(1, None).is_err());
}

#[test]
fn outcomes_are_told_in_every_format_that_has_them() {
    // Spellings used on xiangqi pages, and the meaning of disc counts in WTHOR.
    let page = |result: &str| {
        format!(
            "<html>[DhtmlXQ_red]R[/DhtmlXQ_red]\n[DhtmlXQ_black]B[/DhtmlXQ_black]\n\
             [DhtmlXQ_result]{result}[/DhtmlXQ_result]\n\
             [DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]</html>"
        )
    };
    for (result, outcome) in [
        ("W", Some(Outcome::White)),
        ("L", Some(Outcome::Black)),
        ("D", Some(Outcome::Draw)),
        ("红胜", Some(Outcome::White)),
        ("黑胜", Some(Outcome::Black)),
        ("和局", Some(Outcome::Draw)),
        ("未知", None),
        ("", None),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("packed.parquet");
        let codec = plypack_games::line_codec("chess", "line.uniform").expect("a codec");
        let options = plypack::store::Options { codec, positions: None, detect: true };
        let sources = vec![source("page.html", page(result).as_bytes())];
        plypack::store::import(sources, &path, &options, &Work::on(1)).expect("a packed file");
        let file = PackedFile::open(&path).expect("a packed file");
        assert_eq!(file.facts(0, None).expect("facts")[0].outcome, outcome, "{result}");
        let players = file.players(0, None).expect("players");
        assert_eq!(players[0].white.as_deref(), Some("R"));
        assert_eq!(found(&file, "player = 'R' AND player = 'B'"), [0]);
    }
    for name in ["othello-wthor", "othello-wthor-names"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("../../vectors/file/{name}/line.uniform-v1.parquet"));
        let path = if path.exists() { path } else { path.with_file_name("default-v1.parquet") };
        let file = PackedFile::open(&path).expect("a packed file");
        let mut told = 0;
        for group in 0..file.groups() {
            let rows = file.read_group(group).expect("rows");
            for (row, fact) in file.facts(group, None).expect("facts").iter().enumerate() {
                let record = rows.record(row).expect("a row").0;
                let discs = record.tags.iter().find(|tag| tag.0 == "BlackDiscs");
                let expected = discs.map(|discs| match discs.1.parse::<i32>().expect("a number") {
                    33.. => Outcome::Black,
                    32 => Outcome::Draw,
                    _ => Outcome::White,
                });
                told += usize::from(expected.is_some());
                assert_eq!(fact.outcome, expected, "{name}: {row}");
            }
        }
        assert!(told > 0, "{name}");
    }
}

/// Pseudorandom numbers, the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

const NAMES: [&str; 5] = ["Abe", "Bob", "abe", "Bobby", "Ze%"];
const RATINGS: [&str; 6] = ["0", "1500", "2400", "2401", "?", "02400"];
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
const DATES: [&str; 9] = [
    "1992.??.??",
    "1992.05.??",
    "1992.05.05",
    "1992-5-6",
    "2020.12.31",
    "2021.01.01",
    "????.??.??",
    "?",
    "2019.02.30",
];
const EXTRAS: [&str; 5] = ["1", "2", "2.5", "x", ""];

fn some_games(chance: &mut Chance, count: usize) -> Vec<String> {
    let mut game = |_| {
        let mut text = String::new();
        for (name, choices) in [
            ("White", &NAMES[..]),
            ("Black", &NAMES),
            ("Result", &RESULTS),
            ("WhiteElo", &RATINGS),
            ("Date", &DATES),
            ("Extra", &EXTRAS),
        ] {
            if chance.below(5) > 0 {
                let _ = writeln!(text, "[{name} \"{}\"]", chance.of(choices));
            }
        }
        if text.is_empty() {
            text.push_str("[Event \"x\"]\n");
        }
        text + "\n1. e4 *\n\n"
    };
    (0..count).map(&mut game).collect()
}

/// A condition as an independent tree.
enum Tree {
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Not(Box<Tree>),
    Compare(&'static str, &'static str, String),
    In(&'static str, Vec<String>),
    Like(&'static str, &'static str),
    Null(&'static str),
    Between(&'static str, String, String),
}

fn literal(chance: &mut Chance, name: &str) -> String {
    match name {
        "White" | "Black" | "player" => chance.of(&NAMES).to_owned(),
        "Result" => chance.of(&RESULTS).to_owned(),
        "WhiteElo" => chance.of(&["0", "1500", "2400", "2399.5", "-3", "3000"]).to_owned(),
        "Date" => chance
            .of(&[
                "1992",
                "1992-05",
                "1992.05.05",
                "1992.05.06",
                "2020",
                "2021-01-01",
                "????.??.??",
            ])
            .to_owned(),
        _ => chance.of(&EXTRAS).to_owned(),
    }
}

fn tree(chance: &mut Chance, depth: usize) -> Tree {
    if depth > 0 && chance.below(4) > 0 {
        let mut part = || Box::new(tree(&mut *chance, depth - 1));
        let (one, other) = (part(), part());
        return match chance.below(3) {
            0 => Tree::And(one, other),
            1 => Tree::Or(one, other),
            _ => Tree::Not(one),
        };
    }
    let name = ["White", "Black", "player", "Result", "WhiteElo", "Date", "Extra"][chance.below(7)];
    let ordered = name != "player";
    match chance.below(6) {
        0 if !matches!(name, "WhiteElo") => {
            Tree::Like(name, ["A%", "%b%", "_ob", "%", "1%", "%.??"][chance.below(6)])
        }
        1 => Tree::Null(name),
        2 => Tree::In(name, (0..3).map(|_| literal(chance, name)).collect()),
        3 if ordered => Tree::Between(name, literal(chance, name), literal(chance, name)),
        _ => {
            let comparisons = ["=", "<>", "<", "<=", ">", ">="];
            let comparison = comparisons[chance.below(if ordered { 6 } else { 2 })];
            Tree::Compare(name, comparison, literal(chance, name))
        }
    }
}

impl Tree {
    fn text(&self) -> String {
        let quote = |name: &str, value: &str| match name {
            "WhiteElo" => value.to_owned(),
            _ => format!("'{value}'"),
        };
        match self {
            Self::And(one, other) => format!("({} AND {})", one.text(), other.text()),
            Self::Or(one, other) => format!("({} OR {})", one.text(), other.text()),
            Self::Not(one) => format!("NOT ({})", one.text()),
            Self::Compare(name, comparison, value) => {
                format!("{name} {comparison} {}", quote(name, value))
            }
            Self::In(name, values) => {
                let values: Vec<String> = values.iter().map(|value| quote(name, value)).collect();
                format!("{name} IN ({})", values.join(", "))
            }
            Self::Like(name, pattern) => format!("{name} LIKE '{pattern}'"),
            Self::Null(name) => format!("{name} IS NULL"),
            Self::Between(name, low, high) => {
                format!("{name} BETWEEN {} AND {}", quote(name, low), quote(name, high))
            }
        }
    }

    /// Evaluates the condition for a game with these tags, slowly.
    fn say(&self, tags: &[(String, String)]) -> Option<bool> {
        let and = |one: Option<bool>, other: Option<bool>| match (one, other) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
        let or = |one: Option<bool>, other: Option<bool>| {
            and(one.map(|said| !said), other.map(|said| !said)).map(|said| !said)
        };
        let value = |name: &str| -> Option<&str> {
            let tag = tags.iter().find(|tag| tag.0 == name)?;
            // A rating in another spelling does not count.
            let is_number = tag.1.parse::<i32>().is_ok_and(|number| number.to_string() == tag.1);
            (name != "WhiteElo" || is_number).then_some(tag.1.as_str())
        };
        let any = |name: &str, ask: &dyn Fn(&str, &str) -> Option<bool>| match name {
            "player" => {
                let each = |name| value(name).and_then(|value| ask(name, value));
                or(each("White"), each("Black"))
            }
            _ => value(name).and_then(|value| ask(name, value)),
        };
        match self {
            Self::And(one, other) => and(one.say(tags), other.say(tags)),
            Self::Or(one, other) => or(one.say(tags), other.say(tags)),
            Self::Not(one) => one.say(tags).map(|said| !said),
            Self::Compare(name, "<>", other) => {
                any(name, &|name, value| compared(name, value, "=", other)).map(|said| !said)
            }
            Self::Compare(name, comparison, other) => {
                any(name, &|name, value| compared(name, value, comparison, other))
            }
            Self::In(name, others) => any(name, &|name, value| {
                let each = others.iter().map(|other| compared(name, value, "=", other));
                each.fold(Some(false), or)
            }),
            Self::Like(name, pattern) => any(name, &|_, value| Some(is_like(pattern, value))),
            Self::Null("player") => Some(value("White").is_none() && value("Black").is_none()),
            Self::Null(name) => Some(value(name).is_none()),
            Self::Between(name, low, high) => any(name, &|name, value| {
                and(compared(name, value, ">=", low), compared(name, value, "<=", high))
            }),
        }
    }
}

fn compared(name: &str, value: &str, comparison: &str, other: &str) -> Option<bool> {
    fn of<T: PartialOrd + ?Sized>(value: &T, comparison: &str, other: &T) -> bool {
        match comparison {
            "=" => value == other,
            "<>" => value != other,
            "<" => value < other,
            "<=" => value <= other,
            ">" => value > other,
            _ => value >= other,
        }
    }
    match name {
        "WhiteElo" => {
            let number = |text: &str| text.parse::<f64>().expect("a number");
            Some(of(&number(value), comparison, &number(other)))
        }
        "Date" if !other.contains('?') => {
            let (value, other) = (days(value), days(other));
            // Every day on which the game may have been played.
            let said = value.iter().map(|day| match comparison {
                "=" => other.contains(day),
                "<>" => !other.contains(day),
                "<" => Some(day) < other.first(),
                "<=" => Some(day) <= other.last(),
                ">" => Some(day) > other.last(),
                _ => Some(day) >= other.first(),
            });
            let said: BTreeSet<bool> = said.collect();
            (said.len() == 1).then(|| said.contains(&true))
        }
        _ => Some(of(value, comparison, other)),
    }
}

/// Returns the days that a date may be, as numbers that give each month 31 days.
fn days(date: &str) -> Vec<u32> {
    let parts: Vec<Option<u32>> =
        date.split(['.', '-']).map(|part| part.parse::<u32>().ok()).collect();
    let Some(&Some(year)) = parts.first() else { return Vec::new() };
    let part = |at: usize| parts.get(at).copied().flatten();
    // There is no such day.
    let day = part(2).filter(|&day| !(part(1) == Some(2) && day == 30));
    let months = part(1).map_or(1..=12, |month| month..=month);
    let within = day.map_or(1..=31, |day| day..=day);
    months.flat_map(|month| within.clone().map(move |day| year * 1000 + month * 40 + day)).collect()
}

fn is_like(pattern: &str, text: &str) -> bool {
    match (pattern.chars().next(), text.chars().next()) {
        (None, None) => true,
        (Some('%'), _) => {
            is_like(&pattern[1..], text) || (!text.is_empty() && is_like(pattern, &text[1..]))
        }
        (Some('_'), Some(_)) => is_like(&pattern[1..], &text[1..]),
        (Some(one), Some(other)) => one == other && is_like(&pattern[1..], &text[1..]),
        _ => false,
    }
}

/// Copies a file into row groups of this many rows, with its columns converted.
fn copy(
    from: &Path,
    name: &str,
    rows: usize,
    make: &dyn Fn(&str, &ArrayRef) -> Option<ArrayRef>,
) -> PackedFile {
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let file = File::open(from).expect("a packed file");
    let reader = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options);
    let batches = reader.expect("Parquet").build().expect("Parquet").map(|batch| {
        let batch = batch.expect("rows");
        let schema = batch.schema();
        let columns = schema.fields().iter().zip(batch.columns()).filter_map(|(field, array)| {
            Some((field.name().clone(), make(field.name(), array)?, true))
        });
        RecordBatch::try_from_iter_with_nullable(columns).expect("columns")
    });
    let batches: Vec<RecordBatch> = batches.collect();
    let to = from.with_file_name(name);
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(rows))
        .set_statistics_truncate_length(Some(5))
        .set_data_page_row_count_limit(3)
        .set_write_batch_size(3)
        .build();
    let file = File::create(&to).expect("a file");
    let schema = batches[0].schema();
    let mut writer = ArrowWriter::try_new(file, schema, Some(properties)).expect("a writer");
    batches.iter().for_each(|batch| writer.write(batch).expect("memory"));
    writer.close().expect("memory");
    PackedFile::open(&to).expect("a copy")
}

#[test]
fn conditions_say_what_a_slow_evaluation_of_the_tags_says() {
    let mut chance = Chance(17);
    let folder = tempfile::tempdir().expect("a folder");
    // Sorted, so that row groups differ.
    let mut games = some_games(&mut chance, 400);
    games.sort_unstable();
    let path = packed(folder.path(), &games);
    let whole = PackedFile::open(&path).expect("a packed file");
    let tags: Vec<Vec<(String, String)>> = {
        let rows = whole.read_rows(std::slice::from_ref(&(0..400)), Wanted::TAGS).expect("rows");
        let own = |(name, value): &(&str, std::borrow::Cow<'_, str>)| {
            ((*name).to_owned(), value.clone().into_owned())
        };
        (0..400)
            .map(|row| rows.record(row).expect("a row").0.tags.iter().map(own).collect())
            .collect()
    };
    let files = [
        copy(&path, "small.parquet", 7, &|_, array| Some(Arc::clone(array))),
        copy(&path, "other.parquet", 50, &|name, array| {
            Some(match (name, array.data_type()) {
                // Numbers as in pandas, and dates as DuckDB may cast them.
                ("WhiteElo", _) => {
                    let numbers = array.as_primitive::<Int32Type>().iter();
                    Arc::new(numbers.map(|number| number.map(f64::from)).collect::<Float64Array>())
                }
                (_, DataType::Int32) => {
                    let numbers = array.as_primitive::<Int32Type>().iter();
                    Arc::new(numbers.map(|number| number.map(i64::from)).collect::<Int64Array>())
                }
                (_, DataType::Date32) => {
                    let days = array.as_primitive::<Date32Type>().iter();
                    let times = days.map(|day| day.map(|day| i64::from(day) * 86_400_000_000));
                    Arc::new(times.collect::<TimestampMicrosecondArray>())
                }
                ("White" | "Date", DataType::Utf8) => {
                    Arc::new(BinaryArray::from(array.as_string::<i32>().clone()))
                }
                _ => Arc::clone(array),
            })
        }),
        whole,
    ];
    for _ in 0..200 {
        let tree = tree(&mut chance, 3);
        let text = tree.text();
        let said = tags.iter().map(|tags| tree.say(tags) == Some(true));
        let expected: Vec<usize> = said.enumerate().filter(|said| said.1).map(|s| s.0).collect();
        let condition = Condition::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        for file in &files {
            assert_eq!(found(file, &text), expected, "{}: {text}", file.path().display());
            // The same for some of the rows.
            let group = chance.below(file.groups());
            let all = file.select(group, None, &condition).expect("a file");
            let few = if chance.below(2) == 0 { 2 } else { 100 };
            let rows = (0..all.len()).filter(|_| chance.below(few) == 0);
            let rows: Vec<u32> = rows.map(|row| u32::try_from(row).expect("a row")).collect();
            let some = file.select(group, Some(&rows), &condition).expect("a file");
            let at = |row: &u32| all.value(usize::try_from(*row).expect("a row"));
            assert!(some.iter().eq(rows.iter().map(at)), "{text}");
            assert!(file.may_match(group, &condition) || all.count_set_bits() == 0, "{text}");
        }
    }
    // Years and days of copies are the same.
    let facts = |file: &PackedFile| -> Vec<Fact> {
        let groups = (0..file.groups()).map(|group| file.facts(group, None).expect("facts"));
        groups.flatten().collect()
    };
    let [small, other, whole] = files.map(|file| facts(&file));
    assert_eq!(small, whole);
    assert_eq!(other, whole);
}

#[test]
fn copies_without_columns_say_nothing_of_them() {
    let (folder, _) = games();
    let path = folder.path().join("packed.parquet");
    let without = |lost: &'static [&str]| {
        copy(&path, "less.parquet", 100, &move |name, array| {
            (!lost.contains(&name)).then(|| Arc::clone(array))
        })
    };
    let file = without(&["source", "played_on"]);
    assert!(found(&file, "source = 'in.pgn' OR played_on IS NOT NULL").is_empty());
    assert_eq!(found(&file, "Year = 2020"), [1, 2]);
    let facts = file.facts(0, None).expect("facts");
    assert_eq!((facts[0].year, facts[2].year), (Some(1992), Some(2020)));
    // A game that needs a lost column does not match its checksum.
    let file = without(&["WhiteElo"]);
    for text in ["WhiteElo > 2400", "WhiteElo IS NULL", "Result = '1-0'"] {
        let condition = Condition::parse(text).expect("a condition");
        assert!(condition.check(&[&file]).is_ok(), "{text}");
        let error = file.select(0, None, &condition).expect_err("a column is lost").to_string();
        assert!(error.contains("`WhiteElo`") && error.contains("all columns"), "{error}");
    }
}

#[test]
fn columns_without_values_are_null() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(folder.path(), &["[White \"Ada\"]\n\n1. e4 *\n\n".to_owned()]);
    let few = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).expect("a file"));
    let few = few.expect("Parquet").schema().clone();
    assert!(few.column_with_name("White").is_some());
    for name in ["WhiteElo", "tags", "annotations", "clocks", "verbatim", "played_on"] {
        assert!(few.column_with_name(name).is_none(), "{name}");
    }
    let own = PackedFile::open(&path).expect("a packed file");
    let copied = copy(&path, "copy.parquet", 100, &|_, array| Some(Arc::clone(array)));
    for file in [own, copied] {
        for (text, expected) in [
            ("WhiteElo IS NULL AND UTCTime IS NULL AND Komi IS NULL", &[0][..]),
            ("WhiteElo > 0 OR WhiteElo < 0 OR NOT WhiteElo = 1", &[]),
            ("Date = '1999' OR Year = 1999 OR played_on > '1900-01-01'", &[]),
            ("Event LIKE '%' OR verbatim_reason IS NOT NULL", &[]),
            ("FEN IS NULL AND player = 'Ada'", &[0]),
            ("Event = White", &[]),
        ] {
            assert_eq!(found(&file, text), expected, "{text}");
            let condition = Condition::parse(text).expect("a condition");
            assert!(condition.check(&[&file]).is_ok(), "{text}");
        }
        // A name that is no column must be a tag's.
        let condition = Condition::parse("Board = '1'").expect("a condition");
        assert!(condition.check(&[&file]).is_err());
        let facts = file.facts(0, None).expect("facts");
        assert_eq!((facts[0].year, facts[0].outcome), (None, None));
    }
    // A second row group brings its columns.
    append(&path, "[White \"Bo\"]\n[WhiteElo \"2500\"]\n\n1. d4 *\n\n");
    let file = PackedFile::open(&path).expect("a packed file");
    assert_eq!(found(&file, "WhiteElo > 2400"), [1]);
    assert_eq!(found(&file, "BlackElo IS NULL"), [0, 1]);
    let all = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).expect("a file"));
    let all = all.expect("Parquet").schema().clone();
    assert!(all.column_with_name("WhiteElo").is_some());
    assert!(all.column_with_name("UTCTime").is_none());
}

#[test]
fn row_groups_that_cannot_match_are_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = |number: usize| {
        format!(
            "[White \"P{:03}\"]\n[Date \"{}.??.??\"]\n[WhiteElo \"{}\"]\n\n1. e4 *\n\n",
            number,
            1900 + number,
            2000 + number
        )
    };
    let games: Vec<String> = (0..100).map(game).collect();
    let (first, others) = games.split_at(10);
    let path = packed(folder.path(), first);
    for ten in others.chunks(10) {
        append(&path, &ten.concat());
    }
    let file = PackedFile::open(&path).expect("a packed file");
    assert_eq!(file.groups(), 10);
    for (text, expected) in [
        ("WhiteElo > 2800", 0..0),
        ("WhiteElo >= 2090", 9..10),
        ("WhiteElo < 2010", 0..1),
        ("NOT WhiteElo < 2090", 9..10),
        ("WhiteElo IN (2055, 7)", 5..6),
        ("BlackElo > 0", 0..0),
        ("BlackElo IS NOT NULL", 0..0),
        ("Date >= '1990'", 9..10),
        ("Date < '1910-01-01'", 0..1),
        ("Date = '1955'", 5..6),
        ("Year = 1955", 5..6),
        ("NoSuchTag = 'x'", 0..0),
        ("WhiteElo > 2089 AND Year < 1990", 0..0),
        ("WhiteElo > 2089 OR Year < 1910", 0..0),
    ] {
        let condition = Condition::parse(text).expect(text);
        let may = (0..file.groups()).filter(|&group| file.may_match(group, &condition));
        let expected: Vec<usize> = match text.contains(" OR ") {
            true => vec![0, 9],
            false => expected.collect(),
        };
        assert_eq!(may.collect::<Vec<_>>(), expected, "{text}");
    }
}
