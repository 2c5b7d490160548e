//! The worked examples of `docs/FORMAT.md` on lines, positions, policies, keys and links. Each is
//! worked out here, by code other than the codec's, and compared with what the codec writes.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::fmt::Write;

use plypack_core::policy::{Features, Sight, fill_book};
use plypack_core::{Candidates, Notation, Ply, Rules, cell};
use plypack_games::link::Link;
use plypack_games::othello::Othello;
use plypack_games::othello::default::{self, BOOK, JUDGE};
use plypack_games::othello::link::{self, GATE};
use plypack_games::{game, line_codec, position_codec, position_codecs};
use plypack_tables::othello::{DEFAULT_JUDGE, LINK_GATE};
use plypack_testing::coder::Coder;
use plypack_testing::examples::{self, Example};

const EXAMPLES: [Example; 10] = [
    ("line.uniform", uniform),
    ("line.ranked", ranked),
    ("bits", bits),
    ("boards", boards),
    ("combination", combination),
    ("chess-positions", chess_positions),
    ("gate", gate),
    ("judge", judge),
    ("keys", keys),
    ("link", link),
];

#[test]
fn examples_are_what_the_codecs_write() {
    examples::check("games", &EXAMPLES);
}

#[test]
#[ignore = "writes docs/FORMAT.md"]
fn write_examples() {
    examples::write("games", &EXAMPLES);
}

/// Adds a line, without trailing spaces.
macro_rules! line {
    ($out:expr, $($part:tt)*) => {{
        let text = format!($($part)*);
        writeln!($out, "{}", text.trim_end()).expect("memory");
    }};
}

/// Returns the code of moves, from the usual start.
fn code_of(game: &str, codec: &str, moves: &str) -> (u32, Vec<u8>) {
    let row = line_codec(game, codec).expect(codec);
    let mut texts = moves.split_ascii_whitespace();
    let coded = row.encode(None, &mut texts, Notation::Customary).expect(moves);
    assert_eq!(coded.stopped, None, "{moves}");
    (coded.plies, coded.code)
}

/// Formats bytes as hexadecimal digits with spaces between them.
fn spaced(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.join(" ")
}

/// Formats a coder as a line of a table.
fn state(coder: &Coder) -> String {
    format!("{:016x}  {:016x}  {}", coder.low, coder.range, spaced(&coder.out))
}

/// Ends an example with the code that came out, which must be the codec's, and the cell.
fn end(out: &mut String, coder: Coder, (plies, code): (u32, Vec<u8>)) {
    assert_eq!(coder.finish(), code);
    line!(out, "code  {}", spaced(&code));
    line!(out, "cell  {}", spaced(&cell::join(plies, &code)));
}

/// The cells of tic-tac-toe by their names.
const CELLS: [&str; 9] = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];

/// Cells that make three in a row.
const ROWS: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn cell_number(name: &str) -> usize {
    CELLS.iter().position(|cell| *cell == name).expect(name)
}

fn uniform() -> String {
    let moves = "b2 a1 c1 a3 a2 c3 b3";
    let mut out = String::new();
    let (mut coder, mut empty) = (Coder::default(), CELLS.to_vec());
    line!(out, "ply move  total start size  low               range             bytes");
    line!(out, "                            {}", state(&coder));
    for (ply, text) in (1..).zip(moves.split(' ')) {
        let start = empty.iter().position(|cell| *cell == text).expect("an empty cell");
        let total = empty.len();
        coder.code(start as u64, 1, total as u64);
        empty.remove(start);
        line!(out, "{ply}   {text}    {total:<5} {start:<5} 1     {}", state(&coder));
    }
    end(&mut out, coder, code_of("tictactoe", "line.uniform/2", moves));
    out
}

fn ranked() -> String {
    const BY_RANK: [u64; 9] = [32, 16, 8, 8, 4, 4, 2, 2, 1];
    let moves = "b2 a1 c1 a3";
    let mut out = String::new();
    let mut coder = Coder::default();
    let mut men: [Option<bool>; 9] = [None; 9];
    for (ply, text) in moves.split(' ').enumerate() {
        let naught = ply % 2 == 1;
        let completes = |cell: usize, naught: bool| {
            let through = ROWS.iter().filter(|row| row.contains(&cell));
            through.into_iter().any(|row| {
                row.iter().filter(|&&other| other != cell).all(|&other| men[other] == Some(naught))
            })
        };
        let key = |cell: usize| {
            let place = match cell {
                4 => 2,
                0 | 2 | 6 | 8 => 1,
                _ => 0,
            };
            100 * u32::from(completes(cell, naught))
                + 10 * u32::from(completes(cell, !naught))
                + place
        };
        let empty: Vec<usize> = (0..9).filter(|&cell| men[cell].is_none()).collect();
        let keys: Vec<u32> = empty.iter().map(|&cell| key(cell)).collect();
        // Equal keys rank in canonical order.
        let rank = |at: usize| {
            (0..keys.len()).filter(|&o| keys[o] > keys[at] || keys[o] == keys[at] && o < at).count()
        };
        let weights: Vec<u64> = (0..keys.len()).map(|at| BY_RANK[rank(at)]).collect();
        let at = empty.iter().position(|&cell| CELLS[cell] == text).expect("an empty cell");
        let (start, total) = (weights[..at].iter().sum(), weights.iter().sum());
        coder.code(start, weights[at], total);
        let list = |numbers: &[String]| {
            let pairs = empty.iter().zip(numbers);
            pairs.map(|(&cell, n)| format!("{} {n:>3}", CELLS[cell])).collect::<Vec<_>>().join("  ")
        };
        let texts = |n: &[u64]| n.iter().map(u64::to_string).collect::<Vec<_>>();
        let wide: Vec<u64> = keys.iter().map(|&key| key.into()).collect();
        line!(out, "ply {} {text}   keys     {}", ply + 1, list(&texts(&wide)));
        line!(out, "           weights  {}", list(&texts(&weights)));
        line!(out, "           total {total}, start {start}, size {}", weights[at]);
        line!(out, "           {}", state(&coder));
        men[cell_number(text)] = Some(naught);
    }
    end(&mut out, coder, code_of("tictactoe", "line.ranked/3", moves));
    out
}

/// Packs binary digits into bytes, padded with zeros; other characters are ignored.
fn packed(digits: &str) -> Vec<u8> {
    let digits: Vec<u8> = digits.bytes().filter(|digit| b"01".contains(digit)).collect();
    let byte = |chunk: &[u8]| {
        (0..8).fold(0, |byte, at| byte << 1 | chunk.get(at).map_or(0, |&digit| digit - b'0'))
    };
    digits.chunks(8).map(byte).collect()
}

fn bits() -> String {
    // The fields of each move, separated as sections 1.6 and 1.7 name them.
    let codecs = [
        (
            "chess.from-to12/31",
            ["001100 011100", "110011 100011", "011100 100011", "111110 101101", "000101 100001"],
        ),
        (
            "chess.san-bits/32",
            [
                "000 0 011100",
                "000 0 100011",
                "000 1 1 0 0 0 100 0 100",
                "001 0 101101",
                "010 1 0 1 0 0 0 100001",
            ],
        ),
        (
            "chess.san-bits-naive/33",
            [
                "000 0 00 000 000 011100 0000000 0 0 00",
                "000 0 00 000 000 100011 0000000 0 0 00",
                "000 1 01 100 000 100011 0000000 0 0 00",
                "001 0 00 000 000 101101 0000000 0 0 00",
                "010 0 00 000 000 100001 0000000 1 0 00",
            ],
        ),
    ];
    let moves = "e4 d5 exd5 Nf6 Bb5+";
    let mut out = String::new();
    for (codec, fields) in codecs {
        line!(out, "{codec}");
        for (text, fields) in moves.split(' ').zip(fields) {
            line!(out, "  {text:<6} {fields}");
        }
        let (plies, code) = code_of("chess", codec, moves);
        assert_eq!(packed(&fields.concat()), code, "{codec}");
        line!(out, "  code   {}", spaced(&code));
        line!(out, "  cell   {}", spaced(&cell::join(plies, &code)));
    }
    out
}

/// Returns the code of a position.
fn position_code(game: &str, codec: &str, text: &str) -> Vec<u8> {
    let codec = position_codec(game, codec).expect(codec);
    codec.encode(text).unwrap_or_else(|error| panic!("{text}: {error}")).bytes
}

/// The position of the examples of boards, and its cells: a naught on a1, a cross on b2.
const BOARD: &str = "3/1x1/o2 x";
const BOARD_CELLS: [u8; 9] = [2, 0, 0, 0, 1, 0, 0, 0, 0];

fn boards() -> String {
    let two_bits: Vec<String> = BOARD_CELLS.iter().map(|cell| format!("{cell:02b}")).collect();
    let two_bits = two_bits.join(" ");
    let number = BOARD_CELLS.iter().fold(0u32, |number, &cell| number * 3 + u32::from(cell));
    // Words 0, 10, 11 for symbols 0, 1, 2: frequencies 5, 2, 2.
    let words: Vec<&str> =
        BOARD_CELLS.iter().map(|&cell| ["0", "10", "11"][cell as usize]).collect();
    let fields = [
        ("board.nibble/17", format!("0 | {two_bits}")),
        ("board.aligned/34", format!("0 0000000 | {two_bits}")),
        ("board.radix/18", format!("0 | {number:015b}")),
        ("board.huffman/20", format!("0 | {}", words.join(" "))),
        ("board.rle/21", "0 | 10 0  0 101  0 0  0 11000".to_owned()),
        ("board.alternating/51", format!("{:013b}", 78)),
    ];
    let mut out = String::new();
    line!(out, "{:<22}{}", "position.text/16", spaced(BOARD.as_bytes()));
    assert_eq!(position_code("tictactoe", "position.text/16", BOARD), BOARD.as_bytes());
    for (codec, digits) in fields {
        let code = position_code("tictactoe", codec, BOARD);
        assert_eq!(packed(&digits), code, "{codec}");
        line!(out, "{codec:<22}{digits}");
        line!(out, "{:<22}{}", "", spaced(&code));
    }
    out
}

fn combination() -> String {
    let mut out = String::new();
    let mut coder = Coder::default();
    line!(
        out,
        "question                total start size  low               range             bytes"
    );
    let mut ask = |question: &str, start: u64, size: u64, total: u64| {
        coder.code(start, size, total);
        line!(out, "{question:<23} {total:<5} {start:<5} {size:<5} {}", state(&coder));
    };
    let mut free: Vec<usize> = (0..9).collect();
    for symbol in [1u8, 2] {
        let has = |cell: usize| BOARD_CELLS[cell] == symbol;
        let mut left = free.iter().filter(|&&cell| has(cell)).count();
        ask(&format!("how many {symbol}?"), left as u64, 1, free.len() as u64 + 1);
        for (at, &cell) in free.iter().enumerate() {
            if left == 0 {
                break;
            }
            let (find, of) = (left as u64, (free.len() - at) as u64);
            let (start, size) = if has(cell) { (0, find) } else { (find, of - find) };
            let answer = if has(cell) { "yes" } else { "no" };
            ask(&format!("a {symbol} on {}: {answer}", CELLS[cell]), start, size, of);
            left -= usize::from(has(cell));
        }
        free.retain(|&cell| !has(cell));
    }
    let bytes = coder.finish();
    let digits: String = bytes.iter().map(|byte| format!(" {byte:08b}")).collect();
    let digits = format!("0 |{digits}");
    let code = position_code("tictactoe", "board.combination/25", BOARD);
    assert_eq!(packed(&digits), code);
    line!(out, "code of the coder       {}", spaced(&bytes));
    line!(out, "state and code          {digits}");
    line!(out, "code                    {}", spaced(&code));
    out
}

fn chess_positions() -> String {
    let text = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let mut out = String::new();
    for codec in position_codecs("chess") {
        let info = codec.info();
        // LZMA output depends on the encoder; a text is its own code.
        if ["board.lzma", "position.text"].contains(&info.name) {
            continue;
        }
        let code = codec.encode(text).unwrap_or_else(|error| panic!("{}: {error}", info.name));
        if info.name == "chess.rank" {
            let number =
                code.bytes.iter().fold(0u128, |number, &byte| number << 8 | u128::from(byte));
            assert_eq!(number, 3_548 * 101);
        }
        line!(out, "{:<29}{}", info.text(), spaced(&code.bytes[..code.bytes.len().min(20)]));
        for more in code.bytes.chunks(20).skip(1) {
            line!(out, "{:<29}{}", "", spaced(more));
        }
    }
    out
}

/// What a policy of othello sees of a position.
struct Seen {
    /// The candidates.
    names: Vec<String>,
    sight: Sight,
    /// The book's entries for candidates, and its entry for those that it does not name.
    book: Option<(Vec<(u16, u16)>, u16)>,
}

/// Looks at the position of othello after these moves from the usual start.
fn look<F: Features<Othello>>(features: &F, moves: &[&str]) -> Seen {
    let rules = Othello;
    let mut position = rules.start();
    let mut state = features.begin(&position);
    let mut candidates = Vec::new();
    for text in moves {
        candidates.clear();
        rules.candidates(&position, &mut candidates);
        let listed = Candidates::listed(&position, &candidates);
        let mv = rules.read_move(&listed, text).expect("a candidate");
        let mut after = position;
        rules.play(&mut after, mv);
        features.update(&mut state, &Ply::new(listed, mv, &after));
        position = after;
    }
    candidates.clear();
    rules.candidates(&position, &mut candidates);
    let name = |at: usize| {
        let (mut after, mut text) = (position, String::new());
        rules.play(&mut after, candidates[at]);
        let ply = Ply::new(Candidates::listed(&position, &candidates), candidates[at], &after);
        rules.write_move(&ply, Notation::Customary, &mut text);
        text
    };
    let names = (0..candidates.len()).map(name).collect();
    let (mut sight, mut known) = (Sight::default(), Vec::new());
    let scene = features.see(&state, &position, &candidates, &mut sight);
    sight.chosen = (0..).take(candidates.len()).collect();
    features.look(&state, &scene, &position, &candidates, &mut sight);
    let key = features.key(&position);
    let unplayed = key.and_then(|key| BOOK.look(key, candidates.len(), &mut known));
    if let Some(unplayed) = unplayed {
        fill_book(F::SIZES, unplayed, &known, &mut sight);
    }
    Seen { names, sight, book: unplayed.map(|unplayed| (known, unplayed)) }
}

/// The sizes of the features of `line.default`.
const SIZES: plypack_core::policy::Sizes = <default::Eyes as Features<Othello>>::SIZES;

/// Returns the weight for a score this far below the best (1.8).
fn weight(below: i32) -> u64 {
    let value = (0..below % 256)
        .fold(1u128 << 62, |value, _| value * 4_599_216_278_082_138_665 / (1 << 62));
    u64::try_from((value >> 40) >> (below / 256).min(31)).expect("23 bits").max(1)
}

fn weights(scores: &[i32]) -> Vec<u64> {
    let best = scores.iter().max().expect("a score");
    scores.iter().map(|score| weight(best - score)).collect()
}

/// Writes a list of numbers with spaces between them, wrapped to the width of the document.
fn list<N: ToString>(out: &mut String, head: &str, numbers: impl IntoIterator<Item = N>) {
    let mut text = head.to_owned();
    for number in numbers {
        let number = number.to_string();
        if text.len() + 1 + number.len() > 96 {
            line!(out, "{text}");
            text = " ".repeat(head.len());
        }
        text.push(' ');
        text.push_str(&number);
    }
    line!(out, "{text}");
}

/// Codes two plies with these weights.
fn two_plies(out: &mut String, seen: [(&Seen, &[u64]); 2], codec: &str) {
    let moves = ["f5", "d6"];
    let mut coder = Coder::default();
    for ((seen, weights), text) in seen.into_iter().zip(moves) {
        let at = seen.names.iter().position(|name| name == text).expect("a candidate");
        let (start, total) = (weights[..at].iter().sum(), weights.iter().sum());
        coder.code(start, weights[at], total);
        line!(out, "{text}: total {total}, start {start}, size {}", weights[at]);
        line!(out, "            {}", state(&coder));
    }
    end(out, coder, code_of("othello", codec, &moves.join(" ")));
}

fn gate() -> String {
    let file = LINK_GATE;
    let mut out = String::new();
    let scale = u32::from_le_bytes(file[4..8].try_into().expect("4 bytes"));
    line!(out, "link.gate begins {}: scale {scale}", spaced(&file[..8]));
    let [first, seen] = [look(&link::Eyes, &[]), look(&link::Eyes, &["f5"])];
    let light = <link::Eyes as Features<Othello>>::SIZES.light;
    let mut scores = Vec::new();
    for (name, slots) in seen.names.iter().zip(seen.sight.light.chunks_exact(light)) {
        let bytes: Vec<i64> =
            slots.iter().map(|&f| i64::from(file[8 + usize::from(f)].cast_signed())).collect();
        let sum: i64 = bytes.iter().sum();
        let score = (sum * i64::from(scale)) >> 16;
        list(&mut out, &format!("{name} features"), slots);
        list(&mut out, "   bytes   ", &bytes);
        line!(out, "   sum {sum}, score {score}");
        scores.push(i32::try_from(score).expect("a score"));
    }
    let by_table = [&first, &seen].map(|seen| {
        let mut scores = Vec::new();
        GATE.score(&seen.sight.light, light, &mut scores);
        scores
    });
    assert_eq!(scores, by_table[1]);
    list(&mut out, "weights    ", weights(&scores));
    let by_gate = by_table.map(|scores| weights(&scores));
    list(&mut out, "before f5  ", &by_gate[0]);
    let plies = [(&first, &by_gate[0][..]), (&seen, &by_gate[1][..])];
    two_plies(&mut out, plies, "line.link/7");
    out
}

/// The file of a judge, taken apart.
struct JudgeFile<'f> {
    numbers: [usize; 7],
    scales: [i64; 4],
    linear: &'f [u8],
    input: &'f [u8],
    output: &'f [u8],
    lift: &'f [u8],
    deep: &'f [u8],
    mix: &'f [u8],
}

impl<'f> JudgeFile<'f> {
    fn read(file: &'f [u8]) -> Self {
        assert_eq!(&file[..4], b"PTJ\x01");
        let number = |at: usize| usize::from(u16::from_le_bytes([file[at], file[at + 1]]));
        let numbers @ [features, deep, inputs, hidden, rows, units, phases] =
            std::array::from_fn(|at| number(4 + 2 * at));
        let scale = |at: usize| (0..4).fold(0, |sum, i| sum | i64::from(file[at + i]) << (8 * i));
        let scales = std::array::from_fn(|at| scale(18 + 4 * at));
        let mut rest = &file[34..];
        let mut part = |length: usize| {
            let part;
            (part, rest) = rest.split_at(length);
            part
        };
        let judge = Self {
            numbers,
            scales,
            linear: part(features),
            input: part(inputs * hidden),
            output: part(rows * hidden),
            lift: part(units * hidden),
            deep: part((features - deep) * units),
            mix: part(2 * phases * units),
        };
        assert!(rest.is_empty());
        judge
    }

    /// Returns the signed bytes of a row of a part.
    fn row(part: &[u8], row: usize, width: usize) -> impl Iterator<Item = i64> + '_ {
        part[row * width..][..width].iter().map(|byte| i64::from(byte.cast_signed()))
    }

    /// Returns the hidden units, and the amount by which each unit is lifted.
    fn hide(&self, sight: &Sight) -> (Vec<i64>, Vec<i64>) {
        let [_, _, _, hidden, _, units, _] = self.numbers;
        let mut sums = vec![0; hidden];
        for &input in &sight.inputs {
            let row = Self::row(self.input, input.into(), hidden);
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        sums.iter_mut().for_each(|sum| *sum = (*sum).max(0));
        let lifted = (0..units).map(|unit| {
            let row = Self::row(self.lift, unit, hidden);
            let product: i64 = sums.iter().zip(row).map(|(sum, weight)| sum * weight).sum();
            ((product * self.scales[2]) >> 24).clamp(-16_000, 16_000)
        });
        let lifted = lifted.collect();
        (sums, lifted)
    }

    /// Returns A, B, C and the score of a candidate with these features and this row.
    fn score(
        &self,
        features: &[usize],
        row: usize,
        phase: usize,
        (sums, lifted): &(Vec<i64>, Vec<i64>),
    ) -> [i64; 4] {
        let [_, deep, _, hidden, _, units, _] = self.numbers;
        let a: i64 = features.iter().map(|&f| i64::from(self.linear[f].cast_signed())).sum();
        let b = sums.iter().zip(Self::row(self.output, row, hidden)).map(|(sum, w)| sum * w).sum();
        let mut own = lifted.clone();
        for &feature in features.iter().filter(|&&feature| feature >= deep) {
            let row = Self::row(self.deep, feature - deep, units);
            own.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight);
        }
        let mix = self.mix[2 * phase * units..].chunks_exact(2);
        let mix = mix.map(|pair| i64::from(i16::from_le_bytes([pair[0], pair[1]])));
        let c = own.iter().zip(mix).map(|(unit, weight)| (*unit).max(0) * weight).sum();
        [a, b, c, (self.scales[0] * a + self.scales[1] * b + self.scales[3] * c) >> 24]
    }
}

/// Returns the sum of the initial weights of these candidates.
fn evenly(candidates: &[u64]) -> u64 {
    candidates.iter().map(|_| u64::from(default::LEAST)).sum()
}

/// Judges a position: returns A, B, C and the score of each chosen candidate, and the weights of
/// all.
fn judged(judge: &JudgeFile<'_>, seen: &Seen) -> (Vec<[i64; 4]>, Vec<u64>) {
    let Seen { sight, .. } = seen;
    let hidden = judge.hide(sight);
    let parts: Vec<[i64; 4]> = (0..sight.chosen.len())
        .map(|at| {
            let heavy = &sight.heavy[at * SIZES.heavy..][..SIZES.heavy];
            let features: Vec<usize> = heavy.iter().map(|&f| f.into()).collect();
            judge.score(&features, sight.rows[at].into(), sight.phase.into(), &hidden)
        })
        .collect();
    let scores: Vec<i32> =
        parts.iter().map(|parts| i32::try_from(parts[3]).expect("a score")).collect();
    let mut theirs = Vec::new();
    JUDGE.score(sight, SIZES, &mut plypack_core::policy::Scratch::default(), &mut theirs);
    assert_eq!(scores, theirs);
    let own = weights(&scores);
    let (g, j) = (evenly(&own), own.iter().sum::<u64>());
    let all = own.iter().map(|own| (own * g / j).max(1)).collect();
    (parts, all)
}

fn judge() -> String {
    let judge = JudgeFile::read(DEFAULT_JUDGE);
    let mut out = String::new();
    list(
        &mut out,
        "default.judge: features, deep, inputs, hidden, rows, units, phases",
        judge.numbers,
    );
    list(&mut out, "linear, net, lift, mix", judge.scales);
    let seen = look(&default::Eyes, &["f5"]);
    let Seen { names, sight, book } = &seen;
    let (known, unplayed) = book.as_ref().expect("the book has this position");
    let name = |index: u16| &names[usize::from(index)];
    let known: Vec<String> = known.iter().map(|&(at, f)| format!("{} {f}", name(at))).collect();
    line!(
        out,
        "book: {}; others {unplayed}; its first feature is {}",
        known.join(", "),
        SIZES.book.1
    );
    line!(out, "phase {}, inputs", sight.phase);
    list(&mut out, "           ", &sight.inputs);
    let (hidden, lifted) = judge.hide(sight);
    list(&mut out, "hidden units 0 to 15", &hidden[..16]);
    list(&mut out, "lifted", &lifted);
    let (parts, shared) = judged(&judge, &seen);
    for (at, [a, b, c, score]) in parts.iter().enumerate() {
        let heavy = &sight.heavy[at * SIZES.heavy..][..SIZES.heavy];
        let name = name(sight.chosen[at]);
        list(&mut out, &format!("{name} features"), heavy);
        line!(out, "   row {}, A {a}, B {b}, C {c}, score {score}", sight.rows[at]);
    }
    let scores: Vec<i32> =
        parts.iter().map(|parts| i32::try_from(parts[3]).expect("a score")).collect();
    let own = weights(&scores);
    list(&mut out, "weights by these scores", &own);
    line!(out, "G = {}, J = {}", evenly(&own), own.iter().sum::<u64>());
    list(&mut out, "weights of all candidates", &shared);
    let first = look(&default::Eyes, &[]);
    let (_, before) = judged(&judge, &first);
    list(&mut out, "before f5", &before);
    two_plies(&mut out, [(&first, &before[..]), (&seen, &shared[..])], "line.default/5");
    out
}

fn keys() -> String {
    let word = |number: u64| {
        let mut s = (1u64 << 56).wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        s = (s ^ s >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        s = (s ^ s >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        s ^ s >> 31
    };
    let rules = game("tictactoe").expect("a game");
    let mut out = String::new();
    // Three rows; a cross on b2, cell 4; naught to move.
    for (fact, what) in [(3, "three rows"), (72, "a cross on b2"), (0, "naught is to move")] {
        line!(out, "fact {fact:<3} {:016x}  {what}", word(fact));
    }
    let mut cursor = rules.cursor(None).expect("the usual start");
    assert_eq!(cursor.key(), word(3));
    line!(out, "start    {:016x}", cursor.key());
    cursor.read("b2").expect("a candidate");
    assert_eq!(cursor.key(), word(3) ^ word(72) ^ word(0));
    line!(out, "1. b2    {:016x}", cursor.key());
    out
}

fn link() -> String {
    let moves = "e4 e5 Nf3";
    let rules = game("chess").expect("a game");
    let made = Link::new(rules, None, &mut moves.split(' ')).expect("legal moves");
    let codec = line_codec("chess", "line.uniform/2").expect("a codec");
    let text = made.write(codec).expect("a link");
    let (plies, code) = code_of("chess", "line.uniform/2", moves);
    // Version 0, game 2, codec bits 1, no flags.
    let mut frame = packed("00 010 01 0");
    let mut out = String::new();
    line!(out, "{}        version 00, game 010, codec 01, no flags 0", spaced(&frame));
    frame.push(u8::try_from(plies).expect("few plies"));
    line!(out, "{plies:02x}        plies");
    frame.extend(&code);
    line!(out, "{:<8}  the code of {moves} by line.uniform", spaced(&code));
    let crc = frame.iter().fold(0xffffu16, |crc, &byte| {
        (0..8).fold(crc ^ u16::from(byte) << 8, |crc, _| {
            if crc >> 15 == 1 { crc << 1 ^ 0x1021 } else { crc << 1 }
        })
    });
    let check = (!crc).to_be_bytes();
    line!(out, "{}     CRC-16 of the bytes above", spaced(&check));
    frame.extend(check);
    line!(out, "{text}  base64url of all");
    let digits: String = frame.iter().map(|byte| format!("{byte:08b}")).collect();
    let alphabet: Vec<u8> =
        (b'A'..=b'Z').chain(b'a'..=b'z').chain(b'0'..=b'9').chain(*b"-_").collect();
    let letter = |chunk: &[u8]| {
        let bit = |at: usize| usize::from(chunk.get(at) == Some(&b'1'));
        char::from(alphabet[(0..6).fold(0, |number, at| number << 1 | bit(at))])
    };
    assert_eq!(digits.as_bytes().chunks(6).map(letter).collect::<String>(), text);
    out
}
