//! Reads strings as views into pages, so that a dictionary cannot multiply them unnoticed.
//!
//! A dictionary in Parquet may contain one string of a megabyte, and a million rows may refer to it. As plain strings,
//! that would be a terabyte. As views, it is one megabyte, and copies are made only as far as the limit allows.

use super::super::known::too_large;
use super::super::schema::Table;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, ListArray, RecordBatch, StringArray, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use ndbytes::Limits;
use std::sync::Arc;

/// Returns a schema with views for strings, or `None` if it is not the schema of the `files` table. The names of list items and the
/// allowed nulls depend on the writer, so they may differ.
pub(super) fn schema(found: &Schema) -> Option<SchemaRef> {
    let fields = viewed_all(found.fields(), Table::Files.schema().fields())?;
    Some(Arc::new(Schema::new(fields)))
}

fn viewed_all(found: &Fields, ours: &Fields) -> Option<Fields> {
    let names = |fields: &Fields| fields.iter().map(|field| field.name().clone()).collect::<Vec<_>>();
    let pairs = (names(found) == names(ours)).then(|| found.iter().zip(ours))?;
    pairs.map(|(found, ours)| viewed(found, ours)).collect()
}

fn viewed(found: &Arc<Field>, ours: &Arc<Field>) -> Option<Arc<Field>> {
    let kind = match (found.data_type(), ours.data_type()) {
        (DataType::Utf8, DataType::Utf8) => DataType::Utf8View,
        (DataType::List(found), DataType::List(ours)) => DataType::List(viewed(found, ours)?),
        (DataType::Struct(found), DataType::Struct(ours)) => DataType::Struct(viewed_all(found, ours)?),
        (found, ours) => (found == ours).then(|| found.clone())?,
    };
    Some(Arc::new(found.as_ref().clone().with_data_type(kind)))
}

/// Returns the same rows, with copies of their strings, of at most `left` bytes.
pub(super) fn owned(batch: &RecordBatch, mut left: u64, limits: Limits) -> Result<RecordBatch, String> {
    let schema = Table::Files.schema();
    let mut own = |(array, field): (&ArrayRef, &Arc<Field>)| column(array, field.data_type(), &mut left);
    let columns: Option<Result<Vec<_>, _>> = batch.columns().iter().zip(schema.fields()).map(&mut own).collect();
    let columns = columns.ok_or_else(|| too_large(limits))?;
    columns.and_then(|columns| RecordBatch::try_new(schema.clone(), columns)).map_err(|error| error.to_string())
}

/// Returns a column in a type of our schema, or `None` if its strings are too long.
fn column(array: &ArrayRef, kind: &DataType, left: &mut u64) -> Option<Result<ArrayRef, ArrowError>> {
    Some(match kind {
        DataType::Utf8 => {
            let texts = array.as_string_view();
            let bytes = texts.iter().flatten().map(|text| text.len() as u64).sum::<u64>();
            *left = left.checked_sub(bytes).filter(|_| i32::try_from(bytes).is_ok())?;
            Ok(Arc::new(texts.iter().collect::<StringArray>()))
        }
        DataType::List(item) => {
            let lists = array.as_list::<i32>();
            let made = |items| ListArray::try_new(item.clone(), lists.offsets().clone(), items, lists.nulls().cloned());
            column(lists.values(), item.data_type(), left)?.and_then(made).map(|lists| Arc::new(lists) as ArrayRef)
        }
        DataType::Struct(fields) => {
            let structs = array.as_struct();
            let mut own = |(array, field): (&ArrayRef, &Arc<Field>)| column(array, field.data_type(), left);
            let columns: Result<Vec<_>, _> =
                structs.columns().iter().zip(fields).map(&mut own).collect::<Option<_>>()?;
            let made = |columns| StructArray::try_new(fields.clone(), columns, structs.nulls().cloned());
            columns.and_then(made).map(|structs| Arc::new(structs) as ArrayRef)
        }
        _ => Ok(array.clone()),
    })
}
