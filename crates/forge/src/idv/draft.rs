//! Files in parts: what the layouts lead to, and the places that are not where they should be.

use binrw::{BinRead, args};
use everybyte::{Endian, Layout, Leb128, Source, Zeros, length_of, read, read_next};
use ndbytes_schemas::idv::{
    Annotation, Annotations, BlockEntry, Codec, Column, Columns, Compression, Header, Lookup, NetString, SlotNames,
    Tail, Version,
};

/// The bytes of all parts that are taken out of a file, as a multiple of its length: several entries may share their parts.
const SHARED: usize = 4;

/// The bytes that parts may share beyond that.
const SHARED_MARGIN: usize = 64 << 10;

/// A file in parts. Offsets, lengths and numbers of elements are set when it is put together, but for recorded lies.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub header: Header,
    pub columns: Vec<DraftColumn>,
    pub order: Order,
    /// The tail is not where the header places it: its offset is kept, and there is no tail.
    pub is_tail_lost: bool,
    /// The bytes after the last part.
    pub rest: Vec<u8>,
}

/// A column in parts.
#[derive(Debug, Clone)]
pub(super) struct DraftColumn {
    pub entry: Column,
    pub blocks: Vec<DraftBlock>,
    /// The lookup table is not inside the file: its offset is kept.
    pub is_lookup_lost: bool,
    pub annotations: DraftAnnotations,
    pub slot_names: DraftSlotNames,
}

/// A block as it is stored.
#[derive(Debug, Clone)]
pub(super) struct DraftBlock {
    pub bytes: Vec<u8>,
    /// The length that it is declared to have after decompression.
    pub length: i32,
    /// The offset and the stored length that are declared, if the bytes are not there.
    pub lie: Option<(i64, i32)>,
}

/// The target of a column's offset of annotations.
#[derive(Debug, Clone)]
pub(super) enum DraftAnnotations {
    /// Nothing: there are no annotations.
    None,
    /// A table. Its number of entries keeps its length in bytes while it is true.
    Table { count: Leb128, entries: Vec<DraftAnnotation> },
    /// Nothing that can be read: the offset is kept.
    Lost,
}

/// An annotation, and its block as it is stored.
#[derive(Debug, Clone)]
pub(super) struct DraftAnnotation {
    pub entry: Annotation,
    pub bytes: Vec<u8>,
    /// The bytes are not where the entry places them: it is kept as it is.
    pub is_lost: bool,
}

/// The target of a column's offset of slot names.
#[derive(Debug, Clone)]
pub(super) enum DraftSlotNames {
    None,
    Names(SlotNames),
    /// Nothing that can be read: offset and extent are kept.
    Lost,
}

/// A part of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Block(usize, usize),
    Lookup(usize),
    AnnotationBlock(usize, usize),
    Annotations(usize),
    SlotNames(usize),
    Columns,
    Tail,
}

/// The order of the parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Order {
    /// As ML.NET writes them.
    Usual,
    /// These parts first, then the others as usual.
    Kept(Vec<Part>),
}

impl Draft {
    /// An empty file of a version.
    pub fn new(version: Version, rows: u64) -> Self {
        let header = Header {
            version,
            compatible_version: version,
            columns_offset: 0,
            tail_offset: 0,
            row_count: i64::try_from(rows).unwrap_or(i64::MAX),
            column_count: 0,
            reserved: Zeros::default(),
        };
        Draft { header, columns: Vec::new(), order: Order::Usual, is_tail_lost: false, rest: Vec::new() }
    }

    /// The parts of a file whose header and table of columns can be read.
    pub fn take_apart(file: &[u8]) -> Option<Self> {
        let source = Source::new(file);
        let header: Header = read(source, Endian::Little, ()).ok()?;
        let (version, column_count) = (header.version, u32::try_from(header.column_count).ok()?);
        let room = file.len().saturating_mul(SHARED).saturating_add(SHARED_MARGIN);
        let mut parts = Parts { file, room, found: Vec::new() };
        let table = match column_count {
            // The offset of a table without columns is not looked at.
            0 => Columns { columns: Vec::new() },
            _ => parts.read::<Columns>(header.columns_offset, Part::Columns, args! { version, column_count })?,
        };
        let is_tail_lost = parts.read::<Tail>(header.tail_offset, Part::Tail, ()).is_none();
        let rows = u64::try_from(header.row_count).unwrap_or(0);
        let columns = table.columns.into_iter().enumerate();
        let columns: Vec<DraftColumn> = columns.map(|(index, entry)| parts.column(index, entry, rows)).collect();
        let Parts { mut found, .. } = parts;
        let end = found.iter().map(|&(_, end, _)| end).max().unwrap_or(0).max(Header::MIN_SIZE as usize);
        found.sort_unstable();
        let order = Order::Kept(found.into_iter().map(|(.., part)| part).collect());
        let rest = file.get(end..).unwrap_or_default().to_vec();
        Some(Draft { header, columns, order, is_tail_lost, rest })
    }

    /// The rows of the table; none if their number is negative.
    pub fn rows(&self) -> u64 {
        u64::try_from(self.header.row_count).unwrap_or(0)
    }
}

impl DraftColumn {
    /// A column without blocks.
    pub fn new(name: &str, codec: Codec, compression: Compression, rows_per_block: u64) -> Self {
        let entry = Column {
            name: NetString::new(name),
            codec,
            compression,
            rows_per_block: Leb128::new(rows_per_block),
            lookup_offset: 0,
            slot_names_offset: None,
            slot_names: None,
            annotations_offset: None,
        };
        let (annotations, slot_names) = (DraftAnnotations::None, DraftSlotNames::None);
        DraftColumn { entry, blocks: Vec::new(), is_lookup_lost: false, annotations, slot_names }
    }

    /// Its annotations, if it can have any; a table is begun if there is none.
    pub fn annotations_mut(&mut self) -> &mut Vec<DraftAnnotation> {
        if !matches!(self.annotations, DraftAnnotations::Table { .. }) {
            self.annotations = DraftAnnotations::Table { count: Leb128::new(0), entries: Vec::new() };
        }
        match &mut self.annotations {
            DraftAnnotations::Table { entries, .. } => entries,
            DraftAnnotations::None | DraftAnnotations::Lost => unreachable!("a table was begun"),
        }
    }

    /// The annotations that it has.
    pub fn annotations_if_any(&mut self) -> &mut [DraftAnnotation] {
        match &mut self.annotations {
            DraftAnnotations::Table { entries, .. } => entries,
            DraftAnnotations::None | DraftAnnotations::Lost => &mut [],
        }
    }

    /// Its annotations.
    pub fn annotations(&self) -> &[DraftAnnotation] {
        match &self.annotations {
            DraftAnnotations::Table { entries, .. } => entries,
            DraftAnnotations::None | DraftAnnotations::Lost => &[],
        }
    }
}

impl DraftBlock {
    /// A block, and its length after decompression.
    pub fn new(bytes: Vec<u8>, length: usize) -> Self {
        DraftBlock { bytes, length: i32::try_from(length).unwrap_or(i32::MAX), lie: None }
    }
}

/// The rows of blocks as ML.NET takes them: the lowest 32 bits. `None` if blocks can have no rows.
pub(super) fn rows_of_blocks(declared: Leb128) -> Option<u64> {
    u64::try_from(declared.value() as i32).ok().filter(|&rows| rows > 0)
}

/// The parts that were found in a file: where each begins and ends.
struct Parts<'f> {
    file: &'f [u8],
    /// The bytes that may still be taken out.
    room: usize,
    found: Vec<(usize, usize, Part)>,
}

impl Parts<'_> {
    /// Reads a structure at an offset.
    fn read<'a, T>(&mut self, offset: i64, part: Part, args: T::Args<'a>) -> Option<T>
    where
        T: BinRead + Layout,
        T::Args<'a>: Clone,
    {
        let start = usize::try_from(offset).ok().filter(|&start| start <= self.file.len())?;
        let mut source = Source::new(self.file).at(start as u64);
        let value: T = read_next(&mut source, Endian::Little, args).ok()?;
        let end = usize::try_from(source.position()).ok()?;
        self.room = self.room.checked_sub(end.checked_sub(start)?)?;
        self.found.push((start, end, part));
        Some(value)
    }

    /// The bytes at an offset.
    fn bytes(&mut self, offset: i64, length: u64, part: Part) -> Option<Vec<u8>> {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        let bytes = self.file.get(start..end)?;
        self.room = self.room.checked_sub(bytes.len())?;
        self.found.push((start, end, part));
        Some(bytes.to_vec())
    }

    fn column(&mut self, index: usize, entry: Column, rows: u64) -> DraftColumn {
        let per_block = rows_of_blocks(entry.rows_per_block);
        let block_count = if rows == 0 { Some(0) } else { per_block.map(|per_block| (rows - 1) / per_block + 1) };
        let lookup = match block_count {
            Some(0) => {
                // An empty table is read nowhere, but has a place.
                self.bytes(entry.lookup_offset, 0, Part::Lookup(index)).map(|_| Lookup { blocks: Vec::new() })
            }
            Some(block_count) => self.read::<Lookup>(entry.lookup_offset, Part::Lookup(index), args! { block_count }),
            None => None,
        };
        let is_lookup_lost = lookup.is_none();
        let blocks = lookup.into_iter().flat_map(|lookup| lookup.blocks).enumerate();
        let blocks = blocks.map(|(block, place)| self.block(Part::Block(index, block), &place)).collect();
        let annotations = self.annotations(index, entry.annotations_offset);
        let slot_names = match (entry.slot_names_offset, &entry.slot_names) {
            (Some(offset), Some(extent)) => {
                let names = u32::try_from(extent.count).ok();
                let names =
                    names.and_then(|count| self.read::<SlotNames>(offset, Part::SlotNames(index), args! { count }));
                let is_long = |names: &SlotNames| i64::try_from(length_of(names, Endian::Little)) == Ok(extent.length);
                names.filter(is_long).map_or(DraftSlotNames::Lost, DraftSlotNames::Names)
            }
            _ => DraftSlotNames::None,
        };
        DraftColumn { entry, blocks, is_lookup_lost, annotations, slot_names }
    }

    fn block(&mut self, part: Part, place: &BlockEntry) -> DraftBlock {
        let length = u64::try_from(place.stored_length).ok();
        match length.and_then(|length| self.bytes(place.offset, length, part)) {
            Some(bytes) => DraftBlock { bytes, length: place.length, lie: None },
            None => {
                DraftBlock { bytes: Vec::new(), length: place.length, lie: Some((place.offset, place.stored_length)) }
            }
        }
    }

    fn annotations(&mut self, column: usize, offset: Option<i64>) -> DraftAnnotations {
        let Some(offset) = offset.filter(|&offset| offset != 0) else { return DraftAnnotations::None };
        let Some(table) = self.read::<Annotations>(offset, Part::Annotations(column), ()) else {
            return DraftAnnotations::Lost;
        };
        let entries = table.entries.into_iter().enumerate().map(|(number, entry)| {
            let part = Part::AnnotationBlock(column, number);
            let bytes = self.bytes(entry.offset, entry.stored_length.value(), part);
            DraftAnnotation { is_lost: bytes.is_none(), bytes: bytes.unwrap_or_default(), entry }
        });
        let entries = entries.collect();
        DraftAnnotations::Table { count: table.count, entries }
    }
}
