//! The layout of a record in bytes, as a short text that many records share: the name of the
//! format, then a word for each non-default setting.

use std::fmt::{self, Debug, Display, Write};

use crate::charset::Charset;
use crate::pgn::{ReviewStyle, ValueStyle};
use crate::record::{ItemKind, Values};

/// A layout. Files store its text, which [`Format::layout`](crate::Format::layout) reads.
///
/// A layout and the contents of a record give back the record's bytes. The caller writes the record
/// and compares, so nothing relies on the layout being right.
pub trait Layout: Display + Debug + Send + Sync {
    /// The notation of moves.
    fn notation(&self) -> NotationName<'_>;

    /// The style of clock readings and evaluations in comments, if there are any.
    fn values(&self) -> Option<ValueStyle> {
        None
    }

    /// The style of reviews, if there are any.
    fn reviews(&self) -> Option<&ReviewStyle> {
        None
    }

    /// Whether it breaks the lines of comments itself: a newline in one is as good as a space.
    fn fills_comments(&self) -> bool {
        false
    }

    /// Writes a record. `None` if this layout cannot hold it.
    fn render(&self, record: &Rendering<'_>) -> Option<Vec<u8>>;
}

/// A move notation, as layouts name it. The game resolves the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotationName<'a> {
    /// The game's customary notation.
    Customary,
    /// Coordinates.
    Coordinates,
    /// The notation with this name.
    Named(&'a str),
}

/// The contents of a record to write.
#[derive(Clone, Copy, Debug)]
pub struct Rendering<'a> {
    /// Tags in order.
    pub tags: &'a [(&'a str, &'a str)],
    /// The items of the movetext, without the result: their kinds and texts, in the order of
    /// [`Record::items`](crate::record::Record::items). A layout that writes the main line before
    /// its alternatives reorders them itself.
    pub pieces: &'a [(ItemKind, &'a str)],
    /// The known values of the main line's moves. Those written in comments are among the pieces.
    pub values: &'a [Values],
    /// The number of the first move.
    pub number: u32,
    /// Whether the second player makes the first move.
    pub second: bool,
}

impl Rendering<'_> {
    /// The value of the first tag with this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.0 == name).map(|tag| tag.1)
    }
}

/// Boxes a layout as a trait object.
pub(crate) fn boxed<L: Layout + 'static>(layout: L) -> Box<dyn Layout> {
    Box::new(layout)
}

/// The longest white space that a layout holds, in characters.
pub(crate) const SPACE_MAX: usize = 64;

/// Whether a text is a layout of the format with this name.
pub(crate) fn is_of(name: &str, text: &str) -> bool {
    text.split(' ').next() == Some(name)
}

/// Reads the words after the format's name, each `key=value`, in order, into a layout. `take`
/// returns `None` for a word that it does not know.
///
/// # Errors
/// Returns an error if the layout is of another format, or if a word is unknown; a newer version
/// may have written it.
pub(crate) fn read_words<'a, L>(
    (name, title): (&str, &str),
    text: &'a str,
    mut layout: L,
    mut take: impl FnMut(&mut L, &'a str, &'a str) -> Option<()>,
) -> Result<L, String> {
    if !is_of(name, text) {
        return Err(format!("`{text}` is not a layout of {title}"));
    }
    for word in text.split(' ').skip(1) {
        let taken = word.split_once('=').and_then(|(key, value)| take(&mut layout, key, value));
        taken.ok_or_else(|| unknown(word))?;
    }
    Ok(layout)
}

/// Reads a format's layout from its text by [`read_words`], beginning with the default.
macro_rules! from_words {
    ($take:expr) => {
        impl std::str::FromStr for Layout {
            type Err = String;

            /// # Errors
            /// Returns an error that names the unknown word; a newer version may have written it.
            fn from_str(text: &str) -> Result<Self, String> {
                let format = (super::NAME, super::TITLE);
                crate::layout::read_words(format, text, Self::default(), $take)
            }
        }
    };
}

pub(crate) use from_words;

/// The message for an unknown word.
pub(crate) fn unknown(word: &str) -> String {
    format!("layout word `{word}` is unknown: a newer plypack wrote it; update plypack to read it")
}

/// Writes the word for a charset, unless it is the default.
pub(crate) fn write_charset(charset: Charset, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match charset == Charset::default() {
        true => Ok(()),
        false => write!(f, " charset={}", charset.name()),
    }
}

/// The letters that stand for white space.
const SPACES: [(char, char); 4] = [('\n', 'n'), ('\r', 'r'), (' ', 's'), ('\t', 't')];

/// The letter for a white space.
pub(crate) fn letter_of(space: char) -> Option<char> {
    SPACES.iter().find(|known| known.0 == space).map(|known| known.1)
}

/// The reverse of [`letter_of`].
pub(crate) fn space_of(letter: char) -> Option<char> {
    SPACES.iter().find(|known| known.1 == letter).map(|known| known.0)
}

/// Encodes white space as letters: n for a newline, r for a carriage return, s for a space, t for a
/// tab. `None` if the text is too long or has anything else.
pub(crate) fn write_space(space: &str) -> Option<String> {
    space.chars().map(letter_of).collect::<Option<_>>().filter(|_| space.len() <= SPACE_MAX)
}

/// The reverse of [`write_space`].
pub(crate) fn read_space(letters: &str) -> Option<String> {
    letters.chars().map(space_of).collect::<Option<_>>().filter(|_| letters.len() <= SPACE_MAX)
}

/// Bytes in hexadecimal.
pub(crate) fn write_hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The reverse of [`write_hexadecimal`]. `None` for any other text.
pub(crate) fn read_hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digit = |sign: u8| match sign {
        b'0'..=b'9' => Some(sign - b'0'),
        b'a'..=b'f' => Some(sign - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?));
    bytes.collect::<Option<_>>().filter(|_| rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_in_order() {
        fn read(text: &str) -> Result<String, String> {
            read_words(("psq", "PSQ"), text, String::new(), |taken, key, value| {
                taken.push_str(value);
                (key != "new").then_some(())
            })
        }
        assert_eq!(read("psq a=1 b=2=3").as_deref(), Ok("12=3"));
        assert_eq!(read("psq").as_deref(), Ok(""));
        let other = read("pgn a=1").expect_err("another format");
        assert!(other.contains("`pgn a=1`") && other.contains("PSQ"), "{other}");
        for word in ["new=1", "a", ""] {
            let why = read(&format!("psq {word}")).expect_err("an unknown word");
            assert!(why.contains(&format!("`{word}`")), "{why}");
        }
    }

    #[test]
    fn white_space_has_letters() {
        assert_eq!(write_space("\r\n \t").as_deref(), Some("rnst"));
        assert_eq!(read_space("rnst").as_deref(), Some("\r\n \t"));
        assert_eq!((write_space("x"), read_space("x")), (None, None));
        let long = " ".repeat(SPACE_MAX + 1);
        assert_eq!((write_space(&long), read_space(&"s".repeat(SPACE_MAX + 1))), (None, None));
        assert_eq!(write_hexadecimal(&[0, 0x7f, 0xa0]), "007fa0");
        assert_eq!(read_hexadecimal("007fa0"), Some(vec![0, 0x7f, 0xa0]));
        for odd in ["0", "7F", "+1", "\u{e9}"] {
            assert_eq!(read_hexadecimal(odd), None, "{odd}");
        }
    }
}
