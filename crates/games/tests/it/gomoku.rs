//! Replays games of gomoku made up by a program: there are no real ones to test on.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use crate::common::{Line, code, corpus, replay};

/// The empty boards of the kinds in the files.
const STARTS: [(&str, &str, &str); 3] = [
    ("15", "freestyle", "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 x freestyle"),
    ("15", "standard", "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 x standard"),
    ("20", "freestyle", "20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20 x freestyle"),
];

/// Returns the lines of a file: size, rule, transcript.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> + Clone {
    text.lines().map(|line| {
        let mut fields = line.split('\t');
        let mut field = || fields.next().expect("size, rule, transcript");
        let (size, rule) = (field(), field());
        let start = STARTS.iter().find(|start| (start.0, start.1) == (size, rule));
        Line { start: start.map(|start| start.2), transcript: field() }
    })
}

#[test]
fn made_up_games_come_back() {
    let Some(text) = corpus("gomoku/syn_dev.tsv.xz") else { return };
    let text = String::from_utf8(text).expect("UTF-8");
    assert!(lines(&text).all(|line| line.start.is_some()));
    assert_eq!(replay("gomoku", lines(&text)), (2_000, 203_309));
    code("gomoku", lines(&text));
}

#[test]
#[ignore = "takes long"]
fn more_made_up_games_are_held() {
    let Some(text) = corpus("gomoku/syn_train.tsv.xz") else { return };
    let text = String::from_utf8(text).expect("UTF-8");
    assert_eq!(replay("gomoku", lines(&text)), (15_000, 1_573_401));
}
