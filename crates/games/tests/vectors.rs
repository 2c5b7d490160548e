//! Checks the golden files in `vectors/`: if one of these tests fails, cells that exist already no
//! longer decode.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::collections::VecDeque;
use std::fmt::Write;
use std::path::PathBuf;

use plypack_core::{ErasedGame, ErasedLineCodec, Notation, cell};
use plypack_games::chess::claims::BUFFETT_GAME;
use plypack_games::{GAMES, LINE_CODECS, game, line_codec, line_codecs};

/// The codecs that may be missing from the golden lines, because their tables still change.
const WITHOUT_VECTORS: &[&str] = &[];

/// The lines that the golden files hold: a start, or `-` for the usual one, and the moves.
fn lines(game: &str) -> &'static [(&'static str, &'static str)] {
    match game {
        "chess" => &[
            ("-", ""),
            ("-", "e4"),
            ("-", "e4 e5"),
            // A short game with castling and mate: Morphy in the opera, 1858.
            (
                "-",
                "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 \
                 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#",
            ),
            // En passant, and a promotion with capture to a knight.
            ("-", "e4 a6 e5 d5 exd6 Nc6 dxc7 Nb8 cxb8=N"),
            // More than 127 plies: their number takes two bytes.
            ("-", BUFFETT_GAME),
            // Chess960: castling to either side.
            ("1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w KQkq - 0 1", "O-O O-O-O e4"),
            // A forced move, which costs nothing.
            ("7k/8/8/8/8/8/6q1/7K w - - 0 1", "Kxg2"),
            ("7k/8/8/8/8/8/6q1/7K w - - 0 1", "Kxg2 Kh7 Kf3"),
            // Black begins, and the halfmove clock is high.
            ("8/5k2/8/3p4/8/4K3/4P3/7R b - - 120 300", "Ke6 Rh6+ Ke5 Rh5+ Kd6"),
        ],
        "tictactoe" => &[
            ("-", ""),
            ("-", "b2"),
            ("-", "b2 a1"),
            ("-", "b2 a1 a2 c2 b1 b3 c1 a3 c3"),
            ("-", "a1 b2 a2 b3 a3"),
            ("3/1x1/o2 x", "c3 b3"),
        ],
        "othello" => &[
            ("-", ""),
            ("-", "f5"),
            ("-", "f5 d6"),
            // One of the shortest games.
            ("-", "e6 f4 e3 f6 g5 d6 e7 f5 c5"),
            // A real game, WTHOR 1983, number 107: thirteen turns are passed.
            (
                "-",
                "f5 f6 e6 f4 e3 c5 g5 f3 g6 d3 g4 h6 h5 f7 h7 h3 e8 f8 g8 g7 d6 d7 h8 e7 f2 e2 d8 \
                 f1 h4 g3 c7 c8 b8 b7 a6 a7 a8 b6 c6 b5 c4 g2 h2 c3 b3 d1 e1 g1 b2 b1 h1 a1 c2 d2 \
                 a2 b4 a5 a4 c1 a3",
            ),
            // Two moves, then Black passes and the last move is forced: it costs nothing.
            ("OX------------------------------------------------------OX------ O", "c8 c1"),
            ("OX-------------------------------------------------------------- O", "c1"),
        ],
        _ => &[],
    }
}

fn path_of(file: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "vectors", file].iter().collect()
}

fn contents_of(file: &str) -> String {
    std::fs::read_to_string(path_of(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        write!(out, "{byte:02x}").expect("writing to a string");
        out
    })
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    assert!(rest.is_empty(), "an odd number of digits: {hex}");
    let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    pairs.iter().map(|pair| byte(pair).expect("two hex digits")).collect()
}

fn start_of(text: &str) -> Option<&str> {
    Some(text).filter(|&text| text != "-")
}

fn cell_of(codec: &dyn ErasedLineCodec, start: &str, moves: &str) -> Vec<u8> {
    let mut texts = moves.split_ascii_whitespace();
    let line = codec
        .encode(start_of(start), &mut texts, Notation::Customary)
        .unwrap_or_else(|error| panic!("{start}: {error}"));
    assert_eq!(line.stopped, None, "{start}: {moves}");
    cell::join(line.plies, &line.code)
}

fn moves_of(codec: &dyn ErasedLineCodec, start: &str, bytes: &[u8]) -> String {
    let (plies, code) = cell::split(bytes).unwrap_or_else(|error| panic!("{error}"));
    let texts = codec
        .decode(start_of(start), plies, code, Notation::Customary)
        .unwrap_or_else(|error| panic!("{start}: {error}"));
    texts.iter().collect::<Vec<_>>().join(" ")
}

/// The candidates of a position in canonical order, or `-` if there are none.
fn candidates_of(game: &dyn ErasedGame, position: &str) -> String {
    let uniform = line_codec(game.info().name, "line.uniform").expect("every game has it");
    let count = game.perft(Some(position), 1).unwrap_or_else(|error| panic!("{error}"));
    let mut texts = Vec::new();
    for index in 0..u16::try_from(count).expect("few candidates") {
        let code = uniform.encode_indices(Some(position), &[index]).expect("a candidate");
        let text = uniform.decode(Some(position), 1, &code, Notation::Coordinate).expect("a move");
        texts.extend(text.iter().map(String::from));
    }
    if texts.is_empty() { "-".into() } else { texts.join(" ") }
}

#[test]
fn candidates_stand_in_their_golden_order() {
    for game in GAMES {
        let name = game.info().name;
        let file = contents_of(&format!("order/{name}.txt"));
        let mut lines = file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut blocks = 0;
        while let Some(position) = lines.next() {
            let golden = lines.next().unwrap_or_else(|| panic!("{name}: `{position}` ends it"));
            assert_eq!(candidates_of(*game, position), golden, "{name}: `{position}`");
            for (index, text) in golden.split(' ').filter(|&text| text != "-").enumerate() {
                let read = game.read_moves(Some(position), &mut std::iter::once(text));
                let index = u16::try_from(index).expect("few candidates");
                assert_eq!(read, Ok((vec![index], None)), "{name}: `{position}`, {text}");
            }
            let canonical = game.position_after(Some(position), &[]);
            assert_eq!(canonical.as_deref(), Ok(position), "{name}");
            blocks += 1;
        }
        assert!(blocks > 0, "vectors/order/{name}.txt holds no position");
    }
}

/// A row of the golden lines.
struct Row<'a> {
    codec: &'a str,
    start: &'a str,
    moves: &'a str,
    cell: Vec<u8>,
}

fn rows(file: &str) -> Vec<Row<'_>> {
    file.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| match *line.split('\t').collect::<Vec<_>>() {
            [codec, start, moves, cell] => Row { codec, start, moves, cell: bytes_of(cell) },
            _ => panic!("not four fields: {line}"),
        })
        .collect()
}

#[test]
fn lines_have_their_golden_cells() {
    for game in GAMES {
        let name = game.info().name;
        let file = contents_of(&format!("line/{name}-v0.txt"));
        let rows = rows(&file);
        for Row { codec, start, moves, cell } in &rows {
            let row = line_codec(name, codec).unwrap_or_else(|| panic!("{name} has no {codec}"));
            let ours = hex(&cell_of(row, start, moves));
            assert_eq!(ours, hex(cell), "{name} {codec} from {start}: {moves}");
            assert_eq!(&moves_of(row, start, cell), moves, "{name} {codec} from {start}");
        }
        for codec in line_codecs(name).map(|row| row.info().name) {
            let of_codec: Vec<_> = rows.iter().filter(|row| row.codec == codec).collect();
            if of_codec.is_empty() && WITHOUT_VECTORS.contains(&codec) {
                continue;
            }
            for &(start, moves) in lines(name) {
                let found = of_codec.iter().any(|row| (row.start, row.moves) == (start, moves));
                assert!(found, "{name} {codec} from {start}: no golden cell for {moves}");
            }
        }
    }
}

/// Decodes every golden cell of `line.uniform` of at most `length` code bytes with `index`, which
/// is told the number of candidates, and compares with the golden moves.
fn check_uniform<D>(
    length: usize,
    decoder: impl Fn(&[u8]) -> D,
    index: impl Fn(&mut D, u64) -> u64,
) {
    for game in GAMES {
        let name = game.info().name;
        let file = contents_of(&format!("line/{name}-v0.txt"));
        let rows = rows(&file);
        for Row { start, moves, cell, .. } in rows.iter().filter(|r| r.codec == "line.uniform") {
            let (plies, code) = cell::split(cell).expect("a cell");
            if code.len() > length {
                continue;
            }
            let start = start_of(start);
            let mut decoder = decoder(code);
            let mut indices = Vec::new();
            for _ in 0..plies {
                let position = game.position_after(start, &indices).expect("legal so far");
                let candidates = game.perft(Some(&position), 1).expect("a position");
                let index = index(&mut decoder, candidates);
                indices.push(u16::try_from(index).expect("less than the number of candidates"));
            }
            let read = game.read_moves(start, &mut moves.split_ascii_whitespace());
            assert_eq!(read, Ok((indices, None)), "{name}: {moves}");
        }
    }
}

/// Short cells decode with school arithmetic, so that they do not rest on our coder alone: the code
/// is a fraction in base 256; times the number of candidates, its whole part is the index, and the
/// rest goes on. Our coder rounds to 64 bits, so longer codes part from this.
#[test]
fn short_uniform_cells_are_fractions() {
    check_uniform(5, <[u8]>::to_vec, |fraction, candidates| {
        fraction.iter_mut().rev().fold(0, |carry, byte| {
            let product = u64::from(*byte) * candidates + carry;
            *byte = product.to_le_bytes()[0];
            product >> 8
        })
    });
}

/// All cells decode with the coder's rounding written down once more, in a few lines.
#[test]
fn uniform_cells_are_rounded_fractions() {
    struct Decoder {
        value: u64,
        range: u64,
        rest: VecDeque<u8>,
    }
    impl Decoder {
        fn shift(&mut self) {
            self.value = self.value << 8 | u64::from(self.rest.pop_front().unwrap_or(0));
        }
    }
    let decoder = |code: &[u8]| {
        let mut decoder =
            Decoder { value: 0, range: u64::MAX, rest: code.iter().copied().collect() };
        (0..8).for_each(|_| decoder.shift());
        decoder
    };
    check_uniform(usize::MAX, decoder, |decoder, candidates| {
        let unit = decoder.range / candidates;
        let index = (decoder.value / unit).min(candidates - 1);
        decoder.value -= index * unit;
        // The last candidate also gets what rounding leaves over.
        let last = index == candidates - 1;
        decoder.range = if last { decoder.range - index * unit } else { unit };
        while decoder.range < 1 << 56 {
            decoder.range <<= 8;
            decoder.shift();
        }
        index
    });
}

#[test]
fn cells_worked_out_by_hand() {
    let chess = |codec: &str, moves: &str| {
        hex(&cell_of(line_codec("chess", codec).expect(codec), "-", moves))
    };
    // One ply, then the letters e and 4.
    assert_eq!(chess("line.text", "e4"), "016534");
    // White's first moves in canonical order: Na3 Nc3 Nf3 Nh3 a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 …, so
    // e4 is candidate 13 of 20 and owns the fractions from 13/20 = 166.4/256 up to 14/20 =
    // 179.2/256. The shortest byte string in there is the one byte 167 = 0xa7.
    assert_eq!(chess("line.uniform", "e4"), "01a7");
    // Black's: a5 a6 b5 b6 c5 c6 d5 d6 e5 …, so e5 is candidate 8 of 20: of the slice above, from
    // 0.65 + 0.05 x 0.40 = 0.6700 = 171.52/256 up to 0.65 + 0.05 x 0.45 = 0.6725 = 172.16/256. The
    // byte is 172 = 0xac.
    assert_eq!(chess("line.uniform", "e4 e5"), "02ac");

    // The first move is forced and costs nothing. Black has Kg7 Kh7 Kg8, so Kh7 is candidate 1 of
    // 3; White has f1 g1 h1 f2 h2 f3 g3 h3, so Kf3 is candidate 5 of 8: from 1/3 + 1/3 x 5/8 =
    // 138.67/256 up to 1/3 + 1/3 x 6/8 = 149.33/256. The byte is 139 = 0x8b.
    let start = "7k/8/8/8/8/8/6q1/7K w - - 0 1";
    let uniform = line_codec("chess", "line.uniform").expect("line.uniform");
    assert_eq!(hex(&cell_of(uniform, start, "Kxg2")), "01");
    assert_eq!(hex(&cell_of(uniform, start, "Kxg2 Kh7 Kf3")), "038b");

    let tictactoe = |codec: &str, moves: &str| {
        hex(&cell_of(line_codec("tictactoe", codec).expect(codec), "-", moves))
    };
    // b2 is cell 4 of 9: from 4/9 = 113.8/256 up to 5/9 = 142.2/256, so the byte is 114 = 0x72.
    assert_eq!(tictactoe("line.uniform", "b2"), "0172");
    // Then a1 is the first of 8: up to 4/9 + 1/72 = 117.3/256, and 114 is still inside.
    assert_eq!(tictactoe("line.uniform", "b2 a1"), "0272");
    assert_eq!(tictactoe("line.text", "b2 a1"), "026232206131");
}

/// Writes the golden files anew: the lines of every codec, and the candidates below the positions
/// that the order files name. See `vectors/README.md` for when that is allowed.
#[test]
#[ignore = "writes vectors/"]
fn write_golden_files() {
    let write = |file: String, text: String| {
        std::fs::write(path_of(&file), text).unwrap_or_else(|error| panic!("{file}: {error}"));
    };
    for name in GAMES.iter().map(|game| game.info().name) {
        let mut text = String::from("# codec, start (-: the usual), moves, cell in hex\n");
        for codec in LINE_CODECS.iter().filter(|row| row.game().info().name == name) {
            for (start, moves) in lines(name) {
                let cell = hex(&cell_of(*codec, start, moves));
                writeln!(text, "{}\t{start}\t{moves}\t{cell}", codec.info().name)
                    .expect("writing to a string");
            }
        }
        write(format!("line/{name}-v0.txt"), text);

        let file = format!("order/{name}.txt");
        let mut text = String::new();
        let old = contents_of(&file);
        let mut lines = old.lines();
        while let Some(line) = lines.next() {
            writeln!(text, "{line}").expect("writing to a string");
            if !line.is_empty() && !line.starts_with('#') {
                let game = game(name).expect("the game is registered");
                writeln!(text, "{}", candidates_of(game, line)).expect("writing to a string");
                lines.next();
            }
        }
        write(file, text);
    }
}
