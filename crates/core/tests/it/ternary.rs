//! The golden codes of ternary boards, which every codec must read and write for ever.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack_core::board::TernaryBoard;
use plypack_core::board::ternary::Size;
use plypack_core::codecs::ternary::{CODECS, codec};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/ternary/codes-v0.txt");

/// Returns a line: codec, rows, columns, cells as digits, code in hexadecimal.
fn line(name: &str, board: &TernaryBoard) -> String {
    let code = codec(name).expect("a codec").encode(board).expect("a code");
    let hex: String = code.iter().map(|byte| format!("{byte:02x}")).collect();
    let cells: String = board.to_cells().iter().map(|cell| char::from(b'0' + cell)).collect();
    format!("{name}\t{}\t{}\t{cells}\t{hex}", board.size().rows(), board.size().columns())
}

fn board(rows: &str, columns: &str, cells: &str) -> TernaryBoard {
    let number = |text: &str| text.parse().expect("a number");
    let size = Size::new(number(rows), number(columns)).expect("a size");
    let cells: Vec<u8> = cells.bytes().map(|digit| digit - b'0').collect();
    TernaryBoard::from_cells(size, &cells).expect("cells")
}

#[test]
fn boards_have_their_golden_codes() {
    let text = std::fs::read_to_string(FILE).expect("the golden file");
    let mut lines = 0;
    for expected in text.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = expected.split('\t').collect();
        let [name, rows, columns, cells, hex] = parts[..] else { panic!("{expected}") };
        let board = board(rows, columns, cells);
        // The output of an LZMA coder may change with the library.
        if name != "ternary.lzma" {
            assert_eq!(line(name, &board), expected);
        }
        let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal");
        let code: Vec<u8> = (0..hex.len()).step_by(2).map(byte).collect();
        let back = codec(name).expect("a codec").decode(board.size(), &code);
        assert_eq!(back, Ok(board), "{expected}");
        lines += 1;
    }
    assert!(lines >= 8 * CODECS.len());
}

/// The boards of the file: the smallest, one worked out by hand, a full row, tic-tac-toe, Othello
/// alone and in a pile, gomoku, a block of `ternary.tight` and one with a cell more, stripes.
fn boards() -> Vec<TernaryBoard> {
    let othello = "0000000000000000000120000002111000012000000020000000000000000000";
    let next = "0000000000000000000120000002111000022200000020000000000000000000";
    let mixed: String =
        (0u64..324).map(|at| char::from(b"0012"[(at * at / 7 % 4) as usize])).collect();
    let stripes: String = (0..24).map(|row| ["0", "2", "1"][row % 3].repeat(30)).collect();
    let mut gomoku = vec![b'0'; 225];
    for (number, place) in [112, 113, 97, 98, 127, 82, 128, 142].into_iter().enumerate() {
        gomoku[place] = b"21"[number % 2];
    }
    vec![
        board("1", "1", "2"),
        board("2", "3", "012210"),
        board("1", "7", "2222222"),
        board("3", "3", "200010001"),
        board("8", "8", othello),
        board("24", "8", &[othello, othello, next].concat()),
        board("15", "15", std::str::from_utf8(&gomoku).expect("digits")),
        board("1", "323", &mixed[1..]),
        board("4", "81", &mixed),
        board("24", "30", &stripes),
    ]
}

#[test]
#[ignore = "writes vectors/"]
fn write_golden_file() {
    let mut text = String::from("# codec, rows, columns, cells row by row, code in hex\n");
    for board in boards() {
        for codec in CODECS {
            text.push_str(&line(codec.info().name, &board));
            text.push('\n');
        }
    }
    std::fs::write(FILE, text).expect("the golden file");
}
