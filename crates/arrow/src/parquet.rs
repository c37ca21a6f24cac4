//! Parquet files.
//!
//! ```
//! # use arrow_array::{ArrayRef, Int32Array, RecordBatch, RecordBatchIterator};
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("a.parquet");
//! # let numbers: ArrayRef = std::sync::Arc::new(Int32Array::from(vec![1, 2]));
//! # let batch = RecordBatch::try_from_iter([("Number", numbers)])?;
//! # let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
//! use ndbytes_arrow::parquet;
//!
//! parquet::write(&path, batches, &parquet::Options::new())?;
//! assert_eq!(parquet::read(&path)?.next().unwrap()?.num_rows(), 2);
//! # Ok::<(), ndbytes_arrow::Error>(())
//! ```
//!
//! Parquet has no durations, dictionaries or fixed-size lists. Arrow's schema is stored in the file, so readers can restore them.
//! The order of categories is stored in the metadata of their field.
//!
//! Parquet has no times in seconds, and no dates in milliseconds. Seconds are written as milliseconds, and such dates as days. A value that
//! would change is refused. Dictionaries of booleans, half floats, times with a zone, durations, intervals and decimals of more than 18
//! digits become plain values.

pub use crate::bounded::parquet::Reader;
use crate::choices::choices;
use crate::coerced;
use crate::error::{Error, Result, Trouble};
use crate::guarded::writing;
use arrow_array::{RecordBatch, RecordBatchOptions, RecordBatchReader};
use arrow_schema::{ArrowError, FieldRef, Schema, SchemaRef};
use ndbytes::internals::door;
use ndbytes::threads;
use ndbytes::{AtomicFile, Limits};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::{Compression as ParquetCompression, ZstdLevel};
use parquet::errors::ParquetError;
#[cfg(feature = "lake")]
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::ChunkReader;
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// The memory for the dictionary of a column from its first value on, in bytes.
const DICTIONARY: usize = 64 << 10;

/// The size of a row group in bytes, unless [`Options::bytes`] sets a different one: 128 MiB, the default of parquet-mr, which
/// Spark and Hadoop use. A writer keeps a row group in memory until it is complete.
pub const GROUP_BYTES: usize = 128 << 20;

/// How to write Parquet files.
///
/// ```
/// # use arrow_array::{ArrayRef, Int32Array, RecordBatch, RecordBatchIterator};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("a.parquet");
/// # let numbers: ArrayRef = std::sync::Arc::new(Int32Array::from(vec![1, 2, 3]));
/// # let batch = RecordBatch::try_from_iter([("Number", numbers)])?;
/// # let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
/// use ndbytes_arrow::parquet::{Compression, Options, write};
///
/// let options = Options::new().compression(Compression::Snappy).rows(100_000);
/// assert_eq!(write(&path, batches, &options)?, 3);
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Options {
    pub(crate) compression: Compression,
    pub(crate) rows: usize,
    pub(crate) bytes: usize,
}

choices! {
    /// The compression of a Parquet file.
    ///
    /// ```
    /// use ndbytes_arrow::parquet::Compression;
    ///
    /// assert_eq!("snappy".parse(), Ok(Compression::Snappy));
    /// assert_eq!(Compression::default().name(), "zstd");
    /// ```
    Compression: "compressions" {
        /// zstd at its fastest level.
        #[default]
        Zstd = "zstd",
        /// Snappy.
        Snappy = "snappy",
        /// None.
        None = "none",
    }
}

impl Default for Options {
    fn default() -> Self {
        Options { compression: Compression::default(), rows: 1 << 20, bytes: GROUP_BYTES }
    }
}

impl Options {
    /// Creates the default options.
    pub fn new() -> Self {
        Options::default()
    }

    /// Sets the compression of pages. The default is zstd at its fastest level.
    #[must_use]
    pub fn compression(self, compression: Compression) -> Self {
        Options { compression, ..self }
    }

    /// Sets the maximum number of rows per row group. The default is 1 Mi.
    #[must_use]
    pub fn rows(self, rows: usize) -> Self {
        Options { rows: rows.max(1), ..self }
    }

    /// Sets the size of a row group in bytes. The default is [`GROUP_BYTES`]. A row group is kept in memory until it is complete.
    /// Values are written without dictionaries if the dictionaries of all columns would take more: by default, with 2,049 columns
    /// or more.
    #[must_use]
    pub fn bytes(self, bytes: usize) -> Self {
        Options { bytes, ..self }
    }
}

/// Writes all batches to a file, which gets its name when it is complete. Returns the number of rows.
///
/// # Errors
/// As for [`Writer::begin`] and [`Writer::write`]; any error from the reader.
pub fn write(path: impl AsRef<Path>, batches: impl RecordBatchReader, options: &Options) -> Result<u64> {
    let mut writer = Writer::begin(AtomicFile::create(path.as_ref())?, &batches.schema(), options)?;
    let mut rows = 0;
    for batch in batches {
        let batch = batch?;
        writer.write(&batch)?;
        rows += batch.num_rows() as u64;
    }
    writer.finish()?.commit()?;
    Ok(rows)
}

/// Writes a Parquet file. The columns of a row group are encoded in parallel on the threads of the current rayon pool.
///
/// ```
/// # use arrow_array::{ArrayRef, Int32Array, RecordBatch};
/// # let numbers: ArrayRef = std::sync::Arc::new(Int32Array::from(vec![1, 2]));
/// # let batch = RecordBatch::try_from_iter([("Number", numbers)])?;
/// use ndbytes_arrow::parquet::{Options, Writer};
///
/// let mut file = Writer::begin(Vec::new(), &batch.schema(), &Options::new())?;
/// file.write(&batch)?;
/// let bytes = file.finish()?;
/// assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
pub struct Writer<W: Write + Send> {
    file: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    /// The schema of the batches.
    announced: SchemaRef,
    /// The schema of the file.
    schema: SchemaRef,
    options: Options,
    /// The column writers of the row group that has not been written yet.
    group: Vec<Column>,
    rows: usize,
    groups: usize,
    /// The number of rows in all batches.
    all: u64,
}

/// A column of a row group: a writer for each of its leaves.
struct Column {
    field: FieldRef,
    leaves: Vec<ArrowColumnWriter>,
}

impl<W: Write + Send> Writer<W> {
    /// Starts a file in a sink.
    ///
    /// # Errors
    /// [`Error::Column`] if Parquet cannot represent a type; [`Error::Arrow`] if there are no columns.
    pub fn begin(sink: W, schema: &SchemaRef, options: &Options) -> Result<Self> {
        if schema.fields().is_empty() {
            let what = "a table without columns has rows that Parquet cannot hold";
            return Err(ArrowError::NotYetImplemented(what.into()).into());
        }
        let compression = match options.compression {
            Compression::Zstd => ParquetCompression::ZSTD(ZstdLevel::default()),
            Compression::Snappy => ParquetCompression::SNAPPY,
            Compression::None => ParquetCompression::UNCOMPRESSED,
        };
        let refused = |field: &FieldRef| {
            let what = format!("has the type {}, which Parquet cannot hold", field.data_type());
            Error::Column { column: field.name().clone(), what }
        };
        if let Some(field) = schema.fields().iter().find(|field| coerced::is_refused(field.data_type())) {
            return Err(refused(field));
        }
        let announced = SchemaRef::clone(schema);
        let schema = &coerced::schema(schema);
        let dictionaries = schema.flattened_fields().len().saturating_mul(DICTIONARY);
        let properties = WriterProperties::builder()
            .set_compression(compression)
            .set_dictionary_enabled(dictionaries <= options.bytes)
            .build();
        let (file, factory) = begin(sink, schema, &properties).map_err(|error| {
            // The column that causes the error, if one does.
            let of_column = |field: &FieldRef| {
                let alone = Arc::new(Schema::new([FieldRef::clone(field)]));
                begin(io::sink(), &alone, &properties).err()?;
                Some(refused(field))
            };
            schema.fields().iter().find_map(of_column).unwrap_or(error)
        })?;
        let (schema, options) = (SchemaRef::clone(schema), options.clone());
        Ok(Writer { file, factory, announced, schema, options, group: Vec::new(), rows: 0, groups: 0, all: 0 })
    }

    /// Adds a string to the metadata of the file.
    #[cfg(feature = "lake")]
    pub(crate) fn note(&mut self, key: &str, value: &str) {
        self.file.append_key_value_metadata(KeyValue::new(key.to_owned(), value.to_owned()));
    }

    /// Appends the rows of a batch.
    ///
    /// # Errors
    /// [`Error::Arrow`] if the batch has a different schema or the sink fails; [`Error::Value`] if Parquet cannot represent a
    /// value. After an error, no more rows can be written.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let types =
            |schema: &SchemaRef| schema.fields().iter().map(|field| field.data_type().clone()).collect::<Vec<_>>();
        if types(&batch.schema()) != types(&self.announced) {
            return Err(ArrowError::SchemaError("a batch has other columns than the first one".into()).into());
        }
        let batch = &self.coerced(batch)?;
        self.all += batch.num_rows() as u64;
        let mut start = 0;
        while start < batch.num_rows() {
            let rows = (self.options.rows - self.rows).min(batch.num_rows() - start);
            self.encode(&batch.slice(start, rows))?;
            start += rows;
            self.rows += rows;
            let leaves = self.group.iter().flat_map(|column| &column.leaves);
            let bytes: usize = leaves.map(|leaf| leaf.get_estimated_total_bytes()).sum();
            if self.rows >= self.options.rows || bytes >= self.options.bytes {
                self.end_group()?;
            }
        }
        Ok(())
    }

    /// Converts a batch to the types of the file.
    fn coerced(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        if self.schema == self.announced {
            return Ok(batch.clone());
        }
        let columns = self.schema.fields().iter().zip(batch.columns()).map(|(field, array)| {
            let trouble = |trouble: Trouble| trouble.of(field.name(), |item| self.all + item as u64);
            coerced::column(array, field.data_type()).map_err(trouble)
        });
        let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        Ok(RecordBatch::try_new_with_options(SchemaRef::clone(&self.schema), columns.collect::<Result<_>>()?, &rows)?)
    }

    fn encode(&mut self, batch: &RecordBatch) -> Result<()> {
        if self.group.is_empty() {
            let writers = writing(|| self.factory.create_column_writers(self.groups).map_err(of_parquet));
            let mut writers = writers?.into_iter();
            for (field, array) in self.schema.fields().iter().zip(batch.columns()) {
                let leaves = writing(|| compute_leaves(field, array).map_err(of_parquet))?.len();
                self.group
                    .push(Column { field: FieldRef::clone(field), leaves: writers.by_ref().take(leaves).collect() });
            }
        }
        let encode = |(column, array): (&mut Column, &arrow_array::ArrayRef)| {
            writing(|| {
                let leaves = compute_leaves(&column.field, array).map_err(of_parquet)?;
                let mut leaves = column.leaves.iter_mut().zip(leaves);
                leaves.try_for_each(|(writer, leaf)| writer.write(&leaf)).map_err(of_parquet)
            })
        };
        threads::ready();
        self.group.par_iter_mut().zip(batch.columns()).map(encode).collect()
    }

    fn end_group(&mut self) -> Result<()> {
        let leaves: Vec<ArrowColumnWriter> = self.group.drain(..).flat_map(|column| column.leaves).collect();
        let close = |leaf: ArrowColumnWriter| writing(|| leaf.close().map_err(of_parquet));
        threads::ready();
        let chunks: Vec<_> = leaves.into_par_iter().map(close).collect::<Result<_>>()?;
        writing(|| {
            let mut group = self.file.next_row_group().map_err(of_parquet)?;
            for chunk in chunks {
                chunk.append_to_row_group(&mut group).map_err(of_parquet)?;
            }
            group.close().map(drop).map_err(of_parquet)
        })?;
        (self.rows, self.groups) = (0, self.groups + 1);
        Ok(())
    }

    /// Writes the rest, and returns the sink.
    ///
    /// # Errors
    /// [`Error::Arrow`] if the sink fails.
    pub fn finish(mut self) -> Result<W> {
        if self.rows > 0 {
            self.end_group()?;
        }
        writing(|| self.file.into_inner().map_err(of_parquet))
    }
}

/// Creates a writer for a file, and a factory for the writers of its columns. It stores Arrow's schema, which writers of single columns do
/// not.
fn begin<W: Write + Send>(
    sink: W,
    schema: &SchemaRef,
    properties: &WriterProperties,
) -> Result<(SerializedFileWriter<W>, ArrowRowGroupWriterFactory)> {
    writing(|| {
        let writer = ArrowWriter::try_new(sink, SchemaRef::clone(schema), Some(properties.clone()));
        let (file, factory) = writer.and_then(ArrowWriter::into_serialized_writer).map_err(of_parquet)?;
        // Types are checked when the column writers are created.
        factory.create_column_writers(0).map_err(of_parquet)?;
        Ok((file, factory))
    })
}

/// Reads the batches of a file, with the default limits.
///
/// # Errors
/// As for [`read_from`]; also an error if the file cannot be opened.
pub fn read(path: impl AsRef<Path>) -> Result<Reader<File>> {
    let path = path.as_ref();
    let file = door::named(path).map_err(|source| ndbytes::Error::Io { path: Some(path.to_owned()), source })?;
    read_from(file, None, &Limits::default())
}

/// Reads batches of the columns with these indices, in file order, or of all columns. Other columns are not read.
///
/// Each claim of the file is checked against its length and the memory limit before it is used for an allocation.
///
/// # Errors
/// [`Error::Broken`] if the file violates the format; [`Error::Memory`] if it exceeds the limit; [`Error::Arrow`] if
/// there are fewer columns.
pub fn read_from<T: ChunkReader + 'static>(source: T, columns: Option<&[usize]>, limits: &Limits) -> Result<Reader<T>> {
    Reader::open(source, columns, limits)
}

/// Returns the number of rows that the file states. Its pages are not read.
///
/// ```
/// # use arrow_array::{ArrayRef, Int32Array, RecordBatch, RecordBatchIterator};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("a.parquet");
/// # let numbers: ArrayRef = std::sync::Arc::new(Int32Array::from(vec![1, 2, 3]));
/// # let batch = RecordBatch::try_from_iter([("Number", numbers)])?;
/// # let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
/// use ndbytes_arrow::parquet;
///
/// parquet::write(&path, batches, &parquet::Options::new())?; // three rows
/// assert_eq!(parquet::rows_of(std::fs::File::open(&path).unwrap(), &Default::default())?, 3);
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
///
/// # Errors
/// As for [`read_from`].
pub fn rows_of(source: impl ChunkReader + 'static, limits: &Limits) -> Result<u64> {
    crate::bounded::parquet::rows(&source, limits)
}

fn of_parquet(error: ParquetError) -> Error {
    ArrowError::from(error).into()
}
