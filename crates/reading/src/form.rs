//! The form of a record of a game: which syntax it is in, what its layout is called, and the way
//! from a text to what it says and back to bytes.

use std::ops::Range;

use plypack_core::{ErasedGame, GameInfo, Notation, Turn};
use plypack_records::charset::Charset;
use plypack_records::dhtmlxq::{self, Page};
use plypack_records::pgn::{
    self, Kind, Layout, Record, Rendering, ReviewStyle, Spelling, ValueStyle, Values,
};
use plypack_records::psq::{self, Psq};
use plypack_records::{START_TAG, Syntax, transcript, wthor};

/// Whether there are games with records in other syntaxes than PGN. A browser that begins with
/// chess alone does not fetch their readers.
const HAS_SYNTAXES: bool = cfg!(feature = "all-games");

/// The layout of a record in the syntax that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// PGN.
    Pgn(Layout),
    /// The fields of a page with DhtmlXQ. What surrounds them is in the patch.
    Page(dhtmlxq::Layout),
    /// A PSQ. The times of its moves are the clock readings.
    Psq(psq::Layout),
    /// A line with a transcript.
    Transcript(transcript::Layout),
    /// A game of a file of WTHOR.
    Wthor(wthor::Layout),
}

impl Form {
    /// The notation that the moves are in. `None` if the game has none of that name.
    pub fn notation(&self, info: &GameInfo) -> Option<Notation> {
        match self {
            Self::Pgn(layout) => notation(&layout.spelling, info),
            Self::Page(_) => info.notation(dhtmlxq::NOTATION),
            Self::Psq(_) => info.notation(psq::NOTATION),
            Self::Transcript(_) | Self::Wthor(_) => Some(Notation::Customary),
        }
    }

    /// How clock readings and evaluations stand in comments, if they do.
    pub fn values(&self) -> Option<ValueStyle> {
        match self {
            Self::Pgn(layout) => layout.values,
            _ => None,
        }
    }

    /// How reviews are written, if there are any.
    #[must_use]
    pub fn reviews(&self) -> Option<&ReviewStyle> {
        match self {
            Self::Pgn(layout) => layout.reviews.as_ref(),
            _ => None,
        }
    }

    /// Writes a record out. `None` if the layout cannot.
    pub fn render<'a>(
        &self,
        tags: &[(&str, &str)],
        pieces: impl Iterator<Item = (Kind, &'a str)>,
        values: &[Values],
        Turn { number, second }: Turn,
    ) -> Option<Vec<u8>> {
        match self {
            Self::Pgn(layout) => layout.render(Rendering { tags, pieces, number, second }),
            Self::Page(layout) => layout.render(tags, pieces),
            Self::Psq(layout) => {
                layout.render(tags, pieces, values.iter().map_while(|values| values.clock))
            }
            Self::Transcript(layout) => layout.render(tags, pieces),
            Self::Wthor(layout) => layout.render(tags, pieces),
        }
    }
}

impl std::str::FromStr for Form {
    type Err = String;

    /// # Errors
    /// The word that is not known, in a sentence: a newer version may have written it.
    fn from_str(text: &str) -> Result<Self, String> {
        if dhtmlxq::Layout::is_text(text) {
            text.parse().map(Self::Page)
        } else if psq::Layout::is_text(text) {
            text.parse().map(Self::Psq)
        } else if transcript::Layout::is_text(text) {
            text.parse().map(Self::Transcript)
        } else if wthor::Layout::is_text(text) {
            text.parse().map(Self::Wthor)
        } else {
            text.parse().map(Self::Pgn)
        }
    }
}

impl std::fmt::Display for Form {
    /// The layout's text, as the `layout` column keeps it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pgn(layout) => layout.fmt(f),
            Self::Page(layout) => layout.fmt(f),
            Self::Psq(layout) => layout.fmt(f),
            Self::Transcript(layout) => layout.fmt(f),
            Self::Wthor(layout) => layout.fmt(f),
        }
    }
}

/// The notation that the moves of a PGN are in. `None` if the game has none of that name.
#[must_use]
pub fn notation(spelling: &Spelling, info: &GameInfo) -> Option<Notation> {
    match spelling {
        Spelling::Coordinates => Some(Notation::Coordinate),
        Spelling::Named(name) => info.notation(name),
        Spelling::Customary | Spelling::MateAsCheck | Spelling::Unmarked => {
            Some(Notation::Customary)
        }
    }
}

/// What the text of a record says.
#[derive(Debug)]
pub struct Reading<'a> {
    /// Its tags and moves.
    pub record: Record<'a>,
    /// The form, if it is another than PGN, of which there are many.
    pub form: Option<Form>,
    /// Where in the text stands what the form writes; `None` if that is all of the record.
    pub place: Option<Range<usize>>,
    /// How long each move took, in units of 10^-[`psq::DECIMALS`] seconds, if the form has times.
    pub times: Vec<u32>,
}

/// Reads the text of a record of a game. What it says of its start becomes a FEN tag.
pub fn read<'a>(
    game: &dyn ErasedGame,
    text: &'a str,
    charset: Charset,
    syntax: Syntax,
) -> Reading<'a> {
    let info = game.info();
    let whole = |record, form| Reading { record, form: Some(form), place: None, times: Vec::new() };
    match syntax {
        Syntax::Transcript if HAS_SYNTAXES => {
            let (mut record, layout) = transcript::parse(text, charset);
            let (fields, others) = record.tags.split_at(layout.before_moves.into());
            let before = others.iter().filter(|tag| tag.0 == transcript::BEFORE);
            let head = fields.iter().chain(before).map(|tag| tag.1.to_string()).collect::<Vec<_>>();
            add_start(game, &head.join(" "), &mut record);
            return whole(record, Form::Transcript(layout));
        }
        Syntax::Wthor if HAS_SYNTAXES => {
            if let Some((record, layout)) = wthor::parse(text) {
                return whole(record, Form::Wthor(layout));
            }
        }
        _ => {}
    }
    if HAS_SYNTAXES
        && info.notation(dhtmlxq::NOTATION).is_some()
        && let Some(Page { fields, record, layout }) = dhtmlxq::parse(text, charset)
    {
        let form = Some(Form::Page(layout));
        return Reading { record, form, place: Some(fields), times: Vec::new() };
    }
    if HAS_SYNTAXES
        && info.notation(psq::NOTATION).is_some()
        && let Some(Psq { mut record, times, layout }) = psq::parse(text, charset)
    {
        let size = record.tag(psq::SIZE).unwrap_or_default().to_owned();
        add_start(game, &size, &mut record);
        return Reading { times, ..whole(record, Form::Psq(layout)) };
    }
    Reading { record: pgn::parse(text), form: None, place: None, times: Vec::new() }
}

/// Adds a FEN tag for the start that the words of a head or the moves tell of.
fn add_start(game: &dyn ErasedGame, head: &str, record: &mut Record<'_>) {
    let head: Vec<&str> = head.split_ascii_whitespace().collect();
    let start = game.start_told(&head, &record.moves);
    record.tags.extend(start.map(|start| (START_TAG, start.into())));
}

/// What a record of a game says, or moves alone, as people write them.
#[must_use]
pub fn parse<'a>(game: &dyn ErasedGame, text: &'a str, syntax: Syntax) -> Record<'a> {
    let info = game.info();
    let mut list = None;
    if !HAS_SYNTAXES {
        return pgn::parse(text);
    }
    if syntax == Syntax::Pgn && info.notation(dhtmlxq::NOTATION).is_some() {
        list = dhtmlxq::parse_list(text);
    }
    if syntax == Syntax::Pgn && info.syntaxes.contains(&transcript::NAME) {
        list = transcript::parse_list(text);
        list.iter_mut().for_each(|record| add_start(game, "", record));
    }
    list.unwrap_or_else(|| read(game, text, Charset::Utf8, syntax).record)
}

/// Whether a text is that of moves in a syntax other than PGN, which could not be coded.
pub fn is_tail(text: &str) -> bool {
    dhtmlxq::is_list(text) || transcript::is_list(text) || psq::is_list(text)
}
