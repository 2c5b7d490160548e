//! `plypack link` and `unlink`: every game to a link and back, and messages about damaged, cut or
//! newer links.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use crate::common::{CHESS960, ILLEGAL_KING_MOVE, Sandbox, sample};
use serde_json::{Value, json};

/// The game of HullQin's sample link.
const HULLQIN_GAME: &str = "e3e4 e6e5 e4e5 g6g5 g3g4 h7h4 h2h3 h4h0 h3h6 h0f0 i0h0 c6c5 h0h5 b7b6 \
                            h6a6 g5g4 h5h6 b6b3 h6h8 i6i5";

/// `1. e4 e5 2. Nf3`
const LINK: &str = "#FAPEYFs";

fn link(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let done = sandbox.run([&["link"], arguments].concat()).expect(0);
    let link = done.text().trim_end().to_owned();
    assert!(link.contains('#') && !link.contains(char::is_whitespace), "{link}");
    link
}

fn unlink(sandbox: &Sandbox, link: &str) -> Value {
    sandbox.run(["unlink", "--json", link]).expect(0).json().remove(0)
}

fn moves(object: &Value, key: &str) -> String {
    let texts = object[key].as_array().expect("a list of moves").iter();
    texts.map(|text| text.as_str().expect("a text")).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_game_comes_back() {
    let sandbox = Sandbox::new();
    for (game, text, last) in [
        (
            "chess",
            "1. e4 e5 2. Nf3",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        ),
        ("othello", "f5 d6", "---------------------------OX------OXX-----O-------------------- X"),
        ("tictactoe", "b2 a1 c3", "2x/1x1/o2 o"),
        ("xiangqi", HULLQIN_GAME, "rnbakabnr/7R1/9/C8/2p1P3p/6p2/PcP5P/1C7/9/RNBAKcB2 w - - 4 11"),
    ] {
        let made = link(&sandbox, &["--game", game, "--moves", text]);
        let object = unlink(&sandbox, &made);
        let count = text.split(' ').filter(|word| !word.ends_with('.')).count();
        assert_eq!(object["game"], game);
        assert_eq!(object["start"], Value::Null);
        assert_eq!(object["fen"], last, "{game}");
        assert_eq!(object["ply"], count, "{game}");
        assert_eq!(object["moves"].as_array().map(Vec::len), Some(count), "{game}");

        // Its text makes the same link again, without naming the game.
        let text = sandbox.run(["unlink", &made]).expect(0);
        let again = sandbox.run_with(["link"], &text.out).expect(0);
        assert_eq!(again.text().trim(), made, "{}", text.text());
        let piped = sandbox.run_with(["unlink"], &again.out).expect(0);
        assert_eq!(piped.out, text.out);
    }
}

#[test]
fn hullqins_game_is_a_link_of_24_characters() {
    let sandbox = Sandbox::new();
    let made = link(&sandbox, &["--game", "xiangqi", "--moves", HULLQIN_GAME]);
    println!("{made}");
    assert!(made.len() <= 1 + 24, "{made}");
    assert_eq!(moves(&unlink(&sandbox, &made), "coordinates"), HULLQIN_GAME);
}

#[test]
fn hullqins_own_link_is_written() {
    let sandbox = Sandbox::new();
    let query = "?p=gSQCL5P5oIDhCFJCIBJ4eQCAkX8&r=86pU6-4nbSh38OCojLarcupWOb1rXw&s=1";
    let made = |arguments: &[&str]| {
        let style = ["link", "--style", "hullqin", "--moves", HULLQIN_GAME];
        sandbox.run([&style, arguments].concat()).expect(0)
    };
    let own = format!("https://game.hullqin.cn/xq{query}");
    assert_eq!(made(&[]).text().trim_end(), own);
    assert_eq!(moves(&unlink(&sandbox, &own), "coordinates"), HULLQIN_GAME);
    let object = made(&["--base", "https://example.org/", "--json"]).json().remove(0);
    assert_eq!(object["link"], format!("https://example.org/{query}"));
    assert_eq!((&object["characters"], &object["codec"]), (&json!(query.len() - 1), &Value::Null));

    let refused = |arguments: &[&str], why: &[&str]| {
        sandbox.run([&["link", "--style", "hullqin"], arguments].concat()).refuses(2, why);
    };
    refused(&["--game", "chess", "--moves", "e4"], &["cannot hold it", "this is Chess"]);
    let famous = sample("famous.pgn");
    let famous = famous.to_str().expect("a path in UTF-8");
    refused(&[famous], &["famous.pgn, record 1", "`e4`", "xiangqi only"]);
    refused(&["--ply", "1", "--moves", "h2e2 h9g7"], &["after the last move"]);
    refused(&["--codec", "line.small", "--moves", "h2e2"], &["--codec"]);
    refused(&["--base", "https://example.org/#", "--moves", "h2e2"], &["--base"]);
    let fen = "4k4/9/9/9/9/9/9/9/9/3K5 w - - 7 30";
    refused(&["--moves", fen], &["no counters"]);
}

#[test]
fn a_link_holds_what_it_is_told() {
    let sandbox = Sandbox::new();
    assert_eq!(link(&sandbox, &["--moves", "e4", "e5", "Nf3"]), LINK);
    let arguments = ["link", "--json", "--ply", "1", "--codec", "line.uniform"];
    let base = ["--base", "https://example.org/play"];
    let moves = ["--moves", "1. e4 e5 2. Nf3"];
    let made = sandbox.run([&arguments[..], &base, &moves].concat()).expect(0).json().remove(0);
    let address = made["link"].as_str().expect("a text");
    assert!(address.starts_with("https://example.org/play#"), "{address}");
    assert_eq!(made["characters"], address.len() - "https://example.org/play#".len());
    assert_eq!((&made["game"], &made["codec"]), (&json!("chess"), &json!("line.uniform")));
    assert_eq!((&made["plies"], &made["ply"]), (&json!(3), &json!(1)));
    let object = unlink(&sandbox, address);
    assert_eq!(object["ply"], 1);
    assert_eq!(object["fen"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    assert_eq!(object["moves"], json!(["e4", "e5", "Nf3"]));
}

#[test]
fn records_positions_and_moves_are_read() {
    let sandbox = Sandbox::new();
    let buffett = sample("buffett.pgn");
    let buffett = buffett.to_str().expect("a path in UTF-8");
    let made = link(&sandbox, &[buffett]);
    println!("Buffett's game: {} characters", made.len() - 1);
    assert_eq!(moves(&unlink(&sandbox, &made), "moves").split(' ').count(), 133);

    let famous = sample("famous.pgn");
    let famous = famous.to_str().expect("a path in UTF-8");
    let first = link(&sandbox, &[famous]);
    let second = link(&sandbox, &["--record", "2", famous]);
    assert_ne!(first, second);
    let pgn = std::fs::read(sample("famous.pgn")).expect("a sample");
    let piped = sandbox.run_with(["link", "--record", "2", "-"], &pgn).expect(0);
    assert_eq!(piped.text().trim(), second);
    sandbox.run(["link", "--record", "9999", famous]).refuses(1, &["has only", "records"]);

    let fen = "8/5k2/8/3p4/8/4K3/4P3/7R b - - 12 300";
    for made in [
        link(&sandbox, &["--moves", fen]),
        sandbox.run_with(["link"], format!("{fen}\n").as_bytes()).expect(0).text().trim().into(),
    ] {
        let object = unlink(&sandbox, &made);
        assert_eq!((&object["start"], &object["fen"]), (&json!(fen), &json!(fen)));
        assert_eq!((&object["moves"], &object["ply"]), (&json!([]), &json!(0)));
        let text = sandbox.run(["unlink", &made]).expect(0);
        assert_eq!(text.text(), format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n"));
    }
    let set_up = link(&sandbox, &["--start", fen, "--moves", "Kg6"]);
    let text = sandbox.run(["unlink", &set_up]).expect(0);
    assert_eq!(text.text(), format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n300... Kg6 *\n"));
    let again = sandbox.run_with(["link"], &text.out).expect(0);
    assert_eq!(again.text().trim(), set_up);
}

#[test]
fn chess960_castles() {
    let sandbox = Sandbox::new();
    let made = sandbox.run_with(["link"], CHESS960.as_bytes()).expect(0);
    let object = unlink(&sandbox, made.text().trim());
    assert_eq!(moves(&object, "moves"), "O-O Ng6 Ng3 Nb6");
    let start = object["start"].as_str().expect("a set-up start");
    assert!(start.starts_with("nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w"), "{start}");
}

#[test]
fn what_is_no_game_is_refused() {
    let sandbox = Sandbox::new();
    let king = sandbox.write("king.pgn", ILLEGAL_KING_MOVE);
    let king = king.to_str().expect("a path in UTF-8");
    sandbox.run(["link", king]).refuses(2, &["king.pgn, record 1", "ply 5", "`Ke3`"]);
    for text in ["8/8/8 w - - 0 1", "hello", "{ a comment }", "3k5/9/9/9/9/9/9/9/9/r3K4 w"] {
        sandbox.run(["link", "--moves", text]).refuses(2, &["no Chess game", "--game"]);
    }
    sandbox.run(["link", "1. e4 e5"]).refuses(2, &["No such file", "--moves"]);
    sandbox.run(["link", "--ply", "3", "--moves", "e4"]).refuses(2, &["the last ply is 1"]);
    sandbox.run(["link", "--game", "ludo", "--moves", "e4"]).refuses(2, &["no game `ludo`"]);
    sandbox.run(["link", "--codec", "x", "--moves", "e4"]).refuses(2, &["line codec `x`"]);
    let other = b"[Variant \"Crazyhouse\"]\n\n1. e4 *\n";
    sandbox.run_with(["link"], other).refuses(2, &["Crazyhouse", "other rules"]);
    // A text without moves is a game that has not begun.
    for text in ["", "\n", "*", "[White \"Anderssen\"]\n\n1-0\n"] {
        let none = sandbox.run_with(["link"], text.as_bytes()).expect(0);
        assert_eq!(unlink(&sandbox, none.text().trim())["ply"], 0, "{text}");
    }
}

#[test]
fn what_comes_with_a_pasted_link_does_no_harm() {
    let sandbox = Sandbox::new();
    let text = &LINK[1..];
    for pasted in [
        text.to_owned(),
        LINK.to_owned(),
        format!("https://example.org/a/b?c=d{LINK}"),
        format!("<https://example.org/{LINK}>."),
        format!("https://example.org/{LINK}),"),
        format!("https%3A%2F%2Fexample.org%2F%23{text}"),
        format!("  https://example.org/#{}\n {}  ", &text[..3], &text[3..]),
    ] {
        let object = unlink(&sandbox, &pasted);
        assert_eq!(object["moves"], json!(["e4", "e5", "Nf3"]), "{pasted}");
    }
}

#[test]
fn damaged_and_cut_links_say_so() {
    let sandbox = Sandbox::new();
    let text = &LINK[1..];
    for length in 1..text.len() {
        sandbox.run(["unlink", &text[..length]]).refuses(1, &["damaged or cut", "again"]);
    }
    for damaged in
        [text.to_lowercase(), text.replace('A', "B"), format!("{text}A"), format!("{text}AA")]
    {
        sandbox.run(["unlink", &damaged]).refuses(1, &["damaged or cut"]);
    }
    sandbox.run(["unlink", &text.replace('A', "*")]).refuses(1, &["damaged", "character", "`*`"]);
    for none in ["", "#", "https://example.org/", "https://example.org/#", "..."] {
        sandbox.run(["unlink", none]).refuses(2, &["no link here"]);
    }
    let long = sandbox.run_with(["unlink"], &[b'A'; 200_000]);
    long.refuses(2, &["200000 characters", "at most"]);
}

/// Each with a valid checksum: version 1, version 3, game 7, codec 999, flag 128.
const NEWER: [&str; 5] = ["#VAMBAgOIKg", "#________ZjA", "#OgAIrg", "#EOcHAQKpjQ", "#FQGAAtA3"];

#[test]
fn newer_links_are_called_newer() {
    let sandbox = Sandbox::new();
    for link in NEWER {
        let done = sandbox.run(["unlink", link]).refuses(2, &["newer plypack", "update plypack"]);
        assert_eq!(done.text(), "");
    }
}

#[test]
fn a_page_and_a_name_after_red_make_links_of_xiangqi() {
    let sandbox = Sandbox::new();
    let page = "<p>[DhtmlXQ][DhtmlXQ_red]a[/DhtmlXQ_red]\r\n\
                [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][/DhtmlXQ]</p>\r\n";
    let made = link(&sandbox, &["--game", "xiangqi", "--moves", "h2e2 h9g7"]);
    sandbox.write("page.html", page);
    sandbox.write("red.pgn", "[Red \"a\"]\n[Black \"b\"]\n\n1. C2=5 H8+7 *\n");
    // `炮二平五 马８进７` in GBK.
    let (one, two) = (b"\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5", b"\xc2\xed\xa3\xb8\xbd\xf8\xa3\xb7");
    let gbk = [&b"[Game \"Chinese Chess\"]\n\n1. "[..], one, b" ", two, b" *\n"].concat();
    sandbox.write("gbk.pgn", gbk);
    sandbox.write("list.txt", "7747 7062\n");
    assert_eq!(link(&sandbox, &["--game", "xiangqi", "list.txt"]), made);
    for file in ["page.html", "red.pgn", "gbk.pgn"] {
        assert_eq!(link(&sandbox, &[file]), made, "{file}");
        assert_eq!(link(&sandbox, &["--game", "xiangqi", file]), made, "{file}");
    }
    sandbox.run(["link", "--game", "chess", "page.html"]).refuses(2, &["no Chess game"]);
}

/// Without naming the game.
#[test]
fn a_page_is_packed_with_its_moves() {
    let sandbox = Sandbox::new();
    let page = "<p>[DhtmlXQ][DhtmlXQ_red]a[/DhtmlXQ_red]\r\n\
                [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][/DhtmlXQ]</p>\r\n";
    let report = sandbox.round_trip("page", page.as_bytes(), &[]);
    assert_eq!((&report["plies"], &report["records"]), (&json!(2), &json!(1)), "{report}");
}

/// The records of a packed file make the same links as before packing, whatever their format; and
/// bytes that are not a game never reach the terminal.
#[test]
fn a_packed_file_is_read_as_its_records() {
    let sandbox = Sandbox::new();
    let games = std::fs::read(sample("famous.pgn")).expect("a sample");
    sandbox.write("games.pgn", games);
    sandbox.write("lines.txt", "f5d6c3d3c4f4f6f3\nf5f6e6f4\n");
    sandbox.write("cells.pgn", "[Variant \"tictactoe\"]\n\n1. b2 a1 2. c3 *\n");
    for (name, records) in [("games.pgn", 4), ("lines.txt", 2), ("cells.pgn", 1)] {
        sandbox.run(["pack", "-q", "-f", name, "-o", "p.parquet"]).expect(0);
        for record in 1..=records {
            let record = record.to_string();
            let expected = link(&sandbox, &[name, "--record", &record]);
            let found = link(&sandbox, &["p.parquet", "--record", &record]);
            assert_eq!(found, expected, "{name} {record}");
        }
        let beyond = ["link", "p.parquet", "--record", "9"];
        sandbox.run(beyond).refuses(1, &["p.parquet has only", "not 9"]);
    }
    // A line with a position makes a link to it.
    let positions = ["4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/R3K3 w Q - 3 40"];
    sandbox.write("a.epd", format!("# two\n{} bm O-O;\n{}\n", positions[0], positions[1]));
    sandbox.run(["pack", "-q", "a.epd"]).expect(0);
    for (record, position) in ["2", "3"].into_iter().zip(positions) {
        let expected = link(&sandbox, &["--moves", position]);
        assert_eq!(link(&sandbox, &["a.parquet", "--record", record]), expected);
    }
    sandbox.run(["link", "a.parquet"]).refuses(2, &["a.parquet, record 1", "no position"]);
    sandbox.write("noise", crate::common::Random(42).bytes(5_000));
    sandbox.write("other.parquet", [b"PAR1", &[0x1b; 100][..], b"PAR1"].concat());
    for name in ["noise", "other.parquet"] {
        let done = sandbox.run(["link", name]);
        assert!(matches!(done.code, Some(1 | 2)) && done.out.is_empty(), "{name}: {}", done.err);
        let odd = done.err.chars().find(|&c| c.is_control() && c != '\n');
        assert!(odd.is_none(), "{:?}", done.err);
    }
}
