//! Chains of codecs, from the items of a chunk to stored bytes.
//!
//! Decoding runs the chain backwards. The size before each step is known from the shape and the codecs, so the output
//! of every step has a bound that the bytes of the chunk cannot influence. Only shards that are compressed as a whole
//! have no exact size; their bound is a quarter of the memory limit.
//!
//! Shards may contain shards. All levels share one memory limit, from which [`Items::beside`] subtracts the memory of
//! the outer levels.

use super::steps::{Size, Step, zeros};
use crate::zarr::grid::{Run, copy, count, each_chunk, repeat, turned};
use crate::zarr::read_error::{ReadError, Result};
use ndbytes::Limits;
use ndbytes::everybyte::Endian;
use std::borrow::Cow;

/// The codecs of a chunk, in encoding order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The order of the stored axes, if they are permuted.
    pub order: Option<Vec<usize>>,
    pub packing: Packing,
    pub steps: Vec<Step>,
}

/// How items are converted to bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Packing {
    /// One after another. The byte order is `None` if items are single bytes.
    Bytes(Option<Endian>),
    /// As chunks inside the chunk.
    Shards(Box<Shards>),
}

/// The chunks inside a chunk, and their index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shards {
    /// The shape of an inner chunk.
    pub chunk: Vec<u64>,
    pub chain: Chain,
    /// The byte order of the numbers in the index.
    pub index_endian: Endian,
    pub index_steps: Vec<Step>,
    /// Whether the index is before the chunks instead of after them.
    pub is_index_first: bool,
}

/// The offset and the length of an inner chunk that is not stored.
pub const MISSING: u64 = u64::MAX;

/// The length of an entry of the index in bytes.
pub const ENTRY: u64 = 16;

/// The properties of items that codecs need to know.
#[derive(Debug, Clone, Copy)]
pub struct Items<'i> {
    /// The value of items that are not stored; it has the length of an item.
    pub fill: &'i [u8],
    pub limits: Limits,
}

impl Items<'_> {
    /// Reduces the limit by the bytes that an outer level holds in memory, since all levels of shards share one limit.
    pub fn beside(self, held: u64) -> Self {
        Items { limits: self.limits.memory(self.limits.memory.saturating_sub(held)), ..self }
    }

    pub fn size(&self) -> usize {
        self.fill.len()
    }

    /// The length of the items of a box in bytes.
    pub fn bytes(&self, shape: &[u64]) -> u64 {
        count(shape).and_then(|count| count.checked_mul(self.size() as u64)).unwrap_or(u64::MAX)
    }
}

impl Chain {
    /// Returns the byte order of the items.
    pub fn endian(&self) -> Option<Endian> {
        match &self.packing {
            Packing::Bytes(endian) => *endian,
            Packing::Shards(shards) => shards.chain.endian(),
        }
    }

    /// Returns the inner chunks, if they can be read one by one.
    pub fn shards(&self) -> Option<&Shards> {
        match &self.packing {
            Packing::Shards(shards) if self.order.is_none() && self.steps.is_empty() => Some(shards),
            _ => None,
        }
    }

    /// Decodes the items of a chunk of this shape, with the last axis varying fastest.
    pub fn decode(&self, stored: &[u8], shape: &[u64], items: Items<'_>) -> Result<Vec<u8>> {
        let whole = items.bytes(shape);
        let mut sizes = vec![match &self.packing {
            Packing::Bytes(_) => Size::Exactly(whole),
            Packing::Shards(_) => Size::AtMost(items.limits.memory / 4),
        }];
        for step in &self.steps {
            sizes.push(step.encoded(sizes[sizes.len() - 1]));
        }
        let mut held = Cow::Borrowed(stored);
        for (step, size) in self.steps.iter().zip(&sizes).rev() {
            items.limits.ensure_time()?;
            held = Cow::Owned(step.decode(&held, *size, items.beside(held.len() as u64).limits)?);
        }
        let turned_shape: Vec<u64> = match &self.order {
            Some(order) => order.iter().map(|&axis| shape[axis]).collect(),
            None => shape.to_vec(),
        };
        let bytes = match &self.packing {
            Packing::Bytes(_) => {
                let length = held.len() as u64;
                if length != whole {
                    return Err(format!("the chunk has {length} bytes, but its shape demands {whole}").into());
                }
                held.into_owned()
            }
            Packing::Shards(shards) => shards.decode(&held, &turned_shape, items.beside(held.len() as u64))?,
        };
        Ok(match &self.order {
            Some(order) => turned(&bytes, shape, order, items.size()),
            None => bytes,
        })
    }
}

impl Shards {
    /// Returns the length of the index of a chunk of this shape in bytes.
    pub fn index_length(&self, shape: &[u64]) -> u64 {
        let entries = count(&self.counts(shape)).unwrap_or(u64::MAX).saturating_mul(ENTRY);
        self.index_steps.iter().fold(Size::Exactly(entries), |size, step| step.encoded(size)).most()
    }

    /// Returns the number of inner chunks along each axis.
    pub fn counts(&self, shape: &[u64]) -> Vec<u64> {
        shape.iter().zip(&self.chunk).map(|(extent, chunk)| extent / chunk).collect()
    }

    /// Returns the offset of the index in a chunk of this length, which must have room for it.
    pub fn index_start(&self, shape: &[u64], length: u64) -> Result<u64> {
        let needed = self.index_length(shape);
        match length.checked_sub(needed) {
            Some(start) => Ok(if self.is_index_first { 0 } else { start }),
            None => Err(format!("the shard has {length} bytes, but its index alone takes {needed}").into()),
        }
    }

    /// Parses the index from its stored bytes, in a chunk of `length` bytes.
    pub fn index(&self, stored: &[u8], length: u64, limits: Limits) -> Result<Index> {
        let mut bytes = stored.to_vec();
        for step in self.index_steps.iter().rev() {
            let decoded = step.decode(&bytes, Size::AtMost(bytes.len() as u64), limits);
            bytes = decoded.map_err(|flaw| match flaw {
                ReadError::Words(words) => ReadError::Words(format!("the index of the shard is not valid: {words}")),
                flaw => flaw,
            })?;
        }
        Ok(Index { bytes, endian: self.index_endian, length })
    }

    /// Decodes the items of a chunk of this shape.
    fn decode(&self, stored: &[u8], shape: &[u64], items: Items<'_>) -> Result<Vec<u8>> {
        let length = stored.len() as u64;
        let start = self.index_start(shape, length)? as usize;
        let index = self.index(&stored[start..start + self.index_length(shape) as usize], length, items.limits)?;
        let mut out = zeros(items.bytes(shape), items.limits)?;
        repeat(&mut out, items.fill);
        let inner = items.beside((out.len() + index.bytes.len()) as u64);
        let (counts, mut read) = (self.counts(shape), 0);
        let all: Vec<Run> = shape.iter().map(|&extent| Run::all(extent)).collect();
        each_chunk(&all, &self.chunk, |place, runs| {
            if let Some((start, length)) = index.entry(place, &counts)? {
                read = index.with(read, length)?;
                let stored = &stored[start as usize..(start + length) as usize];
                let decoded = self.chain.decode(stored, &self.chunk, inner)?;
                copy((&decoded, &self.chunk), (&mut out, shape), &runs, items.size());
            }
            Ok::<(), ReadError>(())
        })?;
        Ok(out)
    }
}

/// The positions of inner chunks.
pub struct Index {
    bytes: Vec<u8>,
    endian: Endian,
    /// The length of the chunk in bytes.
    length: u64,
}

impl Index {
    /// Adds the length of an inner chunk to the total, and refuses a total above the length of the shard, which chunks
    /// that share bytes could reach.
    pub fn with(&self, read: u64, length: u64) -> Result<u64> {
        let read = read.saturating_add(length);
        match read <= self.length {
            true => Ok(read),
            false => Err(format!("the inner chunks share bytes: together, they have more than {}", self.length).into()),
        }
    }

    /// Returns the first byte and the length of an inner chunk, or `None` if it is not stored.
    pub fn entry(&self, place: &[u64], counts: &[u64]) -> Result<Option<(u64, u64)>> {
        let number = place.iter().zip(counts).fold(0_u64, |number, (place, count)| number * count + place);
        let at = (number * ENTRY) as usize;
        let number = |at: usize| {
            let bytes = self.bytes.get(at..at + 8).and_then(<[u8]>::first_chunk::<8>);
            let bytes = bytes.ok_or("the index of the shard is too short")?;
            Ok::<u64, ReadError>(match self.endian {
                Endian::Big => u64::from_be_bytes(*bytes),
                Endian::Little => u64::from_le_bytes(*bytes),
            })
        };
        let (start, length) = (number(at)?, number(at + 8)?);
        if (start, length) == (MISSING, MISSING) {
            return Ok(None);
        }
        match start.checked_add(length) {
            Some(end) if end <= self.length => Ok(Some((start, length))),
            _ => Err(format!(
                "the inner chunk {place:?} is said to have {length} bytes from byte {start} on, but the shard has {}",
                self.length
            )
            .into()),
        }
    }
}
