//! The argument `annotations`: comments and what else stands between the moves of a record.

use std::borrow::Cow;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int32Array, ListArray, StringArray};
use datafusion::arrow::datatypes::Int32Type;
use plypack::rows::AnnotationFault;
use plypack::store::movetext::{Annotation, AnnotationKind};

/// A column of annotations; all rows are empty if it has another type.
pub(crate) struct Annotations {
    parts: Option<(ListArray, Int32Array, StringArray, StringArray)>,
}

impl Annotations {
    pub fn new(column: &ArrayRef) -> Self {
        Self { parts: parts(column) }
    }

    /// The annotations in a row, without the moves of variations.
    pub fn row(&self, row: usize) -> Result<Vec<Annotation<'_>>, AnnotationFault<'_>> {
        let Some((list, skips, kinds, texts)) = &self.parts else { return Ok(Vec::new()) };
        if list.is_null(row) {
            return Ok(Vec::new());
        }
        let offsets = list.value_offsets();
        let place = |at: usize| offsets.get(at).and_then(|&place| usize::try_from(place).ok());
        let places = place(row).zip(place(row + 1)).map_or(0..0, |(from, to)| from..to);
        let annotation = |at: usize| {
            let kind = kinds.value(at);
            let text = if texts.is_valid(at) { texts.value(at) } else { "" };
            // Its text is in a block of prose.
            if text.is_empty() && texts.is_valid(at) {
                return Err(AnnotationFault::Prose);
            }
            Ok(Annotation {
                skip: u32::try_from(skips.value(at)).unwrap_or(u32::MAX),
                kind: AnnotationKind::of_name(kind).ok_or(AnnotationFault::Kind(kind))?,
                text: Cow::Borrowed(text),
                moves: None,
            })
        };
        places.map(annotation).collect()
    }
}

fn parts(column: &ArrayRef) -> Option<(ListArray, Int32Array, StringArray, StringArray)> {
    let list = column.as_list_opt::<i32>()?;
    let elements = list.values().as_struct_opt()?;
    let texts = |name| Some(elements.column_by_name(name)?.as_string_opt()?.clone());
    let skips = elements.column_by_name("skip")?.as_primitive_opt::<Int32Type>()?;
    Some((list.clone(), skips.clone(), texts("kind")?, texts("text")?))
}
