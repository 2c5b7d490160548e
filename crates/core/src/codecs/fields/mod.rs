//! The fields of comments that follow a pattern, as programs write them after each move: numbers,
//! times, lines of moves, and words.
//!
//! What such comments have in common is a [`Template`]. The rest is coded as yes-or-no questions,
//! predicted by what the same player's comments said before, by the other player's, and by the
//! fields before in the same comment. The moves of lines are coded by the line codec, as far as no
//! earlier line foretold them ([`Trunk::encode_branches`](crate::Trunk::encode_branches)).

mod choice;
#[cfg(test)]
mod examples;
mod expectation;
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum {
    /// A number or a time, in units of its last decimal.
    Number(i64),
    /// A line; its moves are coded apart.
    Line(Line),
    /// Words in ASCII, without a zero byte; at most [`WORDS_BYTES_MAX`].
    Words(String),
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

/// The most bytes of the words of a field.
pub const WORDS_BYTES_MAX: usize = 1 << 10;

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
        let modes = choice::choose(&subjects, comments);
        let coded = walk::walk(&subjects, comments.len(), comments, modes, &mut model).ok()?;
        // A number that is too far from what was expected does not come back.
        (coded == comments).then(|| model.into_coder().finish())
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
                matches!(kind, Kind::Number { .. } | Kind::Time { .. })
                    && number.abs() < NUMBER_MAX
                    && (*number >= 0 || !kind.is_time())
            }
            Self::Words(words) => {
                kind == Kind::Words
                    && words.len() <= WORDS_BYTES_MAX
                    && words.bytes().all(|byte| byte.is_ascii() && byte != 0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Foretold;
    use crate::testkit::Random;
    use crate::texts::Texts;

    const TEMPLATES: &str = "book, mb=%+n%+n\n\
                             d=%n, mt=%n, tl=%n, s=%n, n=%n, pv=%l, wv=%2n, mb=%+n%+n\n\
                             pd=%l, %1t, d=%n\n\
                             wv=M%n\n\
                             pd=%w, d=%n";

    fn templates() -> Vec<Template> {
        read_templates(TEMPLATES).expect("templates")
    }

    /// Returns the comments of a game in which an engine thinks for a while at each move.
    fn game(random: &mut Random, plies: usize) -> Vec<Option<Comment>> {
        let mut clock = [3_600_000i64; 2];
        let mut below = |limit: u64| i64::try_from(random.next_u64() % limit).unwrap_or(0);
        let mut comment = |ply: usize| {
            let number = Datum::Number;
            let line = |base, plies| {
                Datum::Line(Line { base, plies, source: Source::Game, foretold: plies / 2 })
            };
            let time = below(60_000);
            clock[ply % 2] += 7_000 - time;
            let nodes = time * 40_000 + below(100_000);
            let (template, data) = match below(20) {
                0 => return None,
                1 => (0, vec![number(-1), number(2)]),
                2 => {
                    let pd = Line { base: 0, plies: 1, source: Source::Line(3), foretold: 1 };
                    (2, vec![Datum::Line(pd), number(below(9_999)), number(-4)])
                }
                3 => (3, vec![number(7)]),
                4 => (4, vec![Datum::Words(format!("Kg{} Qa1", below(8))), number(below(40))]),
                _ => {
                    let depth = 30 + below(5);
                    let long = u32::try_from(20 + below(9)).expect("small");
                    let start = [depth, time, clock[ply % 2], 40_000_000 + below(999_999), nodes];
                    let mut data: Vec<Datum> = start.into_iter().map(number).collect();
                    data.extend([line(1, long), number(below(80) - 40), number(0), number(1)]);
                    (1, data)
                }
            };
            Some(Comment { template, data })
        };
        (0..plies).map(&mut comment).collect()
    }

    #[test]
    fn comments_come_back() {
        for seed in 0..40 {
            let mut random = Random::new(seed);
            let plies = usize::try_from(random.next_u64() % 150).expect("small");
            let comments = game(&mut random, plies);
            let code = FIELDS.newest.encode(&templates(), &comments).expect("they fit");
            let plies = u32::try_from(plies).expect("small");
            assert_eq!(FIELDS.newest.decode(&templates(), plies, &code), Ok(comments));
        }
    }

    #[test]
    fn what_is_known_costs_little() {
        let comments = game(&mut Random::new(1), 150);
        let whole = FIELDS.newest.encode(&templates(), &comments).expect("they fit").len();
        // The clock follows from the time that each move took.
        let mut without = comments.clone();
        for comment in without.iter_mut().flatten().filter(|comment| comment.template == 1) {
            comment.data[2] = Datum::Number(0);
        }
        let without = FIELDS.newest.encode(&templates(), &without).expect("they fit").len();
        assert!(whole < without + 160, "{whole} {without}");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let fits = |template, data: Vec<Datum>| {
            let comment = Some(Comment { template, data });
            FIELDS.newest.encode(&templates(), &[comment]).is_some()
        };
        let number = Datum::Number;
        assert!(fits(3, vec![number(-7)]));
        assert!(fits(4, vec![Datum::Words("~".repeat(WORDS_BYTES_MAX)), number(1)]));
        for words in ["~".repeat(WORDS_BYTES_MAX + 1), "\0".into(), "é".into()] {
            assert!(!fits(4, vec![Datum::Words(words), number(1)]));
        }
        assert!(!fits(5, vec![]) && !fits(3, vec![]) && !fits(3, vec![number(NUMBER_MAX)]));
        let line = |base, source, foretold, plies| {
            fits(2, vec![Datum::Line(Line { base, source, foretold, plies }), number(1), number(2)])
        };
        assert!(line(2, Source::Line(BACK_MAX), 3, 3));
        assert!(!line(3, Source::Game, 0, 1) && !line(1, Source::Line(0), 1, 2));
        assert!(!line(1, Source::Line(BACK_MAX + 1), 1, 2) && !line(1, Source::Game, 2, 1));
        assert!(!line(1, Source::None, 1, 2) && !line(1, Source::Game, 0, 0));
        let time = |time| {
            fits(
                2,
                vec![
                    Datum::Line(Line { plies: 1, base: 1, ..Line::default() }),
                    number(time),
                    number(2),
                ],
            )
        };
        assert!(time(0) && !time(-1));
        let many: Vec<String> = (0..60).map(|at| format!("a{at}=%l b{at}=%n")).collect();
        let many = read_templates(&many.join("\n")).expect("templates");
        assert_eq!(FIELDS.newest.encode(&many, &[None]), None);
        assert!(FIELDS.newest.decode(&many, 1, &[]).is_err());
    }

    #[test]
    fn any_bytes_give_comments_or_an_error() {
        let templates = templates();
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let code: Vec<u8> = (0..seed * 3).map(|_| random.next_u64().to_le_bytes()[0]).collect();
            if let Ok(comments) = FIELDS.newest.decode(&templates, 100, &code) {
                assert_eq!(comments.len(), 100);
                let _ = branches(&comments);
                let again = FIELDS.newest.encode(&templates, &comments).expect("they were decoded");
                assert_eq!(FIELDS.newest.decode(&templates, 100, &again), Ok(comments));
            }
        }
        assert!(FIELDS.newest.decode(&templates, PLIES_MAX + 1, &[]).is_err());
    }

    #[test]
    fn lines_are_foretold_by_the_game_and_by_earlier_lines() {
        let main: Vec<&str> = "a b c d e f".split(' ').collect();
        let mut texts = Texts::of_line();
        main.iter().for_each(|mv| texts.push_with(|out| out.push_str(mv)));
        let head = |base| Line { base, ..Line::default() };
        let mut heads = [head(1), head(1), head(0), head(1), head(2)];
        let lines = ["a b x y z", "b x y", "b", "c d q", "d r"];
        let plies = [1, 2, 3, 3, 3];
        let mut all: Vec<(u32, &mut Line, Vec<&str>)> = plies
            .into_iter()
            .zip(&mut heads)
            .zip(lines)
            .map(|((ply, head), line)| {
                let moves: Vec<&str> = line.split(' ').collect();
                head.plies = u32::try_from(moves.len()).expect("short");
                (ply, head, moves)
            })
            .collect();
        foretell(&mut all, &texts);
        let told = heads.map(|head| (head.source, head.foretold));
        // The second line goes on like the first did; `b` is what was played.
        let expected = [
            (Source::Game, 2),
            (Source::Line(1), 3),
            (Source::Game, 1),
            (Source::Game, 2),
            (Source::Game, 1),
        ];
        assert_eq!(told, expected);
        let comment = |heads: &[Line]| {
            let data = heads.iter().copied().map(Datum::Line).collect();
            Some(Comment { template: 0, data })
        };
        let comments = [comment(&heads[..1]), comment(&heads[1..2]), comment(&heads[2..])];
        let coded = branches(&comments).expect("foretold lines");
        let plies: Vec<u32> = coded.iter().map(|coded| coded.branch.ply).collect();
        assert_eq!(plies, [1, 2, 2, 3, 4]);
        let second = Foretold { by: Some(0), skip: 1, plies: 3 };
        assert_eq!(coded[1].branch.foretold, Some(second));
        assert!(branches(&[comment(&[head(0)])]).is_err(), "before the game");
        let back = Line { source: Source::Line(1), foretold: 1, plies: 1, base: 1 };
        assert!(branches(&[comment(&[back])]).is_err(), "nothing before");
    }
}
