//! The values and the reviews of a main line, and their codes.

use plypack_core::bits::varint;
use plypack_core::codecs::series::{
    CLOCKS, ClockCodec, EVALUATIONS, Evaluation, EvaluationCodec, REVIEWS, Review, ReviewCodec,
};
use plypack_core::{Branch, Hint, Trunk};
use plypack_records::pgn::{ReviewStyle, ValueStyle};
use plypack_records::{self as records, Values};

use super::{Dissection, ReviewText, Style};

/// The codes of clock readings and of evaluations, if there are any.
pub type SeriesCodes = (Option<Vec<u8>>, Option<Vec<u8>>);

/// The evaluations among values.
fn evaluations(values: &[Values]) -> Vec<Option<Evaluation>> {
    let evaluation = |values: &Values| {
        values.evaluation.map(|evaluation| match evaluation {
            records::Evaluation::Pawns(value) => Evaluation::Pawns(value),
            records::Evaluation::Mate(moves) => Evaluation::Mate(moves),
        })
    };
    values.iter().map(evaluation).collect()
}

/// The code of a main line's reviews: its length in bytes, the code itself, then the code of their
/// moves. `None` if there are too many.
pub fn encode_reviews(
    found: &Dissection<'_>,
    style: &ReviewStyle,
    trunk: &dyn Trunk<'_>,
) -> Option<Vec<u8>> {
    let mut series = vec![None; found.values.len()];
    let mut branches = Vec::with_capacity(found.reviews.len());
    for (ply, class, moves) in &found.reviews {
        let plies = u32::try_from(moves.len()).ok()?;
        let at = usize::try_from(ply.checked_sub(1)?).ok()?;
        *series.get_mut(at)? = Some(Review { class: *class, plies });
        branches.push((Branch { ply: *ply, foretold: None, plies }, moves.clone()));
    }
    let code = REVIEWS.newest.encode(&series, &evaluations(&found.values), style.classes())?;
    let mut whole = Vec::new();
    varint::write_u32(u32::try_from(code.len()).ok()?, &mut whole);
    whole.extend(code);
    whole.extend(trunk.encode_branches(&branches)?);
    Some(whole)
}

/// Decodes the reviews of a main line of `plies` plies.
///
/// # Errors
/// Returns an error that says what is wrong with the codes.
pub fn decode_reviews(
    plies: u32,
    values: &[Values],
    (codec, whole): (&ReviewCodec, &[u8]),
    style: Style<'_>,
    trunk: &dyn Trunk<'_>,
) -> Result<Vec<ReviewText>, String> {
    let classes = style.reviews.ok_or("its layout has no review style")?.classes();
    let split = varint::read_u32(whole)
        .and_then(|(length, at)| whole.get(at..)?.split_at_checked(usize::try_from(length).ok()?));
    let (code, moves) = split.ok_or("its reviews are cut off")?;
    let reviews = codec.decode(plies, &evaluations(values), classes, code);
    let reviews = reviews.map_err(|error| error.to_string())?;
    let reviewed = (1..).zip(reviews).filter_map(|(ply, review)| Some((ply, review?)));
    let reviewed: Vec<(u32, Review)> = reviewed.collect();
    let branch =
        |(ply, review): &(u32, Review)| Branch { ply: *ply, foretold: None, plies: review.plies };
    let branches: Vec<Branch> = reviewed.iter().map(branch).collect();
    let moves = trunk.decode_branches(&branches, moves, style.notation);
    let moves = moves.map_err(|error| error.to_string())?;
    let texts = reviewed.into_iter().zip(moves);
    Ok(texts.map(|((ply, r), moves)| ReviewText { ply, class: r.class, moves }).collect())
}

/// The codes of a main line's clock readings and evaluations; `None` where there are none.
///
/// The values must come from a style: others might not be codable.
pub fn encode_values(values: &[Values], style: ValueStyle, hints: &[Hint]) -> Option<SeriesCodes> {
    let clocks: Vec<Option<u32>> = values.iter().map(|values| values.clock).collect();
    let evaluations = evaluations(values);
    let clocks = match clocks.iter().any(Option::is_some) {
        true => Some(CLOCKS.newest.encode(&clocks, style.decimals, hints)?),
        false => None,
    };
    let evaluations = match evaluations.iter().any(Option::is_some) {
        true => Some(EVALUATIONS.newest.encode(&evaluations, hints)?),
        false => None,
    };
    Some((clocks, evaluations))
}

/// The code of the times of moves, in units of 10^-`decimals` seconds. `None` if there are none, or
/// one is too long.
pub fn encode_times(values: &[Values], decimals: u8, hints: &[Hint]) -> Option<Vec<u8>> {
    let times: Vec<Option<u32>> = values.iter().map(|values| values.clock).collect();
    if times.is_empty() { None } else { CLOCKS.newest.encode(&times, decimals, hints) }
}

/// Decodes the values of a main line of `plies` plies, and the number of decimals of a second in
/// clock readings.
///
/// # Errors
/// Returns an error that says what is wrong with the codes.
pub fn decode_values(
    plies: u32,
    clocks: Option<(&ClockCodec, &[u8])>,
    evaluations: Option<(&EvaluationCodec, &[u8])>,
    hints: &[Hint],
) -> Result<(Vec<Values>, u8), String> {
    let mut values = Vec::new();
    let mut decimals = 0;
    if let Some((codec, code)) = clocks {
        let clocks = codec.decode(plies, hints, code);
        let (clocks, unit) = clocks.map_err(|error| error.to_string())?;
        decimals = unit;
        values.extend(clocks.into_iter().map(|clock| Values { clock, evaluation: None }));
    }
    if let Some((codec, code)) = evaluations {
        let evaluations = codec.decode(plies, hints, code);
        let evaluations = evaluations.map_err(|error| error.to_string())?;
        values.resize(evaluations.len(), Values::default());
        for (values, evaluation) in values.iter_mut().zip(evaluations) {
            values.evaluation = evaluation.map(|evaluation| match evaluation {
                Evaluation::Pawns(value) => records::Evaluation::Pawns(value),
                Evaluation::Mate(moves) => records::Evaluation::Mate(moves),
            });
        }
    }
    Ok((values, decimals))
}
