//! The fields of comments that follow a pattern, as programs write them after each move: numbers,
//! times and lines of moves.
//!
//! What such comments have in common is a [`Template`]. The rest is coded as yes-or-no questions,
//! predicted by what the same player's comments said before, by the other player's, and by the
//! fields before in the same comment. The moves of lines are coded by the line codec, as far as no
//! earlier line foretold them ([`Trunk::encode_branches`](crate::Trunk::encode_branches)).

mod foretelling;
mod model;
mod template;
mod walk;

pub use foretelling::{Coded, branches, foretell};
pub use template::{
    FIELDS_MAX, Kind, NUMBER_MAX, Part, Plus, TEMPLATES_BYTES_MAX, TEMPLATES_MAX, Template, Value,
    read_templates,
};

use self::model::Model;
use self::walk::Subjects;
use crate::bits::range::{Decoder, Encoder};
use crate::codec::{CodecInfo, CodecRow};
use crate::codecs::series::Registry;
use crate::error::Error;
use crate::limits::PLIES_MAX;

/// The fields of a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The number of its template, from 0.
    pub template: usize,
    /// Its fields.
    pub data: Vec<Datum>,
}

/// A field of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Datum {
    /// A number or a time, in units of its last decimal.
    Number(i64),
    /// A line; its moves are coded apart.
    Line(Line),
}

/// Whence a line comes, and how long it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The position from which it is played: 0, before the move of the other player before the
    /// comment's move; 1, before that move; 2, after it.
    pub base: u8,
    /// Which line foretold its first moves.
    pub source: Source,
    /// How many of its moves were foretold.
    pub foretold: u32,
    /// The number of its moves, at least 1.
    pub plies: u32,
}

/// A line that foretells another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// There is none.
    #[default]
    None,
    /// The game as it went on.
    Game,
    /// An earlier line: 1 is the one before, at most [`BACK_MAX`].
    Line(u8),
}

/// The number of earlier lines that may foretell a line.
pub const BACK_MAX: u8 = 6;

/// A codec of the fields of comments.
#[derive(Debug)]
pub struct FieldCodec {
    /// The description of the codec.
    pub info: CodecInfo,
}

static FIELD_1: FieldCodec = FieldCodec {
    info: CodecInfo {
        name: "field.mixed",
        id: 1,
        summary: "numbers and lines of comments that follow a pattern, by those before",
        source: "plypack",
    },
};

/// The codecs of the fields of comments.
pub static FIELDS: Registry<FieldCodec> = Registry { newest: &FIELD_1, older: &[] };

impl CodecRow for &'static FieldCodec {
    fn codec_info(self) -> &'static CodecInfo {
        &self.info
    }
}

const DAMAGED: Error = Error::Cell { at: 0, why: "a field is out of range" };

impl FieldCodec {
    /// Encodes the fields of one comment or none for each ply. Returns `None` if the templates have
    /// too many fields, or a comment does not fit its template.
    #[must_use]
    pub fn encode(&self, templates: &[Template], comments: &[Option<Comment>]) -> Option<Vec<u8>> {
        let subjects = Subjects::of(templates)?;
        let fits = |comment: &Comment| {
            let fields = subjects.fields.get(comment.template);
            fields.is_some_and(|fields| {
                fields.len() == comment.data.len()
                    && fields.iter().zip(&comment.data).all(|(field, datum)| datum.fits(field.0))
            })
        };
        if !comments.iter().flatten().all(fits) {
            return None;
        }
        let mut model = Model::new(Encoder::new(), subjects.count + 1);
        let modes = walk::choose(&subjects, comments);
        walk::walk(&subjects, comments.len(), comments, modes, &mut model).ok()?;
        Some(model.into_coder().finish())
    }

    /// Decodes the fields of the comments of `plies` plies.
    ///
    /// # Errors
    /// Returns [`Error::TooLong`] or [`Error::Cell`] if the code cannot be that of `plies` plies.
    pub fn decode(
        &self,
        templates: &[Template],
        plies: u32,
        code: &[u8],
    ) -> Result<Vec<Option<Comment>>, Error> {
        if plies > PLIES_MAX {
            return Err(Error::TooLong { plies, max: PLIES_MAX });
        }
        let subjects = Subjects::of(templates).ok_or(DAMAGED)?;
        let mut model = Model::new(Decoder::new(code), subjects.count + 1);
        walk::walk(&subjects, plies as usize, &[], Vec::new(), &mut model)
    }
}

impl Datum {
    fn fits(&self, kind: Kind) -> bool {
        match self {
            Self::Line(line) => {
                let back = match line.source {
                    Source::Line(back) => (1..=BACK_MAX).contains(&back),
                    Source::None => line.foretold == 0,
                    Source::Game => true,
                };
                kind == Kind::Line
                    && back
                    && line.base <= 2
                    && (1..=PLIES_MAX).contains(&line.plies)
                    && line.foretold <= line.plies
            }
            Self::Number(number) => {
                kind != Kind::Line
                    && number.abs() < NUMBER_MAX
                    && (*number >= 0 || !kind.is_time())
            }
        }
    }
}
