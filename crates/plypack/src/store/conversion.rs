//! Converts the columns of another tool's copy to our types.
//!
//! Arrow's cast crate rounds: half a second or half a number would be lost silently. Here every
//! value is converted exactly, or an error names the column.

use std::fmt::{self, Display};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BinaryArray, ListArray, MapArray, PrimitiveArray,
    RecordBatch, StringArray, StructArray, new_null_array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema, TimeUnit};

/// A column that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    /// Its name, with that of the part: `moves.plies`.
    pub column: String,
    found: DataType,
    wanted: DataType,
    /// Whether the type could be converted, but not every value.
    value: bool,
}

impl Display for Mismatch {
    /// Writes what is wrong and the remedy, to follow a file's name.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { column, found, wanted, value } = self;
        let (found, wanted) = (Kind(found), Kind(wanted));
        write!(formatter, "its column `{column}` has {found}, ")?;
        if *value {
            write!(formatter, "not all of which convert to the {wanted} that plypack writes; ")?;
        } else {
            write!(formatter, "where plypack writes {wanted}; ")?;
        }
        formatter.write_str("keep the column's type when you copy the file, or cast it back")
    }
}

/// Names a type in words common to all tools.
struct Kind<'a>(&'a DataType);

impl Display for Kind<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            DataType::Utf8 => formatter.write_str("texts"),
            DataType::Binary => formatter.write_str("bytes"),
            DataType::Date32 => formatter.write_str("dates"),
            DataType::Time32(unit) | DataType::Time64(unit) => {
                write!(formatter, "times of day in {}", unit_name(*unit))
            }
            DataType::Timestamp(unit, _) => {
                write!(formatter, "timestamps in {}", unit_name(*unit))
            }
            DataType::Boolean => formatter.write_str("booleans"),
            DataType::Struct(_) => formatter.write_str("structs"),
            DataType::List(_) => formatter.write_str("lists"),
            DataType::Map(..) => formatter.write_str("maps"),
            other => write!(formatter, "numbers of the type {other}"),
        }
    }
}

fn unit_name(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Second => "seconds",
        TimeUnit::Millisecond => "milliseconds",
        TimeUnit::Microsecond => "microseconds",
        TimeUnit::Nanosecond => "nanoseconds",
    }
}

/// Converts the columns of a batch to the types of their names; others are unchanged.
pub(crate) fn convert(
    batch: RecordBatch,
    wanted: impl Fn(&Field) -> Option<DataType>,
) -> Result<RecordBatch, Mismatch> {
    let types: Vec<Option<DataType>> = batch
        .schema_ref()
        .fields()
        .iter()
        .map(|field| wanted(field).filter(|wanted| wanted != field.data_type()))
        .collect();
    if types.iter().all(Option::is_none) {
        return Ok(batch);
    }
    let (schema, columns, rows) = batch.into_parts();
    let mut fields: Vec<FieldRef> = Vec::with_capacity(columns.len());
    let mut arrays: Vec<ArrayRef> = Vec::with_capacity(columns.len());
    for ((field, array), wanted) in schema.fields().iter().zip(columns).zip(types) {
        let array = match wanted {
            Some(wanted) => column(&array, &wanted, field.name())?,
            None => array,
        };
        let data_type = array.data_type().clone();
        fields.push(Arc::new(Field::new(field.name(), data_type, true)));
        arrays.push(array);
    }
    let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows));
    let schema = Arc::new(Schema::new(fields));
    RecordBatch::try_new_with_options(schema, arrays, &options).map_err(|_| Mismatch {
        // Unreachable: the arrays of one batch are equally long.
        column: String::new(),
        found: DataType::Null,
        wanted: DataType::Null,
        value: true,
    })
}

/// Converts a column, or a part of one, to this type. Parts that were not read are left out.
fn column(array: &ArrayRef, wanted: &DataType, name: &str) -> Result<ArrayRef, Mismatch> {
    if array.data_type() == wanted {
        return Ok(Arc::clone(array));
    }
    let mismatch = |value| {
        let (found, wanted) = (array.data_type().clone(), wanted.clone());
        Mismatch { column: name.to_owned(), found, wanted, value }
    };
    // An all-null column may have any type: some tools forget it then.
    if array.logical_null_count() == array.len() {
        return Ok(new_null_array(wanted, array.len()));
    }
    match wanted {
        DataType::Struct(fields) => {
            let array = array.as_struct_opt().ok_or_else(|| mismatch(false))?;
            let parts = parts(array, fields, name)?;
            structure(fields, parts, array.nulls()).ok_or_else(|| mismatch(true))
        }
        DataType::List(element) => {
            let list: &ListArray = array.as_list_opt().ok_or_else(|| mismatch(false))?;
            let values = column(list.values(), element.data_type(), name)?;
            let element = element.as_ref().clone().with_data_type(values.data_type().clone());
            let (offsets, nulls) = (list.offsets().clone(), list.nulls().cloned());
            let list = ListArray::try_new(Arc::new(element), offsets, values, nulls);
            Ok(Arc::new(list.map_err(|_| mismatch(true))?))
        }
        DataType::Map(entry, _) => map(array, entry, name)?.ok_or_else(|| mismatch(false)),
        _ => leaf(array, wanted).map_err(mismatch),
    }
}

/// Returns the struct's available parts, converted to the types of these fields, in their order.
fn parts(
    array: &StructArray,
    fields: &Fields,
    name: &str,
) -> Result<Vec<(FieldRef, ArrayRef)>, Mismatch> {
    let mut parts = Vec::with_capacity(fields.len());
    for field in fields {
        let Some(part) = array.column_by_name(field.name()) else { continue };
        let part = column(part, field.data_type(), &format!("{name}.{}", field.name()))?;
        parts.push((Arc::clone(field), part));
    }
    Ok(parts)
}

/// Makes a struct of these parts. Where a required part is null, the struct is null: some tools
/// turn a null struct into a struct of nulls.
fn structure(
    fields: &Fields,
    parts: Vec<(FieldRef, ArrayRef)>,
    nulls: Option<&NullBuffer>,
) -> Option<ArrayRef> {
    if parts.is_empty() && !fields.is_empty() {
        return None;
    }
    let mut nulls = nulls.cloned();
    for (_, part) in parts.iter().filter(|(field, _)| !field.is_nullable()) {
        nulls = NullBuffer::union(nulls.as_ref(), part.logical_nulls().as_ref());
    }
    let (fields, arrays): (Vec<FieldRef>, Vec<ArrayRef>) = parts.into_iter().unzip();
    let array = StructArray::try_new(fields.into(), arrays, nulls).ok()?;
    Some(Arc::new(array))
}

/// Converts a map, which some tools store as a list of pairs: of structs, or of lists of two.
fn map(array: &ArrayRef, entry: &FieldRef, name: &str) -> Result<Option<ArrayRef>, Mismatch> {
    let halves: Option<(&OffsetBuffer<i32>, Vec<ArrayRef>)> = match array.data_type() {
        DataType::Map(..) => {
            array.as_map_opt().map(|map| (map.offsets(), map.entries().columns().to_vec()))
        }
        DataType::List(_) => array.as_list_opt::<i32>().and_then(|list| {
            let halves = match list.values().as_struct_opt() {
                Some(pairs) => pairs.columns().to_vec(),
                None => halves(list.values().as_list_opt()?)?,
            };
            Some((list.offsets(), halves))
        }),
        _ => None,
    };
    let (Some((offsets, halves)), DataType::Struct(fields)) = (halves, entry.data_type()) else {
        return Ok(None);
    };
    if halves.len() != fields.len() {
        return Ok(None);
    }
    // Tools name the halves differently; the key always comes first.
    let mut named = Vec::with_capacity(fields.len());
    for (field, half) in fields.iter().zip(&halves) {
        named.push(column(half, field.data_type(), &format!("{name}.{}", field.name()))?);
    }
    let made = StructArray::try_new(fields.clone(), named, None).and_then(|pairs| {
        let (offsets, nulls) = (offsets.clone(), array.nulls().cloned());
        MapArray::try_new(Arc::clone(entry), offsets, pairs, nulls, false)
    });
    Ok(made.ok().map(|map| Arc::new(map) as ArrayRef))
}

/// Splits lists of two texts each into the first and the second texts.
fn halves(pairs: &ListArray) -> Option<Vec<ArrayRef>> {
    let texts = pairs.values().as_string_opt::<i32>()?;
    let half = |which: usize| -> Option<ArrayRef> {
        let text = |range: &[i32]| {
            let &[from, to] = range else { return None };
            let at = usize::try_from(from).ok().filter(|_| to.checked_sub(from) == Some(2))?;
            Some(texts.is_valid(at + which).then(|| texts.value(at + which)))
        };
        let half: Option<StringArray> = pairs.value_offsets().windows(2).map(text).collect();
        Some(Arc::new(half?))
    };
    Some(vec![half(0)?, half(1)?])
}

/// Converts values to this type; an error is `true` if a value did not fit.
fn leaf(array: &ArrayRef, wanted: &DataType) -> Result<ArrayRef, bool> {
    const MILLISECOND: TimeUnit = TimeUnit::Millisecond;
    match (wanted, array.data_type()) {
        (DataType::Utf8, DataType::Binary) => {
            let bytes = array.as_binary::<i32>().clone();
            Ok(Arc::new(StringArray::try_from_binary(bytes).map_err(|_| true)?))
        }
        (DataType::Binary, DataType::Utf8) => {
            Ok(Arc::new(BinaryArray::from(array.as_string::<i32>().clone())))
        }
        (DataType::Time32(MILLISECOND), DataType::Time64(_)) => {
            numbers::<Time32MillisecondType>(array)
        }
        (DataType::Date32, DataType::Timestamp(..)) => numbers::<Date32Type>(array),
        // Dates and numbers do not convert to each other.
        (_, DataType::Timestamp(..) | DataType::Time64(_) | DataType::Date32) => Err(false),
        (DataType::Int32, _) => numbers::<Int32Type>(array),
        (DataType::UInt32, _) => numbers::<UInt32Type>(array),
        (DataType::Int64, _) => numbers::<Int64Type>(array),
        _ => Err(false),
    }
}

/// Converts numbers to another width or unit.
fn numbers<T: ArrowPrimitiveType>(array: &ArrayRef) -> Result<ArrayRef, bool>
where
    T::Native: TryFrom<i64>,
{
    const DAY_SECONDS: i64 = 86_400;
    let values = match array.data_type() {
        DataType::Int8 => whole::<Int8Type>(array, 1),
        DataType::Int16 => whole::<Int16Type>(array, 1),
        DataType::Int32 => whole::<Int32Type>(array, 1),
        DataType::Int64 => whole::<Int64Type>(array, 1),
        DataType::UInt8 => whole::<UInt8Type>(array, 1),
        DataType::UInt16 => whole::<UInt16Type>(array, 1),
        DataType::UInt32 => whole::<UInt32Type>(array, 1),
        DataType::UInt64 => whole::<UInt64Type>(array, 1),
        DataType::Float64 => floats(array),
        DataType::Time64(TimeUnit::Microsecond) => whole::<Time64MicrosecondType>(array, 1_000),
        DataType::Time64(_) => whole::<Time64NanosecondType>(array, 1_000_000),
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            whole::<TimestampMillisecondType>(array, DAY_SECONDS * 1_000)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            whole::<TimestampMicrosecondType>(array, DAY_SECONDS * 1_000_000)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            whole::<TimestampNanosecondType>(array, DAY_SECONDS * 1_000_000_000)
        }
        _ => return Err(false),
    };
    let narrow = |value: Option<i64>| value.map(T::Native::try_from).transpose();
    let values: Result<Vec<Option<T::Native>>, _> =
        values.ok_or(true)?.into_iter().map(narrow).collect();
    Ok(Arc::new(PrimitiveArray::<T>::from_iter(values.map_err(|_| true)?)))
}

/// Divides numbers by a unit; `None` if one is not a multiple of it, or too large.
fn whole<T: ArrowPrimitiveType>(array: &ArrayRef, unit: i64) -> Option<Vec<Option<i64>>>
where
    T::Native: TryInto<i64>,
{
    let divide = |value: Option<T::Native>| match value {
        None => Some(None),
        Some(value) => {
            let value: i64 = value.try_into().ok()?;
            (value % unit == 0).then_some(Some(value / unit))
        }
    };
    array.as_primitive_opt::<T>()?.iter().map(divide).collect()
}

/// Reads floats from tools without nullable integers: nulls are NaN.
fn floats(array: &ArrayRef) -> Option<Vec<Option<i64>>> {
    let values = array.as_primitive_opt::<arrow_array::types::Float64Type>()?;
    let read = |value: Option<f64>| match value.filter(|value| !value.is_nan()) {
        None => Some(None),
        // A whole number is written without a point; other numbers do not parse.
        Some(value) => value.to_string().parse().ok().map(Some),
    };
    values.iter().map(read).collect()
}
