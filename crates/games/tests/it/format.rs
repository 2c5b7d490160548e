//! Compares the tables in `docs/FORMAT.md` and the `SPEC.md` files with the program: every number
//! that was ever assigned, every file of tables, and the sizes of the groups of features.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use plypack_core::codecs::fields::FIELDS;
use plypack_core::codecs::prose::PROSE;
use plypack_core::codecs::series;
use plypack_core::{CodecInfo, CodecRow};
use plypack_games::{
    GAMES, chess, go, gomoku, line_codecs, othello, position_codecs, stored_line_codec,
    stored_position_codec, xiangqi,
};
use sha2::{Digest, Sha256};

/// Returns the folder `crates`.
fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn contents(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the rows of the first table after a text, without its head; cells come without
/// backquotes.
fn table(document: &str, behind: &str) -> Vec<Vec<String>> {
    let (_, rest) = document.split_once(behind).unwrap_or_else(|| panic!("no `{behind}`"));
    let lines = rest.lines().skip_while(|line| !line.starts_with('|'));
    let rows = lines.take_while(|line| line.starts_with('|')).map(|line| {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.replace('`', "").trim().to_owned()).collect()
    });
    rows.skip(2).collect()
}

/// Returns a section of the document.
fn section(number: u8) -> String {
    let text = contents(&crates().join("../docs/FORMAT.md"));
    let (_, rest) = text.split_once(&format!("\n## {number}. ")).expect("a section");
    rest.split("\n## ").next().unwrap_or_default().to_owned()
}

/// Returns the section that lists all numbers.
fn numbers() -> String {
    section(8)
}

/// Returns which game has which codec, in the order of the numbers, as the document's tables list
/// them.
fn of_games<'a>(
    infos: impl Fn(&str) -> Vec<&'a CodecInfo>,
) -> BTreeSet<(u16, String, Vec<String>)> {
    let mut rows: BTreeSet<(u16, &str)> = BTreeSet::new();
    for game in GAMES {
        rows.extend(infos(game.info().name).iter().map(|info| (info.id, info.name)));
    }
    let mark = |number: u16, name: &str| {
        let has = |info: &&CodecInfo| info.id == number && info.name == name;
        let each = GAMES.iter().map(|game| infos(game.info().name).iter().any(has));
        each.map(|has| if has { "x".to_owned() } else { String::new() }).collect()
    };
    rows.into_iter().map(|(number, name)| (number, name.to_owned(), mark(number, name))).collect()
}

fn stated_of_games(section: &str, behind: &str) -> BTreeSet<(u16, String, Vec<String>)> {
    let rows = table(section, behind).into_iter();
    let row = |mut cells: Vec<String>| {
        let marks = cells.split_off(2);
        (cells[0].parse().expect("a number"), cells.swap_remove(1), marks)
    };
    rows.map(row).collect()
}

#[test]
fn every_number_is_stated() {
    let section = numbers();
    let games = GAMES.iter().map(|game| (game.info().id.to_string(), game.info().name.to_owned()));
    let stated = table(&section, "**Games**").into_iter();
    let stated = stated.map(|cells| (cells[0].clone(), cells[1].clone()));
    assert_eq!(stated.collect::<Vec<_>>(), games.collect::<Vec<_>>());

    let lines = of_games(|game| line_codecs(game).map(CodecRow::codec_info).collect());
    assert_eq!(stated_of_games(&section, "**Line codecs**"), lines);
    let positions = of_games(|game| position_codecs(game).map(CodecRow::codec_info).collect());
    assert_eq!(stated_of_games(&section, "**Position codecs**"), positions);

    let row = |series: &str, info: &CodecInfo| {
        vec![series.to_owned(), info.id.to_string(), info.name.to_owned()]
    };
    let clocks = series::CLOCKS.all().map(|codec| row("clock readings", &codec.info));
    let evaluations = series::EVALUATIONS.all().map(|codec| row("evaluations", &codec.info));
    let reviews = series::REVIEWS.all().map(|codec| row("reviews", &codec.info));
    let fields = FIELDS.all().map(|codec| row("fields of comments", &codec.info));
    let prose = PROSE.all().map(|codec| row("prose", &codec.info));
    let all = clocks.chain(evaluations).chain(reviews).chain(fields).chain(prose);
    let all: BTreeSet<_> = all.collect();
    let stated = table(&section, "**Codecs of series**").into_iter().collect();
    assert_eq!(all, stated);
}

/// The numbers alone would be found by the test above.
#[test]
fn every_game_and_codec_is_described() {
    let (lines, positions, links) = (section(1), section(3), section(5));
    let lists = ["README.md", "docs/formats.md"];
    let lists = lists.map(|file| (file, contents(&crates().join("..").join(file)).to_lowercase()));
    let (_, boards) = positions.split_once("\n### 3.1 ").expect("boards and states");
    let boards = boards.split("\n### ").next().unwrap_or_default();
    let numbered = links.split_once("\nGames: ").and_then(|(_, rest)| rest.split_once('.'));
    let numbered: Vec<&str> = numbered.expect("games and their numbers").0.split(", ").collect();
    for game in GAMES {
        let (name, title) = (game.info().name, game.info().title.to_lowercase());
        let spec = format!("](../crates/games/src/{name}/SPEC.md)");
        assert!(lines.contains(&spec), "section 1 has no link to the SPEC.md of {name}");
        for (file, text) in &lists {
            assert!(text.contains(&title), "{file} does not name {title}");
        }
        let number = format!("{} {title}", game.info().id);
        assert!(numbered.contains(&&*number), "section 5 does not say `{number}`");
        let is_of_it = |line: &str| {
            let titles = line.strip_prefix("**").and_then(|line| line.split_once(".**"));
            let titles = titles.map(|(titles, _)| titles.to_lowercase());
            titles.is_some_and(|titles| titles.split(", ").any(|other| other == title))
        };
        assert!(boards.lines().any(is_of_it), "3.1 says nothing of the board of {name}");
        let own = contents(&crates().join(format!("games/src/{name}/SPEC.md")));
        let codecs = line_codecs(name).map(|codec| (&lines, codec.codec_info().name));
        let codecs =
            codecs.chain(position_codecs(name).map(|codec| (&positions, codec.codec_info().name)));
        for (section, codec) in codecs {
            let described = |text: &str| text.contains(&format!("`{codec}`"));
            assert!(described(section) || described(&own), "{name} has {codec}, undescribed");
        }
    }
}

/// Collects the files below a folder that decide coded bits: not programs, documents, manifests or
/// names (`.tsv`), which are shown and never coded. A table has the extension of its head.
fn table_files(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    let others = ["rs", "md", "toml", "tsv"];
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            table_files(&path, found);
        } else if path.extension().is_some_and(|end| others.iter().all(|other| end != *other)) {
            found.insert(path);
        }
    }
}

#[test]
fn every_file_of_tables_is_stated() {
    let mut stated = BTreeSet::new();
    for cells in table(&numbers(), "**Files of tables**") {
        let [path, head, codecs, bytes, hash] = &cells[..] else { panic!("{cells:?}") };
        let file = crates().join(path);
        let contents = std::fs::read(&file).unwrap_or_else(|error| panic!("{path}: {error}"));
        let (kind, version) = head.split_once(' ').expect("a head and its version");
        let version: u8 = version.parse().expect("a version");
        assert_eq!(contents[..4], [kind.as_bytes(), &[version]].concat(), "{path}");
        assert_eq!(contents.len().to_string(), bytes.replace(',', ""), "{path}");
        let found = Sha256::digest(&contents).iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a string takes everything");
            text
        });
        assert_eq!(&found, hash, "{path}: another table is another codec");
        for codec in codecs.split(", ").filter(|codec| codec.matches('/').count() == 2) {
            let known = stored_line_codec(codec).is_ok() || stored_position_codec(codec).is_ok();
            assert!(known, "{path}: {codec}");
        }
        stated.insert(file);
    }
    let mut found = BTreeSet::new();
    for folder in ["core/src", "games/src", "tables"] {
        table_files(&crates().join(folder), &mut found);
    }
    assert_eq!(stated, found);
}

/// Returns the groups of a document's tables in which sizes follow names, in order. Of names that
/// share a group, only the first has a size.
fn stated_groups(document: &str, head: &str) -> Vec<(String, usize)> {
    let mut groups = Vec::new();
    for part in document.split(head).skip(1) {
        for cells in table(&format!("{head}{part}"), "") {
            let sizes = cells[1].split([',', ' ']).filter_map(|word| word.parse().ok());
            let sizes: Vec<usize> = sizes.collect();
            for (at, name) in cells[0].split(", ").enumerate() {
                let shared = at > 0 && cells[1].ends_with("shared");
                let size = sizes.get(at).or(sizes.last()).expect("a size");
                groups.push((name.to_owned(), if shared { 0 } else { *size }));
            }
        }
    }
    groups
}

#[test]
fn groups_of_features_have_the_stated_sizes() {
    let owned = |groups: &[(&str, usize)]| -> Vec<(String, usize)> {
        groups.iter().map(|&(name, size)| (name.to_owned(), size)).collect()
    };
    let document = |game: &str| contents(&crates().join(format!("games/src/{game}/SPEC.md")));
    let orders: [(&str, &[(&str, usize)]); 2] =
        [("chess", &chess::order::GROUPS), ("xiangqi", &xiangqi::order::GROUPS)];
    for (game, groups) in orders {
        let stated = stated_groups(&document(game), "| group | size | ");
        assert_eq!(stated, owned(groups), "{game}");
    }
    let of_chess: [(&str, &[(&str, usize)]); 3] = [
        ("| light | size | ", &chess::link::features::GROUPS),
        ("| judged | size | ", &chess::default::features::GROUPS),
        ("| fast | size | ", &chess::fast::features::GROUPS),
    ];
    for (head, groups) in of_chess {
        assert_eq!(stated_groups(&document("chess"), head), owned(&groups[1..]), "{head}");
    }
    let of_xiangqi: [(&str, &[(&str, usize)]); 3] = [
        ("| fast | size | ", &xiangqi::fast::features::GROUPS),
        ("| small | size | ", &xiangqi::small::GROUPS),
        ("| judged | size | ", &xiangqi::default::features::GROUPS),
    ];
    for (head, groups) in of_xiangqi {
        assert_eq!(stated_groups(&document("xiangqi"), head), owned(&groups[1..]), "{head}");
    }
    let stated = stated_groups(&document("othello"), "| judged | size | ");
    assert_eq!(stated, owned(&othello::default::features::GROUPS[1..]));
    let text = document("go");
    let of_go = stated_groups(&text, "| fast | size | ");
    assert_eq!(of_go, owned(&go::fast::features::GROUPS[1..]));
    let models: [(&str, &[(&str, usize)]); 4] = [
        ("xiangqi", &xiangqi::link::features::GROUPS),
        ("go", &go::link::features::GROUPS),
        ("othello", &othello::link::features::GROUPS),
        ("gomoku", &gomoku::link::features::GROUPS),
    ];
    for (game, groups) in models {
        let text = document(game).replace("| heavy slot | size |", "| slot | size |");
        let stated = stated_groups(&text, "| slot | size | ");
        // Feature 0 has no slot; gomoku reserves features for a future book.
        let mut groups = owned(&groups[1..]);
        if game == "gomoku" {
            assert_eq!(groups.pop().map(|group| group.0).as_deref(), Some("book"));
        }
        assert_eq!(stated, groups, "{game}");
    }
}
