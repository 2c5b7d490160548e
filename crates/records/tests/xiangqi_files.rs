//! Reads the files of xiangqi's desktop programs and writes them back.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack_records::charset::{self, Charset};
use plypack_records::{Format, Reading, Rendering, Rules, START_TAG, format};
use plypack_testing::corpus_file as corpus;

/// A game whose rules nobody asks.
struct Unasked;

impl Rules for Unasked {
    fn name(&self) -> &str {
        "xiangqi"
    }

    fn has_format(&self, _: &str) -> bool {
        true
    }

    fn signs(&self) -> &str {
        ""
    }

    fn start_told(&self, _: &[&str], _: &[&str]) -> Option<String> {
        None
    }

    fn position(&self, _: &str) -> Option<String> {
        None
    }

    fn plays(&self, _: Option<&str>, _: &[&str]) -> bool {
        true
    }
}

fn of(name: &str) -> &'static dyn Format {
    format(name).expect("it is registered")
}

/// The description of a record, and what its layout writes.
fn written(format: &dyn Format, bytes: &[u8]) -> Option<(String, Vec<u8>)> {
    let text = format.describe(bytes)?;
    let Reading { record, layout, .. } =
        format.read(&text, Charset::Utf8, &Unasked).expect("what was described");
    let layout = layout.expect("reading tells it");
    let (tags, pieces) = (record.tag_list(), record.pieces());
    let rendering =
        Rendering { tags: &tags, pieces: &pieces, values: &[], number: 1, second: false };
    let back = layout.render(&rendering).expect("what was read");
    Some((text, back))
}

/// How many bytes differ.
fn differing(a: &[u8], b: &[u8]) -> usize {
    a.len().abs_diff(b.len()) + a.iter().zip(b).filter(|(a, b)| a != b).count()
}

/// A node of a file: origin, destination, flags (a move follows 1, an alternative 2) and comment.
type Node = ([u8; 2], u8, &'static str);

/// Red's cannon, Black's two answers with alternatives, and what follows.
const NODES: [Node; 5] = [
    ([72, 42], 1, ""),
    ([79, 67], 3, "马"),
    ([70, 62], 0, "a}b\\\r\nc"),
    ([19, 27], 2, ""),
    ([17, 47], 0, ""),
];

/// The moves of these nodes as text.
const MOVES: &str = "{评} 7747 7062 {马} (1022) (1242) 7967 {a\\}b\\\\\r\nc}";

/// Writes an XQF file part by part. `noise` stands where nothing has a meaning.
fn xqf(version: u8, keys: [u8; 9], men: &[u8; 32], noise: u8) -> Vec<u8> {
    let [mask, a, b, c, d, sum, xy, from, to] = keys;
    let plain = version <= 10;
    let key = |of: u8, by: u8| {
        let square = u32::from(of) * u32::from(of);
        let sum = (((square * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8;
        (sum * u32::from(by)).to_le_bytes()[0]
    };
    let on_board = if plain { 0 } else { key(xy, xy) };
    let origin = if plain { 0 } else { key(from, on_board) };
    let goal = if plain { 0 } else { key(to, origin) };
    let length = u32::from(sum) * 256 + u32::from(xy);
    let length = if plain { 0 } else { length % 32_000 + 767 };
    let mut bytes = vec![0; 1024];
    bytes[..4].copy_from_slice(&[b'X', b'Q', version, mask]);
    bytes[8..16].copy_from_slice(&[a, b, c, d, sum, xy, from, to]);
    for (place, man) in men.iter().enumerate() {
        let turn = if version >= 12 { usize::from(on_board) + 1 } else { 0 };
        bytes[16 + (place + 32 * 9 - turn) % 32] = man.wrapping_add(on_board);
    }
    bytes[51] = 1;
    for (place, text) in [(80, "对局"), (304, "红"), (320, "黑"), (480, "")] {
        let text = charset::encode(text.into(), Charset::Gbk).expect("its characters");
        bytes[place] = u8::try_from(text.len()).expect("a short text");
        bytes[place + 1..][..text.len()].copy_from_slice(&text);
    }
    let root: Node = ([0, 0], 1, "评");
    for (squares, flags, comment) in std::iter::once(root).chain(NODES) {
        let comment = charset::encode(comment.into(), Charset::Gbk).expect("its characters");
        bytes.push(squares[0].wrapping_add(0x18).wrapping_add(origin));
        bytes.push(squares[1].wrapping_add(0x20).wrapping_add(goal));
        let (follows, other) = (flags & 1, flags >> 1);
        bytes.push(match plain {
            true => (0xf0 * follows) | (0x0f * other),
            false => {
                let said = if comment.is_empty() { 0 } else { 0x20 };
                (0x80 * follows) | (0x40 * other) | said | (noise & 31)
            }
        });
        bytes.push(noise);
        if plain || !comment.is_empty() {
            let stated = u32::try_from(comment.len()).expect("a short text") + length;
            bytes.extend(stated.to_le_bytes());
        }
        bytes.extend(comment);
    }
    if !plain {
        let masks = [sum & mask | a, xy & mask | b, from & mask | c, to & mask | d];
        for (place, byte) in bytes.iter_mut().enumerate().skip(1024) {
            let phrase = b"[(C) Copyright Mr. Dong Shiwei.]"[place % 32];
            *byte = byte.wrapping_add(phrase & masks[place % 4]);
        }
    }
    bytes
}

/// The men on their usual squares, each kind from its player's right.
const MEN: [u8; 32] = [
    80, 70, 60, 50, 40, 30, 20, 10, 0, 72, 12, 83, 63, 43, 23, 3, 9, 19, 29, 39, 49, 59, 69, 79,
    89, 17, 77, 6, 26, 46, 66, 86,
];

#[test]
fn xqf_files_of_every_version_come_back() {
    let keys = [0xab, 0x5b, 0x2e, 0x45, 0x32, 0x1f, 0xa2, 0x51, 0xee];
    for version in [1, 10, 11, 12, 18] {
        let file = xqf(version, keys, &MEN, 0);
        let (text, back) = written(of("xqf"), &file).expect("a file");
        let expected = format!(
            "xqf version={version} keys=ab5b2e45321fa251ee\nTitle\t对局\nRed\t红\nBlack\t黑\n\
             Result\t1-0\n\n{MOVES}"
        );
        assert_eq!(text, expected);
        assert!(back == file, "{version}");
        // What has no meaning differs, and nothing else does.
        let noisy = xqf(version, keys, &MEN, 0xff);
        let (text, back) = written(of("xqf"), &noisy).expect("a file");
        assert_eq!(text, expected);
        let bytes = if version <= 10 { 6 } else { 12 };
        assert_eq!(differing(&back, &noisy), bytes, "{version}");
    }
}

#[test]
fn a_board_that_is_set_up_becomes_a_start() {
    let mut men = [0xff; 32];
    for (man, square) in [(4, 40), (20, 49), (0, 72), (8, 0), (16, 79)] {
        men[man] = square;
    }
    let file = xqf(18, [0, 0, 0, 0, 0, 9, 1, 2, 244], &men, 0);
    let (text, back) = written(of("xqf"), &file).expect("a file");
    let start = "FEN\t4k2r1/9/9/9/9/9/9/7R1/9/R3K4 w - - 0 1\n";
    assert!(text.contains(start), "{text}");
    assert!(back == file);
    // The second of two rooks alone: the first is meant to be there.
    men[0] = 0xff;
    let file = xqf(18, [0, 0, 0, 0, 0, 9, 1, 2, 244], &men, 0);
    let (_, back) = written(of("xqf"), &file).expect("a file");
    assert_eq!(differing(&back, &file), 2);
}

#[test]
fn texts_in_big5_are_read() {
    let mut file = xqf(10, [0; 9], &MEN, 0);
    file.truncate(1024);
    let title = charset::encode("中國象棋".into(), Charset::Big5).expect("its characters");
    file[80] = 8;
    file[81..89].copy_from_slice(&title);
    for place in [304, 320] {
        file[place] = 0;
    }
    let (text, _) = written(of("xqf"), &file).expect("a file");
    assert_eq!(text, "xqf version=10 charset=big5\nTitle\t中國象棋\nResult\t1-0\n\n");
}

/// Every bit is flipped, and every end cut off: what is read is written, and nothing panics.
#[test]
fn damaged_files_are_read_as_something() {
    let library = library(&[&cbr("a"), &cbr("b")], 2);
    let cut = library.len() - 2 * 4096 - 600;
    for (name, file, skip) in [
        ("xqf", xqf(18, [0xab, 1, 2, 3, 4, 9, 1, 2, 244], &MEN, 7), 0),
        ("xqf", xqf(10, [0; 9], &MEN, 0), 0),
        ("ccbridge", cbr("a"), 0),
        ("ccbridge", library, cut),
        ("cbf", CBF.into(), 0),
    ] {
        let mut damaged = file.clone();
        let places = (0..64.min(file.len())).chain(skip..file.len());
        for place in places {
            for bit in 0..8 {
                damaged[place] ^= 1 << bit;
                drop(written(of(name), &damaged));
                damaged[place] ^= 1 << bit;
            }
        }
        for end in (0..file.len()).rev().take(4096) {
            drop(written(of(name), &file[..end]));
        }
    }
}

/// Writes a CBR file part by part.
fn cbr(title: &str) -> Vec<u8> {
    let mut bytes = vec![0; 2214];
    bytes[..15].copy_from_slice(b"CCBridge Record");
    let mut set = |place: usize, content: &[u8]| {
        bytes[place..place + content.len()].copy_from_slice(content);
    };
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    for (place, number) in [(19, 2), (2040, 1), (2076, 3), (2112, 1), (2116, 1)] {
        set(place, &[number]);
    }
    for (place, text) in [(180, title), (1076, "红"), (1300, "黑𠀀"), (692, "赛")] {
        set(place, &wide(text));
    }
    for (rank, men) in [
        (0, [0x21, 0x22, 0x23, 0x24, 0x25, 0x24, 0x23, 0x22, 0x21]),
        (2, [0, 0x26, 0, 0, 0, 0, 0, 0x26, 0]),
        (3, [0x27, 0, 0x27, 0, 0x27, 0, 0x27, 0, 0x27]),
        (6, [0x17, 0, 0x17, 0, 0x17, 0, 0x17, 0, 0x17]),
        (7, [0, 0x16, 0, 0, 0, 0, 0, 0x16, 0]),
        (9, [0x11, 0x12, 0x13, 0x14, 0x15, 0x14, 0x13, 0x12, 0x11]),
    ] {
        set(2120 + 9 * rank, &men);
    }
    set(2210, &[0xff; 4]);
    let root: Node = ([9, 9], 1, "评");
    for (squares, flags, comment) in std::iter::once(root).chain(NODES) {
        let (follows, other) = (flags & 1, flags >> 1);
        let said = if comment.is_empty() { 0 } else { 4 };
        bytes.extend([(1 - follows) | (other << 1) | said, 0]);
        bytes.extend(squares.map(|square| 9 * (9 - square % 10) + square / 10));
        if !comment.is_empty() {
            let comment = wide(comment);
            bytes.extend(u32::try_from(comment.len()).expect("a short text").to_le_bytes());
            bytes.extend(comment);
        }
    }
    bytes
}

/// Writes a library of these games, each padded.
fn library(games: &[&[u8]], entries: u32) -> Vec<u8> {
    let mut bytes = vec![0; 66_624 + 276 * usize::try_from(entries).expect("few")];
    bytes[..15].copy_from_slice(b"CCBridgeLibrary");
    bytes[16] = 3;
    bytes[52..56].copy_from_slice(&[0xff, 0xff, 0xff, 0x7f]);
    bytes[60..64].copy_from_slice(&entries.to_le_bytes());
    bytes[64..66].copy_from_slice(&[b'L', 0]);
    for game in games {
        let start = bytes.len();
        bytes.extend(*game);
        bytes.resize(start + game.len().next_multiple_of(4096), 0);
    }
    bytes
}

#[test]
fn cbr_files_come_back() {
    let file = cbr("局");
    let (text, back) = written(of("ccbridge"), &file).expect("a file");
    let expected =
        format!("ccbridge\nTitle\t局\nEvent\t赛\nRed\t红\nBlack\t黑𠀀\nResult\t1/2-1/2\n\n{MOVES}");
    assert_eq!(text, expected);
    assert!(back == file);
}

#[test]
fn libraries_are_cut_into_their_games() {
    let long = {
        let mut long = cbr("long");
        long.truncate(2214);
        let comment =
            "x".repeat(3000).encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        long.extend([5, 0, 0, 0]);
        long.extend(u32::try_from(comment.len()).expect("short").to_le_bytes());
        long.extend(comment);
        long
    };
    let file = library(&[&cbr("a"), &long, &cbr("c")], 2);
    let format = of("ccbridge");
    let records = format.splitter(b'\n').records(&file);
    let head = 66_624 + 2 * 276;
    let lengths: Vec<usize> = records.iter().map(|record| record.len()).collect();
    assert_eq!(lengths, [head + 4096, 3 * 4096, 4096]);
    let texts: Vec<String> = records
        .iter()
        .map(|record| {
            let (text, back) = written(format, record).expect("a game");
            assert!(back == *record, "{text}");
            text
        })
        .collect();
    assert!(texts[0].starts_with("ccbridge entries=2 slots=1\nLibraryName\tL\nTitle\ta\n"));
    assert!(texts[1].starts_with("ccbridge slots=3\nTitle\tlong\n"));
    assert!(texts[2].starts_with("ccbridge slots=1\nTitle\tc\n"));
}

/// An index with room for more games than a record may hold is a record of its own.
#[test]
fn games_of_a_large_library_are_read() {
    let file = library(&[&cbr("a"), &cbr("b")], 65_536);
    let format = of("ccbridge");
    let records = format.splitter(b'\n').records(&file);
    let lengths: Vec<usize> = records.iter().map(|record| record.len()).collect();
    assert_eq!(lengths, [66_624 + 65_536 * 276, 4096, 4096]);
    assert_eq!(format.describe(records[0]), None);
    let (text, back) = written(format, records[1]).expect("a game");
    assert!(text.starts_with("ccbridge slots=1\nTitle\ta\n") && back == records[1], "{text}");
}

/// A CBF file.
const CBF: &str = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n\
    <ChineseChessRecord Version=\"1.0\">\r\n <Head>\r\n  <Name>a &amp; b</Name>\r\n  <URL />\r\n  \
    <RecordResult>2</RecordResult>\r\n  \
    <FEN>rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1</FEN>\r\n \
    </Head>\r\n <MoveList>\r\n  <Move value=\"00-00\"><![CDATA[评 }]]></Move>\r\n  \
    <Move value=\"77-47\" />\r\n  <Move value=\"70-62\" end=\"1\"><![CDATA[<马>]]></Move>\r\n \
    </MoveList>\r\n</ChineseChessRecord>";

#[test]
fn cbf_files_come_back() {
    let (text, back) = written(of("cbf"), CBF.as_bytes()).expect("a file");
    assert_eq!(
        text,
        "cbf mark=bom newline=crlf\nTitle\ta & b\nURL\t\nResult\t0-1\nStart\t\
         rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n\n\
         {评 \\}} 7747 7062 {<马>}"
    );
    assert_eq!(String::from_utf8(back).expect("UTF-8"), CBF);
    for (old, new) in [
        ("\r\n", "\n"),
        ("<![CDATA[<马>]]>", "&lt;马&gt;"),
        ("<URL />", "<URL></URL>"),
        ("\u{feff}", ""),
        ("</ChineseChessRecord>", "</ChineseChessRecord>\r\n"),
        ("w - - 0 1", "b - - 0 1"),
    ] {
        let file = CBF.replace(old, new).replace(
            "<![CDATA[评 }]]>",
            match new {
                "&lt;马&gt;" => "评",
                _ => "<![CDATA[评 }]]>",
            },
        );
        let (text, back) = written(of("cbf"), file.as_bytes()).expect("a file");
        assert_eq!(String::from_utf8(back).expect("UTF-8"), file, "{text}");
        assert_eq!(text.contains(&format!("\n{START_TAG}\t")), new == "b - - 0 1", "{text}");
    }
    for (old, new) in [
        ("77-47", "77-4"),
        ("<Head>", "<head>"),
        ("end=\"1\"", "var=\"1\""),
        ("&amp;", "&odd;"),
        ("00-00", "11-11"),
    ] {
        let file = CBF.replace(old, new);
        assert!(written(of("cbf"), file.as_bytes()).is_none(), "{new}");
    }
}

/// The files of other programs: their moves, as another reader of the format counts them, and how
/// many bytes are not in their records.
#[test]
fn files_of_other_programs_are_read() {
    for (name, moves, odd) in [
        ("BadMoveTest1.xqf", 43, 1),
        ("BadMoveTest2.xqf", 39, 81),
        ("EmptyTest.xqf", 0, 4),
        ("UnitTest.xqf", 19, 42),
        ("game_test.xqf", 58, 120),
        ("test.cbr", 102, 772),
        ("test.cbf", 50, 0),
    ] {
        let Some(file) = corpus(&format!("xiangqi/formats/{name}")) else { return };
        let kind = match name.rsplit('.').next() {
            Some("cbr") => "ccbridge",
            kind => kind.expect("an ending"),
        };
        let (text, back) = written(of(kind), &file).expect(name);
        let (_, record) = text.split_once("\n\n").expect(name);
        let words = record.split([' ', '(', ')']);
        let found =
            words.filter(|word| word.len() == 4 && word.bytes().all(|sign| sign.is_ascii_digit()));
        assert_eq!((found.count(), differing(&back, &file)), (moves, odd), "{name}");
    }
}

/// Writes the samples and the seeds of these formats, which are made here.
#[test]
#[ignore = "writes files"]
fn write_samples() {
    let keys = [0xab, 0x5b, 0x2e, 0x45, 0x32, 0x1f, 0xa2, 0x51, 0xee];
    let odd_cbr = {
        let mut odd = cbr("局");
        odd[210..300].fill(0xee);
        odd.truncate(odd.len() - 3);
        odd
    };
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (name, bytes) in [
        ("vectors/format/xqf/xiangqi.xqf", xqf(18, keys, &MEN, 0)),
        ("vectors/format/xqf/xiangqi-plain.xqf", xqf(10, [0; 9], &MEN, 0)),
        ("vectors/format/ccbridge/xiangqi.cbr", cbr("局")),
        ("vectors/format/ccbridge/xiangqi-library.cbl", library(&[&cbr("a"), &cbr("b")], 1)),
        ("vectors/format/cbf/xiangqi.cbf", CBF.into()),
        ("vectors/file/xiangqi-desktop/inputs/game.xqf", xqf(18, keys, &MEN, 0x5f)),
        ("vectors/file/xiangqi-desktop/inputs/game.cbr", odd_cbr.clone()),
        ("vectors/file/xiangqi-desktop/inputs/library.cbl", library(&[&cbr("a"), &cbr("b")], 1)),
        ("vectors/file/xiangqi-desktop/inputs/game.cbf", CBF.replace("  <", "\t<").into()),
        ("fuzz/seeds/xqf/game.xqf", xqf(18, keys, &MEN, 0x5f)),
        ("fuzz/seeds/xqf/plain.xqf", xqf(10, keys, &[0xff; 32], 0x5f)),
        ("fuzz/seeds/ccbridge/game.cbr", odd_cbr),
        ("fuzz/seeds/ccbridge/library.cbl", library(&[&cbr("a"), &cbr("b")], 0)),
        ("fuzz/seeds/cbf/game.cbf", CBF.replace("  <", "\t<").into()),
    ] {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    }
}
