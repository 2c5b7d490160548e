//! Games by their positions and tags: indexing, finding, and what was played.

#![cfg(feature = "file")]
#![allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use plypack::{
    Collection, Error, FoundGames, Notation, OpeningTree, Outcome, PackedFile, Packer, Query,
    Rules, Sort, build_index, pack,
};

const GAMES: &str = "[White \"Ada\"]\n[Black \"Bo\"]\n[Date \"1901.02.03\"]\n[Result \"1-0\"]\n\
    [WhiteElo \"2100\"]\n[BlackElo \"2000\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 1-0\n\n\
    [White \"Cy\"]\n[Black \"Ada\"]\n[Date \"1999.??.??\"]\n[Result \"0-1\"]\n[WhiteElo \"2500\"]\n\
    \n1. Nf3 e5 2. e4 d6 0-1\n\n\
    [White \"Di\"]\n[Black \"50%\"]\n[Result \"*\"]\n\n1. e4 c5 2. Nf3 *\n\n";

const AFTER_NF3: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -";

fn packed(folder: &Path, name: &str, index: bool) -> PathBuf {
    let path = folder.join(name);
    let packer = Packer::new().reader("a.pgn", GAMES.as_bytes()).threads(1).index(index);
    let report = packer.pack(&path).expect("it is packed");
    assert_eq!(report.index.map(|index| index.games), index.then_some(3));
    path
}

/// Formats the number, file and hits of each game found: `1 a 3.Nc6`.
fn show(found: Result<FoundGames<'_>, Error>) -> Vec<String> {
    let show = |found: plypack::FoundGame| {
        let hit = |hit: &plypack::Hit| {
            let played = hit.next_move.as_deref().unwrap_or("end");
            format!("{}{}.{played}", if hit.variation { "v" } else { "" }, hit.ply)
        };
        let hits: Vec<String> = found.hits.iter().map(hit).collect();
        let file = found.game.path().file_stem().expect("a name").to_string_lossy().into_owned();
        format!("{} {file} {}", found.game.number(), hits.join(" ")).trim().to_owned()
    };
    let found = found.expect("an answer");
    let count = found.len();
    let games: Vec<String> = found.map(|found| show(found.expect("a game"))).collect();
    assert_eq!(games.len(), count);
    games
}

fn moves(played: &OpeningTree) -> Vec<(&str, u64, u64, u64, u64)> {
    let tally =
        |text, tally: &plypack::Tally| (text, tally.games, tally.white, tally.draws, tally.black);
    played.moves.iter().map(|mv| tally(&*mv.text, &mv.tally)).collect()
}

#[test]
fn games_are_found_with_and_without_an_index() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["without.parquet", "with.parquet"] {
        let path = packed(folder.path(), name, name == "with.parquet");
        let file = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let collection = Collection::open([&path]).expect("a collection");
        assert_eq!((collection.len(), collection.is_empty()), (3, false));
        let coverage = collection.coverage();
        let indexed = if name == "with.parquet" { 3 } else { 0 };
        assert_eq!((coverage[0].games, coverage[0].indexed), (3, indexed));
        assert!(coverage[0].path == path && coverage[0].refused.is_empty());
        let expect = |query: Query<'_>, expected: &[&str]| {
            let expected: Vec<String> =
                expected.iter().map(|game| game.replace('_', &file)).collect();
            assert_eq!(show(query.find()), expected, "{name}");
        };
        let query = || collection.query();
        expect(query().position(AFTER_NF3), &["1 _ 3.Nc6", "2 _ 3.d6"]);
        expect(query().position(AFTER_NF3).ignore_index(true), &["1 _ 3.Nc6", "2 _ 3.d6"]);
        expect(query().moves("e2e4 e7e5 g1f3").limit(1), &["1 _ 3.Nc6"]);
        let sorted = query().moves("1. e4 e5 2. Nf3").sort(Sort::Rating);
        // One rating is no mean of two.
        expect(sorted.notation(Notation::Coordinate), &["1 _ 3.b8c6", "2 _ 3.d7d6"]);
        expect(query().sort(Sort::Date), &["2 _", "1 _", "3 _"]);
        expect(query().position(AFTER_NF3).moves("Nc6"), &["1 _ 4.end"]);
        expect(query().moves("1. e4 c5 2. Nf3"), &["3 _ 3.end"]);
        let variations = query().moves("1. e4 c5 2. Nf3").variations(true);
        expect(variations, &["1 _ v3.end", "3 _ 3.end"]);
        expect(query().player("ada"), &["1 _", "2 _"]);
        expect(query().player("50%"), &["3 _"]);
        expect(query().player("ada").player("Bo"), &["1 _"]);
        expect(query().player("Bo").player("Cy"), &[]);
        let whole = query().moves("1. e4 e5 2. Nf3").condition("Result = '0-1' -- won").player("a");
        expect(whole, &["2 _ 3.d6"]);
        expect(
            query().condition("Year < 1950").rules("chess".parse::<Rules>().expect("chess")),
            &["1 _"],
        );
        expect(query().moves("1. a4"), &[]);
        let both = r#"{"sequence": [{"white-move": "e4"}, {"moved": "N"}], "skip": 1}"#;
        expect(query().pattern(both), &["3 _ 1.end 3.end"]);
        expect(query().pattern("8/8/3p4/8/8/8/8/8").limit(5), &["2 _ 4.end"]);
        expect(query().pattern("KK"), &[]);
        let refused = query().pattern("{\"shape\": \"x\"}").find();
        assert!(matches!(refused, Err(Error::Pattern { message, .. }) if message.contains("`x`")));
    }
}

#[test]
fn games_are_counted_without_a_list() {
    let folder = tempfile::tempdir().expect("a folder");
    for with_index in [false, true] {
        let path = packed(folder.path(), "a.parquet", with_index);
        let collection = Collection::open([&path]).expect("a collection");
        let query = || collection.query();
        for (query, games) in [
            (query(), 3),
            (query().position(AFTER_NF3), 2),
            (query().moves("1. e4 c5 2. Nf3").variations(true), 2),
            (query().position(AFTER_NF3).player("bo"), 1),
            (query().condition("Year > 1900"), 2),
            (query().pattern(r#"{"moved": "N"}"#).limit(1), 3),
            (query().moves("1. a4"), 0),
        ] {
            assert_eq!(query.count().expect("an answer"), games);
        }
        let three = query().player("a").player("b").player("c").count();
        assert!(matches!(three, Err(Error::Condition { .. })));
    }
}

#[test]
fn lines_are_summed_up_as_deep_as_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    for with_index in [false, true] {
        let path = packed(folder.path(), "a.parquet", with_index);
        let collection = Collection::open([&path]).expect("a collection");
        let branches = collection.query().branches(2, 1).expect("an answer");
        assert_eq!(branches.games, 3);
        let [e4, nf3] = &branches.moves[..] else { panic!("{branches:?}") };
        assert_eq!((&*e4.text, e4.tally.games, e4.tally.white), ("e4", 2, 1));
        assert_eq!((&*nf3.text, nf3.tally.mean_rating), ("Nf3", Some(2500.0)));
        let texts: Vec<&str> = e4.moves.iter().map(|branch| &*branch.text).collect();
        assert_eq!(texts, ["c5", "e5"], "ties are in the order of candidates");
        assert!(e4.moves.iter().all(|branch| branch.moves.is_empty() && branch.ended.games == 0));
        let often = collection.query().branches(2, 2).expect("an answer");
        assert!(often.moves.len() == 1 && often.moves[0].moves.is_empty(), "{often:?}");
        // Games end before the last ply.
        let last = collection.query().position(AFTER_NF3).branches(4, 1).expect("an answer");
        assert_eq!((last.games, last.ended.games, last.moves.len()), (2, 0, 2));
        assert!(last.moves.iter().all(|branch| branch.ended.games == 1), "{last:?}");
        assert_eq!((&*branches.line, &*e4.number, &*e4.coordinates), ("", "1.", "e2e4"));
        let few = collection.query().moves("e4").moves_max(1).branches(1, 1).expect("an answer");
        assert_eq!((&*few.line, few.moves.len(), few.left_out), ("1. e4", 1, 1));
        assert_eq!((few.rules.name(), &*few.moves[0].number), ("chess", "1..."));
        let pgn = branches.to_pgn().expect("PGN has chess");
        let moves: String = pgn.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        let expected = "1. e4 {2 games, White 100 %, drawn 0 %, Black 0 %, rating 2050} (1. Nf3 {1 \
             game, White 0 %, drawn 0 %, Black 100 %, rating 2500} 1... e5";
        assert!(moves.contains(expected), "{moves}");
    }
}

#[test]
fn a_line_is_counted_from_each_visit() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    let games = "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 1-0\n\n1. e4 c5 0-1\n\n";
    Packer::new().reader("a.pgn", games.as_bytes()).pack(&path).expect("it is packed");
    let collection = Collection::open([&path]).expect("a collection");
    let branches = collection.query().branches(2, 1).expect("an answer");
    let moves: Vec<(&str, u64)> =
        branches.moves.iter().map(|branch| (&*branch.text, branch.tally.games)).collect();
    assert_eq!((branches.games, moves), (2, vec![("e4", 2), ("Nf3", 1)]));
    let played = collection.query().tree().expect("an answer");
    let tree: Vec<(&str, u64)> =
        played.moves.iter().map(|mv| (&*mv.text, mv.tally.games)).collect();
    assert_eq!(tree, [("e4", 2), ("Nf3", 1)]);
}

#[test]
fn a_question_is_in_the_game_that_can_read_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let texts = [("a", "[Game \"Chinese Chess\"]\n\n1. C2.5 H8+7 *\n\n"), ("b", GAMES)];
    let paths = texts.map(|(name, text)| {
        let path = folder.path().join(name).with_extension("parquet");
        Packer::new().reader("a.pgn", text.as_bytes()).pack(&path).expect("it is packed");
        path
    });
    let collection = Collection::open(&paths).expect("a collection");
    assert_eq!(show(collection.query().moves("1. e4 e5").find()), ["1 b 2.Nf3"]);
    assert_eq!(collection.query().moves("C2.5").count().expect("an answer"), 1);
    assert!(matches!(collection.query().moves("1. e9").find(), Err(Error::Move { .. })));
}

#[test]
fn a_position_is_found_among_positions() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.parquet");
    let lines = "8/8/8/4k3/8/4K3/4P3/8 w - - bm e3;\n8/8/8/4k3/8/4K3/4P3/8 b - -\n\
                 8/8/8/4k3/8/4K3/4P3/8 w - - 7 40\n";
    Packer::new().reader("p.epd", lines.as_bytes()).pack(&path).expect("it is packed");
    let file = PackedFile::open(&path).expect("a packed file");
    let found = file.find_position("8/8/8/4k3/8/4K3/4P3/8 w - -").expect("an answer");
    assert_eq!(found, [1, 3]);
    assert!(file.find_position("4k3/8/8/8/8/8/8/4K3 w - -").expect("an answer").is_empty());
    assert!(matches!(file.find_position("x"), Err(Error::Position { .. })));
}

#[test]
fn moves_are_added_up() {
    let folder = tempfile::tempdir().expect("a folder");
    for with_index in [false, true] {
        let path = packed(folder.path(), "a.parquet", with_index);
        let collection = Collection::open([&path]).expect("a collection");
        let played = collection.query().tree().expect("an answer");
        assert_eq!(played.games, 3);
        assert_eq!(moves(&played), [("e4", 2, 1, 0, 0), ("Nf3", 1, 0, 0, 1)]);
        assert_eq!(played.moves[0].tally.mean_rating, Some(2050.0));
        assert_eq!(played.moves[1].tally.last_year, Some(1999));
        let [first, second, third] = &played.examples[..] else { panic!("{played:?}") };
        assert_eq!((&*first.white, &*first.black, first.number), ("Cy", "Ada", 2));
        assert_eq!((first.white_rating, first.black_rating), (Some(2500), None));
        assert_eq!((first.year, first.outcome), (Some(1999), Some(Outcome::BlackWon)));
        assert_eq!((first.next_move.as_deref(), &first.path), (Some("Nf3"), &path));
        assert_eq!((second.number, third.number, third.outcome), (1, 3, None));
        let query = collection.query().position(AFTER_NF3).moves("d6");
        let played = query.condition("BlackElo is null").tree().expect("an answer");
        assert_eq!((played.games, played.moves.len(), played.ended.black), (1, 0, 1));
        let canonical = "rnbqkbnr/ppp2ppp/3p4/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - ";
        assert!(played.position.starts_with(canonical), "{}", played.position);
    }
}

#[test]
fn a_move_has_the_games_of_its_position() {
    let folder = tempfile::tempdir().expect("a folder");
    for with_index in [false, true] {
        let path = packed(folder.path(), "a.parquet", with_index);
        let collection = Collection::open([&path]).expect("a collection");
        let query = || collection.query().moves("1. e4 e5");
        let behind = |query: Query<'_>| {
            let played = query.tree().expect("an answer");
            let [only] = &played.moves[..] else { panic!("{played:?}") };
            assert_eq!((&*only.text, only.tally.games), ("Nf3", 1));
            only.any_order.map(|all| (all.games, all.white, all.draws, all.black, all.last_year))
        };
        // The second game comes there by 1. Nf3 e5 2. e4.
        let both = with_index.then_some((2, 1, 0, 1, Some(1999)));
        assert_eq!(behind(query()), both);
        assert_eq!(behind(query().ignore_index(true)), None);
        assert_eq!(behind(query().condition("White = 'Ada'")), None);
        assert_eq!(behind(query().player("Bo")), None);
        assert_eq!(behind(query().variations(true)), None);
    }
}

#[test]
fn several_files_are_asked_as_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = [("a.parquet", true), ("b.parquet", false)];
    let paths = paths.map(|(name, index)| packed(folder.path(), name, index));
    let collection = Collection::open(&paths).expect("a collection");
    let found = collection.query().position(AFTER_NF3).sort(Sort::Rating).find();
    assert_eq!(show(found), ["1 a 3.Nc6", "1 b 3.Nc6", "2 a 3.d6", "2 b 3.d6"]);
    let played = collection.query().position(AFTER_NF3).tree().expect("an answer");
    assert_eq!(moves(&played), [("d6", 2, 0, 0, 2), ("Nc6", 2, 2, 0, 0)]);
    let indexed: Vec<u64> = collection.coverage().iter().map(|file| file.indexed).collect();
    assert_eq!(indexed, [3, 0]);
    let folder_asked = Collection::open([folder.path()]).expect("a folder");
    assert_eq!(folder_asked.coverage(), collection.coverage());
    let none = folder.path().join("none");
    std::fs::create_dir(&none).expect("made");
    assert!(matches!(Collection::open([none]), Err(Error::File { .. })));
    let empty = Collection::open([""; 0]).expect("a collection");
    assert!(empty.is_empty() && show(empty.query().moves("e4").find()).is_empty());
    assert_eq!(empty.query().tree().expect("an answer").games, 0);
}

#[test]
fn an_index_is_built_once_and_refused_when_stale() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(folder.path(), "a.parquet", false);
    let built = build_index(&path).expect("it is indexed").expect("there was none");
    let beside = folder.path().join("a.plyindex");
    assert_eq!(built.bytes, std::fs::metadata(&beside).expect("it is there").len());
    assert!(built.games == 3 && built.pairs >= built.positions && built.positions > 8);
    assert_eq!(build_index(&path).expect("it is there"), None);
    let file = PackedFile::open(&path).expect("a packed file");
    let mut told = 0;
    let anew = file.indexer().rebuild(true).threads(1).progress(|so_far| {
        told = so_far.records;
        ControlFlow::Continue(())
    });
    assert_eq!((anew.build().expect("it is indexed"), told), (Some(built), 3));
    let bytes = std::fs::read(&beside).expect("read");
    let stopped = file.indexer().rebuild(true).progress(|_| ControlFlow::Break(())).build();
    assert!(matches!(stopped, Err(Error::Stopped)));
    assert_eq!(std::fs::read(&beside).expect("it is as it was"), bytes);
    // Replaces the file by one with other games.
    Packer::new().reader("b.pgn", &b"1. d4 d5 *\n\n"[..]).pack(&path).expect("it is packed");
    let collection = Collection::open([&path]).expect("a collection");
    let coverage = &collection.coverage()[0];
    assert_eq!((coverage.indexed, coverage.refused.len()), (0, 1));
    assert!(coverage.refused[0].path == beside && !coverage.refused[0].message.is_empty());
    assert_eq!(show(collection.query().moves("d4").find()), ["1 a 1.d5"]);
}

#[test]
fn what_cannot_be_asked_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let collection = Collection::open([packed(folder.path(), "a.parquet", true)]);
    let collection = collection.expect("a collection");
    let query = || collection.query();
    let fault = |query: Query<'_>| query.find().expect_err("it is refused");
    assert!(matches!(fault(query().position("x")), Error::Position { .. }));
    assert!(matches!(fault(query().moves("1. e4 e4")), Error::Move { ply: 2, .. }));
    let unknown = fault(query().condition("Nonsense > 3"));
    assert!(matches!(unknown, Error::Condition { .. }) && unknown.to_string().contains("Nonsense"));
    assert!(matches!(fault(query().condition("1) or (1")), Error::Condition { .. }));
    let stopped = query().ignore_index(true).moves("1. e4").progress(|_| ControlFlow::Break(()));
    assert!(matches!(stopped.tree(), Err(Error::Stopped)));
    let none = Collection::open([folder.path().join("none.parquet")]);
    assert!(matches!(none, Err(Error::Io { .. })));
    let positions = folder.path().join("b.parquet");
    let text = &b"4k3/P7/8/8/8/8/8/4K3 w - - bm a8=Q+;\n"[..];
    let report = Packer::new().reader("b.epd", text).index(true).pack(&positions);
    assert_eq!(report.expect("it is packed").index, None);
    assert!(matches!(build_index(&positions), Err(Error::File { .. })));
    assert!(matches!(Collection::open([positions]), Err(Error::File { .. })));
}

#[test]
fn more_games_than_are_read_at_a_time_come_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let text: String = (0..600).map(|game| format!("[White \"{game}\"]\n\n1. e4 *\n\n")).collect();
    let [input, path] = ["a.pgn", "a.parquet"].map(|name| folder.path().join(name));
    std::fs::write(&input, text).expect("written");
    pack(&input, &path).expect("it is packed");
    build_index(&path).expect("it is indexed");
    let collection = Collection::open([&path]).expect("a collection");
    let found = collection.query().moves("e4").condition("White not like '%3'").find();
    let names: Vec<String> = found
        .expect("an answer")
        .map(|found| found.expect("a game").game.tag("White").expect("a tag").to_owned())
        .collect();
    let expected = (0..600).filter(|game| game % 10 != 3).map(|game| game.to_string());
    assert!(names.into_iter().eq(expected));
}

#[test]
fn games_are_listed_with_their_tags() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = ["a.parquet", "b.parquet"].map(|name| packed(folder.path(), name, true));
    let collection = Collection::open(&paths).expect("a collection");
    assert!(collection.paths().eq(&paths));
    let chess: Rules = "chess".parse().expect("a game");
    assert_eq!(collection.rules().expect("games"), [Some(chess); 2]);
    let query = || collection.query().position(AFTER_NF3).notation(Notation::Coordinate);
    let mut listed = Vec::new();
    let count = query().list(|game| {
        let hit = &game.hits()[0];
        assert_eq!(hit.next_move, hit.coordinates);
        let id = game.id().expect("a checksum");
        let read = PackedFile::open(game.path()).and_then(|file| file.game(id.record));
        assert!(read.expect("a game").tags().eq(game.tags()));
        let moved = hit.next_move.clone().unwrap_or_default();
        listed.push((game.file(), game.number(), game.tag("White").map(str::to_owned), moved));
        Ok(())
    });
    assert_eq!(count.expect("an answer"), 4);
    let shown = |file, number, white: &str, moved: &str| {
        (file, number, Some(white.to_owned()), moved.to_owned())
    };
    let games = [(1, "Ada", "b8c6"), (2, "Cy", "d7d6")];
    let expected: Vec<_> = (0..2)
        .flat_map(|file| games.map(|(number, white, moved)| shown(file, number, white, moved)))
        .collect();
    assert_eq!(listed, expected);
    let mut places = Vec::new();
    let count = query().places(|place| {
        places.push(place);
        Ok(())
    });
    assert_eq!(count.expect("an answer"), 4);
    assert!(query().find().expect("an answer").places().eq(places));
    // What fails ends it.
    let failed = query().list(|_| Err(std::io::Error::other("full")));
    assert!(matches!(failed, Err(Error::Io { .. })));
    let pattern = collection.query().pattern("{\"material\": \"KQRBNPKQRBNP\", \"skip\": 1}");
    let (found, mut passed) = (pattern.find().expect("an answer").len() as u64, 0);
    let pattern = collection.query().pattern("{\"material\": \"KQRBNPKQRBNP\", \"skip\": 1}");
    let listed = pattern.list(|_| {
        passed += 1;
        Ok(())
    });
    assert_eq!((listed.expect("an answer"), passed), (found, found));
    assert_eq!(query().check().expect("a position"), Some(format!("{AFTER_NF3} 0 1")));
    assert!(query().uses_index().expect("a position"));
    assert_eq!(query().known_count().expect("an answer"), Some(4));
    assert_eq!(query().player("Ada").known_count().expect("an answer"), None);
    assert_eq!(collection.nearest_names("Adda", 3).expect("names"), ["Ada"]);
}

#[test]
fn found_games_are_written_to_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = ["a.parquet", "b.parquet"].map(|name| packed(folder.path(), name, false));
    let collection = Collection::open(&paths).expect("a collection");
    let wanted = [(1, 3), (0, 2), (1, 3)];
    let extractor = || collection.extractor().games(wanted);
    let mut text = Vec::new();
    let report = extractor().to_writer(&mut text).expect("written");
    assert_eq!((report.games, report.changed), (3, 0));
    let original = |number| collection.query().find().expect("games").nth(number).expect("a game");
    let original = |number| original(number).expect("a game").game.original().expect("bytes");
    let expected = [original(5), original(1), original(5)].concat();
    assert_eq!(String::from_utf8(text), String::from_utf8(expected));

    // A packed file has each game once, in the order of the files.
    let copy = folder.path().join("copy.parquet");
    assert_eq!(extractor().to_file(&copy).expect("packed").games, 2);
    let copied = PackedFile::open(&copy).expect("a packed file");
    let white: Vec<String> = copied
        .games()
        .map(|game| game.expect("a game").tag("White").expect("a tag").to_owned())
        .collect();
    assert_eq!(white, ["Cy", "Di"]);
    assert!(copied.verify().is_ok());

    let mut text = Vec::new();
    let report = extractor().as_pgn(Notation::Coordinate).to_writer(&mut text).expect("written");
    let text = String::from_utf8(text).expect("text");
    assert!(report.games == 3 && text.contains("1. g1f3 e7e5 2. e2e4 d7d6 0-1"), "{text}");

    let refused = |extractor: plypack::Extractor<'_>, name: &str| {
        let path = folder.path().join(name);
        let error = extractor.to_file(&path).expect_err("it is refused");
        assert!(name == "a.parquet" || !path.exists());
        error
    };
    assert!(matches!(refused(extractor(), "a.parquet"), Error::Io { .. }));
    let as_pgn = extractor().as_pgn(Notation::Customary);
    assert!(matches!(refused(as_pgn, "x.parquet"), Error::File { .. }));
    for (game, is_record) in [((0, 0), true), ((1, 4), true), ((2, 1), false)] {
        let error = refused(collection.extractor().games([game]), "x.pgn");
        assert_eq!(matches!(error, Error::Record { .. }), is_record, "{error}");
    }
    let stopped = extractor().progress(|_| ControlFlow::Break(()));
    assert!(matches!(refused(stopped, "x.pgn"), Error::Stopped));
    let first = original(0);
    let game = copied.game(1).expect("a game");
    assert_eq!(game.to_pgn(Notation::Customary).expect("PGN"), game.original().expect("bytes"));
    let link = game.link().expect("a link").expect("moves");
    assert_eq!(link.moves(Notation::Customary).expect("moves").to_string(), "Nf3 e5 e4 d6");
    assert!(first.starts_with(b"[White \"Ada\"]"));
}

#[test]
fn moves_have_numbers() {
    let rules = |name: &str| name.parse::<Rules>().expect("a game");
    let chess = rules("chess");
    assert_eq!(chess.numbered(None, ["e4", "e5", "Nf3"]), "1. e4 e5 2. Nf3");
    let black = Some("4k3/8/8/8/8/8/8/4K3 b - - 0 40");
    assert_eq!(chess.numbered(black, ["Kd7", "Kd2", "Kc7"]), "40... Kd7 41. Kd2 Kc7");
    assert_eq!(chess.move_number(black, 1), "41.");
    assert_eq!(rules("go").numbered(None, ["pd", "dp"]), "1. pd 2. dp");
    assert_eq!(rules("go").spoken(), Notation::Coordinate);
    assert_eq!(rules("xiangqi").sides(), ["Red", "Black"]);
    assert_eq!(chess.left_open("4k3/8/8/8/8/8/8/4K3 w - -"), None);
}

#[test]
fn what_is_public_may_cross_threads() {
    fn check<T: Send + Sync>() {}
    check::<Collection>();
    check::<FoundGames<'static>>();
    check::<OpeningTree>();
}
