//! Players however their names are spelled: `plypack players`, `--player`, the functions of
//! conditions, and `dedup`.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use serde_json::{Value, json};

use crate::common::Sandbox;

/// A game of these players, with more tags.
fn game(white: &str, black: &str, result: &str, tags: &[(&str, &str)]) -> String {
    let mut text = format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n");
    for (name, value) in tags {
        text += &format!("[{name} \"{value}\"]\n");
    }
    text + "\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 " + result + "\n\n"
}

fn pack(sandbox: &Sandbox, name: &str, games: &[String]) {
    sandbox.write("in.pgn", games.concat());
    sandbox.run(["pack", "-q", "in.pgn", "-o", name]).expect(0);
}

/// Spellings of one player, the last two of which are doubtful.
const SPELLINGS: [&str; 6] = [
    "Magnus Carlsen",
    "Carlsen, Magnus",
    "CARLSEN MAGNUS",
    "carlsen,magnus",
    "Carlsen, M.",
    "carlsen,m",
];

fn spelled() -> Vec<String> {
    let mut games: Vec<String> =
        SPELLINGS.iter().map(|name| game(name, "Anand, V", "1-0", &[])).collect();
    games.push(game("Müller, Karsten", "Vachier-Lagrave, Maxime", "0-1", &[]));
    games.push(game("Mueller,Karsten", "Maxime Vachier Lagrave", "*", &[]));
    games.push(game("Carlsen, Henrik", "?", "1/2-1/2", &[]));
    games
}

#[test]
fn a_player_is_found_however_the_name_is_spelled() {
    let sandbox = Sandbox::new();
    pack(&sandbox, "g.parquet", &spelled());
    let found = |arguments: &[&str]| -> Vec<u64> {
        let done = sandbox.run([&["find", "-q", "--json", "g.parquet"], arguments].concat());
        let record = |game: &Value| game["record"].as_u64().expect("a number");
        done.json().iter().map(record).collect()
    };
    let carlsens = [1, 2, 3, 4, 5, 6];
    for name in SPELLINGS {
        // By initials another Carlsen would be found whose name begins with an M.
        assert_eq!(found(&["--player", name]), carlsens, "{name}");
        let condition = format!("finds_player(White, '{name}')");
        assert_eq!(found(&["--where", &condition]), carlsens, "{name}");
    }
    assert_eq!(found(&["--player", "carlsen"]), [1, 2, 3, 4, 5, 6, 9]);
    for name in ["Müller", "Mueller", "Vachier Lagrave", "MUELLER KARSTEN", "M. Vachier-Lagrave"] {
        assert_eq!(found(&["--player", name]), [7, 8], "{name}");
    }
    assert_eq!(found(&["--where", "same_player(player, 'Carlsen, Magnus')"]), [1, 2, 3, 4]);
    assert_eq!(found(&["--where", "same_player('carlsen m', White)"]), [5, 6]);
    assert_eq!(found(&["--where", "NOT same_player(player, 'Anand, V') AND White > 'D'"]), [7, 8]);
    assert_eq!(found(&["--where", "same_player(White, Black)"]), [0_u64; 0]);
    let tree = sandbox.run(["tree", "-q", "--json", "g.parquet", "--player", "CARLSEN MAGNUS"]);
    assert_eq!(tree.expect(0).json()[0]["all"], 6);
}

#[test]
fn players_are_listed_with_all_that_is_known() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("all")).expect("a folder");
    let [first, second] = ["1503014", "5000017"];
    let games = [
        game(
            "Carlsen, Magnus",
            "Anand, Viswanathan",
            "1-0",
            &[
                ("Date", "2013.11.16"),
                ("WhiteElo", "2870"),
                ("BlackElo", "2775"),
                ("WhiteFideId", first),
                ("BlackFideId", second),
            ],
        ),
        game(
            "Anand,V",
            "Carlsen,M",
            "1/2-1/2",
            &[
                ("Date", "2014.??.??"),
                ("WhiteElo", "2792"),
                ("BlackElo", "2863"),
                ("WhiteFideId", second),
                ("BlackFideId", first),
            ],
        ),
    ];
    pack(&sandbox, "all/a.parquet", &games);
    let games = [
        game("Magnus Carlsen", "?", "0-1", &[("Date", "2001.01.02")]),
        game("Carlsen, M.", "Anand", "*", &[]),
    ];
    pack(&sandbox, "all/b.parquet", &games);
    let listed = sandbox.run(["players", "all", "--json"]).expect(0).json();
    let spellings = ["Carlsen, M.", "Carlsen, Magnus", "Carlsen,M", "Magnus Carlsen"];
    let spellings = spellings.map(|name| json!({ "name": name, "games": 1 }));
    let expected = json!({
        "name": "Carlsen, M.",
        "fide_id": 1_503_014,
        "games": 4,
        "wins": 1,
        "draws": 1,
        "losses": 1,
        "first_year": 2001,
        "last_year": 2014,
        "last_rating": 2863,
        "highest_rating": 2870,
        "spellings": spellings,
        "perhaps": [],
    });
    assert_eq!(listed[0], expected);
    assert_eq!((&listed[1]["fide_id"], &listed[1]["draws"]), (&json!(5_000_017), &json!(1)));
    assert_eq!(listed[1]["perhaps"], json!([{ "name": "Anand", "fide_id": null }]));
    assert_eq!((listed.len(), &listed[2]["name"]), (3, &json!("Anand")));

    let text = sandbox.run(["players", "all", "--player", "viswanathan anand"]).expect(0);
    let lines: Vec<&str> = text.text().lines().collect();
    assert_eq!(lines.len(), 2, "{}", text.text());
    assert!(lines[0].ends_with("last best  player"), "{}", lines[0]);
    for part in
        ["2013-2014  2792 2792", "Anand, Viswanathan (FIDE 5000017); also Anand,V; perhaps Anand"]
    {
        assert!(lines[1].contains(part), "{}", lines[1]);
    }
    let one = sandbox.run(["players", "all", "--limit", "1", "--json"]).expect(0).json();
    assert_eq!(one, listed[..1]);
    // A file that is named twice counts once, on any number of threads.
    let twice = ["players", "all", "all/a.parquet", "--json", "-T", "1"];
    assert_eq!(sandbox.run(twice).expect(0).json(), listed);
    sandbox.run(["players", "all", "--player", "nobody"]).refuses(1, &["no player was found"]);
}

#[test]
fn doubtful_names_and_numbers_stay_apart() {
    let sandbox = Sandbox::new();
    let ids = |white: &'static str| [("WhiteFideId", white)];
    let games = [
        game("Li, Wei", "Carlsen, Magnus", "1-0", &ids("11")),
        game("Li, Wei", "Carlsen,M", "1-0", &ids("22")),
        game("Wei Li", "CARLSEN MAGNUS", "1-0", &ids("0")),
    ];
    pack(&sandbox, "g.parquet", &games);
    let listed = sandbox.run(["players", "g.parquet", "--json"]).expect(0).json();
    let names = |list: &Value| -> Vec<String> {
        let list = list.as_array().expect("a list");
        list.iter().map(|one| one["name"].as_str().expect("a name").to_owned()).collect()
    };
    let told: Vec<(Vec<String>, Value, Vec<String>)> = listed
        .iter()
        .map(|one| (names(&one["spellings"]), one["fide_id"].clone(), names(&one["perhaps"])))
        .collect();
    let row = |spellings: &[&str], id: Value, perhaps: &[&str]| {
        let [spellings, perhaps] =
            [spellings, perhaps].map(|names| names.iter().map(|&name| name.into()).collect());
        (spellings, id, perhaps)
    };
    let expected = [
        row(&["CARLSEN MAGNUS", "Carlsen, Magnus"], Value::Null, &["Carlsen,M"]),
        row(&["Carlsen,M"], Value::Null, &["CARLSEN MAGNUS"]),
        row(&["Li, Wei"], 11.into(), &["Wei Li"]),
        row(&["Li, Wei"], 22.into(), &["Wei Li"]),
        row(&["Wei Li"], Value::Null, &["Li, Wei", "Li, Wei"]),
    ];
    assert_eq!(told, expected);
}

#[test]
fn what_has_no_players_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("p.epd", "8/8/8/4k3/8/4K3/4P3/8 w - -\n");
    sandbox.run(["pack", "-q", "p.epd", "-o", "p.parquet"]).expect(0);
    sandbox.run(["players", "p.parquet"]).refuses(2, &["p.parquet", "positions, not games"]);
    sandbox.run(["players", "none.parquet"]).refuses(2, &["none.parquet"]);
    pack(&sandbox, "g.parquet", &["1. e4 *\n".to_owned()]);
    sandbox.run(["players", "g.parquet"]).refuses(1, &["no player was found"]);
    let wrong = ["find", "g.parquet", "--where", "finds_player(WhiteElo, 'x')"];
    sandbox.run(wrong).refuses(2, &["`WhiteElo` holds numbers"]);
}

#[test]
fn copies_are_found_under_other_spellings() {
    for other in ["Carlsen, M.", "Magnus Carlsen", "CARLSEN MAGNUS"] {
        let sandbox = Sandbox::new();
        let day = [("Date", "2013.11.16")];
        let games = [
            game("Carlsen, Magnus", "Müller, Karsten", "1-0", &day),
            game(other, "Mueller,K", "1-0", &day),
            game("Caruana, Magnus", "Müller, Karsten", "1-0", &day),
        ];
        pack(&sandbox, "g.parquet", &games);
        let copies = sandbox.run(["dedup", "-n", "--json", "g.parquet"]).expect(0).json();
        let copies: Vec<&Value> = copies.iter().map(|copy| &copy["record"]).collect();
        assert_eq!(copies, [2], "{other}");
    }
}
