//! Xiangqi records, in every charset and notation they occur in, round-trip with their moves coded.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::path::Path;

use plypack_records::charset::{self, Charset};

use crate::store::common::{corpus, round_trip};

#[test]
fn the_sample_is_known_by_its_tags_in_every_charset() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/xiangqi.pgn");
    let text = std::fs::read_to_string(sample).expect("the sample");
    let (plain, _) = round_trip("utf-8", text.as_bytes(), Some("xiangqi"));
    assert_eq!((plain.faulty, plain.verbatim_records()), (0, 0));
    for charset in [Charset::Utf8, Charset::Big5, Charset::Gbk] {
        let bytes = charset::encode(text.clone(), charset).expect("its characters are in it");
        let (report, summary) = round_trip(charset.name(), &bytes, None);
        assert_eq!(summary.game, "xiangqi");
        assert_eq!((report.plies, report.faulty), (plain.plies, 0), "{}", charset.name());
        assert_eq!(report.verbatim_records(), 0, "{}", charset.name());
    }
}

#[test]
fn a_name_after_red_tells_the_game() {
    let text = "[Event \"x\"]\n[Red \"a\"]\n[Black \"b\"]\n\n1. h2e2 h9g7 2. h0g2 *\n\n";
    let (report, summary) = round_trip("red", text.as_bytes(), None);
    assert_eq!((summary.game.as_str(), report.plies, report.faulty), ("xiangqi", 3, 0));
    let chess = text.replace("h2e2 h9g7 2. h0g2", "e4 e5").replace("[Red", "[White");
    assert_eq!(round_trip("white", chess.as_bytes(), None).1.game, "chess");
}

#[test]
fn a_position_tells_the_game() {
    let xiangqi = "[FEN \"3ak4/4a1r2/2b1b1r2/2c1n4/2c1n4/9/4P4/4P4/4A4/3AK4 w - - 0 1\"]\n\n";
    let games = format!("{xiangqi}1. e3e4 *\n\n[Event \"\"]\n\n1. e4 e5 *\n\n");
    let (_, summary) = round_trip("both", games.as_bytes(), None);
    assert_eq!(summary.codecs, ["xiangqi/line.ranked/3", "chess/line.ranked/3"]);
    let (report, _) = round_trip("told", games.as_bytes(), Some("chess"));
    assert_eq!(report.faulty, 1);
}

/// Builds a page with these fields.
fn page(fields: &str) -> String {
    format!("<html>\r\n<p>[DhtmlXQ]\r\n{fields}\r\n[/DhtmlXQ]</p>\r\n\r\n<p>1-0</p></html>\r\n")
}

#[test]
fn pages_come_back_with_their_moves_coded() {
    let few = format!("0999999949{}30{}", "99".repeat(15), "99".repeat(11));
    let moves = |list: &str| format!("[DhtmlXQ_movelist]{list}[/DhtmlXQ_movelist]");
    let after = "[DhtmlXQ_comment1]<b>[x]</b>[/DhtmlXQ_comment1][DhtmlXQ_red][/DhtmlXQ_red]";
    // The fields; coded plies; records whose moves cannot be coded.
    let cases = [
        (moves("7747706279678070"), 4, 0),
        (format!("[DhtmlXQ_red]紅[/DhtmlXQ_red]{}\r\n{after}", moves("77477062")), 2, 0),
        (format!("[DhtmlXQ_binit]{few}[/DhtmlXQ_binit]\n{}", moves("090830319999")), 2, 1),
        (format!("[DhtmlXQ_binit]{few}[/DhtmlXQ_binit]\n{}", moves("0908 3031")), 1, 0),
        (format!("{}{after}", moves("774777477747")), 1, 1),
        (moves("8888"), 0, 1),
        (moves(""), 0, 0),
        (format!("[DhtmlXQ_time]1[/DhtmlXQ_rate]{}", moves("77477062796780702625")), 5, 0),
    ];
    for (fields, plies, faulty) in cases {
        let page = page(&fields);
        let (report, summary) = round_trip(&fields, page.as_bytes(), None);
        assert_eq!((report.plies, report.faulty), (plies, faulty), "{fields}");
        assert_eq!((summary.faulty, report.verbatim_records()), (faulty, 0), "{fields}");
        assert!(plies == 0 || summary.game == "xiangqi", "{fields}");
        let (report, _) = round_trip(&fields, page.as_bytes(), Some("chess"));
        assert_eq!(report.plies, 0, "{fields}");
    }
    // Names in GBK; nothing in the moves distinguishes it from other charsets.
    let bytes = [b"[DhtmlXQ_red]\xba\xec[/DhtmlXQ_red]", moves("7747").as_bytes()].concat();
    let (report, summary) = round_trip("GBK", &bytes, None);
    assert_eq!((report.plies, report.verbatim_records(), summary.patched), (1, 0, 0));
}

#[test]
fn latin_1_of_chess_stays_latin_1() {
    // As GBK, the bytes of both names would be Chinese.
    let bytes = b"[White \"M\xc5\xda\xb1\xf8\"]\n[Black \"\xc2\xed\xbd\xf8\"]\n\n1. e4 e5 *\n\n";
    let (report, summary) = round_trip("chess", bytes, None);
    assert_eq!((summary.game.as_str(), report.plies), ("chess", 2));
}

/// Files of the corpus: coded plies; records whose moves cannot be coded, that need a patch, and
/// that are kept verbatim.
const FILES: &[(&str, u64, [u64; 3])] = &[
    ("ccpd_dev_big5.pgn.xz", 79_403, [0, 319, 0]),
    ("formats/test.pgn", 25, [0, 0, 0]),
    ("formats/中炮对列炮黑先平士角炮.pgn", 23, [0, 1, 0]),
    ("wukong/44.html", 127, [0, 1, 0]),
    ("wukong/45.html", 76, [0, 1, 0]),
    ("wukong/59.html", 104, [0, 1, 0]),
    ("wukong/65.html", 73, [0, 1, 0]),
    ("wukong/69.html", 120, [0, 1, 0]),
    ("wukong/bulk_games_uci.pgn", 1_378, [0, 0, 0]),
    ("wukong/hu_ronghua_sample_iccs.pgn", 104_810, [0, 0, 0]),
    ("wukong/xqdb_international.pgn", 1_378, [0, 5, 0]),
    ("wukong/xqdb_traditional.pgn", 1_378, [0, 5, 0]),
];

#[test]
fn files_of_the_corpus_come_back() {
    for &(name, plies, expected) in FILES {
        let Some(bytes) = corpus(&format!("xiangqi/{name}")) else { continue };
        let (report, summary) = round_trip(name, &bytes, None);
        println!("{name}: {} bytes packed in {}", report.input_bytes, report.output_bytes);
        assert_eq!(summary.game, "xiangqi", "{name}");
        let counts = [report.faulty, summary.patched, report.verbatim_records()];
        assert_eq!((report.plies, counts), (plies, expected), "{name}");
    }
}

/// Also round-trips all games that `line.ranked` was trained on: minutes without optimisation.
#[test]
#[ignore = "takes minutes"]
fn the_games_learned_from_come_back() {
    let Some(bytes) = corpus("xiangqi/ccpd_train_big5.pgn.xz") else { return };
    let (report, _) = round_trip("train", &bytes, None);
    assert_eq!(report.records, 25_685);
    assert_eq!(report.verbatim_records(), 0);
}
