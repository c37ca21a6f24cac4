//! Splits RawArray files into parts and builds them.

use super::super::grid::{GROWTH, Grid, length, resized};
use super::lz4;
use binrw::args;
use everybyte::{
    Endian, Source,
    bytes::{Region, Rest},
    read, write,
};
use ndbytes_schemas::rawarray::{Eltype, Flags, RawArray};

/// The range of `size` in a file.
const SIZE: std::ops::Range<usize> = 32..40;

/// How the elements are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Storage {
    /// One after another.
    Plain,
    /// One LZ4 block.
    Lz4,
    /// One bit each, packed into words of 64 bits.
    Bits,
}

/// A RawArray file.
#[derive(Debug, Clone)]
pub(crate) struct FileParts {
    /// The byte order of the numbers in the header.
    pub endian: Endian,
    /// The class of the elements.
    pub eltype: Eltype,
    /// Whether the elements are big-endian, as the header states.
    pub is_swapped: bool,
    /// The storage of the elements.
    pub storage: Storage,
    /// Dimensions, and decoded elements.
    pub grid: Grid,
    /// The bytes after the data.
    pub metadata: Vec<u8>,
}

impl FileParts {
    /// Returns the length of an element in bytes, as in the header.
    pub fn elbyte(&self) -> u64 {
        if self.storage == Storage::Bits { 8 } else { self.grid.item }
    }
}

/// Returns the byte order of the numbers in a header.
pub(crate) fn byte_order(file: &[u8]) -> Endian {
    if file.starts_with(&RawArray::magic(Endian::Big)) { Endian::Big } else { Endian::Little }
}

/// Returns the data of an array as stored in the file.
fn stored(storage: Storage, payload: &[u8]) -> Vec<u8> {
    match storage {
        Storage::Lz4 => lz4::packed(payload),
        Storage::Plain | Storage::Bits => payload.to_vec(),
    }
}

/// Builds a file; returns `None` if the encoded data is as long as the decoded data, because a reader could not distinguish them.
pub(crate) fn put_together(draft: &FileParts) -> Option<Vec<u8>> {
    let data = stored(draft.storage, &draft.grid.payload);
    if draft.storage == Storage::Lz4 && data.len() == draft.grid.payload.len() {
        return None;
    }
    let flags = Flags::from_raw(0).with_big_endian(draft.is_swapped);
    let flags = flags.with_encoded(draft.storage != Storage::Plain).with_bits(draft.storage == Storage::Bits);
    let header = RawArray {
        flags,
        eltype: draft.eltype,
        elbyte: draft.elbyte(),
        size: data.len() as u64,
        dims: draft.grid.dims.clone(),
        data: Region::default(),
        metadata: Rest::default(),
    };
    let header = write(&header, draft.endian).ok()?;
    Some([&*header, &data, &draft.metadata].concat())
}

/// Returns the storage that a header states.
fn storage(header: &RawArray) -> Option<Storage> {
    match (header.flags.encoded(), header.flags.bits()) {
        (false, false) => Some(Storage::Plain),
        (true, false) => Some(Storage::Lz4),
        (true, true) => Some(Storage::Bits),
        (false, true) => None,
    }
}

/// Returns the length of the decoded elements in bytes; `None` if it is too large.
fn decoded_length(header: &RawArray, storage: Storage, most: u64) -> Option<u64> {
    let bytes = match storage {
        Storage::Bits => length(&header.dims, 1)?.div_ceil(64).checked_mul(8)?,
        _ => length(&header.dims, header.elbyte)?,
    };
    Some(bytes).filter(|bytes| *bytes <= most)
}

/// Splits a file into parts; returns `None` if its header or its data cannot be read.
pub(crate) fn take_apart(file: &[u8]) -> Option<FileParts> {
    let endian = byte_order(file);
    let header = read::<RawArray>(Source::new(file), endian, args! {}).ok()?;
    let storage = storage(&header)?;
    let place = header.data.range();
    let data = file.get(place.start as usize..place.end as usize)?;
    let payload = match storage {
        Storage::Lz4 => {
            let most = file.len() as u64 + GROWTH;
            lz4::unpacked(data, decoded_length(&header, storage, most)? as usize)?
        }
        _ => data.to_vec(),
    };
    let item = if storage == Storage::Bits { 0 } else { header.elbyte };
    Some(FileParts {
        endian,
        eltype: header.eltype,
        is_swapped: header.flags.big_endian(),
        storage,
        grid: Grid { dims: header.dims, item, payload },
        metadata: file.get(place.end as usize..)?.to_vec(),
    })
}

/// Adjusts the data of `after` to its header, and `size` to the data. `before` contains the data, and the bytes after
/// it.
pub(crate) fn agree(before: &[u8], after: &[u8]) -> Option<Vec<u8>> {
    let old = take_apart(before)?;
    let endian = byte_order(after);
    let header = read::<RawArray>(Source::new(after), endian, args! {}).ok()?;
    let storage = storage(&header)?;
    let length = decoded_length(&header, storage, before.len() as u64 + GROWTH)?;
    let data = stored(storage, &resized(&old.grid.payload, length as usize));
    let size = data.len() as u64;
    let mut file = after.get(..header.data.offset as usize)?.to_vec();
    file.get_mut(SIZE)?.copy_from_slice(&match endian {
        Endian::Big => size.to_be_bytes(),
        Endian::Little => size.to_le_bytes(),
    });
    file.extend(data);
    file.extend(old.metadata);
    Some(file)
}
