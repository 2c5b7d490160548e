//! Keys of positions: the golden ones in `vectors/key`, and what must hold of every game's keys in
//! random play.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::collections::{BTreeMap, BTreeSet};

use plypack_core::key::Structure;
use plypack_core::testkit::random_line;
use plypack_core::{Cursor, ErasedRules};
use plypack_games::{GAMES, line_codec};

/// The length of random lines, and the seeds for each start.
const PLIES: u32 = 120;
const SEEDS: std::ops::Range<u64> = 0..12;

/// Returns the name of a game's file.
fn file_of(game: &dyn ErasedRules) -> String {
    format!("key/{}-v1.txt", game.info().name)
}

/// Returns the exact and the canonical key of a position.
fn keys_of(cursor: &dyn Cursor<'_>) -> [u64; 2] {
    [cursor.key(), cursor.canonical_key()]
}

/// Returns the keys after moves in any notation.
fn keys_after(game: &dyn ErasedRules, start: Option<&str>, moves: &str) -> [u64; 2] {
    let mut cursor = game.cursor(start).unwrap_or_else(|error| panic!("{start:?}: {error}"));
    for text in moves.split_ascii_whitespace() {
        cursor.read(text).unwrap_or_else(|error| panic!("{start:?}, {moves}: {error}"));
    }
    keys_of(&*cursor)
}

fn text_of(cursor: &dyn Cursor<'_>) -> String {
    let mut text = String::new();
    cursor.write_position(&mut text);
    text
}

/// Returns a position's text without the counters at its end.
fn stem(text: &str) -> &str {
    text.trim_end_matches(|symbol: char| symbol.is_ascii_digit() || symbol == ' ')
}

/// Returns the symmetries of a board, by the word for them in the golden file: whether rows and
/// columns are swapped, and whether rows and columns are then reversed.
fn symmetries(word: &str) -> Vec<[bool; 3]> {
    let all = (0..8).map(|way| [way & 4 != 0, way & 2 != 0, way & 1 != 0]);
    match word {
        "none" => all.take(1).collect(),
        "mirror" => all.take(2).collect(),
        "square" => all.collect(),
        other => panic!("{other} is not a kind of symmetry"),
    }
}

/// Returns the text of a position under a symmetry. Rows are separated by `/` or as long as there
/// are rows; a number stands for that many empty cells.
fn image(text: &str, [transposed, rows, columns]: [bool; 3]) -> String {
    let (board, rest) = text.split_once(' ').unwrap_or((text, ""));
    let parted = board.contains('/');
    let mut cells: Vec<Vec<char>> = if parted {
        board.split('/').map(expanded).collect()
    } else {
        let symbols: Vec<char> = board.chars().collect();
        symbols.chunks(symbols.len().isqrt()).map(<[char]>::to_vec).collect()
    };
    if transposed {
        let column = |column: usize| cells.iter().map(|row| row[column]).collect();
        cells = (0..cells[0].len()).map(column).collect();
    }
    if rows {
        cells.reverse();
    }
    if columns {
        cells.iter_mut().for_each(|row| row.reverse());
    }
    let rows: Vec<String> = cells.iter().map(|row| contracted(row)).collect();
    format!("{} {rest}", rows.join(if parted { "/" } else { "" }))
}

/// Expands a row to one point for each empty cell.
fn expanded(row: &str) -> Vec<char> {
    let (mut cells, mut count) = (Vec::new(), 0);
    for symbol in row.chars().chain(['/']) {
        if let Some(digit) = symbol.to_digit(10) {
            count = 10 * count + digit;
            continue;
        }
        cells.extend((0..std::mem::take(&mut count)).map(|_| '.'));
        cells.extend(Some(symbol).filter(|&symbol| symbol != '/'));
    }
    cells
}

/// Contracts consecutive points of a row to their number.
fn contracted(row: &[char]) -> String {
    let runs = row.chunk_by(|a, b| *a == '.' && *b == '.');
    let run = |run: &[char]| match run {
        ['.', ..] => run.len().to_string(),
        other => other.iter().collect(),
    };
    runs.map(run).collect()
}

/// Returns the word for the symmetries in the first row of a golden file.
fn word_of(game: &dyn ErasedRules) -> String {
    let rows = crate::golden::rows(&file_of(game));
    let word = rows.first().and_then(|row| row.strip_prefix("symmetries\t"));
    word.unwrap_or_else(|| panic!("{} does not begin with symmetries", file_of(game))).to_owned()
}

/// Checks the keys of a block in a golden file against the word above it.
fn check_block(name: &str, word: &str, keys: &[[u64; 2]]) {
    for (place, one) in keys.iter().enumerate() {
        for other in &keys[..place] {
            let equal = [one[0] == other[0], one[1] == other[1]];
            let expected = match word {
                "same" => [true, true],
                "images" => [false, true],
                "different" => [false, false],
                _ => panic!("{name}: `{word}` is not a kind of block"),
            };
            assert_eq!(equal, expected, "{name}: {one:x?} and {other:x?} in a block of {word}");
        }
    }
}

#[test]
fn keys_are_the_golden_ones() {
    for &game in GAMES {
        let name = game.info().name;
        let mut block = (String::new(), Vec::new());
        let mut words = Vec::new();
        for row in crate::golden::rows(&file_of(game)).into_iter().skip(1).chain(["end".to_owned()])
        {
            if !row.contains('\t') {
                let (word, keys) = std::mem::replace(&mut block, (row, Vec::new()));
                if !word.is_empty() {
                    assert!(keys.len() > 1, "{name}: a block of {word} has {} rows", keys.len());
                    check_block(name, &word, &keys);
                    words.push(word);
                }
                continue;
            }
            let [start, moves, exact, canonical] = crate::golden::fields(&row);
            let keys = keys_after(game, crate::golden::some(start), moves);
            let ours = keys.map(|key| format!("{key:016x}"));
            assert_eq!(ours, [exact, canonical], "{name}: {start} {moves}");
            block.1.push(keys);
        }
        let kinds: &[&str] = match word_of(game).as_str() {
            "none" => &["same", "different"],
            _ => &["same", "different", "images"],
        };
        for kind in kinds {
            assert!(words.iter().any(|word| word == kind), "{name} has no block of {kind}");
        }
    }
}

/// Rewrites the golden keys: the blocks and their lines stay as they are.
#[test]
#[ignore = "writes vectors/"]
fn write_golden_keys() {
    for &game in GAMES {
        crate::golden::rewrite(&file_of(game), |row| {
            let mut fields = row.split('\t');
            match (fields.next(), fields.next()) {
                (Some(start), Some(moves)) if start != "symmetries" => {
                    let [exact, canonical] = keys_after(game, crate::golden::some(start), moves);
                    format!("{start}\t{moves}\t{exact:016x}\t{canonical:016x}")
                }
                _ => row.to_owned(),
            }
        });
    }
}

/// Runs `see` at every position of random lines from every start of a game.
fn roam(game: &dyn ErasedRules, mut see: impl FnMut(&mut dyn Cursor<'_>)) {
    let uniform = line_codec(game.info().name, "line.uniform").expect("every game has it");
    for start in crate::golden::starts(game.info().name) {
        for seed in SEEDS {
            let line = random_line(uniform, start.as_deref(), PLIES, seed).expect("random play");
            let mut cursor = game.cursor(start.as_deref()).expect("a start");
            see(&mut *cursor);
            for index in line {
                cursor.play(index).expect("a candidate");
                see(&mut *cursor);
            }
        }
    }
}

/// The same board and side with the same candidates have one key, whatever the counters; others
/// have other keys. A text says more than the board: candidates may not show all rights that are
/// left, so texts may differ where only rights do.
#[test]
fn keys_tell_positions_apart_and_nothing_else() {
    for &game in GAMES {
        let name = game.info().name;
        let (mut keys, mut stems) = (BTreeMap::new(), BTreeMap::new());
        let (mut checks, mut seen_checks) = (BTreeMap::new(), BTreeSet::new());
        let mut structures = BTreeMap::new();
        roam(game, |cursor| {
            let text = text_of(cursor);
            let key = cursor.key();
            let board: Vec<&str> = text.split(' ').take(2).collect();
            let seen = (board.join(" "), cursor.candidates());
            let known = keys.entry(key).or_insert_with(|| seen.clone());
            assert_eq!(*known, seen, "{name}: two positions have the key {key:x}");
            let known = *stems.entry(stem(&text).to_owned()).or_insert(key);
            assert_eq!(known, key, "{name}: `{text}` has two keys");
            // The second hash covers the same facts.
            let known = *checks.entry(key).or_insert(cursor.second_key());
            assert_eq!(known, cursor.second_key(), "{name}: `{text}` has two second hashes");
            seen_checks.insert(known);
            // A position that is set up has the key of one that is played.
            let again = game.cursor(Some(&text)).expect("its own text");
            assert_eq!(keys_of(&*again), keys_of(cursor), "{name}: `{text}`");
            assert_eq!(again.structure(), cursor.structure(), "{name}: `{text}`");
            let known = *structures.entry(key).or_insert(cursor.structure());
            assert_eq!(known, cursor.structure(), "{name}: `{text}` has two structures");
        });
        assert!(keys.len() > 100, "{name}: {} keys", keys.len());
        // Among some ten thousand, hardly two share 32 bits.
        assert!(seen_checks.len() + 3 > keys.len(), "{name}: {} second hashes", seen_checks.len());
        // Texts with one key differ in what cannot be done, such as a capture en passant.
        assert!(keys.len() <= stems.len(), "{name}");
    }
}

/// What a search for a position relies on: equal facts, as texts spell them, have equal keys, and
/// no move lowers the progress of a line.
#[test]
fn facts_are_what_keys_are_made_of_and_progress_never_falls() {
    for &game in GAMES {
        let name = game.info().name;
        let (mut keys, mut facts) = (BTreeMap::new(), BTreeMap::new());
        let (mut before, mut rises) = (0, 0);
        roam(game, |cursor| {
            let (mut text, key, progress) = (String::new(), cursor.key(), cursor.progress());
            cursor.write_facts(&mut text);
            assert_eq!(*facts.entry(text.clone()).or_insert(key), key, "{name}: `{text}`");
            let known = keys.entry(key).or_insert_with(|| text.clone());
            assert_eq!(*known, text, "{name}: of one key");
            let again = game.cursor(Some(&text)).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!((again.key(), again.progress()), (key, progress), "{name}: `{text}`");
            let start = cursor.ply() == 0;
            assert!(start || before <= progress, "{name}: {before} to {progress} at `{text}`");
            rises += usize::from(!start && before < progress);
            before = progress;
        });
        // Any stone on a board of go may be taken away again.
        assert!(rises > 100 || name == "go", "{name}: the progress rises {rises} times");
    }
}

#[test]
fn images_of_a_position_have_one_canonical_key() {
    for &game in GAMES {
        let name = game.info().name;
        let ways = symmetries(&word_of(game));
        let mut apart = 0;
        roam(game, |cursor| {
            let (text, [key, canonical]) = (text_of(cursor), keys_of(cursor));
            let mut exact = Vec::new();
            for way in &ways {
                let laid = image(&text, *way);
                let laid = game.cursor(Some(&laid)).unwrap_or_else(|e| panic!("{laid}: {e}"));
                let [key, least] = keys_of(&*laid);
                assert_eq!(least, canonical, "{name}: `{text}` and `{}`", text_of(&*laid));
                exact.push(key);
            }
            assert_eq!(exact[0], key, "{name}: `{text}`");
            assert_eq!(exact.iter().min(), Some(&canonical), "{name}: `{text}`");
            exact.sort_unstable();
            exact.dedup();
            apart += usize::from(exact.len() == ways.len());
        });
        assert!(apart > 100, "{name}: {apart} positions have images that all differ");
    }
}

/// Swaps two moves of a side: if both orders are legal and lead to the same text except for
/// counters, they lead to the same key.
#[test]
fn transposed_moves_lead_to_one_key() {
    for &game in GAMES {
        let name = game.info().name;
        let uniform = line_codec(name, "line.uniform").expect("every game has it");
        let mut met = 0;
        for seed in 0..60 {
            let line = random_line(uniform, None, 60, seed).expect("random play");
            let moves = game.write_moves(None, &line, plypack_core::Notation::Coordinate);
            let moves: Vec<String> = moves.expect("legal").iter().map(str::to_owned).collect();
            for at in (0..moves.len().saturating_sub(2)).step_by(3) {
                let mut other = moves[..at + 3].to_vec();
                other.swap(at, at + 2);
                let mut cursor = game.cursor(None).expect("the usual start");
                if !other.iter().all(|text| cursor.read(text).is_ok()) {
                    continue;
                }
                let usual = game.position_after(None, &line[..at + 3]).expect("legal");
                if stem(&text_of(&*cursor)) == stem(&usual) {
                    let keys = keys_after(game, None, &moves[..at + 3].join(" "));
                    assert_eq!(keys_of(&*cursor), keys, "{name}: {}", other.join(" "));
                    met += 1;
                }
            }
        }
        assert!(met > 50, "{name}: {met} lines met again");
    }
}

/// Returns the structure after some moves.
fn structure_after(game: &str, start: Option<&str>, moves: &str) -> Structure {
    let game = plypack_games::game(game).expect("a game");
    let mut cursor = game.cursor(start).expect("a start");
    for text in moves.split_whitespace() {
        cursor.read(text).expect("a move");
    }
    cursor.structure()
}

#[test]
fn structures_are_those_of_the_specification() {
    let start = structure_after("chess", None, "");
    assert_eq!(start, Structure { frame: 0x1fa5_af29_463c_d762, men: 0x337b_a804_c329_fb02 });
    assert_eq!(structure_after("chess", None, "Nf3 Nf6 Rg1"), start);
    let e4 = structure_after("chess", None, "e4");
    assert_eq!((e4.frame, e4.men), (0xd572_3c20_6601_b00a, start.men));
    let taken = structure_after("chess", None, "e4 d5 Nf3 dxe4 Ng1");
    assert!(taken.frame != e4.frame && taken.men == start.men);
    let knights = structure_after("chess", None, "e4 e5 Nf3 Nf6 Nxe5 Nxe4 Nf3 Nf6");
    let other = structure_after("chess", None, "e4 e5 Nf3 Nc6 Nxe5 Nxe5 d3 d6 f3");
    assert!(knights.men == start.men && other.men != start.men);
    let start = structure_after("xiangqi", None, "");
    let expected = Structure { frame: 0x6bf9_69a1_45e6_5bc5, men: 0x1ae3_0bab_7294_e537 };
    assert_eq!((start, structure_after("xiangqi", None, "h2e2 h9g7")), (expected, expected));
}

#[test]
fn a_stone_makes_another_structure() {
    for game in ["go", "gomoku", "othello", "tictactoe"] {
        let cursor = plypack_games::game(game).expect("a game").cursor(None).expect("a start");
        assert_eq!(cursor.structure(), Structure { frame: cursor.key(), men: 0 }, "{game}");
    }
}
