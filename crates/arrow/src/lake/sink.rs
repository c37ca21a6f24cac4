//! The target of the batches of a table.

use crate::error::Result;
use crate::parquet;
use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::SchemaRef;
use ndbytes::AtomicFile;
use std::io::Write;
use std::path::Path;

/// The maximum number of rows of a row group. Readers must be able to hold one row group.
const GROUP: usize = 1 << 17;

/// The target of the batches of a table. A file is written atomically: see [`Sink::finish`].
pub struct Sink<'w>(Kind<'w>);

enum Kind<'w> {
    Stream(Box<StreamWriter<&'w mut dyn Write>>),
    Arrow(Box<StreamWriter<AtomicFile>>),
    Parquet(Box<parquet::Writer<AtomicFile>>),
}

impl<'w> Sink<'w> {
    /// Begins an Arrow stream.
    ///
    /// # Errors
    /// [`Error::Arrow`](crate::Error::Arrow) if it cannot be written.
    pub fn stream(to: &'w mut dyn Write, schema: &SchemaRef) -> Result<Self> {
        Ok(Sink(Kind::Stream(Box::new(StreamWriter::try_new(to, schema)?))))
    }

    /// Begins a file with an Arrow stream.
    ///
    /// # Errors
    /// [`Error::Ndbytes`](crate::Error::Ndbytes), [`Error::Arrow`](crate::Error::Arrow) if it cannot be written.
    pub fn arrow(path: &Path, schema: &SchemaRef) -> Result<Self> {
        Ok(Sink(Kind::Arrow(Box::new(StreamWriter::try_new(AtomicFile::create(path)?, schema)?))))
    }

    /// Begins a Parquet file.
    ///
    /// # Errors
    /// As for [`Sink::arrow`].
    pub fn parquet(path: &Path, schema: &SchemaRef) -> Result<Self> {
        let options = parquet::Options::new().rows(GROUP);
        let mut writer = parquet::Writer::begin(AtomicFile::create(path)?, schema, &options)?;
        // Arrow's schema has it too, but only readers of Arrow look there.
        schema.metadata().iter().for_each(|(key, value)| writer.note(key, value));
        Ok(Sink(Kind::Parquet(Box::new(writer))))
    }

    /// Writes a batch. An Arrow stream passes it on at once.
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

    /// Ends the table. A file gets its name now; before that, the file of that name is unchanged.
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
