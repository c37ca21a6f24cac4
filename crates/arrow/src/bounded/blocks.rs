//! The batches of Arrow's files and streams.
//!
//! Arrow's own `FileReader` and `StreamReader` allocate what a message claims. Here, the position and length of every
//! block are first compared with the length of the file. Then the lengths after decompression are added up
//! ([`message`]), and Arrow's decoder receives a body that is already in memory.
//!
//! A file lists its blocks in a footer; a stream stores them one after another. Both become a sequence of positions.
//! Dictionaries are read before the first batch of a file, since any batch may refer to them.

use super::message::{self, Content};
use super::{ensure, granted, schema};
use crate::error::{Error, Result};
use crate::guarded::reading;
use crate::input::InputReader;
use crate::memory::{lengthen, room};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_buffer::Buffer;
use arrow_ipc::reader::FileDecoder;
use arrow_ipc::{Block, MetadataVersion};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use ndbytes::Limits;
use std::collections::HashMap;
use std::sync::Arc;

/// The first and last bytes of a file.
const MARK: &[u8; 6] = b"ARROW1";

/// The number of bytes after the footer of a file: its length, and the mark.
const END: u64 = 10;

/// The bytes before the length of a message, except in old streams.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// The alignment of bodies in memory.
const ALIGNMENT: usize = 64;

/// How Arrow messages are stored: in a file or in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    File,
    Stream,
}

/// The batches of an Arrow file or stream, whose claims are checked before memory is allocated for them.
///
/// ```
/// # use arrow_array::{ArrayRef, Int32Array, RecordBatch, RecordBatchIterator};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("a.arrow");
/// # let numbers = |first| -> ArrayRef { std::sync::Arc::new(Int32Array::from(vec![first, 2])) };
/// # let batch = RecordBatch::try_from_iter([("Id", numbers(1)), ("Size", numbers(7))])?;
/// # let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
/// # ndbytes_arrow::ipc::write_file(&path, batches)?;
/// use ndbytes::{Input, Limits};
/// use ndbytes_arrow::{InputReader, ipc};
///
/// // Only the second column of `Id` and `Size`.
/// let limits = Limits::default();
/// let input = InputReader::new(Input::open(&path, limits)?.into());
/// let mut reader = ipc::read_file_from(input, Some(&[1]), &limits)?;
/// let batch = reader.next().unwrap()?;
/// assert_eq!((batch.schema().field(0).name().as_str(), batch.num_rows()), ("Size", 2));
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
pub struct Reader {
    input: InputReader,
    decoder: FileDecoder,
    schema: SchemaRef,
    next: Next,
    most: u64,
    /// The length in bytes of the values of each dictionary.
    dictionaries: HashMap<i64, u64>,
}

/// The messages that have not been read yet.
enum Next {
    /// The blocks of a file, which its footer lists. The last one in the list is read next.
    Listed(Vec<Place>),
    /// The next message of a stream, which begins at this byte.
    At(u64),
    None,
}

/// The position of a message.
#[derive(Debug, Clone, Copy)]
struct Place {
    start: u64,
    /// The length of its metadata in bytes, including the length before it.
    metadata: u64,
    body: u64,
}

impl Reader {
    /// Opens a file or a stream to read the columns at these indices, or all columns.
    pub(crate) fn open(input: InputReader, form: Form, columns: Option<&[usize]>, limits: &Limits) -> Result<Self> {
        let most = granted(limits, input.length());
        reading(|| {
            let (whole, version, next, dictionaries, needed) = match form {
                Form::File => of_file(&input, most)?,
                Form::Stream => of_stream(&input, most)?,
            };
            let (whole, mut decoder) = (Arc::new(whole), None);
            let mut schema = Arc::clone(&whole);
            if let Some(columns) = columns {
                schema = Arc::new(whole.project(columns)?);
                decoder = Some(FileDecoder::new(Arc::clone(&whole), version).with_projection(columns.to_vec()));
            }
            let decoder = decoder.unwrap_or_else(|| FileDecoder::new(whole, version));
            let most = most - needed.min(most);
            let mut reader = Reader { input, decoder, schema, next, most, dictionaries: HashMap::new() };
            for place in dictionaries {
                match reader.read(place)? {
                    None => {}
                    Some(_) => return Err(at(place.start, "it is a batch of rows in the list of dictionaries")),
                }
            }
            Ok(reader)
        })
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            let place = match &mut self.next {
                Next::None => return Ok(None),
                Next::Listed(places) => places.pop(),
                Next::At(start) => {
                    let place = message_at(&self.input, *start)?;
                    *start = place.map_or(*start, |place| place.start + place.metadata + place.body);
                    place
                }
            };
            let Some(place) = place else {
                self.next = Next::None;
                return Ok(None);
            };
            if let Some(batch) = self.read(place)? {
                return Ok(Some(batch));
            }
        }
    }

    /// Reads a message: a batch, or a dictionary, which is kept.
    fn read(&mut self, place: Place) -> Result<Option<RecordBatch>> {
        let lasting: u64 = self.dictionaries.values().sum();
        let left = self.most.saturating_sub(lasting);
        // The file contains these bytes, so the budget always covers them.
        let bytes = self.bytes(place)?;
        let (metadata, body) = bytes.split_at(place.metadata as usize);
        let metadata = metadata.strip_prefix(&CONTINUATION).unwrap_or(metadata);
        let found = message::read(metadata.get(4..).unwrap_or_default(), place.start)?;
        let needed = found.judge(body, place.start, left)?;
        let content = found.content;
        // The numbers fit, because the file has this many bytes, and they were read.
        let block = Block::new(place.start as i64, place.metadata as i32, place.body as i64);
        let broken = |error: ArrowError| at(place.start, &error.to_string());
        match content {
            Content::Batch => reading(|| self.decoder.read_record_batch(&block, &bytes).map_err(broken)),
            Content::Other => Ok(None),
            Content::Dictionary { id, is_delta } => {
                let before = if is_delta { self.dictionaries.get(&id).copied().unwrap_or(0) } else { 0 };
                let needed = needed.saturating_add(place.body).saturating_add(before);
                // New values are joined with the existing ones, so both briefly exist twice.
                let others = lasting - self.dictionaries.get(&id).copied().unwrap_or(0);
                let left = self.most.saturating_sub(others);
                let twice = if is_delta { needed.saturating_mul(2) } else { needed };
                ensure(twice, left, || format!("dictionary {id}, the message at byte {}", place.start))?;
                reading(|| self.decoder.read_dictionary(&block, &bytes).map_err(broken))?;
                self.dictionaries.insert(id, needed);
                Ok(None)
            }
        }
    }

    /// Reads the bytes of a message, whose body is aligned.
    fn bytes(&self, place: Place) -> Result<Buffer> {
        let length = usize::try_from(place.metadata + place.body).map_err(|_| at(place.start, "it is too long"))?;
        let mut bytes = room(length + 2 * ALIGNMENT, "a message of Arrow")?;
        // The address of the allocation is known only once it is made.
        let body = bytes.as_ptr().addr().wrapping_add(place.metadata as usize);
        let padding = body.wrapping_neg() % ALIGNMENT;
        lengthen(&mut bytes, padding + length);
        self.input.fill(&mut bytes[padding..], place.start)?;
        Ok(Buffer::from_vec(bytes).slice(padding))
    }
}

/// Returns the error for a broken message.
fn at(start: u64, words: &str) -> Error {
    Error::Broken(format!("the message at byte {start}: {words}"))
}

fn broken(words: impl Into<String>) -> Error {
    Error::Broken(words.into())
}

/// The beginning of a file or a stream: the schema, the version, the messages, the dictionaries among them, and the schema's memory.
type Opening = (Schema, MetadataVersion, Next, Vec<Place>, u64);

fn of_file(input: &InputReader, most: u64) -> Result<Opening> {
    let length = input.length();
    let end = length.checked_sub(END).ok_or_else(|| broken("it is shorter than the end of an Arrow file"))?;
    let tail = input.part(end, END)?;
    if !tail.ends_with(MARK) {
        return Err(broken("it does not end with \"ARROW1\": it may be truncated"));
    }
    let count = tail.first_chunk::<4>().map_or(0, |count| u64::from(u32::from_le_bytes(*count)));
    let start = end
        .checked_sub(count)
        .ok_or_else(|| broken(format!("its footer claims {count} bytes, but only {end} precede its end")))?;
    let bytes = input.part(start, count)?;
    let footer = arrow_ipc::root_as_footer(&bytes);
    let footer = footer.map_err(|error| broken(format!("the footer at byte {start} is not valid: {error}")))?;
    let (schema, needed) = schema_of(footer.schema(), most)?;
    let batches = footer.recordBatches().into_iter().flatten().rev();
    let batches = batches.map(|block| listed(block, length)).collect::<Result<_>>()?;
    let dictionaries = footer.dictionaries().into_iter().flatten();
    let dictionaries = dictionaries.map(|block| listed(block, length)).collect::<Result<_>>()?;
    Ok((schema, footer.version(), Next::Listed(batches), dictionaries, needed))
}

/// Returns the position of a message that a footer lists.
fn listed(block: &Block, length: u64) -> Result<Place> {
    let number = |number: i64| u64::try_from(number).ok();
    let place = || {
        let (start, metadata) = (number(block.offset())?, number(block.metaDataLength().into())?);
        let body = number(block.bodyLength())?;
        let end = start.checked_add(metadata)?.checked_add(body)?;
        (end <= length).then_some(Place { start, metadata, body })
    };
    place().ok_or_else(|| {
        let (metadata, body) = (block.metaDataLength(), block.bodyLength());
        let words = format!("the footer gives it {metadata} and {body} bytes, but the file has {length} bytes");
        Error::Broken(format!("the message at byte {}: {words}", block.offset()))
    })
}

fn of_stream(input: &InputReader, most: u64) -> Result<Opening> {
    let place = message_at(input, 0)?.ok_or_else(|| broken("the stream has no schema"))?;
    let metadata = metadata_of(input, place)?;
    let message = arrow_ipc::root_as_message(&metadata);
    let message = message.map_err(|error| at(0, &format!("its metadata is not valid: {error}")))?;
    let (schema, needed) = schema_of(message.header_as_schema(), most)?;
    Ok((schema, message.version(), Next::At(place.metadata + place.body), Vec::new(), needed))
}

/// Returns the position of the stream's message that begins at a byte, or `None` after the last one.
fn message_at(input: &InputReader, start: u64) -> Result<Option<Place>> {
    let length = input.length();
    let left = length.saturating_sub(start);
    if left == 0 {
        return Ok(None);
    }
    let word = |place: u64| -> Result<[u8; 4]> {
        if place + 4 > length {
            return Err(at(start, "it ends inside its length"));
        }
        let mut word = [0; 4];
        input.fill(&mut word, place)?;
        Ok(word)
    };
    let (mut place, mut count) = (start + 4, word(start)?);
    if count == CONTINUATION {
        (place, count) = (place + 4, word(place)?);
    }
    let count = u64::from(u32::from_le_bytes(count));
    if count == 0 {
        return Ok(None);
    }
    let left = length - place;
    if count > left {
        return Err(at(start, &format!("its metadata claims {count} bytes, but only {left} follow")));
    }
    let metadata = place - start + count;
    let message = metadata_of(input, Place { start, metadata, body: 0 })?;
    let message = arrow_ipc::root_as_message(&message);
    let message = message.map_err(|error| at(start, &format!("its metadata is not valid: {error}")))?;
    let left = left - count;
    let body = message.bodyLength();
    let body = u64::try_from(body).ok().filter(|body| *body <= left);
    let words = || format!("its body claims {} bytes, but only {left} follow", message.bodyLength());
    Ok(Some(Place { start, metadata, body: body.ok_or_else(|| at(start, &words()))? }))
}

/// Returns the end of the last complete message, and whether the stream ends there. `start` is the stream's first byte.
#[cfg(feature = "lake")]
pub(crate) fn end_of_whole(input: &InputReader, start: u64) -> (u64, bool) {
    let mut end = start;
    loop {
        match message_at(input, end) {
            Ok(Some(place)) => end = place.start + place.metadata + place.body,
            Ok(None) => return (end, true),
            Err(_) => return (end, false),
        }
    }
}

/// Returns the metadata of a message, without the length before it.
fn metadata_of(input: &InputReader, place: Place) -> Result<Vec<u8>> {
    let mut bytes = input.part(place.start, place.metadata)?;
    let before = if bytes.starts_with(&CONTINUATION) { 8 } else { 4 };
    bytes.drain(..before.min(bytes.len()));
    Ok(bytes)
}

fn schema_of(found: Option<arrow_ipc::Schema<'_>>, most: u64) -> Result<(Schema, u64)> {
    let found = found.ok_or_else(|| broken("it has no schema"))?;
    if !found.endianness().equals_to_target_endianness() {
        return Err(broken("its numbers are in the other byte order, which is not supported"));
    }
    let needed = schema::judge(found, most)?;
    // The previous version of Arrow has no function that returns an error.
    #[allow(deprecated, reason = "the version after it has another one")]
    Ok((arrow_ipc::convert::fb_to_schema(found), needed))
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = reading(|| self.next_batch());
        if next.is_err() {
            self.next = Next::None;
        }
        next.map_err(ArrowError::from).transpose()
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
