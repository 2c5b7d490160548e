//! `plypack synth`: the games it makes up, and that only the seed changes them.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use plypack_games::{GAMES, tiers};

use crate::common::Sandbox;

const CHESS: [&str; 8] = ["synth", "--game", "chess", "--model", "fast", "--seed", "7", "--games"];

fn chess(games: &'static str) -> impl Iterator<Item = &'static str> {
    CHESS.into_iter().chain([games])
}

#[test]
fn the_beginning_of_a_seed_stays_as_it_is() {
    // The title of the game is its name, too.
    let tictactoe = ["synth", "--game", "tic-tac-toe", "--games", "2"];
    let done = Sandbox::new().run(tictactoe).expect(0);
    assert_eq!(done.text(), TICTACTOE);
    let fast = ["synth", "--game", "chess", "--codec", "line.fast/6", "--games", "1"];
    let done = Sandbox::new().run(fast).expect(0);
    assert_eq!(done.text(), FAST);
}

#[test]
fn every_game_packs_completely() {
    let sandbox = Sandbox::new();
    for game in GAMES.iter().map(|game| game.info().name) {
        // The best models come first; tests can afford the last.
        let model = tiers(game).last().expect("a tier").name;
        let name = format!("{game}.txt");
        let synth = ["synth", "--game", game, "--model", model, "--games", "30", "-o", &name];
        sandbox.run(synth).expect(0);
        // Without being told the game.
        let pack = ["pack", &name, "--model", model, "-f", "-o", "p.parquet", "--json", "--strict"];
        let summary = sandbox.run(pack).expect(0).json().remove(0);
        assert_eq!(summary["game"], game);
        for (what, count) in [("records", 30), ("verbatim_records", 0), ("faulty_records", 0)] {
            assert_eq!(summary[what], count, "{game}: {what}");
        }
        // A game of one line does not tell how lines are broken, and those after it have a patch.
        let has_lines = ["chess", "xiangqi", "go"].contains(&game);
        assert!(!has_lines || summary["patched_records"] == 0, "{game}: {summary}");
        let back = sandbox.run(["unpack", "-c", "p.parquet"]).expect(0).out;
        assert!(back == sandbox.read(&name), "{game}");
        // Packing directly with the model writes the same file.
        let direct =
            ["synth", "--game", game, "--model", model, "--games", "30", "-o", "d.parquet"];
        sandbox.run(direct.into_iter().chain(["-f"])).expect(0);
        let unpacked = sandbox.run(["unpack", "-c", "d.parquet"]).expect(0).out;
        assert!(unpacked == back, "{game}");
    }
}

#[test]
fn neither_threads_nor_the_number_of_games_change_a_game() {
    let sandbox = Sandbox::new();
    let text = sandbox.run(chess("700")).expect(0).out;
    for threads in ["1", "2", "5"] {
        let done = sandbox.run(chess("700").chain(["-T", threads])).expect(0);
        assert!(done.out == text, "-T {threads}");
        let packed = ["-T", threads, "-f", "-o", "games.parquet"];
        sandbox.run(chess("700").chain(packed)).expect(0);
        let first = if threads == "1" { Vec::new() } else { sandbox.read("first") };
        let games = sandbox.read("games.parquet");
        assert!(first.is_empty() || first == games, "-T {threads}");
        sandbox.write("first", games);
    }
    let fewer = sandbox.run(chess("30")).expect(0).out;
    assert!(text.starts_with(&fewer) && fewer.ends_with(b"\n\n"));
    let other = ["synth", "--game", "chess", "--model", "fast", "--games", "30"];
    assert!(sandbox.run(other).expect(0).out != fewer);
}

#[test]
fn bad_arguments_are_told() {
    let sandbox = Sandbox::new();
    let synth = |words: &[&str]| sandbox.run([&["synth"], words].concat());
    synth(&["--game", "chess"]).refuses(2, &["--games"]);
    synth(&["--games", "3"]).refuses(2, &["--game"]);
    synth(&["--game", "chess", "--games", "0"]).refuses(2, &["--games"]);
    synth(&["--game", "draughts", "--games", "1"]).refuses(2, &["draughts", "othello"]);
    let chess = |words: &[&str]| synth(&[&["--game", "chess", "--games", "1"], words].concat());
    chess(&["--seed", "x"]).refuses(2, &["--seed"]);
    chess(&["--model", "huge"]).refuses(2, &["huge", "fast"]);
    chess(&["--codec", "line.nothing"]).refuses(2, &["line.nothing", "line.fast"]);
    chess(&["--codec", "line.text"]).refuses(2, &["`line.text` has no model", "line.default"]);
    chess(&["--codec", "line.fast", "--model", "fast"]).refuses(2, &["cannot be used with"]);
    let small = ["--game", "tictactoe", "--games", "1", "--model", "fast"];
    synth(&small).refuses(2, &["tictactoe has no model `fast`", "small"]);
    sandbox.write("there.pgn", "");
    chess(&["--model", "fast", "-o", "there.pgn"]).refuses(2, &["there.pgn exists", "-f"]);
    chess(&["--model", "fast", "-o", "there.pgn", "-f"]).expect(0);
    assert!(sandbox.read("there.pgn").starts_with(b"[Event "));
}

#[test]
fn a_reader_who_leaves_is_no_error() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(chess("1000000"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    reader.read_line(&mut line).expect("UTF-8");
    assert_eq!(line, "[Event \"plypack synth, seed 7\"]\n");
    drop(reader);
    let mut err = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("UTF-8");
    assert_eq!((child.wait().expect("it ends").code(), err.as_str()), (Some(0), ""));
}

const TICTACTOE: &str = r#"[Variant "tictactoe"]
[Event "plypack synth, seed 1"]
[Site "Saibes"]
[Date "2025.07.01"]
[Round "8"]
[White "Glairporbro, To"]
[Black "Waibi, Ku"]
[Result "1-0"]

1. b2 a1 2. c1 c2 3. a3 1-0

[Variant "tictactoe"]
[Event "plypack synth, seed 1"]
[Site "Fimdai"]
[Date "2023.08.21"]
[Round "9"]
[White "Wokrel, Folu"]
[Black "Hesve, Dri"]
[Result "0-1"]

1. b3 b1 2. b2 a1 3. c2 c1 0-1

"#;

const FAST: &str = r#"[Event "plypack synth, seed 1"]
[Site "Librir"]
[Date "2025.01.16"]
[Round "4"]
[White "Braithdrir, Drurdrir"]
[Black "Drotai, Re"]
[Result "0-1"]
[WhiteElo "2324"]
[BlackElo "2253"]

1. d4 d5 2. g3 Bg4 3. Bg2 g6 4. Nc3 Bg7 5. Nf3 Nd7 6. Nxd5 Bxf3 7. Bxf3 a6 8. h4
h5 9. O-O f6 10. Kh1 Nf8 11. Bd2 Rc8 12. e4 b6 13. Rc1 Rb8 14. Bb4 Ne6 15. e5
fxe5 16. dxe5 Bxe5 17. Qe2 Nd4 18. c3 Nxe2 19. Bxe2 Qxd5+ 20. Kg1 Qxa2 21. c4
Qxb2 22. Kh1 Qxe2 23. Rfe1 Qf3+ 24. Kh2 Qxf2+ 25. Kh3 Qf5+ 26. Kg2 Kf7 27. Kh1
Bxg3 28. Kg2 Bf4 29. Rc3 e5 30. Rh1 Qe4+ 31. Rf3 Qc2+ 32. Rf2 Qe4+ 33. Rf3 Ne7
34. c5 Qxb4 35. cxb6 Rxb6 36. Rfh3 Nd5 37. Rd3 Qa5 38. Rhd1 c5 39. Rxd5 c4 40.
Rxa5 Rb2+ 41. Kh3 Kf6 42. Rxa6+ Kf5 43. Ra5 Rb3+ 44. Kg2 Rd3 45. Rh1 Kg4 46. Ra2
c3 47. Rf2 Rh6 48. Rh3 Rd6 49. Rxc3 Rd1 0-1

"#;
