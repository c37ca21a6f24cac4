//! Splits IDX files into parts and builds them.

use super::super::grid::{GROWTH, Grid, length, resized};
use everybyte::{
    Endian, Source,
    bytes::{Region, Zeros},
    read, write,
};
use ndbytes_schemas::idx::{ElementType, Idx};

/// An IDX file.
#[derive(Debug, Clone)]
pub(crate) struct FileParts {
    /// The type of the elements.
    pub element_type: ElementType,
    /// Dimensions and elements.
    pub grid: Grid,
    /// The bytes after the payload.
    pub rest: Vec<u8>,
}

/// Splits a file into parts; returns `None` if its header cannot be read.
pub(crate) fn take_apart(file: &[u8]) -> Option<FileParts> {
    let header = read::<Idx>(Source::new(file), Endian::Big, ()).ok()?;
    let place = header.payload.range();
    let (payload, rest) = file.get(place.start as usize..)?.split_at_checked((place.end - place.start) as usize)?;
    let dims = header.dims.iter().map(|dim| u64::from(*dim)).collect();
    let grid = Grid { dims, item: header.element_type.size(), payload: payload.to_vec() };
    Some(FileParts { element_type: header.element_type, grid, rest: rest.to_vec() })
}

/// Builds a file; returns `None` if a dimension, or the number of dimensions, does not fit in a header.
pub(crate) fn put_together(draft: &FileParts) -> Option<Vec<u8>> {
    let dims = draft.grid.dims.iter().map(|dim| u32::try_from(*dim).ok()).collect::<Option<Vec<u32>>>()?;
    let header = Idx { zero: Zeros::default(), element_type: draft.element_type, dims, payload: Region::default() };
    let header = write(&header, Endian::Big).ok()?;
    Some([&*header, &draft.grid.payload, &draft.rest].concat())
}

/// Adjusts the payload of `after` to its header. `before` contains the payload, and the bytes after it.
pub(crate) fn agree(before: &[u8], after: &[u8]) -> Option<Vec<u8>> {
    let old = take_apart(before)?;
    let header = read::<Idx>(Source::new(after), Endian::Big, ()).ok()?;
    let dims: Vec<u64> = header.dims.iter().map(|dim| u64::from(*dim)).collect();
    let most = before.len() as u64 + GROWTH;
    let length = length(&dims, header.element_type.size()).filter(|length| *length <= most)?;
    let payload = resized(&old.grid.payload, length as usize);
    let header = after.get(..header.payload.offset as usize)?;
    Some([header, &payload, &old.rest].concat())
}
