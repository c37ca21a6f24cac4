//! IDX files, taken apart and put together.

use super::super::grid::{GROWTH, Grid, length, resized};
use everybyte::{Endian, Region, Source, Zeros, read, write};
use ndbytes_schemas::idx::{ElementType, Idx};

/// An IDX file.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    /// The type of the elements.
    pub element_type: ElementType,
    /// Dimensions and elements.
    pub grid: Grid,
    /// The bytes after the payload.
    pub rest: Vec<u8>,
}

/// Takes a file apart; `None` if its header cannot be read.
pub(crate) fn take_apart(file: &[u8]) -> Option<Draft> {
    let header = read::<Idx>(Source::new(file), Endian::Big, ()).ok()?;
    let place = header.payload.range();
    let (payload, rest) = file.get(place.start as usize..)?.split_at_checked((place.end - place.start) as usize)?;
    let dims = header.dims.iter().map(|dim| u64::from(*dim)).collect();
    let grid = Grid { dims, item: header.element_type.size(), payload: payload.to_vec() };
    Some(Draft { element_type: header.element_type, grid, rest: rest.to_vec() })
}

/// Puts a file together; `None` if a dimension or their number has no room in a header.
pub(crate) fn put_together(draft: &Draft) -> Option<Vec<u8>> {
    let dims = draft.grid.dims.iter().map(|dim| u32::try_from(*dim).ok()).collect::<Option<Vec<u32>>>()?;
    let header = Idx { zero: Zeros::default(), element_type: draft.element_type, dims, payload: Region::default() };
    let header = write(&header, Endian::Big).ok()?;
    Some([&*header, &draft.grid.payload, &draft.rest].concat())
}

/// Makes the payload of `after` follow its header. `before` has the payload, and what follows it.
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
