//! Arrow's own files and streams.
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

/// A writer of an Arrow file or an Arrow stream.
pub struct Writer<W: Write>(Form<W>);

/// The two forms, boxed since the writers are large.
enum Form<W: Write> {
    File(Box<FileWriter<W>>),
    Stream(Box<StreamWriter<W>>),
}

impl<W: Write> Writer<W> {
    /// Begins a file in a sink.
    ///
    /// # Errors
    /// [`Error::Arrow`](crate::Error::Arrow) if the sink fails.
    pub fn file(sink: W, schema: &Schema) -> Result<Self> {
        writing(|| Ok(Writer(Form::File(Box::new(FileWriter::try_new(sink, schema)?)))))
    }

    /// Begins a stream in a sink.
    ///
    /// # Errors
    /// As for [`Writer::file`].
    pub fn stream(sink: W, schema: &Schema) -> Result<Self> {
        writing(|| Ok(Writer(Form::Stream(Box::new(StreamWriter::try_new(sink, schema)?)))))
    }

    /// Appends a batch.
    ///
    /// # Errors
    /// As for [`Writer::file`]. Arrow's files hold one dictionary a column: a batch with another one is an error.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        writing(|| {
            match &mut self.0 {
                Form::File(writer) => writer.write(batch)?,
                Form::Stream(writer) => writer.write(batch)?,
            }
            Ok(())
        })
    }

    /// Writes what remains, and gives the sink back.
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

/// Writes all batches to a file, which appears under its name when it is whole. Returns the number of rows.
///
/// # Errors
/// Those of the reader, and if the file cannot be written. Arrow's files hold one dictionary a column: batches with
/// different ones are an error.
pub fn write_file(path: impl AsRef<Path>, batches: impl RecordBatchReader) -> Result<u64> {
    let writer = Writer::file(AtomicFile::create(path.as_ref())?, &batches.schema())?;
    let (file, rows) = writer.write_all(batches)?;
    file.commit()?;
    Ok(rows)
}

/// Writes all batches to a stream. Returns the number of rows.
///
/// # Errors
/// Those of the reader, and if the stream cannot be written.
pub fn write_stream(sink: impl Write, batches: impl RecordBatchReader) -> Result<u64> {
    let (_, rows) = Writer::stream(sink, &batches.schema())?.write_all(batches)?;
    Ok(rows)
}

/// The batches of a file, within the default limits.
///
/// # Errors
/// As for [`read_file_from`], and if the file cannot be opened.
pub fn read_file(path: impl AsRef<Path>) -> Result<Reader> {
    let limits = Limits::default();
    let input = Input::open(path, limits)?;
    read_file_from(InputReader::new(Arc::new(input)), None, &limits)
}

/// The batches of a file's columns at some places, in the order of the file, or those of all columns.
///
/// Each claim of the file is held against its length and the limit on memory before anything is allocated by it.
///
/// # Errors
/// [`Error::Broken`](crate::Error::Broken) if the file breaks the rules of the format, [`Error::Memory`](crate::Error::Memory) if it
/// takes more than the limit, and [`Error::Arrow`](crate::Error::Arrow) if there are fewer columns.
pub fn read_file_from(input: InputReader, columns: Option<&[usize]>, limits: &Limits) -> Result<Reader> {
    Reader::open(input, Blocks::File, columns, limits)
}

/// The batches of a stream's columns at some places, or those of all columns.
///
/// # Errors
/// As for [`read_file_from`].
pub fn read_stream_from(input: InputReader, columns: Option<&[usize]>, limits: &Limits) -> Result<Reader> {
    Reader::open(input, Blocks::Stream, columns, limits)
}

/// The batches of a stream that was made by someone who is trusted: its lengths are believed.
///
/// # Errors
/// If the stream cannot be read.
pub fn read_stream<R: Read>(source: R) -> Result<Guarded<StreamReader<R>>> {
    Guarded::new(|| Ok(StreamReader::try_new(source, None)?))
}
