//! Writes record batches as IDV tables.
//!
//! ```
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("a.idv");
//! use arrow_array::{ArrayRef, Float32Array, RecordBatch, StringArray};
//! use ndbytes_arrow::idv::{WriteOptions, BatchWriter};
//! use std::sync::Arc;
//!
//! let names: ArrayRef = Arc::new(StringArray::from(vec!["a", "b"]));
//! let sizes: ArrayRef = Arc::new(Float32Array::from(vec![0.5, 1.5]));
//! let batch = RecordBatch::try_from_iter([("Name", names), ("Size", sizes)])?;
//!
//! let mut file = BatchWriter::create(&path, &batch.schema(), WriteOptions::new())?;
//! file.write(&batch)?;
//! file.finish()?;
//! assert_eq!(ndbytes::idv::open(&path)?.rows(), 2);
//! # Ok::<(), ndbytes_arrow::Error>(())
//! ```
//!
//! Any schema whose types IDV can represent is accepted; otherwise, the error names the column. Dictionaries become keys, with the
//! categories of all batches. If the metadata of a field agrees with its type, it determines the type of the column and its
//! annotations ([`metadata`](crate::metadata)). A table made by [`table`](crate::table) therefore comes back unchanged. Only one
//! thing is lost: the value of the first category of a key from ML.NET up to 0.9, which current files cannot store.

mod categories;
mod items;
mod options;
mod times;
mod types;
mod values;

use crate::error::Result;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Schema};
use items::Conversion;
use ndbytes::idv::{self, ItemType, NewFile, TableWriter};
use ndbytes::threads;
use ndbytes::{Limits, Memory};
pub use options::{NullPolicy, WriteOptions, Zones};
use rayon::prelude::*;
use std::io::{Seek, Write};
use std::path::Path;
use types::Target;

/// The number of rows that are converted at a time.
const STEP: usize = 16_384;

/// Writes record batches to an IDV table, in a file or in memory. The file has version 1.1.1.6, which ML.NET reads.
///
/// ```
/// # use arrow_array::{ArrayRef, Float32Array, RecordBatch};
/// # let sizes: ArrayRef = std::sync::Arc::new(Float32Array::from(vec![0.5, 1.5]));
/// # let batch = RecordBatch::try_from_iter([("Size", sizes)])?;
/// use ndbytes_arrow::idv::{BatchWriter, WriteOptions};
///
/// let sink = std::io::Cursor::new(Vec::new());
/// let mut table = BatchWriter::begin(sink, &batch.schema(), WriteOptions::new())?;
/// table.write(&batch)?;
/// table.write(&batch)?;
/// let bytes = table.finish_sink()?.into_inner();
/// assert!(bytes.starts_with(b"CML\0DVB\0"));
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
#[derive(Debug)]
pub struct BatchWriter<W: Write + Seek> {
    targets: Vec<Target>,
    types: Vec<arrow_schema::DataType>,
    table: TableWriter<W>,
    nulls: NullPolicy,
    zones: Zones,
    /// The limits, with a running clock.
    limits: Limits,
    memory: Memory,
    rows: u64,
}

/// Writes all batches to an IDV file, which gets its name when it is complete. Returns the number of rows.
///
/// # Errors
/// As for [`BatchWriter::create`] and [`BatchWriter::write`]; any error from the reader.
pub fn write(path: impl AsRef<Path>, batches: impl RecordBatchReader, options: WriteOptions) -> Result<u64> {
    let mut writer = BatchWriter::create(path, &batches.schema(), options)?;
    for batch in batches {
        writer.write(&batch?)?;
    }
    let rows = writer.rows;
    writer.finish()?;
    Ok(rows)
}

impl BatchWriter<NewFile> {
    /// Starts a file. It gets its name only when it is finished.
    ///
    /// # Errors
    /// [`Error::Column`](crate::Error::Column) if a column has a type that IDV cannot represent, or an invalid annotation.
    /// [`Error::Ndbytes`](crate::Error::Ndbytes) if a column has no name or a duplicate name, or if the file cannot be created.
    pub fn create(path: impl AsRef<Path>, schema: &Schema, options: WriteOptions) -> Result<Self> {
        BatchWriter::new(schema, options, |writer| writer.create(path))
    }

    /// Writes the remaining rows, and gives the file its name.
    ///
    /// # Errors
    /// [`Error::Ndbytes`](crate::Error::Ndbytes) if the file cannot be written.
    pub fn finish(mut self) -> Result<()> {
        self.annotate()?;
        Ok(self.table.finish()?)
    }
}

impl<W: Write + Seek> BatchWriter<W> {
    /// Starts a table in memory, or in any other sink, at its first byte.
    ///
    /// # Errors
    /// As for [`BatchWriter::create`].
    pub fn begin(sink: W, schema: &Schema, options: WriteOptions) -> Result<Self> {
        BatchWriter::new(schema, options, |writer| writer.begin(sink))
    }

    fn new(
        schema: &Schema,
        options: WriteOptions,
        begin: impl FnOnce(idv::Writer) -> ndbytes::Result<TableWriter<W>>,
    ) -> Result<Self> {
        let limits = options.limits.started();
        let memory = Memory::new(limits);
        let (mut targets, mut columns, mut types) = (Vec::new(), Vec::new(), Vec::new());
        for field in schema.fields() {
            let (target, column) = Target::of(field, &options, &memory)?;
            targets.push(target);
            columns.push(column);
            types.push(field.data_type().clone());
        }
        let table = begin(idv::Writer::new(columns).compression(options.compression))?;
        Ok(BatchWriter { targets, types, table, nulls: options.nulls, zones: options.zones, limits, memory, rows: 0 })
    }

    /// Appends the rows of a batch.
    ///
    /// # Errors
    /// [`Error::Value`](crate::Error::Value) and [`Error::Column`](crate::Error::Column) if IDV cannot represent the content;
    /// [`Error::Arrow`](crate::Error::Arrow) if the batch has a different schema; [`Error::Ndbytes`](crate::Error::Ndbytes) if it
    /// cannot be written. After an error, no more rows can be written.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        if !batch.columns().iter().map(|column| column.data_type()).eq(&self.types) {
            return Err(ArrowError::SchemaError("a batch has other columns than the first one".into()).into());
        }
        if self.targets.is_empty() {
            self.rows += batch.num_rows() as u64;
            return Ok(self.table.write_empty_rows(batch.num_rows() as u64)?);
        }
        let mut start = 0;
        while start < batch.num_rows() {
            self.limits.ensure_time()?;
            let step = batch.slice(start, STEP.min(batch.num_rows() - start));
            self.write_step(&step)?;
            self.limits.ensure_output("the IDV file", self.table.length())?;
            start += step.num_rows();
        }
        Ok(())
    }

    fn write_step(&mut self, batch: &RecordBatch) -> Result<()> {
        let conversion = Conversion { nulls: self.nulls, zones: self.zones, memory: &self.memory };
        let first = self.rows;
        threads::ready();
        let columns = self.targets.par_iter_mut().zip(batch.columns());
        let values = columns.map(|(target, array)| target.values(array, first, &conversion));
        let values: Vec<Result<_>> = values.collect();
        let values = values.into_iter().collect::<Result<Vec<_>>>()?;
        for (place, target) in self.targets.iter_mut().enumerate() {
            let grown = target.categories.as_ref().and_then(|categories| categories.grown());
            if let (Some(count), ItemType::Key(key)) = (grown, &mut target.column_type.item)
                && count > key.count
            {
                self.table.grow_categories(place, count)?;
                key.count = count;
            }
        }
        self.table.write(&values)?;
        self.rows += batch.num_rows() as u64;
        Ok(())
    }

    /// Writes the remaining rows, and returns the sink.
    ///
    /// # Errors
    /// As for [`BatchWriter::write`].
    pub fn finish_sink(mut self) -> Result<W> {
        self.annotate()?;
        Ok(self.table.finish_sink()?)
    }

    /// Writes the values of the categories that were encountered.
    fn annotate(&mut self) -> Result<()> {
        for (place, target) in self.targets.iter_mut().enumerate() {
            let Some(categories) = target.categories.take() else { continue };
            if let Some((value_type, values)) = categories.into_values()? {
                self.table.annotate(place, "KeyValues", value_type, values)?;
            }
        }
        Ok(())
    }
}
