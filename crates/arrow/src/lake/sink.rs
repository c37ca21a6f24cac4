//! The target of the batches of a table.

use crate::error::Result;
use crate::parquet;
use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::SchemaRef;
use ndbytes::AtomicFile;
use std::io::Write;
use std::path::Path;

/// The maximum number of rows of a row group. Readers must be able to keep one row group in memory.
const GROUP: usize = 1 << 17;

/// The target of a table's batches: an Arrow stream, a file that contains one, or a Parquet file.
///
/// ```
/// use arrow_array::StringArray;
/// use ndbytes_arrow::lake::{Options, Sink, Table, check_batch};
///
/// let paths = StringArray::from(vec!["../../samples/interrupted-idx3-ubyte"]);
/// let findings = check_batch(&paths, Table::Findings, &Options::new())?;
/// let mut bytes = Vec::new();
/// let mut sink = Sink::stream(&mut bytes, &Table::Findings.schema())?;
/// sink.write(&findings)?;
/// sink.finish()?;
/// assert_eq!(ndbytes_arrow::ipc::read_stream(&bytes[..])?.next().unwrap()?, findings);
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
///
/// A file is written atomically: see [`Sink::finish`].
pub struct Sink<'w>(Kind<'w>);

enum Kind<'w> {
    Stream(Box<StreamWriter<&'w mut dyn Write>>),
    Arrow(Box<StreamWriter<AtomicFile>>),
    Parquet(Box<parquet::Writer<AtomicFile>>),
}

impl<'w> Sink<'w> {
    /// Starts an Arrow stream.
    ///
    /// # Errors
    /// [`Error::Arrow`](crate::Error::Arrow) if it cannot be written.
    pub fn stream(to: &'w mut dyn Write, schema: &SchemaRef) -> Result<Self> {
        Ok(Sink(Kind::Stream(Box::new(StreamWriter::try_new(to, schema)?))))
    }

    /// Starts a file with an Arrow stream.
    ///
    /// # Errors
    /// [`Error::Ndbytes`](crate::Error::Ndbytes) or [`Error::Arrow`](crate::Error::Arrow) if it cannot be written.
    pub fn arrow(path: &Path, schema: &SchemaRef) -> Result<Self> {
        Ok(Sink(Kind::Arrow(Box::new(StreamWriter::try_new(AtomicFile::create(path)?, schema)?))))
    }

    /// Starts a Parquet file.
    ///
    /// # Errors
    /// As for [`Sink::arrow`].
    pub fn parquet(path: &Path, schema: &SchemaRef) -> Result<Self> {
        let options = parquet::Options::new().rows(GROUP);
        let mut writer = parquet::Writer::begin(AtomicFile::create(path)?, schema, &options)?;
        // Arrow's schema also has it, but only Arrow readers look there.
        schema.metadata().iter().for_each(|(key, value)| writer.note(key, value));
        Ok(Sink(Kind::Parquet(Box::new(writer))))
    }

    /// Writes a batch. An Arrow stream passes it on immediately.
    ///
    /// # Errors
    /// As for [`Sink::arrow`].
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        match &mut self.0 {
            Kind::Stream(writer) => {
                writer.write(batch)?;
                Ok(writer.flush()?)
            }
            Kind::Arrow(writer) => Ok(writer.write(batch)?),
            Kind::Parquet(writer) => writer.write(batch),
        }
    }

    /// Completes the table. A file gets its name now; until then, an existing file with that name does not change.
    ///
    /// # Errors
    /// As for [`Sink::arrow`].
    pub fn finish(self) -> Result<()> {
        match self.0 {
            Kind::Stream(mut writer) => Ok(writer.finish()?),
            Kind::Arrow(mut writer) => {
                writer.finish()?;
                Ok(writer.into_inner()?.commit()?)
            }
            Kind::Parquet(writer) => Ok(writer.finish()?.commit()?),
        }
    }
}
