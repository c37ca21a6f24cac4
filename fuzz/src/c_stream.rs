//! Third-party tables that come through Arrow's C stream.
#![allow(unsafe_code, reason = "Arrow makes no broken array without it")]

use crate::bounds::limits;
use crate::idv::model::{self, Item};
use crate::panics;
use arbitrary::{Arbitrary, Result, Unstructured};
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader, UInt8Array, make_array};
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ByteView, MAX_INLINE_VIEW_LEN};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use ndbytes::idv::{self, Value, Values};
use ndbytes_arrow::idv::{BatchWriter, NullPolicy, WriteOptions};
use ndbytes_arrow::{Error, TICKS_OF_1970, Validated};
use std::io::Cursor;
use std::sync::Arc;

/// The maximum number of rows in a batch, and of items in a dictionary.
const MOST: usize = 20;

/// Longer vectors are not compared item by item.
const LONG: usize = 256;

/// .NET ticks, of 100 ns each.
const TICKS_OF_A_MINUTE: i64 = 60 * 10_000_000;
const TICKS_OF_A_DAY: i64 = 24 * 60 * TICKS_OF_A_MINUTE;

/// The characters of texts, with one to four bytes.
const PALETTE: &str = "text of many bytes, grün und 😀, ₂ times ";

/// The batches of a stream. The buffers have the required lengths, but may have invalid content.
#[derive(Debug)]
pub struct Sample {
    /// The declared types. A list of a fixed size may be declared with another size.
    said: Vec<DataType>,
    batches: Vec<Vec<ArrayData>>,
}

impl<'a> Arbitrary<'a> for Sample {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let count = u.int_in_range(1..=3)?;
        let types = (0..count).map(|_| column(u)).collect::<Result<Vec<_>>>()?;
        let mut said = types.clone();
        for said in &mut said {
            if let DataType::FixedSizeList(_, size) = said
                && u.ratio(1, 8)?
            {
                *size = u.int_in_range(-1..=5)?;
            }
        }
        let mut batches = Vec::new();
        for _ in 0..u.int_in_range(1..=3)? {
            let rows = u.int_in_range(0..=MOST)?;
            batches.push(types.iter().map(|of| array(u, of, rows)).collect::<Result<Vec<_>>>()?);
        }
        Ok(Sample { said, batches })
    }
}

/// A possible type of a column. IDV cannot hold all of them.
fn column(u: &mut Unstructured<'_>) -> Result<DataType> {
    let item = scalar(u)?;
    Ok(match u.int_in_range(0..=11)? {
        0..=4 => item,
        5 => DataType::List(named("item", item)),
        6 => DataType::LargeList(named("item", item)),
        7 | 8 => DataType::FixedSizeList(named("item", item), u.int_in_range(0..=4)?),
        9 | 10 => DataType::Struct(stored(item)),
        _ => DataType::List(named("item", DataType::Struct([named("a", item), named("b", DataType::Binary)].into()))),
    })
}

fn scalar(u: &mut Unstructured<'_>) -> Result<DataType> {
    use DataType::*;
    let keys = [Int8, UInt8, Int16, UInt32, Int64, UInt64];
    let plain = [
        Utf8, LargeUtf8, Utf8View, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, Float16, Float32, Float64,
    ];
    let other = [
        Boolean,
        Date32,
        FixedSizeBinary(16),
        Time64(TimeUnit::Nanosecond),
        Timestamp(TimeUnit::Microsecond, None),
        Timestamp(TimeUnit::Microsecond, Some("+01:30".into())),
        BinaryView,
        LargeBinary,
    ];
    Ok(match u.int_in_range(0..=7)? {
        0..=2 => u.choose(&plain[..3])?.clone(),
        3 | 4 => u.choose(&plain)?.clone(),
        5 | 6 => Dictionary(Box::new(u.choose(&keys)?.clone()), Box::new(u.choose(&plain)?.clone())),
        _ => u.choose(&other)?.clone(),
    })
}

fn named(name: &str, of: DataType) -> Arc<Field> {
    Arc::new(Field::new(name, of, true))
}

/// The fields of sparse vectors.
fn stored(item: DataType) -> Fields {
    let indices = DataType::List(named("item", DataType::UInt32));
    let values = DataType::List(named("item", item));
    [named("length", DataType::UInt32), named("indices", indices), named("values", values)].into()
}

/// An array, which may start at an offset in its buffers.
fn array(u: &mut Unstructured<'_>, of: &DataType, length: usize) -> Result<ArrayData> {
    let before = if u.ratio(1, 8)? { u.int_in_range(0..=3)? } else { 0 };
    let total = before + length;
    let (mut buffers, mut children) = (Vec::new(), Vec::new());
    match of {
        DataType::Utf8 | DataType::Binary => {
            let text = text(u)?;
            buffers = vec![offsets(u, total, text.len(), false)?, Buffer::from(text)];
        }
        DataType::LargeUtf8 | DataType::LargeBinary => {
            let text = text(u)?;
            buffers = vec![offsets(u, total, text.len(), true)?, Buffer::from(text)];
        }
        DataType::Utf8View | DataType::BinaryView => buffers = views(u, total)?,
        DataType::List(item) | DataType::LargeList(item) => {
            let items = u.int_in_range(0..=2 * MOST)?;
            buffers = vec![offsets(u, total, items, matches!(of, DataType::LargeList(_)))?];
            children = vec![array(u, item.data_type(), items)?];
        }
        DataType::FixedSizeList(item, size) => children = vec![array(u, item.data_type(), total * *size as usize)?],
        DataType::Struct(fields) => {
            for field in fields {
                children.push(array(u, field.data_type(), total)?);
            }
        }
        DataType::Dictionary(keys, values) => {
            let count = u.int_in_range(0..=MOST)?;
            buffers = vec![self::keys(u, total, keys.primitive_width().unwrap_or(1), count)?];
            children = vec![array(u, values, count)?];
        }
        DataType::Boolean => buffers = vec![filled(u, total.div_ceil(8))?],
        DataType::FixedSizeBinary(size) => buffers = vec![filled(u, total * *size as usize)?],
        DataType::UInt32 if u.ratio(1, 2)? => buffers = vec![Buffer::from_iter(0..total as u32)],
        other => buffers = vec![filled(u, total * other.primitive_width().unwrap_or(1))?],
    }
    let mut data = ArrayData::builder(of.clone()).len(length).offset(before).buffers(buffers).child_data(children);
    if u.ratio(1, 4)? {
        let bits = filled(u, total.div_ceil(8))?;
        let mut count = (before..total).filter(|bit| bits[bit / 8] >> (bit % 8) & 1 == 0).count();
        if u.ratio(1, 8)? {
            count = u.int_in_range(0..=length)?;
        }
        data = data.null_bit_buffer(Some(bits)).null_count(count);
    }
    // SAFETY: all buffers and children have the lengths that the array states. Their content is what this target tests.
    Ok(unsafe { data.align_buffers(true).build_unchecked() })
}

/// Arbitrary bytes, with zeros after the end of the input.
fn filled(u: &mut Unstructured<'_>, length: usize) -> Result<Buffer> {
    let mut bytes = vec![0; length];
    u.fill_buffer(&mut bytes)?;
    Ok(Buffer::from(bytes))
}

/// Text that may be invalid at one position.
fn text(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let length = u.int_in_range(0..=2 * PALETTE.len())?;
    let mut text: Vec<u8> = PALETTE.bytes().cycle().take(length).collect();
    while !text.is_empty() && std::str::from_utf8(&text).is_err() {
        text.pop();
    }
    if !text.is_empty() && u.ratio(1, 4)? {
        let place = u.choose_index(text.len())?;
        text[place] = u.arbitrary()?;
    }
    Ok(text)
}

/// Increasing offsets up to a limit. One of them may be arbitrary, except the last one, which the interface trusts.
fn offsets(u: &mut Unstructured<'_>, total: usize, limit: usize, is_large: bool) -> Result<Buffer> {
    let mut offset = u.int_in_range(0..=limit.min(2))? as i64;
    let mut offsets = vec![offset];
    for _ in 0..total {
        offset = (offset + u.int_in_range(0..=5)?).min(limit as i64);
        offsets.push(offset);
    }
    if total > 0 && u.ratio(1, 4)? {
        let place = u.choose_index(total)?;
        offsets[place] = if u.arbitrary()? { u.arbitrary()? } else { u.arbitrary::<i8>()?.into() };
    }
    Ok(match is_large {
        true => Buffer::from_vec(offsets),
        false => Buffer::from_iter(offsets.into_iter().map(|offset| offset as i32)),
    })
}

/// Keys of a dictionary, one of which may be arbitrary.
fn keys(u: &mut Unstructured<'_>, total: usize, width: usize, count: usize) -> Result<Buffer> {
    let mut keys = vec![0_i64; total];
    for key in &mut keys {
        *key = u.int_in_range(0..=count.saturating_sub(1))? as i64;
    }
    if total > 0 && u.ratio(1, 4)? {
        let place = u.choose_index(total)?;
        keys[place] = u.arbitrary::<i8>()?.into();
    }
    Ok(Buffer::from_iter(keys.into_iter().flat_map(|key| key.to_le_bytes().into_iter().take(width))))
}

/// Views, and the buffers that they refer to.
fn views(u: &mut Unstructured<'_>, total: usize) -> Result<Vec<Buffer>> {
    let texts = (0..u.int_in_range(0..=2)?).map(|_| text(u)).collect::<Result<Vec<_>>>()?;
    let mut views: Vec<u128> = Vec::new();
    for _ in 0..total {
        let long =
            texts.iter().position(|text| text.len() > 2 * MAX_INLINE_VIEW_LEN as usize && u.ratio(2, 3) == Ok(true));
        views.push(match long {
            _ if u.ratio(1, 16)? => u.arbitrary()?,
            Some(number) => {
                let text = &texts[number];
                let start = u.int_in_range(0..=text.len() - MAX_INLINE_VIEW_LEN as usize - 1)?;
                let end = u.int_in_range(start + MAX_INLINE_VIEW_LEN as usize + 1..=text.len())?;
                let prefix: [u8; 4] = text[start..start + 4].try_into().expect("a long text has four bytes");
                let (length, prefix) = ((end - start) as u32, u32::from_le_bytes(prefix));
                let mut view = ByteView { length, prefix, buffer_index: number as u32, offset: start as u32 };
                if u.ratio(1, 16)? {
                    let field = u.choose_index(4)?;
                    let fields = [&mut view.length, &mut view.prefix, &mut view.buffer_index, &mut view.offset];
                    *fields.into_iter().nth(field).expect("there are four") = u.arbitrary()?;
                }
                view.as_u128()
            }
            None => {
                let mut bytes = [0; 16];
                let length = u.int_in_range(0..=MAX_INLINE_VIEW_LEN)?;
                bytes[0] = length as u8;
                bytes[4..4 + length as usize].copy_from_slice(&PALETTE.as_bytes()[..length as usize]);
                u128::from_le_bytes(bytes)
            }
        });
    }
    Ok([Buffer::from_vec(views)].into_iter().chain(texts.into_iter().map(Buffer::from)).collect())
}

fn schema<'t>(types: impl Iterator<Item = &'t DataType>) -> SchemaRef {
    Arc::new(Schema::new(
        types.enumerate().map(|(place, of)| Field::new(place.to_string(), of.clone(), true)).collect::<Fields>(),
    ))
}

impl Sample {
    fn stream(&self) -> FFI_ArrowArrayStream {
        let batch = |columns: &Vec<ArrayData>| {
            let schema = schema(columns.iter().map(ArrayData::data_type));
            Ok(RecordBatch::try_new(schema, columns.iter().cloned().map(make_array).collect()).expect("lengths agree"))
        };
        let batches: Vec<_> = self.batches.iter().map(batch).collect();
        FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new(batches, schema(self.said.iter()))))
    }

    /// Returns whether an array has fewer items than its type states, so that it cannot even be imported.
    fn is_short(&self) -> bool {
        self.batches.iter().flat_map(|batch| batch.iter().zip(&self.said)).any(|(column, said)| {
            match (column.data_type(), said) {
                (DataType::FixedSizeList(_, size), DataType::FixedSizeList(_, said)) => said > size,
                _ => false,
            }
        })
    }

    /// Asserts that an invalid table is refused, and that an accepted one is written and read back with the same values.
    pub fn examine(&self) {
        panics::crash_on_own(|| {
            let batch = RecordBatch::try_from_iter([("c", Arc::new(UInt8Array::from(vec![1])) as ArrayRef)]);
            let batches = RecordBatchIterator::new(
                [batch.map_err(|error| panic!("{error}"))],
                schema([&DataType::UInt8].into_iter()),
            );
            let stream = FFI_ArrowArrayStream::new(Box::new(batches));
            let read = Validated::import(stream, limits()).expect("a plain column is known").next();
            assert!(read.is_some_and(|batch| batch.is_ok()));
        });
        let mut validated = match Validated::import(self.stream(), limits()) {
            Ok(validated) => validated,
            Err(error) => return self.assert_is_told(&error),
        };
        let schema = validated.schema();
        let options = WriteOptions::new().nulls(NullPolicy::Default).limits(limits());
        let mut writer = match BatchWriter::begin(Cursor::new(Vec::new()), &schema, options) {
            Ok(writer) => Some(writer),
            Err(error) => {
                self.assert_is_told(&error);
                None
            }
        };
        let mut batches = Vec::new();
        while let Some(batch) = validated.next() {
            let arrays = &self.batches[batches.len()];
            let batch = match batch.map_err(Error::from) {
                Ok(batch) => batch,
                Err(error) => {
                    self.assert_is_told(&error);
                    let is_other = arrays.iter().map(ArrayData::data_type).ne(&self.said);
                    assert!(is_other || arrays.iter().any(|array| array.validate_full().is_err()), "{error}");
                    return assert!(validated.next().is_none(), "nothing follows an error");
                }
            };
            // Arrow also validates items that do not belong to any row.
            for array in arrays.iter().filter(|array| !array.data_type().is_nested()) {
                array.validate_full().expect("a batch that is not valid is refused");
            }
            if let Some(Err(error)) = writer.as_mut().map(|writer| writer.write(&batch)) {
                self.assert_is_told(&error);
                writer = None;
            }
            batches.push(batch);
        }
        let Some(writer) = writer else { return };
        let bytes = writer.finish_sink().expect("memory takes what is written").into_inner();
        let table = idv::Options::new().limits(limits()).from_reader(&bytes[..]).expect("what was written is read");
        let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
        assert_eq!(table.rows(), rows as u64);
        for (place, column) in table.columns().enumerate() {
            let values = column.read().expect("what was written is read");
            let categories = column.key_values().expect("what was written is read");
            let categories = categories.map(|values| items_of(&values)).unwrap_or_default();
            let arrays = batches.iter().map(|batch| batch.column(place));
            let expected = arrays.flat_map(|array| (0..array.len()).map(move |row| (array, row)));
            for ((array, row), value) in expected.zip(values.iter()) {
                compare(array, row, value, &categories);
            }
        }
    }

    fn assert_is_told(&self, error: &Error) {
        match error {
            Error::Column { .. } | Error::Value { .. } | Error::Ndbytes(ndbytes::Error::Limit { .. }) => {}
            Error::Ndbytes(ndbytes::Error::Inexpressible { .. }) if error.to_string().contains("the column") => {}
            Error::Stream(_) if self.is_short() => {}
            error => panic!("{error}"),
        }
    }
}

/// The categories of keys.
fn items_of(values: &Values) -> Vec<Item> {
    values.vector(0).map(|vector| vector.stored().map(model::item).collect()).unwrap_or_default()
}

/// Asserts that a row has the same values in both arrays.
fn compare(array: &ArrayRef, row: usize, value: Value<'_>, categories: &[Item]) {
    let Value::Vector(vector) = value else {
        return assert_same(item(array, row), model::item(value), array, categories);
    };
    let list = match array.data_type() {
        _ if array.is_null(row) && array.as_fixed_size_list_opt().is_none() => return assert_eq!(vector.len(), 0),
        DataType::List(_) => array.as_list::<i32>().value(row),
        DataType::LargeList(_) => array.as_list::<i64>().value(row),
        DataType::FixedSizeList(..) => array.as_fixed_size_list().value(row),
        _ => return compare_stored(array, row, &vector, categories),
    };
    assert_eq!(list.len(), vector.len());
    for place in 0..list.len() {
        let expected = if array.is_null(row) { None } else { item(&list, place) };
        let found = vector.get(place).expect("there is such a place");
        assert_same(expected, model::item(found), &list, categories);
    }
}

/// The same, but for a sparse vector, whose missing items are defaults.
fn compare_stored(array: &ArrayRef, row: usize, vector: &idv::Vector<'_>, categories: &[Item]) {
    let fields = array.as_struct();
    let length = fields.column(0).as_primitive::<UInt32Type>().value(row) as usize;
    let items = fields.column(2).as_list::<i32>().value(row);
    assert_eq!(length, vector.len());
    if length > LONG {
        return;
    }
    let places = fields.column(1).as_list::<i32>();
    let is_sparse = places.is_valid(row) && items.len() < length;
    let places = places.value(row);
    let places: Vec<u32> = match is_sparse {
        true => places.as_primitive::<UInt32Type>().values().to_vec(),
        false => (0..length as u32).collect(),
    };
    for place in 0..length {
        let stored = places.iter().position(|&stored| stored as usize == place);
        let expected = stored.and_then(|stored| item(&items, stored));
        let found = vector.get(place).expect("there is such a place");
        assert_same(expected, model::item(found), &items, categories);
    }
}

/// Compares an expected item with the item read. A key means its category, and null is a default.
fn assert_same(expected: Option<Item>, found: Item, array: &ArrayRef, categories: &[Item]) {
    let is_key = matches!(array.data_type(), DataType::Dictionary(..));
    let found = match found {
        Item::Uint(0) if is_key => None,
        Item::Uint(key) if is_key => Some(categories[key as usize - 1].clone()),
        found if expected.is_none() && model::is_default(&found) => None,
        found => Some(found),
    };
    assert_eq!(expected, found);
}

/// An item of an array. `None` if it is null.
fn item(array: &ArrayRef, row: usize) -> Option<Item> {
    macro_rules! number {
        ($type:ty, $make:expr) => {
            $make(array.as_primitive::<$type>().value(row).into())
        };
    }
    if array.is_null(row) {
        return None;
    }
    let text = |text: &str| Item::Text(text.encode_utf16().collect());
    Some(match array.data_type() {
        DataType::Int8 => number!(Int8Type, Item::Int),
        DataType::Int16 => number!(Int16Type, Item::Int),
        DataType::Int32 => number!(Int32Type, Item::Int),
        DataType::Int64 => number!(Int64Type, Item::Int),
        DataType::UInt8 => number!(UInt8Type, Item::Uint),
        DataType::UInt16 => number!(UInt16Type, Item::Uint),
        DataType::UInt32 => number!(UInt32Type, Item::Uint),
        DataType::UInt64 => number!(UInt64Type, Item::Uint),
        DataType::Float16 => Item::F32(array.as_primitive::<Float16Type>().value(row).to_f32().to_bits()),
        DataType::Float32 => Item::F32(array.as_primitive::<Float32Type>().value(row).to_bits()),
        DataType::Float64 => Item::F64(array.as_primitive::<Float64Type>().value(row).to_bits()),
        DataType::Boolean => Item::Bool(array.as_boolean().value(row)),
        DataType::Utf8 => text(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => text(array.as_string::<i64>().value(row)),
        DataType::Utf8View => text(array.as_string_view().value(row)),
        DataType::FixedSizeBinary(_) => {
            let bytes = array.as_fixed_size_binary().value(row);
            Item::RowId(u128::from_be_bytes(bytes.try_into().expect("it has 16 bytes")))
        }
        DataType::Date32 => {
            let days = i64::from(array.as_primitive::<Date32Type>().value(row));
            Item::Int(days * TICKS_OF_A_DAY + TICKS_OF_1970)
        }
        DataType::Time64(_) => Item::Int(array.as_primitive::<Time64NanosecondType>().value(row) / 100),
        DataType::Timestamp(_, zone) => {
            let ticks = array.as_primitive::<TimestampMicrosecondType>().value(row) * 10 + TICKS_OF_1970;
            match zone {
                None => Item::Int(ticks),
                Some(_) => Item::DateTimeOffset { ticks: ticks + 90 * TICKS_OF_A_MINUTE, minutes: 90 },
            }
        }
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let key = dictionary.normalized_keys()[row];
            return item(dictionary.values(), key);
        }
        other => panic!("IDV holds no {other}"),
    })
}
