//! RawArray files, taken apart and put together.

use super::super::grid::{GROWTH, Grid, length, resized};
use super::lz4;
use binrw::args;
use everybyte::{Endian, Region, Rest, Source, read, write};
use ndbytes_schemas::rawarray::{Eltype, Flags, RawArray};

/// The offset of `size` in a file, and its end.
const SIZE: std::ops::Range<usize> = 32..40;

/// How the elements are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Storage {
    /// One after the other.
    Plain,
    /// One LZ4 block.
    Lz4,
    /// One bit each, in words of 64 bits.
    Bits,
}

/// A RawArray file.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    /// The order of the numbers of the header.
    pub endian: Endian,
    /// The class of the elements.
    pub eltype: Eltype,
    /// True if the elements are big-endian, and the header says so.
    pub is_swapped: bool,
    /// The storage of the elements.
    pub storage: Storage,
    /// Dimensions and elements, which are decoded.
    pub grid: Grid,
    /// The bytes after the data.
    pub metadata: Vec<u8>,
}

impl Draft {
    /// Bytes of an element, as the header has them.
    pub fn elbyte(&self) -> u64 {
        if self.storage == Storage::Bits { 8 } else { self.grid.item }
    }
}

/// The order of the numbers of a header.
pub(crate) fn byte_order(file: &[u8]) -> Endian {
    if file.starts_with(&RawArray::magic(Endian::Big)) { Endian::Big } else { Endian::Little }
}

/// The data of an array as the file has them.
fn stored(storage: Storage, payload: &[u8]) -> Vec<u8> {
    match storage {
        Storage::Lz4 => lz4::packed(payload),
        Storage::Plain | Storage::Bits => payload.to_vec(),
    }
}

/// Puts a file together; `None` if the encoded data are as long as the decoded ones, so that a reader cannot tell.
pub(crate) fn put_together(draft: &Draft) -> Option<Vec<u8>> {
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

/// The storage that a header states.
fn storage(header: &RawArray) -> Option<Storage> {
    match (header.flags.encoded(), header.flags.bits()) {
        (false, false) => Some(Storage::Plain),
        (true, false) => Some(Storage::Lz4),
        (true, true) => Some(Storage::Bits),
        (false, true) => None,
    }
}

/// Bytes of the decoded elements; `None` if they are beyond bounds.
fn decoded_length(header: &RawArray, storage: Storage, most: u64) -> Option<u64> {
    let bytes = match storage {
        Storage::Bits => length(&header.dims, 1)?.div_ceil(64).checked_mul(8)?,
        _ => length(&header.dims, header.elbyte)?,
    };
    Some(bytes).filter(|bytes| *bytes <= most)
}

/// Takes a file apart; `None` if its header or its data cannot be read.
pub(crate) fn take_apart(file: &[u8]) -> Option<Draft> {
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
    Some(Draft {
        endian,
        eltype: header.eltype,
        is_swapped: header.flags.big_endian(),
        storage,
        grid: Grid { dims: header.dims, item, payload },
        metadata: file.get(place.end as usize..)?.to_vec(),
    })
}

/// Makes the data of `after` follow its header, and `size` with them. `before` has the data, and what follows them.
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
