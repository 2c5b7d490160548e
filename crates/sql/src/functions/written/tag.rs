//! `tag(tags, name)`: a tag without a column of its own.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, StringBuilder};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::exec_err;
use datafusion::error::Result;
use datafusion::logical_expr::ColumnarValue;

pub(super) fn answer(args: &[ColumnarValue]) -> Result<ColumnarValue> {
    let [tags, name] = &ColumnarValue::values_to_arrays(args)?[..] else {
        return exec_err!("tag(tags, name) takes two arguments");
    };
    let Some(tags) = tags.as_map_opt() else {
        return exec_err!("tag(tags, name): the first argument must be the column `tags`");
    };
    let rows = tags.len();
    let name = cast(name, &DataType::Utf8)?;
    let name = name.as_string::<i32>();
    let keys = cast(tags.keys(), &DataType::Utf8)?;
    let values = cast(tags.values(), &DataType::Utf8)?;
    let (keys, values) = (keys.as_string::<i32>(), values.as_string::<i32>());
    let mut found = StringBuilder::with_capacity(rows, rows * 8);
    for row in 0..rows {
        let range = tags.offsets().get(row..row + 2).filter(|_| tags.is_valid(row));
        let (Some(&[from, to]), true) = (range, name.is_valid(row)) else {
            found.append_null();
            continue;
        };
        let wanted = name.value(row);
        let places = usize::try_from(from).unwrap_or(0)..usize::try_from(to).unwrap_or(0);
        // The last tag of a name counts, as in many PGN readers.
        let place = places.rev().find(|&at| keys.value(at).eq_ignore_ascii_case(wanted));
        found.append_option(place.filter(|&at| values.is_valid(at)).map(|at| values.value(at)));
    }
    Ok(ColumnarValue::Array(Arc::new(found.finish()) as ArrayRef))
}
