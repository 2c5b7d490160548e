//! Functions on moves, compared with a plain replay of every game by every codec, and applied to
//! columns of other tools and damaged ones.

use std::slice::from_ref;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, Int32Array, Int64Array, NullArray, StringArray,
    StructArray,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Float64Type, Int32Type, Int64Type};
use datafusion::config::ConfigOptions;
use datafusion::logical_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs};
use datafusion::prelude::SessionContext;
use plypack::store::find::{Asked, Order, Question, find};
use plypack::store::index::Indices;
use plypack::store::{PackedFile, Work};
use plypack_core::testkit::random_line;
use plypack_core::{ErasedLineCodec, Notation};
use plypack_games::{all_line_codecs, line_codec, stored_text};
use plypack_sql::functions::{FUNCTIONS, all, target};
use tempfile::TempDir;

use crate::packed::{given, pack, sample};

/// A row of the column `moves`: codec, start, plies and code.
type Row = Option<(String, Option<String>, i32, Vec<u8>)>;

fn moves(rows: &[Row]) -> ArrayRef {
    let of = |row: &Row| row.clone().unwrap_or_default();
    let codecs: StringArray = rows.iter().map(|row| Some(of(row).0)).collect();
    let starts: StringArray = rows.iter().map(|row| of(row).1).collect();
    let plies: Int32Array = rows.iter().map(|row| Some(of(row).2)).collect();
    let codes: BinaryArray = rows.iter().map(|row| Some(of(row).3)).collect();
    let fields = vec![
        Field::new("codec", DataType::Utf8, false),
        Field::new("start", DataType::Utf8, true),
        Field::new("plies", DataType::Int32, false),
        Field::new("code", DataType::Binary, false),
    ];
    let parts: Vec<ArrayRef> =
        vec![Arc::new(codecs), Arc::new(starts), Arc::new(plies), Arc::new(codes)];
    let nulls = rows.iter().map(Option::is_some).collect::<Vec<bool>>().into();
    Arc::new(StructArray::new(fields.into(), parts, Some(nulls)))
}

/// A row coded by a codec from candidates.
fn row(codec: &dyn ErasedLineCodec, indices: &[u16]) -> Row {
    let code = codec.encode_indices(None, indices).expect("candidates");
    let plies = i32::try_from(indices.len()).expect("few plies");
    Some((stored_text(codec.game(), codec.info()), None, plies, code))
}

/// A row of chess moves.
fn chess(texts: &str) -> Row {
    let codec = line_codec("chess", "line.default").expect("a codec");
    let moves = &mut texts.split_ascii_whitespace();
    let line = codec.encode(None, moves, Notation::Customary).expect("the start");
    assert_eq!(line.stopped, None);
    let plies = i32::try_from(line.plies).expect("few plies");
    Some((stored_text(codec.game(), codec.info()), None, plies, line.code))
}

fn plies_of(plies: &[Option<i64>]) -> ArrayRef {
    Arc::new(Int64Array::from(plies.to_vec()))
}

fn texts_of(texts: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(texts.to_vec()))
}

/// The result of a function on columns.
fn call(name: &str, columns: &[ArrayRef]) -> Result<ArrayRef, String> {
    let all = all();
    let function = all.iter().find(|function| function.name() == name).expect("a function");
    let types: Vec<DataType> = columns.iter().map(|column| column.data_type().clone()).collect();
    let plain = |error: datafusion::error::DataFusionError| error.strip_backtrace();
    let types = function.inner().coerce_types(&types).map_err(plain)?;
    let fields: Vec<_> =
        types.iter().map(|found| Arc::new(Field::new("argument", found.clone(), true))).collect();
    let scalars = vec![None; fields.len()];
    let returned = ReturnFieldArgs { arg_fields: &fields, scalar_arguments: &scalars };
    let return_field = function.return_field_from_args(returned).map_err(plain)?;
    let number_rows = columns.first().map_or(0, |column| column.len());
    let args = columns.iter().map(|column| ColumnarValue::Array(Arc::clone(column))).collect();
    let config_options = Arc::new(ConfigOptions::default());
    let args =
        ScalarFunctionArgs { args, arg_fields: fields, number_rows, return_field, config_options };
    let given = function.invoke_with_args(args).map_err(plain)?;
    given.into_array(number_rows).map_err(plain)
}

fn strings(name: &str, columns: &[ArrayRef]) -> Vec<Option<String>> {
    let given = call(name, columns).unwrap_or_else(|error| panic!("{name}: {error}"));
    given.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
}

fn integers(name: &str, columns: &[ArrayRef]) -> Vec<Option<i64>> {
    let given = call(name, columns).unwrap_or_else(|error| panic!("{name}: {error}"));
    cast(&given, &DataType::Int64).expect("numbers").as_primitive::<Int64Type>().iter().collect()
}

fn booleans(name: &str, columns: &[ArrayRef]) -> Vec<Option<bool>> {
    let given = call(name, columns).unwrap_or_else(|error| panic!("{name}: {error}"));
    given.as_boolean().iter().collect()
}

#[test]
fn names_are_no_other_functions() {
    let state = SessionContext::new().state();
    for function in FUNCTIONS {
        let name = function.name;
        assert!(!state.scalar_functions().contains_key(name), "{name}");
        assert!(!state.aggregate_functions().contains_key(name), "{name}");
        assert!(!state.window_functions().contains_key(name), "{name}");
        assert!(function.usage.starts_with(&format!("{name}(")), "{name}");
        assert!(function.gives.ends_with('.'), "{name}");
    }
    assert!(FUNCTIONS.is_sorted_by_key(|function| function.name));
}

#[test]
fn names_of_players_are_compared_row_by_row() {
    let names = texts_of(&[Some("Carlsen, Magnus"), Some("Carlsen,M"), None, Some("Müller, K")]);
    let others = texts_of(&[Some("CARLSEN MAGNUS"), Some("Magnus Carlsen"), Some("x"), None]);
    let asked = [names, others];
    assert_eq!(booleans("same_player", &asked), [Some(true), Some(false), None, None]);
    assert_eq!(booleans("finds_player", &asked), [Some(true), Some(true), None, None]);
    let error = call("same_player", &asked[..1]).expect_err("one name");
    assert!(error.contains("same_player(name, other_name)"), "{error}");
}

#[test]
fn openings_are_named_by_moves() {
    let najdorf = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Nb1 Ng8";
    let rows = moves(&[chess(najdorf), None, chess("e4 e5"), chess("")]);
    let named = |code: &str| Some(code.to_owned());
    let codes = strings("eco", from_ref(&rows));
    assert_eq!(codes, [named("B90"), None, named("C20"), None]);
    let names = strings("opening", from_ref(&rows));
    assert_eq!(names[0].as_deref(), Some("Sicilian Defense: Najdorf Variation"));
    // A word that is no move, before names end and behind.
    let long = format!("{} xx", "Nf3 Nf6 Ng1 Ng8 ".repeat(10));
    let texts = texts_of(&[Some("1. e4 { so } c5"), Some("1. e4 c5 2. xx"), Some(&long)]);
    let open = call("opening", from_ref(&texts)).expect("texts");
    let open = open.as_string::<i32>();
    assert_eq!(open.value(0), "Sicilian Defense");
    assert_eq!((open.is_null(1), open.is_null(2)), (true, false));
    let uniform = line_codec("othello", "line.uniform").expect("a codec");
    let other = moves(&[row(uniform, &random_line(uniform, None, 9, 1).expect("a line"))]);
    assert_eq!(strings("opening", &[other]), [None]);
    let damaged = moves(&[Some(("line.default".into(), None, 40, vec![0xff; 3]))]);
    call("eco", &[damaged]).expect_err("a damaged code");
}

#[test]
fn time_spent_is_what_clocks_lost_and_moves_added() {
    let game = "1. e4 { [%clk 0:03:00] } e5 { [%clk 0:03:00] } 2. Nf3 { [%clk 0:02:58] } \
                Nc6 { [%clk 0:03:02] } 3. Bb5 { [%clk 0:02:58.5] } a6";
    let texts = texts_of(&[Some(game); 7]);
    let plies: Vec<Option<i64>> = (0..7).map(Some).collect();
    let spent = |asked: &[ArrayRef]| {
        let spent = call("time_spent", asked).expect("clocks");
        spent.as_primitive::<Float64Type>().iter().collect::<Vec<_>>()
    };
    let plain = spent(&[texts.clone(), plies_of(&plies)]);
    assert_eq!(plain, [None, None, None, Some(2.0), None, None, None]);
    let controls = texts_of(&[Some("180+3"); 7]);
    let added = spent(&[texts.clone(), controls, plies_of(&plies)]);
    assert_eq!(added, [None, None, None, Some(5.0), Some(1.0), Some(2.5), None]);
    let unknown = spent(&[texts, texts_of(&[None; 7]), plies_of(&plies)]);
    assert_eq!(unknown, plain);
}

/// Every ply of a line of every codec, forwards, backwards and beyond the end.
#[test]
fn all_codecs_of_all_games_agree_with_a_replay() {
    for codec in all_line_codecs() {
        let game = codec.game();
        let name = stored_text(game, codec.info());
        let uniform = line_codec(game.info().name, "line.uniform").expect("a codec");
        let indices = random_line(uniform, None, 30, 11).expect("a line");
        let last = i64::try_from(indices.len()).expect("few plies");
        let plies: Vec<i64> = (-1..=last + 1).chain((0..=last).rev()).collect();
        let rows = moves(&vec![row(codec, &indices); plies.len()]);
        let asked = [rows.clone(), plies_of(&plies.iter().copied().map(Some).collect::<Vec<_>>())];
        let mut expected: [Vec<Option<String>>; 3] = Default::default();
        let mut numbers: [Vec<Option<i64>>; 2] = Default::default();
        for &ply in &plies {
            let mut cursor = game.cursor(None).expect("the start");
            let played = usize::try_from(ply).ok().and_then(|ply| indices.get(..ply));
            for &index in played.unwrap_or_default() {
                cursor.play(index).expect("a candidate");
            }
            let mut texts: [String; 3] = Default::default();
            cursor.write_position(&mut texts[0]);
            cursor.write_move(Notation::Customary, &mut texts[1]);
            cursor.write_move(Notation::Coordinate, &mut texts[2]);
            for (list, text) in expected.iter_mut().zip(texts) {
                list.push(played.map(|_| text).filter(|text| !text.is_empty()));
            }
            numbers[0].push(played.map(|_| cursor.key().cast_signed()));
            numbers[1].push(played.map(|_| cursor.material().into()));
        }
        for (function, expected) in ["fen", "san", "uci"].into_iter().zip(&expected) {
            assert_eq!(&strings(function, &asked), expected, "{function} of {name}");
        }
        for (function, expected) in ["key", "material"].into_iter().zip(&numbers) {
            assert_eq!(&integers(function, &asked), expected, "{function} of {name}");
        }
        let all: Vec<String> =
            (1..=indices.len()).map(|ply| expected[1][ply + 1].clone().expect("a move")).collect();
        assert_eq!(strings("san", from_ref(&rows))[0].as_deref(), Some(&all.join(" ")[..]));
        let end = usize::try_from(last).expect("few plies") + 1;
        assert_eq!(strings("fen", from_ref(&rows))[0], expected[0][end], "{name}");
        assert_eq!(integers("plies", from_ref(&rows))[0], Some(last));
        // Its own positions are reached where they first occurred.
        let position = expected[0][end].as_deref();
        let keys = &numbers[0][1..=end];
        let first = keys.iter().position(|key| *key == numbers[0][end]).expect("itself");
        let asked = [rows.clone(), texts_of(&vec![position; plies.len()])];
        assert_eq!(integers("ply_of", &asked)[0], i64::try_from(first).ok(), "{name}");
        assert_eq!(booleans("reaches", &asked)[0], Some(true), "{name}");
    }
}

#[test]
fn nothing_gives_nothing() {
    let rows = moves(&[None, chess("e4 e5"), None]);
    let none: ArrayRef = Arc::new(NullArray::new(3));
    let fens = strings("fen", &[rows.clone(), plies_of(&[Some(1), None, Some(0)])]);
    assert_eq!(fens, [None, None, None]);
    assert_eq!(strings("san", from_ref(&none)), [None, None, None]);
    assert_eq!(strings("san", &[rows.clone(), none.clone()]), [None, None, None]);
    assert_eq!(integers("plies", from_ref(&rows)), [None, Some(2), None]);
    assert_eq!(booleans("reaches", &[rows.clone(), none.clone()]), [None, None, None]);
    let reached = booleans("reaches", &[rows.clone(), texts_of(&[Some("e4"); 3])]);
    assert_eq!(reached, [None, Some(true), None]);
    let clocks = call("clock", &[rows, none, plies_of(&[Some(1); 3])]).expect("no clocks");
    assert_eq!(clocks.null_count(), 3);
    assert_eq!(strings("fen", &[moves(&[])]), Vec::<Option<String>>::new());
}

#[test]
fn columns_of_other_tools_are_taken() {
    let rows = moves(&[chess("d4"), chess("e4 e5 Nf3"), None, chess("e4 c5")]);
    let expected: Vec<Option<String>> =
        [Some("d4"), Some("e4 e5 Nf3"), None, Some("e4 c5")].map(|t| t.map(str::to_owned)).into();
    let as_types = |texts: DataType, bytes: DataType, number: DataType| -> ArrayRef {
        let types = [texts.clone(), texts, number, bytes];
        let rows = rows.as_struct();
        let parts: Vec<ArrayRef> = rows
            .columns()
            .iter()
            .zip(&types)
            .map(|(part, wanted)| cast(part, wanted).expect("it is one of the kind"))
            .collect();
        let names = ["codec", "start", "plies", "code"].into_iter().zip(types);
        let fields: Vec<Field> = names.map(|(name, of)| Field::new(name, of, true)).collect();
        Arc::new(StructArray::new(fields.into(), parts, rows.nulls().cloned()))
    };
    let words = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    for column in [
        rows.clone(),
        as_types(DataType::Utf8View, DataType::BinaryView, DataType::Int64),
        as_types(DataType::LargeUtf8, DataType::LargeBinary, DataType::UInt32),
        as_types(words.clone(), DataType::Binary, DataType::Int16),
    ] {
        assert_eq!(strings("san", from_ref(&column)), expected, "{}", column.data_type());
        let part = column.slice(1, 3);
        assert_eq!(strings("san", &[part]), expected[1..]);
        for number in [DataType::Int8, DataType::UInt64, DataType::Int32] {
            let plies = cast(&plies_of(&[Some(1), Some(3), Some(1), Some(2)]), &number);
            let given = strings("san", &[column.clone(), plies.expect("numbers")]);
            assert_eq!(given[1].as_deref(), Some("Nf3"), "{number}");
        }
        for texts in [DataType::Utf8View, DataType::LargeUtf8, words.clone()] {
            let position = cast(&texts_of(&[Some("1. e4"); 4]), &texts).expect("texts");
            let given = booleans("reaches", &[column.clone(), position]);
            assert_eq!(given, [Some(false), Some(true), None, Some(true)]);
        }
    }
}

#[test]
fn damage_is_an_error_that_names_function_codec_and_cure() {
    let Some((name, _, plies, code)) = chess("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6") else { return };
    let row = |name: &str, start: Option<&str>, plies, code: &[u8]| {
        [moves(&[Some((name.to_owned(), start.map(str::to_owned), plies, code.to_vec()))])]
    };
    for (column, words) in [
        (row(&name, None, -1, &code), "at most 65536 can be coded"),
        (row(&name, None, i32::MAX, &code), "plypack verify"),
        (row(&name, Some("no position"), plies, &code), "is not a chess position"),
        (row("chess/line.default/9999", None, plies, &code), "update plypack"),
        (row("", None, plies, &code), "unknown"),
        (row("chess/line.default\u{1b}[31m", None, plies, &code), "chess/line.default"),
    ] {
        for function in ["fen", "key", "material", "san", "uci"] {
            let error = call(function, &column).expect_err(words);
            assert!(error.contains(words) || words == "unknown", "{words}: {error}");
            assert!(
                error.contains(&format!("{function}: ")) && !error.contains('\u{1b}'),
                "{error}"
            );
        }
        let [column] = column;
        let asked = [column, texts_of(&[Some("4k3/8/8/8/8/8/8/4K3 w - -")])];
        assert!(call("reaches", &asked).is_err(), "{words}");
    }
    // A number of plies that no code of this codec contradicts is a long game.
    let long = row("chess/line.uniform/2", None, 60_000, &[]);
    assert_eq!(integers("plies", &long), [Some(60_000)]);
    assert!(strings("fen", &long)[0].is_some());
    // Every code of arbitrary bytes is a game or an error.
    for byte in 0..=u8::MAX {
        let mut damaged = code.clone();
        damaged[0] = byte;
        _ = call("fen", &row(&name, None, plies, &damaged));
        _ = call("fen", &row(&name, None, plies, &code[..usize::from(byte) % code.len()]));
    }
}

#[test]
fn what_is_no_position_is_an_error_and_what_is_anothers_is_not_reached() {
    let rows = moves(&[chess("e4 e5")]);
    let error = call("reaches", &[rows.clone(), texts_of(&[Some("no position")])]);
    let error = error.expect_err("it is none");
    assert!(error.contains("reaches: `no position` is not a chess position"), "{error}");
    assert!(error.contains("Write a position"), "{error}");
    // An othello position is not one of chess.
    let othello = plypack_games::game("othello").expect("a game");
    let text = target(othello, "f5d6").expect("moves").text().to_owned();
    let asked = [rows, texts_of(&[Some(&text)])];
    assert_eq!(booleans("reaches", &asked), [Some(false)]);
    assert_eq!(integers("ply_of", &asked), [None]);
}

#[test]
fn wrong_arguments_are_told_how_to_call_it() {
    let numbers = plies_of(&[Some(1)]);
    let error = call("fen", from_ref(&numbers)).expect_err("no moves");
    assert!(error.contains("fen is called as `fen(moves [, ply])`"), "{error}");
    assert!(error.contains("Int64"), "{error}");
    assert!(call("fen", &[]).is_err());
    let rows = moves(&[chess("e4")]);
    assert!(call("fen", &[rows.clone(), texts_of(&[Some("1")])]).is_err());
    assert!(
        call("clock", &[rows.clone(), numbers.clone()]).is_err(),
        "of a column it takes clocks"
    );
    assert!(call("pgn", &[rows]).expect_err("one column").contains("missing"));
}

#[test]
fn texts_of_moves_are_games_of_chess() {
    let lichess = "1. e4 { [%eval 0.18] [%clk 0:10:00] } e5 { [%clk 0:09:58] } 2. Nf3 (2. d4) \
                   { [%eval #-3] } 1-0";
    let texts = texts_of(&[
        Some(lichess),
        Some("1. e4 e5 2. Ke3"),
        None,
        Some(""),
        Some("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O"),
        Some("[Variant \"Horde\"]\n\n1. e4"),
        Some("e4 } e5"),
    ]);
    let plies = integers("plies", from_ref(&texts));
    assert_eq!(plies, [Some(3), None, None, Some(0), Some(1), None, None]);
    let san = strings("san", from_ref(&texts));
    assert_eq!([san[0].as_deref(), san[1].as_deref()], [Some("e4 e5 Nf3"), None]);
    assert_eq!(san[4].as_deref(), Some("O-O"));
    let second = strings("san", &[texts.clone(), plies_of(&[Some(2); 7])]);
    assert_eq!([second[1].as_deref(), second[3].as_deref()], [Some("e5"), None]);
    let reached = booleans("reaches", &[texts.clone(), texts_of(&[Some("1. e4 e5"); 7])]);
    assert_eq!(reached, [Some(true), Some(true), None, Some(false), Some(false), None, None]);
    // Nothing is known about what follows an illegal move.
    let unknown = booleans("reaches", &[texts.clone(), texts_of(&[Some("1. d4 d5"); 7])]);
    assert_eq!(unknown[..2], [Some(false), None]);
    for (ply, clock, eval, mate) in [
        (1, Some(600.0), Some(0.18), None),
        (2, Some(598.0), None, None),
        (3, None, None, Some(-3)),
        (4, None, None, None),
    ] {
        let asked = [texts.clone(), plies_of(&[Some(ply); 7])];
        let float = |name| -> Option<f64> {
            let given = call(name, &asked).expect("numbers");
            given.as_primitive::<Float64Type>().iter().next().flatten()
        };
        assert_eq!((float("clock"), float("eval")), (clock, eval), "{ply}");
        let mates = call("mate", &asked).expect("numbers");
        assert_eq!(mates.as_primitive::<Int32Type>().iter().next().flatten(), mate, "{ply}");
    }
}

/// The same games as `find`, for positions that many, few and no games reach.
#[test]
fn reaches_is_the_question_of_find() {
    let folder = TempDir::new().expect("a folder");
    let path = pack(&folder, "games.parquet", &sample("championship.pgn"));
    let chess = plypack_games::game("chess").expect("a game");
    for position in [
        "",
        "1. e4 c5",
        "1. d4 Nf6 2. c4 g6 3. Nc3 d5",
        "1. c4 e5 2. e4",
        "rnbqkb1r/ppp1pp1p/5np1/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq -",
        "8/8/4k3/8/8/4K3/8/8 w - -",
        "1. h4 h5 2. a4",
    ] {
        let file = PackedFile::open(&path).expect("a packed file");
        let asked = [Asked { indices: Indices::none(&file), file, known: None }];
        let target = target(chess, position).expect("a position");
        let question = Question { target: Some(&target), ..Question::default() };
        let work = Work::on(2);
        let mut expected = Vec::new();
        let sink = &mut |found: plypack::store::find::Found| {
            let ply = found.hits.first().map_or(0, |hit| hit.ply);
            expected.push([(found.row + 1).to_string(), ply.to_string()].to_vec());
            Ok(())
        };
        find(&asked, &question, Order::Stored, u64::MAX, &work, sink).expect("games");
        let rows = given(
            &format!(
                "select number, ply_of(moves, '{position}') from FILE \
                 where reaches(moves, '{position}') order by number"
            ),
            &path,
        );
        assert_eq!(rows, expected, "{position}");
    }
}

#[test]
fn whole_records_are_as_they_were_packed() {
    let folder = TempDir::new().expect("a folder");
    for name in ["annotated.pgn", "engines.pgn", "famous.pgn", "xiangqi.pgn", "tictactoe.pgn"] {
        let text = sample(name);
        let path = pack(&folder, &format!("{name}.parquet"), &text);
        let rows = given("select pgn(*), movetext(*) from FILE order by number", &path);
        let whole: String = rows.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(whole.as_bytes(), text, "{name}");
        for row in &rows {
            assert!(row[0].trim_end().ends_with(&row[1]) && !row[1].starts_with('['), "{row:?}");
        }
    }
    // Text that is not UTF-8 is read as it was packed.
    let latin = b"[White \"M\xf3ra\"]\n\n1. e4 *\n";
    let path = pack(&folder, "latin.parquet", latin);
    assert_eq!(given("select pgn(*) from FILE", &path), [["[White \"M\u{f3}ra\"]\n\n1. e4 *\n"]]);
}

#[test]
fn what_engines_comments_say_is_the_same_in_columns_and_in_texts() {
    let folder = TempDir::new().expect("a folder");
    let path = pack(&folder, "engines.parquet", &sample("engines.pgn"));
    let coded = given(
        "select depth, nodes, took, eval, mate(moves, annotations, templates, fields, ply) \
         from plies(FILE) where ply in (2, 36, 37, 54) order by number, ply",
        &path,
    );
    let mut read = Vec::new();
    for number in [1, 2] {
        for ply in [2, 36, 37, 54] {
            let call = |name: &str| format!("{name}(movetext, {ply})");
            let calls = ["depth", "nodes", "took", "eval", "mate"].map(call).join(", ");
            let games = "(select *, row_number() over () as place from plain(FILE))";
            let query = format!("select {calls} from {games} where place = {number}");
            read.extend(given(&query, &path));
        }
    }
    assert_eq!(coded, read);
    assert_eq!(coded[1], ["44", "9054849482", "247.427", "0.64", "NULL"]);
    // Engines evaluate for themselves, whoever moves first.
    let own = b"[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n1... Kd7 {-0.30/5 1.5s} \
                2. e4 {+0.50/6 2.5s} Kd6 {-M9/7 3.5s} 3. e5+ {+M8/8 4.5s} *\n";
    let path = pack(&folder, "own.parquet", own);
    let rows = given(
        "select eval, mate(moves, annotations, templates, fields, ply), depth, took \
         from plies(FILE) order by ply",
        &path,
    );
    assert_eq!(
        rows,
        [
            ["0.3", "NULL", "5", "1.5"],
            ["0.5", "NULL", "6", "2.5"],
            ["NULL", "9", "7", "3.5"],
            ["NULL", "8", "8", "4.5"]
        ]
    );
}
