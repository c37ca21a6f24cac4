//! Arrow files and streams.
//!
//! ```
//! # use arrow_array::{ArrayRef, Int32Array, RecordBatch, RecordBatchIterator};
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("a.arrow");
//! # let numbers: ArrayRef = std::sync::Arc::new(Int32Array::from(vec![1, 2]));
//! # let batch = RecordBatch::try_from_iter([("Number", numbers)])?;
//! # let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
//! use ndbytes_arrow::ipc;
//!
//! ipc::write_file(&path, batches)?;
//! assert_eq!(ipc::read_file(&path)?.next().unwrap()?.num_rows(), 2);
//! # Ok::<(), ndbytes_arrow::Error>(())
//! ```

use crate::bounded::blocks::Form as Blocks;
pub use crate::bounded::blocks::Reader;
use crate::error::Result;
pub use crate::guarded::Guarded;
use crate::guarded::writing;
use crate::input::InputReader;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::Schema;
use ndbytes::{AtomicFile, Input, Limits};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

/// Writes an Arrow file or stream, batch by batch, to any sink.
///
/// ```
/// # use arrow_array::{ArrayRef, Int32Array, RecordBatch};
/// # let numbers: ArrayRef = std::sync::Arc::new(Int32Array::from(vec![1, 2]));
/// # let batch = RecordBatch::try_from_iter([("Number", numbers)])?;
/// use ndbytes_arrow::ipc::Writer;
///
/// let mut file = Writer::file(Vec::new(), &batch.schema())?;
/// file.write(&batch)?;
/// let bytes = file.finish()?;
/// assert!(bytes.starts_with(b"ARROW1") && bytes.ends_with(b"ARROW1"));
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
pub struct Writer<W: Write>(Form<W>);

/// The two forms, which are boxed because the writers are large.
enum Form<W: Write> {
    File(Box<FileWriter<W>>),
    Stream(Box<StreamWriter<W>>),
}

impl<W: Write> Writer<W> {
    /// Starts an Arrow file in a sink.
    ///
    /// # Errors
    /// [`Error::Arrow`](crate::Error::Arrow) if the sink fails.
    pub fn file(sink: W, schema: &Schema) -> Result<Self> {
        writing(|| Ok(Writer(Form::File(Box::new(FileWriter::try_new(sink, schema)?)))))
    }

    /// Starts an Arrow stream in a sink.
    ///
    /// # Errors
    /// As for [`Writer::file`].
    pub fn stream(sink: W, schema: &Schema) -> Result<Self> {
        writing(|| Ok(Writer(Form::Stream(Box::new(StreamWriter::try_new(sink, schema)?)))))
    }

    /// Appends a batch.
    ///
    /// # Errors
    /// As for [`Writer::file`]. An Arrow file has one dictionary per column, so a batch with a different one is an error.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        writing(|| {
            match &mut self.0 {
                Form::File(writer) => writer.write(batch)?,
                Form::Stream(writer) => writer.write(batch)?,
            }
            Ok(())
        })
    }

    /// Writes the rest, and returns the sink.
    ///
    /// # Errors
    /// As for [`Writer::file`].
    pub fn finish(self) -> Result<W> {
        writing(|| {
            Ok(match self.0 {
                Form::File(writer) => writer.into_inner()?,
                Form::Stream(writer) => writer.into_inner()?,
            })
        })
    }

    /// Writes all batches of a reader. Returns the sink and the number of rows.
    fn write_all(mut self, batches: impl RecordBatchReader) -> Result<(W, u64)> {
        let mut rows = 0;
        for batch in batches {
            let batch = batch?;
            self.write(&batch)?;
            rows += batch.num_rows() as u64;
        }
        Ok((self.finish()?, rows))
    }
}

/// Writes all batches to a file, which gets its name when it is complete. Returns the number of rows.
///
/// # Errors
/// Any error from the reader; an error if the file cannot be written. An Arrow file has one dictionary per column, so
/// batches with different ones are an error.
pub fn write_file(path: impl AsRef<Path>, batches: impl RecordBatchReader) -> Result<u64> {
    let writer = Writer::file(AtomicFile::create(path.as_ref())?, &batches.schema())?;
    let (file, rows) = writer.write_all(batches)?;
    file.commit()?;
    Ok(rows)
}

/// Writes all batches to a stream. Returns the number of rows.
///
/// # Errors
/// Any error from the reader; an error if the stream cannot be written.
pub fn write_stream(sink: impl Write, batches: impl RecordBatchReader) -> Result<u64> {
    let (_, rows) = Writer::stream(sink, &batches.schema())?.write_all(batches)?;
    Ok(rows)
}

/// Reads the batches of a file, with the default limits.
///
/// # Errors
/// As for [`read_file_from`]; also an error if the file cannot be opened.
pub fn read_file(path: impl AsRef<Path>) -> Result<Reader> {
    let limits = Limits::default();
    let input = Input::open(path, limits)?;
    read_file_from(InputReader::new(Arc::new(input)), None, &limits)
}

/// Reads batches of the columns with these indices, in file order, or of all columns.
///
/// Each claim of the file is checked against its length and the memory limit before it is used for an allocation.
///
/// # Errors
/// [`Error::Broken`](crate::Error::Broken) if the file violates the format; [`Error::Memory`](crate::Error::Memory) if it exceeds the
/// limit; [`Error::Arrow`](crate::Error::Arrow) if there are fewer columns.
pub fn read_file_from(input: InputReader, columns: Option<&[usize]>, limits: &Limits) -> Result<Reader> {
    Reader::open(input, Blocks::File, columns, limits)
}

/// Reads batches of the columns of a stream with these indices, or of all columns.
///
/// # Errors
/// As for [`read_file_from`].
pub fn read_stream_from(input: InputReader, columns: Option<&[usize]>, limits: &Limits) -> Result<Reader> {
    Reader::open(input, Blocks::Stream, columns, limits)
}

/// Reads the batches of a trusted stream, whose lengths are not checked.
///
/// # Errors
/// Fails if the stream cannot be read.
pub fn read_stream<R: Read>(source: R) -> Result<Guarded<StreamReader<R>>> {
    Guarded::new(|| Ok(StreamReader::try_new(source, None)?))
}
