//! IDV files from values, which are written, read and compared.

use super::any_bytes::{check, options, read_back, regions};
use super::model::{self, Item, Row};
use super::table;
use crate::bounds::side_by_side;
use crate::random::Random;
use crate::{bytes, scratch};
use arbitrary::Arbitrary;
use binrw::args;
use everybyte::{Endian, Source, bytes::Region, varint::Leb128, write};
use ndbytes::idv::{
    ColumnType, Compression, DateTimeOffset, ItemType, Items, KeyType, NewColumn, Texts, Values, Writer,
};
use ndbytes::{Depth, Error, Result};
use ndbytes_schemas::idv::{
    Annotations, Codec, Columns, DEEPEST_CODEC, Header, Lookup, NetString, Parameters, SlotNames, SlotNamesExtent,
    Version,
};
use std::collections::BTreeSet;
use std::io::Cursor;
use std::ops::Range;

/// The maximum number of columns of a table, and annotations of a column.
const MOST: usize = 4;

/// The last tick of the year 9999.
const LAST_TICK: i64 = 3_155_378_975_999_999_999;

/// The byte for many rows. The fuzzer does not prefer this number, which is important because many rows are slow.
const MANY_ROWS: u8 = 199;

/// Names of columns.
const NAMES: [&str; 8] = ["x", "y", "z", "Label", "Features", "é", "", "a name of more bytes than others"];

/// Kinds of annotations.
const KINDS: [&str; 8] =
    ["SlotNames", "KeyValues", "IsNormalized", "ScoreColumnKind", "SlotNames", "KeyValues", "", "é"];

/// A value to write.
#[derive(Debug, Arbitrary)]
pub enum Sample<'a> {
    /// Any layout, valid or not (`mend` makes its parts consistent).
    Header(Header),
    Columns {
        mend: bool,
        version: u8,
        columns: Columns,
    },
    Annotations {
        mend: bool,
        annotations: Annotations,
    },
    Lookup(Lookup),
    SlotNames(SlotNames),
    /// A table for the writer, and the bytes for its values.
    Table {
        table: TableSample,
        content: &'a [u8],
    },
}

impl Sample<'_> {
    /// Asserts the guarantees for any value.
    pub fn examine(self) {
        match self {
            Sample::Header(header) => {
                let file = write(&header, Endian::Little).expect("a header can be written");
                assert_eq!(read_back(Source::new(&file), (), |_| vec![]), Some(header));
            }
            Sample::Columns { mend, version, columns } => {
                examine_columns(mend, Version(Version::V6.0 - u64::from(version % 5)), columns);
            }
            Sample::Annotations { mend, annotations } => examine_annotations(mend, annotations),
            Sample::Lookup(lookup) => {
                let file = write(&lookup, Endian::Little).expect("a lookup table can be written");
                let block_count = lookup.blocks.len() as u64;
                assert_eq!(read_back::<Lookup>(Source::new(&file), args! { block_count }, |_| vec![]), Some(lookup));
            }
            Sample::SlotNames(names) => {
                let file = write(&names, Endian::Little).expect("slot names can be written");
                let count = names.slots.len() as u32;
                assert_eq!(read_back::<SlotNames>(Source::new(&file), args! { count }, |_| vec![]), Some(names));
            }
            Sample::Table { table, content } => table.examine(content),
        }
    }
}

/// Asserts that a consistent table of columns is read back as it was written.
fn examine_columns(mend: bool, version: Version, mut table: Columns) {
    if mend {
        for column in &mut table.columns {
            mend_codec(&mut column.codec);
            column.slot_names_offset = version.has_slot_names().then(|| column.slot_names_offset.unwrap_or(0));
            let has_names = column.slot_names_offset.is_some_and(|offset| offset > 0);
            let extent = column.slot_names.take().unwrap_or(SlotNamesExtent { length: 0, count: 0 });
            column.slot_names = has_names.then_some(extent);
            column.annotations_offset = version.has_annotations().then(|| column.annotations_offset.unwrap_or(0));
        }
    }
    let file = write(&table, Endian::Little).expect("the layout has room for any values");
    let column_count = table.columns.len() as u32;
    let inside = |table: &Columns| table.columns.iter().flat_map(|column| regions(&column.codec)).collect();
    let read = read_back::<Columns>(Source::new(&file), args! { version, column_count }, inside);
    if mend {
        let legal = table.columns.iter().all(|column| depth(&column.codec) <= DEEPEST_CODEC);
        let read = read.map(|mut table| {
            table.columns.iter_mut().for_each(|column| forget_places(&mut column.codec));
            table
        });
        assert_eq!(read, legal.then_some(table));
    }
}

/// The same, but for annotations.
fn examine_annotations(mend: bool, mut table: Annotations) {
    if mend {
        table.entries.iter_mut().for_each(|entry| mend_codec(&mut entry.codec));
        table.count = Leb128::new(table.entries.len() as u64);
    }
    let file = write(&table, Endian::Little).expect("the layout has room for any values");
    let inside = |table: &Annotations| table.entries.iter().flat_map(|entry| regions(&entry.codec)).collect();
    let read = read_back::<Annotations>(Source::new(&file), (), inside);
    if mend {
        let legal = table.entries.iter().all(|entry| depth(&entry.codec) <= DEEPEST_CODEC);
        let read = read.map(|mut table| {
            table.entries.iter_mut().for_each(|entry| forget_places(&mut entry.codec));
            table
        });
        assert_eq!(read, legal.then_some(table));
    }
}

/// Sets the name and the length of a codec to match its parameters.
fn mend_codec(codec: &mut Codec) {
    let name = match &mut codec.parameters {
        Parameters::Vector { vector } => {
            mend_codec(&mut vector.item);
            Some("VBuffer")
        }
        Parameters::Key { key } => {
            mend_codec(&mut key.number);
            Some("Key2")
        }
        Parameters::OldKey { key } => {
            mend_codec(&mut key.number);
            Some("Key")
        }
        Parameters::Other { bytes } => {
            *bytes = Region::default();
            matches!(codec.name.bytes(), b"VBuffer" | b"Key2" | b"Key").then_some("Int32")
        }
    };
    if let Some(name) = name {
        codec.name = NetString::new(name);
    }
    codec.parameters_length = Leb128::new(codec.parameters.length());
    codec.excess = Region::default();
}

/// The nesting depth of codecs with parameters.
fn depth(codec: &Codec) -> u8 {
    match &codec.parameters {
        Parameters::Vector { vector } => depth(&vector.item).saturating_add(1),
        Parameters::Key { key } => depth(&key.number).saturating_add(1),
        Parameters::OldKey { key } => depth(&key.number).saturating_add(1),
        Parameters::Other { .. } => 0,
    }
}

fn forget_places(codec: &mut Codec) {
    codec.excess.offset = 0;
    match &mut codec.parameters {
        Parameters::Vector { vector } => forget_places(&mut vector.item),
        Parameters::Key { key } => forget_places(&mut key.number),
        Parameters::OldKey { key } => forget_places(&mut key.number),
        Parameters::Other { bytes } => bytes.offset = 0,
    }
}

/// A table.
#[derive(Debug, Arbitrary)]
pub struct TableSample {
    rows: u8,
    rows_per_block: Option<u8>,
    deflate: bool,
    /// The number of rows after which the writer is called again.
    cut: u8,
    columns: Vec<ColumnSample>,
}

/// A column.
#[derive(Debug, Arbitrary)]
pub struct ColumnSample {
    name: u8,
    column: Typed,
    annotations: Vec<AnnotationSample>,
}

/// An annotation.
#[derive(Debug, Arbitrary)]
pub struct AnnotationSample {
    kind: u8,
    value: Typed,
}

/// A type and the kind of its values.
#[derive(Debug, Arbitrary)]
pub struct Typed {
    item: u8,
    /// The number of categories of keys.
    categories: u8,
    shape: Shape,
    manner: Manner,
}

#[derive(Debug, Arbitrary)]
enum Shape {
    Single,
    Vector(u8),
    Matrix(u8, u8),
    /// Dimensions whose product is usually too large.
    Any(Vec<u32>),
}

/// The kind of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Arbitrary)]
enum Manner {
    /// Values that can be written.
    Legal,
    /// Vectors that store all of their items, created at once.
    Dense,
    /// Values with arbitrary bits.
    Wild,
    /// Values of another type.
    Strange,
}

/// A column or an annotation to write.
struct Made {
    name: &'static str,
    column_type: ColumnType,
    rows: Vec<Row>,
    /// True if the items do not have the declared type.
    is_strange: bool,
    at_once: bool,
}

impl TableSample {
    fn examine(&self, content: &[u8]) {
        let mut feed = Feed { content, position: 0 };
        let rows = self.rows();
        let columns: Vec<(Made, Vec<Made>)> = self
            .columns
            .iter()
            .take(MOST)
            .map(|sample| {
                let column = sample.column.make(NAMES[usize::from(sample.name % 8)], rows, &mut feed);
                let annotations = sample.annotations.iter().take(MOST);
                let make = |sample: &AnnotationSample, feed: &mut Feed<'_>| {
                    sample.value.make(KINDS[usize::from(sample.kind % 8)], 1, feed)
                };
                (column, annotations.map(|sample| make(sample, &mut feed)).collect())
            })
            .collect();
        let rows = if columns.is_empty() { 0 } else { rows };
        let cut = usize::from(self.cut).min(rows);
        let write = |ends: &[usize]| self.write(&columns, ends);
        let file = match write(&[rows]) {
            Ok(file) => file,
            Err(Error::Inexpressible { .. }) => {
                assert!(!self.is_legal(&columns), "this can be written");
                return assert!(write(&[cut, rows]).is_err(), "in pieces, it can be written");
            }
            Err(error) => panic!("{error}"),
        };
        assert!(self.is_legal(&columns), "this cannot be written");
        let again = side_by_side(|| write(&[rows]));
        assert!(again.is_ok_and(|again| again == file), "the same table gives the same bytes");
        assert!(write(&[cut, rows]).is_ok_and(|again| again == file), "in pieces as well");
        if file.len() > bytes::HEAD {
            self.write_file(&columns, &file);
        }
        self.read(&columns, rows, &file);
    }

    /// Returns the number of rows. There are few, but some tables with a single column have more rows than a default block.
    fn rows(&self) -> usize {
        let has_many = self.rows == MANY_ROWS && self.columns.len() == 1;
        if has_many { 8190 + usize::from(self.cut % 8) } else { usize::from(self.rows % 50) }
    }

    /// Returns the number of rows per block: the default, or enough to avoid a very large number of blocks.
    fn rows_per_block(&self) -> Option<usize> {
        let asked = usize::from(self.rows_per_block?);
        Some(if asked == 0 { 0 } else { asked.max(self.rows() / 32) })
    }

    fn is_legal(&self, columns: &[(Made, Vec<Made>)]) -> bool {
        self.rows_per_block != Some(0)
            && are_names(columns.iter().map(|(column, _)| column.name))
            && columns.iter().all(|(column, annotations)| {
                column.is_legal()
                    && are_names(annotations.iter().map(|annotation| annotation.name))
                    && annotations.iter().all(Made::is_legal)
            })
    }

    fn writer(&self, columns: &[(Made, Vec<Made>)]) -> Result<Writer> {
        let columns = columns.iter().map(|(column, annotations)| {
            let mut new = NewColumn::new(column.name, column.column_type.clone());
            for annotation in annotations {
                new = new.annotation(annotation.name, annotation.column_type.clone(), annotation.values(0..1)?);
            }
            Ok(new)
        });
        let compression = if self.deflate { Compression::DEFLATE } else { Compression::NONE };
        let writer = Writer::new(columns.collect::<Result<Vec<_>>>()?).compression(compression);
        Ok(match self.rows_per_block() {
            Some(rows) => writer.rows_per_block(rows),
            None => writer,
        })
    }

    /// Writes the rows up to each end, with one call each.
    fn write(&self, columns: &[(Made, Vec<Made>)], ends: &[usize]) -> Result<Vec<u8>> {
        let mut writer = self.writer(columns)?.begin(Cursor::new(Vec::new()))?;
        let mut start = 0;
        for &end in ends {
            let values: Result<Vec<Values>> = columns.iter().map(|(column, _)| column.values(start..end)).collect();
            writer.write(&values?)?;
            start = end;
        }
        writer.finish_sink().map(Cursor::into_inner)
    }

    fn write_file(&self, columns: &[(Made, Vec<Made>)], file: &[u8]) {
        let path = scratch::path();
        let writer = self.writer(columns).expect("it was written before");
        let mut writer = writer.create(&path).expect("scratch files can be written");
        let values =
            columns.iter().map(|(column, _)| column.values(0..column.rows.len()).expect("it was written before"));
        writer.write(&values.collect::<Vec<_>>()).expect("it was written before");
        writer.finish().expect("scratch files can be written");
        assert!(std::fs::read(&path).expect("it was written") == file);
    }

    /// Asserts that the file is valid, and is read back as it was written.
    fn read(&self, columns: &[(Made, Vec<Made>)], rows: usize, file: &[u8]) {
        let report = bytes::examine(file);
        let found: BTreeSet<&str> = report.findings().iter().map(|finding| finding.rule.id).collect();
        assert_eq!(found, Self::findings(columns), "{report:?}");
        assert!(bytes::is_accepted(&check(file, Depth::Structure)));
        let read = options().from_slice(file).expect("what was written can be read");
        assert_eq!((read.rows(), read.version(), read.columns().len()), (rows as u64, Version::V6, columns.len()));
        assert_eq!(table::examine(&read, &mut Random::of(file)), table::Outcome::Read);
        for (made, annotations) in columns {
            let column = read.column(made.name).expect("it was written");
            assert_eq!(column.column_type(), Some(&made.column_type));
            let values = column.read().expect("what was written can be read");
            assert!(model::rows(&values) == made.rows, "{} of {}", made.name, made.column_type);
            assert_eq!(column.annotations().len(), annotations.len());
            for made in annotations {
                let annotation = column.annotation(made.name).expect("it was written");
                assert_eq!(annotation.value_type(), Some(&made.column_type));
                let value = annotation.read().expect("what was written can be read");
                assert!(model::rows(&value) == made.rows, "{} of {}", made.name, made.column_type);
            }
        }
    }

    /// The rules that a written file violates because the caller requested it.
    fn findings(columns: &[(Made, Vec<Made>)]) -> BTreeSet<&'static str> {
        let mut findings = BTreeSet::new();
        for (column, annotations) in columns {
            for annotation in annotations {
                let Some(Row::Vector { length, .. }) = annotation.rows.first() else { continue };
                match (annotation.name, column.column_type.item, column.column_type.vector_size()) {
                    ("SlotNames", _, Some(size)) if size as usize != *length => {
                        findings.insert("idv/slot-name-count");
                    }
                    ("KeyValues", ItemType::Key(key), _) if key.count != *length as u64 => {
                        findings.insert("idv/key-value-count");
                    }
                    _ => {}
                }
            }
        }
        findings
    }
}

impl Typed {
    fn item_type(&self) -> ItemType {
        use ItemType::*;
        const PLAIN: [ItemType; 16] =
            [I8, I16, I32, I64, U8, U16, U32, U64, F32, F64, Bool, Text, TimeSpan, DateTime, DateTimeOffset, RowId];
        let item = usize::from(self.item % 24);
        PLAIN.get(item).copied().unwrap_or_else(|| {
            let width = [1, 2, 4, 8, 1, 2, 4, 3][item - PLAIN.len()];
            // There are no categories, or more than 8-bit numbers can distinguish.
            let count = if self.categories == 255 { 300 } else { self.categories.into() };
            Key(KeyType { width, count, min: 0 })
        })
    }

    fn make(&self, name: &'static str, rows: usize, feed: &mut Feed<'_>) -> Made {
        let item = self.item_type();
        let column_type = match &self.shape {
            Shape::Single => ColumnType::scalar(item),
            Shape::Vector(size) => ColumnType::vector(item, [u32::from(size % 9)]),
            Shape::Matrix(rows, columns) => ColumnType::vector(item, [u32::from(rows % 4), u32::from(columns % 4)]),
            Shape::Any(dims) => ColumnType::vector(item, dims.clone()),
        };
        let is_strange = self.manner == Manner::Strange;
        let given = if is_strange { strange(item) } else { item };
        let size = column_type.vector_size().filter(|&size| size <= 16);
        let make_item =
            |feed: &mut Feed<'_>| if self.manner == Manner::Wild { feed.any(given) } else { feed.legal(given) };
        let make_row = |feed: &mut Feed<'_>| {
            if column_type.dims.is_none() {
                return Row::Item(make_item(feed));
            }
            let wrong = self.manner == Manner::Wild && feed.byte() == 7;
            let length = match size {
                Some(size) if !wrong => size as usize,
                _ => usize::from(feed.byte() % 9),
            };
            let sparse = self.manner != Manner::Dense && length > 0 && feed.byte().is_multiple_of(2);
            let indices: Option<Vec<u32>> = sparse.then(|| {
                let chosen = feed.byte();
                // At least one slot is left out.
                let left_out = usize::from(feed.byte()) % length;
                let is_in = |place: &usize| *place != left_out && chosen >> (place % 8) & 1 == 1;
                (0..length).filter(is_in).map(|place| place as u32).collect()
            });
            let stored = indices.as_ref().map_or(length, Vec::len);
            Row::Vector { length, indices, items: (0..stored).map(|_| make_item(feed)).collect() }
        };
        let rows = (0..rows).map(|_| make_row(feed)).collect();
        Made { name, column_type, rows, is_strange, at_once: self.manner == Manner::Dense }
    }
}

/// Returns whether all names are nonempty and distinct.
fn are_names(mut names: impl Iterator<Item = &'static str>) -> bool {
    let mut seen = BTreeSet::new();
    names.all(|name| !name.is_empty() && seen.insert(name))
}

/// Another type with different items.
fn strange(item: ItemType) -> ItemType {
    if item == ItemType::Bool { ItemType::RowId } else { ItemType::Bool }
}

impl Made {
    fn is_legal(&self) -> bool {
        let is_key_legal = match self.column_type.item {
            ItemType::Key(key) => {
                let most = [0, 255, 65535, 0, u32::MAX.into(), 0, 0, 0, u64::MAX][usize::from(key.width)];
                (1..=most).contains(&key.count)
            }
            _ => true,
        };
        let are_dims_legal = self.column_type.dims.as_ref().is_none_or(|dims| {
            let product = |product: i32, &dim: &u32| product.checked_mul(i32::try_from(dim).ok()?);
            !dims.is_empty() && dims.iter().try_fold(1, product).is_some()
        });
        is_key_legal
            && are_dims_legal
            && !self.is_strange
            && self.rows.iter().all(|row| {
                let size = self.column_type.vector_size().map(|size| size as usize);
                matches!(row, Row::Item(_))
                    || matches!(row, Row::Vector { length, .. } if size.is_none_or(|size| size == *length))
            })
            && self.rows.iter().flat_map(Row::items).all(|item| self.is_item_legal(item))
    }

    fn is_item_legal(&self, item: &Item) -> bool {
        let in_years = |ticks: i64| (0..=LAST_TICK).contains(&ticks);
        match (self.column_type.item, item) {
            (ItemType::Key(key), Item::Uint(raw)) => *raw <= key.count,
            (ItemType::TimeSpan, Item::Int(ticks)) => *ticks != i64::MIN || self.column_type.dims.is_some(),
            (ItemType::DateTime, Item::Int(ticks)) => in_years(*ticks),
            (ItemType::DateTimeOffset, Item::DateTimeOffset { ticks, minutes }) => {
                let utc = i128::from(*ticks) - i128::from(*minutes) * 600_000_000;
                (-840..=840).contains(minutes) && in_years(*ticks) && i64::try_from(utc).is_ok_and(in_years)
            }
            _ => true,
        }
    }

    /// Some of the rows, as values of the library.
    fn values(&self, rows: Range<usize>) -> Result<Values> {
        let rows = &self.rows[rows];
        let given = if self.is_strange { strange(self.column_type.item) } else { self.column_type.item };
        if self.column_type.dims.is_none() {
            return Ok(Values::scalars(items(given, rows.iter().flat_map(Row::items))));
        }
        let size = self.column_type.vector_size().filter(|_| self.at_once);
        if let Some(size) = size.filter(|&size| rows.iter().all(|row| row.items().len() == size as usize)) {
            return Values::dense(items(given, rows.iter().flat_map(Row::items)), size);
        }
        let mut values = Values::vectors(given);
        for row in rows {
            let Row::Vector { length, indices, items: stored } = row else { unreachable!("rows are vectors") };
            let stored = items(given, stored.iter());
            match indices {
                None => values.push_vector(stored)?,
                Some(indices) => values.push_sparse_vector(*length, indices, stored)?,
            }
        }
        Ok(values)
    }
}

/// Items of the library.
fn items<'i>(item_type: ItemType, items: impl Iterator<Item = &'i Item>) -> Items {
    macro_rules! all {
        ($kind:ident as $number:ty) => {
            items
                .map(|item| if let Item::$kind(number) = item { *number as $number } else { wrong(item) })
                .collect::<Vec<_>>()
                .into()
        };
    }
    match item_type {
        ItemType::I8 => all!(Int as i8),
        ItemType::I16 => all!(Int as i16),
        ItemType::I32 => all!(Int as i32),
        ItemType::I64 | ItemType::TimeSpan | ItemType::DateTime => all!(Int as i64),
        ItemType::U8 => all!(Uint as u8),
        ItemType::U16 => all!(Uint as u16),
        ItemType::U32 => all!(Uint as u32),
        ItemType::U64 => all!(Uint as u64),
        ItemType::RowId => all!(RowId as u128),
        ItemType::Bool => {
            items.map(|item| if let Item::Bool(truth) = item { *truth } else { wrong(item) }).collect::<Vec<_>>().into()
        }
        ItemType::F32 => items
            .map(|item| if let Item::F32(bits) = item { f32::from_bits(*bits) } else { wrong(item) })
            .collect::<Vec<_>>()
            .into(),
        ItemType::F64 => items
            .map(|item| if let Item::F64(bits) = item { f64::from_bits(*bits) } else { wrong(item) })
            .collect::<Vec<_>>()
            .into(),
        ItemType::DateTimeOffset => items
            .map(|item| match *item {
                Item::DateTimeOffset { ticks, minutes } => DateTimeOffset { ticks, offset_minutes: minutes },
                _ => wrong(item),
            })
            .collect::<Vec<_>>()
            .into(),
        ItemType::Text => {
            let text = |item: &Item| match item {
                Item::Text(units) => String::from_utf16(units).expect("it was made of characters"),
                _ => wrong(item),
            };
            items.map(text).collect::<Texts>().into()
        }
        ItemType::Key(key) => match key.width {
            1 => all!(Uint as u8),
            2 => all!(Uint as u16),
            4 => all!(Uint as u32),
            _ => all!(Uint as u64),
        },
    }
}

fn wrong(item: &Item) -> ! {
    panic!("{item:?} was made for another type")
}

/// An endless repetition of bytes.
struct Feed<'a> {
    content: &'a [u8],
    position: usize,
}

impl Feed<'_> {
    fn byte(&mut self) -> u8 {
        let byte = self.content.get(self.position).copied().unwrap_or(0);
        self.position = (self.position + 1).checked_rem(self.content.len()).unwrap_or(0);
        byte
    }

    fn number(&mut self, width: u8) -> u128 {
        (0..width).fold(0, |number, place| number | u128::from(self.byte()) << (8 * place))
    }

    /// An item with arbitrary bits.
    fn any(&mut self, item: ItemType) -> Item {
        match item {
            ItemType::I8 => Item::Int((self.number(1) as i8).into()),
            ItemType::I16 => Item::Int((self.number(2) as i16).into()),
            ItemType::I32 => Item::Int((self.number(4) as i32).into()),
            ItemType::I64 | ItemType::TimeSpan | ItemType::DateTime => Item::Int(self.number(8) as i64),
            ItemType::U8 => Item::Uint(self.number(1) as u64),
            ItemType::U16 => Item::Uint(self.number(2) as u64),
            ItemType::U32 => Item::Uint(self.number(4) as u64),
            ItemType::U64 => Item::Uint(self.number(8) as u64),
            ItemType::Key(key) => Item::Uint(self.number(if key.width == 3 { 8 } else { key.width }) as u64),
            ItemType::F32 => Item::F32(self.number(4) as u32),
            ItemType::F64 => Item::F64(self.number(8) as u64),
            ItemType::Bool => Item::Bool(self.byte() & 1 == 1),
            ItemType::RowId => Item::RowId(self.number(16)),
            ItemType::DateTimeOffset => {
                Item::DateTimeOffset { ticks: self.number(8) as i64, minutes: self.number(2) as i16 }
            }
            ItemType::Text => {
                let length = self.byte() % 6;
                let text: String = (0..length).map(|_| self.character()).collect();
                Item::Text(text.encode_utf16().collect())
            }
        }
    }

    /// An item that can be written.
    fn legal(&mut self, item: ItemType) -> Item {
        match (item, self.any(item)) {
            (ItemType::Key(key), Item::Uint(raw)) => Item::Uint(raw % key.count.saturating_add(1)),
            (ItemType::TimeSpan, Item::Int(ticks)) => Item::Int(ticks.max(-i64::MAX)),
            (ItemType::DateTime, Item::Int(ticks)) => Item::Int(ticks.rem_euclid(LAST_TICK + 1)),
            (ItemType::DateTimeOffset, Item::DateTimeOffset { ticks, minutes }) => {
                let minutes = minutes % 841;
                let most = 840 * 600_000_000;
                Item::DateTimeOffset { ticks: most + ticks.rem_euclid(LAST_TICK - 2 * most), minutes }
            }
            (_, item) => item,
        }
    }

    fn character(&mut self) -> char {
        match self.byte() % 8 {
            0 => char::from_u32(self.number(3) as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
            1 => '\u{1F600}',
            2 => 'é',
            3 => '€',
            4 => '\0',
            _ => char::from(self.byte() % 0x80),
        }
    }
}
