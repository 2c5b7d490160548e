//! Reads othello and gomoku files and writes them back byte for byte.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack_records::charset::Charset;
use plypack_records::wthor::{
    File, GAME_BYTES, Game, PLAYER_BYTES, TOURNAMENT_BYTES, read_name, write_name,
};
use plypack_records::{ItemKind, Layout as _, Rendering, Values, psq, transcript};
use plypack_testing::corpus_file as corpus;

#[test]
fn wthor_games_come_back() {
    let years = [1977, 1990, 2005, 2010, 2014, 2015, 2016, 2017];
    let games = [12, 2_986, 4_199, 2_172, 1_817, 1_926, 2_013, 2_449];
    for (year, games) in years.into_iter().zip(games) {
        let Some(bytes) = corpus(&format!("othello/wthor/WTH_{year}.wtb")) else { return };
        let file = File::<GAME_BYTES>::read(&bytes).expect("a header");
        assert_eq!((file.header.year, file.header.games), (year, games));
        assert_eq!(file.records.len(), usize::try_from(games).expect("few"));
        let mut back = Vec::new();
        file.header.write(&mut back);
        for record in file.records {
            let game = Game::read(record);
            assert_eq!(game.rest, [0u8; 0], "{game:?}");
            game.write(&mut back).expect("what was read");
        }
        back.extend(file.tail);
        assert!(back == bytes, "{year}");
    }
}

/// The transcripts equal those that another program made from these files.
#[test]
fn wthor_games_have_the_known_transcripts() {
    let Some(known) = corpus("othello/othello_dev.tsv.xz") else { return };
    let known = String::from_utf8(known).expect("UTF-8");
    let mut compared = 0;
    for year in [2015, 2016, 2017] {
        let name = format!("WTH_{year}.wtb");
        let Some(bytes) = corpus(&format!("othello/wthor/{name}")) else { return };
        let file = File::<GAME_BYTES>::read(&bytes).expect("a header");
        for line in known.lines().filter(|line| line.starts_with(&name)) {
            let mut fields = line.split('\t');
            let mut field = || fields.next().expect("four fields");
            let (id, moves, discs, numbers) = (field(), field(), field(), field());
            let (_, place) = id.split_once('#').expect("a number");
            let game = Game::read(&file.records[place.parse::<usize>().expect("a number")]);
            let Game { tournament, black, white, theoretical, .. } = game;
            assert_eq!((&game.transcript[..], game.discs.to_string()), (moves, discs.into()));
            assert_eq!(format!("{tournament},{black},{white},{theoretical}"), numbers, "{id}");
            compared += 1;
        }
    }
    assert_eq!(compared, 6_384);
}

fn check_names<const BYTES: usize>(name: &str, count: usize) {
    let Some(bytes) = corpus(&format!("othello/wthor/{name}")) else { return };
    let file = File::<BYTES>::read(&bytes).expect("a header");
    assert_eq!((file.records.len(), usize::from(file.header.names)), (count, count));
    let mut back = Vec::new();
    file.header.write(&mut back);
    for record in file.records {
        write_name(&read_name(record), BYTES, &mut back).expect("what was read");
    }
    back.extend(file.tail);
    assert!(back == bytes, "{name}");
}

#[test]
fn wthor_names_come_back() {
    check_names::<PLAYER_BYTES>("WTH.JOU", 4_448);
    check_names::<TOURNAMENT_BYTES>("WTH.TRN", 492);
}

/// Reads every line of a file, as it stands and with its transcript in other spellings.
fn check_transcripts(name: &str, field: usize, plies: usize) {
    let Some(text) = corpus(name) else { return };
    let text = String::from_utf8(text).expect("UTF-8");
    let mut moves = 0;
    for line in text.split_inclusive('\n') {
        let (read, _) = transcript::parse(line, Charset::Utf8);
        let expected = line.split('\t').nth(field).expect("a transcript");
        assert_eq!(read.moves.concat(), expected);
        assert_eq!(read.items.len(), read.moves.len());
        moves += read.moves.len();
        let spellings = [
            line.to_owned(),
            format!("{}\r\n", expected.to_ascii_uppercase()),
            format!("{} -1\n", read.moves.join(" ")),
            read.moves.join(","),
        ];
        for spelling in spellings {
            let (read, layout) = transcript::parse(&spelling, Charset::Utf8);
            let small: Vec<String> = read.moves.iter().map(|mv| mv.to_ascii_lowercase()).collect();
            assert_eq!(small.concat(), expected);
            assert_eq!(layout.to_string().parse(), Ok(layout));
            let kinds = read.items.iter().map(|item| item.kind);
            let pieces: Vec<(ItemKind, &str)> =
                kinds.zip(small.iter().map(String::as_str)).collect();
            let (tags, pieces, values) = (&read.tag_list(), &pieces, &[]);
            let rendering = Rendering { tags, pieces, values, number: 1, second: false };
            let back = layout.render(&rendering);
            assert_eq!(back.as_deref(), Some(spelling.as_bytes()));
        }
    }
    assert_eq!(moves, plies, "{name}");
}

#[test]
fn transcripts_come_back() {
    check_transcripts("othello/othello_dev.tsv.xz", 1, 527_104);
    check_transcripts("gomoku/syn_dev.tsv.xz", 2, 203_309);
}

#[test]
#[ignore = "takes long"]
fn more_transcripts_come_back() {
    check_transcripts("othello/othello_train.tsv.xz", 1, 6_911_031);
    check_transcripts("gomoku/syn_train.tsv.xz", 2, 1_573_401);
}

#[test]
fn the_record_of_a_gomocup_comes_back() {
    let Some(bytes) = corpus("gomoku/1x0-16(2).psq") else { return };
    let text = String::from_utf8(bytes).expect("ASCII");
    let psq = psq::parse(&text, Charset::Utf8).expect("a record");
    let tag = |name| psq.record.tag(name).expect(name);
    assert_eq!((tag("Size"), psq.record.moves.len()), ("20x20", 16));
    assert_eq!([tag("Black"), tag("White")], ["pisq7.exe", "renjusolver.ZIP"]);
    let timed = |&time: &u32| Values { clock: Some(time), evaluation: None };
    let values: Vec<Values> = psq.times.iter().map(timed).collect();
    let (tags, pieces, values) = (&psq.record.tag_list(), &psq.record.pieces(), &values);
    let back = psq.layout.render(&Rendering { tags, pieces, values, number: 1, second: false });
    assert_eq!(back.as_deref(), Some(text.as_bytes()));
    // The second player has five in a row at the end.
    let second: Vec<&str> = psq.record.moves.iter().skip(1).step_by(2).copied().collect();
    assert!((11..=15).all(|column| second.contains(&&*format!("{column},12"))), "{second:?}");
    assert_eq!(psq.record.moves.last(), Some(&"15,12"));
}
