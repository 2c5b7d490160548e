//! Search for a position along lines, as in `plypack find`.

use std::sync::Arc;

use datafusion::arrow::array::Array;
use datafusion::common::Result;
use plypack::store::find::Target;
use plypack_core::pattern::results;
use plypack_core::{ErasedRules, Pattern};

use super::super::call::Arguments;
use super::Line;
use super::known::Known;
use super::rows::of_rows;
use super::walk::{Step, Walk, codec, damaged, failed};

/// Parses a position: its text in any dialect of the game, or moves that lead to it.
///
/// # Errors
/// Returns a message if it is neither.
pub fn target(game: &'static dyn ErasedRules, text: &str) -> Result<Target, String> {
    let position = Target::read(game, Some(text), "");
    position.or_else(|position| {
        let moves = Target::read(game, None, text);
        moves.map_err(|moves| {
            format!(
                "{position}; nor is it a list of moves: {moves}. Write a position, in chess a FEN, \
                 or the moves that lead to it: '1. e4 c5'"
            )
        })
    })
}

/// Whether a line reaches a position, and after how many plies. Nothing is known about unreadable
/// moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    /// First reached after this many plies.
    After(u32),
    /// Never.
    Never,
}

/// When the lines of rows first reach the positions of their texts.
pub(crate) fn first_plies(arguments: &Arguments) -> Result<Vec<Option<Reached>>> {
    let (moves, texts) = (arguments.moves()?, arguments.texts()?);
    let targets = Known::new(arguments.function);
    let key = |row| moves.line(row).zip(texts.is_valid(row).then(|| texts.value(row)));
    of_rows(arguments.rows, key, Finder::default, |finder: &mut Finder<'_>, key, _| {
        finder.find(arguments.function, &targets, key)
    })
}

/// The search for one row.
type Key<'a> = (Line<'a>, &'a str);

/// The result of the previous row.
#[derive(Default)]
struct Finder<'a> {
    last: Option<(Key<'a>, Option<Reached>)>,
    /// The last position, by its game's number and text.
    target: Option<(u8, &'a str, Option<Arc<Target>>)>,
}

impl<'a> Finder<'a> {
    fn find(
        &mut self,
        function: &'static str,
        targets: &Known<'a, Target>,
        key: Key<'a>,
    ) -> Result<Option<Reached>> {
        if let Some((_, known)) = self.last.filter(|last| last.0 == key) {
            return Ok(known);
        }
        let Some(mut walk) = Walk::new(function, key.0)? else { return Ok(None) };
        let reached = match self.target(targets, walk.game(), key.1)? {
            Some(target) => search(&mut walk, &target)?,
            None => Some(Reached::Never),
        };
        self.last = Some((key, reached));
        Ok(reached)
    }

    fn target(
        &mut self,
        targets: &Known<'a, Target>,
        game: &'static dyn ErasedRules,
        text: &'a str,
    ) -> Result<Option<Arc<Target>>> {
        let id = game.info().id;
        if let Some((.., target)) =
            self.target.as_ref().filter(|last| (last.0, last.1) == (id, text))
        {
            return Ok(target.clone());
        }
        let target = targets.get(game, text, |game| target(game, text))?;
        self.target = Some((id, text, target.clone()));
        Ok(target)
    }
}

fn search(walk: &mut Walk<'_>, target: &Target) -> Result<Option<Reached>> {
    while !target.is_behind(walk.here()) {
        if target.is_at(walk.here()) {
            return Ok(Some(Reached::After(walk.here().ply())));
        }
        match walk.step()? {
            Step::Moved => {}
            Step::End => break,
            Step::Unreadable => return Ok(None),
        }
    }
    Ok(Some(Reached::Never))
}

/// Whether a line matches the pattern of its game; false if the game has none. Returns `None` for a
/// text that cannot be read to its end.
pub(crate) fn matched(
    function: &'static str,
    line: Line<'_>,
    pattern: impl Fn(&'static dyn ErasedRules) -> Result<Option<Arc<Pattern>>>,
) -> Result<Option<bool>> {
    if let Line::Coded { codec: name, start, plies, code } = line {
        let codec = codec(function, name)?;
        let Some(pattern) = pattern(codec.game())? else { return Ok(Some(false)) };
        let found = codec.matched(start, plies, code, &pattern, results::OTHER);
        return found
            .map(|found| Some(found.is_some()))
            .map_err(|why| damaged(function, name, why));
    }
    // A text is encoded first: patterns are matched on codes.
    let Some(mut walk) = Walk::new(function, line)? else { return Ok(None) };
    let Some(codec) = plypack_games::line_codec(walk.game().info().name, "line.uniform") else {
        return Ok(None);
    };
    let Some(pattern) = pattern(walk.game())? else { return Ok(Some(false)) };
    let (mut start, mut indices) = (String::new(), Vec::new());
    walk.here().write_position(&mut start);
    loop {
        match walk.step()? {
            Step::Moved => indices.extend(walk.here().last()),
            Step::End => break,
            Step::Unreadable => return Ok(None),
        }
    }
    let found = codec.encode_indices(Some(&start), &indices).and_then(|code| {
        let plies = u32::try_from(indices.len()).unwrap_or(u32::MAX);
        codec.matched(Some(&start), plies, &code, &pattern, results::OTHER)
    });
    found.map(|found| Some(found.is_some())).map_err(|why| failed(function, why))
}
