//! `plypack sql`: formats and outputs, queries from a file, mistakes, interrupts, and a build
//! without SQL.

#![cfg_attr(not(feature = "sql"), allow(unused_imports, dead_code))]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Sandbox, many_games, sample};
use serde_json::json;

/// A folder with the packed championship.
fn packed() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("games.pgn", std::fs::read(sample("championship.pgn")).expect("a sample"));
    sandbox.run(["pack", "-q", "games.pgn"]).expect(0);
    sandbox
}

#[cfg(not(feature = "sql"))]
#[test]
fn a_program_without_sql_says_how_to_get_it() {
    let done = Sandbox::new().run(["sql", "select 1", "--format", "csv"]);
    done.refuses(2, &["built without SQL", "--features sql"]);
}

#[cfg(feature = "sql")]
mod built {
    use super::*;

    const QUERY: &str = "select Result, count(*) as games, avg(WhiteElo) > 2700 as strong \
                         from 'games.parquet' group by Result order by games desc";

    #[test]
    fn rows_come_in_every_format() {
        let sandbox = packed();
        let table = sandbox.run(["sql", QUERY]).expect(0);
        assert!(table.text().starts_with("+---------+-------+--------+\n| Result  | games |"));
        let csv = sandbox.run(["sql", QUERY, "--format", "csv"]).expect(0);
        assert_eq!(csv.text().lines().next(), Some("Result,games,strong"));
        assert_eq!(csv.text().lines().count(), 4);
        let lines = sandbox.run(["sql", QUERY, "--json"]).expect(0).json();
        assert_eq!(lines[0], json!({"Result": "1/2-1/2", "games": 324, "strong": null}));
        let none = "select White from 'games.parquet' where Year = 1800";
        assert_eq!(sandbox.run(["sql", none, "--format", "csv"]).expect(0).text(), "White\n");
        assert!(sandbox.run(["sql", none]).expect(0).text().contains("| White |"));
        assert_eq!(sandbox.run(["sql", none, "--json"]).expect(0).text(), "");
    }

    #[test]
    fn patterns_match_coded_moves_and_texts() {
        let sandbox = packed();
        let pattern = r#"{"material": ["KRPKR", "KRKRP"]}"#;
        let query = format!(
            "select matches(moves, '{pattern}') as coded, \
             matches(movetext(*), '{pattern}') as text, count(*) as games \
             from 'games.parquet' group by 1, 2 order by games"
        );
        let lines = sandbox.run(["sql", &query, "--json"]).expect(0).json();
        let expected = [
            json!({"coded": true, "text": true, "games": 9}),
            json!({"coded": false, "text": false, "games": 558}),
        ];
        assert_eq!(lines, expected);
        let query = "select matches('1. e4 e5 2. Nf3', '{\"white-move\": \"Nf3\"}') as yes, \
                     matches('1. e4 zz', 'KK') as unknown";
        let lines = sandbox.run(["sql", query, "--json"]).expect(0).json();
        assert_eq!(lines, [json!({"yes": true, "unknown": null})]);
    }

    #[test]
    fn outputs_are_written_whole_and_not_over_others() {
        let sandbox = packed();
        for name in ["out.csv", "out.ndjson", "out.parquet"] {
            let done = sandbox.run(["sql", QUERY, "-o", name]).expect(0);
            assert_eq!(done.text(), "");
            assert!(done.err.contains(&format!("{name}: 3 rows")), "{}", done.err);
        }
        let again = "select sum(games) as games from 'out.parquet'";
        assert_eq!(
            sandbox.run(["sql", again, "--json"]).expect(0).json()[0],
            json!({"games": 567})
        );
        sandbox.run(["sql", QUERY, "-o", "out.csv"]).refuses(2, &["out.csv", "-f"]);
        sandbox.run(["sql", QUERY, "-o", "out.csv", "-f", "-q"]).expect(0);
        sandbox.run(["sql", QUERY, "-o", "out.xls"]).refuses(2, &["--format"]);
        // A query that fails half-way leaves nothing.
        let fails = "select 1 / (length(White) - length(White)) from 'games.parquet'";
        sandbox.run(["sql", fails, "-o", "bad.csv"]).refuses(2, &["ivide by zero"]);
        let nested = "select moves from 'games.parquet'";
        sandbox.run(["sql", nested, "-o", "bad.csv"]).refuses(2, &["`moves`", "ndjson"]);
        let names = ["games.parquet", "games.pgn", "out.csv", "out.ndjson", "out.parquet"];
        assert_eq!(sandbox.names(), names);
    }

    #[test]
    fn a_copy_without_codes_is_packed_by_what_it_says() {
        let sandbox = packed();
        let plain = "select * from plain('games.parquet')";
        sandbox.run(["sql", plain, "-o", "plain.parquet", "-q"]).expect(0);
        sandbox.run(["pack", "plain.parquet", "-o", "again.parquet", "-q"]).expect(0);
        let moves = |name: &str| {
            let query = format!("select White, Date, san(moves) as moves from '{name}'");
            sandbox.run(["sql", &query, "--format", "csv"]).expect(0).out
        };
        assert_eq!(moves("again.parquet"), moves("games.parquet"));
    }

    #[test]
    fn queries_on_standard_input_are_asked_one_after_the_other() {
        let sandbox = packed();
        let queries = b"select 1 as a; -- a comment; with a semicolon\nselect ';' as b\n";
        let done = sandbox.run_with(["sql", "--format", "csv"], queries).expect(0);
        assert_eq!(done.text(), "a\n1\nb\n;\n");
        let done = sandbox.run_with(["sql", "--json"], b"select 1 as a; selct 2; select 3");
        assert_eq!(done.refuses(2, &["selct 2", "^"]).text(), "{\"a\":1}\n");
        sandbox.run(["sql"]).expect(0);
    }

    #[test]
    fn mistakes_are_shown_where_they_are() {
        let sandbox = packed();
        let done = sandbox.run(["sql", "select Whit from 'games.parquet'"]);
        done.refuses(2, &["did you mean `White`?", "\n  select Whit", "\n         ^"]);
        let done = sandbox.run(["sql", "select 1 from 'gmaes.parquet'"]);
        done.refuses(2, &["there is no file 'gmaes.parquet'", "did you mean 'games.parquet'?"]);
        sandbox.run(["sql", "select 1 from 'games.pgn'"]).refuses(2, &["plypack pack"]);
        sandbox.write("cut.parquet", &sandbox.read("games.parquet")[..5_000]);
        sandbox.run(["sql", "select count(*) from 'cut.parquet'"]).refuses(2, &["cut.parquet"]);
    }

    /// Flipped bytes in columns that a query reads: an error, or an answer.
    #[test]
    fn damage_is_an_error() {
        let sandbox = packed();
        let whole = sandbox.read("games.parquet");
        let query = "select count(distinct fen(moves, 30)) as n, min(length(pgn(*))) as m \
                     from 'bad.parquet'";
        for at in (4..whole.len()).step_by(whole.len() / 12) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            sandbox.write("bad.parquet", &bytes);
            let done = sandbox.run(["sql", query]);
            assert!(matches!(done.code, Some(0 | 2)), "{at}: {:?} {}", done.code, done.err);
            assert!(!done.err.contains("panicked"), "{at}: {}", done.err);
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_interrupt_ends_a_query_and_leaves_nothing() {
        let sandbox = Sandbox::new();
        sandbox.write("big.pgn", many_games(20_000));
        sandbox.run(["pack", "-q", "big.pgn"]).expect(0);
        let query = "select fen, count(*) from plies('big.parquet') group by fen";
        let mut command = sandbox.command(["sql", query, "-o", "out.csv"]);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        std::thread::sleep(Duration::from_millis(800));
        let signalled = std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .is_ok_and(|status| status.success());
        assert!(signalled, "it was over before the signal");
        let begin = Instant::now();
        assert_eq!(child.wait().expect("it ends").code(), Some(130));
        assert!(begin.elapsed() < Duration::from_secs(3), "{:?}", begin.elapsed());
        assert_eq!(sandbox.names(), ["big.parquet", "big.pgn"]);
    }
}
