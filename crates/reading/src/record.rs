//! What the text of a record of a game says, in whichever format it is.

use plypack_core::{ErasedGame, GameInfo, Notation};
use plypack_records::charset::Charset;
use plypack_records::{Content, FALLBACK, FORMATS, Format, NotationName, Reading, Record, pgn};

use crate::rules::OfGame;

/// Reads the text of a record of an input in this format, and says which format it is in itself.
/// What it says of its start becomes a FEN tag.
///
/// A record that is not in the input's format is in one that its text announces, or else in the
/// fallback, which reads every text.
#[must_use]
pub fn read<'a>(
    game: &dyn ErasedGame,
    text: &'a str,
    charset: Charset,
    format: &'static dyn Format,
) -> (&'static dyn Format, Reading<'a>) {
    let rules = OfGame(game);
    let known = FORMATS.iter().copied().filter(|format| format.serves(&rules));
    let own = Some(format).filter(|format| format.serves(&rules) && !is_fallback(*format));
    let mut readings = own
        .into_iter()
        .chain(known.filter(|format| format.announces(text)))
        .filter_map(|format| Some((format, format.read(text, charset, &rules)?)));
    readings.next().unwrap_or_else(|| (FALLBACK, Reading::without_layout(pgn::parse(text))))
}

fn is_fallback(format: &dyn Format) -> bool {
    format.info().name == FALLBACK.info().name
}

/// What a record of a game says, or moves alone, as people write them.
#[must_use]
pub fn parse<'a>(game: &dyn ErasedGame, text: &'a str, format: &'static dyn Format) -> Record<'a> {
    let rules = OfGame(game);
    let served = FORMATS.iter().filter(|other| other.serves(&rules));
    let list = served.filter_map(|other| other.read_list(text, &rules)).next();
    // Moves alone may stand in a text of any kind, but a record of an input is what that says.
    let list = list.filter(|_| format.info().every_game && format.info().content == Content::Games);
    list.unwrap_or_else(|| read(game, text, Charset::Utf8, format).1.record)
}

/// The notation that moves are in. `None` if the game has none of that name.
#[must_use]
pub fn notation(name: NotationName<'_>, info: &GameInfo) -> Option<Notation> {
    match name {
        NotationName::Customary => Some(Notation::Customary),
        NotationName::Coordinates => Some(Notation::Coordinate),
        NotationName::Named(name) => info.notation(name),
    }
}

/// The name of a notation of a game.
#[must_use]
pub fn name_of(notation: Notation, info: &GameInfo) -> NotationName<'static> {
    match notation {
        Notation::Customary => NotationName::Customary,
        Notation::Coordinate => NotationName::Coordinates,
        Notation::Other(place) => info
            .notations
            .get(usize::from(place))
            .map_or(NotationName::Customary, |name| NotationName::Named(name)),
    }
}

/// Whether a text begins with a move, in any format.
#[must_use]
pub fn begins_with_move(text: &str) -> bool {
    FORMATS.iter().any(|format| format.begins_with_move(text))
}
