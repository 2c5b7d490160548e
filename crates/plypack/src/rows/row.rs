//! A record, as the columns of a row hold it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use plypack_records::START_TAG;

use crate::rows::movetext::Annotation;

/// A record as a file holds it, borrowed from the columns.
#[derive(Debug)]
pub struct StoredRecord<'a> {
    /// Tags in order, the set-up position included.
    pub tags: Vec<(&'a str, Cow<'a, str>)>,
    /// The codec, the start, the number of plies and the code.
    pub line: Option<(&'a str, Option<&'a str>, u32, &'a [u8])>,
    /// The codec and the code of the clock readings.
    pub clocks: Option<(&'a str, &'a [u8])>,
    /// The codec and the code of the evaluations.
    pub evaluations: Option<(&'a str, &'a [u8])>,
    /// The codec and the code of the reviews.
    pub reviews: Option<(&'a str, &'a [u8])>,
    /// The codec and the code of the comments that follow a pattern.
    pub fields: Option<(&'a str, &'a [u8])>,
    /// Their templates.
    pub templates: Option<&'a str>,
    /// The annotations, or why they are unknown.
    pub annotations: Result<Vec<Annotation<'a>>, AnnotationFault<'a>>,
    /// The layout's text.
    pub layout: Option<&'a str>,
    /// The patch from the bytes that the layout writes to the record's bytes.
    pub patch: Option<&'a [u8]>,
    /// The record's bytes, if they are kept.
    pub verbatim: Option<&'a [u8]>,
}

/// Why the annotations of a record are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnotationFault<'a> {
    /// One has a kind of this name, which this version does not know.
    Kind(&'a str),
    /// A text is in a block of prose, which is missing or damaged.
    Prose,
}

impl Default for StoredRecord<'_> {
    fn default() -> Self {
        Self {
            tags: Vec::new(),
            line: None,
            clocks: None,
            evaluations: None,
            reviews: None,
            fields: None,
            templates: None,
            annotations: Ok(Vec::new()),
            layout: None,
            patch: None,
            verbatim: None,
        }
    }
}

/// Puts the tags of a row, with the set-up position, in the order of the space-separated names in
/// `order`.
pub fn in_order<'a>(
    tags: &mut Vec<(&'a str, Cow<'a, str>)>,
    start: Option<&'a str>,
    order: Option<&str>,
) {
    tags.extend(start.map(|start| (START_TAG, Cow::Borrowed(start))));
    if let Some(order) = order {
        let mut places = BTreeMap::new();
        for (place, name) in order.split(' ').enumerate() {
            places.entry(name).or_insert(place);
        }
        tags.sort_by_key(|tag| places.get(tag.0));
    }
}
