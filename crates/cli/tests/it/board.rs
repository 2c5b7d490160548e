//! `plypack board`: boards as texts, portable files and packed boards, sound and damaged, small and
//! larger than the memory they are given.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use crate::common::{Random, Sandbox, corpus};
use plypack_testing::sample::{every, is_whole};

const CODECS: [&str; 7] = ["trits5", "planar", "tight", "base3", "rle", "lzma", "model"];

/// A portable file, made without plypack.
fn portable(rows: usize, columns: usize, cells: &[u8]) -> Vec<u8> {
    assert_eq!(cells.len(), rows * columns);
    let mut file = Vec::new();
    for side in [rows, columns] {
        file.extend_from_slice(&side.to_le_bytes()[..3]);
    }
    for five in cells.chunks(5) {
        file.push(five.iter().rev().fold(0, |sum, cell| 3 * sum + cell));
    }
    file
}

/// Returns what `board bench` says of a file: the bytes of each codec and compressor.
fn sizes(sandbox: &Sandbox, file: &str, options: &[&str]) -> Vec<(String, u64)> {
    let bench = [&["board", "bench", file, "--rounds", "1", "--json"], options].concat();
    let rows = sandbox.run(bench).expect(0).json();
    let size = |row: &serde_json::Value| {
        let name = row["codec"].as_str().expect("a name").to_owned();
        (name, row["bytes"].as_u64().expect("a number"))
    };
    rows.iter().map(size).collect()
}

/// Boards of one size, one below the other.
struct Pile<'a> {
    what: &'a str,
    rows: usize,
    columns: usize,
    cells: Vec<u8>,
}

impl Pile<'_> {
    /// The bytes of each codec and compressor for the pile; or for its boards, each coded alone.
    /// Prints them as a row of a table.
    fn sizes(&self, sandbox: &Sandbox, alone: bool) -> Vec<(String, u64)> {
        let &Self { what, rows, columns, ref cells } = self;
        sandbox.write("board.tern", portable(cells.len() / columns, columns, cells));
        let side = rows.to_string();
        let options: &[&str] = if alone { &["--rows", &side] } else { &[] };
        let sizes = sizes(sandbox, "board.tern", options);
        let bytes: Vec<String> = sizes.iter().map(|size| size.1.to_string()).collect();
        let count = cells.len() / (rows * columns);
        let each = if alone { ", each alone" } else { "" };
        println!("| {what}{each} | {count} | {} | {} |", cells.len(), bytes.join(" | "));
        sizes
    }

    /// Fails unless the model's code is smaller than any by LZMA or zstd.
    #[track_caller]
    fn model_is_smallest(&self, sandbox: &Sandbox, alone: bool) {
        let what = self.what;
        let sizes = self.sizes(sandbox, alone);
        let model = sizes.iter().find(|size| size.0 == "ternary.model").expect("the model").1;
        let is_rival =
            |name: &str| ["zstd", "xz", "ternary.lzma"].iter().any(|n| name.starts_with(n));
        let rivals: Vec<_> = sizes.iter().filter(|(name, _)| is_rival(name)).collect();
        assert_eq!(rivals.len(), 5);
        assert!(rivals.iter().all(|rival| model < rival.1), "{what}: {model}, {rivals:?}");
    }
}

#[test]
fn a_text_becomes_the_articles_file_and_comes_back() {
    let sandbox = Sandbox::new();
    sandbox.write("board.txt", ".ox\nxo.\n");
    sandbox.run(["board", "pack", "board.txt"]).expect(0);
    assert_eq!(sandbox.read("board.tern"), [2, 0, 0, 3, 0, 0, 156, 0]);
    let text = sandbox.run(["board", "unpack", "board.tern"]).expect(0);
    assert_eq!(text.text(), ".ox\nxo.\n");
    // Other symbols, other newlines, no newline at the end, standard input and output.
    for same in ["012\r\n210\r\n", ".OX\nXO.", "0ox\n.".replace("\n.", "\nxo.").as_str()] {
        let packed = sandbox.run_with(["board", "pack", "-", "-c"], same.as_bytes()).expect(0);
        assert_eq!(packed.out, [2, 0, 0, 3, 0, 0, 156, 0], "{same:?}");
        let back = sandbox.run_with(["board", "unpack", "-"], &packed.out).expect(0);
        assert_eq!(back.text(), ".ox\nxo.\n");
    }
}

#[test]
fn every_codec_gives_the_portable_file_back() {
    let sandbox = Sandbox::new();
    for (rows, columns) in [("1", "1"), ("3", "5"), ("80", "8"), ("121", "77")] {
        let random = ["board", "random", rows, columns, "--seed", "7", "-f", "-o", "a.tern"];
        sandbox.run(random).expect(0);
        let original = sandbox.read("a.tern");
        for codec in CODECS {
            let pack = ["board", "pack", "a.tern", "--codec", codec, "-f", "-q", "-o", "a.plyb"];
            assert_eq!(sandbox.run(pack).expect(0).err, "");
            let unpack = ["board", "unpack", "a.plyb", "--to", "portable", "-c"];
            assert_eq!(sandbox.run(unpack).expect(0).out, original, "{codec}");
            let [info] = &sandbox.run(["board", "info", "a.plyb", "--json"]).expect(0).json()[..]
            else {
                panic!("one line a file");
            };
            assert_eq!(info["codec"], format!("ternary.{codec}"));
            assert_eq!(info["bytes"], sandbox.read("a.plyb").len());
            assert_eq!(info["rows"].to_string(), rows);
            assert_eq!(info["columns"].to_string(), columns);
        }
        let packed = sandbox.run(["board", "unpack", "a.plyb", "-f"]).expect(0);
        assert!(packed.out.is_empty());
        assert_eq!(sandbox.read("a.tern"), original);
    }
}

#[test]
fn a_random_board_depends_on_its_seed_alone() {
    let sandbox = Sandbox::new();
    let random = |seed: &str, threads: &str| {
        let arguments = ["board", "random", "700", "6100", "-q", "--seed", seed, "-T", threads];
        sandbox.run(arguments).expect(0).out
    };
    let board = random("1", "1");
    assert_eq!(board.len(), 6 + 700 * 6100 / 5);
    assert!(board == random("1", "3"), "threads do not matter");
    assert!(board != random("2", "1"));
    sandbox.write("a.tern", &board);
    let info = &sandbox.run(["board", "info", "a.tern", "--json"]).expect(0).json()[0];
    for symbol in ["empty", "white", "black"] {
        let count = info[symbol].as_f64().expect("a number");
        // A third, give or take five standard deviations.
        assert!((count - 4_270_000.0 / 3.0).abs() < 5_000.0, "{symbol} {count}");
    }
    // Without a seed, it reports the one it took.
    let said = sandbox.run(["board", "random", "3", "3", "-o", "b.tern", "--json"]).expect(0);
    let [said] = &said.json()[..] else { panic!("one object") };
    let sum: u64 =
        ["empty", "white", "black"].map(|key| said[key].as_u64().expect("a number")).iter().sum();
    assert_eq!((sum, &said["bytes"]), (9, &8.into()));
    let seed = said["seed"].to_string();
    let again = sandbox.run(["board", "random", "3", "3", "--seed", &seed]).expect(0);
    assert_eq!(again.out, sandbox.read("b.tern"));
    assert!(again.err.contains(&format!("3 rows, 3 columns, seed {seed}: ")), "{}", again.err);
}

#[test]
fn the_self_test_covers_every_codec() {
    let sandbox = Sandbox::new();
    let done = sandbox.run(["board", "verify", "--random", "60", "33", "--json"]).expect(0);
    let codecs: Vec<String> = done.json().iter().map(|row| row["codec"].to_string()).collect();
    assert_eq!(codecs, CODECS.map(|codec| format!("\"ternary.{codec}\"")));
    assert!(done.json().iter().all(|row| row["sound"] == true && row["cells"] == 1_980));
    let one = ["board", "verify", "--random", "9", "9", "--codec", "rle", "--seed", "3"];
    assert!(sandbox.run(one).expect(0).err.contains("ternary.rle: 81 cells"));
    assert_eq!(sandbox.names(), Vec::<String>::new());
}

#[test]
fn what_is_no_portable_file_is_refused() {
    let sandbox = Sandbox::new();
    // 2 rows, 3 columns: the second byte has one cell.
    let good = [2, 0, 0, 3, 0, 0, 156, 0];
    let cases: [(&[u8], &[&str]); 8] = [
        (&[], &["ends within the size"]),
        (&good[..5], &["ends within the size"]),
        (&good[..7], &["make 8 bytes", "there are 7"]),
        (&[2, 0, 0, 3, 0, 0, 156, 0, 0], &["byte 8", "follow the end"]),
        (&[2, 0, 0, 3, 0, 0, 243, 0], &["byte 6", "above 242"]),
        (&[2, 0, 0, 3, 0, 0, 156, 3], &["byte 7", "beyond the board"]),
        (&[0, 0, 0, 3, 0, 0], &["1 to 16,777,215", "not 0 by 3"]),
        (&[255; 6], &["make 56294988631251 bytes", "there are 6"]),
    ];
    for (bytes, words) in cases {
        let path = sandbox.write("bad.tern", bytes);
        for verb in ["info", "verify", "unpack", "pack"] {
            let done = sandbox.run(["board", verb, "bad.tern"]).refuses(1, words);
            assert!(done.err.contains("bad.tern: "), "{}", done.err);
        }
        assert_eq!(sandbox.names(), ["bad.tern"], "nothing is left behind");
        std::fs::remove_file(path).expect("it is there");
    }
    sandbox.write("good.tern", good);
    let both = sandbox.run(["board", "verify", "good.tern", "none.tern"]);
    both.refuses(2, &["none.tern"]);
}

#[test]
fn what_is_no_text_of_a_board_is_refused() {
    let sandbox = Sandbox::new();
    for (text, words) in [
        ("...\n..\n", ["line 2", "2 cells", "before it have 3"]),
        ("...\n\n...\n", ["line 2", "is empty", ""]),
        ("\n", ["line 1", "is empty", ""]),
        ("# a board\n...\n", ["line 1", "`#`", "column 1"]),
        ("......\n...?..\n", ["line 2", "`?`", "column 4"]),
        ("......\n.....\r.\n", ["line 2", "`\\r`", "column 6"]),
    ] {
        sandbox.run_with(["board", "pack", "-", "-c"], text.as_bytes()).refuses(1, &words);
    }
    sandbox.write("a.txt", "......\n......\n");
    sandbox.run(["board", "unpack", "a.txt"]).refuses(2, &["is a text"]);
}

#[test]
fn damaged_packed_boards_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.run(["board", "random", "40", "9", "--seed", "2", "-o", "a.tern"]).expect(0);
    for codec in &CODECS[1..] {
        sandbox.run(["board", "pack", "a.tern", "-f", "--codec", codec]).expect(0);
        let packed = sandbox.read("a.plyb");
        assert_eq!(&packed[..5], [0, 0, 0, b'P', 1]);
        let mut random = Random(99);
        for _ in 0..12 {
            // A flipped bit anywhere: the checksum finds what nothing else does.
            let mut bad = packed.clone();
            let at = 3 + random.below(bad.len() - 3);
            bad[at] ^= 1 << random.below(8);
            sandbox.write("bad.plyb", &bad);
            sandbox.run(["board", "verify", "bad.plyb"]).refuses(1, &["bad.plyb: "]);
        }
        for length in [0, 3, 4, 6, 12, 13, 16, 20, 21, packed.len() - 1] {
            sandbox.write("bad.plyb", &packed[..length]);
            sandbox.run(["board", "info", "bad.plyb"]).refuses(1, &["bad.plyb: "]);
        }
        sandbox.write("bad.plyb", [&packed[..], &[0]].concat());
        sandbox.run(["board", "info", "bad.plyb"]).refuses(1, &["follow the end"]);
    }
    // A header that claims the largest board, and a code that claims 4 GB.
    let head = [&[0, 0, 0, b'P', 1, 70, 0][..], &[255; 6]].concat();
    for rest in [&[][..], &[255; 8], &[0; 8]] {
        sandbox.write("bad.plyb", [&head, rest].concat());
        sandbox.run(["board", "info", "bad.plyb"]).refuses(1, &["bad.plyb: "]);
    }
    for (at, byte, word) in
        [(4, 9, "version 9"), (4, 0, "plypack 0.1.0"), (5, 99, "no board codec 99")]
    {
        let mut bad = head.clone();
        bad[at] = byte;
        sandbox.write("bad.plyb", bad);
        sandbox.run(["board", "info", "bad.plyb"]).refuses(1, &[word]);
    }
}

#[test]
fn usage_errors_are_said() {
    let sandbox = Sandbox::new();
    sandbox.run(["board", "random", "0", "5"]).refuses(2, &["not 0 by 5"]);
    sandbox.run(["board", "random", "5", "16777216"]).refuses(2, &["16,777,215"]);
    let unknown = ["board", "random", "5", "5", "--codec", "zip"];
    sandbox.run(unknown).refuses(2, &["no such codec", "ternary.model"]);
    sandbox.run_with(["board", "pack", "-"], b"..\n").refuses(2, &["name an output"]);
    sandbox.write("a.tern", [1, 0, 0, 1, 0, 0, 2]);
    sandbox.run(["board", "pack", "a.tern", "-o", "a.tern"]).refuses(2, &["exists"]);
    let why = if cfg!(windows) { "Access" } else { "directory" };
    sandbox.run(["board", "info", "."]).refuses(2, &[why]);
}

#[test]
fn bench_measures_every_codec() {
    let sandbox = Sandbox::new();
    sandbox.run(["board", "random", "50", "60", "--seed", "4", "-o", "a.tern"]).expect(0);
    let sizes = sizes(&sandbox, "a.tern", &[]);
    assert_eq!(sizes.len(), CODECS.len() + 4);
    assert_eq!((sizes[0].0.as_str(), sizes[0].1), ("ternary.trits5", 600));
    let table = sandbox.run(["board", "bench", "a.tern", "--rounds", "1"]).expect(0);
    assert!(table.text().starts_with("3000 cells\ncodec "));
}

#[test]
fn bench_takes_a_pile_apart() {
    let sandbox = Sandbox::new();
    // Two boards of 3 by 7 and one of 1 by 7: 5, 5 and 2 bytes.
    sandbox.run(["board", "random", "7", "7", "--seed", "4", "-o", "a.tern"]).expect(0);
    let alone = sizes(&sandbox, "a.tern", &["--rows", "3"]);
    assert_eq!(alone[0], ("ternary.trits5".to_owned(), 5 + 5 + 2));
    assert_eq!(alone.len(), CODECS.len() + 4);
    sandbox.run(["board", "bench", "a.tern", "--rows", "0"]).refuses(2, &["--rows"]);
    sandbox.run(["board", "bench", "--rows", "3"]).refuses(2, &["FILE"]);
}

#[test]
fn the_model_beats_lzma_and_zstd_on_sparse_and_striped_boards() {
    let sandbox = Sandbox::new();
    let (rows, columns) = (300, 400);
    let mut random = Random(5);
    let mut board = |cell: &mut dyn FnMut(usize, usize, &mut Random) -> u8| {
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        cells.map(|(row, column)| cell(row, column, &mut random)).collect::<Vec<u8>>()
    };
    let small = |number: usize| u8::try_from(number).expect("a cell");
    let boards = [
        ("empty", board(&mut |_, _, _| 0)),
        ("rows", board(&mut |row, _, _| small(row % 3))),
        ("columns", board(&mut |_, column, _| small(column / 2 % 3))),
        ("diagonals", board(&mut |row, column, _| small((row + column) / 4 % 3))),
        ("squares", board(&mut |row, column, _| 1 + small((row / 7 + column / 7) % 2))),
        (
            "1 % stones",
            board(&mut |_, _, random| match random.below(100) {
                0 => 1 + small(random.below(2)),
                _ => 0,
            }),
        ),
        (
            "1 in 1,000",
            board(&mut |_, _, random| match random.below(1_000) {
                0 => 1 + small(random.below(2)),
                _ => 0,
            }),
        ),
        (
            "noisy stripes",
            board(&mut |row, _, random| match random.below(20) {
                0 => small(random.below(3)),
                _ => small(row / 5 % 3),
            }),
        ),
    ];
    for (what, cells) in boards {
        Pile { what, rows, columns, cells }.model_is_smallest(&sandbox, false);
    }
}

#[test]
fn the_model_beats_lzma_and_zstd_on_a_random_board() {
    let sandbox = Sandbox::new();
    let (rows, columns) = (600, 600);
    let random = ["board", "random", "600", "600", "--seed", "8", "--codec", "model"];
    let packed = sandbox.run(random).expect(0).out;
    // The entropy of the cells, and a fraction of a percent.
    let over = packed.len() as f64 * 8.0 / (360_000.0 * 3f64.log2()) - 1.0;
    assert!(over < 0.004, "{over}");
    let text = sandbox.run_with(["board", "unpack", "-", "--to", "text"], &packed).expect(0).out;
    let cell = |symbol: &u8| b".ox".iter().position(|known| known == symbol);
    let cells: Vec<u8> = text.iter().filter_map(cell).map(|cell| cell.to_le_bytes()[0]).collect();
    Pile { what: "random", rows, columns, cells }.model_is_smallest(&sandbox, false);
}

/// Othello by transcript: the board after each move, and passes where there is no other move.
fn othello(transcript: &str) -> Vec<[u8; 64]> {
    const WHITE: u8 = 1;
    const BLACK: u8 = 2;
    let mut board = [0u8; 64];
    (board[27], board[36], board[28], board[35]) = (WHITE, WHITE, BLACK, BLACK);
    let mut mover = BLACK;
    let mut boards = Vec::new();
    for pair in transcript.as_bytes().as_chunks::<2>().0 {
        let place = usize::from(pair[0] - b'a') + 8 * usize::from(pair[1] - b'1');
        let mut flipped = flips(&board, place, mover);
        if flipped.is_empty() {
            mover = 3 - mover;
            flipped = flips(&board, place, mover);
        }
        assert!(!flipped.is_empty() && board[place] == 0, "{transcript} is not a game");
        board[place] = mover;
        flipped.into_iter().for_each(|disc| board[disc] = mover);
        mover = 3 - mover;
        boards.push(board);
    }
    boards
}

fn flips(board: &[u8; 64], place: usize, mover: u8) -> Vec<usize> {
    let mut flipped = Vec::new();
    for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)] {
        let mut line = Vec::new();
        let (mut row, mut column) = ((place / 8) as isize, (place % 8) as isize);
        loop {
            (row, column) = (row + down, column + right);
            let inside = (0..8).contains(&row) && (0..8).contains(&column);
            let at = (8 * row + column).unsigned_abs();
            match inside.then(|| board[at]) {
                Some(disc) if disc == 3 - mover => line.push(at),
                Some(disc) if disc == mover => {
                    flipped.append(&mut line);
                    break;
                }
                _ => break,
            }
        }
    }
    flipped
}

/// Gomoku by transcript, `h8i9`, row 1 at the bottom: the board after each move.
fn gomoku(side: usize, transcript: &str) -> Vec<Vec<u8>> {
    let mut board = vec![0; side * side];
    let mut boards = Vec::new();
    let moves = transcript.split_inclusive(|symbol: char| symbol.is_ascii_digit());
    let mut word = String::new();
    let mut words = Vec::new();
    for part in moves {
        if part.starts_with(|symbol: char| symbol.is_ascii_lowercase()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.push_str(part);
    }
    words.push(word);
    for (number, word) in words.iter().enumerate() {
        let column = usize::from(word.as_bytes()[0] - b'a');
        let row = side - word[1..].parse::<usize>().expect("a row");
        assert_eq!(board[row * side + column], 0);
        board[row * side + column] = [2, 1][number % 2];
        boards.push(board.clone());
    }
    boards
}

/// The text of a file of the corpus, compressed by xz or not.
fn text_of(file: &std::path::Path) -> String {
    let bytes = std::fs::read(file).expect("a file of the corpus");
    let mut text = String::new();
    let mut reader: Box<dyn std::io::Read> = match file.extension() {
        Some(extension) if extension == "xz" => {
            Box::new(liblzma::read::XzDecoder::new(std::io::Cursor::new(bytes)))
        }
        _ => Box::new(std::io::Cursor::new(bytes)),
    };
    reader.read_to_string(&mut text).expect("a text");
    text
}

/// One of how many games is tried, unless all are, which takes minutes.
const STEP: usize = 20;

/// The games that are tried.
fn sample(mut games: Vec<Vec<Vec<u8>>>) -> Vec<Vec<Vec<u8>>> {
    every(STEP, games.len()).map(|game| std::mem::take(&mut games[game])).collect()
}

/// Returns how many of this many games are tried.
fn tried(games: usize) -> usize {
    if is_whole() { games } else { games / STEP }
}

/// Piles of the boards of games: the last of each, and one of each at any ply; every `step`th of
/// both also alone.
fn piles_of_games(what: &str, side: usize, games: &[Vec<Vec<u8>>], step: usize) {
    let sandbox = Sandbox::new();
    let last = |(_, game): (usize, &Vec<Vec<u8>>)| game.last().expect("a move").clone();
    let any = |(at, game): (usize, &Vec<Vec<u8>>)| game[at * 7 % game.len()].clone();
    for (alone, step) in [(false, 1), (true, step)] {
        let some = || games.iter().enumerate().step_by(step);
        for (which, cells) in
            [("last", some().flat_map(last).collect()), ("any", some().flat_map(any).collect())]
        {
            let what = &format!("{what}, {which}");
            let pile = Pile { what, rows: side, columns: side, cells };
            pile.model_is_smallest(&sandbox, alone);
        }
    }
}

/// All boards of games, one after the other.
fn whole_games<'a>(what: &'a str, side: usize, games: &[Vec<Vec<u8>>]) -> Pile<'a> {
    let cells = games.iter().flatten().flatten().copied().collect();
    Pile { what, rows: side, columns: side, cells }
}

/// Real games of Othello.
#[test]
fn the_model_beats_lzma_and_zstd_on_boards_of_othello() {
    let Some(corpus) = corpus() else { return };
    let text = text_of(&corpus.join("othello/othello_dev.tsv.xz"));
    let transcripts = text.lines().filter_map(|line| line.split('\t').nth(1));
    let games = transcripts.map(|moves| othello(moves).into_iter().map(Vec::from).collect());
    let games = sample(games.filter(|game: &Vec<_>| !game.is_empty()).collect());
    piles_of_games("othello", 8, &games, 30);
    whole_games("othello, whole games", 8, &games[..tried(200)])
        .model_is_smallest(&Sandbox::new(), false);
}

/// Real gomoku: a book of openings and one whole game. Synthetic games besides.
#[test]
fn the_model_beats_lzma_and_zstd_on_boards_of_gomoku() {
    let Some(corpus) = corpus() else { return };
    let place = |side: usize, places: &[usize]| {
        let mut board = vec![0; side * side];
        let mut boards = Vec::new();
        for (number, &place) in places.iter().enumerate() {
            board[place] = [2, 1][number % 2];
            boards.push(board.clone());
        }
        boards
    };
    let number = |word: &str| word.trim().parse::<usize>().ok();
    let book = text_of(&corpus.join("gomoku/shioi_joseki_book.csv"));
    let line = |line: &str| line.split(',').filter_map(number).collect::<Vec<_>>();
    let lines = book.lines().map(line).filter(|line| !line.is_empty());
    let games = sample(lines.map(|line| place(15, &line)).collect());
    piles_of_games("gomoku book", 15, &games, 30);
    // Lines of a book begin alike: most of these boards are repeats, which suits LZMA.
    whole_games("gomoku book, whole lines", 15, &games[..tried(1_000)])
        .sizes(&Sandbox::new(), false);

    let game = text_of(&corpus.join("gomoku/1x0-16(2).psq"));
    let columns_and_rows = game.lines().skip(1).map(line).filter(|words| words.len() == 3);
    let places: Vec<usize> =
        columns_and_rows.map(|words| (words[1] - 1) * 20 + words[0] - 1).collect();
    let games = [place(20, &places)];
    piles_of_games("gomoku game", 20, &games, 1);
    whole_games("gomoku game, all", 20, &games).model_is_smallest(&Sandbox::new(), false);

    let text = text_of(&corpus.join("gomoku/syn_dev.tsv.xz"));
    let lines = text.lines().filter_map(|line| line.strip_prefix("15\t"));
    let transcripts = lines.filter_map(|line| line.split('\t').nth(1));
    let games = sample(transcripts.map(|transcript| gomoku(15, transcript)).collect());
    piles_of_games("gomoku, synthetic", 15, &games, 10);
    let whole = whole_games("gomoku, synthetic, whole games", 15, &games[..tried(40)]);
    whole.model_is_smallest(&Sandbox::new(), false);
}

/// The article's largest board, 32,768 by 32,768 cells, goes through codecs and back in less memory
/// than it would take. Run it with
/// `cargo test --release -p plypack-cli --test it board:: -- --ignored --nocapture`.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "minutes, and 1.7 GB of disk"]
fn a_board_larger_than_the_memory_comes_back() {
    /// In KiB. The board has 256 MiB at two bits per cell, 205 at five cells per byte.
    const MEMORY_MAX: u64 = 64 << 10;
    let sandbox = Sandbox::new();
    let run = |arguments: &[&str]| {
        let begin = std::time::Instant::now();
        let mut child = sandbox.command(arguments).spawn().expect("it starts");
        let peak = crate::common::peak_memory(&mut child);
        assert!(child.wait().expect("a child").success(), "{arguments:?}");
        println!("{} s, {peak} KiB: {}", begin.elapsed().as_secs(), arguments.join(" "));
        assert!(peak > 0 && peak < MEMORY_MAX, "{arguments:?} took {peak} KiB");
    };
    run(&["board", "random", "32768", "32768", "--seed", "1", "-q", "-T", "2", "-o", "a.tern"]);
    assert_eq!(sandbox.path("a.tern").metadata().expect("a file").len(), 214_748_371);
    run(&["board", "info", "a.tern"]);
    for codec in ["planar", "tight"] {
        let pack = ["board", "pack", "a.tern", "--codec", codec, "-fq", "-T", "2", "-o", "a.plyb"];
        run(&pack);
        run(&["board", "unpack", "a.plyb", "-fq", "-T", "2", "-o", "b.tern"]);
        assert!(sandbox.read("a.tern") == sandbox.read("b.tern"), "{codec}");
    }
    run(&["board", "unpack", "a.tern", "-q", "-T", "2", "-o", "a.txt"]);
    assert_eq!(sandbox.path("a.txt").metadata().expect("a file").len(), 32_768 * 32_769);
    run(&["board", "pack", "a.txt", "-fq", "-T", "2", "-o", "b.tern"]);
    assert!(sandbox.read("a.tern") == sandbox.read("b.tern"));
}

/// The golden packed boards, made by
///
///     plypack board random 61 23 --seed 1 -o board.tern
///     for codec in planar tight base3 rle lzma model; do
///         plypack board pack board.tern --codec $codec -o $codec-v1.plyb
///     done
///     plypack board pack bands.tern --codec rle -o bands-v1.plyb
///
/// where `bands.tern` is what the test makes: a board of two bands.
#[test]
fn golden_packed_boards_come_back() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/board");
    let golden = |name: &str| std::fs::read(folder.join(name)).expect("a golden file");
    let sandbox = Sandbox::new();
    for codec in &CODECS[1..] {
        sandbox.write("packed.plyb", golden(&format!("{codec}-v1.plyb")));
        sandbox.run(["board", "unpack", "packed.plyb", "-f", "-o", "back.tern"]).expect(0);
        assert_eq!(sandbox.read("back.tern"), golden("board.tern"), "{codec}");
    }
    let mut cells = vec![0; 61_000 * 70];
    for place in (0..cells.len()).step_by(700_001) {
        cells[place] = 1 + u8::from(place % 2 == 0);
    }
    sandbox.write("packed.plyb", golden("bands-v1.plyb"));
    sandbox.run(["board", "unpack", "packed.plyb", "-f", "-o", "back.tern"]).expect(0);
    assert!(sandbox.read("back.tern") == portable(61_000, 70, &cells));
}
