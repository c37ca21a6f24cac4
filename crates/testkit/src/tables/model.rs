//! Tables as plain values, independent of the library's types.
//!
//! A test that writes and reads with the library would not detect an error that both share. The model does not use the
//! library's types: floats are bits, and texts are UTF-16 units, as in .NET.

use ndbytes::idv::{
    self, ColumnType, Compression, DateTimeOffset, ItemType, Items, NewColumn, TableWriter, Texts, Value, Values,
    Writer,
};
use std::io::{Cursor, Seek, Write};
use std::ops::Range;

/// An item, with floats as bits and text as UTF-16 units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    Null,
    Int(i64),
    Uint(u64),
    RowId(u128),
    F32(u32),
    F64(u64),
    Bool(bool),
    Time { ticks: i64, minutes: i16 },
    Text(Vec<u16>),
}

impl Item {
    pub fn text(text: &str) -> Item {
        Item::Text(text.encode_utf16().collect())
    }
}

/// A cell: the value of a row in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    Item(Item),
    Dense(Vec<Item>),
    Sparse { length: u32, indices: Vec<u32>, stored: Vec<Item> },
}

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    pub columns: Vec<ModelColumn>,
    /// The number of rows, which even a table without columns has.
    pub rows: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ModelColumn {
    pub name: String,
    pub column_type: ColumnType,
    pub annotations: Vec<(String, ColumnType, Cell)>,
    pub cells: Vec<Cell>,
}

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    pub compression: Compression,
    pub rows_per_block: Option<usize>,
    /// The number of rows to pass to the writer at a time.
    pub at_a_time: usize,
}

impl Settings {
    pub fn new(compression: Compression) -> Settings {
        Settings { compression, rows_per_block: None, at_a_time: usize::MAX }
    }

    pub fn rows_per_block(self, rows: usize) -> Settings {
        Settings { rows_per_block: Some(rows), ..self }
    }

    pub fn at_a_time(self, rows: usize) -> Settings {
        Settings { at_a_time: rows, ..self }
    }
}

impl Model {
    pub fn new(columns: Vec<ModelColumn>) -> Model {
        let rows = columns.first().map_or(0, |column| column.cells.len()) as u64;
        Model { columns, rows }
    }

    pub fn writer(&self, settings: Settings) -> Writer {
        let writer = Writer::new(self.columns.iter().map(ModelColumn::new_column)).compression(settings.compression);
        match settings.rows_per_block {
            Some(rows) => writer.rows_per_block(rows),
            None => writer,
        }
    }

    pub fn write<W: Write + Seek>(&self, writer: &mut TableWriter<W>, settings: Settings) -> ndbytes::Result<()> {
        if self.columns.is_empty() {
            return writer.write_empty_rows(self.rows);
        }
        let mut start = 0;
        while start < self.rows as usize {
            let end = start.saturating_add(settings.at_a_time).min(self.rows as usize);
            let columns = self.columns.iter().map(|column| values(&column.column_type, &column.cells[start..end]));
            writer.write(&columns.collect::<Vec<Values>>())?;
            start = end;
        }
        Ok(())
    }

    /// The file.
    pub fn bytes(&self, settings: Settings) -> Vec<u8> {
        let mut writer = self.writer(settings).begin(Cursor::new(Vec::new())).unwrap();
        self.write(&mut writer, settings).unwrap();
        writer.finish_sink().unwrap().into_inner()
    }
}

impl ModelColumn {
    pub fn new(name: impl Into<String>, column_type: ColumnType, cells: Vec<Cell>) -> ModelColumn {
        ModelColumn { name: name.into(), column_type, annotations: Vec::new(), cells }
    }

    #[must_use]
    pub fn annotation(mut self, kind: &str, value_type: ColumnType, value: Cell) -> ModelColumn {
        self.annotations.push((kind.to_owned(), value_type, value));
        self
    }

    pub fn new_column(&self) -> NewColumn {
        let column = NewColumn::new(self.name.clone(), self.column_type.clone());
        self.annotations.iter().fold(column, |column, (kind, value_type, value)| {
            column.annotation(kind.clone(), value_type.clone(), values(value_type, std::slice::from_ref(value)))
        })
    }
}

/// Converts cells to values of the library.
pub fn values(column_type: &ColumnType, cells: &[Cell]) -> Values {
    let item = column_type.item;
    if column_type.dims.is_none() {
        let all: Vec<Item> = cells
            .iter()
            .map(|cell| match cell {
                Cell::Item(item) => item.clone(),
                vector => panic!("{vector:?} in a column of single items"),
            })
            .collect();
        return Values::scalars(items(item, &all));
    }
    // The previous vector may end with the first half of a character.
    let all = cells.iter().flat_map(|cell| match cell {
        Cell::Dense(items) => items.iter(),
        Cell::Sparse { stored, .. } => stored.iter(),
        single => panic!("{single:?} in a column of vectors"),
    });
    let mut all = Pieces::of(item, &all.cloned().collect::<Vec<Item>>());
    let mut values = Values::vectors(item);
    for cell in cells {
        match cell {
            Cell::Dense(items) => values.push_vector(all.next(items.len())).unwrap(),
            Cell::Sparse { length, indices, stored } => {
                values.push_sparse_vector(*length as usize, indices, all.next(stored.len())).unwrap();
            }
            Cell::Item(_) => unreachable!(),
        }
    }
    values
}

/// Items from which a few at a time can be taken.
struct Pieces {
    /// A file with one item per row.
    file: Vec<u8>,
    at: usize,
    item: ItemType,
    all: Vec<Item>,
}

impl Pieces {
    fn of(item: ItemType, all: &[Item]) -> Pieces {
        let is_split = all.iter().any(|item| matches!(item, Item::Text(units) if String::from_utf16(units).is_err()));
        let file = if is_split { file_of_texts(all) } else { Vec::new() };
        Pieces { file, at: 0, item, all: all.to_vec() }
    }

    fn next(&mut self, count: usize) -> Items {
        let range = self.at..self.at + count;
        self.at += count;
        if self.file.is_empty() {
            return items(self.item, &self.all[range]);
        }
        split_texts(&self.file, range).into()
    }
}

/// Items for the library.
pub fn items(item: ItemType, all: &[Item]) -> Items {
    macro_rules! items {
        ($kind:ident as $number:ty) => {
            all.iter()
                .map(|item| if let Item::$kind(value) = item { *value as $number } else { panic!("{item:?}") })
                .collect::<Vec<$number>>()
                .into()
        };
        ($kind:ident, $value:ident => $from:expr) => {
            all.iter()
                .map(|item| if let Item::$kind($value) = item { $from } else { panic!("{item:?}") })
                .collect::<Vec<_>>()
                .into()
        };
    }
    match item {
        ItemType::I8 => items!(Int as i8),
        ItemType::I16 => items!(Int as i16),
        ItemType::I32 => items!(Int as i32),
        ItemType::I64 | ItemType::TimeSpan | ItemType::DateTime => items!(Int as i64),
        ItemType::U8 => items!(Uint as u8),
        ItemType::U16 => items!(Uint as u16),
        ItemType::U32 => items!(Uint as u32),
        ItemType::U64 => items!(Uint as u64),
        ItemType::Key(key) => match key.width {
            1 => items!(Uint as u8),
            2 => items!(Uint as u16),
            4 => items!(Uint as u32),
            _ => items!(Uint as u64),
        },
        ItemType::RowId => items!(RowId as u128),
        ItemType::F32 => items!(F32, bits => f32::from_bits(*bits)),
        ItemType::F64 => items!(F64, bits => f64::from_bits(*bits)),
        ItemType::Bool => items!(Bool as bool),
        ItemType::DateTimeOffset => {
            let time = |item: &Item| match *item {
                Item::Time { ticks, minutes } => DateTimeOffset { ticks, offset_minutes: minutes },
                ref other => panic!("{other:?}"),
            };
            all.iter().map(time).collect::<Vec<_>>().into()
        }
        ItemType::Text => texts(all).into(),
    }
}

/// Texts for the library. Halves of characters must meet, except at both edges.
pub fn texts(all: &[Item]) -> Texts {
    let whole = all.iter().map(|item| String::from_utf16(units(item)).ok());
    match whole.collect::<Option<Vec<String>>>() {
        Some(whole) => whole.into_iter().collect(),
        None => split_texts(&file_of_texts(all), 0..all.len()),
    }
}

fn units(item: &Item) -> &[u16] {
    if let Item::Text(units) = item { units } else { panic!("{item:?} is no text") }
}

/// A file with a column `t` of texts, some of which end inside a character. The library creates such texts only by
/// reading them, so all text is written in the first row, and then the ends of the rows are patched. An additional
/// first and last row complete the characters at the edges.
fn file_of_texts(all: &[Item]) -> Vec<u8> {
    let middle = || all.iter().flat_map(units).copied();
    let before = middle().next().filter(|unit| (0xDC00..0xE000).contains(unit)).map(|_| 0xD83D);
    let after = middle().last().filter(|unit| (0xD800..0xDC00).contains(unit)).map(|_| 0xDE00);
    let joined: Vec<u16> = before.into_iter().chain(middle()).chain(after).collect();
    let joined = String::from_utf16(&joined).expect("halves of characters meet");
    let rows = all.len() + 2;
    let texts: Texts = std::iter::once(joined.as_str()).chain((1..rows).map(|_| "")).collect();
    let writer = Writer::new([NewColumn::new("t", ColumnType::scalar(ItemType::Text))]);
    let writer = writer.compression(Compression::NONE).rows_per_block(rows);
    let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
    writer.write(&[Values::scalars(texts)]).unwrap();
    let mut file = writer.finish_sink().unwrap().into_inner();
    // The block directly follows the header, and begins with the number of texts.
    let lengths = std::iter::once(before.iter().count()).chain(all.iter().map(|item| units(item).len()));
    let mut end = 0;
    let ends = lengths.chain([after.iter().count()]).map(|length| {
        end += length as i32;
        end.to_le_bytes()
    });
    file[256 + 4..].as_chunks_mut::<4>().0.iter_mut().zip(ends).for_each(|(place, end)| *place = end);
    file
}

/// Some of the texts in such a file.
fn split_texts(file: &[u8], range: Range<usize>) -> Texts {
    let table = idv::from_slice(file).unwrap();
    let rows = range.start as u64 + 1..range.end as u64 + 1;
    let Items::Text(texts) = table.column("t").unwrap().read_rows(rows).unwrap().into_items() else { unreachable!() };
    texts
}

/// Converts values that the library read to cells.
pub fn cells(values: &Values) -> Vec<Cell> {
    let cells = values.iter().map(|value| match value {
        Value::Vector(vector) => {
            let stored: Vec<Item> = vector.stored().map(item).collect();
            match vector.indices() {
                None => {
                    assert_eq!(stored.len(), vector.len());
                    Cell::Dense(stored)
                }
                Some(indices) => {
                    assert_eq!(stored.len(), indices.len());
                    Cell::Sparse { length: vector.len() as u32, indices: indices.to_vec(), stored }
                }
            }
        }
        value => Cell::Item(item(value)),
    });
    let cells: Vec<Cell> = cells.collect();
    assert_eq!(cells.len(), values.rows());
    cells
}

pub fn item(value: Value<'_>) -> Item {
    match value {
        Value::Null => Item::Null,
        Value::Int(number) => Item::Int(number),
        Value::Uint(number) => Item::Uint(number),
        Value::RowId(id) => Item::RowId(id),
        Value::F32(number) => Item::F32(number.to_bits()),
        Value::F64(number) => Item::F64(number.to_bits()),
        Value::Bool(value) => Item::Bool(value),
        Value::DateTimeOffset(time) => Item::Time { ticks: time.ticks, minutes: time.offset_minutes },
        Value::Text(text) => Item::Text(text.utf16().collect()),
        other => panic!("{other:?}"),
    }
}
