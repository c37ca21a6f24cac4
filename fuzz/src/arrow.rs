//! Tables as Arrow record batches, and back.

use crate::bounds::limits;
use crate::idv::model::{self, Item};
use crate::random::Random;
use crate::share::ask_one_of;
use arrow_array::{Array, RecordBatch, RecordBatchIterator};
use ndbytes::Limits;
use ndbytes::idv::{self, ColumnType, ItemType, Items, Value, Values};
use ndbytes_arrow::idv::{BatchWriter, NullPolicy};
use ndbytes_arrow::metadata::ANNOTATION;
use ndbytes_arrow::table::{ArrowTable, Keys, Options, Sparse, TextPolicy, Times};
use ndbytes_arrow::{Error, Result, Validated, ipc};
use std::io::Cursor;
use std::sync::Arc;

/// The maximum number of batches to make.
const MOST_BATCHES: usize = 32;

/// The number of bytes after which no more batches are made.
const MOST_BYTES: usize = 8 << 20;

/// The maximum number of rows and items to compare.
const SMALL: usize = 64 << 10;

/// Converts a table to batches with options that depend on its bytes, or with all options if every question is asked.
pub fn examine(bytes: &[u8]) {
    let Ok(table) = idv::Options::new().limits(limits()).from_reader(bytes) else { return };
    let table = Arc::new(table);
    let mut random = Random::of(bytes);
    ask_one_of(choices(), &mut random, |choice, random| {
        let rows = [1, 3, 64, 65_536][random.below(4) as usize];
        examine_with(&table, *choice, rows);
    });
}

/// Makes the batches of a table one by one, without keeping them.
pub fn go_through(table: idv::Table<'static>, limits: Limits) {
    let exported = ArrowTable::new(table, Options::new().limits(limits));
    if let Ok(exported) = exported
        && let Ok(batches) = exported.batches()
    {
        batches.take(MOST_BATCHES).for_each(drop);
    }
}

/// Options for a conversion.
#[derive(Clone, Copy, Default)]
struct Choice {
    times: Times,
    keys: Keys,
    sparse: Sparse,
    text: TextPolicy,
}

/// Every choice.
fn choices() -> Vec<Choice> {
    fn each<T: Copy>(all: Vec<Choice>, values: &[T], set: impl Fn(Choice, T) -> Choice) -> Vec<Choice> {
        all.iter()
            .flat_map(|&choice| values.iter().map(move |&value| (choice, value)))
            .map(|(c, v)| set(c, v))
            .collect()
    }
    let all = each(vec![Choice::default()], Times::ALL, |choice, times| Choice { times, ..choice });
    let all = each(all, Keys::ALL, |choice, keys| Choice { keys, ..choice });
    let all = each(all, Sparse::ALL, |choice, sparse| Choice { sparse, ..choice });
    each(all, TextPolicy::ALL, |choice, text| Choice { text, ..choice })
}

/// The result for a table.
struct Made {
    batches: Vec<RecordBatch>,
    /// True if these are all batches.
    whole: bool,
    /// The error after them.
    error: Option<String>,
}

fn examine_with(table: &Arc<idv::Table<'static>>, choice: Choice, rows: u64) {
    let Choice { times, keys, sparse, text } = choice;
    let options = Options::new().times(times).keys(keys).sparse(sparse).text(text).rows(rows).limits(limits());
    let exported = match ArrowTable::new(Arc::clone(table), options) {
        Ok(exported) => exported,
        Err(error) => return assert_is_told(&error),
    };
    let made = make(&exported);
    examine_stream(&exported, &made);
    examine_ranges(&exported, &made);
    examine_ipc(&exported, &made);
    if made.whole {
        let rows: usize = made.batches.iter().map(RecordBatch::num_rows).sum();
        assert_eq!(rows as u64, exported.rows());
        examine_back(&exported, choice, &made.batches);
    }
}

/// Makes the first batches and asserts that Arrow considers each valid.
fn make(exported: &ArrowTable) -> Made {
    let mut made = Made { batches: Vec::new(), whole: false, error: None };
    let mut bytes = 0;
    let mut batches = match exported.batches() {
        Ok(batches) => batches,
        Err(error) => panic!("a readable column is refused: {error}"),
    };
    while made.batches.len() < MOST_BATCHES && bytes < MOST_BYTES {
        match batches.next_batch() {
            None => {
                made.whole = true;
                break;
            }
            Some(Ok(batch)) => {
                assert_eq!(batch.schema(), exported.schema());
                for column in batch.columns() {
                    column.to_data().validate_full().expect("Arrow finds the array valid");
                    bytes += column.get_array_memory_size();
                }
                made.batches.push(batch);
            }
            Some(Err(error)) => {
                assert_is_told(&error);
                assert!(batches.next_batch().is_none(), "nothing follows an error");
                made.error = Some(error.to_string());
                break;
            }
        }
    }
    made
}

/// Asserts that the C stream has the same batches, all valid.
fn examine_stream(exported: &ArrowTable, made: &Made) {
    let stream = match exported.stream() {
        Ok(stream) => stream,
        Err(Error::Column { column, .. }) if column.contains('\0') => return,
        Err(error) => panic!("the batches were begun before: {error}"),
    };
    let mut reader = Validated::import(stream, limits()).expect("the schema passes");
    for batch in &made.batches {
        let passed = reader.next().expect("there are as many batches").expect("the batch was made before");
        assert!(passed == *batch, "a batch of the C stream differs");
    }
    if made.whole {
        assert!(reader.next().is_none());
    }
    if let Some(error) = &made.error {
        let passed = reader.next().expect("the error passes").expect_err("there is no such batch");
        assert!(passed.to_string().contains(error.as_str()), "{passed}, not {error}");
    }
}

/// Asserts that reading ranges of whole blocks yields the same batches.
fn examine_ranges(exported: &ArrowTable, made: &Made) {
    if !made.whole {
        return;
    }
    let mut expected = made.batches.iter();
    for range in exported.ranges().expect("the batches were begun before") {
        for batch in exported.batches_of(range).expect("the range lies inside") {
            let batch = batch.expect("the batch was made before");
            assert!(Some(&batch) == expected.next(), "a batch of a range differs");
        }
    }
    assert!(expected.next().is_none());
}

/// Asserts that a written Arrow stream is read back unchanged.
fn examine_ipc(exported: &ArrowTable, made: &Made) {
    let given = RecordBatchIterator::new(made.batches.iter().cloned().map(Ok), exported.schema());
    let mut bytes = Vec::new();
    ipc::write_stream(&mut bytes, given).expect("Arrow writes its batches");
    let mut reader = ipc::read_stream(&bytes[..]).expect("Arrow reads what it wrote");
    for batch in &made.batches {
        let read = reader.next().expect("there are as many batches").expect("Arrow reads what it wrote");
        assert!(read == *batch, "a batch of the IPC stream differs");
    }
    assert!(reader.next().is_none());
}

/// Asserts that converting the batches back yields the same table.
fn examine_back(exported: &ArrowTable, choice: Choice, batches: &[RecordBatch]) {
    let again = match back(exported, batches) {
        Ok(again) => again,
        Err(Error::Ndbytes(ndbytes::Error::Limit { .. })) => return,
        // The reader warns about a key beyond the categories; the writer refuses it.
        Err(error) if error.to_string().contains("cannot hold the key") => return,
        // The longest negative duration, rounded down to microseconds, is out of range.
        Err(error) if choice.times == Times::MicrosFloor && error.to_string().contains("overflows 64-bit ticks") => {
            return;
        }
        Err(error) => panic!("the way back: {error}"),
    };
    let seen: Vec<_> =
        exported.table().columns().filter(|column| column.is_readable() && !column.is_hidden()).collect();
    assert_eq!((again.rows(), again.columns().len()), (exported.rows(), seen.len()));
    let schema = exported.schema();
    for ((column, other), field) in seen.iter().zip(again.columns()).zip(schema.fields()) {
        let column_type = from_zero(column.column_type().expect("a readable column has a type"));
        assert_eq!((column.name(), Some(&column_type)), (other.name(), other.column_type()));
        if let (Ok(values), Ok(others)) = (column.read(), other.read())
            && is_small(&values)
            && is_small(&others)
        {
            let expected: Vec<Cell> = cells(&values, column_type.item, choice);
            assert!(
                expected == cells(&others, column_type.item, Choice { sparse: choice.sparse, ..Choice::default() }),
                "the values of {:?} differ",
                column.name()
            );
        }
        for annotation in column.annotations().filter(|annotation| annotation.value_type().is_some()) {
            let Ok(values) = annotation.read() else { continue };
            if is_small(&values) {
                let value_type = annotation.value_type().expect("the annotation has a type");
                let is_carried = field.metadata().contains_key(&format!("{ANNOTATION}{}", annotation.kind()));
                assert_eq!(is_carried, !has_no_category(value_type, &values), "the {}", annotation.kind());
                if !is_carried {
                    continue;
                }
                let found = other.annotation(&annotation.kind()).expect("the annotation comes back");
                assert_eq!(annotation.value_type().map(from_zero).as_ref(), found.value_type());
                let found = found.read().expect("the annotation can be read");
                let (item, plain) = (ItemType::I8, Choice::default());
                assert!(cells(&values, item, plain) == cells(&found, item, plain), "the {} differ", annotation.kind());
            }
        }
    }
}

/// Returns whether some key is beyond the categories of its type. Such an annotation could not come back, so it is not
/// passed to Arrow.
fn has_no_category(value_type: &ColumnType, values: &Values) -> bool {
    let ItemType::Key(key) = value_type.item else { return false };
    let keys: Vec<u64> = match values.items() {
        Items::U8(keys) => keys.iter().map(|&key| key.into()).collect(),
        Items::U16(keys) => keys.iter().map(|&key| key.into()).collect(),
        Items::U32(keys) => keys.iter().map(|&key| key.into()).collect(),
        Items::U64(keys) => keys.clone(),
        items => panic!("the keys are {items:?}"),
    };
    // 0 is a missing value.
    keys.iter().any(|&raw| raw > key.count)
}

/// The type after a round trip, in which the numbers of categories begin at 0.
fn from_zero(column_type: &ColumnType) -> ColumnType {
    let mut column_type = column_type.clone();
    if let ItemType::Key(key) = &mut column_type.item {
        key.min = 0;
    }
    column_type
}

fn back(exported: &ArrowTable, batches: &[RecordBatch]) -> Result<idv::Table<'static>> {
    let options = ndbytes_arrow::idv::WriteOptions::new().nulls(NullPolicy::Default).limits(limits());
    let mut writer = BatchWriter::begin(Cursor::new(Vec::new()), &exported.schema(), options)?;
    for batch in batches {
        writer.write(batch)?;
    }
    let bytes = writer.finish_sink()?.into_inner();
    Ok(idv::Options::new().limits(limits()).from_reader(&bytes[..])?)
}

/// Asserts that an error is about the file or about an option. An error from Arrow would be a bug in the conversion.
fn assert_is_told(error: &Error) {
    match error {
        Error::Ndbytes(ndbytes::Error::Invalid(_) | ndbytes::Error::Limit { .. }) => {}
        Error::Column { .. } | Error::Value { .. } => {}
        error => panic!("{error}"),
    }
}

fn is_small(values: &Values) -> bool {
    values.rows().saturating_add(values.items().len()) <= SMALL
}

/// A value after a round trip: its nondefault items, with their indices.
#[derive(Debug, PartialEq)]
struct Cell {
    /// The length of a vector.
    length: Option<usize>,
    /// The indices that a sparse vector stores, if they are preserved.
    stored: Option<Vec<u32>>,
    items: Vec<(usize, Item)>,
}

/// Values after a round trip with these options. Missing ones become defaults.
fn cells(values: &Values, item: ItemType, choice: Choice) -> Vec<Cell> {
    let comes_back = |place: usize, value: Value<'_>| {
        let item = changed(model::item(value), item, choice);
        (item != Item::Null && !model::is_default(&item)).then_some((place, item))
    };
    let cell = |value: Value<'_>| match value {
        Value::Vector(vector) => {
            let indices = vector.indices();
            let place = |item: usize| indices.map_or(item, |indices| indices[item] as usize);
            let items =
                vector.stored().enumerate().filter_map(|(item, value)| comes_back(place(item), value)).collect();
            let stored = indices.filter(|_| choice.sparse == Sparse::Struct).map(<[u32]>::to_vec);
            Cell { length: Some(vector.len()), stored, items }
        }
        value => Cell { length: None, stored: None, items: comes_back(0, value).into_iter().collect() },
    };
    values.iter().map(cell).collect()
}

/// An item after the losses of the options.
fn changed(item: Item, of: ItemType, choice: Choice) -> Item {
    let floor = |ticks: i64| match choice.times {
        Times::MicrosFloor => ticks.div_euclid(10) * 10,
        _ => ticks,
    };
    match (item, of) {
        (Item::Int(ticks), ItemType::DateTime | ItemType::TimeSpan) => Item::Int(floor(ticks)),
        (Item::DateTimeOffset { ticks, minutes }, _) => Item::DateTimeOffset { ticks: floor(ticks), minutes },
        (Item::Text(units), _) if choice.text == TextPolicy::Lossy => {
            Item::Text(String::from_utf16_lossy(&units).encode_utf16().collect())
        }
        (item, _) => item,
    }
}
