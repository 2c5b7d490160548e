//! `plypack serve`: what it shows, to whom, and what it refuses.

#![allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Sandbox, sample};
use serde_json::Value;

/// A server that ends with the test.
struct Served {
    child: Child,
    port: u16,
    /// The part of the printed address after the port.
    place: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a server.
fn serve(arguments: &[&str]) -> Served {
    let mut child = Command::new(env!("CARGO_BIN_EXE_plypack"))
        .args(["serve", "--no-open"])
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("its output");
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    let rest = line.trim().strip_prefix("http://127.0.0.1:").expect("an address");
    let (port, place) = rest.split_once('/').expect("a place");
    Served { child, port: port.parse().expect("a port"), place: place.into() }
}

/// Returns the answer to a request for a path with this host name.
fn get(served: &Served, host: &str, path: &str) -> String {
    ask(served, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
}

/// Returns the raw answer to a request.
fn ask(served: &Served, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", served.port)).expect("a connection");
    // A refused request may be cut short.
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// Returns the status and body of the answer under its own name.
fn body(served: &Served, path: &str) -> (u16, String) {
    let path = path.replace(' ', "%20");
    let answer = get(served, &format!("localhost:{}", served.port), &path);
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.expect("a status"), body.to_owned())
}

/// Returns an answer in JSON.
fn json(served: &Served, path: &str) -> Value {
    let (status, body) = body(served, path);
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).expect("JSON")
}

/// A sample, packed with an index.
fn packed(sandbox: &Sandbox, name: &str) -> String {
    let path = sample(&format!("{name}.pgn"));
    let output = sandbox.path(&format!("{name}.parquet"));
    let output = output.to_str().expect("a path").to_owned();
    let input = path.to_str().expect("a path");
    sandbox.run(["pack", "-q", "--index", input, "-o", &output]).expect(0);
    output
}

#[test]
fn a_record_of_a_file_is_shown_and_nothing_else() {
    let served = serve(&["samples/famous.pgn", "--record", "2"]);
    assert_eq!(served.place, "?src=record");
    let host = format!("127.0.0.1:{}", served.port);
    assert!(get(&served, &host, "/").contains("<plypack-board"));
    assert!(get(&served, &host, "/record").contains("Morphy"));
    for name in ["plypack-games.js", "plypack-board.js", "example.html"] {
        assert!(get(&served, &host, &format!("/{name}")).starts_with("HTTP/1.1 200"), "{name}");
    }
    for path in ["/../Cargo.toml", "/samples/famous.pgn", "/nothing", "//record"] {
        let answer = get(&served, &host, path);
        assert!(answer.starts_with("HTTP/1.1 404") || path == "//record", "{path}: {answer}");
    }
    assert!(get(&served, "elsewhere.example", "/record").starts_with("HTTP/1.1 403"));
}

#[test]
fn the_files_of_a_folder_are_shown_by_name() {
    let served = serve(&["samples"]);
    let host = format!("127.0.0.1:{}", served.port);
    assert_eq!(served.place, "");
    assert!(get(&served, &host, "/?src=famous.pgn").contains("<plypack-board"));
    let game = get(&served, &host, "/famous.pgn");
    assert!(game.contains("Kieseritzky") && !game.contains("Morphy"), "its first game: {game}");
    for path in ["/../README.md", "/..%2FREADME.md", "/nothing.pgn", "/.", "/.."] {
        assert!(get(&served, &host, path).starts_with("HTTP/1.1 404"), "{path}");
    }
}

/// The folder of a site names its database in its first page, escaped.
#[test]
fn a_site_opens_its_database() {
    let sandbox = Sandbox::new();
    let file = packed(&sandbox, "famous");
    let named = sandbox.path("a & b.parquet");
    std::fs::copy(&file, &named).expect("a copy");
    let site = sandbox.path("site");
    let paths = [&named, &site].map(|path| path.to_str().expect("a path").to_owned());
    sandbox.run(["index", "-q", &paths[0]]).expect(0);
    let done = sandbox.run(["serve", &paths[0], "--site", &paths[1]]).expect(0);
    let printed = String::from_utf8_lossy(&done.out).into_owned();
    assert!(printed.trim().ends_with("explorer.html?db=a%20&%20b.parquet"), "{printed}");
    let index = std::fs::read_to_string(site.join("index.html")).expect("the first page");
    assert!(index.contains("<html lang=\"en\" data-db=\"a &amp; b.parquet\">"));
    let names = ["explorer.html", "plypack-static.js", "a & b.parquet", "a & b.plyindex"];
    assert!(names.iter().all(|name| site.join(name).exists()));
}

#[test]
fn a_link_is_shown() {
    let served = serve(&["https://example.org/play#FgKzM3o"]);
    assert!(served.place.starts_with('#') && served.place.len() == 8, "{}", served.place);
}

#[test]
fn what_is_neither_is_refused() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plypack"));
    let output = command.args(["serve", "no-such-file.pgn"]).output().expect("the program");
    assert!(!output.status.success());
    let why = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(why.contains("no file of that name"), "{why}");
}

#[test]
fn a_packed_file_of_any_game_is_shown_as_a_database() {
    let sandbox = Sandbox::new();
    for (name, game) in [("famous", "chess"), ("xiangqi", "xiangqi"), ("tictactoe", "tictactoe")] {
        let file = packed(&sandbox, name);
        let served = serve(&[&file]);
        assert_eq!(served.place, "explorer.html");
        let about = json(&served, "/api/about");
        assert_eq!((&about["game"], &about["indexed"]), (&game.into(), &true.into()));
        let tree = json(&served, "/api/tree");
        let lines = sandbox.run(["tree", "-q", "--json", &file]).expect(0).json();
        let moves = tree["moves"].as_array().expect("moves");
        assert_eq!(moves.len(), lines.len());
        for (played, line) in moves.iter().zip(&lines) {
            for key in ["move", "coordinates", "records", "white", "draws", "black", "last_year"] {
                assert_eq!(played[key], line[key], "{name}: {key}");
            }
        }
        // A click plays the move, and the next position has as many games as the tree said.
        let first = moves[0]["coordinates"].as_str().expect("a move");
        let next = json(&served, &format!("/api/games?play={first}&limit=200"));
        assert_eq!(
            next["games"].as_array().map(|games| games.len() as u64),
            lines[0]["records"].as_u64()
        );
        let all = json(&served, "/api/games?limit=200");
        assert_eq!(all["total"], about["records"]);
        let (status, text) = body(&served, "/api/game/1");
        let cat = sandbox.run(["cat", &file, "--records", "1..1"]).expect(0);
        assert_eq!((status, text.as_bytes()), (200, &cat.out[..]), "{name}");
    }
}

/// Moves tell the games of the position after them by a key of its own, beside those that tools
/// know.
#[test]
fn moves_tell_the_games_of_their_positions() {
    let sandbox = Sandbox::new();
    let text = "[White \"A\"]\n[Result \"1-0\"]\n\n1. d4 Nf6 2. c4 e6 3. Nc3 1-0\n\n\
                [White \"B\"]\n[Result \"0-1\"]\n\n1. c4 e6 2. d4 Nf6 0-1\n\n\
                [White \"C\"]\n[Result \"*\"]\n\n1. d4 e6 2. c4 Nf6 *\n";
    let input = sandbox.write("games.pgn", text);
    let output = sandbox.path("games.parquet").to_str().expect("a path").to_owned();
    let input = input.to_str().expect("a path");
    sandbox.run(["pack", "-q", "--index", input, "-o", &output]).expect(0);
    let served = serve(&[&output]);
    let first = |path: &str| {
        let answer = json(&served, &format!("{path}play=d2d4,g8f6,c2c4"));
        answer["moves"][0].clone()
    };
    let counts = |sum: &Value| ["white", "draws", "black"].map(|key| sum[key].as_u64());
    for path in ["/api/tree?", "/lichess?", "/masters?"] {
        let played = first(path);
        assert_eq!(counts(&played), [Some(1), Some(0), Some(0)], "{path}");
        assert_eq!(counts(&played["any_order"]), [Some(1), Some(0), Some(1)], "{path}");
    }
    assert_eq!(first("/api/tree?")["any_order"]["records"], 3);
    for path in [
        "/api/tree?player=A&",
        "/lichess?ratings=0&",
        "/lichess?speeds=classical&",
        "/player?player=A&color=white&",
    ] {
        let played = first(path);
        assert_eq!(counts(&played), [Some(1), Some(0), Some(0)], "{path}");
        assert_eq!(played["any_order"], Value::Null, "{path}");
    }
}

/// A position that a thousand games share is summed up by rating, with an index that has the sums
/// and with a filter alike. `/lichess` tells the same whether it lists games or takes the sums.
#[test]
fn groups_of_ratings_are_told_of_positions_that_many_games_share() {
    let sandbox = Sandbox::new();
    let output = sandbox.path("games.parquet").to_str().expect("a path").to_owned();
    let synth = ["synth", "--game", "chess", "--model", "fast", "--games", "3500", "-q"];
    sandbox.run([&synth[..], &["-o", &output]].concat()).expect(0);
    sandbox.run(["index", "-q", &output]).expect(0);
    let served = serve(&[&output]);
    let keys = ["records", "white", "draws", "black", "mean_rating", "last_year"];
    let sum = |of: &Value| keys.map(|key| of[key].as_u64());
    for place in ["play=", "play=e2e4"] {
        let tree = json(&served, &format!("/api/tree?{place}"));
        let groups = tree["by_rating"].as_array().expect("groups");
        assert!(groups.len() > 3, "{groups:?}");
        let total: u64 = groups.iter().filter_map(|group| group["records"].as_u64()).sum();
        assert_eq!(tree["records"], total);
        for group in groups {
            let least = group["rating"].as_u64().expect("a rating");
            let next = [1_000, 1_200, 1_400, 1_600, 1_800, 2_000, 2_200, 2_500];
            let next = next.into_iter().find(|next| *next > least);
            let most = next.map(|next| format!("&rating_max={}", next - 1)).unwrap_or_default();
            let path = format!("/api/tree?{place}&rating_min={least}{most}");
            let narrow = json(&served, &path);
            assert_eq!(sum(&narrow), sum(group), "{path}");
            assert_eq!(narrow["by_rating"], Value::Null);
            let examples = narrow["examples"].as_array().map(|examples| examples.len() as u64);
            assert_eq!(examples, group["records"].as_u64().map(|games| games.min(3)), "{path}");
            for played in tree["moves"].as_array().expect("moves") {
                let own = played["by_rating"].as_array().expect("groups").iter();
                let own = own.clone().find(|own| own["rating"] == least).map(sum);
                let listed = narrow["moves"].as_array().expect("moves").iter();
                let listed = listed.clone().find(|one| one["move"] == played["move"]).map(sum);
                assert_eq!(own, listed, "{path} {}", played["move"]);
            }
        }
        for query in ["", "&ratings=2000,2200,2500", "&ratings=0", "&ratings=1900", "&moves=3"] {
            let path = format!("/lichess?{place}{query}");
            let mut listed = json(&served, &format!("{path}&history=true"));
            let summed = json(&served, &format!("{path}&topGames=0&recentGames=0"));
            listed.as_object_mut().expect("an object").remove("history");
            for games in ["topGames", "recentGames"] {
                listed[games] = Value::Array(Vec::new());
            }
            assert_eq!(listed, summed, "{path}");
        }
    }
    let rare = json(&served, "/api/tree?play=h2h4");
    assert_eq!(rare["by_rating"], Value::Null);
}

/// The name of an opening stays until the next one, for the page and for tools.
#[test]
fn an_opening_keeps_its_name_on_the_way_down() {
    let sandbox = Sandbox::new();
    let file = packed(&sandbox, "famous");
    let served = serve(&[&file]);
    let najdorf = "e2e4,c7c5,g1f3,d7d6,d2d4,c5d4,f3d4,g8f6,b1c3,a7a6";
    let english = "c1e3,e7e5,d4b3,c8e6,f2f3";
    let fen = "fen=8/8/8/8/8/8/4P3/4K2k%20w%20-%20-%200%201";
    for path in ["/api/tree", "/lichess", "/masters"] {
        let opening = |query: &str| json(&served, &format!("{path}?{query}"))["opening"].clone();
        let named = opening(&format!("play={najdorf}"));
        assert_eq!(named["eco"], "B90", "{path}: {named}");
        let below = opening(&format!("play={najdorf},{english}"));
        assert!(below["name"].as_str().is_some_and(|name| name.contains("Najdorf")), "{below}");
        assert_eq!(opening(&format!("{fen}&play=e2e4")), Value::Null, "{path}");
        assert_eq!(opening("play="), Value::Null, "{path}");
    }
}

/// Packs games without ratings, or without dates.
fn bare(sandbox: &Sandbox) -> String {
    let text = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n\
                [White \"C\"]\n[Black \"D\"]\n[Date \"1992.??.??\"]\n[Result \"1/2-1/2\"]\n\n\
                1. d4 d5 1/2-1/2\n";
    let input = sandbox.path("bare.pgn");
    std::fs::write(&input, text).expect("a file");
    let output = sandbox.path("bare.parquet").to_str().expect("a path").to_owned();
    let input = input.to_str().expect("a path");
    sandbox.run(["pack", "-q", "--index", input, "-o", &output]).expect(0);
    output
}

/// Clients of lichess.org take a year, a month and a rating of every game for granted.
#[test]
fn tools_get_numbers_of_games_without_dates_and_ratings() {
    let sandbox = Sandbox::new();
    let served = serve(&[&bare(&sandbox)]);
    for path in ["/lichess", "/masters", "/master", "/player?player=A&color=white"] {
        let (status, text) = body(&served, path);
        assert_eq!(status, 200, "{path}: {text}");
        let answer: Value = serde_json::from_str(&text).expect("JSON");
        let lists = ["topGames", "recentGames"].map(|name| answer[name].as_array());
        let games: Vec<&Value> = lists.into_iter().flatten().flatten().collect();
        assert!(!games.is_empty(), "{path}: {text}");
        for game in games {
            assert!(game["year"].is_u64() && game["white"]["rating"].is_u64(), "{path}: {game}");
            let expected = if game["id"] == "1" { "0000-00" } else { "1992-00" };
            assert_eq!(game["month"], expected, "{path}");
        }
        for played in answer["moves"].as_array().expect("moves") {
            for name in ["averageRating", "averageOpponentRating", "performance"] {
                assert!(played.get(name).is_none_or(Value::is_number), "{path}: {played}");
            }
        }
    }
}

/// The number of games is told without their list, and an empty `play` is the start.
#[test]
fn games_are_counted() {
    let sandbox = Sandbox::new();
    let served = serve(&[&packed(&sandbox, "championship")]);
    let pattern = "pattern=%7B%22white-move%22:%22Nf3%22%7D";
    let queries = ["", "play=e2e4", "play=", "player=carlsen&color=white", "result=1-0", pattern];
    for query in queries {
        let total = json(&served, &format!("/api/count?{query}"))["total"].as_u64();
        let mut seen = 0;
        loop {
            let list = json(&served, &format!("/api/games?{query}&limit=200&skip={seen}"));
            seen += list["games"].as_array().expect("games").len() as u64;
            if list["more"] == false {
                break;
            }
        }
        assert_eq!(total, Some(seen), "{query}");
    }
    let start = json(&served, "/api/games?play=&limit=3");
    assert!(
        start["games"].as_array().is_some_and(|games| games.iter().all(|g| g["move"].is_string()))
    );
}

#[test]
fn filters_mean_what_conditions_mean() {
    let sandbox = Sandbox::new();
    let file = packed(&sandbox, "championship");
    let served = serve(&[&file]);
    for (query, arguments) in [
        ("player=carlsen", &["--player", "carlsen"][..]),
        ("player=carlsen&color=black", &["--where", "Black ilike '%carlsen%'"]),
        ("result=0-1", &["--where", "Result = '0-1'"]),
        ("since=2014-03&until=2015", &["--where", "Date >= '2014-03' and Date <= '2015'"]),
        ("play=e2e4,c7c5", &["--moves", "e4 c5"]),
        (
            "player=anand&play=d2d4&result=1/2-1/2&sort=date",
            &[
                "--player",
                "anand",
                "--moves",
                "d4",
                "--where",
                "Result = '1/2-1/2'",
                "--sort",
                "date",
            ],
        ),
        ("rating_min=2000", &["--where", "WhiteElo > 9000"]),
        ("event=candidates", &["--where", "Event ilike '%candidates%'"]),
        ("event=%22FIDE%20Candidates%22", &["--where", "Event = 'FIDE Candidates'"]),
        ("player=%22Carlsen,M%22&color=white", &["--where", "White = 'Carlsen,M'"]),
        ("player=%25", &["--player", "%"]),
    ] {
        let mut command = vec!["find", "-q", "--json", &file, "--tags"];
        command.extend(arguments);
        let lines = sandbox.run(&command);
        let lines = if lines.out.is_empty() { Vec::new() } else { lines.json() };
        let ids: Vec<String> = lines.iter().map(|line| line["record"].to_string()).collect();
        let found = json(&served, &format!("/api/games?limit=200&{query}"));
        let games = found["games"].as_array().expect("games");
        let shown: Vec<&str> = games.iter().map(|game| game["id"].as_str().expect("one")).collect();
        assert_eq!(shown[..], ids[..ids.len().min(200)], "{query}");
        assert_eq!(found["more"].as_bool(), Some(ids.len() > 200), "{query}");
        if !shown.is_empty() {
            let mut command = vec!["find", "-q", &file, "-o", "-"];
            command.extend(arguments);
            let expected = sandbox.run(&command).expect(0).out;
            let (status, records) = body_of_chunks(&served, &format!("/api/pgn?{query}"));
            assert_eq!(status, 200, "{query}");
            assert!(records == expected, "{query}: other records");
        }
    }
    let pages: Vec<Value> =
        [0, 3].map(|skip| json(&served, &format!("/api/games?skip={skip}&limit=3"))).into();
    let id = |page: usize, at: usize| pages[page]["games"][at]["id"].clone();
    assert_eq!((id(0, 2), id(1, 0)), ("3".into(), "4".into()));
}

/// Sends a text to a path.
fn post(served: &Served, path: &str, text: &str) -> (u16, String) {
    let (port, length) = (served.port, text.len());
    let answer = ask(
        served,
        &format!(
            "POST {path} HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{text}"
        ),
    );
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.expect("a status"), body.to_owned())
}

#[test]
fn a_repertoire_is_compared_as_the_verbs_do() {
    let sandbox = Sandbox::new();
    let file = packed(&sandbox, "championship");
    let served = serve(&[&file]);
    let text = "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 a6 (3... Nf6 4. d3) 4. Ba4 *";
    let path = sandbox.path("white.pgn");
    std::fs::write(&path, text).expect("written");
    let path = path.to_str().expect("a path");
    let asks = ["--repertoire", path, "--side", "white", "-q", "--json"];
    for (query, more) in [
        ("side=white", &[][..]),
        (
            "side=white&player=Carlsen&result=1-0",
            &["--player", "Carlsen", "--where", "Result = '1-0'"],
        ),
    ] {
        let run = |verb: &'static str| {
            let mut command: Vec<&str> = vec![verb, &file];
            command.extend(asks);
            command.extend(more);
            sandbox.run(&command).expect(0).json()
        };
        let (games, moves) = (run("find"), run("tree"));
        let (status, body) = post(&served, &format!("/api/repertoire?limit=200&{query}"), text);
        assert_eq!(status, 200, "{body}");
        let found: Value = serde_json::from_str(&body).expect("JSON");
        assert_eq!(found["total"], games.len());
        let listed = found["games"].as_array().expect("games");
        assert_eq!(listed.len(), games.len().min(200));
        for (game, expected) in listed.iter().zip(&games) {
            assert_eq!(game["id"].as_str(), Some(&*expected["record"].to_string()));
            for name in ["ply", "left", "move", "coordinates", "repertoire"] {
                assert_eq!(game[name], expected[name], "{name}");
            }
        }
        let moves: Vec<&Value> = moves.iter().filter(|one| !one["move"].is_null()).collect();
        let departures = found["departures"].as_array().expect("moves");
        assert_eq!(departures.len(), moves.len());
        for (own, expected) in departures.iter().zip(moves) {
            for name in ["left", "move", "repertoire", "records", "white", "draws", "black"] {
                assert_eq!(own[name], expected[name], "{name}");
            }
            let mut play = own["play"].as_str().expect("moves").split(',');
            assert_eq!(play.next_back(), own["coordinates"].as_str());
        }
        let pages = [(0, 3), (3, 3)].map(|(skip, limit)| {
            let path = format!("/api/repertoire?skip={skip}&limit={limit}&{query}");
            serde_json::from_str::<Value>(&post(&served, &path, text).1).expect("JSON")
        });
        assert_eq!((&pages[0]["games"][2], &pages[1]["games"][0]), (&listed[2], &listed[3]));
        assert_eq!(pages[0]["more"], true);
    }
    let long = "{}".repeat(600_000);
    for (query, text, status, words) in [
        ("", "1. e4 e5 2. Ke3 *", 400, "line 1"),
        ("", "", 400, "the repertoire"),
        ("side=red", text, 400, "white or black"),
        ("since=x", text, 400, "2014-05"),
        ("", &*long, 413, "longer than 1048576 bytes"),
    ] {
        let (found, body) = post(&served, &format!("/api/repertoire?{query}"), text);
        assert!(found == status && body.contains(words), "{query}: {found} {body}");
    }
    // Nothing else takes what is sent, and without a text there is nothing to compare.
    assert_eq!(post(&served, "/api/games", text).0, 405);
    assert_eq!(body(&served, "/api/repertoire").0, 404);
}

/// A file of games of two people of one name, and of one person with three spellings.
fn namesakes(sandbox: &Sandbox) -> String {
    let game = |white: &str, black: &str, result: &str, more: &str| {
        let tags = [
            ("Event", "Town \\\"Open\\\""),
            ("White", white),
            ("Black", black),
            ("Result", result),
        ];
        let tags = tags.map(|(name, value)| format!("[{name} \"{value}\"]\n")).concat();
        format!("{tags}{more}\n1. e4 c5 2. Nf3 d6 {result}\n\n")
    };
    let text = [
        game(
            "Carlsen, Magnus",
            "Müller, K",
            "1-0",
            "[Date \"2009.05.01\"]\n[WhiteElo \"2770\"]\n[ECO \"C60\"]\n",
        ),
        game("Müller, K", "MAGNUS CARLSEN", "1-0", "[Date \"2011.??.??\"]\n[BlackElo \"2815\"]\n"),
        game(
            "Carlsen, Magnus",
            "Li, Wei",
            "1/2-1/2",
            "[Date \"2011.03.01\"]\n[WhiteElo \"2814\"]\n[BlackFideId \"11\"]\n",
        ),
        game("Li, Wei", "Carlsen, M", "*", "[WhiteFideId \"22\"]\n"),
        game("Li, Wei", "NN", "0-1", "[WhiteFideId \"22\"]\n"),
    ]
    .concat();
    let (input, output) = (sandbox.path("names.pgn"), sandbox.path("names.parquet"));
    std::fs::write(&input, text).expect("written");
    let [input, output] = [&input, &output].map(|path| path.to_str().expect("a path").to_owned());
    sandbox.run(["pack", "-q", "--index", &input, "-o", &output]).expect(0);
    output
}

#[test]
fn a_player_has_all_spellings_and_no_games_of_others() {
    let sandbox = Sandbox::new();
    let served = serve(&[&namesakes(&sandbox)]);
    let player = json(&served, "/api/player?name=Magnus Carlsen");
    let list = |value: &Value, name: &str| -> Vec<Value> {
        value.as_array().expect("a list").iter().map(|one| one[name].clone()).collect()
    };
    assert_eq!(list(&player["spellings"], "name"), ["Carlsen, Magnus", "MAGNUS CARLSEN"]);
    assert_eq!(list(&player["perhaps"], "name"), ["Carlsen, M"]);
    let numbers =
        |value: &Value| ["games", "wins", "draws", "losses"].map(|name| value[name].as_u64());
    assert_eq!(numbers(&player["white"]), [2, 1, 1, 0].map(Some));
    assert_eq!(numbers(&player["black"]), [1, 0, 0, 1].map(Some));
    assert_eq!((&player["first_year"], &player["last_year"]), (&2009.into(), &2011.into()));
    assert_eq!(list(&player["years"], "year"), [2009, 2011]);
    assert_eq!(numbers(&player["years"][1]), [2, 0, 1, 1].map(Some));
    // A year alone is before the days of the year.
    let ratings =
        ["first_rating", "last_rating", "highest_rating"].map(|name| player[name].as_u64());
    assert_eq!(ratings, [2770, 2814, 2815].map(Some));
    // One opening is that of a tag, the other that of the moves, by which no list finds it.
    let white = &player["openings"]["white"];
    assert_eq!(list(white, "eco"), ["B50", "C60"]);
    assert_eq!(list(white, "name"), ["Sicilian Defense", "Ruy Lopez"]);
    assert_eq!(list(white, "listed"), [false, true]);
    // The games of the page are those of its quoted name.
    let games = json(&served, "/api/games?player=%22Carlsen, Magnus%22");
    assert_eq!(list(&games["games"], "id"), ["1", "2", "3"]);
    let found = json(&served, "/api/games?player=%22Carlsen, Magnus%22&color=black");
    assert_eq!(list(&found["games"], "id"), ["2"]);
    // Two people of one name.
    let most = json(&served, "/api/player?name=Li, Wei");
    assert_eq!((&most["fide_id"], &most["games"]), (&22.into(), &2.into()));
    assert_eq!(list(&most["perhaps"], "fide_id"), [11]);
    let other = json(&served, "/api/player?name=Li, Wei&fide_id=11");
    assert_eq!((&other["fide_id"], &other["games"]), (&11.into(), &1.into()));
}

#[test]
fn an_event_has_its_players_best_first() {
    let sandbox = Sandbox::new();
    let served = serve(&[&namesakes(&sandbox)]);
    let event = json(&served, "/api/event?name=Town %22Open%22");
    let counts = ["games", "white", "draws", "black"].map(|name| event[name].as_u64());
    assert_eq!(counts, [5, 2, 1, 1].map(Some));
    let players = event["players"].as_array().expect("players");
    let names: Vec<&str> = players.iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names[0], "Carlsen, Magnus");
    assert_eq!(event["players_total"], names.len());
    assert_eq!(players[0]["rating"], 2814);
}

#[test]
fn names_are_completed_from_the_words_they_have() {
    let sandbox = Sandbox::new();
    let served = serve(&[&namesakes(&sandbox)]);
    let names = |query: &str| -> Vec<String> {
        let found = json(&served, &format!("/api/names?{query}"));
        let names = found["names"].as_array().expect("names").iter();
        names.filter_map(|one| one["name"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(names("part=carl"), ["Carlsen, Magnus", "Carlsen, M"]);
    assert_eq!(names("part=carl&limit=1"), ["Carlsen, Magnus"]);
    // In any order, with or without accents, and by each beginning of a word.
    assert_eq!(names("part=magnus c"), ["Carlsen, Magnus"]);
    for part in ["mul", "muel", "M%C3%9CL", "k m"] {
        assert_eq!(names(&format!("part={part}")), ["Müller, K"], "{part}");
    }
    for part in ["arlsen", "", ",", "carlsen x", "nn"] {
        assert_eq!(names(&format!("part={part}")), Vec::<String>::new(), "{part}");
    }
    assert_eq!(names("kind=event&part=open to"), ["Town \"Open\""]);
}

/// Escapes a text as a value in an address.
fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[test]
fn patterns_mean_what_find_means() {
    let sandbox = Sandbox::new();
    for (name, patterns) in [
        (
            "championship",
            &[
                (r#"{"sub-fen": "8/8/8/3pp3/3P4/8/8/8"}"#, false),
                ("8/8/8/3pp3/3P4/8/8/8", true),
                ("vP", false),
                (r#"{"shape": "*p/.P", "stm": "white", "either-colour": true}"#, false),
                (r#"{"sequence": [{"white-move": "Bb5"}, {"white-move": "Ba4"}]}"#, false),
                (r#"{"stm": "black", "skip": 3, "limit": 5}"#, false),
            ][..],
        ),
        ("xiangqi", &[(r#"{"shape": "C*", "mirrored": true, "either-colour": true}"#, false)]),
        ("tictactoe", &[(r#"{"sub-fen": "3/1x1/2o", "symmetric": true}"#, false)]),
    ] {
        let file = packed(&sandbox, name);
        let served = serve(&[&file]);
        for (pattern, carlsen) in patterns {
            pattern_means_what_find_means(&sandbox, &file, &served, pattern, *carlsen);
        }
    }
}

/// With `carlsen`, only his games, latest first.
fn pattern_means_what_find_means(
    sandbox: &Sandbox,
    file: &str,
    served: &Served,
    pattern: &str,
    carlsen: bool,
) {
    let mut command = vec!["find", "-q", "--json", file, "--pattern", pattern];
    let mut query = format!("pattern={}", escaped(pattern));
    if carlsen {
        command.extend(["--player", "carlsen", "--sort", "date"]);
        query += "&player=carlsen&sort=date";
    }
    let lines = sandbox.run(&command).expect(0).json();
    let found = json(served, &format!("/api/games?limit=200&{query}"));
    let games = found["games"].as_array().expect("games");
    assert_eq!(games.len(), lines.len().min(200), "{pattern}");
    for (game, line) in games.iter().zip(&lines) {
        assert_eq!(game["id"].as_str(), Some(&*line["record"].to_string()), "{pattern}");
        assert_eq!((&game["met"], &game["ply"]), (&line["plies"], &line["plies"][0]));
    }
    let total = (lines.len() <= 200).then_some(lines.len());
    assert_eq!(found["total"].as_u64(), total.map(|total| total as u64), "{pattern}");
    // A page of them, and whether there are more.
    let page = json(served, &format!("/api/games?skip=1&limit=1&{query}"));
    assert_eq!(page["games"].get(0), games.get(1), "{pattern}");
    assert_eq!(page["more"].as_bool(), Some(lines.len() > 2), "{pattern}");
    command.retain(|word| *word != "--json");
    command.extend(["-o", "-"]);
    let expected = sandbox.run(&command).expect(0).out;
    let (status, records) = body_of_chunks(served, &format!("/api/pgn?{query}"));
    assert!(status == 200 && records == expected, "{pattern}: other records");
}

#[test]
fn a_position_and_a_pattern_hold_both() {
    let sandbox = Sandbox::new();
    let file = packed(&sandbox, "championship");
    let served = serve(&[&file]);
    let pattern = r#"{"white-move": "O-O-O"}"#;
    let mut command = vec!["find", "-q", "--json", &file, "--pattern", pattern];
    command.extend(["--moves", "e4 c5"]);
    let lines = sandbox.run(&command).expect(0).json();
    let query = format!("play=e2e4,c7c5&pattern={}", escaped(pattern));
    let found = json(&served, &format!("/api/games?limit=200&{query}"));
    let games = found["games"].as_array().expect("games");
    assert!(!games.is_empty() && games.len() == lines.len());
    for (game, line) in games.iter().zip(&lines) {
        assert_eq!((&game["met"], &game["move"]), (&line["plies"], &Value::Null));
    }
}

/// Returns the status and the reassembled body of a chunked answer.
fn body_of_chunks(served: &Served, path: &str) -> (u16, Vec<u8>) {
    let host = format!("localhost:{}", served.port);
    let mut stream = TcpStream::connect(("127.0.0.1", served.port)).expect("a connection");
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n").expect("a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let status = String::from_utf8_lossy(&answer[9..12]).parse().expect("a status");
    (status, answer.split_off(end + 4))
}

#[test]
fn a_folder_is_one_database() {
    let sandbox = Sandbox::new();
    packed(&sandbox, "famous");
    packed(&sandbox, "championship");
    let folder = sandbox.path("");
    let served = serve(&[folder.to_str().expect("a path")]);
    let about = json(&served, "/api/about");
    let files = about["files"].as_array().expect("files");
    assert_eq!(files.len(), 2);
    // Files come in the order of their names, and numbers continue.
    let first = files[0]["records"].as_u64().expect("a number");
    let (_, text) = body(&served, &format!("/api/game/{}", first + 1));
    let cat = sandbox.run(["cat", "famous.parquet", "--records", "1..1"]).expect(0);
    assert_eq!(text.as_bytes(), cat.out);
}

#[test]
fn what_cannot_be_answered_is_said() {
    let sandbox = Sandbox::new();
    let file = packed(&sandbox, "famous");
    let served = serve(&[&file]);
    for (path, status, words) in [
        ("/api/tree?fen=8/8", 400, "not a chess position"),
        ("/api/tree?play=e2e5", 400, "e2e5"),
        ("/api/games?limit=many", 400, "whole number"),
        ("/api/games?sort=beauty", 400, "stored, rating or date"),
        ("/api/games?since=yesterday", 400, "2014-05"),
        ("/api/games?result=win", 400, "1-0"),
        ("/api/games?player=x&color=red", 400, "white or black"),
        ("/api/game/0", 404, "from 1 to"),
        ("/api/player", 400, "`name` is missing"),
        ("/api/player?name=nobody such", 404, "no player `nobody such`"),
        ("/api/player?name=Morphy&fide_id=x", 400, "whole number"),
        ("/api/event?name=none", 404, "no event `none`"),
        ("/api/names?kind=town", 400, "player or event"),
        ("/api/games?player=%22nobody such%22", 404, "no player"),
        ("/api/game/18446744073709551616", 404, "from 1 to"),
        ("/api/pgn?fen=junk", 400, "not a chess position"),
        ("/api/games?pattern=hello", 400, "`hello` is not a pattern"),
        ("/api/games?pattern=%7B", 400, "not JSON"),
        ("/api/games?pattern=%FF%FE", 400, "is not a pattern"),
        ("/api/games?pattern=%7B%7D", 400, "a condition is empty"),
        ("/api/pgn?pattern=8/8/8", 400, "8 rows"),
        ("/api/games?pattern=%7B%22pass%22:%22%22,%22symmetric%22:true%7D", 400, "mirrored"),
        ("/api/games?pattern=%7B%22limit%22:-1,%22pass%22:%22%22%7D", 400, "`limit`"),
        ("/api/tree?pattern=KRPKR", 400, "/api/games"),
        ("/api/nothing", 404, "nothing here"),
        ("/lichess?variant=atomic", 400, "atomic"),
        ("/lichess?ratings=x", 400, "rating group"),
        ("/player?color=white", 400, "`player` is missing"),
        ("/masters/pgn/abc", 404, "from 1 to"),
    ] {
        let (found, text) = body(&served, path);
        assert_eq!(found, status, "{path}: {text}");
        assert!(text.contains(words) && text.starts_with("{\"error\":"), "{path}: {text}");
    }
    // No path leads out of the page, and no number is too large.
    for path in ["/../famous.parquet", "/famous.parquet", "/api/../../etc/passwd", "/%2e%2e/x"] {
        assert_eq!(body(&served, path).0, 404, "{path}");
    }
    assert_eq!(body(&served, "/api/games?skip=99999999999&limit=99999999").0, 200);
    // Long and deep patterns do no harm.
    let last = u64::MAX;
    for (pattern, status) in [
        (format!("{{\"shape\": [{}\"P\"]}}", "\"P\",".repeat(1_000)), 200),
        (format!("{}/8", "8/".repeat(4_000)), 400),
        (format!("{{\"shape\": \"{}P\"}}", "9".repeat(9_000)), 400),
        ("{\"not\":".repeat(900), 400),
        (format!("{{\"stm\": \"white\", \"skip\": {last}, \"limit\": {last}}}"), 200),
        ("{\"stm\": \"white\", \"limit\": 0}".into(), 200),
        ("".into(), 200),
    ] {
        let pattern = pattern.replace('"', "%22").replace('{', "%7B").replace('}', "%7D");
        let (found, text) = body(&served, &format!("/api/games?limit=200&pattern={pattern}"));
        assert_eq!(found, status, "{pattern}: {text}");
    }
}

#[test]
fn pages_of_others_may_not_read_it_unless_they_are_allowed() {
    let sandbox = Sandbox::new();
    let file = packed(&sandbox, "famous");
    let served = serve(&[&file, "--allow-origin", "https://friend.example"]);
    let port = served.port;
    let with = |more: &str| {
        ask(
            &served,
            &format!(
                "GET /api/about HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
                 {more}\r\n"
            ),
        )
    };
    let friend = with("Origin: https://friend.example\r\n").to_lowercase();
    assert!(friend.starts_with("http/1.1 200"), "{friend}");
    assert!(friend.contains("access-control-allow-origin: https://friend.example"), "{friend}");
    for foreign in
        ["Origin: https://evil.example\r\n", "Origin: null\r\n", "Sec-Fetch-Site: cross-site\r\n"]
    {
        let answer = with(foreign);
        assert!(answer.starts_with("HTTP/1.1 403"), "{foreign}: {answer}");
        assert!(!answer.to_lowercase().contains("access-control-allow-origin"), "{answer}");
    }
    assert!(with(&format!("Origin: http://127.0.0.1:{port}\r\n")).starts_with("HTTP/1.1 200"));
    let rebound =
        ask(&served, "GET /api/about HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert!(rebound.starts_with("HTTP/1.1 403"), "{rebound}");
    let none = ask(&served, "GET /api/about HTTP/1.0\r\n\r\n");
    assert!(none.starts_with("HTTP/1.0 403"), "{none}");
}

#[test]
fn odd_requests_do_no_harm() {
    let sandbox = Sandbox::new();
    let file = packed(&sandbox, "famous");
    let served = serve(&[&file]);
    let host = format!("Host: localhost:{}", served.port);
    let post = ask(
        &served,
        &format!(
            "POST /api/about HTTP/1.1\r\n{host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ),
    );
    assert!(post.starts_with("HTTP/1.1 405"), "{post}");
    let long = ask(
        &served,
        &format!("GET /api/tree?fen={} HTTP/1.1\r\n{host}\r\n\r\n", "8".repeat(100_000)),
    );
    assert!(long.is_empty() || long.starts_with("HTTP/1.1 4"), "{long}");
    let many = "X: y\r\n".repeat(5_000);
    let many = ask(&served, &format!("GET / HTTP/1.1\r\n{host}\r\n{many}\r\n"));
    assert!(many.is_empty() || many.starts_with("HTTP/1.1 4"), "{many}");
    let junk = ask(&served, "\0\u{1}junk\r\n\r\n");
    assert!(junk.is_empty() || junk.starts_with("HTTP/1.1 400"), "{junk}");
    // Silent connections do not block others.
    let silent: Vec<TcpStream> = (0..64)
        .map(|_| TcpStream::connect(("127.0.0.1", served.port)).expect("a connection"))
        .collect();
    assert_eq!(json(&served, "/api/about")["game"], "chess");
    drop(silent);
}

#[test]
fn a_damaged_file_is_told_and_the_server_goes_on() {
    let sandbox = Sandbox::new();
    let file = packed(&sandbox, "championship");
    let served = serve(&[&file]);
    let mut bytes = std::fs::read(&file).expect("a file");
    // Overwrites codes of moves in place, so that the open file changes: its first half without the
    // header.
    let middle = bytes.len() / 2;
    bytes[4..middle].fill(0x5a);
    let mut open = std::fs::OpenOptions::new().write(true).open(&file).expect("a file");
    open.write_all(&bytes).expect("room");
    let (status, text) = body(&served, "/api/game/17");
    assert_eq!(status, 500, "{text}");
    assert!(text.contains("championship.parquet"), "{text}");
    assert_eq!(body(&served, "/api/about").0, 200);
}

#[cfg(unix)]
#[test]
fn it_stops_cleanly() {
    let sandbox = Sandbox::new();
    let file = packed(&sandbox, "championship");
    let mut served = serve(&[&file]);
    // One client has begun a download, and another waits.
    let mut taking = TcpStream::connect(("127.0.0.1", served.port)).expect("a connection");
    write!(taking, "GET /api/pgn HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", served.port)
        .expect("a request");
    let _idle = TcpStream::connect(("127.0.0.1", served.port)).expect("a connection");
    std::thread::sleep(Duration::from_millis(200));
    let begun = Instant::now();
    let process = served.child.id().to_string();
    let killed = Command::new("kill").args(["-TERM", &process]).status().expect("kill");
    assert!(killed.success());
    let status = served.child.wait().expect("an end");
    assert_eq!(status.code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert!(Path::new(&file).exists());
}

/// No link leads out of a served folder, and hidden files are not shown.
#[cfg(unix)]
#[test]
fn a_folder_is_not_left() {
    use std::os::unix::fs::symlink;

    let (sandbox, other) = (Sandbox::new(), Sandbox::new());
    let game = std::fs::read(sample("famous.pgn")).expect("a sample");
    other.write("secret.pgn", &game);
    sandbox.write("shown.pgn", &game);
    sandbox.write(".hidden.pgn", &game);
    sandbox.write("notes.sh", "a secret");
    symlink(other.path("secret.pgn"), sandbox.path("link.pgn")).expect("a link");
    symlink(other.path(""), sandbox.path("folder")).expect("a link");
    let folder = sandbox.path("");
    let served = serve(&[folder.to_str().expect("a path")]);
    assert_eq!(body(&served, "/shown.pgn").0, 200);
    for path in ["/link.pgn", "/folder/secret.pgn", "/.hidden.pgn", "/notes.sh", "/../shown.pgn"] {
        assert_eq!(body(&served, path).0, 404, "{path}");
    }
    // A request must name one host, once, and it must be this one.
    let with = |request: &str| ask(&served, &format!("{request}Connection: close\r\n\r\n"));
    let host = format!("Host: localhost:{}\r\n", served.port);
    assert!(with(&format!("GET /shown.pgn HTTP/1.1\r\n{host}")).starts_with("HTTP/1.1 200"));
    for foreign in [
        format!("GET /shown.pgn HTTP/1.1\r\n{host}Host: evil.example\r\n"),
        format!("GET http://evil.example/shown.pgn HTTP/1.1\r\n{host}"),
    ] {
        let answer = with(&foreign);
        assert!(answer.starts_with("HTTP/1.1 4"), "{foreign}: {answer}");
    }
}
