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
//! Parquet has no durations, dictionaries and lists of fixed size. Arrow's schema is stored in the file, by which readers bring
//! them back. The order of categories is in the metadata of their field.
//!
//! Parquet has no times in seconds, and no dates in milliseconds. Seconds are written as milliseconds, such dates as days. A value
//! that would not be the same is refused. Dictionaries of booleans, half floats, times with a zone, durations, intervals and
//! decimals over 18 digits become their values.

pub use crate::bounded::parquet::Reader;
use crate::choices::choices;
use crate::coerced;
use crate::error::{Error, Result, Trouble};
use crate::guarded::writing;
use arrow_array::{RecordBatch, RecordBatchOptions, RecordBatchReader};
use arrow_schema::{ArrowError, FieldRef, Schema, SchemaRef};
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

/// Bytes that the dictionary of a column takes from its first value on.
const DICTIONARY: usize = 64 << 10;

/// The bytes at which a row group ends, unless [`Options::bytes`] says otherwise: 128 MiB, the default of parquet-mr, with which
/// Spark and Hadoop write. A writer holds a row group in memory until it ends.
pub const GROUP_BYTES: usize = 128 << 20;

/// How Parquet files are written.
#[derive(Debug, Clone)]
pub struct Options {
    pub(crate) compression: Compression,
    pub(crate) rows: usize,
    pub(crate) bytes: usize,
}

choices! {
    /// The compression of a Parquet file.
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
    /// The defaults.
    pub fn new() -> Self {
        Options::default()
    }

    /// Sets the compression of pages. The default is zstd at its fastest level.
    #[must_use]
    pub fn compression(self, compression: Compression) -> Self {
        Options { compression, ..self }
    }

    /// Sets the maximum number of rows of a row group. The default is 1 Mi.
    #[must_use]
    pub fn rows(self, rows: usize) -> Self {
        Options { rows: rows.max(1), ..self }
    }

    /// Sets the bytes at which a row group is ended. The default is [`GROUP_BYTES`]. They are held in memory until then. Values
    /// are written without dictionaries if those of all columns would take more: by default, from 2,049 columns on.
    #[must_use]
    pub fn bytes(self, bytes: usize) -> Self {
        Options { bytes, ..self }
    }
}

/// Writes all batches to a file, which appears under its name when it is whole. Returns the number of rows.
///
/// # Errors
/// As for [`Writer::begin`] and [`Writer::write`], and those of the reader.
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

/// A writer of a Parquet file. The columns of a row group are encoded side by side in the threads of the current rayon pool.
pub struct Writer<W: Write + Send> {
    file: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    /// The schema of the batches.
    announced: SchemaRef,
    /// The schema of the file.
    schema: SchemaRef,
    options: Options,
    /// The writers of the columns of the row group that is not written yet.
    group: Vec<Column>,
    rows: usize,
    groups: usize,
    /// The rows of all batches.
    all: u64,
}

/// A column of a row group: a writer for each of its leaves.
struct Column {
    field: FieldRef,
    leaves: Vec<ArrowColumnWriter>,
}

impl<W: Write + Send> Writer<W> {
    /// Begins a file in a sink.
    ///
    /// # Errors
    /// [`Error::Column`] if Parquet cannot hold a type, and [`Error::Arrow`] if there are no columns.
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
            // The column that is to blame, if one is.
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

    /// Adds a text to the metadata of the file.
    #[cfg(feature = "lake")]
    pub(crate) fn note(&mut self, key: &str, value: &str) {
        self.file.append_key_value_metadata(KeyValue::new(key.to_owned(), value.to_owned()));
    }

    /// Appends the rows of a batch.
    ///
    /// # Errors
    /// [`Error::Arrow`] if the batch has another schema, or if the sink fails, and [`Error::Value`] if Parquet cannot hold a value.
    /// After an error, no more rows can be written.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let types =
            |schema: &SchemaRef| schema.fields().iter().map(|field| field.data_type().clone()).collect::<Vec<_>>();
        if types(&batch.schema()) != types(&self.announced) {
            return Err(ArrowError::SchemaError("a batch has other columns than were announced".into()).into());
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

    /// The batch in the types of the file.
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

    /// Writes what remains, and gives the sink back.
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

/// A writer of a file, and what makes the writers of its columns. It stores Arrow's schema, as writers of single columns do not.
fn begin<W: Write + Send>(
    sink: W,
    schema: &SchemaRef,
    properties: &WriterProperties,
) -> Result<(SerializedFileWriter<W>, ArrowRowGroupWriterFactory)> {
    writing(|| {
        let writer = ArrowWriter::try_new(sink, SchemaRef::clone(schema), Some(properties.clone()));
        let (file, factory) = writer.and_then(ArrowWriter::into_serialized_writer).map_err(of_parquet)?;
        // Types are looked at when the writers of columns are made.
        factory.create_column_writers(0).map_err(of_parquet)?;
        Ok((file, factory))
    })
}

/// The batches of a file, within the default limits.
///
/// # Errors
/// As for [`read_from`], and if the file cannot be opened.
pub fn read(path: impl AsRef<Path>) -> Result<Reader<File>> {
    let path = path.as_ref();
    let file = File::open(path).map_err(|source| ndbytes::Error::Io { path: Some(path.to_owned()), source })?;
    read_from(file, None, &Limits::default())
}

/// The batches of a file's columns at some places, in the order of the file, or those of all columns. Other columns are not read.
///
/// Each claim of the file is held against its length and the limit on memory before anything is allocated by it.
///
/// # Errors
/// [`Error::Broken`] if the file breaks the rules of the format, [`Error::Memory`] if it takes more than the limit, and
/// [`Error::Arrow`] if there are fewer columns.
pub fn read_from<T: ChunkReader + 'static>(source: T, columns: Option<&[usize]>, limits: &Limits) -> Result<Reader<T>> {
    Reader::open(source, columns, limits)
}

/// The number of rows that a file declares. Its pages are not read.
///
/// # Errors
/// As for [`read_from`].
pub fn rows_of(source: impl ChunkReader + 'static, limits: &Limits) -> Result<u64> {
    crate::bounded::parquet::rows(&source, limits)
}

fn of_parquet(error: ParquetError) -> Error {
    ArrowError::from(error).into()
}
