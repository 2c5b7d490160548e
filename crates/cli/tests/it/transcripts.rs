//! The verbs on games that are not in PGN: WTHOR files, transcripts and PSQ.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use crate::common::Sandbox;

/// Three games of othello, the moves in the second field.
const OTHELLO: &str = "x#0\tf5d6c3d3c4f4c5b3c2\t40\nx#1\te6f4e3f6g5d6e7f5c5\t64\n\
                       x#2\tf5f6e6f4e3c5c4e7c6e2\t33\n";

/// A game of gomoku on 20 rows, with the lines of the players after its stones.
const PSQ: &str =
    "Piskvorky 20x20, 7:7, 0\r\n10,10,456\r\n11,12,4500\r\n10,13,60\r\na\r\nb\r\n0\r\n";

/// The same three games of othello in a WTHOR file.
fn wthor() -> Vec<u8> {
    let mut bytes = vec![20, 16, 10, 29, 3, 0, 0, 0, 0, 0, 223, 7, 8, 0, 24, 0];
    for line in OTHELLO.lines() {
        let moves = line.split('\t').nth(1).expect("moves").as_bytes();
        let mut cells: Vec<u8> =
            moves.chunks(2).map(|cell| (cell[1] - b'0') * 10 + cell[0] - b'a' + 1).collect();
        cells.resize(60, 0);
        bytes.extend([222, 0, 238, 5, 179, 7, 40, 35]);
        bytes.extend(cells);
    }
    bytes
}

#[test]
fn files_come_back_and_are_listed() {
    let sandbox = Sandbox::new();
    let files: [(&str, &[u8], &str, u64, u64); 3] = [
        ("x.tsv", OTHELLO.as_bytes(), "othello", 3, 28),
        ("x.wtb", &wthor(), "othello", 3, 28),
        ("x.psq", PSQ.as_bytes(), "gomoku", 1, 3),
    ];
    for (name, bytes, game, records, plies) in files {
        sandbox.write(name, bytes);
        let packed = sandbox.round_trip_of(name, &sandbox.path(name), &["--strict"]);
        let listed = &sandbox.run(["ls", "--json", "packed.parquet"]).expect(0).json()[0];
        for (key, value) in [("records", records), ("plies", plies), ("verbatim_records", 0)] {
            assert_eq!((&packed[key], &listed[key]), (&value.into(), &value.into()), "{name}");
        }
        assert_eq!((&packed["game"], &listed["game"]), (&game.into(), &game.into()), "{name}");
        sandbox.run(["verify", "packed.parquet"]).expect(0);
        let last = sandbox.run(["cat", "packed.parquet", "--records", &records.to_string()]);
        assert!(bytes.ends_with(&last.expect(0).out), "{name}");
        for file in [name, "packed.parquet"] {
            let rows = sandbox.run(["bench", "--rounds", "1", "--json", file]).expect(0).json();
            let row = rows.iter().find(|row| row["codec"] == "line.ranked").expect("the codec");
            assert_eq!((&row["game"], &row["plies"]), (&game.into(), &plies.into()), "{file}");
        }
        let rows = sandbox.run(["bench", "--positions", "--rounds", "1", "--json", name]);
        assert!(!rows.expect(0).json().is_empty(), "{name}");
    }
}

#[test]
fn several_files_of_one_kind_pack_together() {
    let sandbox = Sandbox::new();
    sandbox.write("a.wtb", wthor());
    sandbox.write("b.tsv", OTHELLO);
    sandbox.write("c.psq", PSQ);
    sandbox.write("d.pgn", "[Event \"x\"]\n\n1. e4 e5 *\n");
    let names = ["a.wtb", "b.tsv", "c.psq", "d.pgn"];
    sandbox.run(["pack", "-o", "all.parquet"].into_iter().chain(names)).expect(0);
    sandbox.run(["unpack", "all.parquet", "-o", "back/"]).expect(0);
    for name in names {
        assert!(sandbox.read(name) == sandbox.read(&format!("back/{name}")), "{name}");
    }
    let listed = &sandbox.run(["ls", "--json", "all.parquet"]).expect(0).json()[0];
    assert_eq!((&listed["records"], &listed["plies"]), (&8.into(), &61.into()), "{listed}");
}

#[test]
fn games_have_links_wherever_they_stand() {
    let sandbox = Sandbox::new();
    sandbox.write("x.tsv", OTHELLO);
    sandbox.write("x.wtb", wthor());
    sandbox.write("x.psq", PSQ);
    let link = |arguments: &[&str]| {
        sandbox.run([&["link"], arguments].concat()).expect(0).text().trim().to_owned()
    };
    let bare = link(&["--game", "othello", "--moves", "e6f4e3f6g5d6e7f5c5"]);
    assert_eq!(link(&["x.tsv", "--record", "2"]), bare);
    assert_eq!(link(&["x.wtb", "--record", "2"]), bare);
    let line = OTHELLO.lines().nth(1).expect("a line").as_bytes();
    assert_eq!(sandbox.run_with(["link"], line).expect(0).text().trim(), bare);
    let game = &sandbox.run(["unlink", "--json", &link(&["x.psq"])]).expect(0).json()[0];
    assert_eq!((&game["game"], &game["ply"]), (&"gomoku".into(), &3.into()), "{game}");
    assert!(game["start"].as_str().is_some_and(|start| start.starts_with("20/20/")), "{game}");
    sandbox.run(["link", "x.wtb", "--record", "4"]).refuses(1, &["only 3 records"]);
}

#[test]
fn one_word_of_moves_is_a_line() {
    let sandbox = Sandbox::new();
    let encode = |moves: &str| {
        let done = sandbox.run(["line", "encode", "--game", "othello", moves]);
        done.expect(0).text().trim().to_owned()
    };
    assert_eq!(encode("f5d6c3d3"), encode("1. f5 d6 2. c3 d3"));
    assert_eq!(encode("F5D6--C3D3"), encode("f5d6c3d3"));
}

/// A WTHOR name file with `count` entries, of which only the last has a name.
fn names(count: u16, name: &str, bytes: usize) -> Vec<u8> {
    let [low, high] = count.to_le_bytes();
    let mut file = vec![20, 16, 10, 29, 0, 0, 0, 0, low, high, 0, 0, 0, 0, 0, 0];
    file.resize(16 + (usize::from(count) - 1) * bytes, 0);
    file.extend(name.as_bytes());
    file.resize(16 + usize::from(count) * bytes, 0);
    file
}

#[test]
fn players_and_events_of_wthor_are_called_by_name_where_the_names_lie_beside() {
    let sandbox = Sandbox::new();
    sandbox.write("WTH_2015.wtb", wthor());
    let names_of = |column: &str| -> Vec<String> {
        let file = std::fs::File::open(sandbox.path("WTH_2015.parquet")).expect("a packed file");
        let reader = parquet::file::serialized_reader::SerializedFileReader::new(file);
        let rows = reader.expect("Parquet").into_iter().map(|row| row.expect("a row"));
        let cell = |row: parquet::record::Row| {
            let column = row.get_column_iter().find(|cell| cell.0 == column).expect("a column");
            column.1.to_string()
        };
        rows.map(cell).collect()
    };
    let pack = |expected: [&str; 3]| {
        sandbox.run(["pack", "-qf", "WTH_2015.wtb"]).expect(0);
        for (column, expected) in ["Event", "Black", "White"].into_iter().zip(expected) {
            assert_eq!(names_of(column), vec![format!("\"{expected}\""); 3], "{column}");
        }
        std::fs::rename(sandbox.path("WTH_2015.wtb"), sandbox.path("kept")).expect("a file");
        sandbox.run(["unpack", "-q", "WTH_2015.parquet"]).expect(0);
        assert!(sandbox.read("WTH_2015.wtb") == wthor());
    };
    pack(["222", "1518", "1971"]);
    sandbox.write("wthor.TRN", names(223, "Divers", 26));
    sandbox.write("WTHOR.JOU", names(1519, "Tamenori Hideshi", 20));
    // A file of another name is not read.
    sandbox.write("other.jou", names(1972, "Nobody", 20));
    pack(["Divers", "Tamenori Hideshi", "1971"]);
    // A file that is not a name file is ignored, and a name file that is an input is just a file.
    sandbox.write("WTHOR.JOU", "junk");
    pack(["Divers", "1518", "1971"]);
    sandbox.round_trip_of("names", &sandbox.path("wthor.TRN"), &[]);
}

#[test]
fn a_file_comes_back_under_its_own_name() {
    let sandbox = Sandbox::new();
    sandbox.write("games.wtb", wthor());
    sandbox.run(["pack", "-q", "games.wtb", "-o", "packed.parquet"]).expect(0);
    sandbox.run(["unpack", "packed.parquet"]).refuses(2, &["games.wtb exists", "-f", "-o"]);
    std::fs::remove_file(sandbox.path("games.wtb")).expect("a file");
    let said = sandbox.run(["unpack", "packed.parquet"]).expect(0).err;
    assert!(said.contains("unpacked as games.wtb"), "{said}");
    assert!(sandbox.read("games.wtb") == wthor());
    assert_eq!(sandbox.names(), ["games.wtb", "packed.parquet"]);
    // Several inputs, or standard input, come back under the packed file's name.
    sandbox.write("a.tsv", OTHELLO);
    sandbox.run(["pack", "-qf", "games.wtb", "a.tsv", "-o", "both.parquet"]).expect(0);
    sandbox.run(["unpack", "both.parquet", "-q"]).expect(0);
    assert_eq!(sandbox.read("both.pgn").len(), wthor().len() + OTHELLO.len());
    sandbox.run_with(["pack", "-q", "-", "-o", "piped.parquet"], &wthor()).expect(0);
    sandbox.run(["unpack", "piped.parquet", "-q"]).expect(0);
    assert!(sandbox.read("piped.pgn") == wthor());
}
