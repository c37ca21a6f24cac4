//! The writers, called in any order, with sinks that may fail.

use crate::arrangement::elements;
use crate::bounds::limits;
use crate::scratch;
use arbitrary::Arbitrary;
use ndarray::{ArrayD, IxDyn};
use ndbytes::b2nd::{self, Codec, Filter};
use ndbytes::idv::{self, ColumnType, Compression, ItemType, NewColumn, Values};
use ndbytes::rawarray::{self, Order};
use ndbytes::{Array, Checker, Error, Limits, Options, Result, Verdict, idx, npy};
use std::fs;
use std::io::{self, Cursor, Seek, SeekFrom, Write};

/// A writer and the calls to it.
#[derive(Debug, Arbitrary)]
pub enum Session<'a> {
    IdxItems { item_shape: [u8; 2], calls: Vec<ItemCall<'a>>, finished: bool },
    Idx { shape: [u8; 3], content: &'a [u8], gzip: bool, room: Option<u16> },
    Idv { columns: Vec<Column>, rows_per_block: Option<u8>, deflate: bool, calls: Vec<RowCall>, room: Option<u16> },
    B2nd { calls: Vec<Setting<'a>>, shape: Vec<u8>, class: u8, content: &'a [u8], length: Option<u16> },
    Npy { shape: [u8; 3], content: &'a [u8], fortran_order: bool, room: Option<u16> },
    RawArray { shape: [u8; 3], content: &'a [u8], lz4: bool, metadata: &'a [u8], again: bool },
}

/// A call of the writer of items.
#[derive(Debug, Arbitrary)]
pub enum ItemCall<'a> {
    Push { shape: Option<[u8; 2]>, content: &'a [u8] },
    Slice { length: u8, items: bool, content: &'a [u8] },
}

/// A column of numbers or of vectors.
#[derive(Debug, Arbitrary)]
pub struct Column {
    name: u8,
    vector: Option<u8>,
}

/// A call of the writer of tables.
#[derive(Debug, Arbitrary)]
pub enum RowCall {
    /// Rows of all columns, except that the column `wrong` has another number of rows or another type.
    Write {
        rows: u8,
        wrong: Option<u8>,
        other_type: bool,
    },
    Empty {
        rows: u32,
    },
}

/// A setting of the writer of chunks.
#[derive(Debug, Arbitrary)]
pub enum Setting<'a> {
    Chunks(Vec<u8>),
    Blocks(Vec<u8>),
    Codec(u8),
    Level(u8),
    Filters(Vec<u8>),
    DeltaBlocks(bool),
    Sparse(bool),
    Metalayer(&'a str, &'a [u8]),
    Attribute(&'a str, &'a [u8]),
}

/// An in-memory sink that fails when it is full.
struct Sink {
    memory: Cursor<Vec<u8>>,
    room: Option<u16>,
}

impl Sink {
    fn new(room: Option<u16>) -> Self {
        Sink { memory: Cursor::new(Vec::new()), room }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = self.memory.position() + bytes.len() as u64;
        match self.room {
            Some(room) if end > room.into() => Err(io::Error::other("the sink is full")),
            _ => self.memory.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Sink {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        self.memory.seek(target)
    }
}

impl Session<'_> {
    /// Asserts that any call is either refused or results in a file that can be read back.
    pub fn examine(self) {
        match self {
            Session::IdxItems { item_shape, calls, finished } => examine_idx_items(item_shape, calls, finished),
            Session::Idx { shape, content, gzip, room } => {
                let array = array::<i16>(shape, content);
                let mut sink = Sink::new(room);
                let written = idx::Writer::new().gzip(gzip).write_to(&mut sink, &array);
                examine_sink(written, sink, &array);
            }
            Session::Npy { shape, content, fortran_order, room } => {
                let array = array::<i16>(shape, content);
                let mut sink = Sink::new(room);
                let written = npy::Writer::new().fortran_order(fortran_order).write_to(&mut sink, &array);
                examine_sink(written, sink, &array);
            }
            Session::Idv { columns, rows_per_block, deflate, calls, room } => {
                examine_table(&columns, (rows_per_block, deflate), &calls, room);
            }
            Session::B2nd { calls, shape, class, content, length } => {
                examine_chunks(calls, &shape, class, content, length);
            }
            Session::RawArray { shape, content, lz4, metadata, again } => {
                examine_rawarray(shape, content, (lz4, metadata), again);
            }
        }
    }
}

fn extents(shape: &[u8]) -> Vec<usize> {
    shape.iter().map(|&extent| usize::from(extent % 8)).collect()
}

fn array<T: bytemuck::Pod>(shape: impl AsRef<[u8]>, content: &[u8]) -> ArrayD<T> {
    let shape = extents(shape.as_ref());
    let elements = elements(content, shape.iter().product());
    ArrayD::from_shape_vec(IxDyn(&shape), elements).expect("as many elements as the shape has")
}

/// Asserts that a sink contains the array, or that its failure is reported.
fn examine_sink(written: Result<()>, sink: Sink, array: &ArrayD<i16>) {
    match written {
        Ok(()) => {
            let file = sink.memory.into_inner();
            assert!(sink.room.is_none_or(|room| file.len() <= room.into()));
            assert!(read(&file).to_array::<i16>().expect("it was written") == *array, "another array");
        }
        Err(error) => assert!(sink.room.is_some() && matches!(error, Error::Io { .. }), "{error}"),
    }
}

/// Reads the array of a written file, which must have no error.
fn read(file: &[u8]) -> Array<'_> {
    let report = Checker::new().limits(limits()).check_slice(file).expect("bytes in memory can be read");
    assert!(report.verdict() < Verdict::Error, "{report:?}");
    let opened = Options::new().limits(limits()).from_slice(file).expect("what was written can be read");
    opened.into_array().expect("an array was written")
}

fn examine_idx_items(item_shape: [u8; 2], calls: Vec<ItemCall<'_>>, finished: bool) {
    let path = scratch::path();
    let _ = fs::remove_file(&path);
    let item_shape = extents(&item_shape);
    let size: usize = item_shape.iter().product();
    let mut writer = idx::StreamWriter::<i16>::create(&path, &item_shape).expect("the shape can be written");
    let (mut expected, mut items) = (Vec::new(), 0);
    for call in calls {
        match call {
            ItemCall::Push { shape, content } => {
                let shape = shape.map_or(item_shape.clone(), |shape| extents(&shape));
                let elements: Vec<i16> = elements(content, shape.iter().product());
                let item = ArrayD::from_shape_vec(IxDyn(&shape), elements).expect("as the shape has it");
                let pushed = writer.push(&item);
                assert_eq!(pushed.is_ok(), shape == item_shape, "{pushed:?}");
                if pushed.is_ok() {
                    expected.extend(item);
                    items += 1;
                }
            }
            ItemCall::Slice { length, items: whole, content } => {
                let length = usize::from(length % 32) * if whole { size } else { 1 };
                let elements: Vec<i16> = elements(content, length);
                let pushed = writer.push_slice(&elements);
                assert_eq!(pushed.is_ok(), size > 0 && length.is_multiple_of(size), "{pushed:?}");
                if pushed.is_ok() {
                    expected.extend(elements);
                    items += length / size;
                }
            }
        }
    }
    if !finished {
        drop(writer);
        assert!(!path.exists(), "a writer that was dropped leaves a file");
        return;
    }
    writer.finish().expect("the scratch file can be written");
    let file = fs::read(&path).expect("it was written");
    let array = read(&file);
    assert_eq!(array.shape(), [&[items], &item_shape[..]].concat());
    assert!(array.to_array::<i16>().expect("it was written").iter().eq(&expected), "other items");
}

fn examine_table(columns: &[Column], how: (Option<u8>, bool), calls: &[RowCall], room: Option<u16>) {
    let columns = &columns[..columns.len().min(4)];
    let new = columns.iter().map(|column| {
        let column_type = match column.vector {
            Some(length) => ColumnType::vector(ItemType::I32, [u32::from(length % 4)]),
            None => ColumnType::scalar(ItemType::I32),
        };
        NewColumn::new(["x", "y", "z", "é", ""][usize::from(column.name % 5)], column_type)
    });
    let (rows_per_block, deflate) = how;
    let writer = idv::Writer::new(new).compression(if deflate { Compression::DEFLATE } else { Compression::NONE });
    let writer = rows_per_block.into_iter().fold(writer, |writer, rows| writer.rows_per_block(rows.into()));
    let mut table = match writer.begin(Sink::new(room)) {
        Ok(table) => table,
        Err(error) => return assert!(is_refusal(&error, room), "{error}"),
    };
    let (mut expected, mut has_failed) = (0_u64, false);
    for call in calls {
        let (written, rows) = match *call {
            RowCall::Empty { rows } => (table.write_empty_rows(rows.into()), rows.into()),
            RowCall::Write { rows, wrong, other_type } => {
                let wrong = wrong.and_then(|wrong| usize::from(wrong).checked_rem(columns.len()));
                let values = |(place, column): (usize, &Column)| {
                    let is_wrong = wrong == Some(place);
                    values(
                        column,
                        expected,
                        u64::from(rows) + u64::from(is_wrong && !other_type),
                        is_wrong && other_type,
                    )
                };
                let values: Vec<Values> = columns.iter().enumerate().map(values).collect();
                let written = table.write(&values);
                // A single column may have any number of rows.
                let is_wrong = wrong.is_some() && (other_type || columns.len() > 1);
                assert!(!is_wrong || written.is_err(), "{wrong:?} is wrong");
                (written, values.first().map_or(0, Values::rows) as u64)
            }
        };
        match written {
            Ok(()) => {
                assert!(!has_failed, "rows are written after an error of the sink");
                expected += rows;
            }
            Err(error) => {
                assert!(is_refusal(&error, room), "{error}");
                has_failed |= matches!(error, Error::Io { .. });
            }
        }
    }
    let file = match table.finish_sink() {
        Ok(sink) => sink.memory.into_inner(),
        Err(error) => return assert!(has_failed || is_refusal(&error, room), "{error}"),
    };
    assert!(!has_failed, "a table is finished after an error of the sink");
    let report = Checker::new().limits(limits()).check_slice(&file).expect("bytes in memory can be read");
    assert!(report.verdict() < Verdict::Error, "{report:?}");
    let table = idv::Options::new().limits(limits()).from_slice(&file).expect("what was written can be read");
    assert_eq!(table.rows(), expected);
    for (column, read) in columns.iter().zip(table.columns()) {
        let read = read.read().expect("what was written can be read");
        let written = values(column, 0, expected, false);
        assert!(read.items() == written.items() && read.rows() == written.rows(), "other values");
    }
}

/// Returns values of a column from a row on. Every item equals its index.
fn values(column: &Column, start: u64, rows: u64, other_type: bool) -> Values {
    let length = column.vector.map_or(1, |length| u64::from(length % 4));
    let numbers = start * length..(start + rows) * length;
    if other_type {
        return Values::scalars(numbers.map(|number| number as f32).collect::<Vec<_>>());
    }
    let items: Vec<i32> = numbers.map(|number| number as i32).collect();
    match column.vector {
        None => Values::scalars(items),
        // Vectors without items are added one by one.
        Some(_) if length == 0 => {
            let mut values = Values::vectors(ItemType::I32);
            (0..rows).for_each(|_| values.push_vector(Vec::<i32>::new()).expect("an empty vector"));
            values
        }
        Some(_) => Values::dense(items, length as u32).expect("a whole number of vectors"),
    }
}

fn is_refusal(error: &Error, room: Option<u16>) -> bool {
    matches!(error, Error::Inexpressible { .. }) || (room.is_some() && matches!(error, Error::Io { .. }))
}

fn examine_chunks(calls: Vec<Setting<'_>>, shape: &[u8], class: u8, content: &[u8], length: Option<u16>) {
    let mut writer = b2nd::Writer::new();
    for call in calls {
        writer = match call {
            Setting::Chunks(extents) => writer.chunks(self::extents(&extents)),
            Setting::Blocks(extents) => writer.blocks(self::extents(&extents)),
            Setting::Codec(code) => writer
                .codec([Codec::BLOSCLZ, Codec::LZ4, Codec::LZ4HC, Codec::ZLIB, Codec::ZSTD][usize::from(code % 5)]),
            Setting::Level(level) => writer.level(level),
            Setting::Filters(filters) => writer.filters(filters.iter().map(|&code| filter(code)).collect::<Vec<_>>()),
            Setting::DeltaBlocks(allowed) => writer.delta_blocks(allowed),
            Setting::Sparse(sparse) => writer.sparse(sparse),
            Setting::Metalayer(name, content) => match writer.clone().metalayer_bytes(name, content) {
                Ok(with) => with,
                Err(error) => refused(&error, writer),
            },
            Setting::Attribute(name, content) => match writer.clone().attribute_bytes(name, content) {
                Ok(with) => with,
                Err(error) => refused(&error, writer),
            },
        };
    }
    let shape = extents(&shape[..shape.len().min(10)]);
    let item_type: ndbytes::ItemType =
        ["u1", "<i2", "<f4", "<c16", "|S3", "<U2", "|b1", "|V5"][usize::from(class % 8)].parse().expect("a type");
    let needed = shape.iter().product::<usize>().saturating_mul(item_type.stride() as usize);
    if needed > 1 << 16 {
        return;
    }
    // Booleans have only two values.
    let content: Vec<u8> = content.iter().map(|byte| if class % 8 == 6 { byte & 1 } else { *byte }).collect();
    let bytes: Vec<u8> = elements(&content, length.map_or(needed, usize::from));
    match writer.bytes_to_vec(&shape, &item_type, &bytes) {
        Ok(file) => {
            assert_eq!(bytes.len(), needed);
            let array = read(&file);
            assert_eq!((array.shape(), array.item_type()), (&shape[..], item_type));
            assert!(array.bytes().expect("it was written") == bytes, "other items");
        }
        Err(error) => {
            let is_refusal = matches!(error, Error::Inexpressible { .. } | Error::BufferLength { .. });
            assert!(is_refusal, "{error}");
        }
    }
}

fn filter(code: u8) -> Filter {
    match code % 4 {
        0 => Filter::Shuffle,
        1 => Filter::ShuffleBy(code / 4),
        2 => Filter::Bitshuffle,
        _ => Filter::Delta,
    }
}

fn refused(error: &Error, writer: b2nd::Writer) -> b2nd::Writer {
    assert!(matches!(error, Error::Inexpressible { .. }), "{error}");
    writer
}

fn examine_rawarray(shape: [u8; 3], content: &[u8], (lz4, metadata): (bool, &[u8]), again: bool) {
    let path = scratch::path();
    let array = array::<i16>(shape, content);
    let writer = rawarray::Writer::new().lz4(lz4).metadata(metadata);
    writer.write(&path, &array, Order::C).expect("the scratch file can be written");
    if again {
        // A file is replaced while it is open, even with itself.
        let opened = rawarray::open(&path).expect("what was written can be read");
        writer.keep_metadata(true).rewrite(&path, &opened).expect("the scratch file can be written");
        drop(opened);
        let items = ndbytes::open(&path).and_then(ndbytes::File::into_array).expect("it was written");
        npy::write_items(scratch::folder().with_extension("npy"), &mut *items.items(), &Limits::default())
            .expect("the scratch file can be written");
    }
    let file = fs::read(&path).expect("it was written");
    let read = rawarray::Options::new().limits(limits()).from_slice(&file).expect("what was written can be read");
    assert!(read.to_array::<i16>(Order::C).expect("it was written") == array, "another array");
    assert!(again || read.metadata().expect("it was written") == metadata, "other metadata");
}
