//! `line.text`: the moves as text, a baseline and fallback.

use crate::candidates::Candidates;
use crate::codec::{CodecInfo, Excursion, Finish, LineCodec};
use crate::error::{Error, MoveFault};
use crate::game::{Notation, Rules};
use crate::line::{MoveSink, MoveSource, Ply, move_error};

/// The moves in the game's customary notation, one space between them, UTF-8.
#[derive(Debug)]
pub struct Text;

impl<G: Rules> LineCodec<G> for Text {
    const NULLS: bool = true;

    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "line.text",
            id: 1,
            summary: "the moves in the game's customary notation, separated by single spaces",
            source: "Shields (text moves)",
        }
    }

    fn encoder<'a>(
        &'a self,
        game: &'a G,
        _: &G::Position,
    ) -> impl MoveSink<G> + Excursion<G> + Finish + 'a {
        TextEncoder { game, out: String::new() }
    }

    fn decoder<'a>(
        &'a self,
        game: &'a G,
        _: &G::Position,
        plies: u32,
        code: &'a [u8],
    ) -> Result<impl MoveSource<G> + Excursion<G> + 'a, Error> {
        let text = std::str::from_utf8(code).map_err(|error| Error::Cell {
            at: error.valid_up_to(),
            why: "the text is not UTF-8",
        })?;
        Ok(TextDecoder { game, rest: Some(text).filter(|text| !text.is_empty()), plies })
    }
}

struct TextEncoder<'a, G> {
    game: &'a G,
    out: String,
}

impl<G: Rules> MoveSink<G> for TextEncoder<'_, G> {
    fn push(&mut self, ply: &Ply<'_, G>) {
        if !self.out.is_empty() {
            self.out.push(' ');
        }
        self.game.write_move(ply, Notation::Customary, &mut self.out);
    }
}

impl<G: Rules> Excursion<G> for TextEncoder<'_, G> {}

impl<G> Finish for TextEncoder<'_, G> {
    fn finish(self) -> Vec<u8> {
        self.out.into_bytes()
    }
}

impl<G: Rules> Excursion<G> for TextDecoder<'_, G> {}

struct TextDecoder<'a, G> {
    game: &'a G,
    rest: Option<&'a str>,
    plies: u32,
}

impl<G: Rules> MoveSource<G> for TextDecoder<'_, G> {
    fn next(&mut self, ply: u32, candidates: &Candidates<'_, G>) -> Result<Option<G::Move>, Error> {
        let (text, rest) = match self.rest {
            None if ply > self.plies => return Ok(None),
            None => return Err(move_error(ply, "", MoveFault::Unreadable)),
            Some(rest) if ply > self.plies => {
                return Err(move_error(ply, rest, MoveFault::Unreadable));
            }
            Some(rest) => match rest.split_once(' ') {
                Some((text, rest)) => (text, Some(rest)),
                None => (rest, None),
            },
        };
        self.rest = rest;
        let read = self.game.read_move(candidates, text);
        read.map(Some).map_err(|fault| move_error(ply, text, fault))
    }
}
