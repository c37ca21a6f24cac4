//! Where the batches of a table go, and reading them again.

use super::known::Known;
use super::options::Options;
use crate::{Error, Result, ipc, parquet};
use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::SchemaRef;
use ndbytes::AtomicFile;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Where the batches of a table go. A file appears when it is whole: see [`Sink::finish`].
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
    /// [`Error::Arrow`] if it cannot be written.
    pub fn stream(to: &'w mut dyn Write, schema: &SchemaRef) -> Result<Self> {
        Ok(Sink(Kind::Stream(Box::new(StreamWriter::try_new(to, schema)?))))
    }

    /// Begins a file with an Arrow stream.
    ///
    /// # Errors
    /// [`Error::Ndbytes`], [`Error::Arrow`] if it cannot be written.
    pub fn arrow(path: &Path, schema: &SchemaRef) -> Result<Self> {
        Ok(Sink(Kind::Arrow(Box::new(StreamWriter::try_new(AtomicFile::create(path)?, schema)?))))
    }

    /// Begins a Parquet file.
    ///
    /// # Errors
    /// As for [`Sink::arrow`].
    pub fn parquet(path: &Path, schema: &SchemaRef) -> Result<Self> {
        let writer = parquet::Writer::begin(AtomicFile::create(path)?, schema, &parquet::Options::new())?;
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

impl Known {
    /// Adds the rows of a file: Parquet, or an Arrow file or stream. See [`Known::add`].
    ///
    /// # Errors
    /// A sentence on a file that cannot be read, or that does not serve.
    pub fn read(&mut self, path: &Path, options: &Options, most: u64) -> Result<bool, String> {
        let words = |error: Error| error.to_string();
        let mut head = [0; 6];
        let mut file = File::open(path).map_err(|error| error.to_string())?;
        let length = Read::take(&file, 6).read(&mut head).map_err(|error| error.to_string())?;
        file.seek(SeekFrom::Start(0)).map_err(|error| error.to_string())?;
        match &head[..length] {
            [b'P', b'A', b'R', b'1', ..] => {
                let mut table = parquet::read(path).map_err(words)?;
                // The table's reader has read the same footer, but drops the metadata.
                let noted = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| error.to_string())?;
                self.add_noted(noted.schema(), &mut table, options, most)
            }
            b"ARROW1" => self.add(&mut ipc::read_file(path).map_err(words)?, options, most),
            _ => self.add(&mut ipc::read_stream(BufReader::new(file)).map_err(words)?, options, most),
        }
    }
}
