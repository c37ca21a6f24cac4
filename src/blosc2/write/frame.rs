//! The parts of a frame after its chunks: the index and the trailer.

use super::chunk::{Plain, Recipe, Scratches, zeros};
use super::contents::Contents;
use super::filters::Pipeline;
use super::inexpressible;
use crate::error::Result;
use everybyte::{BinRead, BinWrite, Endian, Layout, Source, bytes::Zeros, read, trace::length_of, write};
use ndbytes_schemas::blosc2::{Codec, FixExt16, IndexEntry, Marker, Metalayers, Trailer, TrailerTail, Uint32};

/// The length of a block of the index in bytes.
const INDEX_BLOCK: usize = 16 << 10;

/// The compression level of the index and attributes, as in C-Blosc2 and python-blosc2.
pub const LEVEL: u8 = 5;

/// The index for chunks with these entries.
///
/// # Errors
/// [`Error::Limit`](crate::error::Error::Limit) if it exceeds the memory limit.
pub fn index(entries: &[IndexEntry]) -> Result<Vec<u8>> {
    let Some(first) = entries.first() else { return Ok(Vec::new()) };
    if entries.len() > 1 && entries.iter().all(|entry| entry == first) {
        return index_of_same(*first, entries.len());
    }
    let mut bytes = zeros(entries.len() * IndexEntry::LENGTH)?;
    let places = bytes.as_chunks_mut().0.iter_mut();
    places.zip(entries).for_each(|(place, entry)| *place = entry.to_bytes());
    let recipe = index_recipe(bytes.len());
    let block_size = recipe.block_size;
    recipe.chunk(&Plain { bytes: &bytes, block_size }, &Scratches::default())
}

/// The index for `count` chunks that all have this entry.
///
/// # Errors
/// As for [`index`].
pub fn index_of_same(entry: IndexEntry, count: usize) -> Result<Vec<u8>> {
    let length = count * IndexEntry::LENGTH;
    index_recipe(length).repeated(&entry.to_bytes(), length)
}

/// Returns the recipe that C-Blosc2 uses for an index: 8-byte entries, shuffled and compressed with blosclz.
fn index_recipe(length: usize) -> Recipe {
    let filters = Pipeline::shuffle(IndexEntry::LENGTH as u64);
    Recipe { codec: Codec::BLOSCLZ, level: LEVEL, filters, block_size: INDEX_BLOCK.min(length) }
}

/// A trailer with these attributes.
///
/// # Errors
/// [`Error::Inexpressible`](crate::error::Error::Inexpressible) if they are too long.
pub fn trailer(attributes: &Contents) -> Result<Vec<u8>> {
    let tail = TrailerTail { trailer_length: Uint32(0), fingerprint_type: FixExt16(0), fingerprint: Zeros::default() };
    let nothing = Contents::default().layout(0, 0)?;
    let mut trailer = Trailer { head: Marker, version: 1, attributes: nothing, tail };
    let around = length_of(&trailer.attributes, Endian::Big) + length_of(&trailer.tail, Endian::Big);
    trailer.attributes = attributes.layout(length_of(&trailer, Endian::Big) - around, 0)?;
    let length = u32::try_from(length_of(&trailer, Endian::Big));
    trailer.tail.trailer_length =
        Uint32(length.map_err(|_| inexpressible("attributes of over 2^32 - 1 bytes".into()))?);
    let mut bytes = whole(&trailer)?;
    fill(&mut bytes, attributes, |trailer: Trailer| trailer.attributes);
    Ok(bytes)
}

/// The bytes of a structure, with zeros for its regions.
///
/// # Errors
/// As for [`index`].
pub fn whole<T>(value: &T) -> Result<Vec<u8>>
where
    T: Layout + for<'a> BinWrite<Args<'a> = ()>,
{
    let own = write(value, Endian::Big).expect("what was checked can be written");
    let mut bytes = zeros(length_of(value, Endian::Big) as usize)?;
    bytes[..own.len()].copy_from_slice(&own);
    Ok(bytes)
}

/// Copies contents to their positions in the layout.
pub fn fill<T>(bytes: &mut [u8], contents: &Contents, layers: impl Fn(T) -> Metalayers)
where
    T: Layout + for<'a> BinRead<Args<'a> = ()>,
{
    let placed = read::<T>(Source::new(bytes), Endian::Big, ()).expect("what was written can be read");
    for (place, content) in layers(placed).contents.iter().zip(contents.contents()) {
        let range = place.bytes.range();
        bytes[range.start as usize..range.end as usize].copy_from_slice(content);
    }
}
