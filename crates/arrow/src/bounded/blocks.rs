//! The batches of Arrow's files and streams.

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

/// Bytes after the footer of a file: its length, and the mark.
const END: u64 = 10;

/// The bytes before the length of a message, except in old streams.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// The alignment of bodies in memory.
const ALIGNMENT: usize = 64;

/// A form of Arrow's messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    File,
    Stream,
}

/// The batches of an Arrow file or an Arrow stream.
pub struct Reader {
    input: InputReader,
    decoder: FileDecoder,
    schema: SchemaRef,
    next: Next,
    most: u64,
    /// The bytes that the values of each dictionary take.
    dictionaries: HashMap<i64, u64>,
}

/// The messages that are still to be read.
enum Next {
    /// Those of a file, which its footer lists. The last one is the next.
    Listed(Vec<Place>),
    /// The next one of a stream begins at this byte.
    At(u64),
    None,
}

/// The place of a message.
#[derive(Debug, Clone, Copy)]
struct Place {
    start: u64,
    /// Bytes of its metadata, with the length that stands before them.
    metadata: u64,
    body: u64,
}

impl Reader {
    /// Opens a file or a stream. The columns at some places are read, or all of them.
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
        // The file has these bytes, so that they are granted in any case.
        let bytes = self.bytes(place)?;
        let (metadata, body) = bytes.split_at(place.metadata as usize);
        let metadata = metadata.strip_prefix(&CONTINUATION).unwrap_or(metadata);
        let found = message::read(metadata.get(4..).unwrap_or_default(), place.start)?;
        let needed = found.judge(body, place.start, left)?;
        let content = found.content;
        // It fits, since the file has so many bytes and it was read.
        let block = Block::new(place.start as i64, place.metadata as i32, place.body as i64);
        let broken = |error: ArrowError| at(place.start, &error.to_string());
        match content {
            Content::Batch => reading(|| self.decoder.read_record_batch(&block, &bytes).map_err(broken)),
            Content::Other => Ok(None),
            Content::Dictionary { id, is_delta } => {
                let before = if is_delta { self.dictionaries.get(&id).copied().unwrap_or(0) } else { 0 };
                let needed = needed.saturating_add(place.body).saturating_add(before);
                // What is added is joined with what was there: for a moment, both are there twice.
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

    /// The bytes of a message, whose body is aligned.
    fn bytes(&self, place: Place) -> Result<Buffer> {
        let length = usize::try_from(place.metadata + place.body).map_err(|_| at(place.start, "it is too long"))?;
        let mut bytes = room(length + 2 * ALIGNMENT, "a message of Arrow")?;
        // Where the allocation begins is known once it is made.
        let body = bytes.as_ptr().addr().wrapping_add(place.metadata as usize);
        let padding = body.wrapping_neg() % ALIGNMENT;
        lengthen(&mut bytes, padding + length);
        self.input.fill(&mut bytes[padding..], place.start)?;
        Ok(Buffer::from_vec(bytes).slice(padding))
    }
}

/// The words for an error in a message.
fn at(start: u64, words: &str) -> Error {
    Error::Broken(format!("the message at byte {start}: {words}"))
}

fn broken(words: impl Into<String>) -> Error {
    Error::Broken(words.into())
}

/// The beginning of a file or a stream: the schema, the version, the messages, the dictionaries among them, and what the
/// schema takes.
type Opening = (Schema, MetadataVersion, Next, Vec<Place>, u64);

fn of_file(input: &InputReader, most: u64) -> Result<Opening> {
    let length = input.length();
    let end = length.checked_sub(END).ok_or_else(|| broken("it is shorter than the end of an Arrow file"))?;
    let tail = input.part(end, END)?;
    if !tail.ends_with(MARK) {
        return Err(broken("its last bytes are not \"ARROW1\": it may be cut off"));
    }
    let count = tail.first_chunk::<4>().map_or(0, |count| u64::from(u32::from_le_bytes(*count)));
    let start = end
        .checked_sub(count)
        .ok_or_else(|| broken(format!("its footer announces {count} bytes, but only {end} bytes are before it")))?;
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

/// The place of a message that a footer lists.
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
    let message = message.map_err(|error| at(0, &format!("its metadata are not valid: {error}")))?;
    let (schema, needed) = schema_of(message.header_as_schema(), most)?;
    Ok((schema, message.version(), Next::At(place.metadata + place.body), Vec::new(), needed))
}

/// The place of the message of a stream that begins at a byte, or `None` after the last one.
fn message_at(input: &InputReader, start: u64) -> Result<Option<Place>> {
    let length = input.length();
    let left = length.saturating_sub(start);
    if left == 0 {
        return Ok(None);
    }
    let word = |place: u64| -> Result<[u8; 4]> {
        if place + 4 > length {
            return Err(at(start, "it ends within its length"));
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
        return Err(at(start, &format!("its metadata announce {count} bytes, but only {left} bytes follow")));
    }
    let metadata = place - start + count;
    let message = metadata_of(input, Place { start, metadata, body: 0 })?;
    let message = arrow_ipc::root_as_message(&message);
    let message = message.map_err(|error| at(start, &format!("its metadata are not valid: {error}")))?;
    let left = left - count;
    let body = message.bodyLength();
    let body = u64::try_from(body).ok().filter(|body| *body <= left);
    let words = || format!("its body announces {} bytes, but only {left} bytes follow", message.bodyLength());
    Ok(Some(Place { start, metadata, body: body.ok_or_else(|| at(start, &words()))? }))
}

/// The end of the last message that is there as a whole, and whether the stream ends there. The stream begins at a
/// byte.
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

/// The metadata of a message, without the length that stands before them.
fn metadata_of(input: &InputReader, place: Place) -> Result<Vec<u8>> {
    let mut bytes = input.part(place.start, place.metadata)?;
    let before = if bytes.starts_with(&CONTINUATION) { 8 } else { 4 };
    bytes.drain(..before.min(bytes.len()));
    Ok(bytes)
}

fn schema_of(found: Option<arrow_ipc::Schema<'_>>, most: u64) -> Result<(Schema, u64)> {
    let found = found.ok_or_else(|| broken("it has no schema"))?;
    if !found.endianness().equals_to_target_endianness() {
        return Err(broken("its numbers have the byte order of other machines, which is not read"));
    }
    let needed = schema::judge(found, most)?;
    // The version before has no function that gives an error.
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
