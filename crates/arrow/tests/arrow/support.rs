//! Helpers that the tests share.

use arrow_array::RecordBatch;
use ndbytes::idv::{self, ItemType, Value, Values};
use ndbytes_arrow::Result;
use ndbytes_arrow::idv::{BatchWriter, NullPolicy};
use ndbytes_arrow::table::{ArrowTable, Options};
use std::io::Cursor;
use std::path::{Path, PathBuf};

/// Returns the root of the project.
pub fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns all files with an extension in a folder and its subfolders, sorted by path.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files.extend(self::files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Creates a table of columns with values.
pub fn table_of(columns: Vec<(idv::NewColumn, Values)>, options: Options) -> Result<ArrowTable> {
    let (columns, values): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let mut writer = idv::Writer::new(columns).begin(Cursor::new(Vec::new()))?;
    writer.write(&values)?;
    table_in(&writer.finish_sink()?.into_inner(), options)
}

/// Opens the table in the bytes of a file.
pub fn table_in(bytes: &[u8], options: Options) -> Result<ArrowTable> {
    let table = idv::from_reader(bytes)?;
    ArrowTable::new(table, options)
}

/// Returns all batches, each of which must be valid.
pub fn batches(table: &ArrowTable) -> Result<Vec<RecordBatch>> {
    let mut all = Vec::new();
    let mut batches = table.batches()?;
    while let Some(batch) = batches.next_batch() {
        let batch = batch?;
        for column in batch.columns() {
            column.to_data().validate_full().expect("Arrow finds the array valid");
        }
        all.push(batch);
    }
    Ok(all)
}

/// Converts batches to an IDV table.
pub fn back(table: &ArrowTable, batches: &[RecordBatch]) -> Result<idv::Table<'static>> {
    let options = ndbytes_arrow::idv::WriteOptions::new().nulls(NullPolicy::Default);
    let mut writer = BatchWriter::begin(Cursor::new(Vec::new()), &table.schema(), options)?;
    for batch in batches {
        writer.write(batch)?;
    }
    let bytes = writer.finish_sink()?.into_inner();
    Ok(idv::from_reader(&bytes[..])?)
}

/// Asserts that two tables have the same columns: names, types, annotations, and every value to the bit.
pub fn assert_same(one: &idv::Table<'_>, other: &idv::Table<'_>, what: &str) {
    let visible = one.columns().filter(|column| column.is_readable() && !column.is_hidden());
    let visible: Vec<_> = visible.collect();
    assert_eq!((one.rows(), visible.len()), (other.rows(), other.columns().len()), "{what}");
    for (mine, theirs) in visible.iter().zip(other.columns()) {
        let name = mine.name();
        let mut my_type = mine.column_type().unwrap().clone();
        if let ItemType::Key(key) = &mut my_type.item {
            key.min = 0;
        }
        assert_eq!((&name, Some(&my_type)), (&theirs.name(), theirs.column_type()), "{what}");
        assert_eq!(texts(&mine.read().unwrap()), texts(&theirs.read().unwrap()), "{what}: {name}");
        for annotation in mine.annotations().filter(|annotation| annotation.value_type().is_some()) {
            let kind = annotation.kind();
            let Ok(value) = annotation.read() else { continue };
            let again = theirs.annotation(&kind).unwrap_or_else(|| panic!("{what}: {name} has no {kind}"));
            assert_eq!(annotation.value_type(), again.value_type(), "{what}: {name}.{kind}");
            assert_eq!(texts(&value), texts(&again.read().unwrap()), "{what}: {name}.{kind}");
        }
    }
}

/// Returns all values as text, including those that sparse vectors do not store.
fn texts(values: &Values) -> Vec<String> {
    let row = |value: Value<'_>| match value {
        Value::Vector(vector) if vector.len() > 1 << 16 => {
            format!(
                "{} of {}",
                vector.stored().map(|item| bits(item, values)).collect::<Vec<_>>().join(" "),
                vector.len()
            )
        }
        Value::Vector(vector) => {
            (0..vector.len()).map(|place| bits(vector.get(place).unwrap(), values)).collect::<Vec<_>>().join(" ")
        }
        item => bits(item, values),
    };
    values.iter().map(row).collect()
}

/// Returns an item as text: NaNs by their bits, missing items as their type's default.
fn bits(value: Value<'_>, values: &Values) -> String {
    match value {
        Value::Null => {
            let mut one = Values::vectors(kind(values));
            one.push_sparse_vector(1, &[], Values::vectors(kind(values)).into_items()).unwrap();
            let default = one.vector(0).unwrap().get(0).unwrap();
            bits(default, values)
        }
        Value::F32(number) => format!("{:08x}", number.to_bits()),
        Value::F64(number) => format!("{:016x}", number.to_bits()),
        Value::Text(text) => format!("{:x?}", text.utf16().collect::<Vec<_>>()),
        other => format!("{other:?}"),
    }
}

/// Returns the type of items that are stored like these values.
fn kind(values: &Values) -> ItemType {
    use idv::Items;
    match values.items() {
        Items::I8(_) => ItemType::I8,
        Items::I16(_) => ItemType::I16,
        Items::I32(_) => ItemType::I32,
        Items::I64(_) => ItemType::I64,
        Items::U8(_) => ItemType::U8,
        Items::U16(_) => ItemType::U16,
        Items::U32(_) => ItemType::U32,
        Items::U64(_) => ItemType::U64,
        Items::F32(_) => ItemType::F32,
        Items::F64(_) => ItemType::F64,
        Items::Bool(_) => ItemType::Bool,
        Items::RowId(_) => ItemType::RowId,
        Items::DateTimeOffset(_) => ItemType::DateTimeOffset,
        _ => ItemType::Text,
    }
}
