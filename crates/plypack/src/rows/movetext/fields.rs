//! Comments that follow a pattern, and their code.

use plypack_core::bits::varint;
use plypack_core::codecs::fields::{
    Comment, Datum, FIELDS, FieldCodec, Template, Value, branches, foretell, read_templates,
};
use plypack_core::{Branch, Notation, Texts, Trunk};

use super::Filled;

/// The code of a main line's comments that follow these templates: the length of the code of their
/// fields in bytes, that code, and the code of their lines. `None` if it is too long, or a comment
/// does not fit its template.
pub fn encode_comments(
    comments: &[Option<Filled<'_>>],
    templates: &str,
    main: &Texts,
    trunk: &dyn Trunk<'_>,
) -> Option<Vec<u8>> {
    let templates = read_templates(templates)?;
    let mut fields: Vec<Option<Comment>> = comments
        .iter()
        .map(|comment| comment.as_ref().map(|comment| comment.comment.clone()))
        .collect();
    let mut lines = Vec::new();
    for ((ply, comment), texts) in (1..).zip(&mut fields).zip(comments) {
        let (Some(comment), Some(texts)) = (comment, texts) else { continue };
        let heads = comment.data.iter_mut().filter_map(|datum| match datum {
            Datum::Line(line) => Some(line),
            Datum::Number(_) | Datum::Words(_) => None,
        });
        lines.extend(heads.zip(&texts.lines).map(|(line, moves)| (ply, line, moves.clone())));
    }
    foretell(&mut lines, main);
    let texts: Vec<Vec<&str>> = lines.into_iter().map(|line| line.2).collect();
    let code = FIELDS.newest.encode(&templates, &fields)?;
    let coded = branches(&fields).ok()?;
    let branches = coded.iter().map(|coded| Some((coded.branch, texts.get(coded.place)?.clone())));
    let branches: Vec<(Branch, Vec<&str>)> = branches.collect::<Option<_>>()?;
    let mut whole = Vec::new();
    varint::write_u32(u32::try_from(code.len()).ok()?, &mut whole);
    whole.extend(code);
    whole.extend(trunk.encode_branches(&branches)?);
    Some(whole)
}

/// The comments that follow these templates on a main line of `plies` plies, one or none for each.
///
/// # Errors
/// Returns an error that says what is wrong with the templates or the code.
pub fn decode_comments(
    plies: u32,
    (codec, whole): (&FieldCodec, &[u8]),
    templates: &str,
    trunk: &dyn Trunk<'_>,
) -> Result<Vec<Option<String>>, String> {
    let templates = read_templates(templates).ok_or(NO_TEMPLATES)?;
    let (code, moves) = split(whole)?;
    let words = |error: plypack_core::Error| error.to_string();
    let fields = codec.decode(&templates, plies, code).map_err(words)?;
    let coded = branches(&fields).map_err(words)?;
    let heads: Vec<Branch> = coded.iter().map(|coded| coded.branch).collect();
    let texts = trunk.decode_branches(&heads, moves, Notation::Customary).map_err(words)?;
    let mut lines: Vec<(usize, String)> =
        coded.iter().zip(&texts).map(|(coded, moves)| (coded.place, joined(moves))).collect();
    lines.sort_unstable_by_key(|line| line.0);
    let mut lines = lines.iter().map(|line| &*line.1);
    let comment = |comment: &Option<Comment>| match comment {
        None => Ok(None),
        Some(comment) => write(comment, &templates, &mut lines).map(Some),
    };
    fields.iter().map(comment).collect()
}

/// The same comments without the lines of moves in them.
///
/// # Errors
/// Returns an error that says what is wrong with the templates or the code.
pub fn decode_remarks(
    plies: u32,
    (codec, whole): (&FieldCodec, &[u8]),
    templates: &str,
) -> Result<Vec<Option<String>>, String> {
    let templates = read_templates(templates).ok_or(NO_TEMPLATES)?;
    let fields = codec.decode(&templates, plies, split(whole)?.0);
    let fields = fields.map_err(|error| error.to_string())?;
    let comment = |comment: &Option<Comment>| {
        let write = |comment| write(comment, &templates, &mut std::iter::repeat(""));
        comment.as_ref().map(write).transpose()
    };
    fields.iter().map(comment).collect()
}

const NO_TEMPLATES: &str = "its templates are none";

/// Splits a code into that of the fields and that of the lines.
fn split(whole: &[u8]) -> Result<(&[u8], &[u8]), &'static str> {
    varint::read_u32(whole)
        .and_then(|(length, at)| whole.get(at..)?.split_at_checked(usize::try_from(length).ok()?))
        .ok_or("its comments are cut off")
}

/// Writes a comment, whose lines come next.
fn write<'l>(
    comment: &Comment,
    templates: &[Template],
    lines: &mut impl Iterator<Item = &'l str>,
) -> Result<String, String> {
    let value = |datum| match datum {
        &Datum::Number(number) => Some(Value::Number(number)),
        Datum::Words(words) => Some(Value::Words(words)),
        Datum::Line(_) => lines.next().map(Value::Line),
    };
    let values: Option<Vec<Value<'_>>> = comment.data.iter().map(value).collect();
    let template = templates.get(comment.template);
    let text = template.zip(values).and_then(|(template, values)| template.write(&values));
    text.ok_or_else(|| "a comment does not fit its template".into())
}

/// Returns moves with a space between two.
fn joined(moves: &Texts) -> String {
    let mut text = String::new();
    for mv in moves.iter() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(mv);
    }
    text
}
