//! The examples of `docs/sql.md`: each is run, and its answer compared.
//!
//! `PLYPACK_BLESS=1` rewrites the answers.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use datafusion::arrow::util::pretty::pretty_format_batches;
use plypack_sql::Session;
use plypack_sql::functions::FUNCTIONS;
use tempfile::TempDir;

use crate::packed::{ask, pack, sample};

/// The samples that examples name as Parquet files.
const SAMPLES: [&str; 6] =
    ["annotated", "championship", "engines", "famous", "tictactoe", "xiangqi"];

const QUERY: &str = "```sql\n";
const ANSWER: &str = "```text\n";
const END: &str = "```\n";

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sql.md")
}

fn document() -> String {
    std::fs::read_to_string(path()).expect("the document")
}

/// The packed samples, with their names in queries.
struct Files {
    _folder: TempDir,
    names: Vec<(String, String)>,
}

impl Files {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let names = SAMPLES.map(|name| {
            let text = sample(&format!("{name}.pgn"));
            let packed = pack(&folder, &format!("{name}.parquet"), &text);
            (format!("'{name}.parquet'"), format!("'{}'", packed.display()))
        });
        Self { _folder: folder, names: names.to_vec() }
    }

    /// The answer to a query, as a table.
    fn answer(&self, query: &str) -> String {
        let named = self
            .names
            .iter()
            .fold(query.to_owned(), |query, (name, path)| query.replace(name, path));
        match ask(&Session::local(2), &named, Path::new("")) {
            Ok(batches) => pretty_format_batches(&batches).expect("a table").to_string(),
            Err(error) => panic!("{query}: {error}"),
        }
    }
}

/// The document with the current answers to its queries.
fn answered(text: &str, files: &Files) -> String {
    let mut again = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(QUERY) {
        let (query, after) = after.split_once(END).expect("a query ends");
        write!(again, "{before}{QUERY}{query}{END}").expect("room");
        rest = after;
        let Some(after) = after.strip_prefix(ANSWER) else { continue };
        // A record in an answer never begins a line with this: tables have a frame.
        let (_, after) = match after.strip_prefix(END) {
            Some(after) => ("", after),
            None => after.split_once("\n```\n").expect("an answer ends"),
        };
        write!(again, "{ANSWER}{}\n{END}", files.answer(query)).expect("room");
        rest = after;
    }
    again + rest
}

#[test]
fn examples_say_what_stands_below_them() {
    let text = document();
    let again = answered(&text, &Files::new());
    if std::env::var_os("PLYPACK_BLESS").is_some() {
        std::fs::write(path(), &again).expect("the document");
        return;
    }
    for (now, ours) in text.lines().zip(again.lines()) {
        assert_eq!(now, ours, "docs/sql.md differs");
    }
    assert!(text == again, "docs/sql.md has another length");
}

#[test]
fn every_function_has_its_place_and_an_example() {
    let text = document();
    let functions = text.split("## Functions\n").nth(1).expect("a section");
    let functions = functions.split("\n## ").next().expect("its text");
    let sections: Vec<(&str, &str)> =
        functions.split("\n### ").skip(1).filter_map(|part| part.split_once('\n')).collect();
    let documented: Vec<&str> = sections.iter().map(|section| section.0).collect();
    let registered: Vec<&str> = FUNCTIONS.iter().map(|function| function.name).collect();
    assert_eq!(documented, registered);
    for (name, section) in sections {
        let called = format!("{name}(");
        let query = section.split(QUERY).nth(1).and_then(|query| query.split(END).next());
        assert!(query.is_some_and(|query| query.contains(&called)), "{name} has no example");
        assert!(section.split(QUERY).next().is_some_and(|text| text.contains(&called)), "{name}");
    }
}
