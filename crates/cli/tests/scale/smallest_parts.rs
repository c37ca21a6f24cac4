//! Large files of the smallest parts that a format can repeat, which have the highest cost per byte for a reader.

use ndbytes::everybyte::{
    BinWrite, Endian,
    bytes::{Region, Zeros},
    varint::Leb128,
    write,
};
use ndbytes::idx;
use ndbytes::schemas::idv::{
    Annotation, BlockEntry, Codec, Column, Compression, Header, NetString, Parameters, Slot, SlotNamesExtent, Tail,
    VectorOf, Version,
};

/// The parts of a table.
#[derive(Clone, Copy)]
pub struct Table {
    pub columns: usize,
    pub annotations: usize,
    pub blocks: usize,
    /// True if all blocks, including the blocks of annotations, share the same byte.
    pub shared: bool,
    /// The length of each column's name in bytes.
    pub name: usize,
    /// True if all columns have the same name.
    pub same_name: bool,
    /// True if the items of columns are vectors of vectors, at the maximum depth of codecs.
    pub deep: bool,
}

impl Table {
    pub const PLAIN: Table =
        Table { columns: 1, annotations: 0, blocks: 0, shared: false, name: 1, same_name: false, deep: false };

    /// The file: all columns have one byte per row, and blocks of one row.
    pub fn file(self) -> Vec<u8> {
        let mut file = vec![0; 256];
        let first = file.len() as i64;
        if self.shared {
            file.push(1);
        }
        let mut entries = Vec::new();
        for number in 0..self.columns {
            let block = |file: &mut Vec<u8>| {
                if self.shared {
                    return first;
                }
                file.push(1);
                file.len() as i64 - 1
            };
            let places: Vec<i64> = (0..self.blocks).map(|_| block(&mut file)).collect();
            let said: Vec<i64> = (0..self.annotations).map(|_| block(&mut file)).collect();
            let lookup_offset = file.len() as i64;
            for offset in places {
                append(&mut file, &BlockEntry { offset, stored_length: 1, length: 1 });
            }
            let annotations_offset = if said.is_empty() { 0 } else { file.len() as i64 };
            if !said.is_empty() {
                append(&mut file, &Leb128::new(said.len() as u64));
            }
            for (place, offset) in said.into_iter().enumerate() {
                let entry = Annotation {
                    kind: NetString::new(place.to_string()),
                    codec: byte(),
                    compression: Compression::NONE,
                    offset,
                    stored_length: Leb128::new(1),
                };
                append(&mut file, &entry);
            }
            let digits = if self.same_name { String::new() } else { number.to_string() };
            let column = Column {
                name: NetString::new(format!("{}{digits}", "x".repeat(self.name.saturating_sub(digits.len())))),
                codec: if self.deep { nested(8) } else { byte() },
                compression: Compression::NONE,
                rows_per_block: Leb128::new(1),
                lookup_offset,
                slot_names_offset: None,
                slot_names: None,
                annotations_offset: Some(annotations_offset),
            };
            append(&mut entries, &column);
        }
        let columns_offset = file.len() as i64;
        file.append(&mut entries);
        finish(file, Version::V6, columns_offset, self.blocks, self.columns)
    }
}

fn byte() -> Codec {
    plain("Byte")
}

fn plain(name: &str) -> Codec {
    let parameters = Parameters::Other { bytes: Region::default() };
    Codec { name: NetString::new(name), parameters_length: Leb128::new(0), parameters, excess: Region::default() }
}

/// Nested codecs, of which only the innermost has no parameters.
fn nested(depth: usize) -> Codec {
    if depth == 0 {
        return byte();
    }
    let vector = VectorOf { item: Box::new(nested(depth - 1)), dims: Vec::new() };
    let length = write(&vector, Endian::Little).unwrap().len() as u64;
    Codec { parameters_length: Leb128::new(length), parameters: Parameters::Vector { vector }, ..plain("VBuffer") }
}

fn append<T>(file: &mut Vec<u8>, layout: &T)
where
    T: for<'a> BinWrite<Args<'a> = ()>,
{
    file.extend(write(layout, Endian::Little).unwrap());
}

/// A gzip file of empty members, after one that holds an array.
pub fn gzip_members(count: usize) -> Vec<u8> {
    let array = ndarray::arr1(&[1_u8, 2, 3]);
    let mut file = Vec::new();
    idx::Writer::new().gzip(true).write_to(&mut file, &array).unwrap();
    // A header without optional fields, an empty deflate block, and the checksum and length of no bytes.
    let empty = [&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 3, 0][..], &[0; 8]].concat();
    file.extend(empty.repeat(count));
    file
}

/// A table with one column, whose only block has as many items as bytes.
pub fn one_block(codec: &str, block: &[u8], rows: usize) -> Vec<u8> {
    let mut file = vec![0; 256];
    file.extend(block);
    let lookup_offset = file.len() as i64;
    let entry = BlockEntry { offset: 256, stored_length: block.len() as i32, length: block.len() as i32 };
    append(&mut file, &entry);
    let columns_offset = file.len() as i64;
    let column = Column {
        name: NetString::new("a"),
        codec: plain(codec),
        compression: Compression::NONE,
        rows_per_block: Leb128::new(rows as u64),
        lookup_offset,
        slot_names_offset: None,
        slot_names: None,
        annotations_offset: Some(0),
    };
    append(&mut file, &column);
    finish(file, Version::V6, columns_offset, rows, 1)
}

/// Slot names as in version 1.1.1.3: five bytes each.
pub fn slot_names(count: usize) -> Vec<u8> {
    let mut file = vec![0; 256];
    for index in 0..count {
        append(&mut file, &Slot { index: index as i32, name: NetString::new("") });
    }
    let columns_offset = file.len() as i64;
    let vector = VectorOf { item: Box::new(byte()), dims: vec![count as i32] };
    let length = write(&vector, Endian::Little).unwrap().len() as u64;
    let column = Column {
        name: NetString::new("a"),
        codec: Codec {
            parameters_length: Leb128::new(length),
            parameters: Parameters::Vector { vector },
            ..plain("VBuffer")
        },
        compression: Compression::NONE,
        rows_per_block: Leb128::new(1),
        lookup_offset: 0,
        slot_names_offset: Some(256),
        slot_names: Some(SlotNamesExtent { length: columns_offset - 256, count: count as i32 }),
        annotations_offset: None,
    };
    append(&mut file, &column);
    finish(file, Version(0x0001_0001_0001_0003), columns_offset, 0, 1)
}

/// Adds the tail and fills in the header.
fn finish(mut file: Vec<u8>, version: Version, columns_offset: i64, rows: usize, columns: usize) -> Vec<u8> {
    let header = Header {
        version,
        compatible_version: version,
        columns_offset,
        tail_offset: file.len() as i64,
        row_count: rows as i64,
        column_count: columns as i32,
        reserved: Zeros::default(),
    };
    append(&mut file, &Tail {});
    let header = write(&header, Endian::Little).unwrap();
    file[..header.len()].copy_from_slice(&header);
    file
}

/// A zip archive of uncompressed entries, all with this content.
pub fn zip(count: usize, name: impl Fn(usize) -> String, content: &[u8]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    let mut crc = flate2::Crc::new();
    crc.update(content);
    for number in 0..count {
        let (name, offset) = (name(number), file.len() as u32);
        let length = (content.len() as u32).to_le_bytes();
        // Method, time, date, checksum, lengths, and the length of the name.
        let shared =
            [&[0; 6][..], &crc.sum().to_le_bytes(), &length, &length, &(name.len() as u16).to_le_bytes()].concat();
        file.extend([&b"PK\x03\x04\x14\0\0\0"[..], &shared, &[0; 2], name.as_bytes(), content].concat());
        let places = [&[0; 12][..], &offset.to_le_bytes()].concat();
        directory.extend([&b"PK\x01\x02\x14\0\x14\0\0\0"[..], &shared, &places, name.as_bytes()].concat());
    }
    let (start, length) = (file.len() as u32, directory.len() as u32);
    let number = (count as u16).to_le_bytes();
    file.append(&mut directory);
    let places = [&number[..], &number, &length.to_le_bytes(), &start.to_le_bytes(), &[0; 2]].concat();
    file.extend([&b"PK\x05\x06\0\0\0\0"[..], &places].concat());
    file
}
