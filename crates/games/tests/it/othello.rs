//! Replays real games of othello, and reads the positions of a test suite.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use crate::common::{Line, code, corpus, replay};
use plypack_core::testkit::check_position;
use plypack_games::{game, position_codecs};

/// Returns the lines of a file whose second field is a transcript.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> + Clone {
    text.lines().map(|line| Line {
        start: None,
        transcript: line.split('\t').nth(1).expect("a transcript"),
    })
}

#[test]
fn games_of_2015_to_2018_are_legal_and_come_back() {
    let Some(text) = corpus("othello/othello_dev.tsv.xz") else { return };
    let text = String::from_utf8(text).expect("UTF-8");
    assert_eq!(replay("othello", lines(&text)), (8_813, 527_104));
    code("othello", lines(&text));
}

#[test]
#[ignore = "takes long"]
fn games_to_2014_are_legal() {
    let Some(text) = corpus("othello/othello_train.tsv.xz") else { return };
    let text = String::from_utf8(text).expect("UTF-8");
    assert_eq!(replay("othello", lines(&text)), (115_476, 6_911_031));
}

/// The FFO positions: boards as programs write them, which every codec must hold.
#[test]
fn positions_of_a_test_suite_are_read() {
    let othello = game("othello").expect("the game is registered");
    for (file, count) in [("1-19", 19), ("20-39", 20), ("40-59", 20), ("60-79", 20)] {
        let Some(text) = corpus(&format!("othello/ffo_edax/fforum-{file}.obf")) else { return };
        let text = String::from_utf8(text).expect("UTF-8");
        let mut positions = 0;
        for line in text.lines().filter(|line| !line.is_empty()) {
            let (position, moves) = line.split_once(';').expect("moves behind the position");
            let canonical = othello.position_after(Some(position), &[]).expect(line);
            assert_eq!(canonical, position, "{line}");
            // The moves that have a score are legal.
            for mv in moves.split(';').filter_map(|mv| mv.split_once(':')) {
                let read = othello.read_moves(Some(position), &mut std::iter::once(mv.0.trim()));
                assert!(read.is_ok_and(|read| read.1.is_none()), "{line}: {}", mv.0);
            }
            for codec in position_codecs("othello") {
                let held = check_position(codec, position);
                assert!(matches!(held, Ok(Some(_))), "{}: {held:?}", codec.info().name);
            }
            positions += 1;
        }
        assert_eq!(positions, count, "{file}");
    }
}
