//! Writes batches as a file of any kind.
//!
//! One trait hides six writers. Each gets a share of the memory limit. The Parquet writer holds a row group in memory
//! until it is full, so groups shrink with the limit, and a table with too many columns is refused at the start.

use crate::error::{Error, Result};
use crate::kind::FileKind;
use crate::options::Options;
use crate::tables::text::{csv, jsonl};
use crate::target::Target;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use ndbytes::{AtomicFile, Limits};
use ndbytes_arrow::{idv, ipc, parquet};
use std::io::{self, Cursor, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The memory of the Parquet writer for an empty column, in bytes. Most of it belongs to the zstd encoder.
const COLUMN: u64 = 24 << 10;

/// The minimum number of Parquet row groups that fit within the memory limit.
const GROUPS: u64 = 8;

/// A writer of batches.
pub trait Sink {
    /// Writes a batch.
    fn write(&mut self, batch: &RecordBatch) -> Result<()>;

    /// Completes the file and returns the sink.
    fn finish(self: Box<Self>) -> Result<Bytes>;
}

/// Starts writing a table of a kind.
pub fn begin(kind: FileKind, bytes: Bytes, schema: &SchemaRef, options: &Options<'_>) -> Result<Box<dyn Sink>> {
    match kind {
        FileKind::Csv => return Ok(Box::new(csv::Writer::new(bytes, schema, options.limits)?)),
        FileKind::Parquet if schema.fields().is_empty() => return Err(Error::without_columns(kind)),
        FileKind::Jsonl => return Ok(Box::new(jsonl::Writer::new(bytes, schema, options.limits)?)),
        _ => {}
    }
    let begin = || -> ndbytes_arrow::Result<Box<dyn Sink>> {
        Ok(match kind {
            FileKind::Idv => {
                let tables = &options.tables;
                let options = idv::WriteOptions::new().nulls(tables.nulls).zones(tables.zones).limits(options.limits);
                Box::new(idv::BatchWriter::begin(bytes, schema, options)?)
            }
            FileKind::Parquet => {
                let columns = (schema.flattened_fields().len() as u64).saturating_mul(COLUMN);
                let left = options.limits.memory / 2;
                if columns > left {
                    let what = "the writers of the columns of Parquet";
                    return Err(ndbytes::Error::Limit { what, needed: columns, left }.into());
                }
                // A row group is held in memory until it is complete.
                let held = usize::try_from(options.limits.memory / GROUPS).unwrap_or(usize::MAX);
                let held = held.min(parquet::GROUP_BYTES);
                Box::new(parquet::Writer::begin(bytes, schema, &parquet::Options::new().bytes(held))?)
            }
            FileKind::Arrow => Box::new(ipc::Writer::file(bytes, schema)?),
            _ => Box::new(ipc::Writer::stream(bytes, schema)?),
        })
    };
    begin().map_err(|error| failed(error, kind))
}

/// Returns the error of a writer.
fn failed(error: ndbytes_arrow::Error, kind: FileKind) -> Error {
    match error.into_io() {
        Ok(error) => error.into(),
        Err(ndbytes_arrow::Error::Ndbytes(error)) => error.into(),
        Err(error) => Error::Table { name: format!("as {}", kind.title()), error },
    }
}

impl Sink for idv::BatchWriter<Bytes> {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.write(batch).map_err(|error| failed(error, FileKind::Idv))
    }

    fn finish(self: Box<Self>) -> Result<Bytes> {
        self.finish_sink().map_err(|error| failed(error, FileKind::Idv))
    }
}

impl Sink for parquet::Writer<Bytes> {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.write(batch).map_err(|error| failed(error, FileKind::Parquet))
    }

    fn finish(self: Box<Self>) -> Result<Bytes> {
        (*self).finish().map_err(|error| failed(error, FileKind::Parquet))
    }
}

impl Sink for ipc::Writer<Bytes> {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.write(batch).map_err(|error| failed(error, FileKind::Arrow))
    }

    fn finish(self: Box<Self>) -> Result<Bytes> {
        (*self).finish().map_err(|error| failed(error, FileKind::Arrow))
    }
}

impl Sink for csv::Writer<Bytes> {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.write(batch)
    }

    fn finish(self: Box<Self>) -> Result<Bytes> {
        (*self).finish()
    }
}

impl Sink for jsonl::Writer<Bytes> {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.write(batch)
    }

    fn finish(self: Box<Self>) -> Result<Bytes> {
        (*self).finish()
    }
}

/// The bytes that a writer writes, with their count.
pub struct Bytes {
    place: Place,
    count: Arc<AtomicU64>,
}

/// The destination of the written bytes.
enum Place {
    File(Box<AtomicFile>),
    /// The bytes that have not yet been passed on to a stream.
    Pipe(Arc<Mutex<Vec<u8>>>),
    /// A file that is not written in order, kept in memory for a stream.
    Held(Cursor<Vec<u8>>),
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.place {
            Place::File(file) => file.write(bytes)?,
            Place::Pipe(pipe) => pipe.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)?,
            Place::Held(held) => held.write(bytes)?,
        };
        self.count.fetch_add(written as u64, Ordering::Relaxed);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.place {
            Place::File(file) => file.flush(),
            _ => Ok(()),
        }
    }
}

impl Seek for Bytes {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        match &mut self.place {
            Place::File(file) => file.seek(target),
            Place::Held(held) => held.seek(target),
            Place::Pipe(_) => Err(io::ErrorKind::NotSeekable.into()),
        }
    }
}

/// The destination of the result.
pub struct Output<'t> {
    to: To<'t>,
    count: Arc<AtomicU64>,
    is_held: bool,
}

/// The target of an output.
enum To<'t> {
    File(&'t Path),
    Stream(&'t mut dyn Write, Arc<Mutex<Vec<u8>>>),
}

impl<'t> Output<'t> {
    /// Creates an output of this kind. IDV has offsets in its header, so if it goes to a stream, it is kept in memory
    /// until it is complete.
    pub fn new(kind: FileKind, target: Target<'t>) -> Result<Self> {
        let to = match target {
            Target::File(path) => To::File(path),
            Target::Stream(stream) => To::Stream(stream, Arc::default()),
        };
        let is_held = kind == FileKind::Idv && matches!(to, To::Stream(..));
        Ok(Output { to, count: Arc::default(), is_held })
    }

    /// Returns the destination for a writer's bytes.
    pub fn sink(&self) -> Result<Bytes> {
        let place = match &self.to {
            To::File(path) => Place::File(Box::new(AtomicFile::create(path)?)),
            To::Stream(..) if self.is_held => Place::Held(Cursor::new(Vec::new())),
            To::Stream(_, pipe) => Place::Pipe(Arc::clone(pipe)),
        };
        Ok(Bytes { place, count: Arc::clone(&self.count) })
    }

    /// Passes on what was written, if it is within the limits.
    pub fn pass_on(&mut self, limits: &Limits) -> Result<()> {
        let count = self.count.load(Ordering::Relaxed);
        limits.ensure_output("the table", count)?;
        if self.is_held && count > limits.memory {
            let what = "the IDV file, which is written to a stream only once complete";
            return Err(ndbytes::Error::Limit { what, needed: count, left: limits.memory }.into());
        }
        if let To::Stream(stream, pipe) = &mut self.to {
            let mut pipe = pipe.lock().unwrap_or_else(PoisonError::into_inner);
            stream.write_all(&pipe)?;
            pipe.clear();
        }
        Ok(())
    }

    /// Ends the file or the stream.
    pub fn end(mut self, bytes: Bytes, limits: &Limits) -> Result<()> {
        self.pass_on(limits)?;
        match (bytes.place, self.to) {
            (Place::File(file), _) => file.commit()?,
            (Place::Held(held), To::Stream(stream, _)) => {
                stream.write_all(held.get_ref())?;
                stream.flush()?;
            }
            (_, To::Stream(stream, _)) => stream.flush()?,
            (_, To::File(_)) => {}
        }
        Ok(())
    }
}
