//! Each Arrow type in Parquet: read back as it was, coerced without loss, or refused.

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Int16Type, Int32Type, Time32MillisecondType, TimestampMillisecondType};
use arrow_array::*;
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, FieldRef, IntervalUnit, TimeUnit, UnionMode};
use ndbytes::Limits;
use ndbytes_arrow::{Error, Result, parquet};
use std::sync::Arc;

const UTC: &str = "UTC";

/// The type of a column in Parquet: as seen by a reader that uses the Arrow schema, and by one that does not.
#[derive(Debug, PartialEq)]
struct Held {
    known: DataType,
    plain: DataType,
}

/// Writes a column to a file, and reads it back.
fn through(array: &ArrayRef) -> Result<(ArrayRef, DataType)> {
    let field = Field::new("c", array.data_type().clone(), true);
    let schema = Arc::new(arrow_schema::Schema::new([Arc::new(field)]));
    let batch = RecordBatch::try_new(schema, vec![Arc::clone(array)]).unwrap();
    let mut writer = parquet::Writer::begin(Vec::new(), &batch.schema(), &parquet::Options::new())?;
    writer.write(&batch)?;
    let bytes = bytes::Bytes::from(writer.finish()?);
    let plain = ::parquet::arrow::arrow_reader::ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let plain = ::parquet::arrow::arrow_reader::ArrowReaderMetadata::load(&bytes, plain).unwrap();
    let read = parquet::read_from(bytes, None, &Limits::default())?.next().unwrap()?;
    Ok((Arc::clone(read.column(0)), plain.schema().field(0).data_type().clone()))
}

/// Returns the types that contain no other types. Each of them is also tested inside the types that do.
fn leaves() -> Vec<DataType> {
    use DataType::*;
    let units = [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond];
    let mut all =
        vec![Null, Boolean, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, Float16, Float32, Float64];
    all.extend(
        units.iter().flat_map(|unit| [Timestamp(*unit, None), Timestamp(*unit, Some(UTC.into())), Duration(*unit)]),
    );
    all.extend([Date32, Date64, Time32(TimeUnit::Second), Time32(TimeUnit::Millisecond)]);
    all.extend([Time64(TimeUnit::Microsecond), Time64(TimeUnit::Nanosecond)]);
    all.extend([IntervalUnit::YearMonth, IntervalUnit::DayTime, IntervalUnit::MonthDayNano].map(Interval));
    all.extend([Binary, FixedSizeBinary(3), LargeBinary, BinaryView, Utf8, LargeUtf8, Utf8View]);
    all.extend([Decimal32(5, 2), Decimal64(15, 2), Decimal128(30, 2), Decimal256(60, 2)]);
    all
}

/// Returns the types that a type becomes. The match names every type, so that none is forgotten.
fn held(of: &DataType) -> Option<Held> {
    use DataType::*;
    let same = || Held { known: of.clone(), plain: of.clone() };
    let like = |plain| Held { known: of.clone(), plain };
    let both = |of: DataType| Held { known: of.clone(), plain: of };
    Some(match of {
        Null | Boolean | Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64 | Float16 | Float32
        | Float64 => same(),
        Timestamp(TimeUnit::Second, zone) => both(Timestamp(TimeUnit::Millisecond, zone.clone())),
        Time32(TimeUnit::Second) => both(Time32(TimeUnit::Millisecond)),
        Date64 => both(Date32),
        Timestamp(..) | Time32(_) | Time64(_) | Date32 => same(),
        // Parquet readers recognise them only by the Arrow schema.
        Duration(_) => like(Int64),
        Interval(IntervalUnit::MonthDayNano) => return None,
        Interval(_) => like(Interval(IntervalUnit::DayTime)),
        Binary | FixedSizeBinary(_) | Utf8 => same(),
        LargeBinary | BinaryView => like(Binary),
        LargeUtf8 | Utf8View => like(Utf8),
        Decimal32(digits, scale) | Decimal64(digits, scale) => like(Decimal128(*digits, *scale)),
        Decimal128(..) | Decimal256(..) => same(),
        Union(..) => return None,
        List(item) | LargeList(item) | ListView(item) | LargeListView(item) | FixedSizeList(item, _) => {
            let item = held(item.data_type())?;
            Held { known: with_items(of, item.known), plain: List(field(item.plain)) }
        }
        Struct(fields) => {
            let item = held(fields[0].data_type())?;
            Held { known: Struct([field(item.known)].into()), plain: Struct([field(item.plain)].into()) }
        }
        Map(entries, _) => {
            let Struct(fields) = entries.data_type() else { unreachable!() };
            let item = held(fields[1].data_type())?;
            Held { known: map_of(item.known), plain: map_of(item.plain) }
        }
        Dictionary(keys, values) => {
            let value = held(values)?;
            // Readers do not create dictionaries of these types, or lose the types.
            if matches!(**values, Boolean | Float16 | Interval(_) | Duration(_) | Timestamp(_, Some(_)))
                || matches!(**values, Decimal128(19.., _) | Decimal256(19.., _))
            {
                return Some(value);
            }
            Held { known: Dictionary(keys.clone(), Box::new(value.known)), plain: value.plain }
        }
        // Runs are how Arrow stores values. Parquet stores them in its own way.
        RunEndEncoded(_, values) => held(values.data_type())?,
    })
}

fn field(of: DataType) -> FieldRef {
    Arc::new(Field::new("item", of, true))
}

fn map_of(values: DataType) -> DataType {
    let fields = [Arc::new(Field::new("key", DataType::Int32, false)), Arc::new(Field::new("item", values, true))];
    DataType::Map(Arc::new(Field::new("entries", DataType::Struct(fields.into()), false)), false)
}

/// Returns the type of the same list with other items.
fn with_items(list: &DataType, items: DataType) -> DataType {
    match list {
        DataType::LargeList(_) => DataType::LargeList(field(items)),
        DataType::ListView(_) => DataType::ListView(field(items)),
        DataType::LargeListView(_) => DataType::LargeListView(field(items)),
        DataType::FixedSizeList(_, length) => DataType::FixedSizeList(field(items), *length),
        _ => DataType::List(field(items)),
    }
}

/// Two items: one with a value, and a null.
fn leaf(of: &DataType) -> ArrayRef {
    let primitive = |value: &[u8], width: usize| {
        let mut bytes = value.to_vec();
        bytes.resize(2 * width, 0);
        let data = ArrayData::builder(of.clone()).len(2).add_buffer(Buffer::from_vec(bytes));
        make_array(data.nulls(Some(NullBuffer::from(vec![true, false]))).align_buffers(true).build().unwrap())
    };
    match of {
        DataType::Null => Arc::new(NullArray::new(2)),
        DataType::Boolean => Arc::new(BooleanArray::from(vec![Some(true), None])),
        DataType::Date64 => primitive(&86_400_000_i64.to_le_bytes(), 8),
        DataType::Binary => Arc::new(BinaryArray::from(vec![Some(&b"ab"[..]), None])),
        DataType::LargeBinary => Arc::new(LargeBinaryArray::from(vec![Some(&b"ab"[..]), None])),
        DataType::BinaryView => Arc::new(BinaryViewArray::from(vec![Some(&b"ab"[..]), None])),
        DataType::Utf8 => Arc::new(StringArray::from(vec![Some("ab"), None])),
        DataType::LargeUtf8 => Arc::new(LargeStringArray::from(vec![Some("ab"), None])),
        DataType::Utf8View => Arc::new(StringViewArray::from(vec![Some("ab"), None])),
        DataType::FixedSizeBinary(width) => primitive(b"abc", *width as usize),
        // Intervals have 12 bytes in Parquet: days and milliseconds, or months.
        other => primitive(&[7], other.primitive_width().unwrap()),
    }
}

/// Arrays that contain these items, or refer to them.
fn containers(items: &ArrayRef) -> Vec<ArrayRef> {
    let of = || field(items.data_type().clone());
    let offsets = || OffsetBuffer::new(ScalarBuffer::from(vec![0_i32, 1, 2]));
    let places = || ScalarBuffer::from(vec![0_i32, 1]);
    let wide = |values: [i64; 2]| ScalarBuffer::from(values.to_vec());
    let items = || Arc::clone(items);
    let keys: ArrayRef = Arc::new(Int32Array::from(vec![1, 2]));
    let pairs = [
        (Arc::new(Field::new("key", DataType::Int32, false)), keys),
        (Arc::new(Field::new("item", items().data_type().clone(), true)), items()),
    ];
    let DataType::Map(entries, _) = map_of(items().data_type().clone()) else { unreachable!() };
    let mut all: Vec<ArrayRef> = vec![
        Arc::new(ListArray::new(of(), offsets(), items(), None)),
        Arc::new(LargeListArray::new(of(), OffsetBuffer::new(vec![0_i64, 1, 2].into()), items(), None)),
        Arc::new(ListViewArray::new(of(), places(), vec![1, 1].into(), items(), None)),
        Arc::new(LargeListViewArray::new(of(), wide([0, 1]), wide([1, 1]), items(), None)),
        Arc::new(FixedSizeListArray::new(of(), 1, items(), None)),
        Arc::new(StructArray::from(vec![(of(), items())])),
        Arc::new(MapArray::new(entries, offsets(), StructArray::from(pairs.to_vec()), None, false)),
    ];
    if !matches!(items().data_type(), DataType::Null) {
        // A null is one of the keys, where readers look for it.
        let keys: Int16Array = (0..2).map(|key| items().is_valid(key as usize).then_some(key)).collect();
        let values = items().slice(0, 2 - items().null_count());
        all.push(Arc::new(DictionaryArray::<Int16Type>::new(keys, values)));
        all.push(Arc::new(RunArray::<Int32Type>::try_new(&Int32Array::from(vec![1, 2]), &items()).unwrap()));
    }
    all
}

/// Describes what went wrong with a column's type or values, if anything did.
fn fault(array: &ArrayRef) -> Option<String> {
    let of = array.data_type();
    match (held(of), through(array)) {
        (Some(held), Ok((read, plain))) => {
            let is_held = held == Held { known: read.data_type().clone(), plain: plain.clone() };
            let is_same = read.data_type() != of || read.to_data() == array.to_data();
            (!is_held || !is_same).then(|| format!("{of}: {held:?}, but {read:?} and {plain}"))
        }
        (None, Err(Error::Column { what, .. })) if what.ends_with("which Parquet cannot hold") => None,
        (held, found) => Some(format!("{of}: {held:?}, but {found:?}")),
    }
}

#[test]
fn each_type_of_arrow_is_read_back_from_parquet_coerced_or_refused() {
    let items: Vec<ArrayRef> = leaves().iter().map(leaf).collect();
    let all = items.iter().flat_map(|items| [vec![Arc::clone(items)], containers(items)].concat());
    let faults: Vec<String> = all.filter_map(|array| fault(&array)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let union = [Field::new("a", DataType::Int32, true)].into_iter().enumerate();
    let union = union.map(|(code, field)| (code as i8, Arc::new(field))).collect();
    assert_eq!(held(&DataType::Union(union, UnionMode::Dense)), None);
}

#[test]
fn times_in_seconds_and_dates_in_milliseconds_are_the_same_times_in_parquet() {
    let seconds: ArrayRef = Arc::new(TimestampSecondArray::from(vec![Some(1_704_164_645), None, Some(-1)]).slice(0, 3));
    let (read, _) = through(&seconds).unwrap();
    let read: Vec<_> = read.as_primitive::<TimestampMillisecondType>().iter().collect();
    assert_eq!(read, [Some(1_704_164_645_000), None, Some(-1000)]);
    let seconds: ArrayRef = Arc::new(Time32SecondArray::from(vec![0, 5, 86_399]).slice(1, 2));
    let (read, _) = through(&seconds).unwrap();
    assert_eq!(read.as_primitive::<Time32MillisecondType>().values()[..], [5000, 86_399_000]);
    let dates: ArrayRef = Arc::new(Date64Array::from(vec![86_400_000, -86_400_000]));
    let (read, _) = through(&dates).unwrap();
    assert_eq!(read.as_primitive::<Date32Type>().values()[..], [1, -1]);
}

/// Returns the row and the reason of a refused value.
fn refusal(array: &ArrayRef) -> (u64, String) {
    match through(array) {
        Err(Error::Value { row, what, .. }) => (row, what),
        other => panic!("{:?}: {other:?}", array.data_type()),
    }
}

#[test]
fn value_that_parquet_cannot_hold_is_refused_by_its_row_however_deep_it_is() {
    let misfits: [(ArrayRef, &str); 4] = [
        (Arc::new(TimestampSecondArray::from(vec![1, i64::MAX / 1000 + 1])), "milliseconds of 64 bits"),
        (Arc::new(Time32SecondArray::from(vec![1, i32::MIN])), "milliseconds of 32 bits"),
        (Arc::new(Date64Array::from(vec![0, 86_400_001])), "whole days"),
        (Arc::new(Date64Array::from(vec![0, 86_400_000 << 31])), "days of 32 bits"),
    ];
    for (items, kind) in &misfits {
        for array in containers(items)
            .iter()
            .flat_map(|one| [vec![Arc::clone(one)], containers(one)].concat())
            .chain([Arc::clone(items)])
        {
            if matches!(array.data_type(), DataType::Dictionary(_, values) if values.is_nested()) {
                continue;
            }
            let (row, what) = refusal(&array);
            assert_eq!(row, 1, "{:?}", array.data_type());
            assert!(what.contains(&format!("cannot hold as {kind}:")), "{what}");
        }
    }
}

#[test]
fn values_that_no_row_has_are_not_refused() {
    let items: ArrayRef = Arc::new(TimestampSecondArray::from(vec![1, i64::MAX]));
    let of = || field(items.data_type().clone());
    let nulls = || Some(NullBuffer::from(vec![true, false]));
    let null_below = items.to_data().into_builder().nulls(nulls()).build().unwrap();
    let offsets = OffsetBuffer::new(vec![0_i32, 1, 2].into());
    let arrays: Vec<ArrayRef> = vec![
        make_array(null_below),
        Arc::new(ListArray::new(of(), offsets, Arc::clone(&items), nulls())),
        Arc::new(FixedSizeListArray::new(of(), 1, Arc::clone(&items), nulls())),
        Arc::new(StructArray::new([of()].into(), vec![Arc::clone(&items)], nulls())),
        Arc::new(DictionaryArray::<Int16Type>::new(Int16Array::from(vec![Some(0), None]), Arc::clone(&items))),
        containers(&items)[0].slice(0, 1),
        containers(&items)[2].slice(0, 1),
    ];
    for array in arrays {
        let (read, _) = through(&array).unwrap_or_else(|error| panic!("{:?}: {error}", array.data_type()));
        assert_eq!(read.len(), array.len(), "{:?}", array.data_type());
    }
}

#[test]
fn row_of_a_refused_value_is_counted_over_all_batches() {
    let batch = |days: i64| {
        let dates: ArrayRef = Arc::new(Date64Array::from(vec![0, days]));
        RecordBatch::try_from_iter([("c", dates)]).unwrap()
    };
    let mut writer = parquet::Writer::begin(Vec::new(), &batch(0).schema(), &parquet::Options::new()).unwrap();
    writer.write(&batch(0)).unwrap();
    let error = writer.write(&batch(1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 3 of the column \"c\" has 1 milliseconds since 1970, which Parquet cannot hold as whole days: write an Arrow file"
    );
}
