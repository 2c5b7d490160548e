//! The golden codes of ternary boards, which every codec must read and write for ever; and the
//! numbers and worked examples of `docs/FORMAT.md`.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::fmt::Write;

use plypack_core::CodecInfo;
use plypack_core::board::TernaryBoard;
use plypack_core::board::ternary::Size;
use plypack_core::codecs::ternary::{CODECS, codec};
use plypack_testing::examples::{self, Example};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/ternary/codes-v1.txt");

const FORMAT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/FORMAT.md");

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

#[test]
fn every_number_is_stated() {
    let text = std::fs::read_to_string(FORMAT).expect("the document");
    let (_, table) = text.split_once("**Codecs of ternary boards**").expect("the table");
    let rows = table.lines().skip_while(|line| !line.starts_with('|')).skip(2);
    let stated: Vec<&str> = rows.take_while(|line| line.starts_with('|')).collect();
    let row = |info: &CodecInfo| format!("| {} | `{}` |", info.id, info.name);
    assert_eq!(stated, CODECS.iter().map(|codec| row(codec.info())).collect::<Vec<_>>());
}

const EXAMPLES: [Example; 1] = [("codes", codes)];

#[test]
fn examples_are_what_the_codecs_write() {
    examples::check("ternary", &EXAMPLES);
}

#[test]
#[ignore = "writes docs/FORMAT.md"]
fn write_examples() {
    examples::write("ternary", &EXAMPLES);
}

/// Adds lines to an example: a name, and bytes as hexadecimal digits, 24 a line.
fn add(out: &mut String, name: &str, bytes: &[u8]) {
    for (number, bytes) in bytes.chunks(24).enumerate() {
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let name = if number == 0 { name } else { "" };
        writeln!(out, "{name:<20}{}", digits.join(" ")).expect("memory");
    }
}

/// The codes of a small board, each worked out by code other than the codec's.
fn codes() -> String {
    let cells = [0u8, 1, 2, 2, 1, 0];
    let board = TernaryBoard::from_cells(Size::new(2, 3).expect("a size"), &cells).expect("cells");
    let mut out = String::new();
    for codec in CODECS.iter().filter(|codec| codec.info().name != "ternary.lzma") {
        let info = codec.info();
        let code = codec.encode(&board).expect("a code");
        add(&mut out, &info.text(), &code);
        let expected = match info.name {
            // 3 + 2 x 9 + 2 x 27 + 81 = 156, then 0.
            "ternary.trits5" => vec![156, 0],
            // 3 + 2 x 9 + 2 x 27 + 81.
            "ternary.tight" | "ternary.base3" => 156u16.to_le_bytes().to_vec(),
            // 0, 1: 00 0; 1, 1: differs from 0, the smaller 0, 0; 2, 2: the larger 1, 10 0;
            // 1, 1: the larger 1, 0; 0, 1: the smaller 0, 0.
            "ternary.rle" => vec![0b0000_0110, 0b0100_0000],
            "ternary.planar" => {
                let byte = |at: usize| {
                    let q = u32::from(cells.get(at).copied().unwrap_or(0)) * 81;
                    u8::try_from((256 * q).div_ceil(243)).expect("a byte")
                };
                (0..32).map(byte).collect()
            }
            _ => continue,
        };
        assert_eq!(code, expected, "{}", info.name);
    }
    let whole = [2, 0, 0, 3, 0, 0, 156, 0];
    assert_eq!(board.to_file(), whole);
    add(&mut out, "portable file", &whole);
    out
}
