//! Arrays as a table: each array becomes a column, with one row per item along the first axis.

use super::column::Column;
use super::sink::{self, Output, Sink};
use crate::arrays::metadata;
use crate::arrays::part::ArraySource;
use crate::arrays::view::View;
use crate::error::{Error, Loss, Result};
use crate::kind::FileKind;
use crate::memory::room;
use crate::name::stem;
use crate::options::Options;
use crate::table_options::Layout;
use crate::target::Target;
use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use ndbytes_arrow::tensors::TensorColumn;
use std::ops::Range;
use std::sync::Arc;

/// The number of bytes in a batch, as stored in the source arrays.
const BATCH: u64 = 16 << 20;

/// A batch gets this fraction of the memory limit, because it is read, converted to a column, and written.
const SHARE: u64 = 8;

/// Converts arrays to the columns of a table.
pub fn convert(
    parts: &[&ArraySource<'_>],
    kind: FileKind,
    target: Target<'_>,
    options: &Options<'_>,
) -> Result<Vec<Loss>> {
    let views = parts.iter().enumerate().map(|(place, part)| View::new(std::slice::from_ref(part), place, options));
    let views = views.collect::<Result<Vec<_>>>()?;
    let rows = rows(&views)?;
    let losses = metadata::losses(kind, parts)?;
    let (schema, columns) = match options.tables.layout {
        Layout::Tensors => tensors(&views)?,
        #[cfg(feature = "png")]
        Layout::HuggingFace => super::images::columns(&views, kind, options)?,
        #[cfg(not(feature = "png"))]
        Layout::HuggingFace => return Err(Error::NotBuilt { kind, feature: "png" }),
    };
    options.ensure_allowed(&losses)?;
    parts.iter().try_for_each(|part| part.ensure_rest())?;
    let mut output = Output::new(kind, target)?;
    let mut sink = sink::begin(kind, output.sink()?, &schema, options)?;
    let row = columns.iter().map(|column| column.row_bytes()).fold(1, u64::saturating_add);
    let together = (BATCH.min(options.limits.memory / SHARE) / row).max(1);
    let together = usize::try_from(together).unwrap_or(usize::MAX);
    for from in (0..rows).step_by(together) {
        options.limits.ensure_time()?;
        let rows = from..rows.min(from.saturating_add(together));
        write(&mut *sink, &schema, (&views, &columns), &rows, options)?;
        output.pass_on(&options.limits)?;
    }
    let end = sink.finish()?;
    output.end(end, &options.limits)?;
    Ok(losses)
}

/// Writes some rows.
fn write(
    sink: &mut dyn Sink,
    schema: &SchemaRef,
    (views, columns): (&[View<'_>], &[Box<dyn Column>]),
    rows: &Range<usize>,
    options: &Options<'_>,
) -> Result<()> {
    let mut arrays = Vec::new();
    for (view, column) in views.iter().zip(columns) {
        let inner = view.shape()[1..].iter().map(|&extent| 0..extent);
        let ranges: Vec<_> = [rows.clone()].into_iter().chain(inner).collect();
        let mut bytes = Vec::new();
        room(&mut bytes, (rows.len() as u64).saturating_mul(column.row_bytes()), &options.limits)?;
        view.read_box(&ranges, &mut bytes)?;
        arrays.push(column.array(bytes, options)?);
    }
    let batch = RecordBatch::try_new(Arc::clone(schema), arrays);
    sink.write(&batch.map_err(|error| Error::of_arrow(error, "the arrays"))?)
}

/// Returns the number of rows, which must be the same in all arrays.
fn rows(views: &[View<'_>]) -> Result<usize> {
    let rows = |view: &View<'_>| view.shape().first().copied();
    let first = views.first().ok_or(ndbytes::Error::OutOfRange { index: 0, length: 0 })?;
    let all = rows(first).unwrap_or(0);
    match views.iter().find(|view| rows(view) != rows(first)) {
        None => Ok(all),
        Some(other) => Err(Error::Unlike {
            name: other.name().to_owned(),
            first: first.name().to_owned(),
            what: format!("{} rows, not {all}", rows(other).unwrap_or(0)),
        }),
    }
}

/// Returns the columns of tensors and numbers, with the names of the arrays.
fn tensors(views: &[View<'_>]) -> Result<(SchemaRef, Vec<Box<dyn Column>>)> {
    let column = |view: &View<'_>| {
        let column = TensorColumn::new(stem(view.name()), view.item_type(), view.shape());
        column.map_err(|error| Error::of_table(error, view.name()))
    };
    let columns = views.iter().map(column).collect::<Result<Vec<_>>>()?;
    let mut names: Vec<&str> = columns.iter().map(|column| column.field().name().as_str()).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        let what = format!("two columns named {:?}", pair[0]);
        return Err(Error::Refused { kind: FileKind::Parquet, what });
    }
    let schema = Schema::new(columns.iter().map(Column::field).collect::<Vec<_>>());
    Ok((Arc::new(schema), columns.into_iter().map(|column| Box::new(column) as Box<dyn Column>).collect()))
}
