//! The whole file, with the positions of its parts.

use super::file::{Annotations, Column, Header, Lookup, SlotNames, Tail, Version};
use everybyte::{Format, bytes::Rest, layout};

/// A file: its header leads to the table of columns and to the tail, and each column leads to its own parts.
#[layout]
#[brw(little)]
pub struct Idv {
    /// The beginning.
    pub header: Header,
    /// The columns, each with its parts.
    #[br(count = header.column_count)]
    #[br(args { inner: binrw::args! { version: header.version, row_count: header.row_count } })]
    #[layout(at = header.columns_offset)]
    pub columns: Vec<ColumnParts>,
    /// The end.
    #[layout(at = header.tail_offset)]
    pub tail: Option<Tail>,
}

impl Format for Idv {
    const NAME: &'static str = "IDV";
}

/// A column, and the parts that it leads to.
#[layout]
#[brw(little)]
#[br(import { version: Version, row_count: i64 })]
pub struct ColumnParts {
    /// Its entry in the table of columns.
    #[layout(inline)]
    #[br(args { version })]
    pub column: Column,
    /// The positions of its blocks.
    #[br(args { block_count: (row_count.max(0) as u64).div_ceil(column.rows_per_block.value().max(1)) })]
    #[layout(at = column.lookup_offset)]
    pub lookup: Lookup,
    /// Its blocks.
    #[layout(each(entry in lookup.blocks), at = entry.offset, size = entry.stored_length)]
    pub block: Vec<Option<Rest>>,
    /// Its slot names, in version 1.1.1.3.
    #[br(if(column.slot_names.is_some()), args { count: column.slot_names.as_ref().map_or(0, |extent| extent.count as u32) })]
    #[layout(at = column.slot_names_offset.unwrap_or(0))]
    pub slot_names: Option<SlotNames>,
    /// Its annotations.
    #[br(if(column.annotations_offset.is_some_and(|offset| offset > 0)))]
    #[layout(at = column.annotations_offset.unwrap_or(0))]
    pub annotations: Option<Annotations>,
    /// The values of its annotations.
    #[layout(each(entry in *annotations.as_ref().map_or(&[][..], Annotations::entries)), at = entry.offset, size = entry.stored_length.value())]
    pub annotation: Vec<Option<Rest>>,
}
