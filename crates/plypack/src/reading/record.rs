//! Reads the text of a record in any format.

use plypack_core::{ErasedRules, GameInfo, Notation};
use plypack_records::charset::Charset;
use plypack_records::{
    Content, FALLBACK, FALLBACK_READER, FORMATS, Format, ItemKind, NotationName, READERS, Reader,
    Reading, Record, pgn,
};

use crate::reading::rules::OfGame;

/// Reads the text of a record from an input in this format, and also returns the record's own
/// format. A start that it specifies becomes a FEN tag.
///
/// A record that is not in the input's format is in one that its text announces, or else in the
/// fallback, which reads every text.
pub fn read<'a>(
    game: &dyn ErasedRules,
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

fn is_fallback(format: &dyn Reader) -> bool {
    format.info().name == FALLBACK_READER.info().name
}

/// Reads a record from an input in this format, or a bare list of moves, as people write them.
pub fn parse<'a>(game: &dyn ErasedRules, text: &'a str, format: &'static dyn Reader) -> Record<'a> {
    let rules = OfGame(game);
    let known = || READERS.iter().copied().filter(|reader| reader.serves(&rules));
    // A text in a general format may be a bare list of moves; in any other it is a record.
    if format.info().every_game && format.info().content == Content::Games {
        let list = known().find_map(|reader| reader.read_list(text, &rules));
        if let Some(list) = list {
            return list;
        }
    }
    let own = Some(format).filter(|format| format.serves(&rules) && !is_fallback(*format));
    let announced = known().filter(|reader| reader.announces(text));
    let mut records =
        own.into_iter().chain(announced).filter_map(|reader| reader.record(text, &rules));
    records.next().unwrap_or_else(|| pgn::parse(text))
}

/// The first text in a record of typed moves that is neither a move nor an annotation and would be
/// lost silently: words that are not understood and, in a single line, the text after a `;`, as in
/// SGF's `B[pd];W[dp]` read as PGN.
pub fn unread<'a>(record: &Record<'a>, typed: &str) -> Option<&'a str> {
    let is_one_line = !typed.trim_end().contains('\n');
    let is_lost = |kind| match kind {
        ItemKind::Other => true,
        ItemKind::LineComment => is_one_line,
        _ => false,
    };
    record.items.iter().find(|item| is_lost(item.kind)).map(|item| item.text)
}

/// A game's notation with this name. `None` if it has none.
pub fn notation(name: NotationName<'_>, info: &GameInfo) -> Option<Notation> {
    match name {
        NotationName::Customary => Some(Notation::Customary),
        NotationName::Coordinates => Some(Notation::Coordinate),
        NotationName::Named(name) => info.notation(name),
    }
}

/// The name of a notation of a game.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str) -> &'static dyn ErasedRules {
        plypack_games::game(name).expect("a game")
    }

    fn format(name: &str) -> &'static dyn Format {
        plypack_records::format(name).expect("a format")
    }

    #[test]
    fn a_record_finds_its_format() {
        let page = "<p>[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]</p>";
        let psq = "Piskvorky 20x20, 7:0, 1\n10,10,456\na\nb\n";
        for (of, text, input, found, moves) in [
            ("chess", "1. e4 e5", "pgn", "pgn", 2),
            ("xiangqi", page, "pgn", "dhtmlxq", 2),
            ("gomoku", psq, "pgn", "psq", 1),
            ("othello", "f5d6c3", "transcript", "transcript", 3),
            ("othello", "1. f5 d6", "wthor", "pgn", 2),
            ("gomoku", psq, "transcript", "transcript", 0),
            // A game reads only the formats that it has.
            ("chess", page, "pgn", "pgn", 0),
            ("chess", psq, "psq", "pgn", 0),
            ("chess", "e4", "transcript", "pgn", 1),
        ] {
            let (format, reading) = read(game(of), text, Charset::Utf8, format(input));
            assert_eq!(format.info().name, found, "{text}");
            let legal = game(of).read_moves(
                reading.record.tag(plypack_records::START_TAG),
                &mut reading.record.moves.iter().copied(),
            );
            assert_eq!(legal.expect("a start").0.len(), moves, "{text}");
        }
    }

    #[test]
    fn times_and_starts_are_told() {
        let text = "Piskvorky 20x20, 7:0, 1\n10,10,456\na\nb\n";
        let (_, reading) = read(game("gomoku"), text, Charset::Utf8, FALLBACK);
        assert_eq!((reading.times, reading.decimals), (vec![456], 3));
        let start = reading.record.tag(plypack_records::START_TAG).expect("no usual start");
        assert!(game("gomoku").turn(Some(start)).is_ok());
    }

    #[test]
    fn moves_alone_are_read() {
        let moves = |of, text| parse(game(of), text, FALLBACK_READER).moves.join(" ");
        assert_eq!(moves("othello", " f5d6c3\n"), "f5 d6 c3");
        assert_eq!(moves("xiangqi", "77477062"), "7747 7062");
        assert_eq!(moves("chess", "e4 e5"), "e4 e5");
        assert_eq!(moves("chess", "1. e4 e5 2. Nf3"), "e4 e5 Nf3");
        let record = parse(game("othello"), "x f5d6c3", format("transcript"));
        assert_eq!((record.tags.len(), record.moves.len()), (1, 3));
    }

    #[test]
    fn notations_have_names() {
        let info = game("xiangqi").info();
        for notation in info.all_notations() {
            assert_eq!(super::notation(name_of(notation, info), info), Some(notation));
        }
        assert_eq!(super::notation(NotationName::Named("psq"), info), None);
        assert_eq!(name_of(Notation::Other(99), info), NotationName::Customary);
    }
}
