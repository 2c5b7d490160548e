//! Counts the lines that the rules allow and compares them with published counts, the usual check
//! of a move generator. The counts are in `vectors/perft`.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack_games::GAMES;

/// Games are counted in parallel: chess alone takes as long as all others.
#[test]
fn the_rules_allow_as_many_lines_as_published() {
    std::thread::scope(|scope| {
        for &game in GAMES {
            scope.spawn(move || {
                let name = game.info().name;
                let rows = crate::golden::rows(&format!("perft/{name}.txt"));
                assert!(!rows.is_empty(), "{name} has no counts");
                for row in rows {
                    let [start, counts] = crate::golden::fields(&row);
                    for (count, depth) in counts.split(' ').zip(1..) {
                        let count: u64 = count.parse().expect("a number");
                        let ours = game.perft(Some(start), depth).expect(start);
                        assert_eq!(ours, count, "{name}, `{start}`, {depth} plies");
                    }
                }
            });
        }
    });
}

#[test]
fn no_plies_are_one_line() {
    for game in GAMES {
        assert_eq!(game.perft(None, 0), Ok(1), "{}", game.info().name);
    }
}
