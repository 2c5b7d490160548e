//! The viewer and the explorer know every game. They draw a game without a row like chess, so a
//! missing row would go unnoticed.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::path::{Path, PathBuf};

use plypack_games::GAMES;

fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../web")
}

fn contents(file: &str) -> String {
    let path = web().join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the number of cells in a row of a position's text.
fn width(row: &str) -> usize {
    let (mut cells, mut run) = (0, 0);
    for sign in row.chars() {
        match sign.to_digit(10) {
            Some(digit) => run = 10 * run + digit as usize,
            None => cells += std::mem::take(&mut run) + 1,
        }
    }
    cells + run
}

#[test]
fn looks_fit_the_starts_of_their_games() {
    let looks = contents("viewer/games.ts");
    for game in GAMES {
        let name = game.info().name;
        let head = format!("  {{\n    name: \"{name}\",\n");
        let row = looks.split_once(&head).and_then(|(_, rest)| rest.split_once("\n  },\n"));
        let row = row.unwrap_or_else(|| panic!("LOOKS in viewer/games.ts lacks {name}")).0;
        let start = game.position_after(None, &[]).expect("the start");
        let mut words = start.split(' ');
        let board = words.next().unwrap_or_default();
        let (rows, cells) = (board.split('/').count(), board.split('/').map(width).sum::<usize>());
        // Without `/` the row says where the board's rows end.
        let (columns, rows) = match rows {
            1 => (cells.isqrt(), cells.isqrt()),
            _ => (cells / rows, rows),
        };
        let usual = format!("sizes: [[{columns}, {rows}]");
        assert!(row.contains(&usual), "the row of {name} has no `{usual}`");
        let mover = words.next().unwrap_or_default();
        let players = row.split_once("players: {").and_then(|(_, rest)| rest.split_once('}'));
        let players = players.unwrap_or_else(|| panic!("the row of {name} has no players")).0;
        assert!(players.contains(&format!(" {mover}: ")), "{name} has no player `{mover}`");
    }
}

#[test]
fn patterns_of_every_game_have_a_palette_and_a_test() {
    let (page, tests) = (contents("viewer/explorer.html"), contents("tests/explorer.test.mjs"));
    // The palette of chess is the usual one, and the other tests are of chess.
    for name in GAMES.iter().map(|game| game.info().name).filter(|name| *name != "chess") {
        let palette = format!("[data-game=\"{name}\"] .palette label");
        assert!(page.contains(&palette), "viewer/explorer.html has no `{palette}`");
        let row = format!("\n    {name}: [\"");
        assert!(tests.contains(&row), "tests/explorer.test.mjs has no men and players of {name}");
    }
}

/// The viewer's test takes a picture that is missing, and passes.
#[test]
fn boards_of_every_game_have_their_pictures() {
    for name in GAMES.iter().map(|game| game.info().name) {
        for scheme in ["light", "dark"] {
            let file = format!("tests/baseline/{name}-{scheme}.png");
            assert!(web().join(&file).exists(), "crates/web/{file} is missing");
        }
    }
}
