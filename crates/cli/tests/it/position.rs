//! `plypack position`: positions to codes and back, one, or one per line, and messages about those
//! that cannot be coded.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::common::{Done, Sandbox};
use plypack_core::ErasedRules;
use plypack_games::{all_position_codecs, position_codecs};

/// Positions with castling rights of every kind, en passant squares and counters.
const FENS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/7P/PPPP1PP1/RNBQKBNR b KQkq e3 0 3",
    "nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/1PP1PPPP/1RK1BR1B w KQkq - 2 10",
    "4k3/8/8/8/8/8/8/1R1RK1RR w GD - 0 1",
    "8/5k2/8/3p4/8/4K3/4P3/7R b - - 120 300",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq - 0 1",
];

/// Positions for any game.
fn positions(game: &dyn ErasedRules) -> Vec<String> {
    let listed: &[&str] = match game.info().name {
        "chess" => &FENS,
        "tictactoe" => &["3/3/3 x", "3/1x1/3 o", "xox/1x1/o1o x"],
        _ => &[],
    };
    let start = game.position_after(None, &[]).expect("the start");
    listed.iter().map(ToString::to_string).chain([start]).collect()
}

/// Runs a direction of the verb.
fn run(sandbox: &Sandbox, options: &[&str], input: &str) -> Done {
    sandbox.run_with([&["position"], options].concat(), input.as_bytes())
}

#[test]
fn every_codec_brings_positions_back() {
    let sandbox = Sandbox::new();
    for codec in all_position_codecs() {
        let (game, name) = (codec.game().info().name, codec.info().name);
        let held = |text: &String| codec.encode(text).is_ok();
        let texts: Vec<String> = positions(codec.game()).into_iter().filter(held).collect();
        let input = texts.join("\n") + "\n";
        for written in [&[][..], &["--text", "base64url"]] {
            let options =
                |direction| [&[direction, "--game", game, "--codec", name], written].concat();
            let codes = run(&sandbox, &options("encode"), &input).expect(0);
            assert_eq!(codes.text().lines().count(), texts.len(), "{game} {name}");
            let back = run(&sandbox, &options("decode"), codes.text()).expect(0);
            for (back, text) in back.text().lines().zip(&texts) {
                // A codec names what it drops.
                assert!(back == text || !codec.drops().is_empty(), "{name}: {text} {back}");
            }
        }
    }
}

#[test]
fn a_position_may_be_words_or_one_text() {
    let sandbox = Sandbox::new();
    let fen = FENS[1];
    let words: Vec<&str> = fen.split(' ').collect();
    let encode = |words: &[&str]| {
        let code = run(&sandbox, &[&["encode"], words].concat(), "").expect(0);
        code.text().trim().to_owned()
    };
    let code = encode(&[fen]);
    assert!(code.bytes().all(|digit| digit.is_ascii_hexdigit()) && code.len() % 2 == 0, "{code}");
    assert_eq!(encode(&words), code);
    assert_eq!(run(&sandbox, &["encode", "-"], fen).expect(0).text().trim(), code);
    for text in [code.clone(), code.to_ascii_uppercase()] {
        assert_eq!(run(&sandbox, &["decode", &text], "").expect(0).text().trim(), fen);
    }
    // A FEN without its counters, in another dialect, is the same position.
    let short = encode(&["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "w", "HAha", "-"]);
    assert_eq!(short, encode(&[FENS[0]]));
}

#[test]
fn base64url_is_shorter_and_has_no_padding() {
    let sandbox = Sandbox::new();
    let hex = run(&sandbox, &["encode", FENS[5]], "").expect(0);
    let base64 = ["encode", "--text", "base64url", FENS[5]];
    let base64 = run(&sandbox, &base64, "").expect(0);
    let (hex, base64) = (hex.text().trim(), base64.text().trim());
    assert_eq!(base64.len(), (hex.len() / 2 * 8).div_ceil(6), "{hex} {base64}");
    let decode = ["decode", "--text", "base64url", base64];
    assert_eq!(run(&sandbox, &decode, "").expect(0).text().trim(), FENS[5]);
    let padded = format!("{base64}=");
    let refused = run(&sandbox, &["decode", "--text", "base64url", &padded], "");
    refused.refuses(2, &["base64url without padding"]);
}

#[test]
fn each_line_of_input_gives_one_of_output() {
    let sandbox = Sandbox::new();
    let input = format!("{}\r\n\n  {} \n\n{}", FENS[0], FENS[1], FENS[2]);
    let codes = run(&sandbox, &["encode"], &input).expect(0);
    let lines: Vec<&str> = codes.text().split('\n').collect();
    assert_eq!(lines.len(), 6, "{lines:?}");
    assert!(lines[1].is_empty() && lines[3].is_empty() && lines[5].is_empty());
    let back = run(&sandbox, &["decode"], codes.text()).expect(0);
    assert_eq!(back.text(), format!("{}\n\n{}\n\n{}\n", FENS[0], FENS[1], FENS[2]));
    assert_eq!(run(&sandbox, &["encode"], "").expect(0).text(), "");
}

#[test]
fn what_cannot_be_coded_is_named_with_its_line() {
    let sandbox = Sandbox::new();
    for (direction, bad, code, words) in [
        ("encode", "8/8/8/8/8/8/8/8 w - - 0 1", 2, &["is not a chess position"][..]),
        ("encode", "e4", 2, &["`e4`", "is not a chess position"]),
        ("decode", "abc", 2, &["hexadecimal"]),
        ("decode", "ffffffffffffffffffffffff", 1, &["byte"]),
    ] {
        let single = run(&sandbox, &[direction, bad], "").refuses(code, words);
        assert!(!single.err.contains("line"), "{}", single.err);
        let good = if direction == "encode" {
            FENS[0].to_owned()
        } else {
            run(&sandbox, &["encode", FENS[0]], "").expect(0).text().trim().to_owned()
        };
        let input = format!("{good}\n\n{bad}\n{good}\n");
        let done = run(&sandbox, &[direction], &input);
        let done = done.refuses(code, &[&["line 3: "], words].concat());
        // The lines before it were answered, and none after it.
        assert_eq!(done.text().lines().count(), 2, "{}", done.text());
    }
    let long = format!("{}\n{}", FENS[0], "8/".repeat(100_000));
    run(&sandbox, &["encode"], &long).refuses(2, &["line 2: ", "too long"]);
    let bytes = [FENS[0].as_bytes(), b"\nM\xf3ra\n"].concat();
    sandbox.run_with(["position", "encode"], &bytes).refuses(2, &["line 2: ", "UTF-8"]);
}

#[test]
fn unknown_names_are_answered_with_the_choices() {
    let sandbox = Sandbox::new();
    for direction in ["encode", "decode"] {
        let names: Vec<&str> = position_codecs("chess").map(|codec| codec.info().name).collect();
        assert!(names.contains(&"position.text"), "{names:?}");
        let choices = [&["board.best"], names.as_slice()].concat();
        run(&sandbox, &[direction, "--codec", "board.best", "x"], "").refuses(2, &choices);
        let game = [direction, "--game", "checkers", "x"];
        run(&sandbox, &game, "").refuses(2, &["checkers", "chess", "tictactoe"]);
    }
}

/// A loss is reported once, and only if a position has what the codec drops.
#[test]
fn a_loss_is_told_once() {
    let sandbox = Sandbox::new();
    for codec in all_position_codecs() {
        let (game, name) = (codec.game().info().name, codec.info().name);
        let texts = positions(codec.game());
        let options = ["encode", "--game", game, "--codec", name];
        let lost = |text: &String| {
            codec.encode(text).is_ok_and(|code| codec.decode(&code.bytes).as_ref() != Ok(text))
        };
        let (losing, whole): (Vec<String>, Vec<String>) = texts.into_iter().partition(lost);
        let mut held = whole;
        held.retain(|text| codec.encode(text).is_ok());
        assert_eq!(run(&sandbox, &options, &held.join("\n")).expect(0).err, "", "{name}");
        if !losing.is_empty() {
            let told = run(&sandbox, &options, &losing.join("\n")).expect(0);
            assert_eq!(told.err.matches("does not hold").count(), 1, "{name}: {}", told.err);
        }
    }
}

/// A program that asks for one position at a time is answered at once.
#[test]
fn an_answer_does_not_wait_for_more_input() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(["position", "encode", "--codec", "position.text"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
    for fen in FENS {
        writeln!(stdin, "{fen}").expect("a reader");
        let mut answer = String::new();
        answers.read_line(&mut answer).expect("an answer");
        assert_eq!(answer.trim().len(), 2 * fen.len(), "{answer}");
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}
