//! Complete valid IDX files.

use super::super::elements::{Sort, elements};
use super::super::forged_file::{Content, ForgedFile};
use super::super::grid::{Grid, axes, extents, length, room};
use super::file_parts::{FileParts, put_together};
use everybyte::Endian;
use everybyte::forge::Choices;
use ndbytes::{Dtype, ElementKind, ItemType};
use ndbytes_schemas::idx::ElementType;

/// The maximum number of axes without a warning.
const AXES: u64 = 64;

/// Creates a draft of a valid file of at most about `size` bytes.
pub(crate) fn draft(choices: &mut Choices<'_>, size: usize) -> FileParts {
    let element_type = *choices.pick(ElementType::ALL);
    let item = element_type.size();
    let axes = axes(choices, AXES);
    let room = room(choices, size);
    let dims = extents(choices, axes, item, room);
    let grid = Grid { dims, item, payload: Vec::new() };
    let mut draft = with_elements(element_type, grid, choices);
    while put_together(&draft).is_some_and(|bytes| bytes.len() > size) && draft.grid.shrink() {}
    draft
}

/// Creates an array of these dimensions and chooses its elements.
fn with_elements(element_type: ElementType, mut grid: Grid, choices: &mut Choices<'_>) -> FileParts {
    let count = length(&grid.dims, grid.item).unwrap_or(0) / grid.item;
    let sort = match element_type {
        ElementType::F32 => Sort::Float(8),
        ElementType::F64 => Sort::Float(11),
        _ => Sort::Plain,
    };
    grid.payload = elements(choices, sort, grid.item as usize, count as usize, Endian::Big);
    FileParts { element_type, grid, rest: Vec::new() }
}

/// Returns the content of a file.
pub(crate) fn content(draft: &FileParts) -> Content {
    let kind = match draft.element_type {
        ElementType::U8 => ElementKind::U8,
        ElementType::I8 => ElementKind::I8,
        ElementType::I16 => ElementKind::I16,
        ElementType::I32 => ElementKind::I32,
        ElementType::F32 => ElementKind::F32,
        ElementType::F64 => ElementKind::F64,
    };
    let item_type = ItemType::from(Dtype::new(kind, Endian::Big)).to_string();
    Content::Array { item_type, shape: draft.grid.dims.clone(), items: draft.grid.payload.clone() }
}

/// Creates a valid file.
pub(crate) fn whole(choices: &mut Choices<'_>, size: usize) -> ForgedFile {
    let draft = draft(choices, size);
    // The dimensions and their number fit into a header.
    let bytes = put_together(&draft).unwrap_or_default();
    ForgedFile::new(bytes, content(&draft))
}

/// Creates an array of at least two axes, none of them empty, whose elements have more than one byte.
pub(crate) fn wide(choices: &mut Choices<'_>) -> FileParts {
    let element_type = *choices.pick(&[ElementType::I16, ElementType::I32, ElementType::F32, ElementType::F64]);
    let dims = vec![choices.from_to(2, 5), choices.from_to(2, 5)];
    with_elements(element_type, Grid { dims, item: element_type.size(), payload: Vec::new() }, choices)
}
