//! Arrow messages, whose buffers are checked before they are allocated.
//!
//! The metadata of a message is a flatbuffer with a list of buffers: offset and length in the body. A compressed
//! buffer begins with its decompressed length, which is a claim like any other. All of these lengths are added up
//! before the body is decoded.

use super::ensure;
use crate::error::{Error, Result};
use arrow_ipc::{CompressionType, Message, MessageHeader, RecordBatch};

/// The number of bytes in the length before a compressed buffer.
const LENGTH: u64 = 8;

/// An alignment that suits every type. Buffers with a different alignment are copied.
const ALIGNMENT: u64 = 16;

/// The codecs that are supported for buffers.
const CODECS: [CompressionType; 2] = [CompressionType::LZ4_FRAME, CompressionType::ZSTD];

/// The content of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// The values of a dictionary: only new ones, or all.
    Dictionary {
        id: i64,
        is_delta: bool,
    },
    Batch,
    /// Anything else, which is skipped.
    Other,
}

/// A message: its metadata, and its body.
pub(super) struct Found<'m> {
    pub message: Message<'m>,
    pub content: Content,
}

/// Reads the metadata of a message.
pub(super) fn read<'m>(metadata: &'m [u8], place: u64) -> Result<Found<'m>> {
    let broken = |words: String| Error::Broken(format!("the message at byte {place}: {words}"));
    let message =
        arrow_ipc::root_as_message(metadata).map_err(|error| broken(format!("its metadata is not valid: {error}")))?;
    let content = match message.header_type() {
        MessageHeader::RecordBatch => Content::Batch,
        MessageHeader::DictionaryBatch => {
            let batch = message.header_as_dictionary_batch();
            let batch = batch.ok_or_else(|| broken("its dictionary is missing".into()))?;
            Content::Dictionary { id: batch.id(), is_delta: batch.isDelta() }
        }
        MessageHeader::NONE => Content::Other,
        other => return Err(broken(format!("it has the kind {other:?} instead of values"))),
    };
    Ok(Found { message, content })
}

impl Found<'_> {
    /// Checks the buffers of a body. Returns the additional memory that they take.
    pub fn judge(&self, body: &[u8], place: u64, left: u64) -> Result<u64> {
        let batch = match self.content {
            Content::Batch => self.message.header_as_record_batch(),
            Content::Dictionary { .. } => self.message.header_as_dictionary_batch().and_then(|batch| batch.data()),
            Content::Other => return Ok(0),
        };
        let batch = batch.ok_or_else(|| Error::Broken(format!("the message at byte {place} has no values")))?;
        let needed = of_batch(batch, body, place)?;
        ensure(needed, left, || format!("the buffers of the message at byte {place}"))?;
        Ok(needed)
    }
}

fn of_batch(batch: RecordBatch<'_>, body: &[u8], place: u64) -> Result<u64> {
    let broken = |words: String| Error::Broken(format!("the message at byte {place}: {words}"));
    if batch.length() < 0 {
        return Err(broken(format!("it claims {} rows", batch.length())));
    }
    let codec = batch.compression().map(|compression| compression.codec());
    if let Some(codec) = codec.filter(|codec| !CODECS.contains(codec)) {
        return Err(broken(format!("its buffers have the unknown compression {}", codec.0)));
    }
    let mut needed = 0_u64;
    for (number, buffer) in batch.buffers().into_iter().flatten().enumerate() {
        let part = usize::try_from(buffer.offset()).ok().zip(usize::try_from(buffer.length()).ok());
        let part = part.and_then(|(start, length)| body.get(start..start.checked_add(length)?));
        let Some(part) = part else {
            let (start, length, bytes) = (buffer.offset(), buffer.length(), body.len());
            let words =
                format!("buffer {number} has {length} bytes from byte {start} on, but the body has only {bytes}");
            return Err(broken(words));
        };
        let length = match (codec, part.first_chunk::<8>()) {
            // -1 means that the buffer is not compressed.
            (Some(_), Some(length)) => match i64::from_le_bytes(*length) {
                -1 => part.len() as u64 - LENGTH,
                length => u64::try_from(length)
                    .map_err(|_| broken(format!("buffer {number} claims {length} bytes after decompression")))?,
            },
            (None, _) if (buffer.offset() as u64).is_multiple_of(ALIGNMENT) => 0,
            _ => part.len() as u64,
        };
        needed = needed.saturating_add(length);
    }
    Ok(needed)
}
