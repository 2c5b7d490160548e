//! SGF, the Smart Game Format: trees of nodes in parentheses, each with properties. Version 4 is
//! described at red-bean.com/sgf, earlier versions by A. Kierulf, "Smart Game Board" (1990), and M.
//! Müller (1993). Lists of bare nodes, one game per line, as in the archives of TYGEM, are read as
//! well.

pub mod layout;
pub mod parse;
mod split;
mod tree;

pub use layout::Layout;
pub use parse::{Sgf, parse};

use crate::charset::{self, Charset};
use crate::format::{Content, Format, FormatInfo, Head, Reader, Reading, Rules, Sniffed, Sure};
use crate::layout::{Layout as AnyLayout, boxed};
use crate::record::Record;
use crate::split::Splitter;

/// The name of the format, in layouts and in games that use it, and of its move notation.
pub const NAME: &str = "sgf";

/// The name of its move notation in which a pass is `tt`.
const TT_NAME: &str = "sgf-tt";

/// The name of its move notation in which points have the game's own names.
const NAMES_NAME: &str = "sgf-names";

const TITLE: &str = "SGF";

/// The game of records that do not name one.
const USUAL: &str = "go";

/// The supported games, by their numbers in the property GM.
const GAMES: [(&str, &str); 3] = [("1", USUAL), ("2", "othello"), ("4", "gomoku")];

/// The tag for the text before a list of bare nodes.
const ID: &str = "Id";

/// The tag for the size of the board.
pub const SIZE: &str = "Size";

/// The properties of the root whose columns have PGN's names, or names in its style.
const NAMES: [(&str, &str); 27] = [
    ("AN", "Annotator"),
    ("BR", "BlackRank"),
    ("BT", "BlackTeam"),
    ("CP", "Copyright"),
    ("DT", "Date"),
    ("EV", "Event"),
    ("GC", "GameComment"),
    ("GN", "GameName"),
    ("HA", "Handicap"),
    ("KM", "Komi"),
    ("ON", "Opening"),
    ("OT", "Overtime"),
    ("PB", "Black"),
    ("PC", "Site"),
    ("PW", "White"),
    ("RE", "Result"),
    ("RO", "Round"),
    ("RU", "Rules"),
    ("SO", "Source"),
    ("SZ", SIZE),
    ("TM", "TimeLimit"),
    ("US", "User"),
    ("WR", "WhiteRank"),
    ("WT", "WhiteTeam"),
    ("CA", "Charset"),
    ("AP", "Application"),
    ("C", "RootComment"),
];

/// The tag of a property.
fn tag_of(property: &str) -> &str {
    NAMES.iter().find(|names| names.0 == property).map_or(property, |names| names.1)
}

/// The property of a tag.
fn property_of(tag: &str) -> &str {
    NAMES.iter().find(|names| names.1 == tag).map_or(tag, |names| names.0)
}

/// The SGF format.
#[derive(Debug)]
pub struct SgfFormat;

impl Reader for SgfFormat {
    fn info(&self) -> &'static FormatInfo {
        &FormatInfo { name: NAME, title: TITLE, content: Content::Games, every_game: false }
    }

    fn escapes_comments(&self) -> bool {
        true
    }

    fn announces(&self, text: &str) -> bool {
        let first = text.trim_ascii_start().lines().next().unwrap_or_default();
        begins_tree(text.as_bytes()) || begins_list(first.as_bytes())
    }

    fn game(&self, text: &str) -> Option<&'static str> {
        let number = number(text);
        let known = GAMES.iter().find(|game| Some(game.0) == number);
        Some(known.map_or(USUAL, |game| game.1))
    }

    fn record<'a>(&self, text: &'a str, rules: &dyn Rules) -> Option<Record<'a>> {
        parse(text, Charset::Utf8, rules).map(|sgf| sgf.record)
    }
}

impl Format for SgfFormat {
    fn sniff(&self, head: &Head<'_>, _: &[&dyn Rules]) -> Option<Sniffed> {
        let sure = if begins_tree(head.bytes)
            || charset::is_utf16(head.bytes) && {
                let (_, text) = charset::decode(whole_units(head.bytes), "");
                begins_tree(text.as_bytes())
            } {
            Sure::Certainly
        } else {
            let lines = head.lines.iter().take(8);
            let listed = lines.clone().filter(|line| begins_list(line)).count();
            (listed > 0 && 2 * listed > lines.count()).then_some(Sure::Likely)?
        };
        Some(Sniffed { sure, game: None })
    }

    fn splitter(&self, newline: u8) -> Box<dyn Splitter> {
        Box::new(split::Trees::new(newline))
    }

    fn charset(&self, record: &[u8]) -> Option<Charset> {
        let head = record.get(..record.len().min(HEAD_BYTES))?;
        let at = memchr::memmem::find(head, b"CA[")?;
        let value = head.get(at + 3..)?;
        let value = value.get(..memchr::memchr(b']', value)?)?;
        Charset::of_label(std::str::from_utf8(value).ok()?)
    }

    fn read<'a>(&self, text: &'a str, charset: Charset, rules: &dyn Rules) -> Option<Reading<'a>> {
        let Sgf { record, layout } = parse(text, charset, rules)?;
        Some(Reading::new(record, boxed(layout)))
    }

    fn layout(&self, text: &str) -> Result<Box<dyn AnyLayout>, String> {
        text.parse::<Layout>().map(boxed)
    }
}

/// The value of the property GM, if it is in its usual place. A guess is enough: it only decides
/// which game reads the record first.
fn number(text: &str) -> Option<&str> {
    let head = text.get(..text.floor_char_boundary(HEAD_BYTES))?;
    memchr::memmem::find_iter(head.as_bytes(), b"GM").find_map(|at| {
        let (before, behind) = (head.get(..at)?, head.get(at + 2..)?);
        let value = behind.trim_ascii_start().strip_prefix('[')?;
        let is_own = !before.ends_with(|byte: char| byte.is_ascii_alphanumeric());
        value.split_once(']').filter(|_| is_own).map(|value| value.0.trim_ascii())
    })
}

/// The number of leading bytes of a record that are searched for its character set and game.
const HEAD_BYTES: usize = 1 << 12;

/// Whether bytes begin with a tree: a parenthesis and a semicolon.
fn begins_tree(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let node = text.strip_prefix(b"(").map(<[u8]>::trim_ascii_start);
    node.is_some_and(|node| node.starts_with(b";"))
}

/// Whether a line is a list of bare nodes, with or without a field before it.
fn begins_list(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let nodes = match memchr::memchr(b'\t', line) {
        Some(tab) => line.get(tab + 1..).unwrap_or_default(),
        None => line,
    };
    matches!(nodes, [b';', b'B' | b'W', b'[', ..])
}

/// Bytes without a trailing half of a UTF-16 unit.
fn whole_units(bytes: &[u8]) -> &[u8] {
    bytes.get(..bytes.len() & !1).unwrap_or(bytes)
}
