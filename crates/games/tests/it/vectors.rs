//! Checks the golden files in `vectors/`. If one of these tests fails, existing cells no longer
//! decode.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::collections::{BTreeSet, VecDeque};

use crate::golden::{bytes_of, fields, hex, rows_of, versions};
use plypack_core::{ErasedLineCodec, ErasedRules, Error, Notation, cell};
use plypack_games::{GAMES, line_codec, line_codecs, position_codec, position_codecs};

fn cell_of(codec: &dyn ErasedLineCodec, start: &str, moves: &str) -> Vec<u8> {
    let mut texts = moves.split_ascii_whitespace();
    let line = codec
        .encode(crate::golden::some(start), &mut texts, Notation::Customary)
        .unwrap_or_else(|error| panic!("{start}: {error}"));
    assert_eq!(line.stopped, None, "{start}: {moves}");
    cell::join(line.plies, &line.code)
}

fn moves_of(codec: &dyn ErasedLineCodec, start: &str, bytes: &[u8]) -> String {
    let (plies, code) = cell::split(bytes).unwrap_or_else(|error| panic!("{error}"));
    let texts = codec
        .decode(crate::golden::some(start), plies, code, Notation::Customary)
        .unwrap_or_else(|error| panic!("{start}: {error}"));
    texts.iter().collect::<Vec<_>>().join(" ")
}

/// Returns the candidates of a position in canonical order, or `-` if there are none.
fn candidates_of(game: &dyn ErasedRules, position: &str) -> String {
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
        let mut lines = crate::golden::rows(&format!("order/{name}.txt")).into_iter();
        let mut blocks = 0;
        while let Some(position) = lines.next() {
            let position = position.as_str();
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

/// Returns the codecs, by name and number, that golden rows of these files are of.
fn codecs_of(files: &[String]) -> BTreeSet<String> {
    let rows = rows_of(files).into_iter();
    rows.filter_map(|row| Some(row.split_once('\t')?.0.to_owned())).collect()
}

#[test]
fn lines_have_their_golden_cells() {
    for game in GAMES {
        let name = game.info().name;
        let files = versions(&format!("line/{name}"));
        for file in &files {
            let rows = crate::golden::rows(file);
            let (mut lines, mut found) = (BTreeSet::new(), BTreeSet::new());
            for row in &rows {
                let [codec, start, moves, cell] = fields(row);
                let row = line_codec(name, codec).unwrap_or_else(|| panic!("{name}: no {codec}"));
                let ours = hex(&cell_of(row, start, moves));
                assert_eq!(ours, cell, "{name} {codec} from {start}: {moves}");
                let back = moves_of(row, start, &bytes_of(cell));
                assert_eq!(back, moves, "{name} {codec} from {start}");
                lines.insert((start, moves));
                found.insert((codec, start, moves));
            }
            assert!(lines.len() > 4, "{file} holds {} lines", lines.len());
            for codec in codecs_of(std::slice::from_ref(file)) {
                let row = line_codec(name, &codec).expect("it was found above");
                // Only some take null moves.
                let null = |moves: &str| moves.split(' ').any(|text| game.is_null(text));
                let refuses = |moves: &str| !row.takes_nulls() && null(moves);
                for &(start, moves) in lines.iter().filter(|line| !refuses(line.1)) {
                    let found = found.contains(&(codec.as_str(), start, moves));
                    assert!(found, "{file} {codec} from {start}: no golden cell for {moves}");
                }
            }
        }
        let golden = codecs_of(&files);
        for codec in line_codecs(name).map(|row| row.info().text()) {
            assert!(golden.contains(&codec), "{name} {codec} has no golden cells");
        }
    }
}

#[test]
fn positions_have_their_golden_codes() {
    for game in GAMES {
        let name = game.info().name;
        let files = versions(&format!("position/{name}"));
        for file in &files {
            let rows = crate::golden::rows(file);
            let (mut positions, mut found) = (BTreeSet::new(), BTreeSet::new());
            for row in &rows {
                let [codec, position, code] = fields(row);
                let row = position_codec(name, codec).unwrap_or_else(|| panic!("{file}: {codec}"));
                let ours = row.encode(position).unwrap_or_else(|error| panic!("{codec}: {error}"));
                assert_eq!(hex(&ours.bytes), code, "{name} {codec}: {position}");
                let back = row.decode(&bytes_of(code));
                if row.drops().is_empty() {
                    assert_eq!(back.as_deref(), Ok(position), "{name} {codec}: {code}");
                } else {
                    let again = back.and_then(|back| row.encode(&back));
                    assert_eq!(again.as_ref(), Ok(&ours), "{name} {codec}: {code}");
                }
                positions.insert(position);
                found.insert((codec, position));
            }
            assert!(positions.len() > 2, "{file} holds {} positions", positions.len());
            for codec in codecs_of(std::slice::from_ref(file)) {
                let row = position_codec(name, &codec).expect("it was found above");
                for &position in &positions {
                    let refused = matches!(row.encode(position), Err(Error::Board { .. }));
                    let found = found.contains(&(codec.as_str(), position));
                    assert!(found != refused, "{file} {codec}: golden {found}, refused {refused}");
                }
            }
        }
        let golden = codecs_of(&files);
        for codec in position_codecs(name).map(|row| row.info().text()) {
            assert!(golden.contains(&codec), "{name} {codec} has no golden codes");
        }
    }
}

/// Returns the number of candidates before the escape, in a game that has one: in go the empty
/// points, except that of a ko, and the pass.
fn usual_of(game: &str, position: &str) -> Option<u64> {
    let board = position.split(' ').next().filter(|_| game == "go")?;
    let runs = board.split(|symbol: char| !symbol.is_ascii_digit());
    Some(runs.filter_map(|run| run.parse::<u64>().ok()).sum::<u64>() + 1)
}

/// Decodes every golden cell of `line.uniform` of at most `length` code bytes with `index`, which
/// is given the number of candidates, and compares with the golden moves.
fn check_uniform<D>(
    length: usize,
    decoder: impl Fn(&[u8]) -> D,
    index: impl Fn(&mut D, u64) -> u64,
) {
    for game in GAMES {
        let name = game.info().name;
        for row in rows_of(&versions(&format!("line/{name}"))) {
            let [codec, start, moves, cell] = fields(&row);
            if codec != "line.uniform/2" {
                continue;
            }
            let cell = bytes_of(cell);
            let (plies, code) = cell::split(&cell).expect("a cell");
            if code.len() > length {
                continue;
            }
            let start = crate::golden::some(start);
            let mut decoder = decoder(code);
            let mut indices = Vec::new();
            for _ in 0..plies {
                let position = game.position_after(start, &indices).expect("legal so far");
                let candidates = game.perft(Some(&position), 1).expect("a position");
                let usual = usual_of(name, &position).unwrap_or(candidates);
                // One more stands for all the rest.
                let mut place = index(&mut decoder, usual + u64::from(usual < candidates));
                if place == usual {
                    place += index(&mut decoder, candidates - usual);
                }
                let index = place;
                indices.push(u16::try_from(index).expect("less than the number of candidates"));
            }
            let read = game.read_moves(start, &mut moves.split_ascii_whitespace());
            assert_eq!(read, Ok((indices, None)), "{name}: {moves}");
        }
    }
}

/// Short cells decode with school arithmetic, without our coder: the code is a fraction in base
/// 256; times the number of candidates, its whole part is the index, and the rest goes on. Our
/// coder rounds to 64 bits, so longer codes differ from this.
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

/// All cells decode with the coder's rounding, written again in a few lines.
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
        // The last candidate also gets the remainder of the rounding.
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

/// Rewrites the newest golden files: the lines and positions in them for every codec that earlier
/// ones lack, and the candidates below the positions in the order files. See `vectors/README.md`
/// for when that is allowed.
#[test]
#[ignore = "writes vectors/"]
fn write_golden_files() {
    let newest = |stem: &str, codecs: Vec<String>| {
        let mut files = versions(stem);
        let file = files.pop().expect("there is one");
        let earlier = codecs_of(&files);
        (file, codecs.into_iter().filter(|codec| !earlier.contains(codec)).collect())
    };
    for game in GAMES {
        let name = game.info().name;
        let codecs = line_codecs(name).map(|row| row.info().text()).collect();
        let (file, codecs) = newest(&format!("line/{name}"), codecs);
        write_rows::<2>(&file, codecs, |codec, [start, moves]| {
            let row = line_codec(name, codec).expect("a codec of the game");
            let has_null = moves.split(' ').any(|text| game.is_null(text));
            (row.takes_nulls() || !has_null).then(|| hex(&cell_of(row, start, moves)))
        });
        let codecs = position_codecs(name).map(|row| row.info().text()).collect();
        let (file, codecs) = newest(&format!("position/{name}"), codecs);
        write_rows::<1>(&file, codecs, |codec, [position]| {
            let row = position_codec(name, codec).expect("a codec of the game");
            // What a codec refuses has no golden code.
            Some(hex(&row.encode(position).ok()?.bytes))
        });
        let mut position = None::<String>;
        crate::golden::rewrite(&format!("order/{name}.txt"), |row| match position.take() {
            Some(position) => candidates_of(*game, &position),
            None => position.insert(row.to_owned()).clone(),
        });
    }
}

/// Rewrites a file whose rows are a codec, what is coded (`COUNT` fields), and its code: everything
/// with each codec, in the order of the file. A comment stays before the row that followed it. To
/// add something, add a row with any word as its code.
fn write_rows<const COUNT: usize>(
    file: &str,
    mut codecs: Vec<String>,
    code: impl Fn(&str, [&str; COUNT]) -> Option<String>,
) {
    let old = crate::golden::contents_of(file);
    codecs.sort_by_key(|codec| old.find(&format!("\n{codec}\t")).unwrap_or(usize::MAX));
    let (mut comments, mut seen) = (Vec::new(), Vec::<([&str; COUNT], Vec<&str>)>::new());
    for line in old.lines() {
        if line.starts_with('#') {
            comments.push(line);
            continue;
        }
        let coded: Vec<&str> = line.split('\t').skip(1).take(COUNT).collect();
        let coded = coded.try_into().unwrap_or_else(|_| panic!("{file}: {line}"));
        if !seen.iter().any(|seen| seen.0 == coded) {
            seen.push((coded, std::mem::take(&mut comments)));
        }
    }
    let mut lines = Vec::new();
    for codec in codecs {
        for (coded, comments) in &mut seen {
            lines.extend(std::mem::take(comments).into_iter().map(str::to_owned));
            let code = code(&codec, *coded);
            lines.extend(code.map(|code| format!("{codec}\t{}\t{code}", coded.join("\t"))));
        }
    }
    crate::golden::write(file, &(lines.join("\n") + "\n"));
}
