//! Tests every format on its samples in `vectors/format/NAME`. A new format needs an entry and
//! samples, but no test. A sample's name begins with the name of its first record's game.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::path::Path;

use plypack::reading::identify::Decoded;
use plypack::reading::record::{parse, read};
use plypack::reading::{Identity, identify};
use plypack_core::ErasedRules;
use plypack_games::GAMES;
use plypack_records::{
    Content, FORMATS, Format, Layout, NotationName, Reading, Rendering, START_TAG, Sketch, Values,
};

/// The samples of a format: their names and bytes.
fn samples(format: &dyn Format) -> Vec<(String, Vec<u8>)> {
    let name = format.info().name;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/format");
    let folder = root.join(name);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|_| panic!("{name} has no samples"));
    let mut samples: Vec<(String, Vec<u8>)> = files
        .map(|file| {
            let path = file.expect("an entry").path();
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            (name, std::fs::read(&path).expect("a file"))
        })
        .collect();
    samples.sort();
    assert!(!samples.is_empty(), "{name} has no samples");
    samples
}

/// Every sample with its format.
fn all() -> Vec<(&'static dyn Format, String, Vec<u8>)> {
    let of = |format: &&'static dyn Format| {
        let format = *format;
        samples(format).into_iter().map(move |(name, bytes)| (format, name, bytes))
    };
    FORMATS.iter().flat_map(of).collect()
}

/// The game of records that do not name one.
fn usual() -> &'static dyn ErasedRules {
    plypack_games::game("chess").expect("a game")
}

/// What a record's layout writes, and what it should write.
struct Written {
    layout: Box<dyn Layout>,
    bytes: Option<Vec<u8>>,
    expected: Vec<u8>,
}

/// Reads a record and writes it with its layout, or with the best guess. `None` if it is in another
/// format than its input, such as a comment among positions.
fn write(identity: &Identity, record: &[u8]) -> Option<Written> {
    let Decoded { game, charset, text } = identity.decode(record, usual(), true);
    let (format, reading) = read(game, &text, charset, identity.format);
    if format.info().name != identity.format.info().name {
        return None;
    }
    let Reading { record: said, layout, place, times, .. } = reading;
    let timed = |&time: &u32| Values { clock: Some(time), evaluation: None };
    let values: Vec<Values> = times.iter().map(timed).collect();
    let (tags, pieces) = (said.tag_list(), said.pieces());
    let second = game.turn(said.tag(START_TAG)).is_ok_and(|turn| turn.second);
    let (tags, pieces, values) = (&tags, &pieces, &values);
    let rendering = Rendering { tags, pieces, values, number: 1, second };
    let sketch = Sketch {
        text: &text,
        charset,
        record: &said,
        moves: &said.moves,
        notation: NotationName::Customary,
        values: None,
        reviews: None,
        second,
    };
    let mut layouts = match layout {
        Some(layout) => vec![layout],
        None => format.guess(&sketch),
    };
    let mut rendered = layouts.iter().map(|layout| layout.render(&rendering));
    let best = rendered.position(|bytes| bytes.as_deref() == Some(record)).unwrap_or(0);
    let layout = if layouts.is_empty() { return None } else { layouts.swap_remove(best) };
    let bytes = layout.render(&rendering);
    let expected = match place {
        Some(place) => plypack_records::charset::encode(text[place].to_owned(), charset)?,
        None => record.to_vec(),
    };
    Some(Written { layout, bytes, expected })
}

#[test]
fn names_are_unique() {
    for (place, format) in FORMATS.iter().enumerate() {
        let name = format.info().name;
        assert!(name.bytes().all(|sign| sign.is_ascii_lowercase()), "{name}");
        assert_eq!(FORMATS.iter().position(|other| other.info().name == name), Some(place));
        assert_eq!(plypack_records::format(name).map(|found| found.info().name), Some(name));
    }
}

#[test]
fn samples_are_identified() {
    for (format, name, bytes) in all() {
        let identity = identify(&bytes, true, GAMES);
        assert_eq!(identity.format.info().name, format.info().name, "{name}");
        assert_eq!(identity.content(), format.info().content, "{name}");
        assert_eq!(identity.compression, None, "{name}");
        let records = identity.format.splitter(identity.newline).records(&bytes);
        let first = records.iter().find(|record| write(&identity, record).is_some());
        let first = first.expect("a record that is read");
        let Decoded { game, .. } = identity.decode(first, usual(), true);
        assert!(name.starts_with(game.info().name), "{name} is of {}", game.info().name);
    }
}

#[test]
fn samples_are_cut_alike_however_they_come() {
    for (format, name, bytes) in all() {
        let whole = format.splitter(b'\n').records(&bytes);
        assert_eq!(whole.concat(), bytes, "{name}");
        let mut splitter = format.splitter(b'\n');
        let (mut start, mut found) = (0, Vec::new());
        for end in 0..=bytes.len() {
            let last = end == bytes.len();
            while let Some(length) = splitter.next(&bytes[start..end], last) {
                found.push(&bytes[start..start + length]);
                start += length;
            }
        }
        found.extend(Some(&bytes[start..]).filter(|rest| !rest.is_empty()));
        assert_eq!(found, whole, "{name}");
    }
}

/// The lengths of the records if each has at most `most` bytes.
fn cut_short(format: &dyn Format, bytes: &[u8], most: usize) -> Vec<usize> {
    let mut splitter = format.splitter(b'\n');
    let (mut start, mut lengths) = (0, Vec::new());
    while start < bytes.len() {
        let open = &bytes[start..bytes.len().min(start + most)];
        let length = splitter.next(open, true).unwrap_or_else(|| {
            splitter.cut(open);
            open.len()
        });
        lengths.push(length);
        start += length;
    }
    lengths
}

#[test]
fn records_that_are_too_long_are_cut() {
    for (format, name, bytes) in all() {
        for most in [1, 7, 90, bytes.len()] {
            let lengths = cut_short(format, &bytes, most);
            assert!(lengths.iter().all(|&length| (1..=most).contains(&length)), "{name}");
            assert_eq!(lengths.iter().sum::<usize>(), bytes.len(), "{name}");
        }
    }
}

#[test]
fn samples_are_read_and_written_back() {
    for (format, name, bytes) in all() {
        let identity = identify(&bytes, true, GAMES);
        let (mut read, mut lines) = (0, 0);
        let mut splitter = identity.format.splitter(identity.newline);
        for record in splitter.records(&bytes) {
            lines += splitter.lines(record);
            let Some(Written { layout, bytes, expected }) = write(&identity, record) else {
                continue;
            };
            let text = layout.to_string();
            let own = format.layout(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
            let found = plypack_records::format::layout(&text).expect(&name);
            assert_eq!([own.to_string(), found.to_string()], [&*text, &*text], "{name}");
            let shown = String::from_utf8_lossy(record);
            assert_eq!(bytes, Some(expected), "{name}: {text}: {shown}");
            read += 1;
        }
        assert!(read > 0 && lines > 0, "{name}");
    }
}

#[test]
fn games_of_samples_are_legal() {
    for (format, name, bytes) in all() {
        let identity = identify(&bytes, true, GAMES);
        for record in format.splitter(identity.newline).records(&bytes) {
            let Decoded { game, charset, text } = identity.decode(record, usual(), true);
            let (_, Reading { record, .. }) = read(game, &text, charset, format);
            // Reading without a layout gives the same record.
            assert_eq!(parse(game, &text, format), record, "{name}");
            let moves = &mut record.moves.iter().copied();
            let (indices, stopped) = game.read_moves(record.tag(START_TAG), moves).expect(&name);
            let holds_positions = format.info().content == Content::Positions;
            assert!(holds_positions || stopped.is_none(), "{name}: {stopped:?}");
            assert!(holds_positions || !indices.is_empty(), "{name}");
        }
    }
}

#[test]
fn unknown_words_of_layouts_are_refused() {
    for (format, name, bytes) in all() {
        let identity = identify(&bytes, true, GAMES);
        let records = format.splitter(identity.newline).records(&bytes);
        for Written { layout, .. } in records.iter().filter_map(|record| write(&identity, record)) {
            let text = layout.to_string();
            for odd in [format!("{text} new=1"), format!("{text} new"), format!("x{text}")] {
                let why = format.layout(&odd).expect_err(&name);
                assert!(!why.is_empty() && format.layout(&text).is_ok(), "{name}");
                assert!(plypack_records::format::layout(&odd).is_err(), "{name}");
            }
            // A cut may leave another layout, and must not panic.
            let cuts = (0..text.len()).filter(|at| text.is_char_boundary(*at));
            cuts.for_each(|at| drop(format.layout(&text[..at])));
        }
    }
}

#[test]
fn layouts_are_described() {
    let document = include_str!("../../../../docs/FORMAT.md");
    for name in FORMATS.iter().map(|format| format.info().name) {
        let said = format!("the word `{name}`");
        assert!(document.contains(&said), "docs/FORMAT.md has no layout that is {said}");
    }
}

/// Processes damaged bytes: nothing may panic, and no byte may be lost.
fn survive(format: &'static dyn Format, name: &str, bytes: &[u8]) {
    let identity = Identity { format, ..identify(bytes, true, GAMES) };
    let records = format.splitter(identity.newline).records(bytes);
    assert_eq!(records.concat(), bytes, "{name}");
    records.iter().for_each(|record| drop(write(&identity, record)));
}

#[test]
fn damaged_samples_are_read_as_something() {
    for (format, name, bytes) in all() {
        for cut in (0..bytes.len()).step_by(1 + bytes.len() / 24) {
            survive(format, &name, &bytes[..cut]);
            survive(format, &name, &bytes[cut..]);
        }
        for at in (0..bytes.len()).step_by(1 + bytes.len() / 48) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            survive(format, &name, &flipped);
        }
    }
}
