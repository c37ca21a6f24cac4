//! Files that are built from parts with the layouts, with correct offsets.

use everybyte::{BinWrite, Endian, Layout, bytes::Zeros, trace::length_of, varint::Leb128, write};
use ndbytes_schemas::idv::{
    Annotation, Annotations, BlockEntry, Column, Columns, Header, Lookup, SlotNames, SlotNamesExtent, Tail, Version,
};

/// A file in parts.
#[derive(Debug, Clone)]
pub struct FileParts {
    /// Offsets and the number of columns are set when the file is built.
    pub header: Header,
    pub columns: Vec<ColumnParts>,
    /// True if the table of columns is after the tail, where ML.NET also finds it.
    pub tail_first: bool,
    /// The remaining bytes.
    pub rest: Vec<u8>,
}

/// A column in parts.
#[derive(Debug, Clone)]
pub struct ColumnParts {
    /// Offsets are set when the file is built.
    pub entry: Column,
    pub blocks: Vec<Stored>,
    pub annotations: Vec<AnnotationParts>,
    pub slot_names: Option<SlotNames>,
}

/// A stored block and its declared length.
#[derive(Debug, Clone)]
pub struct Stored {
    pub bytes: Vec<u8>,
    pub length: i32,
}

/// An annotation and its stored block.
#[derive(Debug, Clone)]
pub struct AnnotationParts {
    pub entry: Annotation,
    pub bytes: Vec<u8>,
}

/// The header of a table with this number of rows.
pub fn header(version: Version, rows: i64) -> Header {
    Header {
        version,
        compatible_version: version,
        columns_offset: 0,
        tail_offset: 0,
        row_count: rows,
        column_count: 0,
        reserved: Zeros::default(),
    }
}

/// The number of blocks of a column.
pub fn block_count(rows: i64, rows_per_block: u64) -> Option<u64> {
    let rows = u64::try_from(rows).ok()?;
    if rows == 0 { Some(0) } else { (rows - 1).checked_div(rows_per_block).map(|full| full + 1) }
}

impl FileParts {
    /// Builds the file.
    pub fn put_together(&self) -> Vec<u8> {
        let version = self.header.version;
        let mut file = vec![0; Header::MIN_SIZE as usize];
        let mut lookups = vec![Lookup { blocks: Vec::new() }; self.columns.len()];
        let most = self.columns.iter().map(|column| column.blocks.len()).max().unwrap_or(0);
        for block in 0..most {
            for (column, lookup) in self.columns.iter().zip(&mut lookups) {
                let Some(Stored { bytes, length }) = column.blocks.get(block) else { continue };
                let (offset, stored_length) = (put_bytes(&mut file, bytes), bytes.len() as i32);
                lookup.blocks.push(BlockEntry { offset, stored_length, length: *length });
            }
        }
        let mut columns = Columns { columns: self.columns.iter().map(|column| column.entry.clone()).collect() };
        for (entry, lookup) in columns.columns.iter_mut().zip(&lookups) {
            entry.lookup_offset = put(&mut file, lookup);
        }
        for (entry, column) in columns.columns.iter_mut().zip(&self.columns) {
            entry.annotations_offset = version.has_annotations().then(|| column.put_annotations(&mut file));
            entry.slot_names_offset = version.has_slot_names().then_some(0);
            entry.slot_names = None;
            if let Some(names) = column.slot_names.as_ref().filter(|_| version.has_slot_names()) {
                let (length, count) = (length_of(names, Endian::Little) as i64, names.slots.len() as i32);
                entry.slot_names_offset = Some(put(&mut file, names));
                entry.slot_names = Some(SlotNamesExtent { length, count });
            }
        }
        let mut header = self.header.clone();
        header.column_count = self.columns.len() as i32;
        if self.tail_first {
            header.tail_offset = put(&mut file, &Tail {});
            header.columns_offset = put(&mut file, &columns);
        } else {
            header.columns_offset = put(&mut file, &columns);
            header.tail_offset = put(&mut file, &Tail {});
        }
        file.extend(&self.rest);
        let header = write(&header, Endian::Little).expect("a header can be written");
        file[..header.len()].copy_from_slice(&header);
        file
    }
}

impl ColumnParts {
    /// Writes the table of annotations, and returns its offset, or 0 if there is none.
    fn put_annotations(&self, file: &mut Vec<u8>) -> i64 {
        if self.annotations.is_empty() {
            return 0;
        }
        let entries = self.annotations.iter().map(|annotation| {
            let (offset, stored_length) =
                (put_bytes(file, &annotation.bytes), Leb128::new(annotation.bytes.len() as u64));
            Annotation { offset, stored_length, ..annotation.entry.clone() }
        });
        let entries: Vec<Annotation> = entries.collect();
        put(file, &Annotations { count: Leb128::new(entries.len() as u64), entries })
    }
}

fn put_bytes(file: &mut Vec<u8>, bytes: &[u8]) -> i64 {
    let offset = file.len() as i64;
    file.extend(bytes);
    offset
}

fn put<T: for<'a> BinWrite<Args<'a> = ()>>(file: &mut Vec<u8>, value: &T) -> i64 {
    put_bytes(file, &write(value, Endian::Little).expect("what was read or made can be written"))
}
