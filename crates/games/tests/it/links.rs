//! Share links of every game: they come back, damage is detected, hostile ones do no harm, and the
//! golden ones stay the same.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]
#![allow(clippy::unusual_byte_groupings, reason = "the groups are the fields of the first byte")]

use crate::golden::{rows_of, some, versions};
use base64ct::{Base64UrlUnpadded, Encoding};
use plypack_core::bits::crc16::crc16;
use plypack_core::link::{Frame, StartCode};
use plypack_core::testkit::{Random, random_line};
use plypack_core::{ErasedLineCodec, ErasedRules, LinkError, Notation};
use plypack_games::chess::claims::BUFFETT_GAME;
use plypack_games::link::Link;
use plypack_games::{GAMES, game, line_codec, line_codecs, xiangqi};
use plypack_testing::sample::{every, seed};

/// The game of HullQin's sample link.
const HULLQIN_GAME: &str = "e3e4 e6e5 e4e5 g6g5 g3g4 h7h4 h2h3 h4h0 h3h6 h0f0 i0h0 c6c5 h0h5 b7b6 \
                            h6a6 g5g4 h5h6 b6b3 h6h8 i6i5";

/// Returns games of the golden files.
fn cases() -> Vec<[String; 5]> {
    let of_game = |game: &&dyn ErasedRules| {
        let name = game.info().name;
        let rows = rows_of(&versions(&stem_of(name))).into_iter();
        rows.map(move |row| {
            let [codec, start, moves, shown, _] = crate::golden::fields(&row);
            [name, codec, start, moves, shown].map(str::to_owned)
        })
    };
    GAMES.iter().flat_map(of_game).collect()
}

/// Returns what the files of a game's golden links are called: each row has the codec, the start
/// (`-`: the usual one), the moves, the ply to show (`-`: the last), and the link.
fn stem_of(name: &str) -> String {
    format!("link/{name}")
}

fn named(name: &str) -> &'static dyn ErasedRules {
    game(name).unwrap_or_else(|| panic!("no {name}"))
}

fn link_of([name, _, start, moves, shown]: [&str; 5]) -> Link {
    let link = Link::new(named(name), some(start), &mut moves.split_ascii_whitespace());
    let mut link = link.unwrap_or_else(|error| panic!("{name} {start} {moves}: {error}"));
    if let Some(shown) = some(shown) {
        link.shown = shown.parse().expect("a number");
    }
    link
}

fn text_of(case: [&str; 5]) -> String {
    let codec = line_codec(case[0], case[1]).unwrap_or_else(|| panic!("no {}", case[1]));
    link_of(case).write(codec).unwrap_or_else(|error| panic!("{case:?}: {error}"))
}

fn shortest(link: &Link) -> String {
    let codec = link.shortest_codec().expect("every game has one");
    link.write(codec).expect("a short link")
}

fn joined(link: &Link, notation: Notation) -> String {
    let texts = link.moves(notation).unwrap_or_else(|error| panic!("{error}"));
    texts.iter().collect::<Vec<_>>().join(" ")
}

fn sealed(frame: &[u8]) -> String {
    Base64UrlUnpadded::encode_string(&[frame, &crc16(frame).to_be_bytes()].concat())
}

/// Returns the frame's bytes in a link, without their checksum.
fn unsealed(link: &str) -> Vec<u8> {
    let mut bytes = Base64UrlUnpadded::decode_vec(link).expect("base64url");
    bytes.truncate(bytes.len() - 2);
    bytes
}

#[test]
fn links_are_the_golden_ones_both_ways() {
    for game in GAMES {
        let name = game.info().name;
        let rows = rows_of(&versions(&stem_of(name)));
        assert!(rows.len() > 2, "{name} has {} golden links", rows.len());
        for row in rows {
            let [codec, start, moves, shown, golden] = crate::golden::fields(&row);
            let link = Link::read(golden).unwrap_or_else(|error| panic!("{golden}: {error}"));
            assert_eq!(link.game.info().name, name);
            assert_eq!(joined(&link, Notation::Customary), moves, "{golden}");
            assert_eq!(link.start.as_deref(), some(start), "{golden}");
            let last = link.plies().to_string();
            assert_eq!(link.shown.to_string(), some(shown).unwrap_or(&last), "{golden}");

            let ours = text_of([name, codec, start, moves, shown]);
            let mut ours = Frame::from_text(&ours).expect("our own link");
            let golden = Frame::from_text(golden).expect("a link that was just read");
            // A start has the shortest possible code; a shorter one may exist by now.
            let length = |frame: &Frame| frame.start.as_ref().map(|start| start.code.len());
            assert!(length(&ours) <= length(&golden), "{row}");
            ours.start.clone_from(&golden.start);
            assert_eq!(ours, golden, "{row}");
        }
    }
}

/// The link that HullQin prints in his article.
#[test]
fn hullqins_links_are_read() {
    let address = "https://game.hullqin.cn/xq?p=gSQCL5P5oIDhCFJCIBJ4eQCAkX8\
                   &r=86pU6-4nbSh38OCojLarcupWOb1rXw&s=1";
    for text in [address, &address[26..], &address[27..]] {
        let link = Link::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((link.game.info().name, link.start.as_deref()), ("xiangqi", None));
        assert_eq!(joined(&link, Notation::Coordinate), HULLQIN_GAME);
    }
    assert!(Link::read("https://game.hullqin.cn/xq?p=gSQCL5P5oIDhCFJC&s=1").is_err());
    let query = link_of(["xiangqi", "", "-", HULLQIN_GAME, "-"]).write_hullqins();
    assert_eq!(query.as_deref(), Ok(&address[26..]));
}

#[test]
fn set_up_starts_have_links_of_hullqins() {
    let fen = "2bak4/4a4/4b4/9/2p3P2/9/9/4B4/4A4/3K1A3 b - - 0 1";
    let link = link_of(["xiangqi", "", fen, "c5c4 g5g6", "-"]);
    let query = link.write_hullqins().expect("every man has a place");
    let back = Link::read(&query).expect("our own link");
    assert_eq!((back.start.as_deref(), &back.indices), (Some(fen), &link.indices));
}

#[test]
fn what_hullqins_links_cannot_hold_is_refused() {
    let bare = |counters: &str| format!("4k4/9/9/9/9/9/9/9/9/3K5 w - - {counters}");
    // A pawn that has moved neither straight on nor across the river.
    let pawn = "4k4/9/9/9/9/9/9/P8/9/3K5 w - - 0 1";
    for (case, why) in [
        (["chess", "", "-", "e4", "-"], "only xiangqi games, and this is Chess"),
        (["xiangqi", "", "-", "h2e2 h9g7", "1"], "after the last move"),
        (["xiangqi", "", &bare("3 1"), "", "-"], "no counters"),
        (["xiangqi", "", &bare("0 9"), "d0d1", "-"], "no counters"),
        (["xiangqi", "", pawn, "", "-"], "pawn"),
    ] {
        let error = link_of(case).write_hullqins().expect_err("it cannot hold that");
        assert!(matches!(error, LinkError::Style { .. }), "{error}");
        assert!(error.to_string().contains(why), "{error}");
    }
    assert!(link_of(["xiangqi", "", &bare("0 1"), "d0d1", "-"]).write_hullqins().is_ok());
}

/// HullQin: a text of 200 characters holds the history of most usual games. His text is the
/// parameter `r`; a link also has `p`. Ours is the part after `#`.
#[test]
fn two_hundred_characters_hold_most_games() {
    let Some(list) = plypack_testing::corpus_file("xiangqi/xiangqi_dev.tsv.xz") else { return };
    let list = String::from_utf8(list).expect("a list in UTF-8");
    let mut lengths = [const { Vec::new() }; 4];
    for line in list.lines() {
        let moves = line.split('\t').nth(1).expect("moves");
        let link = link_of(["xiangqi", "", "-", moves, "-"]);
        let query = link.write_hullqins().unwrap_or_else(|error| panic!("{line}: {error}"));
        let back = Link::read(&query).unwrap_or_else(|error| panic!("{query}: {error}"));
        assert_eq!((back.start, &back.indices), (None, &link.indices), "{query}");
        let value = |name: &str| {
            let mut pairs = query[1..].split('&').filter_map(|pair| pair.split_once('='));
            pairs.find(|pair| pair.0 == name).map_or(0, |pair| pair.1.len())
        };
        let (p, r) = (value("p"), value("r"));
        let ours = shortest(&link).len();
        let all = [r, p + r, format!("{}{query}", xiangqi::hullqin::ADDRESS).len(), ours];
        lengths.iter_mut().zip(all).for_each(|(list, length)| list.push(length));
    }
    let names = ["his history, `r`", "his `p` and `r`", "his whole address", "ours"];
    let share = |lengths: &[usize]| {
        let short = lengths.iter().filter(|&&length| length <= 200).count();
        1000 * short / lengths.len()
    };
    println!("| {} games | permille up to 200 | median | 9 of 10 | longest |", lengths[0].len());
    for (name, lengths) in names.iter().zip(&mut lengths) {
        lengths.sort_unstable();
        let at = |share: usize| lengths[(lengths.len() - 1) * share / 10];
        println!("| {name} | {} | {} | {} | {} |", share(lengths), at(5), at(9), at(10));
    }
    let [history, _, _, ours] = &lengths;
    assert!(share(history) > 800 && share(ours) == 1000);
}

/// Rewrites the newest golden links; `vectors/README.md` says when that is allowed.
#[test]
#[ignore = "writes vectors/"]
fn write_golden_links() {
    for game in GAMES {
        let name = game.info().name;
        let newest = versions(&stem_of(name)).pop().expect("there is one");
        crate::golden::rewrite(&newest, |row| {
            let fields: Vec<&str> = row.split('\t').take(4).collect();
            let [codec, start, moves, shown] = fields[..] else { panic!("{name}: {row}") };
            let link = text_of([name, codec, start, moves, shown]);
            [codec, start, moves, shown, &link].join("\t")
        });
    }
}

#[test]
fn random_play_of_every_game_comes_back_by_every_codec() {
    for game in GAMES.iter().copied() {
        let name = game.info().name;
        let uniform = line_codec(name, "line.uniform").expect("every game has it");
        for seed in 0..10 {
            let indices = random_line(uniform, None, 40, seed).expect("random play");
            let plies = u32::try_from(indices.len()).expect("few");
            let middle = game.position_after(None, &indices[..indices.len() / 2]).expect("legal");
            let whole = Link { game, start: None, indices, shown: plies / 3 };
            let rest = whole.indices[whole.indices.len() / 2..].to_vec();
            let shown = u32::try_from(rest.len()).expect("few");
            let rest = Link { game, start: Some(middle), indices: rest, shown };
            for link in [whole, rest] {
                for codec in line_codecs(name).filter(|codec| !is_for_files(name, *codec)) {
                    let text = link.write(codec).expect("a short link");
                    let back = Link::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
                    assert_eq!((&back.start, &back.indices), (&link.start, &link.indices));
                    assert_eq!(back.shown, link.shown);
                    assert!(text.len() >= shortest(&link).len() || codec.info().id > 3, "{text}");
                }
            }
        }
    }
}

/// The required lengths.
#[test]
fn links_are_short() {
    let xiangqi = link_of(["xiangqi", "", "-", HULLQIN_GAME, "-"]);
    let text = shortest(&xiangqi);
    println!("20 plies of xiangqi: {} characters, {text}", text.len());
    assert!(text.len() <= 24);
    assert_eq!(joined(&xiangqi, Notation::Coordinate), HULLQIN_GAME);
    let chess = link_of(["chess", "", "-", BUFFETT_GAME, "-"]);
    let text = shortest(&chess);
    println!("Buffett's 133 plies: {} characters, {text}", text.len());
    assert!(text.len() <= 83);
}

#[test]
fn a_start_is_read_in_any_dialect_and_the_usual_one_is_left_out() {
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let named = link_of(["chess", "", usual, "e4", "-"]);
    assert_eq!(shortest(&named), shortest(&link_of(["chess", "", "-", "e4", "-"])));
    let terse = link_of(["chess", "", "4k3/8/8/8/8/8/8/4K3 w", "", "-"]);
    assert_eq!(terse.start.as_deref(), Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
}

#[test]
fn every_cut_and_every_changed_character_is_found() {
    for case in cases() {
        let text = text_of(case.each_ref().map(String::as_str));
        for length in 0..text.len() {
            let error = Link::read(&text[..length]).expect_err("it was cut");
            assert!(matches!(error, LinkError::Damaged | LinkError::Empty), "{text}: {error}");
        }
        for at in 0..text.len() {
            for symbol in ["A", "z", "0", "-", "_", "*", "é"] {
                let damaged = [&text[..at], symbol, &text[at + 1..]].concat();
                assert!(damaged == text || Link::read(&damaged).is_err(), "{damaged}");
            }
        }
    }
}

/// The checksum shields what follows from random damage, so it is repaired here.
#[test]
fn hostile_links_give_an_error_or_a_game() {
    let mut random = Random::new(seed());
    let mut outcomes = [0u32; 2];
    for case in cases() {
        let frame = unsealed(&text_of(case.each_ref().map(String::as_str)));
        for length in every(4, frame.len()) {
            let _ = Link::read(&sealed(&frame[..length]));
        }
        for _ in every(4, 100) {
            let mut frame = frame.clone();
            let [at, value, more, ..] = random.next_u64().to_le_bytes();
            // The head is short, and most of what can go wrong is there.
            let at = usize::from(at) % frame.len().min(if more & 1 == 0 { 8 } else { 256 });
            frame[at] = value;
            match Link::read(&sealed(&frame)) {
                Ok(link) => {
                    // What was read is a game; its start may have a shorter code.
                    let back = Link::read(&shortest(&link)).expect("our own link");
                    assert_eq!((back.start, back.indices), (link.start, link.indices));
                    outcomes[0] += 1;
                }
                Err(_) => outcomes[1] += 1,
            }
        }
    }
    assert!(outcomes.iter().all(|&count| count > 0), "{outcomes:?}");
}

#[test]
fn a_claim_of_many_plies_is_bounded() {
    for first in [0b00_001_01_0, 0b00_010_01_0, 0b00_011_10_0] {
        for plies in [&[0xff, 0xff, 0x03][..], &[0xff, 0xff, 0xff, 0xff, 0x0f]] {
            let text = sealed(&[&[first][..], plies].concat());
            if let Ok(link) = Link::read(&text) {
                assert_eq!(link.plies(), 65_535);
            }
        }
    }
    let long = "A".repeat(131_073);
    assert_eq!(Link::read(&long).expect_err("too long"), LinkError::TooLong { length: 131_073 });
}

/// Whether links refuse a codec.
fn is_for_files(game: &str, codec: &dyn ErasedLineCodec) -> bool {
    game == "go" && ["line.default", "line.max"].contains(&codec.info().name)
}

#[test]
fn codecs_that_take_minutes_are_refused() {
    let go = game("go").expect("go");
    let link = Link::new(go, None, &mut ["pd"].into_iter()).expect("a move");
    for name in ["line.default", "line.max"] {
        let codec = line_codec("go", name).expect("a codec");
        let refused = link.write(codec).expect_err("not in links");
        let frame = Frame {
            game: go.info().id,
            codec: codec.info().id,
            plies: 65_535,
            start: None,
            shown: None,
            code: vec![],
        };
        let forged = Link::read(&frame.to_text().expect("short")).expect_err("not in links");
        assert!(matches!(refused, LinkError::Odd { .. }), "{name}: {refused}");
        assert_eq!(forged, refused, "{name}");
    }
}

#[test]
fn what_this_version_does_not_know_is_called_newer() {
    let next = GAMES.iter().map(|game| game.info().id).max().expect("a game") + 1;
    let frame = Frame { game: next, codec: 2, plies: 0, start: None, shown: None, code: vec![] };
    let start = StartCode { codec: 999, code: vec![] };
    for (frame, word) in [
        (frame.clone(), &*format!("game {next}")),
        (Frame { game: 200, ..frame.clone() }, "game 200"),
        (Frame { game: 2, codec: 999, ..frame.clone() }, "codec 999 of chess"),
        (Frame { game: 2, start: Some(start), ..frame }, "codec 999 of chess positions"),
    ] {
        let error = Link::read(&frame.to_text().expect("short")).expect_err("unknown");
        assert!(matches!(error, LinkError::Newer { .. }), "{error}");
        assert!(error.to_string().contains(word), "{error}");
    }
}
