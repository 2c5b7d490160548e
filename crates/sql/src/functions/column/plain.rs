//! Conversion of columns to plain types: other tools, and the engine itself, store texts and bytes
//! as views, with long offsets, or dictionary-encoded.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, ListArray, MapArray, StructArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::Result;

/// Converts a column, with all its parts, to plain types, or to the wanted type.
pub(crate) fn plain(array: &ArrayRef, wanted: Option<&DataType>) -> Result<ArrayRef> {
    if let Some(wanted) = wanted {
        return Ok(cast(array, wanted)?);
    }
    match array.data_type() {
        DataType::Utf8View | DataType::LargeUtf8 | DataType::Null => {
            Ok(cast(array, &DataType::Utf8)?)
        }
        DataType::BinaryView | DataType::LargeBinary => Ok(cast(array, &DataType::Binary)?),
        DataType::Dictionary(_, values) => plain(&cast(array, values)?, None),
        DataType::Struct(_) => Ok(Arc::new(structure(array.as_struct())?)),
        DataType::List(field) => {
            let list = array.as_list::<i32>();
            let values = plain(list.values(), None)?;
            let field = Arc::new(retyped(field, &values));
            let (offsets, nulls) = (list.offsets().clone(), list.nulls().cloned());
            Ok(Arc::new(ListArray::try_new(field, offsets, values, nulls)?))
        }
        DataType::Map(field, sorted) => {
            let map = array.as_map();
            let entries = structure(map.entries())?;
            let field = field.as_ref().clone().with_data_type(entries.data_type().clone());
            let (offsets, nulls) = (map.offsets().clone(), map.nulls().cloned());
            let map = MapArray::try_new(Arc::new(field), offsets, entries, nulls, *sorted)?;
            Ok(Arc::new(map))
        }
        _ => Ok(Arc::clone(array)),
    }
}

fn retyped(field: &Field, array: &ArrayRef) -> Field {
    field.clone().with_data_type(array.data_type().clone())
}

/// Converts the parts of a struct to plain types.
fn structure(array: &StructArray) -> Result<StructArray> {
    let mut fields = Vec::with_capacity(array.num_columns());
    let mut parts = Vec::with_capacity(array.num_columns());
    for (field, part) in array.fields().iter().zip(array.columns()) {
        let part = plain(part, None)?;
        fields.push(retyped(field, &part));
        parts.push(part);
    }
    let nulls = array.nulls().cloned();
    Ok(StructArray::try_new_with_length(fields.into(), parts, nulls, array.len())?)
}
