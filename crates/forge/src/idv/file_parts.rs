//! Files in parts: everything that the layouts refer to, including invalid offsets.
//!
//! Everything in IDV is found by offsets: the header points to the columns, a column to its blocks and annotations, and
//! an entry to its bytes. Entries may share bytes, and a hostile file can make a thousand entries share a gigabyte, so
//! parts are bounded by a multiple of the file's length. An invalid offset is kept, and its target counts as lost.

use binrw::{BinRead, args};
use everybyte::{
    Endian, Layout, Source,
    bytes::Zeros,
    read,
    trace::{length_of, read_next},
    varint::Leb128,
};
use ndbytes_schemas::idv::{
    Annotation, Annotations, BlockEntry, Codec, Column, Columns, Compression, Header, Lookup, NetString, SlotNames,
    Tail, Version,
};

/// The maximum number of bytes of all parts read from a file, as a multiple of its length, since several entries may
/// share their parts.
const SHARED: usize = 4;

/// The number of additional bytes that parts may share.
const SHARED_MARGIN: usize = 64 << 10;

/// A file in parts. Offsets, lengths and numbers of elements are set when it is built, unless a wrong one is recorded.
#[derive(Debug, Clone)]
pub(super) struct FileParts {
    pub header: Header,
    pub columns: Vec<ColumnParts>,
    pub order: Order,
    /// Whether there is no tail at the offset in the header, which is kept.
    pub is_tail_lost: bool,
    /// The bytes after the last part.
    pub rest: Vec<u8>,
}

/// A column in parts.
#[derive(Debug, Clone)]
pub(super) struct ColumnParts {
    pub entry: Column,
    pub blocks: Vec<BlockParts>,
    /// Whether the lookup table is outside the file. Its offset is kept.
    pub is_lookup_lost: bool,
    pub annotations: AnnotationTableParts,
    pub slot_names: SlotNamesParts,
}

/// A stored block.
#[derive(Debug, Clone)]
pub(super) struct BlockParts {
    pub bytes: Vec<u8>,
    /// The declared length after decompression.
    pub length: i32,
    /// The declared offset and stored length, if the bytes do not exist.
    pub lie: Option<(i64, i32)>,
}

/// The target of a column's annotations offset.
#[derive(Debug, Clone)]
pub(super) enum AnnotationTableParts {
    /// None, because there are no annotations.
    None,
    /// A table. Its number of entries keeps its encoded length while it is correct.
    Table { count: Leb128, entries: Vec<AnnotationParts> },
    /// Unreadable; the offset is kept.
    Lost,
}

/// An annotation and its stored block.
#[derive(Debug, Clone)]
pub(super) struct AnnotationParts {
    pub entry: Annotation,
    pub bytes: Vec<u8>,
    /// Whether the bytes are not at the stated position. The entry is kept unchanged.
    pub is_lost: bool,
}

/// The target of a column's slot names offset.
#[derive(Debug, Clone)]
pub(super) enum SlotNamesParts {
    None,
    Names(SlotNames),
    /// Unreadable; offset and length are kept.
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
    /// The order in which ML.NET writes them.
    Usual,
    /// These parts first, then the others in the usual order.
    Kept(Vec<Part>),
}

impl FileParts {
    /// An empty file of this version.
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
        FileParts { header, columns: Vec::new(), order: Order::Usual, is_tail_lost: false, rest: Vec::new() }
    }

    /// Splits a file whose header and table of columns can be read into its parts.
    pub fn take_apart(file: &[u8]) -> Option<Self> {
        let source = Source::new(file);
        let header: Header = read(source, Endian::Little, ()).ok()?;
        let (version, column_count) = (header.version, u32::try_from(header.column_count).ok()?);
        let room = file.len().saturating_mul(SHARED).saturating_add(SHARED_MARGIN);
        let mut parts = Parts { file, room, found: Vec::new() };
        let table = match column_count {
            // The offset of a table without columns is ignored.
            0 => Columns { columns: Vec::new() },
            _ => parts.read::<Columns>(header.columns_offset, Part::Columns, args! { version, column_count })?,
        };
        let is_tail_lost = parts.read::<Tail>(header.tail_offset, Part::Tail, ()).is_none();
        let rows = u64::try_from(header.row_count).unwrap_or(0);
        let columns = table.columns.into_iter().enumerate();
        let columns: Vec<ColumnParts> = columns.map(|(index, entry)| parts.column(index, entry, rows)).collect();
        let Parts { mut found, .. } = parts;
        let end = found.iter().map(|&(_, end, _)| end).max().unwrap_or(0).max(Header::MIN_SIZE as usize);
        found.sort_unstable();
        let order = Order::Kept(found.into_iter().map(|(.., part)| part).collect());
        let rest = file.get(end..).unwrap_or_default().to_vec();
        Some(FileParts { header, columns, order, is_tail_lost, rest })
    }

    /// The rows of the table; none if the number is negative.
    pub fn rows(&self) -> u64 {
        u64::try_from(self.header.row_count).unwrap_or(0)
    }
}

impl ColumnParts {
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
        let (annotations, slot_names) = (AnnotationTableParts::None, SlotNamesParts::None);
        ColumnParts { entry, blocks: Vec::new(), is_lookup_lost: false, annotations, slot_names }
    }

    /// Returns its annotations, if it can have any; creates the table if needed.
    pub fn annotations_mut(&mut self) -> &mut Vec<AnnotationParts> {
        if !matches!(self.annotations, AnnotationTableParts::Table { .. }) {
            self.annotations = AnnotationTableParts::Table { count: Leb128::new(0), entries: Vec::new() };
        }
        match &mut self.annotations {
            AnnotationTableParts::Table { entries, .. } => entries,
            AnnotationTableParts::None | AnnotationTableParts::Lost => unreachable!("a table was begun"),
        }
    }

    /// Returns its annotations, if it has any.
    pub fn annotations_if_any(&mut self) -> &mut [AnnotationParts] {
        match &mut self.annotations {
            AnnotationTableParts::Table { entries, .. } => entries,
            AnnotationTableParts::None | AnnotationTableParts::Lost => &mut [],
        }
    }

    /// Its annotations.
    pub fn annotations(&self) -> &[AnnotationParts] {
        match &self.annotations {
            AnnotationTableParts::Table { entries, .. } => entries,
            AnnotationTableParts::None | AnnotationTableParts::Lost => &[],
        }
    }
}

impl BlockParts {
    /// A block and its length after decompression.
    pub fn new(bytes: Vec<u8>, length: usize) -> Self {
        BlockParts { bytes, length: i32::try_from(length).unwrap_or(i32::MAX), lie: None }
    }
}

/// Returns the number of rows per block as ML.NET reads it, which is the lowest 32 bits. `None` if blocks can have no rows.
pub(super) fn rows_of_blocks(declared: Leb128) -> Option<u64> {
    u64::try_from(declared.value() as i32).ok().filter(|&rows| rows > 0)
}

/// The parts found in a file, with their positions.
struct Parts<'f> {
    file: &'f [u8],
    /// The number of bytes that may still be copied from the file.
    room: usize,
    found: Vec<(usize, usize, Part)>,
}

impl Parts<'_> {
    /// Reads the structure at an offset.
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

    fn column(&mut self, index: usize, entry: Column, rows: u64) -> ColumnParts {
        let per_block = rows_of_blocks(entry.rows_per_block);
        let block_count = if rows == 0 { Some(0) } else { per_block.map(|per_block| (rows - 1) / per_block + 1) };
        let lookup = match block_count {
            Some(0) => {
                // An empty table is not read, but has a position.
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
                names.filter(is_long).map_or(SlotNamesParts::Lost, SlotNamesParts::Names)
            }
            _ => SlotNamesParts::None,
        };
        ColumnParts { entry, blocks, is_lookup_lost, annotations, slot_names }
    }

    fn block(&mut self, part: Part, place: &BlockEntry) -> BlockParts {
        let length = u64::try_from(place.stored_length).ok();
        match length.and_then(|length| self.bytes(place.offset, length, part)) {
            Some(bytes) => BlockParts { bytes, length: place.length, lie: None },
            None => {
                BlockParts { bytes: Vec::new(), length: place.length, lie: Some((place.offset, place.stored_length)) }
            }
        }
    }

    fn annotations(&mut self, column: usize, offset: Option<i64>) -> AnnotationTableParts {
        let Some(offset) = offset.filter(|&offset| offset != 0) else { return AnnotationTableParts::None };
        let Some(table) = self.read::<Annotations>(offset, Part::Annotations(column), ()) else {
            return AnnotationTableParts::Lost;
        };
        let entries = table.entries.into_iter().enumerate().map(|(number, entry)| {
            let part = Part::AnnotationBlock(column, number);
            let bytes = self.bytes(entry.offset, entry.stored_length.value(), part);
            AnnotationParts { is_lost: bytes.is_none(), bytes: bytes.unwrap_or_default(), entry }
        });
        let entries = entries.collect();
        AnnotationTableParts::Table { count: table.count, entries }
    }
}
