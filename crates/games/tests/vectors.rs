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

use plypack_core::{ErasedGame, ErasedLineCodec, Error, Notation, cell};
use plypack_games::chess::claims::BUFFETT_GAME;
use plypack_games::{
    GAMES, all_line_codecs, game, line_codec, line_codecs, position_codec, position_codecs,
};

/// The codecs that may be missing from the golden lines, because their tables still change.
const WITHOUT_VECTORS: &[&str] = &[];

/// A game of Hu Ronghua's, 147 plies; no. 1355 of the file of his games in wukong-xiangqi (MIT).
const LONG_XIANGQI_GAME: &str = "\
炮二平五 馬８進７ 馬二進三 車９平８ 車一平二 卒７進１ 車二進六 馬２進３ 兵七進一 士４進５ 馬八進七 炮８平９ 車二進三 馬７退８ 馬七進六 馬８進７ \
馬六進七 炮２進４ 兵五進一 象３進５ 兵九進一 炮２平３ 馬七退八 炮３平９ 馬三進一 炮９進４ 車九平八 馬３進４ 馬八進七 車１平３ 炮八平七 馬４進３ \
馬七進八 炮９退１ 相七進九 卒７進１ 兵三進一 炮９平５ 仕四進五 馬７進６ 帥五平四 馬３進５ 相三進五 車３平１ 相九退七 馬６進４ 炮七平九 炮５平６ \
帥四平五 炮６退４ 馬八退九 車１平４ 車八進三 士５進６ 炮九進一 士６進５ 兵九進一 車４進２ 仕五進六 卒９進１ 仕六進五 卒９進１ 炮九退二 卒５進１ \
炮九平六 卒５進１ 車八進六 士５退４ 馬九進八 車４進１ 車八平九 士６退５ 車九退三 車４平１ 馬八退九 馬４進５ 炮六平八 馬５退７ 兵三進一 卒５平４ \
兵七進一 卒９平８ 兵七平六 炮６平９ 兵三進一 炮９進８ 兵六進一 炮９平３ 馬九退七 卒４平３ 炮八進八 象５退３ 馬七進八 將５平６ 兵六平五 炮３退３ \
兵三進一 炮３平５ 帥五平六 馬７進５ 兵五平四 象７進５ 馬八退六 馬５進７ 炮八退八 炮５平４ 炮八平六 卒３進１ 炮六進二 卒３平４ 馬六退七 馬７退６ \
兵九平八 卒８平７ 帥六進一 卒７平６ 兵八進一 卒６平５ 兵八平七 卒５進１ 仕五退四 卒５進１ 仕六退五 馬６退４ 兵七平六 卒４平３ 兵六平五 卒３進１ \
帥六退一 卒３進１ 馬七退九 象５進３ 兵三進一 象３進５ 兵三平二 馬４進６ 馬九退七 馬６退５ 兵二平三 馬５進４ 兵五平六 卒５平４ 馬七退九 卒３平４ \
帥六平五 前卒平５ 帥五平六";

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
        "xiangqi" => &[
            ("-", ""),
            ("-", "炮二平五"),
            ("-", "炮二平五 馬８進７"),
            // The game of HullQin's sample link.
            (
                "-",
                "兵五進一 卒５進１ 兵五進一 卒７進１ 兵三進一 炮８進３ 炮二進一 炮８進４ 炮二進三 炮８平６ \
                 車一平二 卒３進１ 車二進五 炮２進１ 炮二平九 卒７進１ 車二進一 炮２進３ 車二進二 卒９進１",
            ),
            // More than 127 plies: their number takes two bytes.
            ("-", LONG_XIANGQI_GAME),
            // A forced move, which costs nothing.
            ("3k5/9/9/9/9/9/9/9/9/r3K4 w - - 119 240", "帥五進一"),
            ("3k5/9/9/9/9/9/9/9/9/r3K4 w - - 119 240", "帥五進一 車１退８ 帥五退一"),
            // Black begins; men who share their files.
            (
                "3ak4/4a1r2/2b1b1r2/2c1n4/2c1n4/9/4P4/4P4/4A4/3AK4 b - - 0 1",
                "前馬進７ 前兵進一 後車平９ 後兵進一 前炮平４",
            ),
            // Pawns whose notation is their own: five on a file, and several on two files.
            (
                "5k3/9/2P6/2P6/2P6/2P6/2P6/9/9/3K5 w - - 0 1",
                "二兵平六 將６進１ 一兵進一 將６退１ 二兵進一",
            ),
            ("5k3/9/9/9/9/6p2/2p3p2/2p5p/9/3K5 b - - 0 1", "三卒平６ 帥六進一 前卒進１"),
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
        "gomoku" => &[
            ("-", ""),
            ("-", "h8"),
            ("-", "h8 i9"),
            // A game that a program made up, and a move after it was won.
            (
                "-",
                "i8 j9 j8 k8 i10 i9 h9 k12 j7 k6 g10 f11 g8 f7 h10 f10 h8 f8 f9 h7 h11 h12 i12 \
                 e8 j13 a15",
            ),
            ("15/15/15/15/15/15/15/6xo7/15/15/15/15/15/15/15 x standard", "g9 g7 i9 f10 h9 f9"),
            (
                "20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20 x freestyle",
                "j10 k11 t20 a1",
            ),
            ("19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 x standard", "k10 a19"),
        ],
        _ => &[],
    }
}

/// The positions that the golden files hold, in canonical spelling.
fn positions(game: &str) -> &'static [&'static str] {
    match game {
        "chess" => &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            // Some rights are gone.
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq - 7 31",
            // Chess960: rooks that may castle are not the outermost.
            "nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/1PP1PPPP/1RK1BR1B w KQkq - 2 10",
            "4k3/8/8/8/8/8/8/1R1RK1RR w GD - 0 1",
            // Clocks that few games reach.
            "8/5k2/8/3p4/8/4K3/4P3/7R b - - 120 300",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
            "4k3/8/8/8/8/8/8/4K3 b - - 4294967295 4294967295",
            // Promoted men, and pawns about to be.
            "8/PPPPP3/8/k7/8/1K6/ppppp3/QQQ3qq w - - 9 99",
            // Mate.
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        ],
        "tictactoe" => &["3/3/3 x", "3/1x1/o2 x", "xxx/oo1/3 o", "xox/oxo/oxo x", "3/3/3 o"],
        "xiangqi" => &[
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
            // The position of HullQin's sample link, and one of late in a game.
            "rnbakabnr/7R1/9/C8/2p1P3p/6p2/PcP5P/1C7/9/RNBAKcB2 w - - 1 11",
            "3k5/4P4/3a1P3/9/2b6/6B2/1c7/4B4/4A4/3AK1n2 b - - 7 93",
            // All men, as far from home as can be.
            "2P1N3P/1R1Pa4/3ak1P1R/1NP6/1nb3bC1/C2c5/9/1n1K1A2p/2p1A1rpc/p1Bp2Br1 w - - 0 1",
            // Kings alone, and clocks that few games reach.
            "4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1",
            "4k4/9/9/9/9/9/9/9/9/3K5 w - - 4294967295 4294967295",
            // Kings on one file, with a man between.
            "4k4/9/9/9/4c4/9/9/9/9/4K4 b - - 0 1",
            // Men where the game cannot bring them, and more of them than a set has.
            "b3k4/9/9/9/A8/RRR6/1P7/9/9/3K5 w - - 0 1",
            // Two pawns of a file on their own side of the river.
            "4k4/9/9/9/9/P8/P8/9/9/3K5 w - - 0 1",
            // Mate.
            "3k5/9/9/9/9/9/9/9/r8/r4K3 w - - 0 1",
        ],
        "othello" => &[
            "---------------------------OX------XO--------------------------- X",
            "-----O------OO-----OOOOO---OOOXX-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX X",
            // White to move.
            "------------X-----XOXX----OOOOX--XXOXOXX--XOOX----XOX------X---- O",
        ],
        "gomoku" => &[
            "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 x freestyle",
            "15/15/15/15/15/15/4ooo1oo5/3xxxxx7/15/15/15/15/15/15/15 x standard",
            // Not the turn of who should be next.
            "15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 x freestyle",
            "x18/19/19/19/19/19/19/19/19/9o9/19/19/19/19/19/19/19/19/18x o standard",
            "20/20/20/20/20/20/20/20/20/20/10xo8/20/20/20/20/20/20/20/20/20 x freestyle",
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
        for codec in line_codecs(name).map(|row| row.info().text()) {
            let of_codec: Vec<_> = rows.iter().filter(|row| row.codec == codec).collect();
            if of_codec.is_empty() && WITHOUT_VECTORS.contains(&codec.as_str()) {
                continue;
            }
            for &(start, moves) in lines(name) {
                let found = of_codec.iter().any(|row| (row.start, row.moves) == (start, moves));
                assert!(found, "{name} {codec} from {start}: no golden cell for {moves}");
            }
        }
    }
}

#[test]
fn positions_have_their_golden_codes() {
    for game in GAMES {
        let name = game.info().name;
        if position_codecs(name).next().is_none() {
            continue;
        }
        let file = contents_of(&format!("position/{name}-v0.txt"));
        let mut rows = Vec::new();
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            let [codec, position, code] = *line.split('\t').collect::<Vec<_>>() else {
                panic!("{name}: not three fields: {line}");
            };
            let row = position_codec(name, codec).unwrap_or_else(|| panic!("{name}: no {codec}"));
            let ours = row.encode(position).unwrap_or_else(|error| panic!("{codec}: {error}"));
            assert_eq!(hex(&ours.bytes), code, "{name} {codec}: {position}");
            let back = row.decode(&bytes_of(code));
            if row.drops().is_empty() {
                assert_eq!(back.as_deref(), Ok(position), "{name} {codec}: {code}");
            } else {
                let again = back.and_then(|back| row.encode(&back));
                assert_eq!(again.as_ref(), Ok(&ours), "{name} {codec}: {code}");
            }
            rows.push((codec, position));
        }
        for codec in position_codecs(name) {
            for &position in positions(name) {
                let refused = matches!(codec.encode(position), Err(Error::Board { .. }));
                let codec = codec.info().text();
                let found = rows.contains(&(codec.as_str(), position));
                assert!(found != refused, "{name} {codec}: golden {found}, refused {refused}");
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
        for Row { start, moves, cell, .. } in rows.iter().filter(|r| r.codec == "line.uniform/2") {
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

    let xiangqi = |codec: &str, moves: &str| {
        hex(&cell_of(line_codec("xiangqi", codec).expect(codec), "-", moves))
    };
    // Red's back rank has 15 moves, the cannon on b2 has 12, then h2h1 h2c2 h2d2 h2e2, so h2e2 is
    // candidate 30 of 44: from 30/44 = 174.5/256 up to 31/44 = 180.4/256, and the byte is 175.
    assert_eq!(xiangqi("line.uniform", "炮二平五"), "01af");
    // The four characters in UTF-8.
    assert_eq!(xiangqi("line.text", "炮二平五"), "01e782aee4ba8ce5b9b3e4ba94");
}

#[test]
fn codes_worked_out_by_hand() {
    let line = |codec: &str, moves: &str| {
        hex(&cell_of(line_codec("chess", codec).expect(codec), "-", moves))
    };
    let position = |game: &str, codec: &str, text: &str| {
        let code = position_codec(game, codec).expect(codec).encode(text);
        hex(&code.unwrap_or_else(|error| panic!("{text}: {error}")).bytes)
    };
    // e2 = 12 = 001100, e4 = 28 = 011100.
    assert_eq!(line("chess.from-to12", "e4"), "0131c0");
    // Pawn 000, not special 0, e4.
    assert_eq!(line("chess.san-bits", "e4"), "010700");
    // Pawn 000, no capture 0, no disambiguation 00 and 000000, e4, and zeros.
    assert_eq!(line("chess.san-bits-naive", "e4"), "0100070000");

    let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    // White to move 0, no rights 0 and 0000, no pawn to take en passant 0, usual counters 0. Then
    // e1 = 4 = 000100, no pawns 0, no others 0000; e8 = 60 = 111100, 0, 0000.
    assert_eq!(position("chess", "chess.piece-list", kings), "00101e00");
    // White to move 0, usual counters 0, the white king is symbol 1 and the fifth of 64, the black
    // one 6 and the 61st.
    let zeros = |bytes| "00".repeat(bytes);
    let marked = format!("{}04{}180000", zeros(2), zeros(27));
    assert_eq!(position("chess", "chess.nibble16", kings), marked);
    // The state's eight bits are zeros, then the same.
    let plain = format!("{}10{}6000", zeros(3), zeros(27));
    assert_eq!(position("chess", "board.nibble", kings), plain);
    // The state is 0, rights 0 and 1111, 0, 0. Nothing differs from the start: of the difference 0
    // = 0000 a run of 64, which is 63 in a Golomb code: 111111, 0, 000000.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(position("chess", "board.xor-start-rle", start), "3c0fc000");

    let kings = "4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1";
    // Red is not to move 0; men 0 and 16 are left; their squares are d0 = 84 = 1010100 and e9 = 4 =
    // 0000100.
    assert_eq!(position("xiangqi", "xiangqi.map", kings), "400040005408");
    // Black to move 1, no man elsewhere 0, usual counters 0; the kings are symbol 10, on the fourth
    // cell and on the 86th.
    let between = zeros(40);
    assert_eq!(position("xiangqi", "board.nibble", kings), format!("80014{between}1400000"));

    // Cross to move 0; a1 holds a naught 10, b2, the fifth cell, a cross 01.
    assert_eq!(position("tictactoe", "board.nibble", "3/1x1/o2 x"), "402000");
    // 2 x 3^8 + 3^4 = 13203 = 11001110010011, of as many bits as 3^9 - 1 has: 15.
    assert_eq!(position("tictactoe", "board.radix", "3/1x1/o2 x"), "3393");
    // Fewer men: 1 + 9 boards. Of those with two, 56 have nothing on a1 and 8 a cross; of those
    // with the naught there, 4 have the cross beyond b2. So it is number 78 = 1001110, in 13 bits.
    assert_eq!(position("tictactoe", "board.alternating", "3/1x1/o2 x"), "0270");
}

/// Writes the golden files anew: the lines and positions of every codec, and the candidates below
/// the positions that the order files name. See `vectors/README.md` for when that is allowed.
#[test]
#[ignore = "writes vectors/"]
fn write_golden_files() {
    let write = |file: String, text: String| {
        std::fs::write(path_of(&file), text).unwrap_or_else(|error| panic!("{file}: {error}"));
    };
    for name in GAMES.iter().map(|game| game.info().name) {
        let mut text = String::from("# codec, start (-: the usual), moves, cell in hex\n");
        for codec in all_line_codecs().filter(|row| row.game().info().name == name) {
            for (start, moves) in lines(name) {
                let cell = hex(&cell_of(codec, start, moves));
                writeln!(text, "{}\t{start}\t{moves}\t{cell}", codec.info().text())
                    .expect("writing to a string");
            }
        }
        write(format!("line/{name}-v0.txt"), text);

        let mut text = String::from("# codec, position, code in hex\n");
        for codec in position_codecs(name) {
            for position in positions(name) {
                // What a codec refuses has no golden code.
                let Ok(code) = codec.encode(position) else { continue };
                let code = hex(&code.bytes);
                writeln!(text, "{}\t{position}\t{code}", codec.info().text())
                    .expect("writing to a string");
            }
        }
        write(format!("position/{name}-v0.txt"), text);

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
