//! Series and their codes as texts, in the form of the golden files in `vectors/series`, which
//! tests on several kinds of machines read.
//!
//! There is one value a ply, separated by spaces, `-` where there is none: clock readings in their
//! unit, evaluations as `-30` or `#-3`, reviews as class and plies, `1:5`. The parameters of a code
//! are the decimals of a second, or `-`, or the number of classes of reviews and the evaluations,
//! as in `2: 30 -10 #1`.

use crate::codec::CodecRow;
use crate::codecs::series::{
    CLOCKS, ClockCodec, EVALUATIONS, Evaluation, EvaluationCodec, REVIEWS, Review, ReviewCodec,
};
use crate::hint::Hint;

/// A codec of series.
#[derive(Debug)]
enum Codec {
    Clocks(&'static ClockCodec),
    Evaluations(&'static EvaluationCodec),
    Reviews(&'static ReviewCodec),
}

/// Returns the names and numbers of all codecs of series.
pub fn codecs() -> Vec<String> {
    let clocks = CLOCKS.all().map(|codec| codec.codec_info());
    let evaluations = EVALUATIONS.all().map(|codec| codec.codec_info());
    let reviews = REVIEWS.all().map(|codec| codec.codec_info());
    clocks.chain(evaluations).chain(reviews).map(|info| info.text()).collect()
}

/// Encodes values with the codec of this name and number.
///
/// # Errors
/// Returns a description of the fault.
pub fn encode(codec: &str, given: &str, values: &str, hints: &[Hint]) -> Result<Vec<u8>, String> {
    let code = match find(codec)? {
        Codec::Clocks(codec) => codec.encode(&list(values, number)?, number(given)?, hints),
        Codec::Evaluations(codec) => codec.encode(&list(values, evaluation)?, hints),
        Codec::Reviews(codec) => {
            let (classes, evaluations) = reviewed(given)?;
            codec.encode(&list(values, review)?, &evaluations, classes)
        }
    };
    code.ok_or_else(|| format!("{codec} cannot code {values}"))
}

/// Decodes the values of `plies` plies.
///
/// # Errors
/// Returns a description of the fault.
pub fn decode(
    codec: &str,
    given: &str,
    plies: u32,
    hints: &[Hint],
    code: &[u8],
) -> Result<String, String> {
    let values: Vec<Option<String>> = match find(codec)? {
        Codec::Clocks(codec) => {
            let read = codec.decode(plies, hints, code).map_err(|error| error.to_string())?;
            if read.1 != number::<u8>(given)? {
                return Err(format!("{} decimals, not {given}", read.1));
            }
            read.0.into_iter().map(|reading| Some(reading?.to_string())).collect()
        }
        Codec::Evaluations(codec) => {
            let read = codec.decode(plies, hints, code).map_err(|error| error.to_string())?;
            let text = |evaluation| match evaluation {
                Evaluation::Pawns(value) => value.to_string(),
                Evaluation::Mate(moves) => format!("#{moves}"),
            };
            read.into_iter().map(|evaluation| evaluation.map(text)).collect()
        }
        Codec::Reviews(codec) => {
            let (classes, evaluations) = reviewed(given)?;
            let read = codec.decode(plies, &evaluations, classes, code);
            let read = read.map_err(|error| error.to_string())?;
            let text = |review: Review| format!("{}:{}", review.class, review.plies);
            read.into_iter().map(|review| review.map(text)).collect()
        }
    };
    let texts: Vec<String> = values.into_iter().map(|text| text.unwrap_or("-".into())).collect();
    Ok(texts.join(" "))
}

fn find(text: &str) -> Result<Codec, String> {
    let clocks = CLOCKS.stored(text).map(Codec::Clocks);
    let evaluations = clocks.or_else(|_| EVALUATIONS.stored(text).map(Codec::Evaluations));
    let reviews = evaluations.or_else(|_| REVIEWS.stored(text).map(Codec::Reviews));
    reviews.map_err(|error| error.to_string())
}

/// Parses values separated by spaces.
fn list<T>(
    text: &str,
    value: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<Option<T>>, String> {
    let texts = text.split(' ').filter(|text| !text.is_empty());
    texts.map(|text| if text == "-" { Ok(None) } else { value(text).map(Some) }).collect()
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("`{text}` is not a valid number"))
}

fn evaluation(text: &str) -> Result<Evaluation, String> {
    match text.strip_prefix('#') {
        Some(moves) => number(moves).map(Evaluation::Mate),
        None => number(text).map(Evaluation::Pawns),
    }
}

fn review(text: &str) -> Result<Review, String> {
    let (class, plies) = text.split_once(':').ok_or("a review is CLASS:PLIES")?;
    Ok(Review { class: number(class)?, plies: number(plies)? })
}

/// Parses the number of classes of reviews, and the evaluations.
fn reviewed(text: &str) -> Result<(u32, Vec<Option<Evaluation>>), String> {
    let (classes, evaluations) = text.split_once(':').ok_or("CLASSES: EVALUATIONS is missing")?;
    Ok((number(classes)?, list(evaluations, evaluation)?))
}
