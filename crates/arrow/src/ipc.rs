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

use crate::error::Result;
pub use crate::guarded::Guarded;
use crate::guarded::open;
use arrow_array::RecordBatchReader;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use ndbytes::AtomicFile;
use std::fs::File;
use std::io::{BufReader, Read, Seek, Write};
use std::path::Path;

/// Writes all batches to a file, which appears under its name when it is whole. Returns the number of rows.
///
/// # Errors
/// Those of the reader, and if the file cannot be written. Arrow's files hold one dictionary a column: batches with
/// different ones are an error.
pub fn write_file(path: impl AsRef<Path>, batches: impl RecordBatchReader) -> Result<u64> {
    let file = AtomicFile::create(path.as_ref())?;
    let mut writer = FileWriter::try_new(file, &batches.schema())?;
    let mut rows = 0;
    for batch in batches {
        let batch = batch?;
        writer.write(&batch)?;
        rows += batch.num_rows() as u64;
    }
    writer.into_inner()?.commit()?;
    Ok(rows)
}

/// Writes all batches to a stream. Returns the number of rows.
///
/// # Errors
/// Those of the reader, and if the stream cannot be written.
pub fn write_stream(sink: impl Write, batches: impl RecordBatchReader) -> Result<u64> {
    let mut writer = StreamWriter::try_new(sink, &batches.schema())?;
    let mut rows = 0;
    for batch in batches {
        let batch = batch?;
        writer.write(&batch)?;
        rows += batch.num_rows() as u64;
    }
    writer.finish()?;
    Ok(rows)
}

/// The batches of a file.
///
/// The memory that they take is bounded by Arrow's reader alone.
///
/// # Errors
/// If the file cannot be read.
pub fn read_file(path: impl AsRef<Path>) -> Result<Guarded<FileReader<BufReader<File>>>> {
    read_file_from(BufReader::new(open(path.as_ref())?))
}

/// The batches of a file that is read here.
///
/// # Errors
/// As for [`read_file`].
pub fn read_file_from<R: Read + Seek>(source: R) -> Result<Guarded<FileReader<R>>> {
    Guarded::new(|| Ok(FileReader::try_new(source, None)?))
}

/// The batches of a stream.
///
/// # Errors
/// As for [`read_file`].
pub fn read_stream<R: Read>(source: R) -> Result<Guarded<StreamReader<R>>> {
    Guarded::new(|| Ok(StreamReader::try_new(source, None)?))
}
