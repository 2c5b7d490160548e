//! Tables of games in Parquet, as Lichess publishes its own: `pack` makes PGN of them.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::sync::Arc;

use crate::common::Sandbox;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

const SCHEMA: &str = "message games {
    optional binary White (STRING);
    optional int32 WhiteElo (INTEGER(16, true));
    optional int32 UTCDate (DATE);
    optional double score;
    required binary movetext (STRING);
}";

const GAME: &str = "[White \"w\"]\n[UTCDate \"1970.01.02\"]\n[WhiteElo \"2600\"]\n\n1. e4 e5 *\n\n";

/// A table of identical games with these moves.
fn table(games: usize, movetext: &str) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).expect("a schema"));
    let properties = Arc::new(WriterProperties::default());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).expect("a writer");
    let mut group = writer.next_row_group().expect("a row group");
    let levels = vec![1; games];
    let texts = |text: &str| vec![ByteArray::from(text); games];
    for column in 0..5 {
        let mut chunk = group.next_column().expect("no error").expect("a column");
        match column {
            0 => chunk.typed::<ByteArrayType>().write_batch(&texts("w"), Some(&levels), None),
            1 => chunk.typed::<Int32Type>().write_batch(&vec![2600; games], Some(&levels), None),
            2 => chunk.typed::<Int32Type>().write_batch(&vec![1; games], Some(&levels), None),
            3 => chunk.typed::<DoubleType>().write_batch(&vec![0.5; games], Some(&levels), None),
            _ => chunk.typed::<ByteArrayType>().write_batch(&texts(movetext), None, None),
        }
        .expect("memory");
        chunk.close().expect("memory");
    }
    group.close().expect("memory");
    writer.close().expect("memory");
    bytes
}

#[test]
fn a_table_is_packed_as_the_pgn_of_its_rows() {
    let sandbox = Sandbox::new();
    sandbox.write("lichess.parquet", table(3_000, "1. e4 e5"));
    let done = sandbox.run(["pack", "lichess.parquet", "-o", "games.parquet"]).expect(0);
    assert!(done.err.contains("games.parquet: 3,000 records, 6,000 plies"), "{}", done.err);
    let left_out = "lichess.parquet: PGN has no place for the columns `score` (numbers with";
    assert!(done.err.contains(left_out), "{}", done.err);
    assert_eq!(
        sandbox.run(["unpack", "-c", "-q", "games.parquet"]).expect(0).text(),
        GAME.repeat(3_000)
    );
    // The PGN gets the name of the table, not of the packed file.
    sandbox.run(["unpack", "-q", "games.parquet"]).expect(0);
    assert_eq!(sandbox.names(), ["games.parquet", "lichess.parquet", "lichess.pgn"]);
    sandbox.run(["pack", "-q", "lichess.parquet", "-f", "-o", "games.parquet"]).expect(0);
    let json = sandbox.run(["pack", "--json", "lichess.parquet", "-f", "-o", "games.parquet"]);
    let json = json.expect(0).json();
    assert_eq!(
        json[0]["left_out_columns"]["lichess.parquet"][0],
        "`score` (numbers with fractions)"
    );
}

#[test]
fn a_table_and_a_text_go_into_one_file() {
    let sandbox = Sandbox::new();
    sandbox.write("a.parquet", table(2, "1. e4 e5"));
    sandbox.write("a.pgn", "[Event \"x\"]\n\n1. d4 *\n\n");
    sandbox.run(["pack", "-q", "a.parquet", "a.pgn", "-o", "both.parquet"]).expect(2);
    sandbox.write("b.pgn", "[Event \"x\"]\n\n1. d4 *\n\n");
    sandbox.run(["pack", "-q", "a.parquet", "b.pgn", "-o", "both.parquet"]).expect(0);
    let text = sandbox.run(["unpack", "-c", "-q", "both.parquet"]).expect(0);
    assert_eq!(text.text(), format!("{GAME}{GAME}[Event \"x\"]\n\n1. d4 *\n\n"));
}

#[test]
fn a_table_is_not_written_over() {
    let sandbox = Sandbox::new();
    sandbox.write("lichess.parquet", table(2, "1. e4 e5"));
    for options in [&[][..], &["-f"], &["-o", "lichess.parquet"]] {
        let done = sandbox.run(["pack", "lichess.parquet"].iter().chain(options));
        done.refuses(2, &["lichess.parquet", "not overwritten", "-o"]);
    }
    assert_eq!(sandbox.names(), ["lichess.parquet"]);
}

#[test]
fn a_row_that_is_no_game_is_named_and_nothing_is_left() {
    let sandbox = Sandbox::new();
    sandbox.write("bad.parquet", table(2, "1. e4 {"));
    let done = sandbox.run(["pack", "-q", "bad.parquet", "-o", "games.parquet"]);
    done.refuses(2, &["bad.parquet: row 1: its movetext is not a single game"]);
    let mut cut = table(5_000, "1. e4 e5");
    cut[4..104].fill(0xff);
    sandbox.write("bad.parquet", cut);
    sandbox.run(["pack", "-q", "bad.parquet", "-o", "games.parquet"]).refuses(2, &["bad.parquet"]);
    assert_eq!(sandbox.names(), ["bad.parquet"]);
}

#[test]
fn other_verbs_and_pipes_say_what_to_do_with_a_table() {
    let sandbox = Sandbox::new();
    let bytes = table(2, "1. e4 e5");
    sandbox.write("lichess.parquet", &bytes);
    for verb in ["ls", "unpack", "verify"] {
        let done = sandbox.run([verb, "lichess.parquet"]);
        done.refuses(2, &["lichess.parquet", "`movetext`", "plypack pack"]);
    }
    let piped = sandbox.run_with(["pack", "-", "-o", "kept.parquet"], &bytes).expect(0);
    assert!(piped.err.contains("a Parquet file that is named, not piped"), "{}", piped.err);
    assert!(sandbox.run(["unpack", "-c", "-q", "kept.parquet"]).expect(0).out == bytes);
}
